package assembly

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/tag"
	"github.com/wm-lsp/wm-lsp/memory/items/episode"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/render"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/recall"
)

// RecalledSection is the id of the section of what is shown because of what the session is about:
// the entries of the workspace memory about the same code, and what search finds for the prompt.
const RecalledSection = "recalled"

// A Recollection is something remembered that fits the prompt, or holds always.
type Recollection struct {
	// ID is that of the document, such as "memory:01J…".
	ID, Store string
	// Label names its kind, and the time when it was written if that matters.
	Label string
	// Text is the passage that fits.
	Text   string
	Score  float64
	Rating recall.Rating
	Fit    float64 // of the passage
	// Mandate is true for what is always recalled.
	Mandate bool
	// Episode is what there is to say of the episode in which it happened, in the resolutions of a summary.
	Episode string
	// Summary is the summary of an episode from which Text is, "" for what is none.
	Summary string
}

// A Recall is what was found for the prompt of a request.
type Recall struct {
	// Found are the best first, mandates before others.
	Found []Recollection
	// Limit is how many are shown at most, Tokens how many tokens they have together. Neither
	// counts for mandates.
	Limit, Tokens int
	// Shares are the parts of Tokens, from 0 to 1, that are reserved for stores. What they leave,
	// and the rest, goes to the best of any store.
	Shares map[string]float64
	// Entries are the entries about the same code that are shown beside. They count for Limit and Tokens.
	Entries longterm.Bound
}

