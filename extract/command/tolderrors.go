package command

import (
	"strings"
	"unicode/utf8"
)

const (
	// maxTold is the length of the longest message that is read as a report of an error, in
	// code points: a longer one is a document that quotes errors.
	maxTold = 800
	// maxToldErrors is how many errors are taken from a message.
	maxToldErrors = 3
)

var (
	// TypeError: x is not a function; java.io.IOException: …; panic: …; error TS2304: …
	toldError = lazy(`(?:^|[\s"'\x60(:>])` +
		`((?:[\w.]*[A-Z]\w*(?:Error|Exception)|panic|fatal error|error(?: ?[A-Z]+\d+)): \S[^\n]*)`)
	// What follows the error in a sentence.
	toldRest = lazy(`(?i)[\x60"']?(?:[,;]| [-–—]| (?:when|whenever|if|while|after|as soon as|every time|wenn|sobald|` +
		`beim|quand|lorsque|cuando|al|quando|ao)) .*$|[\x60"]?\s*[.!?]?\s*$`)
	toldGone = lazy(`(?i)\b(?:(?:is|it's|they're|are) (?:gone|fixed|solved|resolved)(?: now)?|works? (?:now|again)|` +
		`no longer (?:happens|fails|occurs|see)|(?:geht|läuft|funktioniert) (?:jetzt|wieder)|behoben|` +
		`(?:ça )?(?:marche|fonctionne) (?:maintenant|à nouveau)|corrigé|ya funciona|arreglado|` +
		`(?:agora|já) funciona|resolvido)(?:\b|$)|修好了|解决了|直りました|直った|해결됐|고쳐졌`)
)

// Told returns the errors that a person tells in a message, in one line each: "I get
// TypeError: x is not a function when I save". There are none in a long message.
func Told(message string) []string {
	if utf8.RuneCountInString(message) > maxTold {
		return nil
	}
	var found []string
	for line := range strings.Lines(message) {
		match := toldError.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		if match == nil || strings.Contains(line, "?") && !strings.Contains(line, "why") {
			continue
		}
		summary := oneLine(toldRest.ReplaceAllString(match[1], ""))
		if _, says, _ := strings.Cut(summary, ": "); utf8.RuneCountInString(says) >= 4 && len(found) < maxToldErrors {
			found = append(found, summary)
		}
	}
	return found
}

// ToldGone reports whether a person says in a message that what failed works.
func ToldGone(message string) bool {
	return utf8.RuneCountInString(message) <= maxTold && toldGone.MatchString(message)
}
