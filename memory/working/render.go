package working

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/tag"
	"github.com/wm-lsp/wm-lsp/memory/render"
)

// Why an item is left out.
const (
	overBudget = "budget"
	saidBefore = "said in another section"
)

// A View says what of the working memory is shown, and how.
type View struct {
	// Said reports whether another section of the context tells of the item.
	Said func(Item) bool
	// Open reports whether the error of the item is open still.
	Open func(Item) bool
}

// titles of the groups; slots of the settings are called by their name.
var titles = map[string]string{Errors: "Errors", Decisions: "Decisions", Todos: "To do", Dependencies: "Dependencies"}

// Title is how a slot is called.
func Title(slot string) string {
	if title, known := titles[slot]; known {
		return title
	}
	return strings.ToUpper(slot[:1]) + slot[1:]
}

type group struct {
	title string
	items []Item
}

// Render returns the working memory of a session in at most maxChars characters:
// errors, decisions, todos, dependencies, own slots, the key files and the facts
// of the pool by their score, and a last line with the number of items and the
// time of the latest (systems.md A7). Whole items only; it is empty where there
// are none to show.
func (r *Room) Render(session string, maxChars int, view View) render.Part {
	var part render.Part
	const open, shut = "<" + tag.WorkingMemory + ">\n", "</" + tag.WorkingMemory + ">"
	left := maxChars - utf8.RuneCountInString(open+shut) - len("999 items, 2006-01-02 15:04:05 UTC\n")
	var text strings.Builder
	shown, last := 0, time.Time{}
	for _, g := range r.groups(session) {
		head := g.title + ":\n"
		for _, item := range g.items {
			if view.Said(item) {
				part.Omitted = append(part.Omitted, render.Omission{ID: item.ID, Reason: saidBefore})
				continue
			}
			line := "- " + render.Flat(item.Content)
			if item.Slot == Errors && item.Fingerprint != "" && !view.Open(item) {
				line += " (no longer open)"
			}
			cost := utf8.RuneCountInString(head + line + "\n")
			if cost > left {
				part.Omitted = append(part.Omitted, render.Omission{ID: item.ID, Reason: overBudget})
				continue
			}
			text.WriteString(head + line + "\n")
			part.Items = append(part.Items, render.Item{ID: item.ID, Text: line[len("- "):]})
			head, left = "", left-cost
			shown++
			if item.LastMentionedAt.After(last) {
				last = item.LastMentionedAt
			}
		}
	}
	if shown > 0 {
		part.Text = open + text.String() + fmt.Sprintf("%d %s, %s\n", shown, map[bool]string{true: "item", false: "items"}[shown == 1], last.UTC().Format("2006-01-02 15:04:05 UTC")) + shut
	}
	return part
}

func (r *Room) groups(session string) []group {
	var groups []group
	for _, slot := range r.Slots() {
		groups = append(groups, group{Title(slot.Name), r.Slot(session, slot.Name)})
	}
	files, facts := group{title: "Key files"}, group{title: "Facts"}
	for _, item := range r.Pool(session) {
		if item.IsFile() {
			files.items = append(files.items, item.Item)
		} else {
			facts.items = append(facts.items, item.Item)
		}
	}
	return append(groups, files, facts)
}
