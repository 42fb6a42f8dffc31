package redact

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
	vocabulary "github.com/wm-lsp/wm-lsp/extract/tokens"
)

// A sentence that speaks of a credential is weighed word by word, whatever its construction and language. Two things
// count: how much a word looks like a value, and how closely the words beside it bind it. What looks like nothing else
// needs no bond; a word as any other needs one that leaves no doubt.

// A likeness is how much a word looks like the value of a credential.
type likeness int

const (
	// unlike is a word of the sentence, a name of code, a version, a path.
	unlike likeness = iota
	// plain is a word, or words with signs between them.
	plain
	// phrase is some words in quotes.
	phrase
	// rare is a word that people seldom write.
	rare
	// figures are four digits or more.
	figures
	// mixed has letters beside digits or signs, as few words have.
	mixed
	// made looks like nothing else.
	made
)

// A bond is how closely the words beside a word bind it to the credential.
type bond int

const (
	free bond = iota
	// weakly bound is what ends its clause, or what a preposition or an adverb precedes.
	weakly
	// bound is what a verb, a sign or a word that says what is done with it precedes or follows.
	bound
	// surely bound is what can be nothing but what the sentence says of the credential.
	surely
	// paired is what stands behind a login.
	paired
)

const never = paired + 1

// needed returns the bonds that a word needs, by the likeness of the word, and false for kinds that are not weighed.
// Keys are made by machines, and codes have digits.
func needed(kind secrecy) (needs [made + 1]bond, ok bool) {
	switch kind {
	case password:
		return [...]bond{never, surely, bound, bound, bound, weakly, free}, true
	case login:
		return [...]bond{never, paired, never, paired, surely, bound, bound}, true
	case access:
		return [...]bond{never, paired, never, surely, surely, bound, bound}, true
	case key:
		return [...]bond{never, never, never, never, never, bound, bound}, true
	case code:
		return [...]bond{never, never, never, never, bound, bound, bound}, true
	}
	return needs, false
}

// maxSentence bounds the words of a sentence that are weighed.
const maxSentence = 48

// A weighed is a word of a sentence: s[start:end] without quotes, brackets and the signs of the sentence.
type weighed struct {
	start, end int
	low        string
	before     string // the sign that stands directly before it, such as a quote
	behind     string // the signs that stand directly behind it
	name       bool   // it belongs to the name of a credential
	phrase     bool   // it is words in quotes
}

// weigh appends the words of the sentence around a name that are rather its value than words of the sentence.
func weigh(s string, n named, e *effort, found []span) []span {
	needs, ok := needed(n.kind)
	low := lowered(n.text)
	if !ok || low == "pass" || strings.HasPrefix(s[n.end:], "화") || strings.ContainsAny(low, "_.") ||
		isHumped(n.text) {
		return found
	}
	from, to := proseAround(s, n.start, n.end)
	if from == to || !e.tryWeigh(n, to) {
		return found
	}
	text := e.sentence[:0]
	for at := from; at < to && len(text) < maxSentence; {
		var w weighed
		w, at = nextWord(s, at, to)
		if w.start < w.end {
			w.name = w.start < n.end && w.end > n.start || !w.phrase && isName(w.low) &&
				!(hasDigit(w.low) && labelledToken.Match(w.low))
			text = append(text, w)
		}
	}
	e.sentence = text[:max(len(text), len(e.sentence))]
	if len(text) < 2 {
		return found
	}
	given := strings.Contains(s[from:to], markerOpen) // there is one word as any other in a sentence
	personal := isPersonal(text) && prefixOf(strings.TrimLeft(s[from:to], " \t"), "*", "//", "#", "--", `"`) == ""
	for i := range text {
		if needs[made] >= bound && hasDigit(text[i].low) && !isBound(s, text, i, n, made, bound) {
			continue // whatever it looks like, which takes longer to tell
		}
		form := e.formOf(s[text[i].start:text[i].end], text[i].low)
		like := likenessOf(s, text, i, n.kind, form)
		if like == unlike || (like == plain || like == phrase || like == rare && !isEnglishName(low)) && given &&
			!ofOther(text, i) {
			continue
		}
		need := needs[like]
		if like == rare && personal && isEnglishName(low) {
			need = weakly
		}
		if isBound(s, text, i, n, like, need) && (like != plain || !isOfSentence(s, text, i, form)) {
			value := span{text[i].start, text[i].end, assigned}
			found = append(found, value)
			given = given || !isDone(s, value)
		}
	}
	return found
}

// isPersonal reports whether somebody tells something in a sentence, rather than that it is a note about a program.
func isPersonal(text []weighed) bool {
	for _, w := range text {
		if persons.Has(w.low) {
			return true
		}
	}
	return false
}

// persons are words for those who tell something and those who are told.
var persons = pattern.SetOf(`i i'm i've i'd i'll my me our us we we're we've you you'll your he his him she her they
	their it's it’s that's please pls`)

// ofOther reports whether a word is what the old or the new credential is: "the old one was value".
func ofOther(text []weighed, i int) bool {
	j := i - 1
	for j > 0 && adverbs.Has(text[j].low) {
		j--
	}
	if j < 1 || !words().is[text[j].low] && text[j].low != "to" {
		return j == i-1 && j > 0 && otherOnes.Has(text[j].low) && strings.ContainsAny(text[j-1].behind, ",;")
	}
	return otherOnes.Has(text[j-1].low) || text[j-1].low == "one" && j > 1 && otherOnes.Has(text[j-2].low)
}

// otherOnes are the old and the new credential.
var otherOnes = pattern.SetOf(`
	old new previous current other second first former alte neue altes neues andere vorige vorherige ancien
	ancienne l'ancien l'ancienne l’ancien l’ancienne nouveau nouvelle autre antigua antiguo nueva nuevo vieja
	viejo anterior otra otro antiga antigo velha nova novo outra outro vecchia vecchio nuova nuovo altra oude
	nieuwe vorige andere gamla nya förra andra stare nowe stary nowy poprzednie poprzedni drugie staré nové
	starý nový předchozí druhé eski yeni önceki старый новый старая новая прежний второй старий новий попередній
	другий cũ mới القديمة الجديدة पुराना नया`)

// isHumped reports whether a name is one of code in which a capital follows a small letter.
func isHumped(name string) bool {
	for i := 1; i < len(name); i++ {
		if isLower(name[i-1]) && isUpper(name[i]) {
			return true
		}
	}
	return false
}

