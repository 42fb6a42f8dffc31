package lsp

import (
	"context"
	"errors"
	"os"
	"time"
)

// parentInterval is how often the parent process is looked at. It takes about
// 20 µs each time.
const parentInterval = time.Second

// watchParent returns a channel that is closed when the process pid is gone:
// exited, even if nobody has waited for it yet, or replaced by another process
// that got the same pid. A process that cannot be looked at counts as alive,
// and so does a pid that is not positive. The watch ends with ctx.
func watchParent(ctx context.Context, pid int) <-chan struct{} {
	return watchStart(ctx, func() (time.Time, error) { return processStart(pid) })
}

// watchStart closes its channel when start reports that the process is done, or
// another time than the first time.
func watchStart(ctx context.Context, start func() (time.Time, error)) <-chan struct{} {
	gone := make(chan struct{})
	go func() {
		tick := time.NewTicker(parentInterval)
		defer tick.Stop()
		var first time.Time
		for {
			now, err := start()
			if errors.Is(err, os.ErrProcessDone) || err == nil && !first.IsZero() && !now.Equal(first) {
				close(gone)
				return
			}
			if err == nil {
				first = now
			}
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
		}
	}()
	return gone
}
