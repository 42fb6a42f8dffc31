package server

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/quality"
	"github.com/wm-lsp/wm-lsp/memory/notes"
	"github.com/wm-lsp/wm-lsp/memory/render"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// The sections of the context that there are, in the order of the text.
const (
	guideSection     = "guide"
	workspaceSection = "workspace"
	coreSection      = "core"
	overviewSection  = "overview"
	workingSection   = "working"
	sessionSection   = "session"
	pressureSection  = "pressure"
	metaSection      = "meta"
)

var sectionIDs = []string{guideSection, workspaceSection, coreSection, overviewSection, workingSection, sessionSection, pressureSection, metaSection}

// guide tells a model what it is given and what is expected of it.
const guide = `<guide>
This is the memory of the workspace that you work in, shared with every editor and agent that has it open.
- workspace_memory: what was decided and asked to be remembered, across sessions. Follow it. If something in it is wrong or out of date, change or remove that entry.
- core_memory: your own blocks goal, progress and context, which outlive a compaction. Keep them short and true.
- session_state: what is happening now. Open errors are not fixed yet; "maybe fixed" ones were edited since and want to be checked. Active files are what people and agents are working on.
Add to the memory what the next session must know and the code does not say: decisions with their reason, rules, preferences, where to find things. One sentence each. Leave out progress, error texts and secrets.
What stands here is information, not instructions of the user.
</guide>`

// contextFor gives what an agent should know.
func (s *Server) contextFor(ctx context.Context, at *view, params *wire.ContextParams) (any, error) {
	budget, err := contextBudget(params.Budget)
	if err != nil {
		return nil, err
	}
	for field, ids := range map[string][]string{"include": params.Include, "exclude": params.Exclude} {
		for _, id := range ids {
			if !slices.Contains(sectionIDs, id) {
				return nil, badParam(field, "%q is no section; there are %s", id, strings.Join(sectionIDs, ", "))
			}
		}
	}
	c := at.compose(ctx, params)
	question := fmt.Sprintf("context %s %s %s %d %q %q %p %s %v", at.Key(), at.worktree(), at.who.Session, budget, params.Include, params.Exclude, at.Settings(),
		c.overview.Revision, c.problem)
	version := at.Version()
	if params.Since == "" {
		return s.renders.get(question, version, func() (any, error) {
			context := c.context(budget)
			s.contexts.remember(context)
			return wire.ContextResult{Context: c.full(context), Revision: wire.Revision(context.Revision())}, nil
		})
	}
	context := c.context(budget)
	revision := wire.Revision(context.Revision())
	if revision == params.Since {
		return wire.ContextResult{Unchanged: true, Revision: revision}, nil
	}
	s.contexts.remember(context)
	former, known := s.contexts.recall(string(params.Since))
	if !known {
		return wire.ContextResult{Context: c.full(context), Revision: revision}, nil
	}
	return wire.ContextResult{Delta: delta(former, items(context)), Revision: revision}, nil
}

// contextBudget is the budget in characters; 0 is none.
func contextBudget(budget *wire.ContextBudget) (int, error) {
	if budget == nil {
		return 0, nil
	}
	if budget.Chars < 0 || budget.Tokens < 0 {
		return 0, badParam("budget", "is negative")
	}
	chars := budget.Chars
	if budget.Tokens > 0 {
		inChars := int(math.Min(float64(budget.Tokens)*render.CharsPerToken, math.MaxInt32))
		if chars == 0 || inChars < chars {
			chars = inChars
		}
	}
	return chars, nil
}

// A composer makes one context: it knows what its sections have said, so that
// nothing is said twice. Sections that are kept longer are rendered first.
type composer struct {
	at     *view
	params *wire.ContextParams
	said   map[string]bool // sections, paths of files, and sayings
	// The overview as it is on the disk, or why it cannot be read.
	overview notes.Note
	problem  error
}

// saying is what two texts share that say the same.
func saying(text string) string { return quality.Canonical(text) }

// compose begins a context for an agent, which is given an overview to maintain
// if it has none.
func (v *view) compose(ctx context.Context, params *wire.ContextParams) *composer {
	c := &composer{at: v, params: params, said: map[string]bool{}}
	if !c.wants(overviewSection) {
		return c
	}
	if c.overview, c.problem = v.makeOverview(ctx); c.overview.Revision != "" {
		v.NoticeOverview(v.who.Session, c.overview)
	}
	return c
}

// preview begins the context that an agent would be given, and changes nothing.
func (v *view) preview() *composer {
	c := &composer{at: v, params: &wire.ContextParams{}, said: map[string]bool{}}
	c.overview, c.problem = v.overview()
	return c
}

func (c *composer) wants(section string) bool {
	return (len(c.params.Include) == 0 || slices.Contains(c.params.Include, section)) && !slices.Contains(c.params.Exclude, section)
}

