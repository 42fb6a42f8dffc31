// Package cores runs work that has many parts on several processors for a moment, and says how far the heap grows
// between collections of garbage and how large a stack begins. Otherwise a process runs on one processor, see
// cmd/wm-lsp.
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
	if parts >= fewest {
		if narrow := c.widen(most); narrow != nil {
			defer narrow()
			defer c.pacing.roomy()()
		}
	}
	do()
}

// Beside calls do, which takes long and for which nobody waits, and lets the process run on a second processor until do
// returns: on one, a request is only noticed when it is the turn of the runtime, after 10 ms.
func (c *Cores) Beside(do func()) {
	if narrow := c.widen(2); narrow != nil {
		defer narrow()
	}
	do()
}

// widen lets the process run on several processors until the function that it returns is called. It returns nil and
// changes nothing if there are no more processors, or another call has widened the process.
func (c *Cores) widen(processors int) (narrow func()) {
	processors = min(runtime.NumCPU(), processors)
	if c == nil || runtime.GOMAXPROCS(0) >= processors || os.Getenv("GOMAXPROCS") != "" || !c.changing.TryLock() {
		return nil
	}
	former := runtime.GOMAXPROCS(processors)
	return func() {
		runtime.GOMAXPROCS(former)
		c.changing.Unlock()
	}
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
