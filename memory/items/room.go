package items

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/items/episode"
	"github.com/wm-lsp/wm-lsp/memory/items/gating"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
)

// Room writes and reads the tables of items. It is safe for concurrent use.
type Room struct {
	env room.Env
	db  room.Database // nil until it is attached

	moving   keyMove     // used on the queue only
	manyKeys atomic.Bool // keys are to be moved

	mu       sync.RWMutex
	episodes change.Table[episode.Episode] // by id
	unread   []string                      // the ids of items that could not be read
}

// New returns a room.
func New(env room.Env) *Room { return &Room{env: env, episodes: change.Table[episode.Episode]{}} }

// Name returns the name of the room.
func (r *Room) Name() string { return "items" }

// Nouns returns the nouns of the changes that this room writes.
func (r *Room) Nouns() []room.Noun {
	return []room.Noun{{Name: Noun, Context: []string{"recalled"}}, {Name: Recalled.Noun()}, {Name: EpisodeNoun}}
}

// TablesVersion returns the version of the tables.
func (r *Room) TablesVersion() int { return 6 }

// Tables returns the names of the tables.
func (r *Room) Tables() []string {
	return []string{
		"items_item", "items_key", "items_newkey", "items_count", "items_step", "items_episode", "items_in",
	}
}

// Attach sets the database from which items are read.
func (r *Room) Attach(db room.Database) { r.db = db }

// maxEnded is the number of items that were evicted, expired or superseded and can still be read.
const maxEnded = 10_000

// Migrate creates the tables. The second version has items_step, the third the tags of keys, the fourth
// the tables of episodes, the fifth items_newkey, the sixth other indexes.
func (r *Room) Migrate(ctx context.Context, tx room.Tx, from int) error {
	if from < 1 {
		if _, err := tx.ExecContext(ctx, createItems); err != nil {
			return err
		}
	}
	if from < 2 {
		if _, err := tx.ExecContext(ctx, createSteps); err != nil {
			return err
		}
	}
	if from < 3 {
		const addTag = "ALTER TABLE items_key ADD COLUMN tag INTEGER NOT NULL DEFAULT 0"
		if _, err := tx.ExecContext(ctx, addTag); err != nil {
			return err
		}
	}
	if from < 4 {
		if _, err := tx.ExecContext(ctx, createEpisodes); err != nil {
			return err
		}
	}
	if from < 5 {
		if _, err := tx.ExecContext(ctx, createNewKeys); err != nil {
			return err
		}
	}
	if _, err := tx.ExecContext(ctx, createIndexes); err != nil {
		return err
	}
	if from == 0 || from >= 4 {
		return nil
	}
	return r.Renew(ctx, tx) // the keys have tags now, and items whose episode a client has named are in it
}

const createSteps = `CREATE TABLE items_step(
		session TEXT PRIMARY KEY,
		turn INTEGER NOT NULL,  -- of the step that was closed last
		n INTEGER NOT NULL      -- the seq of the change that closed it
	) WITHOUT ROWID`

const createEpisodes = `
		CREATE TABLE items_episode(
			number INTEGER PRIMARY KEY,
			id TEXT NOT NULL UNIQUE,
			last INTEGER NOT NULL DEFAULT 0, -- when it last went on
			doc TEXT NOT NULL DEFAULT ''     -- the Record, empty if nothing was told yet
		);
		CREATE INDEX items_lately ON items_episode(last);
		CREATE TABLE items_in(                -- the items of an episode
			episode INTEGER NOT NULL, n INTEGER NOT NULL, PRIMARY KEY(episode, n)
		) WITHOUT ROWID`

const createItems = `
		CREATE TABLE items_item(
			n INTEGER PRIMARY KEY,           -- the seq of the change that stored it
			id TEXT NOT NULL UNIQUE,
			store TEXT NOT NULL,
			session TEXT NOT NULL,
			own INTEGER NOT NULL,            -- 1 if it belongs to the session alone
			importance REAL NOT NULL,
			tokens INTEGER NOT NULL,
			at INTEGER NOT NULL,             -- milliseconds since 1970, as all times
			until INTEGER NOT NULL,          -- 0 for ever
			accessed INTEGER NOT NULL DEFAULT 0,
			deleted INTEGER NOT NULL DEFAULT 0,
			ended TEXT NOT NULL DEFAULT '',
			checksum BLOB NOT NULL,
			doc TEXT NOT NULL                -- the Item
		);
		CREATE INDEX items_until ON items_item(until) WHERE until > 0 AND deleted = 0;
		CREATE INDEX items_ended ON items_item(deleted) WHERE deleted > 0;
		CREATE TABLE items_key(place INTEGER PRIMARY KEY, n INTEGER NOT NULL);
		CREATE TABLE items_count(
			store TEXT NOT NULL, session TEXT NOT NULL, items INTEGER NOT NULL, tokens INTEGER NOT NULL,
			PRIMARY KEY(store, session)
		) WITHOUT ROWID`

