package quality

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/wm-lsp/wm-lsp/extract/once"
	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

const (
	// minAlike is the share of the words of two strings that both have, if they say the same.
	minAlike = 0.75
	// minShared is how many words they share at least.
	minShared = 3
)

// Paraphrase returns a function that reports whether another string says the same in other words:
// the same content words regardless of their endings and order, of which the same are negated,
// and exactly the same numbers, paths and names in code. Short strings have no paraphrases.
func Paraphrase(text string) func(other string) bool {
	mine := meaningOf(cut(text, maxJudged))
	stems := make([]string, 0, len(mine))
	for word := range mine {
		stems = append(stems, word[strings.LastIndexByte(word, ' ')+1:])
	}
	return func(other string) bool {
		other = cut(other, maxJudged)
		if !hasSome(strings.ToLower(other), stems) { // without reading it
			return false
		}
		theirs := meaningOf(other)
		shared := 0
		for word, is := range mine {
			if _, both := theirs[word]; both {
				shared++
			} else if is == exact {
				return false
			}
		}
		for word, is := range theirs {
			if _, both := mine[word]; !both && is == exact {
				return false
			}
		}
		return shared >= minShared && float64(shared) >= minAlike*float64(len(mine)+len(theirs)-shared)
	}
}

// hasSome reports whether a string contains as many of the stems as paraphrases share.
func hasSome(text string, stems []string) bool {
	found := 0
	for _, stem := range stems {
		if strings.Contains(text, stem) {
			found++
		}
		if found == minShared {
			return true
		}
	}
	return false
}

// A wordKind is whether a paraphrase may lack a word.
type wordKind bool

const (
	similar wordKind = false
	exact   wordKind = true
)

// meaningOf returns the content words of a string. One of a clause that is negated, or that names
// what something replaces, begins with "not ".
func meaningOf(text string) map[string]wordKind {
	clauses := clausesOf(text)
	words := make(map[string]wordKind, lengthOf(clauses))
	for _, clause := range clauses {
		clause.each(func(against bool, stem string, is wordKind) {
			if against {
				stem = "not " + stem
			}
			words[stem] = is
		})
	}
	return words
}

// A clause is the words between two commas, or up to a word that turns the sense.
type clause []word

// A word of a clause has no punctuation around it.
type word struct {
	text string
	role role
}

// lengthOf returns the number of words.
func lengthOf(clauses []clause) (n int) {
	for _, c := range clauses {
		n += len(c)
	}
	return n
}

func clausesOf(text string) []clause {
	text = strings.ReplaceAll(strings.ToLower(norm.NFKC.String(text)), "’", "'")
	text = wideHollow.Get().Replace(text)
	words := make(clause, 0, 1+strings.Count(text, " ")) // of all clauses
	var all []clause
	begin := 0
	next := func() {
		all = append(all, words[begin:])
		begin = len(words)
	}
	for token := range strings.FieldsSeq(text) {
		trimmed := token
		if !isPlain(token[0]) || !isPlain(token[len(token)-1]) {
			trimmed = strings.Trim(token, ".,;:!?()[]{}\"'`*“”«»、。，；：！？「」")
		}
		ends := strings.IndexByte(",;.!?", token[len(token)-1]) >= 0
		is := roleOf(trimmed)
		if is&turns != 0 || is&contrasts != 0 && !ends { // "use tabs instead" contrasts nothing
			next()
		}
		switch {
		case trimmed == "":
		case strings.Contains(trimmed, "-"):
			for _, part := range partsOf(trimmed) {
				words = append(words, word{part, roleOf(part)})
			}
		default:
			words = append(words, word{trimmed, is})
		}
		if ends {
			next()
		}
	}
	next()
	return all
}

// isPlain reports whether a byte is a small letter of ASCII or a digit.
func isPlain(b byte) bool { return 'a' <= b && b <= 'z' || '0' <= b && b <= '9' }

// partsOf returns the parts of a compound of content words, as "half-up", which is written "half up", too. Others are
// returned whole: in "opt-in", "no-op" and "non-null" a part turns the sense.
func partsOf(word string) []string {
	parts := strings.Split(word, "-")
	if stem, _ := stemOf(word); choicesOf.Get()[stem] != 0 || slices.ContainsFunc(parts, isAffix) {
		return []string{word}
	}
	return parts
}

// isAffix reports whether a part of a compound is not a word with content of its own.
func isAffix(part string) bool {
	isNoLetter := func(r rune) bool { return !unicode.IsLetter(r) }
	if utf8.RuneCountInString(part) < 2 || strings.ContainsFunc(part, isNoLetter) {
		return true
	}
	return roleOf(part)&(affixes|hollow|negations|contrasts|orders|turns) != 0
}

// each calls yield with the content words of a clause, and whether the text is against them. A word that stands after
// one of order or direction begins with that.
func (c clause) each(yield func(against bool, stem string, is wordKind)) {
	before := ""
	replaces := len(c) > 1 && c[0].role&contrasts != 0
	against := replaces || slices.ContainsFunc(c, func(w word) bool { return w.role&negations != 0 })
	for _, w := range c {
		switch {
		case replaces && w.role&purposes != 0:
			against = false
		case wide(w.text):
			for _, gram := range grams(w.text) {
				yield(false, gram, kindOfGram(gram))
			}
		case w.role&orders != 0:
			before = w.text + " "
		case w.role&(negations|contrasts|hollow) != 0:
		default:
			stem, is := stemOf(w.text)
			yield(against, before+stem, is)
			before = ""
		}
	}
}

