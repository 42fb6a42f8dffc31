package items

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/extract/quality"
	"github.com/wm-lsp/wm-lsp/extract/shorten"
	"github.com/wm-lsp/wm-lsp/extract/tokens"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/items/episode"
	"github.com/wm-lsp/wm-lsp/memory/items/gating"
	"github.com/wm-lsp/wm-lsp/memory/room"
)

// A Record is what is kept of an episode: its members, its line, and links to earlier ones.
type Record struct {
	episode.Episode
	Line string `json:"line"`
	// Links lead to earlier episodes, also of other threads.
	Links []Link `json:"links,omitempty"`
}

// A Link leads to another episode.
type Link struct {
	Episode string `json:"episode"`
	// At is when that one went on last, Why what both have in common, Line what it was.
	At   time.Time `json:"at"`
	Why  string    `json:"why"`
	Line string    `json:"line"`
}

// addTo remembers that an item belongs to an episode.
func (w *writer) addTo(id string, n int64) error {
	if id == "" {
		return nil
	}
	number, err := w.numberOf(id)
	w.in = append(w.in, number, n)
	return err
}

func (w *writer) numberOf(id string) (int64, error) {
	number, known := w.episodes[id]
	if known {
		return number, nil
	}
	err := w.tx.QueryRowContext(w.ctx, "SELECT number FROM items_episode WHERE id = ?", id).Scan(&number)
	if errors.Is(err, sql.ErrNoRows) {
		err = w.tx.QueryRowContext(w.ctx, "INSERT INTO items_episode(id) VALUES(?) RETURNING number", id).Scan(&number)
	}
	w.episodes[id] = number
	return number, err
}

// tell writes the record of an episode.
func (w *writer) tell(c change.Change) error {
	var record Record
	if err := c.Decode(&record); err != nil {
		return err
	}
	number, err := w.numberOf(c.Subject)
	if err != nil {
		return err
	}
	return w.exec("UPDATE items_episode SET last = ?, doc = ? WHERE number = ?",
		record.Last.UnixMilli(), string(c.After), number)
}

// forgetEpisodes deletes the episodes in which a session was, with their summaries.
func (w *writer) forgetEpisodes(session string) error {
	const of = `(SELECT number FROM items_episode WHERE doc != '' AND
		EXISTS (SELECT 1 FROM json_each(doc, '$.sessions') WHERE value = ?))`
	return errors.Join(
		w.exec(`DELETE FROM items_item WHERE id IN (SELECT json_extract(doc, '$.told.summary') FROM items_episode
			WHERE number IN `+of+")", session),
		w.exec("DELETE FROM items_in WHERE episode IN "+of, session),
		w.exec("DELETE FROM items_episode WHERE number IN "+of, session),
	)
}

// eraseEpisodes erases strings from the records of episodes.
func eraseEpisodes(ctx context.Context, tx room.Tx, texts []string) error {
	erased := map[int64]string{}
	rows, err := tx.QueryContext(ctx, "SELECT number, doc FROM items_episode WHERE doc != ''")
	if err != nil {
		return err
	}
	for rows.Next() {
		var number int64
		var doc string
		if err := rows.Scan(&number, &doc); err != nil {
			return errors.Join(err, rows.Close())
		}
		row := room.Without(change.Row{Key: "doc", Value: json.RawMessage(doc)}, texts)
		if string(row.Value) != doc {
			erased[number] = string(row.Value)
		}
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return err
	}
	for number, doc := range erased {
		if _, err := tx.ExecContext(ctx, "UPDATE items_episode SET doc = ? WHERE number = ?", doc, number); err != nil {
			return err
		}
	}
	return nil
}

// Known returns what is known of episodes by their ids: the newest state of those that go on or ended lately,
// and the records of others. Those of which nothing is known are left out.
func (r *Room) Known(ctx context.Context, ids []string) (map[string]Record, error) {
	if r.db == nil {
		return nil, nil
	}
	return r.known(ctx, r.db, ids)
}

func (r *Room) known(ctx context.Context, db room.Querier, ids []string) (map[string]Record, error) {
	known := map[string]Record{}
	var others []string
	for _, id := range ids {
		if e, there := r.episode(id); there {
			known[id] = Record{Episode: e, Line: e.Line()}
		} else if id != "" {
			others = append(others, id)
		}
	}
	if len(others) > 0 {
		records, err := r.records(ctx, db, "id IN (SELECT value FROM json_each(?))", room.Values(others))
		if err != nil {
			return nil, err
		}
		for _, record := range records {
			known[record.ID] = record
		}
	}
	return known, nil
}

