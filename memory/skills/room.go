package skills

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/skills/mining"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// Section is the id of the room's section of the panel.
const Section = "skills"

// Room holds the skills of a workspace, and what the sessions do now. It is safe for concurrent use.
type Room struct {
	env room.Env
	db  room.Database // nil until it is attached

	mu     sync.RWMutex
	skills change.Table[Skill] // by id
	doing  change.Table[doing] // by session
	counts change.Table[int]   // by stepsKey and minedKey
}

// The beginnings of the keys of rows.
const (
	skillPrefix = "skill\x1f"
	doingPrefix = "session\x1f"
	countPrefix = "count\x1f"
	stepsKey    = "steps" // recorded ones
	minedKey    = "mined" // steps of which the skills are known
)

// New returns an empty room. It uses Settings, NewID, Now, Tracked and Exists of env.
func New(env room.Env) *Room {
	return &Room{
		env: env, skills: change.Table[Skill]{}, doing: change.Table[doing]{}, counts: change.Table[int]{},
	}
}

// Name returns the name under which the room's rows are stored.
func (r *Room) Name() string { return "skills" }

// Nouns returns the nouns of the changes that this room writes.
func (r *Room) Nouns() []room.Noun {
	return []room.Noun{{Name: Noun, Panel: []string{Section}}, {Name: practiceNoun}}
}

// Observe records what a tool did, and that a prompt begins an episode.
func (r *Room) Observe(ev event.Event) ([]change.Change, error) {
	if !r.env.Settings().Items.EnableSkillExtraction {
		return nil, nil
	}
	switch body := ev.Body.(type) {
	case event.MessageReceived:
		return r.observeMessage(ev, body), nil
	case event.ToolRan:
		return r.observeTool(ev, body), nil
	}
	return nil, nil
}

// Fold applies a change.
func (r *Room) Fold(c change.Change) ([]change.Row, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch c.Kind {
	case Learned, Revised, Proven, Kept, Edited, Dropped, Restored, Exported:
		var s Skill
		if err := c.Decode(&s); err != nil {
			return nil, err
		}
		return prefixed(skillPrefix, r.skills.Put(c.Subject, s)), nil
	case Forgot:
		return prefixed(skillPrefix, r.skills.Drop(c.Subject)...), nil
	case begun:
		var b beginning
		if err := c.Decode(&b); err != nil {
			return nil, err
		}
		now := r.doing[c.Subject]
		now.Turn = max(now.Turn, b.Turn)
		return prefixed(doingPrefix, r.doing.Put(c.Subject, now)), nil
	case practised:
		var p practice
		if err := c.Decode(&p); err != nil {
			return nil, err
		}
		rows := prefixed(countPrefix, r.counts.Put(stepsKey, r.counts[stepsKey]+len(p.Steps)))
		if now := r.doing[c.Subject]; now.add(p.Wrote) {
			rows = append(rows, prefixed(doingPrefix, r.doing.Put(c.Subject, now))...)
		}
		return rows, nil
	case mined:
		var steps int
		if err := c.Decode(&steps); err != nil {
			return nil, err
		}
		return prefixed(countPrefix, r.counts.Put(minedKey, max(r.counts[minedKey], steps))), nil
	}
	if n := c.Kind.Noun(); n == Noun || n == practiceNoun {
		return nil, fmt.Errorf("fold change %d: this version does not know the kind %q", c.Seq, c.Kind)
	}
	return nil, nil
}

func prefixed(prefix string, rows ...change.Row) []change.Row {
	for i := range rows {
		rows[i].Key = prefix + rows[i].Key
	}
	return rows
}

// Load sets rows.
func (r *Room) Load(rows []change.Row) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, row := range rows {
		var err error
		key := row.Key
		switch {
		case strings.HasPrefix(key, skillPrefix):
			row.Key = key[len(skillPrefix):]
			err = r.skills.Load(row)
		case strings.HasPrefix(key, doingPrefix):
			row.Key = key[len(doingPrefix):]
			err = r.doing.Load(row)
		case strings.HasPrefix(key, countPrefix):
			row.Key = key[len(countPrefix):]
			err = r.counts.Load(row)
		default:
			err = fmt.Errorf("%s: the key %q is unknown", r.Name(), key)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// EndSession returns nothing.
func (r *Room) EndSession(string) []change.Change { return nil }

// ForgetSession drops what is known of a session.
func (r *Room) ForgetSession(session string) []change.Row {
	r.mu.Lock()
	defer r.mu.Unlock()
	return prefixed(doingPrefix, r.doing.Drop(session)...)
}

// List returns the skills with some statuses, or all: kept ones first, then those that succeeded
// most often.
func (r *Room) List(statuses ...Status) []Skill {
	r.mu.RLock()
	defer r.mu.RUnlock()
	list := []Skill{}
	for _, s := range r.skills {
		if len(statuses) == 0 || slices.Contains(statuses, s.Status) {
			list = append(list, s.clone())
		}
	}
	order := []Status{Active, Offering, Gone}
	slices.SortFunc(list, func(a, b Skill) int {
		return cmp.Or(
			cmp.Compare(slices.Index(order, a.Status), slices.Index(order, b.Status)),
			b.Successes-a.Successes,
			strings.Compare(a.Name, b.Name),
		)
	})
	return list
}

// Get returns a skill by its id or name.
func (r *Room) Get(id string) (Skill, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if s, there := r.skills[id]; there {
		return s.clone(), true
	}
	for _, s := range r.skills {
		if s.Name == id {
			return s.clone(), true
		}
	}
	return Skill{}, false
}

// Fresh returns how many steps were recorded since skills were looked for.
func (r *Room) Fresh() int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.counts[stepsKey] - r.counts[minedKey]
}

// Unreviewed returns the number of skills that are offered.
func (r *Room) Unreviewed() int { return len(r.List(Offering)) }

// wrote reports whether a session wrote a file that was not there, or one below a folder.
func (r *Room) wrote(session, file string) bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return slices.ContainsFunc(r.doing[session].Wrote, func(known string) bool {
		return known == file || strings.HasPrefix(known, path.Clean(file)+"/")
	})
}

