package assembly

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/shorten"
	"github.com/wm-lsp/wm-lsp/memory/core"
	"github.com/wm-lsp/wm-lsp/memory/history"
	"github.com/wm-lsp/wm-lsp/memory/working"
)

// A suggestion names something to archive, with the reason (systems.md D8).
type suggestion struct {
	Archive string `json:"archive"`
	Why     string `json:"why"` // resolved, largest or oldest
	Chars   int    `json:"chars,omitempty"`
}

// maxSuggestions is the maximum number of suggestions.
const maxSuggestions = 5

// suggestions returns what can be archived: first resolved, then large, then old content.
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
		errors := fmt.Sprintf("what was said about %s no longer open, such as %s",
			counted(len(closed), "error that is", "errors that are"), excerpt(closed[0]))
		list = append(list, suggestion{errors, "resolved", runes(closed...)})
	}
	return list
}

func (c *Composition) isOpen(fingerprint string) bool {
	_, open := c.from.hot.Open(c.request.Worktree, fingerprint)
	return open
}

// largestFrom is the length of the shortest large content, in characters.
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

// oldest returns what a compaction of the kept conversation would remove.
func (c *Composition) oldest() []suggestion {
	conversation, err := c.from.history(c.request.Session)
	if err != nil {
		return nil
	}
	var list []suggestion
	for _, target := range []history.Target{history.TargetTools, history.TargetConversation} {
		choice := history.Choice{Target: target, KeepRecent: c.from.settings.History.KeepRecent}
		if plan := history.NewPlan(conversation, choice); !plan.IsEmpty() {
			named := fmt.Sprintf("%s of the history, with wm/history/compact and target %s",
				counted(len(plan.Removed), "message", "messages"), target)
			list = append(list, suggestion{named, "oldest", chars(plan.Removed)})
		}
	}
	return list
}

func chars(messages []history.Message) int {
	count := 0
	for _, m := range messages {
		count += utf8.RuneCountInString(m.Text)
	}
	return count
}

func runes(lines ...string) int {
	count := 0
	for _, line := range lines {
		count += utf8.RuneCountInString(line)
	}
	return count
}

// excerpt returns at most 60 characters of a string as one line.
func excerpt(text string) string {
	return shorten.Chars(shorten.Line(text), 60)
}

// counted returns a number with a noun in the singular or plural.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
