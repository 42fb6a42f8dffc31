package memory_test

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"log/slog"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/hot"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/scope"
	"github.com/wm-lsp/wm-lsp/memory/settings"
)

// tally is a room from outside: it counts the messages of each session.
type tally struct {
	noun    string
	durable bool
	asked   *atomic.Int64
	live    func(session string) bool
	open    func(worktree, fingerprint string) bool
	counts  change.Table[int]
	ended   change.Table[bool]
	before  func() // is called once, before the next event is observed
}

func (r *tally) Name() string { return r.noun }

func (r *tally) Nouns() []room.Noun {
	return []room.Noun{{Name: r.noun, Panel: []string{"tally"}, Context: []string{"tally"}}}
}

func (r *tally) Observe(ev event.Event) ([]change.Change, error) {
	r.asked.Add(1)
	if before := r.before; before != nil {
		r.before = nil
		before()
	}
	if _, said := ev.Body.(event.MessageReceived); !said {
		return nil, nil
	}
	c := change.New(change.Kind(r.noun+".counted"), ev.Session, struct{}{})
	c.Hot = !r.durable
	return []change.Change{c}, nil
}

func (r *tally) Fold(c change.Change) ([]change.Row, error) {
	switch c.Kind {
	case change.Kind(r.noun + ".counted"):
		return []change.Row{r.counts.Put(c.Subject, r.counts[c.Subject]+1)}, nil
	case change.Kind(r.noun + ".ended"):
		return []change.Row{r.ended.Put("ended "+c.Subject, true)}, nil
	}
	return nil, nil
}

func (r *tally) Load(rows []change.Row) error {
	for _, row := range rows {
		load := r.counts.Load
		if strings.HasPrefix(row.Key, "ended ") {
			load = r.ended.Load
		}
		if err := load(row); err != nil {
			return err
		}
	}
	return nil
}

func (r *tally) EndSession(session string) []change.Change {
	return []change.Change{change.New(change.Kind(r.noun+".ended"), session, struct{}{})}
}

func (r *tally) ForgetSession(session string) []change.Row {
	return append(r.counts.Drop(session), r.ended.Drop("ended "+session)...)
}

func newTally(noun string, durable bool, asked *atomic.Int64) room.Maker {
	return func(env room.Env) room.Room {
		return &tally{
			noun: noun, durable: durable, asked: asked, live: env.Live, open: env.Open,
			counts: change.Table[int]{}, ended: change.Table[bool]{},
		}
	}
}

func nowhere(rooms ...room.Maker) *memory.Workspace {
	return memory.Disabled(scope.ErrNoWorkspace, memory.Options{
		Log: slog.New(slog.DiscardHandler), Settings: settings.Default, Rooms: rooms,
	})
}

func TestARoomFromOutsideTakesPartInEverything(t *testing.T) {
	world := newWorld(t)
	var asked atomic.Int64
	w := world.open(newTally("tally", false, &asked))
	hello := event.MessageReceived{Role: "user", Text: "hello"}
	observe(t, w, "s", hello)
	observe(t, w, "other", hello)
	known := memory.RoomOf[*tally](w)
	assert.Equal(t, change.Table[int]{"s": 1, "other": 1}, known.counts)
	assert.True(t, known.live("s"))
	assert.False(t, known.open(w.Root(), "none"))
	assert.Equal(t, []string{"tally"}, w.PanelSections([]string{"tally"}))
	assert.Contains(t, w.PanelSections([]string{memory.WorkspaceNoun}), "tally")
	observe(t, w, "s", event.SessionEnded{})
	assert.Contains(t, known.ended, "ended s")
	assert.NotContains(t, known.ended, "ended other")
	observe(t, w, "s", event.SessionDeleted{})
	assert.Equal(t, change.Table[int]{"other": 1}, known.counts, "what was kept of a deleted session is forgotten")
	assert.Empty(t, known.ended)
	w.Close(context.Background())
	again := memory.RoomOf[*tally](world.open(newTally("tally", false, &asked)))
	assert.Equal(t, change.Table[int]{"other": 1}, again.counts)
	assert.Equal(t, change.Table[bool]{"ended other": true}, again.ended, "its process went")
}

