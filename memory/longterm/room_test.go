package longterm

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/test/slow"
)

func TestFold_ForeignChangesAreNoBusinessOfTheRoom(t *testing.T) {
	rows, err := newFixture(t).room.Fold(change.New("error.opened", "abc", "anything"))
	require.NoError(t, err)
	assert.Empty(t, rows)
}

func TestFold_ABadPayloadIsAnErrorAndChangesNothing(t *testing.T) {
	active := Entry{ID: "01A", Text: "t", Status: StatusActive}
	cases := []struct {
		name string
		c    change.Change
	}{
		{"no payload", change.Change{Kind: Added, Subject: "01A"}},
		{"not JSON", change.Change{Kind: Added, Subject: "01A", After: json.RawMessage("{")}},
		{"another shape", change.New(Merged, "01A", []int{1})},
		{"no id", change.New(Added, "", Entry{Status: StatusActive})},
		{"another subject", change.New(Updated, "01B", active)},
		{"no status", change.New(Evicted, "01A", Entry{ID: "01A"})},
		{"an unknown kind", change.New("memory.sung", "01A", active)},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := newFixture(t)
			_, err := f.room.Fold(c.c)
			require.Error(t, err)
			assert.Empty(t, f.room.List(nil, true))
		})
	}
}

func TestFold_ErasingWhatIsNotThereRemembersOnlyThatItWasErased(t *testing.T) {
	room := newFixture(t).room
	rows, err := room.Fold(change.New(Erased, "01A", subject{"01A"}))
	require.NoError(t, err)
	require.Len(t, rows, 2)
	assert.Equal(t, change.Row{Key: "01A", Retirable: true}, rows[0])
	assert.True(t, room.WasErased("01A"))
	assert.Empty(t, room.List(nil, true))
}

func TestLoad_IsAllOrNothing(t *testing.T) {
	f := newFixture(t)
	good := change.NewRow("01A", &Entry{ID: "01A", Text: "t", Status: StatusActive}, nil)
	require.Error(t, f.room.Load([]change.Row{good, {Key: "01B", Value: json.RawMessage(`{"id":"01B"}`)}}))
	require.Error(t, f.room.Load([]change.Row{good, {Key: "01B", Value: json.RawMessage(`{`)}}))
	assert.Empty(t, f.room.List(nil, true))
	require.NoError(t, f.room.Load([]change.Row{good}))
	assert.Len(t, f.room.List(nil, true), 1)
	require.NoError(t, f.room.Load([]change.Row{{Key: "01A"}}))
	assert.Empty(t, f.room.List(nil, true))
}

// TestRoom_HoldsItsPromisesAfterAnySequence plays random operations and looks after
// each one that the limits hold and that the changes can be taken back; at the end
// that the log replays to the same rows and that everything that left is explained.
func TestRoom_HoldsItsPromisesAfterAnySequence(t *testing.T) {
	for seed := range uint64(slow.Rounds(12)) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			f := newFixture(t)
			f.settings.Memory.MaxEntries = 6
			f.settings.Memory.MaxPinned = 3
			f.settings.Memory.MaxChars = 420
			f.settings.Memory.MaxPast, f.settings.Memory.MaxPastOffers = 5, 2
			random := rand.New(rand.NewPCG(seed, 1))
			for range 80 {
				changes, err := randomOperation(random, f.room)
				if err != nil {
					continue
				}
				before := rowsOf(t, f.room)
				_, touched := f.apply(changes, nil)
				assertLimits(t, f)
				assertUndone(t, f.room, touched, before)
			}
			assertReplay(t, f)
			assertExplained(t, f.room)
		})
	}
}

// randomOperation decides about something; errors are refusals.
func randomOperation(random *rand.Rand, room *Room) ([]change.Change, error) {
	sources := []Source{Explicit, Manual, Compaction}
	types := []string{"feedback", "project", "decision", "reference"}
	text := fact(random.IntN(14))
	if random.IntN(3) == 0 {
		text += "!"
	}
	files := []string{"pkg/a.go", "pkg/b.go", "c.go", "d"}
	file := files[random.IntN(len(files))]
	id := "01Z"
	if entries := room.List(nil, true); len(entries) > 0 {
		id = entries[random.IntN(len(entries))].ID
	}
	addition := Addition{
		Type: types[random.IntN(4)], Text: text, Source: sources[random.IntN(3)],
		Pinned: random.IntN(5) == 0, Files: []string{file},
	}
	switch random.IntN(16) {
	case 0:
		return room.Update(id, Patch{Text: &text})
	case 1:
		return room.Update(id, Patch{Pinned: ptr(random.IntN(2) == 0), Reviewed: ptr(true)})
	case 2:
		return room.Remove(id)
	case 3, 4:
		return room.Restore(id)
	case 5:
		if random.IntN(4) > 0 {
			return nil, nil
		}
		return room.Erase(id)
	case 6:
		session := fmt.Sprintf("s%d", random.IntN(2))
		body := event.MessageReceived{Role: "user", Text: "from version " + text + " on we never use the old archive"}
		return room.Observe(event.Event{Session: session, Body: body})
	case 10:
		return room.Update(id, Patch{Status: ptr(StatusActive)})
	case 7:
		return room.Observe(event.Event{Body: event.FileDeleted{Path: file}})
	case 8:
		return room.Observe(event.Event{Body: event.FileTouched{Path: file, Action: event.Edit}})
	case 9:
		return room.Observe(event.Event{Body: event.FileRenamed{From: file, To: files[random.IntN(len(files))]}})
	case 11:
		return room.SweepRows()
	default:
		return room.Add(addition)
	}
}

