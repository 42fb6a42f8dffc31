package memory_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/core"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/hot"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/notes"
	"github.com/wm-lsp/wm-lsp/memory/outputs"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/scope"
	"github.com/wm-lsp/wm-lsp/memory/settings"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/memory/store/inmemory"
	"github.com/wm-lsp/wm-lsp/memory/sweeps"
	"github.com/wm-lsp/wm-lsp/memory/working"
	"github.com/wm-lsp/wm-lsp/test/raced"
	"github.com/wm-lsp/wm-lsp/test/slow"
)

// TestReplayGivesTheStateAfterAnySequence plays random operations, by two processes that
// take turns, and looks now and then that the rows in the store, the state of the rooms and
// the replay of log and snapshot are the same, and that what was erased is nowhere. All kinds
// of changes are among what they write.
func TestReplayGivesTheStateAfterAnySequence(t *testing.T) {
	slow.Test(t)
	seeds := map[string]uint64{"on the disk": 3, "in memory": 8}
	if raced.On {
		seeds = map[string]uint64{"on the disk": 1, "in memory": 1}
	}
	written := &witness{kinds: map[change.Kind]int{}}
	for name, world := range map[string]func(*testing.T) (*world, func(dir string, doc []byte)){
		"on the disk": func(t *testing.T) (*world, func(string, []byte)) {
			return newWorld(t), func(dir string, doc []byte) {
				beside := filepath.Join(t.TempDir(), "edited") // as an editor does that saved a second ago
				require.NoError(t, os.WriteFile(beside, doc, 0o600))
				saved := time.Now().Add(-time.Second)
				require.NoError(t, os.Chtimes(beside, saved, saved))
				require.NoError(t, os.Rename(beside, filepath.Join(dir, store.CopyName)))
			}
		},
		"in memory": func(t *testing.T) (*world, func(string, []byte)) {
			w, engine := newWorld(t), inmemory.New()
			w.storage = memory.StorageOf(engine.Open, engine.SetAside)
			return w, engine.EditCopy
		},
	} {
		for seed := range seeds[name] {
			t.Run(fmt.Sprintf("%s, seed %d", name, seed), func(t *testing.T) {
				w, editCopy := world(t)
				newPlay(t, w, editCopy, seed, written).run(400)
			})
		}
	}
	if !raced.On {
		written.check(t)
	}
}

// A play is a random sequence of operations.
type play struct {
	t        *testing.T
	world    *world
	random   *rand.Rand
	editCopy func(dir string, doc []byte)
	clock    atomic.Int64 // milliseconds
	limit    atomic.Int64 // that the settings of a process set, 0 for none
	handles  []*memory.Workspace
	late     bool // the workspace does not know yet what the other did, and may not take up a string
	next     int
	erased   []string // what must be nowhere
	copies   [][]byte // former readable copies
	items    []string // ids of those that were memorized
}

func newPlay(t *testing.T, w *world, editCopy func(string, []byte), seed uint64, written *witness) *play {
	w.settings.Memory.MaxEntries, w.settings.Memory.MaxPinned = 8, 3
	w.settings.Memory.MaxPast, w.settings.Memory.MaxPastOffers = 4, 1
	w.settings.Log.MaxChanges = 80
	w.settings.Items.MaxWorking, w.settings.Items.MaxSemantic, w.settings.Items.MinNovelty = 2, 2, 0
	w.settings.Session.KeepDays = 2
	p := &play{t: t, world: w, random: rand.New(rand.NewPCG(seed, 7)), editCopy: editCopy}
	p.clock.Store(time.Now().UnixMilli())
	place, err := scope.Locate(w.folder, "git")
	require.NoError(t, err)
	for range 2 {
		opened := memory.Open(place, memory.Options{
			DataDir: w.data, Storage: w.storage, Log: slog.New(slog.DiscardHandler),
			Settings: func() *settings.Settings { return w.settings },
			Now:      func() time.Time { return time.UnixMilli(p.clock.Load()) },
			Limits:   p.limits,
			Rooms:    []room.Maker{written.room},
		})
		t.Cleanup(func() { opened.Close(context.Background()) })
		settle(opened)
		p.handles = append(p.handles, opened)
	}
	return p
}

