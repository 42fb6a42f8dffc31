package sessions_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/gate"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
)

var began = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

// happens lets a room observe and fold what it answers.
func happens(t *testing.T, r *sessions.Room, after time.Duration, id string, body any) []change.Change {
	t.Helper()
	changes, err := r.Observe(
		event.Event{At: began.Add(after), Session: "s", Agent: "agent", Worktree: "/w", ID: id, Body: body},
	)
	require.NoError(t, err)
	for i := range changes {
		changes[i].At = began.Add(after)
		_, err := r.Fold(changes[i])
		require.NoError(t, err)
	}
	return changes
}

func kinds(changes []change.Change) []change.Kind {
	var all []change.Kind
	for _, c := range changes {
		all = append(all, c.Kind)
	}
	return all
}

func TestTheLifeOfASession(t *testing.T) {
	r := sessions.New(room.Env{})
	assert.Equal(t, []change.Kind{sessions.Started}, kinds(happens(t, r, 0, "", event.SessionStarted{Title: "Carts"})))
	assert.Empty(t, happens(t, r, time.Second, "", event.SessionStarted{}), "it goes on")
	assert.Equal(
		t,
		[]change.Kind{sessions.Turned},
		kinds(happens(t, r, 2*time.Second, "", event.MessageReceived{Role: "user"})),
	)
	assert.Empty(
		t,
		happens(t, r, 3*time.Second, "", event.MessageReceived{Role: "assistant"}),
		"only the user begins a turn",
	)
	session, there := r.Get("s")
	require.True(t, there)
	assert.Equal(t, 1, session.Turn)
	assert.Equal(t, "Carts", session.Title)
	assert.True(t, r.Live("s"))

	assert.Equal(t, []change.Kind{sessions.Ended}, kinds(happens(t, r, time.Minute, "", event.SessionEnded{})))
	assert.False(t, r.Live("s"))
	assert.Empty(t, happens(t, r, 2*time.Minute, "", event.SessionEnded{}), "it is over already")
	assert.Equal(t, []change.Kind{sessions.Resumed}, kinds(happens(t, r, time.Hour, "", event.SessionStarted{})))
	session, _ = r.Get("s")
	assert.True(t, session.Live())
	assert.Equal(t, began, session.StartedAt)
	assert.Equal(t, 1, session.Turn)
}

func TestADeletedSessionIsRevivedOnlyByWhoAsksForIt(t *testing.T) {
	r := sessions.New(room.Env{})
	happens(t, r, 0, "", event.SessionStarted{})
	happens(t, r, time.Second, "call-1", event.ToolRan{})
	assert.Equal(t, []change.Kind{sessions.Deleted}, kinds(happens(t, r, time.Minute, "", event.SessionDeleted{})))
	assert.True(t, r.Deleted("s"))
	assert.False(t, r.Seen("s", "call-1"))
	assert.Empty(t, happens(t, r, time.Hour, "", event.SessionStarted{}))
	assert.True(t, r.Deleted("s"))
	assert.Equal(
		t,
		[]change.Kind{sessions.Started},
		kinds(happens(t, r, time.Hour, "", event.SessionStarted{Explicit: true})),
	)
	assert.False(t, r.Deleted("s"))
}

func TestTheSameEventTwiceIsKnown(t *testing.T) {
	r := sessions.New(room.Env{})
	happens(t, r, 0, "", event.SessionStarted{})
	assert.False(t, r.Seen("s", "call-1"))
	happens(t, r, time.Second, "call-1", event.ToolRan{})
	assert.True(t, r.Seen("s", "call-1"))
	assert.False(t, r.Seen("other", "call-1"))
	for i := range 5000 {
		happens(t, r, time.Second, fmt.Sprint("call-", i+2), event.ToolRan{})
	}
	assert.True(t, r.Seen("s", "call-5001"))
	assert.False(t, r.Seen("s", "call-1"), "the memory of ids is bounded")
}

func TestARoomThatIsLoadedFromItsRowsIsTheSame(t *testing.T) {
	r, copied := sessions.New(room.Env{}), sessions.New(room.Env{})
	for _, c := range []change.Change{
		change.New(sessions.Started, "a", map[string]string{"agent": "x", "worktree": "/w"}),
		change.New(sessions.Started, "b", map[string]string{"worktree": "/w"}),
		change.New(sessions.Seen, "a", "call"), change.New(sessions.Ended, "b", struct{}{}),
		r.Pause(began.Add(time.Hour))[0],
	} {
		c.At = began
		rows, err := r.Fold(c)
		require.NoError(t, err)
		require.NoError(t, copied.Load(rows))
	}
	assert.Equal(t, r.List(), copied.List())
	assert.True(t, copied.Seen("a", "call"))
	assert.Equal(t, began.Add(time.Hour), copied.PausedUntil())
}