func TestARoomIsAskedOnceAboutAnEvent(t *testing.T) {
	world := newWorld(t)
	var durable, hot atomic.Int64
	rooms := []room.Maker{newTally("durable", true, &durable), newTally("quick", false, &hot)}
	w := world.open(rooms...)
	hello := event.MessageReceived{Role: "user", Text: "hello"}
	observe(t, w, "s", hello) // with the start of the session before it
	assert.Equal(t, []int64{2, 2}, []int64{durable.Swap(0), hot.Swap(0)})
	observe(t, w, "s", hello)
	assert.Equal(t, []int64{1, 1}, []int64{durable.Swap(0), hot.Swap(0)})
	assert.Equal(t, 2, memory.RoomOf[*tally](w).counts["s"])
}

func TestARoomThatKeepsSomethingIsAskedAgainOnANewerState(t *testing.T) {
	world := newWorld(t)
	var durable, hot atomic.Int64
	w := world.open(newTally("durable", true, &durable), newTally("quick", false, &hot))
	hello := event.MessageReceived{Role: "user", Text: "hello"}
	observe(t, w, "s", hello)
	var otherDurable, otherHot atomic.Int64
	other := world.open(newTally("durable", true, &otherDurable), newTally("quick", false, &otherHot))
	on(w, func() {
		durable.Store(0)
		hot.Store(0)
		memory.RoomOf[*tally](w).before = func() { observe(t, other, "t", hello) }
		_, err := w.Observe(
			context.Background(),
			event.Event{Session: "s", Agent: "s", Worktree: w.Root(), Body: hello},
		)
		require.NoError(t, err)
	})
	assert.Equal(t, []int64{2, 1}, []int64{durable.Load(), hot.Load()})
	assert.Equal(t, change.Table[int]{"s": 2, "t": 1}, memory.RoomOf[*tally](w).counts)
}

func TestRoomOfReturnsTheRoomOfAType(t *testing.T) {
	w := nowhere()
	assert.Equal(t, "hot", memory.RoomOf[*hot.Room](w).Name())
	assert.Panics(t, func() { memory.RoomOf[*tally](w) })
}

func TestEveryNounThatABuiltinRoomWritesIsAnnounced(t *testing.T) {
	w := nowhere()
	nouns := w.Nouns()
	written := map[string]bool{}
	for _, kind := range declaredKinds(t) {
		assert.Contains(t, nouns, kind.Noun(), "%s is announced by no room", kind)
		written[kind.Noun()] = true
	}
	for noun := range nouns {
		assert.True(t, written[noun] || noun == memory.WorkspaceNoun, "%s is announced and never written", noun)
	}
	assert.Empty(t, w.Problems(), "no noun is announced twice")
	for _, r := range w.Rooms() {
		if painter, paints := r.(room.Painter); paints {
			for _, part := range painter.Panels() {
				assert.Contains(t, w.PanelSections([]string{memory.WorkspaceNoun}), part.Section)
			}
		}
	}
}

// declaredKinds returns the kinds of changes that are declared as constants in
// the code of the memory.
func declaredKinds(t *testing.T) []change.Kind {
	var kinds []change.Kind
	require.NoError(t, filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || !isKind(spec.Type) {
				return true
			}
			for _, value := range spec.Values {
				if literal, ok := value.(*ast.BasicLit); ok {
					text, err := strconv.Unquote(literal.Value)
					require.NoError(t, err)
					kinds = append(kinds, change.Kind(text))
				}
			}
			return true
		})
		return nil
	}))
	require.Greater(t, len(kinds), 30)
	return kinds
}

func isKind(e ast.Expr) bool {
	selector, ok := e.(*ast.SelectorExpr)
	return ok && selector.Sel.Name == "Kind"
}

func TestANounThatTwoRoomsAnnounceIsAProblem(t *testing.T) {
	var asked atomic.Int64
	w := nowhere(newTally("memory", false, &asked))
	require.Len(t, w.Problems(), 1)
	assert.Contains(t, w.Problems()[0].Message, `longterm and memory both write changes of "memory"`)
	assert.Equal(t, []string{"budget", "memory", "working"}, w.PanelSections([]string{"memory"}))
}
