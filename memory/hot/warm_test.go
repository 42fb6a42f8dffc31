package hot

import (
	"fmt"
	"testing"

	"github.com/sourcegraph/conc"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
)

func TestTheFilesOfLiveSessionsAreDecodedAheadAndThoseOfOthersAreNot(t *testing.T) {
	r := newDesk(t, nil).room
	var rows []change.Row
	for _, session := range []string{"a", "over"} {
		file := File{Worktree: tree, Session: session, Path: "x.go", Action: "edit", Count: 1}
		value := fmt.Sprintf(`{"worktree":%q,"session":%q,"path":"x.go","action":"edit","count":1}`, tree, session)
		rows = append(rows, change.Row{Key: file.key(), Value: []byte(value)})
	}
	require.NoError(t, r.Load(rows))
	require.Len(t, r.packed, 2)
	r.Warm()
	assert.Len(t, r.packed, 1)
	assert.Contains(t, r.packed, "over")
	assert.Len(t, r.files, 1)
	require.Len(t, r.Files("over", tree, 0), 1, "the same file of two sessions is one")
	assert.Empty(t, r.packed)
	assert.Len(t, r.files, 2)
}

func TestFilesThatAreTouchedWhileTheyAreDecodedAheadKeepTheTouch(t *testing.T) {
	d := newDesk(t, nil)
	const sessions = 200
	var rows []change.Row
	for i := range sessions {
		session := fmt.Sprint("session ", i)
		d.live[session] = true
		file := File{Worktree: tree, Session: session, Path: "x.go", Action: event.Edit, Count: 1}
		rows = append(rows, change.NewRow(file.key(), &file, nil))
	}
	require.NoError(t, d.room.Load(rows))
	var warming conc.WaitGroup
	warming.Go(d.room.Warm)
	for i := range sessions {
		c := change.New(FileTouched, "x.go", touched{Worktree: tree, Action: event.Edit})
		c.Session, c.At = fmt.Sprint("session ", sessions-1-i), d.now
		_, err := d.room.Fold(c)
		require.NoError(t, err)
	}
	warming.Wait()
	assert.Empty(t, d.room.packed)
	require.Len(t, d.room.files, sessions)
	for k, file := range d.room.files {
		assert.Equal(t, 2, file.Count, k)
	}
}

// Rows that cannot be read are set aside by who decodes the files first, while the other may still read them.
func TestFilesThatCannotBeReadAreSetAsideOnceWhileTheyAreDecodedAhead(t *testing.T) {
	for range 20 {
		d := newDesk(t, nil)
		var aside []change.Row
		d.room.env.Unreadable = func(_ string, rows []change.Row) { aside = append(aside, rows...) } // with the lock
		const files = 500
		var rows []change.Row
		for i := range files {
			file := File{Worktree: tree, Session: "a", Path: fmt.Sprint(i), Action: event.Edit, Count: 1}
			row := change.NewRow(file.key(), &file, nil)
			if i%2 > 0 {
				row.Value = []byte(`{"count":"many"}`)
			}
			rows = append(rows, row)
		}
		require.NoError(t, d.room.Load(rows))
		var both conc.WaitGroup
		both.Go(d.room.Warm)
		both.Go(d.room.Warm)
		both.Wait()
		assert.Empty(t, d.room.packed)
		assert.Len(t, d.room.files, files/2)
		assert.Len(t, aside, files/2)
	}
}

// A damaged database may hold anything that is JSON.
func TestAFileWhoseRowIsNullIsAFile(t *testing.T) {
	for _, warm := range []bool{true, false} {
		d := newDesk(t, nil)
		d.live["a"] = true
		require.NoError(t, d.room.Load([]change.Row{{Key: key(fileTable, tree, "a", "x.go"), Value: []byte("null")}}))
		if warm {
			d.room.Warm()
		}
		d.room.unpack(func(string) bool { return true })
		assert.Len(t, d.room.files, 1)
		assert.Empty(t, d.room.Files("a", tree, 0), "it is of no worktree")
	}
}

// The decoder makes room for ten elements of a list, and a workspace may have hundreds of errors.
func TestAnErrorThatIsLoadedHasRoomForItsSourcesOnly(t *testing.T) {
	room := newDesk(t, nil).room
	for _, sources := range []int{0, 1, 2, 5} {
		e := Error{Worktree: tree, Fingerprint: fmt.Sprint(sources), Sources: make([]Source, sources)}
		require.NoError(t, room.Load([]change.Row{change.NewRow(e.key(), &e, nil)}))
		loaded := room.errors[e.key()].Sources
		assert.Len(t, loaded, sources)
		assert.Less(t, cap(loaded), 2*max(sources, 1))
	}
}

// A process that has dropped a pending change writes its row without its session's bundle.
func TestTheRowOfAFileCountsMoreThanTheBundleOfItsSession(t *testing.T) {
	d := newDesk(t, nil)
	for _, path := range []string{"a.go", "b.go"} {
		d.tell("a", event.FileTouched{Path: path, Action: event.Edit})
	}
	rows := d.room.BundleSession("a")
	newer := File{Worktree: tree, Session: "a", Path: "b.go", Action: event.Write, Count: 7}
	loaded := newDesk(t, nil).room
	require.NoError(t, loaded.Load([]change.Row{rows[2], change.NewRow(newer.key(), &newer, nil)}))
	loaded.Warm()
	assert.Len(t, loaded.files, 2)
	assert.Equal(t, 7, loaded.files[newer.key()].Count)
}

func TestABundleOfFilesThatCannotBeReadIsSetAside(t *testing.T) {
	for _, warm := range []bool{true, false} {
		d := newDesk(t, nil)
		var aside []change.Row
		d.room.env.Unreadable = func(_ string, rows []change.Row) { aside = append(aside, rows...) }
		bundle := change.Row{Key: separator + "a", Value: []byte("[1]")}
		require.NoError(t, d.room.Load([]change.Row{bundle}))
		if warm {
			d.room.Warm()
		}
		d.room.unpack(func(string) bool { return true })
		assert.Equal(t, []change.Row{bundle}, aside)
		assert.Empty(t, d.room.files)
	}
}
