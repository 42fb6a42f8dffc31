package memory

import (
	"maps"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
)

// lately is how long a process counts as one that writes after its changes were read. It is longer
// than the longest time between two readings.
const lately = 2 * refreshCrowded

// writers are the other processes whose changes were read lately: by their origin, when that was
// last. It is used on the queue only.
type writers struct{ read map[string]time.Time }

// note records changes that were read at a time.
func (w *writers) note(changes []change.Change, at time.Time) {
	if w.read == nil {
		w.read = map[string]time.Time{}
	}
	for i := range changes {
		w.read[changes[i].Origin] = at
	}
}

// count returns how many there are now.
func (w *writers) count(now time.Time) int {
	maps.DeleteFunc(w.read, func(_ string, at time.Time) bool { return now.Sub(at) > lately })
	return len(w.read)
}
