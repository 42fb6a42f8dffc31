package service

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// A notifier tells the client what changed. What a slow client has not yet
// been told collapses into one notification, so that it never holds anything up.
type notifier struct {
	service *Service

	mu      sync.Mutex
	seq     int64
	waiting map[*memory.Workspace]map[string]bool
	wake    chan struct{}
}

func (n *notifier) init() {
	n.waiting = map[*memory.Workspace]map[string]bool{}
	n.wake = make(chan struct{}, 1)
}

// Tell tells the outbox what changed, until ctx is done.
func (s *Service) Tell(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.notifier.wake:
			s.notifier.send(ctx)
		}
	}
}

// current is the seq of what is known now.
func (n *notifier) current() int64 {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.seq
}

// changed notes that something changed. It does not block.
func (n *notifier) changed(w *memory.Workspace, nouns []string) {
	n.mu.Lock()
	sections := n.waiting[w]
	if sections == nil {
		sections = map[string]bool{}
		n.waiting[w] = sections
	}
	for _, section := range w.PanelSections(nouns) {
		sections[section] = true
	}
	n.seq++
	n.mu.Unlock()
	select {
	case n.wake <- struct{}{}:
	default:
	}
}

// everything notes that all sections may look different.
func (n *notifier) everything() {
	for _, f := range n.service.folders.all() {
		n.changed(f.workspace, []string{memory.WorkspaceNoun})
	}
}

func (n *notifier) send(ctx context.Context) {
	n.mu.Lock()
	waiting, seq := n.waiting, n.seq
	n.waiting = map[*memory.Workspace]map[string]bool{}
	n.mu.Unlock()
	for _, f := range n.service.folders.all() {
		sections := waiting[f.workspace]
		if len(sections) == 0 {
			continue
		}
		delete(waiting, f.workspace)
		n.service.options.Outbox.Changed(ctx, wire.Changed{
			Workspace: f.uri, Seq: seq, Sections: slices.Sorted(maps.Keys(sections)),
		})
	}
}
