package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/wm-lsp/wm-lsp/test/found"
)

// recallEnv names a folder with sets of documents and questions, as package found reads them.
// None is part of this repository.
const recallEnv = "WM_BENCH_RECALL"

// recall measures how much is found. Without sets there is nothing to measure.
func (b *bench) recall() error {
	dir := os.Getenv(recallEnv)
	if dir == "" {
		return nil
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return fmt.Errorf("ask for the folder of Go: %w", err)
	}
	b.report.found, err = found.Measure(dir, strings.TrimSpace(string(goroot)))
	return err
}

// foundTable returns the table of what was found.
func (r *report) foundTable() string {
	if len(r.found) == 0 {
		return ""
	}
	var out strings.Builder
	out.WriteString("\n## Recall\n\nFrom questions to the documents that answer them: the share of those documents " +
		"among the first 10 and 20, and the\nmean reciprocal rank of the first, in percent. " +
		"The sets are not part of the repository.\n\n" +
		"| what | questions | R@10 | R@20 | MRR | target | met |\n|---|---|---|---|---|---|---|\n")
	for _, row := range r.found {
		target, met := "–", "–"
		if row.Least != (found.Figures{}) {
			target = fmt.Sprintf("≥ %g / %g / %g", row.Least.R10, row.Least.R20, row.Least.MRR)
			met = "**no**"
			if row.Met() {
				met = "yes"
			}
		}
		mean := row.Mean()
		fmt.Fprintf(&out, "| %s | %d | %.1f | %.1f | %.1f | %s | %s |\n",
			row.What, mean.Questions, mean.R10, mean.R20, mean.MRR, target, met)
	}
	return out.String()
}
