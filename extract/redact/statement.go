package redact

import (
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// A statement is a sentence that gives a name its value, where the value may be a word as any other.
// What tells it from a word of the sentence is where it stands: behind the verb or the preposition of
// its language, and with nothing behind it that goes on with it.

// isGiven reports whether the word s[start:end] may be a value that a statement gives, and nothing goes on
// behind it.
func isGiven(s string, start, end int) bool {
	text := strings.Trim(s[start:end], "*_`\"'.,;:!?")
	low := lowered(text)
	lex := words()
	return isSaid(text) && !isFile.Match(low) && !lex.about[low] && !adverbs.Has(low) && (!isParticiple(low) ||
		isUpper(text[0])) &&
		!types.Has(low) &&
		!(isASCII(text) && isLetterless(text)) && !isNumberWord(text) && !strings.ContainsAny(text, "(){}<>[]=/\\@") &&
		!lex.is[low] && !lex.to[low] && !lex.as[low] && (endsClause(s, end) || changesNext(s, end))
}

// isFile is the name of a file.
var isFile = pattern.New(`^[\w.-]+\.[a-z]{1,4}$`)

// endsClause reports whether nothing goes on with the word that ends at at.
func endsClause(s string, at int) bool {
	return at > 0 && strings.IndexByte(".,;:!?", s[at-1]) >= 0 || endsPhrase(s, at) || !isProseNext(s, at)
}

// changesNext reports whether a verb of change stands behind at and ends the sentence, as in German.
func changesNext(s string, at int) bool {
	next := run(s, at, 2, isBlank)
	end := wordEnd(s, next)
	word := lowered(strings.TrimRight(s[next:end], ".,;:!"))
	return end > next && (words().isVerb(word) || completing.Has(word)) && endsPhrase(s, end)
}

// completing ends a sentence and belongs to its verb.
var completing = pattern.SetOf(`an ein rein aan failed fails works worked rejected refused accepted olsun yaptım
	yaptık yap कर किया करें दिया`)

// belowHeading finds a value that is a paragraph of its own below a line that ends with the name of a password and
// what it is for: "The password for the server is:".
func belowHeading(s string, n named) (start, end int, ok bool) {
	if n.kind != password {
		return 0, 0, false
	}
	newline := lineEnd(s, n.end)
	if newline >= len(s) || s[newline] != '\n' || newline-n.end > maxName {
		return 0, 0, false
	}
	rest := strings.TrimRight(s[n.end:newline], " \r")
	colon := strings.HasSuffix(rest, ":") || strings.HasSuffix(rest, "：")
	fields := strings.Fields(lowered(strings.TrimRight(rest, ":")))
	if len(fields) > 6 || strings.ContainsAny(rest, "=,;(){}[]\"`|#") || n.script != dense && len(fields) > 0 &&
		!words().gaps[fields[0]] && !words().is[fields[0]] {
		return 0, 0, false
	}
	if n.script != dense && len(fields) == 0 && !colon {
		return 0, 0, false
	}
	start = newline + 1
	if start < len(s) && s[start] == '\n' {
		start++
	} else if !colon {
		return 0, 0, false
	}
	start = run(s, start, 8, isBlank)
	end = wordEnd(s, start)
	if end == start || strings.IndexByte("-#<{[/*@}])", s[start]) >= 0 {
		return 0, 0, false
	}
	if n.script == dense && isDenseGiven(s[start:end]) && strings.TrimSpace(s[end:lineEnd(s, end)]) == "" {
		return start, end, true
	}
	if !standsAlone(s, n, start, end) {
		return 0, 0, false
	}
	return unsigned(s, start, end)
}

// answered finds the word that stands alone on the line below a question or a prompt for a password, or below the name
// of one in a list of names and values.
func answered(s string, n named) (start, end int, ok bool) {
	newline := lineEnd(s, n.end)
	if n.kind != password || newline >= len(s) || s[newline] != '\n' || newline-n.end > maxName {
		return 0, 0, false
	}
	rest := strings.TrimRight(s[n.end:newline], " \r")
	fields := strings.Fields(lowered(rest))
	if len(fields) > 6 || strings.ContainsAny(rest, "=,;(){}[]|`<") {
		return 0, 0, false
	}
	next := newline + 1
	start = run(s, next, 32, isBlank)
	indented := start-next > run(s, newline-len(lineBefore(s, newline)), 32, isBlank)-(newline-len(lineBefore(s,
		newline)))
	asks := containsAny(lowered(lineBefore(s, n.start)), []string{"what", "which", "welches", "quel", "cuál", "qual",
		"какой"}) &&
		!strings.HasSuffix(rest, ".") || strings.HasSuffix(rest, "?") || strings.HasSuffix(rest, "？") ||
		len(fields) > 0 && n.script != dense &&
			words().is[fields[len(fields)-1]]
	prompts := strings.HasSuffix(rest, ":") && (len(fields) > 0 && fields[0] != ":" ||
		prompting.Has(lowered(lastWordOf(
			lineBefore(s, n.start))))) || strings.HasSuffix(rest, "：")
	listed := startsLine(s, n) && (rest == ":" && (indented || endsLabelled(s, start)) || rest == "" && isListed(s, n))
	if asks {
		if name := run(s, start, 24, isWord); name > start && prefixOf(s[name:], ": ", "> ") != "" { // who says it
			start = run(s, name+1, 4, isBlank)
		}
		start += len(prefixOf(lowered(s[start:min(len(s), start+16)]), "use ", "try ", "it's ", "its ", "it is ",
			"just ", "probably "))
	}
	if start < len(s) && listed && indented && strings.HasPrefix(s[start:], "- ") { // a list of YAML
		start += len("- ")
	}
	if !asks && !prompts && !listed || start >= len(s) || strings.IndexByte("-#<{[/*@}])>", s[start]) >= 0 ||
		!standsLast(s, start) || keywords.Has(lowered(s[start:wordEnd(s, start)])) {
		return 0, 0, false
	}
	return unsigned(s, start, wordEnd(s, start))
}

// prompting are words before a name that ask for it.
var prompting = pattern.SetOf(`enter type your new current old retype re-enter repeat confirm admin root sudo
	vault key wifi`)

// endsLabelled reports whether the line at at is followed by the end of the text, an empty line or a label.
func endsLabelled(s string, at int) bool {
	behind := lineEnd(s, at)
	line := strings.TrimRight(s[min(len(s), behind+1):lineEnd(s, min(len(s), behind+1))], " \r")
	return behind >= len(s) || strings.HasSuffix(line, ":")
}

// isListed reports whether the two lines above a name are that of a login and its value.
func isListed(s string, n named) bool {
	above := s[max(0, n.start-160) : n.start-len(lineBefore(s, n.start))]
	lines := strings.Split(strings.TrimRight(above, "\n"), "\n")
	return len(lines) >= 2 && loginWords.Has(lowered(strings.Trim(lines[len(lines)-2], " \t\r:"))) &&
		!strings.ContainsAny(strings.TrimSpace(lines[len(lines)-1]), " \t")
}

// findPrinting finds what the command prints that an option names to print a password.
func findPrinting(s string, at int) (start, end int, ok bool) {
	before := foldASCII(lineBefore(s, at))
	before = strings.TrimRight(before, "\"'= ")
	if !strings.Contains(before, "pass") || suffixOf(before, "command", "cmd", "askpass") == "" {
		return 0, 0, false
	}
	end = run(s, at, maxName, func(c byte) bool { return c != '\n' && c != '\'' && c != '"' })
	return echoed(s, at, end, false)
}

// findSpread finds the value of a name with a blank between its letters.
func findSpread(s string, at int) (start, end int, ok bool) {
	if at > 1 && isAlnum(s[at-1]) {
		return 0, 0, false
	}
	start = run(s, at, maxName, func(c byte) bool { return isAlpha(c) || c == ' ' })
	if start >= len(s) || s[start] != ':' && s[start] != '=' || start > at+24 {
		return 0, 0, false
	}
	return optionValue(s, start+1)
}

// takers stand before a value that is used as something, beside those of users.
var takers = pattern.SetOf(`with mit avec con com met med s с з із với bitte please`)

// withs stand between a login and its password, or before the name of the password.
var withs = pattern.SetOf(`with using mit avec con com met med z ze s se с со з із với ile مع بـ`)

// asUser stand before the name of somebody who logs in.
var asUser = pattern.SetOf(`as als comme que como come som jako olarak bằng под як как із в user mit con com
	with`)

// instrumentals are names in the case that says with what something is done.
var instrumentals = pattern.SetOf(`hasłem паролем heslem`)

// logsInWith finds the password of "log in as name with the password value".
func logsInWith(s string, n named) (start, end int, ok bool) {
	if n.kind != password && n.text != "secret" || n.script == dense {
		return 0, 0, false
	}
	before := lineBefore(s, n.start)
	short := shortNames.Has(lowered(n.text))
	last := wordBefore(before, len(before))
	said := instrumentals.Has(lowered(n.text)) || short && (strings.HasSuffix(before[:last.end], ",") ||
		n.text != "pass" && n.text != "Pass" && endsLabel(before[:last.end]))
	for word := range wordsBefore(before, len(before), 3) {
		low := lowered(before[word.start:word.end])
		if said = said || withs.Has(low); said || !determinerWords.Has(low) {
			break
		}
	}
	if !said && (!short || strings.TrimLeft(before, " \t-*>") != "") {
		return 0, 0, false
	}
	start = run(s, n.end, 4, isBlank)
	if start == n.end {
		return 0, 0, false
	}
	end = wordEnd(s, start)
	goesIn := short || loginVerbs.in(lowered(before)) || separable(s, end) ||
		standsGiven(s, start) && words().names[lowered(n.text)] != harmless && standsLast(s, start)
	if !goesIn || !isGiven(s, start, end) && !separable(s, end) || !isSaid(strings.Trim(s[start:end], ".,;:!?")) {
		return 0, 0, false
	}
	return unsigned(s, start, end)
}

// endsLabel reports whether a text ends with a sign behind which something new is said.
func endsLabel(before string) bool {
	return before != "" && strings.IndexByte(":;(", before[len(before)-1]) >= 0 || strings.HasSuffix(before, "—") ||
		strings.HasSuffix(before, " -")
}

// separable reports whether "you get in" stands behind at, as in German and Dutch.
func separable(s string, at int) bool {
	next := run(s, at, 1, isBlank)
	if verb := s[next:wordEnd(s, next)]; next > at && strings.HasSuffix(strings.TrimRight(verb, ".,!"), "en") &&
		len(verb) > 5 &&
		endsPhrase(s, next+len(verb)) && run(verb, 0, len(verb), isLower) >= len(verb)-1 {
		return true
	}
	rest := lowered(s[at:min(lineEnd(s, at), at+32)])
	return prefixOf(rest, " kommst du ", " kommt man ", " kommen wir ", " komm ich ", " kom je ", " komme ich ") != ""
}

// shortNames are names of passwords that are no words of a sentence about them.
var shortNames = pattern.SetOf(`pw pwd mdp pass passwd`)

var determinerWords = pattern.SetOf(`the a an my our your this dem den das der die le la el lo il o a het de det
	mot new neuen nouveau nueva nova nuova nieuwe nya nowym novým новым новим mật`)

// unsigned returns bounds without quotes and without the signs at the end of a sentence.
func unsigned(s string, start, end int) (int, int, bool) {
	for end > start && strings.IndexByte(".,;:!?", s[end-1]) >= 0 {
		end--
	}
	return unquoted(s, start, end)
}

// asNameUse finds the value of "as the password use value" and "as password value use", in the order of
// German and Turkish.
func asNameUse(s string, n named) (start, end int, ok bool) {
	if n.kind != password || n.script == dense {
		return 0, 0, false
	}
	before := lineBefore(s, n.start)
	as := false
	for word := range wordsBefore(before, len(before), 3) {
		low := lowered(before[word.start:word.end])
		if as = words().as[low] && low != "for"; as || !determinerWords.Has(low) {
			break
		}
	}
	next := run(s, n.end, 2, isBlank)
	if word := lowered(s[next:wordEnd(s, next)]); !as && word == "olarak" {
		as, next = true, run(s, next+len(word), 2, isBlank)
	}
	if !as || next == n.end {
		return 0, 0, false
	}
	used := false
	for range 4 {
		end = wordEnd(s, next)
		if end == next {
			return 0, 0, false
		}
		low := lowered(s[next:end])
		if !used && startsAny(low, users) {
			used = true
		} else if !takers.Has(low) && !determinerWords.Has(low) {
			break
		}
		next = run(s, end, 2, isBlank)
	}
	behind := run(s, end, 2, isBlank)
	word := lowered(s[behind:wordEnd(s, behind)])
	if !used && startsAny(word, users) && endsClause(s, behind+len(word)) && word != "" {
		low := lowered(s[next:end])
		if !isSaid(s[next:end]) || words().about[low] {
			return 0, 0, false
		}
		return unsigned(s, next, end)
	}
	if !used || !isGiven(s, next, end) {
		return 0, 0, false
	}
	return unsigned(s, next, end)
}

// opensWith finds the value of "value is the password", a word with which the sentence starts.
func opensWith(s string, n named) (start, end int, ok bool) {
	if n.kind != password || n.script == dense || !endsName(s, n.end) || !endsClause(s, n.end) {
		return 0, 0, false
	}
	before := lineBefore(s, n.start)
	from := n.start - len(before)
	for word := range wordsBefore(before, len(before), maxDeterminers) {
		if !words().is[lowered(before[word.start:word.end])] {
			continue
		}
		given := wordBefore(before, word.start)
		value := lowered(before[given.start:given.end])
		head := strings.TrimRight(before[:given.start], " \t-*>")
		if head != "" && strings.IndexByte(".,;:!?", head[len(head)-1]) < 0 || !isSaid(value) || words().about[value] ||
			thats.Has(value) || isParticiple(value) || words().is[value] || adverbs.Has(value) ||
			strings.ContainsAny(value, "(){}<>[]=/\\") {
			return 0, 0, false
		}
		return unquoted(s, from+given.start, from+given.end)
	}
	return 0, 0, false
}

// foreignTo finds the value behind a name of a language in which no verb stands between them, if it is not
// written as a word of the sentence would be: in Latin letters, or with a capital.
func foreignTo(s string, n named) (start, end int, ok bool) {
	if n.kind != password || n.script != spaced || n.start >= len(s) || s[n.start] < 0xd0 || s[n.start] > 0xdb {
		return 0, 0, false
	}
	before := lineBefore(s, n.start)
	last := lowered(strings.TrimRight(lastWordOf(before), ":"))
	if last != "" && !words().gaps[last] && !strings.ContainsAny(last[len(last)-1:], ".,;!?—-*>") && !oldNew.Has(last) {
		return 0, 0, false
	}
	at := n.end
	for i := range 3 {
		start = run(s, at, 2, isBlank)
		if end = wordEnd(s, start); start == at || end == start {
			return 0, 0, false
		}
		low := lowered(s[start:end])
		if i == 0 && !froms.Has(low) && !words().gaps[low] || i == 2 {
			break
		}
		at = end
	}
	text := s[start:end]
	capital := lowered(text[:min(len(text), 2)]) != text[:min(len(text), 2)]
	if !capital && !isASCII(text) || !isGiven(s, start, end) || !endsPhrase(s, end) {
		return 0, 0, false
	}
	return unsigned(s, start, end)
}

// oldNew stand before a name.
var oldNew = pattern.SetOf(`старый новый текущий старий новий поточний общий наш мой твой ваш мій твій`)

// postposed finds the value of "value as the password is to be used", in the order of Hindi.
func postposed(s string, n named) (start, end int, ok bool) {
	before := lineBefore(s, n.start)
	head, found := strings.CutSuffix(strings.TrimRight(before, " "), " को")
	if n.kind != password || !found || prefixOf(s[n.end:], " के रूप में", " की तरह", " बना", " के तौर पर") == "" {
		return 0, 0, false
	}
	word := wordBefore(head, len(head))
	from := n.start - len(before)
	if text := head[word.start:word.end]; !isSaid(text) || words().about[text] {
		return 0, 0, false
	}
	return unquoted(s, from+word.start, from+word.end)
}

// typedAt finds the value of "enter value at the password prompt" and "when it asks for the password, type
// value".
func typedAt(s string, n named) (start, end int, ok bool) {
	if n.kind != password || n.script == dense {
		return 0, 0, false
	}
	before := lineBefore(s, n.start)
	from := n.start - len(before)
	asked := askings.in(before)
	if tail := s[n.end:]; !asked && !hasPrefixFold(tail, " prompt") && !hasPrefixFold(tail, " field") {
		return 0, 0, false
	}
	for at := 0; at < len(before); { // type value when it asks for the password
		word := run(before, at, 8, isBlank)
		next := wordEnd(before, word)
		if next == word {
			break
		}
		at = next
		if !typing.Has(lowered(before[word:next])) {
			continue
		}
		value := run(before, next, 2, isBlank)
		stop := wordEnd(before, value)
		then := run(before, stop, 2, isBlank)
		if stop > value && isSaid(before[value:stop]) && whens.Has(lowered(before[then:wordEnd(before, then)])) {
			return unsigned(s, from+value, from+stop)
		}
	}
	comma := n.end + len(prefixOf(s[n.end:], ", ", ": "))
	if comma == n.end {
		comma = run(s, comma, 2, isBlank)
	}
	verb := comma + len(prefixOf(lowered(s[comma:min(len(s), comma+16)]), "just enter ", "just use ",
		"then type ",
		"then enter ", "you type ", "you enter ", "simply type ", "simply enter ", "just type ", "type ", "enter ",
		"use ", "give it ", "tippe ", "gib "))
	if !asked || comma == n.end || verb == comma {
		return 0, 0, false
	}
	end = wordEnd(s, verb)
	if !isGiven(s, verb, end) && !(isGiven(s, verb, end) || words().stops[lowered(s[run(s, end, 1,
		isBlank):wordEnd(s,
		run(s, end, 1, isBlank))])]) {
		return 0, 0, false
	}
	return unsigned(s, verb, end)
}

var (
	askings = phrasesOf("asks for", "asked for", "prompted for", "prompts for", "fragt nach", "nach dem", "wants the",
		"wants a", "demande", "pide", "pede", "chiede", "vraagt")
	typing = pattern.SetOf(`type enter use tippe gib tape entre escribe digite digita typ skriv wpisz zadej
		введи nhập`)
	whens = pattern.SetOf(`when if as at wenn falls beim quand si cuando quando als wanneer när gdy kiedy když
		когда коли khi into in`)
)