func (p *play) run(steps int) {
	for step := range steps {
		w := p.handles[p.random.IntN(len(p.handles))]
		p.pass()
		on(w, func() { p.step(w) })
		p.stopIfFailed()
		if step%10 == 9 {
			p.check(step)
		}
	}
	on(p.handles[0], func() { p.learnTooMany(p.handles[0]) })
	p.check(steps)
}

// pass lets some time pass.
func (p *play) pass() {
	passed := time.Duration(p.random.IntN(oneOf(p, 20, 2000))) * time.Millisecond // in 20 ms much is pending
	switch p.random.IntN(60) {
	case 0:
		passed = time.Duration(p.random.IntN(20)) * aDay
	case 1, 2:
		passed = 20 * time.Minute
	}
	p.clock.Add(passed.Milliseconds())
}

func oneOf[T any](p *play, list ...T) T { return list[p.random.IntN(len(list))] }

func (p *play) session() string { return oneOf(p, "s1", "s2", "s3") }

func (p *play) file() string { return oneOf(p, "a.go", "b.go", "c.go", "pkg/d.go", "pkg/e.go") }

// fresh returns a string that was never there.
func (p *play) fresh() string {
	p.next++
	return fmt.Sprintf(`The "codename" of region %d is Halcyon%dx & its port is %d`, p.next, p.next, 4000+p.next)
}

// text returns one that is remembered, or another.
func (p *play) text(w *memory.Workspace) string {
	entries := memory.RoomOf[*longterm.Room](w).List(nil, true)
	if !p.late && len(entries) > 0 && p.random.IntN(3) > 0 {
		return entries[p.random.IntN(len(entries))].Text
	}
	return p.fresh()
}

func (p *play) entry(w *memory.Workspace) string {
	if entries := memory.RoomOf[*longterm.Room](w).List(nil, true); len(entries) > 0 {
		return entries[p.random.IntN(len(entries))].ID
	}
	return "none"
}

// step does something on the queue of a workspace. What is refused changes nothing.
func (p *play) step(w *memory.Workspace) {
	if p.late = p.random.IntN(2) == 0; !p.late {
		memory.Refresh(w)
	}
	ctx := context.Background()
	ev := event.Event{Session: p.session(), Agent: "agent", Worktree: w.Root(), Attached: p.random.IntN(3) == 0}
	if p.random.IntN(4) == 0 {
		ev.ID = fmt.Sprint(p.random.IntN(30))
	}
	if p.random.IntN(2) == 0 {
		ev.Body = p.body(w)
		_, err := w.Observe(ctx, ev)
		p.refused(err)
		return
	}
	entries := func() *longterm.Room { return memory.RoomOf[*longterm.Room](w) }
	apply := func(decide func() ([]change.Change, error)) {
		_, err := w.ApplyIn(ctx, ev, decide)
		p.refused(err)
	}
	id, text := p.entry(w), p.text(w)
	switch p.random.IntN(36) {
	case 0, 1, 2, 3:
		apply(func() ([]change.Change, error) {
			return entries().Add(longterm.Addition{
				Text: p.fresh(), Type: "project", Source: longterm.Manual, Files: []string{p.file()},
			})
		})
	case 4:
		apply(func() ([]change.Change, error) { return entries().Update(id, longterm.Patch{Text: &text}) })
	case 5:
		pinned := p.random.IntN(2) == 0
		apply(func() ([]change.Change, error) { return entries().Update(id, longterm.Patch{Pinned: &pinned}) })
	case 6:
		apply(func() ([]change.Change, error) { return entries().Remove(id) })
	case 7:
		apply(func() ([]change.Change, error) { return entries().Restore(id) })
	case 8, 9:
		p.erase(w, id)
	case 10:
		apply(func() ([]change.Change, error) {
			block, operation := oneOf(p, core.Names()...), oneOf(p, core.Append, core.Replace)
			return memory.RoomOf[*core.Room](w).Update(ev.Session, block, operation, text, "")
		})
	case 11, 12:
		apply(func() ([]change.Change, error) {
			slot := oneOf(p, working.Todos, working.Decisions, working.Pool)
			return memory.RoomOf[*working.Room](w).Add(ev.Session, slot, text)
		})
	case 13:
		held := memory.RoomOf[*working.Room](w).Slot(ev.Session, working.Todos)
		apply(func() ([]change.Change, error) { return memory.RoomOf[*working.Room](w).Remove(ev.Session, held), nil })
		if p.random.IntN(2) == 0 {
			apply(func() ([]change.Change, error) { return memory.RoomOf[*working.Room](w).Restore(ev.Session, held) })
		}
	case 14:
		note := oneOf(p, "overview.md", "detail/x.md")
		_, err := memory.ServiceOf[*notes.Service](w).Write(ctx, ev, note, "# Notes\n\n"+text+"\n", "")
		p.refused(err)
	case 15:
		if p.random.IntN(2) == 0 {
			_, err := w.DeleteSession(ctx, ev)
			p.refused(err)
		}
	case 16:
		p.refused(w.EndSession(ctx, ev))
	case 17:
		until := time.Time{}
		if p.random.IntN(3) == 0 {
			until = time.UnixMilli(p.clock.Load()).Add(3 * time.Second)
		}
		p.refused(pause(w, until))
	case 18:
		outputsOf(w).Prune(outputs.Output{Text: long("one", 150) + text + "\n", Mode: "normal"})
	case 19:
		_, err := memory.ServiceOf[*sweeps.Service](w).Sweep(ctx, change.Actor{})
		p.refused(err)
	case 20:
		p.editOldCopy(w)
	case 21:
		if p.random.IntN(6) == 0 {
			p.purge(w)
		}
	default:
		p.stepOfRoom(w, ev, text)
	}
}

