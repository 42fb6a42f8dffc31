package server

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/core"
	"github.com/wm-lsp/wm-lsp/memory/history"
	"github.com/wm-lsp/wm-lsp/memory/notes"
	"github.com/wm-lsp/wm-lsp/memory/pressure"
	"github.com/wm-lsp/wm-lsp/memory/render"
	"github.com/wm-lsp/wm-lsp/memory/working"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// A meta is what a model is told of its context, at the very end of it
// (systems.md D5). Members that are not known are left out.
type meta struct {
	TokensUsed        *int         `json:"tokens_used,omitempty"`
	TokensMax         *int         `json:"tokens_max,omitempty"`
	TokensPercent     *int         `json:"tokens_percent,omitempty"`
	MessagesInHistory *int         `json:"messages_in_history,omitempty"`
	WorkingMemorySize int          `json:"working_memory_size"` // characters of the overview
	Compress          string       `json:"compress,omitempty"`  // what the hint of the pressure says
	Reminder          string       `json:"reminder,omitempty"`
	Suggestions       []suggestion `json:"suggestions,omitempty"`
}

// A suggestion names something to archive, and why it (systems.md D8).
type suggestion struct {
	Archive string `json:"archive"`
	Why     string `json:"why"` // resolved, largest or oldest
	Chars   int    `json:"chars,omitempty"`
}

const (
	// remindFrom is the part of the context, in percent, over which a model is
	// reminded of its notes.
	remindFrom = 50
	// remindAfter is how many turns an overview may stay as it is.
	remindAfter = 10
	// maxSuggestions is how many things to archive are named.
	maxSuggestions = 5
	// charsPerToken is about how many characters of code and prose make a token;
	// what is reported in characters cannot be counted.
	charsPerToken = 3.6
	// maxMetaChars bounds the section.
	maxMetaChars = 1500
)

