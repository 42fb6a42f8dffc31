package assembly

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/tag"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/notes"
	"github.com/wm-lsp/wm-lsp/memory/render"
)

// A meta describes a context to the model, at the end of the context (systems.md D5). What
// the host has reported is not repeated. Unknown members are left out.
type meta struct {
	TokensPercent *int `json:"tokens_percent,omitempty"` // rounded down
	// MessagesInHistory is the number of messages of the kept conversation.
	MessagesInHistory *int         `json:"messages_in_history,omitempty"`
	WorkingMemorySize int          `json:"working_memory_size,omitempty"` // characters of the overview
	Notes             string       `json:"notes,omitempty"`               // the path of an overview that is still empty
	Compress          string       `json:"compress,omitempty"`            // the advice for the hint of the pressure
	Reminder          string       `json:"reminder,omitempty"`
	Suggestions       []suggestion `json:"suggestions,omitempty"`
}

const (
	// remindFrom is the percentage of the context above which the model is reminded of its
	// notes.
	remindFrom = 50
	// remindAfter is after how many turns without a change of the overview the model is
	// reminded.
	remindAfter = 10
	// maxMetaChars is the limit of the section.
	maxMetaChars = 1500
)

func (c *Composition) metaSection() render.Section {
	return render.Section{ID: MetaSection, Label: "Advice", MaxChars: maxMetaChars, Render: c.renderMeta}
}

// renderMeta returns the section. If it is too long, suggestions are left out first, then the
// advice, then the reminder.
func (c *Composition) renderMeta(maxChars int, _ render.DedupSet) render.Part {
	m, due := c.meta()
	if !due {
		return render.Part{}
	}
	for {
		doc, err := json.Marshal(m)
		if err != nil {
			return render.Part{Omitted: []render.Omission{{ID: MetaSection, Reason: fault.Plain(err)}}}
		}
		text := "<" + tag.ContextMeta + ">" + render.Inert(string(doc)) + "</" + tag.ContextMeta + ">"
		switch {
		case utf8.RuneCountInString(text) <= maxChars:
			return render.Part{Text: text, Items: []render.Item{m.item(text)}}
		case len(m.Suggestions) > 0:
			m.Suggestions = m.Suggestions[:len(m.Suggestions)-1]
		case m.Compress != "":
			m.Compress = ""
		case m.Reminder != "":
			m.Reminder = ""
		default:
			return render.Part{Omitted: []render.Omission{{ID: MetaSection, Reason: "budget"}}}
		}
	}
}

// item returns the item of the meta. A delta tells what to do, and nothing of what the host has
// reported.
func (m meta) item(text string) render.Item {
	var advice []string
	if m.Compress != "" {
		advice = append(advice, "time to "+m.Compress+".")
	}
	if m.Reminder != "" {
		advice = append(advice, m.Reminder)
	}
	told := strings.Join(advice, " ")
	return render.Item{ID: MetaSection, Text: text, Told: told, Same: told, Silent: told == ""}
}

// meta returns the meta, and whether the model has to be told: the level or the hint of the
// pressure has changed, the level is moderate or more, there is a reminder about the overview, or
// the model does not know yet where it lies.
func (c *Composition) meta() (m meta, due bool) {
	p, s := c.usage, c.from.settings
	idle, notes := c.idleReminder(), c.notesPath()
	if !p.IsNews(s.Pressure) && idle == "" {
		return meta{Notes: notes}, notes != ""
	}
	m = meta{Reminder: idle, Notes: notes}
	if c.overview.Shown != "" {
		m.WorkingMemorySize = c.overview.Chars
	}
	if p.IsKnown() {
		percent := p.Percent()
		m.TokensPercent, m.Compress = &percent, p.Hint(s.Compact).Advice()
		full := c.fullReminder()
		if m.Reminder = strings.TrimSpace(full + " " + idle); full != "" {
			m.Notes = "" // the reminder names it
		}
		if p.Percentage() > remindFrom {
			m.Suggestions = c.suggestions()
		}
	}
	if conversation, err := c.from.history(c.request.Session); err == nil && len(conversation.Messages) > 0 {
		count := len(conversation.Messages)
		m.MessagesInHistory = &count
	}
	return m, true
}

// notesPath returns the path of an overview in which nothing is written yet, "" if the agent was
// told it: before its first tool it was told nothing.
func (c *Composition) notesPath() string {
	if !c.overview.Exists() || c.overview.Shown != "" || c.from.hot.HasRun(c.request.Session) {
		return ""
	}
	return c.from.notes.Path(c.request.Session)
}

// fullReminder returns a reminder about a full context, "" if it is not. It names the path of
// an overview in which nothing is written yet.
func (c *Composition) fullReminder() string {
	file, bounds := notes.Overview, c.from.settings.Compact
	if c.overview.Exists() && c.overview.Shown == "" {
		file = cmp.Or(c.from.notes.Path(c.request.Session), file)
	}
	switch full := c.usage.Percentage(); {
	case full >= 100*bounds.Emergency:
		return "Bring " + file + " up to date and compact now, before anything else."
	case full >= 100*bounds.Heavy:
		return "Bring " + file + " up to date in this turn."
	case full > remindFrom:
		return "Write into " + file + " what must not be lost."
	}
	return ""
}

// idleReminder returns a reminder about an overview that has not changed for some turns, ""
// if it has or is still the template.
func (c *Composition) idleReminder() string {
	if !c.overview.Maintained {
		return ""
	}
	switch idle := c.idleTurns(); {
	case idle >= 2*remindAfter:
		return fmt.Sprintf("overview.md has not changed for %d turns: bring it up to date now.", 2*remindAfter)
	case idle >= remindAfter:
		return fmt.Sprintf("overview.md has not changed for %d turns: see whether it still holds.", remindAfter)
	}
	return ""
}

// idleTurns returns the number of turns since the overview last changed.
func (c *Composition) idleTurns() int {
	if !c.overview.Exists() {
		return 0
	}
	seen, there := c.from.notes.Overview(c.request.Session)
	if !there || seen.Revision != c.overview.Own {
		return 0 // it has just changed
	}
	known, _ := c.from.sessions.Get(c.request.Session)
	return max(0, known.Turn-seen.Turn)
}
