package server

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
	server *Server

	mu      sync.Mutex
	seq     int64
	waiting map[*memory.Workspace]map[string]bool
	wake    chan struct{}
}

func (n *notifier) start(ctx context.Context) {
	n.waiting = map[*memory.Workspace]map[string]bool{}
	n.wake = make(chan struct{}, 1)
	go func() {
		for {
			select {
			case <-ctx.Done():
				return
			case <-n.wake:
				n.send(ctx)
			}
		}
	}()
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
	for _, f := range n.server.folders.all() {
		n.changed(f.workspace, []string{memory.WorkspaceNoun})
	}
}

func (n *notifier) send(ctx context.Context) {
	n.mu.Lock()
	waiting, seq := n.waiting, n.seq
	n.waiting = map[*memory.Workspace]map[string]bool{}
	n.mu.Unlock()
	if !n.server.client.notifications {
		return
	}
	for _, f := range n.server.folders.all() {
		sections := waiting[f.workspace]
		if len(sections) == 0 {
			continue
		}
		delete(waiting, f.workspace)
		doc, err := encoded(wire.Changed{Workspace: f.uri, Seq: seq, Sections: slices.Sorted(maps.Keys(sections))})
		if err == nil {
			err = n.server.conn.Notify(ctx, wire.NotificationChanged, doc)
		}
		if err != nil {
			n.server.log.Debug("tell the client what changed", "error", err)
		}
	}
}

// tellClient sends a notification of ours to a client that wants them. It does
// not wait for the client.
func (s *Server) tellClient(method string, params any) {
	if !s.client.notifications {
		return
	}
	doc, err := encoded(params)
	if err != nil {
		s.log.Error("encode a notification", "method", method, "error", err)
		return
	}
	s.later(func(ctx context.Context) {
		if err := s.conn.Notify(ctx, method, doc); err != nil {
			s.log.Debug("tell the client", "method", method, "error", err)
		}
	})
}
