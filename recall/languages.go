package recall

import (
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/recall/words"
)

// Written are the languages in which the documents of an index are written. English is always one of them: it is that
// of texts that do not tell theirs.
type Written struct {
	Any words.Languages // of at least one document
	// Often are those of so many documents that a word may well be of them, though it is there in English, too.
	Often words.Languages
}

// oftenShare is of how many documents one is written in a language that is often used.
const oftenShare = 200

// languageMark is the mark of a text that is not in English.
func languageMark(in words.Languages) mark {
	return mark("%" + strconv.Itoa(bits.TrailingZeros32(uint32(in))))
}

// WrittenIn returns the languages of the documents of an index. It reads the lists of all of them.
func WrittenIn(index Index) (found Written, err error) {
	found = Written{Any: words.English, Often: words.English}
	stats, err := index.Stats()
	if err != nil {
		return found, err
	}
	lists, err := markedAs(index, words.AllLanguages)
	if err != nil {
		return found, err
	}
	for in, list := range lists {
		if n := len(list.Docs); n > 0 {
			if found.Any |= in; n*oftenShare >= stats.Documents {
				found.Often |= in
			}
		}
	}
	return found, nil
}

// markedAs returns the documents that have the mark of each of some languages.
func markedAs(index Index, some words.Languages) (map[words.Languages]List, error) {
	var marks []string
	for in := range some.Each() {
		marks = append(marks, string(languageMark(in)))
	}
	lists, err := index.Lists(marks)
	if err != nil {
		return nil, err
	}
	found := make(map[words.Languages]List, len(lists))
	for in := range some.Each() {
		found[in], lists = lists[0], lists[1:]
	}
	return found, nil
}

// addForeign adds the stems that words have in other languages, if the query does not tell its own: it may be any of
// those in which documents are often written, and those of which it has as many words that hold sentences together.
// In the languages that are seldom used only words are looked for that no document has, or that are beyond ASCII. A
// stem of a language may be that of another word elsewhere, so it finds only what is written in its own.
func (r *ranking) addForeign() error {
	if r.Family == 0 || !slices.ContainsFunc(r.parts, func(p weighed) bool { return p.plain != "" }) {
		return nil
	}
	written, err := r.index.Languages()
	if err != nil {
		return err
	}
	told := r.query.reading().told() & written.Any
	if told.One() {
		return nil
	}
	if told == 0 {
		told = written.Often
	}
	f := foreign{told: told, seldom: written.Any &^ told}
	for i := range r.parts {
		f.add(&r.parts[i])
	}
	return f.read(r)
}

// A foreign collects the stems of words of a query in some languages.
type foreign struct {
	told, seldom words.Languages
	stems        []foreignStem
}

// A foreignStem is one of a part, in the languages that have it in common.
type foreignStem struct {
	text string
	in   words.Languages
	of   *weighed
}

// add collects those of a part.
func (f *foreign) add(p *weighed) {
	if p.plain == "" {
		return
	}
	among := f.told
	if len(p.lists[0].Docs) == 0 || !isASCII(p.plain) {
		among |= f.seldom
	}
	own := len(f.stems)
	for in := range among.Each() {
		text := words.Stem(p.plain, in)
		at := slices.IndexFunc(f.stems[own:], func(stem foreignStem) bool {
			return stem.text == text && stem.in != words.English
		})
		switch {
		case text == p.terms[0].text:
		case at < 0:
			f.stems = append(f.stems, foreignStem{text, in, p})
		default:
			f.stems[own+at].in |= in
		}
	}
}

// read adds the stems that documents of their languages have to their parts.
func (f *foreign) read(r *ranking) error {
	if len(f.stems) == 0 {
		return nil
	}
	texts := make([]string, len(f.stems))
	for i, stem := range f.stems {
		texts[i] = stem.text
	}
	lists, err := r.index.Lists(texts)
	if err != nil {
		return err
	}
	var there words.Languages
	for i, list := range lists {
		if len(list.Docs) > 0 {
			there |= f.stems[i].in
		}
	}
	marked, err := markedAs(r.index, there&^words.English)
	if err != nil {
		return err
	}
	for i, list := range lists {
		f.stems[i].find(list, marked, r.Family)
	}
	return nil
}

// find adds a stem to its part, as far as the documents that have it are written in its languages. Those in English are
// not known, as they may be in any language, so its stems count as a family.
func (s foreignStem) find(list List, marked map[words.Languages]List, family float32) {
	factor := family
	if s.in != words.English {
		list, factor = list.among(s.in, marked), 1
		for _, known := range s.of.terms {
			if known.text == s.text {
				factor -= known.factor
			}
		}
	}
	if p := s.of; len(list.Docs) > 0 {
		p.terms, p.lists = append(p.terms, factored{text: s.text, factor: factor}), append(slices.Clip(p.lists), list)
	}
}

// among returns what a list has of the documents in some languages.
func (l List) among(some words.Languages, marked map[words.Languages]List) (found List) {
	var places []int
	for in := range some.Each() {
		places = appendShared(places, l.Docs, marked[in].Docs)
	}
	slices.Sort(places)
	for _, place := range places {
		found.Docs, found.TF = append(found.Docs, l.Docs[place]), append(found.TF, l.TF[place])
	}
	return found
}

// appendShared appends the places of the documents that others are, too. It looks for those of the shorter list in the
// longer one.
func appendShared(places []int, docs, others []Doc) []int {
	from := 0
	if len(docs) < len(others) {
		for i, doc := range docs {
			at, is := slices.BinarySearch(others[from:], doc)
			if from += at; is {
				places = append(places, i)
			}
		}
		return places
	}
	for _, other := range others {
		at, is := slices.BinarySearch(docs[from:], other)
		if from += at; is {
			places = append(places, from)
		}
	}
	return places
}

func isASCII(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}
