// Package reads is the room of what was read (systems.md E13): which contexts were assembled, which
// searches ran, and what of them was used afterwards. It keeps ids and numbers, no content. They are no
// changes: nothing is folded from them, and they have a retention of their own. What it folds are the
// coefficients that a person applied, which it proposes from what was used (E8).
package reads

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/gate"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
	"github.com/wm-lsp/wm-lsp/memory/settings"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// The kinds of reads. The subject is the id of the read.
const (
	// Assembled is a context that a session was given. The payload is a Context.
	Assembled change.Kind = "context.assembled"
	// Ran is a search. The payload is a Search.
	Ran change.Kind = "search.ran"
	// Used is what a session used of a search. The subject is the id of the search, the payload a Use.
	Used change.Kind = "search.used"
)

// A Context is the payload of Assembled.
type Context struct {
	Revision string `json:"revision"`
	// Same is true if the session was given the same before. The sections are left out then.
	Same     bool      `json:"same,omitempty"`
	Sections []Section `json:"sections,omitempty"`
}

// A Section names what a section of a context showed.
type Section struct {
	ID    string   `json:"id"`
	Items []string `json:"items,omitempty"`
}

// A Search is the payload of Ran.
type Search struct {
	Mode string `json:"mode"`
	// Shown is how many of the candidates were hits.
	Shown int `json:"shown"`
	// Candidates are what was rated, the best first, at most maxCandidates.
	Candidates []Candidate `json:"candidates"`
}

// maxCandidates is how many candidates of a search are kept.
const maxCandidates = 30

// A Candidate is a document that was rated: its id, and what its rating depends on.
type Candidate struct {
	ID         string  `json:"id"`
	Similarity float64 `json:"similarity"`
	// Days is the age, -1 if it is not known.
	Days        float64 `json:"days"`
	Importance  float64 `json:"importance"`
	Duplication float64 `json:"duplication"`
}

// A Use is the payload of Used.
type Use struct {
	IDs []string `json:"ids"`
}

// Room has the table of reads. It is safe for concurrent use.
type Room struct {
	db room.Database // nil until it is attached

	mu    sync.RWMutex
	tuned change.Table[Tuning] // by tunedKey
}

// New returns a room.
func New(room.Env) *Room { return &Room{tuned: change.Table[Tuning]{}} }

// Name returns the name of the room.
func (r *Room) Name() string { return "reads" }

// Nouns returns the noun of searches, and of the change that tunes them. That of contexts is announced
// by the room briefing.
func (r *Room) Nouns() []room.Noun { return []room.Noun{{Name: "search"}} }

// Observe returns nothing.
func (r *Room) Observe(event.Event) ([]change.Change, error) { return nil, nil }

// TablesVersion returns the version of the tables.
func (r *Room) TablesVersion() int { return 1 }

// Tables returns the names of the tables.
func (r *Room) Tables() []string { return []string{"reads_read"} }

// Attach sets the database from which reads are read.
func (r *Room) Attach(db room.Database) { r.db = db }

// Migrate creates the table.
func (r *Room) Migrate(ctx context.Context, tx room.Tx, _ int) error {
	_, err := tx.ExecContext(ctx, `CREATE TABLE reads_read(
			n INTEGER PRIMARY KEY,
			seq INTEGER NOT NULL,     -- of the newest change before it
			at INTEGER NOT NULL,      -- milliseconds since 1970
			kind TEXT NOT NULL,
			subject TEXT NOT NULL,
			session TEXT NOT NULL,
			agent TEXT NOT NULL,
			doc TEXT NOT NULL         -- the payload
		);
		CREATE INDEX reads_kind ON reads_read(kind, n);
		CREATE INDEX reads_session ON reads_read(session)`)
	return err
}

// Index deletes the reads of sessions that were deleted or swept.
func (r *Room) Index(ctx context.Context, tx room.Tx, changes []change.Change) error {
	for _, c := range changes {
		if c.Kind != sessions.Deleted && c.Kind != sessions.Swept {
			continue
		}
		if _, err := tx.ExecContext(ctx, "DELETE FROM reads_read WHERE session = ?", c.Subject); err != nil {
			return err
		}
	}
	return nil
}

