package server

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/quality"
	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/hot"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/notes"
	"github.com/wm-lsp/wm-lsp/memory/render"
	"github.com/wm-lsp/wm-lsp/memory/settings"
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
func guide(compact settings.Compact) string {
	percent := func(part float64) string { return fmt.Sprintf("%.0f %%", 100*part) }
	return `<guide>
This is the memory of the workspace, shared with every editor and agent that has it open. It is information, not instructions of the user.
- workspace_memory: what was decided and asked to be remembered. Follow it; correct or remove what no longer holds.
- core_memory: your blocks goal, progress and context. They outlive a compaction.
- overview: your notes, the file overview.md. Keep them short and true; long things go to detail/, which you read when you need it.
- working_memory, session_state: what is going on now. Open errors are not fixed yet; check those that are "maybe fixed".
- context_meta: how full your context is. You decide what to compact: from ` + percent(compact.Light) + ` drop what is done with, from ` + percent(compact.Medium) +
		` shorten old outputs, from ` + percent(compact.Heavy) + ` bring overview.md up to date and archive, from ` + percent(compact.Emergency) + ` compact before anything else.
Add to the memory what the next session must know and the code does not say: decisions with their reason, rules, preferences, where to find things, one sentence each. No progress, error texts or secrets.
</guide>`
}

