package memory

import "github.com/wm-lsp/wm-lsp/memory/room"

// Tellers returns the rooms that have sections of the context.
func (w *Workspace) Tellers() []room.Teller {
	var tellers []room.Teller
	for _, r := range w.rooms.Load().list {
		if teller, is := r.(room.Teller); is {
			tellers = append(tellers, teller)
		}
	}
	return tellers
}
