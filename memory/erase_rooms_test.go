package memory_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/briefing"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/hot"
	"github.com/wm-lsp/wm-lsp/memory/items"
	"github.com/wm-lsp/wm-lsp/memory/limits"
	"github.com/wm-lsp/wm-lsp/memory/notes"
	"github.com/wm-lsp/wm-lsp/memory/reads"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
	"github.com/wm-lsp/wm-lsp/memory/settings"
	"github.com/wm-lsp/wm-lsp/memory/skills"
	"github.com/wm-lsp/wm-lsp/memory/skills/mining"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/memory/sweeps"
	"github.com/wm-lsp/wm-lsp/memory/working"
	"github.com/wm-lsp/wm-lsp/recall"
)

// A witness knows which kinds of changes were written.
type witness struct {
	mu    sync.Mutex
	kinds map[change.Kind]int // how many of each
}

// room returns a room without state that follows the changes.
func (w *witness) room(room.Env) room.Room { return &witnessRoom{saw: w.saw} }

func (w *witness) saw(changes []change.Change) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range changes {
		w.kinds[c.Kind]++
	}
}

// check fails the test if a kind was not written that goes into the log as a change. The others are those of reads,
// which are only in a table, and what a change becomes that is erased.
func (w *witness) check(t *testing.T) {
	w.mu.Lock()
	defer w.mu.Unlock()
	others := []change.Kind{reads.Assembled, reads.Ran, reads.Used, store.KindBlank}
	for _, kind := range declaredKinds(t) {
		assert.True(t, w.kinds[kind] > 0 || slices.Contains(others, kind), "%s was not written", kind)
	}
}

type witnessRoom struct{ saw func([]change.Change) }

func (r *witnessRoom) Name() string                                 { return "witness" }
func (r *witnessRoom) Observe(event.Event) ([]change.Change, error) { return nil, nil }
func (r *witnessRoom) Fold(change.Change) ([]change.Row, error)     { return nil, nil }
func (r *witnessRoom) Load([]change.Row) error                      { return nil }
func (r *witnessRoom) Committed(changes []change.Change)            { r.saw(changes) }

// limits returns what the settings of a process set.
func (p *play) limits() []limits.Statement {
	set := limits.Statement{By: "somebody"}
	if days := p.limit.Load(); days > 0 {
		set.Limits = settings.Limits{"log.maxDays": int(days)}
	}
	return []limits.Statement{set}
}

