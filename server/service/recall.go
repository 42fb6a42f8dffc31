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

	"github.com/wm-lsp/wm-lsp/extract/quality"
	"github.com/wm-lsp/wm-lsp/extract/request"
	"github.com/wm-lsp/wm-lsp/extract/shorten"
	"github.com/wm-lsp/wm-lsp/extract/tag"
	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/assembly"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/hot"
	"github.com/wm-lsp/wm-lsp/memory/index"
	"github.com/wm-lsp/wm-lsp/memory/items"
	"github.com/wm-lsp/wm-lsp/memory/items/gating"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/skills"
	"github.com/wm-lsp/wm-lsp/recall"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

const (
	maxTopK = 50
	// mostWeighed is how many hits are read for a passage that fits.
	mostWeighed = 20
	// mostBeside is how many items of working memory say what a prompt is about.
	mostBeside = 5
	// besideBest is how well a passage fits at least, compared with the one that fits best of those that share the same
	// words with the prompt: what fits much less is about something else. A prompt may be about several things.
	besideBest = 0.6
	// maxWhole is how many characters an entry or a skill has at most that is recalled as a whole.
	maxWhole = 300
	// minEcho is how many characters a passage has at least that says nothing because it stands in the prompt. A
	// shorter one can answer a question that has its words.
	minEcho = 60
)

// recall returns what is remembered and fits the prompt of a request (systems.md E3): mandates, and the passages
// that fit it at least as well as the settings want. If search fails, nothing is recalled.
func (s *Service) recall(ctx context.Context, at *View, params *wire.ContextParams) (assembly.Recall, error) {
	set := at.Settings().Recall
	r := assembly.Recall{Limit: set.TopK, Tokens: set.MaxTokens, Shares: set.ShareOf(), Found: at.recalledMandates()}
	if params.TopK < 0 || params.TopK > maxTopK {
		return r, fault.Invalid("topK", "must be 0 to %d, got %d", maxTopK, params.TopK)
	}
	if params.TopK > 0 {
		r.Limit = params.TopK
	}
	query, err := at.recallQuery(params)
	r.Entries = entriesWithin(query, r)
	if err != nil || strings.TrimSpace(query.Text) == "" || r.Tokens == 0 || at.NoWorkspace() != nil || !at.Healthy() {
		return r, err
	}
	at.WritePending(ctx) // what is recalled does not depend on how soon the request comes
	s.Settle(ctx, at)
	query.Beside = at.beside(ctx)
	found, err := memory.RoomOf[*index.Room](at.Workspace).Search(ctx, query)
	if err != nil {
		if ctx.Err() != nil {
			return r, ctx.Err()
		}
		s.log.Warn("nothing is recalled", "error", err)
		return r, nil
	}
	routed := sync.OnceValue(func() []skills.Match {
		list := at.skillsRoom().List(skills.Active, skills.Offering)
		return skills.Route(list, query.Text, mostRouted)
	})
	kept := at.keptSkills(query, routed)
	fitting := slices.DeleteFunc(at.fitting(query.Text, found, routed), func(one assembly.Recollection) bool {
		return slices.ContainsFunc(kept, func(skill assembly.Recollection) bool { return skill.ID == one.ID })
	})
	if err := at.addEpisodes(ctx, fitting, found.Hits); err != nil {
		s.log.Warn("what is recalled has no episodes", "error", err)
	}
	r.Found = slices.Concat(r.Found, kept, fitting)
	return r, nil
}

// entriesWithin returns which entries about the same code are shown beside what a query finds: those that its filters
// admit, in up to half of the room, so that the query has the rest.
func entriesWithin(query index.Query, r assembly.Recall) longterm.Bound {
	const charsOfToken = 4
	elsewhere := len(query.Stores) > 0 && !slices.Contains(query.Stores, room.StoreWorkspace)
	return longterm.Bound{
		None: r.Tokens == 0 || elsewhere || len(query.Tags) > 0 || query.Agent != "" || query.Task != "" ||
			query.Episode != "", // which no entry has
		Types: query.Types, MinImportance: query.MinImportance, Since: query.Since, Until: query.Until,
		Most: (r.Limit + 1) / 2, MaxChars: charsOfToken * r.Tokens / 2,
	}
}

