package lsp

import (
	"context"
	"errors"
	"fmt"
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

// processIdentity tells a client's process from every other one; it is empty if
// that cannot be known.
func processIdentity(pid *int) string {
	if pid == nil || *pid <= 0 {
		return ""
	}
	started, err := processStart(*pid)
	if errors.Is(err, errors.ErrUnsupported) {
		return ""
	}
	return fmt.Sprintf("%d\x00%d", *pid, started.UnixMilli())
}

// watch ends the server when the client's process is gone.
func (s *Server) watch(pid int) {
	gone := watchParent(s.life, pid)
	s.later(func(ctx context.Context) {
		select {
		case <-gone:
			s.log.Info("the client's process is gone", "pid", pid)
			s.leave(ExitUnasked)
		case <-ctx.Done():
		}
	})
}
