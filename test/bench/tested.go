package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// A tested figure is one that a test measures, which fails if the target is missed.
type tested struct {
	test, attribute string // the name of the test, and of its attribute
	what, target    string
	figure          string
}

// tested runs the tests that measure what takes no time, on sets of the repository.
func (b *bench) tested() error {
	const compaction, routing = "TestE17_AnswersAreFoundAfterACompaction", "TestE17_SkillsAreRoutedByPurpose"
	figures := []tested{
		{compaction, "answers", "answers that are found after a compaction, of those before", "≥ 98 %", ""},
		{compaction, "tokens", "tokens of the conversation after it, of those before", "≤ 105 %", ""},
		{routing, "routing", "skills that are right, of those that are routed", "> 95 %", ""},
	}
	run := exec.Command("go", "test", "-json", "-count=1", "-run", "^("+compaction+"|"+routing+")$",
		"./memory/skills", "./server/service")
	run.Stderr = os.Stderr
	out, err := run.Output()
	if err != nil {
		return fmt.Errorf("run the tests that measure: %w\n%s", err, out)
	}
	for line := range strings.Lines(string(out)) {
		var said struct{ Action, Test, Key, Value string }
		if json.Unmarshal([]byte(line), &said) != nil || said.Action != "attr" {
			continue
		}
		for i := range figures {
			if figures[i].test == said.Test && figures[i].attribute == said.Key {
				figures[i].figure = said.Value
			}
		}
	}
	b.report.tested = figures
	return nil
}

// testedTable returns the table of what tests measure.
func (r *report) testedTable() string {
	if len(r.tested) == 0 {
		return ""
	}
	var out strings.Builder
	out.WriteString("\n## What tests measure\n\nThese tests fail if the target is missed. Their sets are part of the " +
		"repository.\n\n| what | figure | target |\n|---|---|---|\n")
	for _, t := range r.tested {
		fmt.Fprintf(&out, "| %s | %s | %s |\n", t.what, t.figure, t.target)
	}
	return out.String()
}