// recallQuery returns the search for a prompt, with the filters of the request and the default
// ones.
func (v *View) recallQuery(params *wire.ContextParams) (query index.Query, err error) {
	set := v.Settings().Recall
	by := wire.RecallFilters{}
	if params.Filters != nil {
		by = *params.Filters
	}
	standard := set.DefaultFilters
	least := standard.MinImportance
	if by.MinImportance != nil {
		if least = *by.MinImportance; math.IsNaN(least) || least < 0 || least > 1 {
			return query, fault.Invalid("filters.minImportance", "must be 0 to 1, got %v", least)
		}
	}
	or := func(values, defaults []string) []string {
		if values != nil { // an empty list is one, and all match
			return values
		}
		return defaults
	}
	query = index.Query{
		Text: params.Query, At: v.who.At, Prompt: true, Limit: set.Candidates, Asker: v.who.Session,
		Stores: or(by.Stores, standard.Stores), Types: or(by.Types, standard.Types), Tags: or(by.Tags, standard.Tags),
		Agent: cmp.Or(by.AgentID, standard.AgentID), Task: by.TaskID, Episode: by.EpisodeID, MinImportance: least,
	}
	if query.Since, err = parseTime("filters.since", by.Since); err != nil {
		return query, err
	}
	if query.Since.IsZero() && standard.MaxDays > 0 {
		// To the minute, so that the next request may have the same context.
		query.Since = v.AgeNow().Add(-time.Duration(standard.MaxDays) * 24 * time.Hour).Truncate(time.Minute)
	}
	query.Until, err = parseTime("filters.until", by.Until)
	return query, err
}

// beside returns what else says what the session of a view is about: its goal, its last plan and
// the newest of its working memory (systems.md E8).
func (v *View) beside(ctx context.Context) string {
	session := v.who.Session
	lines := []string{v.core().Get(session, "goal").Content}
	for i, todo := range v.working().Slot(session, "todo") {
		if i < mostBeside {
			lines = append(lines, todo.Content)
		}
	}
	recent, err := v.items().Latest(ctx, gating.Working, session, 4*mostBeside)
	if err != nil {
		return strings.Join(lines, "\n")
	}
	planned := false
	for i, item := range recent {
		isPlan := item.Type == "plan" && !planned
		if planned = planned || isPlan; isPlan || i < mostBeside {
			lines = append(lines, item.Text)
		}
	}
	return strings.Join(lines, "\n")
}

// recalledMandates returns what is always recalled.
func (v *View) recalledMandates() (found []assembly.Recollection) {
	for _, entry := range v.longterm().List([]string{"feedback"}, false) {
		if entry.Pinned {
			found = append(found, assembly.Recollection{
				ID: longterm.DocumentID(entry.ID), Store: room.StoreWorkspace, Label: entry.Type, Text: entry.Text,
				Score: 1, Mandate: true,
			})
		}
	}
	return found
}

