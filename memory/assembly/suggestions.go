package assembly

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/memory/core"
	"github.com/wm-lsp/wm-lsp/memory/history"
	"github.com/wm-lsp/wm-lsp/memory/working"
)

// A suggestion names something to archive, and why it (systems.md D8).
type suggestion struct {
	Archive string `json:"archive"`
	Why     string `json:"why"` // resolved, largest or oldest
	Chars   int    `json:"chars,omitempty"`
}

// maxSuggestions is how many things to archive are named.
const maxSuggestions = 5

// suggestions names what can be archived: what is resolved, what is largest, what
// is oldest.
func (c *Composition) suggestions() []suggestion {
	all := slices.Concat(c.resolved(), c.largest(), c.oldest())
	return all[:min(len(all), maxSuggestions)]
}

func (c *Composition) resolved() []suggestion {
	var list []suggestion
	if lines := c.overview.Resolved; len(lines) > 0 {
		done := counted(len(lines), "line of overview.md that is done", "lines of overview.md that are done")
		list = append(list, suggestion{done, "resolved", runes(lines...)})
	}
	var closed []string
	for _, item := range c.from.working.Slot(c.request.Session, working.Errors) {
		if item.Fingerprint != "" && !c.isOpen(item.Fingerprint) {
			closed = append(closed, item.Content)
		}
	}
	if len(closed) > 0 {
		said := fmt.Sprintf("what was said about %s no longer open, such as %s",
			counted(len(closed), "error that is", "errors that are"), excerpt(closed[0]))
		list = append(list, suggestion{said, "resolved", runes(closed...)})
	}
	return list
}

func (c *Composition) isOpen(fingerprint string) bool {
	_, open := c.from.hot.Open(c.request.Worktree, fingerprint)
	return open
}

// largestFrom is the length from which something is large, in characters.
const largestFrom = 400

func (c *Composition) largest() []suggestion {
	var list []suggestion
	for _, section := range c.overview.Sections {
		named := fmt.Sprintf("the section %s of overview.md, into detail/", excerpt(section.Title))
		list = append(list, suggestion{named, "largest", section.Chars})
	}
	for _, name := range core.Names() {
		block := c.from.core.Get(c.request.Session, name)
		named := "the block " + name + " of the core memory, into detail/"
		list = append(list, suggestion{named, "largest", block.Chars()})
	}
	list = slices.DeleteFunc(list, func(s suggestion) bool { return s.Chars < largestFrom })
	slices.SortStableFunc(list, func(a, b suggestion) int { return b.Chars - a.Chars })
	return list[:min(len(list), 2)]
}

func (c *Composition) oldest() []suggestion {
	if conversation, err := c.from.history(c.request.Session); err == nil {
		var list []suggestion
		for _, target := range []history.Target{history.TargetTools, history.TargetConversation} {
			choice := history.Choice{Target: target, KeepRecent: c.from.settings.History.KeepRecent}
			plan := history.NewPlan(conversation, choice)
			if !plan.IsEmpty() {
				named := fmt.Sprintf("%s of the history, with wm/history/compact and target %s",
					counted(len(plan.Removed), "message", "messages"), target)
				list = append(list, suggestion{named, "oldest", chars(plan.Removed)})
			}
		}
		if len(list) > 0 {
			return list
		}
	}
	return []suggestion{
		{"the oldest outputs of tools", "oldest", 0},
		{"the oldest turns, once what they decided stands in overview.md", "oldest", 0},
	}
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

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
