package service

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/shorten"
	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/cores"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/hot"
	"github.com/wm-lsp/wm-lsp/memory/index"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/panel"
	"github.com/wm-lsp/wm-lsp/memory/reads"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
	"github.com/wm-lsp/wm-lsp/recall"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

const (
	maxQuery = 10_000 // characters
	maxHits  = 100
	someHits = 10
)

// Search implements wm/search.
func (s *Service) Search(ctx context.Context, at *View, params *wire.SearchParams) (wire.SearchResult, error) {
	cores.GrowStack()
	query, err := queryOf(params)
	if err != nil {
		return wire.SearchResult{}, err
	}
	began := time.Now()
	at.WritePending(ctx)
	s.Settle(ctx, at)
	query.At, query.Also, query.Asker = at.who.At, at.passing(), at.who.Session
	found, err := at.search(ctx, query, params.IncludeRemoved == nil || *params.IncludeRemoved)
	if err != nil {
		return wire.SearchResult{}, err
	}
	result := wire.SearchResult{
		Hits: make([]wire.SearchHit, 0, len(found.Hits)), TookMicros: time.Since(began).Microseconds(),
		Mode: wire.SearchMode(found.Mode), Fallback: found.Fallback, Ignored: at.ignored,
	}
	at.traceSearch(query.Text, found)
	places := at.places()
	for _, hit := range found.Hits {
		one := at.searchHit(hit)
		one.Place = places.of(hit.Document)
		result.Hits = append(result.Hits, one)
	}
	return result, nil
}

// search returns what is found. A message is no hit beside another one of its session with its text: the session whose
// title or first request it is, or the decision that was taken from it. What was taken out of force is found only if
// removed is true.
func (v *View) search(ctx context.Context, query index.Query, removed bool) (index.Result, error) {
	limit := query.Limit
	for {
		found, err := memory.ServiceOf[*index.Service](v.Workspace).Search(ctx, query)
		all := len(found.Hits)
		found.Hits = withoutSaid(found.Hits)
		if !removed {
			found.Hits = slices.DeleteFunc(found.Hits, func(hit index.Hit) bool { return hit.State == room.Removed })
		}
		if err != nil || len(found.Hits) >= limit || all < query.Limit {
			found.Hits = found.Hits[:min(limit, len(found.Hits))]
			return found, err
		}
		query.Limit *= 2
	}
}

// withoutSaid returns hits without the messages of which another hit of their session has the text.
func withoutSaid(hits []index.Hit) []index.Hit {
	isMessage := func(hit index.Hit) bool { return hit.Store == room.StoreConversation }
	if !slices.ContainsFunc(hits, isMessage) {
		return hits
	}
	type line struct{ session, text string }
	said := map[line]bool{}
	for _, hit := range hits {
		if !isMessage(hit) && hit.Session != "" {
			for text := range strings.Lines(hit.Text) {
				said[line{hit.Session, shorten.Line(text)}] = true
			}
		}
	}
	return slices.DeleteFunc(hits, func(hit index.Hit) bool {
		return isMessage(hit) && said[line{hit.Session, shorten.Line(hit.Text)}]
	})
}

// passing returns what is found beside the index: the sessions, and the errors that only language servers
// report.
func (v *View) passing() []room.Document {
	if v.NoWorkspace() != nil {
		return nil
	}
	docs := v.hot().Diagnosed(v.who.Session, v.worktree())
	for _, s := range v.Sessions().List() {
		text := s.Title
		if first := v.hot().First(s.ID); shorten.Line(first) != shorten.Line(s.Title) {
			text = strings.TrimSpace(s.Title + "\n" + first)
		}
		if text = strings.TrimSpace(text + "\n" + s.Agent); s.Deleted || text == "" {
			continue
		}
		docs = append(docs, room.Document{
			ID: sessions.ItemOf(s.ID), Store: room.StoreSessions, Type: sessions.Kind, Text: text, At: s.UpdatedAt,
			Session: s.ID, Agent: s.Agent, Worktree: s.Worktree, Importance: sessionImportance,
		})
	}
	return docs
}

// sessionImportance is that of a session among what is found: below that of what was decided in it.
const sessionImportance = 0.3

// A places finds where documents stand.
type places struct {
	worktree string
	locators []room.Locator
	shown    func() string // the session whose panel the client is shown
}

func (v *View) places() places {
	found := places{worktree: v.worktree(), shown: sync.OnceValue(func() string {
		reader := v.panelReader()
		return reader.shown(reader.left())
	})}
	for _, each := range v.Rooms() {
		if locator, is := each.(room.Locator); is {
			found.locators = append(found.locators, locator)
		}
	}
	return found
}

// of returns where a document stands.
func (p places) of(doc room.Document) wire.SearchPlace {
	place := wire.SearchPlace{ItemID: doc.ID}
	for _, locator := range p.locators {
		if found, ours := locator.Locate(p.worktree, doc); ours {
			place.ItemID, place.Location = found.Item, found.Location
			if found.InSession && doc.Session != p.shown() {
				place.SessionID = doc.Session
			}
			break
		}
	}
	return place
}

// traceSearch records a search of the session of the view.
func (v *View) traceSearch(query string, result index.Result) {
	if v.NoWorkspace() != nil || !v.Healthy() {
		return
	}
	now := v.AgeNow()
	found := make([]reads.Found, 0, len(result.Rated))
	for _, one := range result.Rated {
		days := -1.0
		if !one.At.IsZero() {
			days = max(now.Sub(one.At).Hours()/24, 0)
		}
		found = append(found, reads.Found{Text: one.Text, Candidate: reads.Candidate{
			ID: one.ID, Similarity: one.Similarity, Days: days, Importance: one.Importance,
			Duplication: one.Duplication,
		}})
	}
	memory.ServiceOf[*reads.Service](v.Workspace).Search(v.Actor(), query, result.Mode, len(result.Hits), found)
}