// isName reports whether a word names a credential: alone, or joined by hyphens with what it is for.
func isName(low string) bool {
	if words().names[low] != harmless {
		return true
	}
	for part := range strings.SplitSeq(low, "-") {
		if len(part) < len(low) && words().names[part] != harmless {
			return true
		}
	}
	return false
}

// proseAround returns the bounds of the sentences around s[start:end] on its line, none if the line is rather code.
func proseAround(s string, start, end int) (from, to int) {
	from, to = start-len(lineBefore(s, start)), lineEnd(s, end)
	if strings.IndexByte(s[from:to], ':') >= 0 {
		if i := strings.LastIndex(s[from:start], "://"); i >= 0 { // what stands behind an address
			from = wordEnd(s, from+i)
		}
		if i := strings.Index(s[min(end, to):to], "://"); i >= 0 {
			to = back(s, end+i, maxName, func(c byte) bool { return c > ' ' })
		}
	}
	if from > start || to < end {
		return 0, 0
	}
	line := s[from:to]
	if hasCodeSign(line) || strings.Contains(line, "()") || hasOption(line) {
		return 0, 0
	}
	return from, to
}

// codeSigns are signs that are in code and seldom in prose.
var codeSigns = [256]bool{'{': true, '}': true, '=': true, ';': true, '<': true, '>': true, '|': true, '\\': true}

// hasCodeSign reports whether a line has one of these, other than in a word that is jumbled.
func hasCodeSign(line string) bool {
	for i := 0; i < len(line); i++ {
		if !codeSigns[line[i]] {
			continue
		}
		end := i + 1
		for end < len(line) && line[end] > ' ' {
			end++
		}
		word := line[back(line, i, maxChosen, func(c byte) bool { return c > ' ' }):end]
		if !isJumbled(strings.Trim(word, "\"'`,.")) {
			return true
		}
		i = end - 1
	}
	return false
}

// bracketed has what brackets enclose.
var bracketed = pattern.New(`<.*>|\[.*\]|\{.*\}`)

// longestCase is the length of the longest run of letters of one case in a string.
func longestCase(text string) int {
	longest, same := 0, 0
	for i := range len(text) {
		switch c := text[i]; {
		case !isAlpha(c):
			same = 0
		case same > 0 && isLower(c) == isLower(text[i-1]):
			same++
		default:
			same = 1
		}
		longest = max(longest, same)
	}
	return longest
}

// isJumbled reports whether a word has one or two signs among letters of both cases or digits that form no words, as
// generators of passwords make them and no code has.
func isJumbled(text string) bool {
	if len(text) < 7 || len(text) > maxChosen || !isASCII(text) || suffixOf(text, "'s", "()") != "" ||
		bracketed.Match(text) {
		return false
	}
	signs, letters := 0, 0
	for i := range len(text) {
		switch c := text[i]; {
		case isAlpha(c):
			letters++
		case strings.IndexByte("./-_:|\\()", c) >= 0:
			return false
		case !isDigit(c):
			signs++
		}
	}
	return signs > 0 && signs < 3 && letters > 3 && longestCase(text) < 4 && (hasDigit(text) && caseChanges(text)+
		switches(text) > 2 || caseChanges(text) > 4 || caseChanges(text) > 2 && strings.IndexByte(text, ',') < 0)
}

// hasOption reports whether a line has the option of a command.
func hasOption(line string) bool {
	for at := 0; ; {
		i := strings.Index(line[at:], " -")
		if i < 0 {
			return false
		}
		at += i + len(" -")
		if at < len(line) && (isAlpha(line[at]) || line[at] == '-' && at+1 < len(line) && isAlpha(line[at+1])) {
			return true
		}
	}
}

// opensWord and closesWord are signs around a word that do not belong to it.
const (
	opensWord  = "\"'`([*„“”‘’«»‹›「」『』（【《¿¡:：,、，_"
	closesWord = "\"'`)]*“”’‘»«›‹」』）】》,.;:?。，、：；？…_"
)

// nextWord returns the word at at without the signs around it, and where the next one may start. Where scripts without
// blanks meet others, a word ends.
func nextWord(s string, at, to int) (w weighed, next int) {
	at = run(s, at, to, isBlank)
	at = min(at, to)
	if isDenseAt(s, at) {
		next = at
		for next < to && isDenseAt(s, next) {
			_, size := utf8.DecodeRuneInString(s[next:])
			next += size
		}
		return weighed{start: at, end: next, low: s[at:next]}, next
	}
	if w, next = quotedPhrase(s, at, to); next > 0 {
		return w, next
	}
	next = at
	for next < to && s[next] > ' ' && !isDenseAt(s, next) {
		_, size := utf8.DecodeRuneInString(s[next:])
		next += size
	}
	if next == at {
		return weighed{}, at + 1
	}
	text := s[at:next]
	core := strings.TrimLeft(text, opensWord)
	w.start = at + len(text) - len(core)
	w.before = text[:len(text)-len(core)]
	core = strings.TrimRight(core, closesWord)
	w.end = w.start + len(core)
	w.behind = s[w.end:next]
	w.low = lowered(core)
	return w, next
}

// quotedPhrase returns the words in quotes that start at at, as one word, and where the next one may start. next is 0
// if there are none.
func quotedPhrase(s string, at, to int) (w weighed, next int) {
	quote := quoteAt(s, at)
	closes := quote
	if quote == "" {
		quote = curlyQuote(s, at)
		closes = curlyQuotes.Get()[quote]
	}
	start := at + len(quote)
	if quote == "" || start >= to || quote[0] == '\\' || quote == "`" {
		return w, 0
	}
	line := s[start:min(to, start+maxName)]
	length := strings.IndexAny(line, closes)
	if length < minPhrase || strings.IndexByte(line[:length], ' ') < 0 || at > 0 && isAlnum(s[at-1]) {
		return w, 0
	}
	text := line[:length]
	if c := text[0]; c < utf8.RuneSelf && !isAlnum(c) || text[length-1] == ' ' {
		return w, 0
	}
	w.start, w.end = start, start+length
	_, size := utf8.DecodeRuneInString(line[length:])
	next = start + length + size
	for next < to && s[next] > ' ' && strings.IndexByte(closesWord, s[next]) >= 0 {
		next++
	}
	w.before, w.behind, w.low, w.phrase = s[at:w.start], s[w.end:next], lowered(text), true
	return w, next
}

// minPhrase is the length of the shortest phrase in quotes that may be a value, in bytes.
const minPhrase = 7