// refused fails the test unless an error says why something is not done.
func (p *play) refused(err error) {
	if errors.Is(err, memory.ErrStore) {
		require.NoError(p.t, err)
	}
}

// body is any event.
func (p *play) body(w *memory.Workspace) any {
	text := p.text(w)
	exit := p.random.IntN(2)
	severity := 1 + p.random.IntN(2)
	switch p.random.IntN(16) {
	case 0, 1:
		return event.FileTouched{Path: p.file(), Action: oneOf(p, event.Edit, event.Write, event.Grep, event.Read)}
	case 2:
		return event.FileTouched{Path: "docs/" + text + ".md", Action: event.Edit}
	case 3:
		return event.FileRenamed{From: oneOf(p, p.file(), "pkg"), To: oneOf(p, p.file(), "lib")}
	case 4:
		return event.FileDeleted{Path: p.file()}
	case 5:
		return event.Diagnostics{Path: p.file(), Version: int32(p.random.IntN(5)), ClosesOnly: p.random.IntN(4) == 0,
			Items: []event.Diagnostic{{Severity: severity, Line: p.random.IntN(9), Message: "undefined: " + text}}}
	case 6, 7:
		return event.ToolRan{Tool: oneOf(p, "bash", "read", "grep"), ExitCode: &exit, Cwd: w.Root(),
			Input:  json.RawMessage(`{"command":"` + oneOf(p, "go build ./...", "go test ./...", "make") + `"}`),
			Output: p.file() + ":3:5: undefined: " + oneOf(p, "x", "y") + "\nTODO: " + text + "\n"}
	case 8:
		return event.MessageReceived{Role: "user", Text: "Remember this: " + text}
	case 9:
		role := oneOf(p, "user", "assistant")
		return event.MessageReceived{Role: role, Text: "We decided: " + text + ".\nTODO: tell it"}
	case 10:
		return event.TodosChanged{Todos: []event.Todo{
			{Content: "tell that " + text, Status: "pending"}, {Content: "rest", Status: "done"},
			{ID: fmt.Sprint(p.random.IntN(3)), Content: "ask about " + text, Status: "pending"},
		}, Partial: p.random.IntN(2) == 0}
	case 11:
		return event.UsageReported{Used: p.random.IntN(1000), Limit: 1000, Unit: "tokens"}
	case 12:
		return event.MessageReceived{Role: "user", Text: "Please fix the rounding in " + p.file() + ": " + text}
	case 13: // writes a script, or runs it
		script := oneOf(p, "one.py", "two.py")
		if p.random.IntN(2) == 0 {
			return event.ToolRan{Tool: "write", Cwd: w.Root(),
				Input: json.RawMessage(`{"file_path":"` + script + `","content":"print(1)\n"}`)}
		}
		ok := 0
		return event.ToolRan{Tool: "bash", ExitCode: &ok, Cwd: w.Root(),
			Input: json.RawMessage(`{"command":"python ` + script + `"}`), Output: "1\n"}
	default:
		return oneOf[any](p,
			event.SessionStarted{Title: "about " + text, Explicit: true},
			event.CompactionFinished{Summary: "Summary.\n\n<workspace_memory_candidates>\n- [decision] " + text +
				"\n</workspace_memory_candidates>\n"})
	}
}

