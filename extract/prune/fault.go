package prune

import (
	"regexp"
	"strings"
	"sync"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// A fault says how much a line is about an error.
type fault int

const (
	harmless fault = iota
	// heads is the heading of what was found wrong with one test.
	heads
	// places says where something failed.
	places
	// mentions is a line that names an error, such as that of a summary.
	mentions
	// reports is a line that reports one; the lines around it belong to it.
	reports
)

// signs are in lower case; every line that reports or mentions an error holds
// one, but for those that pytest marks with an E.
var signs = []string{
	"error", "fail", "exception", "fatal", "panic", "traceback", "critical", "assert", "err!", "not ok", "undefined",
	"cannot ", "race:", "✗", "✕", "×", "✘", "killed", "denied", "not found", "no such file", "fehler", "erreur", "错误",
	"錯誤", "エラー", "오류",
}

var (
	// reporting is what tools begin the report of an error with.
	reporting = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(strings.Join([]string{
			`^\s*(?i:error|fatal|panic|traceback)\b\s*[:\[(]`, // error: …, error[E0308]: …, panic: …
			`^\s*(?:E  |FAIL:|ERROR:?\s|FATAL|CRITICAL|--- FAIL|not ok|npm ERR!|npm error|Traceback)`,
			`^\s*[✗✕×✘]\s`, `\[ERROR\]`, `\b(?:ERROR|FATAL|CRITICAL|SEVERE)\b[ :\]]`, `\blevel=(?:error|fatal)\b`, `"level":"(?:error|fatal)"`,
			`:\s*(?i:fatal |internal compiler |syntax )?(?i:error)\b`,             // a.c:3:5: error: …
			`^\s*(?:Caused by: )?(?:[\w$]+\.)*[A-Z]\w*(?:Error|Exception)(?::|$)`, // ValueError: …
			`^\s+\S+_test\.go:\d+: `,
			`\berror TS\d+`, `undefined reference`, `DATA RACE`, `: (?i:command not found|permission denied|` +
				`no such file)`,
			`^\S+\.\w+:\d+(?::\d+)?: (?i:undefined|cannot|invalid|missing|syntax|unknown|expected)`,
		}, "|"))
	})
	// mentioning finds the words for an error where they are no part of a name.
	mentioning = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?:^|[\s('"\[:=*#])(?i:errors?|failed|failures?|exceptions?|panic|fatal|` +
			`traceback)(?:$|[\s:,.;)\]'"!*])|(?i:fehler|erreur|错误|錯誤|エラー|오류)|[a-z](?:Error|Exception)\b|\bFAIL|` +
			`"Action":"fail"`)
	})
	// section is the heading under which pytest lists what went wrong.
	section = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^=+ (?:FAILURES|ERRORS) =+$`) })
	// quoted is a line that belongs to something else than a report: source code, the
	// heading of a section.
	quoted = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?: {4}|\t)|^=+ [A-Z ]+ =+$`) })
	// summed is a line of a list of what failed; nothing around it belongs to it.
	summed = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:FAILED|ERROR|FAIL)\s+\S+$|^(?:FAILED|ERROR|FAIL) \S+(?:::|\s+-)|: FAILED$`)
	})
	heading = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^_{2,} .+ _{2,}$|^\s*● \S`)
	})
	placing = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^\s*File ".*", line \d+|^\s+(?:at|❯) .*:\d+|^\s*--> |^\S+\.py:\d+:(?: |$)`)
	})
	// passing is a line that says that something went well, whatever its name is.
	passing = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\bPASSED(?:\s+\[|$)|\.\.\. ok$|` +
			`^\s*(?:[✓✔√]|ok\b|PASS\b|--- PASS|=== (?:RUN|PASS|PAUSE|CONT)|` +
			`\{.*"Action":"(?:run|pass|skip|start|pause|cont)")`)
	})
	// none says that there is no error.
	none = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(?:0|no|zero|without(?: any)?) (?:\w+ )?(?:errors?|failures?|failed|` +
			`exceptions?)\b|\b(?:errors?|failures?|failed)[:=]\s*0\b`)
	})
)

// findFaults judges every line.
func (p *page) findFaults() {
	for i := range p.lines {
		p.lines[i].fault = p.judge(p.lines[i].text)
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
		if seen[l.text] { // said once is enough
			l.fault = harmless
		}
		seen[l.text] = true
	}
}

// obey follows what is asked for: some lines stay as error lines do, and some are
// not there at all.
func (p *page) obey() {
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
	case signed && (summed().MatchString(text) || section().MatchString(text)):
		return mentions
	case signed && passing().MatchString(text):
		return harmless
	case signed && reporting().MatchString(text):
		return reports
	case mayHead(text) && heading().MatchString(text):
		return heads
	case mayPlace(text) && placing().MatchString(text):
		return places
	case !signed || p.options.Prints || quoted().MatchString(text):
		return harmless
	case mentioning().MatchString(none().ReplaceAllString(text, "")):
		return mentions
	}
	return harmless
}

func mayHead(text string) bool {
	return strings.HasPrefix(text, "__") || strings.HasPrefix(text, "==") || strings.Contains(text, "● ")
}

// mayPlace is false for most lines, and for places in somebody else's code.
func mayPlace(text string) bool {
	return pattern.Holds(text, placeSigns) && !pattern.Holds(text, foreign)
}

var (
	placeSigns = []string{`File "`, " at ", "\tat ", "❯ ", "--> ", ".py:"}
	foreign    = []string{"node_modules", "node:", "site-packages", "/lib/python"}
)

// signAt returns where a line holds the first of the signs, in any case; -1 if it
// holds none.
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
