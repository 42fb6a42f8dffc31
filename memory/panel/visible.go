package panel

import (
	"net/url"
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/tag"
)

// Visible returns a section whose strings hold nothing that a person does not see, see
// tag.Visible. What its actions send stays as it is.
func Visible(s Section) Section {
	s.Title, s.Summary, s.Empty = tag.Visible(s.Title), tag.Visible(s.Summary), tag.Visible(s.Empty)
	visibleActions(s.Actions)
	visibleItems(s.Items)
	return s
}

// escaped begins an id that is written with escapes.
const escaped = "~"

// visibleID returns the id of an item with escapes if a person would not see a part of it. As two of these may look
// alike, leaving that out would give two items one id.
func visibleID(id string) string {
	if tag.Visible(id) == id && !strings.HasPrefix(id, escaped) {
		return id
	}
	return escaped + url.PathEscape(id)
}

// OriginalID returns the id by which a room knows an item with an id in a visible section.
func OriginalID(id string) string {
	rest, ok := strings.CutPrefix(id, escaped)
	if original, err := url.PathUnescape(rest); ok && err == nil {
		return original
	}
	return id
}

func visibleItems(items []Item) {
	for i := range items {
		item := &items[i]
		item.ID = visibleID(item.ID)
		item.Label, item.Detail, item.Aside = tag.Visible(item.Label), tag.Visible(item.Detail), tag.Visible(item.Aside)
		visibleActions(item.Actions)
		visibleItems(item.Children)
	}
}

func visibleActions(actions []Action) {
	for i := range actions {
		action := &actions[i]
		action.Title = tag.Visible(action.Title)
		for j := range action.Inputs {
			input := &action.Inputs[j]
			input.Prompt, input.Value = tag.Visible(input.Prompt), tag.Visible(input.Value)
			for k := range input.Choices {
				choice := &input.Choices[k]
				choice.Label, choice.Detail = tag.Visible(choice.Label), tag.Visible(choice.Detail)
			}
		}
		if action.Undo != nil {
			undo := []Action{*action.Undo}
			visibleActions(undo)
			action.Undo = &undo[0]
		}
	}
}
