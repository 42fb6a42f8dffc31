package service

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/importer"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/core"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/gate"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/notes"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// Import implements wm/import (systems.md B15).
func (s *Service) Import(ctx context.Context, at *View, params *wire.ImportParams) (wire.ImportResult, error) {
	result := wire.ImportResult{
		Memories: []wire.Receipt{}, Sessions: []string{}, Skipped: []wire.ImportSkipped{}, DryRun: params.DryRun,
	}
	if err := checkImport(params); err != nil {
		return result, err
	}
	if err := at.NoWorkspace(); err != nil {
		return result, err
	}
	if err := at.recording(); err != nil && !params.DryRun {
		return result, err
	}
	key := at.folder.place.Key
	record, err := s.readImported(key)
	if err != nil {
		return result, err
	}
	switch {
	case params.Undo:
		err = at.takeBack(ctx, string(params.From), &record, &result)
		return result, errors.Join(err, s.writeImported(key, record))
	case params.Dismiss:
		record.answer(string(params.From))
		err = s.writeImported(key, record)
		s.notifier.note(at.Workspace, []string{importSection})
		return result, err
	}
	found, err := at.foundFor(params)
	if err != nil {
		return result, err
	}
	t := taking{View: at, again: params.Again, dry: params.DryRun, result: &result, record: &record}
	for _, skipped := range found.Skipped {
		t.skip(skipped.Path, skipped.Reason)
	}
	err = t.takeOver(ctx, found)
	if params.DryRun {
		result.Markdown = importMarkdown(result)
		return result, err
	}
	if t.finish(params) {
		err = errors.Join(err, s.writeImported(key, record))
		s.notifier.note(at.Workspace, []string{importSection})
	}
	return result, err
}

// checkImport returns the fault of parameters that cannot be right.
func checkImport(params *wire.ImportParams) error {
	from := string(params.From)
	known := append([]string{string(wire.ImportAll)}, importer.Names()...)
	switch {
	case from != "" && !slices.Contains(known, from):
		return fault.Invalid("from", "must be %s, got %q", strings.Join(known, ", "), from)
	case params.Path != "" && (params.Undo || params.Dismiss):
		return fault.Invalid("path", "must be empty with undo and dismiss")
	case params.Path != "" && !filepath.IsAbs(params.Path):
		return fault.Invalid("path", "must be an absolute path, got %q", params.Path)
	case params.Dismiss && (from == "" || params.From == wire.ImportAll):
		return fault.Invalid("from", "must be the format that is not to be offered any more")
	case params.Path == "" && !params.Undo && !params.Dismiss && from != "" && params.From != wire.ImportAll &&
		!importer.HasPlace(from):
		return fault.Invalid("path", "is missing; %s has no place for a workspace: name a file or folder", from)
	}
	return nil
}

// foundFor returns what an import finds.
func (v *View) foundFor(params *wire.ImportParams) (importer.Memory, error) {
	from := string(params.From)
	if params.From == wire.ImportAll {
		from = ""
	}
	if params.Path != "" {
		found, err := importer.ReadPath(v.importPlace(), params.Path, from)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return found, fault.Refuse("", fault.Data{}, "there is no file or folder %s", params.Path)
		case err != nil:
			return found, fault.Refuse("", fault.Data{}, "%s", fault.Plain(err))
		}
		return found, nil
	}
	if params.From == wire.ImportAll {
		return importer.Read(v.importPlace()), nil
	}
	return importer.Read(v.importPlace(), cmp.Or(from, importer.OpenCodeWorkingMemory)), nil
}

// importPlace returns where programs may have kept the memory of the workspace.
func (v *View) importPlace() importer.Place {
	place := v.folder.place
	at := importer.Place{
		Folders: []string{place.Folder, place.Worktree, place.Root}, DataHome: otherDataHome(),
		ClaudeHome: os.Getenv("CLAUDE_CONFIG_DIR"),
	}
	if home, err := os.UserHomeDir(); err == nil {
		at.Home, at.ClaudeHome = home, cmp.Or(at.ClaudeHome, filepath.Join(home, ".claude"))
	}
	return at
}

