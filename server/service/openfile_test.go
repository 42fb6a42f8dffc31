package service

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/server/wire"
)

// typedIn returns a file that is open and being typed in, with a held error.
func (f *face) typedIn() *OpenFile {
	f.t.Helper()
	f.write("a.go", "package a\n")
	at, err := f.service.View(&wire.StatusParams{})
	require.NoError(f.t, err)
	f.service.Settle(f.t.Context(), at)
	open := f.service.OpenFile(at, "a.go")
	open.Opened("package a\n", false)
	open.Edited("package a\nvar x = y\n", true)
	require.NoError(f.t, f.service.DiagnosticsNotified(at, f.undefined("y"), open))
	return open
}

// undefined returns the params of wm/diagnostics/changed for an undefined name in a.go.
func (f *face) undefined(name string) *wire.DiagnosticsChangedParams {
	return &wire.DiagnosticsChangedParams{URI: f.uri("a.go"), Diagnostics: []wire.Diagnostic{
		{Severity: 1, Message: wire.Message("undefined: " + name)},
	}}
}

func TestAnOpenFileIsNotLockedWhileItWaitsForTheQueue(t *testing.T) {
	for name, c := range map[string]struct {
		act     func(open *OpenFile)
		unsaved bool // afterwards
	}{
		"a save": {func(open *OpenFile) { open.Saved("package a\nvar x = y\n") }, false},
		"a reload": {func(open *OpenFile) {
			open.mu.Lock()
			open.changedAt = time.Time{}
			open.mu.Unlock()
			open.Edited("package a\n", true)
		}, false},
		"an edit after a save": {func(open *OpenFile) {
			open.mu.Lock()
			open.changedAt, open.unsaved = time.Time{}, false
			open.mu.Unlock()
			open.Edited("package a\nvar x = z\n", true)
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFace(t)
			open := f.typedIn()
			begun, end := make(chan struct{}), make(chan struct{})
			open.at.Do(func() {
				close(begun)
				<-end
			})
			<-begun
			var queued atomic.Int64
			var before int64
			go func() {
				for range 1 << 12 {
					open.at.Do(func() { open.Unsaved() })
					queued.Add(1)
				}
			}()
			require.Eventually(t, func() bool { // the queue is full
				full := before > 0 && queued.Load() == before
				before = queued.Load()
				return full
			}, Patience, 20*time.Millisecond)
			done := make(chan struct{})
			go func() {
				defer close(done)
				c.act(open)
			}()
			assert.Eventually(t, func() bool { return open.Unsaved() == c.unsaved }, Patience, time.Millisecond)
			close(end)
			<-done
		})
	}
}

func TestAnErrorOfAFileThatIsTypedInOpensWhenItIsSaved(t *testing.T) {
	for name, c := range map[string]struct {
		act  func(f *face, open *OpenFile)
		want []string
	}{
		"nothing happens": {func(*face, *OpenFile) {}, nil},
		"it is edited":    {func(_ *face, open *OpenFile) { open.Edited("package a\nvar x = yy\n", true) }, nil},
		"it is saved": {func(_ *face, open *OpenFile) {
			open.Saved("package a\nvar x = y\n")
		}, []string{"undefined: y"}},
		"it is closed": {func(_ *face, open *OpenFile) { open.Closed() }, []string{"undefined: y"}},
		"a request is newer": {func(f *face, open *OpenFile) {
			open.Superseded()
			open.Saved("package a\n")
		}, nil},
		"a notification is newer": {func(f *face, open *OpenFile) {
			require.NoError(f.t, f.service.DiagnosticsNotified(open.at, f.undefined("z"), open))
			open.Saved("package a\nvar x = z\n")
		}, []string{"undefined: z"}},
		"its workspace is left": {func(_ *face, open *OpenFile) {
			open.Left()
			open.Closed()
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFace(t)
			f.service.Configure([]byte(`{"errors": {"stillMillis": 60000}}`))
			open := f.typedIn()
			c.act(f, open)
			var summaries []string
			for _, e := range get[wire.ErrorsListResult](f, "wm/errors/list", &wire.ErrorsListParams{}).Errors {
				summaries = append(summaries, e.Summary)
			}
			assert.Equal(t, c.want, summaries)
		})
	}
}