// erase erases an entry, and all others that quote it.
func (p *play) erase(w *memory.Workspace, id string) {
	entry, left, err := w.Erase(context.Background(), change.Actor{}, id)
	if p.refused(err); err != nil {
		return
	}
	require.Empty(p.t, left)
	start := strings.Index(entry.Text, "Halcyon")
	if start < 0 { // it was made of something from which a string had been erased
		require.Contains(p.t, entry.Text, "[erased]")
		return
	}
	mark, _, _ := strings.Cut(entry.Text[start:], " ")
	for _, other := range memory.RoomOf[*longterm.Room](w).List(nil, true) {
		if _, there := memory.RoomOf[*longterm.Room](w).Get(other.ID); there && strings.Contains(other.Text, mark) {
			_, left, err := w.Erase(context.Background(), change.Actor{}, other.ID)
			require.NoError(p.t, err)
			require.Empty(p.t, left)
		}
	}
	p.eraseSwept(w, mark)
	p.erased = append(p.erased, mark)
	p.copies = slices.DeleteFunc(p.copies, func(doc []byte) bool {
		document, err := longterm.ParseDocument(doc)
		require.NoError(p.t, err)
		return slices.ContainsFunc(document.Entries, func(e longterm.Entry) bool {
			// It was swept, the log names it no more, and nobody can erase it: a copy adds it as another entry.
			return strings.Contains(e.Text, mark) && !memory.RoomOf[*longterm.Room](w).WasErased(e.ID)
		})
	})
}

// eraseSwept erases the entries that were swept and quote a string that was erased.
func (p *play) eraseSwept(w *memory.Workspace, mark string) {
	ctx := context.Background()
	about := func(filter store.Filter) []change.Change {
		changes, err := w.Trace(ctx, filter)
		require.NoError(p.t, err)
		return changes
	}
	for _, swept := range about(store.Filter{Kinds: []string{string(longterm.Swept)}}) {
		for _, c := range about(store.Filter{Subject: swept.Subject}) {
			if strings.Contains(string(c.After)+string(c.Before), mark) {
				_, left, err := w.Erase(ctx, change.Actor{}, swept.Subject)
				require.NoError(p.t, err)
				require.Empty(p.t, left)
				break
			}
		}
	}
}

// purge purges the workspace. Copies from before it are edited later on.
func (p *play) purge(w *memory.Workspace) {
	memory.Refresh(w)
	for _, entry := range memory.RoomOf[*longterm.Room](w).List(nil, true) {
		if start := strings.Index(entry.Text, "Halcyon"); start >= 0 {
			mark, _, _ := strings.Cut(entry.Text[start:], " ")
			p.erased = append(p.erased, mark)
		}
	}
	_, left, err := w.Purge(context.Background(), change.Actor{})
	require.NoError(p.t, err)
	require.Empty(p.t, left)
}

// editOldCopy keeps the readable copy of now, and edits a former one.
func (p *play) editOldCopy(w *memory.Workspace) {
	if err := memory.WriteCopy(w); err != nil {
		require.ErrorIs(p.t, err, store.ErrEdited) // the other has just imported the same edit
	}
	s := p.store()
	defer s.Close()
	doc, _, err := s.ReadCopy(context.Background())
	require.NoError(p.t, err)
	p.copies = append(p.copies, doc)
	old := oneOf(p, p.copies...)
	p.editCopy(w.Dir(), []byte(strings.Replace(string(old), `"rationale": "`, `"rationale": "edited `, 1)+" \n"))
}

func (p *play) store() memory.Store {
	s, err := p.world.storage.Open(context.Background(), p.handles[0].Dir(), slog.New(slog.DiscardHandler))
	require.NoError(p.t, err)
	return s
}

// check looks at everything while both queues stand still.
func (p *play) check(step int) {
	p.t.Helper()
	a, b := p.handles[0], p.handles[1]
	on(a, func() {
		on(b, func() {
			memory.Poll(a) // takes over an edited copy
			for _, w := range p.handles {
				memory.Flush(w)
			}
			for _, w := range p.handles {
				memory.Refresh(w)
			}
			p.checkState(step)
			p.checkErased(step)
		})
	})
	p.stopIfFailed()
}

