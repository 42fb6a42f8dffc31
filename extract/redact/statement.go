package redact

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// A statement is a sentence that gives a name its value, where the value may be a word as any other.
// It differs from a word of the sentence by its place: behind the verb or the preposition of
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
	return end > next && (words().isVerb(word) || completing.Has(word)) && (endsPhrase(s, end) ||
		strings.IndexByte(",;.!", s[end-1]) >= 0)
}

// completing ends a sentence and belongs to its verb.
var completing = pattern.SetOf(`oldu yapıldı ayarlandı koydum koyduk an ein rein aan failed fails works worked
	rejected refused accepted olsun yaptım
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
	if byteAt(s, next) == '\n' && (strings.HasSuffix(rest, "?") || strings.HasSuffix(rest, "？")) {
		next++
	}
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
	line := s[start:lineEnd(s, start)]
	if strings.Contains(line, markerOpen) {
		return 0, 0, false
	}
	if asks {
		start += len(speaker.Find(line))
		start += len(answering.Find(s[start:lineEnd(s, start)]))
	} else if said := speaker.Find(line); len(said) > len("> ") && len(fields) < 4 && !prompts && !listed {
		lead := answering.Find(line[len(said):])
		if lead != "" || isRare(strings.TrimSpace(line[len(said):])) { // "it's value", says somebody else
			start, asks = start+len(said)+len(lead), true
		}
	}
	if asks && isPhraseName(n.text) {
		phrase := strings.TrimRight(s[start:lineEnd(s, start)], " \r.")
		if isPhrase(phrase) && !isMessage(phrase) {
			return start, start + len(phrase), true
		}
	}
	if start < len(s) && listed && indented && strings.HasPrefix(s[start:], "- ") { // a list of YAML
		start += len("- ")
	}
	if !asks && !prompts && !listed || start >= len(s) || strings.IndexByte("-#<{[/*@}])>", s[start]) >= 0 ||
		!standsLast(s, start) && !(asks && politely.Match(s[start:lineEnd(s, start)]) &&
			isSaid(s[start:wordEnd(s, start)])) || keywords.Has(lowered(s[start:wordEnd(s, start)])) {
		return 0, 0, false
	}
	return unsigned(s, start, wordEnd(s, start))
}

var (
	// speaker is what stands before what somebody says, with the time when.
	speaker = pattern.New(`^(?:\[[^\]]{1,24}\] *)?(?:\d\d?:\d\d(?::\d\d)? +)?` +
		`(?:<[^>\s]{1,24}> +|[\pL\d_.@-]{1,24}(?: \[[^\]]{1,16}\])?: +|[-—–>•] +)?`)
	// answering begins an answer.
	answering = pattern.New(`^(?:(?:it['’]?s|it is|that['’]?s|should be|i think|use|try|just|probably|sure|yes|yep|` +
		`yeah|ok|okay|still|ja|oui|sí|sim|sì|да|так|es ist|c['’]est|это|це),? +)+`)
	// politely is a word with the verb that ends an answer in Japanese and Korean.
	politely = pattern.New(`^[!-~]{4,40}(?: ?(?:です|でした|ですよ|입니다|이에요|예요)[。.!]?|,? (?:i think|i guess|i believe|iirc|` +
		`afaik|thanks|please|again|right\?|glaub[e']? ich|je crois|creo|acho|credo)[.!)]*)\s*$`)
)

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
var withs = pattern.SetOf(`with using mit avec con com met med z ze s se с со з із với ile مع بـ bằng باستخدام`)

// asUser stand before the name of somebody who logs in.
var asUser = pattern.SetOf(`باسم as als comme que como come som jako olarak bằng под як как із в user mit con com
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

// endsLabel reports whether a string ends with a sign behind which something new is said.
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

var determinerWords = pattern.SetOf(`mon ton son votre notre mi tu su meu minha mio mia il mijn mitt min moje
		můj the a an my our your this their his her dem den das der die le la el lo il o a het de det
	mot new neuen neues neue nouveau nueva nova nuova nieuwe nya nowym novým новым новим mật`)

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
		if !used && startsAny(low, users.All()) {
			used = true
		} else if !takers.Has(low) && !determinerWords.Has(low) {
			break
		}
		next = run(s, end, 2, isBlank)
	}
	behind := run(s, end, 2, isBlank)
	word := lowered(s[behind:wordEnd(s, behind)])
	if !used && startsAny(word, users.All()) && endsClause(s, behind+len(word)) && word != "" {
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

var (
	typing = pattern.SetOf(`набери вбей набирай type enter use tippe gib trag tape entre escribe digite digita
	typ skriv wpisz zadej
		введи nhập`)
	whens = pattern.SetOf(`when if as at wenn falls beim quand si cuando quando als wanneer när gdy kiedy když
		когда коли khi into in`)
)

// pronouns are no values.
var pronouns = pattern.SetOf(`please thanks sorry cheers bitte danke merci gracias obrigado grazie tack dzięki děkuji
	спасибо дякую etc usw etcetera nobody nessuno nadie ninguém personne niemand niemandem niemanden ingen nikt nikomu
	nikdo никому никто нікому ніхто kimse kimseye`)

// accountNamed reports whether a sentence names who logs in: a word for one, or an account.
func accountNamed(text string) bool {
	for word := range strings.FieldsSeq(text) {
		low := lowered(strings.Trim(word, ".,:;=\"'`()"))
		if loginWords.Has(low) || accounts.Has(low) || accountStems.in(low) {
			return true
		}
	}
	return false
}

// accountStems begin words for who logs in, in lower case.
var accountStems = phrasesOf("konto,kont,user,usuari,utilis,utent,hesab,uživat,учёт,акка,акаун,benutz,gebruik,použív")

var (
	mineIs = pattern.SetOf(`said says namely mine meins`)
)

// sameAs finds the value behind "the same as always" and the like: "the password is the same as before: value".
func sameAs(s string, n named) (start, end int, ok bool) {
	if n.kind != password {
		return 0, 0, false
	}
	to := min(lineEnd(s, n.end), n.end+maxName+32)
	if !strings.ContainsAny(s[n.end:to], "(:,–—，、：") {
		return 0, 0, false
	}
	line := lowered(s[n.end:to])
	if !sameHints.in(line) {
		return 0, 0, false
	}
	sign := -1
	for i := range len(line) {
		if line[i] == '(' || i > 4 &&
			(strings.IndexByte(":,", line[i]) >= 0 || prefixOf(line[i:], "—", "–", "，", "、", "：") != "") {
			sign = i
			if sameHints.in(line[:i]) {
				break
			}
			sign = -1
		}
	}
	if sign < 0 {
		return 0, 0, false
	}
	_, size := utf8.DecodeRuneInString(line[sign:])
	start = run(s, n.end+sign+size, 2, isBlank)
	if n.script == dense {
		end = run(s, start, 40, func(c byte) bool { return isDotted(c) })
		low := lowered(s[start:end])
		return start, end, end-start >= 5 && isSaid(low) && !words().about[low]
	}
	end = wordEnd(s, start)
	if line[sign] == '(' {
		if end = start + strings.IndexByte(s[start:to]+")", ')'); end >= to || strings.ContainsAny(s[start:end], " ") {
			return 0, 0, false
		}
		return start, end, isGiven(s, start, end) && !isParticiple(s[start:end])
	}
	if !standsGiven(s, start) {
		return 0, 0, false
	}
	return unsigned(s, start, end)
}

// sameHints say that a password is the one of before, in lower case.
var sameHints = phrasesOf("same as,same one,the usual,as always,as before,as usual,as ever,wie immer,wie gehabt," +
	"wie üblich," +
	"dasselbe,das gleiche,derselbe,comme d'hab,comme d’hab,toujours le même,le même,la même,de siempre,la misma," +
	"el mismo," +
	"de sempre,a mesma,o mesmo,la stessa,lo stesso,solita,zelfde,zoals altijd,detsamma,samma som,som vanligt," +
	"som alltid," +
	"to samo,ten sam,jak zawsze,takie samo,stejné,jako vždy,jako obvykle,her zamanki,aynısı,такой же,тот же," +
	"как всегда," +
	"как обычно,прежний,той самий,такий самий,як завжди,як зазвичай,như cũ,như mọi khi,نفسها,كالعادة,वही,老的,老样子,一样," +
	"原来的,以前的,同じ,いつもの,前と,그대로,같은,늘 쓰던,예전")

// triedBehind finds the value of "try the password value" and "the old password value no longer works".
func triedBehind(s string, n named) (start, end int, ok bool) {
	lex := words()
	if n.kind != password || n.script == dense || lex.names[lowered(n.text)] != password {
		return 0, 0, false
	}
	start = run(s, n.end, 2, isBlank)
	end = wordEnd(s, start)
	text := strings.TrimRight(s[start:end], ".,;:!?")
	low := lowered(text)
	if start == n.end || end == start || !isSaid(text) || lex.about[low] || isParticiple(low) || types.Has(low) ||
		strings.ContainsAny(text, "(){}<>[]=/\\@\"") || isASCII(text) && isLetterless(text) ||
		adverbs.Has(low) || lex.is[low] ||
		lex.endings[low] || lex.stops[low] {
		return 0, 0, false
	}
	next := run(s, end, 2, isBlank)
	then := lowered(strings.TrimRight(s[next:wordEnd(s, next)], ".,;:!?"))
	for word := range wordsBefore(lineBefore(s, n.start), len(lineBefore(s, n.start)), 3) {
		before := lowered(lineBefore(s, n.start)[word.start:word.end])
		first, _ := utf8.DecodeRuneInString(text)
		bare := len(text) == end-start && next > end // nothing separates it from the word behind
		tries := tryWords.Has(before) && standsGiven(s, start)
		uses := usingWords.Has(before) && bare && unicode.IsUpper(first) && then != "" &&
			(lex.gaps[then] || len(then) < 4)
		works := oldWords.Has(before) && bare && (goesOnWorking.Has(then) || goesWrong.Has(then) && then != "is" &&
			then != "was" || lex.is[then] && low == text)
		if tries || uses || works {
			return start, start + len(text), true
		}
		if !determinerWords.Has(before) && !qualifiers.Has(before) {
			break
		}
	}
	return 0, 0, false
}

var (
	// tryWords stand before the name of a password that is tried.
	tryWords = pattern.SetOf(`try tried probier probiere versuch versuche essaie essaye essayez prueba probé
		intenta tenta
		prova provato probeer prova försök testa spróbuj próbuj próbowałem zkus zkuste zkoušel dene попробуй попробуйте
		спробуй спробуйте thử جرب`)
	// usingWords stand before the name of one that is used.
	usingWords = pattern.SetOf(`uso usa usamos use utilise utilisons uso usamos utilizo utilizamos gebruik
		gebruiken använder
		använd używam używamy używaj používám používáme использую используем використовую dùng`)
	// oldWords stand before the name of one that was changed.
	oldWords = pattern.SetOf(`old new alte neue altes neues ancien nouveau vieille antigua nueva anterior vieja
		antiga nova
		vecchia nuova oude nieuwe gamla nya stare nowe staré nové eski yeni старый новый прежний старий новий
		попередній`)
	// goesOnWorking are what a sentence goes on with behind it.
	goesOnWorking = pattern.SetOf(`geht funktioniert klappt gilt stimmt marche fonctionne funciona vale sirve
		entra funziona va
		werkt doet fungerar gäller działa funguje platí çalışmıyor çalışıyor работает подходит действует працює
		підходить
		діє nicht ne ya já non niet inte nie už не artık no stopped works expired still`)
)
