package importer

import (
	"strings"
	"unicode"

	"github.com/wm-lsp/wm-lsp/extract/shorten"
)

// maxFrontMatter is how many bytes of metadata a document may begin with.
const maxFrontMatter = 16 << 10

// frontMatter returns the metadata that a document begins with, by their keys, the rest of the document, and
// the number of its first line. Members of members count as members; lists are left out. A document
// without metadata, or with what is not closed, is all rest.
func frontMatter(text string) (meta map[string]string, body string, line int) {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	rest, has := strings.CutPrefix(text, "---\n")
	if !has {
		return nil, text, 1
	}
	meta, line = map[string]string{}, 2
	for at := 0; at < min(len(rest), maxFrontMatter); line++ {
		end := strings.IndexByte(rest[at:], '\n')
		next := at + end + 1
		if end < 0 {
			end, next = len(rest)-at, len(rest)
		}
		one := strings.TrimRight(rest[at:at+end], " \t")
		if one == "---" {
			return meta, rest[next:], line + 1
		}
		key, value, found := strings.Cut(one, ":")
		key, value = strings.ToLower(strings.TrimSpace(key)), strings.TrimSpace(value)
		if _, known := meta[key]; found && !known && value != "" {
			meta[key] = strings.Trim(value, `"'`)
		}
		at = next
	}
	return nil, text, 1
}

// A unit is an item of a list or a paragraph of a document.
type unit struct {
	// text is on one line, without the mark of the item.
	text string
	// line is its first line, from 1.
	line int
	// item is true for an item of a list, task for one with a box to tick.
	item, task bool
	// under is what it belongs to: the item above it that ends with a colon, if it is nested, or the heading.
	under  string
	nested bool
}

// The markers of what wm-lsp export writes into a file.
const (
	ownBegin = "<!-- wm-lsp:begin"
	ownEnd   = "<!-- wm-lsp:end"
)

// A scanner reads the units of a document.
type scanner struct {
	units   []unit
	open    *unit
	heading string
	// above are the items that an item may belong to.
	above []outer
	// fence is the fence of the code that is open, comment what closes what is left out.
	fence, comment string
	blank          bool // whether the line before is
}

// An outer item has items below it, which are indented by more.
type outer struct {
	indent int
	text   string
}

// units returns the units of a document whose first line has a number. Code, tables, headings, comments, and
// what wm-lsp has written into it are left out.
func units(text string, first int) []unit {
	s := scanner{blank: true}
	number := first
	for one := range strings.Lines(text) {
		s.line(strings.TrimRight(one, "\r\n \t"), number)
		number++
	}
	s.close()
	return s.units
}

func (s *scanner) close() {
	if s.open != nil {
		s.open.text = shorten.Line(strings.ReplaceAll(s.open.text, "**", ""))
		if s.open.text != "" {
			s.units = append(s.units, *s.open)
		}
		s.open = nil
	}
}

// line reads one line.
func (s *scanner) line(one string, number int) {
	bare := strings.TrimLeft(one, " \t")
	indent := len(strings.ReplaceAll(one[:len(one)-len(bare)], "\t", "    "))
	wasBlank := s.blank
	s.blank = bare == ""
	switch {
	case s.comment != "":
		if strings.Contains(bare, s.comment) {
			s.comment = ""
		}
	case s.fence != "":
		if strings.HasPrefix(bare, s.fence) && strings.Trim(bare, s.fence[:1]) == "" {
			s.fence = ""
		}
	case strings.HasPrefix(bare, ownBegin):
		s.close()
		s.comment = ownEnd
	case strings.HasPrefix(bare, "<!--"):
		s.close()
		if !strings.Contains(bare, "-->") {
			s.comment = "-->"
		}
	case strings.HasPrefix(bare, "```"), strings.HasPrefix(bare, "~~~"):
		s.close()
		s.fence = bare[:3]
	case bare == "":
		s.close()
	case strings.HasPrefix(bare, "#") && strings.HasPrefix(strings.TrimLeft(bare, "#"), " "):
		s.close()
		s.heading, s.above = strings.Trim(bare, "# "), nil
	case strings.HasPrefix(bare, "|"), strings.Trim(bare, "-=_* ") == "":
		s.close()
	default:
		s.text(bare, indent, number, wasBlank)
	}
}

// text reads a line of an item or paragraph.
func (s *scanner) text(bare string, indent, number int, afterBlank bool) {
	text, item := itemOf(bare)
	switch {
	case item:
		s.close()
		for len(s.above) > 0 && s.above[len(s.above)-1].indent >= indent {
			s.above = s.above[:len(s.above)-1]
		}
		under, nested := s.heading, len(s.above) > 0
		if nested {
			under = s.above[len(s.above)-1].text
		}
		box, rest, _ := strings.Cut(text, " ")
		task := box == "[ ]" || box == "[x]" || box == "[X]" || strings.HasPrefix(text, "[ ]")
		if task {
			text = strings.TrimPrefix(strings.TrimPrefix(rest, "]"), " ")
		}
		s.open = &unit{text: text, line: number, item: true, task: task, under: under, nested: nested}
		if strings.HasSuffix(strings.TrimRight(text, "* "), ":") {
			s.above = append(s.above, outer{indent, strings.Trim(text, "*: ")})
		}
	case s.open != nil:
		s.open.text += " " + bare
	case afterBlank && indent >= 4 && len(s.above) == 0: // code
	default:
		if indent == 0 {
			s.above = nil
		}
		s.open = &unit{text: strings.TrimLeft(bare, "> "), line: number, under: s.heading}
	}
}

// itemOf returns the text of a line that begins an item of a list.
func itemOf(bare string) (text string, is bool) {
	mark, rest, found := strings.Cut(bare, " ")
	if !found {
		return bare, false
	}
	switch mark {
	case "-", "*", "+", "•":
		return strings.TrimSpace(rest), true
	}
	digits := strings.TrimRight(mark, ".)")
	number := digits != "" && len(digits) == len(mark)-1 && len(digits) < 4 &&
		strings.IndexFunc(digits, func(c rune) bool { return !unicode.IsDigit(c) }) < 0
	return strings.TrimSpace(rest), number
}

// sentences returns the sentences of a paragraph.
func sentences(text string) (all []string) {
	words := strings.Fields(text)
	begin := 0
	for i, word := range words {
		ends := strings.ContainsRune(".!?", rune(word[len(word)-1])) && len(word) > 2
		if ends && (i+1 == len(words) || startsWithCapital(words[i+1])) {
			all = append(all, strings.Join(words[begin:i+1], " "))
			begin = i + 1
		}
	}
	if begin < len(words) {
		all = append(all, strings.Join(words[begin:], " "))
	}
	return all
}

func startsWithCapital(word string) bool {
	for _, c := range word {
		return unicode.IsUpper(c) || c == '`' || unicode.Is(unicode.Han, c)
	}
	return false
}
