package items

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/extract/summary"
	"github.com/wm-lsp/wm-lsp/extract/tokens"
	"github.com/wm-lsp/wm-lsp/memory/change"
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
	// Summary is the summary of the tail of working memory, nil if there is none. Summarized are
	// the ids of the items that it stands for.
	Summary    *Item
	Summarized []string
}

const (
	// minTail is the number of items of the tail from which it is summarised, kept that of the
	// newest items that are not in the tail.
	minTail, kept = 5, 10
	// maxSummary is the maximum number of characters of what is decided in a summary.
	maxSummary = 1200
	// maxLineage bounds the items to which a summary points.
	maxLineage = 200
)

// Commit returns the changes that close the step of a session: the tail of its working memory is
// summarised into one item. It reads the tables in the transaction in which they are written.
func (r *Room) Commit(
	ctx context.Context, tx room.Querier, session string, registry *Registry, now time.Time,
) ([]change.Change, Closed, error) {
	closed := Closed{Items: map[string][]Item{}}
	var after int64
	row := tx.QueryRowContext(ctx, "SELECT turn, n FROM items_step WHERE session = ?", session)
	if err := row.Scan(&closed.Turn, &after); err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, closed, fmt.Errorf("read the step of the session: %w", err)
	}
	closed.Turn++
	stored := 0
	for _, store := range registry.Stores() {
		err := r.each(ctx, tx, "WHERE store = ? AND session = ? AND n > ? AND deleted = 0 ORDER BY n",
			[]any{store.Name, session, after}, func(item Item) bool {
				closed.Items[store.Name] = append(closed.Items[store.Name], item)
				stored++
				return true
			})
		if err != nil {
			return nil, closed, err
		}
	}
	changes, err := r.summarize(ctx, tx, session, registry, now, &closed)
	if err != nil {
		return nil, closed, err
	}
	payload := step{Turn: closed.Turn, Items: stored}
	if closed.Summary != nil {
		payload.Summary = closed.Summary.ID
	}
	return append(changes, change.New(Committed, session, payload)), closed, nil
}

// summarize returns the changes that replace the tail of the working memory by one summary, which
// has at most half of its tokens. A former summary is a part of the tail.
func (r *Room) summarize(
	ctx context.Context, tx room.Querier, session string, registry *Registry, now time.Time, closed *Closed,
) ([]change.Change, error) {
	store, _ := registry.Store(gating.Working)
	var all []Item
	err := r.each(ctx, tx, "WHERE store = ? AND session = ? AND deleted = 0 ORDER BY n",
		[]any{gating.Working, session}, func(item Item) bool {
			all = append(all, item)
			return true
		})
	if err != nil {
		return nil, err
	}
	tail := slices.DeleteFunc(all[:max(0, len(all)-kept)], func(i Item) bool {
		return i.Importance >= store.Guard && i.Type != "summary"
	})
	if len(tail) < minTail {
		return nil, nil
	}
	text := SummaryOf(tail)
	if text == "" {
		return nil, nil
	}
	item := Item{
		ID: r.env.NewID(), Store: gating.Working, Type: "summary", Text: text, Tokens: tokens.Count(text), At: now,
		Session: session, Own: true, Importance: store.Guard, Novelty: 0, Source: "system", Step: closed.Turn,
		Retention: store.Retention,
	}
	for _, one := range tail {
		item.Lineage = append(item.Lineage, one.ID)
	}
	closed.Summarized = item.Lineage
	item.Lineage = item.Lineage[max(0, len(item.Lineage)-maxLineage):]
	changes := []change.Change{change.New(Memorized, item.ID, item).Because("the tail of working memory")}
	for _, id := range closed.Summarized {
		changes = append(changes, change.New(Superseded, id, struct{}{}).Because("summarised in "+item.ID))
	}
	closed.Summary = &item
	return changes, nil
}

// SummaryOf returns a summary of items in quotations: the decisions and the next step, then the
// first lines of the most important items, in their order. It has at most half of the tokens of the
// items, and is empty if nothing fits.
func SummaryOf(items []Item) string {
	total := 0
	messages := make([]summary.Message, 0, len(items))
	for _, item := range items {
		total += tokens.Count(item.Text)
		messages = append(messages, summary.Message{ID: item.ID, Role: "assistant", Text: item.Text, At: item.At})
	}
	limit := total / 2
	text := summary.Of(messages, summary.Facts{}).Markdown(maxSummary, "en")
	if tokens.Count(text) > limit {
		text = ""
	}
	byImportance := make([]int, len(items))
	for i := range items {
		byImportance[i] = i
	}
	slices.SortStableFunc(byImportance, func(a, b int) int {
		return cmp.Compare(items[b].Importance, items[a].Importance)
	})
	used := tokens.Count(text)
	var chosen []int
	for _, i := range byImportance {
		line := firstLine(items[i].Text)
		cost := tokens.Count("- " + line + "\n")
		if line == "" || strings.Contains(text, line) || used+cost > limit {
			continue
		}
		used += cost
		chosen = append(chosen, i)
	}
	slices.Sort(chosen)
	lines := []string{}
	if text != "" {
		lines = append(lines, text)
	}
	for _, i := range chosen {
		lines = append(lines, "- "+firstLine(items[i].Text))
	}
	return strings.Join(lines, "\n")
}

// maxLine is the maximum length of a line of a summary, in bytes.
const maxLine = 300

// firstLine returns the first line of a text without the mark of a list, "" if it is too long to
// be quoted.
func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	line = strings.TrimPrefix(strings.TrimSpace(line), "- ")
	if len(line) > maxLine {
		return ""
	}
	return line
}

// Outcome returns the most important outcome of the step in one line, the newest of several, or "".
func (c *Closed) Outcome() string {
	best := -1.0
	text := ""
	for _, item := range c.Items[gating.Episodic] {
		if line := firstLine(item.Text); line != "" && item.Importance >= best {
			best, text = item.Importance, line
		}
	}
	return text
}
