package redact

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// What a sentence says of a secret other than "its name is its value".

// sentences appends what the sentence around a name gives as its value.
func sentences(s string, n named, e *effort, found []span) []span {
	if n.kind == auth || n.kind == weak {
		return found
	}
	if n.kind == code {
		if start, end, ok := usedAs(s, n); ok && isChangedValue(n, s[start:end]) {
			return append(found, span{start, end, assigned})
		}
	}
	if n.kind == code {
		if start, end, ok := statedBefore(s, n); ok {
			return append(found, span{start, end, assigned})
		}
		if start, end, ok := nowIs(s, n); ok {
			return append(found, span{start, end, assigned})
		}
	}
	if n.kind == code && n.script == identifier && n.text != strings.ToUpper(n.text) {
		if start, end, ok := isTheName(s, n); ok {
			return append(found, span{start, end, assigned})
		}
		return weigh(s, n, e, found)
	}
	if n.text == "pass" || n.text == "Pass" { // a verb
		if start, end, ok := answered(s, n); ok && qualifiers.Has(lowered(lastWordOf(lineBefore(s, n.start)))) {
			return append(found, span{start, end, assigned})
		}
		if start, end, ok := quotedBehind(s, n); ok && s[start-1] != '`' {
			return append(found, span{start, end, assigned})
		}
		return oddWords(s, n, found)
	}
	if more := changedFrom(s, n, found); len(more) > len(found) {
		return more
	}
	for _, find := range []func(string, named) (int, int, bool){
		usedAs, onNextLine, answered, belowHeading, asNameUse, logsInWith, foreignTo, statedDensely, statedBefore,
		usedInDense, sameAs,
		triedBehind, promptedFor, usedInstead, loginBelow, issued,
		shown, sentKey, accepted,
	} {
		if start, end, ok := find(s, n); ok && start < end {
			return append(found, span{start, end, assigned})
		}
	}
	return weigh(s, n, e, oddWords(s, n, found))
}

// nowIs finds the value of "the PIN is not … any more, it is 1234".
func nowIs(s string, n named) (start, end int, ok bool) {
	low := foldASCII(s[n.end:min(lineEnd(s, n.end), n.end+maxName)])
	for _, is := range []string{"it's ", "it’s ", "it is ", "is now ", "now it's ", "sondern ", "jetzt ",
		"maintenant ", "ahora es ",
		"ahora ", "use ", "; ", "usa ", ", ", "pon ", "mete ", "tape ", "digita ", "coloca ", "wpisz ", "zadej ",
		"введи ", "набери ", "скажи ", "nimm ", "utilise ", "agora é ", "adesso è ", "nu ", "теперь ",
		"тепер ", "try "} {
		if i := strings.Index(low, is); i >= 0 && (i == 0 || low[i-1] == ' ') {
			start = n.end + i + len(is)
			if end = run(s, start, 9, isDigit); end-start >= 4 && end-start <= 8 && (end >= len(s) || !isWord(s[end])) {
				return start, end, true
			}
		}
	}
	return 0, 0, false
}

// tellings are the beginnings of verbs with which somebody gives a password away, in lower case.
var tellings = phrasesOf(" told,gave ,given ,giving,shared,shares,sent ,texted,mailed,emailed,pasted,posted,entered," +
	"typed,revealed,disclosed,mentioned,whispered,dictated,remember,noted,wrote,written,guessed,knows,leaked,read me," +
	"passed on,verraten,gesagt,gegeben,geschickt,genannt,mitgeteilt,diktiert,donné,envoyé,transmis,communiqué,dicté," +
	"pasó,dio ,dijo,mandó,envió,compartió,contó,passou,mandou,enviou,disse,deu ,contou, dato,ha detto,mandato," +
	"comunicato,gegeven,gestuurd,doorgegeven,verteld,gav ,skickade,berättade,sade,podał,wysłał,przekazał,powiedział," +
	"řekl,poslal,sdělil,dal mi,söyledi,gönderdi,verdi,paylaştı,сказал,дал ,дала ,прислал,скинул,сообщил,передал," +
	"надіслав," +
	"повідомив,дав ,дала ,cho tôi,gửi,أعطان,أرسل,أخبر,बताया,दिया,भेजा")

// goesWrong are what a sentence goes on with behind the password that it set off by commas.
var goesWrong = pattern.SetOf(`doesn't does isn't is no works worked fails still again was didn't did has hasn't`)

// lineAround returns the bounds of the line of a name, as far as it matters.
func lineAround(s string, n named) (from, to int) {
	return n.start - len(lineBefore(s, n.start)), lineEnd(s, n.end)
}

// users are the beginnings of words that ask to use something.
var users = pattern.Words(
	"us|try|typ|enter|take|nimm|nehm|gib|geb|set|nutz|verwend|benutz|utilis|prends|us|utiliz|pon|met|coloque|usa|" +
		"gebruik|använd|hard|keep|pick|chose|użyj|używ|wpisz|použ|" +
		"mis|met|mett|puse|coloq|coloc|impost|ustaw|wybra|satt|gesetzt|zvol|choisi|elig|escolh|постав|выбра|обра|" +
		"zadej|kullan|gir|использ|введи|возьми|використ|введ|dùng|nhập|استخدم|استعمل|把|用|以|将|將|set|login|log")

// determiners may stand between "as" and a name.
const maxDeterminers = 5

// usedAs finds the value of "use value as the password".
func usedAs(s string, n named) (start, end int, ok bool) {
	from, _ := lineAround(s, n)
	before := s[from:n.start]
	if n.script == dense {
		return usedDensely(s, n, from)
	}
	if as := suffixOf(before, attachedAs...); as != "" && !endsInLetter(strings.TrimSuffix(before, as)) {
		given := wordBefore(before, len(before)-len(as))
		if isSaid(before[given.start:given.end]) {
			return unquoted(s, from+given.start, from+given.end)
		}
		return 0, 0, false
	}
	near := true // nothing but determiners stand between "as" and the name
	for word := range wordsBefore(before, len(before), maxDeterminers) {
		as := lowered(before[word.start:word.end])
		if !words().as[as] {
			near = near && (determinerWords.Has(as) || qualifiers.Has(as))
			continue
		}
		given := wordBefore(before, word.start)
		if separable := before[given.start:given.end]; as == "качестве" && separable == "в" ||
			as == "als" && (separable == "in" || separable == "ein") {
			given = wordBefore(before, given.start)
		}
		value := before[given.start:given.end]
		if !isSaid(value) || as == "for" && isWordy(value) && (!near || n.kind != password ||
			!tried.Has(lowered(lastWordOf(before[:given.start]))) ||
			!endsClause(s, n.end) || isParticiple(lowered(value))) {
			return 0, 0, false
		}
		used := false
		for earlier := range wordsBefore(before, given.start, 4) {
			if used = startsAny(lowered(before[earlier.start:earlier.end]), users.All()); used {
				break
			}
		}
		if !used && as != "for" {
			taker := wordBefore(before, given.start)
			low := lowered(before[taker.start:taker.end])
			used = takers.Has(low) || as != "as" && n.kind == password && near && mayTake(low) && mayBeTaken(value)
		}
		if !used && as == "for" && !isWordy(value) || !used && as != "for" && isWordy(value) || isWordy(value) &&
			(words().about[lowered(value)] || articles.Has(lowered(lastWordOf(before[:given.start]))) ||
				as != "as" && !near ||
				as == "as" && !endsName(s, n.end)) {
			return 0, 0, false
		}
		return unquoted(s, from+given.start, from+given.end)
	}
	return 0, 0, false
}

