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
const oftenShare = 100

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
	var marks []string
	for in := range words.AllLanguages.Each() {
		marks = append(marks, string(languageMark(in)))
	}
	lists, err := index.Lists(marks)
	if err != nil {
		return found, err
	}
	i := 0
	for in := range words.AllLanguages.Each() {
		if n := len(lists[i].Docs); n > 0 {
			if found.Any |= in; n*oftenShare >= stats.Documents {
				found.Often |= in
			}
		}
		i++
	}
	return found, nil
}

// addForeign adds the stems that words have in other languages, if the query does not tell its own: it may be any of
// those in which documents are often written, and those of which it has as many words that hold sentences together.
// In the languages that are seldom used only words are looked for that no document has, or that are beyond ASCII: they
// count as a family.
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
	terms        []factored
	of           []*weighed
}

// add collects those of a part.
func (f *foreign) add(p *weighed) {
	if p.plain == "" {
		return
	}
	known := []string{p.terms[0].text}
	add := func(among words.Languages, factor float32) {
		if among == 0 {
			return
		}
		for _, stem := range words.Stems(p.plain, among) {
			if !slices.Contains(known, stem) {
				known = append(known, stem)
				f.terms, f.of = append(f.terms, factored{text: stem, factor: factor}), append(f.of, p)
			}
		}
	}
	add(f.told, 1)
	if len(p.lists[0].Docs) == 0 || !isASCII(p.plain) {
		add(f.seldom, 0)
	}
}

// read adds the terms that documents have to their parts.
func (f *foreign) read(r *ranking) error {
	if len(f.terms) == 0 {
		return nil
	}
	texts := make([]string, len(f.terms))
	for i, term := range f.terms {
		texts[i] = term.text
	}
	lists, err := r.index.Lists(texts)
	for i, list := range lists {
		p, term := f.of[i], f.terms[i]
		if len(list.Docs) == 0 {
			continue
		}
		if term.factor == 0 {
			term.factor = r.Family
		}
		at := slices.IndexFunc(p.terms, func(own factored) bool { return own.text == term.text })
		if at < 0 {
			p.terms, p.lists = append(p.terms, term), append(slices.Clip(p.lists), list)
			continue
		}
		p.terms[at].factor = max(p.terms[at].factor, term.factor)
	}
	return err
}

func isASCII(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}
