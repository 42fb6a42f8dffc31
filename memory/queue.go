package memory

import (
	"errors"
	"log/slog"
	"sync"

	"github.com/sourcegraph/conc/panics"

	"github.com/wm-lsp/wm-lsp/memory/cores"
)

// queueLength is how many tasks may wait. If the queue is full, the reader of stdin waits.
const queueLength = 1024

// A queue runs tasks one after the other, in the order in which they were added. It defines
// the order of all events and mutations of a workspace. A panic ends only its own task.
// Tasks may call offer, but neither put, do nor close.
type queue struct {
	log  *slog.Logger
	done chan struct{}

	mu      sync.Mutex
	changed sync.Cond // of the fields below
	tasks   []func()  // waiting
	running bool
	closed  bool
	// mark is the channel of passed, if its task is the last one.
	mark chan struct{}
}

func newQueue(log *slog.Logger) *queue {
	q := &queue{done: make(chan struct{}), log: log}
	q.changed.L = &q.mu
	go q.run()
	return q
}

func (q *queue) run() {
	defer close(q.done)
	cores.GrowStack()
	for task := q.next(); task != nil; task = q.next() {
		if caught := panics.Try(task); caught != nil {
			q.log.Error("a task of the workspace panicked", "panic", caught.Value, "stack", string(caught.Stack))
		}
	}
}

// next returns the next task. It waits for one, and returns nil when the queue is closed and
// empty.
func (q *queue) next() func() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.running = false
	for len(q.tasks) == 0 && !q.closed {
		q.changed.Wait()
	}
	if len(q.tasks) == 0 {
		return nil
	}
	task := q.tasks[0]
	q.tasks[0] = nil
	q.tasks = q.tasks[1:]
	q.running = true
	q.changed.Broadcast()
	return task
}

// put adds a task. It waits while the queue is full, and returns false if the queue is
// closed. A task must not call put, because on a full queue it would wait for itself.
func (q *queue) put(task func()) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.tasks) >= queueLength && !q.closed {
		q.changed.Wait()
	}
	return q.add(task)
}

// ErrClosed means that the workspace was closed meanwhile.
var ErrClosed = errors.New("the memory was closed")

// errPanicked is the error of a task that panicked.
var errPanicked = errors.New("internal error in the memory, see the log")

// do adds a task and waits until it is done. A task must not call do.
func (q *queue) do(task func() error) error {
	err := errPanicked
	done := make(chan struct{})
	if !q.put(func() {
		defer close(done)
		err = task()
	}) {
		return ErrClosed
	}
	<-done
	return err
}

// offer adds a task and returns true, or returns false if the queue is full or closed. Tasks
// may call it.
func (q *queue) offer(task func()) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.tasks) < queueLength && q.add(task)
}

// add is called with the lock held.
func (q *queue) add(task func()) bool {
	if q.closed {
		return false
	}
	q.tasks = append(q.tasks, task)
	q.mark = nil
	q.changed.Broadcast()
	return true
}

// passed returns a channel that is closed when all tasks now on the queue are done. It
// returns nil if there are none.
func (q *queue) passed() <-chan struct{} {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.tasks) == 0 && !q.running {
		return nil
	}
	if q.mark != nil && len(q.tasks) > 0 { // calls share it, so that they do not fill the queue
		return q.mark
	}
	mark := make(chan struct{})
	if !q.add(func() { close(mark) }) {
		return q.done
	}
	q.mark = mark
	return mark
}

// close closes the queue and waits until all its tasks are done.
func (q *queue) close() {
	q.mu.Lock()
	q.closed = true
	q.changed.Broadcast()
	q.mu.Unlock()
	<-q.done
}
