// Package assembly assembles the contexts of agents: it collects the sections of the rooms,
// adds those that need several rooms, orders them and packs them into a budget. It does not
// change the memory.
package assembly

import (
	"fmt"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/quality"
	"github.com/wm-lsp/wm-lsp/extract/tag"
	"github.com/wm-lsp/wm-lsp/extract/tokens"
	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/core"
	"github.com/wm-lsp/wm-lsp/memory/history"
	"github.com/wm-lsp/wm-lsp/memory/hot"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/notes"
	"github.com/wm-lsp/wm-lsp/memory/pressure"
	"github.com/wm-lsp/wm-lsp/memory/render"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
	"github.com/wm-lsp/wm-lsp/memory/settings"
	"github.com/wm-lsp/wm-lsp/memory/working"
)

// An Assembler assembles contexts. It caches the items of recent contexts to compute deltas.
// It is safe for concurrent use.
type Assembler struct {
	tokens *tokens.Counter
	recent recentContexts
}

// New returns an assembler.
func New() *Assembler { return &Assembler{tokens: tokens.NewCounter()} }

// A Request describes the requested context.
type Request struct {
	room.Reader
	// Include are the ids of the wanted sections. If it is empty, all are wanted. Exclude are
	// the ids of unwanted sections.
	Include, Exclude []string
	Budget           Budget
	// Guide is true if the context holds the guide. Otherwise it holds a line.
	Guide bool
	// Hosted is true if the conversation is the host's only, which compacts it.
	Hosted bool
	// Tools are the names by which the agent calls methods of the protocol, by method. If it
	// is nil, the agent calls them by their own names. Methods without a name are not
	// mentioned.
	Tools map[string]string
	// Overview is the overview of the session if the caller has read or created it. If nil,
	// it is read.
	Overview *notes.Snapshot
	// Recall is what was found for the query.
	Recall Recall
	// Handover is what another session left, nil if the reader is not given it.
	Handover *Handover
}

// Wants reports whether a section is requested.
func (r Request) Wants(section string) bool {
	return (len(r.Include) == 0 || slices.Contains(r.Include, section)) && !slices.Contains(r.Exclude, section)
}

// WantsOverview reports whether the overview of the session is requested.
func (r Request) WantsOverview() bool { return r.Wants(notes.ContextSection) }

// A Budget limits the size of a context. 0 means no limit.
type Budget struct{ Chars, Tokens int }

// tokensSpared is the share of a budget in tokens that stays unused, 1 in 20, because counts
// may be too low by that much (docs/decisions.md).
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

// sources are the sources of contexts.
type sources struct {
	key string
	// generation is the generation of the settings. It is read before them.
	generation int64
	settings   *settings.Settings
	providers  []room.ContextProvider
	core       *core.Room
	longterm   *longterm.Room
	hot        *hot.Room
	notes      *notes.Room
	pressure   *pressure.Room
	sessions   *sessions.Room
	working    *working.Room
	snapshot   func(session string) notes.Snapshot
	history    func(session string) (history.Conversation, error)
}

func sourcesOf(w *memory.Workspace) sources {
	overviews := memory.RoomOf[*notes.Room](w)
	return sources{
		key: w.Key(), generation: w.SettingsGeneration(), settings: w.Settings(),
		providers: room.All[room.ContextProvider](w.Rooms()), history: memory.ServiceOf[*history.Service](w).Of,
		core: memory.RoomOf[*core.Room](w), longterm: memory.RoomOf[*longterm.Room](w),
		hot:   memory.RoomOf[*hot.Room](w),
		notes: overviews, snapshot: overviews.Snapshot,
		pressure: memory.RoomOf[*pressure.Room](w), sessions: w.Sessions(), working: memory.RoomOf[*working.Room](w),
	}
}

// SectionIDs returns the ids of the sections that contexts of a workspace can have, in the
// order of the text.
func SectionIDs(w *memory.Workspace) []string { return sectionIDs(sourcesOf(w)) }

func sectionIDs(from sources) (ids []string) {
	own := []render.Section{
		{ID: GuideSection}, {ID: notes.ContextSection}, {ID: RecalledSection}, {ID: HandoverSection}, {ID: MetaSection},
	}
	for _, section := range inOrder(append(own, roomSections(from, room.Reader{})...), false) {
		ids = append(ids, section.ID)
	}
	return ids
}

// roomSections returns the sections of the rooms.
func roomSections(from sources, at room.Reader) []render.Section {
	var sections []render.Section
	for _, provider := range from.providers {
		sections = append(sections, provider.Sections(at)...)
	}
	return sections
}

