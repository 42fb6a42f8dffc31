package request

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// What stands in a message of a user was not all said by the user: hosts add reminders
// and notifications, and people paste logs, issues and documents.

const (
	// maxSpeech is the most prose, in characters, that is taken for speech. More is a document.
	maxSpeech = 2500
	// maxListed is the same for a message with headings or many items.
	maxListed = 900
	// manyItems is how many items of lists make a message a document.
	manyItems = 8
	// maxFrame is the length of a paragraph, in characters, that introduces or ends a document.
	maxFrame = 400
)

var (
	// hosted matches the beginning of messages that hosts send in the name of the user.
	hosted = pattern.New(
		`^\s*(?:This session is being continued from a previous conversation|Caveat: The messages below were|` +
			`\[Request interrupted|# ?(?:AGENTS|CLAUDE)\.md instructions|Base directory for this skill:|` +
			`The user (?:opened|has selected)|\[(?:SYSTEM|Image|Pasted)\b|Unknown (?:slash command|skill):)`,
	)
	// element matches the first tag of an element that begins a line.
	element = pattern.New(`(?m)^[ \t]*<([A-Za-z][\w.-]{2,60})(?:\s[^<>\n]{0,400})?>`)
	// prompted matches the prompt of a shell or an interpreter before a command.
	prompted = pattern.New(`^(?:➜|❯|λ|\$ |% |# [a-z./]|>>> |\.\.\. |In \[\d+\]:|PS [A-Z]:|` +
		`[\w.-]+@[\w.-]+[:~ ][^\s]*[$#] )`)
	// printed matches lines that programs write.
	printed = pattern.New(
		`^(?:(?-i:error|fatal|warning|hint|panic|info|debug|remote|Error|Caused by)(?:\[\w+\])?: \S.{8,}|` +
			`(?-i:FAIL|PASS|ok)\s{2,}\S|npm ERR!|Traceback \(|E   \S|at \S+ ?\(.*\)$|File "[^"]+", line \d+|` +
			`--- (?:FAIL|PASS|a/)|\+\+\+ b/|@@ |diff --git|\S+:\d+:\d+:? |\S+\.\w{1,4}:\d+: |HEAD is now at |` +
			`(?-i:[A-Z]\w*(?:Error|Exception)): |https?://\S+$|[{}\[\]();]+,?$|<[^>]{1,200}>?$|` +
			`(?:Already on|Switched to|To https?:|From https?:|Unpacking|Counting|Writing|Compressing) )`,
	)
	// columns matches lines of a table without borders.
	columns = pattern.New(`\S {2,}\S+(?: \S+)* {2,}\S|\S {5,}\S`)
	heading = pattern.New(`^#{1,6} \S|^\*\*[^*]{2,60}\*\*:?$|^[=-]{4,}$`)
)

// A paragraph is what stands together: lines without a gap, or one item of a list.
type paragraph struct {
	text   string
	bullet bool
	// first and after say where it stands: it begins the message, or follows a gap.
	first, after bool
}

// A speech is a message, which is read once for all that is looked for in it.
type speech struct {
	// lines are the prose: without what hosts add.
	lines []line
	// said is what the author said: without what programs printed, and pasted documents. Lines that an
	// editor or terminal broke are joined.
	said []paragraph
}

func speechOf(text string) speech {
	if hosted.Match(text[:min(len(text), 200)]) {
		return speech{}
	}
	lines := prose(withoutElements(bounded(text)))
	return speech{lines, saidIn(lines)}
}

// saidIn returns what the author of lines of prose said.
func saidIn(lines []line) []paragraph {
	var all []paragraph
	chars, items, titles := 0, 0, 0
	output := false // of a command that was pasted
	for i, l := range lines {
		switch {
		case prompted.Match(l.text):
			output = true
			continue
		case output && (!l.after || l.indented), printed.Match(l.text), columns.Match(l.text):
			continue
		}
		output = false
		if at := strings.IndexAny(l.text, "❯➜"); at > 0 { // what was said of an output, before its prompt
			output, l.text = true, strings.TrimSpace(l.text[:at])
		}
		chars += utf8.RuneCountInString(l.text)
		switch {
		case heading.Match(l.text):
			titles++
		case l.bullet:
			items++
		}
		if n := len(all); n > 0 && !l.after && !l.bullet && i > 0 && continues(all[n-1].text, l) {
			// Of a document, which this is then, no long paragraph is returned.
			if len(all[n-1].text) <= utf8.UTFMax*maxSpeech {
				all[n-1].text = joined(all[n-1].text, l.text)
			}
			continue
		}
		all = append(all, paragraph{text: l.text, bullet: l.bullet, first: len(all) == 0, after: l.after})
	}
	listed := titles > 0 || items >= manyItems
	if chars <= maxListed || chars <= maxSpeech && !listed {
		return all
	}
	return frame(all)
}