// likenessOf returns how much a word of a sentence looks like the value of a credential of a kind.
func likenessOf(s string, text []weighed, i int, kind secrecy, f *form) likeness {
	w := text[i]
	core := s[w.start:w.end]
	if w.name || len(core) < minSecret || len(core) > maxChosen || isDenseAt(s, w.start) {
		return unlike
	}
	if w.phrase {
		if kind == password && !isMessage(core) && !isProse(core) && !isUpper(core[0]) &&
			!strings.ContainsAny(core, "()[]{}<>=/\\;|:") {
			return phrase
		}
		return unlike
	}
	if f.isJumbled() && kind != login {
		return made
	}
	if kind == key && labelledToken.Match(core) {
		return mixed
	}
	if !f.mayBeValue() {
		return unlike
	}
	if i > 0 && (loginWords.Has(text[i-1].low) || words().as[text[i-1].low] &&
		text[i-1].low != "de" && (i < 2 || !text[i-2].name)) && !isOdd(core) {
		return unlike // who logs in
	}
	if kind == code && isGrouped(core) && digitsEachGroup(core) {
		return figures
	}
	if kind == key {
		if isRandom(core) && !camel.Match(core) && !(strings.IndexByte(core, '-') > 0 && isSlugOfHash(core)) &&
			len(core) != len("da39a3ee5e6b4b0d3255bfef95601890afd80709") {
			return mixed
		}
		if like := f.shape(); like >= mixed && switches(core) > 1 && !typeName.Match(core) &&
			strings.IndexByte(core, '-') < 0 {
			return mixed
		}
		return unlike
	}
	if i > 0 && text[i-1].name && isCompounded(w.low) || countDigits(core) == len(core) && i > 0 &&
		numberedThings.Has(text[i-1].low) {
		return unlike
	}
	like := f.shape()
	if like == plain && (kind == password || kind == access) && isRareValue(s, text, i, f) {
		return rare
	}
	return like
}

// isOfSentence reports whether a plain word is rather one of the sentence than a value. It takes longer than to ask
// what binds the word.
func isOfSentence(s string, text []weighed, i int, f *form) bool {
	return !f.isPlainValue() || i > 0 && sinceWords.Has(text[i-1].low) ||
		i > 0 && !englishIs.Has(text[i-1].low) && lowered(f.core) == f.core && !isForeignTo(s, text, i) &&
			f.isDescribed()
}

// isRareValue reports whether a word that people seldom write is none of a sentence about credentials. A participle of
// another language is seldom, too.
func isRareValue(s string, text []weighed, i int, f *form) bool {
	w := text[i]
	if !f.isRare() || !f.isPlainValue() || inList(s, w) || inCall(s, w.start) {
		return false
	}
	named := lastName(text, i)
	if named < 0 {
		named = nextName(text, i, maxSentence)
	}
	return named >= 0 && (isEnglishName(text[named].low) || isForeignTo(s, text, i) ||
		vocabulary.Count(" "+w.low) > 2 && !f.isDescribed())
}

// isEnglishName reports whether a word of a sentence is the name of a password in English.
func isEnglishName(low string) bool {
	return englishNames.Get()[strings.TrimSuffix(strings.TrimSuffix(low, "'s"), "’s")]
}

// inCall reports whether what stands at at is an argument of a call.
func inCall(s string, at int) bool {
	line := lineBefore(s, at)
	open := strings.LastIndexByte(line, '(')
	return open > 0 && isWord(line[open-1]) && strings.IndexByte(line[open:], ')') < 0
}

// camel is the name of a type or of a function of code, maybe with a number.
var camel = pattern.New(`(?-i)^(?:[a-z]{2,}|[A-Z]+[a-z]{2,})(?:[A-Z]+[a-z]{2,}){1,6}(?:\d{0,4}|\$\w+)$|` +
	`^[A-Z]{2,}(?:-[A-Z0-9]{2,})+$`)

// digitsEachGroup reports whether each group of a code has a digit, as names of things with hyphens have not.
func digitsEachGroup(text string) bool {
	for group := range strings.SplitSeq(text, "-") {
		if !hasDigit(group) {
			return false
		}
	}
	return true
}

// labelledToken is a token that begins with what it is and for which stage.
var labelledToken = pattern.New(`^(?:sk|pk|rk|tok|token|pat|key|api|secret|test|live|prod|staging|dev)[-_]` +
	`(?:live|test|prod|dev|staging|token|key|secret|api|bot)[-_][0-9a-z]*\d[0-9a-z]*$`)

// typeName is the name of a type with its size, or a colour.
var typeName = pattern.New(`(?-i)^_?[A-Z][a-z]+\d+[a-z]?$|^#[\da-fA-F]+$`)

// inList reports whether a word is one of the strings in quotes of a list of code.
func inList(s string, w weighed) bool {
	return w.before != "" && strings.ContainsAny(w.before, "\"'`") && (strings.Contains(w.behind, ",") ||
		strings.HasSuffix(strings.TrimRight(s[:w.start-len(w.before)], " "), ","))
}

// shapeOf returns how much a word looks like a value, by its form alone.
func shapeOf(core, low string) likeness {
	digits := countDigits(core)
	switch {
	case digits == len(core):
		if len(core) > 10 || len(core) == 4 && (core[:2] == "19" || core[:2] == "20") {
			return unlike
		}
		return figures
	case versioned.Match(core) || measured.Match(core) || isNumberWord(core) || ticket.Match(core) ||
		isDate.Match(core):
		return unlike
	case digits > 0:
		return numberedShape(core, low, digits)
	}
	bare := strings.TrimRight(core, "!")
	if len(bare) < len(core) && len(bare) > minSecret && isLetters(bare) {
		if words().idle[lowered(bare)] || words().about[lowered(bare)] {
			return unlike
		}
		return figures
	}
	if at := strings.IndexAny(bare[1:], "!#$%^&*~?@"); at >= 0 {
		if len(core) < 6 || bare[1+at] == '@' && strings.IndexByte(bare[at:], '.') > 0 || !isLetters(bare[:1]) {
			return unlike
		}
		return mixed
	}
	if len(bare) >= 8 && isLetters(bare) && isASCII(bare) && hasHump(bare) && isScrambled(bare) {
		return mixed // as no name of code is
	}
	if !isLetters(strings.Map(dropJoints, bare)) || isASCII(core) && hasHump(strings.Map(dropJoints, bare)) &&
		!isJoined.Match(bare) || len(bare) < minSecret {
		return unlike
	}
	if isJoined.Match(bare) && !roots.Has(low[:strings.IndexAny(low, "._")]) {
		return mixed
	}
	if strings.Contains(bare, ".") {
		return unlike
	}
	return plain
}

