package redact

import (
	"strings"
	"unicode"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// What stands between a name and its value:
//
//	"="      an assignment: = := => ?= ->
//	":"      a colon
//	"=="     a comparison
//	"is"     a verb of a sentence, or a particle
//	"to"     what a name was changed to
//	"--"     the blank behind an option
//	"<>"     an element
//	"value"  a member beside the name's
//	","      next to it in a list or a call
//	"("      in brackets directly behind it, as a constructor takes it
//	" "      nothing but blanks
//	"login"  blanks, where a login stands before
const operatorBytes = ":=?-\xe2\xef!<|"

var operators = []string{":=", "=>", "||=", "??=", "?=", "===", "==", "!==", "!=", "::", "=", ":", "：", "->", "→", "＝"}

// separator returns where the value starts of a name, and what stands before it, "" if
// there is nothing that belongs to the name.
func separator(s string, n named) (value int, sep string) {
	at := closed(s, n.end)
	i := run(s, at, 64, isBlank)
	if i < len(s) && strings.IndexByte(operatorBytes, s[i]) >= 0 {
		if value, sep, ok := behindOperator(s, n, at, i); ok {
			return value, sep
		}
	}
	if value, ok := behindPrompt(s, n, i); ok {
		return value, "is"
	}
	if value, ok := behindLabelSign(s, n, i); ok {
		return value, "is"
	}
	if value, sep := behindLeader(s, n, i); sep != "" {
		return value, sep
	}
	if (n.text == "pass" || n.text == "Pass") && !loginBefore(s, n.start) {
		return saidOfPass(s, n)
	}
	if n.script == dense {
		return saidDensely(s, n)
	}
	if value, ok := behindContraction(s, n); ok {
		return value, "is"
	}
	if value, sep = besides(s, n); sep != "" {
		return value, sep
	}
	return said(s, n)
}

// behindOperator returns the value behind an operator at i. The name is closed at at. It is false if there is no
// operator.
func behindOperator(s string, n named, at, i int) (value int, sep string, ok bool) {
	op := prefixOf(s[i:], operators...)
	if n.text == "pass" {
		if value, sep, ok := behindPass(s, n, op, at, i); ok {
			return value, sep, true
		}
	}
	behind := i + len(op)
	switch op {
	case "":
		if !strings.HasPrefix(s[i:], "<-") {
			return 0, "", false
		}
		if value = run(s, i+len("<-"), 8, isBlank); quoteAt(s, value) != "" { // of R
			return value, "=", true
		}
		return i, "", true
	case "::":
		if byteAt(s, behind) == ' ' && behind < len(s) && run(s, i+3, 400, isBase64) > i+10 { // base64 in LDIF
			return i + 3, "=", true
		}
		return i, "", true
	case ":=", ":", "：":
		value, sep = behindAnyColon(s, n, op, at, i)
		return value, sep, true
	case "==", "===", "!=", "!==":
		if op[0] == '=' && i == n.end && isAssignedSign(s, n, i+1) {
			return i + 1, "=", true
		}
		return run(s, behind, 64, isBlank), "==", true
	case "->", "→", "=>":
		value, sep = behindArrow(s, n, op, at, i)
		return value, sep, true
	}
	if op == "=" && strings.HasPrefix(n.text, "--") && quoteAt(s, behind) != "" {
		return behind, "--", true
	}
	return run(s, behind, 64, isBlank), "=", true
}

// behindPass is behindOperator for the name "pass", which is also the result of a test. It is false if the name is
// like any other.
func behindPass(s string, n named, op string, at, i int) (value int, sep string, ok bool) {
	behind := i + len(op)
	if prefixOf(op, "->", "=>", "→") != "" && i > at && startsLine(s, n) {
		if value = run(s, behind, 64, isBlank); standsLast(s, value) {
			return value, "is", true
		}
	}
	if op == "=>" {
		if value = run(s, behind, 4, isBlank); quoteAt(s, value) != "" {
			return value, "=", true
		}
	}
	switch op {
	case "", ":", "=", "：", ":=":
		return 0, "", false
	}
	return i, "", true // of a test
}

// behindAnyColon returns the value behind ":", ":=" or "：" at i.
func behindAnyColon(s string, n named, op string, at, i int) (value int, sep string) {
	behind := i + len(op)
	switch {
	case n.start > 1 && s[n.start-2:n.start] == "${": // of a shell
		if byteAt(s, i+1) == '-' || byteAt(s, i+1) == '=' {
			return i + len(":-"), "="
		}
		if strings.IndexByte(n.text, '.') > 0 && isAlnum(byteAt(s, i+1)) { // a setting of Spring and its default
			return i + 1, "="
		}
		return i, ""
	case op == ":=":
		return run(s, behind, 64, isBlank), "="
	case op == ":" && n.start > 0 && s[n.start-1] == ':' && i > at: // a symbol
		return i, ""
	}
	return typed(s, behindColon(s, behind, n))
}

// behindArrow returns the value behind "->", "→" or "=>" at i, unless the arrow leads to a word.
func behindArrow(s string, n named, op string, at, i int) (value int, sep string) {
	value = run(s, i+len(op), 64, isBlank)
	end := wordEnd(s, value)
	switch {
	case op == "→" && n.kind == password && isLoneWord(s, value, end):
		return value, "="
	case n.kind == password && i > at && startsLine(s, n) && standsLast(s, value):
		return value, "is"
	case isWordy(strings.Trim(s[value:end], ",;()`.")) && s[i] != '=', i > 0 && s[i-1] == '`':
		return i, ""
	}
	return value, "="
}

// behindPrompt returns the value behind the signs of a prompt at at, and whether only a value follows on its line.
func behindPrompt(s string, n named, at int) (value int, ok bool) {
	signs := run(s, at, 3, func(c byte) bool { return c == '>' })
	value = run(s, signs, 4, isBlank)
	return value, at == n.end && signs > at && (n.kind == password || n.kind == variable) && startsLine(s, n) &&
		(n.start == 0 || s[n.start-1] != '<') && standsLast(s, value)
}

// behindLabelSign returns the value behind a sign at at that stands between a label and its value, such as a dash.
func behindLabelSign(s string, n named, at int) (value int, ok bool) {
	sign := prefixOf(s[at:], labelSigns...)
	if sign == "" || at == n.end || n.kind != password && n.kind != code && n.kind != key {
		return 0, false
	}
	value = run(s, at+len(sign), 8, isBlank)
	word := s[value:wordEnd(s, value)]
	return value, isChosenAny(word) ||
		n.kind == password && standsGiven(s, value) && (startsLine(s, n) || accountBefore(s, n.start)) ||
		n.kind == code && (countDigits(word) >= 4 || isGrouped(word)) ||
		n.kind == key && licence.Match(word)
}

// behindLeader returns the value behind a row of dots, which may end with a colon.
func behindLeader(s string, n named, at int) (value int, sep string) {
	isDot := func(c byte) bool { return c == '.' || c == '_' }
	spaced := run(s, at, 64, func(c byte) bool { return isDot(c) || c == ' ' })
	if spaced > at+2 && byteAt(s, spaced) == ':' && startsLine(s, n) && strings.IndexByte(s[at:spaced], '.') >= 0 {
		if value = run(s, spaced+1, 8, isBlank); standsLast(s, value) {
			return value, ":"
		}
	}
	if dots := run(s, at, 64, isDot); dots > at+2 && startsLine(s, n) {
		if value = run(s, dots, 8, isBlank); standsLast(s, value) {
			return value, "is"
		}
	}
	return 0, ""
}

// saidOfPass is said for the name "pass", which is also a verb.
func saidOfPass(s string, n named) (value int, sep string) {
	if value := behindBareTo(s, n); value > 0 {
		return value, "is"
	}
	if to := prefixOf(s[n.end:], " to "); to != "" {
		value = n.end + len(to)
		if word := strings.TrimRight(s[value:wordEnd(s, value)], ".,;"); looksMade(word) && switches(word) > 2 {
			return value, "to"
		}
	}
	value, sep = said(s, n)
	end := wordEnd(s, value)
	isQualified := func() bool { return qualifiers.Has(lowered(lastWordOf(lineBefore(s, n.start)))) }
	if sep == "is" && isQualified() &&
		(isGiven(s, value, end) || quoteAt(s, value) != "" || curlyQuote(s, value) != "") {
		return value, sep
	}
	word := strings.TrimRight(s[value:end], ".,;")
	if sep == "to" && (looksMade(word) || isGiven(s, value, end) && articled(lineBefore(s, n.start))) {
		return value, sep
	}
	if sep == " " && possessors.Has(lowered(lastWordOf(lineBefore(s, n.start)))) && (standsSeldom(s, value) ||
		len(word) >= 6 && isLetters(strings.TrimRight(word, "0123456789")) && countDigits(word) >= 2) {
		return value, "is"
	}
	if sep == "is" && lastWordOf(lineBefore(s, value)) != "to" && (looksMade(word) ||
		isQualified() && standsNumber(s, value)) ||
		sep == " " && isChosenAny(word) && (!isChosenSlug(word) || isQualified()) {
		return value, sep
	}
	return n.end, ""
}

// possessors stand before "pass" where it is a password, and no pass over something.
var possessors = pattern.SetOf(`sudo root admin wifi vpn db ftp`)

// articled reports whether what stands before "pass" shows that it is a noun.
func articled(before string) bool {
	last := lowered(lastWordOf(before))
	return articles.Has(last) || qualifiers.Has(last)
}

// behindContraction returns the value behind "'s", as in "the password's value".
func behindContraction(s string, n named) (value int, ok bool) {
	is := prefixOf(s[n.end:], "'s ", "’s ")
	if is == "" || n.kind != password && n.kind != code {
		return 0, false
	}
	value = behindAdverbs(s, n.end+len(is))
	if word := wordEnd(s, value); n.kind == code && adverbs.Has(lowered(s[value:word])) {
		value = run(s, word, 2, isBlank)
	}
	return value, looksMade(strings.TrimRight(s[value:wordEnd(s, value)], ".,;")) ||
		n.kind == password && standsGiven(s, value) ||
		n.kind == code && run(s, value, 4, isDigit) == value+4
}

// isAssignedSign reports whether a line is a name, "=" and a value that begins and ends with that sign.
func isAssignedSign(s string, n named, at int) bool {
	end := run(s, at, maxName, isSecretByte)
	return strings.TrimSpace(lineBefore(s, n.start)) == "" && (end >= len(s) || s[end] == '\n' || s[end] == '\r') &&
		s[end-1] == '=' && hasLetter(s[at:end])
}

// isLoneWord reports whether a word ends its line and is rather a password than a word about one.
func isLoneWord(s string, at, end int) bool {
	low := lowered(s[at:end])
	return end-at >= 8 && low == s[at:end] && strings.TrimSpace(s[end:lineEnd(s, end)]) == "" && isSaid(low) &&
		!isParticiple(low) && !types.Has(low) && run(s, at, end-at, isLower) == end
}

// closed skips what closes a name: a quote, a bracket, the signs of bold text, a remark
// in parentheses.
func closed(s string, at int) int {
	at += len(quoteAt(s, at))
	if strings.HasPrefix(s[at:], "[") { // of an array in C
		if size := run(s, at+1, 8, isWord); size < len(s) && s[size] == ']' {
			at = size
		}
	}
	at += len(prefixOf(s[at:], "]", "**", "__", "*", "」", "』", "”", "’", "»"))
	if dots := run(s, at, 64, func(c byte) bool { return c == '.' || c == '_' }); dots > at+1 && dots < len(s) &&
		strings.IndexByte(" :.", s[dots]) >= 0 {
		at = dots
	}
	if number := behindNumber(s, at); number > at {
		return number
	}
	if strings.HasPrefix(s[at:], "（") { // a remark
		line := s[at:min(lineEnd(s, at), at+maxName)]
		if length := strings.Index(line, "）"); length > 0 {
			if behind := at + length + len("）"); prefixOf(s[behind:], ":", "：", "=", "＝") != "" {
				return behind
			}
		}
	}
	open := run(s, at, 2, isBlank)
	if open < len(s) && (s[open] == '(' || s[open] == '[' && open > at) {
		closes := map[byte]byte{'(': ')', '[': ']'}[s[open]]
		inside := run(s, open+1, 40, func(c byte) bool { return c != closes && c != s[open] && c != '\n' && c != '=' })
		if inside < len(s) && s[inside] == closes {
			next := run(s, inside+1, 4, isBlank)
			if next < len(s) && (s[next] == ':' || s[next] == '=' && open > at && byteAt(s, next+1) != '=' ||
				strings.HasPrefix(s[next:], "：")) &&
				(open > at || hasDigit(s[next:wordEnd(s, run(s, next+1, 4, isBlank))])) { // rather than of a function
				return inside + 1
			}
		}
	}
	return at
}

// behindNumber skips the number of a name before a colon or "=": "password 2:", "pass#1:". Behind a blank, a pass may
// be one of a program over its input.
func behindNumber(s string, at int) int {
	sign := run(s, at, 1, isBlank)
	if sign > at && at >= 4 && strings.EqualFold(s[at-4:at], "pass") && (at == 4 || !isAlnum(s[at-5])) {
		return at
	}
	sign += len(prefixOf(s[sign:], "#", "№", "nr. ", "no. "))
	end := run(s, sign, 2, isDigit)
	next := run(s, end, 1, isBlank)
	if sign == at || end == sign || next >= len(s) || s[next] != ':' && s[next] != '=' ||
		byteAt(s, next+1) == '=' {
		return at
	}
	return end
}

// behindColon skips the blanks behind a colon, the signs of bold text, and the end of the
// line where the value of a password stands alone on the next one.
func behindColon(s string, at int, n named) int {
	at += len(prefixOf(s[at:], "**", "__"))
	value := run(s, at, 64, func(c byte) bool { return isBlank(c) || c == '\r' })
	if inner := nested(s, value); inner > 0 {
		return inner
	}
	if n.kind != password && n.kind != code || value >= len(s) || s[value] != '\n' || value > at+2 {
		return value
	}
	next := run(s, value+1, 64, isBlank)
	if next < len(s) && s[next] == '\n' { // an empty line, as above a block of Markdown
		next = run(s, next+1, 64, isBlank)
	}
	end := next
	for end < len(s) && end-next < maxName && s[end] > ' ' {
		end++
	}
	if end == next || end < len(s) && s[end] != '\n' && s[end] != '\r' ||
		strings.IndexByte(":-#,;{[(<", s[end-1]) >= 0 || strings.IndexByte("-#<{[/*@}])", s[next]) >= 0 ||
		isWordy(s[next:end]) && !standsAlone(s, n, next, end) {
		return value
	}
	return next
}

// nested returns where the value starts that a member of the object at at gives, such as default or value, 0 if the
// first members are others.
func nested(s string, at int) int {
	if at >= len(s) || s[at] != '\n' && s[at] != '{' {
		return 0
	}
	for range 3 {
		line := run(s, at, 64, func(c byte) bool { return isSpace(c) || c == '{' || c == '"' || c == ',' || c == '\'' })
		if line == at || byteAt(s, line-1) == '\n' { // not indented
			return 0
		}
		key := run(s, line, 24, isWord)
		colon := run(s, key, 4, func(c byte) bool { return isBlank(c) || c == '"' || c == '\'' })
		if key == line || byteAt(s, colon) != ':' {
			return 0
		}
		if nestedKeys.Has(lowered(s[line:key])) {
			return run(s, colon+1, 8, isBlank)
		}
		if at = lineEnd(s, colon); at >= len(s) {
			return 0
		}
	}
	return 0
}

// nestedKeys are members of an object that hold its value.
var nestedKeys = pattern.SetOf(`default value val current defaultvalue initialvalue plaintext content`)

// standsAlone reports whether a word is the only one of its paragraph below the name of a password with which a
// line starts.
func standsAlone(s string, n named, start, end int) bool {
	behind := run(s, end, 4, func(c byte) bool { return isBlank(c) || c == '\r' })
	ends := behind >= len(s) || s[behind] == '\n' && (behind+1 >= len(s) || s[behind+1] == '\n' || s[behind+1] == '\r')
	return n.kind == password && ends && !strings.ContainsAny(lineBefore(s, n.start), "#=(){}[]<>\"`;|") &&
		isGiven(s, start, end) && !keywords.Has(lowered(s[start:end]))
}

// typed returns where the value starts behind "name:", where a type and its "="
// may stand, as in "name: str = value".
func typed(s string, at int) (value int, sep string) {
	kind := run(s, at, 48, func(c byte) bool { return isWord(c) || strings.IndexByte("&'[]|<>?. ", c) >= 0 })
	if kind == at || kind+1 >= len(s) || s[kind] != '=' || s[kind+1] == '=' || s[kind+1] == '>' || s[kind-1] != ' ' {
		return at, ":"
	}
	return run(s, kind+1, 64, isBlank), "="
}

// besides returns where the value starts of a name without an operator that is written as programs do, and the
// separator that counts as standing between them, "" if there is no such value.
func besides(s string, n named) (value int, sep string) {
	for _, form := range [...]func(string, named) (int, string){
		inElement, behindBlanks, besideSymbol, declared, givenWith, inParentheses, behindQuotedName, inValueMember,
		nextInList,
	} {
		if value, sep = form(s, n); sep != "" {
			return value, sep
		}
	}
	return 0, ""
}

// inElement returns the text of an element of XML that is named so or has the name as an attribute.
func inElement(s string, n named) (value int, sep string) {
	if value := elementText(s, n); value > 0 {
		return value, "<>"
	}
	if n.start > 0 && s[n.start-1] == '<' && n.end < len(s) && s[n.end] == '>' {
		value = n.end + 1
		if inner := run(s, value, 64, isSpace); hasPrefixFold(s[inner:], "<value>") { // as Windows has it
			value = inner + len("<value>")
		}
		return value, "<>"
	}
	if strings.HasPrefix(s[n.end:], `">`) && isElementName(lineBefore(s, n.start)) {
		return n.end + len(`">`), "<>"
	}
	return 0, ""
}

// behindBlanks returns the word or the string that only blanks separate from its name: of an option, a command that
// sets a variable, a configuration file. The first case that fits decides.
func behindBlanks(s string, n named) (value int, sep string) {
	behind := run(s, n.end, 64, isBlank)
	if behind == n.end {
		return 0, ""
	}
	switch {
	case strings.HasPrefix(n.text, "--") || strings.HasPrefix(n.text, "-") && n.start > 0 && s[n.start-1] == ' ':
		if strings.HasPrefix(s[behind:], "\\\n") {
			behind = run(s, behind+2, 64, isBlank)
		}
		return behind, "--"
	case n.script == identifier && byteAt(s, behind) != '-' && isSet(lineBefore(s, n.start), quoteAt(s, behind) != ""):
		if n.kind == key && standsLast(s, behind) { // which no code is
			return behind, "--"
		}
		return behind, "="
	case n.start > 1 && s[n.start-1] == ':' && !isAlnum(s[n.start-2]) && quoteAt(s, behind) == `"`:
		return behind, "=" // a keyword of Clojure
	case behind > n.end+1 || s[n.end] == '\t':
		if value, ok := alone(s, n, behind); ok {
			return value, ":"
		}
	case n.kind != code && isEncrypted(s, behind):
		return behind + 2, " "
	case strings.IndexByte(n.text, '.') > 0:
		if value, ok := alone(s, n, behind); ok && strings.Count(n.text, ".") > 1 {
			return value, ":"
		}
	case n.kind == password && keyed(s, n.start), hasLogin(s[max(0, n.start-maxName):n.start]):
		return behind, "login"
	}
	return 0, ""
}

// besideSymbol returns the string in quotes that is set beside a symbol or behind an index in quotes: put(:name,
// "value"), set :name, 'value' of Ruby, '["name"] "value"'.
func besideSymbol(s string, n named) (value int, sep string) {
	if index := prefixOf(s[n.end:], `"] "`, `'] "`, `"] '`); index != "" && n.start > 1 && s[n.start-2] == '[' {
		return n.end + len(index) - 1, "="
	}
	if n.start == 0 || s[n.start-1] != ':' || byteAt(s, n.end) != ',' {
		return 0, ""
	}
	value = run(s, n.end+1, 4, isBlank)
	before := lineBefore(s, n.start)
	if quoteAt(s, value) != "" && (isSet(before, true) || isSetter(s, n.start)) {
		return value, "="
	}
	return 0, ""
}

// declared returns the string in quotes of a declaration whose type stands behind the name: var name string = "value".
func declared(s string, n named) (value int, sep string) {
	kind := run(s, n.end, 2, isBlank)
	end := run(s, kind, 24, func(c byte) bool { return isWord(c) || strings.IndexByte("[]*()", c) >= 0 })
	if kind == n.end || end == kind || !strings.HasPrefix(s[end:], " = ") {
		return 0, ""
	}
	value = end + len(" = ")
	if (quoteAt(s, value) != "" || quoteAt(s, value+1) != "") &&
		declaring.Has(lowered(lastWordOf(strings.TrimRight(lineBefore(s, n.start), "@$")))) {
		return value, "="
	}
	return 0, ""
}

// givenWith returns the string of a step of a test: fill in "name" with "value".
func givenWith(s string, n named) (value int, sep string) {
	with := prefixOf(s[n.end:], `" with "`, "' with '", `" as "`, `", with: "`, "', with: '")
	if with == "" || n.kind != password {
		return 0, ""
	}
	return n.end + len(with) - 1, "="
}

// inParentheses returns what a name has in parentheses: an argument in quotes, or a key of a licence.
func inParentheses(s string, n named) (value int, sep string) {
	if open := prefixOf(s[n.end:], `("`, "('", `{"`, "{'"); open != "" {
		return n.end + 1, "("
	}
	if !strings.HasPrefix(s[n.end:], " (") {
		return 0, ""
	}
	inner := n.end + len(" (")
	if isPhraseName(n.text) && (quoteAt(s, inner) != "" || curlyQuote(s, inner) != "") {
		return inner, "("
	}
	if end := run(s, inner, maxName, isBase64URL); n.kind == key && byteAt(s, end) == ')' &&
		licence.Match(s[inner:end]) {
		return inner, "="
	}
	return 0, ""
}

// behindQuotedName returns the word behind a name in quotes that a command sets: set "name" value.
func behindQuotedName(s string, n named) (value int, sep string) {
	quote := quoteAt(s, n.end)
	if quote == "" {
		return 0, ""
	}
	value = run(s, n.end+len(quote), 8, isBlank)
	if value > n.end+len(quote) && isSet(strings.TrimRight(lineBefore(s, n.start), `"'`), false) {
		return value, "="
	}
	return 0, ""
}

// inValueMember returns the value of an object whose member has the name: {"name": "NAME", "value": …}, the same as
// attributes of an element, or with other members between them.
func inValueMember(s string, n named) (value int, sep string) {
	end := n.end + len(quoteAt(s, n.end))
	next := run(s, end, 64, func(c byte) bool {
		return isSpace(c) || c == ',' || c == '"' || c == '\'' || c == '\\' || c == '>'
	})
	if hasPrefixFold(s[next:], "value") && next > n.end && isNamed(s[:n.start]) {
		value = run(s, closed(s, next+len("value")), 64, isBlank)
		if value < len(s) && (s[value] == '=' || s[value] == ':') {
			return run(s, value+1, 64, isSpace), "value"
		}
	}
	if isNamed(s[:n.start]) {
		if value = behindMembers(s, end); value > 0 {
			return value, "value"
		}
	}
	return 0, ""
}

// nextInList returns what follows a name in quotes in a list: the words of a command, arguments of a call.
func nextInList(s string, n named) (value int, sep string) {
	quote := quoteAt(s, n.end)
	comma := n.end + len(quote)
	if quote == "" || byteAt(s, comma) != ',' {
		return 0, ""
	}
	if strings.HasPrefix(n.text, "-") && strings.HasPrefix(s[comma:], ", "+quote) {
		return comma + len(", "), "--"
	}
	return run(s, comma+1, 64, isSpace), ","
}

// declaring stand before the name of a variable and its type.
var declaring = pattern.SetOf(`var const let static declare`)

// isEncrypted reports whether a digit that says how a value is encrypted, and the value, start at at.
func isEncrypted(s string, at int) bool {
	if at+2 >= len(s) || !isDigit(s[at]) || s[at+1] != ' ' {
		return false
	}
	value := s[at+2 : wordEnd(s, at+2)]
	return !isWordy(value) && isChosenAny(value)
}

// behindMembers returns where the value starts that a member gives behind the one at whose end at is, with at most two
// others between them: {"key": "NAME", "type": "string", "value": …}, and the same over several lines. It is 0 if there
// is none.
func behindMembers(s string, at int) int {
	parts := func(c byte) bool { return isSpace(c) || c == ',' || c == '"' || c == '\'' }
	for range 3 {
		member := run(s, at, 64, parts)
		if at >= len(s) || s[at] != ',' && s[at] != '\n' || strings.Contains(s[at:member], "\n\n") {
			return 0
		}
		end := run(s, member, 24, isWord)
		sign := run(s, end, 4, func(c byte) bool { return isBlank(c) || c == '"' || c == '\'' })
		if end == member || sign >= len(s) || s[sign] != ':' && s[sign] != '=' {
			return 0
		}
		if key := lowered(s[member:end]); nestedKeys.Has(key) || valueKeys.Has(key) {
			return run(s, sign+1, 8, isBlank)
		}
		at = sign + strings.IndexAny(s[sign:lineEnd(s, sign)]+"\n", ",\n")
	}
	return 0
}

// valueKeys are members beside that of a name that hold its value.
var valueKeys = pattern.SetOf(`initial parametervalue default_value`)

// keyedCommands take names and values as words.
var keyedCommands = pattern.New(`(?:^|[\s/])(?:nmcli|netsh|ipmitool|rabbitmqctl|wpa_cli|iwctl|networksetup|` +
	`connmanctl|mmcli|crudini)\s`)

// keyedNames are the names of these.
var keyedNames = phrasesOf("nmcli,netsh,ipmitool,rabbitmqctl,wpa_cli,iwctl,networksetup,connmanctl,mmcli,crudini")

// keyed reports whether the name at at stands in the line of such a command.
func keyed(s string, at int) bool {
	before := s[commandStart(s, at):at]
	return keyedNames.in(before) && keyedCommands.Match(before)
}

// elements have a name as an attribute and its value as their text.
var elements = pattern.SetOf(`property entry string setting param parameter env env-entry prop item config secret var
	variable init-param arg credential attribute field constant`)

// elementText returns where the text starts of the element whose tag ends in a name and attributes,
// 0 if it is none.
func elementText(s string, n named) int {
	if n.start == 0 || s[n.start-1] != '<' && s[n.start-1] != ':' || byteAt(s, n.end) != ' ' {
		return 0
	}
	open := strings.LastIndexByte(lineBefore(s, n.start), '<')
	line := s[n.end:lineEnd(s, n.end)]
	closes := strings.IndexByte(line, '>')
	if open < 0 || closes < 1 || line[closes-1] == '/' || !strings.Contains(line[:closes], `="`) ||
		!strings.Contains(line[closes:], "</") {
		return 0
	}
	if before := lineBefore(s, n.start)[open+1:]; before != "" && (before[len(before)-1] != ':' ||
		run(before, 0, len(before)-1, isWord) < len(before)-1) {
		return 0
	}
	return n.end + closes + 1
}

// isElementName reports whether a line ends in an element up to its name: <entry key=".
func isElementName(before string) bool {
	open := strings.LastIndexByte(before, '<')
	if open < 0 {
		return false
	}
	fields := strings.Fields(before[open+1:])
	return len(fields) == 2 && elements.Has(lowered(fields[0])) &&
		(strings.HasPrefix(fields[1], `name="`) || strings.HasPrefix(fields[1], `key="`) ||
			strings.HasPrefix(fields[1], `id="`))
}

// isSet reports whether a line before a name says that it is given the value behind it, as in
// "ENV NAME value" and "npm config set NAME value"; quoted says whether a value in quotes follows.
func isSet(before string, quoted bool) bool {
	before = before[:back(before, len(before), maxName, func(c byte) bool { return c > ' ' })]
	before = strings.TrimRightFunc(before, unicode.IsSpace)
	last := strings.TrimLeft(before[strings.LastIndexFunc(before, unicode.IsSpace)+1:], "(")
	if !strings.HasPrefix(last, "-") && !setters.Has(last) && !strings.HasSuffix(last, "env:set") {
		return false // as nearly always
	}
	fields := strings.Fields(before)
	if last == "--arg" { // of jq
		return true
	}
	exported := false // of fish
	for len(fields) > 0 && strings.HasPrefix(fields[len(fields)-1], "-") {
		exported = exported || strings.HasSuffix(fields[len(fields)-1], "x")
		fields = fields[:len(fields)-1]
	}
	if len(fields) == 0 {
		return false
	}
	verb, of := fields[len(fields)-1], ""
	if len(fields) > 1 {
		of = fields[len(fields)-2]
	}
	switch strings.TrimLeft(verb, "(") {
	case "ENV", "setenv", "setx", "#define", "\\set", "ARG":
		return true
	case "set", "add":
		if verb == "set" && len(fields) == 1 && quoted {
			return true
		}
		return exported && verb == "set" || settings.Has(of) || strings.HasSuffix(of, ":config")
	case "put", "write", "store", "save":
		return settings.Has(of)
	case "config":
		return of == "git" || of == "composer" || of == "poetry"
	}
	return strings.HasSuffix(verb, "env:set")
}

// setters are the last words of commands that set something.
var setters = pattern.SetOf(`ENV setenv setx #define \set ARG set add put write store save config`)

// settings are what a command sets a name of.
var settings = pattern.SetOf(`kv ssm parameter param keyring vault
	config configure etcdctl redis-cli secrets secret user-secrets env variable variables credential property`)

// alone returns where the value starts that is the only word behind the name with which
// its line starts.
func alone(s string, n named, at int) (value int, ok bool) {
	before := lineBefore(s, n.start)
	end := run(s, at, maxName, isSecretByte)
	rest := run(s, end, 64, func(c byte) bool { return isBlank(c) || c == '\r' })
	return at, n.kind == password && strings.TrimLeft(before, " \t") == "" && end > at && (rest >= len(s) ||
		s[rest] == '\n')
}

// hasLogin reports whether a string ends in "login <name>", as in a netrc file.
func hasLogin(before string) bool {
	if !strings.Contains(before, "login") {
		return false
	}
	fields := strings.Fields(before)
	return len(fields) >= 2 && fields[len(fields)-2] == "login" && !words().idle[fields[len(fields)-1]]
}

// isNamed reports whether a string ends where a name is the value of something.
func isNamed(before string) bool {
	before = strings.TrimRight(before, ` "'\`)
	return strings.HasSuffix(before, ":") || strings.HasSuffix(before, "=") || strings.HasSuffix(before, ">")
}