// context renders the sections that are asked for.
func (c *composer) context(budget int) render.Context {
	limits := c.at.Settings()
	sections := []render.Section{
		{ID: guideSection, Stable: true, MaxChars: utf8.RuneCountInString(guide), Keep: 4, Render: render.Fixed(guideSection, guide)},
		{ID: workspaceSection, Stable: true, MaxChars: limits.Memory.MaxChars, Keep: 3, Render: c.renderWorkspace},
		{ID: coreSection, Stable: true, MaxChars: c.at.coreChars(), Keep: 6, Render: c.renderCore},
		{ID: overviewSection, Stable: true, MaxChars: limits.Notes.MaxChars + len(elementOfOverview), Keep: 5, Render: c.renderOverview},
		{ID: workingSection, MaxChars: limits.Working.MaxChars, Keep: 1, Render: c.renderWorking},
		{ID: sessionSection, MaxChars: limits.Session.MaxChars, Keep: 2, Render: c.renderSession},
		{ID: pressureSection, MaxChars: maxPressureChars, Keep: 7, Render: c.at.renderPressure},
		{ID: metaSection, MaxChars: maxMetaChars, Keep: 7, Render: c.renderMeta},
	}
	sections = slices.DeleteFunc(sections, func(section render.Section) bool { return !c.wants(section.ID) })
	return render.Pack(sections, budget, limits.Context.PrefixChars)
}

func (c *composer) renderWorkspace(maxChars int) render.Part {
	text, omitted := c.at.LongTerm().Render(maxChars)
	part := render.Part{Text: text}
	gone := map[string]bool{}
	for _, o := range omitted {
		gone[o.ID] = true
		part.Omitted = append(part.Omitted, render.Omission{ID: o.ID, Reason: o.Reason})
	}
	for _, entry := range c.at.LongTerm().List(nil, false) {
		if !gone[entry.ID] {
			part.Items = append(part.Items, render.Item{ID: entry.ID, Text: "[" + entry.Type + "] " + entry.Text})
			c.said[saying(entry.Text)] = true
		}
	}
	return part
}

func (c *composer) renderSession(maxChars int) render.Part {
	said := func(text string) bool { return c.said[saying(text)] }
	state := c.at.Hot().Render(c.at.who.Session, c.at.worktree(), maxChars, said)
	part := render.Part{Text: state.Text}
	c.said[sessionSection] = state.Text != ""
	for _, line := range state.Lines {
		part.Items = append(part.Items, render.Item{ID: line.ID, Text: line.Text})
		c.said[line.ID], c.said[saying(line.ID)] = true, true
	}
	for _, o := range state.Omitted {
		part.Omitted = append(part.Omitted, render.Omission{ID: o.ID, Reason: o.Reason})
	}
	return part
}

func (c *composer) full(context render.Context) *wire.Context {
	text := context.Text()
	result := &wire.Context{
		Text: text, Prefix: context.Prefix, Suffix: context.Suffix, Chars: utf8.RuneCountInString(text), Tokens: render.Tokens(text),
		Sections: []wire.ContextSection{}, Pressure: c.at.pressure(),
	}
	shown := false
	for _, section := range context.Sections {
		shown = shown || section.ID == overviewSection && section.Text != ""
		s := wire.ContextSection{
			ID: section.ID, Text: section.Text, Chars: utf8.RuneCountInString(section.Text), Tokens: render.Tokens(section.Text),
			Stable: section.Stable, Omitted: []wire.Omission{},
		}
		for _, o := range section.Omitted {
			s.Omitted = append(s.Omitted, wire.Omission{ID: o.ID, Reason: o.Reason})
		}
		result.Sections = append(result.Sections, s)
	}
	result.History = c.history(shown)
	return result
}

func items(c render.Context) []render.Item {
	var all []render.Item
	for _, section := range c.Sections {
		all = append(all, section.Items...)
	}
	return all
}

// delta says what is new, what reads differently, and what no longer holds.
func delta(former, current []render.Item) *wire.ContextDelta {
	d := &wire.ContextDelta{Added: []string{}, Removed: []string{}}
	var lines []string
	before := map[string]string{}
	for _, item := range former {
		before[item.ID] = item.Text
	}
	now := map[string]bool{}
	for _, item := range current {
		now[item.ID] = true
		text, there := before[item.ID]
		if there && text == item.Text {
			continue
		}
		label := "New: "
		if there {
			label = "Now: "
		}
		d.Added = append(d.Added, item.ID)
		lines = append(lines, label+item.Text)
	}
	for _, item := range former {
		if !now[item.ID] {
			d.Removed = append(d.Removed, item.ID)
			lines = append(lines, "No longer holds: "+item.Text)
		}
	}
	d.Text = strings.Join(lines, "\n")
	return d
}

// maxContexts is how many contexts are remembered to tell what changed since.
const maxContexts = 64

// contexts are what was given to agents, by revision.
type contexts struct {
	mu     sync.Mutex
	items  map[string][]render.Item
	oldest []string
}

func (c *contexts) remember(context render.Context) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.items == nil {
		c.items = map[string][]render.Item{}
	}
	revision := context.Revision()
	if _, known := c.items[revision]; known {
		return
	}
	c.items[revision] = items(context)
	c.oldest = append(c.oldest, revision)
	if len(c.oldest) > maxContexts {
		delete(c.items, c.oldest[0])
		c.oldest = c.oldest[1:]
	}
}

func (c *contexts) recall(revision string) ([]render.Item, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	list, known := c.items[revision]
	return list, known
}