func queryOf(params *wire.SearchParams) (query index.Query, err error) {
	switch {
	case strings.TrimSpace(params.Query) == "":
		return query, fault.Invalid("query", "is missing; must be the words to search for")
	case utf8.RuneCountInString(params.Query) > maxQuery:
		return query, fault.Invalid("query", "must have at most %d characters, got %d", maxQuery,
			utf8.RuneCountInString(params.Query))
	case params.Limit < 0 || params.Limit > maxHits:
		return query, fault.Invalid("limit", "must be 0 to %d, got %d", maxHits, params.Limit)
	case math.IsNaN(params.MinImportance) || params.MinImportance < 0 || params.MinImportance > 1:
		return query, fault.Invalid("minImportance", "must be 0 to 1, got %v", params.MinImportance)
	}
	query = index.Query{
		Text: params.Query, Limit: cmp.Or(params.Limit, someHits), Stores: params.Stores, Types: params.Types,
		Tags: params.Tags, Agent: params.AgentID, Task: params.TaskID, Episode: params.EpisodeID,
		MinImportance: params.MinImportance, Explain: params.Explain,
	}
	if query.Since, err = parseTime("since", params.Since); err != nil {
		return query, err
	}
	query.Until, err = parseTime("until", params.Until)
	return query, err
}

func (v *View) searchHit(hit index.Hit) wire.SearchHit {
	_, id, _ := strings.Cut(hit.ID, ":")
	found := wire.SearchHit{
		Item: wire.SearchItem{
			ID: id, Type: hit.Type, Text: hit.Text, State: wire.SearchState(hit.State), Path: hit.Path,
			Section: hit.Section, At: wire.At(hit.At), Until: wire.At(hit.Until),
			Importance: hit.Importance, Speaker: hit.Speaker, SessionID: hit.Session, AgentID: hit.Agent,
			TaskID: hit.Task, EpisodeID: hit.Episode, Tags: hit.Tags,
		},
		Store: hit.Store, From: v.fromOf(hit.Document), Score: hit.Score, Parts: searchParts(hit.Rating),
	}
	if hit.Store == room.StoreSessions { // found by the agent, too, which From names
		found.Item.Text = strings.TrimSuffix(found.Item.Text, "\n"+hit.Agent)
	}
	if entry, is := v.entryOfDocument(hit.Document); is {
		found.Item.Author = wire.Author(entry.Writer())
		if entry.Ended != nil {
			found.Item.DeletedAt = wire.At(entry.Ended.At)
		}
	}
	for _, reason := range hit.Reasons {
		found.Reasons = append(found.Reasons, wire.SearchReason{
			Reason: string(reason.Reason), Word: reason.Word, Score: float64(reason.Score),
		})
	}
	return found
}

// entryOfDocument returns the entry of a document, false if it has none.
func (v *View) entryOfDocument(doc room.Document) (longterm.Entry, bool) {
	_, id, _ := strings.Cut(doc.ID, ":")
	if doc.Store != room.StoreWorkspace {
		return longterm.Entry{}, false
	}
	return v.longterm().Get(id)
}

// fromOf returns a line that says where a document is from and in which state it is.
func (v *View) fromOf(doc room.Document) string {
	parts := []string{storeLabel(doc.Store)}
	add := func(part string) {
		if part != "" {
			parts = append(parts, shorten.Line(part))
		}
	}
	if doc.Store == room.StoreWorkspace {
		if entry, is := v.entryOfDocument(doc); is {
			add(entry.Detail())
			add(entry.Standing())
			add(entry.Outdated())
		} else {
			add(panel.TypeName(doc.Type))
			add(longterm.Status(doc.State).Words())
		}
	} else {
		switch {
		case doc.Type == doc.Store, doc.Store == room.StoreSessions: // its name says it
		case doc.Store == room.StoreDecisions && doc.Type == string(hot.Decision):
		default:
			add(doc.Type)
		}
		add(string(doc.State))
	}
	place := doc.Path
	if doc.Section != "" {
		place += " › " + doc.Section
	}
	add(place)
	switch {
	case doc.Store == room.StoreSessions: // its text has the title
		add(doc.Agent)
	case doc.Session != "" && doc.Store != room.StoreWorkspace:
		add(v.sessionName(doc.Session))
	}
	return strings.Join(parts, " · ")
}

// sessionName returns the agent and the title of a session, as the panel has them, or else its id.
func (v *View) sessionName(id string) string {
	known, _ := v.Sessions().Get(id)
	switch title := shorten.Chars(known.Title, maxTitle); {
	case known.Deleted || known.Agent == "" && title == "":
		return "session " + shorten.Chars(id, maxSessionID)
	case known.Agent == "" || title == "":
		return known.Agent + title
	default:
		return known.Agent + ": " + title
	}
}

// How many characters of the id and of the title of a session are shown.
const (
	maxSessionID = 12
	maxTitle     = 40
)

func searchParts(r recall.Rating) wire.SearchParts {
	return wire.SearchParts{
		Similarity: r.Similarity, Recency: r.Recency, Importance: r.Importance, Duplication: r.Duplication,
	}
}

// SearchMarkdown returns a result as Markdown.
func SearchMarkdown(query string, result wire.SearchResult) string {
	var text strings.Builder
	fmt.Fprintf(&text, "# Memory: %s\n\n", shorten.Line(query))
	for _, hit := range result.Hits {
		fmt.Fprintf(&text, "- [%s] %s\n", hit.From, shorten.Line(hit.Item.Text))
	}
	if len(result.Hits) == 0 {
		text.WriteString("Nothing that is remembered fits these words.\n")
	}
	return text.String()
}
