// Package request finds wishes in conversations: requests to remember something,
// the candidates of a compaction summary, and the decisions, todos and facts of a
// message. A request needs a directive; mentioning memory is not enough.
package request

import (
	"strings"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
	"github.com/wm-lsp/wm-lsp/extract/shorten"
)

// The types of entries that a request can have (systems.md B1).
const (
	Feedback  = "feedback"
	Project   = "project"
	Decision  = "decision"
	Reference = "reference"
)

// A Request is an explicit wish to have something remembered (systems.md B2).
type Request struct {
	// Type is feedback, project, decision or reference.
	Type string
	// Text is what to remember, in the words of the message.
	Text string
}

// Requests returns the requests of a user's message to remember something, in
// order. Each item of a list below a directive is a request. One that only points, such
// as "add this to CLAUDE.md", refers to what stands before it, or to before.
func Requests(message string, before Before) []Request { return speechOf(message).requests(before) }

func (s speech) requests(before Before) []Request {
	r := reader{units: units(s.spoken(unmistakable)), before: before}
	for r.at < len(r.units) && r.looked < maxLooked {
		r.read()
	}
	return r.found
}

// unmistakable matches requests that are read in long messages too.
var unmistakable = pattern.Any(
	`\b(?:remember|memori[sz]e|from now on|keep in mind)\b`,
	`\b(?:merk\w* (?:dir|euch)|ab (?:jetzt|sofort)|souviens-toi|retiens|désormais|`+
		`recuerda|a partir de ahora|lembre(?:-se)?|a partir de agora)\b`,
	`记住|記住|从现在|從現在`, `覚えて|今後は|これからは`, `기억해|앞으로`, `запомни`,
)

// A unit is a sentence and its position.
type unit struct {
	text   string
	line   int // index of the line of prose
	bullet bool
	after  bool // see line
}

func units(lines []line) []unit {
	var all []unit
	for i, l := range lines {
		for _, s := range sentences(l.text) {
			all = append(all, unit{text: s, line: i, bullet: l.bullet, after: l.after})
		}
	}
	return all
}

// A reader iterates over the sentences of a message.
type reader struct {
	units []unit
	at    int
	// before is what the message may refer to.
	before Before
	// looked counts the sentences that contain a word of a directive.
	looked int
	found  []Request
}

// maxLooked bounds the sentences of one message that are matched against the
// directives. A message with more of them is a pasted log.
const maxLooked = 250

// read processes the sentence at r.at and advances.
func (r *reader) read() {
	u := r.units[r.at]
	r.at++
	spoken := spokenIn(u.text)
	if len(spoken) == 0 {
		return
	}
	r.looked++
	wish, ok := match(u.text, spoken)
	if !ok || r.takenBack() {
		return
	}
	switch {
	case wish.text != "" && wish.open:
		r.add(wish.kind, r.extend(u, wish.text))
	case wish.text != "":
		r.add(wish.kind, wish.text)
	case !wish.open && wish.pointsBack && r.addPrevious(u):
	case r.addFollowing(u, wish.kind):
	case !wish.open && r.before.Found != "":
		r.add(wish.kind, r.before.Found)
	}
}

var (
	takenBack = pattern.New(
		`^(?:(?:oh|no|nah|hmm+|wait|actually|sorry)[,. …]*)*(?:never ?mind|scratch that|` +
			`forget (?:it|that|this|what i said)|just kidding|kidding|jk|ignore that|cancel that|` +
			`don'?t (?:remember|save|store) (?:that|this|it)|算了|不用了|当我没说|當我沒說|やっぱり(?:いい|忘れて|なし)|아니다|취소|vergiss es|` +
			`doch nicht|laisse tomber|oublie|olvídalo|esquece|deixa pra lá)\b|` +
			`^(?:算了|不用了|当我没说|當我沒說|やっぱり(?:いい|忘れて|なし)|아니,? ?됐)`,
	)
	newTopic = pattern.New(
		`^(?:now\b|then\b|next\b|ok(?:ay)?\b|also\b|please\b|thanks?\b|thank you\b|can you|could you|would you|` +
			`will you|let'?s\b|go ahead|anyway|btw|by the way|with that|i(?:'d| would) like|remember\b|from now on|` +
			`do (?:it|that|this)\b|fix|show|tell|run\b|start|continue|现在|然后|接下来|另外|请|請|謝謝|谢谢|では|それでは|じゃあ|次に|이제|그럼|` +
			`다음|감사|jetzt|nun\b|danke|bitte|maintenant|merci|peux-tu|ahora|gracias|puedes|agora|obrigad)|[?？]\s*$`,
	)
)

