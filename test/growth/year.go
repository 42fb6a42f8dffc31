package growth

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/index"
	"github.com/wm-lsp/wm-lsp/memory/items"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/scope"
	"github.com/wm-lsp/wm-lsp/memory/settings"
	"github.com/wm-lsp/wm-lsp/memory/store/sqlite"
	"github.com/wm-lsp/wm-lsp/memory/sweeps"
)

const (
	year = 365 * 24 * time.Hour
	// batch is how many items are memorized together.
	batch = 100
	// observedEach is the number of batches after which a tool runs and a message is said.
	observedEach = 5
	// searches is how many searches are measured after each step, queryWords how many words each has.
	searches, queryWords = 100, 3
)

// A heavyYear is a year of heavy use by a seeded clock: a session a day, of which each event is an item.
type heavyYear struct {
	settings *settings.Settings
	random   *rand.Rand
	now      time.Time
	words    []string
	session  string
	days     int
}

// Year memorizes so many items in the course of a year, in a workspace of its own, made in a folder, and returns the
// size after each step of them, and how long searches took then.
func Year(ctx context.Context, dir string, set *settings.Settings, events, step int) ([]Size, error) {
	folder := filepath.Join(dir, "workspace")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	place, err := scope.Locate(folder, "git")
	if err != nil {
		return nil, err
	}
	y := &heavyYear{
		settings: set, random: rand.New(rand.NewPCG(1, 2)), // after all files were written
		now: time.Now().UTC().AddDate(1, 0, 0).Truncate(year),
	}
	for i := range 3000 {
		y.words = append(y.words, fmt.Sprintf("%s%s", syllables[i%20], syllables[i/20%20])+syllables[i/400])
	}
	w := memory.Open(place, memory.Options{
		DataDir: filepath.Join(dir, "data"), Storage: memory.StorageOf(sqlite.Open, sqlite.SetAside),
		Settings: func() *settings.Settings { return set }, Now: func() time.Time { return y.now },
		Log: slog.New(slog.DiscardHandler),
	})
	defer w.Close(ctx)
	var curve []Size
	for n := batch; n <= events; n += batch {
		y.now = y.now.Add(year / time.Duration(events) * batch)
		if err := on(w, func() error { return y.tell(ctx, w, n/batch) }); err != nil {
			return nil, fmt.Errorf("event %d: %w", n, err)
		}
		if n%step != 0 {
			continue
		}
		size, err := measure(ctx, w)
		if err != nil {
			return nil, err
		}
		held, _, err := memory.RoomOf[*items.Room](w).Counts(ctx)
		if err != nil {
			return nil, err
		}
		for _, count := range held {
			size.Items += count
		}
		if size.Searches, err = y.search(ctx, w); err != nil {
			return nil, fmt.Errorf("search after event %d: %w", n, err)
		}
		size.Events = n
		curve = append(curve, size)
	}
	return curve, nil
}

var syllables = strings.Fields("ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu")

// begin ends the session of the day before. Once a week sessions that ended long ago are swept, which a process does
// every hour.
func (y *heavyYear) begin(ctx context.Context, w *memory.Workspace) error {
	today := "of " + y.now.Format(time.DateOnly)
	if today == y.session {
		return nil
	}
	if y.session != "" {
		if err := w.EndSession(ctx, event.Event{Session: y.session, Worktree: w.Root(), At: y.now}); err != nil {
			return err
		}
	}
	y.session = today
	if y.days++; y.days%7 != 0 {
		return nil
	}
	_, err := memory.ServiceOf[*sweeps.Service](w).Sweep(ctx, change.Actor{})
	return err
}

// tell memorizes the n-th batch. Now and then a tool runs and a message is said.
func (y *heavyYear) tell(ctx context.Context, w *memory.Workspace, n int) error {
	if err := y.begin(ctx, w); err != nil {
		return err
	}
	ev := event.Event{
		Session: y.session, Agent: "agent", Worktree: w.Root(), At: y.now,
		ID: fmt.Sprintf("call-%d", n),
	}
	drafts := make([]items.Draft, batch)
	for i := range drafts {
		drafts[i] = y.draft()
	}
	held := memory.RoomOf[*items.Room](w)
	ready, err := held.Prepare(drafts, items.Item{Session: ev.Session, Agent: ev.Agent, At: y.now},
		items.RegistryOf(w.Rooms(), y.settings.Items), nil)
	if err != nil {
		return err
	}
	_, err = w.ApplyReading(ctx, ev, func(tables room.Querier) (changes []change.Change, err error) {
		changes, _, err = held.Decide(ctx, tables, ready, y.now)
		return changes, err
	})
	if err != nil || n%observedEach != 0 {
		return err
	}
	for _, body := range []any{
		ran(n, n%2, fmt.Sprintf("--- FAIL: TestNumber%d (0.00s)\n    a_test.go:1: wrong\nFAIL\n", n)),
		event.MessageReceived{Role: "user", Text: wishes(n)},
	} {
		ev.Body, ev.ID = body, ev.ID+"+"
		if err := observe(ctx, w, ev); err != nil {
			return err
		}
	}
	return nil
}

// search searches for words as items have them, and returns how long each search took.
func (y *heavyYear) search(ctx context.Context, w *memory.Workspace) ([]time.Duration, error) {
	random := rand.New(rand.NewPCG(3, 4)) // what is memorized doesn't depend on searches
	took := make([]time.Duration, searches)
	for i := range took {
		query := index.Query{Text: y.text(random, queryWords), Limit: 10}
		began := time.Now()
		result, err := memory.ServiceOf[*index.Service](w).Search(ctx, query)
		if took[i] = time.Since(began); err != nil {
			return nil, err
		}
		if len(result.Hits) == 0 || result.Mode != index.Lexical {
			return nil, fmt.Errorf("%q has %d hits (%s)", query.Text, len(result.Hits), result.Mode)
		}
	}
	return took, nil
}

// text returns a number of words of which some are frequent.
func (y *heavyYear) text(random *rand.Rand, length int) string {
	words := make([]string, length)
	for i := range words {
		words[i] = y.words[int(float64(len(y.words))*random.Float64()*random.Float64()*random.Float64())]
	}
	return strings.Join(words, " ")
}

// draft returns an item.
func (y *heavyYear) draft() items.Draft {
	text := y.text(y.random, 8+y.random.IntN(20))
	importance := 0.3 + 0.7*y.random.Float64()
	types := []string{"observation", "tool_result", "action", "observation", "fact", "thought", "user_message"}
	return items.Draft{
		Item:       items.Item{Type: types[y.random.IntN(len(types))], Text: text},
		Importance: &importance,
	}
}
