package importer

import (
	"strings"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
	"github.com/wm-lsp/wm-lsp/extract/quality"
)

const (
	// maxRule is how many bytes a rule has at most. What is longer is prose.
	maxRule = 600
	// shortRule is how many characters a rule has at least that is understood without its heading.
	shortRule = 32
)

var (
	// ruled are headings below which the items of a list are rules, also if they are short.
	ruled = pattern.OneOf(
		`\b(?:rules?|conventions?|guidelines?|guidance|preferences?|style|standards?|practices|principles|policy|` +
			`policies|constraints?|requirements?|naming|formatting|must|do not|don'?ts?|dos|never|always|decisions?|` +
			`gotchas|pitfalls|caveats|lessons|learned|patterns|workflow)\b|规则|規則|约定|規約|规范|偏好|原则|决策|决定|ルール|규칙`)
	// binding is how a sentence of a paragraph begins, or what it has, that is a rule.
	binding = pattern.OneOf(
		`^(?:please )?(?:use|prefer|avoid|never|always|do not|don'?t|keep|make sure|ensure|follow|run|write|put|add|`+
			`do|stick to|treat|name|commit|test)\b`,
		`\b(?:must(?:n'?t)?|never|always|should(?:n'?t)?|do not|don'?t|required to|not allowed|prefers?)\b`,
		`不要|必须|禁止|始终|务必|しないで|必ず|절대|반드시`)
	decided = pattern.New(`^(?:we )?(?:decided|chose|agreed|decision:)`)
)

// rules adds the rules and preferences of a document to the entries: the items of lists and the sentences that
// state one. why is the rationale of all, others the type of the items that state none, "" to leave them out. Prose is
// left out. It reports whether everything was taken that is no link.
func (r *reader) rules(f file, body string, first int, why, others string) (all bool) {
	all = true
	for _, u := range units(body, first) {
		if u.task || strings.HasPrefix(u.text, "@") {
			all = false
			continue
		}
		texts := []string{u.text}
		if !u.item {
			texts = sentences(u.text)
		}
		for _, text := range texts {
			kind := kindOf(u, text, others)
			if kind == "" || len(text) > maxRule {
				all = all && (isLink(text) || u.item && strings.HasSuffix(text, ":"))
				continue
			}
			if u.under != "" && (kind == "project" || u.nested) && utf8.RuneCountInString(text) < shortRule {
				text = strings.TrimRight(u.under, ":") + ": " + text
			}
			r.add(f, Entry{Type: kind, Text: text, Rationale: why, Line: u.line})
		}
	}
	return all
}

// kindOf returns the type of the entry for a string of a document, "" if it is none. others is that of an item that
// states no rule.
func kindOf(u unit, text, others string) string {
	switch {
	case strings.HasSuffix(text, ":"), isLink(text):
		return ""
	case decided.Match(text):
		return "decision"
	case u.item && quality.StatesRule(text), !u.item && binding.Match(text):
		return "feedback"
	case u.item && ruled.Match(u.under) && !strings.Contains(text, "]("):
		return "project"
	case u.item:
		return others
	}
	return ""
}

// isLink reports whether a string consists of a link, with or without a few words about it.
func isLink(text string) bool {
	if !strings.HasPrefix(text, "[") {
		return false
	}
	_, rest, found := strings.Cut(text, "](")
	return found && strings.Contains(rest, ")")
}