// numberedShape is shapeOf for a word with digits and something else.
func numberedShape(core, low string, digits int) likeness {
	if run(core, 0, len(core), func(c byte) bool { return isHex(c) || c == '-' }) == len(core) && len(core) >= 7 {
		return unlike // of a commit
	}
	if isChosenSlug(core) {
		return figures
	}
	base := strings.TrimRight(low, "0123456789-_.")
	if isProduct.Match(strings.ToUpper(low[:1])+low[1:]) || accounts.Has(base) || loginWords.Has(base) ||
		types.Has(base) || numberedNouns.Has(base) || words().names[base] != harmless || measures.Has(base) {
		return unlike
	}
	if isUpper(core[0]) && digits == 1 && run(core, 1, len(core), isLower) == len(core)-digits &&
		isDigit(core[len(core)-1]) {
		return figures // a product and its version, as often
	}
	if isChosen(core) || looksChosen(core) || isOdd(core) || isStrong(core) && mayBeChosen(core) && switches(core) > 2 {
		return made
	}
	letters := 0
	for _, r := range core {
		if unicode.IsLetter(r) || unicode.IsMark(r) {
			letters++
		}
	}
	switch {
	case letters == 0:
		return unlike
	case strings.ToUpper(core) == core && isASCII(core) && (letters < 4 || digits < 3 ||
		strings.IndexByte(core, '-') > 0):
		return unlike
	case strings.ContainsAny(core, "-_.") && isASCII(core) && lowered(core) == core && switches(core) < 3:
		if first := low[:strings.IndexAny(low, "-_.")]; strings.Count(core, "-")+strings.Count(core, "_") > 1 ||
			len(first) < 5 || products.Has(first) || numberedNouns.Has(first) || strings.IndexByte(core, '.') >= 0 {
			return plain // names of hosts and of files
		}
		return figures
	case letters >= 4 || switches(core) > 1 && letters+digits > 5:
		return mixed
	}
	return unlike
}

// format is what a program fills in.
var format = pattern.New(`%[%\d.]*[a-z]|%0A|%%`)

// ticket is the number of an issue or of a rule.
var ticket = pattern.New(`(?-i)^#?[A-Z]{1,12}[-#]?\d+(?:-\d+)?[a-z]?$|^[A-Za-z]+v\d+$`)

// numberedNouns have numbers behind them that are no values.
var numberedNouns = pattern.SetOf(`step page line test case item issue ticket task phase part chapter section table
	figure row column node host server client worker pod cluster port slot disk drive room floor level day week month
	year quarter sprint build release version rev draft example sample field param arg option variant group team
	tenant device phone laptop machine vm box site stage region zone shard replica queue topic job run attempt round
	python java node ruby perl php go rust swift kotlin http https ipv sha utf base win windows ubuntu debian macos ios
	android chrome firefox angular vue react django flask rails spring postgres mysql redis mongo oauth saml ldap ntlm
	argon bcrypt scrypt pbkdf ed rsa aes des tls ssl wpa curve type mode rule vector matrix int uint float column eth
	wlan lan vlan usb hdmi area office building`)

// dropJoints is for strings.Map: it drops what joins words.
func dropJoints(r rune) rune {
	if r == '-' || r == '_' || r == '.' {
		return -1
	}
	return r
}

// isLetters reports whether a string is letters.
func isLetters(text string) bool {
	for _, r := range text {
		if !unicode.IsLetter(r) && !unicode.IsMark(r) {
			return false
		}
	}
	return text != ""
}

// isPlainValue reports whether a word as any other may be a value: it is none of the words that a sentence about a
// credential is made of.
func isPlainValue(core, low string) bool {
	lex := words()
	return isSaid(core) && !lex.about[low] && !adverbs.Has(low) && !lex.is[low] && !lex.to[low] && !lex.as[low] &&
		!lex.stops[low] && !lex.endings[low] && !lex.post[low] && !types.Has(low) && !accounts.Has(low) &&
		!loginWords.Has(low) && !determinerWords.Has(low) && !pronouns.Has(low) && !measures.Has(low) &&
		!demands.Has(low) && !messageWords.Has(low) && !lex.about[strings.TrimSuffix(low, "s")] &&
		!hedges.Has(low) && !products.Has(low) && !isParticiple(low) &&
		!(strings.HasSuffix(low, "ly") && len(low) > len("family"))
}

// hedges may stand behind a value that somebody remembers.
var hedges = pattern.SetOf(`i glaube denk denke mein je crois pense creo acho credo penso dacht tror myślę chyba myslím
	вроде кажется думаю здається nghĩ ведь maybe perhaps vielleicht wohl however though therefore indeed jedoch
	allerdings toutefois cependant obstante embargo porém però echter dock jednak však однако проте`)

// instrumentPosts stand behind what something is done with.
var instrumentPosts = pattern.SetOf(`ile से 로 olduğunu yaptım yaptık रखा रखी`)

// plurals are verbs of which a login and a password are the subject.
var plurals = pattern.SetOf(`sind waren sont étaient son eran são eram sono erano zijn är są jsou были`)

// sinceWords stand between a verb and a value, with a word that says since when.
var sinceWords = pattern.SetOf(`since seit depuis desde dal sinds sedan od с з từ منذ`)

// isBehindLogin reports whether a word stands behind the name of who logs in, and a word that joins both.
func isBehindLogin(s string, text []weighed, i, j int) bool {
	p := text[j]
	if isDenseAt(s, p.start) {
		return j > 0 && suffixOf(p.low, "和", "跟", "と", "랑", "와", "과", "하고") != "" && !isDenseAt(s, text[j-1].start)
	}
	if !ands.Has(p.low) || s[p.start] == 'I' || j < 1 {
		return false
	}
	return j > 1 && (withs.Has(text[j-2].low) || asUser.Has(text[j-2].low) ||
		loginWords.Has(text[j-2].low) || text[j-2].low == "are" ||
		strings.HasSuffix(text[j-2].behind, ":")) || i+1 < len(text) && instrumentPosts.Has(text[i+1].low)
}

// englishIs are the verbs of English before a value.
var englishIs = pattern.SetOf(`is was it's`)

// passives are verbs that say what is done with a credential.
var passives = pattern.SetOf(`wird wurde wordt werd blir blev będzie bude будет буде been`)

