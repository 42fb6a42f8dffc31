package memory

import (
	"fmt"
	"maps"
	"slices"

	"github.com/wm-lsp/wm-lsp/memory/core"
	"github.com/wm-lsp/wm-lsp/memory/history"
	"github.com/wm-lsp/wm-lsp/memory/hot"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/notes"
	"github.com/wm-lsp/wm-lsp/memory/outputs"
	"github.com/wm-lsp/wm-lsp/memory/pressure"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/memory/sweeps"
	"github.com/wm-lsp/wm-lsp/memory/working"
)

// A memoryType is a line of the registry: the constructor of its rooms and that of its
// service. Either may be missing.
type memoryType struct {
	room    room.Maker
	service func(host) any
}

// builtin returns the built-in memory types, in the order in which they are called.
func (w *Workspace) builtin() []memoryType {
	return []memoryType{
		{room: makerOf(sessions.New)},
		{room: makerOf(hot.New)},
		{room: makerOf(longterm.New), service: func(h host) any { return longterm.NewService(h) }},
		{room: makerOf(pressure.New)},
		{room: makerOf(core.New)},
		{room: makerOf(working.New)},
		{room: makerOf(notes.New), service: func(h host) any { return notes.NewService(h) }},
		{service: func(h host) any { return history.NewService(h, ServiceOf[*notes.Service](h.Workspace)) }},
		{service: func(h host) any { return outputs.NewService(h) }},
		{room: makerOf(sweeps.New), service: func(h host) any { return sweeps.NewService(h) }},
	}
}

// makerOf returns the constructor of a room as a Maker.
func makerOf[R room.Room](make func(room.Env) R) room.Maker {
	return func(env room.Env) room.Room { return make(env) }
}

// rooms is a set of all rooms.
type rooms struct {
	list     []room.Room // in the order in which they are called
	sessions *sessions.Room
}

// newRooms returns a set of empty rooms.
func (w *Workspace) newRooms() *rooms {
	all := &rooms{}
	env := room.Env{
		Settings: w.options.Settings, Now: w.now, NewID: w.newID, Log: w.log,
		Tracked: w.worktrees.tracked, Read: readFile, Exists: exists, Unchanged: unchanged,
		Relative: w.worktrees.relative,
		Retired:  w.store.retired, Unreadable: w.unreadable, SessionDir: w.store.sessionDir,
		Live: func(session string) bool { return all.sessions.Live(session) },
		Open: all.open, Trace: w.traceAll,
	}
	for _, builtin := range w.builtin() {
		if builtin.room != nil {
			all.list = append(all.list, builtin.room(env))
		}
	}
	for _, make := range w.options.Rooms {
		all.list = append(all.list, make(env))
	}
	all.sessions, _ = room.Find[*sessions.Room](all.list)
	return all
}

// makeServices makes the services of the built-in memory types. A constructor may use
// ServiceOf for services of previous lines.
func (w *Workspace) makeServices() {
	for _, builtin := range w.builtin() {
		if builtin.service != nil {
			w.services = append(w.services, builtin.service(host{w}))
		}
	}
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

// ContextProviders returns the rooms with sections of the context.
func (w *Workspace) ContextProviders() []room.ContextProvider {
	var providers []room.ContextProvider
	for _, r := range w.rooms.Load().list {
		if provider, is := r.(room.ContextProvider); is {
			providers = append(providers, provider)
		}
	}
	return providers
}

// RoomOf returns the room of type R of a workspace. It panics if R is neither a built-in
// room nor one of Options.Rooms.
func RoomOf[R room.Room](w *Workspace) R {
	found, there := room.Find[R](w.rooms.Load().list)
	if !there {
		panic(fmt.Sprintf("memory: the workspace has no room of type %T", found))
	}
	return found
}

// WorkspaceNoun is the noun of the changes that the workspace itself writes. They affect
// all sections.
const WorkspaceNoun = "workspace"

// nounsOf returns the nouns of the rooms and of the workspace, by name. If a noun is
// announced twice, the first one is used and an error is returned.
func nounsOf(all []room.Room) (map[string]room.Noun, error) {
	own := room.Noun{Name: WorkspaceNoun}
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
func (w *Workspace) Nouns() map[string]room.Noun { return maps.Clone(w.nouns) }

// PanelSections returns the sorted ids of the sections of the panel that changes with some
// nouns affect.
func (w *Workspace) PanelSections(nouns []string) []string {
	set := map[string]bool{}
	for _, noun := range nouns {
		for _, section := range w.nouns[noun].Panel {
			set[section] = true
		}
	}
	return sorted(set)
}
