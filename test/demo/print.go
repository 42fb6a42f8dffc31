package main

import (
	"fmt"
	"strings"

	shown "github.com/wm-lsp/wm-lsp/memory/panel"
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
		if section.Show == shown.ShowAdvanced || section.Show == shown.ShowNonEmpty && len(section.Items) == 0 {
			continue
		}
		out.WriteString("▾ " + section.Title)
		if section.Budget != nil {
			out.WriteString("  " + bar(section.Budget))
		}
		if section.Summary != "" {
			out.WriteString("  " + section.Summary)
		}
		out.WriteString("\n")
		if len(section.Items) == 0 {
			out.WriteString("    " + section.Empty + "\n")
		}
		for _, item := range section.Items {
			paintItem(&out, "    ", item)
		}
	}
	return out.String()
}

func paintItem(out *strings.Builder, indent string, item wire.PanelItem) {
	fmt.Fprintf(out, "%s%s %s%s\n", indent, mark(item), item.Label, inBrackets(item.Beside()))
	for _, child := range item.Children {
		paintItem(out, indent+"  ", child)
	}
}

// inBrackets returns a string in brackets, "" if it is empty.
func inBrackets(text string) string {
	if text == "" {
		return ""
	}
	return "  (" + text + ")"
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
