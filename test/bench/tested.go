package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// A tested figure is one that a test measures, which fails if the target is missed.
type tested struct {
	test, attribute string // the name of the test, and of its attribute
	what, target    string
	figure          string
}

var testedFigures = []tested{
	{"TestE17_AnswersAreFoundAfterACompaction", "answers", "answers that are found after a compaction, of those before",
		"≥ 98 %", ""},
	{"TestE17_AnswersAreFoundAfterACompaction", "tokens", "tokens of the conversation after it, of those before",
		"≤ 105 %", ""},
	{"TestE17_SkillsAreRoutedByPurpose", "routing", "skills that are right, of those that are routed", "> 95 %", ""},
}

// tested runs the tests that measure what takes no time, on sets of the repository.
func (b *bench) tested() error {
	figures, names := slices.Clone(testedFigures), []string{}
	for _, figure := range figures {
		names = append(names, figure.test)
	}
	run := exec.Command("go", "test", "-json", "-count=1", "-run", "^("+strings.Join(names, "|")+")$",
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
