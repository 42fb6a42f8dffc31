package redact

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// What people choose as a password looks like little else: a word with a number and a
// sign, a word in which digits stand for letters, two words and a number.

const (
	minChosen = 6
	maxChosen = 40
)

// isChosen reports whether a word looks like a password that somebody chose, and like
// nothing else that stands in sentences and commands.
func isChosen(text string) bool {
	bare := strings.TrimRight(text, "!?")
	if !mayBeChosen(text) {
		return false
	}
	if strings.ContainsAny(bare, "!?$%*^&+~#@") || len(text)-len(bare) == 1 && strings.HasSuffix(text, "!") ||
		len(text)-len(bare) > 1 {
		return true
	}
	return namedNumber.Match(bare) && !isProduct.Match(bare) || switches(bare) >= 4 && len(bare) <= 16 &&
		run(bare, 0, len(bare), isAlnum) == len(bare) && run(bare, 0, len(bare), isHex) < len(bare)
}

// mayBeChosen reports whether a word may be a password that somebody chose: letters and
// digits, and none of the forms that names, versions, hashes and places have.
func mayBeChosen(text string) bool {
	bare := strings.TrimRight(text, "!?")
	if len(text) < minChosen || len(text) > maxChosen || !hasDigit(bare) || !hasLetter(bare) ||
		strings.ContainsAny(bare, "/\\()[]{}<>\"'`,;|=:") || !isASCII(bare) {
		return false
	}
	if run(bare, 0, len(bare), func(c byte) bool { return isHex(c) || c == '-' }) == len(bare) && len(bare) >= 7 {
		return false // a hash, a number of a commit
	}
	if name, host, ok := strings.Cut(bare, "@"); ok && isWordy(name) && len(name) > 1 && isHost.Match(host) {
		return false // of a person or a version
	}
	if dot := strings.LastIndexByte(bare, '.'); dot >= 0 && (strings.IndexByte(bare, '@') >= 0 || // an address
		len(bare)-dot <= 5 && isWordy(bare[dot+1:])) { // a file
		return false
	}
	return !versioned.Match(bare) && !isAlgorithm(bare) && !isReference(bare) && !measured.Match(bare) &&
		!strings.Contains(bare, markerOpen) && !identified.Match(bare)
}

// isChosenSlug reports whether a string is words and a number with hyphens between them, as
// generators of passwords make them.
func isChosenSlug(text string) bool { return chosenSlug.Match(text) }

// isChosenAny reports whether a word is chosen or such a slug.
func isChosenAny(text string) bool { return hasDigit(text) && (isChosen(text) || isChosenSlug(text)) }

// isOdd reports whether a word has signs among letters of both cases or digits, as no word of
// prose or code has.
func isOdd(text string) bool {
	if len(text) < 8 || len(text) > maxChosen || !isASCII(text) || strings.ContainsAny(text, "/\\()[]{}<>\"'`,;|=:") {
		return false
	}
	inner := strings.IndexAny(text[1:len(text)-1], "!?$%^*#&~+")
	return inner >= 0 && isStrong(text) && !strings.Contains(text, "->") && mixes(text) && !isReference(text)
}

// looksChosen reports whether a word of a sentence that names a password looks like one: a word with a capital, maybe
// a sign, and a number.
func looksChosen(text string) bool {
	if !hasDigit(text) || len(text) > maxChosen {
		return false
	}
	if isASCII(text) {
		return isAlpha(text[0]) && isDigit(text[len(text)-1]) && chosenWord.Match(text) &&
			!isProduct.Match(strings.ToUpper(text[:1])+strings.Map(dropSigns, text[1:])) && !isAlgorithm(text)
	}
	letters, digits := 0, len(strings.TrimRight(text, "0123456789"))
	for i, r := range text[:digits] {
		if unicode.IsLetter(r) || unicode.IsMark(r) {
			letters++
		} else if i == 0 || i+1 < digits || !strings.ContainsRune("-_.!@#$", r) {
			return false
		}
		if isDense(r) {
			return false
		}
	}
	return digits < len(text) && len(text)-digits <= 4 && letters > 3
}

// dropSigns is for strings.Map.
func dropSigns(r rune) rune {
	if strings.ContainsRune("-_.!@#$", r) {
		return -1
	}
	return r
}

// mixes reports whether small letters, capitals and digits are mixed in a string as nobody
// writes them in a name.
func mixes(text string) bool { return caseChanges(text)+switches(text) >= 5 }

// endsPhrase reports whether a phrase ends at at.
func endsPhrase(s string, at int) bool {
	rest := strings.TrimLeft(s[at:lineEnd(s, at)], ".,;:!?)\"'` \r")
	return rest == "" || at < len(s) && strings.IndexByte(".,;:!?)", s[at]) >= 0
}

// maxRepeated bounds how many secrets are looked for in the rest of their text.
const maxRepeated = 16

// repeated adds to the secrets of a string, which are in order, the places where one of them that
// looks like nothing else stands again without its name.
func repeated(s string, found []span) []span {
	known, seen := map[string]string{}, map[string]bool{} // the rule by the secret
	for _, f := range found {
		text := s[f.start:f.end]
		if len(seen) >= 4*maxRepeated {
			break
		}
		if seen[text] {
			continue
		}
		seen[text] = true
		if len(known) < maxRepeated && len(text) >= 8 && len(text) <= maxName && (isChosenAny(text) ||
			isRandom(text)) &&
			!isUUIDAt(s, max(f.start, f.end-36)) && strings.IndexByte(text, ' ') < 0 {
			known[text] = f.rule
		}
	}
	if len(known) == 0 {
		return found
	}
	all := found
	for _, text := range slices.Sorted(maps.Keys(known)) { // so that the result is always the same
		for at := 0; ; {
			i := strings.Index(s[at:], text)
			if i < 0 {
				break
			}
			at += i
			end := at + len(text)
			if (at == 0 || !isAlnum(s[at-1])) && (end >= len(s) || !isAlnum(s[end])) {
				all = append(all, span{at, end, known[text]})
			}
			at = end
		}
	}
	return disjoint(s, all)
}

