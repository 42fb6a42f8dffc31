package mcp

import (
	"cmp"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/wm-lsp/wm-lsp/extract/shorten"
	"github.com/wm-lsp/wm-lsp/extract/tag"
	"github.com/wm-lsp/wm-lsp/server/service"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// answer returns the result of a call: as data, and as a string that a model can read.
func (s *Server) answer(result any) (*sdk.CallToolResult, error) {
	readable, err := text(result)
	if err != nil {
		return nil, err
	}
	doc, err := wire.Encode(structured(result))
	if err != nil {
		return nil, err
	}
	return &sdk.CallToolResult{
		Content: []sdk.Content{&sdk.TextContent{Text: readable}}, StructuredContent: s.callable(doc),
	}, nil
}

// handoverText returns what a session left.
func handoverText(left *wire.Handover) string {
	if left == nil {
		return "No session that has ended left anything here."
	}
	return cmp.Or(left.Text, "The session "+left.SessionID+" left nothing to go on with.")
}

// text returns a result as a string for a model. What has no text of its own is JSON. Only notes have
// all their characters, because a model writes back what it has read.
func text(result any) (string, error) {
	if note, is := result.(wire.NotesReadResult); is {
		return fmt.Sprintf("%s\n\n(%s, revision %s)", note.Content, note.Path, note.Revision), nil
	}
	said, err := visibleText(result)
	return tag.Visible(said), err
}

func visibleText(result any) (string, error) {
	switch result := result.(type) {
	case wire.ContextResult:
		return contextText(result), nil
	case wire.Receipt:
		return receiptText(result), nil
	case wire.MemoryListResult:
		return entriesText(result.Entries, "The workspace memory is empty."), nil
	case wire.SearchResult:
		return hitsText(result), nil
	case wire.SessionHandoverResult:
		return handoverText(result.Handover), nil
	case wire.SkillsResult:
		return skillsText(result.Skills), nil
	case wire.MemoryRemoveResult:
		return strings.TrimSpace("Forgotten: " + cmp.Or(result.Entry.Text, result.Entry.ID) + " " + result.Message), nil
	case wire.CoreUpdateResult:
		return fmt.Sprintf("Written: %d of %d characters.%s", result.Block.Chars, result.Block.MaxChars,
			redacted(result.Redactions)), nil
	case wire.NotesWriteResult:
		return fmt.Sprintf("Written: %s, revision %s.%s", result.Path, result.Revision,
			redacted(result.Redactions)), nil
	case wire.ErrorsListResult:
		return errorsText(result.Errors), nil
	case wire.HistoryCompactResult:
		return compactionText(result), nil
	}
	doc, err := wire.Encode(result)
	return string(doc), err
}

func contextText(result wire.ContextResult) string {
	known := contextOf(result)
	if known.Unchanged {
		return fmt.Sprintf("Nothing new since revision %s.", known.Revision)
	}
	return fmt.Sprintf("%s\n\n(revision %s)", strings.TrimRight(known.Text, "\n"), known.Revision)
}

func receiptText(receipt wire.Receipt) string {
	more := redacted(receipt.Redactions)
	if receipt.ID != "" {
		more = fmt.Sprintf(" Its id is %s.", receipt.ID) + more
	}
	if receipt.Status == wire.ReceiptUpdated {
		if related := service.Related(receipt, true); related != "" {
			more += " " + related
		}
		return "Changed." + more
	}
	return service.RememberMessage(receipt, more, true)
}

// redacted returns a note that secrets were removed.
func redacted(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return " A secret was removed from it."
	}
	return fmt.Sprintf(" %d secrets were removed from it.", n)
}

func entriesText(entries []wire.MemoryEntry, none string) string {
	if len(entries) == 0 {
		return none
	}
	var b strings.Builder
	for _, entry := range entries {
		fmt.Fprintf(&b, "- %s [%s] %s", entry.ID, entry.Type, shorten.Line(entry.Text))
		if entry.Rationale != "" {
			fmt.Fprintf(&b, " (%s)", shorten.Line(entry.Rationale))
		}
		if entry.Status != wire.StatusActive {
			fmt.Fprintf(&b, " – %s", entry.Status)
		}
		if entry.Stale != nil {
			fmt.Fprintf(&b, " – may be outdated: %s", shorten.Line(entry.Stale.Reason))
		}
		b.WriteByte('\n')
	}
	return strings.TrimRight(b.String(), "\n")
}

func hitsText(result wire.SearchResult) string {
	if len(result.Hits) == 0 {
		return "Nothing that is remembered fits these words."
	}
	var b strings.Builder
	for _, hit := range result.Hits {
		fmt.Fprintf(&b, "- %s [%s] %s\n", hit.Item.ID, shorten.Line(hit.From), shorten.Line(hit.Item.Text))
	}
	return strings.TrimRight(b.String(), "\n")
}

func skillsText(list []wire.Skill) string {
	if len(list) == 0 {
		return "No procedure for this has succeeded often enough yet."
	}
	var b strings.Builder
	for _, skill := range list {
		fmt.Fprintf(&b, "## %s\n%s\n(%s, worked %d of %d times, version %d, id %s)\n\n", shorten.Line(skill.Title),
			strings.TrimPrefix(skill.Text, skill.Title+"\n"), skill.Status, skill.Successes, skill.Attempts,
			skill.Version, skill.ID)
	}
	return strings.TrimRight(b.String(), "\n")
}

func errorsText(list []wire.OpenError) string {
	if len(list) == 0 {
		return "No error is open."
	}
	var b strings.Builder
	for _, e := range list {
		fmt.Fprintf(&b, "- [%s] %s", e.Category, shorten.Line(e.Summary))
		switch {
		case e.Path != "" && e.Line > 0:
			fmt.Fprintf(&b, " (%s:%d)", e.Path, e.Line)
		case e.Path != "":
			fmt.Fprintf(&b, " (%s)", e.Path)
		}
		if from := cmp.Or(e.Command, e.Tool); from != "" {
			fmt.Fprintf(&b, ", reported by %s", shorten.Line(from))
		}
		if !e.Verified {
			fmt.Fprintf(&b, ", not checked since %s", e.LastSeen)
		}
		if e.MaybeFixed {
			b.WriteString(", its file was edited since")
		}
		b.WriteByte('\n')
	}
	return strings.TrimRight(b.String(), "\n")
}

func compactionText(result wire.HistoryCompactResult) string {
	text := fmt.Sprintf("Removed %d messages and kept %d: %d tokens before, %d now.", len(result.Removed),
		len(result.Kept), result.TokensBefore, result.TokensAfter)
	if result.ArchivedTo != "" {
		text += fmt.Sprintf(" They are in the note %s.", result.ArchivedTo)
	}
	if result.Summary != "" {
		text += "\n\n" + result.Summary
	}
	return text
}
