package memory_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/extract/overview"
	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/core"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/hot"
	"github.com/wm-lsp/wm-lsp/memory/notes"
	"github.com/wm-lsp/wm-lsp/memory/scope"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
	"github.com/wm-lsp/wm-lsp/memory/settings"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/test/raced"
	"github.com/wm-lsp/wm-lsp/test/slow"
)

// lease is how long a session without an owner goes on after a sign of life.
const lease = 30*time.Minute + sessions.ActiveEvery

// A state is what a process knows of a session.
type state struct {
	Live       bool
	LeaseUntil time.Time
	Files      []string
	Errors     []string
	Unverified int
	Notes      []string
}

// A process serves the workspace of a world. It does what it is told.
type process struct {
	t    *testing.T
	cmd  *exec.Cmd
	kill func()
	in   io.WriteCloser
	out  *bufio.Scanner
}

// start runs a process whose clock stands at a time.
func (w *world) start(at time.Time) *process {
	w.t.Helper()
	cmd := w.child("serve")
	in, err := cmd.StdinPipe()
	require.NoError(w.t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(w.t, err)
	p := &process{t: w.t, cmd: cmd, kill: started(w.t, cmd), in: in, out: bufio.NewScanner(out)}
	p.do("clock", at.Format(time.RFC3339Nano))
	return p
}

// do tells the process something and waits until it is done.
func (p *process) do(words ...string) string {
	p.t.Helper()
	_, err := fmt.Fprintln(p.in, strings.Join(words, " "))
	require.NoError(p.t, err)
	require.True(p.t, p.out.Scan(), "%v: the process has ended", words)
	require.NotContains(p.t, p.out.Text(), "error: ", "%v", words)
	return p.out.Text()
}

// states returns what the process knows of the sessions, by id.
func (p *process) states() map[string]state {
	p.t.Helper()
	known := map[string]state{}
	require.NoError(p.t, json.Unmarshal([]byte(p.do("list")), &known))
	return known
}

// awaits waits until the process knows of a session what it should.
func (p *process) awaits(session string, holds func(state) bool, why ...any) {
	p.t.Helper()
	var known state
	require.Eventually(p.t, func() bool {
		known = p.states()[session]
		return holds(known)
	}, patience, 10*time.Millisecond, why...)
}

func (p *process) leave() {
	p.t.Helper()
	require.NoError(p.t, p.in.Close())
	require.NoError(p.t, p.cmd.Wait())
}

// serve is the other end of a process.
func serve(place scope.Place, data string) error {
	clock := atomic.Pointer[time.Time]{}
	in := bufio.NewScanner(os.Stdin)
	read := func() []string {
		if !in.Scan() {
			return nil
		}
		return strings.Fields(in.Text())
	}
	set := func(text string) error {
		at, err := time.Parse(time.RFC3339Nano, text)
		clock.Store(&at)
		return err
	}
	first := read()
	if len(first) != 2 || set(first[1]) != nil {
		return fmt.Errorf("the clock is not set: %v", first)
	}
	fmt.Println("done")
	w := memory.Open(place, memory.Options{
		DataDir: data, Storage: onDisk, Log: slog.New(slog.DiscardHandler), Settings: settings.Default,
		Now: func() time.Time { return *clock.Load() },
	})
	for words := read(); words != nil; words = read() {
		var err error
		answer := "done"
		on(w, func() {
			switch words[0] {
			case "clock":
				err = set(words[1])
			case "list":
				memory.Poll(w)
				var doc []byte
				doc, err = json.Marshal(statesOf(w))
				answer = string(doc)
			default:
				err = act(w, words[0], words[1], slices.Contains(words, "attached"))
			}
		})
		if err != nil {
			answer = "error: " + err.Error()
		}
		fmt.Println(answer)
	}
	w.Close(context.Background())
	return nil
}

// act does something in a session.
func act(w *memory.Workspace, what, session string, attached bool) error {
	ctx := context.Background()
	ev := event.Event{Session: session, Agent: "agent", Worktree: w.Root(), Attached: attached}
	code := 1
	switch what {
	case "start":
		ev.Body = event.SessionStarted{Explicit: true}
	case "end":
		return w.EndSession(ctx, ev)
	case "touch":
		ev.Body = event.FileTouched{Path: session + ".go", Action: event.Edit}
	case "build":
		ev.Body = event.ToolRan{
			Tool: "bash", Input: json.RawMessage(`{"command":"go build ./..."}`), Cwd: w.Root(), ExitCode: &code,
			Error: "# example.com/shop\n./" + session + ".go:3:7: undefined: " + session + "\n",
		}
	case "diagnose":
		ev.Body = event.Diagnostics{
			Path: session + ".go", Items: []event.Diagnostic{{Severity: 1, Line: 9, Message: "expected ';'"}},
		}
	case "note":
		ev.Body = event.Written{Own: true}
		_, err := memory.ServiceOf[*notes.Service](w).Write(ctx, ev, "detail/plan.md", "# Plan of "+session, "")
		return err
	case "undo":
		ev.Body = event.Written{}
		_, err := w.ApplyIn(ctx, ev, func() ([]change.Change, error) {
			return memory.RoomOf[*core.Room](w).Update(session, "goal", core.Replace, "Ship "+session, "")
		})
		return err
	}
	if ev.Body == nil {
		return errors.New("no such thing: " + what)
	}
	_, err := w.Observe(ctx, ev)
	return err
}

// statesOf is what another session than those that it lists knows of them.
func statesOf(w *memory.Workspace) map[string]state {
	known := map[string]state{}
	for _, s := range w.Sessions().List() {
		is := state{Live: s.Live(), LeaseUntil: s.LeaseUntil}
		for _, file := range memory.RoomOf[*hot.Room](w).Files("reader", w.Root(), 0) {
			if file.Session == s.ID {
				is.Files = append(is.Files, file.Path)
			}
		}
		for _, e := range memory.RoomOf[*hot.Room](w).Errors("reader", w.Root()) {
			for _, source := range e.Sources {
				if source.Session != s.ID {
					continue
				}
				is.Errors = append(is.Errors, e.Summary)
				if !source.Verified {
					is.Unverified++
				}
			}
		}
		if folder, err := memory.ServiceOf[*notes.Service](w).Folder(s.ID); err == nil {
			files, _ := folder.List()
			for _, file := range files {
				is.Notes = append(is.Notes, file.Path)
			}
		}
		known[s.ID] = is
	}
	return known
}

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// sourceOf makes the file of a session, so that it can be tracked.
func (w *world) sourceOf(session string) {
	w.t.Helper()
	path := filepath.Join(w.folder, session+".go")
	require.NoError(w.t, os.WriteFile(path, []byte("package shop\n"), 0o600))
}

func TestWhatAProcessOfOneEventSaysOutlivesIt(t *testing.T) {
	for name, end := range map[string]func(*process){
		"leaves": (*process).leave, "is killed": func(p *process) { p.kill() },
	} {
		t.Run(name, func(t *testing.T) {
			world := newWorld(t)
			world.sourceOf("hook")
			other := world.start(noon)
			for _, what := range []string{"touch", "build", "diagnose", "note"} {
				hook := world.start(noon)
				hook.do(what, "hook", "attached")
				if what == "build" || what == "touch" || what == "diagnose" { // hot changes are written soon
					other.awaits("hook", func(s state) bool { return len(s.Files) > 0 })
					if what != "touch" {
						want := map[string]int{"build": 1, "diagnose": 2}[what]
						other.awaits("hook", func(s state) bool { return len(s.Errors) == want })
					}
				}
				end(hook)
			}
			said := other.states()["hook"]
			assert.True(t, said.Live)
			assert.Equal(t, noon.Add(lease), said.LeaseUntil)
			assert.Equal(t, []string{"hook.go"}, said.Files)
			assert.ElementsMatch(t, []string{"undefined: hook", "expected ';'"}, said.Errors)
			assert.Zero(t, said.Unverified)
			assert.Contains(t, said.Notes, "detail/plan.md")

			other.do("clock", noon.Add(lease).Format(time.RFC3339Nano))
			assert.True(t, other.states()["hook"].Live, "the lease holds up to its end")
			other.do("clock", noon.Add(lease+time.Millisecond).Format(time.RFC3339Nano))
			over := other.states()["hook"]
			assert.False(t, over.Live)
			assert.Zero(t, over.LeaseUntil)
			assert.Empty(t, over.Files)
			assert.Equal(t, []string{"undefined: hook"}, over.Errors, "diagnostics leave")
			assert.Equal(t, 1, over.Unverified)
			assert.Contains(t, over.Notes, "detail/plan.md", "notes stay")
			// It is over for whoever comes later, too, and resumes with the next event.
			late := world.start(noon.Add(lease + time.Minute))
			assert.False(t, late.states()["hook"].Live)
			late.do("touch", "hook", "attached")
			resumed := late.states()["hook"]
			assert.True(t, resumed.Live)
			assert.Equal(t, []string{"undefined: hook"}, resumed.Errors, "the diagnostics have left")
			assert.Equal(t, 1, resumed.Unverified)
		})
	}
}

func TestSignsOfLifeRenewTheLeaseAndWhatOthersWriteDoesNot(t *testing.T) {
	world := newWorld(t)
	world.sourceOf("hook")
	first := world.start(noon)
	first.do("touch", "hook", "attached")
	first.leave()
	editor := world.start(noon.Add(29 * time.Minute))
	editor.do("undo", "hook", "attached")
	assert.Equal(t, noon.Add(lease), editor.states()["hook"].LeaseUntil)
	for i, what := range []string{"touch", "build", "note", "start"} {
		at := noon.Add(time.Duration(i+1) * 29 * time.Minute)
		hook := world.start(at)
		hook.do(what, "hook", "attached")
		hook.do("clock", at.Add(sessions.ActiveEvery-time.Millisecond).Format(time.RFC3339Nano))
		hook.do("touch", "hook", "attached") // so soon after it is not noted
		assert.Equal(t, at.Add(lease), hook.states()["hook"].LeaseUntil, what)
		hook.leave()
	}
	editor.do("clock", noon.Add(4*29*time.Minute+lease+time.Second).Format(time.RFC3339Nano))
	assert.False(t, editor.states()["hook"].Live)
	editor.do("undo", "hook", "attached")
	assert.False(t, editor.states()["hook"].Live, "what somebody else writes does not revive it")
}

func TestAnOwnerThatEndsTakesItsSessionAlongWhoeverIsAttached(t *testing.T) {
	for name, end := range map[string]func(*process){
		"leaves": (*process).leave, "is killed": func(p *process) { p.kill() },
		"ends it": func(p *process) { p.do("end", "s") },
	} {
		t.Run(name, func(t *testing.T) {
			world := newWorld(t)
			world.sourceOf("s")
			owner, attached, other := world.start(noon), world.start(noon), world.start(noon)
			owner.do("touch", "s")
			owner.do("diagnose", "s")
			attached.do("build", "s", "attached")
			for _, p := range []*process{owner, attached, other} {
				p.awaits("s", func(s state) bool { return s.Live && s.LeaseUntil.IsZero() && len(s.Errors) == 2 })
			}
			hook := world.start(noon)
			hook.do("start", "s", "attached")
			hook.leave()
			assert.Equal(t, state{}.LeaseUntil, other.states()["s"].LeaseUntil, "it stays owned")
			assert.True(t, other.states()["s"].Live, "who was only attached ends nothing")

			end(owner)
			other.awaits("s", func(s state) bool {
				return !s.Live && len(s.Files) == 0 && len(s.Errors) == 1 && s.Unverified == 1
			}, "what the command reported stays")
			attached.awaits("s", func(s state) bool { return !s.Live })
			attached.do("touch", "s", "attached")
			for _, p := range []*process{attached, other} {
				p.awaits("s", func(s state) bool {
					return s.Live && s.LeaseUntil.Equal(noon.Add(lease)) && len(s.Errors) == 1 && s.Unverified == 1
				}, "it resumes without the diagnostics")
			}
		})
	}
}

func TestAnOwnerTakesASessionOverFromItsLease(t *testing.T) {
	world := newWorld(t)
	world.sourceOf("s")
	hook := world.start(noon)
	hook.do("build", "s", "attached")
	owner, other := world.start(noon), world.start(noon)
	owner.awaits("s", func(s state) bool { return len(s.Errors) == 1 })
	owner.do("start", "s")
	other.awaits("s", func(s state) bool { return s.Live && s.LeaseUntil.IsZero() })
	assert.Zero(t, other.states()["s"].Unverified, "nothing was lost")
	hook.awaits("s", func(s state) bool { return s.LeaseUntil.IsZero() })
	hook.do("touch", "s", "attached")
	hook.leave()
	other.do("clock", noon.Add(24*time.Hour).Format(time.RFC3339Nano))
	assert.True(t, other.states()["s"].Live, "an owner needs no signs of life")
	owner.kill()
	other.awaits("s", func(s state) bool { return !s.Live })
}

func TestAnOwnerWhoseSessionOthersEndedAndRevivedOwnsItAgainWhenItSpeaks(t *testing.T) {
	world := newWorld(t)
	world.sourceOf("s")
	owner, other := world.start(noon), world.start(noon)
	owner.do("touch", "s")
	other.awaits("s", func(s state) bool { return s.Live })
	other.do("end", "s", "attached")
	owner.awaits("s", func(s state) bool { return !s.Live })
	other.do("touch", "s", "attached")
	owner.awaits("s", func(s state) bool { return s.Live && s.LeaseUntil.Equal(noon.Add(lease)) })
	owner.do("touch", "s")
	other.awaits("s", func(s state) bool { return s.Live && s.LeaseUntil.IsZero() })
	owner.kill()
	other.awaits("s", func(s state) bool { return !s.Live })
}

func TestTheFolderOfASessionThatLivesByItsLeaseStays(t *testing.T) {
	world := newWorld(t)
	w := world.open()
	create := func(session string) {
		on(w, func() {
			ev := event.Event{Session: session, Worktree: w.Root(), Attached: true}
			service := memory.ServiceOf[*notes.Service](w)
			require.NoError(t, service.MakeOverview(context.Background(), ev))
			service.Poll(context.Background()) // as after a second: it keeps the text as a version
		})
		assert.FileExists(t, filepath.Join(sessionDir(w, session), store.VersionsName,
			notes.VersionName(notes.Overview, notes.RevisionOf(overview.Template("en")))))
	}
	create("s")
	template := filepath.Join(sessionDir(w, "s"), "working-memory", "overview.md")
	assert.NoFileExists(t, filepath.Join(sessionDir(w, "s"), "lease"))
	w.Close(context.Background())
	w = world.open()
	old := time.Now().Add(-20 * aDay)
	for _, path := range []string{template, filepath.Dir(template), sessionDir(w, "s")} {
		require.NoError(t, os.Chtimes(path, old, old))
	}
	swept(t, w)
	on(w, func() { memory.RemoveUnused(w, "s") })
	assert.FileExists(t, template)
	later := world.later(lease + time.Minute)
	assert.False(t, later.Sessions().Live("s"))
	assert.NoDirExists(t, sessionDir(w, "s"), "nothing was written into it")

	create("ended")
	on(w, func() {
		require.NoError(t, w.EndSession(context.Background(), event.Event{Session: "ended", Attached: true}))
	})
	assert.NoDirExists(t, sessionDir(w, "ended"))
}

func TestWhyASessionIsOverIsInTheLog(t *testing.T) {
	world := newWorld(t)
	w := world.open()
	on(w, func() { require.NoError(t, act(w, "touch", "leased", true)) })
	later := world.later(lease + time.Minute)
	ended, err := later.Trace(context.Background(), store.Filter{Subject: "leased", Kinds: []string{"session.ended"}})
	require.NoError(t, err)
	require.Len(t, ended, 1)
	assert.Equal(t, "lease expired", ended[0].Reason)
}

// A fate is what is true of a session in the model.
type fate struct {
	live  bool
	until time.Time // zero if it is owned
}

// A model says what becomes of sessions that processes own and attach to.
type model struct {
	now      time.Time
	sessions map[string]fate
	owners   map[string]map[*process]bool
}

func (m *model) speaks(p *process, session string, attached bool) {
	known := m.sessions[session]
	if !attached || m.owners[session][p] {
		m.owners[session][p] = true
		m.sessions[session] = fate{live: true}
		return
	}
	until := m.now.Add(lease)
	owned := known.live && known.until.IsZero()
	if owned || known.live && until.Sub(known.until) < sessions.ActiveEvery {
		return
	}
	m.sessions[session] = fate{live: true, until: until}
}

func (m *model) ends(p *process, session string) {
	delete(m.owners[session], p)
	if _, begun := m.sessions[session]; begun {
		m.sessions[session] = fate{}
	}
}

func (m *model) leaves(p *process) {
	for session, owners := range m.owners {
		owned := m.sessions[session].live && m.sessions[session].until.IsZero()
		if owners[p] && len(owners) == 1 && owned {
			m.sessions[session] = fate{}
		}
		delete(owners, p)
	}
}

func (m *model) passes(d time.Duration) {
	m.now = m.now.Add(d)
	for session, known := range m.sessions {
		if !known.until.IsZero() && m.now.After(known.until) {
			m.sessions[session] = fate{}
		}
	}
}

func TestSessionsLiveAndEndAsTheModelSaysInEveryProcess(t *testing.T) {
	slow.Test(t)
	seeds := uint64(6)
	if raced.On {
		seeds = 2
	}
	for seed := range seeds {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			world := newWorld(t)
			random := rand.New(rand.NewPCG(seed, 0))
			m := &model{now: noon, sessions: map[string]fate{}, owners: map[string]map[*process]bool{}}
			names := []string{"a", "b", "c"}
			for _, name := range names {
				m.owners[name] = map[*process]bool{}
			}
			processes := []*process{world.start(noon)} // the first one only looks
			var story []string
			tell := func(format string, args ...any) { story = append(story, fmt.Sprintf(format, args...)) }
			for range 100 {
				session := names[random.IntN(len(names))]
				at := 0
				if len(processes) > 1 {
					at = 1 + random.IntN(len(processes)-1)
				}
				p := processes[at]
				action := random.IntN(20)
				switch {
				case at == 0 || action < 3 && len(processes) < 5:
					processes = append(processes, world.start(m.now))
					tell("start process %d", len(processes)-1)
				case action < 10:
					attached := random.IntN(3) > 0
					what := []string{"touch", "build", "diagnose", "start"}[random.IntN(4)]
					words := []string{what, session}
					if attached {
						words = append(words, "attached")
					}
					tell("%d: %v", at, words)
					p.do(words...)
					m.speaks(p, session, attached)
				case action < 11:
					tell("%d: end %s", at, session)
					p.do("end", session)
					m.ends(p, session)
				case action < 14:
					kill := random.IntN(2) == 0
					tell("%d ends, killed: %v", at, kill)
					processes = slices.Delete(processes, at, at+1)
					if kill {
						p.kill()
					} else {
						p.leave()
					}
					m.leaves(p)
				default:
					minutes := []float64{0.1, 1, 15, 29, 31}[random.IntN(5)]
					passes := time.Duration(minutes * float64(time.Minute))
					tell("%v pass", passes)
					m.passes(passes)
					for _, p := range processes {
						p.do("clock", m.now.Format(time.RFC3339Nano))
					}
				}
				for i, p := range processes {
					var known map[string]fate
					require.Eventually(t, func() bool {
						known = map[string]fate{}
						for id, s := range p.states() {
							known[id] = fate{s.Live, s.LeaseUntil}
						}
						return maps.Equal(known, m.sessions)
					}, patience, 5*time.Millisecond,
						"process %d, after %s: the model is %v", i, strings.Join(story, "; "), m.sessions)
				}
			}
		})
	}
}

// A waiting store counts the transactions that wait for the disk.
type waiting struct {
	memory.Store
	waits *int
}

func (w waiting) Update(
	ctx context.Context, mode store.Mode, meanwhile func(), f func(store.Tx) error,
) error {
	if mode == store.Durable {
		*w.waits++
	}
	return w.Store.Update(ctx, mode, meanwhile, f)
}

func TestOnlyTheStartOfASessionThatAClientAskedForWaitsForTheDisk(t *testing.T) {
	world, waits := newMemoryWorld(t), 0
	in := world.storage
	world.storage.Open = func(ctx context.Context, dir string, log *slog.Logger) (memory.Store, error) {
		s, err := in.Open(ctx, dir, log)
		return waiting{s, &waits}, err
	}
	w := world.open()
	observe(t, w, "touched", event.FileTouched{Path: "a.go", Action: event.Edit})
	assert.True(t, w.Sessions().Live("touched"))
	assert.Zero(t, waits)
	observe(t, w, "started", event.SessionStarted{Explicit: true})
	assert.True(t, w.Sessions().Live("started"))
	assert.Equal(t, 1, waits)
}
