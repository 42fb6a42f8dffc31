package core

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/shorten"
	"github.com/wm-lsp/wm-lsp/extract/tag"
	"github.com/wm-lsp/wm-lsp/memory/panel"
)

// Section is the id of the section of the panel.
const Section = "core"

// Panels returns the section of the core memory of the shown session.
func (r *Room) Panels() []panel.Part {
	return []panel.Part{{Section: Section, Paint: r.paint, Markdown: r.markdown}}
}

// Budgets returns how full the core memory of a session is.
func (r *Room) Budgets(session string) []panel.Gauge {
	return []panel.Gauge{{ID: "core", Label: PanelTitle, Budget: r.budget(session)}}
}

// HasMemory reports whether a block of a session has content.
func (r *Room) HasMemory(session string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return r.Get(session, name).Content != "" })
}

// Describe returns the goal of a session with its progress beside it, or else the progress, as the item below it:
// beside its name a long one would be cut.
func (r *Room) Describe(session string) panel.About {
	name, said := tag.Goal, shorten.Line(r.Get(session, tag.Goal).Content)
	beside := shorten.Line(r.Get(session, tag.Progress).Content)
	if said == "" {
		name, said, beside = tag.Progress, beside, ""
	}
	if said == "" {
		return panel.About{}
	}
	return panel.About{First: []panel.Item{{
		ID: itemPrefix + name + ":" + session, Kind: "goal", Icon: "target", Label: said, Detail: beside,
		HasMarkdown: true,
	}}}
}

const (
	// PanelTitle is the title of the section of the panel.
	PanelTitle = "Goal & progress"
	// itemPrefix is the prefix of the ids of items. The name of the block follows, and in the list of sessions
	// ":" and the session.
	itemPrefix = "core:"
)

func (r *Room) budget(session string) panel.Budget {
	budget := panel.Budget{Unit: panel.BudgetChars}
	for _, name := range names {
		budget.Used += r.Get(session, name).Chars()
		budget.Max += r.MaxChars(name)
	}
	return budget
}

func (r *Room) paint(at panel.Reader) panel.Section {
	section := panel.Section{
		// The row of the session has the goal and the progress, so this list of what can be edited is folded at first.
		Title: PanelTitle, Show: panel.ShowNonEmpty, Folded: true,
		Empty: "The agent has noted no goal yet. It writes its core memory itself.",
	}
	for _, name := range names {
		block := r.Get(at.Shown, name)
		if block.Content == "" {
			continue
		}
		section.Items = append(section.Items, panel.Item{
			ID: itemPrefix + name, Kind: "block", Icon: "symbol-string",
			Label:       name + ": " + shorten.Line(block.Content),
			HasMarkdown: true,
			Actions: []panel.Action{{
				Title: "Edit", Icon: "edit", Key: "e", Method: "wm/core/update",
				Params: at.WithSession(map[string]any{"block": name, "operation": "replace"}),
				Inputs: []panel.Input{{
					Param: "content", Prompt: "What the block " + name + " says",
					Kind: panel.InputText, Multiline: true, Value: block.Content,
				}},
			}},
		})
	}
	if len(section.Items) > 0 {
		section.Summary = at.WithName("")
	}
	return section
}

func (r *Room) markdown(at panel.Reader, item string) (string, bool) {
	key, ours := strings.CutPrefix(item, itemPrefix)
	name, session, isNamed := strings.Cut(key, ":")
	if !isNamed {
		session = at.Shown
	}
	block := r.Get(session, name)
	if !ours || block.Content == "" {
		return "", false
	}
	return panel.WithFacts(panel.Literal(block.Content),
		panel.Fact{Name: "Length", Value: fmt.Sprintf("%d of %d characters", block.Chars(), r.MaxChars(name))},
		panel.Fact{Name: "Said by", Value: saidBy(at, session, block), Markdown: true},
	), true
}

// saidBy returns who wrote a block of a session and when, with a link to the session, as Markdown.
func saidBy(at panel.Reader, session string, block Block) string {
	said := panel.Clock(block.UpdatedAt)
	if block.By != "" {
		said = panel.Escape(block.By) + ", " + said
	}
	return said + at.In(session)
}
