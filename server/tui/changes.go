package tui

import (
	"github.com/wm-lsp/wm-lsp/extract/terminal"
	"github.com/wm-lsp/wm-lsp/memory/panel"
)

// A kind is how an item differs from what the person saw last.
type kind int

const (
	same kind = iota
	added
	changed
	removed
)

// String returns the kind as a word.
func (k kind) String() string { return [...]string{"", "new", "changed", "gone"}[k] }

// sign returns the kind as a character, and its role.
func (k kind) sign() (string, role) {
	switch k {
	case added:
		return "+", roleAdded
	case changed:
		return "~", roleChanged
	case removed:
		return "-", roleRemoved
	}
	return " ", roleLabel
}

// A saidItem is what an item said at a time.
type saidItem struct {
	key           string
	section, text string
}

// A sight is what a panel said at a time: its items, with those below them, in order.
type sight struct {
	items []saidItem
	place map[string]int // of an item by its key
}

// A difference is an item that differs from what it said before.
type difference struct {
	kind          kind
	key           string
	section       string
	before, after string
}

// keyOf returns the key of an item, also if it moves below another item of its section.
func keyOf(section *panel.Section, item panel.Item) string { return section.ID + "\x00" + item.ID }

// textOf returns what an item says, in one line.
func textOf(item panel.Item) string {
	text := terminal.Line(item.Label)
	if detail := terminal.Line(item.Beside()); detail != "" {
		text += "  " + detail
	}
	return text
}

// sightOf returns what the person sees of sections. Advanced ones do not count.
func sightOf(sections []panel.Section) sight {
	s := sight{place: map[string]int{}}
	for i := range sections {
		if section := &sections[i]; section.Show != panel.ShowAdvanced {
			s.add(section, terminal.Line(section.Title), section.Items)
		}
	}
	return s
}

func (s *sight) add(section *panel.Section, title string, items []panel.Item) {
	for _, item := range items {
		key := keyOf(section, item)
		s.place[key] = len(s.items)
		s.items = append(s.items, saidItem{key: key, section: title, text: textOf(item)})
		s.add(section, title, item.Children)
	}
}

// with returns the sight with what differs from an earlier one, so that it is no longer a difference.
func (s sight) with(differences []difference) sight {
	said := map[string]string{}
	gone := map[string]bool{}
	for _, each := range differences {
		said[each.key], gone[each.key] = each.after, each.kind == removed
	}
	result := sight{place: map[string]int{}}
	add := func(one saidItem) {
		result.place[one.key] = len(result.items)
		result.items = append(result.items, one)
	}
	for _, one := range s.items {
		if text, differs := said[one.key]; differs {
			one.text = text
		}
		if !gone[one.key] {
			add(one)
		}
	}
	for _, each := range differences {
		if _, known := result.place[each.key]; !known && each.kind == added {
			add(saidItem{key: each.key, section: each.section, text: each.after})
		}
	}
	return result
}

// since returns what differs from an earlier sight: what is new or changed in the order of the panel, then
// what is gone. The passing of time is not a difference, see panel.Timeless.
func (s sight) since(earlier sight) (all []difference) {
	for _, now := range s.items {
		at, known := earlier.place[now.key]
		switch {
		case !known:
			all = append(all, difference{kind: added, key: now.key, section: now.section, after: now.text})
		case panel.Timeless(earlier.items[at].text) != panel.Timeless(now.text):
			all = append(all, difference{
				kind: changed, key: now.key, section: now.section, before: earlier.items[at].text, after: now.text,
			})
		}
	}
	for _, then := range earlier.items {
		if _, there := s.place[then.key]; !there {
			all = append(all, difference{kind: removed, key: then.key, section: then.section, before: then.text})
		}
	}
	return all
}
