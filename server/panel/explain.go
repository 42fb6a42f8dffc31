package panel

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/server/wire"
)

// Explanation is how an entry came to be, what happened to it and why it is in
// contexts or not, as Markdown.
func Explanation(of wire.MemoryExplainResult) string {
	entry, kept := of.Entry, of.Retention.Reason
	if of.Retention.Rank > 0 {
		kept = fmt.Sprintf("place %d, %s", of.Retention.Rank, kept)
	}
	contexts := "no"
	if of.Retention.Rendered {
		contexts = "yes"
	}
	facts := [][2]string{
		{"Why", entry.Rationale}, {"Type", entry.Type}, {"Status", string(entry.Status)}, {"Said again or restored", times(entry.Reinforced)},
		{"In contexts", contexts}, {"Kept", kept}, {"Id", entry.ID},
	}
	if entry.Pinned {
		facts = append(facts, [2]string{"Pinned", "yes"})
	}
	text := list(shown(entry.Text), facts) + "\nWhat happened:\n\n"
	for _, happened := range of.Events {
		text += eventLine(happened)
	}
	return text
}

func eventLine(e wire.TraceEvent) string {
	line := "- "
	if at, err := e.At.Parse(); err == nil {
		line += at.Local().Format(time.DateTime) + " "
	}
	line += escape(e.Kind)
	if e.By != "" {
		line += " by " + escape(e.By)
	}
	if e.Reason != "" {
		line += ": " + escape(e.Reason)
	}
	if before := textIn(e.Before); before != "" && before != textIn(e.After) {
		line += "\n  before: " + escape(before)
	}
	return line + "\n"
}

// textIn is the text of an entry as it stands in the trace, "" where there is none.
func textIn(doc json.RawMessage) string {
	var entry struct{ Text string }
	if json.Unmarshal(doc, &entry) != nil {
		return ""
	}
	return strings.TrimSpace(entry.Text)
}