// state identifies what a recall holds.
func (r Recall) state() string {
	if r.Limit == 0 && len(r.Found) == 0 { // of a context that nobody asked for
		return ""
	}
	sum := sha256.New()
	fmt.Fprintf(sum, "%+v", r)
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

func (c *Composition) recalledSection() render.Section {
	limit, related := c.request.Recall, c.from.settings.Memory.MaxChars
	return render.Section{
		ID: RecalledSection, Label: "Found for the task", MaxChars: related + maxCharsOf(limit), State: limit.state(),
		Render: c.renderRecalled,
		Gone: func(item render.Item) string {
			if strings.Contains(item.ID, ":") { // it was found, and another prompt does not find it
				return ""
			}
			return c.from.longterm.Gone(item)
		},
	}
}

// maxCharsOf returns how many characters a recall may have.
func maxCharsOf(r Recall) int {
	const charsOfToken = 8 // of a long one
	chars := charsOfToken * r.Tokens
	for _, found := range r.Found {
		if found.Mandate {
			chars += utf8.RuneCountInString(found.line(found.Text))
		}
	}
	return chars
}

const (
	recalledOpen = "<" + tag.Recalled + ">\n"
	recalledShut = "</" + tag.Recalled + ">"
)

// renderRecalled renders the section: the entries about the same code, mandates that no other
// section shows, and what was found.
func (c *Composition) renderRecalled(maxChars int, shown render.DedupSet) render.Part {
	left := maxChars - utf8.RuneCountInString(recalledOpen+recalledShut)
	room := min(left, c.from.settings.Memory.MaxChars)
	part := c.from.longterm.Related(c.request.Reader, c.request.Recall.Entries, room)
	left -= utf8.RuneCountInString(part.Text)
	said := newSaid(string(c.request.Query), slices.Concat(shown, render.DedupSet{part.DedupKeys}))
	keys := render.DedupKeys{}
	for key := range part.DedupKeys {
		keys[key] = true
	}
	lines := part.Text
	flat := func(line string) string { return strings.TrimPrefix(strings.TrimSuffix(line, "\n"), "- ") }
	for _, one := range c.choose(said, left, len(part.Items), c.assembler.tokens.Count(part.Text)) {
		lines += one.told
		item := render.Item{ID: one.ID, Text: flat(one.told)}
		if plain := one.line(one.Text); plain != one.told { // how much is told of it is not new
			item.Same = flat(plain)
		}
		part.Items = append(part.Items, item)
		keys[render.DedupKey(one.Text)] = true
	}
	part.DedupKeys, part.Text = keys, ""
	if lines != "" {
		part.Text = recalledOpen + lines + recalledShut
	}
	return part
}

// packWithRecall packs the sections. What was found is left out first: as much of it is recalled as
// displaces nothing of other sections from the budget.
func (c *Composition) packWithRecall() render.Context {
	budgets := c.assembler.budgets(c.request.Budget)
	pack := func(limit int, plain bool) render.Context {
		c.limit, c.plain = limit, plain
		return render.Pack(c.sections, c.from.settings.Context.PrefixChars, budgets...)
	}
	limit := min(c.request.Recall.Limit, len(c.request.Recall.Found))
	if limit == 0 || len(budgets) == 0 {
		return pack(limit, false)
	}
	least := pack(0, true)
	for ; limit > 0; limit-- {
		for _, plain := range []bool{false, true} {
			if packed := pack(limit, plain); !displaces(packed, least) {
				return packed
			}
		}
	}
	return least
}

// displaces reports whether a section of a context has fewer items than in another one.
func displaces(packed, least render.Context) bool {
	for i, section := range packed.Sections {
		if len(section.Items) < len(least.Sections[i].Items) {
			return true
		}
	}
	return false
}

// A chosen is what is shown of a recollection.
type chosen struct {
	Recollection
	told string // the line of the section
}

// choose returns what of the recall is shown in at most some characters: mandates, then what fits
// into the share of its store, then what fits into the rest. Nothing is said twice. What is left
// after that tells more of it. Some entries with so many tokens are shown beside.
func (c *Composition) choose(said *said, chars, entries, tokens int) []chosen {
	r := c.request.Recall
	used, spent, count, most := tokens, map[string]int{}, 0, min(c.limit, max(r.Limit-entries, 0))
	taken := make([]bool, len(r.Found))
	take := func(i, tokens int, line string) {
		taken[i] = true
		chars -= utf8.RuneCountInString(line)
		used += tokens
		spent[r.Found[i].Store] += tokens
		said.add(r.Found[i].Text)
	}
	for _, shared := range []bool{true, false} {
		for i, found := range r.Found {
			line := found.line(found.Text)
			if taken[i] || utf8.RuneCountInString(line) > chars {
				continue
			}
			if found.Mandate {
				if !said.exactly(found.Text) {
					take(i, 0, line)
				}
				continue
			}
			tokens := c.assembler.tokens.Count(line)
			limit := r.Tokens - used
			if shared {
				limit = min(limit, int(r.Shares[found.Store]*float64(r.Tokens))-spent[found.Store])
			}
			if count < most && tokens <= limit && !said.nearly(found.Text) {
				take(i, tokens, line)
				count++
			}
		}
	}
	var all []chosen
	for i, found := range r.Found {
		if taken[i] {
			all = append(all, chosen{found, found.line(found.Text)})
		}
	}
	if !c.plain {
		c.refine(all, said, chars, r.Tokens-used)
	}
	return all
}

// refine tells more of what is shown, the best first, in at most some further characters and tokens: of each the line
// of its episode, once for each episode, and then a paragraph or a page, the finest that fits.
func (c *Composition) refine(all []chosen, said *said, chars, tokens int) {
	tell := func(one *chosen, text string) bool {
		line := one.line(text)
		moreChars := utf8.RuneCountInString(line) - utf8.RuneCountInString(one.told)
		more := c.assembler.tokens.Count(line) - c.assembler.tokens.Count(one.told)
		if moreChars > chars || more > tokens {
			return false
		}
		one.told, chars, tokens = line, chars-moreChars, tokens-more
		return true
	}
	finest := make([][]string, len(all))
	for i := range all {
		one := &all[i]
		line := episode.At(one.Episode, episode.OneLine)
		if one.Mandate || one.Summary == "" && (line == "" || said.nearly(line)) {
			continue
		}
		if tell(one, one.at(episode.OneLine)) {
			finest[i] = []string{one.at(episode.Page), one.at(episode.Paragraph)}
			if line != "" {
				said.add(line)
			}
		}
	}
	for i := range all {
		for _, text := range finest[i] {
			if tell(&all[i], text) {
				break
			}
		}
	}
}

// at returns the passage with its episode at a resolution: the summary from which it is, or what there is to say
// of the episode in which it happened.
func (r *Recollection) at(resolution episode.Resolution) string {
	if r.Summary == "" {
		return r.Text + " (episode: " + inOneLine(episode.At(r.Episode, resolution)) + ")"
	}
	text := episode.At(r.Summary, resolution)
	if !strings.Contains(render.DedupKey(text), render.DedupKey(r.Text)) {
		text += " … " + r.Text
	}
	return inOneLine(text)
}

// inOneLine returns the lines and lists of a string in one line.
func inOneLine(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimPrefix(strings.TrimSpace(line), "- ")
		switch before := b.String(); {
		case line == "" || before == "":
		case strings.HasSuffix(before, ":") || strings.HasSuffix(before, "."):
			b.WriteString(" ")
		default:
			b.WriteString("; ")
		}
		b.WriteString(line)
	}
	return b.String()
}