// stepOfRoom does something of which only one room knows.
func (p *play) stepOfRoom(w *memory.Workspace, ev event.Event, text string) {
	ctx := context.Background()
	apply := func(decide func() ([]change.Change, error)) {
		_, err := w.ApplyIn(ctx, ev, decide)
		p.refused(err)
	}
	switch p.random.IntN(16) {
	case 0:
		apply(func() ([]change.Change, error) { return p.dismiss(memory.RoomOf[*hot.Room](w), w.Root()) })
	case 1:
		apply(func() ([]change.Change, error) {
			known := memory.RoomOf[*hot.Room](w)
			var said []string
			for _, statement := range known.Statements(ev.Session, hot.Decision) {
				said = append(said, statement.Text)
			}
			return known.ForgetStatements(ev.Session, said), nil
		})
	case 2, 3, 4:
		for range 3 {
			p.memorize(w, ev, text)
		}
	case 5:
		p.removeAndRestore(w, ev)
	case 6:
		_, err := w.ApplyReading(ctx, ev, func(tables room.Querier) ([]change.Change, error) {
			stores := items.RegistryOf(w.Rooms(), p.world.settings.Items)
			changes, _, err := memory.RoomOf[*items.Room](w).Commit(ctx, tables, ev.Session, stores, w.Now())
			return changes, err
		})
		p.refused(err)
	case 7:
		if item, there := p.known(w); there {
			p.refused(memory.ServiceOf[*items.Service](w).Recalled(ctx, ev.Actor(), []string{item.ID}))
		}
	case 8:
		p.clock.Add(oneOf(p, 0, 3*aDay).Milliseconds())
		_, err := memory.ServiceOf[*sweeps.Service](w).Sweep(ctx, change.Actor{})
		p.refused(err)
		p.refused(w.EndSession(ctx, event.Event{Session: p.session()}))
		if past := w.Sessions().Past(); len(past) > 0 {
			service := memory.ServiceOf[*sessions.Service](w)
			p.refused(service.Offer(ctx, change.Actor{}, past[0].ID, p.random.IntN(3) > 0))
			if p.random.IntN(2) == 0 {
				_, err := service.HandOver(ctx, ev, past[0], 1, 2)
				p.refused(err)
			}
		}
	case 9:
		apply(func() ([]change.Change, error) {
			of := recall.Coefficients{Similarity: float64(1+p.random.IntN(9)) / 10}
			return memory.RoomOf[*reads.Room](w).Tune(&of, reads.CoefficientsOf(p.world.settings.Recall)), nil
		})
	case 10:
		p.limit.Store(p.random.Int64N(2) * 100)
		memory.ServiceOf[*limits.Service](w).Record(ctx)
	case 11:
		for range 3 {
			file := p.file()
			p.learn(w, mining.Found{
				Key: file + " + x.go", Title: oneOf(p, "Change both", "Change both", text),
				Files: []string{file, "x.go"}, Prompts: []string{text},
			})
		}
	case 12:
		for range 4 {
			p.useSkill(w, ev, text)
		}
	case 13:
		report := briefing.Report{Items: []briefing.Item{{Section: "core", ID: "goal", Text: text, Sum: text}}}
		p.refused(memory.ServiceOf[*briefing.Service](w).Record(ctx, ev, report))
		apply(func() ([]change.Change, error) {
			legacy := working.Legacy{Items: []working.Item{{
				ID: fmt.Sprint("old", p.random.IntN(5)), Slot: working.Todos, Content: text, Mentions: 1,
			}}}
			return memory.RoomOf[*working.Room](w).Import(ev.Session, legacy), nil
		})
	case 14: // two hooks of an agent, now and later
		for number := range 2 {
			hook := event.Event{Session: "hook", Agent: "agent", Worktree: w.Root(), Attached: true,
				Host: "agent's process", Hook: number, Body: p.body(w)}
			_, err := w.Observe(ctx, hook)
			p.refused(err)
			p.clock.Add((20 * time.Minute).Milliseconds())
		}
	case 15: // an agent writes a note itself
		folder, err := memory.ServiceOf[*notes.Service](w).Folder(ev.Session)
		require.NoError(p.t, err)
		if _, err := os.Stat(folder.Path()); err == nil {
			note := filepath.Join(folder.Path(), notes.Detail, "own.md")
			require.NoError(p.t, os.MkdirAll(filepath.Dir(note), 0o700))
			require.NoError(p.t, os.WriteFile(note, []byte("# Own\n\n"+text+"\n"), 0o600))
		}
	}
}

// dismiss dismisses an error, or takes that back.
func (p *play) dismiss(known *hot.Room, worktree string) ([]change.Change, error) {
	for _, session := range []string{"s1", "s2", "s3"} {
		for _, e := range known.Errors(session, worktree) {
			_, changes, err := known.Dismiss(worktree, e.Fingerprint, p.random.IntN(3) == 0)
			return changes, err
		}
	}
	return nil, nil
}

// memorize memorizes an item with a string, perhaps in place of another one, or sets data of one.
func (p *play) memorize(w *memory.Workspace, ev event.Event, text string) {
	ctx, important := context.Background(), oneOf(p, 0, 0.9, 0.9)
	draft := items.Draft{Importance: &important, Item: items.Item{
		Store: oneOf(p, "semantic", "working", "episodic"), Type: "fact", Text: text, Tags: []string{text},
		Metadata: json.RawMessage(`{"of": "` + p.file() + `"}`), TTL: oneOf[int64](p, 0, 0, 60),
	}}
	if known, there := p.known(w); there && p.random.IntN(2) == 0 {
		if draft.Lineage = []string{known.ID}; p.random.IntN(2) == 0 {
			draft.Lineage, draft.ID, draft.Store, draft.Text = nil, known.ID, known.Store, known.Text
		}
	}
	stores := items.RegistryOf(w.Rooms(), p.world.settings.Items)
	origin := items.Item{Session: ev.Session, Agent: ev.Agent, At: w.Now()}
	batch, err := memory.RoomOf[*items.Room](w).Prepare([]items.Draft{draft}, origin, stores, nil)
	if err != nil {
		return
	}
	changes, err := w.ApplyReading(ctx, ev, func(tables room.Querier) ([]change.Change, error) {
		changes, _, err := memory.RoomOf[*items.Room](w).Decide(ctx, tables, batch, w.Now())
		return changes, err
	})
	p.refused(err)
	for _, c := range changes {
		if c.Kind == items.Memorized {
			p.items = append(p.items, c.Subject)
		}
	}
}

