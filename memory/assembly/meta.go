package assembly

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/tag"
	"github.com/wm-lsp/wm-lsp/memory/pressure"
	"github.com/wm-lsp/wm-lsp/memory/render"
)

// A meta describes a context to the model, at the end of the context (systems.md D5).
// Unknown members are left out.
type meta struct {
	TokensUsed        *int         `json:"tokens_used,omitempty"`
	TokensMax         *int         `json:"tokens_max,omitempty"`
	TokensPercent     *int         `json:"tokens_percent,omitempty"`
	MessagesInHistory *int         `json:"messages_in_history,omitempty"`
	WorkingMemorySize int          `json:"working_memory_size"` // characters of the overview
	Compress          string       `json:"compress,omitempty"`  // the advice for the hint of the pressure
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
	// charsPerToken is the average length of a token in code and prose. It converts usage
	// that is reported in characters.
	charsPerToken = 3.6
	// maxMetaChars is the limit of the section.
	maxMetaChars = 1500
)

func (c *Composition) metaSection() render.Section {
	return render.Section{ID: metaSection, MaxChars: maxMetaChars, Render: c.renderMeta}
}

// renderMeta returns the section. If it is too long, suggestions are left out first, then the
// advice, then the reminder.
func (c *Composition) renderMeta(maxChars int, _ render.DedupSet) render.Part {
	m := c.meta()
	for {
		doc, err := json.Marshal(m)
		if err != nil {
			return render.Part{Omitted: []render.Omission{{ID: metaSection, Reason: err.Error()}}}
		}
		text := "<" + tag.ContextMeta + ">" + render.Inert(string(doc)) + "</" + tag.ContextMeta + ">"
		switch {
		case utf8.RuneCountInString(text) <= maxChars:
			return render.Part{Text: text, Items: []render.Item{{ID: metaSection, Text: text}}}
		case len(m.Suggestions) > 0:
			m.Suggestions = m.Suggestions[:len(m.Suggestions)-1]
		case m.Compress != "":
			m.Compress = ""
		case m.Reminder != "":
			m.Reminder = ""
		default:
			return render.Part{Omitted: []render.Omission{{ID: metaSection, Reason: "budget"}}}
		}
	}
}

func (c *Composition) meta() meta {
	p := c.usage
	m := meta{WorkingMemorySize: c.overview.Chars}
	if p.Limit > 0 {
		used, most, percent := inTokens(p.Used, p.Unit), inTokens(p.Limit, p.Unit), int(math.Round(p.Percentage()))
		m.TokensUsed, m.TokensMax, m.TokensPercent = &used, &most, &percent
		m.Compress = p.Hint(c.from.settings.Compact).Advice()
	}
	if conversation, err := c.from.history(c.request.Session); p.Messages == 0 && err == nil {
		p.Messages = len(conversation.Messages)
	}
	if p.Messages > 0 {
		m.MessagesInHistory = &p.Messages
	}
	m.Reminder = c.reminder(p)
	if p.Percentage() > remindFrom {
		m.Suggestions = c.suggestions()
	}
	return m
}

// inTokens returns an amount in tokens.
func inTokens(amount int, unit string) int {
	if unit == pressure.Tokens {
		return amount
	}
	return int(math.Round(float64(amount) / charsPerToken))
}

// reminder returns reminders about a full context and an unchanged overview, "" if there are
// none.
func (c *Composition) reminder(p pressure.Pressure) string {
	var parts []string
	switch full, bounds := p.Percentage(), c.from.settings.Compact; {
	case full >= 100*bounds.Emergency:
		parts = append(parts, "Your context is full enough to be compacted: "+
			"bring overview.md up to date and compact now, before anything else.")
	case full >= 100*bounds.Heavy:
		parts = append(parts, "Your context fills up: bring overview.md up to date in this turn.")
	case full > remindFrom:
		parts = append(parts, "Over half of your context is used: write into overview.md what must not be lost.")
	}
	if idle := c.idleTurns(); idle >= 2*remindAfter {
		parts = append(parts, fmt.Sprintf("overview.md has not changed for %d turns: bring it up to date now.", idle))
	} else if idle >= remindAfter {
		parts = append(parts,
			fmt.Sprintf("overview.md has not changed for %d turns: see whether it still holds.", idle))
	}
	return strings.Join(parts, " ")
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
