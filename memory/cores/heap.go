package cores

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// The heap may grow by UsualGrowth per cent until the next collection, but by headroom bytes only if it is large: most
// of a large heap is what is known of the documents of the index, which has no pointers and is not looked through.
// While many parts are worked on it may grow by batchHeadroom bytes: nearly all that is allocated then is garbage when
// they are done, and a collection amid them would look through what is still in use.
const (
	UsualGrowth   = 100
	headroom      = 4 << 20
	batchHeadroom = 24 << 20
	leastGrowth   = 10
)

// pacing is the growth of the heap between collections, a setting of the runtime in per cent.
type pacing struct {
	mu     sync.Mutex
	on     bool
	batch  bool // many parts are worked on
	growth int
}

// Pace sets how far the heap grows until the next collection, and does so again after each.
func (c *Cores) Pace() {
	c.pacing.start()
	AfterCollection(c.Pace)
}

func (p *pacing) start() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.on = true
	p.pace()
}

// pace sets the growth that is wanted now. The caller holds the lock.
func (p *pacing) pace() {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	wanted := growthFor(live[0].Value.Uint64(), p.batch)
	if wanted != p.growth {
		p.growth = wanted
		debug.SetGCPercent(wanted)
	}
}

// growthFor returns by how many per cent a heap of some bytes may grow.
func growthFor(live uint64, batch bool) int {
	switch {
	case batch:
		return max(leastGrowth, int(100*batchHeadroom/max(live, 1<<20)))
	case live > headroom:
		return max(leastGrowth, int(UsualGrowth*headroom/live))
	}
	return UsualGrowth
}

// roomy lets the heap grow further until the function that it returns is called, if it is paced.
func (p *pacing) roomy() (usual func()) {
	set := func(batch bool) {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.batch = batch; p.on {
			p.pace()
		}
	}
	set(true)
	return func() { set(false) }
}

// AfterCollection calls do after the next collection of garbage.
func AfterCollection(do func()) {
	runtime.AddCleanup(new([64]byte), func(do func()) { do() }, do) // it is garbage already
}
