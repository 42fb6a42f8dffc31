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

// A memoryType is one line of the registry: what makes its rooms, and its service
// if it has one. A type without a state has only a service.
type memoryType struct {
	room    room.Maker
	service func(host) any
}

// builtin returns the memory types that every workspace has, in the order in
// which they are asked.
func (w *Workspace) builtin() []memoryType {
	return []memoryType{
		{room: func(room.Env) room.Room { return sessions.New() }},
		{room: func(env room.Env) room.Room {
			return hot.New(hot.Options{Settings: env.Settings, Live: env.Live, Tracked: env.Tracked, Trace: env.Trace})
		}},
		{
			room: func(env room.Env) room.Room {
				return longterm.New(longterm.Options{
					Settings: env.Settings, Now: env.Now, NewID: env.NewID, Relative: env.Relative, Retired: env.Retired,
				})
			},
			service: func(h host) any { return longterm.NewService(h) },
		},
		{room: func(env room.Env) room.Room { return pressure.New(pressure.Options{Settings: env.Settings}) }},
		{room: func(env room.Env) room.Room { return core.New(core.Options{Settings: env.Settings}) }},
		{room: func(env room.Env) room.Room {
			return working.New(working.Options{Settings: env.Settings, Tracked: env.Tracked, Open: env.Open})
		}},
		{
			room: func(env room.Env) room.Room {
				return notes.New(notes.Options{Settings: env.Settings, SessionDir: env.SessionDir, Read: w.overview})
			},
			service: func(h host) any { return notes.NewService(h) },
		},
		{service: func(h host) any { return history.NewService(h, ServiceOf[*notes.Service](h.Workspace)) }},
		{service: func(h host) any { return outputs.New(h) }},
		{
			room:    func(room.Env) room.Room { return sweeps.New() },
			service: func(h host) any { return sweeps.NewService(h) },
		},
	}
}

// rooms are one set of all rooms.
type rooms struct {
	list     []room.Room // in the order in which they are asked
	sessions *sessions.Room
}

// newRooms returns empty rooms of all memory types.
func (w *Workspace) newRooms() *rooms {
	all := &rooms{}
	env := room.Env{
		Settings: w.options.Settings, Now: w.now, NewID: w.newID, Log: host{w}.Log(), Tracked: w.tracked,
		Relative:   w.relative,
		Retired:    w.retired,
		SessionDir: w.sessionDir,
		Live:       func(session string) bool { return all.sessions.Live(session) },
		Open:       all.open,
		Trace:      w.traceAll,
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

// makeServices makes the services of the builtin memory types. One may ask for
// those before it.
func (w *Workspace) makeServices() {
	for _, builtin := range w.builtin() {
		if builtin.service != nil {
			w.services = append(w.services, builtin.service(host{w}))
		}
	}
}

// open reports whether an error is open, which the room of the hot state knows.
func (all *rooms) open(worktree, fingerprint string) bool {
	known, there := room.Find[*hot.Room](all.list)
	if !there {
		return false
	}
	_, open := known.Open(worktree, fingerprint)
	return open
}

// Rooms returns all rooms, in the order in which they are asked.
func (w *Workspace) Rooms() []room.Room { return slices.Clone(w.rooms.Load().list) }

// overview returns the overview of a session for the room of the notes, which must
// not read files itself.
func (w *Workspace) overview(session string) (notes.Note, error) {
	return ServiceOf[*notes.Service](w).Overview(session)
}

// RoomOf returns the room of type R of a workspace. It panics if R is neither a
// builtin room nor one of Options.Rooms.
func RoomOf[R room.Room](w *Workspace) R {
	found, there := room.Find[R](w.rooms.Load().list)
	if !there {
		panic(fmt.Sprintf("the workspace has no room of the type %T", found))
	}
	return found
}

// WorkspaceNoun is the noun of the changes that the workspace itself writes. They
// concern all sections.
const WorkspaceNoun = "workspace"

// nounsOf returns what rooms and the workspace announce, by name. A noun that is
// announced twice is an error; the first one counts.
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

// Nouns returns what the rooms and the workspace itself announce, by name.
func (w *Workspace) Nouns() map[string]room.Noun { return maps.Clone(w.nouns) }

// PanelSections returns the ids of the sections of the panel that changes of some
// nouns concern, sorted.
func (w *Workspace) PanelSections(nouns []string) []string {
	set := map[string]bool{}
	for _, noun := range nouns {
		for _, section := range w.nouns[noun].Panel {
			set[section] = true
		}
	}
	return sorted(set)
}
