package prune

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/once"
)

// A Kind is a kind of output.
type Kind string

// The kinds of systems.md A8, and two for single long lines.
const (
	Listing    Kind = "listing"
	Tree       Kind = "tree"
	Log        Kind = "log"
	StackTrace Kind = "stackTrace"
	Repetition Kind = "repetition"
	LongOutput Kind = "longOutput"
	JSON       Kind = "json"
	Base64     Kind = "base64"
)

// looked is the number of lines from which the kinds of an output are determined.
const looked = 400

var (
	// permissions matches the beginning of a line of ls -l.
	permissions = once.Compile(`^[-dlbcps](?:[-r][-w][-xsStT]){3}[.+@]? `)
	logged      = once.Compile(`^\W*(?:\d{4}[-/]\d\d[-/]\d\d[T ]|\d\d:\d\d:\d\d\b|` +
		`[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|\d{10}\.\d|` +
		`(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL)\b)`)
	framed = once.Compile(`^\s+at .*[(:]|^\s+File ".*", line \d+|^goroutine \d+ \[|^\s+\S+\.go:\d+ \+0x|` +
		`^\s+\d+: +0x|^\s+\d+: [\w<].*::`)
)

// kinds returns the kinds of the output, in the order of the constants.
func (p *page) kinds() []Kind {
	sample := p.lines[:min(len(p.lines), looked)]
	var filled, names, branches, logs, frames int
	for _, l := range sample {
		text := l.text[:min(len(l.text), 200)]
		if text == "" {
			continue
		}
		filled++
		switch {
		case isBranch(text):
			branches++
		case !isLower(text[0]) && logged.MatchString(text[:min(len(text), 60)]),
			strings.Contains(text, `"level":`), strings.Contains(text, "level="):
			logs++
		case (text[0] == ' ' || text[0] == '\t' || text[0] == 'g') && framed.MatchString(text):
			frames++
		case isName(text) || permissions.MatchString(text):
			names++
		}
	}
	is := map[Kind]bool{
		Listing:    filled > 5 && names*10 >= filled*8,
		Tree:       branches > 3 && branches*10 >= filled*5,
		Log:        logs > 3 && logs*10 >= filled*4,
		StackTrace: frames > 2,
		Repetition: p.repeats(sample),
		LongOutput: len(p.lines) > p.options.Rule.Threshold,
		JSON:       p.isJSON(sample),
		Base64:     p.isBase64(sample),
	}
	for _, kind := range []Kind{Listing, Tree, Log, StackTrace, Repetition, LongOutput, JSON, Base64} {
		if is[kind] {
			p.found = append(p.found, kind)
		}
	}
	return p.found
}

func (p *page) is(kind Kind) bool { return slices.Contains(p.found, kind) }

// isName reports whether a line can be part of a listing: one word, or the total
// that ls prints first.
func isName(text string) bool {
	text = strings.TrimSpace(text)
	return !strings.ContainsAny(text, " \t(){}<>;,=\"'") || strings.HasPrefix(text, "total ")
}

func isBranch(text string) bool {
	return strings.Contains(text, "── ") || strings.Contains(text, "|-- ") || strings.Contains(text, "`-- ") ||
		strings.Contains(text, "+---")
}

// repeats reports whether at least five lines, and a fifth of them, are like the
// line before.
func (p *page) repeats(sample []line) bool {
	same := 0
	for i := 1; i < len(sample); i++ {
		if sample[i].text != "" && sample[i].shape == sample[i-1].shape {
			same++
		}
	}
	return same >= 5 && same*5 >= len(sample)
}

// isJSON reports whether the output is one JSON value, or one on each line.
func (p *page) isJSON(sample []line) bool {
	const small = 1 << 20
	first, last := strings.TrimSpace(p.lines[0].text), strings.TrimSpace(p.lines[len(p.lines)-1].text)
	if first == "" || last == "" || strings.IndexByte("{[", first[0]) < 0 ||
		strings.IndexByte("}]", last[len(last)-1]) < 0 {
		return false
	}
	if len(p.lines) > 1 && json.Valid([]byte(first)) && len(first) > 2 {
		return json.Valid([]byte(sample[len(sample)-1].text))
	}
	var text strings.Builder
	for _, l := range p.lines {
		if text.Len()+len(l.text) > small {
			return true
		}
		text.WriteString(l.text)
	}
	return json.Valid([]byte(text.String()))
}

// isBase64 reports whether the output has a long line or several consecutive short
// lines of base64.
func (p *page) isBase64(sample []line) bool {
	row := 0
	for _, l := range sample {
		if row++; !isBase64(l.text, wrappedBase64) {
			row = 0
		}
		if row > 3 || isBase64(l.text, longBase64) {
			return true
		}
	}
	return false
}

const (
	// wrappedBase64 is the minimum length of one of several lines of base64.
	wrappedBase64 = 40
	// longBase64 is the minimum length of a single line of base64.
	longBase64 = 200
)

// isBase64 reports whether a line consists of at least so many characters of
// base64, which may be part of a data URL.
func isBase64(text string, least int) bool {
	if at := strings.Index(text, ";base64,"); at >= 0 {
		text = text[at+len(";base64,"):]
	}
	text = strings.Trim(text, " \t\"',;)")
	if len(text) < least {
		return false
	}
	var upper, lower, digit bool
	for i := range len(text) {
		switch c := text[i]; {
		case c >= 'a' && c <= 'z':
			lower = true
		case c >= 'A' && c <= 'Z':
			upper = true
		case isDigit(c):
			digit = true
		case c != '+' && c != '/' && c != '-' && c != '_' && c != '=':
			return false
		}
	}
	return upper && lower && digit
}

// endings describes the extensions of the files of a listing, the most common first.
func endings(lines []line) string {
	counts := map[string]int{}
	for _, l := range lines {
		ending := path.Ext(strings.TrimRight(l.text, "*@=|"))
		if ending != "" && len(ending) < 8 && !strings.Contains(ending, " ") {
			counts[ending]++
		}
	}
	const few, most = 5, 3
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	var out strings.Builder
	for _, name := range names[:min(most, len(names))] {
		if counts[name] < few {
			break
		}
		if out.Len() == 0 {
			out.WriteString(":")
		} else {
			out.WriteString(",")
		}
		fmt.Fprintf(&out, " %d %s", counts[name], name)
	}
	return out.String()
}
