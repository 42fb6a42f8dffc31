package prune

import (
	"regexp"
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/once"
	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// A fault is the relation of a line to an error.
type fault int

const (
	harmless fault = iota
	// heads is the heading above the failures of one test.
	heads
	// places is the location of a failure.
	places
	// mentions is a line that names an error, as in a summary.
	mentions
	// reports is a line that reports an error; the lines around it belong to it.
	reports
)

// signs are in lower case. Every line that reports or mentions an error contains
// one, except those that pytest marks with an E.
var signs = []string{
	"error", "fail", "exception", "fatal", "panic", "traceback", "critical", "assert", "err!", "not ok", "undefined",
	"cannot ", "race:", "✗", "✕", "×", "✘", "killed", "denied", "not found", "no such file", "fehler", "erreur", "错误",
	"錯誤", "エラー", "오류",
}

var (
	// reporting matches the beginning of the report of an error.
	reporting = once.Value[*regexp.Regexp]{Make: func() *regexp.Regexp {
		return regexp.MustCompile(strings.Join([]string{
			`^\s*(?i:error|fatal|panic|traceback)\b\s*[:\[(]`, // error: …, error[E0308]: …, panic: …
			`^\s*(?:E  |FAIL:|ERROR:?\s|FATAL|CRITICAL|--- FAIL|not ok|npm ERR!|npm error|Traceback)`,
			`^\s*[✗✕×✘]\s`, `\[ERROR\]`, `\b(?:ERROR|FATAL|CRITICAL|SEVERE)\b[ :\]]`,
			`\blevel=(?:error|fatal)\b`, `"level":"(?:error|fatal)"`,
			`:\s*(?i:fatal |internal compiler |syntax )?(?i:error)\b`,             // a.c:3:5: error: …
			`^\s*(?:Caused by: )?(?:[\w$]+\.)*[A-Z]\w*(?:Error|Exception)(?::|$)`, // ValueError: …
			`^\s+\S+_test\.go:\d+: `,
			`\berror TS\d+`, `undefined reference`, `DATA RACE`,
			`: (?i:command not found|permission denied|no such file)`,
			`^\S+\.\w+:\d+(?::\d+)?: (?i:undefined|cannot|invalid|missing|syntax|unknown|expected)`,
		}, "|"))
	}}
	// mentioning matches the words for an error unless they are part of a name.
	mentioning = once.Compile(`(?:^|[\s('"\[:=*#])` +
		`(?i:errors?|failed|failures?|exceptions?|panic|fatal|traceback)(?:$|[\s:,.;)\]'"!*])|` +
		`(?i:fehler|erreur|错误|錯誤|エラー|오류)|[a-z](?:Error|Exception)\b|\bFAIL|"Action":"fail"`)
	// section matches the heading above the failures of pytest.
	section = once.Compile(`^=+ (?:FAILURES|ERRORS) =+$`)
	// quoted matches a line that is not part of a report: source code or the
	// heading of a section.
	quoted = once.Compile(`^(?: {4}|\t)|^=+ [A-Z ]+ =+$`)
	// summed matches an item of a list of failures. No line around it belongs to it.
	summed  = once.Compile(`^(?:FAILED|ERROR|FAIL)\s+\S+$|^(?:FAILED|ERROR|FAIL) \S+(?:::|\s+-)|: FAILED$`)
	heading = once.Compile(`^_{2,} .+ _{2,}$|^\s*● \S`)
	placing = once.Compile(`^\s*File ".*", line \d+|^\s+(?:at|❯) .*:\d+|^\s*--> |^\S+\.py:\d+:(?: |$)`)
	// passing matches a line about a success, even if its name mentions an error.
	passing = once.Compile(`\bPASSED(?:\s+\[|$)|\.\.\. ok$|` +
		`^\s*(?:[✓✔√]|ok\b|PASS\b|--- PASS|=== (?:RUN|PASS|PAUSE|CONT)|` +
		`\{.*"Action":"(?:run|pass|skip|start|pause|cont)")`)
	// none matches a statement that there is no error.
	none = once.Compile(`(?i)\b(?:0|no|zero|without(?: any)?) (?:\w+ )?(?:errors?|failures?|failed|exceptions?)\b|` +
		`\b(?:errors?|failures?|failed)[:=]\s*0\b`)
)

// findFaults sets the fault of every line. Except in mode Normal, a repeated error
// line is harmless.
func (p *page) findFaults() {
	budget := maxJudged
	for first, last := 0, len(p.lines)-1; first <= last; first, last = first+1, last-1 {
		budget = p.judgeLine(first, budget)
		if first < last {
			budget = p.judgeLine(last, budget)
		}
	}
	if p.options.Mode == Normal {
		return
	}
	seen := map[string]bool{}
	for i := range p.lines {
		l := &p.lines[i]
		if l.fault == harmless {
			continue
		}
		if seen[l.text] {
			l.fault = harmless
		}
		seen[l.text] = true
	}
}

// maxJudged is how many bytes of lines with a sign are judged, from both ends of the
// output on. All those in the middle of a longer one are taken for errors.
const maxJudged = 128 << 10

// judgeLine sets the fault of a line and returns what is left of the budget.
func (p *page) judgeLine(i, budget int) int {
	text := p.lines[i].text
	if !mayBeFault(text) {
		return budget
	}
	if budget <= 0 {
		p.lines[i].fault = mentions
		return budget
	}
	p.lines[i].fault = p.judge(text)
	return budget - len(text)
}

// mayBeFault is a cheap precondition of every fault.
func mayBeFault(text string) bool {
	return signAt(text) >= 0 || strings.HasPrefix(text, "E  ") || mayHead(text) || mayPlace(text)
}

// filter applies the expressions of the options: it treats some lines like error
// lines and removes others.
func (p *page) filter() {
	if len(p.options.Always)+len(p.options.Never) == 0 {
		return
	}
	var search pattern.Search
	lines := p.lines[:0]
	for _, l := range p.lines {
		switch {
		case l.fault > places:
		case search.Match(p.options.Always, l.text):
			l.fault = mentions
			l.shape = l.shapeOf()
		case search.Match(p.options.Never, l.text):
			continue
		}
		lines = append(lines, l)
	}
	p.lines = lines
}

func (p *page) judge(text string) fault {
	const window = 1 << 10
	if len(text) > window {
		text = around(text, window)
	}
	switch signed := signAt(text) >= 0 || strings.HasPrefix(text, "E  "); {
	case signed && (summed.MatchString(text) || section.MatchString(text)):
		return mentions
	case signed && passing.MatchString(text):
		return harmless
	case signed && reporting.Get().MatchString(text):
		return reports
	case mayHead(text) && heading.MatchString(text):
		return heads
	case mayPlace(text) && placing.MatchString(text):
		return places
	case !signed || p.options.Prints || quoted.MatchString(text):
		return harmless
	case mentioning.MatchString(none.ReplaceAllString(text, "")):
		return mentions
	}
	return harmless
}

func mayHead(text string) bool {
	return strings.HasPrefix(text, "__") || strings.HasPrefix(text, "==") || strings.Contains(text, "● ")
}

// mayPlace is a cheap precondition of placing. It also excludes locations in the
// code of dependencies.
func mayPlace(text string) bool {
	return pattern.Holds(text, placeSigns) && !pattern.Holds(text, foreign)
}

var (
	placeSigns = []string{`File "`, " at ", "\tat ", "❯ ", "--> ", ".py:"}
	foreign    = []string{"node_modules", "node:", "site-packages", "/lib/python"}
)

// signAt returns the index of the first sign in a line, ignoring case, or -1.
func signAt(text string) int {
	for i := range len(text) {
		c := text[i]
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		switch c {
		case 'e', 'f', 'p', 't', 'c', 'a', 'n', 'u', 'r', 'k', 'd', 0xc3, 0xe2, 0xe3, 0xe9, 0xec:
			for _, sign := range signs {
				if sign[0] == c && len(text)-i >= len(sign) && strings.EqualFold(text[i:i+len(sign)], sign) {
					return i
				}
			}
		}
	}
	return -1
}
