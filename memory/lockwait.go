package memory

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

const (
	// heldAfter is how long a change waits for another process that writes until reads show
	// the memory as it is. A writer among 32 busy processes waits a tenth of it.
	heldAfter = time.Second
	// tellAfter is how long a change waits until a person is told.
	tellAfter = 10 * time.Second
)

// A lockWait watches whether changes wait for another process that has been writing for long, such
// as one that is stopped. It reports this as a problem, and tells a person once.
type lockWait struct {
	store    *openedStore
	problems *problems
	tell     func(message string)
	// loaded is true when there is a state that reads can show.
	loaded atomic.Bool

	mu   sync.Mutex
	told time.Time // the beginning of the wait that a person was told of
}

// waited returns how long changes have been waiting, 0 if they are not.
func (l *lockWait) waited() time.Duration {
	s := l.store.Load()
	if s == nil {
		return 0
	}
	since := s.Waiting()
	if since.IsZero() {
		return 0
	}
	return time.Since(since)
}

// held reports whether changes have been waiting for longer than heldAfter, and there is a state
// that reads can show.
func (l *lockWait) held() bool { return l.loaded.Load() && l.waited() > heldAfter }

// look sets or clears the problem. It is called at intervals.
func (l *lockWait) look() {
	waited, s := l.waited(), l.store.Load()
	if waited <= heldAfter || s == nil {
		l.problems.clear(aboutLockWait)
		return
	}
	problem := lockWaitProblem(s.Holder(), waited)
	l.problems.set(aboutLockWait, problem)
	l.mu.Lock()
	since := s.Waiting()
	due := waited >= tellAfter && !l.told.Equal(since)
	if due {
		l.told = since
	}
	l.mu.Unlock()
	if due {
		l.tell(problem.String())
	}
}

// lockWaitProblem returns the problem that a process has been writing for some time.
func lockWaitProblem(holder store.Holder, waited time.Duration) Problem {
	return room.Failure(
		fmt.Sprintf("A%s has held the memory for more than %s: %s. What is shown may be old, and what is to be "+
			"saved waits.", holder.String()[1:], coarse(waited), holder.State()),
		strings.ToUpper(holder.Fix()[:1])+holder.Fix()[1:]+
			". Nothing is lost meanwhile: what waits is saved then.")
}

// coarse returns a duration of at least a second in words, rounded down so that the words
// change rarely.
func coarse(d time.Duration) string {
	seconds := 1
	for _, step := range []int{2, 5, 10, 20, 30} {
		if d >= time.Duration(step)*time.Second {
			seconds = step
		}
	}
	if d >= time.Minute {
		return fmt.Sprintf("%d min", int(d.Minutes()))
	}
	return fmt.Sprintf("%d s", seconds)
}
