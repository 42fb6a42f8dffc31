package reads

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/items"
	"github.com/wm-lsp/wm-lsp/recall/words"
)

const (
	// maxRecent is how many searches a process watches for what is used of them, usedWithin for how
	// long, usedItems for how many items of the session.
	maxRecent  = 16
	usedWithin = 30 * time.Minute
	usedItems  = 20
	// longestText is how much of a string is compared, in bytes.
	longestText = 1000
	// usedShare is the share of what a candidate says beyond the query that a later item has to say
	// again, and usedLeast the least weight of that.
	usedShare, usedLeast = 0.3, 2
)

// A Found is a candidate of a search with its text, which is not kept.
type Found struct {
	Candidate
	Text string
}

// A watched search is one whose candidates may be used yet. Its strings are in memory only.
type watched struct {
	id    string
	who   change.Actor
	until time.Time
	left  int // items
	query map[string]bool
	found []Found
	terms [][]string // of the candidates beyond the query, nil until they are needed
	used  []bool
}

// watch watches what is used of a search.
func (s *Service) watch(id string, who change.Actor, query string, found []Found) {
	if who.Session == "" || len(found) < 2 {
		return
	}
	of := &watched{
		id: id, who: who, until: s.workspace.Now().Add(usedWithin), left: usedItems, query: map[string]bool{},
		found: found, used: make([]bool, len(found)),
	}
	for _, term := range termsOf(query) {
		of.query[term] = true
	}
	for i := range of.found {
		of.found[i].Text = strings.ToValidUTF8(of.found[i].Text[:min(len(of.found[i].Text), longestText)], "")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.recent) == maxRecent {
		s.recent = slices.Delete(s.recent, 0, 1)
	}
	s.recent = append(s.recent, of)
}

func termsOf(text string) (terms []string) {
	for _, term := range words.Analyze(text).Terms {
		terms = append(terms, term.Text)
	}
	return terms
}

// weight returns what a term counts: one with a digit, such as a port or a version, is seldom said by
// chance.
func weight(term string) int {
	if strings.ContainsFunc(term, unicode.IsDigit) {
		return 2
	}
	return 1
}

// Committed looks for what was used in the items that were stored.
func (s *Service) Committed(changes []change.Change) {
	s.mu.Lock()
	any := len(s.recent) > 0
	s.mu.Unlock()
	if !any {
		return
	}
	for _, c := range changes {
		var item items.Item
		if c.Kind != items.Memorized || c.Decode(&item) != nil || item.Source == "user" {
			continue
		}
		for _, used := range s.usedIn(c.Session, item) {
			s.record(used.who, change.New(Used, used.id, Use{IDs: used.ids}))
		}
	}
}

type used struct {
	id  string
	who change.Actor
	ids []string
}

// usedIn returns what an item of a session uses.
func (s *Service) usedIn(session string, item items.Item) (found []used) {
	now := s.workspace.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.recent = slices.DeleteFunc(s.recent, func(of *watched) bool { return of.left <= 0 || now.After(of.until) })
	var said map[string]bool
	for _, of := range s.recent {
		if of.who.Session != session {
			continue
		}
		if said == nil {
			said = map[string]bool{}
			for _, term := range termsOf(item.Text[:min(len(item.Text), 4*longestText)]) {
				said[term] = true
			}
		}
		of.left--
		one := used{id: of.id, who: of.who}
		for i := range of.found {
			if !of.used[i] && of.uses(i, item, said) {
				of.used[i] = true
				one.ids = append(one.ids, of.found[i].ID)
			}
		}
		if len(one.ids) > 0 {
			found = append(found, one)
		}
	}
	return found
}

// uses reports whether an item uses a candidate: it names it, or says much of what only the candidate
// says.
func (r *watched) uses(i int, item items.Item, said map[string]bool) bool {
	_, id, _ := strings.Cut(r.found[i].ID, ":")
	if id == item.ID {
		return false
	}
	if item.Parent == id || slices.Contains(item.Lineage, id) {
		return true
	}
	if r.terms == nil {
		r.terms = make([][]string, len(r.found))
		for k, one := range r.found {
			r.terms[k] = slices.DeleteFunc(termsOf(one.Text), func(term string) bool { return r.query[term] })
		}
	}
	all, shared := 0, 0
	for _, term := range r.terms[i] {
		all += weight(term)
		if said[term] {
			shared += weight(term)
		}
	}
	return shared >= usedLeast && float64(shared) >= usedShare*float64(all)
}
