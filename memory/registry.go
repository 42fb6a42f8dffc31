package memory

import (
	"fmt"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/briefing"
	"github.com/wm-lsp/wm-lsp/memory/core"
	"github.com/wm-lsp/wm-lsp/memory/fixes"
	"github.com/wm-lsp/wm-lsp/memory/history"
	"github.com/wm-lsp/wm-lsp/memory/hot"
	"github.com/wm-lsp/wm-lsp/memory/index"
	"github.com/wm-lsp/wm-lsp/memory/items"
	"github.com/wm-lsp/wm-lsp/memory/limits"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/notes"
	"github.com/wm-lsp/wm-lsp/memory/outputs"
	"github.com/wm-lsp/wm-lsp/memory/pressure"
	"github.com/wm-lsp/wm-lsp/memory/reads"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
	"github.com/wm-lsp/wm-lsp/memory/settings"
	"github.com/wm-lsp/wm-lsp/memory/skills"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/memory/sweeps"
	"github.com/wm-lsp/wm-lsp/memory/working"
	"github.com/wm-lsp/wm-lsp/recall"
)

// A memoryType is a line of the registry: the constructor of its rooms and that of its
// service. Either may be missing.
type memoryType struct {
	room    room.Maker
	service func(host) any
}

// builtin returns the built-in memory types, in the order in which they are called.
func builtin() []memoryType {
	return []memoryType{
		{room: makerOf(sessions.New), service: func(h host) any { return sessions.NewService(h) }},
		// before others decide by them
		{room: makerOf(limits.New), service: func(h host) any { return limits.NewService(h, h.options.Limits) }},
		{room: makerOf(hot.New)},
		{room: makerOf(longterm.New), service: func(h host) any { return longterm.NewService(h) }},
		{room: makerOf(pressure.New)},
		{room: makerOf(core.New)},
		{room: makerOf(working.New)},
		{room: makerOf(notes.New), service: func(h host) any { return notes.NewService(h) }},
		{service: func(h host) any { return history.NewService(h, ServiceOf[*notes.Service](h.Workspace)) }},
		{service: func(h host) any { return outputs.NewService(h) }},
		{room: makerOf(briefing.New), service: func(h host) any { return briefing.NewService(h) }},
		{room: makerOf(items.New), service: func(h host) any { return items.NewService(h) }},
		{room: makerOf(fixes.New)},
		{room: makerOf(skills.New), service: func(h host) any { return skills.NewService(h) }},
		{room: makerOf(sweeps.New), service: func(h host) any { return sweeps.NewService(h) }},
		{room: makerOf(reads.New), service: func(h host) any { return reads.NewService(h) }},
		// last, because it reads the documents of the others
		{room: makerOf(index.New), service: func(h host) any { return index.NewService(h) }},
	}
}

// makerOf returns the constructor of a room as a Maker.
func makerOf[R room.Room](make func(room.Env) R) room.Maker {
	return func(env room.Env) room.Room { return make(env) }
}

// A registry makes and holds the rooms and services of a workspace. The current rooms and the
// version may be read at any time; the rest does not change after the workspace is made.
type registry struct {
	env      room.Env // without Live, Deleted, Open and Sources, which belong to a set of rooms
	makers   []room.Maker
	current  atomic.Pointer[rooms]
	version  atomic.Int64         // rises with every change of the state
	services []any                // of the built-in memory types
	nouns    map[string]room.Noun // by name
}

// newRegistry returns a registry with the built-in rooms and further ones. All are empty. The
// error is not nil if two rooms announce the same noun; the registry can be used nevertheless.
func newRegistry(env room.Env, further []room.Maker) (*registry, error) {
	r := &registry{env: env}
	for _, builtin := range builtin() {
		if builtin.room != nil {
			r.makers = append(r.makers, builtin.room)
		}
	}
	r.makers = append(r.makers, further...)
	all := r.fresh()
	r.current.Store(all)
	var err error
	r.nouns, err = nounsOf(all.list)
	return r, err
}

// addServices makes the services of the built-in memory types. A constructor may use
// ServiceOf for services of previous lines.
func (r *registry) addServices(h host) {
	for _, builtin := range builtin() {
		if builtin.service != nil {
			r.services = append(r.services, builtin.service(h))
		}
	}
}

// Load returns the current rooms.
func (r *registry) Load() *rooms { return r.current.Load() }

// Store replaces the current rooms.
func (r *registry) Store(all *rooms) { r.current.Store(all) }

