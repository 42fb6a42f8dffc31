package main

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/test/growth"
)

// A goal is what is demanded of a row at 1 ×; what is 0 is not.
type goal struct {
	ratio    float64 // of the p50 to that of the reference
	p50, p99 time.Duration
}

func (g goal) String() string {
	var all []string
	if g.ratio > 0 {
		all = append(all, fmt.Sprintf("≤ %g × reference", g.ratio))
	}
	if g.p50 > 0 {
		all = append(all, "p50 ≤ "+short(g.p50))
	}
	if g.p99 > 0 {
		all = append(all, "p99 ≤ "+short(g.p99))
	}
	if len(all) == 0 {
		return "–"
	}
	return strings.Join(all, ", ")
}

func (g goal) met(s sample) string {
	switch {
	case g == goal{}:
		return "–"
	case g.ratio > 0 && ratio(s) > g.ratio, g.p50 > 0 && percentile(50, s.ours) > g.p50, g.p99 > 0 && percentile(99, s.ours) > g.p99:
		return "**no**"
	}
	return "yes"
}

func ratio(s sample) float64 {
	return float64(percentile(50, s.ours)) / float64(percentile(50, s.floor))
}

// A report holds the rows in the order of their first figure.
type report struct {
	timed  []*timedRow
	sized  []*sizedRow
	added  []*addedRow
	grown  []growth.Size
	edited *edited // nil if the editors were not measured
}

type timedRow struct {
	what, reference string
	goal            goal
	at              map[int]sample // by scale
}

func (r *report) times(what, reference string, scale int, s sample, g goal) {
	i := slices.IndexFunc(r.timed, func(row *timedRow) bool { return row.what == what })
	if i < 0 {
		i = len(r.timed)
		r.timed = append(r.timed, &timedRow{what, reference, g, map[int]sample{}})
	}
	r.timed[i].at[scale] = s
}

// A sizedRow has bytes; a floor or limit of 0 is none.
type sizedRow struct {
	what         string
	floor, limit int64
	at           map[int]int64
}

func (r *report) bytes(what string, scale int, ours, floor, limit int64) {
	i := slices.IndexFunc(r.sized, func(row *sizedRow) bool { return row.what == what })
	if i < 0 {
		i = len(r.sized)
		r.sized = append(r.sized, &sizedRow{what, floor, limit, map[int]int64{}})
	}
	r.sized[i].at[scale] = ours
}

const introduction = `<!-- Written by make bench. What is said of rows that miss their target stands in test/bench/report.go. -->

# Benchmarks

Measured on %s/%s with %d cores and %s, on a machine that others use too: ratios say more than times.

The reference *echo* is a server on the same JSON-RPC library that is asked by the same client in turn with wm-lsp, and handles as many bytes in the
same direction. *Commit* is one insert of SQLite with synchronous=FULL into the same folder. Ratios are those of the p50. At 1 × the memory is full, with %d
entries; there are %d active and open files, %d open errors and a session. At 10 × and 100 × there are so many times as many files, errors and sessions,
and so many entries were added; %d of them stay active, the most that can be set, and the others are evicted. *Grows* is the p50 at 100 × to that at 1 ×.

`

func (r *report) document() string {
	var out strings.Builder
	fmt.Fprintf(&out, introduction, runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version(), entriesOnce, filesOnce, errorsOnce, maxEntries)
	out.WriteString("| what | p50 | p99 | reference, p50 | ratio | target | met | p50 at 10 × | at 100 × | grows |\n|---|---|---|---|---|---|---|---|---|---|\n")
	for _, row := range r.timed {
		one := row.at[1]
		fmt.Fprintf(&out, "| %s | %s | %s | %s %s | %.1f | %s | %s | %s | %s | %s |\n", row.what,
			short(percentile(50, one.ours)), short(percentile(99, one.ours)), row.reference, short(percentile(50, one.floor)),
			ratio(one), row.goal, row.goal.met(one), row.scaled(10), row.scaled(100), row.growth())
	}
	out.WriteString("\n| what | figure | echo | target | met | at 10 × | at 100 × |\n|---|---|---|---|---|---|---|\n")
	for _, row := range r.sized {
		target, met := "–", "–"
		if row.limit > 0 {
			target, met = fmt.Sprintf("≤ %d MB", row.limit/mega), "yes"
			if row.at[1] > row.limit {
				met = "**no**"
			}
		}
		fmt.Fprintf(&out, "| %s | %s | %s | %s | %s | %s | %s |\n", row.what, row.size(1), megabytes(row.floor, row.floor > 0), target, met, row.size(10), row.size(100))
	}
	out.WriteString(r.edited.document())
	out.WriteString(curve(r.grown))
	out.WriteString(r.missed())
	return out.String()
}

