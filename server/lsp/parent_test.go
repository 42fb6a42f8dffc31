package lsp

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/process"
	"github.com/wm-lsp/wm-lsp/test/slow"
)

// TestMain lets the test binary act as the parent process: it waits for the end of its
// input.
func TestMain(m *testing.M) {
	if os.Getenv("WM_TEST_PARENT") != "" {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// startParent starts a process that ends with its input.
func startParent(t *testing.T) (parent *exec.Cmd, end func()) {
	t.Helper()
	parent = exec.Command(os.Args[0])
	parent.Env = append(os.Environ(), "WM_TEST_PARENT=1")
	input, err := parent.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, parent.Start())
	t.Cleanup(func() {
		_ = input.Close()
		_ = parent.Wait()
	})
	return parent, func() { require.NoError(t, input.Close()) }
}

func TestParentThatEndsIsNoticedEvenBeforeItIsWaitedFor(t *testing.T) {
	slow.Test(t)
	parent, end := startParent(t)
	gone := watchParent(t.Context(), parent.Process.Pid)
	assert.False(t, isDone(gone))

	end() // and nobody waits: it stays as a zombie
	select {
	case <-gone:
	case <-time.After(patience):
		assert.Fail(t, "the end of the parent was not noticed")
	}
}

func TestParentThatIsGoneFromTheStartIsNoticed(t *testing.T) {
	parent, end := startParent(t)
	end()
	require.NoError(t, parent.Wait())
	<-watchParent(t.Context(), parent.Process.Pid)
	_, err := process.StartTime(parent.Process.Pid)
	assert.ErrorIs(t, err, os.ErrProcessDone)
}

func TestStartTellsOneProcessFromAnother(t *testing.T) {
	parent, _ := startParent(t)
	first, err := process.StartTime(parent.Process.Pid)
	require.NoError(t, err)
	again, err := process.StartTime(parent.Process.Pid)
	require.NoError(t, err)
	assert.Equal(t, first, again)

	began := time.Now()
	for later := first; !later.After(first); { // the clock of start times is coarse
		require.Less(t, time.Since(began), patience)
		child, _ := startParent(t)
		later, err = process.StartTime(child.Process.Pid)
		require.NoError(t, err)
	}

	for _, pid := range []int{0, -1} {
		_, err = process.StartTime(pid)
		assert.Error(t, err)
		assert.NotErrorIs(t, err, os.ErrProcessDone)
	}
}

func TestWatchComparesTheStartOfTheProcess(t *testing.T) {
	start := time.Unix(1000, 0)
	unreadable := errors.New("permission denied")
	for name, c := range map[string]struct {
		looks []func() (time.Time, error) // the result in each second; the last one stays
		gone  time.Duration               // zero: never
	}{
		"alive": {[]func() (time.Time, error){
			func() (time.Time, error) { return start, nil }}, 0},
		"replaced after two seconds": {[]func() (time.Time, error){
			func() (time.Time, error) { return start, nil },
			func() (time.Time, error) { return start, nil },
			func() (time.Time, error) { return start.Add(time.Millisecond), nil }}, 2 * time.Second},
		"not readable counts as alive": {[]func() (time.Time, error){
			func() (time.Time, error) { return time.Time{}, unreadable }}, 0},
		"ended after it was not readable": {[]func() (time.Time, error){
			func() (time.Time, error) { return start, nil },
			func() (time.Time, error) { return time.Time{}, unreadable },
			func() (time.Time, error) { return start, nil },
			func() (time.Time, error) { return time.Time{}, os.ErrProcessDone }}, 3 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), patience)
				defer cancel()
				look := 0
				began := time.Now()
				gone := watchStart(ctx, func() (time.Time, error) {
					show := c.looks[min(look, len(c.looks)-1)]
					look++
					return show()
				})
				select {
				case <-gone:
					require.NotZero(t, c.gone)
					assert.Equal(t, c.gone, time.Since(began))
				case <-ctx.Done():
					assert.Zero(t, c.gone)
				}
			})
		})
	}
}

func isDone(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