// EraseIndexed deletes the reads that hold one of the strings, as the path of a file may.
func (r *Room) EraseIndexed(ctx context.Context, tx room.Tx, texts []string) error {
	for _, text := range texts {
		_, err := tx.ExecContext(ctx, `DELETE FROM reads_read WHERE instr(doc, ?1) OR instr(subject, ?1) OR
			instr(session, ?1) OR instr(agent, ?1)`, text)
		if err != nil {
			return err
		}
	}
	return nil
}

// write writes reads, and deletes what is over the limits.
func (r *Room) write(
	ctx context.Context, tx room.Tx, reads []change.Change, limits settings.Log, now time.Time,
) error {
	gate.Changes(reads, nil) // names of sessions and agents, and ids that are paths, may hold a secret
	for _, read := range reads {
		_, err := tx.ExecContext(ctx, `INSERT INTO reads_read(seq, at, kind, subject, session, agent, doc)
			VALUES(?, ?, ?, ?, ?, ?, ?)`,
			read.Seq, read.At.UnixMilli(), string(read.Kind), read.Subject, read.Session, read.By, string(read.After))
		if err != nil {
			return err
		}
	}
	_, err := tx.ExecContext(ctx, `DELETE FROM reads_read WHERE n <= (SELECT max(n) FROM reads_read) - ?1
		OR n <= (SELECT min(n) FROM reads_read) + 1000 AND at < ?2`,
		limits.MaxReads, now.AddDate(0, 0, -limits.ReadDays).UnixMilli())
	return err
}

// Trace returns the reads that match a filter, oldest first. Those at the position of After are
// among them, because they came after that change.
func (r *Room) Trace(ctx context.Context, filter store.Filter) ([]change.Change, error) {
	if r.db == nil {
		return nil, nil
	}
	where, args := []string{"seq >= ?", "at >= ?"}, []any{filter.After, int64(0)}
	if !filter.Since.IsZero() {
		args[1] = filter.Since.UnixMilli()
	}
	if filter.Subject != "" {
		where = append(where, "(subject = ? OR instr(doc, ?))")
		quoted, err := json.Marshal(filter.Subject)
		if err != nil {
			return nil, err
		}
		args = append(args, filter.Subject, strings.TrimPrefix(string(quoted), `"`))
	}
	if len(filter.Kinds) > 0 {
		var kinds []string
		for _, kind := range []change.Kind{Assembled, Ran, Used} {
			if (store.Filter{Kinds: filter.Kinds}).Matches(change.Change{Kind: kind, Seq: 1}) {
				kinds = append(kinds, string(kind))
			}
		}
		if len(kinds) == 0 {
			return nil, nil
		}
		where = append(where, "kind IN (SELECT value FROM json_each(?))")
		args = append(args, room.Values(kinds))
	}
	return r.read(ctx, "WHERE "+strings.Join(where, " AND "), filter.Limit, args)
}

// read returns the newest reads that a condition selects, oldest first. A limit of 0 is none.
func (r *Room) read(ctx context.Context, where string, limit int, args []any) (found []change.Change, err error) {
	if limit <= 0 {
		limit = -1
	}
	rows, err := r.db.QueryContext(ctx, `SELECT seq, at, kind, subject, session, agent, doc FROM (
		SELECT * FROM reads_read `+where+` ORDER BY n DESC LIMIT ?) ORDER BY n`, append(args, limit)...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var c change.Change
		var at int64
		var kind, doc string
		if err := rows.Scan(&c.Seq, &at, &kind, &c.Subject, &c.Session, &c.By, &doc); err != nil {
			return nil, err
		}
		c.At, c.Kind, c.After = time.UnixMilli(at).UTC(), change.Kind(kind), json.RawMessage(doc)
		found = append(found, c)
	}
	return found, rows.Err()
}

var _ room.Eraser = (*Room)(nil)