func TestSessionsThatAreOverForLongAreSwept(t *testing.T) {
	r := sessions.New(room.Env{})
	happens(t, r, 0, "", event.SessionStarted{})
	assert.Empty(t, r.Sweep(began.Add(time.Hour)), "it is alive")
	happens(t, r, time.Minute, "", event.SessionEnded{Lost: true})
	assert.Empty(t, r.Sweep(began))
	changes := r.Sweep(began.Add(time.Hour))
	assert.Equal(t, []change.Kind{sessions.Swept}, kinds(changes))
	_, err := r.Fold(changes[0])
	require.NoError(t, err)
	assert.Empty(t, r.List())
}

func TestASessionHasAnOwnerOrALease(t *testing.T) {
	r := sessions.New(room.Env{})
	until := began.Add(30 * time.Minute)
	attach := func(until time.Time) event.SessionStarted { return event.SessionStarted{LeaseUntil: until} }
	get := func() sessions.Session {
		session, _ := r.Get("s")
		return session
	}
	assert.Equal(t, []change.Kind{sessions.Started}, kinds(happens(t, r, 0, "", attach(until))))
	assert.False(t, get().Owned())
	assert.True(t, get().Leased(until))
	assert.False(t, get().Leased(until.Add(time.Millisecond)))
	assert.Empty(t, happens(t, r, time.Second, "", attach(until.Add(sessions.ActiveEvery-1))), "too soon to be noted")
	renewal := happens(t, r, time.Minute, "", attach(until.Add(time.Minute)))
	assert.Equal(t, []change.Kind{sessions.Renewed}, kinds(renewal))
	assert.Equal(t, until.Add(time.Minute), get().LeaseUntil)

	assert.Equal(t, []change.Kind{sessions.Resumed}, kinds(happens(t, r, 2*time.Minute, "", event.SessionStarted{})))
	assert.True(t, get().Owned(), "an owner takes it over")
	assert.Empty(t, happens(t, r, 3*time.Minute, "", attach(until.Add(time.Hour))), "nobody takes it from its owner")
	happens(t, r, 3*time.Minute, "", event.SessionStarted{Title: "Carts", LeaseUntil: until.Add(time.Hour)})
	assert.True(t, get().Owned())
	assert.Equal(t, "Carts", get().Title)

	fold := func(c change.Change) {
		_, err := r.Fold(c)
		require.NoError(t, err)
	}
	fold(renewal[0])
	assert.True(t, get().Owned(), "a renewal that comes late changes nothing")
	assert.Equal(t, "lease expired", happens(t, r, time.Hour, "", event.SessionEnded{Expired: true})[0].Reason)
	fold(renewal[0])
	assert.False(t, get().Live())
	assert.Zero(t, get().LeaseUntil)
	happens(t, r, 2*time.Hour, "", attach(began.Add(3*time.Hour)))
	assert.True(t, get().Leased(began.Add(2*time.Hour)))
	assert.Equal(t, []change.Kind{sessions.Ended}, kinds(happens(t, r, 2*time.Hour, "", event.SessionEnded{})))
}

func TestAFolderThatASessionWasInIsClean(t *testing.T) {
	r := sessions.New(room.Env{})
	begin := func(session, worktree string) change.Change {
		changes, err := r.Observe(event.Event{Session: session, Worktree: worktree, Body: event.SessionStarted{}})
		require.NoError(t, err)
		require.Len(t, changes, 1)
		_, err = r.Fold(gate.Redact(changes[0], nil))
		require.NoError(t, err)
		return changes[0]
	}
	secret := "/w/of ghp_q8Zt3vLw0sXk2uYf7bNcR5mJ1dHgPa9eZz19"
	assert.Empty(t, begin("a", "/w").Clean)
	assert.Equal(t, []string{"/w"}, begin("b", "/w").Clean)
	assert.Empty(t, begin("c", secret).Clean)
	assert.Empty(t, begin("d", secret).Clean, "it is stored without its secret")
}
