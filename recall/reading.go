package recall

import (
	"cmp"
	"slices"

	"github.com/wm-lsp/wm-lsp/recall/vectors"
	"github.com/wm-lsp/wm-lsp/recall/words"
)

// A Reading is what the text of a query says apart from an index. Each part is made when it is first needed, so that a
// text that is looked for in several indexes is read once. It is not safe for concurrent use.
type Reading struct {
	text    string
	words   []words.Word
	related [][]factored // by place of the word, with the factor
	factor  float32
	vector  *vectors.Vector
	day     uint16 // of periods and used
	periods []words.Period
	used    []words.Use // nil if they were not read
}

// ReadingOf returns the reading of a string.
func ReadingOf(text string) *Reading { return &Reading{text: readPart(text)} }

// readPart returns as much of a string as is read.
func readPart(text string) string { return text[:min(len(text), longestQuery)] }

// reading returns the reading of the query's text.
func (q *Query) reading() *Reading {
	if q.Reading == nil || q.Reading.text != readPart(q.Text) {
		q.Reading = ReadingOf(q.Text)
	}
	return q.Reading
}

// all returns the words of the text. They must not be changed.
func (r *Reading) all() []words.Word {
	if r.words == nil {
		r.words = words.Words(r.text)
	}
	return r.words
}

// Telling returns how many words the text has, besides those that say nothing.
func (r *Reading) Telling() (n int) {
	for _, word := range r.all() {
		if !word.Stop {
			n++
		}
	}
	return n
}

// told returns the languages that the text may have by the words that hold its sentences together, none if it has no
// such word.
func (r *Reading) told() words.Languages { return words.Told(r.all()) }

// times returns the times that the text names as seen from a day, and what each word does in that.
func (r *Reading) times(day uint16) ([]words.Period, []words.Use) {
	if r.used == nil || r.day != day {
		r.day = day
		r.periods, r.used = words.Periods(r.all(), int(day))
	}
	return r.periods, r.used
}

// EndsInTime reports whether the last word of the text is of a time that it names.
func (r *Reading) EndsInTime(day uint16) bool {
	_, used := r.times(day)
	return len(used) > 0 && used[len(used)-1] != words.NoTime
}

// IsFromNow reports whether the text names a time by how long ago it is. Another one that names it so, on another day,
// means another time.
func (r *Reading) IsFromNow(day uint16) bool {
	_, used := r.times(day)
	return slices.Contains(used, words.FromNow)
}

// relatedTo returns the terms that are related to each word, or to a phrase that begins with it, with a factor of at
// most the given one.
func (r *Reading) relatedTo(factor float32) [][]factored {
	if r.related == nil || r.factor != factor {
		r.related, r.factor = related(r.all(), factor), factor
	}
	return slices.Clone(r.related)
}

func related(all []words.Word, factor float32) [][]factored {
	found := make([][]factored, len(all))
	if factor == 0 || len(all) > mostRelated {
		return found
	}
	for other := range vectors.Expand(all) {
		found[other.First] = append(found[other.First],
			factored{text: other.Term, factor: factor * other.Weight, related: true})
	}
	for i, terms := range found {
		slices.SortStableFunc(terms, func(a, b factored) int { return cmp.Compare(b.factor, a.factor) })
		found[i] = terms[:min(len(terms), relatedLimit)]
	}
	return found
}

// meaning returns the vector of the text, which is zero if it has no meaning.
func (r *Reading) meaning() *vectors.Vector {
	if r.vector == nil {
		vector := vectors.Of(words.Analyze(r.text).Terms)
		r.vector = &vector
	}
	return r.vector
}
