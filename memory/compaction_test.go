package memory_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/history"
	"github.com/wm-lsp/wm-lsp/memory/notes"
	"github.com/wm-lsp/wm-lsp/memory/scope"
	"github.com/wm-lsp/wm-lsp/memory/settings"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/test/raced"
	"github.com/wm-lsp/wm-lsp/test/slow"
)

// compacting is the session whose conversation is compacted.
const compacting = "compacting"

// A stumbling store kills its process also where a service asks for the folder of a session,
// which is between the steps that write files.
type stumbling struct{ dying }

func (s stumbling) SessionDir(session string) string {
	s.write()
	return s.dying.SessionDir(session)
}

// archiveAndDie is a process that is killed at the killAt-th step of what it archives:
// messages of a target into a note, a new one if its name is "", or a note if target is
// notes.Archive. It ends if there are fewer steps.
func archiveAndDie(place scope.Place, data, target, into, killAt string) error {
	steps, err := strconv.ParseInt(killAt, 10, 64)
	if err != nil {
		return err
	}
	left := &atomic.Int64{}
	storage := around(onDisk, func(s memory.Store) memory.Store { return stumbling{dying{s, left}} })
	w := memory.Open(place, memory.Options{
		DataDir: data, Storage: storage, Settings: settings.Default, Log: slog.New(slog.DiscardHandler),
	})
	on(w, func() {
		left.Store(steps)
		err = archive(w, target, into)
		left.Store(0)
	})
	w.Close(context.Background())
	return err
}

// archive archives as archiveAndDie does. It is called on the queue.
func archive(w *memory.Workspace, target, into string) error {
	ev := event.Event{Session: compacting, Agent: "agent", Worktree: w.Root()}
	if target == notes.Archive {
		_, err := memory.ServiceOf[*notes.Service](w).Archive(context.Background(), ev, into, "")
		return err
	}
	_, confirm, err := memory.ServiceOf[*history.Service](w).Compact(context.Background(), ev, history.Request{
		Target: history.Target(target), Strategy: history.Archive, ArchiveTo: into, KeepRecent: 3, By: history.ByModel,
	})
	if err != nil {
		return err
	}
	return confirm()
}

// TestC3_WhatIsKilledWhileItArchivesArchivesNothingTwice kills a process at every step of a
// compaction, and does it again in another process. Every message is either in the
// conversation or in one archive, once.
func TestC3_WhatIsKilledWhileItArchivesArchivesNothingTwice(t *testing.T) {
	slow.Test(t)
	origin := newWorld(t)
	mentions := converse(t, origin)
	for _, c := range []struct{ target, into string }{
		{"conversation", ""}, {"conversation", "detail/mine.md"}, {"tools", ""}, {"all", ""},
	} {
		if raced.On && c.target != "all" {
			continue
		}
		t.Run(strings.TrimSpace(c.target+" "+c.into), func(t *testing.T) {
			killed, kills, step := 0, 0, 1
			if raced.On {
				step = 3
			}
			for alive := false; !alive; kills++ {
				killed += step
				world := origin.copied(t)
				child := world.child("archive", c.target, c.into, fmt.Sprint(killed))
				alive = child.Run() == nil
				w := world.open()
				on(w, func() { require.NoError(t, archive(w, c.target, c.into)) })
				assertOnce(t, w, c.target, mentions, killed)
				w.Close(context.Background())
			}
			assert.Greater(t, kills, 5, "it was killed at several steps")
		})
	}
}

// converse keeps a conversation of eight turns with outputs of tools, and a note that is
// called detail/mine.md. It returns a word of every message.
func converse(t *testing.T, world *world) (mentions []string) {
	world.settings.History.Keep = true
	w := world.open()
	say := func(body func(mention string) any) {
		mention := fmt.Sprintf("mention%02d", len(mentions))
		mentions = append(mentions, mention)
		observe(t, w, compacting, body(mention))
	}
	for range 8 {
		say(func(m string) any {
			return event.MessageReceived{Role: "user", Text: "Look at " + m + strings.Repeat(" and at the code", 40)}
		})
		say(func(m string) any {
			return event.ToolRan{Tool: "bash", Output: "read " + m + strings.Repeat(" and the code", 60)}
		})
		say(func(m string) any {
			return event.MessageReceived{Role: "assistant", Text: "It is " + m + strings.Repeat(" in the code", 50)}
		})
	}
	require.NoError(t, writeNote(t, w, compacting, "detail/mine.md", "# Mine\n\nWhat was here before.\n"))
	w.Close(context.Background())
	return mentions
}