// TablesVersion returns the version of the tables.
func (r *Room) TablesVersion() int { return 1 }

// Tables returns the names of the tables.
func (r *Room) Tables() []string { return []string{"skills_practice"} }

// Attach sets the database from which the practice is read.
func (r *Room) Attach(db room.Database) { r.db = db }

// Migrate creates the table.
func (r *Room) Migrate(ctx context.Context, tx room.Tx, _ int) error {
	_, err := tx.ExecContext(ctx, `
		CREATE TABLE skills_practice(
			n INTEGER PRIMARY KEY,  -- the seq of the change
			session TEXT NOT NULL,
			turn INTEGER NOT NULL,
			at INTEGER NOT NULL,    -- milliseconds since 1970
			purpose TEXT,           -- of the beginning of an episode, otherwise NULL
			steps TEXT              -- the steps as JSON, or NULL
		);
		CREATE INDEX skills_session ON skills_practice(session)`)
	return err
}

// maxPractice is how many changes the practice consists of. Older ones are deleted; the skills that
// were found in them stay.
const maxPractice = 4000

// purgeEvery is the number of changes of the log after which older practice is deleted.
const purgeEvery = 64

// Index records practice.
func (r *Room) Index(ctx context.Context, tx room.Tx, changes []change.Change) error {
	for _, c := range changes {
		if err := r.index(ctx, tx, c); err != nil {
			return err
		}
	}
	return nil
}

func (r *Room) index(ctx context.Context, tx room.Tx, c change.Change) error {
	exec := func(query string, args ...any) error {
		_, err := tx.ExecContext(ctx, query, args...)
		return err
	}
	const insert = "INSERT INTO skills_practice(n, session, turn, at, purpose, steps) VALUES(?, ?, ?, ?, ?, ?)"
	switch c.Kind {
	case begun:
		var b beginning
		if err := c.Decode(&b); err != nil {
			return err
		}
		if err := exec(insert, c.Seq, c.Subject, b.Turn, c.At.UnixMilli(), b.Purpose, nil); err != nil {
			return err
		}
	case practised:
		var p practice
		if err := c.Decode(&p); err != nil {
			return err
		}
		if len(p.Steps) == 0 {
			return nil
		}
		if err := exec(insert, c.Seq, c.Subject, p.Turn, c.At.UnixMilli(), nil, encode(p.Steps)); err != nil {
			return err
		}
	case sessionDeleted:
		return exec("DELETE FROM skills_practice WHERE session = ?", c.Subject)
	default:
		return nil
	}
	if c.Seq%purgeEvery != 0 {
		return nil
	}
	return exec(`DELETE FROM skills_practice WHERE n <= (
		SELECT n FROM skills_practice ORDER BY n DESC LIMIT 1 OFFSET ?)`, maxPractice)
}

// EraseIndexed deletes the practice that holds one of some strings.
func (r *Room) EraseIndexed(ctx context.Context, tx room.Tx, texts []string) error {
	var holding []int64
	rows, err := tx.QueryContext(
		ctx,
		"SELECT n, session, ifnull(purpose, ''), ifnull(steps, '[]') FROM skills_practice",
	)
	if err != nil {
		return err
	}
	for rows.Next() {
		var n int64
		var session, purpose, steps string
		if err := rows.Scan(&n, &session, &purpose, &steps); err != nil {
			return errors.Join(err, rows.Close())
		}
		row := room.Without(change.Row{Key: session, Value: json.RawMessage(steps)}, texts)
		if string(row.Value) != steps || store.Without(purpose, texts) != purpose {
			holding = append(holding, n)
		}
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, "DELETE FROM skills_practice WHERE n IN (SELECT value FROM json_each(?))",
		room.Values(holding))
	return err
}

// Episodes returns the recorded practice, the oldest first.
func (r *Room) Episodes(ctx context.Context) ([]mining.Episode, error) {
	if r.db == nil {
		return nil, nil
	}
	rows, err := r.db.QueryContext(ctx, "SELECT session, turn, at, ifnull(purpose, ''), ifnull(steps, '[]') "+
		"FROM skills_practice ORDER BY n")
	if err != nil {
		return nil, fmt.Errorf("read the practice: %w", err)
	}
	defer rows.Close()
	return episodesIn(rows)
}

var (
	_ room.Eraser        = (*Room)(nil)
	_ room.SessionKeeper = (*Room)(nil)
	_ room.Reviewed      = (*Room)(nil)
)