// endsInLetter reports whether a letter ends a string.
func endsInLetter(text string) bool {
	r, _ := utf8.DecodeLastRuneInString(text)
	return unicode.IsLetter(r)
}

// mayTake reports whether a word before "value as the password" says rather what is done with the value than that a
// noun follows.
func mayTake(low string) bool {
	return low != "" && !determinerWords.Has(low) && strings.IndexByte(".,;:!?", low[len(low)-1]) < 0 &&
		(!words().gaps[low] || low == "c'est" || low == "auf" || words().is[low])
}

// mayBeTaken reports whether a word may be the value there.
func mayBeTaken(value string) bool {
	low := lowered(value)
	return !accounts.Has(low) && !loginWords.Has(low) && !isParticiple(low)
}

// articles stand before a noun, and before no value.
var articles = pattern.SetOf(`the a an this that der den dem das die ein einen eine la le un une el una o a os uma il lo
	het een den ett`)

// tried stand directly before "value for the password".
var tried = pattern.SetOf(`try use enter type using used tried put nimm versuch probier`)

// isTheName finds the value of "value is the password" and "value, that's the PIN".
func isTheName(s string, n named) (start, end int, ok bool) {
	if n.script == dense || n.kind == login || !endsName(s, n.end) {
		return 0, 0, false
	}
	before := lineBefore(s, n.start)
	from := n.start - len(before)
	for word := range wordsBefore(before, len(before), maxDeterminers) {
		is := lowered(before[word.start:word.end])
		if !words().is[is] && !thatIs.Has(is) {
			continue
		}
		given := wordBefore(before, word.start)
		if words().is[is] && thats.Has(lowered(before[given.start:given.end])) { // "that is"
			given = wordBefore(before, given.start)
		}
		value := strings.TrimRight(before[given.start:given.end], ",;:")
		if n.kind == code && countDigits(value) == len(value) && len(value) >= 4 && len(value) <= 8 ||
			isChosenAny(value) {
			return unquoted(s, from+given.start, from+given.end)
		}
	}
	return 0, 0, false
}

var (
	thatIs = pattern.SetOf(`that's thats that’s it's c'est das dat's eso questa questo detta isso`)
	thats  = pattern.SetOf(`that this which it das dies eso esto isso isto dat det to це это ça cela`)
)

// endsName reports whether a name that ends at at is not the first part of a longer one.
func endsName(s string, at int) bool {
	next := run(s, at, 4, isBlank)
	if next >= len(s) || !isLetterAt(s, next) {
		return true
	}
	word := lowered(strings.TrimRight(s[next:wordEnd(s, next)], ".,;:!?"))
	return words().gaps[word] || words().stops[word] || words().endings[word] || results.Has(word)
}

// results are what a sentence goes on with behind "value as the password".
var results = pattern.SetOf(`ça ein an klappt geht funktioniert works at this first please bitte you let olsun
	kullan`)

// froms stand before the old value of what changes.
var froms = pattern.SetOf(`from von vom de da dal van från z ze с со з із từ من`)

func isChangedValue(n named, text string) bool {
	text = strings.Trim(text, "\"'`")
	if n.kind == code {
		return len(text) >= 4 && countDigits(text) == len(text)
	}
	return isChosenAny(text)
}

// findLogin finds the password of "credentials: name / password" and the like.
func findLogin(s string, n named) (start, end int, ok bool) {
	at := closed(s, n.end)
	colon := prefixOf(s[at:], " (", ": ", " : ", "：", ":", " = ", "=", " are ", " is ", " sind ", " sont ", " son ",
		" são ",
		" sono ", " zijn ", " är ", " to ", " jsou ")
	if colon == "" {
		if start, end, ok = joinedLogin(s, at); ok {
			return start, end, true
		}
		if at, colon = behindVerb(s, at); colon == "" {
			return 0, 0, false
		}
	}
	name := run(s, at+len(colon), 4, isBlank)
	next := run(s, name, maxName, func(c byte) bool { return isDotted(c) || c == '@' || c == '\\' || c == '+' })
	by := prefixOf(s[next:], " / ", "/", " : ", ":", " | ", " – ", " - ", " and ", " und ", " et ", " y ", " e ",
		" en ",
		" och ", " i ", " a ", " with ", " ", ", ")
	if next == name || by == "" || !hasLetter(s[name:next]) {
		return 0, 0, false
	}
	v := readValue(s, next+len(by), " ", false)
	text := v.text
	if len(text) < 4 || isReference(text) || isPlaceholder(text) || strings.Contains(text, markerOpen) ||
		strings.Contains(text, "://") || !isSaid(text) {
		return 0, 0, false
	}
	given := standsGiven(s, v.start) || colon == " (" && byteAt(s, v.end) == ')' && isGiven(s, v.start, v.end)
	if isWordy(text) && isAccount(s[name:next]) && given && !accounts.Has(lowered(text)) {
		return v.start, v.end, true
	}
	if isAccount(s[name:next]) && hasDigit(text) && hasLetter(text) && standsGiven(s, v.start) &&
		strings.TrimSpace(by) != "" && by != "/" && by != ":" && !versioned.Match(text) {
		return v.start, v.end, true
	}
	if isWordy(text) {
		if by == " / " && standsGiven(s, v.start) && !accounts.Has(lowered(text)) {
			return v.start, v.end, true
		}
		return v.start, v.end, by == " / " && lowered(text) == text && len(text) >= 8 && endsPhrase(s, v.end)
	}
	if strings.Trim(by, " ") == "/" || strings.Trim(by, " ") == ":" {
		return v.start, v.end, by != "/" && by != ":" && (hasDigit(text) || isStrong(text)) && !versioned.Match(text) ||
			isChosenAny(text)
	}
	return v.start, v.end, isChosenAny(text)
}

// joinedLogin finds the password of "name:password" that stands behind blanks at at. Where the name is not known as one
// of an account, the password has to look like one.
func joinedLogin(s string, at int) (start, end int, ok bool) {
	name := run(s, at, 4, isBlank)
	colon := run(s, name, maxName, func(c byte) bool { return isDotted(c) || c == '@' || c == '\\' || c == '+' })
	if name == at || colon == name || byteAt(s, colon) != ':' || !hasLetter(s[name:colon]) {
		return 0, 0, false
	}
	v := readValue(s, colon+1, " ", false)
	text := strings.TrimRight(v.text, ".,;!?")
	if text == "" || !isSaid(text) || strings.ContainsAny(text, ":/") || strings.Contains(text, markerOpen) {
		return 0, 0, false
	}
	if !isAccount(s[name:colon]) {
		return v.start, v.end, looksMade(text) || isStrong(text)
	}
	return v.start, v.end, standsGiven(s, v.start) && !accounts.Has(lowered(text)) && !versioned.Match(text) &&
		(isWordy(text) || hasDigit(text) && hasLetter(text))
}

// behindVerb returns where the verb stands behind some words of the sentence, and the verb: "the creds you need are".
func behindVerb(s string, at int) (int, string) {
	for range 5 {
		word := run(s, at, 2, isBlank)
		end := wordEnd(s, word)
		if end == word || strings.IndexByte(".,;!?", s[end-1]) >= 0 {
			break
		}
		if verb := lowered(s[word:end]); words().is[verb] || strings.HasSuffix(verb, ":") {
			return word, s[word:end]
		}
		at = end
	}
	return at, ""
}

