package memory

import (
	"log/slog"
	"sync"
	"sync/atomic"

	"github.com/sourcegraph/conc/panics"
)

// queueLength is how many tasks may wait. A longer queue would only hide that
// the workspace cannot keep up: the reader of stdin waits instead.
const queueLength = 1024

// A queue runs tasks one after the other, in the order in which they came: it
// is what makes one order of all events and mutations of a workspace. A task
// that panics ends alone.
type queue struct {
	tasks   chan func()
	waiting atomic.Int64 // tasks put and not yet done
	log     *slog.Logger

	mu     sync.RWMutex // held for writing while the queue is closed
	closed bool
	done   chan struct{}
}

func newQueue(log *slog.Logger) *queue {
	q := &queue{tasks: make(chan func(), queueLength), done: make(chan struct{}), log: log}
	go q.run()
	return q
}

func (q *queue) run() {
	defer close(q.done)
	for task := range q.tasks {
		if caught := panics.Try(task); caught != nil {
			q.log.Error("a task of the workspace panicked", "panic", caught.Value, "stack", string(caught.Stack))
		}
		q.waiting.Add(-1)
	}
}

// put adds a task, waiting while the queue is full. It reports false where the
// queue is closed; the task will not run.
func (q *queue) put(task func()) bool {
	q.mu.RLock()
	defer q.mu.RUnlock()
	if q.closed {
		return false
	}
	q.waiting.Add(1)
	q.tasks <- task
	return true
}

// offer adds a task unless the queue is full or closed, and reports whether it
// did. A task may offer another one.
func (q *queue) offer(task func()) bool {
	q.mu.RLock()
	defer q.mu.RUnlock()
	if q.closed {
		return false
	}
	q.waiting.Add(1)
	select {
	case q.tasks <- task:
		return true
	default:
		q.waiting.Add(-1)
		return false
	}
}

// passed returns a channel that is closed when everything put before is done.
// It is nil where nothing is waiting.
func (q *queue) passed() <-chan struct{} {
	if q.waiting.Load() == 0 {
		return nil
	}
	mark := make(chan struct{})
	if !q.put(func() { close(mark) }) {
		return q.done
	}
	return mark
}

// close lets what was put finish and ends the queue.
func (q *queue) close() {
	q.mu.Lock()
	if !q.closed {
		q.closed = true
		close(q.tasks)
	}
	q.mu.Unlock()
	<-q.done
}
