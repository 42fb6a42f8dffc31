package memory

import (
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/room"
)

// A notifier notifies the followers and the caller of the workspace of changes. It is used on the
// queue only, except everythingChanged.
type notifier struct {
	rooms *registry
	// changed is called with the nouns of changes. It must not block.
	changed func(nouns []string)

	waiting []change.Change // of other processes, folded in a transaction that has not ended
}

// later adds changes of which notifyAll notifies.
func (n *notifier) later(changes []change.Change) { n.waiting = append(n.waiting, changes...) }

// notifyAll notifies of the changes that wait, and of further ones after them.
func (n *notifier) notifyAll(further ...change.Change) {
	changes := append(n.waiting, further...)
	n.waiting = nil
	n.notify(changes)
}

// notify notifies of changes.
func (n *notifier) notify(changes []change.Change) {
	if len(changes) == 0 {
		return
	}
	n.rooms.version.Add(1)
	nouns := map[string]bool{}
	for _, c := range changes {
		nouns[c.Kind.Noun()] = true
	}
	each(n.rooms, func(f room.Follower) { f.Committed(changes) })
	n.changed(sorted(nouns))
}

// everythingChanged notifies the caller of the workspace that everything may have changed.
func (n *notifier) everythingChanged() {
	n.rooms.version.Add(1)
	n.changed([]string{WorkspaceNoun})
}
