// Package fixes is the room of the errors that are gone, with what closed them, so that search finds
// how an error was fixed when it comes back. They are rows of a table in the database, and are not
// held in memory.
package fixes

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/hot"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
)

// maxFixes is how many errors of a workspace are kept. Those that were closed first are deleted.
const maxFixes = 2000

// A Fix is an error that is gone. The same error in the same worktree is kept once, as it was fixed
// last.
type Fix struct {
	hot.Fix
	ID       string    `json:"id"`
	Worktree string    `json:"worktree"`
	Session  string    `json:"session,omitempty"` // in which it was fixed
	Agent    string    `json:"agent,omitempty"`
	At       time.Time `json:"at"`
	Reason   string    `json:"reason"`
}

// Room writes and reads the table of fixes. It is safe for concurrent use.
type Room struct {
	// dropped are the ids of the documents that the last call of Index has deleted for new ones.
	// It is used in a transaction only.
	dropped []string
}

// New returns a room.
func New(room.Env) *Room { return &Room{} }

// Name returns the name of the room.
func (r *Room) Name() string { return "fixes" }

// Observe returns nothing: the hot state closes errors.
func (r *Room) Observe(event.Event) ([]change.Change, error) { return nil, nil }

// Fold returns nothing, because nothing is held in memory.
func (r *Room) Fold(change.Change) ([]change.Row, error) { return nil, nil }

// Load does nothing, because there are no rows.
func (r *Room) Load([]change.Row) error { return nil }

// TablesVersion returns the version of the tables.
func (r *Room) TablesVersion() int { return 1 }

// Tables returns the names of the tables.
func (r *Room) Tables() []string { return []string{"fixes_error"} }

// Migrate creates the table. n is the seq of the change that closed the error, doc the Fix.
func (r *Room) Migrate(ctx context.Context, tx room.Tx, _ int) error {
	_, err := tx.ExecContext(ctx, `CREATE TABLE fixes_error(
		id TEXT PRIMARY KEY, n INTEGER NOT NULL, session TEXT NOT NULL, doc TEXT NOT NULL) WITHOUT ROWID;
		CREATE INDEX fixes_newest ON fixes_error(n)`)
	return err
}

// Attach does nothing: who looks for documents passes the database.
func (r *Room) Attach(room.Database) {}

// Index updates the table for changes.
func (r *Room) Index(ctx context.Context, tx room.Tx, changes []change.Change) error {
	r.dropped = nil
	added := false
	for _, c := range changes {
		if fix, is := fixOf(c); is {
			doc, err := json.Marshal(fix)
			if err != nil {
				return err
			}
			_, err = tx.ExecContext(ctx, `INSERT OR REPLACE INTO fixes_error(id, n, session, doc) VALUES(?, ?, ?, ?)`,
				fix.ID, c.Seq, fix.Session, string(doc))
			if err != nil {
				return fmt.Errorf("keep how an error was fixed: %w", err)
			}
			added = true
		}
		if c.Kind == sessions.Deleted {
			if _, err := tx.ExecContext(ctx, "DELETE FROM fixes_error WHERE session = ?", c.Subject); err != nil {
				return err
			}
		}
	}
	if !added {
		return nil
	}
	return r.dropOldest(ctx, tx)
}

func (r *Room) dropOldest(ctx context.Context, tx room.Tx) error {
	rows, err := tx.QueryContext(ctx, `DELETE FROM fixes_error WHERE id IN (SELECT id FROM fixes_error
		ORDER BY n DESC LIMIT -1 OFFSET ?) RETURNING id`, maxFixes)
	if err != nil {
		return err
	}
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return errors.Join(err, rows.Close())
		}
		r.dropped = append(r.dropped, documentPrefix+id)
	}
	return errors.Join(rows.Err(), rows.Close())
}

// fixOf returns the fix that a change holds.
func fixOf(c change.Change) (Fix, bool) {
	held, worktree, is := hot.FixOf(c)
	if !is {
		return Fix{}, false
	}
	sum := sha256.Sum256([]byte(worktree + "\x00" + c.Subject))
	return Fix{
		Fix: held, ID: hex.EncodeToString(sum[:8]), Worktree: worktree, Session: c.Session, Agent: c.By, At: c.At,
		Reason: c.Reason,
	}, true
}

const documentPrefix = "fix:"

// fixTable returns how the table is read.
func fixTable() *room.DocumentTable[Fix] {
	return &room.DocumentTable[Fix]{
		Name: "fixes_error", Order: "n", What: "how errors were fixed", Document: Fix.document,
		ID: func(document string) (string, bool) { return strings.CutPrefix(document, documentPrefix) },
	}
}

// EraseIndexed erases strings from the fixes.
func (r *Room) EraseIndexed(ctx context.Context, tx room.Tx, texts []string) error {
	return fixTable().Erase(ctx, tx, texts)
}

// Documents returns the document of the error that a change closes.
func (r *Room) Documents(c change.Change) (put []room.Document, removed []string) {
	if fix, is := fixOf(c); is {
		return []room.Document{fix.document()}, r.dropped
	}
	return nil, nil
}

// Each yields the documents of all fixes.
func (r *Room) Each(ctx context.Context, db room.Querier, yield func(room.Document) bool) error {
	return fixTable().Each(ctx, db, yield)
}

// Find returns documents by their ids, in that order.
func (r *Room) Find(ctx context.Context, db room.Querier, ids []string) ([]room.Document, error) {
	return fixTable().Find(ctx, db, ids)
}

// importance is that of a fix, between what was said once and what was asked to be remembered.
const importance = 0.5

func (f Fix) document() room.Document {
	return room.Document{
		ID: documentPrefix + f.ID, Store: room.StoreErrors, Type: f.Category, Text: f.Text(), State: room.Closed,
		Path: f.Path, At: f.At, Session: f.Session, Agent: f.Agent, Worktree: f.Worktree, Importance: importance,
	}
}

// Text returns the error and what closed it, a line each.
func (f Fix) Text() string {
	var b strings.Builder
	if f.Path != "" {
		b.WriteString(f.Path + ": ")
	}
	b.WriteString(f.Summary)
	if f.Code != "" && !strings.Contains(f.Summary, f.Code) {
		b.WriteString(" (" + f.Code + ")")
	}
	if f.Command != "" {
		b.WriteString("\nReported by: " + f.Command)
	}
	b.WriteString("\n" + hot.ClosedLabel + f.Reason)
	if f.By != "" {
		b.WriteString(": " + f.By)
	}
	if len(f.Edited) > 0 {
		b.WriteString("\n" + hot.EditedLabel + strings.Join(f.Edited, ", "))
	}
	if f.Cause != "" {
		b.WriteString("\n" + hot.CauseLabel + f.Cause)
	}
	return b.String()
}

var (
	_ room.Eraser = (*Room)(nil)
	_ room.Source = (*Room)(nil)
)