// contextFor gives what an agent should know.
func (s *Server) contextFor(ctx context.Context, at *view, params *wire.ContextParams) (any, error) {
	if params.Preview {
		if err := at.NotDeleted(at.who.Session); err != nil {
			return nil, err
		}
	}
	budgets, err := s.contextBudgets(params.Budget)
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
	c := s.compose(ctx, at, params)
	question := fmt.Sprintf("context %s %s %s %+v %q %q %p %s %v", at.Key(), at.worktree(), at.who.Session, cmp.Or(params.Budget, &wire.ContextBudget{}), params.Include, params.Exclude, at.Settings(),
		c.overview.Revision, c.problem)
	version := at.Version()
	if params.Since == "" {
		return s.renders.get(question, version, func() (any, error) {
			context := c.context(budgets)
			s.contexts.remember(context)
			return wire.ContextResult{Context: c.full(context), Revision: wire.Revision(context.Revision())}, nil
		})
	}
	context := c.context(budgets)
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

// tokensSpared is the share of a budget in tokens that stays unused, 1 in 20: what
// a count may be too low by (docs/decisions.md).
const tokensSpared = 20

// contextBudgets are the budgets that a context has to be within; none if the client gives none.
func (s *Server) contextBudgets(budget *wire.ContextBudget) ([]render.Budget, error) {
	if budget == nil {
		return nil, nil
	}
	if budget.Chars < 0 || budget.Tokens < 0 {
		return nil, badParam("budget", "is negative")
	}
	var budgets []render.Budget
	if budget.Chars > 0 {
		budgets = append(budgets, render.Chars(budget.Chars))
	}
	if budget.Tokens > 0 {
		budgets = append(budgets, render.Budget{Max: budget.Tokens - budget.Tokens/tokensSpared, Measure: s.tokens.Count})
	}
	return budgets, nil
}

// A composer makes one context: it knows what its sections have said, so that
// nothing is said twice. Sections that are kept longer are rendered first.
type composer struct {
	at     *view
	params *wire.ContextParams
	server *Server
	// said is what each section tells: paths of files, and sayings.
	said map[string]map[string]bool
	// The overview as it is on the disk, or why it cannot be read.
	overview notes.Note
	problem  error
	outline  outline
	// errorsTold is whether the session state, which lists or counts every open
	// error, is shown.
	errorsTold bool
}

// saying is what two texts share that say the same.
func saying(text string) string { return quality.Canonical(text) }

// compose begins a context for an agent, which is given an overview to maintain
// if it has none, unless somebody only looks.
func (s *Server) compose(ctx context.Context, at *view, params *wire.ContextParams) *composer {
	if params.Preview {
		return s.preview(at, params)
	}
	c := s.composer(at, params)
	if !c.wants(overviewSection) {
		return c
	}
	c.overview, c.problem = at.makeOverview(ctx)
	c.read()
	if c.overview.Revision != "" {
		memory.ServiceOf[*notes.Service](at.Workspace).NoticeOverview(at.who.Session, c.outline.own)
	}
	return c
}

// preview begins the context that an agent would be given, and changes nothing.
func (s *Server) preview(at *view, params *wire.ContextParams) *composer {
	c := s.composer(at, params)
	c.overview, c.problem = at.overview()
	c.read()
	return c
}

// read reads the overview.
func (c *composer) read() {
	if c.overview.Revision != "" {
		c.outline = c.server.outlines.of(c.overview.Revision, func() outline { return outlineOf(c.overview.Content) })
	}
}

func (s *Server) composer(at *view, params *wire.ContextParams) *composer {
	return &composer{at: at, params: params, server: s, said: map[string]map[string]bool{}}
}

// says notes the sayings of a section: what its lines say, or items of it.
func (c *composer) says(section, text string) {
	c.said[section] = c.server.sayings.of(text, func() map[string]bool {
		said := map[string]bool{}
		for line := range strings.Lines(text) {
			said[saying(strings.TrimLeft(line, "-*+ "))] = true
		}
		return said
	})
}

// tells reports whether any section so far tells something.
func (c *composer) tells(thing string) bool {
	for _, said := range c.said {
		if said[thing] {
			return true
		}
	}
	return false
}

func (c *composer) wants(section string) bool {
	return (len(c.params.Include) == 0 || slices.Contains(c.params.Include, section)) && !slices.Contains(c.params.Exclude, section)
}

// shareOfGuidance is the part of a budget, one in so many, that a text may take
// which tells the model what to do rather than what there is.
const shareOfGuidance = 4

// shareOfOverview is that of the overview: while it is the template it is guidance.
func (c *composer) shareOfOverview() int {
	if c.outline.maintained {
		return 0
	}
	return shareOfGuidance
}

// context renders the sections that are asked for.
func (c *composer) context(budgets []render.Budget) render.Context {
	limits := c.at.Settings()
	guide := guide(limits.Compact)
	sections := []render.Section{
		{ID: guideSection, Stable: true, MaxChars: utf8.RuneCountInString(guide), Share: shareOfGuidance, Keep: 4, Render: render.Fixed(guideSection, guide)},
		{ID: workspaceSection, Stable: true, MaxChars: limits.Memory.MaxChars, Keep: 3, Render: c.renderWorkspace},
		{ID: coreSection, Stable: true, MaxChars: c.at.coreChars(), Keep: 6, Render: c.renderCore},
		{ID: overviewSection, Stable: true, MaxChars: limits.Notes.MaxChars + len(elementOfOverview), Share: c.shareOfOverview(), Keep: 5, Render: c.renderOverview},
		{ID: workingSection, MaxChars: limits.Working.MaxChars, Keep: 1, Render: c.renderWorking},
		{ID: sessionSection, MaxChars: limits.Session.MaxChars, Keep: 2, Render: c.renderSession},
		{ID: pressureSection, MaxChars: maxPressureChars, Reserve: c.at.pressureReserve(), Keep: 7, Render: c.at.renderPressure},
		{ID: metaSection, MaxChars: maxMetaChars, Reserve: c.at.metaReserve(), Keep: 7, Render: c.renderMeta},
	}
	sections = slices.DeleteFunc(sections, func(section render.Section) bool { return !c.wants(section.ID) })
	return render.Pack(sections, limits.Context.PrefixChars, budgets...)
}

func (c *composer) renderWorkspace(maxChars int) render.Part {
	text, omitted := memory.RoomOf[*longterm.Room](c.at.Workspace).Render(maxChars)
	part := render.Part{Text: text}
	var said strings.Builder
	gone := map[string]bool{}
	for _, o := range omitted {
		gone[o.ID] = true
		part.Omitted = append(part.Omitted, render.Omission{ID: o.ID, Reason: o.Reason})
	}
	for _, entry := range memory.RoomOf[*longterm.Room](c.at.Workspace).List(nil, false) {
		if !gone[entry.ID] {
			part.Items = append(part.Items, render.Item{ID: entry.ID, Text: "[" + entry.Type + "] " + entry.Text})
			said.WriteString(entry.Text + "\n")
		}
	}
	c.says(workspaceSection, said.String())
	return part
}

func (c *composer) renderSession(maxChars int) render.Part {
	said := map[string]bool{}
	c.said[sessionSection] = said
	state := memory.RoomOf[*hot.Room](c.at.Workspace).Render(c.at.who.Session, c.at.worktree(), maxChars, func(text string) bool { return c.tells(saying(text)) })
	part := render.Part{Text: state.Text}
	c.errorsTold = state.Text != ""
	for _, line := range state.Lines {
		part.Items = append(part.Items, render.Item{ID: line.ID, Text: line.Text})
		said[line.ID], said[saying(line.ID)] = true, true
	}
	for _, o := range state.Omitted {
		part.Omitted = append(part.Omitted, render.Omission{ID: o.ID, Reason: o.Reason})
	}
	return part
}

func (c *composer) full(context render.Context) *wire.Context {
	text := context.Text()
	result := &wire.Context{
		Text: text, Prefix: context.Prefix, Suffix: context.Suffix, Chars: utf8.RuneCountInString(text), Tokens: c.server.tokens.Count(context.Prefix) + c.server.tokens.Count(context.Suffix),
		Sections: []wire.ContextSection{}, Pressure: c.at.pressure(),
	}
	for _, section := range context.Sections {
		given := wire.ContextSection{
			ID: section.ID, Text: section.Text, Chars: utf8.RuneCountInString(section.Text), Tokens: c.server.tokens.Count(section.Text),
			Stable: section.Stable, Omitted: []wire.Omission{},
		}
		for _, o := range section.Omitted {
			given.Omitted = append(given.Omitted, wire.Omission{ID: o.ID, Reason: o.Reason})
		}
		result.Sections = append(result.Sections, given)
	}
	result.History = c.history(context)
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
