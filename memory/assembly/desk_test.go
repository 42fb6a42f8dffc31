package assembly

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/core"
	"github.com/wm-lsp/wm-lsp/memory/event"
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

const tree = "/w"

// A desk is one set of rooms without a workspace, into which anything can be put.
type desk struct {
	t        testing.TB
	settings *settings.Settings
	longterm *longterm.Room
	from     sources
	at       time.Time
	ids      int
	reads    int // of the overview
	overview string
	problem  error
	messages []history.Message
}

func newDesk(t testing.TB) *desk {
	d := &desk{t: t, settings: settings.Default(), at: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)}
	current := func() *settings.Settings { return d.settings }
	tracked := func(_, _, file string) (string, bool) { return file, true }
	exists := func(string, string) bool { return true }
	unchanged := func(string, string, time.Time) bool { return false }
	state := hot.New(room.Env{
		Settings: current, Now: time.Now, Exists: exists, Unchanged: unchanged,
		Tracked: tracked, Live: func(string) bool { return true },
	})
	isOpen := func(worktree, fingerprint string) bool {
		_, open := state.Open(worktree, fingerprint)
		return open
	}
	d.longterm = longterm.New(room.Env{
		Settings: current, Now: func() time.Time { return d.at }, NewID: func() string { return d.id() },
	})
	overviews := notes.New(room.Env{
		Settings: current, SessionDir: func(session string) (string, error) { return "/data/" + session, nil },
	})
	d.from = sources{
		key: "k", settings: d.settings, longterm: d.longterm, core: core.New(room.Env{Settings: current}), hot: state,
		notes:    overviews,
		pressure: pressure.New(room.Env{Settings: current}), sessions: sessions.New(room.Env{}),
		working:  working.New(room.Env{Settings: current, Tracked: tracked, Exists: exists, Open: isOpen}),
		snapshot: func(string) notes.Snapshot { return overviews.SnapshotOf(d.read()) },
		history:  func(string) (history.Conversation, error) { return history.Conversation{Messages: d.messages}, nil },
	}
	d.from.providers = []room.ContextProvider{d.longterm, d.from.core, d.from.hot, d.from.working, d.from.pressure}
	return d
}

func (d *desk) id() string {
	d.ids++
	return fmt.Sprintf("%026d", d.ids)
}

func (d *desk) read() (notes.Note, error) {
	d.reads++
	if d.overview == "" || d.problem != nil {
		return notes.Note{}, d.problem
	}
	return notes.Note{Path: notes.Overview, Content: d.overview, Revision: notes.RevisionOf(d.overview)}, nil
}

func (d *desk) note() notes.Note {
	note, err := d.read()
	require.NoError(d.t, err)
	return note
}

func (d *desk) fold(r room.Room, kind change.Kind, subject, session string, payload any) {
	d.t.Helper()
	d.at = d.at.Add(time.Second)
	c := change.New(kind, subject, payload)
	c.At, c.Session, c.By = d.at, session, "an agent"
	_, err := r.Fold(c)
	require.NoError(d.t, err)
}

func (d *desk) remember(text string) {
	d.t.Helper()
	d.rememberAs(longterm.Entry{Type: "project", Text: text})
}

func (d *desk) rememberAs(entry longterm.Entry) {
	d.t.Helper()
	entry.ID, entry.Status = d.id(), longterm.StatusActive
	d.fold(d.longterm, longterm.Added, entry.ID, "s", entry)
}

func (d *desk) block(name, content string) {
	d.t.Helper()
	d.fold(d.from.core, core.Updated, "s", "s", map[string]any{"block": name, "content": content})
}

func (d *desk) hold(items ...working.Item) {
	d.t.Helper()
	for i := range items {
		items[i].ID, items[i].Mentions, items[i].LastMentionedAt = d.id(), 1, d.at
	}
	d.fold(d.from.working, working.Imported, "s", "s", items)
}

func (d *desk) touch(path string) {
	d.t.Helper()
	d.fold(d.from.hot, hot.FileTouched, path, "s", map[string]any{"worktree": tree, "action": event.Edit})
}

func (d *desk) decide(text string) {
	d.t.Helper()
	d.fold(d.from.hot, hot.StatementTaken, "", "s", map[string]any{"kind": hot.Decision, "text": text})
}

func (d *desk) fail(fingerprint string, said map[string]any) {
	d.t.Helper()
	payload := map[string]any{"worktree": tree, "category": "typecheck", "origin": hot.FromCommand, "again": true}
	for name, value := range said {
		payload[name] = value
	}
	d.fold(d.from.hot, hot.ErrorSeen, fingerprint, "s", payload)
}

func (d *desk) use(used, limit int, unit string) {
	d.t.Helper()
	d.fold(d.from.pressure, pressure.Reported, "s", "s", map[string]any{"used": used, "limit": limit, "unit": unit})
}

// fill puts something into every room.
func (d *desk) fill() {
	d.remember("Money is kept in cents.")
	d.remember("Ask finance before the tax is touched.")
	d.block("goal", "Ship the cart.\nRound once, at the end.")
	d.overview = "# Cart\n\n## Task\nShip it.\n\n## Known\nThe bank is slow.\n"
	d.touch("cart.go")
	d.touch("tax.go")
	d.decide("Use the new road.")
	d.decide("Round once, at the end.")
	d.fail("f1", map[string]any{"summary": "undefined: x", "path": "cart.go", "line": 3})
	d.hold(
		working.Item{Slot: working.Errors, Content: "undefined: x in cart.go", Fingerprint: "f1"},
		working.Item{Slot: working.Errors, Content: "undefined: y in tax.go", Fingerprint: "f2"},
		working.Item{Slot: working.Decisions, Content: "Money is kept in cents"},
		working.Item{Slot: working.Decisions, Content: "use the new road"},
		working.Item{Slot: working.Todos, Content: "Call the bank"},
		working.Item{Content: "cart.go", Path: "cart.go"},
		working.Item{Content: "bank.go", Path: "bank.go"},
		working.Item{Content: "The bank is slow"},
	)
	d.use(800, 1000, pressure.Tokens)
}

func reader() room.Reader { return room.Reader{Session: "s", Worktree: tree} }

func (d *desk) text(request Request) string {
	request.Reader = reader()
	return New().compose(d.from, request).Text()
}

// sections returns the texts of the sections that are shown, by id, and the ids in
// their order.
func (d *desk) sections(request Request) (texts map[string]string, order []string) {
	request.Reader = reader()
	return d.sectionsOf(request)
}

// sectionsOf is sections for a request with its reader.
func (d *desk) sectionsOf(request Request) (texts map[string]string, order []string) {
	request.Session, request.Worktree = reader().Session, reader().Worktree
	texts = map[string]string{}
	for _, section := range New().compose(d.from, request).Answer("").Context.Sections {
		if section.Text != "" {
			texts[section.ID], order = section.Text, append(order, section.ID)
		}
	}
	return texts, order
}

// A toy is a room of which nobody knows.
type toy struct {
	id, text, state string
	limit           int
	asked           []string // keys to look up
	found           map[string]bool
}

func (r *toy) Sections(room.Reader) []render.Section {
	made := func(maxChars int, shown render.DedupSet) render.Part {
		for _, key := range r.asked {
			r.found[key] = shown.Has(key)
		}
		return render.Fixed(r.id, r.text)(maxChars, shown)
	}
	return []render.Section{{ID: r.id, MaxChars: r.limit, State: r.state, Render: made}}
}