// fitting returns the hits of a prompt with a passage that fits it well enough, the best first.
// What was said and decided in the session since it was compacted is in its conversation. What was said
// in others is recalled for a prompt that asks something, and a skill for one that wants it done. For one that asks
// what was at a past time and nothing else, what was remembered of it fits.
func (v *View) fitting(prompt string, found index.Result, routed func() []skills.Match) []assembly.Recollection {
	set := v.Settings().Recall
	asks, weighed, flat := recall.Asks(prompt), 0, shorten.Line(prompt)
	floors := map[bool]float64{false: set.Floor, true: set.FloorOfSaid} // by whether it is incidental
	type weighedHit struct {
		assembly.Recollection
		passage    recall.Passage
		incidental bool
		echo       bool // the prompt says it itself, so that what fits less is not asked for
	}
	var hits []weighedHit
	known, _ := v.Sessions().Get(v.who.Session)
	for _, hit := range found.Hits {
		if hit.State == room.Open || hit.State == room.Removed { // the session shows it, or nobody is told
			continue
		}
		said := isSaid(hit)
		if said && (!asks || hit.Type == userMessage) {
			continue
		}
		// Nobody has said that these are to be kept.
		incidental := said || hit.Store == room.StoreDecisions || hit.State == room.Closed
		if incidental && hit.Session == v.who.Session && hit.At.After(known.CompactedAt) {
			continue
		}
		if id, is := strings.CutPrefix(hit.ID, skills.DocumentPrefix); is &&
			!slices.ContainsFunc(routed(), func(m skills.Match) bool { return m.ID == id }) {
			continue
		}
		if weighed++; weighed > mostWeighed {
			break
		}
		hit.Text = tag.WithoutEscapes(hit.Text)
		passage := found.Sought.Passage(hit.Text)
		if passage.Fit == 0 || passage.Fit < floors[incidental] {
			if !asks || said {
				continue
			}
			if passage = found.Sought.PassageThen(hit.Text, recall.Day(hit.At)); passage.Text == "" {
				continue
			}
		}
		one := assembly.Recollection{
			ID: hit.ID, Store: hit.Store, Label: labelOf(hit), Text: passage.Text, Score: hit.Score, Rating: hit.Rating,
			Fit: passage.Fit,
		}
		switch {
		case hit.Store == room.StoreWorkspace:
			one.Text = entryText(hit.Text, passage.Text, prompt)
		case strings.HasPrefix(hit.ID, skills.DocumentPrefix):
			one.Text = skillText(hit.Text, passage.Text)
		case hit.Store == room.StoreDecisions:
			one.Text = sayingText(hit.Text, passage.Text)
		case hit.State == room.Closed: // neither the error nor what closed it says enough alone
			one.Text = shorten.Chars(closedText(hit.Text), maxWhole)
		}
		if quality.Judge(one.Text, "", true) == quality.PromptInjection {
			continue
		}
		echo := utf8.RuneCountInString(passage.Text) >= minEcho && strings.Contains(flat, shorten.Line(passage.Text))
		hits = append(hits, weighedHit{one, passage, incidental, echo})
	}
	var fitting []assembly.Recollection
	for _, hit := range hits {
		if !hit.echo && !slices.ContainsFunc(hits, func(other weighedHit) bool {
			return other.incidental == hit.incidental && hit.Fit < besideBest*other.Fit*hit.passage.Share(other.passage)
		}) {
			fitting = append(fitting, hit.Recollection)
		}
	}
	return fitting
}

// keptSkills returns the skills for what a prompt wants to be done that a person has kept, if its filters admit them.
// They are told as a whole, whether a passage fits or not: routing, which is measured, knows what else their purpose is
// called.
func (v *View) keptSkills(query index.Query, routed func() []skills.Match) (kept []assembly.Recollection) {
	if len(v.skillsRoom().List(skills.Active)) == 0 {
		return nil
	}
	admits := func(values []string, value string) bool { return len(values) == 0 || slices.Contains(values, value) }
	for _, match := range routed() {
		text, at := match.Text(), match.UpdatedAt.Truncate(time.Millisecond)
		switch {
		case match.Status != skills.Active, quality.Judge(text, "", true) == quality.PromptInjection:
		case !admits(query.Stores, gating.Semantic), !admits(query.Types, skills.Type),
			!admits(query.Tags, string(match.Kind)):
		case query.Agent != "", query.Task != "", query.Episode != "": // which no skill has
		case match.Importance() < query.MinImportance, at.Before(query.Since),
			!query.Until.IsZero() && at.After(query.Until):
		default:
			hit := index.Hit{Document: room.Document{Store: gating.Semantic, Type: skills.Type, At: match.UpdatedAt}}
			kept = append(kept, assembly.Recollection{
				ID: skills.DocumentPrefix + match.ID, Store: hit.Store, Label: labelOf(hit),
				Text: skillText(text, text), Score: match.Score,
			})
		}
	}
	return kept
}

// entryText returns what is recalled of an entry of the workspace memory, whose first line is its text
// and whose others are why, after a label: the whole text if it is short, and why if that is what fits or is asked for.
func entryText(document, passage, prompt string) string {
	text, why, _ := strings.Cut(document, "\n"+longterm.WhyLabel)
	passage = strings.TrimPrefix(passage, longterm.WhyLabel)
	if len([]rune(text)) > maxWhole {
		return passage
	}
	if why != "" && len([]rune(why)) <= maxWhole && (strings.Contains(why, passage) || recall.AsksWhy(prompt)) {
		return text + " (why: " + why + ")"
	}
	return text
}

// sayingText returns what is recalled of what a user said: the whole of an answer with what it answers, because neither
// says enough alone.
func sayingText(document, passage string) string {
	text, answers := request.Quoted(document)
	if answers == "" {
		return passage
	}
	return fmt.Sprintf(`"%s" (to "%s")`, text, answers)
}

