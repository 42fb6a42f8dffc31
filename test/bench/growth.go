package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/wm-lsp/wm-lsp/memory/settings"
	"github.com/wm-lsp/wm-lsp/test/growth"
)

// growth measures the disk usage of 10,000 events of one session (systems.md A12).
func (b *bench) growth() (err error) {
	b.report.grown, err = growth.In(context.Background(), filepath.Join(b.dir, "growth"), 10_000, 1_000)
	return err
}

const growthIntroduction = `
## The disk usage of a long session

One session of 10,000 different events: commands that fail and succeed, edits, long outputs that are pruned and
stored, messages, todos, notes and reports of usage. Every two hundredth event asks to remember something. Everything
is bounded. The most important bounds are %d changes in the log, %d stored outputs, and %d entries that are no longer
in force. The bytes are those without the write-ahead log, which has at most 6 MB.

`

// curve returns the table of the growth.
func curve(sizes []growth.Size) string {
	if len(sizes) == 0 {
		return ""
	}
	limits := settings.Default()
	var out strings.Builder
	fmt.Fprintf(&out, growthIntroduction, limits.Log.MaxChanges, limits.Outputs.MaxFiles, limits.Memory.MaxPast)
	out.WriteString("| events | on the disk | files | changes in the log |\n|---|---|---|---|\n")
	for _, size := range sizes {
		fmt.Fprintf(&out, "| %d | %s | %d | %d |\n", size.Events, megabytes(size.Bytes, true), size.Files, size.Changes)
	}
	return out.String()
}
