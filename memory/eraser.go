package memory

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/regular"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/memory/store/files"
)

// An eraser erases strings from files, and deletes files after a purge. The transaction of the
// erasing or purge has stored what is to be done. What fails is tried again at intervals, and
// by other processes. An eraser is used on the queue only.
type eraser struct {
	dataDir     string // the folder with the folders of all workspaces
	dir         string // the folder of the workspace
	store       *openedStore
	rooms       *registry
	now         func() time.Time // not affected when the clock is set
	problems    *problems
	queue       *queue
	log         *slog.Logger
	recoverFrom func(ctx context.Context, cause error) bool
	failed      func(error) error

	late      []string // what others have erased since this process last wrote changes
	overtaken bool     // files that this process wrote may contain it

	unfinished bool          // files may still contain what was erased
	at         time.Time     // of the next attempt
	wait       time.Duration // between the last attempt and the next one
}

// The keys of the meta data that store what is still to be done.
const (
	// erasingKey is the key of the strings that files may still contain, a JSON array. The
	// array is empty if only the database and discarded files may contain them, or nothing. The
	// value is "" soon after everything is done.
	erasingKey = "erasing"
	// purgingKey is the key of what a purge must still delete: inFiles, inShown or "".
	purgingKey = "purging"
	inFiles    = "files" // and documents
	inShown    = "shown" // documents that were opened in an editor
)

// updateErasing replaces the strings that files may still contain.
func updateErasing(tx store.Tx, update func(before []string) []string) error {
	doc, err := tx.Meta(erasingKey)
	if err != nil {
		return err
	}
	before, err := erasingIn(doc)
	if err != nil {
		return err
	}
	after, err := json.Marshal(append([]string{}, update(before)...)) // not null, see erasingKey
	if err != nil {
		return err
	}
	return tx.SetMeta(erasingKey, string(after))
}

func erasingIn(doc string) (texts []string, err error) {
	if doc == "" {
		return nil, nil
	}
	if err := json.Unmarshal([]byte(doc), &texts); err != nil {
		return nil, fmt.Errorf("%w: the list of what is to be erased from files: %w", store.ErrCorrupt, err)
	}
	return texts, nil
}

const (
	// finishSoon is when erasing from files is tried again for the first time. The interval
	// doubles up to finishLate.
	finishSoon = time.Second
	finishLate = time.Minute
	// finishForOther is when a process tries to erase from files after another process has
	// begun to.
	finishForOther = 5 * time.Second
)

// due reports whether it is time for another attempt.
func (e *eraser) due() bool { return (e.unfinished || e.overtaken) && !e.now().Before(e.at) }

// leaveToOther delays the next attempt, because another process has begun to erase.
func (e *eraser) leaveToOther() { e.at = e.now().Add(finishForOther) }

// overtakes records that another process has erased strings that this one may have just written into a file, by a
// call that began before and ended after the other one had erased from the files. That is so if a change that is not
// written yet is about a file; the caller passes those of this process, or of the transaction in which it learns of the
// erasing. It erases again then.
func (e *eraser) overtakes(unwritten []change.Change) {
	if len(e.late) > 0 && !e.overtaken && slices.ContainsFunc(unwritten, readsFile(e.rooms.Load().list)) {
		e.overtaken, e.at = true, e.now()
	}
}

// written marks what this process writes from now on as newer than what others have erased.
func (e *eraser) written() {
	if !e.overtaken {
		e.late = nil
	}
}

// eraseLate adds what overtook this process to what is to be erased.
func (e *eraser) eraseLate(ctx context.Context, s Store) error {
	if !e.overtaken {
		return nil
	}
	err := s.Update(ctx, store.Deferred, nil, func(tx store.Tx) error {
		return errors.Join(
			updateErasing(tx, func(before []string) []string { return append(before, e.late...) }),
			eraseIndexed(ctx, tx, e.rooms.Load().list, e.late),
		)
	})
	if err == nil {
		e.late, e.overtaken = nil, false
	}
	return err
}