// closedText returns what is recalled of a closed error, whose first line is the error, and whose others have labels:
// it with what was edited and its cause, or else what closed it.
func closedText(document string) string {
	lines := strings.Split(document, "\n")
	text, closed := lines[0], ""
	for _, line := range lines[1:] {
		switch {
		case strings.HasPrefix(line, hot.EditedLabel), strings.HasPrefix(line, hot.CauseLabel):
			text += "; " + line
		case strings.HasPrefix(line, hot.ClosedLabel):
			closed = "; " + line
		}
	}
	if text == lines[0] {
		text += closed
	}
	return text
}

// skillText returns what is recalled of a skill, whose first line is its title: all of it if it is short, because
// neither a title nor a command says enough alone, and otherwise the passage behind the title.
func skillText(document, passage string) string {
	lines := strings.Split(document, "\n")
	if utf8.RuneCountInString(document) > maxWhole {
		lines = []string{lines[0], strings.TrimPrefix(passage, lines[0])}
	}
	var text []string
	for _, line := range lines {
		if line = strings.TrimSpace(line); line != "" {
			text = append(text, strings.TrimSuffix(line, ".")+".")
		}
	}
	return strings.Join(text, " ")
}

// addEpisodes adds to what is recalled what its episode was about. Of what the session does now nothing is said.
func (v *View) addEpisodes(ctx context.Context, fitting []assembly.Recollection, hits []index.Hit) error {
	of := map[string]index.Hit{}
	var episodes []string
	for i := range fitting {
		for _, hit := range hits {
			if hit.ID != fitting[i].ID || hit.Episode == "" {
				continue
			}
			of[hit.ID], episodes = hit, append(episodes, hit.Episode)
			if hit.Type == "summary" && slices.Contains(hit.Tags, items.OfEpisode) {
				fitting[i].Summary = hit.Text
			}
		}
	}
	if len(episodes) == 0 {
		return nil
	}
	known, err := v.items().Known(ctx, episodes)
	if err != nil {
		return err
	}
	current := v.items().OpenIn(v.who.Session)
	for i := range fitting {
		hit := of[fitting[i].ID]
		if record, there := known[hit.Episode]; there && !current[record.ID] {
			fitting[i].Episode = record.Beside(hit.Text)
		}
	}
	return nil
}

// labelOf returns what stands before the text of a hit: its type, its state, the place of a note,
// and when it was written, unless it is an entry of the workspace memory, which holds until it is
// changed.
func labelOf(hit index.Hit) string {
	label := cmp.Or(hit.Type, hit.Store)
	if hit.State != "" {
		label += ", " + string(hit.State)
	}
	if hit.Store == room.StoreNotes && hit.Path != "" {
		label += " " + hit.Path
	}
	if hit.Store != room.StoreWorkspace && !hit.At.IsZero() {
		label += " " + hit.At.UTC().Format(time.DateOnly)
	}
	return label
}

// userMessage is the type of what a user said. It asks for something; what of it holds for later is
// an entry of the workspace memory.
const userMessage = "user_message"

// isSaid reports whether a hit is something that was said or shown in a conversation.
func isSaid(hit index.Hit) bool {
	return hit.Store == room.StoreConversation ||
		slices.Contains([]string{userMessage, "assistant_message", "tool_result"}, hit.Type)
}

// recalled returns what the section of a context recalls.
func recalled(params *wire.ContextParams, shown []assembly.Recollection) *wire.Recalled {
	if len(shown) == 0 && params.Query == "" && params.Filters == nil {
		return nil
	}
	result := &wire.Recalled{Items: []wire.RecalledItem{}}
	for _, r := range shown {
		_, id, _ := strings.Cut(r.ID, ":")
		result.Items = append(result.Items, wire.RecalledItem{
			ID: id, Store: r.Store, Score: r.Score,
			Parts: wire.RecalledParts{SearchParts: searchParts(r.Rating), Fit: r.Fit},
		})
	}
	return result
}

// accessed records that items were recalled, for those that were not lately.
func (s *Service) accessed(ctx context.Context, at *View, recalled *wire.Recalled) {
	if recalled == nil || at.NoWorkspace() != nil || !at.Healthy() || at.Paused() {
		return
	}
	var ids []string
	for _, item := range recalled.Items {
		ids = append(ids, item.ID)
	}
	_, err := s.Order(ctx, wire.Mutates, at, func(ctx context.Context) (any, error) {
		return nil, memory.ServiceOf[*items.Service](at.Workspace).Recalled(ctx, at.Actor(), ids)
	})()
	if err != nil {
		s.log.Warn("when items were recalled is not recorded", "error", err)
	}
}
