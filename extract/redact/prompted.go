package redact

import (
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// Sentences that give the value of a password in their second half: what to type at a prompt, what it was changed to,
// the password beside the login.

// promptedFor finds what a sentence says to type when something asks for a password: "if it asks for the passphrase,
// just type value and hit enter".
func promptedFor(s string, n named) (start, end int, ok bool) {
	if n.kind != password || n.script != identifier && n.script != spaced {
		return 0, 0, false
	}
	before := lineBefore(s, n.start)
	asks := strings.HasPrefix(s[n.end:], " prompt")
	if !asks && containsAny(before, []string{"ask", "Ask", "prompt", "Prompt", "want", "need"}) {
		asks = asking.Match(lowered(before))
	}
	if !asks {
		return 0, 0, false
	}
	rest := s[n.end:min(lineEnd(s, n.end), n.end+maxName)]
	match := typingThen.Find(lowered(rest))
	if match == "" || !isASCII(rest[:min(len(rest), len(match))]) {
		return 0, 0, false
	}
	start = n.end + len(match)
	end = wordEnd(s, start)
	start, end, ok = unsigned(s, start, end)
	return start, end, ok && isNewValue(s[start:end]) && (endsClause(s, end) || thenPress.Match(lowered(
		s[end:lineEnd(s, end)])))
}

var (
	// asking ends what stands before a name that something asks for, with its articles and what it belongs to.
	asking = pattern.New(`\b(?:ask(?:s|ed|ing)?|prompt(?:s|ed|ing)?) (?:(?:you|me|us) )?for (?:[\w'-]+ ){0,4}$|` +
		`\b(?:wants|needs) (?:a|the|your|some) (?:[\w'-]+ )?$`)
	// typingThen is what stands behind the name up to the value, thenPress what goes on behind the value.
	typingThen = pattern.New(`^(?: prompt)?,?(?: (?:you|we|can|just|simply|then|always|please))* ` +
		`(?:type|enter|use|put|say|paste|answer|give it)(?: in)? `)
	thenPress = pattern.New(`^,? (?:and |then )(?:then )?(?:hit|press|confirm|continue|you|it|click|return|enter)\b`)
)

// changedFrom appends the old and the new value of "the password went from one to another".
func changedFrom(s string, n named, found []span) []span {
	if n.kind != password && n.kind != key {
		return found
	}
	rest := s[n.end:min(lineEnd(s, n.end), n.end+maxName)]
	if !isASCII(rest) || !strings.Contains(rest, " from ") || !strings.Contains(rest, " to ") {
		return found
	}
	if old := rotatedFrom.Submatch(rest); old != nil && isNewValue(old[2]) && isRare(old[2]) &&
		!typedTools.Has(old[2]) {
		return append(found, span{n.end + len(old[1]), n.end + len(old[1]) + len(old[2]), assigned})
	}
	match := fromOne.Submatch(rest)
	if match == nil || strings.HasPrefix(match[1], " from") && !changing.Match(lowered(lineBefore(s, n.start))) {
		return found
	}
	from := n.end + len(match[1])
	to := from + len(match[2]) + len(match[3])
	one, other := span{from, from + len(match[2]), assigned}, span{to, to + len(match[4]), assigned}
	if !isNewValue(match[2]) || !isNewValue(match[4]) || n.kind == key && !(hasDigit(match[2]) && hasDigit(match[4])) ||
		!endsClause(s, other.end) && !(hasDigit(match[2]) && hasDigit(match[4])) {
		return found
	}
	return append(found, one, other)
}

// fromOne has what stands before the old value, that value, what stands between, and the new one.
var fromOne = pattern.New(`^((?: (?:for|of|on) [\w'-]+(?: [\w'-]+)?)?(?: (?:just|has|was|is|got|been))* ` +
	`(?:went |changed |rotated |switched )?from )([^\s"'` + "`" + `.,;]{4,40})( to )([^\s"'` + "`" + `.,;]{4,40})`)

// rotatedFrom has what stands before the old value of a secret that was rotated, and that value.
var rotatedFrom = pattern.New(`(?-i)^( (?:was|is|has been|got|were) (?:rotated|reset|changed) from )` +
	`([a-z]{5,40}) to (?:the|a|an|one|what|something) `)

// changing is what stands before a name whose value somebody changes.
var changing = pattern.New(`\b(?:change|rotate|switch|reset|update)d? (?:[\w'-]+ ){0,3}$`)

// isNewValue reports whether a word may be a password that a sentence names, rather than how one is kept.
func isNewValue(text string) bool {
	low := lowered(text)
	return len(text) >= 4 && isSaid(text) && !words().about[low] && !types.Has(low) && !adverbs.Has(low) &&
		!isParticiple(low) && !isAlgorithm(low) && !isReference(text) && !isPlaceholder(text) && !keptAs.Has(low) &&
		words().names[low] == harmless && !namesSecret(low) && !words().idle[low]
}

// keptAs are words for how or where a password is kept.
var keptAs = pattern.SetOf(`plaintext plain clear cleartext hashed hash text hidden config configuration vault
	file files database environment settings keychain keyring weak strong default defaults optional required
	public private local global visible masked manual automatic static dynamic session cookie header query body
	input field form here there this that yours mine theirs something anything nothing whatever same another`)

// usedInstead finds the random value that a sentence says to use behind the name of a key: "the old token was revoked;
// use value".
func usedInstead(s string, n named) (start, end int, ok bool) {
	if n.kind != key {
		return 0, 0, false
	}
	rest := s[n.end:min(lineEnd(s, n.end), n.end+maxName)]
	_, after, found := strings.Cut(rest, " use ")
	if !found || strings.ContainsAny(rest[:len(rest)-len(after)], "`\"'=(){}") {
		return 0, 0, false
	}
	start = n.end + len(rest) - len(after)
	start, end, ok = unsigned(s, start, wordEnd(s, start))
	return start, end, ok && end-start >= 12 && hasDigit(s[start:end]) && isRandom(s[start:end]) &&
		!isReference(s[start:end]) && run(s[start:end], 0, end-start, isBase64URL) == end-start
}

// bothGiven finds the password of "the username and password are one and another".
func bothGiven(s string, n named) (start, end int, ok bool) {
	before := lineBefore(s, n.start)
	if n.kind != password || suffixOf(before, "and ", "and the ", "& ", "/ ", "/", "+ ", "+") == "" ||
		!loginAnd.Match(lowered(before)) {
		return 0, 0, false
	}
	rest := s[n.end:min(lineEnd(s, n.end), n.end+maxName)]
	match := oneAndOther.Submatch(rest)
	if match == nil {
		return 0, 0, false
	}
	start = n.end + len(match[1])
	end = start + len(match[3])
	return start, end, (accounts.Has(lowered(match[2])) || isNewValue(match[2])) && isNewValue(match[3]) &&
		(endsClause(s, end) || quoteAt(s, end) != "")
}

var (
	loginAnd    = pattern.New(`\b(?:username|user name|user|login|account|email|e-mail) ?(?:and|&|/|\+) ?(?:the )?$`)
	oneAndOther = pattern.New("^((?: (?:to|for|of) [\\w' -]{2,24})?(?: (?:is|are)|:) (?:both )?[\"'`]?" +
		"([^\\s\"'`,/]{3,40})[\"'`]? ?(?:and|/|,|&|\\+) ?[\"'`]?)([^\\s\"'`,;.!?]{4,40})")
)