// createIndexes creates the indexes by which the oldest items of a store are found, and those of a session. Both end
// with n. The indexes of former versions had no order by n in all sessions.
const createIndexes = `
		DROP INDEX IF EXISTS items_live;
		CREATE INDEX items_held ON items_item(store) WHERE deleted = 0;
		CREATE INDEX items_own ON items_item(session, store) WHERE own = 1`

// Index updates the tables for changes.
func (r *Room) Index(ctx context.Context, tx room.Tx, changes []change.Change) error {
	w := writer{ctx: ctx, tx: tx, counts: map[countKey]count{}, episodes: map[string]int64{}}
	n := 0 // of new items
	for i := range changes {
		if changes[i].Kind == Memorized {
			n++
		}
	}
	w.added, w.keys, w.in = make([]any, 0, columns*n), make([]keyRow, 0, maxKeys*n), make([]any, 0, inColumns*n)
	for _, c := range changes {
		if err := w.change(c); err != nil {
			return err
		}
	}
	err := w.finish()
	if w.manyKeys {
		r.manyKeys.Store(true)
	}
	return err
}

// A countKey identifies a store of a session, a count its live items.
type countKey struct{ store, session string }

type count struct{ items, tokens int }

// A writer writes changes to the tables. It writes the new items together, because most of the
// time is that of a statement.
type writer struct {
	ctx    context.Context
	tx     room.Tx
	added  []any    // the columns of new rows of items_item
	keys   []keyRow // of new items, in their order
	counts map[countKey]count
	ended  int
	// manyKeys is true if keys are to be moved.
	manyKeys bool

	episodes map[string]int64 // the numbers of episodes by id
	in       []any            // the columns of new rows of items_in
}

// columns is the number of columns of a new row of items_item, inColumns of one of items_in.
const columns, inColumns = 11, 2

func (w *writer) change(c change.Change) error {
	switch c.Kind {
	case Memorized:
		decided, err := stored(c)
		if err != nil {
			return err
		}
		if err := w.addTo(decided.item.Episode, c.Seq); err != nil {
			return err
		}
		w.add(c.Seq, decided, c.After)
		return nil
	case Updated:
		updated, err := stored(c)
		if err != nil {
			return err
		}
		return w.update(updated.item, c.After)
	case Evicted, Expired, Superseded, Removed:
		if err := w.flush(); err != nil { // it may be one of them
			return err
		}
		return w.end(c)
	case Restored:
		return w.restore(c)
	case Recalled:
		return w.exec("UPDATE items_item SET accessed = ? WHERE id = ?", c.At.UnixMilli(), c.Subject)
	case Committed:
		var closed step
		if err := c.Decode(&closed); err != nil {
			return err
		}
		return w.exec(`INSERT INTO items_step(session, turn, n) VALUES(?, ?, ?)
			ON CONFLICT DO UPDATE SET turn = excluded.turn, n = excluded.n`, c.Subject, closed.Turn, c.Seq)
	case EpisodeTold:
		return w.tell(c)
	case sessions.Deleted, sessions.Swept:
		if err := errors.Join(w.flush(), w.addKeys()); err != nil {
			return err
		}
		return w.forget(c.Subject, c.Kind == sessions.Deleted)
	}
	return nil
}

// memorized is an item that was decided about, with the keys and the checksum that a new one has.
type memorized struct {
	item *Item
	keys []key
	sum  [sha256.Size]byte
}

// stored returns the item of a change that stores or updates one. Nothing is decoded if the change was decided by this
// process a moment ago.
func stored(c change.Change) (*memorized, error) {
	if decided, is := c.Payload().(*memorized); is {
		return decided, nil
	}
	item := &Item{}
	if err := c.Decode(item); err != nil {
		return nil, err
	}
	if c.Kind != Memorized {
		return &memorized{item: item}, nil
	}
	return &memorized{item, keysOf(item, gating.SketchOf(item.Text)), checksum(item.Text, item.Content)}, nil
}