// described are the endings of adjectives and participles of the languages that put a verb before them.
var described = pattern.New(`^(?:ge|ver|be|ent|er|zer|un|ab|an|aus|ein|zurück|ont|op|in)\pL+(?:t|en|d|ig|lich)$|` +
	`(?:ad|id|at|it|ut|os|iv|az|ic)[oa]s?$|ée?s?$|(?:ble|nte|il)s?$|(?:an|ян|en|ён|ен|ан|ин|т|н)[oaeyáéýáoаоыеу]$|` +
	`(?:ый|ий|ая|ое|ой|ым|им|ть|ся)$|(?:ad|at)$`)

// numberedThings stand before the number of something in a string about programs.
var numberedThings = pattern.SetOf(`closes fixes bug bugs issue issues pr ticket line lines port page id pid uid gid
	size commit revision version chapter section rfc bytes count total`)

// isForeignTo reports whether a word in ASCII stands in a sentence of another script.
func isForeignTo(s string, text []weighed, i int) bool {
	named := lastName(text, i)
	if named < 0 || !isASCII(text[i].low) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(s[text[named].start:])
	return r >= 'Ͱ' && !unicode.Is(unicode.Latin, r)
}

// products are names of programs that have passwords.
var products = pattern.SetOf(`redis postgres postgresql mysql mariadb mongodb mongo nginx apache kafka rabbitmq vault
	jenkins gitlab github bitbucket docker podman kubernetes grafana prometheus kibana elastic elasticsearch keycloak
	ldap kerberos wifi ssh sftp ftp smtp imap vpn nas luks bios uefi windows linux macos android ubuntu debian nextcloud
	wordpress jira confluence slack discord telegram zabbix portainer proxmox esxi vcenter minio nexus sonar
	sonarqube airflow superset metabase backend frontend staging production prod dev test docker-compose compose env
	root sudo admin cache database server router gateway switch firewall proxy mail email github gitea vaultwarden
	bitwarden keepass keychain google apple microsoft azure aws gcp okta oauth sso saml`)

// agents stand behind a value before who set it.
var agents = pattern.SetOf(`by durch par por da door av przez`)

// both may stand between a verb and a value that is that of a login as well.
var both = pattern.SetOf(`both beide beiden deux dos dois entrambi allebei båda oba oboje обa оба обидва одинаковые
	los les las os le`)

// A place is a word of a sentence in which the name of a credential stands.
type place struct {
	s    string
	text []weighed
	i    int // the number of the word
	n    named
	// name is the number of the last word before it that names a credential, -1 if there is none.
	name int
	// ends is whether a clause ends behind it.
	ends bool
	// like is how much it looks like a value.
	like likeness
}

// isBound reports whether the words beside a word bind it so closely to the name of a credential.
func isBound(s string, text []weighed, i int, n named, like likeness, need bond) bool {
	p := place{s: s, text: text, i: i, n: n, ends: endsWeighed(s, text, i), like: like}
	if need == never || need == paired && !p.mayBePaired() { // most words as any other
		return false
	}
	p.name = lastName(text, i)
	return max(p.around(), p.behind()) >= need || i > 0 && p.before() >= need
}

// mayBePaired reports whether what stands behind a login at the place would be paired with it.
func (p place) mayBePaired() bool {
	return p.i > 0 && (p.ends || instrumentPosts.Has(p.next().low) || isDenseAt(p.s, p.text[p.i].end))
}

// sure is surely where a clause ends, else bound.
func (p place) sure() bond {
	if p.ends {
		return surely
	}
	return bound
}

// next returns the word behind the place, an empty one at the end.
func (p place) next() weighed {
	if p.i+1 < len(p.text) {
		return p.text[p.i+1]
	}
	return weighed{}
}

// around is the bond by quotes, by brackets behind a name, and by the end of a clause.
func (p place) around() bond {
	w := p.text[p.i]
	switch {
	case strings.HasSuffix(w.before, "(") && strings.HasPrefix(w.behind, ")") && p.name >= 0 &&
		(p.name == p.i-1 || p.n.kind == key):
		if isForeignTo(p.s, p.text, p.i) || goesOnWorking.Has(p.next().low) {
			return surely
		}
		for k := max(0, p.name-4); k < p.name; k++ {
			if determinerWords.Has(p.text[k].low) {
				return surely
			}
		}
		return bound
	case strings.ContainsAny(w.before, "\"'`“„«‘「『‚”»") && strings.ContainsAny(w.behind, "\"'`”“»’」』«") &&
		p.like != phrase && (p.like != rare || p.name >= 0 && p.i-p.name < 3 || nextName(p.text, p.i+1, 4) > 0):
		if p.name >= 0 && p.name == p.i-1 && (goesWrong.Has(p.next().low) || goesOnWorking.Has(p.next().low) ||
			p.ends && p.n.script == spaced && !isEnglishName(lowered(p.n.text))) {
			return surely
		}
		return bound
	case p.like == phrase && p.name >= 0 && p.name == p.i-1 && p.ends:
		return bound
	case p.ends && (p.i == 0 || p.like != rare || !englishArticles.Has(p.text[p.i-1].low)):
		return weakly
	}
	return free
}