// note records the result of an attempt and returns the files that may still contain what was
// erased. If there are any, it reports a problem and schedules the next attempt.
func (e *eraser) note(left []string, err error) []string {
	slices.Sort(left)
	left = slices.Compact(left)
	if e.unfinished = len(left) > 0; !e.unfinished {
		e.wait = 0
		e.problems.clear(aboutErasing)
		return nil
	}
	e.wait = min(max(2*e.wait, finishSoon), finishLate)
	e.at = e.now().Add(e.wait)
	e.problems.set(aboutErasing, room.Failure(
		fmt.Sprintf("What was erased is gone from the memory, but files may still hold it: %s (%v).",
			strings.Join(left, ", "), err),
		checkFolder(e.dir)+" It is tried again at intervals, and at the next start."))
	return left
}

// finish erases from files what was erased from the memory. It returns the files that may still
// contain it.
func (e *eraser) finish(ctx context.Context) (left []string) {
	ctx = context.WithoutCancel(ctx)
	seq, left, err := e.erase(ctx)
	if err != nil {
		e.recoverFrom(ctx, err)
	}
	if left = e.note(left, err); len(left) > 0 {
		return left
	}
	drop := func() {
		if err := e.dropRecord(ctx, seq); err != nil {
			e.log.Warn("note that everything was erased", "error", err)
		}
	}
	if !e.queue.offer(drop) {
		drop()
	}
	return nil
}

// finishDurably is finish that waits until the disk holds what the memory was told to erase. If
// no file is left, the rewriting of the database has waited for it.
func (e *eraser) finishDurably(ctx context.Context) (left []string, err error) {
	if left = e.finish(ctx); len(left) == 0 {
		return nil, nil
	}
	s, err := e.store.opened()
	if err == nil {
		err = s.Update(context.WithoutCancel(ctx), store.Durable, nil, func(store.Tx) error { return nil })
	}
	if err != nil && !errors.Is(err, store.ErrUnsynced) {
		err = fmt.Errorf("%w: %w", store.ErrUnsynced, err)
	}
	if err != nil {
		return nil, e.failed(err)
	}
	return left, nil
}

// erase erases from files what was erased from the memory, up to and with the change seq. It
// continues after an error, and returns the files that may still contain it, with the errors.
func (e *eraser) erase(ctx context.Context) (seq int64, left []string, err error) {
	s, err := e.store.opened()
	if err != nil {
		return 0, []string{store.DatabaseName}, err
	}
	var errs []error
	tried := func(files []string, err error) {
		if left, errs = append(left, files...), append(errs, err); err != nil && len(files) == 0 {
			left = append(left, store.DatabaseName)
		}
	}
	if err := e.eraseLate(ctx, s); err != nil {
		return 0, []string{store.DatabaseName}, err
	}
	state, err := s.Load(ctx, nil)
	if err != nil {
		return 0, []string{store.DatabaseName}, err
	}
	if state.Meta[purgingKey] != "" {
		_, inPlace, err := e.discardPurged(ctx)
		tried(inPlace, err)
	}
	doc := state.Meta[erasingKey]
	if doc == "" { // it was done, perhaps by another process
		return state.Seq, left, errors.Join(errs...)
	}
	texts, err := erasingIn(doc)
	tried(nil, err)
	if len(texts) > 0 {
		tried(e.eraseTexts(ctx, s, texts))
	}
	tried(s.RemoveDiscarded())
	if len(left) > 0 { // the database stores what is still to be done
		return state.Seq, append(left, store.DatabaseName), errors.Join(errs...)
	}
	if err := s.Shred(ctx); err != nil {
		return state.Seq, []string{store.DatabaseName}, err
	}
	return state.Seq, nil, nil
}

// dropRecord deletes the record of what was to be erased, when everything is done up to and with the
// change seq. Until then, the next start does it again. It writes the header of the emptied
// write-ahead log, which is synced, so nobody waits for it.
func (e *eraser) dropRecord(ctx context.Context, seq int64) error {
	s, err := e.store.opened()
	if err != nil {
		return err
	}
	return s.Update(ctx, store.Deferred, nil, func(tx store.Tx) error {
		doc, err := tx.Meta(erasingKey)
		if err != nil {
			return err
		}
		if texts, err := erasingIn(doc); err != nil || len(texts) > 0 { // another string was erased meanwhile
			return err
		}
		newer, err := tx.Since(seq)
		if err != nil || slices.ContainsFunc(newer, isErasure) { // the database may still contain that
			return err
		}
		return tx.SetMeta(erasingKey, "")
	})
}

