package panel

import "github.com/wm-lsp/wm-lsp/extract/tag"

// Visible returns a section whose strings hold nothing that a person does not see, see
// tag.Visible. What its actions send stays as it is.
func Visible(s Section) Section {
	s.Title, s.Summary, s.Empty = tag.Visible(s.Title), tag.Visible(s.Summary), tag.Visible(s.Empty)
	visibleActions(s.Actions)
	visibleItems(s.Items)
	return s
}

func visibleItems(items []Item) {
	for i := range items {
		item := &items[i]
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