func assertLimits(t *testing.T, f *fixture) {
	t.Helper()
	entries, chars := f.room.Used()
	require.LessOrEqual(t, entries, f.settings.Memory.MaxEntries)
	require.LessOrEqual(t, chars, f.settings.Memory.MaxChars)
	pins, said := 0, map[string]bool{}
	for _, entry := range f.room.List(nil, false) {
		if entry.Pinned {
			pins++
		}
		require.False(t, said[canonical(entry.Text)], "two active entries say %q", entry.Text)
		said[canonical(entry.Text)] = true
	}
	require.LessOrEqual(t, pins, f.settings.Memory.MaxPinned)
	text, omitted := f.room.Render(f.settings.Memory.MaxChars)
	require.Equal(t, chars, utf8.RuneCountInString(text))
	require.Len(t, omitted, entries-max(0, countLines(text)-2))
}

func countLines(text string) int {
	if text == "" {
		return 0
	}
	lines := 1
	for _, r := range text {
		if r == '\n' {
			lines++
		}
	}
	return lines
}

// former returns the value that the fold of a row replaced.
func former(row change.Row) json.RawMessage {
	if row.Old == nil {
		return nil
	}
	return row.Old()
}

// assertUndone takes the rows back, the last first, and puts them on again.
func assertUndone(t *testing.T, room *Room, touched []change.Row, before map[string]string) {
	t.Helper()
	after := rowsOf(t, room)
	var undo []change.Row
	for _, row := range slices.Backward(touched) {
		undo = append(undo, change.Row{Key: row.Key, Value: former(row)})
	}
	require.NoError(t, room.Load(undo))
	require.Equal(t, before, rowsOf(t, room))
	require.NoError(t, room.Load(touched))
	require.Equal(t, after, rowsOf(t, room))
}

func assertReplay(t *testing.T, f *fixture) {
	t.Helper()
	replayed := f.newRoom()
	for _, c := range f.log {
		_, err := replayed.Fold(c)
		require.NoError(t, err)
	}
	require.Equal(t, rowsOf(t, f.room), rowsOf(t, replayed))
	require.Equal(t, f.rows, rowsOf(t, replayed))
	var rows []change.Row
	for key, value := range f.rows {
		rows = append(rows, change.Row{Key: key, Value: json.RawMessage(value)})
	}
	loaded := f.newRoom()
	require.NoError(t, loaded.Load(rows))
	require.Equal(t, ids(f.room.Retention()), ids(loaded.Retention()))
}

func assertExplained(t *testing.T, room *Room) {
	t.Helper()
	all, has := room.List(nil, true), map[string]bool{}
	for _, entry := range all {
		has[canonical(entry.Text)] = has[canonical(entry.Text)] || entry.Status == StatusActive || entry.isOffered()
	}
	for _, entry := range all {
		require.Equal(t, has[canonical(entry.Text)], room.Has(entry.Text), "it is in force or offered")
		explained, err := room.Explain(entry.ID)
		require.NoError(t, err)
		require.NotEmpty(t, explained.Reason)
		require.Equal(t, entry.Status == StatusActive, explained.Rank > 0)
		require.Equal(t, entry.Status == StatusActive || entry.isOffered(), entry.Ended == nil)
	}
}

func TestRoom_IsSafeForConcurrentUse(t *testing.T) {
	f := newFixture(t)
	id := f.add(Addition{Text: fact(0), Files: []string{"a.go"}}).ID
	added, err := f.room.Add(Addition{Text: fact(1)})
	require.NoError(t, err)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range 50 {
				_, err := f.room.Fold(added[0])
				assert.NoError(t, err)
				f.room.Render(5200)
				f.room.List(nil, true)
				_, err = f.room.Explain(id)
				assert.NoError(t, err)
				_, err = f.room.Update(id, Patch{Pinned: ptr(true)})
				assert.NoError(t, err)
			}
		})
	}
	group.Wait()
	assert.Len(t, f.room.List(nil, false), 2)
}

func BenchmarkAdd(b *testing.B) {
	f := newFixture(b)
	for i := range 2000 {
		f.add(Addition{Text: fact(i)})
	}
	for b.Loop() {
		if _, err := f.room.Add(Addition{Text: "Something that nobody has said before, at this length"}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRender(b *testing.B) {
	f := newFixture(b)
	for i := range 2000 {
		f.add(Addition{Text: fact(i)})
	}
	for b.Loop() {
		f.room.Render(5200)
	}
}

func BenchmarkObserveFileTouched(b *testing.B) {
	f := newFixture(b)
	for i := range 2000 {
		f.add(Addition{Text: fact(i), Files: []string{"a.go"}})
	}
	for b.Loop() {
		touched := event.Event{Body: event.FileTouched{Path: "a.go", Action: event.Edit}}
		if _, err := f.room.Observe(touched); err != nil {
			b.Fatal(err)
		}
	}
}

func TestTheIdsOfErasedEntriesAreBounded(t *testing.T) {
	r := New(room.Env{})
	id := func(n int) string { return fmt.Sprintf("01J%023d", n) }
	rows := map[string]bool{}
	for n := range maxErased + 10 {
		changed, err := r.Fold(change.New(Erased, id(n), subject{ID: id(n)}))
		require.NoError(t, err)
		for _, row := range changed {
			if strings.HasPrefix(row.Key, erasedPrefix) {
				rows[row.Key] = row.Value != nil
			}
		}
	}
	kept := 0
	for _, there := range rows {
		if there {
			kept++
		}
	}
	assert.Equal(t, maxErased, kept)
	assert.False(t, r.WasErased(id(0)), "that of the entry that was added first")
	_, err := r.Fold(change.New(Erased, id(1), subject{ID: id(1)}))
	require.NoError(t, err)
	assert.True(t, r.WasErased(id(1)), "the last one that was erased, however old it is")
	assert.True(t, r.WasErased(id(maxErased+9)))
}
