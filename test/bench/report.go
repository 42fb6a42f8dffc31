package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/test/found"
	"github.com/wm-lsp/wm-lsp/test/growth"
)

// A goal is the target of a row, at 1 × unless stated. Fields that are 0 have no target.
type goal struct {
	ratio    float64 // of the p50 to that of the reference
	ratio99  float64 // of the p99 to that of the reference
	p50, p99 time.Duration
	spread   int           // of the p99 to the p50
	most     time.Duration // of the p50 at 100 ×
}

func (g goal) String() string {
	var all []string
	if g.ratio > 0 {
		all = append(all, fmt.Sprintf("≤ %g × reference", g.ratio))
	}
	if g.ratio99 > 0 {
		all = append(all, fmt.Sprintf("p99 ≤ %g × reference", g.ratio99))
	}
	if g.p50 > 0 {
		all = append(all, "p50 ≤ "+short(g.p50))
	}
	if g.p99 > 0 {
		all = append(all, "p99 ≤ "+short(g.p99))
	}
	if g.spread > 0 {
		all = append(all, fmt.Sprintf("p99 ≤ %d × p50", g.spread))
	}
	if g.most > 0 {
		all = append(all, "p50 ≤ "+short(g.most)+" at 100 ×")
	}
	if len(all) == 0 {
		return "–"
	}
	return strings.Join(all, ", ")
}

// met returns whether the samples, by scale, meet the target.
func (g goal) met(at map[int]sample) string {
	s, largest := at[1], at[100]
	switch {
	case g == goal{}:
		return "–"
	case g.ratio > 0 && ratio(s) > g.ratio,
		g.ratio99 > 0 && ratio99(s) > g.ratio99,
		g.p50 > 0 && percentile(50, s.ours) > g.p50,
		g.p99 > 0 && percentile(99, s.ours) > g.p99,
		g.spread > 0 && percentile(99, s.ours) > time.Duration(g.spread)*percentile(50, s.ours),
		g.most > 0 && largest.ours != nil && percentile(50, largest.ours) > g.most:
		return "**no**"
	}
	return "yes"
}

func ratio(s sample) float64 {
	return float64(percentile(50, s.ours)) / float64(percentile(50, s.floor))
}

func ratio99(s sample) float64 {
	return float64(percentile(99, s.ours)) / float64(percentile(99, s.floor))
}

