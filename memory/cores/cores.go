// Package cores runs work that has many parts on several processors for a moment. Otherwise a process runs on one, see
// cmd/wm-lsp.
package cores

import (
	"os"
	"runtime"
	"sync"

	"github.com/sourcegraph/conc/iter"
)

const (
	// fewest is for how many parts it is worth to start threads.
	fewest = 100
	// most is how many processors are used, so that other processes have some.
	most = 4
)

// changing is held while the process runs on several processors, which is a setting of its runtime.
var changing sync.Mutex

// ForEach calls do with each element of a list and its place. If they are many, the calls run beside each other, in any
// order. It panics if do does.
func ForEach[T any](list []T, do func(i int, element *T)) {
	workers := min(runtime.NumCPU(), most)
	if os.Getenv("GOMAXPROCS") != "" { // somebody has decided
		workers = runtime.GOMAXPROCS(0)
	}
	if len(list) < fewest || workers == 1 || !changing.TryLock() {
		for i := range list {
			do(i, &list[i])
		}
		return
	}
	defer changing.Unlock()
	if usual := runtime.GOMAXPROCS(0); usual < workers {
		runtime.GOMAXPROCS(workers)
		defer runtime.GOMAXPROCS(usual)
	}
	iter.Iterator[T]{MaxGoroutines: workers}.ForEachIdx(list, do)
}
