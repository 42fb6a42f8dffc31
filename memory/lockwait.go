package memory

import (
	"fmt"
	"strings"
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

	told time.Time // the beginning of the wait that a person was told of; it is look's
}

// isLong reports whether changes that have been waiting since a time, the zero time if they are not, have done so for
// longer than heldAfter.
func isLong(since time.Time) bool { return !since.IsZero() && time.Since(since) > heldAfter }

// held reports whether changes have been waiting for long, and there is a state that reads can
// show.
func (l *lockWait) held() bool {
	s := l.store.Load()
	return s != nil && l.loaded.Load() && isLong(s.Waiting())
}

// look sets or clears the problem. It is called at intervals, by one goroutine.
func (l *lockWait) look() {
	var since time.Time
	s := l.store.Load()
	if s != nil {
		since = s.Waiting()
	}
	if !isLong(since) {
		l.problems.clear(aboutLockWait)
		return
	}
	waited := time.Since(since)
	problem := lockWaitProblem(s.Holder(), waited)
	l.problems.set(aboutLockWait, problem)
	if waited >= tellAfter && !l.told.Equal(since) {
		l.told = since
		l.tell(problem.String())
	}
}

// lockWaitProblem returns the problem that a process has been writing for some time.
func lockWaitProblem(holder store.Holder, waited time.Duration) Problem {
	return room.Failure(
		fmt.Sprintf("%s has held the memory for more than %s: %s. What is shown may be old, and what is to be "+
			"saved waits.", capital(holder.String()), coarse(waited), holder.State()),
		capital(holder.Fix())+". Nothing is lost meanwhile: what waits is saved then.")
}

// capital returns a text in ASCII with a capital letter at its beginning.
func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

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
