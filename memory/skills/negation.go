package skills

import (
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/once"
)

// clauses ends a clause of a request, or a sentence.
var clauses = once.Compile(`[,;!?\n]|[.:](?:\s|$)|(?i:\b(?:but|just)\b)`)

// negated begins what a clause wants not to be done, in an order or in what is wished.
var negated = once.Compile(`(?i)^(?:\s|\b(?:and|so|also|now|then|please|ok|okay|for now)\b)*` +
	`(?:(?:(?:i|we|you|they)|let'?s) (?:really )?)?` +
	`(?:(?:do not|don'?t|never|avoid|no need to) |stop \w+ing\b)`)

// absent begins what there is not to be, or, in a message, what is not there or cannot be done.
var absent = once.Compile(`(?i)^(?:\s|\b(?:and|so|also|now|then|please|ok|okay)\b)*(?:not |no |let'?s not |` +
	`(?:i|we)(?:'d rather not| would rather not| won'?t| will not| can'?t| cannot| are not| aren'?t|'re not) )`)

// without begins what is left out, wherever it stands in a clause.
var without = once.Compile(`(?i)\b(?:without|rather than|instead of|and (?:do not|don'?t|never))\b`)

// forbids says of a whole clause that it is not to be done.
var forbids = once.Compile(
	`(?i)\b(?:(?:must|should|shall) (?:not|never)|(?:must|should|shall)n'?t|need not|needn'?t)\b`)

// foreign negates a clause in German, French, Spanish, Italian, Portuguese or Dutch.
var foreign = once.Compile(`(?i)\b(?:kein(?:e[nmrs]?)?|nicht|niemals|nie|(?:ne|n') ?\w+ (?:pas|jamais)` +
	`|pas (?:de|encore)|todavía no|non|não|niet|geen)\b`)

// waits puts off what a clause is about.
var waits = once.Compile(`(?i)^(?:\s|\b(?:and|so|also|please|ok|okay)\b)*(?:wait|hold off|hold on)\b`)

// insists is a negation that wants the contrary, or that says nothing about what is to be done.
var insists = once.Compile(`(?i)\b(?:do not|don'?t|never) (?:forget|hesitate|know|remember|understand|see|think)\b`)

// affirmed returns what a request wants done: it without what it wants not to be done. A request about a failure may
// have messages, which say of much that it is not there, without or not so.
func affirmed(query string, failure bool) string {
	query = strings.ReplaceAll(query, "’", "'")
	var kept strings.Builder
	for query != "" {
		clause, end := query, ""
		if at := clauses.FindStringIndex(query); at != nil {
			clause, end, query = query[:at[0]], query[at[0]:at[1]], query[at[1]:]
		} else {
			query = ""
		}
		switch {
		case insists.MatchString(clause):
		case negated.MatchString(clause), waits.MatchString(clause),
			!failure && (absent.MatchString(clause) || forbids.MatchString(clause) || foreign.MatchString(clause)):
			continue
		case !failure && without.MatchString(clause):
			clause = clause[:without.FindStringIndex(clause)[0]]
		}
		kept.WriteString(clause + end)
	}
	return strings.Trim(kept.String(), " \t\n,;")
}