// spoken returns the lines of prose that the author said. With alsoIf, it returns lines of a pasted document
// too if they match.
func (s speech) spoken(alsoIf *pattern.AnyOf) []line {
	return slices.DeleteFunc(slices.Clone(s.lines), func(l line) bool {
		own := slices.ContainsFunc(s.said, func(p paragraph) bool { return strings.Contains(p.text, l.text) })
		return !own && (alsoIf == nil || printed.Match(l.text) || prompted.Match(l.text) || !alsoIf.Match(l.text))
	})
}

// frame returns the paragraphs before and after a pasted document.
func frame(all []paragraph) []paragraph {
	says := func(p paragraph) bool {
		return !p.bullet && !heading.Match(p.text) && utf8.RuneCountInString(p.text) <= maxFrame
	}
	var kept []paragraph
	if says(all[0]) {
		kept = all[:1]
	}
	last := all[len(all)-1]
	if len(all) > 1 && says(last) && last.after && !announcesList.Match(all[0].text) {
		kept = append(kept[:len(kept):len(kept)], last)
	}
	return kept
}

// withoutElements returns a string without the elements that begin a line, such as
// <system-reminder>…</system-reminder>. One that is not closed reaches to the end.
func withoutElements(text string) string {
	for range maxElements {
		found := element.FindAll(text, 1)
		if len(found) == 0 {
			return text
		}
		from, to := found[0][0], found[0][1]
		name := element.Submatch(text[from:to])[1]
		end := strings.Index(text[to:], "</"+name)
		if end < 0 {
			return text[:from]
		}
		to += end + len("</"+name)
		if shut := strings.IndexByte(text[to:], '>'); shut >= 0 {
			to += shut + 1
		}
		text = text[:from] + "\n\n" + text[to:]
	}
	return text
}

const maxElements = 200

// wrapped is the length of a line, in characters, that was probably broken to fit a width.
const wrapped = 40

// connecting are words after which a sentence goes on.
var connecting = pattern.SetOf(`and or but the a an of to in on for with that which is are from by at as than ` +
	`into if when because not be its our your their can should must will und oder der die das dem den ` +
	`des ein eine einen im am für von auf aus nach mit zu et ` +
	`ou de du la le les un une dans pour que y o el los una con en para e os as com`)

// connects reports whether a sentence goes on after a string that ends with a character.
func connects(text string, last rune) bool {
	if strings.ContainsRune(",，、(–—-", last) {
		return true
	}
	const longestWord = 16 // of connecting, and more, in bytes
	text = text[max(0, len(text)-longestWord):]
	before := strings.TrimRightFunc(text, unicode.IsLetter)
	if before != "" && strings.IndexByte("_0123456789", before[len(before)-1]) >= 0 {
		return false
	}
	return connecting.Has(strings.ToLower(text[len(before):]))
}

// continues reports whether a line goes on with the sentence of the text before it.
func continues(before string, l line) bool {
	before = before[max(0, len(before)-utf8.UTFMax*2*wrapped):] // the end decides
	end, _ := utf8.DecodeLastRuneInString(before)
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(before, `"')”」`))
	if strings.ContainsRune(".!?。！？:：;；…", last) {
		return false
	}
	first := firstRune(l.text)
	if isCJK(first) && isCJK(string(last)) {
		return utf8.RuneCountInString(before) >= wrapped/2
	}
	r, _ := utf8.DecodeRuneInString(first)
	return utf8.RuneCountInString(before) >= wrapped && !unicode.IsUpper(r) ||
		connects(before, end)
}

// joined returns two parts of a sentence as one string.
func joined(before, after string) string {
	last, _ := utf8.DecodeLastRuneInString(before)
	if isCJK(firstRune(after)) && isCJK(string(last)) && !isHangul(last) {
		return before + after
	}
	return before + " " + after
}

func isHangul(r rune) bool { return r >= 0xAC00 && r <= 0xD7A3 }
