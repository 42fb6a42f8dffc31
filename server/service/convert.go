package service

import (
	"encoding/json"
	"path"
	"strings"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/hot"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

func activeFile(f hot.File) wire.ActiveFile {
	return wire.ActiveFile{
		Path: f.Path, Action: wire.FileAction(f.Action), Count: f.Count, Rank: f.Rank(),
		LastSeen: wire.At(f.LastSeen), SessionID: f.Session, By: f.By, Hash: f.Hash,
	}
}

func (v *View) openError(e hot.Error) wire.OpenError {
	open := wire.OpenError{
		Fingerprint: e.Fingerprint, Category: e.Category, Summary: e.Summary, Path: e.Path, Line: e.Line, Tool: e.Tool, Command: e.Command,
		Count: e.Count, FirstSeen: wire.At(e.FirstSeen), LastSeen: wire.At(e.LastSeen),
		Verified: e.Verified(), MaybeFixed: e.MaybeFixed, Masked: e.Masked, Sources: []wire.ErrorSource{},
	}
	for _, s := range e.Sources {
		open.Sources = append(open.Sources, wire.ErrorSource{
			Origin: wire.ErrorOrigin(s.Origin), SessionID: s.Session, Live: v.Sessions().Live(s.Session),
		})
	}
	return open
}

// openedAndClosed reads from the changes of an event which errors are open
// since, and which are not any more.
func (v *View) openedAndClosed(changes []change.Change) (opened []wire.OpenError, closed []string) {
	opened, closed = []wire.OpenError{}, []string{}
	told := map[string]bool{}
	for _, c := range changes {
		if c.Kind != hot.ErrorSeen && c.Kind != hot.ErrorClosed || told[c.Subject] {
			continue
		}
		e, open := memory.RoomOf[*hot.Room](v.Workspace).Open(v.worktree(), c.Subject)
		switch {
		case c.Kind == hot.ErrorSeen && open:
			opened = append(opened, v.openError(e))
		case c.Kind == hot.ErrorClosed && !open:
			closed = append(closed, c.Subject)
		default:
			continue
		}
		told[c.Subject] = true
	}
	return opened, closed
}

// touchedFiles reads from the changes of an event which files it touched.
func (v *View) touchedFiles(changes []change.Change) []wire.ActiveFile {
	paths := map[string]bool{}
	for _, c := range changes {
		if c.Kind == hot.FileTouched {
			paths[c.Subject] = true
		}
	}
	files := []wire.ActiveFile{}
	if len(paths) == 0 {
		return files
	}
	for _, file := range memory.RoomOf[*hot.Room](v.Workspace).Files(v.who.Session, v.worktree(), 0) {
		if paths[file.Path] {
			files = append(files, activeFile(file))
		}
	}
	return files
}

func memoryEntry(e longterm.Entry) wire.MemoryEntry {
	entry := wire.MemoryEntry{
		ID: e.ID, Type: e.Type, Text: e.Text, Rationale: e.Rationale, Source: wire.Source(e.Source), Confidence: e.Confidence,
		Status: wire.EntryStatus(e.Status), Pinned: e.Pinned, Reviewed: e.Reviewed, Files: e.Files, Reinforced: e.Reinforced,
		CreatedAt: wire.At(e.CreatedAt), UpdatedAt: wire.At(e.UpdatedAt),
	}
	if e.Origin != nil {
		entry.Origin = &wire.Origin{SessionID: e.Origin.SessionID, Agent: e.Origin.Agent}
	}
	if e.Stale != nil {
		entry.Stale = &wire.Stale{Reason: e.Stale.Reason}
	}
	return entry
}

func traceEvent(c change.Change) wire.TraceEvent {
	return wire.TraceEvent{
		Seq: c.Seq, At: wire.At(c.At), Kind: string(c.Kind), Subject: c.Subject, SessionID: c.Session, By: c.By,
		Before: c.Before, After: c.After, Reason: c.Reason,
	}
}

func traceEvents(changes []change.Change) []wire.TraceEvent {
	events := make([]wire.TraceEvent, 0, len(changes))
	for _, c := range changes {
		events = append(events, traceEvent(c))
	}
	return events
}

// receipts tell what changes did to the workspace memory, each with the call
// that takes it back.
func receipts(changes []change.Change) ([]wire.Receipt, error) {
	told, err := longterm.Receipts(changes)
	if err != nil {
		return nil, err
	}
	list := []wire.Receipt{}
	for _, r := range told {
		list = append(list, receipt(r, changes))
	}
	return list, nil
}

func receipt(r longterm.Receipt, changes []change.Change) wire.Receipt {
	out := wire.Receipt{
		Status: wire.ReceiptStatus(r.Status), ID: r.ID, Text: r.Text, Reason: r.Reason, Redactions: r.Redactions, Evicted: r.Evicted,
	}
	if r.Entry == nil {
		return out
	}
	entry := memoryEntry(*r.Entry)
	out.Entry, out.Text = &entry, ""
	out.Undo = undo(r, changes)
	return out
}

// undo is the call that takes back what a receipt tells, nil where there is none.
func undo(r longterm.Receipt, changes []change.Change) *wire.Undo {
	for _, c := range changes {
		if c.Subject != r.ID {
			continue
		}
		var before longterm.Entry
		switch c.Kind {
		case longterm.Added, longterm.Restored:
			return &wire.Undo{Method: "wm/memory/remove", Params: wire.Object{"id": r.ID}}
		case longterm.Removed:
			return &wire.Undo{Method: "wm/memory/restore", Params: wire.Object{"id": r.ID}}
		case longterm.Updated, longterm.Merged:
			if json.Unmarshal(c.Before, &before) == nil {
				return &wire.Undo{Method: "wm/memory/update", Params: wire.Object{
					"id": r.ID, "text": before.Text, "type": before.Type, "rationale": before.Rationale,
					"pinned": before.Pinned, "reviewed": before.Reviewed,
				}}
			}
		}
	}
	return nil
}

func within(file, folder string) bool {
	folder = strings.TrimPrefix(path.Clean(folder), "./")
	return folder == "." || file == folder || strings.HasPrefix(file, folder+"/")
}
