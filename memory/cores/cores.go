// Package cores runs work that has many parts on several processors for a moment, and says how far the heap grows
// between collections of garbage. Otherwise a process runs on one processor, see cmd/wm-lsp.
package cores

import (
	"os"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/sourcegraph/conc"
)

const (
	// fewest is for how many parts it is worth to start threads.
	fewest = 100
	// most is how many processors are used, so that other processes have some.
	most = 4
)

// Cores are the processors of a process and its heap, whose settings are those of the runtime: a process has at most
// one. Nil changes no setting.
type Cores struct {
	changing sync.Mutex // held while the process runs on several processors
	pacing   pacing
}

// While calls do, whose work has a number of parts. If they are many, the process runs on several processors until do
// returns, and what it does in the background does not wait for do.
func (c *Cores) While(parts int, do func()) {
	workers := min(runtime.NumCPU(), most)
	if c == nil || parts < fewest || runtime.GOMAXPROCS(0) >= workers || os.Getenv("GOMAXPROCS") != "" ||
		!c.changing.TryLock() {
		do()
		return
	}
	defer c.changing.Unlock()
	defer c.pacing.roomy()()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(workers))
	do()
}

// ForEach calls do with each element of a list and its place. If they are many and the process runs on several
// processors, the calls run beside each other, in any order. It panics if do does.
func ForEach[T any](list []T, do func(i int, element *T)) { Begin(list, do)() }

// Begin is ForEach beside what its caller does, if the process runs on several processors. The function that it returns
// takes part in the rest, and returns when all is done.
func Begin[T any](list []T, do func(i int, element *T)) (finish func()) {
	var next atomic.Int64
	work := func() {
		for i := next.Add(1) - 1; i < int64(len(list)); i = next.Add(1) - 1 {
			do(int(i), &list[i])
		}
	}
	var others conc.WaitGroup
	if len(list) >= fewest {
		for range min(runtime.GOMAXPROCS(0), most) - 1 {
			others.Go(work)
		}
	}
	return func() {
		defer others.Wait()
		work()
	}
}