// stopIfFailed ends the test where something failed on a queue, which does not go on.
func (p *play) stopIfFailed() {
	if p.t.Failed() {
		p.t.FailNow()
	}
}

func (p *play) checkState(step int) {
	p.t.Helper()
	s := p.store()
	defer s.Close()
	state, err := s.Load(context.Background(), nil)
	require.NoError(p.t, err)
	history, err := s.History(context.Background(), state.Seq)
	require.NoError(p.t, err)
	replayed := memory.Replay(p.handles[0], history.Rows, history.Changes)
	p.addRetired(s, state)
	loaded := memory.RoomsOf(p.handles[0], state)
	p.askFor(loaded)
	for _, w := range p.handles { // it reads those that are retired when it is asked
		memory.RoomOf[*longterm.Room](w).List(nil, true)
		p.askFor(w.Rooms())
	}
	for i, room := range loaded {
		rows, again := byKey(state.Rows[room.Name()]), byKey(replayed[room.Name()])
		require.Equal(p.t, rows, again, "step %d: the replay of %s", step, room.Name())
		for _, w := range p.handles {
			require.Equal(p.t, dump(room), dump(w.Rooms()[i]), "step %d: the state of %s", step, room.Name())
		}
	}
}

// askFor asks rooms for everything that they decode only when they are asked.
func (p *play) askFor(rooms []room.Room) {
	hotRoom, _ := room.Find[*hot.Room](rooms)
	_, err := hotRoom.Observe(event.Event{Body: event.FileDeleted{}})
	require.NoError(p.t, err)
	workingRoom, _ := room.Find[*working.Room](rooms)
	for _, session := range p.handles[0].Sessions().List() {
		workingRoom.Events(session.ID)
	}
}

// addRetired completes a state with the rows that are retired.
func (p *play) addRetired(s memory.Store, state store.State) {
	for _, room := range p.handles[0].Rooms() {
		rows, err := s.Retired(context.Background(), room.Name())
		require.NoError(p.t, err)
		if len(rows) > 0 {
			state.Rows[room.Name()] = append(state.Rows[room.Name()], rows...)
		}
	}
}

func (p *play) checkErased(step int) {
	p.t.Helper()
	s := p.store()
	defer s.Close()
	ctx := context.Background()
	state, err := s.Load(ctx, nil)
	require.NoError(p.t, err)
	p.addRetired(s, state)
	history, err := s.History(ctx, state.Seq)
	require.NoError(p.t, err)
	log, err := s.Since(ctx, 0)
	require.NoError(p.t, err)
	copied, _, err := s.ReadCopy(ctx)
	require.NoError(p.t, err)
	logged, err := json.Marshal(log)
	require.NoError(p.t, err)
	all := map[string]string{"the copy": string(copied), "the log": string(logged)}
	for name, tables := range map[string]map[string][]change.Row{"state": state.Rows, "snapshot": history.Rows} {
		for room, rows := range tables {
			for _, row := range rows {
				all[name+" "+room] += row.Key + " " + string(row.Value) + "\n"
			}
		}
	}
	for path, content := range files(p.t, p.world.data) {
		all[path] = string(content)
	}
	for where, content := range all {
		for _, mark := range p.erased {
			if at := strings.Index(content, mark); at >= 0 {
				around := content[max(0, at-200) : at+len(mark)]
				assert.Fail(p.t, "an erased text is there", "step %d: %s in %s: %q", step, mark, where, around)
			}
		}
	}
}

// dump returns the values in the tables of a room by their path: everything in it
// but functions, locks, caches and what reads the tables in the database.
func dump(room any) map[string]string {
	values := map[string]string{}
	dumpInto(values, "", reflect.ValueOf(room))
	return values
}

// derived are the names of fields that are made when they are asked for.
var derived = map[string]bool{
	"completed": true, "key": true, "local": true, "order": true, "rendered": true, "length": true, "isTopical": true,
	"means": true,
}

