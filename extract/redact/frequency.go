package redact

import (
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
	vocabulary "github.com/wm-lsp/wm-lsp/extract/tokens"
)

// How often people write a word tells passwords from the words of a sentence in every language: those that people
// choose are seldom, those that sentences about credentials are made of are not. The vocabulary of the tokenizer has
// the frequent words of all languages.

// isCommon reports whether a word is one that people write often.
func isCommon(word string) bool { return vocabulary.Count(" "+lowered(word)) == 1 }

// isRare reports whether a word is letters, and neither one that people write often nor derived from one.
func isRare(word string) bool {
	low := lowered(word)
	return len(word) > minSecret && isLetters(word) && !isCommon(low) && !isParticiple(low) && !derived.Match(low) &&
		!isSuffixed(low) && !isPrefixed(low)
}

// isSuffixed reports whether a word is a common one with an ending.
func isSuffixed(low string) bool {
	for _, suffix := range []string{"s", "es", "er", "ers", "or", "ors", "al", "ic", "ics", "ant", "ants",
		"ent", "ents"} {
		if stem, ok := strings.CutSuffix(low, suffix); ok && len(stem) > 2 && (isCommon(stem) || isCommon(stem+"e") ||
			stem[len(stem)-1] == stem[len(stem)-2] && isCommon(stem[:len(stem)-1])) {
			return true
		}
	}
	return false
}

// derived has the endings with which programmers make words.
var derived = pattern.New(`(?:ations?|ments?|ness|ity|ities|iz(?:e|es|er|ers)|is(?:e|es|er|ers)|ators?|isms?|ology|` +
	`able|ible|ful|less|ous|wise|ware|ship|ally|ive|ives|ical)$`)

// isPrefixed reports whether a word is a common one behind a prefix.
func isPrefixed(low string) bool {
	for _, prefix := range []string{"un", "re", "de", "dis", "non", "pre", "mis", "multi", "sub", "over", "under",
		"auto", "inter", "co", "anti"} {
		if rest, ok := strings.CutPrefix(low, prefix); ok && len(rest) > 3 && isCommon(rest) {
			return true
		}
	}
	return false
}

// isSeldom reports whether a word with the ending of a participle is rather one that people seldom write, such as the
// name of an animal: neither it nor what stands before the ending is a common word or has the form of a verb.
func isSeldom(low, ending string) bool {
	if ending != "ing" && ending != "ed" || strings.IndexByte(low, '-') >= 0 || !isASCII(low) {
		return false
	}
	stem := low[:len(low)-len(ending)]
	return !isCommon(low) && !isCommon(stem) && !isCommon(stem+"e") && stem[len(stem)-1] != stem[len(stem)-2] &&
		!verbal.Match(stem) && !isPrefixed(stem) && !isPrefixed(stem+"e")
}

// verbal has the endings of verbs that programmers make.
var verbal = pattern.New(`(?:at|iz|is|if[iy]|[aeo]r|ur|ess|ect|[eo]n|ify|ord|ash|alt)$`)

// isCompounded reports whether a word that stands directly behind the name of a credential is rather a noun that it is
// a part of, or goes on with the sentence, as in "password manager".
func isCompounded(low string) bool {
	low = strings.TrimRight(low, ".,;:!?")
	return compounded.Has(low) || compounded.Has(strings.TrimSuffix(low, "s")) ||
		compounded.Has(strings.TrimSuffix(low, "es"))
}

var compounded = pattern.SetOf(`
	accumulation acquisition across against aging approve array auth boundary broker bucket budget builtin caching
	calculation callback capacity case cert change claim come comes comparison computation configuration constraint
	consumer contain content context count counter cracker crypto data delay delegation derivation detail detection
	directory during encounter endpoint environment error even exchange exfiltration exist exponent exposure
	expression extend extension factor fallback feature fetch fetcher fill flag flow forever format function
	functionality getter handling hashing helper hold holder import information initialization inquiry inside
	instanceof isolation issuer itself key kind lab later length lifetime limit logic look management manager
	mechanism memory metadata mode multiple name need nonce object one operation opt option pair parser part path
	payload perform plan plugin plus policy position present prior prompt prompting provider queue quota rate rather
	reader removal repeat repr represent requirement reset resolution response retrieval return revocation scalar
	scope sequence setting signature source start stat status storage stream string structure style subkey supplier
	they through tool translation twice type unless usage using validator verifier volume writer`)
