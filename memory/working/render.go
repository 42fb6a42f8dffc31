package working

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/tag"
	"github.com/wm-lsp/wm-lsp/memory/render"
)

// The reasons for which items are left out.
const (
	overBudget = "budget"
	duplicate  = "said in another section"
	closed     = "no longer open"
)

// A View selects what Render shows.
type View struct {
	// IsShown reports whether another section of the context shows the item.
	IsShown func(Item) bool
	// IsOpen reports whether the error of the item is still open.
	IsOpen func(Item) bool
	// Query is what the reader is about to do.
	Query render.Query
}

// manual is the source of items that were added by hand.
const manual = "manual"

// titles are the titles of the built-in slots. Other slots have their name.
var titles = map[string]string{Errors: "Errors", Decisions: "Decisions", Todos: "To do", Dependencies: "Dependencies"}

// Title returns the title of a slot.
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

// Render returns the working memory of a session in at most maxChars characters, whole
// items only: the slots, then the key files and facts of the pool by their score, then a
// line with the number of items and the time of the latest (systems.md A7). The text is
// empty if there are no items to show.
func (r *Room) Render(session string, maxChars int, view View) render.Part {
	var part render.Part
	const open, shut = "<" + tag.WorkingMemory + ">\n", "</" + tag.WorkingMemory + ">"
	left := maxChars - utf8.RuneCountInString(open+shut) - len("999 items, 2006-01-02 15:04:05 UTC\n")
	var text strings.Builder
	shown, last := 0, time.Time{}
	for _, g := range r.groups(session) {
		head := g.title + ":\n"
		for _, item := range render.Front(view.Query, g.items, Item.about) {
			if view.IsShown(item) {
				part.Omitted = append(part.Omitted, render.Omission{ID: item.ID, Reason: duplicate})
				continue
			}
			if item.Slot == Errors && item.Fingerprint != "" && !view.IsOpen(item) {
				part.Omitted = append(part.Omitted, render.Omission{ID: item.ID, Reason: closed})
				continue
			}
			line := "- " + render.Flat(item.Content)
			cost := utf8.RuneCountInString(head + line + "\n")
			if cost > left {
				part.Omitted = append(part.Omitted, render.Omission{ID: item.ID, Reason: overBudget})
				continue
			}
			text.WriteString(head + line + "\n")
			part.Items = append(part.Items, render.Item{
				ID: item.ID, Text: line[len("- "):], Silent: item.Source != manual,
			})
			head, left = "", left-cost
			shown++
			if item.LastMentionedAt.After(last) {
				last = item.LastMentionedAt
			}
		}
	}
	if shown > 0 {
		noun := "items"
		if shown == 1 {
			noun = "item"
		}
		count := fmt.Sprintf("%d %s, %s\n", shown, noun, last.UTC().Format("2006-01-02 15:04:05 UTC"))
		part.Text = open + text.String() + count + shut
	}
	return part
}

// about returns what a query can name the item by.
func (i Item) about() (file, text string) { return i.Path, i.Content }

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
