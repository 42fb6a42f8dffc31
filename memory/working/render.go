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
	seldom     = "seldom named"
	gone       = "does not exist"
	passed     = "not named for some time"
	overLimit  = "limit"
)

const (
	// minNamed is how often a file was named that is a key file.
	minNamed = 3
	// minScore is the least score of a key file: one that was named three times was named in the
	// last nine events.
	minScore = 0.5
	// maxKeyFiles and maxFacts are how many of them are shown.
	maxKeyFiles, maxFacts = 3, 3
	// dependencyEvents is after how many events without a mention a dependency that was found
	// leaves the context.
	dependencyEvents = 40
)

// A View selects what Render shows.
type View struct {
	// IsShown reports whether another section of the context shows the item.
	IsShown func(Item) bool
	// IsOpen reports whether the error of the item is still open.
	IsOpen func(Item) bool
	// IsNamed reports whether the item is a file that nobody touched: an output named it.
	IsNamed func(Item) bool
	// IsGone reports whether the item is a file that does not exist.
	IsGone func(Item) bool
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
	limit int // 0 for none
}

// Render returns the working memory of a session in at most maxChars characters, whole
// items only: the slots, then the key files and facts of the pool by their score. Its last
// line has the number of items and the time of the latest (systems.md A7). The text is empty
// if there are no items to show.
func (r *Room) Render(session string, maxChars int, view View) render.Part {
	var part render.Part
	const open, shut = "<" + tag.WorkingMemory + ">\n", "</" + tag.WorkingMemory + ">"
	left := maxChars - utf8.RuneCountInString(open+shut) - len("(999 items, 15:04:05 UTC)")
	var text strings.Builder
	shown, last, events := 0, time.Time{}, r.Events(session)
	for _, g := range r.groups(session) {
		head, taken := g.title+":\n", 0
		for _, item := range render.Front(view.Query, g.items, Item.about) {
			line := "- " + item.line()
			cost := utf8.RuneCountInString(head + line + "\n")
			reason := view.omits(item, events)
			switch {
			case reason != "":
			case g.limit > 0 && taken >= g.limit && item.Source != manual:
				reason = overLimit
			case cost > left:
				reason = overBudget
			}
			if reason != "" {
				part.Omitted = append(part.Omitted, render.Omission{ID: item.ID, Reason: reason})
				continue
			}
			text.WriteString(head + line + "\n")
			part.Items = append(part.Items, render.Item{
				ID: item.ID, Text: line[len("- "):], Silent: item.Source != manual,
			})
			head, left = "", left-cost
			shown++
			taken++
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
		count := fmt.Sprintf("(%d %s, %s)", shown, noun, last.UTC().Format("15:04:05 UTC"))
		part.Text = open + text.String() + count + shut
	}
	return part
}

// omits returns why an item is left out after a number of events, "" if it is not. Items that
// were added by hand are always worth their place.
func (v View) omits(item Item, events int) string {
	switch {
	case v.IsShown(item):
		return duplicate
	case item.Slot == Errors && item.Fingerprint != "" && !v.IsOpen(item):
		return closed
	case item.Source == manual:
	case item.IsFile() && v.IsNamed(item) &&
		(item.Mentions < minNamed || !item.Said || item.score(events) < minScore):
		return seldom
	case item.IsFile() && v.IsGone(item):
		return gone
	case item.Slot == Dependencies && events-item.Event > dependencyEvents:
		return passed
	}
	return ""
}

// line returns the item as it is shown: a file with the reason why it is a key file.
func (i Item) line() string {
	if i.IsFile() && i.Mentions > 1 {
		return fmt.Sprintf("%s (named %dx)", render.Flat(i.Content), i.Mentions)
	}
	return render.Flat(i.Content)
}

// about returns what a query can name the item by.
func (i Item) about() (file, text string) { return i.Path, i.Content }

func (r *Room) groups(session string) []group {
	var groups []group
	for _, slot := range r.Slots() {
		groups = append(groups, group{title: Title(slot.Name), items: r.Slot(session, slot.Name)})
	}
	files, facts := group{title: "Key files", limit: maxKeyFiles}, group{title: "Facts", limit: maxFacts}
	for _, item := range r.Pool(session) {
		if item.IsFile() {
			files.items = append(files.items, item.Item)
		} else {
			facts.items = append(facts.items, item.Item)
		}
	}
	return append(groups, files, facts)
}