// A report holds the rows in the order of their first measurement.
type report struct {
	timed  []*timedRow
	sized  []*sizedRow
	added  []*addedRow
	grown  []growth.Size
	year   []growth.Size
	edited *edited // nil if the editors were not measured
	found  []found.Row
	tested []tested
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

// A sizedRow is a row of bytes. A floor or limit of 0 means that there is none.
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

// sizeRows returns the rows of the bytes.
func (r *report) sizeRows() string {
	var out strings.Builder
	for _, row := range r.sized {
		target, met := "–", "–"
		if row.limit > 0 {
			target, met = fmt.Sprintf("≤ %d MB", row.limit/mega), "yes"
			if row.at[1] > row.limit {
				met = "**no**"
			}
		}
		fmt.Fprintf(&out, "| %s | %s | %s | %s | %s | %s | %s |\n", row.what, row.size(1),
			megabytes(row.floor, row.floor > 0), target, met, row.size(10), row.size(100))
	}
	return out.String()
}

// timeRows returns the rows of the durations.
func (r *report) timeRows() string {
	var out strings.Builder
	for _, row := range r.timed {
		one := row.at[1]
		fmt.Fprintf(&out, "| %s | %s | %s | %s %s | %.1f | %s | %s | %s | %s | %s |\n", row.what,
			short(percentile(50, one.ours)), short(percentile(99, one.ours)),
			row.reference, short(percentile(50, one.floor)), ratio(one), row.goal,
			row.goal.met(row.at), row.scaled(10), row.scaled(100), row.growth())
	}
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

// filterMissed is why a filter may miss its target.
const filterMissed = "the extension chooses 1,000 items among 5,000 in 1 ms and sends the page their numbers, and " +
	"the page takes 12 ms for its frame. Most of the rest is the way of the key to the extension and of the numbers " +
	"to the page, see *bare*; the slowest ones coincide with other work of the machine."

// reasons explain missed targets, by row. They were found with a profile.
var reasons = map[string]string{
	"start → `initialize` answered": "any program on this library takes 1.5 ms. Of the rest, 1.3 ms are the " +
		"initialization of packages before main (GODEBUG=inittrace=1): a third of it those of the library for MCP " +
		"with net/http and encoding/gob, a sixth those of SQLite, an eighth those of the terminal panel, a twelfth " +
		"the program's own. Most of the remainder is due to the larger program.",
	"start → first `wm/context` answered": "at 100 × a quarter of the time is spent on reading 2700 rows and " +
		"decoding them on both processors, nearly as much before main, a sixth on the context, beside which the " +
		"overview of the new session is written, a tenth on the beginning of that session, a twelfth on opening the " +
		"database; a quarter of all of it is memory that is used for the first time.",
	"`wm/context` after an event": "its p50 meets the target; the slowest ones coincide with the writing of " +
		"the hot state, every 40 ms, on a shared machine.",
	"`wm/context`, all sections full, nothing new": "its p50 meets the target; the slowest ones coincide with " +
		"other work of the machine.",
	"`wm/context`, all sections full after an event": "a good part is the encoding of 45 KB, in which every " +
		"text occurs three times: in the whole, in its part and in its section (BenchmarkContextAfterAnEvent); " +
		"the slowest ones coincide with the writing of the hot state on a shared machine.",
	"`wm/panel` after an event": "the panel is built and encoded anew, 44 KB with the actions of every item, " +
		"which takes about as long as sending it.",
	"`wm/tool/executed`, 4 KB of output": "80 µs are the round trip with that many bytes, 180 µs the command " +
		"line, the output, the errors, the working memory and the fold (BenchmarkObserveATestRun), the rest " +
		"decoding and answering. Before there was a working memory it was 289 µs.",
	"`wm/memory/add`, which evicts": "two changes and two rows are decided on a caught-up state, redacted and " +
		"written, while the reference writes one row; both wait for the disk once.",
	changeInVSCode: "the extension receives the change within some milliseconds; most of the rest is VS " +
		"Code's own, see *bare*, and the slowest ones coincide with other work of the machine, whose cores the " +
		"page and the extension host share.",
	streamInVSCode: "a change is sent to the page of the panel at once, which paints it with the next frame; the " +
		"slowest ones coincide with other work of the machine, whose cores the server, the agent, the extension " +
		"host and the page share.",
	filterInVSCode:       filterMissed,
	filterByKeysInVSCode: filterMissed,
	"`wm/memory/add` by 32 processes at once": "the two cores are busy. One addition costs 3.3 ms of " +
		"processor time on a machine with other work, of all processes together, so 32 of them take at least " +
		"53 ms; a third of it is under the lock, of which a third is the index of search and a seventh the commit. " +
		"A quarter is the reading and folding of what 31 others have written, an addition and an eviction each, an " +
		"eighth the monitor of the runtime, a fifteenth the collection of garbage, the rest messages, notices, " +
		"locks and syncs. As many servers that only answer take 0.1 ms for each message.",
	"`wm/search` among 1,000 items": "a third is the reading of thirty candidates by their ids, 10 µs each, a " +
		"quarter the ranking, a tenth the message, a twelfth what is open in the session and not in the index, as " +
		"much the rating.",
	"`wm/search` among 10,000 items": "half is the ranking, most of it the reading of the postings of fifty " +
		"terms, a fifth the reading of thirty candidates by their ids, the rest what is open in the session and the " +
		"rating.",
	"`wm/search` among 100,000 items": "seven tenths are the ranking, half of it the sums over the postings of " +
		"all words and of those related to them, 25,000 in the mean; a fifth is the reading of the candidates. The " +
		"slowest ones wait for what the process does every second, such as the writing of the trace of searches.",
	"start → first `wm/search` answered, among 100,000 items": "half of a first ranking is the reading of the " +
		"records of all documents; to it come the start, the candidates, and memory and pages of the program that " +
		"are used for the first time.",
	"`wm/search` among 1,000,000 items": "nine tenths are the ranking: two fifths the sums over the postings of " +
		"frequent words, each of which leads to the records of its document and of four neighbours, a third the " +
		"reading of the postings, a seventh the choice of the best.",
	"`wm/memorize`, 1,000 items": "half of the batches take 98 ms of processor time on two processors with other " +
		"work, the least one 70: three tenths are SQLite with its driver, a seventh the analysis of the text for " +
		"the index of search, a tenth their redaction, as much the scores, a twelfth the decision about each item, a " +
		"twentieth the collection of garbage. The analysis with the postings, the redaction and the scores use " +
		"several processors; the rest is one after the other, most of it in the transaction. A machine with other " +
		"work makes it longer.",
	"`wm-lsp remember`": "it takes 22 ms of processor time, of which a quarter is the close with the readable " +
		"copy, and waits for one sync of the disk before the change is acknowledged. A machine with other work makes " +
		"both longer.",
	"`wm-lsp search`": "it takes 21 ms of processor time: a fifth is the search, a sixth the close, which records " +
		"what was read, and a ninth the table of secrets; the rest is the start. On a machine with other work it " +
		"misses.",
	"`wm/memory/add`, with room for it": "besides the commit of one row, which is the reference, there are " +
		"the lock between processes, the check for changes of others, the gate, the change and its row.",
}

// missed explains each missed target, in a list.
func (r *report) missed() string {
	var out strings.Builder
	rows := r.timed
	if r.edited != nil {
		rows = slices.Concat(rows, r.edited.timed)
	}
	for _, row := range rows {
		if row.goal.met(row.at) != "**no**" {
			continue
		}
		reason, known := reasons[row.what]
		if !known {
			reason = "not investigated yet; if the machine was loaded, run it again."
		}
		fmt.Fprintf(&out, "- %s: %s\n", row.what, reason)
	}
	return out.String()
}

// short formats a duration with at most three digits.
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