func dumpInto(values map[string]string, path string, v reflect.Value) {
	if v.Kind() == reflect.Interface && v.Type().Implements(reflect.TypeFor[room.Querier]()) {
		return
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			dumpInto(values, path, v.Elem())
		}
	case reflect.Struct:
		switch {
		case v.Type().PkgPath() == "sync" || strings.HasSuffix(v.Type().PkgPath(), "memory/render"):
			return
		case v.Type() == reflect.TypeFor[time.Time]():
			values[path] = timeIn(v)
		case v.NumField() == 0:
			values[path] = "{}"
		}
		for i := range v.NumField() {
			if field := v.Type().Field(i); !derived[field.Name] && values[path] == "" {
				dumpInto(values, path+"."+field.Name, v.Field(i))
			}
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			dumpInto(values, fmt.Sprintf("%s[%q]", path, key), v.MapIndex(key))
		}
	case reflect.Slice:
		for i := range v.Len() {
			dumpInto(values, fmt.Sprintf("%s[%d]", path, i), v.Index(i))
		}
	case reflect.Func:
	default:
		values[path] = fmt.Sprint(v)
	}
}

// timeIn reads a time, also from a field that is not exported.
func timeIn(v reflect.Value) string {
	if v.CanAddr() {
		return reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem().Interface().(time.Time).UTC().String()
	}
	copied := reflect.New(v.Type()).Elem()
	for i := range v.NumField() {
		from, to := v.Field(i), copied.Field(i)
		to = reflect.NewAt(to.Type(), unsafe.Pointer(to.UnsafeAddr())).Elem()
		switch from.Kind() {
		case reflect.Uint64:
			to.SetUint(from.Uint())
		case reflect.Int64:
			to.SetInt(from.Int())
		}
	}
	return copied.Interface().(time.Time).UTC().String()
}

// A crashing store fails after so many calls of what Erase uses, and ever after.
type crashing struct {
	memory.Store
	left *int
}

var errCrashed = errors.New("crashed")

func (c crashing) crash() error {
	if *c.left--; *c.left < 0 {
		return errCrashed
	}
	return nil
}

func (c crashing) Update(
	ctx context.Context, mode store.Mode, meanwhile func(), f func(store.Tx) error,
) error {
	return errors.Join(c.crash(), c.run(func() error { return c.Store.Update(ctx, mode, meanwhile, f) }))
}

func (c crashing) WriteCopy(ctx context.Context, build func(store.Tx) ([]byte, error)) error {
	return errors.Join(c.crash(), c.run(func() error { return c.Store.WriteCopy(ctx, build) }))
}

func (c crashing) EraseFromSessions(texts []string) (left []string, err error) {
	return nil, errors.Join(c.crash(), c.run(func() error { left, err = c.Store.EraseFromSessions(texts); return err }))
}

func (c crashing) RemoveHolding(texts []string) (removed, left []string, err error) {
	return nil, nil, errors.Join(c.crash(), c.run(func() error {
		removed, left, err = c.Store.RemoveHolding(texts)
		return err
	}))
}

func (c crashing) Shred(ctx context.Context) error {
	return errors.Join(c.crash(), c.run(func() error { return c.Store.Shred(ctx) }))
}

func (c crashing) run(f func() error) error {
	if *c.left < 0 {
		return nil
	}
	return f()
}

func TestAnEraseThatACrashEndsIsFinishedAtTheNextStart(t *testing.T) {
	const text = "The launch codename is Halcyon Meridian"
	for calls := 0; ; calls++ {
		world, left := newWorld(t), 1_000_000
		world.storage.Open = func(ctx context.Context, dir string, log *slog.Logger) (memory.Store, error) {
			s, err := onDisk.Open(ctx, dir, log)
			return crashing{s, &left}, err
		}
		w := world.open()
		id := add(t, w, longterm.Addition{Text: text}).ID
		observe(t, w, "s", event.TodosChanged{Todos: []event.Todo{{Content: "tell that " + text, Status: "pending"}}})
		require.NoError(t, writeNote(t, w, "s", "overview.md", "# Launch\n\n"+text+".\n"))
		_, output := outputsOf(w).Prune(outputs.Output{Text: long("one", 200) + text + "\n", Mode: "normal"})
		require.NotEmpty(t, output)
		var err error
		var unfinished []string
		on(w, func() {
			memory.Flush(w)
			if err = memory.WriteCopy(w); err == nil {
				left = calls
				_, unfinished, err = w.Erase(context.Background(), change.Actor{}, id)
				left = min(left, 0) // nothing more is done
			}
		})
		problems := w.Problems()
		w.Close(context.Background())
		if err == nil && len(unfinished) == 0 {
			require.Greater(t, calls, 5, "all that it consists of has failed once")
			break
		}
		require.ErrorIs(t, err, errCrashed)
		if calls > 0 {
			require.ErrorIs(t, err, store.ErrUnsynced, "it is gone from the memory, and the disk cannot confirm it")
			assert.NotEmpty(t, problems)
		}

		world.storage = onDisk
		again := world.open()
		if _, there := memory.RoomOf[*longterm.Room](again).Get(id); there { // it was not done at all
			require.Zero(t, calls)
			on(again, func() { _, unfinished, err = again.Erase(context.Background(), change.Actor{}, id) })
			require.NoError(t, err)
			assert.Empty(t, unfinished)
		}
		assert.Empty(t, again.Problems())
		for path, content := range files(t, world.data) {
			assert.NotContains(t, string(content), "Halcyon", "%d calls: %s", calls, path)
		}
		again.Close(context.Background())
	}
}