// Beside returns what an item of the episode brings of it when it is recalled, in the resolutions of a summary: ""
// if nobody said and nothing shows what the episode was about, or if the item says it itself. An episode with a
// summary that search finds brings its line. A small one has no such summary, so it is told here, with at most half as
// many tokens as its items have, but for the line.
func (r Record) Beside(item string) string {
	switch {
	case r.Episode.Line() == "" || strings.Contains(shorten.Line(item), strings.TrimSuffix(r.Line, "…")):
		return ""
	case r.Told.Summary != "":
		return r.Line
	}
	return r.Without(item).Summary(r.Line, nil, r.linked(), max(r.Size/2, tokens.Count(r.Line)))
}

// linked returns the links as lines of a summary.
func (r Record) linked() (lines []string) {
	for _, link := range r.Links {
		lines = append(lines, link.At.Format(time.DateOnly)+", "+link.Why+": "+link.Line)
	}
	return lines
}

func pieceOf(item *Item) episode.Piece {
	return episode.Piece{ID: item.ID, Type: item.Type, Text: item.Text, Importance: item.Importance}
}

// episode returns an episode that goes on or ended lately.
func (r *Room) episode(id string) (episode.Episode, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	e, there := r.episodes[id]
	return e, there
}

// OpenIn returns the ids of the episodes that go on in a session.
func (r *Room) OpenIn(session string) map[string]bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	open := map[string]bool{}
	for id, e := range r.episodes {
		if e.IsOpen() && slices.Contains(e.Sessions, session) {
			open[id] = true
		}
	}
	return open
}

// Record returns what is kept of an episode. It returns false if it has no record yet.
func (r *Room) Record(ctx context.Context, db room.Querier, id string) (Record, bool, error) {
	records, err := r.records(ctx, db, "id = ?", id)
	if len(records) == 0 {
		return Record{}, false, err
	}
	return records[0], true, err
}

func (r *Room) records(ctx context.Context, db room.Querier, where string, args ...any) ([]Record, error) {
	rows, err := db.QueryContext(ctx, "SELECT doc FROM items_episode WHERE doc != '' AND "+where, args...)
	if err != nil {
		return nil, fmt.Errorf("read episodes: %w", err)
	}
	defer rows.Close()
	var records []Record
	for rows.Next() {
		var doc string
		if err := rows.Scan(&doc); err != nil {
			return nil, fmt.Errorf("read episodes: %w", err)
		}
		var record Record
		if err := (change.Row{Key: "episode", Value: json.RawMessage(doc)}).Decode(&record); err != nil {
			return nil, err
		}
		records = append(records, record)
	}
	return records, rows.Err()
}

// EachOf yields the items of an episode that can still be recalled, of the oldest ones, at most so many. An item is
// valid during the call; what it refers to stays.
func (r *Room) EachOf(ctx context.Context, db room.Querier, id string, limit int, yield func(*Item)) error {
	now := r.env.Now()
	return r.each(ctx, db, `JOIN items_in ON items_in.n = items_item.n
		WHERE episode = (SELECT number FROM items_episode WHERE id = ?) AND deleted = 0
		ORDER BY items_in.n LIMIT ?`, []any{id, limit},
		func(item *Item) bool {
			if !item.IsOver(now) {
				yield(item)
			}
			return true
		})
}

// retold is the part of an episode that has to be new before it is recorded again, so that a long one is not read all
// the time.
const retold = 4

// isDue reports whether an episode is to be recorded: it ended, or enough happened since the
// last time.
func (r *Room) isDue(e episode.Episode) bool {
	limits := r.env.Settings().Items
	if !e.IsOpen() {
		return !e.Told.Closed
	}
	return e.Items-e.Told.Items >= max(limits.EpisodeItems, e.Told.Items/retold) ||
		e.Size-e.Told.Size >= max(limits.EpisodeTokens, e.Told.Size/retold)
}

// Untold returns the episodes that are to be recorded, those that ended first.
func (r *Room) Untold() []string {
	var ids []string
	for _, open := range []bool{false, true} {
		for _, e := range r.Episodes() {
			if e.IsOpen() == open && r.isDue(e) {
				ids = append(ids, e.ID)
			}
		}
	}
	return ids
}

// Idle returns the changes that end episodes in which nothing has happened for so long that nothing
// can belong to them.
func (r *Room) Idle(now time.Time) []change.Change {
	gap := episode.PauseFactor * r.env.Settings().Items.EpisodeGap()
	var changes []change.Change
	for _, e := range r.Episodes() {
		if e.IsOpen() && now.Sub(e.Last) > gap {
			changes = append(changes, ended(e.ID, ending{e.Last, "nothing more happened"}))
		}
	}
	return changes
}

const (
	// overhead is the part of the tokens of the items by which a summary may exceed them: a summary
	// stands beside its items, so that nothing becomes harder to find.
	overhead = 20
	// maxPieces is the number of items of an episode that a summary reads.
	maxPieces = 2000
	// summaryImportance is the importance of the summary of an episode.
	summaryImportance = 0.6
)

// OfEpisode is the tag of the summary of an episode.
const OfEpisode = "episode"

