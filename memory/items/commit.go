package items

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/extract/request"
	"github.com/wm-lsp/wm-lsp/extract/shorten"
	"github.com/wm-lsp/wm-lsp/extract/summary"
	"github.com/wm-lsp/wm-lsp/extract/tokens"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/history"
	"github.com/wm-lsp/wm-lsp/memory/items/episode"
	"github.com/wm-lsp/wm-lsp/memory/items/gating"
	"github.com/wm-lsp/wm-lsp/memory/room"
)

// Committed means that a step of a session was closed. The subject is the session, the payload a
// step.
const Committed change.Kind = "item.committed"

// A step is the payload of Committed.
type step struct {
	// Turn is the number of the step in the session, from 1.
	Turn int `json:"turn"`
	// Items is the number of items that the step has stored and that are still recalled.
	Items int `json:"items"`
	// Summary is the id of the summary of the tail of working memory, if one was written.
	Summary string `json:"summary,omitempty"`
}

// A Closed is a step that was closed.
type Closed struct {
	Turn int
	// Items are what the step has stored and what is still recalled, by store, oldest first.
	Items map[string][]Item
	// Episodes are those of the items, by the time when they began.
	Episodes []Record
	Tail
}

// A Tail is what was put away of a working memory: its oldest items, which are in episodic memory now.
type Tail struct {
	// Summary stands for them in working memory, nil if there is none. Summarized are their ids.
	Summary    *Item
	Summarized []string
	changes    []change.Change
}

// tailOf returns the number of items of the tail of a working memory from which it is summarised, and that of its
// newest items that are not in the tail. A small one has a tail, too.
func tailOf(store Store) (least, kept int) {
	least, kept = 5, 10
	if store.Max > 0 {
		least, kept = max(1, min(least, store.Max/4)), min(kept, store.Max/2)
	}
	return least, kept
}

// maxLineage bounds the items to which a summary points.
const maxLineage = 200

// Commit returns the changes that close the step of a session: the tail of its working memory is
// put away. It reads the tables in the transaction in which they are written.
func (r *Room) Commit(
	ctx context.Context, tx room.Querier, session string, registry *Registry, now time.Time,
) ([]change.Change, Closed, error) {
	closed := Closed{Items: map[string][]Item{}}
	var after int64
	var err error
	row := tx.QueryRowContext(ctx, "SELECT turn, n FROM items_step WHERE session = ?", session)
	if err := row.Scan(&closed.Turn, &after); err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, closed, fmt.Errorf("read the step of the session: %w", err)
	}
	closed.Turn++
	stored := 0
	for _, store := range registry.Stores() {
		err = r.each(ctx, tx, "WHERE store = ? AND session = ? AND n > ? AND deleted = 0 ORDER BY n",
			[]any{store.Name, session, after}, func(item *Item) bool {
				if !item.IsOver(now) {
					closed.Items[store.Name] = append(closed.Items[store.Name], *item)
					stored++
				}
				return true
			})
		if err != nil {
			return nil, closed, err
		}
	}
	if closed.Episodes, err = r.episodesOf(ctx, tx, closed.Items); err != nil {
		return nil, closed, err
	}
	if closed.Tail, err = r.putAway(ctx, tx, session, registry, now, false); err != nil {
		return nil, closed, err
	}
	if closed.Summary != nil {
		closed.Summary.Step = closed.Turn
	}
	payload := step{Turn: closed.Turn, Items: stored}
	if closed.Summary != nil {
		payload.Summary = closed.Summary.ID
	}
	return append(closed.changes, change.New(Committed, session, payload)), closed, nil
}

