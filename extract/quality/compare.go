package quality

import (
	"slices"
	"strings"
)

// A Relation is how two texts that direct the work relate.
type Relation string

// The relations. Texts about different things have none.
const (
	Alike    Relation = "alike"    // they say nearly the same
	Contrary Relation = "contrary" // they cannot both hold
)

// A Stance is what a text is for and against. Its zero value is that of a text that says nothing.
type Stance struct {
	against map[string]bool // by word: whether the text is against it
	exact   map[string]bool // the words that have to be as they are, such as numbers
}

// StanceOf returns the stance of a text.
func StanceOf(text string) Stance {
	s := Stance{against: map[string]bool{}, exact: map[string]bool{}}
	for word, is := range meaningOf(text) {
		word, negated := strings.CutPrefix(word, "not ")
		if turns.Has(word) {
			continue
		}
		s.against[word] = negated
		if is == exact {
			s.exact[word] = true
		}
	}
	return s
}

// To returns how a stance relates to another one.
func (s Stance) To(other Stance) Relation {
	agreed, opposed := 0, 0
	var mine, theirs []string // words that only one of them has
	for word, against := range s.against {
		switch there, both := other.against[word]; {
		case !both:
			mine = append(mine, word)
		case there == against:
			agreed++
		default:
			opposed++
		}
	}
	for word := range other.against {
		if _, both := s.against[word]; !both {
			theirs = append(theirs, word)
		}
	}
	rest := len(mine) + len(theirs)
	switch {
	case opposed > 0:
		if rest < agreed+opposed {
			return Contrary
		}
	case s.differsInOne(other, mine, theirs):
		if rest-2 <= min(agreed, 1) {
			return Contrary
		}
	case slices.ContainsFunc(mine, s.isExact), slices.ContainsFunc(theirs, other.isExact):
	case agreed > 0 && rest == 0, agreed >= minShared && float64(agreed) >= minAlike*float64(agreed+rest):
		return Alike
	}
	return ""
}

func (s Stance) isExact(word string) bool { return s.exact[word] }

// differsInOne reports whether two stances differ in one of some alternatives, or in one number of the same
// thing.
func (s Stance) differsInOne(other Stance, mine, theirs []string) bool {
	for _, word := range mine {
		for _, instead := range theirs {
			if s.against[word] || other.against[instead] {
				continue
			}
			numbers := isNumber(word) && isNumber(instead) && len(s.against) > 2
			if numbers || areAlternatives(word, instead) {
				return true
			}
		}
	}
	return false
}

func isNumber(word string) bool { return strings.Trim(word, "0123456789.,%") == "" }

// alternatives are things of which a project chooses one, a line each.
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

// areAlternatives reports whether two words are alternatives.
func areAlternatives(a, b string) bool {
	for line := range strings.Lines(alternatives) {
		var words []string
		for word := range strings.FieldsSeq(line) {
			stem, _ := stemOf(word)
			words = append(words, stem)
		}
		if slices.Contains(words, a) && slices.Contains(words, b) {
			return true
		}
	}
	return false
}
