//go:build linux

package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// servers is the number of servers that run at once.
const servers = 8

// A world is what the servers of a run share.
type world struct {
	seed                  uint64
	copy                  string // where the data is copied to at the end, "" if nowhere
	server                string // the program
	data, temporary       string // folders of the servers
	kept, purged          string // workspaces: purged is purged again and again, kept never
	slots                 []*slot
	disk                  disk
	clock                 atomic.Int64
	past                  atomic.Int64 // a moment that is delay ago
	full                  fullness
	entries               *ledger // the text of each entry of kept, in the order of its log
	bag                   *bag    // the text of each entry of purged
	erasures              erasures
	sessions              map[string]*sessionModel
	scratch               erasures // sessions that were deleted
	log                   logReader
	faults                faults
	counts                counts
	refusals              safeTally
	endings               safeTally
	starts                atomic.Int64
	maxResident, maxFiles atomic.Int64
}

func newWorld(dir string, seed uint64, mount bool) (*world, error) {
	w := &world{
		seed: seed, data: filepath.Join(dir, "data"), temporary: filepath.Join(dir, "tmp"),
		kept: filepath.Join(dir, "kept"), purged: filepath.Join(dir, "purged"), disk: limitedDisk{},
		entries: newLedger(), bag: newBag(), sessions: map[string]*sessionModel{},
	}
	for _, folder := range []string{w.data, w.temporary, w.kept, w.purged} {
		if err := os.Mkdir(folder, 0o700); err != nil {
			return nil, err
		}
	}
	for _, name := range []string{"cart.go", "cart_test.go", "tax.go"} {
		for _, folder := range []string{w.kept, w.purged} {
			if err := os.WriteFile(filepath.Join(folder, name), []byte("package cart\n"), 0o600); err != nil {
				return nil, err
			}
		}
	}
	var err error
	if w.server, err = buildServer(dir); err != nil {
		return nil, err
	}
	if mount {
		if w.disk, err = mountDisk(w.data); err != nil {
			return nil, err
		}
	}
	for i := range servers {
		s := newSlot(w, i)
		w.slots, w.sessions[s.session] = append(w.slots, s), newSessionModel()
	}
	return w, nil
}

// tick returns the next moment.
func (w *world) tick() moment { return moment(w.clock.Add(1)) }

// delay is how old the answer of a server may be: it looks for the writes of others every
// second at the latest. It is for a machine that does other work, too.
const delay = 20 * time.Second

// seen returns the moment up to which every server has seen all writes.
func (w *world) seen() moment { return moment(w.past.Load()) }

// remember moves the moment that seen returns.
func (w *world) remember(ctx context.Context) {
	var ticks []int64
	for sleep(ctx, time.Second) {
		ticks = append(ticks, int64(w.tick()))
		if old := len(ticks) - int(delay/time.Second); old >= 0 {
			w.past.Store(ticks[old])
		}
	}
}

// value returns a word that is used once.
func (w *world) value() string { return word(w.clock.Add(1)) }

// wordLength is the length of every word, so that none is a part of another.
const wordLength = 10

// word writes a number in syllables. A word looks like prose to the rules of redaction.
func word(n int64) string {
	const consonants, vowels = "bdfgklmnprstvwzh", "aeiou"
	text := make([]byte, 0, wordLength)
	for len(text) < wordLength {
		syllable := n % int64(len(consonants)*len(vowels))
		n /= int64(len(consonants) * len(vowels))
		text = append(text, consonants[syllable/int64(len(vowels))], vowels[syllable%int64(len(vowels))])
	}
	return string(text)
}

// sentence is a string with a value, as a person would write it.
func sentence(value string) string { return "Amounts of the cart follow rule " + value }

// line is a string with a value that is not a sentence.
func line(value string) string { return "Read line " + value }

// valuesAfter returns the words of a string that stand after a mark, in order.
func valuesAfter(text, mark string) []string {
	var values []string
	for _, part := range strings.Split(text, mark)[1:] {
		if len(part) >= wordLength {
			values = append(values, part[:wordLength])
		}
	}
	return values
}

const (
	inSentence = " rule "
	inLine     = " line "
)

// erasures are the values whose erasure was acknowledged. It is safe for concurrent use.
type erasures struct {
	mu   sync.Mutex
	when map[string]moment
}

func (e *erasures) add(value string, now moment) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.when == nil {
		e.when = map[string]moment{}
	}
	e.when[value] = now
}

// has reports whether a value had been erased at a moment.
func (e *erasures) has(value string, now moment) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	when, there := e.when[value]
	return there && when < now
}

// all returns the values.
func (e *erasures) all() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Sorted(maps.Keys(e.when))
}

// before returns the values in a string that had been erased at a moment.
func (e *erasures) before(now moment, text string) []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	var erased []string
	for _, value := range valuesAfter(text, inSentence) {
		if when, there := e.when[value]; there && when < now {
			erased = append(erased, value)
		}
	}
	return erased
}

// A sessionModel is the model of a session.
type sessionModel struct {
	note     *ledger // the lines of listNote
	progress *ledger // the lines of the block progress
	goal     *ledger // the block goal
	items    *ledger // the items of the slot soak
	messages *ledger // the conversation
}

func newSessionModel() *sessionModel {
	return &sessionModel{newLedger(), newLedger(), newLedger(), newLedger(), newLedger()}
}

// together runs functions at once and waits for all of them.
func (w *world) together(functions ...func()) {
	var group sync.WaitGroup
	for _, run := range functions {
		group.Go(run)
	}
	group.Wait()
}

// each runs a function for all slots at once.
func (w *world) each(run func(s *slot)) {
	var group sync.WaitGroup
	for _, s := range w.slots {
		group.Go(func() { run(s) })
	}
	group.Wait()
}

// faults collects what is wrong. It is safe for concurrent use.
type faults struct {
	mu     sync.Mutex
	counts tally
	first  map[string]string // by kind
	order  []string
}

// add counts a fault of the kind that the format describes.
func (f *faults) add(format string, args ...any) { f.addKind(format, fmt.Sprintf(format, args...)) }

// addKind counts a fault. The first of each kind is printed at once.
func (f *faults) addKind(kind, fault string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.counts == nil {
		f.counts, f.first = tally{}, map[string]string{}
	}
	if f.counts[kind]++; f.counts[kind] == 1 {
		f.first[kind] = fault
		f.order = append(f.order, kind)
		fmt.Println("soak: FAULT:", fault)
	}
}

func (f *faults) total() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	total := 0
	for _, count := range f.counts {
		total += count
	}
	return total
}

func (f *faults) print() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, kind := range f.order {
		fmt.Printf("soak: %d × FAULT: %s\n", f.counts[kind], f.first[kind])
	}
}

// A safeTally is a tally that is safe for concurrent use.
type safeTally struct {
	mu    sync.Mutex
	tally tally
}

func (t *safeTally) add(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.tally == nil {
		t.tally = tally{}
	}
	t.tally[name]++
}

func (t *safeTally) get(name string) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.tally[name]
}

func (t *safeTally) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.tally.text()
}

// counts are the calls of every method, and those with a result. It is safe for concurrent
// use.
type counts struct{ called, answered safeTally }

func (c *counts) sums() (called, acknowledged int) { return c.called.sum(), c.answered.sum() }

func (c *counts) acknowledged(method string) int { return c.answered.get(method) }

func (t *safeTally) sum() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	total := 0
	for value := range maps.Values(t.tally) {
		total += value
	}
	return total
}
