package frame

import (
	"context"
	"io"
	"os"
	"sync"
	"time"
)

const (
	// maxWaiting is the maximum number of bytes that wait to be written, and of those that were read
	// and are not done. If more wait, nothing is read.
	maxWaiting = 64 << 20
	// waitingCost is the memory of a waiting message besides its frame, in bytes: the message
	// before it was encoded, and the goroutine.
	waitingCost = 8 << 10
	// slowWrite is how long a write may take before the connection is checked.
	slowWrite = 250 * time.Millisecond
	// checkEvery is the interval of these checks.
	checkEvery = 100 * time.Millisecond
	// lastWrites is how long a client that has left may take to read the last messages, all together.
	lastWrites = 1500 * time.Millisecond
	// lastAnswers is how long the requests may take that a client has left.
	lastAnswers = time.Minute
)

// A waiting counts bytes that wait.
type waiting struct {
	mu    sync.Mutex
	bytes int
	below chan struct{} // closed when bytes falls below the limit; nil if nobody waits
}

// add adds n bytes, or removes -n.
func (w *waiting) add(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.bytes += n; w.bytes <= maxWaiting && w.below != nil {
		close(w.below)
		w.below = nil
	}
}

// room returns nil if the bytes are within the limit, and otherwise a channel that is closed
// when they are.
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

// Hold counts a message of n bytes that was read, until release is called, once, when what it asks for is done.
func (s *Stream) Hold(n int) (release func()) {
	s.held.add(n)
	return func() { s.held.add(-n) }
}

// waitForRoom waits until there is room for the next message and for its response. It returns io.EOF if the client
// is gone.
func (s *Stream) waitForRoom(ctx context.Context) error {
	if room := s.waiting.room(); room != nil {
		s.log.Warn("the client does not read its messages; the server reads nothing until it does")
		if err := s.waitFor(ctx, room); err != nil {
			return err
		}
	}
	if room := s.held.room(); room != nil {
		s.log.Info("messages arrive faster than they are worked on; nothing is read until some are done")
		if err := s.waitFor(ctx, room); err != nil {
			return err
		}
	}
	if s.isClosed() {
		return io.ErrClosedPipe
	}
	return nil
}

// waitFor waits until room is closed. It returns io.EOF if the client is gone.
func (s *Stream) waitFor(ctx context.Context, room <-chan struct{}) error {
	select {
	case <-room:
		return nil
	case <-s.closed:
		return nil
	case <-s.ended:
		return io.EOF
	case <-s.dead:
		return io.EOF
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Finish waits, after the end of the input, until done is closed because all requests are answered. It reports whether
// they are: it gives up if the client cannot be reached, if the writing of messages waits for it for longer than
// lastWrites in all, or after a minute.
func (s *Stream) Finish(done <-chan struct{}) bool {
	late := time.After(lastAnswers)
	check := time.NewTicker(checkEvery)
	defer check.Stop()
	var waited time.Duration
	for {
		select {
		case <-done:
			return true
		case <-s.dead:
			return false
		case <-late:
			s.log.Warn("the client has left and the last requests take too long")
			return false
		case <-check.C:
			if s.writing.Load() {
				waited += checkEvery
			}
			if waited > lastWrites {
				s.log.Warn("the client has left and does not read the last responses")
				return false
			}
		}
	}
}

// watch ends the stream if the client closes the other end of the input during a slow write.
// The reader does not detect this, because it may not read up to the end of the input then.
func (s *Stream) watch() {
	in, ok := s.source.in.(*os.File)
	if !ok {
		return
	}
	for !s.isClosed() {
		if !s.mu.TryLock() { // still writing
			if HungUp(in) {
				s.end()
				return
			}
			time.Sleep(checkEvery)
			continue
		}
		s.mu.Unlock()
		return
	}
}