// takenBack reports whether the next sentence takes the wish back.
func (r *reader) takenBack() bool {
	return r.at < len(r.units) && takenBack.Match(r.units[r.at].text)
}

// extend adds the following sentences of the same line to a wish.
func (r *reader) extend(u unit, text string) string {
	for r.at < len(r.units) && r.units[r.at].line == u.line && !newTopic.Match(r.units[r.at].text) {
		text += " " + r.units[r.at].text
		r.at++
	}
	return text
}

// praise matches thanks and agreement that say nothing else.
var praise = pattern.New(
	`^(?:(?:great|thanks|thank you|perfect|nice|cool|awesome|ok(?:ay)?|good|yes|done|lgtm|super|danke|merci|` +
		`gracias|obrigad[oa]|谢谢|謝謝|` +
		`ありがとう\S*|감사\S*|고마워\S*|so much|a lot|job|work|very|that works|looks good|all|it|now)[\s,.!。！]*)+$`,
)

// addPrevious adds the sentence before one that is only "remember that".
func (r *reader) addPrevious(u unit) bool {
	if r.at < 2 {
		return false
	}
	before := r.units[r.at-2]
	if before.bullet != u.bullet || u.after && before.line != u.line || isQuestion(before.text) {
		return false
	}
	if praise.Match(before.text) {
		return false
	}
	text := before.text
	for i := r.at - 3; i >= 0 && i >= r.at-4 && r.units[i].line == before.line && leansOn.Match(text); i-- {
		text = r.units[i].text + " " + text
	}
	r.add("", text)
	return true
}

// addFollowing adds what follows a directive: the items of a list, one by one, or
// the sentences of the next line. It returns false if nothing follows.
func (r *reader) addFollowing(u unit, kind string) bool {
	if r.at >= len(r.units) || r.units[r.at].line > u.line+1 {
		return false
	}
	first := r.units[r.at]
	if !first.bullet {
		if newTopic.Match(first.text) {
			return false
		}
		r.at++
		r.add(kind, r.extend(first, first.text))
		return true
	}
	for r.at < len(r.units) && r.units[r.at].bullet && (r.units[r.at].line == first.line || !r.units[r.at].after) {
		item := r.units[r.at]
		text := item.text
		for r.at++; r.at < len(r.units) && r.units[r.at].line == item.line; r.at++ {
			text += " " + r.units[r.at].text
		}
		r.add(kind, text)
	}
	return true
}

// maxText is the maximum length of a request, in characters.
const maxText = 2000

// TooLong returns the beginning of a request to remember that Requests does not return because it
// is too long, "" if there is none: what the message begins with asks for more than it holds.
func TooLong(message string) string {
	message = shorten.Line(message)
	if utf8.RuneCountInString(message) <= maxText {
		return ""
	}
	head := string([]rune(message)[:maxText-len("…")]) // after which any request is too long
	for _, r := range Requests(head, Before{}) {
		if strings.HasSuffix(head, r.Text) {
			return r.Text
		}
	}
	return ""
}

func (r *reader) add(kind, text string) {
	text = oneLine(content(text), maxText)
	if !strings.ContainsFunc(text, isWordRune) {
		return
	}
	if kind == "" {
		kind = kindOf(text)
	}
	r.found = append(r.found, Request{Type: kind, Text: text})
}