// oddWords appends the words of a line that names a password that can be nothing but one: the only one with signs among
// letters, and in the same sentence those that look chosen.
func oddWords(s string, n named, found []span) []span {
	if n.kind != password {
		return found
	}
	from, to := lineAround(s, n)
	if to-from > 240 || strings.ContainsAny(s[from:to], "{}=;") {
		return found
	}
	before := len(found)
	odd := 0
	first, last := -1, -1
	for at := from; at < to; {
		word := run(s, at, to-at, isBlank)
		next := min(to, wordEnd(s, word))
		if next <= word {
			next = word + 1
		}
		text := strings.TrimRight(s[word:min(next, len(s))], ".,;:?!)")
		if exclaims(s, word, min(next, len(s))) {
			found = append(found, span{word, word + len(text) + len("!"), assigned})
		}
		if next <= n.start || word >= n.end {
			if isOdd(text) {
				found = append(found, span{word, word + len(text), assigned})
				odd++
			} else if looksChosen(text) {
				if first < 0 {
					first, last = sentenceAround(s, n, from, to)
				}
				if word < first || next > last {
					at = next
					continue
				}
				found = append(found, span{word, word + len(text), assigned})
			}
		}
		at = next
	}
	if odd > 1 {
		return found[:before]
	}
	return found
}

// exclaims reports whether a word with a capital has an exclamation mark in the middle of a sentence.
func exclaims(s string, start, end int) bool {
	text := strings.TrimRight(s[start:end], ",")
	if len(text) < 6 || !isUpper(text[0]) || text[len(text)-1] != '!' || !isWordy(text[:len(text)-1]) ||
		!isSaid(text[:len(text)-1]) || start < 2 || strings.IndexByte(".!?:\n", s[start-2]) >= 0 {
		return false
	}
	next := run(s, end, 1, isBlank)
	return len(text) < end-start || next > end && next < len(s) && isLower(s[next])
}

// sentenceAround returns the bounds of the sentence of a name in s[from:to].
func sentenceAround(s string, n named, from, to int) (first, last int) {
	first, last = from, to
	for i := n.start - 1; i > from; i-- {
		if isBlank(s[i]) && strings.IndexByte(".!?", s[i-1]) >= 0 {
			first = i
			break
		}
	}
	for i := n.end; i+1 < to; i++ {
		if strings.IndexByte(".!?", s[i]) >= 0 && isBlank(s[i+1]) {
			last = i + 1
			break
		}
	}
	return first, last
}

// passphraseEnd returns the end of a line that is nothing but a phrase of small words, with a
// number at the end or too many to be a sentence; 0 if it is none.
func passphraseEnd(s string, at int, n named, sep string) int {
	end := lineEnd(s, at)
	text := strings.TrimRight(s[at:end], " \r.")
	words := strings.Fields(text)
	if len(words) < 2 || len(words) > 8 || len(text) > maxName {
		return 0
	}
	phrase := isPhraseName(n.text) // of which any word may be a part
	if phrase && (sep == "is" || sep == ":") {
		if title := titlePhrase.Find(text); title != "" && !isProse(lowered(title)) {
			return at + len(title)
		}
		if sep == "is" {
			head, _, cut := strings.Cut(text, ", ")
			if fields := strings.Fields(head); cut && len(fields) >= 3 && len(fields) <= 8 && isPhrase(head) &&
				isPhraseWord(fields[0]) {
				return at + len(head)
			}
		}
	}
	if phrase && sep == "=" && len(words) >= 3 && isPhraseWord(words[0]) &&
		isLetters(strings.ReplaceAll(text, " ", "")) &&
		lowered(text) == text {
		return at + len(text)
	}
	if phrase && sep == ":" && promptVerbs.Has(lowered(firstWord(strings.TrimLeft(lineBefore(s, n.start), bullets)))) &&
		phraseOnly.Match(text) && !isProse(text) && !isMessage(text) {
		return at + len(text)
	}
	if phrase && (sep == ":" && len(words) >= 4 && isLooserPhrase(text) || (sep == ":" || sep == "is") &&
		len(words) >= 4 &&
		isQuotedPhrase(text)) {
		return at + len(text)
	}
	for i, w := range words {
		if i == len(words)-1 && i > 1 && len(w) <= 4 && countDigits(w) == len(w) {
			return at + len(text)
		}
		low := lowered(w)
		if phrase && sep != " " && i > 0 && i < len(words)-1 && (countDigits(w) == len(w) || len(w) <= 3) {
			continue
		}
		if phrase && i == 0 && (low == "my" || low == "our") {
			continue
		}
		if low != w || !isPhraseWord(low) {
			return 0
		}
	}
	if isPassphrase(text) || phrase && len(words) >= 3 ||
		sep == ":" && len(words) < 4 && startsLine(s, n) && isSeldomPhrase(words) {
		return at + len(text)
	}
	return 0
}

// promptVerbs begin the prompts of programs for a passphrase.
var promptVerbs = pattern.SetOf(`enter re-enter repeat verify confirm type retype geben eingeben saisir introduzca
	digite inserire`)

// isSeldomPhrase reports whether of two or three words one is seldom, and none is a word of a sentence about passwords.
func isSeldomPhrase(fields []string) bool {
	seldom := false
	for _, f := range fields {
		if !isSaid(f) || words().about[f] || adverbs.Has(f) || types.Has(f) || functionWords.Has(f) ||
			messageWords.Has(f) || demands.Has(f) || isCompounded(f) {
			return false
		}
		seldom = seldom || isRare(f)
	}
	return seldom
}

// titlePhrase is a phrase of two words or more with capitals, with which a line or a sentence ends.
var titlePhrase = pattern.New(`(?-i)^[A-Z][a-z]+(?: [A-Z][a-z]+){1,4}$`)

// isPhraseWord reports whether a word stands rather in a passphrase than in a sentence about a
// password.
func isPhraseWord(low string) bool {
	lex := words()
	if lex.idle[low] || lex.gaps[low] || lex.stops[low] || lex.is[low] || lex.names[low] != harmless ||
		placeholders.Has(low) || isParticiple(low) || measures.Has(low) {
		return false
	}
	for _, r := range low {
		if !unicode.IsLetter(r) && !unicode.IsMark(r) {
			return false
		}
	}
	return true
}

// measures stand before a number that says how long a password is or how often it changes.
var measures = pattern.SetOf(`min minimum max maximum length size chars characters digits letters words days
	hours minutes weeks months attempts retries tries version line step than over under exactly every least most
	up zeichen ziffern tage caractères chiffres jours caracteres dígitos días dias caratteri cifre giorni tekens
	dagen tecken dagar znaków znaků karakter символов символів`)

// wordsBefore yields the bounds of the words before at, the last one first, at most n.
func wordsBefore(text string, at, n int) iter.Seq[span] {
	return func(yield func(span) bool) {
		for range n {
			word := wordBefore(text, at)
			if word.start == word.end || !yield(word) {
				return
			}
			at = word.start
		}
	}
}

// wordBefore returns the bounds of the word before at.
func wordBefore(text string, at int) span {
	end := back(text, at, at, func(c byte) bool { return c <= ' ' })
	return span{start: back(text, end, end, func(c byte) bool { return c > ' ' }), end: end}
}