// behind is the bond by the words that follow.
func (p place) behind() bond {
	lex, q := words(), p.next()
	switch name := nextName(p.text, p.i+2, 4); {
	case q.low == "":
	case q.name && (p.hasRole() && (p.i == 0 || endsWeighed(p.s, p.text, p.i-1)) || p.i == 0 &&
		lex.post[p.after(lastOfName(p.text, p.i+1))] && lastOfName(p.text, p.i+1)+2 == len(p.text)):
		return surely
	case q.name && p.n.script != identifier: // in languages in which the name follows
		return weakly
	case p.i == 0 && lex.is[q.low] && p.i+2 < len(p.text) && p.text[p.i+2].low == "what" &&
		nextName(p.text, p.i+3, 12) > 0: // value is what it asks for as the password
		return surely
	case goesWrong.Has(q.low) && p.i+2 < len(p.text) && prefixOf(p.text[p.i+2].low, "work") != "" &&
		nextName(p.text, p.i+3, 6) > 0: // value did not work as the password
		return bound
	case p.name >= 0 && p.i-p.name < 4 && (working.Has(q.low) || p.i+2 < len(p.text) && q.low == "still" &&
		working.Has(p.text[p.i+2].low)):
		return bound
	case p.like == rare && name > 0 && hasComma(p.text[p.i+1:name]):
		return free
	case lex.is[q.low] && name > 0 && !adverbs.Has(q.low) && (q.low != "to" || isPolish(p.n)) &&
		p.n.kind != access: // value is the password
		if (p.i == 0 || endsWeighed(p.s, p.text, p.i-1)) && (determinerWords.Has(p.text[name-1].low) ||
			determinerWords.Has(p.text[name-2].low)) && (endsWeighed(p.s, p.text, name) || name-p.i < 4) ||
			p.i == 0 && name < p.i+4 && !isEnglishName(lowered(p.n.text)) &&
				endsWeighed(p.s, p.text, lastOfName(p.text, name)) {
			return surely
		}
		return bound
	case determinerWords.Has(q.low) && name == p.i+2 && p.i > 0 && itIs.Has(p.text[p.i-1].low) &&
		endsWeighed(p.s, p.text, lastOfName(p.text, name)): // it is value, the password
		return surely
	case p.i > 0 && typedNext.Has(q.low) && p.name >= 0 && p.i-p.name < 5 && (p.text[p.i-1].name ||
		typedFor.Has(p.text[p.i-1].low)):
		return surely
	case q.low == "को" && name == p.i+2:
		return surely
	case p.n.start > q.start && p.n.start < q.end &&
		suffixOf(p.s[q.start:p.n.start], attachedAs...) == p.s[q.start:p.n.start]: // in Arabic
		return surely
	case lex.as[q.low] && q.low != "de" && name > 0 && name < p.i+5: // value as the password
		if p.i > 0 && (startsAny(p.text[p.i-1].low, users.All()) || accepting.Has(p.text[p.i-1].low)) {
			return surely
		}
		return bound
	case p.i > 0 && p.text[p.i-1].name && (instrumentPosts.Has(q.low) || lex.is[q.low] && !passives.Has(q.low) &&
		endsWeighed(p.s, p.text, p.i+1) && p.text[p.i-1].low != "password"): // the verb ends the clause
		return surely
	case instrumentPosts.Has(q.low),
		isDenseAt(p.s, q.start) && prefixOf(q.low, "で", "로", "으로", "登", "进", "進", "来") != "":
		return bound
	}
	return free
}

// namedLast reports whether nothing but the name of the credential stands behind the place.
func (p place) namedLast() bool {
	next := p.i + 1
	if determinerWords.Has(p.next().low) {
		next++
	}
	return next < len(p.text) && p.text[next].name && lastOfName(p.text, next)+1 == len(p.text)
}

// hasRole reports whether the name behind the place says as what the word is used: with "as" of Turkish and a verb, or
// with that of Hindi.
func (p place) hasRole() bool {
	role := lastOfName(p.text, p.i+1) + 1
	return p.after(role-1) == "के" || p.after(role-1) == "olarak" && typedNext.Has(p.after(role))
}

// after returns the word behind the one with number i.
func (p place) after(i int) string {
	if i+1 < len(p.text) {
		return p.text[i+1].low
	}
	return ""
}

// lastOfName returns the number of the last word of the name that has the word with number i.
func lastOfName(text []weighed, i int) int {
	for i+1 < len(text) && text[i+1].name {
		i++
	}
	return i
}

var (
	// typedNext are verbs behind what is typed, in languages that put them last, and typedFor stand before it.
	typedNext = pattern.SetOf(`yaz yazın yazınız gir girin giriniz kullan kullanın kullanınız डालें डालो डालना
	लिखें लिखो दर्ज का`)
	typedFor = pattern.SetOf(`olarak sorunca sorarsa sorduğunda isterse isteyince istediğinde yerine için में रूप पूछे`)
	// itIs stand before a value that is followed by its name.
	itIs = pattern.SetOf(`c'est c’est è`)
)

// hasComma reports whether a sign that ends a clause stands behind one of the words.
func hasComma(words []weighed) bool {
	for _, w := range words {
		if strings.ContainsAny(w.behind, ",.;:!?") {
			return true
		}
	}
	return false
}

// before is the bond by the words that precede.
func (p place) before() bond {
	text, i := p.text, p.i
	last := text[i-1]
	if strings.ContainsAny(last.behind, ":：?？") || strings.HasPrefix(text[i].before, ":") {
		return p.answers()
	}
	if p.isApposition() {
		return surely
	}
	if (p.like == rare || p.like == plain) && isEnglishName(lowered(p.n.text)) && englishArticles.Has(last.low) {
		return free // it was the culprit
	}
	j := p.leader()
	w, first := text[j], j
	for first > 0 && w.name && text[first-1].name { // a name of several words
		first--
	}
	switch {
	case (p.isStated(j) || otherOnes.Has(w.low)) && ofOther(text, i):
		return p.sure()
	case p.isStated(j):
		return p.stated(j)
	case p.isReplacement(j), w.name && p.n.kind == password && p.leads(j):
		return bound
	case isBehindLogin(p.s, text, i, j):
		if p.mayBePaired() {
			return paired
		}
		return bound
	case p.isChange(j):
		return p.changed(j)
	case withs.Has(w.low) && (p.n.kind == login || p.n.kind == access), mineIs.Has(w.low):
		return p.sure()
	case p.isTyped(w), w.name && completing.Has(p.next().low) && typing.Has(text[0].low):
		return surely
	case typing.Has(w.low), startsAny(w.low, users.All()) && len(w.low) > 2 && w.behind == "":
		return bound
	case p.name >= 0 && !isASCII(text[p.name].low) && p.ends && i-p.name < 5 && isSubject(text, p.name, i):
		return p.behindForeignName(w)
	case w.name && p.ends && p.isUsedAs(first):
		return surely
	case w.name && p.ends && (p.like != rare || p.opens(j)):
		return bound
	case isDenseAt(p.s, last.start) && suffixOf(last.low, particles...) != "":
		return bound
	case w.name, withs.Has(w.low), adverbs.Has(last.low), words().gaps[last.low], determinerWords.Has(last.low),
		isDenseAt(p.s, last.start):
		return weakly
	}
	return free
}

// leader returns the number of the word before the place that decides what stands there: adverbs, and "since then"
// and the like, are skipped.
func (p place) leader() int {
	text, j := p.text, p.i-1
	for j > 0 && (adverbs.Has(text[j].low) || both.Has(text[j].low) || spelled.Has(text[j].low)) &&
		!strings.ContainsAny(text[j].behind, ":?") {
		j--
	}
	if j > 1 && sinceWords.Has(text[j-1].low) {
		j -= 2
	}
	return j
}

