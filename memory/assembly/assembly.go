// Package assembly makes the contexts of agents: it takes the sections of the
// rooms, adds those that need several rooms, puts all in order and packs them
// into a budget. Assembling a context changes nothing in the memory.
package assembly

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/tokens"
	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/core"
	"github.com/wm-lsp/wm-lsp/memory/history"
	"github.com/wm-lsp/wm-lsp/memory/hot"
	"github.com/wm-lsp/wm-lsp/memory/notes"
	"github.com/wm-lsp/wm-lsp/memory/pressure"
	"github.com/wm-lsp/wm-lsp/memory/render"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
	"github.com/wm-lsp/wm-lsp/memory/settings"
	"github.com/wm-lsp/wm-lsp/memory/working"
)

// An Assembler makes contexts and remembers what it gave, so that it can tell what
// changed since. It is safe for concurrent use.
type Assembler struct {
	tokens *tokens.Counter
	given  given
}

// New returns an assembler that gave nothing yet.
func New() *Assembler { return &Assembler{tokens: tokens.NewCounter()} }

// A Request says what context is asked for.
type Request struct {
	room.Reader
	// Include are the ids of the sections that are wanted, all if there are none;
	// Exclude are those that are not.
	Include, Exclude []string
	Budget           Budget
	// Overview is the overview of the session as the caller read or made it. It is
	// read here if it is nil.
	Overview *notes.Look
}

// Wants reports whether a section is asked for.
func (r Request) Wants(section string) bool {
	return (len(r.Include) == 0 || slices.Contains(r.Include, section)) && !slices.Contains(r.Exclude, section)
}

// WantsOverview reports whether the overview of the session is asked for.
func (r Request) WantsOverview() bool { return r.Wants(notes.ContextSection) }

// A Budget is the most that a context may have; 0 means that there is no limit.
type Budget struct{ Chars, Tokens int }

// tokensSpared is the share of a budget in tokens that stays unused, 1 in 20: what
// a count may be too low by (docs/decisions.md).
const tokensSpared = 20

func (a *Assembler) budgets(b Budget) []render.Budget {
	var budgets []render.Budget
	if b.Chars > 0 {
		budgets = append(budgets, render.Chars(b.Chars))
	}
	if b.Tokens > 0 {
		budgets = append(budgets, render.Budget{Max: b.Tokens - b.Tokens/tokensSpared, Measure: a.tokens.Count})
	}
	return budgets
}

// sources are what contexts are made of.
type sources struct {
	key string
	// generation is that of the settings, read before them.
	generation int64
	settings   *settings.Settings
	tellers    []room.Teller
	core       *core.Room
	hot        *hot.Room
	notes      *notes.Room
	pressure   *pressure.Room
	sessions   *sessions.Room
	working    *working.Room
	history    func(session string) (history.Conversation, error)
}

func sourcesOf(w *memory.Workspace) sources {
	return sources{
		key: w.Key(), generation: w.SettingsGeneration(), settings: w.Settings(),
		tellers: w.Tellers(), history: memory.ServiceOf[*history.Service](w).Of,
		core: memory.RoomOf[*core.Room](w), hot: memory.RoomOf[*hot.Room](w), notes: memory.RoomOf[*notes.Room](w),
		pressure: memory.RoomOf[*pressure.Room](w), sessions: w.Sessions(), working: memory.RoomOf[*working.Room](w),
	}
}

// SectionIDs returns the ids of the sections that contexts of a workspace can
// have, in the order of the text.
func SectionIDs(w *memory.Workspace) []string { return sectionIDs(sourcesOf(w)) }

func sectionIDs(from sources) (ids []string) {
	sections := []render.Section{{ID: guideSection}, {ID: notes.ContextSection}, {ID: metaSection}}
	for _, section := range inOrder(append(sections, told(from, room.Reader{})...), false) {
		ids = append(ids, section.ID)
	}
	return ids
}