// usedDensely is usedAs in Chinese, Japanese and Korean, where "as" may stand behind the
// name.
func usedDensely(s string, n named, from int) (start, end int, ok bool) {
	before := s[from:n.start]
	for _, as := range []string{"作为", "作為", "当作", "當作", "做", "当", "當", "为", "為", "を", "를", "을"} {
		near := max(0, len(before)-12*utf8.UTFMax-len(as)) // 12 characters behind it are no more
		i := near + strings.LastIndex(before[near:], as)
		if i < near || utf8.RuneCountInString(before[i+len(as):]) > 12 {
			continue
		}
		if as == "を" || as == "를" || as == "을" {
			if behind := s[n.end:]; prefixOf(behind, "として", "に", "로", "으로") == "" ||
				utf8.RuneCountInString(before[i+len(as):]) > 6 {
				continue
			}
		}
		stop := len(strings.TrimRight(before[:i], " "))
		word := back(before, stop, 128, func(c byte) bool { return c > ' ' && c < 0x7f })
		if isSaid(before[word:stop]) {
			return unquoted(s, from+word, from+stop)
		}
	}
	return 0, 0, false
}

// isSaid reports whether a word may be the value that a sentence gives.
func isSaid(word string) bool {
	low := lowered(word)
	return len(word) >= 4 && !strings.HasPrefix(word, `\f`) && !words().idle[low] && !words().gaps[low] &&
		words().names[low] == harmless &&
		!isPlaceholder(word) &&
		!isReference(word) && !isAlgorithm(low) && !namesSecret(low) && !words().isVerb(low)
}

// unquoted returns bounds without the quotes and the signs of the sentence.
func unquoted(s string, start, end int) (int, int, bool) {
	for end > start && strings.IndexByte(`,;:`, s[end-1]) >= 0 {
		end--
	}
	for end-start > 2 && s[start] == s[end-1] && strings.IndexByte("\"'`", s[start]) >= 0 {
		start, end = start+1, end-1
	}
	if open := curlyQuote(s, start); open != "" {
		closes := curlyQuotes.Get()[open]
		if last, size := utf8.DecodeLastRuneInString(s[start:end]); strings.ContainsRune(closes, last) {
			start, end = start+len(open), end-size
		}
	}
	return start, end, end-start >= 4 && !strings.Contains(s[start:end], markerOpen) &&
		!endsPhraseInQuotes(s, start, end)
}

// endsPhraseInQuotes reports whether s[start:end] is the last word of several in quotes.
func endsPhraseInQuotes(s string, start, end int) bool {
	last := s[end-1]
	return (last == '"' || last == '\'') && s[start] != last && (&opened{line: lineBefore(s, start)}).has(last)
}

func startsAny(word string, stems []string) bool {
	for _, stem := range stems {
		if strings.HasPrefix(word, stem) {
			return true
		}
	}
	return false
}

// newOne stands before a new value that looks like one.
const newOne = "new one "

// changes are the words before a new value, wherever the name stands on the line.
var changes = []string{
	"new one: ", "new one is ", newOne, "das neue ist ", "die neue ist ", "neues: ", "le nouveau est ", "la nueva es ",
	"used to be ", "now it's ", "now its ", "changed to ", "change to ", "reset to ", "set to ", "updated to ",
	"switched to ", "it to ", "is now ",
	"it's now ", "one was ", "one is ",
	"resolved to ", "it is ", "it was ", "geändert auf ", "geändert zu ", "jetzt ", "changé en ", "maintenant ",
	"cambió a ", "ahora es ",
	"mudou para ", "agora é ", "cambiata in ", "ora è ", "gewijzigd naar ", "nu ", "ändrat till ", "zmienione na ",
	"teraz ", "změněno na ",
	"изменён на ", "изменен на ", "теперь ", "сменили на ", "змінено на ", "тепер ", "đổi thành ", "改成", "改为", "改為",
	"换成", "換成",
	"設定為", "设为", "設為", "现在是", "現在是", "现在用", "今は", "現在は", "지금은 ", "이제 ", "(was ", "बदलकर ",
}

// maxNear is how far from a value what speaks of secrets may stand on its line, in bytes.
const maxNear = 240

// changedTo finds the value of "it changed to value", on a line that names a secret.
func changedTo(s string, at int, phrase string) (start, end int, ok bool) {
	if at > 0 && isAlpha(s[at]) && isAlpha(s[at-1]) {
		return 0, 0, false
	}
	from, to := max(at-len(lineBefore(s, at)), at-maxNear), min(lineEnd(s, at), at+maxNear)
	v := readValue(s, at+len(phrase), "to", false)
	if v.end > to || v.end <= v.start || containsAny(v.text, denseAbout.All()) && !isASCII(v.text) ||
		!isSaid(v.text) || strings.Contains(v.text, "/") && isPath(v.text) {
		return 0, 0, false
	}
	n := named{start: at, end: at, kind: password, script: spaced}
	vague := strings.Contains(phrase, "now") || strings.Contains(phrase, "was") || strings.Contains(phrase, "is ")
	if phrase == newOne && !hasDigit(v.text) {
		return 0, 0, false
	}
	if isLetterless(v.text) && standsNumber(s, v.start) && !vague {
		return v.start, v.end, secretHints.in(lowered(s[from:at]))
	}
	if strings.Contains(phrase, "one") && isGiven(s, v.start, v.end) && endsPhrase(s, v.end) {
		return v.start, v.end, secretHints.in(lowered(s[from:to]))
	}
	if isWordy(v.text) && !v.quoted && (vague || v.isProseWord(s, n)) {
		return 0, 0, false
	}
	if !isWordy(v.text) && !isStrong(v.text) && (!hasDigit(v.text) || !hasLetter(v.text) ||
		isIdentifierList(v.text) || versioned.Match(v.text)) {
		return 0, 0, false
	}
	return v.start, v.end, secretHints.in(lowered(s[from:to]))
}

// secretHints are on lines that name a secret, in lower case.
var secretHints = phrasesOf("passw,passp,passc,pwd,secret,token,api key,api_key,access key,(pass , pin ," +
	"otp,creds,credential,login,kennwort,schlüssel,mot de passe,mdp," +
	"contraseña,clave,senha,parola,wachtwoord,lösenord,hasło,heslo,şifre,пароль,токен,секрет,ключ,mật khẩu," +
	"كلمة,पासवर्ड,パスワード,トークン,비밀번호,암호,토큰,密码,密碼,口令,令牌,密钥")