// signed appends the word with a sign before the number s[at:end], such as Word!12, if its line
// speaks of passwords or logins.
func signed(s string, at, end int, found []span) []span {
	if at < 5 || end-at > 4 || !isLower(s[at-2]) || strings.IndexByte("!#$&*@?", s[at-1]) < 0 ||
		s[at-1] != '!' && end-at < 2 || s[at-1] == '@' && end-at < 3 {
		return found
	}
	start := back(s, at-1, 24, isAlpha)
	if at-start < 5 || !isUpper(s[start]) || run(s, start+1, at, isLower) != at-1 ||
		start > 0 && strings.IndexByte(" \t\n\"'`:,(|/%", s[start-1]) < 0 || identified.Match(s[start:end]) ||
		start > 0 && s[start-1] == '/' && s[at-1] == '#' {
		return found
	}
	end += run(s, end, 2, func(c byte) bool { return c == '!' || c == '?' }) - end
	if end < len(s) && strings.IndexByte(" \t\r\n\"'`,.;)|@", s[end]) < 0 {
		return found
	}
	from := start - len(lineBefore(s, start))
	if signedHints.in(s[from:start]) || signedHints.in(s[end:lineEnd(s, end)]) {
		return append(found, span{start, end, assigned})
	}
	return found
}

// signedHints are on lines that speak of passwords or logins.
var signedHints = phrasesOf("pass", "pw", "login", "log in", "user", "auth", "admin", "cred", "token", "vault",
	"secret", "ssh",
	"signin", "account", "mdp", "kennwort", "clave", "senha", "kode", "пароль", "密码", "パス")

var (
	// digitsBehind is a word with a number of two digits or more behind it.
	digitsBehind = pattern.New(`(?-i)^[A-Za-z]{5,}\d{2,4}$`)
	// chosenWord is a word with a capital and a number of two digits or more, or of one behind a sign.
	chosenWord = pattern.New(`(?-i)^[A-Z][a-z]{3,}(?:\d{2,4}|[-_.!@#$]\d{1,4})$|^[a-z]{5,}(?:123\d?|(?:19|20)\d\d)$`)
	isHost     = pattern.New(`^(?:[a-z][a-z\d.-]*|v?\d[\d.]*)$`)
	chosenSlug = pattern.New(`^[a-z]{3,12}-[a-z]{3,12}-\d{1,4}$|^[a-z]{3,12}-\d{1,4}-[a-z]{3,12}$|` +
		`(?-i:^[A-Z][a-z]{2,11}-[A-Z][a-z]{2,11}-?\d{1,4}$)`)
	// namedNumber is a word with a capital and a number, or two with a sign between them.
	namedNumber = pattern.New(`(?-i)^[A-Z][a-z]{2,}\d{2,}$|` +
		`^[A-Z][a-z]{2,}[-._][A-Z][a-z]{2,}\d{2,}$`)
	// isProduct is for names of things with a version or a number.
	isProduct = pattern.New(`(?-i)^(?:Firefox|Chrome|Chromium|Safari|Android|Galaxy|Report|Budget|Kernel|` +
		`Python|Windows|Ubuntu|Debian|Fedora|Centos|Java|Node|Ruby|Postgres|Redis|` +
		`Chapter|Figure|Section|Table|Step|Part|Phase|Sprint|Version|Level|Day|Week|Issue|Ticket|Task|Item|Test|Case|` +
		`User|Server|Host|Vue|React|Angular|Swift|Kotlin|Office|Outlook|Exchange|Base|Sha|Utf|Latin|Http|Https|` +
		`Oauth|Web|App|Api|Type|Rule|Line|Page|Row|Col|Column|Int|Uint|Float|Complex|Vec|Mat|Iso|Unicode|Argon|` +
		`Bcrypt|` +
		`Scrypt|Curve|Auth|Cluster|Worker|Version|Build|Release|Module|Example|Sample|Exercise|Lesson|Question|` +
		`Appendix|` +
		`Revision|Draft|Update|Batch|Group|Option|Variant|Scenario|Account|Tenant|Member|Player|January|February|` +
		`March|April|June|July|August|September|October|November|December)\d+$`)
	// measured is for numbers with what they count.
	measured = pattern.New(`^[~+-]?\d[\d.]*(?:st|nd|rd|th|ms|us|ns|s|m|h|d|kb|mb|gb|tb|kib|mib|gib|k|x|px|em|rem|%|` +
		`bit|bits|byte|bytes|char|chars|day|days|min|mins|minutes?|hours?|hrs?|weeks?|months?|years?|secs?|` +
		`seconds?|hz|ghz|mhz|am|pm)(?:/\w+)?$|^\d{4}-?\d\d-?\d\d[t_-]?[\dz.+]*$`)
	// identified is for names of code with a number at the end.
	identified = pattern.New(`(?-i)^(?:[A-Za-z]+_)+[A-Za-z]*\d*$|^_\w+$|^#\d+$|^[a-z][\w-]*#\d+$|^[A-Z][\w-]*#\d$|` +
		`^(?:Issue|Issues|Bug|Ticket|Pull|Step|See|Fixes|` +
		`Closes|Refs|Part|Page|Test|Case)#\d+$|^@[\w-]+$|^[a-z]+\d?$`)
)