// isErasure reports whether a change is of an erase or a purge.
func isErasure(c change.Change) bool { return c.Kind == erased || c.Kind == purged }

// eraseTexts erases strings from all files except the database, and then removes them from the
// stored strings. It returns the files that may still contain one, with the errors.
func (e *eraser) eraseTexts(ctx context.Context, s Store, texts []string) (left []string, err error) {
	if err = e.writeCopy(ctx); err != nil {
		left = append(left, store.CopyName)
	}
	sessions, sessionsErr := s.EraseFromSessions(texts)
	removed, besides, besidesErr := s.RemoveHolding(texts) // including a copy that was just set aside
	e.tellRemoved(removed)
	shown, shownErr := e.eraseShown(texts)
	left = slices.Concat(left, sessions, besides, shown)
	if err := errors.Join(err, sessionsErr, besidesErr, shownErr); err != nil {
		return left, err
	}
	return nil, s.Update(ctx, store.Deferred, nil, func(tx store.Tx) error {
		return updateErasing(tx, func(before []string) []string {
			return slices.DeleteFunc(before, func(text string) bool { return slices.Contains(texts, text) })
		})
	})
}

// tellRemoved reports that files that were set aside are deleted because they held what was erased: a person may
// still have wanted to read them.
func (e *eraser) tellRemoved(names []string) {
	var aside []string
	for _, name := range names {
		if store.IsAside(name) {
			aside = append(aside, name)
		}
	}
	if len(aside) == 0 {
		return
	}
	slices.Sort(aside)
	e.problems.clear(aboutSaved) // it names the file
	e.problems.set(aboutAside, room.Warning(
		"What was erased was also in what had been set aside because it was damaged: "+strings.Join(aside, ", ")+
			". It was deleted with it.",
		"Nothing else is to be done: what could be read of it is in the memory."))
}

// eraseShown deletes the documents that were opened in an editor and contain one of the strings,
// or all of them if there are no strings. It returns those that it cannot delete, with the
// errors.
func (e *eraser) eraseShown(texts []string) (left []string, err error) {
	dir := filepath.Join(e.dataDir, store.ShownName)
	if err := regular.Folder(dir); err != nil {
		return []string{store.ShownName}, err
	}
	documents, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	errs := []error{err}
	for _, document := range documents {
		if _, err := files.RemoveHolding(filepath.Join(dir, document.Name()), texts); err != nil {
			left, errs = append(left, path.Join(store.ShownName, document.Name())), append(errs, err)
		}
	}
	return left, errors.Join(errs...)
}

// writeCopy writes the readable copy. If the copy is being edited, it waits until the edit is
// complete, and tries again.
func (e *eraser) writeCopy(ctx context.Context) (err error) {
	for range 5 {
		if err = serviceOf[*longterm.Service](e.rooms).WriteCopy(ctx); !errors.Is(err, store.ErrEdited) {
			break
		}
		time.Sleep(longterm.SettleFor)
	}
	return err
}

// discardPurged moves the files from before a purge away. Only one process does this, so that
// files that are written later are kept. It returns the names of the files that it moved, and
// of those that it could not move, with the errors.
func (e *eraser) discardPurged(ctx context.Context) (discarded, left []string, err error) {
	s, err := e.store.opened()
	if err != nil {
		return nil, []string{store.DatabaseName}, err
	}
	unlock := s.LockSessions()
	defer unlock()
	var shownErr error
	err = s.Update(ctx, store.Deferred, nil, func(tx store.Tx) error {
		inPlace, err := tx.Meta(purgingKey)
		if err != nil || inPlace == "" {
			return err
		}
		if inPlace == inFiles {
			if discarded, err = s.Discard(); err != nil {
				return err
			}
		}
		if left, shownErr = e.eraseShown(nil); shownErr != nil {
			return tx.SetMeta(purgingKey, inShown)
		}
		return tx.SetMeta(purgingKey, "")
	})
	if err == nil {
		return discarded, left, shownErr
	}
	for _, name := range []string{store.CopyName, store.SessionsName, store.CacheName} {
		if _, err := os.Lstat(filepath.Join(e.dir, name)); err == nil {
			left = append(left, name)
		}
	}
	return discarded, left, err
}