func (r *timedRow) scaled(scale int) string {
	s, there := r.at[scale]
	if !there {
		return "–"
	}
	return short(percentile(50, s.ours))
}

func (r *timedRow) growth() string {
	most, there := r.at[100]
	if !there {
		return "–"
	}
	return fmt.Sprintf("× %.1f", float64(percentile(50, most.ours))/float64(percentile(50, r.at[1].ours)))
}

func (r *sizedRow) size(scale int) string {
	size, there := r.at[scale]
	return megabytes(size, there)
}

func megabytes(size int64, there bool) string {
	if !there {
		return "–"
	}
	return fmt.Sprintf("%.1f MB", float64(size)/mega)
}

// reasons say why rows miss their target, by the row; they were found with a
// profile.
var reasons = map[string]string{
	"start → `initialize` answered": "1.5 ms are what any program on this library takes. Of the rest half a millisecond is the tables of libraries that Go fills before main, " +
		"half of it those of SQLite and its C library (GODEBUG=inittrace=1), and most of what is left the larger program.",
	"`wm/context` after an event":                  "its p50 is within the target; the slowest are those that meet the writing of the hot state, every 40 ms, on a machine that has other work.",
	"`wm/context`, all sections full, nothing new": "its p50 is within the target; the slowest are those that meet other work of the machine.",
	"`wm/context`, all sections full after an event": "a good part of it is the encoding of 45 KB, in which every text stands three times: whole, in its part, in its section " +
		"(BenchmarkContextAfterAnEvent); the slowest meet the writing of the hot state on a machine that has other work.",
	"`wm/panel` after an event": "the panel is then built and encoded anew, 44 KB with the actions of every item, which takes about as long as sending it.",
	"`wm/tool/executed`, 4 KB of output": "80 µs are the way there and back with so many bytes, 180 µs the command line, the output, the errors, the working memory and the fold " +
		"(BenchmarkObserveATestRun), the rest decoding and answering. Before there was a working memory it was 289 µs.",
	"`wm/memory/add`, which evicts": "two changes and two rows are decided on a caught-up state, redacted and written, where the reference writes one row; " +
		"both wait for the disk once.",
	changeInVSCode: "the extension has taken the change in some milliseconds; most of the rest is VS Code's own, see *bare*, " +
		"and the slowest meet other work of the machine, on whose cores the page and the extension host run, too.",
	streamInVSCode: "VS Code takes a change of a tree at once only if there was none for 200 ms; what comes in between is painted together then. " +
		"An extension that tells VS Code of each change, as *bare* does, is not painted at all before the changes end.",
	"`wm/memory/add`, with room for it": "the lock between processes, the look at what others wrote, the gate, the change and its row stand around the commit of one row that is the reference.",
}

// missed says why each row that misses its target does.
func (r *report) missed() string {
	var out strings.Builder
	rows := r.timed
	if r.edited != nil {
		rows = slices.Concat(rows, r.edited.timed)
	}
	for _, row := range rows {
		if row.goal.met(row.at[1]) != "**no**" {
			continue
		}
		reason, known := reasons[row.what]
		if !known {
			reason = "not looked into yet; on a loaded machine run it again first."
		}
		fmt.Fprintf(&out, "- %s: %s\n", row.what, reason)
	}
	if out.Len() == 0 {
		return ""
	}
	return "\n## What misses its target\n\n" + out.String()
}

// short is a duration with three digits at most.
func short(d time.Duration) string {
	switch {
	case d >= 100*time.Millisecond:
		return d.Round(time.Millisecond).String()
	case d >= time.Millisecond:
		return d.Round(10 * time.Microsecond).String()
	case d >= 10*time.Microsecond:
		return d.Round(time.Microsecond).String()
	}
	return d.Round(10 * time.Nanosecond).String()
}
