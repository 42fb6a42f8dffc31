package service

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// An Outbox receives the notifications to a client.
type Outbox interface {
	// Changed may wait for the client. Changes that happen meanwhile are combined
	// into the next call.
	Changed(ctx context.Context, changed wire.Changed)
	// Intervene and Compacted are called on the queue of a workspace and must not
	// wait for the client.
	Intervene(intervention wire.Intervention)
	Compacted(compacted wire.HistoryCompacted)
	// Tell tells a person what must be known now. It must not wait for the client.
	Tell(message string)
	// Ask asks a person. It must not wait for the answer.
	Ask(question Question)
}

// Silent is an Outbox that drops everything: what a command does is in its result.
type Silent struct{}

// Changed does nothing.
func (Silent) Changed(context.Context, wire.Changed) {}

// Intervene does nothing.
func (Silent) Intervene(wire.Intervention) {}

// Compacted does nothing.
func (Silent) Compacted(wire.HistoryCompacted) {}

// Tell does nothing.
func (Silent) Tell(string) {}

// Ask does nothing.
func (Silent) Ask(Question) {}

// A notifier notifies the client of changes. Changes that a slow client has not
// received yet are combined into one notification, so the client blocks nobody.
type notifier struct {
	service *Service

	mu      sync.Mutex
	seq     int64
	pending map[*memory.Workspace]map[string]bool // ids of the changed sections
	wake    chan struct{}
	begun   chan struct{} // closed when the folders of the client are open

	ages map[*memory.Workspace]string // the ages of sessions that were painted last; of Tell
}

func (n *notifier) init() {
	n.pending = map[*memory.Workspace]map[string]bool{}
	n.ages = map[*memory.Workspace]string{}
	n.wake, n.begun = make(chan struct{}, 1), make(chan struct{})
}

// Tell passes changes to the outbox until ctx is done.
func (s *Service) Tell(ctx context.Context) {
	select {
	case <-ctx.Done():
		return
	case <-s.notifier.begun:
	}
	minute := time.NewTicker(time.Minute)
	defer minute.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-minute.C:
			s.notifier.age()
		case <-s.notifier.wake:
			s.notifier.send(ctx)
		}
	}
}

// age records a change of the sections that say ages of ended sessions if they say others than before.
func (n *notifier) age() {
	for _, f := range n.service.folders.all() {
		w := f.workspace
		ages := w.Sessions().Ages(w.Now())
		if n.ages[w] != ages {
			n.note(w, w.PanelSections([]string{sessions.Kind}))
		}
		n.ages[w] = ages
	}
}

// current returns the sequence number of the newest change.
func (n *notifier) current() int64 {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.seq
}

// changed records changes of a workspace. It does not block.
func (n *notifier) changed(w *memory.Workspace, nouns []string) {
	if slices.Contains(nouns, longterm.Noun) || slices.Contains(nouns, memory.WorkspaceNoun) {
		n.service.exporter.changed(w)
	}
	n.note(w, w.PanelSections(nouns))
}

// note records changes of sections of a workspace.
func (n *notifier) note(w *memory.Workspace, changed []string) {
	n.mu.Lock()
	sections := n.pending[w]
	if sections == nil {
		sections = map[string]bool{}
		n.pending[w] = sections
	}
	for _, section := range changed {
		sections[section] = true
	}
	n.seq++
	n.mu.Unlock()
	select {
	case n.wake <- struct{}{}:
	default:
	}
}

// everything records a change of all sections of all workspaces.
func (n *notifier) everything() {
	for _, f := range n.service.folders.all() {
		n.changed(f.workspace, []string{memory.WorkspaceNoun})
	}
}

// send passes the pending changes of all open folders to the outbox.
func (n *notifier) send(ctx context.Context) {
	n.mu.Lock()
	pending, seq := n.pending, n.seq
	n.pending = map[*memory.Workspace]map[string]bool{}
	n.mu.Unlock()
	for _, f := range n.service.folders.all() {
		sections := pending[f.workspace]
		if len(sections) == 0 {
			continue
		}
		delete(pending, f.workspace)
		n.service.options.Outbox.Changed(ctx, wire.Changed{
			Workspace: f.uri, Seq: seq, Sections: slices.Sorted(maps.Keys(sections)),
		})
	}
}