func (w *writer) add(seq int64, decided *memorized, doc json.RawMessage) {
	item := decided.item
	w.added = append(w.added, seq, item.ID, item.Store, item.Session, item.Own, item.Importance, item.Tokens,
		item.At.UnixMilli(), millis(item.Until()), decided.sum[:], []byte(doc))
	w.keys = appendRows(w.keys, decided.keys, seq)
	w.count(item.Store, item.Session, 1, item.Tokens)
}

func (w *writer) count(store, session string, items, tokens int) {
	n := w.counts[countKey{store, session}]
	w.counts[countKey{store, session}] = count{n.items + items, n.tokens + tokens}
}

// flush writes the new rows but for the keys.
func (w *writer) flush() error {
	const items = `INSERT INTO items_item(n, id, store, session, own, importance, tokens, at, until, checksum, doc)
		VALUES`
	const row = "(?,?,?,?,?,?,?,?,?,?,CAST(? AS TEXT))" // a document as bytes is not copied before
	const in = "INSERT OR IGNORE INTO items_in(episode, n) VALUES"
	if err := room.Insert(w.ctx, w.tx, items, row, w.added); err != nil {
		return err
	}
	if err := room.Insert(w.ctx, w.tx, in, "(?,?)", w.in); err != nil {
		return err
	}
	w.added, w.in = w.added[:0], w.in[:0]
	return nil
}

func (w *writer) exec(query string, args ...any) error {
	_, err := w.tx.ExecContext(w.ctx, query, args...)
	return err
}

// update replaces the data of an item, which may be in another store than before.
func (w *writer) update(item *Item, doc json.RawMessage) error {
	if err := w.flush(); err != nil {
		return err
	}
	var former countKey
	var tokens int
	row := w.tx.QueryRowContext(w.ctx,
		"SELECT store, session, tokens FROM items_item WHERE id = ? AND deleted = 0", item.ID)
	err := row.Scan(&former.store, &former.session, &tokens)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	if err == nil && former.store != item.Store {
		w.count(former.store, former.session, -1, -tokens)
		w.count(item.Store, former.session, 1, tokens)
	}
	return w.exec("UPDATE items_item SET store = ?, importance = ?, until = ?, doc = ? WHERE id = ?",
		item.Store, item.Importance, millis(item.Until()), string(doc), item.ID)
}

// end marks an item as no longer recalled.
func (w *writer) end(c change.Change) error {
	var n countKey
	var tokens int
	row := w.tx.QueryRowContext(w.ctx,
		"UPDATE items_item SET deleted = ?, ended = ? WHERE id = ? AND deleted = 0 RETURNING store, session, tokens",
		c.At.UnixMilli(), string(c.Kind)[len(Noun)+1:], c.Subject)
	err := row.Scan(&n.store, &n.session, &tokens)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	w.count(n.store, n.session, -1, -tokens)
	w.ended++
	return nil
}

// restore marks an item that was removed as recalled again.
func (w *writer) restore(c change.Change) error {
	if err := w.flush(); err != nil { // its removal may be in the same batch
		return err
	}
	var n countKey
	var tokens int
	var number int64
	row := w.tx.QueryRowContext(w.ctx, `UPDATE items_item SET deleted = 0, ended = ''
		WHERE id = ? AND deleted > 0 RETURNING store, session, tokens, n`, c.Subject)
	err := row.Scan(&n.store, &n.session, &tokens, &number)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	w.count(n.store, n.session, 1, tokens)
	restored, err := stored(c)
	if err != nil {
		return err
	}
	return w.restoreKeys(restored.item, number)
}

// restoreKeys makes an item the one that is found by its keys. One that came after it may have them, and be gone.
func (w *writer) restoreKeys(item *Item, n int64) error {
	keys := appendRows(nil, keysOf(item, gating.SketchOf(item.Text)), n)
	if len(keys) == 0 {
		return nil
	}
	if err := errors.Join(w.addKeys(), moveAllKeys(w.ctx, w.tx)); err != nil {
		return err
	}
	return putKeys(w.ctx, w.tx, keys)
}

// forget deletes the items of a session that was deleted or swept: those that belong to it alone,
// and, if it was deleted, what happened in it.
func (w *writer) forget(session string, deleted bool) error {
	err := errors.Join(
		w.forgetItems(session, "session = ? AND own = 1", session),
		w.exec("DELETE FROM items_step WHERE session = ?", session),
	)
	if !deleted || err != nil {
		return err
	}
	return errors.Join(
		w.forgetItems(session, "session = ? AND store = ?", session, gating.Episodic),
		w.forgetEpisodes(session),
	)
}