// otherDataHome is the folder in which programs of OpenCode keep their data, on all systems.
func otherDataHome() string {
	if dir := os.Getenv("XDG_DATA_HOME"); dir != "" {
		return dir
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(home, ".local", "share")
}

// A taking is one import.
type taking struct {
	*View
	// again is true if what was taken over before is, too; dry if nothing is changed.
	again, dry bool
	result     *wire.ImportResult
	record     *imported
	now        importRecord
	// done are keys that were added to the record.
	done []string
}

func (t *taking) skip(name, reason string) {
	t.result.Skipped = append(t.result.Skipped, wire.ImportSkipped{Name: gate.Text(name), Reason: gate.Text(reason)})
}

// isNew reports whether something is to be taken over. It counts what was taken over before.
func (t *taking) isNew(key string) bool {
	if !t.again && slices.Contains(t.record.Done, key) {
		t.result.Before++
		return false
	}
	return !slices.Contains(t.done, key)
}

// takeOver takes over what is new.
func (t *taking) takeOver(ctx context.Context, found importer.Memory) error {
	var fresh []importer.Entry
	for _, entry := range found.Entries {
		if t.isNew(entryKey(entry)) {
			fresh = append(fresh, entry)
		}
	}
	if t.dry {
		if err := t.adopt(ctx, fresh); err != nil {
			return err
		}
	} else {
		// Other processes wait meanwhile, so a few at a time.
		for some := range slices.Chunk(fresh, adoptedAtOnce) {
			if err := t.adopt(ctx, some); err != nil {
				return err
			}
		}
	}
	for _, session := range found.Sessions {
		if err := t.session(ctx, session); err != nil {
			return err
		}
	}
	return nil
}

// adoptedAtOnce is how many entries are decided about in one transaction.
const adoptedAtOnce = 16

// entryKey is what the record has of an entry.
func entryKey(e importer.Entry) string {
	if e.Program == importer.OpenCodeWorkingMemory {
		return "entry:" + recordedID(e.Key)
	}
	return "entry:" + e.Program + ":" + recordedID(e.Key)
}

// adopt decides about entries and adds their receipts.
func (t *taking) adopt(ctx context.Context, entries []importer.Entry) error {
	additions := make([]longterm.Addition, len(entries))
	for i, e := range entries {
		additions[i] = longterm.Addition{
			Type: e.Type, Text: e.Text, Rationale: e.Rationale, Source: longterm.Source(e.Source),
			Imported: &longterm.Imported{Program: e.Program, File: e.File, Line: e.Line},
		}
		if source := additions[i].Source; source != longterm.Explicit && source != longterm.Manual {
			additions[i].Source = longterm.Compaction // which has to pass the quality gate
		}
	}
	var adopted []longterm.Adoption
	decide := func() (changes []change.Change, err error) {
		adopted, err = t.longterm().Adopt(additions)
		for _, a := range adopted {
			changes = append(changes, a.Changes...)
		}
		return changes, err
	}
	var changes []change.Change
	var err error
	if t.dry {
		changes, err = decide()
		for i := range changes {
			changes[i] = gate.Redact(changes[i], nil)
		}
	} else {
		changes, err = t.Apply(ctx, t.Actor(), decide)
	}
	if err != nil {
		return err
	}
	for i, a := range adopted {
		own := changes[:len(a.Changes)]
		changes = changes[len(own):]
		if err := t.receipt(entries[i], a, own); err != nil {
			return err
		}
	}
	return nil
}

// receipt adds the receipt of an entry, and to the record what became of it. own are its changes.
func (t *taking) receipt(e importer.Entry, a longterm.Adoption, own []change.Change) error {
	receipt := wire.Receipt{Status: wire.ReceiptUnchanged, Reason: "it is remembered already"}
	if a.Known != nil {
		known := memoryEntry(*a.Known)
		receipt.ID, receipt.Entry = known.ID, &known
	} else {
		var err error
		if receipt, err = t.onlyReceipt(own, e.Text, e.Rationale); err != nil {
			return err
		}
		t.result.Redactions += receipt.Redactions
	}
	receipt.Imported = &wire.Imported{From: wire.ImportSource(e.Program), File: gate.Text(e.File), Line: e.Line}
	switch {
	case t.dry && receipt.Entry != nil && a.Known == nil:
		receipt.ID, receipt.Entry.ID, receipt.Undo = "", "", nil
	case t.dry:
	case a.Known == nil && receipt.Entry != nil:
		var entry longterm.Entry
		if err := own[len(own)-1].Decode(&entry); err != nil {
			return err
		}
		t.now.Entries = append(t.now.Entries, addedRecord{ID: entry.ID, Revision: entry.Revision()})
	}
	t.result.Memories = append(t.result.Memories, receipt)
	t.from(e.Program)
	if !a.Full { // there may be space later
		t.done = append(t.done, entryKey(e))
	}
	return nil
}

// from records that something of a format was taken over.
func (t *taking) from(format string) {
	if !slices.Contains(t.now.From, format) {
		t.now.From = append(t.now.From, format)
	}
}

// session takes over a session, or documents. One that was deleted here stays deleted.
func (t *taking) session(ctx context.Context, session importer.Session) error {
	id := storedSessionID(AgentSession(session.Agent, session.ID))
	if t.Sessions().Deleted(id) && !t.again {
		t.result.Before++
		return nil
	}
	known, existed := t.Sessions().Get(id)
	existed = existed && !known.Deleted
	ev := t.event(event.Written{})
	ev.Session, ev.Agent, ev.Attached = id, session.Agent, true
	if !t.dry && t.Sessions().Deleted(id) {
		ev.Body = event.SessionStarted{Explicit: true}
		if _, err := t.Observe(ctx, ev); err != nil {
			return err
		}
		ev.Body = event.Written{}
	}
	n := len(t.done)
	if err := t.state(ctx, ev, session); err != nil {
		return err
	}
	if err := t.notesOf(ctx, ev, session); err != nil {
		return err
	}
	if t.dry || len(t.done) == n {
		return nil
	}
	if !existed {
		t.now.Sessions = append(t.now.Sessions, id)
	}
	if !known.Live() {
		return t.EndSession(ctx, ev)
	}
	return nil
}

// state takes over the core memory and the working memory of a session. A block that has a string stays as
// it is.
func (t *taking) state(ctx context.Context, ev event.Event, session importer.Session) error {
	key := "session:" + recordedID(session.ID)
	if len(session.Core) == 0 && len(session.Working.Items) == 0 || !t.isNew(key) {
		return nil
	}
	t.result.Sessions = append(t.result.Sessions, ev.Session)
	t.from(importer.OpenCodeWorkingMemory)
	for _, block := range core.Names() {
		n, _ := takenOut(session.Core[block])
		t.result.Redactions += n
	}
	for _, item := range session.Working.Items {
		n, _ := takenOut(item.Content)
		t.result.Redactions += n
	}
	t.done = append(t.done, key)
	if t.dry {
		return nil
	}
	for _, block := range core.Names() {
		text := session.Core[block]
		if text == "" {
			continue
		}
		_, err := t.ApplyIn(ctx, ev, func() ([]change.Change, error) {
			if t.core().Get(ev.Session, block).Content != "" {
				return nil, nil
			}
			return t.core().Update(ev.Session, block, core.Replace, text, "")
		})
		switch {
		case err != nil && fault.Of(err).Reason == fault.Limit:
			t.skip(ev.Session, err.Error())
		case err != nil:
			return err
		}
	}
	_, err := t.ApplyIn(ctx, ev, func() ([]change.Change, error) {
		return t.working().Import(ev.Session, session.Working), nil
	})
	return err
}

// notesOf takes over the documents of a session. A note that is there stays as it is.
func (t *taking) notesOf(ctx context.Context, ev event.Event, session importer.Session) error {
	for _, note := range session.Notes {
		key := "note:" + recordedID(session.Agent+":"+session.ID+":"+note.Path) + ":" +
			notes.RevisionOf(note.Text)
		if !t.isNew(key) {
			continue
		}
		said := wire.ImportNote{
			SessionID: ev.Session, Path: note.Path,
			Imported: wire.Imported{From: wire.ImportSource(note.Program), File: gate.Text(note.File)},
		}
		said.Redactions, _ = takenOut(note.Text)
		folder, err := t.notes().Folder(ev.Session)
		if err != nil {
			return err
		}
		if _, err := folder.Read(note.Path); err == nil {
			t.skip(note.File, "there is a note "+note.Path+" of "+ev.Session+" already, which stays as it is")
			t.done = append(t.done, key)
			continue
		}
		if !t.dry {
			written, err := t.notes().Write(ctx, ev, note.Path, note.Text, notes.Absent)
			switch {
			case err != nil && (fault.Has(err, fault.Limit) || fault.Has(err, fault.Conflict)):
				t.skip(note.File, fault.Of(err).Message)
				continue
			case err != nil:
				return err
			}
			t.now.Notes = append(t.now.Notes,
				addedRecord{ID: ev.Session, Path: written.Path, Revision: written.Revision})
		}
		t.result.Notes = append(t.result.Notes, said)
		t.result.Redactions += said.Redactions
		t.from(note.Program)
		t.done = append(t.done, key)
	}
	return nil
}

// finish records what was taken over, and reports whether there is something to record.
func (t *taking) finish(params *wire.ImportParams) bool {
	for _, key := range t.done {
		if !slices.Contains(t.record.Done, key) {
			t.record.Done = append(t.record.Done, key)
		}
	}
	answered := len(t.record.Answered)
	if params.Path == "" {
		for _, name := range t.now.From {
			t.record.answer(name)
		}
		if params.From != "" && params.From != wire.ImportAll {
			t.record.answer(string(params.From))
		}
	}
	if len(t.now.Entries)+len(t.now.Notes)+len(t.now.Sessions) > 0 {
		t.now.At = t.Now()
		t.record.Imports = append(t.record.Imports, t.now)
		t.result.Undo = &wire.Undo{Method: "wm/import", Params: wire.Object{"undo": true}}
	}
	return len(t.done) > 0 || len(t.record.Answered) > answered
}

// takeBack removes what the latest import has added, if it was not changed since.
func (v *View) takeBack(ctx context.Context, from string, record *imported, result *wire.ImportResult) error {
	if from == string(wire.ImportAll) {
		from = ""
	}
	at := record.latest(from)
	if at < 0 {
		return nil
	}
	was := record.Imports[at]
	skip := func(name string, err error) {
		result.Skipped = append(result.Skipped, wire.ImportSkipped{Name: name, Reason: fault.Of(err).Message})
	}
	for _, entry := range was.Entries {
		changes, err := v.Apply(ctx, v.Actor(), v.expecting(entry.ID, wire.Revision(entry.Revision),
			func() ([]change.Change, error) { return v.longterm().Remove(entry.ID) }))
		switch {
		case err != nil && fault.Of(err).Reason == "":
			return err
		case err != nil:
			skip(entry.ID, err)
			continue
		}
		receipt, err := v.onlyReceipt(changes)
		if err != nil {
			return err
		}
		result.Memories = append(result.Memories, receipt)
	}
	deleted := map[string]bool{}
	for _, id := range was.Sessions {
		ev := v.event(nil)
		ev.Session = id
		known, there := v.Sessions().Get(id)
		if !there || known.Deleted {
			continue
		}
		if known.Live() || known.Turn > 0 {
			skip(id, errContinued)
			continue
		}
		if _, err := v.DeleteSession(ctx, ev); err != nil {
			return err
		}
		deleted[id] = true
		result.Sessions = append(result.Sessions, id)
	}
	for _, note := range was.Notes {
		if deleted[note.ID] {
			continue
		}
		ev := v.event(event.Written{})
		ev.Session, ev.Attached = note.ID, true
		_, err := v.notes().RestoreRevision(ctx, ev, note.Path, notes.Absent, note.Revision)
		if err != nil {
			skip(note.ID+" "+note.Path, err)
		}
	}
	record.Imports = slices.Delete(record.Imports, at, at+1)
	return nil
}

// errContinued means that a session was used after it was taken over.
var errContinued = errors.New("somebody has continued the session; it stays")
