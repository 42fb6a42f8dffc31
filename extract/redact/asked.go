package redact

import (
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// Somebody asks for a login, and the answer is a line of its own: a login and its password.

// asksFor are words on a line without a question mark of ASCII that asks for a login.
var asksFor = phrasesOf("？,please,plz,pls,need,send ,give ,what,which,bitte,brauch,schick,was sind,wie sind," +
	"s'il te,svp,besoin,envoie,por favor,necesito,preciso,manda,per favore,mi servono,graag,nodig,snälla,behöver," +
	"proszę,potrzeb,prosím,potřebuj,lütfen,lazım,пожалуйста,нужн,скинь,будь ласка,потрібн,cho mình,cần")

// maxAnswer is how many lines below a question are looked at.
const maxAnswer = 4

// loginBelow finds the password of the line below a question for a login that is nothing but a login and its password.
// A line between them may say who answers.
func loginBelow(s string, n named) (start, end int, ok bool) {
	if !asksForLogin(s, n) {
		return 0, 0, false
	}
	line := lineEnd(s, n.end)
	for range maxAnswer {
		if line >= len(s) || s[line] != '\n' {
			break
		}
		line++
		next := lineEnd(s, line)
		at := run(s, line, 32, isBlank)
		at += len(speaker.Find(s[at:next]))
		if start, end, ok = pairLine(s, at, next); ok {
			return start, end, true
		}
		line = next
	}
	return 0, 0, false
}

// asksForLogin reports whether the line of a name asks for a login and its password.
func asksForLogin(s string, n named) bool {
	if n.kind != login && !containsFold(n.text, "creds") && !containsFold(n.text, "credential") {
		return false
	}
	from, to := n.start-len(lineBefore(s, n.start)), lineEnd(s, n.end)
	return to < len(s) && s[to] == '\n' && asks(s[from:to])
}

// asks reports whether a line asks for something, and is no code.
func asks(line string) bool {
	return len(line) <= 2*maxName && !strings.ContainsAny(line, "{}=;|`") &&
		(strings.IndexByte(line, '?') >= 0 || asksFor.in(lowered(line)))
}

// pairLine finds the password of a login and its password that are all that s[at:to] holds.
func pairLine(s string, at, to int) (start, end int, ok bool) {
	name := run(s, at, maxName, func(c byte) bool { return isDotted(c) || c == '@' || c == '\\' || c == '+' })
	by := prefixOf(s[name:], " / ", "/", " : ", ": ", ":", " | ", " ")
	if name == at || by == "" || !hasLetter(s[at:name]) {
		return 0, 0, false
	}
	start = name + len(by)
	text := strings.TrimRight(s[start:max(start, to)], " \r.")
	if strings.ContainsAny(text, " \t(){}<>=/,") || !isSaid(text) || strings.Contains(text, markerOpen) ||
		isParticiple(text) || words().about[lowered(text)] || accounts.Has(lowered(text)) || types.Has(lowered(text)) {
		return 0, 0, false
	}
	sure := isRare(text) || looksMade(text) || hasDigit(text) && hasLetter(text) && !versioned.Match(text)
	return start, start + len(text), by != ": " && (sure || by != " " && isAccount(s[at:name])) && (by != " " ||
		isAccount(s[at:name]))
}

// shows are words of commands that print what they are asked for.
var shows = pattern.SetOf(`get show read output print reveal view fetch value lookup decrypt export`)

// shown finds what a command at a prompt prints for the name of a password that ends it, on the line below.
func shown(s string, n named) (start, end int, ok bool) {
	line := strings.TrimLeft(withoutRequest(lineBefore(s, n.start)), " ")
	if n.kind != password || !strings.HasPrefix(line, "$ ") || strings.TrimRight(s[n.end:lineEnd(s, n.end)],
		"\"' \r") != "" {
		return 0, 0, false
	}
	for _, word := range strings.Fields(line) {
		if shows.Has(word) {
			return findPrinted(s, n.start)
		}
	}
	return 0, 0, false
}

// replying begin the answer to who asks for something to be sent.
var replying = pattern.New(`^(?:(?:sure|here|here you go|there you go|yes|yep|ok|okay|done|klar|hier|voilà|voici|` +
	`claro|aquí|aqui|ecco|certo|jasne|proszę|jistě|конечно|вот|звісно|tabii)[,:;!.]* +)+`)

// sentKey finds the token with which somebody answers the line above, which asks for one.
func sentKey(s string, n named) (start, end int, ok bool) {
	to := lineEnd(s, n.end)
	from := n.start - len(lineBefore(s, n.start))
	if n.kind != key || to >= len(s) || s[to] != '\n' || !asks(s[from:to]) {
		return 0, 0, false
	}
	at := to + 1
	end = at + len(strings.TrimRight(s[at:lineEnd(s, at)], " \r."))
	said := speaker.Find(s[at:end])
	at += len(said)
	lead := replying.Find(s[at:end])
	at += len(lead)
	text := s[at:end]
	return at, end, len(said)+len(lead) > 0 && len(text) >= 8 && run(text, 0, len(text), IsToken) == len(text) &&
		hasDigit(text) && hasLetter(text) && isSaid(text) && !isUUIDAt(text+" ", 0) && !versioned.Match(text) &&
		!strings.ContainsAny(text, "/") && (switches(text) > 1 || isRandom(text) || isStrong(text))
}

// takenBy stand before the password that somebody says a program takes.
var takenBy = pattern.New(`^.{0,80}?\b(?:accepts|takes|uses|wants|expects|nimmt|akzeptiert|accepte|acepta|aceita|` +
	`accetta) `)

// accepted finds the password in the answer to a question for one, whatever program it says takes it.
func accepted(s string, n named) (start, end int, ok bool) {
	to := lineEnd(s, n.end)
	if n.kind != password || to >= len(s) || s[to] != '\n' || !strings.HasSuffix(strings.TrimRight(s[n.end:to], " \r"),
		"?") {
		return 0, 0, false
	}
	line := s[to+1 : lineEnd(s, to+1)]
	before := takenBy.Find(line)
	start = to + 1 + len(before)
	return start, start + len(strings.TrimRight(s[start:wordEnd(s, start)], ".,;!")), before != "" &&
		standsSeldom(s, start)
}

// issuing say what is done with a token, behind it.
var issuing = pattern.SetOf(`created issued generated registered added granted for from is was has expired revoked
	rejected invalid accepted erstellt ausgestellt erzeugt
	créé généré creado generado criado gerado creato generato`)

// issuers say what is done with a token, before its name.
var issuers = pattern.SetOf(`created issued generated registered using uses new with erstellt neues neuer nouveau nuevo
	novo nuovo`)

// issued finds the token of a program's message that it was made or is used: "API key value created". Words with a
// number that code, versions and names of hosts have are none.
func issued(s string, n named) (start, end int, ok bool) {
	if n.kind != key || !strings.HasSuffix(lowered(n.text), "token") && !strings.HasSuffix(lowered(n.text), "key") ||
		strings.ContainsAny(n.text, "_.-") || isHumped(n.text) || n.end >= len(s) || s[n.end] != ' ' {
		return 0, 0, false
	}
	start = n.end + 1
	end = wordEnd(s, start)
	end = start + len(strings.TrimRight(s[start:end], ".,;"))
	text := s[start:end]
	if len(text) < 8 || countDigits(text) < 2 || countDigits(strings.TrimLeft(text, "0123456789")) == 0 ||
		run(text, 0, len(text), isBase64URL) < len(text) || !hasLetter(text) || isAlgorithm(lowered(text)) ||
		versioned.Match(text) || isNumberWord(text) || isIdentifierList(text) || isUUIDAt(text+" ", 0) ||
		isHumped(text) || len(strings.TrimRight(text, "0123456789")) < 5 ||
		run(text, 0, len(text), func(c byte) bool { return isHex(c) || c == '-' }) == len(text) ||
		proseBase(text) {
		return 0, 0, false
	}
	before := lowered(lineBefore(s, n.start))
	for _, word := range strings.Fields(before[max(0, len(before)-maxName):]) {
		if issuers.Has(word) {
			return start, end, true
		}
	}
	next := run(s, wordEnd(s, start), 2, isBlank)
	return start, end, issuing.Has(lowered(strings.TrimRight(s[next:wordEnd(s, next)], ".,;!")))
}

// proseBase reports whether a word is a frequent one or a name of code with a number behind it.
func proseBase(text string) bool {
	base := strings.TrimRight(lowered(text), "0123456789-_")
	return accounts.Has(base) || numberedNouns.Has(base) || types.Has(base) || products.Has(base) || namesSecret(base)
}
