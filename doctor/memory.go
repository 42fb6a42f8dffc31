package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/inventory"
	"github.com/wm-lsp/wm-lsp/memory/regular"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/memory/store/files"
	"github.com/wm-lsp/wm-lsp/memory/store/folders"
	"github.com/wm-lsp/wm-lsp/memory/store/sqlite"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// memory looks at the memory of the workspace.
func memory(ctx context.Context, m Machine) (all []Finding) {
	for _, p := range m.Status.Problems {
		severity := Warning
		switch {
		case m.dir() == "": // there is no memory of the folder
			severity = Note
		case p.Severity == wire.ProblemError:
			severity = Error
		}
		all = append(all,
			Finding{Severity: severity, Kind: "problem of the memory", Message: p.Message, Fix: p.Fix})
	}
	if m.dir() == "" {
		return all
	}
	if err := sqlite.Examine(ctx, m.dir()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		all = append(all, unread(err, filepath.Join(m.dir(), store.DatabaseName)))
	}
	is := m.Status.Sizes
	if len(all) == 0 {
		all = append(all, fine("%s: %s, %s, %s open", m.dir(), humanize.Bytes(uint64(is.DatabaseBytes)),
			count(is.Entries, "entry", "entries"), count(is.Errors, "error", "errors")))
	}
	all[0] = all[0].with("databaseBytes", is.DatabaseBytes).with("changes", is.Changes).
		with("entries", int64(is.Entries)).with("errors", int64(is.Errors)).with("files", int64(is.Files))
	if until := m.Status.PausedUntil; until != "" {
		all = append(all, note("paused", "Recording is paused until "+until.Beside(m.Now)+": nothing is remembered.",
			"wm-lsp pause --resume resumes it."))
	}
	return all
}

// unread returns the finding that a database cannot be read: it is damaged, or it cannot be opened.
func unread(err error, path string) Finding {
	if !errors.Is(err, store.ErrCorrupt) {
		return failure("not opened", "The database "+path+" is not read: "+fault.Plain(err)+".",
			"Check that it is a file that you may read and write, and so the folder that it is in.")
	}
	return failure("damaged", "The database "+path+" cannot be read as a whole: "+err.Error()+".",
		"Use the memory once, such as with wm-lsp list: what is damaged is set aside and filled again.")
}

// lockPatience is how long a process may hold a lock.
const lockPatience = time.Second

// locks looks for a process that holds a lock of the memory for long.
func locks(ctx context.Context, m Machine) (all []Finding) {
	if m.dir() == "" {
		return nil
	}
	for _, name := range []string{store.LockName, store.TurnLockName, store.EraseLockName} {
		path := filepath.Join(m.dir(), name)
		if _, err := os.Lstat(path); err != nil {
			continue
		}
		waits, cancel := context.WithTimeout(ctx, lockPatience)
		lock, err := files.RLock(waits, path)
		cancel()
		var held *files.HeldError
		switch {
		case errors.As(err, &held):
			all = append(all, failure("held",
				fmt.Sprintf("%s holds the lock %s, %s.", held.Holder, name, held.Holder.State()),
				held.Holder.Fix()+"."))
		case err != nil:
			all = append(all, failure("no lock", err.Error()+".", "Move away what is there; it is made anew."))
		default:
			_ = lock.Close()
		}
	}
	return otherwise(all, "nobody holds one for long")
}

// leases looks at the sessions and at the leases of the processes that serve them. Why sessions cannot be read is
// a finding about the memory.
func leases(_ context.Context, m Machine) (all []Finding) {
	if m.dir() == "" || m.Unread != nil {
		return nil
	}
	served := folders.In(m.dir())
	live, owned := 0, 0
	for _, session := range m.Sessions {
		lease := filepath.Join(served.SessionDir(session.ID), store.LeaseName)
		if err := regular.Alone(lease); err != nil && !errors.Is(err, fs.ErrNotExist) {
			all = append(all, warning("no lease", "A session cannot be locked: "+err.Error()+".",
				"Move away what is there; other processes may end the session until then."))
		}
		if session.Live() {
			live++
			if served.Alive(session.ID) {
				owned++
			}
		}
	}
	counts := count(live, "session is", "sessions are")
	return append(all, fine("%s live, %d of them served by a process", counts, owned).
		with("live", int64(live)).with("served", int64(owned)))
}

// leftFiles looks for what processes that were killed have left, and for what was set aside.
func leftFiles(_ context.Context, m Machine) (all []Finding) {
	var left, aside int
	var bytes int64
	var first string
	_ = filepath.WalkDir(m.DataDir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return nil
		}
		switch {
		case files.IsTemporary(entry.Name()):
			if info, err := entry.Info(); err == nil && m.Now.Sub(info.ModTime()) > time.Minute {
				left++
			}
		case store.IsAside(entry.Name()):
			if aside++; first == "" {
				first = path
			}
			if info, err := entry.Info(); err == nil {
				bytes += info.Size()
			}
		}
		return nil
	})
	if left > 0 {
		all = append(all, warning("temporary", fmt.Sprintf("Processes that were killed left %s in %s.",
			count(left, "temporary file", "temporary files"), m.DataDir), "Delete what no process writes.").
			with("files", int64(left)).
			fixedBy(func(context.Context) error { return files.ClearLeft(m.DataDir, true) }))
	}
	if aside > 0 {
		all = append(all, note("set aside", fmt.Sprintf("%s, %s, were damaged and set aside, such as %s.",
			count(aside, "file", "files"), humanize.Bytes(uint64(bytes)), first),
			"Delete them when nothing is missed.").with("files", int64(aside)).with("bytes", bytes))
	}
	return otherwise(all, "none")
}

// otherMemories looks for memories of folders that are gone.
func otherMemories(_ context.Context, m Machine) []Finding {
	if m.Unlisted != nil {
		return []Finding{failure("not listed", "The memories cannot be listed: "+m.Unlisted.Error()+".",
			"Check the permissions of "+m.DataDir+".")}
	}
	gone, bytes := 0, int64(0)
	for _, memory := range m.Memories {
		if memory.State == inventory.Gone {
			gone, bytes = gone+1, bytes+memory.Bytes
		}
	}
	all := count(len(m.Memories), "memory", "memories")
	if gone == 0 {
		return []Finding{fine("%s, none of a folder that is gone for long", all).
			with("memories", int64(len(m.Memories)))}
	}
	return []Finding{note("gone", fmt.Sprintf("%s of %s that %s gone, %s.", count(gone, "memory is", "memories are"),
		word(gone, "a folder", "folders"), word(gone, "is", "are"), humanize.Bytes(uint64(bytes))),
		"wm-lsp purge --gone deletes "+word(gone, "it", "them")+" after a question.").
		with("memories", int64(len(m.Memories))).with("gone", int64(gone)).with("bytes", bytes)}
}

// word returns the word for one or for several.
func word(n int, one, several string) string {
	if n == 1 {
		return one
	}
	return several
}

// embeddings asks the endpoint for embeddings.
func embeddings(ctx context.Context, m Machine) []Finding {
	if m.Endpoint == nil {
		return []Finding{fine("no endpoint is set; search works without one")}
	}
	if err := m.Endpoint(ctx); err != nil {
		return []Finding{warning("no answer", "The endpoint for embeddings does not work: "+err.Error()+".",
			"Search works without it. Start it, or correct the settings embeddings.*.")}
	}
	return []Finding{fine("the endpoint answers")}
}
