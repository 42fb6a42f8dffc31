package working

import (
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/memory/change"
)

// BundleSession bundles the items and the event counter of a session that has ended.
func (r *Room) BundleSession(session string) []change.Row {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.unpack(session)
	s, there := r.sessions[session]
	if !there {
		return nil
	}
	return r.bundles.Bundle(session, s.rows())
}

// unbundle returns the touched rows when the rows of a session are stored one by one again. The lock must be held.
func (r *Room) unbundle(session string) []change.Row {
	return r.bundles.Unbundle(session, func() []change.Row { return r.at(session).rows() })
}

// rows returns the rows of a session with their values, sorted by key.
func (s *session) rows() (rows []change.Row) {
	for key, item := range s.items {
		rows = append(rows, change.NewRow(key, &item, nil))
	}
	for key, n := range s.events {
		rows = append(rows, change.NewRow(key, &n, nil))
	}
	slices.SortFunc(rows, func(a, b change.Row) int { return strings.Compare(a.Key, b.Key) })
	return rows
}
