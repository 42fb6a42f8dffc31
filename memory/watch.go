package memory

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// pollEvery is how often the workspace looks for changes without a notification: sessions
// whose process is gone, hand edits, commits whose notice was missed.
const pollEvery = time.Second

// refreshShare is how many times as long as a refresh takes, with its waiting, the next one
// waits after it. This limits the refreshes if many processes write. A process that writes
// catches up anyway.
const refreshShare = 8

// refreshMost is the longest time between two refreshes while there are notices of one other
// process, so that one slow refresh does not delay the next one for long. It is also the time after
// a write of this process, which catches up, in which no notice is followed. Both are multiplied by
// the number of processes that write, up to refreshCrowded, because each of these also reads what
// all others write.
const (
	refreshMost    = 25 * time.Millisecond
	refreshCrowded = 10 * refreshMost
)

// restAfter returns how long no notice is followed after a refresh that took some time, of what a
// number of other processes wrote.
func restAfter(took time.Duration, writers int) time.Duration {
	return min(time.Duration(max(writers, 1))*refreshShare*took, restAfterWrite(writers))
}

// restAfterWrite returns how long no notice is followed after a write of this process, while a
// number of others write.
func restAfterWrite(writers int) time.Duration {
	return min(time.Duration(max(writers, 1))*refreshMost, refreshCrowded)
}

// A watcher looks for changes of other processes, on notices and at intervals.
type watcher struct {
	store *openedStore
	queue *queue
	log   *slog.Logger
	// refresh folds changes of other processes that were committed before a time. It is
	// called on the queue.
	refresh func(ctx context.Context, before time.Time)
	// writers returns how many other processes have written lately. It is called on the queue.
	writers func() int
	// poll is called on the queue at intervals of pollEvery.
	poll func(ctx context.Context)
	// look is called at intervals of pollEvery, beside the queue.
	look func()
	// check looks for damage in a store. It is called once, pollEvery after the store was
	// opened, beside the queue.
	check func(ctx context.Context, s Store)

	lastWrite time.Time // when this process wrote last, used on the queue

	found   chan struct{} // of length 1, receives a value when a store was opened
	stop    context.CancelFunc
	running sync.WaitGroup
}

// start starts the watcher.
func (w *watcher) start() {
	ctx, stop := context.WithCancel(context.Background())
	w.stop = stop
	w.running.Go(func() { w.run(ctx) })
}

// opened notifies the watcher that a store was opened.
func (w *watcher) opened() {
	signal(w.found)
}

// signal sends a value to a channel of length 1, unless it has one.
func signal(to chan<- struct{}) {
	select {
	case to <- struct{}{}:
	default:
	}
}

// wrote notifies the watcher that this process has written. It is called on the queue.
func (w *watcher) wrote() { w.lastWrite = time.Now() }

// close stops the watcher if it was started, and waits until it is done.
func (w *watcher) close() {
	if w.stop != nil {
		w.stop()
	}
	w.running.Wait()
}

func (w *watcher) run(ctx context.Context) {
	ticker := time.NewTicker(pollEvery)
	defer ticker.Stop()
	var notices, heard <-chan struct{} // heard is nil while no notice is received
	rested := make(chan struct{}, 1)
	polling := make(chan struct{}, 1) // holds a value while a poll is on the queue
	for {
		select {
		case <-ctx.Done():
			return
		case <-w.found:
			if s := w.store.Load(); s != nil {
				w.running.Go(func() { w.checkLater(ctx, s) })
			}
		case _, open := <-heard:
			heard = nil
			if !open {
				notices = nil
				break
			}
			w.follow(ctx, time.Now(), func() { signal(rested) }) // nobody receives it if the watcher has stopped
		case <-rested:
			heard = notices
		case <-ticker.C:
			w.look()
			w.pollSoon(ctx, polling)
		}
		if s := w.store.Load(); s != nil && notices == nil {
			watched, err := s.Notices(ctx)
			if err != nil {
				w.log.Warn("watch for changes of other processes; polling instead", "error", err)
			}
			notices, heard = watched, watched
			began := time.Now()
			w.queue.put(func() { w.refresh(ctx, began) }) // commits before the watch
		}
	}
}

// pollSoon puts a poll on the queue, unless the queue is full or the last poll is still there.
func (w *watcher) pollSoon(ctx context.Context, polling chan struct{}) {
	select {
	case polling <- struct{}{}:
	default:
		return
	}
	if !w.queue.offer(func() { defer func() { <-polling }(); w.poll(ctx) }) {
		<-polling
	}
}

// follow follows a notice that was received at a time, and calls rested when the next one may be
// received.
func (w *watcher) follow(ctx context.Context, noticed time.Time, rested func()) {
	w.queue.put(func() {
		if rest := restAfterWrite(w.writers()) - time.Since(w.lastWrite); rest > 0 { // the next write may catch up
			time.AfterFunc(rest, func() { w.follow(ctx, noticed, rested) })
			return
		}
		w.refresh(ctx, noticed)
		time.AfterFunc(restAfter(time.Since(noticed), w.writers()), rested)
	})
}

func (w *watcher) checkLater(ctx context.Context, s Store) {
	select {
	case <-ctx.Done():
	case <-time.After(pollEvery):
		w.check(ctx, s)
	}
}