// Tell returns the changes that record an episode: its record, and a summary that replaces the former
// one, if it adds at most a twentieth of the tokens of the items. It reads the tables in the
// transaction in which they are written.
func (r *Room) Tell(ctx context.Context, tx room.Querier, id string) ([]change.Change, error) {
	e, there := r.episode(id)
	if !there || !r.isDue(e) {
		return nil, nil
	}
	size := 0
	pieces := make([]episode.Piece, 0, min(e.Items, maxPieces))
	err := r.EachOf(ctx, tx, id, maxPieces, func(item *Item) {
		if !isSummary(*item) {
			size += item.Tokens
			pieces = append(pieces, pieceOf(item))
		}
	})
	if err != nil {
		return nil, err
	}
	record := Record{Episode: e, Line: e.LineOf(pieces)}
	if record.Links, err = r.links(ctx, tx, e); err != nil {
		return nil, err
	}
	var changes []change.Change
	record.Told = episode.Told{Items: e.Items, Size: e.Size, Closed: !e.IsOpen()}
	former := e.Told.Summary
	if text := e.Summary(e.Line(), pieces, record.linked(), size/overhead); text != "" {
		item := r.summaryItem(e, text, pieces)
		if known, err := r.Get(ctx, tx, []string{former}); err != nil {
			return nil, err
		} else if len(known) == 1 {
			item.Version = known[0].Version + 1
		}
		record.Told.Summary = item.ID
		changes = append(changes, change.New(Memorized, item.ID, item).Because("the summary of an episode"))
	}
	if former != "" {
		again := change.New(Superseded, former, struct{}{}).Because("the episode was summarised again")
		changes = append(changes, again)
	}
	return append(changes, change.New(EpisodeTold, id, record).Because(cmp.Or(e.Ending, "it goes on"))), nil
}

// summaryItem returns the item with the summary of an episode. Its lineage points to items of the
// episode, those that are important rather than others.
func (r *Room) summaryItem(e episode.Episode, text string, pieces []episode.Piece) Item {
	item := Item{
		ID: r.env.NewID(), Store: gating.Semantic, Type: summaryType, Text: text, Tokens: tokens.Count(text),
		At: e.Last, Agent: e.Agent, Task: e.Task, Episode: e.ID, Importance: summaryImportance, Novelty: 1,
		Source:    "system",
		Retention: "forever", Version: 1, Tags: []string{OfEpisode},
	}
	if len(e.Sessions) > 0 {
		item.Session = e.Sessions[0]
	}
	if len(e.Threads) > 0 && e.Threads[0] != item.Session {
		item.Thread = e.Threads[0]
	}
	for _, piece := range episode.Reservoir(pieces, maxLineage) {
		item.Lineage = append(item.Lineage, piece.ID)
	}
	return item
}

const (
	// maxCompared is how many earlier episodes are looked at for links, maxLinks how many links an
	// episode has.
	maxCompared = 100
	maxLinks    = 3
	// common is the part of these episodes from which a file that they all changed says nothing.
	common = 4
)

// links returns links to earlier episodes: of the same task, that changed the same files, or that
// were about the same.
func (r *Room) links(ctx context.Context, tx room.Querier, e episode.Episode) ([]Link, error) {
	records, err := r.records(ctx, tx, "id != ? AND last <= ? ORDER BY last DESC, id LIMIT ?",
		e.ID, e.Begun.UnixMilli(), maxCompared)
	if err != nil {
		return nil, err
	}
	frequent := map[string]int{}
	for _, record := range records {
		for _, file := range record.Changed {
			frequent[file.Path]++
		}
	}
	about := quality.TopicOf(e.About())
	type rated struct {
		Link
		weight int
	}
	var found []rated
	for _, record := range records {
		var shared []string
		for _, file := range e.Changed {
			isIn := slices.ContainsFunc(record.Changed, func(f episode.File) bool { return f.Path == file.Path })
			if isIn && frequent[file.Path] <= max(2, len(records)/common) {
				shared = append(shared, path.Base(file.Path))
			}
		}
		link := rated{Link: Link{Episode: record.ID, At: record.Last, Line: record.Line}}
		isAbout := len(about) > 0 && record.About() != "" && about.Touches(record.About()) &&
			quality.TopicOf(record.About()).Touches(e.About())
		switch {
		case e.Task != "" && e.Task == record.Task:
			link.weight, link.Why = 100, "the same task"
		case len(shared) > 0:
			link.weight = 10 * len(shared)
			link.Why = "both changed " + strings.Join(shared[:min(2, len(shared))], ", ")
			if isAbout {
				link.weight += 10
			}
		case isAbout:
			link.weight, link.Why = 5, "about the same"
		default:
			continue
		}
		found = append(found, link)
	}
	slices.SortStableFunc(found, func(a, b rated) int { return cmp.Compare(b.weight, a.weight) })
	var links []Link
	for _, link := range found[:min(maxLinks, len(found))] {
		links = append(links, link.Link)
	}
	return links, nil
}
