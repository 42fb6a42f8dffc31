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

// yearEvents is the number of events of the year, yearEpisodic the maximum of items of episodic memory then.
const yearEvents, yearEpisodic = 1_000_000, 100_000

// year measures the disk usage of a year of heavy use.
func (b *bench) year() (err error) {
	set := settings.Default()
	set.Items.MaxEpisodic = yearEpisodic
	b.report.year, err = growth.Year(context.Background(), filepath.Join(b.dir, "year"), set, yearEvents, yearEvents/10)
	return err
}

const yearIntroduction = `
## The disk usage of a year of heavy use

%s items are memorized in the course of a year, by a seeded clock, in a session for each day, and sessions that ended
long ago are swept as usual. Episodic memory has at most %s items here, semantic memory %s; those that had to
make room can still be read, up to 10,000 of them. The searches are for three words, in the process that memorizes.

`

// yearCurve returns the table of the year.
func yearCurve(sizes []growth.Size) string {
	if len(sizes) == 0 {
		return ""
	}
	var out strings.Builder
	fmt.Fprintf(&out, yearIntroduction, thousands(sizes[len(sizes)-1].Events), thousands(yearEpisodic),
		thousands(settings.Default().Items.MaxSemantic))
	out.WriteString("| items so far | recalled | on the disk | files | changes in the log | search, p50 | p99 |\n" +
		"|---|---|---|---|---|---|---|\n")
	for _, size := range sizes {
		fmt.Fprintf(&out, "| %s | %s | %s | %d | %d | %s | %s |\n", thousands(size.Events), thousands(size.Items),
			megabytes(size.Bytes, true), size.Files, size.Changes, short(percentile(50, size.Searches)),
			short(percentile(99, size.Searches)))
	}
	return out.String()
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
