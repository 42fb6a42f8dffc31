package longterm

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/panel"
)

// Markdown returns an explanation of an entry: its origin, its changes, and whether it is in
// contexts and why.
func (e Explanation) Markdown(happened []change.Change) string {
	entry, kept := e.Entry, e.Reason
	if e.Rank > 0 {
		kept = fmt.Sprintf("place %d, %s", e.Rank, kept)
	}
	contexts := "no"
	if e.Rendered {
		contexts = "yes"
	}
	facts := []panel.Fact{
		{Name: "Why", Value: entry.Rationale}, {Name: "Type", Value: panel.TypeName(entry.Type)},
		{Name: "Status", Value: string(entry.Status)},
		{Name: "Said again", Value: panel.Times(entry.Reinforced)},
		{Name: "In contexts", Value: contexts}, {Name: "Kept", Value: kept}, {Name: "Id", Value: entry.ID},
	}
	if entry.Imported != nil {
		facts = append(facts, panel.Fact{Name: "From", Value: entry.from()})
	}
	if entry.Pinned {
		facts = append(facts, panel.Fact{Name: "Pinned", Value: "yes"})
	}
	return panel.WithFacts(panel.Literal(entry.Text), facts...) + Happened(happened)
}

// Happened returns what happened to something as Markdown.
func Happened(changes []change.Change) string {
	text := "\nWhat happened:\n\n"
	for _, c := range changes {
		text += changeLine(c)
	}
	return text
}

func changeLine(c change.Change) string {
	line := "- " + panel.Clock(c.At) + " " + panel.Escape(string(c.Kind))
	if c.By != "" {
		line += " by " + panel.Escape(c.By)
	}
	if c.Reason != "" {
		line += ": " + panel.Escape(c.Reason)
	}
	if before := TextIn(c.Before); before != "" && before != TextIn(c.After) {
		line += "\n  before: " + panel.Escape(before)
	}
	return line + "\n"
}

// TextIn returns the text of an entry in a payload, or "" if there is none.
func TextIn(doc json.RawMessage) string {
	var entry struct{ Text string }
	if json.Unmarshal(doc, &entry) != nil {
		return ""
	}
	return strings.TrimSpace(entry.Text)
}