// A role is what a word does that has no content of its own, a bit for each. A word may have several.
type role uint8

const (
	negations role = 1 << iota
	contrasts
	purposes // they end the name of what is replaced, as in "tabs instead of spaces for indentation"
	affixes  // they turn or shift the sense of a compound
	turns
	orders
	hollow // words without content of their own
)

// roleOf returns the roles of a word, 0 if it has content.
func roleOf(word string) role { return roles.Get()[word] }

var roles = once.Value[map[string]role]{Make: func() map[string]role {
	all := make(map[string]role, 512)
	for _, of := range []struct {
		role  role
		words string
	}{
		{negations, `not no never don't dont doesn't didn't isn't aren't won't can't cannot mustn't shouldn't stop avoid
			nicht nie niemals kein keine keinen keiner ne pas jamais não nunca не нет`},
		{contrasts, `instead rather over statt anstatt anstelle plutôt lieu lugar vez вместо`},
		{purposes, `for in on at when if because since für im bei wenn weil pour dans quand parce para en cuando porque
			em quando`},
		{affixes, `non un anti pre post re sub co multi inter out`},
		{turns, `but sondern mais pero sino mas но`},
		{orders, `before after from until since only except unless vor nach nur avant après depuis seulement antes
			después desde solo só depois до после только without ohne sans sin sem без`},
		{hollow, `a an the this that these those it its we i you he she they our my your their us me is are was were
			be been being am do does did have has had will would shall should can could must to of in on at for
			with by as into per and or so also then than just please always every each all any anymore again
			longer more here there now from yes ok okay well let's lets let make sure ensure need needs want
			wants like think there's it's i'm we're don use uses used using verwende verwenden nutze nutzen der
			die das den dem des ein eine einen einer eines wir ich du ihr sie es ist sind war wird werden soll
			sollen muss müssen kann können bitte immer jede jeder jedes alle und oder auch mit für von zu im in
			am an auf bei als le la les l un une des du de nous je tu vous il elle on est sont être doit doivent
			toujours chaque tout tous et ou aussi avec pour par dans sur au aux que qui el los las una uno unos
			nosotros yo tú es son ser debe deben siempre cada todo todos y o también con para por en del que o
			os as um uma nós eu você é são deve devem sempre e também com para por em no na do da и или мы я ты
			вы это в на с по для из к всегда каждый все надо нужно`},
	} {
		for word := range strings.FieldsSeq(of.words) {
			all[word] |= of.role
		}
	}
	return all
}}

// wideHollow removes words without content in Chinese, Japanese and Korean.
var wideHollow = once.Value[*strings.Replacer]{Make: func() *strings.Replacer {
	return strings.NewReplacer(`所有`, ``, `每个`, ``, `每個`, ``, `必须`, ``, `必須`, ``, `一律`, ``, `总是`, ``, `總是`, ``,
		`都`, ``, `请`, ``, `請`, ``, `要`, ``, `会`, ``, `會`, ``, `してください`, `する`, `ください`, ``, `必ず`, ``, `常に`, ``, `いつも`, ``,
		`항상`, ``, `반드시`, ``)
}}

// stemOf returns a word without its ending, and whether a paraphrase must have it as it is: it
// has digits or signs, as numbers, paths and names in code have.
func stemOf(word string) (string, wordKind) {
	word = strings.TrimSuffix(word, "'s")
	if strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && r != '-' && r != '\'' }) {
		return word, exact
	}
	for _, ending := range endings {
		if stem, cut := strings.CutSuffix(word, ending); cut && len(stem) >= minStem {
			return undoubled(stem), similar
		}
	}
	return word, similar
}

// endings are tried in order. They are those of English, and the commonest of German.
var endings = []string{"ations", "ation", "ings", "ing", "ers", "er", "ied", "ies", "ed", "es", "en", "em", "e", "s"}

// minStem is the length of the shortest stem, in bytes.
const minStem = 3

// undoubled returns "commit" for "committ", from "committing".
func undoubled(stem string) string {
	if n := len(stem); n > minStem && stem[n-1] == stem[n-2] && stem[n-1] != 's' && stem[n-1] != 'l' {
		return stem[:n-1]
	}
	return stem
}

// firstWide is the first letter of Hangul, before which none of the scripts begins.
const firstWide = '\u1100'

// wide reports whether a string is in a script without spaces, or in Hangul, whose words have
// many endings.
func wide(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		return r >= firstWide && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
	})
}

// grams returns the pairs of neighbouring characters of a string without spaces.
func grams(text string) []string {
	runes := []rune(text)
	var all []string
	for i := range runes {
		if i+1 < len(runes) {
			all = append(all, string(runes[i:i+2]))
		}
		if decisive.Has(string(runes[i])) {
			all = append(all, string(runes[i]))
		}
	}
	return all
}

// decisive are characters that negate, or say what comes first.
var decisive = pattern.SetOf(`不 没 沒 别 別 勿 无 無 未 非 前 后 後 只 な ず ま 않 안 말 못 없 전 후 만`)

func kindOfGram(gram string) wordKind {
	return wordKind(decisive.Has(gram))
}