// renderMeta gives up suggestions, then the advice, then the reminder, where there is little room.
func (c *composer) renderMeta(maxChars int) render.Part {
	m := c.meta()
	for {
		doc, err := json.Marshal(m)
		if err != nil {
			return render.Part{Omitted: []render.Omission{{ID: metaSection, Reason: err.Error()}}}
		}
		text := "<context_meta>" + string(doc) + "</context_meta>"
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

// metaReserve is what the section takes at least, in characters. It depends on
// whether usage was ever reported, but not on how much.
func (v *view) metaReserve() int {
	if memory.RoomOf[*pressure.Room](v.Workspace).Of(v.who.Session).Limit == 0 {
		return 80
	}
	return 200
}

func (c *composer) meta() meta {
	p := memory.RoomOf[*pressure.Room](c.at.Workspace).Of(c.at.who.Session)
	m := meta{WorkingMemorySize: c.outline.chars}
	if p.Limit > 0 {
		used, most, percent := inTokens(p.Used, p.Unit), inTokens(p.Limit, p.Unit), int(math.Round(p.Percentage()))
		m.TokensUsed, m.TokensMax, m.TokensPercent = &used, &most, &percent
		m.Compress = p.Hint(c.at.Settings().Compact).Advice()
	}
	if conversation, err := memory.ServiceOf[*history.Service](c.at.Workspace).Of(c.at.who.Session); p.Messages == 0 && err == nil {
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

// inTokens converts characters with the average of a context.
func inTokens(amount int, unit string) int {
	if unit == string(wire.UnitTokens) {
		return amount
	}
	return int(math.Round(float64(amount) / charsPerToken))
}

// reminder grows firmer the fuller the context is and the longer the overview
// has stayed as it was.
func (c *composer) reminder(p pressure.Pressure) string {
	var parts []string
	switch full, bounds := p.Percentage(), c.at.Settings().Compact; {
	case full >= 100*bounds.Emergency:
		parts = append(parts, "Your context is full enough to be compacted: bring overview.md up to date and compact now, before anything else.")
	case full >= 100*bounds.Heavy:
		parts = append(parts, "Your context fills up: bring overview.md up to date in this turn.")
	case full > remindFrom:
		parts = append(parts, "Over half of your context is used: write into overview.md what must not be lost.")
	}
	if idle := c.idleTurns(); idle >= 2*remindAfter {
		parts = append(parts, fmt.Sprintf("overview.md has not changed for %d turns: bring it up to date now.", idle))
	} else if idle >= remindAfter {
		parts = append(parts, fmt.Sprintf("overview.md has not changed for %d turns: see whether it still holds.", idle))
	}
	return strings.Join(parts, " ")
}

// idleTurns is for how many turns the overview has said the same.
func (c *composer) idleTurns() int {
	if c.overview.Revision == "" {
		return 0
	}
	seen, there := memory.RoomOf[*notes.Room](c.at.Workspace).Overview(c.at.who.Session)
	if !there || seen.Revision != c.outline.own {
		return 0 // it has just changed
	}
	known, _ := c.at.Sessions().Get(c.at.who.Session)
	return max(0, known.Turn-seen.Turn)
}

// suggestions names what can be archived: what is resolved, what is largest, what
// is oldest.
func (c *composer) suggestions() []suggestion {
	all := slices.Concat(c.resolved(), c.largest(), c.oldest())
	return all[:min(len(all), maxSuggestions)]
}

func (c *composer) resolved() []suggestion {
	var list []suggestion
	if lines := c.outline.resolved; len(lines) > 0 {
		list = append(list, suggestion{counted(len(lines), "line of overview.md that is done", "lines of overview.md that are done"), "resolved", runes(lines...)})
	}
	var closed []string
	for _, item := range memory.RoomOf[*working.Room](c.at.Workspace).Slot(c.at.who.Session, working.Errors) {
		if item.Fingerprint != "" && !c.open(item) {
			closed = append(closed, item.Content)
		}
	}
	if len(closed) > 0 {
		list = append(list, suggestion{fmt.Sprintf("what was said about %s no longer open, such as %s", counted(len(closed), "error that is", "errors that are"), excerpt(closed[0])), "resolved", runes(closed...)})
	}
	return list
}

// largestFrom is the length from which something is large, in characters.
const largestFrom = 400

func (c *composer) largest() []suggestion {
	var list []suggestion
	for _, section := range c.outline.sections {
		list = append(list, suggestion{fmt.Sprintf("the section %s of overview.md, into detail/", excerpt(section.Title)), "largest", section.Chars})
	}
	for _, name := range core.Names() {
		list = append(list, suggestion{"the block " + name + " of the core memory, into detail/", "largest", memory.RoomOf[*core.Room](c.at.Workspace).Get(c.at.who.Session, name).Chars()})
	}
	list = slices.DeleteFunc(list, func(s suggestion) bool { return s.Chars < largestFrom })
	slices.SortStableFunc(list, func(a, b suggestion) int { return b.Chars - a.Chars })
	return list[:min(len(list), 2)]
}

func (c *composer) oldest() []suggestion {
	if conversation, err := memory.ServiceOf[*history.Service](c.at.Workspace).Of(c.at.who.Session); err == nil {
		var list []suggestion
		for _, target := range []history.Target{history.TargetTools, history.TargetConversation} {
			plan := history.NewPlan(conversation, history.Choice{Target: target, KeepRecent: c.at.Settings().History.KeepRecent})
			if !plan.IsEmpty() {
				list = append(list, suggestion{fmt.Sprintf("%s of the history, with wm/history/compact and target %s", counted(len(plan.Removed), "message", "messages"), target), "oldest", chars(plan.Removed)})
			}
		}
		if len(list) > 0 {
			return list
		}
	}
	return []suggestion{{"the oldest outputs of tools", "oldest", 0}, {"the oldest turns, once what they decided stands in overview.md", "oldest", 0}}
}

func chars(messages []history.Message) int {
	count := 0
	for _, m := range messages {
		count += utf8.RuneCountInString(m.Text)
	}
	return count
}

func runes(texts ...string) int {
	count := 0
	for _, text := range texts {
		count += utf8.RuneCountInString(text)
	}
	return count
}

// excerpt is the beginning of a text that is named rather than told.
func excerpt(text string) string {
	if letters := []rune(oneLine(text)); len(letters) > 60 {
		return string(letters[:59]) + "…"
	}
	return oneLine(text)
}

// counted is a number with what is counted.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
