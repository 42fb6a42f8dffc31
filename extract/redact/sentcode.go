package redact

import (
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// What services send and print: codes that are typed once, a login with its password that works, a phrase in quotes.

// sentRules are the rules of messages that services send.
func sentRules() []rule {
	return []rule{
		{"code", " to verify", codeBefore}, {"code", " to log", codeBefore}, {"code", " to sign", codeBefore},
		{"code", " to confirm", codeBefore}, {"code", " to complete", codeBefore},
		{"code", " to authenticate", codeBefore},
		{"code", " to reset", codeBefore},
		{"code", " is your ", codeOfYours}, {"code", "code: ", yourCode}, {"code", "code ", yourCode},
		{"code", "code, ", yourCode}, {"code", "codes ", yourCode}, {"code", "codes: ", yourCode},
		{"code", " said ", shownCode}, {"code", " says ", shownCode}, {"code", " shows ", shownCode},
		{"code", " when it wants ", codeBefore}, {"code", " when it asks ", codeBefore},
		{assigned, " works", loginThatWorks}, {assigned, " still works", loginThatWorks},
	}
}

// useCode ends in a code of digits that a sentence says to use; ownCode ends in one with which a sentence begins.
var (
	useCode = pattern.New(`(?:\b(?:use|enter|type|type in|with)(?: the)?(?: code)? )((?:[a-z]-)?\d{4,8})$`)
	ownCode = pattern.New(`(?:^|[\s"'>(:])((?:[a-z]-)?\d{4,8}|\d{3}[ -]\d{3})$`)
	// codeThere is what stands behind such a code: what of yours it is.
	codeThere = pattern.New(`^ is your (?:[\w'-]+ ){0,4}(?:code|pin|otp|passcode|token)\b`)
	// besideYour stands before "code", and behindCode is its value.
	besideYour = pattern.New(`\b(?:your|the|my|this|new|his|her) (?:[\w'-]+ ){0,2}$|` +
		`(?:device|scratch|user|pairing|invite|one[- ]time|single[- ]use|verification|security|` +
		`login|access|sign[- ]in|2fa|mfa|otp|sms) $`)
	behindCode = pattern.New(`^codes?(?: is|:|,)? ((?:\d{3}[ -]\d{3}|\d{2} \d{2} \d{2}|\d{4,8}|` +
		`(?-i:[A-Z0-9]{4}-[A-Z0-9]{4}))\b)`)
)

// behindCodes may go on with a sentence behind a code.
var behindCodes = pattern.SetOf(`expires valid is was to and or for it do don't never if within works gültig`)

// codeBefore finds the code of "use 123456 to verify your account".
func codeBefore(s string, at int) (start, end int, ok bool) {
	from := max(0, at-32)
	match := useCode.Submatch(lowered(s[from:at]))
	if match == nil {
		return 0, 0, false
	}
	return at - len(match[1]), at, true
}

// codeOfYours finds the code of "123456 is your verification code".
func codeOfYours(s string, at int) (start, end int, ok bool) {
	if !codeThere.Match(lowered(s[at:min(lineEnd(s, at), at+80)])) {
		return 0, 0, false
	}
	match := ownCode.Submatch(lowered(s[max(0, at-24):at]))
	if match == nil {
		return 0, 0, false
	}
	return at - len(match[1]), at, true
}

// yourCode finds the code of "your code: 12345", "the code, 123 456" and "2FA code 123 456".
func yourCode(s string, at int) (start, end int, ok bool) {
	line := s[at:min(lineEnd(s, at), at+48)]
	match := behindCode.Submatch(line)
	if match == nil || strings.HasPrefix(line[min(len(line), len(match[0])):], "-") {
		return 0, 0, false
	}
	before := lowered(lineBefore(s, at))
	if before = before[max(0, len(before)-48):]; !besideYour.Match(before) || otherCodes.in(before) {
		return 0, 0, false
	}
	start = at + strings.LastIndex(match[0], match[1])
	end = start + len(match[1])
	next := lowered(strings.TrimRight(s[run(s, end, 2, isBlank):wordEnd(s, run(s, end, 2, isBlank))], ".,;!"))
	return start, end, !isYear(match[1]) && (endsClause(s, end) || behindCodes.Has(next))
}

// shownCode finds the code of "the SMS said 123 456".
func shownCode(s string, at int) (start, end int, ok bool) {
	before := lowered(s[max(0, at-24):at])
	start = at + strings.IndexByte(s[at+1:], ' ') + 2
	match := sixDigits.Find(s[start:min(len(s), start+8)])
	return start, start + len(match), match != "" && shower.Match(before)
}

var (
	shower    = pattern.New(`\b(?:sms|text|texts|authenticator|message|mail|email|app|token|whatsapp|screen)$`)
	sixDigits = pattern.New(`^\d{3}[ -]?\d{3}\b`)
)

// isYear reports whether a string is a year.
func isYear(text string) bool { return len(text) == 4 && (text[:2] == "19" || text[:2] == "20") }

// loginThatWorks finds the password of "account/password works".
func loginThatWorks(s string, at int) (start, end int, ok bool) {
	word := back(s, at, maxName, func(c byte) bool { return c > ' ' })
	text := s[word:at]
	account, value, found := strings.Cut(text, "/")
	if !found || !accounts.Has(lowered(account)) || strings.ContainsAny(value, "/.:@\"'()") || !isSaid(value) ||
		pathWords.Has(lowered(value)) || !isRare(value) && !numberedWord.Match(value) {
		return 0, 0, false
	}
	return at - len(value), at, true
}
