package request

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// A directive is one way to ask for something to be remembered.
type directive struct {
	// asks matches a whole sentence without its polite beginning. Its group "text"
	// is what to remember, if the sentence has it. A nonempty group "open" means
	// that more may follow, as after a colon.
	asks *pattern.Pattern
	// refuse matches strings that make it no request, such as "the time when …".
	refuse *pattern.Pattern
	// kind is the type of the entry, or "" to determine it from the text.
	kind string
	// strong directives are also recognized after a comma.
	strong bool
	// announces is true if every sentence that asks matches has a colon or dash.
	announces bool
}

// A wish is the content of a directive.
type wish struct {
	text, kind string
	// open is true if the following text belongs to the wish.
	open bool
	// pointsBack is true if a wish without text may refer to the previous sentence.
	pointsBack bool
	// lead is what the sentence says in the clauses before it.
	lead string
}

// match returns the wish that a sentence expresses in one of the languages.
func match(sentence string, spoken []language) (wish, bool) {
	if isQuotation(sentence) {
		return wish{}, false
	}
	rest, polite := stripLead(withoutThanks(sentence))
	if isQuestion(rest) {
		if !polite {
			return wish{}, false
		}
		rest = strings.TrimRight(rest, "?？ ")
	}
	if w, ok := directed(rest, spoken, false); ok {
		return w, true
	}
	if rest != sentence && !isQuestion(sentence) {
		if w, ok := directed(sentence, spoken, true); ok { // its lead belongs to it: "so nobody …"
			return w, true
		}
	}
	return matchClause(sentence, spoken)
}

// spokenIn returns the languages of which a sentence contains a word.
func spokenIn(sentence string) []language {
	lower := strings.ToLower(sentence)
	var spoken []language
	for _, l := range languages {
		if l.words.In(lower) {
			spoken = append(spoken, l)
		}
	}
	return spoken
}

// matchClause matches strong directives after a comma or dash.
func matchClause(sentence string, spoken []language) (wish, bool) {
	for i, at := range boundary.FindAll(sentence, maxClauses) {
		before := sentence[:at[0]]
		if i == 0 && noDirectiveBehind.Match(before) {
			return wish{}, false
		}
		rest, _ := stripLead(sentence[at[1]:])
		if w, ok := directed(rest, spoken, true); ok && !noDirectiveBehind.Match(before) {
			w.lead = strings.TrimSpace(before)
			return w, true
		}
	}
	return wish{}, false
}

const maxClauses = 6

var (
	boundary = pattern.New(`[,;，；]\s*|\s[—–-]+\s+|\s(?:and|und|et|y|e)\s+`)
	// noDirectiveBehind matches beginnings after which a directive is reported or
	// is not one.
	noDirectiveBehind = pattern.New(
		`\b(?:said|says|say|saying|told|tells|wrote|writes|asks|asked|reads?|called|named|title|text|string|phrase|` +
			`message|label|prints?|printed|error|users?|if|unless|whether|don'?t|do not|never mind|button|sagt|` +
			`sagte|dit|dijo|disse)\b|说[:：]?$|說[:：]?$|他说|她说|他說|她說|如果|と言`,
	)
)

// directed matches the directives against the rest of a sentence.
func directed(rest string, spoken []language, strongOnly bool) (wish, bool) {
	announced := strings.ContainsAny(rest, ":：–—-")
	for _, l := range spoken {
		refused := false
		for d := range l.each {
			if strongOnly && !d.strong || d.announces && !announced {
				continue
			}
			if m := d.asks.Submatch(rest); m != nil {
				if w, ok := d.wish(m, rest); ok {
					return w, true
				}
				refused = true
			}
		}
		if refused { // no request in the language that it is written in
			return wish{}, false
		}
	}
	return wish{}, false
}

