package frame

import (
	"errors"
	"io"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

// A gone client cannot be reached.
type gone struct{}

func (gone) Write([]byte) (int, error) { return 0, errors.New("gone") }

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
		"a client that reads nothing":      {readsNothing, time.Hour, false, lastWrite + 2*checkEvery},
		"a client that cannot be reached":  {func() io.Writer { return gone{} }, time.Hour, false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := NewLines(strings.NewReader(""), c.client(), slog.New(slog.DiscardHandler))
				began, done := time.Now(), make(chan struct{})
				time.AfterFunc(c.takes, func() { close(done) })
				go func() { _, _ = s.WriteFrame(t.Context(), []byte("{}")) }()
				synctest.Wait()
				assert.Equal(t, c.answered, s.Finish(done))
				assert.LessOrEqual(t, time.Since(began), c.within)
				_ = s.Close()
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
