package longterm

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/settings"
)

// fixture is a room with a clock that ticks a second per change folded, the log of
// what was folded, and the rows as a store would hold them.
type fixture struct {
	testing.TB
	room     *Room
	settings *settings.Settings
	now      time.Time
	ids      int
	log      []change.Change
	rows     map[string]string
}

func newFixture(t testing.TB) *fixture {
	f := &fixture{
		TB:       t,
		settings: settings.Default(),
		now:      time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC),
		rows:     map[string]string{},
	}
	f.room = f.newRoom()
	return f
}

func (f *fixture) newRoom() *Room {
	return New(room.Env{
		Settings: func() *settings.Settings { return f.settings },
		Now:      func() time.Time { return f.now },
		NewID: func() string {
			f.ids++
			return fmt.Sprintf("01%024d", f.ids)
		},
	})
}

// apply folds changes as the log would, and returns their receipts and the rows.
func (f *fixture) apply(changes []change.Change, err error) ([]Receipt, []change.Row) {
	f.Helper()
	require.NoError(f, err)
	var touched []change.Row
	for _, c := range changes {
		f.now = f.now.Add(time.Second)
		c.Seq, c.By = int64(len(f.log)+1), "nvim" // as the workspace stamps it
		f.log = append(f.log, c)
		rows, err := f.room.Fold(c)
		require.NoError(f, err)
		for _, row := range rows {
			assert.Equal(f, f.rows[row.Key], string(former(row)), "the old value of the row is what it was")
			f.rows[row.Key] = string(row.Value)
			if row.Value == nil {
				delete(f.rows, row.Key)
			}
		}
		touched = append(touched, rows...)
	}
	receipts, err := Receipts(changes)
	require.NoError(f, err)
	return receipts, touched
}

func (f *fixture) add(in Addition) Receipt {
	f.Helper()
	receipts, _ := f.apply(f.room.Add(in))
	require.Len(f, receipts, 1)
	return receipts[0]
}

func (f *fixture) update(id string, patch Patch) []Receipt {
	f.Helper()
	receipts, _ := f.apply(f.room.Update(id, patch))
	return receipts
}

func (f *fixture) observe(body any) []Receipt {
	f.Helper()
	receipts, _ := f.apply(f.room.Observe(event.Event{At: f.now, Session: "s1", Agent: "nvim", Body: body}))
	return receipts
}

func (f *fixture) get(id string) Entry {
	f.Helper()
	entry, ok := f.room.Get(id)
	require.True(f, ok, "entry %s", id)
	return entry
}

// rowsOf returns the rows of a room as its state encodes.
func rowsOf(t testing.TB, room *Room) map[string]string {
	t.Helper()
	rows := map[string]string{}
	for _, entry := range room.List(nil, true) {
		data, err := json.Marshal(entry)
		require.NoError(t, err)
		rows[entry.ID] = string(data)
	}
	for key := range room.erased {
		rows[key] = "{}"
	}
	return rows
}

func kinds(changes []change.Change) []change.Kind {
	found := make([]change.Kind, len(changes))
	for i, c := range changes {
		found[i] = c.Kind
	}
	return found
}

func ids(entries []Entry) []string {
	found := make([]string, len(entries))
	for i, entry := range entries {
		found[i] = entry.ID
	}
	return found
}

// fact returns a string that every rule of quality lets pass, another one for each n.
func fact(n int) string {
	return fmt.Sprintf("The billing service of region %d publishes its invoices to the archive every night", n)
}

func ptr[T any](v T) *T { return &v }
