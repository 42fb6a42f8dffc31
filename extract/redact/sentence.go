package redact

import (
	"strings"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/once"
	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// maxWords is how many words may stand between a name and its value.
const maxWords = 8

// said returns where the value starts in a sentence such as "password for this and that
// is value", "password was changed to value" and "password value".
func said(s string, n named) (value int, sep string) {
	behind, first := behindRemark(s, n.end)
	if first == behind || first >= len(s) {
		return n.end, ""
	}
	if value = saidAtOnce(s, n, first); value > 0 {
		return value, "is"
	}
	t := sentence{s: s, n: n, lex: words(), first: first, at: first}
	for t.i = range maxWords {
		if !t.word() {
			break
		}
		if value, sep, more := t.read(); !more {
			return value, sep
		}
		t.at = t.next
	}
	return n.end, ""
}

// behindRemark returns where what is said about a name begins: behind a comma or a question mark, and behind a remark
// in parentheses. first is where its first word starts.
func behindRemark(s string, at int) (behind, first int) {
	behind = at
	if behind < len(s) && (s[behind] == ',' || s[behind] == '?') {
		behind++
	}
	first = run(s, behind, 8, isBlank)
	if first < len(s) && s[first] == '(' {
		if length := strings.IndexByte(s[first:min(len(s), first+64)], ')'); length > 0 {
			behind = first + length + 1
			first = run(s, behind, 8, isBlank)
		}
	}
	return behind, first
}

// saidAtOnce returns where a value starts that needs no verb before it, or 0. first is where the first word behind the
// name starts.
func saidAtOnce(s string, n named, first int) int {
	if value := behindGenitive(s, n, first); value > first {
		return value
	}
	if value := behindBareTo(s, n); value > 0 {
		return value
	}
	switch {
	case possessives.Has(lowered(n.text)) && standsGiven(s, first),
		completesNext(s, wordEnd(s, first)),
		n.kind == password && n.script == spaced && standsNumber(s, first),
		s[n.end] == '?' && n.kind == password && standsGiven(s, first): // it is answered at once
		return first
	}
	if word := wordEnd(s, first); n.kind == password && lasting.Has(lowered(s[first:word])) {
		if value := run(s, word, 2, isBlank); standsSeldom(s, value) || n.script != identifier &&
			standsGiven(s, value) && !englishNames.Get()[lowered(n.text)] {
			return value
		}
	}
	return 0
}

// behindBareTo returns where the value starts with which a line ends that begins with the name of a password in English
// and "to", as somebody notes what it was changed to, or 0.
func behindBareTo(s string, n named) int {
	const to = " to "
	if n.kind != password || n.script == dense || !strings.HasPrefix(s[n.end:], to) || !startsLine(s, n) ||
		!englishNames.Get()[lowered(n.text)] {
		return 0
	}
	value := n.end + len(to)
	end := wordEnd(s, value)
	if quoteAt(s, value) != "" {
		return value
	}
	word := lowered(strings.TrimRight(s[value:end], ".,;:!?"))
	if strings.TrimSpace(s[end:lineEnd(s, end)]) != "" || purposes.Has(word) || products.Has(word) ||
		!standsNumber(s, value) && !looksMade(word) && !standsGiven(s, value) {
		return 0
	}
	return value
}

// purposes are what a password is for, behind "to".
var purposes = pattern.SetOf(`access activate add allow apply approve ask assign attach authenticate authorize
	avoid become boot bypass call cancel change check clear close compare confirm connect continue copy create
	decode decrypt delete deploy disable display download edit enable encode encrypt ensure enter evaluate
	execute export extract fetch fill find follow force forget generate get give grant guess handle hash hide
	identify import include inject install keep launch load lock login logon mask match memorize migrate mount
	move obtain open override pass paste perform persist print proceed process protect prove provide publish
	push read rebuild receive recover redeem refresh register reject release remember remove rename renew
	replace request require reset resolve restore retrieve retry reuse reveal review revoke rotate save scan
	scrub seal secure select send serve set share show sign skip start stop store submit supply switch sync test
	transfer transform translate trim trust type unlock unseal unzip update upgrade upload use validate verify
	view wait work write zip`)

// lasting say that a password is what it was, without a verb: "pwd still value".
var lasting = pattern.SetOf(`still again now weiterhin noch wieder jetzt toujours encore maintenant siempre todavía
	ahora ainda sempre agora ancora adesso nog nu fortfarande alltid nadal wciąż teraz stále pořád teď пока ещё теперь
	досі зараз vẫn hâlâ hala şimdi`)

// standsSeldom reports whether a word that people seldom write stands at at as a value that a statement gives.
func standsSeldom(s string, at int) bool {
	end := wordEnd(s, at)
	return isRare(strings.TrimRight(s[at:end], ".,;:!?")) && isGiven(s, at, end)
}

// A sentence is what is said about a name, read word by word.
type sentence struct {
	s     string
	n     named
	lex   *lexicon
	first int // where the first word starts

	changed  bool // a verb of change was read
	relative bool // a clause goes on about the name
	free     bool // any word may stand here, as behind "for"
	between  bool // "and" belongs to what the name is for, as in "between a and b"

	i        int    // the number of the word
	at, next int    // where the word and the next one start
	raw      string // the word
	low      string // the word in lower case
	bare     string // low without a comma at its end
}

// word reads the word at t.at. It is false if there is none.
func (t *sentence) word() bool {
	end := wordEnd(t.s, t.at)
	t.raw = t.s[t.at:end]
	t.low = lowered(t.raw)
	t.bare = strings.TrimRight(t.low, ",")
	t.next = run(t.s, end, 8, isBlank)
	return end > t.at
}

// read applies the rules to the word, the first that fits. It returns the value and what stands before it, or that
// more words are to be read, which start at t.next.
func (t *sentence) read() (value int, sep string, more bool) {
	if value := t.behindRemarkAndColon(); value > 0 {
		return value, ":", false
	}
	if t.i == 0 && t.s[t.n.end] == ',' && !t.lex.is[t.low] {
		if !thats.Has(t.low) || !t.lex.is[lowered(t.following())] { // "that is"
			return t.n.end, "", false
		}
		return 0, "", true
	}
	if t.relative && t.lex.to[t.low] { // as in "that you use to log in"
		return t.n.end, "", false
	}
	switch {
	case t.isModal():
		return t.next + len("be "), "is", false
	case t.isOwnerInArabic():
		t.free = true
	case t.isValueBeforeVerb():
		return t.at, "is", false
	case t.isPurposeWithValue():
		return t.at + strings.IndexByte(t.raw, '=') + 1, "=", false
	case t.next >= len(t.s) || t.s[t.next] == '\n':
		if t.i == 0 {
			return t.first, " ", false
		}
		return t.n.end, "", false
	case t.isVerb():
		return t.readVerb()
	case t.isChangeTo():
		return t.next, "to", false
	case t.i == 0 && t.n.script == spaced && arrows.Has(lowered(t.following())) &&
		standsGiven(t.s, run(t.s, wordEnd(t.s, t.next), 2, isBlank)):
		return run(t.s, wordEnd(t.s, t.next), 2, isBlank), "is", false
	case t.isArrow():
		return t.next, "is", false
	case t.i == 0 && t.isBeforeCopula():
	case t.isBeforeColon():
		return t.next, ":", false
	case t.isBeforeLoneColon():
		return run(t.s, t.next+1, 8, isBlank), ":", false
	case t.lex.isVerb(t.low) || t.low == "back":
		t.changed = true
	case t.low == "=" && t.i > 0 && t.n.kind == password && standsLast(t.s, t.next):
		return t.next, "is", false
	case t.low == ":" || t.low == "=":
		return t.next, t.low, false
	case t.isRelative():
		t.free, t.relative = true, true
	case t.lex.gaps[t.low]:
		t.free, t.between = true, t.between || betweens.Has(t.low)
	case t.between && ands.Has(t.low):
		t.between = false
	case t.i == 0:
		return t.first, " ", false
	case t.isStrongValue():
		return t.at, "is", false
	case t.isBeforeCopula():
	case !t.free || strings.HasSuffix(t.low, ",") || strings.HasSuffix(t.low, ".") || t.lex.stops[t.low]:
		return t.n.end, "", false
	}
	return 0, "", true
}

// betweens stand before two things that share a secret.
var betweens = pattern.SetOf(`between zwischen entre tra fra tussen mellan między mezi между між`)

// following returns the next word.
func (t *sentence) following() string { return t.s[t.next:wordEnd(t.s, t.next)] }

// behindRemarkAndColon returns where the value starts behind a remark and a colon, as in "password for x (old): value",
// or 0.
func (t *sentence) behindRemarkAndColon() int {
	if t.i == 0 || t.next >= len(t.s) || t.s[t.next] != '(' {
		return 0
	}
	length := strings.IndexByte(t.s[t.next:min(len(t.s), t.next+64)], ')')
	if colon := t.next + length + 1; length > 0 && colon < len(t.s) && t.s[colon] == ':' {
		return run(t.s, colon+1, 8, isBlank)
	}
	return 0
}

// isModal reports whether "be" and a password follow a modal verb.
func (t *sentence) isModal() bool {
	value := t.next + len("be ")
	return modals.Has(t.low) && strings.HasPrefix(t.s[t.next:], "be ") && t.n.kind == password &&
		isGiven(t.s, value, wordEnd(t.s, value))
}

// isOwnerInArabic reports whether the first word says whose the name is, and a verb follows.
func (t *sentence) isOwnerInArabic() bool {
	return t.i == 0 && strings.HasPrefix(t.low, "ال") && t.lex.is[lowered(t.following())]
}

// isValueBeforeVerb reports whether the first word is the value, because a word follows that stands behind one.
func (t *sentence) isValueBeforeVerb() bool {
	return t.i == 0 && t.lex.post[lowered(strings.TrimRight(t.following(), ",.;!"))] && !t.lex.idle[t.bare] &&
		!t.lex.is[t.bare]
}

// isPurposeWithValue reports whether the word is what a password is for, "=" and the password.
func (t *sentence) isPurposeWithValue() bool {
	return t.i > 0 && t.free && t.n.kind == password && assignsNext(t.raw)
}

// isVerb reports whether the word is a verb such as "is", also with a colon, and not "to" of Polish behind a name of
// another language.
func (t *sentence) isVerb() bool {
	if !t.lex.is[t.low] && !(strings.HasSuffix(t.low, ":") && t.lex.is[t.low[:len(t.low)-1]]) {
		return false
	}
	return !(t.low == "to" && t.n.kind == password && (t.n.script == identifier ||
		englishNames.Get()[lowered(t.n.text)]))
}

// readVerb returns the value behind the verb, its adverbs and a dash. More words are read if another verb follows.
func (t *sentence) readVerb() (value int, sep string, more bool) {
	t.next = behindAdverbs(t.s, t.next)
	following := lowered(t.following())
	if following == "-" || following == "–" || following == "—" {
		return run(t.s, t.next+len(following), 4, isBlank), "is", false
	}
	if t.lex.isVerb(following) && isWordy(strings.Trim(following, ".,;")) || t.lex.is[following] ||
		following == ":" {
		return 0, "", true
	}
	return t.next, "is", false
}

// isChangeTo reports whether the word is "to" before a value, in a sentence that says that the name is changed.
func (t *sentence) isChangeTo() bool {
	if !t.lex.to[t.low] ||
		!(t.changed || verbBefore(t.s, t.n.start) || changesNext(t.s, wordEnd(t.s, t.next))) {
		return false
	}
	return surelyTo.Has(t.low) || !isWordy(strings.TrimRight(t.following(), ",.;")) ||
		t.n.kind == password && isGiven(t.s, t.next, wordEnd(t.s, t.next)) &&
			!(t.low == "a" && t.lex.gaps[lowered(lastWordOf(lineBefore(t.s, t.at)))])
}

// isArrow reports whether the word is an arrow or a dash before a value.
func (t *sentence) isArrow() bool {
	if !arrows.Has(t.low) {
		return false
	}
	following := t.following()
	return t.i > 0 && (looksMade(strings.TrimRight(following, ".,;")) ||
		t.n.kind == password && standsNumber(t.s, t.next) ||
		t.n.kind == password && (t.n.script == spaced && standsGiven(t.s, t.next) || standsSeldom(t.s, t.next))) ||
		t.n.kind == password && hasDigit(following) && wordEnd(t.s, t.next) == lineEnd(t.s, t.next)
}

// isBeforeCopula reports whether the word ends what a name is for with a comma, and a verb follows.
func (t *sentence) isBeforeCopula() bool {
	return strings.HasSuffix(t.low, ",") && copulas.Has(lowered(t.following()))
}

// isBeforeColon reports whether the word ends with a colon behind which the value stands.
func (t *sentence) isBeforeColon() bool {
	if len(t.low) < 2 || !strings.HasSuffix(t.low, ":") {
		return false
	}
	return t.i > 0 || meanings.Has(t.bare[:len(t.bare)-1]) || t.n.kind == password && (t.lex.isVerb(t.low) ||
		t.n.script == spaced || looksMade(strings.TrimRight(t.following(), ".,;")))
}

// isBeforeLoneColon reports whether the first word says whose the password is, and a colon stands alone behind it, as
// in French. A word with a digit is the password itself.
func (t *sentence) isBeforeLoneColon() bool {
	return t.i == 0 && t.n.kind == password && t.n.script == spaced && t.following() == ":" && !hasDigit(t.low)
}

// isRelative reports whether the first word starts a clause about the name, also behind an adjective.
func (t *sentence) isRelative() bool {
	return t.i == 0 && (relatives.Has(t.low) || t.n.kind == password && t.n.script == spaced &&
		relatives.Has(lowered(t.following())))
}

// isStrongValue reports whether the word is a value by its form, behind words that say what it is for.
func (t *sentence) isStrongValue() bool {
	return t.i > 1 && t.free && isStrong(strings.TrimRight(t.raw, ",.")) && hasDigit(t.raw) && len(t.raw) >= 8 &&
		strings.IndexByte(t.raw, '/') < 0
}

// assignsNext reports whether a word is what a password is for, "=" and the password: "password for the NAS=value".
func assignsNext(word string) bool {
	what, value, ok := strings.Cut(word, "=")
	return ok && isLetters(strings.ReplaceAll(what, "-", "")) && len(value) >= 4 && value[0] != '=' &&
		!isReference(value) && !isPlaceholder(value)
}

// behindGenitive returns where the value starts behind a verb and one or two words that say whose or for what a name in
// a language other than English is, or at if there is none.
func behindGenitive(s string, n named, at int) int {
	lex := words()
	if lex.names[lowered(n.text)] != password || n.script == dense || englishNames.Get()[lowered(n.text)] {
		return at
	}
	next := at
	for i := range 3 {
		end := wordEnd(s, next)
		if end == next || curlyQuote(s, next) != "" || i == 0 && (lex.is[lowered(s[next:end])] ||
			lex.idle[lowered(s[next:end])]) ||
			strings.IndexByte(".,;:!?", s[end-1]) >= 0 {
			return at
		}
		if i > 0 && lex.is[lowered(s[next:end])] {
			if value := run(s, end, 2, isBlank); standsGiven(s, value) || looksMade(s[value:wordEnd(s, value)]) ||
				isGiven(s, value, wordEnd(s, value)) && hasDigit(s[value:wordEnd(s, value)]) {
				return value
			}
			return at
		}
		next = run(s, end, 2, isBlank)
	}
	return at
}

// englishNames are the names of passwords in English.
var englishNames = once.Value[map[string]bool]{Make: func() map[string]bool {
	set := map[string]bool{}
	for name := range spelledOut(speeches[0].passwords) {
		set[name] = true
	}
	return set
}}

// foreignNames are the names in ASCII of other languages, in which hardly anybody writes code.
var foreignNames = once.Value[map[string]bool]{Make: func() map[string]bool {
	set, english := map[string]bool{}, map[string]bool{}
	for i, of := range speeches {
		for _, list := range []string{of.passwords, of.keys, of.codes, of.logins} {
			for name := range spelledOut(list) {
				if english[name] = english[name] || i == 0; isASCII(name) && !english[name] {
					set[name] = true
				}
			}
		}
	}
	return set
}}

// possessives are names of Turkish of which a value may be said without a verb.
var possessives = pattern.SetOf(`şifrem şifremiz şifresi parolam parolamız parolası sifrem sifresi
	parolasi`)

// relatives start a clause about a name, as in "the password you want is", and meanings mean the name itself, or
// are verbs as "is" that go on with a participle unless a colon follows.
var (
	relatives = pattern.SetOf(`there here you'll you’ll you're we'll i'll needed you we they that which i he she
		den das que qui che som który które který které который який die dat`)
	meanings = pattern.SetOf(`itself again selbst même mismo mesma stessa zelf själv сам viene venne`)
)

// lastWordOf returns the word with which a string ends.
func lastWordOf(text string) string {
	word := wordBefore(text, len(text))
	return text[word.start:word.end]
}

// completesNext reports whether the verb of Turkish stands behind at with which a name becomes what stands before it.
func completesNext(s string, at int) bool {
	next := run(s, at, 2, isBlank)
	word := lowered(strings.TrimRight(s[next:wordEnd(s, next)], ".,;:!"))
	return next > at && (word == "oldu" || word == "olsun")
}

// standsNumber reports whether four digits or more stand at at, and end their clause.
func standsNumber(s string, at int) bool {
	end := run(s, at, 12, isDigit)
	return end-at >= 4 && end-at <= 10 && (end >= len(s) || !isLetterAt(s, end) && s[end] != '-' && s[end] != '_') &&
		endsClause(s, wordEnd(s, at))
}

// qualifiers stand before "pass" where it is a noun.
var qualifiers = pattern.SetOf(`old new sudo my our your current temp root admin wifi vpn db ftp the la el your
	their his her`)

// arrows may stand between what a sentence says of a name and its value.
var arrows = pattern.SetOf(`→ -> => – — - =`)

// adverbs may stand between "is" and a value that looks like one.
var adverbs = pattern.SetOf(`prostě prosto semplicemente simplement simplemente simplesmente gewoon
	просто sadece as always like follows usual before last time beim letzten letztes mal immer wie
	stets comme habitude siempre sempre come zoals altijd alltid zawsze vždy как всегда обычно як завжди hala
	hâlâ لا تزال now currently literally actually probably basically still just simply the usual from today
	pořád stále ciągle wciąż досі всё ещё jetzt nun steeds discussed agreed toch eigentlich aber ab heute
	sofort einfach immer noch wieder weiterhin
	vorerst maintenant désormais toujours ahora
	todavía agora ainda adesso ora ancora nu nog teraz since yesterday seit gestern neuerdings depuis hier desde
	ayer ontem ieri sinds gisteren igår wczoraj včera übrigens nämlich btw naturellement d'ailleurs d’ailleurs aliás
	trouwens förresten zresztą mimochodem кстати again aktuell momentan actuellement actualmente atualmente
	attualmente bara endast nyní теперь сейчас пока тепер зараз encore siempre fortfarande wciąż nadal teď ещё досі
	şimdi hálá även vẫn giờ अभी भी`)

// copulas may stand behind a comma that ends what a name is said to be for.
var copulas = pattern.SetOf(`is was it's that's c'est c’est est ist lautet es é è is är to jest je это це là`)

// modals stand before "be" and a value.
var modals = pattern.SetOf(`should will must shall would`)

// behindAdverbs skips them where such a value follows.
func behindAdverbs(s string, at int) int {
	next := at
	for range 5 {
		end := wordEnd(s, next)
		if looksMade(strings.TrimRight(s[next:end], ".,;")) || next > at && standsNumber(s, next) {
			return next
		}
		if !adverbs.Has(lowered(s[next:end])) {
			if next > at && isGiven(s, next, end) && !determinerWords.Has(lowered(lastWordOf(s[at:next]))) {
				return next
			}
			break
		}
		next = run(s, end, 4, isBlank)
		if day := wordEnd(s, next); sinceWords.Has(lowered(s[at:end])) && day > next && !endsPhrase(s, day) {
			next = run(s, day, 4, isBlank)
		}
	}
	return at
}

// looksMade reports whether a word is rather a password than what is said of one.
func looksMade(word string) bool {
	if isJumbled(word) {
		return true
	}
	if !hasDigit(word) {
		return false
	}
	word = strings.Trim(word, "\"'`*")
	return isChosenAny(word) || hasDigit(word) && isStrong(word) && mayBeChosen(word) || len(word) >= 8 &&
		digitsBehind.Match(word)
}

// surelyTo stand before a value more often than before anything else.
var surelyTo = pattern.SetOf(`to auf para на na naar till thành sang إلى الى`)

// wordEnd returns the end of the word at at, with the signs that follow it.
func wordEnd(s string, at int) int {
	return run(s, at, maxName, func(c byte) bool { return c > ' ' && c != '(' && c != '"' && c != '\n' })
}

// verbBefore reports whether a sentence says before at that something changes.
func verbBefore(s string, at int) bool {
	from := max(0, at-48)
	before := lowered(s[from:at])
	if stop := strings.LastIndexAny(before, ".!?;\n"); stop >= 0 {
		before = before[stop+1:]
	}
	for word := range strings.FieldsSeq(before) {
		if words().isVerb(word) {
			return true
		}
	}
	return false
}

// particles join a name and its value in Chinese, Japanese and Korean, with what may
// stand before them.
var particles = []string{
	"：", ":", "是", "为", "為", "は", "が", "を", "に", "는", "은", "이", "가", "를", "을", "로", "成", "到", "用", "=", "＝", "→",
}

// saidDensely is said for scripts without blanks: the value is in ASCII or in quotes.
func saidDensely(s string, n named) (value int, sep string) {
	if blanks := run(s, n.end, 64, isBlank); blanks > n.end+1 {
		if value, ok := alone(s, n, blanks); ok {
			return value, ":"
		}
	}
	at, joined := n.end, false
	for range 14 {
		r, size := utf8.DecodeRuneInString(s[at:])
		if size == 0 || r == utf8.RuneError {
			return n.end, ""
		}
		if p := prefixOf(s[at:], particles...); p != "" {
			joined = true
		} else if p := prefixOf(s[at:], "、", "，", ", "); p != "" {
			if next := at + len(p); !isDigit(byteAt(s, next)) && curlyQuote(s, next) == "" {
				return n.end, ""
			}
			joined = true
			size = len(p)
		} else if r == ' ' || r == '　' {
			if at > n.end && !joined && !isDenseBefore(s, at) {
				return n.end, ""
			}
		} else if !isDense(r) {
			break
		}
		at += size
	}
	if at >= len(s) {
		return n.end, ""
	}
	if quoteAt(s, at) == "" && curlyQuote(s, at) == "" && (s[at] <= ' ' || s[at] >= 0x7f) {
		return n.end, ""
	}
	if !joined {
		return at, " "
	}
	return at, "is"
}
