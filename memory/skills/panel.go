package skills

import (
	"fmt"
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/shorten"
	"github.com/wm-lsp/wm-lsp/memory/panel"
	"github.com/wm-lsp/wm-lsp/memory/skills/mining"
)

// Panels returns the section of the skills.
func (r *Room) Panels() []panel.Part {
	return []panel.Part{{Section: Section, Paint: r.paint, Markdown: r.markdown}}
}

const itemPrefix = Noun + ":"

func (r *Room) paint(panel.Reader) panel.Section {
	section := panel.Section{
		Title: "Skills", Show: panel.ShowNonEmpty,
		Empty: "Nothing yet: a procedure that succeeds three times is offered here.",
	}
	kept, offered := r.List(Active), r.List(Offering)
	switch {
	case len(kept) > 0 && len(offered) > 0:
		section.Summary = fmt.Sprintf("%d kept, %d offered", len(kept), len(offered))
	case len(kept) > 0:
		section.Summary = fmt.Sprintf("%d kept", len(kept))
	case len(offered) > 0:
		section.Summary = fmt.Sprintf("%d offered", len(offered))
	}
	if len(kept) > 0 {
		section.Actions = append(section.Actions, exportAction(map[string]any{}))
	}
	for _, s := range kept {
		section.Items = append(section.Items, itemOf(s))
	}
	for _, s := range offered {
		section.Items = append(section.Items, itemOf(s))
	}
	return section
}

// itemOf returns the item of a skill.
func itemOf(s Skill) panel.Item {
	item := panel.Item{
		ID: itemPrefix + s.ID, Kind: "skill", Icon: "tools", Label: shorten.Line(s.Title),
		Detail: s.Proof(), HasMarkdown: true,
	}
	id := func() map[string]any { return map[string]any{"id": s.ID} }
	if s.Status == Offering {
		item.Icon, item.Detail = "lightbulb", "offered · "+item.Detail
		item.Actions = append(item.Actions, panel.Action{
			Title: "Keep", Icon: "check", Key: "c", Method: "wm/skills/update", Inline: true,
			Params: map[string]any{"id": s.ID, "status": string(Active)},
		})
	}
	edit := map[string]any{"id": s.ID, "status": string(Active)}
	item.Actions = append(item.Actions,
		panel.Action{
			Title: "Edit", Icon: "edit", Key: "e", Method: "wm/skills/update", Params: edit,
			Inputs: []panel.Input{
				{Param: "title", Prompt: "What it does", Kind: panel.InputText, Value: s.Title},
				{Param: "purpose", Prompt: "When it is used", Kind: panel.InputText, Value: s.Purpose},
				{
					Param: "commands", Prompt: "The commands, one a line", Kind: panel.InputText, Multiline: true,
					Value: strings.Join(s.Commands, "\n"),
				},
				{Param: "notes", Prompt: "What else to know", Kind: panel.InputText, Multiline: true, Value: s.Notes},
			},
		},
		panel.Action{
			Title: "Drop", Icon: "trash", Key: "d", Method: "wm/skills/remove", Params: id(), Inline: true,
			Undo: &panel.Action{Title: "Restore", Icon: "discard", Method: "wm/skills/restore", Params: id()},
		},
	)
	if s.Status == Active {
		item.Actions = append(item.Actions, exportAction(map[string]any{"ids": []string{s.ID}}))
	}
	return item
}

// exportAction returns the action that writes skills into a folder, for which the person is asked before. What is in
// the place of a skill is left as it is, so there is nothing else to ask.
func exportAction(params map[string]any) panel.Action {
	params["consent"] = true
	return panel.Action{
		Title: "Export as SKILL.md", Icon: "export", Key: "x", Method: "wm/skills/export", Params: params,
		Inputs: []panel.Input{{
			Param: "folder", Kind: panel.InputText, Value: ".agents/skills",
			Prompt: "Folder for the skills, such as .agents/skills or .claude/skills",
		}},
	}
}

func (r *Room) markdown(_ panel.Reader, item string) (string, bool) {
	id, ours := strings.CutPrefix(item, itemPrefix)
	if !ours {
		return "", false
	}
	s, there := r.Get(id)
	if !there {
		return "", false
	}
	return s.Markdown(), true
}

// Markdown returns the skill with its evidence, for people.
func (s *Skill) Markdown() string {
	text := []string{"### " + panel.Escape(s.Title)}
	if s.Purpose != "" {
		text = append(text, panel.Literal(s.Purpose))
	}
	for i, step := range s.steps() {
		text = append(text, fmt.Sprintf("%d. %s", i+1, step))
	}
	if s.Notes != "" {
		text = append(text, panel.Literal(s.Notes))
	}
	return panel.WithFacts(strings.Join(text, "\n\n"), s.facts()...)
}

func (s *Skill) facts() []panel.Fact {
	facts := []panel.Fact{
		{Name: "Status", Value: string(s.Status)},
		{Name: "Evidence", Value: fmt.Sprintf("%s (%.0f %%)", s.Proof(), 100*s.Rate())},
		{Name: "Version", Value: fmt.Sprint(s.Version)},
		{Name: "Found", Value: panel.Clock(s.CreatedAt)},
	}
	if len(s.Evidence) > 0 {
		facts = append(facts, panel.Fact{Name: "Last", Value: lastIn(s.Evidence[0])})
	}
	for _, e := range s.Exports {
		facts = append(facts, panel.Fact{Name: "Exported to", Value: e.Folder})
	}
	return facts
}

func lastIn(e mining.Evidence) string { return panel.Clock(e.At) + ", session " + e.Session }