// isApposition reports whether the value stands between commas behind its name in a sentence that says what becomes of
// it: the password, value, does not work.
func (p place) isApposition() bool {
	text, i := p.text, p.i
	return strings.Contains(text[i-1].behind, ",") && strings.Contains(text[i].behind, ",") &&
		p.name >= 0 && i-p.name < 6 && (tellings.in(p.s[text[0].start:text[i].start]) ||
		goesWrong.Has(p.next().low) || goesOnWorking.Has(p.next().low))
}

// isReplacement reports whether the word with number j puts the value in the place of another one: it should be value,
// instead of value, the word value, either value or value.
func (p place) isReplacement(j int) bool {
	text, low := p.text, p.text[j].low
	switch {
	case low == "be" && j > 0 && obliging.Has(text[j-1].low), low == "of" && j > 0 && text[j-1].low == "instead",
		termWords.Has(low) && p.name >= 0 && p.i-p.name < 5:
		return true
	}
	return p.like == rare && (alternatives.Has(low) ||
		low == "or" && j > 0 && isRare(p.s[text[j-1].start:text[j-1].end]))
}

// isChange reports whether the word with number j says from what or to what something changes.
func (p place) isChange(j int) bool {
	lex, text, low := words(), p.text, p.text[j].low
	return (lex.to[low] || froms.Has(low)) && (speaksOfChange(text) || j > 0 && lex.is[text[j-1].low]) &&
		(p.like != rare || !froms.Has(low) && (j < 1 || !remote.Has(text[j-1].low)) || lex.to[p.next().low])
}

// changed is the bond of what stands behind such a word.
func (p place) changed(j int) bond {
	lex, text, i, low := words(), p.text, p.i, p.text[j].low
	switch {
	case p.name < 0 && lex.to[low] && p.namedLast(): // it changed to value, the password
		return surely
	case agents.Has(p.next().low), p.name == i-2 && lex.post[p.next().low],
		p.ends && i > 2 && froms.Has(text[i-3].low) && lex.to[low] && p.name == i-4:
		return surely
	}
	return bound
}

// isTyped reports whether the word before the value is a verb of typing, and the name of what asks for the value
// follows: type value when it asks for the password.
func (p place) isTyped(verb weighed) bool {
	next := p.next().low
	return typing.Has(verb.low) && (strings.HasSuffix(p.text[p.i].behind, ",") || whens.Has(next) ||
		completing.Has(next)) && nextName(p.text, p.i+1, 12) > 0
}

// behindForeignName is the bond of the end of a clause whose subject is a name that is not English, behind the word w.
func (p place) behindForeignName(w weighed) bond {
	text, i := p.text, p.i
	if isForeignTo(p.s, text, i) && !isDenseAt(p.s, text[p.name].start) && !words().gaps[w.low] ||
		p.name == i-1 && i > 1 && strings.HasSuffix(text[i-2].behind, ",") &&
			accountNamed(p.s[text[0].start:text[i-1].start]) {
		return surely
	}
	return bound
}

// isUsedAs reports whether the name of a password, whose first word has the number first, says as what the value is
// used: as the password value; with name and the password value.
func (p place) isUsedAs(first int) bool {
	if first == 0 || p.n.kind != password {
		return false
	}
	low := p.text[first-1].low
	return words().as[low] && !alsoOf.Has(low) || withs.Has(low) && !isEnglishName(lowered(p.n.text)) ||
		first > 2 && accessesAccount(p.text[:first])
}

// englishArticles stand before a noun, and before no value.
var englishArticles = pattern.SetOf(`the a an`)

// opens reports whether the name with the number j begins its sentence, or what it is for or whose stands before it.
func (p place) opens(j int) bool {
	if j == 0 || !isEnglishName(p.text[j].low) || p.i+1 == len(p.text) && len(p.text) < 4 &&
		!words().gaps[p.text[j-1].low] {
		return true
	}
	before := p.text[j-1]
	return before.name || strings.ContainsAny(before.behind, ",.:;—–") || determinerWords.Has(before.low) ||
		qualifiers.Has(before.low) || products.Has(before.low) || accounts.Has(before.low)
}

// leads reports whether the name of a password has its value directly behind it, rather than a noun that makes it
// the name of something else: behind a verb or a preposition, or with an article.
func (p place) leads(j int) bool {
	if j < 1 || j != p.i-1 || p.text[j].behind != "" || !isEnglishName(p.text[j].low) {
		return false
	}
	low := p.text[j-1].low
	return withs.Has(low) || tryWords.Has(low) || determinerWords.Has(low) && p.next().low != "" &&
		!p.next().name && (words().endings[p.next().low] || words().stops[p.next().low] || working.Has(p.next().low))
}

var (
	// alternatives stand before one of several values.
	alternatives = pattern.SetOf(`either neither nor entweder weder`)
	// obliging stand before "be" and a value.
	obliging = pattern.SetOf(`to should must will would shall might could may now probably also`)
	// termWords stand between a verb and the word that is said to be a password.
	termWords = pattern.SetOf(`word string phrase wort mot palabra palavra parola woord ord słowo slovo слово kelime`)
	// remote stand before "to" where it tells no value.
	remote = pattern.SetOf(`prior due according thanks similar related connected back up down on`)
	// spelled say how a value is written.
	spelled = pattern.SetOf(`all lowercase uppercase lower upper case caps small capital letters klein
		großgeschrieben kleingeschrieben minuscules minúsculas minuscole`)
	// working say that a value is the right one.
	working = pattern.SetOf(`worked works opens opened opens fits fitted unlocks unlocked`)
)

// answers is the bond of what stands behind a colon or a question.
func (p place) answers() bond {
	switch {
	case p.name < 0:
		return weakly
	case strings.ContainsAny(p.text[p.i-1].behind, "?？") && !p.ends && p.like == rare:
		return weakly
	case p.i+1 == len(p.text) && nextName(p.text, 0, 1) == 0 && p.i < 5 && p.n.kind == password &&
		!englishNames.Get()[lowered(p.n.text)]: // a label
		return surely
	case p.i-p.name < 4 && strings.ContainsAny(p.text[p.i-1].behind, "?？") && (p.i+1 == len(p.text) ||
		hedges.Has(p.next().low)):
		return surely
	}
	return bound
}

// alsoOf are words of "as" with other meanings before the name of a password.
var alsoOf = pattern.SetOf(`for de pour`)

// accessesAccount reports whether words end in a word that joins who logs in with the name of the password.
func accessesAccount(text []weighed) bool {
	k := len(text) - 1
	if determinerWords.Has(text[k].low) {
		k--
	}
	return k > 1 && ands.Has(text[k].low) && (withs.Has(text[k-2].low) || asUser.Has(text[k-2].low))
}