// told returns the sections that the rooms hand over.
func told(from sources, at room.Reader) []render.Section {
	var sections []render.Section
	for _, teller := range from.tellers {
		sections = append(sections, teller.Sections(at)...)
	}
	return sections
}

// A Composition is a context that is about to be made.
type Composition struct {
	assembler *Assembler
	from      sources
	request   Request
	overview  notes.Look
	usage     pressure.Pressure
	sections  []render.Section
}

// Compose begins a context. It reads the overview, if that is asked for and not
// given, and no other file.
func (a *Assembler) Compose(w *memory.Workspace, request Request) *Composition {
	return a.compose(sourcesOf(w), request)
}

func (a *Assembler) compose(from sources, request Request) *Composition {
	c := &Composition{assembler: a, from: from, request: request, usage: from.pressure.Of(request.Session)}
	switch {
	case !request.WantsOverview():
	case request.Overview != nil:
		c.overview = *request.Overview
	default:
		c.overview = from.notes.Look(request.Session)
	}
	sections := append(told(from, request.Reader), guide(from.settings.Compact), c.overview.Section(), c.metaSection())
	sections = slices.DeleteFunc(sections, func(s render.Section) bool { return !request.Wants(s.ID) })
	c.sections = inOrder(sections, c.usage.Limit > 0)
	return c
}

// Key names everything that the context depends on besides the version of the
// workspace: of two compositions with the same key, made at the same version, the
// contexts are the same.
func (c *Composition) Key() string {
	r := c.request
	key := fmt.Sprintf("context %s %q %q %+v %q %q %d",
		c.from.key, r.Worktree, r.Session, r.Budget, r.Include, r.Exclude, c.from.generation)
	for _, section := range c.sections {
		if section.State != "" {
			key += fmt.Sprintf(" %s %q", section.ID, section.State)
		}
	}
	return key
}

func (c *Composition) pack() render.Context {
	return render.Pack(c.sections, c.from.settings.Context.PrefixChars, c.assembler.budgets(c.request.Budget)...)
}

// Text returns the text of the context.
func (c *Composition) Text() string { return c.pack().Text() }

// A Context is a context with its measures.
type Context struct {
	Text, Prefix, Suffix string
	Chars, Tokens        int
	Sections             []Section
	History              History
}

// A Section is a section of a context with its measures.
type Section struct {
	render.Rendered
	Chars, Tokens int
}

// An Answer is what is given for a request: a context, what changed in it since
// the one that the reader has, or that nothing changed.
type Answer struct {
	Revision  string
	Unchanged bool
	Context   *Context
	Delta     *Delta
}

// Answer makes the context and remembers it. Since is the revision of the context
// that the reader has, "" if it has none.
func (c *Composition) Answer(since string) Answer {
	packed := c.pack()
	answer := Answer{Revision: packed.Revision()}
	if answer.Revision == since {
		answer.Unchanged = true
		return answer
	}
	c.assembler.given.remember(packed)
	if former, known := c.assembler.given.recall(since); known {
		answer.Delta = delta(former, items(packed))
		return answer
	}
	answer.Context = c.measured(packed)
	return answer
}

func (c *Composition) measured(packed render.Context) *Context {
	text, count := packed.Text(), c.assembler.tokens.Count
	context := &Context{
		Text: text, Prefix: packed.Prefix, Suffix: packed.Suffix, Chars: utf8.RuneCountInString(text),
		Tokens: count(packed.Prefix) + count(packed.Suffix), History: c.advice(packed),
	}
	for _, section := range packed.Sections {
		chars := utf8.RuneCountInString(section.Text)
		context.Sections = append(context.Sections, Section{section, chars, count(section.Text)})
	}
	return context
}

// SessionState returns the state of a session alone, with all that fits into the
// section's own limit.
func SessionState(w *memory.Workspace, at room.Reader) string {
	section := memory.RoomOf[*hot.Room](w).Sections(at)[0]
	return section.Render(section.MaxChars, nil).Text
}
