package memory

import (
	"log/slog"
	"maps"
	"slices"
	"sync"

	"github.com/wm-lsp/wm-lsp/memory/room"
)

// A Problem is a problem that a person should know about, with a fix.
type Problem = room.Problem

// The subjects of problems.
const (
	aboutStore   = "store"
	aboutSaved   = "damaged database"
	aboutAside   = "erased from what was set aside"
	aboutRows    = "unreadable rows"
	aboutTables  = "missing tables"
	aboutRemoved = "removed folder"
	aboutRooms   = "rooms"
	aboutLease   = "lease of a session"
	aboutOrigin  = "origin of changes"
	// aboutRecorded is where the folder of the workspace is.
	aboutRecorded = "recorded folder"
	// aboutLockWait is that another process has been writing for long.
	aboutLockWait = "lock of the memory"
	// aboutErasing is that files may still hold what was erased.
	aboutErasing = "erasing"
)

// checkFolder returns the fix for an error of writing files in a folder.
func checkFolder(dir string) string {
	return "Check that the folder " + dir + " and its files can be read and written, and that the disk is not full."
}

// problems holds the current problems of a workspace. It is safe for concurrent use.
type problems struct {
	log *slog.Logger
	// changed is called after every change. It must not block.
	changed func()

	mu sync.RWMutex
	by map[string]Problem // by subject
}

func newProblems(log *slog.Logger) *problems {
	return &problems{log: log, changed: func() {}, by: map[string]Problem{}}
}

// set sets the problem of a subject. It logs the problem if it is new.
func (p *problems) set(about string, problem Problem) {
	p.mu.Lock()
	known, there := p.by[about]
	p.by[about] = problem
	p.mu.Unlock()
	if !there || known != problem {
		p.log.Warn("problem of the workspace", "about", about, "problem", problem.Message)
		p.changed()
	}
}

func (p *problems) clear(about string) {
	p.mu.Lock()
	_, there := p.by[about]
	delete(p.by, about)
	p.mu.Unlock()
	if there {
		p.changed()
	}
}

func (p *problems) get(about string) (problem Problem, there bool) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	problem, there = p.by[about]
	return problem, there
}

// list returns the problems, ordered by subject.
func (p *problems) list() []Problem {
	p.mu.RLock()
	defer p.mu.RUnlock()
	list := make([]Problem, 0, len(p.by))
	for _, about := range slices.Sorted(maps.Keys(p.by)) {
		list = append(list, p.by[about])
	}
	return list
}
