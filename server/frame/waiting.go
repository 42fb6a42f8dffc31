package frame

import (
	"context"
	"io"
	"os"
	"sync"
	"time"
)

const (
	// maxWaiting is how many bytes wait to be written before no more is read.
	maxWaiting = 64 << 20
	// waitingCost is what a message that waits costs besides its frame: the message as it
	// was before it was encoded, and the goroutine.
	waitingCost = 8 << 10
	// slowWrite is how long a write takes before it is looked whether the client is there.
	slowWrite = 250 * time.Millisecond
	// looked is the interval at which that is looked at.
	looked = 100 * time.Millisecond
)

// A waiting counts the bytes that wait to be written.
type waiting struct {
	mu    sync.Mutex
	bytes int
	below chan struct{} // closed when bytes falls below the limit; nil if nobody waits
}

// add counts a frame, or with a negative number uncounts it.
func (w *waiting) add(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if n > 0 {
		n += n + waitingCost
	} else {
		n += n - waitingCost
	}
	if w.bytes += n; w.bytes <= maxWaiting && w.below != nil {
		close(w.below)
		w.below = nil
	}
}

// room returns nil if less waits than may, else a channel that is closed when that is so.
func (w *waiting) room() <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.bytes <= maxWaiting {
		return nil
	}
	if w.below == nil {
		w.below = make(chan struct{})
	}
	return w.below
}

// waitForClient waits until there is room for what the next message is answered with. It
// returns io.EOF if the client is gone.
func (s *Stream) waitForClient(ctx context.Context) error {
	if room := s.waiting.room(); room != nil {
		s.log.Warn("the client does not read what it is sent; nothing more is read from it until it does")
		select {
		case <-room:
		case <-s.ended:
			return io.EOF
		case <-s.closed:
		case <-s.dead:
			return io.EOF
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if s.isClosed() {
		return io.ErrClosedPipe
	}
	return nil
}

// watch ends the stream if the client closes the other end of the input while a write
// takes long. The end of the input itself may not be seen then: before it there may be
// more than can be read.
func (s *Stream) watch() {
	in, ok := s.source.in.(*os.File)
	if !ok {
		return
	}
	for !s.isClosed() {
		if !s.mu.TryLock() { // still writing
			if hungUp(in) {
				s.end()
				return
			}
			time.Sleep(looked)
			continue
		}
		s.mu.Unlock()
		return
	}
}