// fresh returns a set of empty rooms.
func (r *registry) fresh() *rooms {
	all := &rooms{}
	env := r.env
	env.Live = func(session string) bool { return all.sessions.Live(session) }
	env.EndedAt = func(session string) time.Time {
		known, _ := all.sessions.Get(session)
		return known.EndedAt
	}
	env.Deleted = func(session string) bool { return all.sessions.Deleted(session) }
	env.Open = all.open
	env.Sources = func() []room.Source { return room.All[room.Source](all.list) }
	env.Coefficients = func() recall.Coefficients { return all.coefficients(env.Settings().Recall) }
	for _, make := range r.makers {
		all.list = append(all.list, make(env))
	}
	all.sessions, _ = room.Find[*sessions.Room](all.list)
	return all
}

// holding returns rooms that hold a state. Rows that cannot be read are set aside later.
func (r *registry) holding(state store.State) *rooms {
	fresh := r.fresh()
	for _, one := range fresh.list {
		if bad := room.LoadReadable(one, state.Rows[one.Name()]); len(bad) > 0 {
			r.env.Unreadable(one.Name(), bad)
		}
	}
	return fresh
}

// each calls f with every room and service that is a T, rooms first.
func each[T any](r *registry, f func(T)) {
	for _, room := range r.Load().list {
		if found, is := room.(T); is {
			f(found)
		}
	}
	for _, s := range r.services {
		if found, is := s.(T); is {
			f(found)
		}
	}
}

// rooms is a set of all rooms.
type rooms struct {
	list     []room.Room // in the order in which they are called
	sessions *sessions.Room
}

// coefficients returns how what is found is rated.
func (all *rooms) coefficients(set settings.Recall) recall.Coefficients {
	of := reads.CoefficientsOf(set)
	if known, there := room.Find[*reads.Room](all.list); there {
		return known.Coefficients(of)
	}
	return of
}

// open reports whether an error is open in the hot state.
func (all *rooms) open(worktree, fingerprint string) bool {
	known, there := room.Find[*hot.Room](all.list)
	if !there {
		return false
	}
	_, open := known.Open(worktree, fingerprint)
	return open
}

// Rooms returns all rooms, in the order in which they are called.
func (w *Workspace) Rooms() []room.Room { return slices.Clone(w.rooms.Load().list) }

// RoomOf returns the room of type R of a workspace. It panics if R is neither a built-in
// room nor one of Options.Rooms.
func RoomOf[R room.Room](w *Workspace) R { return roomIn[R](w.rooms) }

func roomIn[R room.Room](r *registry) R {
	found, there := room.Find[R](r.Load().list)
	if !there {
		panic(fmt.Sprintf("memory: the workspace has no room of type %T", found))
	}
	return found
}

// WorkspaceNoun is the noun of the changes that the workspace itself writes. They affect
// all sections.
const WorkspaceNoun = "workspace"

// ProblemsSection is the section of the panel with the problems of the workspace.
const ProblemsSection = "problems"

// nounsOf returns the nouns of the rooms and of the workspace, by name. If a noun is
// announced twice, the first one is used and an error is returned.
func nounsOf(all []room.Room) (map[string]room.Noun, error) {
	own := room.Noun{Name: WorkspaceNoun, Panel: []string{ProblemsSection}}
	blank := room.Noun{Name: store.KindBlank.Noun()}
	by := map[string]string{own.Name: WorkspaceNoun, blank.Name: WorkspaceNoun}
	nouns := map[string]room.Noun{blank.Name: blank}
	var err error
	for _, r := range all {
		announcer, announces := r.(room.Announcer)
		if !announces {
			continue
		}
		for _, noun := range announcer.Nouns() {
			if other, there := by[noun.Name]; there {
				err = fmt.Errorf("the memory types %s and %s both write changes of %q", other, r.Name(), noun.Name)
				continue
			}
			by[noun.Name], nouns[noun.Name] = r.Name(), noun
			own.Panel = append(own.Panel, noun.Panel...)
			own.Context = append(own.Context, noun.Context...)
		}
	}
	slices.Sort(own.Panel)
	slices.Sort(own.Context)
	own.Panel, own.Context = slices.Compact(own.Panel), slices.Compact(own.Context)
	nouns[own.Name] = own
	return nouns, err
}

// Nouns returns the nouns of the rooms and of the workspace, by name.
func (w *Workspace) Nouns() map[string]room.Noun { return maps.Clone(w.rooms.nouns) }

// PanelSections returns the sorted ids of the sections of the panel that changes with some
// nouns affect.
func (w *Workspace) PanelSections(nouns []string) []string {
	set := map[string]bool{}
	for _, noun := range nouns {
		for _, section := range w.rooms.nouns[noun].Panel {
			set[section] = true
		}
	}
	return sorted(set)
}