// onNextLine finds a value that stands alone on the line below a name with which the line
// ends, maybe behind who says it.
func onNextLine(s string, n named) (start, end int, ok bool) {
	if n.kind != password && n.kind != code && n.kind != key {
		return 0, 0, false
	}
	at := n.end
	if strings.IndexByte(s[at:min(len(s), at+41)], '\n') < 0 {
		return 0, 0, false
	}
	rest := lowered(strings.TrimRight(s[at:lineEnd(s, at)], " \r"))
	for _, tail := range []string{"\"}", "\"", "”", "…", "...", ":", "?", ".", "：", "？", "。", " is", " ist", " est",
		" es", " é", " è", "は", "是", " 是"} {
		rest = strings.TrimSuffix(rest, tail)
	}
	if strings.TrimSpace(rest) != "" || n.script == identifier && n.start > 0 &&
		strings.IndexByte("_-.", s[n.start-1]) >= 0 {
		return 0, 0, false
	}
	newline := lineEnd(s, at)
	if newline >= len(s) || newline > at+40 {
		return 0, 0, false
	}
	line := newline + 1
	stop := lineEnd(s, line)
	at = line
	spoken := false
	if i := strings.Index(s[line:stop], `"text":"`); i >= 0 {
		at = line + i + len(`"text":"`)
		stop = at + strings.IndexByte(s[at:stop]+`"`, '"')
		spoken = true
	} else if name := run(s, line, 32, func(c byte) bool {
		return isWord(c) || c == '<' ||
			c == '>'
	}); name > line && name+1 < stop &&
		s[name] == ':' && s[name+1] == ' ' {
		at = name + 2
		spoken = true
	}
	for stop > at && (isSpace(s[stop-1])) {
		stop--
	}
	text := s[at:stop]
	announced := announcing.Has(lowered(lastWordOf(beforeArticle(lineBefore(s, n.start)))))
	if len(text) < 4 || strings.ContainsAny(text, " \t") || !isSaid(text) ||
		strings.ContainsAny(text, "(){}<>[]\"'=:;,|/\\") && !isRandom(text) || isWordy(text) && !announced {
		return 0, 0, false
	}
	if announced && n.kind != code && isGiven(s, at, stop) && (isRare(text) || hasDigit(text) && hasLetter(text)) {
		return at, stop, true
	}
	if isWordy(text) {
		return 0, 0, false
	}
	if n.kind == code {
		return at, stop, countDigits(text) >= 4
	}
	return at, stop, hasDigit(text) && hasLetter(text) && (spoken || !isSlug.Match(text)) && !versioned.Match(text)
}

// announcing are words before a name of which the value comes next: "here comes the password".
var announcing = pattern.SetOf(`comes is here's here sending voici voilà kommt folgt está va aqui segue ecco вот ось oto
	tady zde här hier följer işte`)

// beforeArticle returns a string without the article or the owner with which it ends.
func beforeArticle(text string) string {
	text = strings.TrimRight(text, " ")
	if last := lastWordOf(text); articles.Has(lowered(last)) || qualifiers.Has(lowered(last)) {
		text = strings.TrimRight(text[:len(text)-len(last)], " ")
	}
	return text
}

// quotedBehind finds a string in quotes behind a name and nothing but blanks.
func quotedBehind(s string, n named) (start, end int, ok bool) {
	at := run(s, n.end, 3, isBlank)
	if n.kind != password && n.kind != key && n.kind != variable || at == n.end || at >= len(s) {
		return 0, 0, false
	}
	if quoteAt(s, at) == "" && curlyQuote(s, at) == "" {
		return 0, 0, false
	}
	v := readValue(s, at, " ", false)
	if !v.quoted || len(v.text) < 4 || strings.EqualFold(n.text, "pass") && strings.IndexByte("-+ ", v.text[0]) >= 0 ||
		n.text == "Pass" && startsLine(s, n) || isPlaceholder(v.text) || isTemplate(v.text) || isProse(v.text) ||
		isReference(v.text) ||
		strings.Contains(v.text, markerOpen) || namesSecret(v.text) && isWordy(v.text) {
		return 0, 0, false
	}
	if (n.kind == password || n.kind == variable) && isWordy(v.text) && lowered(v.text) == v.text && isSaid(v.text) &&
		!words().about[v.text] && !isParticiple(v.text) && (startsLine(s, n) &&
		strings.TrimLeft(s[v.end:lineEnd(s, v.end)], "\"'; \r") == "" || entered(lineBefore(s, n.start))) {
		return v.start, v.end, true
	}
	behind := run(s, v.end, 4, func(c byte) bool { return isBlank(c) || c == '"' || c == '\'' })
	if n.kind == password && judging.Has(lowered(s[behind:wordEnd(s, behind)])) && isSaid(v.text) &&
		!types.Has(lowered(v.text)) && !strings.ContainsAny(v.text, " _.") && !words().about[lowered(v.text)] {
		return v.start, v.end, true
	}
	return v.start, v.end, !isWordy(v.text) && (hasDigit(v.text) || isStrong(v.text) ||
		strings.Contains(v.text, " ")) && !isSlug.Match(v.text) ||
		n.kind == password && hasDigit(v.text)
}

// judging stand behind the password that a log says was tried.
var judging = pattern.SetOf(`for rejected refused failed accepted`)

// entered reports whether a sentence before the name of a password says that somebody types it.
func entered(before string) bool {
	for word := range wordsBefore(before, len(before), 3) {
		if startsAny(lowered(before[word.start:word.end]), users.All()) {
			return true
		}
	}
	return false
}

// loginVerbs are on lines that say how to log in, in lower case.
var loginVerbs = phrasesOf("log in,logs in,logged in,logging in,signs in,signed in,signing in,login,logon," +
	"sign in,signin,log on,einlogg,anmeld,melde dich,meld dich,logge dich,log dich,iniciar ses,faça login," +
	"connecte,identifie-,identifiez," +
	"entra con,entra com,entre com,entrei,entrou,entré ,entrare,entrer,inicia ses,acced,entrar,accedi,inlog," +
	"aanmeld,logga in," +
	"zalog,přihlas,prihlas,giriş,girebil,hesab,зайди,зайти,зашёл,зашел,зашла,заход,войди,войти,вошёл,вошел," +
	"увійд,логін,логин,đăng nhập,dang nhap,تسجيل,दخول,लॉगिन," +
	"लॉग इन,ログイン,로그인,登录,登錄,登入,credential,creds,zugangsdaten," +
	"anmeldedaten,credenc,credenz,identifiants,tried,учётные,учетные,облікові," +
	"認証情報,资格,凭据,inloggegevens,inloggningsuppgifter,dane logowania," +
	"přihlašovací,kimlik bilgileri,بيانات")

// loginHints are on lines that may say so.
var loginHints = phrasesOf(" in with ,session avec,ouvert une session,wifi,wi-fi,wlan,ssid,connect,acess,auth," +
	"user,account,zugang,dev only,admin,пароль," +
	"password,パスワード," +
	"비밀번호,密码,密碼,mot de passe,contraseña,senha,accesso," +
	"доступ,계정,账号,帳號,passw,hasło,heslo,şifre,wachtwoord,lösenord,mật khẩu,كلمة,पासवर्ड")

