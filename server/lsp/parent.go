package lsp

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/process"
)

// parentInterval is the time between two checks of the parent process. A check takes
// about 20 µs.
const parentInterval = time.Second

// watchParent returns a channel that is closed when the process pid has exited, even if
// nobody has waited for it yet, or when another process has got its pid. A process that
// cannot be examined counts as alive, and so does a pid that is not positive. The watch
// ends with ctx.
func watchParent(ctx context.Context, pid int) <-chan struct{} {
	return watchStart(ctx, func() (time.Time, error) { return process.StartTime(pid) })
}

// watchStart returns a channel that is closed when start returns os.ErrProcessDone, or
// another time than at first.
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

// processIdentity returns a string that identifies the client's process, or "" if it is not
// known.
func processIdentity(pid *int) string {
	if pid == nil || *pid <= 0 {
		return ""
	}
	started, err := process.StartTime(*pid)
	if errors.Is(err, errors.ErrUnsupported) {
		return ""
	}
	return fmt.Sprintf("%d\x00%d", *pid, started.UnixMilli())
}

// watch ends the server when the client's process has ended.
func (s *Server) watch(pid int) {
	gone := watchParent(s.life, pid)
	s.later(func(ctx context.Context) {
		select {
		case <-gone:
			s.log.Info("the client's process has ended", "pid", pid)
			s.leave(ExitNoShutdown)
		case <-ctx.Done():
		}
	})
}
