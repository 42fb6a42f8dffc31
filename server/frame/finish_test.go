package frame

import (
	"errors"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

// A gone client cannot be reached.
type gone struct{}

func (gone) Write([]byte) (int, error) { return 0, errors.New("gone") }

// A slow client takes a time to read each message.
type slow time.Duration

func (s slow) Write(doc []byte) (int, error) {
	time.Sleep(time.Duration(s))
	return len(doc), nil
}

func TestTheLastRequestsAreWaitedForUnlessTheClientReadsNothing(t *testing.T) {
	reads := func() io.Writer { return io.Discard }
	readsNothing := func() io.Writer { _, out := io.Pipe(); return out }
	for name, c := range map[string]struct {
		client   func() io.Writer
		takes    time.Duration
		answered bool
		within   time.Duration
	}{
		"requests that take half a minute": {reads, 30 * time.Second, true, 30 * time.Second},
		"requests that take an hour":       {reads, time.Hour, false, lastAnswers},
		"a client that reads nothing":      {readsNothing, time.Hour, false, lastWrites + 2*checkEvery},
		"a client that reads a message in almost a second": {
			func() io.Writer { return slow(900 * time.Millisecond) }, time.Hour, false, 2 * time.Second,
		},
		"a client that reads a message in a moment": {
			func() io.Writer { return slow(time.Millisecond) }, 30 * time.Second, true, 30 * time.Second,
		},
		"a client that cannot be reached": {func() io.Writer { return gone{} }, time.Hour, false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := NewLines(strings.NewReader(""), c.client(), slog.New(slog.DiscardHandler))
				began, done := time.Now(), make(chan struct{})
				time.AfterFunc(c.takes, func() { close(done) })
				var writes sync.WaitGroup
				writes.Go(func() {
					for range 10 {
						_, _ = s.WriteFrame(t.Context(), []byte("{}"))
					}
				})
				synctest.Wait()
				assert.Equal(t, c.answered, s.Finish(done))
				assert.LessOrEqual(t, time.Since(began), c.within)
				_ = s.Close()
				writes.Wait()
			})
		})
	}
}

func TestNothingIsReadWhileTooMuchOfWhatWasReadIsNotDone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewLines(strings.NewReader(goodBody+"\n"), io.Discard, slog.New(slog.DiscardHandler))
		release, read := s.Hold(maxWaiting+1), false
		go func() {
			_, _, err := s.ReadFrame(t.Context())
			assert.NoError(t, err)
			read = true
		}()
		synctest.Wait()
		assert.False(t, read)
		release()
		synctest.Wait()
		assert.True(t, read)
	})
}

func TestAClientThatLeavesWhileNothingIsReadIsNotWaitedFor(t *testing.T) {
	s := NewLines(strings.NewReader(goodBody+"\n"), gone{}, slog.New(slog.DiscardHandler))
	s.Hold(maxWaiting + 1)
	_, err := s.WriteFrame(t.Context(), []byte("{}"))
	assert.Error(t, err)
	_, _, err = s.ReadFrame(t.Context())
	assert.ErrorIs(t, err, io.EOF)
}
