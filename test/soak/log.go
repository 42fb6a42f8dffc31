//go:build linux

package main

import (
	"encoding/json"
	"slices"
	"sync"

	reading "github.com/wm-lsp/wm-lsp/memory/reads"
	"github.com/wm-lsp/wm-lsp/server/wire"
	"github.com/wm-lsp/wm-lsp/test/peer"
)

// A logReader reads the log of the workspace kept, and folds the entries in it.
type logReader struct {
	mu      sync.Mutex
	last    int64    // the seq of the last change that was read
	values  []string // of entries that were added or updated
	entries map[string]folded
}

// A folded is the state of an entry by the log.
type folded struct {
	Text   string
	Status wire.EntryStatus
}

// readLog reads the changes since the last call. The log has no holes.
func (s *slot) readLog() {
	w := s.world
	log := &w.log
	log.mu.Lock()
	defer log.mu.Unlock()
	var trace wire.TraceResult
	if err := s.call("wm/trace", peer.Object{"since": log.last, "limit": 1_000_000}, &trace); err != nil {
		return // the server may have ended, or the disk may be full
	}
	for _, change := range trace.Events {
		if change.Kind == string(reading.Assembled) || change.Kind == string(reading.Ran) ||
			change.Kind == string(reading.Used) {
			continue // no change, but a read after the change with this seq
		}
		if change.Seq != log.last+1 {
			w.faults.add("the log has a hole: change %d stands after %d", change.Seq, log.last)
		}
		log.last = change.Seq
		w.report("the log", log.fold(change))
	}
}

// fold folds a change.
func (l *logReader) fold(change wire.TraceEvent) []string {
	if l.entries == nil {
		l.entries = map[string]folded{}
	}
	var now folded
	switch change.Kind {
	case "memory.erased":
		delete(l.entries, change.Subject)
		return nil
	case "memory.added", "memory.updated":
		if err := json.Unmarshal(change.After, &now); err != nil {
			return []string{"a change cannot be read: " + err.Error()}
		}
		l.values = append(l.values, valuesAfter(now.Text, inSentence)...)
	case "memory.merged", "memory.superseded", "memory.removed", "memory.evicted", "memory.restored":
		if err := json.Unmarshal(change.After, &now); err != nil {
			return []string{"a change cannot be read: " + err.Error()}
		}
	default:
		return nil
	}
	if now.Text != "" { // else the change was blanked by an erasure
		l.entries[change.Subject] = now
	}
	return nil
}

func (l *logReader) seq() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.last
}

// active returns the text of each entry that are active by the log, sorted.
func (l *logReader) active() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	texts := []string{}
	for _, e := range l.entries {
		if e.Status == wire.StatusActive {
			texts = append(texts, e.Text)
		}
	}
	slices.Sort(texts)
	return texts
}
