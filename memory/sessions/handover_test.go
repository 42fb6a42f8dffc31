package sessions_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
)

func fold(t *testing.T, r *sessions.Room, after time.Duration, changes []change.Change) {
	t.Helper()
	for _, c := range changes {
		c.At = began.Add(after)
		_, err := r.Fold(c)
		require.NoError(t, err)
	}
}

func TestASessionThatNobodyEndedIsOverWithItsLastEvent(t *testing.T) {
	for name, end := range map[string]event.SessionEnded{
		"its process is gone": {Lost: true}, "its lease expired": {Expired: true},
	} {
		r := sessions.New(room.Env{})
		happens(t, r, 0, "", event.SessionStarted{})
		happens(t, r, time.Minute, "", event.MessageReceived{Role: "user"})
		happens(t, r, time.Hour, "", end)
		known, _ := r.Get("s")
		assert.Equal(t, began.Add(time.Minute), known.Over(), name)
		assert.True(t, known.WasLost, name)
	}
	for end, wasLost := range map[event.SessionEnded]bool{{}: false, {Abandoned: true}: true} {
		r := sessions.New(room.Env{})
		happens(t, r, 0, "", event.SessionStarted{})
		happens(t, r, time.Hour, "", end)
		known, _ := r.Get("s")
		assert.Equal(t, began.Add(time.Hour), known.Over(), "it is known when its client went")
		assert.Equal(t, wasLost, known.WasLost)
	}
}

func TestASessionThatReturnsIsGivenWhatItLeftOnce(t *testing.T) {
	r := sessions.New(room.Env{})
	happens(t, r, 0, "", event.SessionStarted{})
	happens(t, r, time.Minute, "", event.MessageReceived{Role: "user"})
	happens(t, r, 2*time.Minute, "", event.MessageReceived{Role: "user"})
	known, _ := r.Get("s")
	assert.False(t, known.Returned())
	assert.False(t, known.Begins())

	happens(t, r, time.Hour, "", event.SessionStarted{Resumed: true}) // nobody noticed that its process was gone
	known, _ = r.Get("s")
	assert.True(t, known.Returned())
	assert.True(t, known.Begins())
	assert.Equal(t, began.Add(2*time.Minute), known.Over())
	assert.Equal(t, began.Add(time.Hour), known.Begun())

	fold(t, r, time.Hour, r.HandOver(known, sessions.Handing{To: "s", At: began.Add(time.Hour)}))
	known, _ = r.Get("s")
	assert.False(t, known.Returned())
	_, was := known.WasHanded()
	assert.False(t, was, "others were given nothing")

	happens(t, r, 2*time.Hour, "", event.SessionEnded{})
	happens(t, r, 3*time.Hour, "", event.SessionStarted{})
	known, _ = r.Get("s")
	assert.True(t, known.Returned(), "it left something again")
}

func TestWhatASessionLeftIsHandedOverToOne(t *testing.T) {
	r := sessions.New(room.Env{})
	happens(t, r, 0, "", event.SessionStarted{})
	happens(t, r, time.Hour, "", event.SessionEnded{})
	former, _ := r.Get("s")
	fold(t, r, 2*time.Hour, r.HandOver(former, sessions.Handing{To: "a", At: began.Add(2 * time.Hour)}))
	assert.Empty(t, r.HandOver(former, sessions.Handing{To: "b", At: began.Add(2 * time.Hour)}), "it is taken")
	known, _ := r.Get("s")
	to, was := known.WasHanded()
	assert.True(t, was)
	assert.Equal(t, "a", to.To)

	fold(t, r, 3*time.Hour, r.Offer("s", true))
	known, _ = r.Get("s")
	assert.True(t, known.IsOffered())
	fold(t, r, 4*time.Hour, r.HandOver(known, sessions.Handing{To: "c", At: began.Add(4 * time.Hour)}))
	known, _ = r.Get("s")
	assert.False(t, known.IsOffered(), "it was given to the next one")
	fold(t, r, 5*time.Hour, r.Offer("s", true))
	fold(t, r, 6*time.Hour, r.Offer("s", false))
	known, _ = r.Get("s")
	assert.False(t, known.IsOffered())
}