// line returns the line of the section with a string.
func (r *Recollection) line(text string) string {
	return "- [" + render.Flat(r.Label) + "] " + render.Flat(text) + "\n"
}

// said is what a context says already, and the prompt.
type said struct {
	keys  render.DedupSet
	asked string
	words []map[string]bool // of each string; nil until they are needed
	added []string
}

func newSaid(asked string, keys render.DedupSet) *said { return &said{asked: asked, keys: keys} }

func (s *said) add(text string) {
	s.added = append(s.added, render.DedupKey(text))
	if s.words != nil {
		s.words = append(s.words, wordsOf(render.DedupKey(text)))
	}
}

// exactly reports whether a string is said, but for signs and capital letters.
func (s *said) exactly(text string) bool {
	key := render.DedupKey(text)
	return s.keys.Has(key) || slices.Contains(s.added, key)
}

// mostSaid is the share of the words of a string that another one has, above which it is said
// already.
const mostSaid = 0.75

// nearly reports whether most of the words of a string are said in one other, and all of its numbers,
// or all of its words in the prompt: a question has the words of its answer but the one it asks for.
func (s *said) nearly(text string) bool {
	if s.exactly(text) {
		return true
	}
	if s.words == nil {
		s.words = []map[string]bool{}
		for _, keys := range s.keys {
			for key := range keys {
				s.words = append(s.words, wordsOf(key))
			}
		}
		for _, key := range s.added {
			s.words = append(s.words, wordsOf(key))
		}
	}
	own := wordsOf(render.DedupKey(text))
	return hasMost(wordsOf(render.DedupKey(s.asked)), own, 1) ||
		slices.ContainsFunc(s.words, func(other map[string]bool) bool { return hasMost(other, own, mostSaid) })
}

// hasMost reports whether a string has a share of some words, and all of those with a digit: the same
// sentence with another number says something else.
func hasMost(other, words map[string]bool, share float64) bool {
	both := 0
	for word := range words {
		if other[word] {
			both++
		} else if strings.ContainsFunc(word, unicode.IsDigit) {
			return false
		}
	}
	return float64(both) >= share*float64(len(words))
}

func wordsOf(key string) map[string]bool {
	found := map[string]bool{}
	for word := range strings.FieldsSeq(key) {
		found[word] = true
	}
	return found
}

// Recalled returns what the section shows, in its order.
func (c *Composition) Recalled() (shown []Recollection) {
	for _, section := range c.pack().Sections {
		if section.ID != RecalledSection {
			continue
		}
		for _, item := range section.Items {
			one := Recollection{ID: item.ID, Store: room.StoreWorkspace}
			if !strings.Contains(item.ID, ":") {
				one.ID = longterm.DocumentID(item.ID)
			}
			for _, found := range c.request.Recall.Found {
				if found.ID == one.ID {
					one = found
				}
			}
			shown = append(shown, one)
		}
	}
	return shown
}
