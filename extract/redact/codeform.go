package redact

import (
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// Forms of code, of its documentation and of logs that stand where a value could and are none.

// isCodeForm reports whether the value of a name has the form of code, of the source of a manual, or of a sentence that
// goes on.
func (v value) isCodeForm(s string, n named, sep string) bool {
	text := v.text
	if v.quoted {
		return n.kind == key && (colour.Match(text) || strings.HasPrefix(text, "// ") || fetchModes.Has(text) ||
			isLexeme(s, n, text))
	}
	if n.text == "credentials" && fetchModes.Has(strings.TrimRight(text, ",")) {
		return true
	}
	if prefixOf(text, `\f`, `\&`, `\s-`, `\s+`, `\*(`, `\(`) != "" { // of troff
		return true
	}
	if run(text, 0, len(text), isAlpha) < len(text) {
		if v.isSignedForm(s, n, sep) {
			return true
		}
	} else if goTypes.Has(text) {
		return true
	}
	switch {
	case sep == ":" && n.kind == key && isParticiple(lowered(text)) && isCommon(text) && isLetters(text):
		return true
	case sep == ":" && n.start > 0 && s[n.start-1] == '[' && byteAt(s, n.end) == ']' &&
		strings.IndexByte(n.text, '.') > 0 && isIdentifier.Match(strings.TrimRight(text, ",")): // a computed member
		return true
	}
	return (sep == ":" || sep == "=" && !v.tight) && v.goesOnAsSentence(s, n)
}

// isSignedForm reports whether the value of a name has a form of code that has other signs than letters.
func (v value) isSignedForm(s string, n named, sep string) bool {
	text := v.text
	switch {
	case n.kind == key && sep != " " && (typeForm.Match(text) || strings.HasPrefix(text, "(") && strings.Contains(
		s[v.start:min(lineEnd(s, v.start), v.start+maxValue)], ") =>")):
		return true
	case sep == "=" && n.kind == key && abnf.Match(text), goType.Match(text), verbs.Match(text) && sep != "is":
		return true
	case sep == "=" && negative.Match(text) && n.kind != password:
		return true
	case callForm.Match(text), sep == "=" && !v.tight && byteAt(s, v.end) == ';' && memberForm.Match(text) &&
		isWordyName(text), regexForm.Match(text), strings.Contains(text, "](#"):
		return true
	case constant.Match(strings.TrimRight(text, ".,;")) && (sep == "is" || sep == "to" || sep == " "):
		return true
	case strings.HasPrefix(text, "&") && pointer.Match(text):
		return true
	case sep == " " && strings.IndexByte("}])", text[0]) >= 0:
		return true
	}
	return false
}

var (
	// colour is one of a theme, fetchModes are those of requests in browsers.
	colour     = pattern.New(`^#(?:[0-9a-f]{3}|[0-9a-f]{6})$`)
	fetchModes = pattern.SetOf(`include omit same-origin cors no-cors`)
	// typeForm is the type of a parameter or of a field in TypeScript.
	typeForm = pattern.New(`(?-i)^(?:[A-Za-z]\w*\.)?(?:[A-Z][a-z0-9]+){2,}[);]$|^z\.\w+$|^(?:[A-Z][a-z]+\.)+[A-Z]\w+$`)
	// abnf is a repetition of a grammar, goType a type of Go, verbs are those of a format.
	abnf   = pattern.New(`^\d*\*[\d(<a-z]`)
	goType = pattern.New(`(?-i)^(?:\[\d*\]|\*)*(?:map\[\w+\][\w.*\[\]]+|\*[a-z]+\.[A-Z]\w*|u?int(?:8|16|32|64|ptr)?|` +
		`float(?:32|64)|byte|rune|error|string|bool)[,)]?$`)
	goTypes = pattern.SetOf("byte rune error string bool int uint intptr uintptr")
	verbs   = pattern.New(`^\(?%[+#]?[vqsdTxt](?:\(|[,)]|$)`)
	// negative is a negative number.
	negative = pattern.New(`^-(?:0x[0-9a-f]+|\d+)[,;]?$`)
	// constant is the name of one.
	constant     = pattern.New(`(?-i)^[A-Z]+(?:_[A-Z]+){2,}$`)
	constantName = pattern.New(`(?-i)^[A-Z]{2,}\d*(?:_[A-Z0-9]+)+$`)
	// callForm is a call of a function with a name of several words, and memberForm a member with which a statement
	// ends.
	callForm   = pattern.New(`(?-i)^(?:[a-z]\w*\.)*[a-z]+[A-Z]\w*\((?:$|\{|[a-z]\w*[,)]|["'&*(\[])`)
	memberForm = pattern.New(`(?-i)^[a-z]\w*(?:\.[a-z]\w*)+$`)
	// regexForm is the start of a regular expression.
	regexForm = pattern.New(`^\\[wdsS][+*{]`)
	// pointer is the address of a new value of a type.
	pointer = pattern.New(`(?-i)^&(?:[a-z]\w*\.)?[A-Z]\w*\{`)
)

// isLexeme reports whether a string in quotes is what a lexer calls a token: the type of the token stands beside it, or
// it is a sign.
func isLexeme(s string, n named, text string) bool {
	if lowered(n.text) != "token" {
		return false
	}
	line := s[n.start:lineEnd(s, n.end)]
	return containsAny(foldASCII(line), []string{"tokentype", "token_type", "kind:", "type:", "tok."}) &&
		!isRandom(text) && !(hasDigit(text) && hasLetter(text))
}

// goesOnAsSentence reports whether a line goes on behind a common word as a sentence does, with words of which one
// belongs to no phrase: the subject of a commit, an entry of a change log, the description of an option.
func (v value) goesOnAsSentence(s string, n named) bool {
	if n.script == dense || isPhraseName(n.text) {
		return false
	}
	rest := s[v.start:min(lineEnd(s, v.start), v.start+240)]
	count, small := 0, 0
	for word := range strings.FieldsSeq(rest) {
		bare := strings.Trim(word, ",.;()\"'`*")
		if count == 0 && (len(bare) < len(strings.TrimRight(word, ".")) || !isLetters(bare) || !isCommon(bare)) {
			return false
		}
		if strings.ContainsAny(word, "=:@/") && count < 3 {
			return false
		}
		count++
		if low := lowered(bare); isLetters(bare) && count > 1 && functionWords.Has(low) {
			small++
		}
	}
	return count > 3 && small > 0 && !(n.kind == password && isPassphrase(rest))
}

// functionWords stand in every sentence, and seldom in a passphrase.
var functionWords = pattern.SetOf(`the of to in is are was for with from by an as at or not be on if that this when into
	only it its der die das den ist und für mit von im zu auf nicht le la les des du est et pour dans avec sur de el los
	las y para con del por en que se non il lo di e per da o os um uma não`)

// isSourceFile reports whether what stands behind a name makes it that of a file of code: "passphrase.c (main): …".
func isSourceFile(s string, n named) bool {
	return byteAt(s, n.end) == '.' && sourceFile.Match(s[n.end:min(len(s), n.end+8)])
}

var sourceFile = pattern.New(`(?-i)^\.(?:c|h|cc|cpp|go|rs|py|js|ts|tsx|java|rb|php|pl|pm|cs|md|in|am|html|css|scm|` +
	`el)\b`)