func proseRules() []rule {
	all := []rule{{assigned, " / ", findPair}, {assigned, "／", findWidePair}, {assigned, "|| '", findDefault},
		{assigned, "|| \"", findDefault},
		{assigned, "?? '", findDefault},
		{assigned, "?? \"", findDefault}, {assigned, "or '", findDefault}, {assigned, "or \"", findDefault},
		{assigned, "default", findVariable}, {assigned, "admin/", findTight}, {assigned, "root/", findTight},
		{assigned, "admin:", findTight},
		{assigned, "root:", findTight}, {assigned, "echo ", findRedirected}, {assigned, "echo ", findPrinting},
		{assigned, "p a s s w", findSpread}, {assigned, "k e n n w o r t", findSpread},
		{assigned, "p a s s p h", findSpread}, {assigned, "t o k e n", findSpread}, {assigned, "s e c r e t",
			findSpread},
		{assigned, "s e n h a", findSpread}, {assigned, "p a s s c", findSpread},
		{assigned, "</key>", findPlist},
		{assigned, "\"value\":", findVaultValue}, {assigned, "authorization: bearer \\\n", findContinued},
		{assigned, "access latest", findPrinted}, {assigned, "jsonpath", findPrinted}, {assigned, "--query value",
			findPrinted}, {assigned, "secretstring --output text", findPrinted},
		{assigned, "key is ", findKey}, {assigned, "key to ", findKey}, {assigned, "key for ", findKey},
		{assigned, "the key ", findKey}, {assigned, "code ", findSentCode}, {assigned, "código ", findSentCode},
		{assigned, "codice ", findSentCode}, {assigned, "kod ", findSentCode}, {assigned, "kód ", findSentCode},
		{assigned, "kode ", findSentCode}, {assigned, "код ", findSentCode}, {assigned, "कोड ", findSentCode},
		{assigned, "is not assignable to",
			findTyped},
		{assigned, "pwgen", findPrinted}, {assigned, "openssl rand", findPrinted}, {assigned, "get-parameter",
			findPrinted},
		{assigned, "print-access-token", findPrinted}, {assigned, "auth token", findPrinted}, {assigned, "cat ",
			findPrinted},
		{assigned, "generic-password", findPrinted}, {assigned, "internet-password", findPrinted},
		{assigned, "get password", findPrinted}, {assigned, "get-access-token", findPrinted}, {assigned, "lpass show",
			findPrinted}, {assigned, "secret-tool lookup", findPrinted}, {assigned, "config:get ", findPrinted},
		{assigned, "printenv ", findPrinted}, {assigned, "echo $", findPrinted}, {assigned, "--plain", findPrinted},
		{assigned, "create-token", findPrinted}, {assigned, "create token", findPrinted}, {assigned, "keyring get",
			findPrinted},
		{assigned, "base64 -d", findPrinted}, {assigned, "base64 --decode", findPrinted}, {assigned, "gpg -d",
			findPrinted},
		{assigned, "apg ", findPrinted}, {assigned, "diceware", findPrinted}, {assigned, "xkcdpass", findPrinted},
		{assigned, "op read", findPrinted}, {assigned, "rbw get ", findPrinted}, {assigned, "keepassxc-cli show ",
			findPrinted}, {assigned, "gopass show ", findPrinted}, {assigned, "base64decode", findPrinted},
		{assigned, "pass show", findPrinted}, {assigned, "-field=", findPrinted},
	}
	for _, verb := range logging.All() {
		all = append(all, rule{assigned, foldASCII(verb), findLoggingIn})
	}
	for _, phrase := range changes {
		all = append(all, rule{assigned, foldASCII(phrase), func(s string, at int) (start, end int, ok bool) {
			return changedTo(s, at, phrase)
		}})
	}
	return all
}

// logging are words of sentences that say how to log in.
var logging = pattern.Words("log in |ssh in |logging in |logged in |log into |logged into |logs into |get into |logs " +
	"in |signing in |signed in |authenticate |" +
	"login |sign in |signin |log on |logon |use |account |access |tried |anmelden |" +
	"melde dich |einloggen |logge dich |connectez|connecte-toi |connexion |inicia ses|entra con |entra com |" +
	"entra como |entra come |entre com |entre como |entrar |" +
	"accedi |inloggen |aanmelden |logga in |zaloguj|loguj|přihlas|giriş |войди|войти |зайди|заходи|увійд|đăng nhập |" +
	"تسجيل الدخول |سجل الدخول |लॉगिन |लॉग इन ")

// connectors stand between a login and its password; those of one letter are other words in
// English.
var connectors = pattern.SetOf(`with and / mit und avec et con com met en med och ze se ile ve с и з та і với và
	و और : | + & y e i a s z`)

// ands join a login and its password behind "with".
var ands = pattern.SetOf(`and und et y e en och i a и та і й ve và و और plus + & / : |`)

// maxLogin is how many words may stand between a verb of logging in and the password.
const maxLogin = 10

// findLoggingIn finds the password of a sentence such as "log in as name with password" and
// "use name/password".
func findLoggingIn(s string, at int) (start, end int, ok bool) {
	if at > 0 && isAlpha(s[at]) && isWord(s[at-1]) {
		return 0, 0, false
	}
	to := min(lineEnd(s, at), at+120)
	before, asked := "", false // asked: somebody is named who logs in
	joined, account := "", ""  // the words before that
	listed := false            // a comma stands behind the word before
	english := isEnglish.Has(foldASCII(s[at:min(len(s), at+3)]))
	for next, words := at, 0; next < to && words < maxLogin; words++ {
		word := run(s, next, 8, isBlank)
		if next = min(to, argumentEnd(s, word)); next <= word {
			break
		}
		text := strings.TrimRight(s[word:next], ".,;:")
		if slash := strings.IndexAny(text, "/:"); slash > 1 && slash+1 < len(text) && isWordy(text[:slash]) &&
			looksMade(text[slash+1:]) && !strings.ContainsAny(text[slash+1:], "._#") &&
			!strings.Contains(text, "://") && before != "" {
			return word + slash + 1, word + len(text), true
		}
		if ends := strings.HasSuffix(s[word:next], "."); ends && words > 0 && next < to && !standsGiven(s, word) {
			break
		}
		if asked && withs.Has(before) && isGiven(s, word, next) && (words < 8 || !english) || (ands.Has(before) ||
			withs.Has(before)) && isAccount(account) &&
			(takers.Has(joined) || withs.Has(joined) || !english) && standsGiven(s, word) && !isAccount(text) {
			return unsigned(s, word, next)
		}
		if listed && english && words > 2 && accounts.Has(before) && standsGiven(s, word) && !isAccount(text) &&
			hasPrefixFold(s[at:], "log") {
			return unsigned(s, word, next)
		}
		listed = strings.HasSuffix(s[word:next], ",")
		joined, account = account, before
		asked = asked || words > 0 && asUser.Has(before)
		if connectors.Has(before) && (!english || len(before) > 1 || before == "/") &&
			isChosenAny(strings.Trim(text, "\"'`")) {
			return unquoted(s, word, word+len(text))
		}
		before = lowered(text)
	}
	return 0, 0, false
}

// isEnglish has the beginnings of the English words of logging.
var isEnglish = pattern.SetOf(`log sig use acc tri ssh`)

// findKey finds a key behind "the key" and some words, if it looks like nothing else.
func findKey(s string, at int) (start, end int, ok bool) {
	if at > 0 && isWord(s[at-1]) {
		return 0, 0, false
	}
	to := min(lineEnd(s, at), at+60)
	for next := at; next < to; {
		word := run(s, next, 8, isBlank)
		next = wordEnd(s, word)
		if next == word {
			break
		}
		text := strings.Trim(s[word:next], ".,;:")
		if len(text) >= 14 && isRandom(text) && isStrong(text) && run(text, 0, len(text), IsToken) == len(text) &&
			!isSlug.Match(text) && !strings.ContainsAny(text, "._") && !isWordy(strings.Map(dropDigits, text)) {
			return word, word + len(text), true
		}
		if !isWordy(text) {
			break
		}
	}
	return 0, 0, false
}

// codeHints are on lines that speak of codes that let somebody in.
var codeHints = phrasesOf("sms", "text", "whatsapp", "2fa", "mfa", "otp", "verif", "authent", "sign in", "log in",
	"login",
	"door", "alarm", "safe", "gate", "phone")

// sentHints are on lines that speak of a code that was sent.
var sentHints = phrasesOf("sms", "whatsapp", "2fa", "mfa", "otp", "by text", "a text", "смс", "texted")

// otherCodes stand before codes that let nobody in.
var otherCodes = phrasesOf("status", "exit", "error", "return", "response", "zip", "country", "area", "postal",
	"pocztow",
	"source", "http")

