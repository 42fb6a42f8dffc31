package memory

import (
	"log/slog"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
)

func TestAFullQueueThatIsClosedLetsATaskOfferAnotherOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(slog.New(slog.DiscardHandler))
		begun, release := make(chan struct{}), make(chan struct{})
		ran, offered := 0, true
		q.put(func() {
			close(begun)
			<-release
			offered = q.offer(func() { t.Error("a task ran that a full queue has not taken") })
		})
		<-begun
		for range queueLength {
			q.put(func() { ran++ })
		}
		late := make(chan bool, 1)
		go func() { late <- q.put(func() { ran++ }) }() // waits for room
		synctest.Wait()
		closed := make(chan struct{})
		go func() {
			q.close()
			close(closed)
		}()
		synctest.Wait()
		close(release)
		<-closed
		assert.False(t, offered)
		assert.False(t, <-late, "a task that waits for room is refused when the queue is closed")
		assert.Equal(t, queueLength, ran, "what was put before is done")
	})
}

func TestPassedIsClosedWhenWhatWasPutBeforeIsDone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(slog.New(slog.DiscardHandler))
		defer q.close()
		synctest.Wait()
		assert.Nil(t, q.passed())
		release := make(chan struct{})
		done := false
		q.put(func() {
			<-release
			done = true
		})
		synctest.Wait()
		passed := q.passed()
		select {
		case <-passed:
			t.Fatal("the task still runs")
		default:
		}
		close(release)
		<-passed
		assert.True(t, done)
	})
}

func TestThoseWhoWaitForAQueueDoNotFillIt(t *testing.T) {
	q := newQueue(slog.New(slog.DiscardHandler))
	release := make(chan struct{})
	q.put(func() { <-release })
	first := q.passed()
	for range 2 * queueLength {
		assert.Equal(t, first, q.passed())
	}
	ran := false
	q.put(func() { ran = true })
	second := q.passed()
	assert.NotEqual(t, first, second, "it waits for what was put in between")
	close(release)
	<-first
	<-second
	assert.True(t, ran)
	q.close()
}

func TestWhoWaitsForATaskThatPanicsIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(slog.New(slog.DiscardHandler))
		defer q.close()
		assert.ErrorIs(t, q.do(func() error { panic("a bug") }), errPanicked)
		assert.NoError(t, q.do(func() error { return nil }), "the queue goes on")
	})
}