// episodesOf returns the episodes of items.
func (r *Room) episodesOf(ctx context.Context, tx room.Querier, stored map[string][]Item) ([]Record, error) {
	ids := map[string]bool{}
	for _, list := range stored {
		for _, item := range list {
			ids[item.Episode] = item.Episode != ""
		}
	}
	delete(ids, "")
	if len(ids) == 0 {
		return nil, nil
	}
	known, err := r.known(ctx, tx, slices.Collect(maps.Keys(ids)))
	if err != nil {
		return nil, err
	}
	found := slices.SortedFunc(maps.Values(known), func(a, b Record) int {
		return cmp.Or(a.Begun.Compare(b.Begun), cmp.Compare(a.ID, b.ID))
	})
	for i := range found {
		e := &found[i]
		if e.Line != "" {
			continue
		}
		err := r.EachOf(ctx, tx, e.ID, 1, func(first *Item) { e.Line = e.LineOf([]episode.Piece{pieceOf(first)}) })
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

// putAway returns the changes that move the tail of the working memory of a session into episodic memory, where it
// is found as before, and put one summary in its place, which has at most half of its tokens and a twentieth of
// those of the session. A former summary is replaced. If no sentence fits into that, nothing is moved, unless there
// has to be room.
func (r *Room) putAway(
	ctx context.Context, tx room.Querier, session string, registry *Registry, now time.Time, makeRoom bool,
) (tail Tail, err error) {
	store, _ := registry.Store(gating.Working)
	least, kept := tailOf(store)
	var items []Item
	err = r.each(ctx, tx, "WHERE store = ? AND session = ? AND deleted = 0 ORDER BY n",
		[]any{gating.Working, session}, func(item *Item) bool {
			if !item.IsOver(now) { // it goes by itself
				items = append(items, *item)
			}
			return true
		})
	if err != nil {
		return tail, err
	}
	items = tailIn(items, kept, store.Guard)
	if len(items) < least || !slices.ContainsFunc(items, func(i Item) bool { return !isSummary(i) }) {
		return tail, nil
	}
	total := 0
	row := tx.QueryRowContext(ctx, "SELECT coalesce(sum(tokens), 0) FROM items_count WHERE session = ?", session)
	if err := row.Scan(&total); err != nil {
		return tail, fmt.Errorf("count the tokens of the session: %w", err)
	}
	for _, item := range items {
		if isSummary(item) {
			total -= item.Tokens
		}
	}
	text := summaryOf(items, total/overhead)
	if text == "" && !makeRoom {
		return tail, nil
	}
	why := "there has to be room in working memory"
	if text != "" {
		tail.Summary = &Item{
			ID: r.env.NewID(), Store: gating.Working, Type: summaryType, Text: text, Tokens: tokens.Count(text),
			At: now, Session: session, Own: true, Importance: store.Guard, Source: "system", Retention: store.Retention,
		}
		why = "summarised in " + tail.Summary.ID
	}
	into, _ := registry.Store(gating.Episodic)
	for _, item := range items {
		switch {
		case !isSummary(item):
			item.Store, item.Hidden = into.Name, !into.Searchable
			tail.changes = append(tail.changes, change.New(Updated, item.ID, item).Because(why))
		case tail.Summary == nil: // nothing takes its place
			continue
		default:
			tail.changes = append(tail.changes, change.New(Superseded, item.ID, struct{}{}).Because(why))
		}
		tail.Summarized = append(tail.Summarized, item.ID)
	}
	if tail.Summary != nil {
		tail.Summary.Lineage = tail.Summarized[max(0, len(tail.Summarized)-maxLineage):]
		memorized := change.New(Memorized, tail.Summary.ID, tail.Summary).Because("the tail of working memory")
		tail.changes = append(tail.changes, memorized)
	}
	return tail, nil
}

// tailIn returns those of the items of a working memory, oldest first, that are in its tail: former summaries, and
// others that are neither guarded nor among the newest.
func tailIn(items []Item, kept int, guard float64) (tail []Item) {
	others := 0
	for _, item := range items {
		if !isSummary(item) {
			others++
		}
	}
	for _, item := range items {
		if isSummary(item) {
			tail = append(tail, item)
			continue
		}
		if others > kept && item.Importance < guard {
			tail = append(tail, item)
		}
		others--
	}
	return tail
}

const summaryType = "summary"

// isSummary reports whether an item is a summary of this program.
func isSummary(item Item) bool { return item.Type == summaryType && item.Source == "system" }

// summaryOf returns a summary of items in quotations: a sentence of each, in their order, and then the files that they
// name. What does not fit is left out: the files first, then the sentences of the least important items, of equally
// important ones the oldest. It has at most so many tokens and half of those of the items, and is empty if no sentence
// fits.
func summaryOf(items []Item, most int) string {
	total := 0
	var quotes []quote
	var files []string
	for i := range items {
		total += items[i].Tokens
		of, named := quotesOf(&items[i])
		quotes, files = append(quotes, of...), append(files, named...)
	}
	left := min(total/2, most)
	byImportance := make([]int, len(quotes))
	for i := range quotes {
		byImportance[i] = i
	}
	slices.SortFunc(byImportance, func(a, b int) int {
		return cmp.Or(cmp.Compare(quotes[b].importance, quotes[a].importance), cmp.Compare(b, a))
	})
	said := map[string]bool{"": true}
	var chosen []int
	for _, i := range byImportance {
		cost := tokens.Count("- " + quotes[i].text + "\n")
		if said[quotes[i].text] || cost > left {
			continue
		}
		left -= cost
		said[quotes[i].text] = true
		chosen = append(chosen, i)
	}
	slices.Sort(chosen)
	lines := make([]string, 0, len(chosen)+1)
	for _, i := range chosen {
		lines = append(lines, "- "+quotes[i].text)
	}
	text := strings.Join(lines, "\n")
	if text == "" {
		return ""
	}
	list := ""
	for _, file := range files {
		longer := namesFiles + file
		if list != "" {
			longer = list + ", " + file
		}
		if !strings.Contains(text+list, file) && tokens.Count("\n"+longer) <= left {
			list = longer
		}
	}
	return strings.TrimSuffix(text+"\n"+list, "\n")
}

// namesFiles begins the line of a summary with files.
const namesFiles = "Files: "

// A quote is a sentence that a summary may quote.
type quote struct {
	text       string
	importance float64
}

// quotesOf returns what a summary may quote of an item, and the files that it names. That is a decision with its
// reason, or the sentence with the most important words that says what it is about; of a former summary each line, as
// important as its words are.
func quotesOf(item *Item) (quotes []quote, files []string) {
	said := summary.Of([]summary.Message{{Role: history.Assistant, Text: item.Text, At: item.At}}, summary.Facts{})
	if isSummary(*item) {
		for line := range strings.Lines(item.Text) {
			if text := firstLine(line); !strings.HasPrefix(text, namesFiles) {
				quotes = append(quotes, quote{text, gating.Importance(gating.Piece{Type: "thought", Text: text}, nil)})
			}
		}
		return quotes, said.Files
	}
	sentences := slices.Concat(request.Speech(item.Text)...)
	if len(sentences) == 0 {
		sentences = []string{firstLine(item.Text)}
	}
	best := quote{importance: -1}
	for _, sentence := range sentences {
		worth := gating.Importance(gating.Piece{Type: item.Type, Text: sentence}, nil)
		if request.Unnamed(sentence) { // it says nothing without the one before it
			worth = 0
		}
		if text := firstLine(shorten.Line(sentence)); text != "" && worth > best.importance {
			best = quote{text, worth}
		}
	}
	for _, decision := range said.Decisions {
		if text := firstLine(decision); text != "" {
			best.text = text
		}
	}
	return []quote{{best.text, item.Importance}}, said.Files
}

// maxLine is the maximum length of a line of a summary, in bytes.
const maxLine = 300

// firstLine returns the first line of a string without the mark of a list, "" if it is too long to
// be quoted.
func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	line = strings.TrimPrefix(strings.TrimSpace(line), "- ")
	if len(line) > maxLine {
		return ""
	}
	return line
}

// Outcome returns the most important outcome of the step in one line, the newest of several, or "". What goes with the
// session, such as a thought that was put away, is none.
func (c *Closed) Outcome() string {
	best := -1.0
	text := ""
	for _, item := range c.Items[gating.Episodic] {
		if line := firstLine(item.Text); line != "" && !item.Own && item.Importance >= best {
			best, text = item.Importance, line
		}
	}
	return text
}
