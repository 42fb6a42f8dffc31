// Leaks writes the rules of the pinned gitleaks as a table of package redact.
//
// usage: go run ./leaks ../extract/redact/leaks_table.go
package main

import (
	"bytes"
	"fmt"
	"go/format"
	"os"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"
	"github.com/zricethezav/gitleaks/v8/config"

	"github.com/wm-lsp/wm-lsp/extract/redact"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: leaks FILE")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "leaks:", err)
		os.Exit(1)
	}
}

func write(path string) error {
	table, err := tableOf(config.DefaultConfig)
	if err != nil {
		return err
	}
	return os.WriteFile(path, table, 0o644)
}

// expression is written as the type of that name in package redact.
type expression string

// ours are the rules of gitleaks that are left out because a rule of package redact
// does their work, and why.
var ours = map[string]string{
	"generic-api-key":          "assignments: also short passwords, and no code",
	"hashicorp-tf-password":    "assignments",
	"private-key":              "private keys: also those that are cut off",
	"jwt":                      "tokens; its keyword is in every second line",
	"twilio-api-key":           "tokens; its keyword is in every task",
	"vault-service-token":      "tokens; its keyword ends every plural",
	"lob-api-key":              "tokens; its keyword begins the name of every test",
	"lob-pub-api-key":          "tokens",
	"sourcegraph-access-token": "tokens; its pattern also finds every commit",
	"square-access-token":      "tokens; its pattern stands in every other file in base64",
	"pkcs12-file":              "goes by the name of a file",
}

// apart are the rules whose keyword does not stand in the match itself.
var apart = []string{"airtable-personnal-access-token", "facebook-access-token"}

// An allowlist is one of the configuration of gitleaks.
type allowlist struct {
	Condition   string
	RegexTarget string
	Regexes     []expression
	StopWords   []string
	Paths       []string
}

func (a allowlist) write(table *bytes.Buffer) {
	patterns := strings.ReplaceAll(fmt.Sprintf("%#v", a.Regexes), "main.", "")
	fmt.Fprintf(table, "{target: %q, all: %v, patterns: %s, stopwords: %#v},",
		a.RegexTarget, a.Condition == "AND", patterns, a.StopWords)
}

// What stands behind a secret: in code, for which the rules of gitleaks are
// written, and in prose, where it also ends a sentence or a parenthesis.
const (
	endOfCode  = `(?:[\x60'"\s;]|\\[nr]|$)`
	endOfProse = `(?:[\x60'"\s;,.:!?)\]}>&]|\\[nr]|$)`
)

// A rule is one of the configuration of gitleaks.
type rule struct {
	ID          string
	Regex       expression
	Entropy     float64
	SecretGroup int
	Keywords    []string
	Allowlists  []allowlist
}

// tableOf returns the source of the table of the rules that a configuration of
// gitleaks holds.
func tableOf(configuration string) ([]byte, error) {
	var file struct {
		Allowlist allowlist
		Rules     []rule
	}
	if err := toml.Unmarshal([]byte(configuration), &file); err != nil {
		return nil, fmt.Errorf("read the configuration of gitleaks: %w", err)
	}
	var table bytes.Buffer
	table.WriteString("// Code generated from the rules of gitleaks (MIT, see gitleaks/LICENSE); DO NOT EDIT.\n\n" +
		"package redact\n\nvar leakTable = []leak{\n")
	for _, r := range file.Rules {
		if _, instead := ours[r.ID]; instead {
			continue
		}
		if err := r.write(&table); err != nil {
			return nil, fmt.Errorf("write the rule %s: %w", r.ID, err)
		}
	}
	table.WriteString("}\n\n// allowedEverywhere is no secret, whatever the rule.\nvar allowedEverywhere = allowance")
	file.Allowlist.write(&table)
	table.Truncate(table.Len() - len(","))
	source, err := format.Source(table.Bytes())
	if err != nil {
		return nil, fmt.Errorf("format the table: %w", err)
	}
	return source, nil
}

// write writes the entry of a rule.
func (r rule) write(table *bytes.Buffer) error {
	r.Regex = expression(strings.Replace(string(r.Regex), endOfCode, endOfProse, 1))
	parsed, err := syntax.Parse(string(r.Regex), syntax.Perl)
	if err != nil {
		return err
	}
	reach := strconv.Itoa(min(longest(parsed), redact.MaxReach))
	if slices.Contains(apart, r.ID) {
		reach = "anywhere"
	}
	var keywords, needs []string
	for _, k := range r.Keywords {
		keywords = append(keywords, strings.ToLower(k))
	}
	for _, word := range needed(parsed) {
		if !slices.Equal(keywords, []string{word}) {
			needs = append(needs, word)
		}
	}
	fmt.Fprintf(table, "{id: %q, keywords: %#v, pattern: %q, group: %d, entropy: %v, reach: %s, run: %d, ",
		r.ID, keywords, r.Regex, r.SecretGroup, r.Entropy, reach, certain(parsed).longest)
	if len(needs) > 0 {
		fmt.Fprintf(table, "needs: %#v, ", needs)
	}
	table.WriteString("allowed: []allowance{")
	for _, a := range r.Allowlists {
		// One that also asks for a path never holds: a string has none.
		if len(a.Regexes)+len(a.StopWords) > 0 && (a.Condition != "AND" || len(a.Paths) == 0) {
			a.write(table)
		}
	}
	table.WriteString("}},\n")
	return nil
}