// findSentCode finds the digits of "the code that came by SMS is 123456".
func findSentCode(s string, at int) (start, end int, ok bool) {
	if at > 0 && isWord(s[at-1]) {
		return 0, 0, false
	}
	line := s[at:min(lineEnd(s, at), at+80)]
	before := lineBefore(s, at)
	is := 0
	for from := strings.IndexByte(line, ' ') + 1; is == 0; { // the verb, or the digits
		stop := from + run(line[from:], 0, len(line), func(c byte) bool { return c > ' ' })
		word := lowered(line[from:stop])
		if stop >= len(line) || countDigits(word) > 3 {
			if countDigits(word) != 6 || !sentHints.in(before) {
				return 0, 0, false
			}
			is = from
			break
		}
		if words().is[word] || strings.HasSuffix(word, ":") || word == ":" || word == "=" {
			is = stop + 1
		}
		from = stop + 1
	}
	start = at + is
	for _, meant := range []string{"i.e. ", "d.h. ", "that is ", "c'est-à-dire ", "= "} { // behind it in words
		if m := strings.Index(line[min(len(line), is):], meant); m >= 0 && !isDigit(byteAt(s, start)) {
			start = at + is + m + len(meant)
		}
	}
	end = run(s, start, 12, isDigit)
	return start, end, end-start >= 4 && end-start <= 8 && (end >= len(s) || !isWord(s[end])) &&
		(codeHints.in(before) || codeHints.in(line[:is]) || sentHints.in(line[is:])) &&
		!otherCodes.in(before[max(0, len(before)-12):])
}

// findTyped finds the text that a compiler says is not assignable to the type of a secret.
func findTyped(s string, at int) (start, end int, ok bool) {
	if !namesSecret(s[at:lineEnd(s, at)]) {
		return 0, 0, false
	}
	end = at - len(prefixOf(reversed(s[max(0, at-3):at]), " '\"", " \""))
	if end == at {
		return 0, 0, false
	}
	start = back(s, end, 128, func(c byte) bool { return c != '"' && c != '\n' })
	text := s[start:end]
	return start, end, len(text) >= 4 && start > 0 && s[start-1] == '"' && !isPlaceholder(text) &&
		!strings.Contains(text, markerOpen) && !namesSecret(text)
}

// reversed returns the bytes of a string of ASCII in the other order.
func reversed(s string) string {
	b := []byte(s)
	slices.Reverse(b)
	return string(b)
}

// findPair finds the password of "login with name / password".
func findPair(s string, at int) (start, end int, ok bool) {
	if at > 0 && s[at-1] == ']' && strings.LastIndex(s[max(0, at-maxRuleName):at], markerOpen+"aws-key") >= 0 {
		v := readValue(s, at+len(" / "), " ", false)
		return v.start, v.end, len(v.text) >= 40 && isRandom(v.text)
	}
	name := back(s, at, 64, func(c byte) bool { return isDotted(c) || c == '@' || c >= 0x80 || c == '+' || c == '\\' })
	if name == at || !hasLetter(s[name:at]) || strings.HasPrefix(s[at+3:], "HTTP/") {
		return 0, 0, false
	}
	start = run(s, at+len(" / "), 4, isBlank)
	v := readValue(s, start, " ", false)
	if len(v.text) < 4 || isPlaceholder(v.text) || isReference(v.text) || strings.Contains(v.text, markerOpen) ||
		strings.Contains(v.text, "://") || !isASCII(v.text) {
		return 0, 0, false
	}
	from := max(name-len(lineBefore(s, name)), name-maxNear)
	line := lowered(s[from:min(lineEnd(s, v.end), v.end+maxNear)])
	said := loginVerbs.in(line) ||
		withs.Has(lowered(lastWordOf(s[from:name]))) && shapeOf(v.text, lowered(v.text)) >= mixed
	if word := v.start + len(strings.TrimRight(v.text, ".,;)")); accounts.Has(lowered(s[name:at])) &&
		strings.Count(line, " / ") == 1 && (isRare(s[v.start:word]) || isChosenAny(s[v.start:word])) &&
		(standsLast(s, v.start) || works(s, v.end) || byteAt(s, word) == ')') {
		return v.start, word, true
	}
	if !said && !loginHints.in(line) {
		return 0, 0, false
	}
	low := lowered(v.text)
	if words().names[low] != harmless || words().idle[low] || namesSecret(low) || isWordy(v.text) &&
		words().names[lowered(s[name:at])] != harmless {
		return 0, 0, false
	}
	if isWordy(v.text) && isAccount(s[name:at]) && (low == v.text || loginWords.Has(lowered(
		strings.TrimRight(lastWordOf(s[from:name]), ":")))) && len(low) >= 5 && isSaid(low) &&
		!words().about[low] &&
		!accounts.Has(low) && !isParticiple(low) && strings.Count(line, " / ") == 1 && (said ||
		strings.Trim(s[from:name], bullets) == "" && (standsLast(s, v.start) || works(s, v.end))) {
		return v.start, v.end, true
	}
	if networks.Has(strings.Trim(lowered(lastWordOf(strings.TrimRight(s[from:name], ":= "))), bullets)) &&
		standsLast(s, v.start) {
		return v.start, v.end, true
	}
	if isWordy(v.text) && (!said || isProseNext(s, v.end) || lowered(v.text) != v.text ||
		len(v.text) < 8 || strings.Count(line, " / ") > 1) {
		return 0, 0, false
	}
	return v.start, v.end, !isAlgorithm(low) && (isWordy(v.text) || hasDigit(v.text) || isStrong(v.text)) &&
		!versioned.Match(v.text) && !isNumberOnly(v.text)
}

// networks stand before the name of a wireless network and its password.
var networks = pattern.SetOf(`wifi wi-fi wlan ssid hotspot`)

// works reports whether a sentence goes on behind at with what a login and a password do.
func works(s string, at int) bool {
	return prefixOf(s[at:], " works", " should work", " still works", " will work", " for ", " on ", " geht", " klappt",
		" funktioniert", " marche", " funciona", " funziona", " werkt", " działa", " funguje", " работает") != ""
}

func isNumberOnly(text string) bool { return countDigits(text) == len(text) && len(text) < 6 }