// A shredding store counts how often the database is rewritten.
type shredding struct {
	memory.Store
	count *int
}

func (s shredding) Shred(ctx context.Context) error {
	*s.count++
	return s.Store.Shred(ctx)
}

func TestWhatWasErasedIsNotErasedAgainAtTheNextStart(t *testing.T) {
	world, shredded := newWorld(t), 0
	world.storage = around(onDisk, func(s memory.Store) memory.Store { return shredding{s, &shredded} })
	w := world.open()
	for _, text := range []string{"The launch codename is Halcyon Meridian", "The archive has another name"} {
		left, err := erase(w, add(t, w, longterm.Addition{Text: text}).ID)
		require.NoError(t, err)
		assert.Empty(t, left)
	}
	w.Close(t.Context())
	assert.Equal(t, 2, shredded)
	again := world.open()
	on(again, func() { memory.Poll(again) })
	again.Close(t.Context())
	assert.Equal(t, 2, shredded)
}

// A copy that was made before an erase and edited after it brings nothing back, and
// takes nothing away that came since.
func TestACopyOfBeforeAnEraseBringsNothingBack(t *testing.T) {
	world, engine := newJumper(t), inmemory.New()
	world.ticks = true // so that the copy is newer than what it holds
	world.storage = memory.StorageOf(engine.Open, engine.SetAside)
	w := world.open()
	gone := add(t, w, longterm.Addition{Text: "The launch codename is Halcyon Meridian"}).ID
	was := add(t, w, longterm.Addition{Text: "The archive is called Halcyon Meridian II", Rationale: "asked for"}).ID
	add(t, w, longterm.Addition{Text: "The billing service runs at night", Rationale: "it is slow"})
	var old []byte
	on(w, func() {
		require.NoError(t, memory.WriteCopy(w))
		s, err := world.storage.Open(t.Context(), w.Dir(), nil)
		require.NoError(t, err)
		old, _, err = s.ReadCopy(t.Context())
		require.NoError(t, err)
	})
	add(t, w, longterm.Addition{Text: "This came after the copy"})
	on(w, func() {
		changed := "The archive has another name"
		_, err := w.Apply(t.Context(), change.Actor{}, func() ([]change.Change, error) {
			return memory.RoomOf[*longterm.Room](w).Update(was, longterm.Patch{Text: &changed})
		})
		require.NoError(t, err)
		_, left, err := w.Erase(t.Context(), change.Actor{}, gone)
		require.NoError(t, err)
		require.Empty(t, left)
		engine.EditCopy(w.Dir(), []byte(strings.ReplaceAll(string(old), "it is slow", "it was slow")))
		memory.Poll(w)
	})
	assert.ElementsMatch(t, []string{
		"The archive has another name", "The billing service runs at night", "This came after the copy",
	}, texts(w))
	entries := memory.RoomOf[*longterm.Room](w).List(nil, false)
	assert.Equal(t, "it was slow", entries[1].Rationale)
	changes, err := w.Trace(t.Context(), store.Filter{})
	require.NoError(t, err)
	for _, c := range changes {
		assert.NotContains(t, string(c.Before)+string(c.After), "codename is Halcyon")
	}
}
