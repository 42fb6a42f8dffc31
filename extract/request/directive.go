package request

import (
	"regexp"
	"strings"
	"unicode"
)

// A directive is one way to ask that something be remembered.
type directive struct {
	// pattern matches a whole sentence without its polite beginning. Its group
	// "text" is what to remember, if the sentence says it; a group "open" that
	// is not empty says that more may follow, as after a colon.
	pattern *regexp.Regexp
	// refuse matches texts that make it no request, such as "the time when …".
	refuse *regexp.Regexp
	// kind is the type of the entry, "" to go by what the text says.
	kind string
	// strong directives are seen after a comma too.
	strong bool
}

// A wish is what a sentence asks for.
type wish struct {
	text, kind string
	// open is true if what follows belongs to the wish.
	open bool
	// pointsBack is true if a wish without text may mean what was said before.
	pointsBack bool
}

// match returns the wish that a sentence states.
func match(sentence string) (wish, bool) {
	if isQuotation(sentence) {
		return wish{}, false
	}
	rest, polite := stripLead(sentence)
	if isQuestion(sentence) && !polite {
		return wish{}, false
	}
	if w, ok := directed(rest, false); ok {
		return w, true
	}
	return matchClause(sentence)
}

// matchClause looks for a strong directive behind a comma or dash.
func matchClause(sentence string) (wish, bool) {
	for i, at := range boundary.FindAllStringIndex(sentence, maxClauses) {
		before := sentence[:at[0]]
		if i == 0 && noDirectiveBehind.MatchString(before) {
			return wish{}, false
		}
		rest, _ := stripLead(sentence[at[1]:])
		if w, ok := directed(rest, true); ok && !noDirectiveBehind.MatchString(before) {
			return w, true
		}
	}
	return wish{}, false
}

const maxClauses = 6

var (
	boundary = regexp.MustCompile(`[,;，；]\s*|\s[—–-]+\s+|\s(?:and|und|et|y|e)\s+`)
	// noDirectiveBehind are beginnings after which the directive is somebody
	// else's, or is no directive.
	noDirectiveBehind = regexp.MustCompile(`(?i)\b(?:said|says|say|saying|told|tells|wrote|writes|asks|asked|reads?|called|named|title|text|string|phrase|message|label|prints?|printed|error|users?|if|unless|whether|don'?t|do not|never mind|button|sagt|sagte|dit|dijo|disse)\b|说[:：]?$|說[:：]?$|他说|她说|他說|她說|如果|と言`)
)

// directed tries the directives on the rest of a sentence.
func directed(rest string, strongOnly bool) (wish, bool) {
	if !mentions.MatchString(rest) || deferred.MatchString(rest) || negated.MatchString(rest) {
		return wish{}, false
	}
	for _, d := range directives {
		if strongOnly && !d.strong {
			continue
		}
		m := d.pattern.FindStringSubmatch(rest)
		if m == nil {
			continue
		}
		text := strings.TrimSpace(group(d.pattern, m, "text"))
		if text != "" && (d.refuse != nil && d.refuse.MatchString(text) || unfit.MatchString(text)) {
			return wish{}, false
		}
		open := group(d.pattern, m, "open")
		return wish{text: text, kind: d.kind, open: open != "", pointsBack: d.kind == ""}, true
	}
	return wish{}, false
}

// group returns what the first group matched whose name begins so.
func group(pattern *regexp.Regexp, m []string, name string) string {
	for i, n := range pattern.SubexpNames() {
		if strings.HasPrefix(n, name) && m[i] != "" {
			return m[i]
		}
	}
	return ""
}

// stripLead takes off what politely or by the way comes before a directive, and
// says whether it makes a question a request.
func stripLead(sentence string) (rest string, polite bool) {
	rest = sentence
	for range maxLeads {
		m := leads.FindString(rest)
		if m == "" {
			break
		}
		polite = polite || modal.MatchString(m)
		rest = rest[len(m):]
	}
	return rest, polite
}

const maxLeads = 5

// content takes off what is no part of the words to remember: the thanks at the
// end and the quotation marks around all of it.
func content(text string) string {
	text = strings.TrimSpace(thanks.ReplaceAllString(strings.TrimSpace(text), ""))
	for _, q := range []string{`""`, `''`, "``", "“”", "「」", "『』", "«»", "„“"} {
		marks := []rune(q)
		inner, found := strings.CutPrefix(text, string(marks[0]))
		if inner, closed := strings.CutSuffix(inner, string(marks[1])); found && closed && !strings.ContainsAny(inner, q) {
			return strings.TrimSpace(inner)
		}
	}
	return text
}

func isQuotation(sentence string) bool {
	return strings.ContainsAny(firstRune(sentence), "\"“”'‘`«»„「『>|")
}

func isQuestion(sentence string) bool { return questionEnd.MatchString(strings.TrimSpace(sentence)) }

var questionEnd = regexp.MustCompile(`[?？]["'”」)\s]*$|(?:吗|嗎|ますか|ですか|たか|까요|습니까|나요)[。.]?$`)

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