// isStated reports whether the word with number j is a verb or a sign before what something is.
func (p place) isStated(j int) bool {
	switch low := p.text[j].low; low {
	case "to":
		return isPolish(p.n)
	case "es":
		return prefixOf(lowered(p.n.text), "passw", "kennw", "zugang") == "" // it, in German
	default:
		return words().is[low] || plurals.Has(low) || arrows.Has(low)
	}
}

// stated is the bond of what stands behind such a word.
func (p place) stated(j int) bond {
	text := p.text
	name := lastName(text, j+1)
	switch {
	case name < 0:
		return weakly
	case arrows.Has(text[j].low) && p.i+1 < len(text), p.n.kind == login || p.n.kind == access:
		return bound
	case isSubject(text, name, j), again.Has(text[j].low), j > 0 && again.Has(text[j-1].low):
		return p.sure()
	}
	return bound
}

// isPolish reports whether a name is one of Polish, where "to" stands before what something is.
func isPolish(n named) bool {
	return prefixOf(lowered(n.text), "has", "klucz", "kod", "fraz", "dan") != ""
}

// negations stand where a sentence says what a credential is not.
var negations = pattern.SetOf(`not no nicht kein ne n'est pas non não nie niet inte не ні нет není değil không ليست ليس
	never nunca jamais isn't`)

// again begin a later clause that gives the value: "it's value".
var again = pattern.SetOf(`det het ez to это це it's it’s it c'est c’est es er jetzt ahora ora agora nu
	nun teraz teď теперь тепер зараз
	artık giờ الآن والآن अब that's thats`)

// accepting stand before a value that is used as a credential, beside the beginnings of users.
var accepting = pattern.SetOf(`accept accepts accepted reject rejects rejected want wants like likes reuse reuses take
	takes took accepte acepta aceita accetta accepteert accepterar akceptuje přijme принимает приймає plus más mais più
	nehmen prendre`)

// isSubject reports whether nothing but what goes with a name stands between it and the verb at j.
func isSubject(text []weighed, name, j int) bool {
	if j-name > 7 {
		return false
	}
	if j > name+1 && !words().gaps[text[name+1].low] && !adverbs.Has(text[name+1].low) &&
		(j > name+4 || !mayGovern(text[name].low)) {
		return false // the password field is
	}
	for k := name; k < j; k++ {
		if negations.Has(text[k].low) {
			return false
		}
		if strings.ContainsAny(text[k].behind, ",.;!?") || k > name && (words().stops[text[k].low] &&
			len(text[k].low) > len("ve") &&
			!words().gaps[text[k-1].low] || words().is[text[k].low]) {
			return false
		}
	}
	return true
}

// mayGovern reports whether the name of a credential may have a noun behind it that says whose or what for, without a
// preposition.
func mayGovern(low string) bool {
	r, _ := utf8.DecodeRuneInString(low)
	return r >= 'Ͱ' && !unicode.Is(unicode.Latin, r) || prefixOf(low, "has", "hes", "mật", "khẩu") != ""
}

// speaksOfChange reports whether a sentence says that something changes.
func speaksOfChange(text []weighed) bool {
	for _, w := range text {
		if words().isVerb(w.low) {
			return true
		}
	}
	return false
}

// nextName returns the number of the first word from i on that belongs to a name, of so many, -1 if there is none.
func nextName(text []weighed, i, count int) int {
	for k := i; k < len(text) && k < i+count; k++ {
		if text[k].name {
			return k
		}
	}
	return -1
}

// lastName returns the number of the last word before i that belongs to a name, -1 if there is none.
func lastName(text []weighed, i int) int {
	for k := i - 1; k >= 0; k-- {
		if text[k].name {
			return k
		}
	}
	return -1
}

// endsWeighed reports whether a clause ends behind a word.
func endsWeighed(s string, text []weighed, i int) bool {
	w := text[i]
	if i+1 == len(text) || strings.ContainsAny(w.behind, ".,;:!?)。，、；：？）") {
		return true
	}
	q := text[i+1]
	if isDenseAt(s, q.start) {
		return !isDenseAt(s, w.start)
	}
	return strings.ContainsAny(q.before, "(") || words().endings[q.low] || words().post[q.low] || hedges.Has(q.low) ||
		adverbs.Has(q.low) && !determinerWords.Has(q.low) || completing.Has(q.low) || arrows.Has(q.low) ||
		changesNext(s, w.end)
}

// accesses are words, or parts of words that start as few others do, with which a sentence says that somebody gets
// into something.
var accesses = pattern.Words("log in|logs in|logged in|login|sign in|signs in|signed in|get in|gets in|" +
	"got in|let me in|" +
	"lets you in|let you in|lets you through|prompts you|unlocks with|unlock it with|unlocked with|" +
	"logg dich |logge dich |meld je |acesse |acessar |oturum aç|entsperr|déverrouill|" +
	"desbloque|sblocc|ontgrendel|разблок|ccount|anmeld|einlogg|melde dich|meld dich|reinkomm|kommt |konto|" +
	"nnecte|mpte |ntrer |" +
	"ntrar |ntra co|ntre co|ccede|uenta|onta |ccedi|inlogg|aanmeld|logga in|loggar in|zalog|loguj|" +
	"přihlas|přihlás|зайди|зайти|войди|войти|заходи|учётк|увійд|зайт|giriş|đăng nhập|tài khoản|تسجيل|سجل |حساب|लॉगिन|" +
	"लॉग इन|登录|登錄|登入|账号|帳號|ログイン|アカウント|로그인|계정")

// accessRules are the rules of accesses.
func accessRules() []nameRule {
	all := make([]nameRule, 0, len(accesses.All()))
	for _, word := range accesses.All() {
		all = append(all, nameRule{foldASCII(word), access, accessAt})
	}
	return all
}

// accessAt returns the word s[from:to] of getting into something as a name.
func accessAt(s string, from, to int, kind secrecy) (named, bool) {
	word := s[from:to]
	if strings.Contains(word, " in") && isASCII(word) && to < len(s) && isAlpha(s[to]) &&
		!hasPrefixFold(s[to:], "to ") || equalFoldASCII(word, "nnecte") && byteAt(s, to) == 'd' {
		return named{}, false // signed integers, connected
	}
	return named{start: from, end: to, text: word, kind: kind, script: spaced}, true
}

// firstPart returns what stands before the first hyphen of a name, in lower case.
func firstPart(name string) string {
	part, _, _ := strings.Cut(name, "-")
	return lowered(part)
}
