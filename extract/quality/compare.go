package quality

import (
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/once"
	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// A Relation is how two strings that direct the work relate.
type Relation string

// The relations. Strings about different things have none.
const (
	Alike    Relation = "alike"    // they say nearly the same
	Contrary Relation = "contrary" // they cannot both hold
)

// A Stance is what a string is for and against. Its zero value is that of a string that says nothing.
type Stance struct {
	terms []term // ordered by stem
}

// A term is a word that a string is for or against.
type term struct {
	stem    string
	against bool
	exact   bool   // a paraphrase has to have it as it is, such as a number
	number  bool   // it is a number that is the value of something
	choices uint64 // the lines of alternatives with it, a bit each
}

// StanceOf returns the stance of a string. A word that the text is both for and against is left out.
func StanceOf(text string) Stance {
	text = cut(text, maxJudged)
	clauses := clausesOf(text)
	terms := make([]term, 0, lengthOf(clauses))
	for _, clause := range clauses {
		clause.each(func(against bool, stem string, is wordKind) {
			terms = append(terms, term{stem: stem, against: against, exact: is == exact})
		})
	}
	slices.SortStableFunc(terms, func(a, b term) int { return strings.Compare(a.stem, b.stem) })
	names := numberedIn(text)
	s := Stance{terms: terms[:0]}
	for len(terms) > 0 {
		n, both := 1, false
		for n < len(terms) && terms[n].stem == terms[0].stem {
			both = both || terms[n].against != terms[0].against
			n++
		}
		if t := terms[n-1]; !both && roleOf(t.stem)&turns == 0 {
			t.number = isNumber(t.stem) && !names[t.stem]
			t.choices = choicesOf.Get()[t.stem]
			s.terms = append(s.terms, t)
		}
		terms = terms[n:]
	}
	return s
}

// To returns how a stance relates to another one, which relates to it in the same way.
func (s Stance) To(other Stance) Relation {
	agreed, opposed := 0, 0
	var mine, theirs rest
	i, j := 0, 0
	for i < len(s.terms) && j < len(other.terms) {
		switch order := strings.Compare(s.terms[i].stem, other.terms[j].stem); {
		case order < 0:
			mine.add(s.terms[i])
			i++
			continue
		case order > 0:
			theirs.add(other.terms[j])
			j++
			continue
		case s.terms[i].against == other.terms[j].against:
			agreed++
		default:
			opposed++
		}
		i++
		j++
	}
	for ; i < len(s.terms); i++ {
		mine.add(s.terms[i])
	}
	for ; j < len(other.terms); j++ {
		theirs.add(other.terms[j])
	}
	differing := mine.terms + theirs.terms
	numbers := mine.number && theirs.number && min(len(s.terms), len(other.terms)) > 2
	switch {
	case opposed > 0:
		if differing < agreed+opposed {
			return Contrary
		}
	case mine.choices&theirs.choices != 0, numbers:
		if differing-2 <= min(agreed, 1) {
			return Contrary
		}
	case mine.exact, theirs.exact:
	case agreed > 0 && differing == 0,
		agreed >= minShared && float64(agreed) >= minAlike*float64(agreed+differing):
		return Alike
	}
	return ""
}

// A rest is what only one of two strings has.
type rest struct {
	terms   int    // how many
	exact   bool   // whether one of them is exact
	number  bool   // whether the text is for one that is a number
	choices uint64 // of those that the text is for
}

func (r *rest) add(t term) {
	r.terms++
	r.exact = r.exact || t.exact
	if !t.against {
		r.number = r.number || t.number
		r.choices |= t.choices
	}
}

// numberedIn returns the numbers that are part of a name, as those in "Rule 3: …", "Table 3 is …" and
// "The tables, 3" are.
func numberedIn(text string) (names map[string]bool) {
	tokens := strings.Fields(text)
	for i, token := range tokens {
		word, isTitle := strings.CutSuffix(token, ":")
		if !isNumber(word) {
			continue
		}
		isListed := i > 0 && strings.HasSuffix(tokens[i-1], ",")
		if isTitle || isListed || i+1 < len(tokens) && copulas.Has(strings.ToLower(tokens[i+1])) {
			if names == nil {
				names = map[string]bool{}
			}
			names[word] = true
		}
	}
	return names
}

// copulas follow what a string is about.
var copulas = pattern.SetOf(`is are was were has have had must should may can will ` +
	`ist sind war hat muss soll est sont es son é são`)

func isNumber(word string) bool { return strings.Trim(word, "0123456789.,%") == "" }

// alternatives are things of which a project chooses one, at most 64 lines.
const alternatives = `tabs spaces
pnpm npm yarn bun
single double
camelcase snake_case kebab-case pascalcase
merge rebase squash
postgres postgresql mysql mariadb sqlite
jest vitest mocha
pip poetry uv pipenv
unittest pytest
docker podman
gradle maven
webpack vite rollup esbuild
eslint biome
prettier biome
black ruff
cents euros dollars floats
light dark
public private`

// choicesOf has the lines of alternatives with a stem, a bit each.
var choicesOf = once.Value[map[string]uint64]{Make: func() map[string]uint64 {
	lines, bit := map[string]uint64{}, uint64(1)
	for line := range strings.Lines(alternatives) {
		for word := range strings.FieldsSeq(line) {
			stem, _ := stemOf(word)
			lines[stem] |= bit
		}
		bit <<= 1
	}
	return lines
}}