// forgetItems deletes the items of a session for which a condition holds.
func (w *writer) forgetItems(session, condition string, args ...any) error {
	rows, err := w.tx.QueryContext(w.ctx, `SELECT store, count(*), sum(tokens) FROM items_item
		WHERE deleted = 0 AND `+condition+" GROUP BY store", args...)
	if err != nil {
		return err
	}
	for rows.Next() {
		var name string
		var n, tokens int
		if err := rows.Scan(&name, &n, &tokens); err != nil {
			return errors.Join(err, rows.Close())
		}
		w.count(name, session, -n, -tokens)
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return err
	}
	return w.exec("DELETE FROM items_item WHERE "+condition, args...)
}

// finish writes what is left, the counts, and deletes the oldest ended items over their limit.
func (w *writer) finish() error {
	if err := errors.Join(w.flush(), w.addKeys()); err != nil {
		return err
	}
	for key, n := range w.counts {
		if err := w.exec(`INSERT INTO items_count(store, session, items, tokens) VALUES(?, ?, ?, ?)
			ON CONFLICT DO UPDATE SET items = items + excluded.items, tokens = tokens + excluded.tokens`,
			key.store, key.session, n.items, n.tokens); err != nil {
			return err
		}
	}
	if w.ended == 0 {
		return nil
	}
	return w.exec(`DELETE FROM items_item WHERE n IN (SELECT n FROM items_item WHERE deleted > 0
		ORDER BY deleted, n LIMIT max(0, (SELECT count(*) FROM items_item WHERE deleted > 0) - ?))`, maxEnded)
}

func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// EraseIndexed erases strings from the items that contain one.
func (r *Room) EraseIndexed(ctx context.Context, tx room.Tx, texts []string) error {
	type held struct {
		n             int64
		store, erased string
	}
	var holding []held
	rows, err := tx.QueryContext(ctx, "SELECT n, store, doc FROM items_item")
	if err != nil {
		return err
	}
	for rows.Next() {
		var h held
		var doc string
		if err := rows.Scan(&h.n, &h.store, &doc); err != nil {
			return errors.Join(err, rows.Close())
		}
		row := room.Without(change.Row{Key: "doc", Value: json.RawMessage(doc)}, texts)
		if h.erased = string(row.Value); h.erased != doc {
			holding = append(holding, h)
		}
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return err
	}
	if len(holding) > 0 {
		if err := moveAllKeys(ctx, tx); err != nil {
			return err
		}
	}
	for _, h := range holding {
		var item Item
		if err := (change.Row{Value: json.RawMessage(h.erased)}).Decode(&item); err != nil {
			if _, err := tx.ExecContext(ctx, "DELETE FROM items_item WHERE n = ?", h.n); err != nil {
				return err
			}
			continue // it was damaged, and nobody could read it
		}
		sum := checksum(item.Text, item.Content)
		if _, err := tx.ExecContext(ctx, "UPDATE items_item SET doc = ?, checksum = ? WHERE n = ?",
			h.erased, sum[:], h.n); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "DELETE FROM items_key WHERE n = ?", h.n); err != nil {
			return err
		}
	}
	return eraseEpisodes(ctx, tx, texts)
}

// Drop deletes an erased item from the tables as a whole: its content, metadata and tags may say what its text does.
func (r *Room) Drop(ctx context.Context, tx room.Tx, id string) error {
	if err := moveAllKeys(ctx, tx); err != nil {
		return err
	}
	for _, statement := range []string{
		"DELETE FROM items_key WHERE n = (SELECT n FROM items_item WHERE id = ?)",
		"DELETE FROM items_in WHERE n = (SELECT n FROM items_item WHERE id = ?)",
		"DELETE FROM items_item WHERE id = ?",
	} {
		if _, err := tx.ExecContext(ctx, statement, id); err != nil {
			return err
		}
	}
	return nil
}

// ErrChecksum means that an item was changed by something else than this program.
var ErrChecksum = errors.New("the checksum of the item is wrong: it was changed outside of wm-lsp")

