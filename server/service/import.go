package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/wm-lsp/wm-lsp/importer"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/core"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/gate"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/regular"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/memory/store/files"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// Import implements wm/import (systems.md B15). What was taken over is recorded in the data
// folder, outside of that of the workspace: what a person removes later, or purges with the
// whole memory, does not come back.
func (s *Service) Import(ctx context.Context, at *View, params *wire.ImportParams) (wire.ImportResult, error) {
	result := wire.ImportResult{Memories: []wire.Receipt{}, Sessions: []string{}, Skipped: []wire.ImportSkipped{}}
	if params.From != "" && params.From != wire.ImportOpenCodeWorkingMemory {
		return result, fault.Invalid("from", "must be %s, got %q", wire.ImportOpenCodeWorkingMemory, params.From)
	}
	if err := at.NoWorkspace(); err != nil {
		return result, err
	}
	if err := at.recording(); err != nil {
		return result, err
	}
	place := at.folder.place
	found := importer.OpenCodeWorkingMemory([]string{place.Folder, place.Worktree, place.Root}, otherDataHome())
	for _, skipped := range found.Skipped {
		result.Skipped = append(result.Skipped, wire.ImportSkipped{
			Name: gate.Text(skipped.Path), Reason: gate.Text(skipped.Reason),
		})
	}
	if len(found.Entries) == 0 && len(found.Sessions) == 0 {
		return result, nil
	}
	done, err := s.readImported(place.Key)
	if err != nil {
		return result, err
	}
	before := len(done)
	err = at.takeOver(ctx, found, &done, &result)
	if len(done) > before {
		err = errors.Join(err, s.writeImported(place.Key, done))
	}
	return result, err
}

// takeOver adds what is not done yet, and adds the keys of what it has added to done.
func (v *View) takeOver(
	ctx context.Context, found importer.Memory, done *[]string, result *wire.ImportResult,
) error {
	for _, entry := range found.Entries {
		key := "entry:" + recordedID(entry.Key)
		if slices.Contains(*done, key) {
			continue
		}
		receipt, err := v.takeEntry(ctx, entry)
		if err != nil {
			return err
		}
		result.Memories = append(result.Memories, receipt)
		*done = append(*done, key)
	}
	for _, session := range found.Sessions {
		key := "session:" + recordedID(session.ID)
		if slices.Contains(*done, key) {
			continue
		}
		id := storedSessionID(AgentSession("opencode", session.ID))
		if !v.Sessions().Deleted(id) {
			skipped, err := v.takeSession(ctx, id, session)
			if err != nil {
				return err
			}
			result.Sessions = append(result.Sessions, id)
			result.Skipped = append(result.Skipped, skipped...)
		}
		*done = append(*done, key)
	}
	return nil
}

// maxRecordedID is how many bytes an id has at most that is recorded as it is.
const maxRecordedID = 64

// recordedID returns the id of another program as it is recorded: itself, or its key if it is long
// or holds a secret.
func recordedID(id string) string {
	if len(id) > maxRecordedID || gate.Text(id) != id {
		return store.SessionKey(id)
	}
	return id
}

// takeEntry adds an entry. One that cannot be added has a receipt that says why.
func (v *View) takeEntry(ctx context.Context, entry importer.Entry) (wire.Receipt, error) {
	source := longterm.Source(entry.Source)
	if source != longterm.Explicit && source != longterm.Manual {
		source = longterm.Compaction // which has to pass the quality gate
	}
	changes, err := v.Apply(ctx, v.Actor(), func() ([]change.Change, error) {
		return v.longterm().Add(longterm.Addition{
			Type: entry.Type, Text: entry.Text, Rationale: entry.Rationale, Source: source,
		})
	})
	switch {
	case err != nil && fault.Of(err).Kind == fault.Params:
		return wire.Receipt{
			Status: wire.ReceiptRejected, Text: gate.Text(entry.Text), Reason: gate.Text(err.Error()),
		}, nil
	case err != nil:
		return wire.Receipt{}, err
	}
	return onlyReceipt(changes, entry.Text, entry.Rationale)
}

// takeSession adds the core memory and the working memory of a session of OpenCode, which is
// ended unless it is live. A block that has a text stays as it is.
func (v *View) takeSession(
	ctx context.Context, id string, session importer.Session,
) (skipped []wire.ImportSkipped, err error) {
	known, _ := v.Sessions().Get(id)
	ev := v.event(event.Written{})
	ev.Session, ev.Agent, ev.Attached = id, "opencode", true
	for _, block := range core.Names() {
		text := session.Core[block]
		if text == "" {
			continue
		}
		_, err := v.ApplyIn(ctx, ev, func() ([]change.Change, error) {
			if v.core().Get(id, block).Content != "" {
				return nil, nil
			}
			return v.core().Update(id, block, core.Replace, text, "")
		})
		switch {
		case err != nil && fault.Of(err).Reason == fault.Limit:
			skipped = append(skipped, wire.ImportSkipped{Name: id, Reason: gate.Text(err.Error())})
		case err != nil:
			return skipped, err
		}
	}
	if _, err := v.ApplyIn(ctx, ev, func() ([]change.Change, error) {
		return v.working().Import(id, session.Working), nil
	}); err != nil {
		return skipped, err
	}
	if !known.Live() {
		return skipped, v.EndSession(ctx, ev)
	}
	return skipped, nil
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

// maxImported is how many bytes the record of one workspace has at most.
const maxImported = 8 << 20

// readImported returns the keys of what was taken over into a workspace.
func (s *Service) readImported(key string) (done []string, err error) {
	dir := filepath.Join(s.options.DataDir, store.ImportedName)
	doc, err := regular.Read(dir, key+".json", maxImported)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		err = json.Unmarshal(doc, &done)
	}
	if err != nil {
		return nil, fault.Refuse(fault.Store, fault.Data{}, "what was imported before is not known, because %s "+
			"cannot be read: %v; delete it to import all again", filepath.Join(dir, key+".json"), err)
	}
	return done, nil
}

func (s *Service) writeImported(key string, done []string) error {
	dir := filepath.Join(s.options.DataDir, store.ImportedName)
	doc, err := json.Marshal(done)
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	if err == nil {
		err = files.Write(filepath.Join(dir, key+".json"), doc)
	}
	if err != nil {
		return fmt.Errorf("record what was imported: %w", err)
	}
	return nil
}