// wish returns the wish of a directive that matched, unless its text or the sentence
// shows that it is not a request.
func (d directive) wish(m []string, sentence string) (wish, bool) {
	text := strings.TrimSpace(d.asks.Group(m, "text"))
	if text == "" {
		text = mainClause(strings.TrimSpace(d.asks.Group(m, "clause")))
	}
	if text != "" && (d.refuse != nil && d.refuse.Match(text) || unfit.Match(text)) {
		return wish{}, false
	}
	if deferred.Match(sentence) || negated.Match(sentence) {
		return wish{}, false
	}
	open := d.asks.Group(m, "open") != ""
	if announcesList.Match(text) {
		text, open = "", true
	}
	return wish{text: text, kind: d.kind, open: open, pointsBack: d.kind == ""}, true
}

// mainClause returns what follows the German "dass" as a sentence of its own, if it has the
// subject "wir", "ich" or "man": its verb, which stands last, moves behind the subject. A clause with
// another subject, several clauses, a separable verb, or a noun at its end stays as it is.
func mainClause(clause string) string {
	m := subordinate.Submatch(clause)
	if m == nil || separable.Match(m[3]) || strings.ToLower(m[3]) != m[3] {
		return clause
	}
	subject := strings.ToUpper(m[1][:1]) + m[1][1:]
	return subject + " " + m[3] + " " + m[2] + m[4]
}

var (
	subordinate = pattern.New(`^(wir|ich|man) ([^,;:.!?—–]*\S) (\p{L}+(?:n|e|t|nd|ss|ll|rf|ag|ß))([.!]?)$`)
	separable   = pattern.New(`^(?:ab|an|auf|aus|bei|durch|ein|fest|her|hin|los|mit|nach|um|vor|weg|zu|zurück|` +
		`zusammen|teil|statt|bereit|fern|frei|hoch|sicher|wieder|weiter|runter|raus|rein|fort)\p{L}{3}`)
)

// stripLead removes the polite or casual words before a directive and reports
// whether they make a question a request.
func stripLead(sentence string) (rest string, polite bool) {
	all := stages(sentence)
	rest = all[len(all)-1]
	for i, before := range all[:len(all)-1] {
		polite = polite || modal.Match(strings.TrimSuffix(before, all[i+1]))
	}
	return rest, polite
}

// stages returns a sentence and what is left of it as its leads are removed one by
// one.
func stages(sentence string) []string {
	all := []string{sentence}
	for range maxLeads {
		rest := all[len(all)-1]
		m := leads.Find(rest)
		if m == "" {
			break
		}
		all = append(all, rest[len(m):])
	}
	return all
}

const maxLeads = 5

// content removes the thanks at the end of a string and the quotation marks around it.
func content(text string) string {
	text = withoutThanks(strings.TrimSpace(text))
	for _, q := range []string{`""`, `''`, "``", "“”", "「」", "『』", "«»", "„“"} {
		marks := []rune(q)
		inner, found := strings.CutPrefix(text, string(marks[0]))
		if inner, closed := strings.CutSuffix(inner, string(marks[1])); found && closed &&
			!strings.ContainsAny(inner, q) {
			return strings.TrimSpace(inner)
		}
	}
	return text
}

// withoutThanks removes the thanks at the end of a string.
func withoutThanks(text string) string {
	tail := max(0, len(text)-maxThanks)
	for tail > 0 && !utf8.RuneStart(text[tail]) {
		tail--
	}
	return strings.TrimSpace(text[:tail] + thanks.Remove(text[tail:]))
}

const maxThanks = 48 // bytes

func isQuotation(sentence string) bool {
	return strings.ContainsAny(firstRune(sentence), "\"“”'‘`«»„「『>|")
}

func isQuestion(sentence string) bool {
	sentence = strings.TrimRight(sentence, "\"'”」)） \t")
	if strings.HasSuffix(sentence, "?") || strings.HasSuffix(sentence, "？") {
		return true
	}
	sentence = strings.TrimRight(sentence, "。.")
	return slices.ContainsFunc(questionEnds.All(), func(end string) bool { return strings.HasSuffix(sentence, end) })
}

// questionEnds are the endings of questions without a question mark.
var questionEnds = pattern.Words(`吗|嗎|ますか|ですか|たか|까요|습니까|나요`)

// announcesList matches a string that introduces the lines below it.
var announcesList = pattern.New(`[:：]$`)

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