// selectColumns selects what scan reads, selectItem from all items, and selectByID from those with the ids of a JSON
// array. IN would put the ids into a table of its own first.
const (
	selectColumns = "SELECT items_item.id, doc, accessed, deleted, ended, checksum "
	selectItem    = selectColumns + "FROM items_item "
	selectByID    = selectColumns +
		"FROM json_each(?) AS wanted CROSS JOIN items_item ON items_item.id = wanted.value"
)

// scan reads an item. The error is ErrChecksum if it is not as it was written. Its id is set also then, if it can be
// read.
func scan(rows *sql.Rows, item *Item) error {
	var id, doc, sum sql.RawBytes
	var ended string
	var accessed, deleted int64
	*item = Item{}
	if err := rows.Scan(&id, &doc, &accessed, &deleted, &ended, &sum); err != nil {
		item.ID = string(id)
		return fmt.Errorf("%w: %w", ErrChecksum, err)
	}
	if err := (change.Row{Key: "item", Value: json.RawMessage(doc)}).Decode(item); err != nil {
		item.ID = string(id)
		return fmt.Errorf("%w: %w", ErrChecksum, err)
	}
	item.Ended, item.Checksum = ended, hex.EncodeToString(sum)
	if accessed > 0 {
		item.AccessedAt = time.UnixMilli(accessed).UTC()
	}
	if deleted > 0 {
		item.DeletedAt = time.UnixMilli(deleted).UTC()
	}
	if is := checksum(item.Text, item.Content); !bytes.Equal(sum, is[:]) {
		return fmt.Errorf("the item %s: %w", item.ID, ErrChecksum)
	}
	return nil
}

// leaveOut notes an item that cannot be read.
func (r *Room) leaveOut(id string, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !slices.Contains(r.unread, id) {
		r.env.Log.Warn("an item is left out", "item", id, "error", err)
		r.unread = append(r.unread, id)
	}
}

// Unread returns the ids of the items that could not be read, because something else than this program changed them.
func (r *Room) Unread() []string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return slices.Clone(r.unread)
}

// Get returns items by their ids, in their order, also those that have ended. Those that are
// unknown, or cannot be read, are left out; the service reports the latter.
func (r *Room) Get(ctx context.Context, db room.Querier, ids []string) ([]Item, error) {
	found := map[string]Item{}
	if len(ids) > 0 {
		err := r.read(ctx, db, selectByID, []any{room.Values(ids)}, func(item *Item) bool {
			found[item.ID] = *item
			return true
		})
		if err != nil {
			return nil, err
		}
	}
	items := make([]Item, 0, len(ids))
	for _, id := range ids {
		if item, there := found[id]; there {
			items = append(items, item)
		}
	}
	return items, nil
}

// each calls yield with the items that a condition selects, until it returns false. An item is valid during the call;
// what it refers to stays.
func (r *Room) each(ctx context.Context, db room.Querier, where string, args []any, yield func(*Item) bool) error {
	return r.read(ctx, db, selectItem+where, args, yield)
}

// read is each for a query that selects selectColumns.
func (r *Room) read(ctx context.Context, db room.Querier, query string, args []any, yield func(*Item) bool) error {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return fmt.Errorf("read items: %w", err)
	}
	defer rows.Close()
	var item Item
	for rows.Next() {
		err := scan(rows, &item)
		if errors.Is(err, ErrChecksum) {
			r.leaveOut(item.ID, err)
			continue
		}
		if err != nil {
			return fmt.Errorf("read items: %w", err)
		}
		if !yield(&item) {
			return nil
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("read items: %w", err)
	}
	return nil
}

// Counts returns the number of live items and of their tokens, by store. There are none before the room is attached.
func (r *Room) Counts(ctx context.Context) (items, tokens map[string]int, err error) {
	items, tokens = map[string]int{}, map[string]int{}
	if r.db == nil {
		return items, tokens, nil
	}
	rows, err := r.db.QueryContext(ctx, "SELECT store, sum(items), sum(tokens) FROM items_count GROUP BY store")
	if err != nil {
		return nil, nil, fmt.Errorf("count items: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		var n, t int
		if err := rows.Scan(&name, &n, &t); err != nil {
			return nil, nil, fmt.Errorf("count items: %w", err)
		}
		items[name], tokens[name] = n, t
	}
	return items, tokens, rows.Err()
}

var (
	_ room.Eraser     = (*Room)(nil)
	_ room.Maintainer = (*Room)(nil)
	_ room.Renewer    = (*Room)(nil)
	_ room.Tabled     = (*Room)(nil)
)