// known returns an item that was memorized. It returns false if there is none.
func (p *play) known(w *memory.Workspace) (items.Item, bool) {
	if len(p.items) == 0 {
		return items.Item{}, false
	}
	id := p.items[max(0, len(p.items)-1-p.random.IntN(4))]
	item, there, err := memory.ServiceOf[*items.Service](w).Item(context.Background(), id)
	require.NoError(p.t, err)
	return item, there
}

// removeAndRestore removes an item, and perhaps restores it.
func (p *play) removeAndRestore(w *memory.Workspace, ev event.Event) {
	ctx := context.Background()
	item, there := p.known(w)
	if !there || !item.DeletedAt.IsZero() {
		return
	}
	_, err := w.ApplyIn(ctx, ev, func() ([]change.Change, error) { return items.Remove(item.ID), nil })
	if p.refused(err); p.random.IntN(2) == 0 {
		return
	}
	item, _, err = memory.ServiceOf[*items.Service](w).Item(ctx, item.ID)
	require.NoError(p.t, err)
	_, err = w.ApplyIn(ctx, ev, func() ([]change.Change, error) { return items.Restore(item, w.AgeNow()) })
	p.refused(err)
}

// learn adds the skills of procedures that were found.
func (p *play) learn(w *memory.Workspace, found ...mining.Found) {
	for i := range found {
		found[i].Kind, found[i].Purpose, found[i].Words = mining.Together, "Use it.", []string{"codename"}
		found[i].Successes, found[i].Attempts = 3+p.random.IntN(3), 6
	}
	_, err := w.Apply(context.Background(), change.Actor{}, func() ([]change.Change, error) {
		return memory.RoomOf[*skills.Room](w).Learn(found), nil
	})
	p.refused(err)
}

// learnTooMany adds more skills than are kept.
func (p *play) learnTooMany(w *memory.Workspace) {
	var found []mining.Found
	for i := range 201 {
		file := fmt.Sprint("file", i)
		found = append(found, mining.Found{
			Key: file + " + y.go", Title: "Change " + file, Files: []string{file, "y.go"},
		})
	}
	p.learn(w, found...)
}

// useSkill does something to a skill.
func (p *play) useSkill(w *memory.Workspace, ev event.Event, text string) {
	ctx, known := context.Background(), memory.RoomOf[*skills.Room](w)
	list := known.List()
	if len(list) == 0 {
		return
	}
	skill, kept := list[p.random.IntN(len(list))], skills.Active
	decide := func() ([]change.Change, error) {
		return known.Update(skill.ID, "", oneOf(p, skills.Patch{Notes: &text}, skills.Patch{Purpose: &text}))
	}
	switch {
	case skill.Status == skills.Gone:
		decide = func() ([]change.Change, error) { return known.Restore(skill.ID) }
	case p.random.IntN(3) == 0:
		decide = func() ([]change.Change, error) { return known.Drop(skill.ID, "") }
	case skill.Status == skills.Offering:
		decide = func() ([]change.Change, error) { return known.Update(skill.ID, "", skills.Patch{Status: &kept}) }
	case p.random.IntN(2) == 0:
		_, err := memory.ServiceOf[*skills.Service](w).Export(ctx, ev.Actor(), w.Root(), "skills", []string{skill.ID})
		p.refused(err)
		return
	}
	_, err := w.Apply(ctx, ev.Actor(), decide)
	p.refused(err)
}