func containsAny(text string, words []string) bool {
	for _, w := range words {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}

// findTight finds the password of "admin/password".
func findTight(s string, at int) (start, end int, ok bool) {
	if at > 0 && s[at-1] > ' ' && s[at-1] != '"' && s[at-1] != '(' && s[at-1] != '\'' {
		return 0, 0, false
	}
	start = at + strings.IndexAny(s[at:], "/:") + 1
	end = run(s, start, 64, func(c byte) bool { return c > ' ' && c < 0x7f && strings.IndexByte(`"'(),;<>`, c) < 0 })
	end = start + len(strings.TrimRight(s[start:end], ".!?"))
	text := s[start:end]
	if isUsedWord(s, at, start, end) {
		return start, end, true
	}
	if line := lowered(s[at-len(lineBefore(s, at)) : lineEnd(s, end)]); pairHints.in(line) &&
		numberedWord.Match(text) &&
		!pathWords.Has(lowered(strings.TrimRight(text, "0123456789"))) {
		return start, end, true
	}
	return start, end, len(text) >= 6 && hasDigit(text) && hasLetter(text) && strings.IndexByte(text, '/') < 0 &&
		strings.IndexByte(text, '.') < 0 &&
		!versioned.Match(text) && !isAlgorithm(text) && strings.IndexByte(text, ':') < 0 && countDigits(text) >= 2 &&
		!strings.Contains(text, markerOpen) && !isSlug.Match(text)
}

// isUsedWord reports whether the word s[start:end] behind the account at at is a password that a sentence about
// logging in says to use, as in "use admin/word".
func isUsedWord(s string, at, start, end int) bool {
	text := s[start:end]
	low := lowered(text)
	before := lowered(lastWordOf(lineBefore(s, at)))
	line := lowered(s[at-len(lineBefore(s, at)) : lineEnd(s, end)])
	return len(text) >= 5 && low == text && isLetters(text) && isSaid(text) && !words().about[low] &&
		words().names[low] == harmless && !accounts.Has(low) && !isParticiple(low) && !pathWords.Has(low) &&
		(usedWith.Has(before) || words().is[before]) && (loginVerbs.in(line) || pairHints.in(line)) &&
		byteAt(s, end) != '/'
}

// usedWith stand before an account and its password, pairHints are on lines about them, and pathWords stand behind the
// name of an account in paths and addresses.
var (
	usedWith = pattern.SetOf(`as use used using try tried with mit nutze verwende avec utilise usa usar con com default
		defaults creds credentials`)
	pairHints = phrasesOf("default,username,user name,password,passwort,credential,creds,mot de passe,contraseña," +
		"senha,padrão,por defecto,par défaut,standardmäßig")
	numberedWord = pattern.New(`^[a-z]{5,}\d{1,4}$`)
	pathWords    = pattern.SetOf(`login logout index dashboard panel console config settings users user groups roles
		home
		main reports report static assets media images pages posts views models controllers tests docs system tools
		plugins themes modules profile account accounts setup install backup api auth mail sites products orders
		customer customers manager editor viewer guest staff`)
)

// findRedirected finds what echo writes into a file whose name is that of a secret.
func findRedirected(s string, at int) (start, end int, ok bool) {
	line := s[at:lineEnd(s, at)]
	file := strings.IndexByte(line, '>')
	if file < 0 || at > 0 && isWord(s[at-1]) {
		return 0, 0, false
	}
	target := lowered(line[file:])
	if !namesSecret(target) && !containsAny(target, []string{"passw", "passphrase", "psk", ".pw"}) {
		return 0, 0, false
	}
	start, end, ok = echoed(s, at, at+file, false)
	text := s[start:max(start, end)]
	return start, end, ok && len(text) >= 4 && !strings.ContainsAny(text, " :=") && !isTemplate(text) && !isWordy(text)
}

// findDefault finds the text that is used when a variable that is named like a secret is
// not set.
func findDefault(s string, at int) (start, end int, ok bool) {
	before := lineBefore(s, at)
	fields := strings.Fields(before)
	if len(fields) == 0 {
		return 0, 0, false
	}
	name := strings.Trim(fields[len(fields)-1], `"'()[]{}`)
	if i := strings.LastIndexAny(name, `."'[(`); i >= 0 {
		name = name[i+1:]
	}
	kind := nameKind(name)
	if kind != password && kind != key && kind != variable {
		return 0, 0, false
	}
	open := at + strings.IndexAny(s[at:], `"'`)
	v := readValue(s, open, "=", false)
	return v.start, v.end, v.quoted && len(v.text) >= 4 && !v.isInnocent(s, named{text: name, kind: kind}, "=")
}

// findVariable finds the default of a variable of Terraform whose name is a secret's.
func findVariable(s string, at int) (start, end int, ok bool) {
	before := s[max(0, at-200):at]
	i := strings.LastIndex(before, `variable "`)
	if i < 0 || strings.Contains(before[i:], "}") {
		return 0, 0, false
	}
	name, _, _ := strings.Cut(before[i+len(`variable "`):], `"`)
	kind := nameKind(name)
	value := run(s, at+len("default"), 16, isBlank)
	if kind == harmless || value >= len(s) || s[value] != '=' {
		return 0, 0, false
	}
	n := named{text: name, kind: kind}
	v := readValue(s, run(s, value+1, 16, isBlank), "=", false)
	return v.start, v.end, v.quoted && !v.isInnocent(s, n, "=")
}

// findPlist finds the value of a property list's key.
func findPlist(s string, at int) (start, end int, ok bool) {
	open := back(s, at, maxName, func(c byte) bool { return c != '>' && c != '<' })
	next := run(s, at+len("</key>"), 64, isSpace)
	if !strings.HasSuffix(s[:open], "<key>") || !strings.HasPrefix(s[next:], "<string>") {
		return 0, 0, false
	}
	kind := nameKind(s[open:at])
	start = next + len("<string>")
	n := strings.IndexByte(s[start:min(len(s), start+maxValue)], '<')
	if kind == harmless || n < 0 {
		return 0, 0, false
	}
	v := value{text: s[start : start+n], start: start, end: start + n, quoted: true}
	return start, start + n, !v.isInnocent(s, named{text: s[open:at], kind: kind}, "=")
}

// findVaultValue finds the value of a document that a vault printed.
func findVaultValue(s string, at int) (start, end int, ok bool) {
	before := s[max(0, at-400):at]
	behind := s[at:min(len(s), at+300)]
	inVault := func(text string) bool {
		return strings.Contains(text, "/secrets/") && strings.Contains(text, "vault.")
	}
	if !inVault(before) && !inVault(behind) && !strings.Contains(before, "keyvault secret") {
		return 0, 0, false
	}
	v := readValue(s, run(s, at+len(`"value":`), 4, isBlank), ":", false)
	return v.start, v.end, v.quoted && len(v.text) >= 3 && !isPlaceholder(v.text) &&
		!strings.Contains(v.text, markerOpen)
}

// findContinued finds the token of a header that goes on behind the end of the line.
func findContinued(s string, at int) (start, end int, ok bool) {
	start = run(s, at+len("authorization: bearer \\\n"), 16, isBlank)
	end = run(s, start, open, IsToken)
	return start, end, end-start >= 8
}

// printers are in commands that print nothing but a secret.
var printers = []string{"gcloud secrets", "kubectl get secret", "keyvault secret", "secretsmanager", "op read",
	"pass show",
	"vault kv get", "vault read", "pwgen", "apg ", "diceware", "xkcdpass", "openssl rand", "--with-decryption",
	"access-token",
	"auth token", "rbw get", "keepassxc-cli show", "lpass show", "secret-tool lookup", "keyring get", "create token"}

// findPrinted finds what a command printed that reads one secret: the line below it.
func findPrinted(s string, at int) (start, end int, ok bool) {
	line := withoutRequest(lineBefore(s, at))
	whole := strings.TrimLeft(line, "$> ") + s[at:lineEnd(s, at)]
	if !strings.HasPrefix(strings.TrimLeft(line, " "), "$ ") && !strings.HasPrefix(line, "> ") ||
		!containsAny(whole, printers) && !(namesSecret(whole) || containsAny(foldASCII(whole), []string{"passw",
			"passphrase",
			"_pw", "_pass", "api_key"})) {
		return 0, 0, false
	}
	newline := lineEnd(s, at)
	if newline >= len(s) {
		return 0, 0, false
	}
	start = newline + 1
	end = lineEnd(s, start)
	text := s[start:end]
	return start, end, len(text) >= 4 && !strings.ContainsAny(text, " {<") &&
		strings.IndexByte("$#>+/.", text[0]) < 0 && strings.IndexByte(":=", text[len(text)-1]) < 0 &&
		!strings.Contains(text, ": ") && !isPlaceholder(text) &&
		!strings.Contains(text, markerOpen) && !namesSecret(text)
}