// longest is the number of bytes of the longest match of a pattern, more than
// redact.MaxReach where there is no such number.
func longest(re *syntax.Regexp) int {
	switch re.Op {
	case syntax.OpLiteral:
		return utf8.UTFMax * len(re.Rune)
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return utf8.UTFMax
	case syntax.OpStar, syntax.OpPlus:
		return redact.MaxReach + 1
	case syntax.OpRepeat:
		if re.Max < 0 {
			return redact.MaxReach + 1
		}
		return min(re.Max*longest(re.Sub[0]), redact.MaxReach+1)
	}
	sum := 0
	for _, sub := range re.Sub {
		if re.Op == syntax.OpAlternate {
			sum = max(sum, longest(sub))
		} else {
			sum += longest(sub)
		}
	}
	return min(sum, redact.MaxReach+1)
}

// A stretch is what is certain of the matches of a pattern.
type stretch struct {
	tokens  bool // whether a match is nothing but bytes of IsToken
	least   int  // how many bytes it has
	longest int  // the run of such bytes that every match holds
}

// certain returns what is certain of the matches of a pattern.
func certain(re *syntax.Regexp) stretch {
	one := stretch{}
	switch re.Op {
	case syntax.OpLiteral:
		one = stretch{tokens: true}
		for _, r := range re.Rune {
			one.tokens = one.tokens && r < utf8.RuneSelf && redact.IsToken(byte(r))
		}
		one.least = len(re.Rune)
	case syntax.OpCharClass:
		one = stretch{tokens: true, least: 1}
		for i := 0; i < len(re.Rune); i += 2 {
			for r := re.Rune[i]; r <= re.Rune[i+1] && one.tokens; r++ {
				// With (?i) a class also holds letters that only Unicode takes for these.
				one.tokens = r < utf8.RuneSelf && redact.IsToken(byte(r)) || r == '\u017f' || r == '\u212a'
			}
		}
	case syntax.OpCapture:
		return certain(re.Sub[0])
	case syntax.OpPlus:
		return certain(re.Sub[0])
	case syntax.OpQuest, syntax.OpStar:
		return stretch{tokens: certain(re.Sub[0]).tokens}
	case syntax.OpRepeat:
		sub := certain(re.Sub[0])
		one = stretch{tokens: sub.tokens, least: re.Min * sub.least}
		if re.Min > 0 {
			one.longest = sub.longest
		}
	case syntax.OpConcat:
		return certainOfAll(re.Sub)
	case syntax.OpAlternate:
		one = certain(re.Sub[0])
		for _, sub := range re.Sub[1:] {
			other := certain(sub)
			one = stretch{
				one.tokens && other.tokens, min(one.least, other.least), min(one.longest, other.longest),
			}
		}
		return one
	case syntax.OpEmptyMatch, syntax.OpWordBoundary, syntax.OpNoWordBoundary,
		syntax.OpBeginText, syntax.OpEndText, syntax.OpBeginLine, syntax.OpEndLine:
		return stretch{tokens: true}
	}
	if one.tokens {
		one.longest = one.least
	}
	return one
}

func certainOfAll(subs []*syntax.Regexp) stretch {
	all, current := stretch{tokens: true}, 0
	for _, sub := range subs {
		s := certain(sub)
		all.tokens = all.tokens && s.tokens
		all.least += s.least
		if current += s.least; !s.tokens {
			current = 0
		}
		all.longest = max(all.longest, s.longest, current)
	}
	return all
}

// needed are the words in lower case that every match of a pattern holds.
func needed(re *syntax.Regexp) []string {
	var words []string
	switch re.Op {
	case syntax.OpLiteral:
		if word := strings.ToLower(string(re.Rune)); len(word) >= 3 && len(word) == len(re.Rune) {
			return []string{word}
		}
	case syntax.OpCapture, syntax.OpPlus:
		return needed(re.Sub[0])
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			words = append(words, needed(sub)...)
		}
	case syntax.OpAlternate:
		words = needed(re.Sub[0])
		for _, sub := range re.Sub[1:] {
			other := needed(sub)
			words = slices.DeleteFunc(words, func(w string) bool { return !slices.Contains(other, w) })
		}
	}
	return words
}
