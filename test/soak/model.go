//go:build linux

package main

import (
	"fmt"
	"math"
	"sync"
)

// A moment is a point on the logical clock of a run. Two moments are ordered if one was
// taken after the other.
type moment int64

// never is the end of a write that is not yet answered.
const never moment = math.MaxInt64

// An outcome is what the client knows of a write.
type outcome int

const (
	unknown      outcome = iota // There was no answer: it took effect before its end, or not at all.
	acknowledged                // It took effect before its end.
	refused                     // It had no effect.
)

// A write is one write of a client.
type write struct {
	begun, ended moment
	outcome      outcome
	// gone reports whether the value may be gone because it was erased on request.
	gone bool
}

// A ledger holds the writes to one place, by the value that they write. No value is
// written twice. It is safe for concurrent use.
type ledger struct {
	mu     sync.Mutex
	writes map[string]*write
}

func newLedger() *ledger { return &ledger{writes: map[string]*write{}} }

// begin records that a value is about to be written.
func (l *ledger) begin(value string, now moment) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.writes[value] = &write{begun: now, ended: never}
}

// end records the outcome of a write. The end of an unknown one is the end of its server.
func (l *ledger) end(value string, is outcome, now moment) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.writes[value].outcome, l.writes[value].ended = is, now
}

// forgive records that a value may be gone.
func (l *ledger) forgive(value string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.writes[value].gone = true
}

// forgiveAll records that every value so far may be gone.
func (l *ledger) forgiveAll() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, w := range l.writes {
		w.gone = true
	}
}

// checkList returns the faults of a list to which every write appends its value, oldest
// first. A list that holds only its newest values is not whole: what is older than its
// first value is not missed.
func (l *ledger) checkList(list []string, whole bool) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var faults []string
	at := map[string]int{}
	newest, after := moment(math.MinInt64), ""
	for i, value := range list {
		w := l.writes[value]
		if first, twice := at[value]; twice {
			faults = append(faults, fmt.Sprintf("doubled: %q is at %d and at %d", value, first, i))
			continue
		}
		at[value] = i
		switch {
		case w == nil:
			faults = append(faults, fmt.Sprintf("invented: nobody wrote %q", value))
			continue
		case w.outcome == refused:
			faults = append(faults, fmt.Sprintf("kept though refused: %q", value))
		}
		if w.ended < newest {
			faults = append(faults,
				fmt.Sprintf("out of order: %q stands after %q, which was written later", value, after))
		}
		if w.begun > newest {
			newest, after = w.begun, value
		}
	}
	from := moment(math.MinInt64)
	if !whole && len(list) > 0 && l.writes[list[0]] != nil {
		from = l.writes[list[0]].ended
	}
	for value, w := range l.writes {
		if _, there := at[value]; !there && w.outcome == acknowledged && !w.gone && w.begun > from {
			faults = append(faults, fmt.Sprintf("lost: %q, which was acknowledged", value))
		}
	}
	return faults
}

// checkValue returns the fault of a place that every write overwrites, "" if there is none.
// An empty value means that nothing was written.
func (l *ledger) checkValue(value string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	since := moment(math.MinInt64) // what began after it replaces the value
	if value != "" {
		w := l.writes[value]
		switch {
		case w == nil:
			return fmt.Sprintf("invented: nobody wrote %q", value)
		case w.outcome == refused:
			return fmt.Sprintf("kept though refused: %q", value)
		}
		since = w.ended
	}
	for other, w := range l.writes {
		if w.outcome == acknowledged && w.begun > since {
			return fmt.Sprintf("lost: %q, which was acknowledged; there is %q, which is older", other, value)
		}
	}
	return ""
}

// A clearing is a request to delete everything.
type clearing struct {
	begun, ended moment
	outcome      outcome
}

// A bag holds values that can only be added, and all deleted at once. It is safe for
// concurrent use.
type bag struct {
	ledger
	clearings []*clearing // guarded by ledger.mu
}

func newBag() *bag { return &bag{ledger: ledger{writes: map[string]*write{}}} }

// clear records that everything is about to be deleted. The returned function records the
// outcome.
func (b *bag) clear(now moment) func(is outcome, now moment) {
	b.mu.Lock()
	defer b.mu.Unlock()
	c := &clearing{begun: now, ended: never}
	b.clearings = append(b.clearings, c)
	return func(is outcome, now moment) {
		b.mu.Lock()
		defer b.mu.Unlock()
		c.outcome, c.ended = is, now
	}
}

// check returns the faults of the values that a request has read. The server has seen all
// writes up to the moment seen, and none after ended.
func (b *bag) check(values []string, seen, ended moment) []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	var faults []string
	there := map[string]bool{}
	for _, value := range values {
		w := b.writes[value]
		switch {
		case w == nil:
			faults = append(faults, fmt.Sprintf("invented: nobody wrote %q", value))
			continue
		case there[value]:
			faults = append(faults, fmt.Sprintf("doubled: %q", value))
		case w.outcome == refused && w.ended < seen:
			faults = append(faults, fmt.Sprintf("kept though refused: %q", value))
		}
		there[value] = true
		for _, c := range b.clearings {
			if c.outcome == acknowledged && w.ended < c.begun && c.ended < seen {
				faults = append(faults, fmt.Sprintf("came back: %q, which was purged", value))
				break
			}
		}
	}
	for value, w := range b.writes {
		if there[value] || w.outcome != acknowledged || w.ended > seen {
			continue
		}
		cleared := false
		for _, c := range b.clearings {
			cleared = cleared || c.outcome != refused && c.ended > w.begun && c.begun < ended
		}
		if !cleared {
			faults = append(faults, fmt.Sprintf("lost: %q, which was acknowledged", value))
		}
	}
	return faults
}