// A Composition is a context that is not packed yet.
type Composition struct {
	assembler *Assembler
	from      sources
	request   Request
	overview  notes.Snapshot
	usage     pressure.Pressure
	sections  []render.Section
	limit     int             // of what is recalled
	plain     bool            // only passages are recalled
	packed    *render.Context // nil before it is needed
}

// Compose begins a context. The only file that it reads is the overview, if that is
// requested and not given.
func (a *Assembler) Compose(w *memory.Workspace, request Request) *Composition {
	return a.compose(sourcesOf(w), request)
}

func (a *Assembler) compose(from sources, request Request) *Composition {
	at := request.Reader
	request.About = sync.OnceValue(func() quality.Topic { return from.hot.About(at) })
	c := &Composition{assembler: a, from: from, request: request, usage: from.pressure.Of(request.Session)}
	switch {
	case !request.WantsOverview():
	case request.Overview != nil:
		c.overview = *request.Overview
	default:
		c.overview = from.snapshot(request.Session)
	}
	own := []render.Section{
		c.guide(), c.overview.Section(), c.recalledSection(), c.handoverSection(), c.metaSection(),
	}
	sections := append(roomSections(from, request.Reader), own...)
	sections = slices.DeleteFunc(sections, func(s render.Section) bool { return !request.Wants(s.ID) })
	c.sections = inOrder(sections, c.usage.Limit > 0)
	return c
}

// Key returns a key of everything that the context depends on besides the version of the
// workspace. Compositions with the same key and version have the same context.
func (c *Composition) Key() string {
	r := c.request
	key := fmt.Sprintf("context %s %q %q %q %+v %q %q %t %t %d",
		c.from.key, r.Worktree, r.Session, r.Query, r.Budget, r.Include, r.Exclude, r.Guide, r.Hosted,
		c.from.generation)
	for _, section := range c.sections {
		if section.State != "" {
			key += fmt.Sprintf(" %s %q", section.ID, section.State)
		}
	}
	return key
}

func (c *Composition) pack() render.Context {
	if c.packed == nil {
		packed := c.packWithRecall()
		c.packed = &packed
	}
	return *c.packed
}

// A Use is how much of its limit a section of a context uses.
type Use struct {
	ID                      string
	Chars, MaxChars, Tokens int
}

// Uses returns how much of their limits the sections with a limit use, in the order of the text.
func (c *Composition) Uses() []Use {
	limits := map[string]int{}
	for _, section := range c.sections {
		limits[section.ID] = section.MaxChars
	}
	uses := []Use{}
	for _, section := range c.measured(c.pack()).Sections {
		if limit := limits[section.ID]; limit > 0 {
			uses = append(uses, Use{section.ID, section.Chars, limit, section.Tokens})
		}
	}
	return uses
}

// Text returns the text of the context.
func (c *Composition) Text() string { return c.pack().Text() }

// A Context is a context with its sizes.
type Context struct {
	Text, Prefix, Suffix string
	Chars, Tokens        int
	Sections             []Section
	History              History
}

// A Section is a section of a context with its sizes.
type Section struct {
	render.Rendered
	Chars, Tokens int
}

// An Answer is the answer to a request: a context, what the reader of another context has to
// be told, or that there is nothing to tell.
type Answer struct {
	Revision  string
	Unchanged bool
	Context   *Context
	Delta     *Delta
}

// Answer returns the answer and caches the items of the context. since is the revision of
// the context that the reader has, "" if it has none.
func (c *Composition) Answer(since string) Answer {
	packed := c.pack()
	known, _ := c.from.sessions.Get(c.request.Session)
	answer := Answer{Revision: revision(packed, known.Compactions)}
	if answer.Revision == since {
		answer.Unchanged = true
		return answer
	}
	former, there := c.assembler.recent.of(since)
	c.assembler.recent.add(answer.Revision, recentContext{known.Compactions, itemsOf(packed)})
	if !there || former.compactions != known.Compactions {
		answer.Context = c.measured(packed)
		return answer
	}
	if d := deltaOf(newsOf(knownItems(recorded(former.items)), packed)); d.Text != "" {
		answer.Delta = d
	} else {
		answer.Unchanged = true
	}
	return answer
}

// revision returns the revision of a context of a conversation that was compacted some times.
// A compaction takes from the reader what it was told before, so revisions from before it are
// not known afterwards.
func revision(packed render.Context, compactions int) string {
	if compactions == 0 {
		return packed.Revision()
	}
	return fmt.Sprintf("%s-%d", packed.Revision(), compactions)
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

// SessionState returns the text of the session state alone, with the statements of earlier
// tasks.
func SessionState(w *memory.Workspace, at room.Reader) string {
	return tag.Visible(memory.RoomOf[*hot.Room](w).Whole(at))
}
