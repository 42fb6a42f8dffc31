package main

import (
	"strings"

	"golang.org/x/net/html"
)

// readers take a file apart into paragraphs of prose, by format.
var readers = map[string]func(content string, use func(paragraph string)){
	"html":     readHTML,
	"text":     readText,
	"comments": readComments,
	"roff":     readRoff,
	"gloss":    readGlosses,
}

// block are the elements that begin or end a paragraph.
var block = map[string]bool{
	"p": true, "li": true, "td": true, "th": true, "dt": true, "dd": true, "div": true, "h1": true, "h2": true,
	"h3": true, "h4": true, "h5": true, "h6": true, "tr": true, "ul": true, "ol": true, "table": true,
	"section": true, "blockquote": true, "br": true, "title": true, "caption": true, "article": true, "pre": true,
}

// silent are the elements whose content is not prose.
var silent = map[string]bool{"script": true, "style": true, "pre": true, "nav": true, "head": true, "footer": true}

func readHTML(content string, use func(string)) {
	var paragraph strings.Builder
	flush := func() {
		use(paragraph.String())
		paragraph.Reset()
	}
	skipped, depth := "", 0
	tokens := html.NewTokenizer(strings.NewReader(content))
	for {
		kind := tokens.Next()
		switch kind {
		case html.ErrorToken:
			flush()
			return
		case html.TextToken:
			if depth == 0 {
				paragraph.Write(tokens.Text())
			}
		case html.StartTagToken, html.EndTagToken:
			tag, _ := tokens.TagName()
			name := string(tag)
			switch {
			case depth > 0 && name == skipped && kind == html.StartTagToken:
				depth++
			case depth > 0 && name == skipped:
				depth--
			case depth == 0 && silent[name] && kind == html.StartTagToken:
				flush()
				skipped, depth = name, 1
			case depth == 0 && block[name]:
				flush()
			}
		case html.SelfClosingTagToken, html.CommentToken, html.DoctypeToken:
		}
	}
}

// readText reads Markdown, reStructuredText and plain text: paragraphs, list items, headings,
// without code blocks, addresses and tags.
func readText(content string, use func(string)) {
	var paragraph strings.Builder
	flush := func() {
		use(paragraph.String())
		paragraph.Reset()
	}
	fence := ""
	for line := range strings.Lines(content) {
		trimmed := strings.TrimSpace(line)
		if fence != "" {
			if strings.HasPrefix(trimmed, fence) {
				fence = ""
			}
			continue
		}
		switch {
		case strings.HasPrefix(trimmed, "```"), strings.HasPrefix(trimmed, "~~~"):
			flush()
			fence = trimmed[:3]
			continue
		case trimmed == "", strings.HasPrefix(trimmed, ".. "), strings.HasPrefix(trimmed, ":"):
			flush()
			continue
		case strings.HasPrefix(trimmed, "- "), strings.HasPrefix(trimmed, "* "), strings.HasPrefix(trimmed, "#"),
			strings.HasPrefix(trimmed, "|"), strings.HasPrefix(trimmed, "+ "):
			flush()
		}
		prose(&paragraph, trimmed)
		paragraph.WriteByte(' ')
	}
	flush()
}

// prose writes a line without tags, without the targets of links and without addresses.
func prose(to *strings.Builder, line string) {
	for len(line) > 0 {
		at := strings.IndexAny(line, "<]h")
		if at < 0 {
			to.WriteString(line)
			return
		}
		to.WriteString(line[:at])
		line = line[at:]
		length := 1
		switch {
		case line[0] == '<' && len(line) > 1 && line[1] != ' ':
			if end := strings.IndexByte(line, '>'); end > 0 {
				length = end + 1
			}
		case strings.HasPrefix(line, "]("):
			if end := strings.IndexByte(line, ')'); end > 0 {
				length = end + 1
			}
		case strings.HasPrefix(line, "http://"), strings.HasPrefix(line, "https://"):
			if length = strings.IndexAny(line, " )>\"'`"); length < 0 {
				length = len(line)
			}
		default:
			to.WriteByte(line[0])
		}
		if length > 1 {
			to.WriteByte(' ')
		}
		line = line[length:]
	}
}

// readComments reads the comments of Go, TypeScript and Protocol Buffers: blocks, and runs of
// lines.
func readComments(content string, use func(string)) {
	var comment strings.Builder
	flush := func() {
		if comment.Len() > 0 {
			readText(comment.String(), use)
			comment.Reset()
		}
	}
	inside := false
	for line := range strings.Lines(content) {
		trimmed := strings.TrimSpace(line)
		switch {
		case inside:
			text, _, ends := strings.Cut(trimmed, "*/")
			writeLine(&comment, strings.TrimPrefix(text, "*"))
			if ends {
				inside = false
				flush()
			}
		case strings.HasPrefix(trimmed, "/*"):
			flush()
			text, _, ends := strings.Cut(strings.TrimLeft(trimmed, "/*"), "*/")
			writeLine(&comment, text)
			if inside = !ends; ends {
				flush()
			}
		case strings.HasPrefix(trimmed, "//"):
			writeLine(&comment, strings.TrimLeft(trimmed, "/"))
		default:
			flush()
		}
	}
	flush()
}

// writeLine writes a line of a comment. A tag of a documentation comment begins a paragraph.
func writeLine(to *strings.Builder, line string) {
	line = strings.TrimSpace(line)
	if strings.HasPrefix(line, "@") {
		_, line, _ = strings.Cut(line, " ")
		to.WriteByte('\n')
	}
	to.WriteString(line)
	to.WriteByte('\n')
}

// readRoff reads pages of the manual: a macro at the beginning of a line is left out.
func readRoff(content string, use func(string)) {
	var paragraph strings.Builder
	flush := func() {
		use(paragraph.String())
		paragraph.Reset()
	}
	for line := range strings.Lines(content) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			macro, rest, _ := strings.Cut(line[1:], " ")
			switch macro {
			case `\"`, "Dd", "Dt", "Os", "TH", "ds", "de", "if", "ie", "nr":
				continue
			case "Pp", "PP", "P", "LP", "It", "IP", "TP", "Sh", "SH", "Ss", "SS", "Bl", "El", "Bd", "Ed", "HP":
				flush()
			}
			line = rest
		}
		for _, escape := range []string{`\fB`, `\fI`, `\fR`, `\fP`, `\&`, `\\`} {
			line = strings.ReplaceAll(line, escape, "")
		}
		paragraph.WriteString(strings.ReplaceAll(line, `\-`, "-"))
		paragraph.WriteByte(' ')
	}
	flush()
}

// readGlosses reads the data files of WordNet: the words of a set of synonyms with its gloss.
func readGlosses(content string, use func(string)) {
	for line := range strings.Lines(content) {
		set, is := parseSynset(line)
		if is {
			use(strings.Join(set.words, " ") + " " + set.gloss)
		}
	}
}
