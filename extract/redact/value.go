package redact

import (
	"bytes"
	"encoding/base64"
	"strings"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// A value is what is assigned: the bytes [start, end) within its quotes.
type value struct {
	text       string
	start, end int
	quoted     bool
	// tight is true if nothing stands between the separator and the value.
	tight bool
	// query is true for a parameter of a URL or a form.
	query bool
}

// maxValue is how many bytes of a value are looked at to judge it. Text may hold
// the names of secrets so often that most of it is the value of many.
const maxValue = 512

// isBare reports whether a byte may stand in a value without quotes. Whether & may
// is a question of what is around it.
func isBare(c byte) bool {
	return c > ' ' && c != '"' && c != '\'' && c != '`' && c != ',' && c != ';' && c != '<' && c != '>' && c != '\\'
}

func readValue(s string, at int, sep string, query bool) value {
	if block := prefixOf(s[at:], "|\n", "|-\n", ">\n", ">-\n"); block != "" && sep == ":" { // of YAML
		at = run(s, at+len(block), maxName, isBlank)
	}
	v := value{tight: at > 0 && !isBlank(s[at-1]), query: query}
	if literal := at + len(prefixOf(s[at:], literals...)); quoteAt(s, literal) != "" {
		at = literal
	}
	v.start = at + len(quoteAt(s, at))
	v.end, v.quoted = quotedEnd(s, at)
	if !v.quoted {
		v.end = bareEnd(s, v.start, sep, query)
	}
	v.text = s[v.start:v.end]
	return v
}

// quotedEnd returns where the value ends whose quote stands at at, if there is
// one and it is closed on the line. A list of values goes as a whole.
func quotedEnd(s string, at int) (end int, ok bool) {
	quote := quoteAt(s, at)
	if quote == "" {
		return 0, false
	}
	start := at + len(quote)
	line, _, _ := strings.Cut(s[start:min(len(s), start+maxQuoted)], "\n")
	if last := strings.Index(line, quote+"]"); last > 0 && at > 0 && s[at-1] == '[' && hasDigit(line[:last]) {
		return start + last, true
	}
	for from := 0; ; from++ {
		n := strings.Index(line[from:], quote)
		if n < 0 {
			return 0, false
		}
		if from += n; from == 0 || line[from-1] != '\\' || len(quote) > 1 { // else it is escaped
			return start + from, true
		}
	}
}

func bareEnd(s string, start int, sep string, query bool) int {
	if end := appPassword(s, start); end > 0 {
		return end
	}
	end := start
	for limit := min(len(s), start+maxValue); end < limit && isBare(s[end]) && (s[end] != '&' || !query); {
		end++
	}
	end = start + parameterEnd(s[start:end])
	for end > start && strings.IndexByte(".)]}:!?", s[end-1]) >= 0 && sep != "--" {
		if s[end-1] == '!' || s[end-1] == ')' && strings.Contains(s[start:end], "(") {
			break
		}
		end--
	}
	return end
}

// literals are what may stand before the quote of a value in code.
var literals = []string{
	"[]byte(", "[]string{", "[", "Buffer.from(", "bytes(", "string(", "String(", "SecretStr(", "Secret(", "b",
	"r", "f", "@", "$",
}

// parameterEnd returns where a value ends that is followed by another parameter
// of a form.
func parameterEnd(text string) int {
	for at := 1; at < len(text); at++ {
		next := strings.IndexByte(text[at:], '&')
		if next < 0 {
			break
		}
		at += next
		if name := run(text, at+1, maxName, isBase64URL); name > at+1 && name < len(text) && text[name] == '=' {
			return at
		}
	}
	return len(text)
}

// appPassword returns the end of four groups of four small letters on the rest
// of a line, as Google makes them; 0 if there are none.
func appPassword(s string, at int) int {
	for group := range 4 {
		if group > 0 {
			if at >= len(s) || s[at] != ' ' {
				return 0
			}
			at++
		}
		if run(s, at, 4, isLower) != at+4 {
			return 0
		}
		at += 4
	}
	if at < len(s) && s[at] != '\n' && s[at] != '\r' {
		return 0
	}
	return at
}

// isSecret reports whether the value has the shape of a secret, for the kind of
// its name and what stands between them.
func (v value) isSecret(kind secrecy, sep, name string) bool {
	text := v.text
	if len(text) < minSecret || isPlaceholder(text) || strings.Contains(text, markerOpen) {
		return false
	}
	switch {
	case kind == basic:
		return isBasicAuth(text)
	case sep == "," || sep == "==":
		return v.quoted && hasDigit(text) && !namesSecret(text) && !strings.ContainsAny(text, ` /\`) &&
			(isRandom(text) || hasLetter(text) && !isSlug.Match(text) &&
				(kind == password && len(text) >= 8 || kind == variable && len(text) >= 6))
	case v.quoted:
		return quotedSecret(text, kind, name)
	case strings.Contains(text, " "):
		return kind != key
	case sep == "login":
		return true
	case !utf8.ValidString(text),
		kind == key && isIdentifier.Match(text) && containsFold(text, plainName(strings.ToLower(name))):
		return false
	case isCode(text) || strings.Contains(text, "://"):
		return false
	default:
		return v.bareSecret(kind, sep, name)
	}
}

// bareSecret says of a value without quotes, which is no expression, whether it
// is a secret: a password may be a word where nothing else can stand.
func (v value) bareSecret(kind secrecy, sep, name string) bool {
	text := v.text
	mixed := hasDigit(text) && hasLetter(text)
	switch {
	case sep == " ":
		return kind == password && len(text) >= 8 && isStrong(text) ||
			kind != password && len(text) >= 20 && isStrong(text) && isRandom(text)
	case sep == "is":
		return mixed && len(text) >= 6 && (kind == password || len(text) >= 12)
	case kind == variable && v.tight && sep == "=":
		return len(text) >= 6 && !isWordList(text) || len(text) >= 8 ||
			len(text) >= 5 && (strings.HasSuffix(name, "PASSWORD") || strings.HasSuffix(name, "PASSWD"))
	case kind == variable:
		return mixed && len(text) >= 6 || len(text) >= 16 && !isWordList(text)
	case kind == password && v.tight && strings.HasPrefix(name, "--"):
		return len(text) >= 5
	case kind == password && (v.tight || sep == "--"):
		return mixed && len(text) >= 6 || !isWordList(text) && len(text) >= 6
	case kind == password:
		return mixed && len(text) >= 6 || len(text) >= 6 && hasDigit(text) && !isIdentifier.Match(text)
	default:
		return isRandom(text) ||
			mixed && len(text) >= 12 &&
				(v.query || v.tight && sep == "=" && countDigits(text) >= 3 &&
					!isSlug.Match(text) && !versioned.Match(text))
	}
}

// isStrong reports whether a word could not be one of a sentence: it has small and
// capital letters and digits, or a sign among them.
func isStrong(text string) bool {
	if !hasDigit(text) || !hasLetter(text) {
		return false
	}
	cased := strings.ToLower(text) != text && strings.ToUpper(text) != text
	return cased || strings.ContainsAny(text, "!@#$%^&*")
}

// isBasicAuth reports whether a text is "name:password" in base64.
func isBasicAuth(text string) bool {
	plain, err := base64.StdEncoding.DecodeString(text)
	return err == nil && utf8.Valid(plain) && bytes.IndexByte(plain, ':') > 0
}

func quotedSecret(text string, kind secrecy, name string) bool {
	spaced := strings.ContainsAny(text, " \t")
	if strings.HasPrefix(text, "/") && !hasDigit(text) || strings.HasPrefix(text, "./") ||
		strings.Contains(text, "://") {
		return false
	}
	own := namesSecret(text)
	switch {
	case kind == password && isPassphrase(text):
		return true
	case spaced:
		return strings.HasSuffix(strings.ToLower(name), "passphrase") && strings.Count(text, " ") >= 2 && !own
	case strings.EqualFold(name, "pass") && !hasDigit(text): // of a test
		return false
	case kind == password || kind == variable:
		return len(text) >= 5 && (!own || hasDigit(text)) && !(isWordList(text) && strings.ContainsAny(text, "_.-"))
	default:
		return !containsFold(text, foldASCII(name)) && prefixOf(text, `\u`, `\x`) == "" &&
			(isRandom(text) || hasDigit(text) && hasLetter(text) && len(text) >= 8 && !own && !versioned.Match(text))
	}
}

// isPassphrase reports whether a text is four words or more that make no sentence.
func isPassphrase(text string) bool {
	parts := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '-' })
	if len(parts) < 4 || len(parts) > 8 || namesSecret(text) {
		return false
	}
	for _, p := range parts {
		if len(p) < 3 || len(p) > 10 || run(p, 0, len(p), isLower) < len(p) || sentenceWords.Has(p) {
			return false
		}
	}
	return true
}

// sentenceWords stand in every other sentence, and in no passphrase.
var sentenceWords = pattern.SetOf(`
	the and for not are was has have had with your you this that must may can should will from into than then when
	where enter please only least more characters chars letters numbers digits already does did isn been being its
	our their they all any use used user file value must field form input page link reset change update login
	config auth key name test data http https`)

// namesSecret reports whether a text speaks of secrets, and so is rather the name of one.
func namesSecret(text string) bool {
	return containsFold(text, "password") || containsFold(text, "token") || containsFold(text, "secret")
}

var (
	isIdentifier = pattern.New(`(?-i)^[A-Za-z_]\w*$`)
	isSlug       = pattern.New(`(?-i)^[a-z0-9]+(?:[-_][a-z0-9]+)+$`)
	versioned    = pattern.New(
		`(?-i)^v?\d+(?:\.\d+)+|^[a-z]+[-_][a-z]+[-_]v?\d$|^[a-z]+(?:[-_.][a-z]+)*[-_]v?\d+(?:\.\d+)+$`,
	)
)

// isCode reports whether a bare value is an expression: a call, a variable, a path.
func isCode(text string) bool {
	if strings.IndexByte("([{$%@<#+", text[0]) >= 0 || strings.HasPrefix(text, "0x") && len(text) <= 18 ||
		isNumbered(text) ||
		prefixOf(text, "//", "--", "./", "~/") != "" ||
		text[0] == '/' && len(text) > 1 && (isLower(text[1]) || !isAlnum(text[1])) {
		return true
	}
	if strings.HasSuffix(text, ")") || strings.Contains(text, "{{") || strings.Contains(text, "->") ||
		strings.Contains(text, "=>") ||
		strings.Contains(text, "||") ||
		strings.Contains(text, "&&") {
		return true
	}
	name := run(text, len(prefixOf(text, "&", "*", "!")), len(text), isWord)
	if name == len(text) {
		return text[0] == '&' || text[0] == '*'
	}
	bracket := strings.IndexAny(text, "([{")
	return bracket > 0 && (isWord(text[bracket-1]) || text[bracket-1] == ']') || isMember(text)
}

// isNumbered reports whether a text is a variable such as password2.
func isNumbered(text string) bool {
	bare := strings.TrimRight(text, "0123456789")
	return len(text)-len(bare) <= 2 && placeholders.Has(strings.ToLower(bare))
}

// isMember reports whether a text is names with dots or the like between them.
func isMember(text string) bool {
	at := len(prefixOf(text, "&", "*", "!"))
	for {
		if at == len(text) || !isAlpha(text[at]) && text[at] != '_' {
			return false
		}
		at = run(text, at, len(text), isWord)
		if at == len(text) {
			return true
		}
		separator := prefixOf(text[at:], "::", "?.", ".")
		if separator == "" {
			return false
		}
		at += len(separator)
	}
}

// isWordList reports whether a text is made of words as in a name or a slug:
// letters with single separators between them, of which the first are camel case
// unless all are capitals.
func isWordList(text string) bool {
	at := run(text, 0, len(text), isAlpha)
	if at == 0 ||
		!isCamel(text[:at]) &&
			run(text, 0, len(text), func(c byte) bool { return isUpper(c) || c == '_' || c == '-' }) < len(text) {
		return false
	}
	for at < len(text) {
		next := run(text, at+1, len(text), isAlpha)
		if next == at+1 || strings.IndexByte("_.-:/", text[at]) < 0 {
			return false
		}
		at = next
	}
	return true
}

// isCamel reports whether letters are words, each with no more than one capital.
func isCamel(letters string) bool {
	for i := 1; i < len(letters); i++ {
		if isUpper(letters[i]) && (i+1 == len(letters) || isUpper(letters[i+1])) {
			return false
		}
	}
	return true
}

// isRandom reports whether a text looks like nobody thought of it: long, and
// either letters among digits or both cases without being words.
func isRandom(text string) bool {
	if len(text) < 12 || isWordList(text) {
		return false
	}
	if len(text) >= 40 && isStrong(text) && run(text, 0, len(text), isBase64) == len(text) {
		return true
	}
	if !hasDigit(text) {
		return len(text) >= 20 && hasLetter(text) && !strings.ContainsAny(text, "_.:/ ")
	}
	if !hasLetter(text) || run(text, 0, len(text), func(c byte) bool { return c > ' ' && c < 0x7f }) < len(text) ||
		versioned.Match(text) {
		return false
	}
	return switches(text) >= 3 || len(text) >= 16 && countDigits(text) >= 4 && !isSlug.Match(text)
}

// switches counts where letters and digits meet.
func switches(text string) int {
	n := 0
	for i := 1; i < len(text); i++ {
		if isDigit(text[i]) != isDigit(text[i-1]) {
			n++
		}
	}
	return n
}

var placeholders = pattern.SetOf(`
	null none nil true false undefined string str text bytes byte int integer number bool boolean any object
	optional required example changeme change-me change_me password passwd secret token value default empty unset
	missing invalid valid expired hidden masked redacted removed placeholder yes your-password yourpassword
	your_password your-token your_token user username test unknown disabled enabled input output self this type
	file stdin prompt env environment auto field name key here todo tbd`)

// isPlaceholder reports whether a value stands for a secret rather than being one.
func isPlaceholder(text string) bool {
	if len(text) > maxName {
		return text[0] == '$' || text[0] == '{' || text[0] == '<' || strings.Contains(text, "***")
	}
	low := strings.ToLower(strings.Trim(text, "\"'`,;.()[]{}<>"))
	if placeholders.Has(low) || low == "" {
		return true
	}
	if strings.Trim(low, "*") == "" || strings.Trim(low, "x") == "" || strings.Trim(low, "•") == "" ||
		strings.Trim(low, ".…-_") == "" {
		return true
	}
	return strings.HasPrefix(text, "$") || strings.HasPrefix(text, "<") ||
		strings.HasPrefix(text, "{") || strings.HasPrefix(text, "%(") ||
		strings.Contains(text, "***") || strings.HasPrefix(low, "your") ||
		strings.Contains(low, "redacted") ||
		strings.HasPrefix(low, "process.env") ||
		strings.HasPrefix(low, "os.")
}
