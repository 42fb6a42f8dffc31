package fixes_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wm-lsp/wm-lsp/memory/fixes"
)

func TestShortSaysWhatTheErrorWasAndWhatClosedIt(t *testing.T) {
	fix := fixes.Fix{Reason: "the command succeeded"}
	fix.Path, fix.Summary, fix.Command = "queue.go", "lost 3 jobs", "go test ./queue"
	assert.Equal(t, "queue.go: lost 3 jobs; Closed: the command succeeded", fixes.Short(fix.Text()))
	fix.Edited = []string{"worker.go", "queue.go"}
	assert.Equal(t, "queue.go: lost 3 jobs; Edited: worker.go, queue.go", fixes.Short(fix.Text()))
	fix.Cause = "Jobs are acknowledged too early."
	assert.Equal(t, "queue.go: lost 3 jobs; Edited: worker.go, queue.go; Cause: Jobs are acknowledged too early.",
		fixes.Short(fix.Text()))
}
