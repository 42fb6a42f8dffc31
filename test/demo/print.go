package main

import (
	"fmt"
	"strings"

	"github.com/wm-lsp/wm-lsp/server/wire"
)

// step prints the next step.
func step(format string, args ...any) { fmt.Printf("\n● "+format+"\n", args...) }

// quote prints a string of the product with a prefix on each line.
func quote(text string) {
	fmt.Println()
	for line := range strings.Lines(strings.TrimSpace(text) + "\n") {
		fmt.Print("   │ ", line)
	}
}

// paint renders the panel as an editor does.
func paint(panel wire.PanelResult) string {
	var out strings.Builder
	for _, section := range panel.Sections {
		out.WriteString("▾ " + section.Title)
		if section.Budget != nil {
			fmt.Fprintf(&out, "  %s %d/%d %s", bar(section.Budget), section.Budget.Used, section.Budget.Max,
				section.Budget.Unit)
		}
		if section.Summary != "" {
			out.WriteString("  " + section.Summary)
		}
		out.WriteString("\n")
		if len(section.Items) == 0 {
			out.WriteString("    " + section.Empty + "\n")
		}
		for _, item := range section.Items {
			fmt.Fprintf(&out, "    %s %s  (%s)\n", mark(item), item.Label, item.Beside())
		}
	}
	return out.String()
}

func bar(budget *wire.PanelBudget) string {
	const width = 10
	full := min(width, (budget.Used*width+budget.Max-1)/max(budget.Max, 1))
	return strings.Repeat("█", full) + strings.Repeat("░", width-full)
}

func mark(item wire.PanelItem) string {
	switch {
	case item.Severity == 1:
		return "✗"
	case item.Dimmed:
		return "·"
	}
	return "•"
}