// assertOnce fails the test unless each mention is in the conversation or in one archive.
func assertOnce(t *testing.T, w *memory.Workspace, target string, mentions []string, killed int) {
	t.Helper()
	conversation, err := memory.ServiceOf[*history.Service](w).Of(compacting)
	require.NoError(t, err)
	var open strings.Builder
	for _, m := range conversation.Messages {
		open.WriteString(m.Text + "\n")
	}
	archived := ""
	archives, err := filepath.Glob(filepath.Join(sessionDir(w, compacting), "working-memory", "detail", "*.md"))
	require.NoError(t, err)
	for _, path := range archives {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		_, messages, _ := strings.Cut(string(text), "## Messages\n")
		archived += messages
	}
	gone := 0
	for _, mention := range mentions {
		inArchive, inConversation := strings.Count(archived, mention), strings.Count(open.String(), mention)
		assert.Equal(t, 1, inArchive+inConversation, "killed at %d: %s is %d times in archives, %d in the conversation",
			killed, mention, inArchive, inConversation)
		gone += inArchive
	}
	assert.Positive(t, gone)
	assert.Empty(t, conversation.Broken)
	require.NotEmpty(t, conversation.Compactions)
	removed := 0
	for _, c := range conversation.Compactions {
		removed += len(c.Removed)
		assert.NotEmpty(t, c.Summary)
		assert.FileExists(t, filepath.Join(sessionDir(w, compacting), "working-memory", c.ArchivedTo))
	}
	assert.Equal(t, gone, removed, "killed at %d: what is archived was removed", killed)
}

// The process that compacted was killed before it described that.
func TestC4_ACompactionThatTheOverviewDoesNotTellIsToldByTheNextProcess(t *testing.T) {
	world := newWorld(t)
	converse(t, world)
	w := world.open()
	dir := sessionDir(w, compacting)
	w.Close(t.Context())
	require.NoError(t, history.In(dir, history.Options{}).Record(history.Compaction{
		Removed: []string{"gone"}, Summary: "The tables were moved.", At: time.Now(),
	}))
	overview := filepath.Join(dir, "working-memory", notes.Overview)
	before, err := os.ReadFile(overview)
	require.NoError(t, err)
	assert.NotContains(t, string(before), "The tables were moved.")

	w = world.open()
	observe(t, w, compacting, event.MessageReceived{Role: "user", Text: "Go on"}) // it serves the session
	on(w, func() { memory.Poll(w) })
	told, err := os.ReadFile(overview)
	require.NoError(t, err)
	assert.Contains(t, string(told), "The tables were moved.")
	written, err := os.Stat(overview)
	require.NoError(t, err)
	w.Close(t.Context())

	w = world.open()
	observe(t, w, compacting, event.MessageReceived{Role: "user", Text: "Go on, please"})
	on(w, func() { memory.Poll(w) })
	again, err := os.Stat(overview)
	require.NoError(t, err)
	assert.True(t, os.SameFile(written, again), "what is told is not written again")
	w.Close(t.Context())
}

// The overview is written after the answer.
func TestASessionThatIsDeletedAfterItsCompactionStaysDeleted(t *testing.T) {
	world := newWorld(t)
	converse(t, world)
	w := world.open()
	dir := sessionDir(w, compacting)
	on(w, func() {
		require.NoError(t, archive(w, string(history.TargetAll), ""))
		_, err := w.DeleteSession(t.Context(), event.Event{Session: compacting, Worktree: w.Root()})
		require.NoError(t, err)
	})
	on(w, func() { assert.NoFileExists(t, filepath.Join(dir, store.MetaName)) })
	w.Close(t.Context())
	assert.NoDirExists(t, dir)
}

// TestD7_ANoteIsArchivedOnceWhereverItIsKilled kills a process at every step of archiving a note, and
// does it again in another process. The note is in one place, and the overview names that one.
func TestD7_ANoteIsArchivedOnceWhereverItIsKilled(t *testing.T) {
	killed := 0
	for alive := false; !alive; {
		killed++
		world := newWorld(t)
		world.settings.Notes.Create = true
		w := world.open()
		require.NoError(t, writeNote(t, w, compacting, "overview.md", "# Task\n\nMove the tables.\n"))
		require.NoError(t, writeNote(t, w, compacting, "detail/mine.md", "# Mine\n\nThe only copy.\n"))
		w.Close(context.Background())
		alive = world.child("archive", notes.Archive, "detail/mine.md", fmt.Sprint(killed)).Run() == nil
		w = world.open()
		on(w, func() {
			_ = archive(w, notes.Archive, "detail/mine.md") // it may be there already
			memory.Poll(w)
		})
		found := 0
		for path, text := range files(t, filepath.Join(sessionDir(w, compacting), "working-memory")) {
			found += strings.Count(string(text), "The only copy.")
			if strings.HasSuffix(path, "overview.md") {
				assert.NotContains(t, string(text), "detail/mine.md", "killed at %d", killed)
			}
		}
		assert.Equal(t, 1, found, "killed at %d", killed)
		w.Close(context.Background())
	}
	assert.Greater(t, killed, 3, "it was killed at several steps")
}
