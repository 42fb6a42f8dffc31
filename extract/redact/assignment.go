package redact

import (
	"bytes"
	"encoding/base64"
	"strings"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// An assignment gives a value to a name that says it is secret, as in .env
// files, YAML, JSON, code, query strings and options of commands. Whether the
// value is a secret is a question of its shape: a type, a call, a variable or a
// sentence is none.

// secretWords end the names of secrets. A name is compared without its
// separators and in lower case.
var secretWords = []string{
	"password", "passwords", "passwd", "passphrase", "passwort", "kennwort", "pwd", "secret", "token", "credential", "credentials", "apikey", "apikeys",
	"accesskey", "secretkey", "privatekey", "signingkey", "encryptionkey", "authkey", "accountkey", "masterkey", "sharedkey",
	"servicekey", "servicerolekey", "licensekey", "deploykey", "storagekey", "clientkey", "sessionkey", "adminkey", "hmackey",
	"jwtkey", "aeskey", "webhookkey", "subscriptionkey", "accesskeyid", "secretkeybase", "connectionstring", "sharedaccesskey", "authtoken",
	"sharedaccesssignature", "appkey", "motdepasse", "contraseña", "senha", "пароль", "密码", "密碼", "口令", "パスワード", "비밀번호",
}

// passwordWords are the secret words whose values people think of: any word may
// be one.
var passwordWords = words(`password passwords passwd passphrase passwort kennwort pwd motdepasse contraseña senha пароль 密码 密碼 口令 パスワード 비밀번호`)

// harmlessNames end in a secret word and are none: pagination, tokenizers, parsers.
var harmlessNames = []string{
	"pagetoken", "nexttoken", "continuationtoken", "cursortoken", "synctoken", "padtoken", "eostoken", "bostoken", "unktoken", "masktoken",
	"septoken", "clstoken", "endtoken", "starttoken", "stoptoken", "firsttoken", "lasttoken", "prevtoken", "previoustoken", "currenttoken",
	"specialtoken", "pertoken", "maxtoken", "cancellationtoken", "canceltoken", "workdonetoken", "partialresulttoken", "progresstoken",
	"oldpwd", "semantictoken",
}

// assignmentTriggers are stretches of names from which the name is read to both
// sides. What ends one beyond a name only narrows where it is tried.
var assignmentTriggers = []string{
	"passw", "passphrase", "pwd", "secret", "token", "credential", "kennwort", "api_key", "apikey", "api-key", "api key", "access_key", "accesskey",
	"access-key", "access key", "private_key", "privatekey", "private-key", "signing", "encryption", "authkey", "auth_key", "auth-key", "accountkey", "account_key",
	"master_key", "masterkey", "shared_key", "sharedaccess", "service_key", "service_role", "license_key", "licensekey", "deploy_key", "storage_key", "client_key",
	"session_key", "admin_key", "hmac_key", "jwt_key", "aes_key", "webhook_key", "subscription", "connectionstring", "connection_string", "app_key", "appkey",
	"_pass", "_key", "pass=", "pass:", `pass"`, "pass'", "--pass ", "pw=", "pw:", "pw\"", `"auth"`, "_auth", "mot de passe", "contraseña", "senha", "пароль", "Пароль", "密码", "密碼", "口令",
	"パスワード", "비밀번호",
}

func assignmentRules() []rule {
	all := make([]rule, 0, len(assignmentTriggers))
	for _, t := range assignmentTriggers {
		name := strings.Trim(t, `"'=: `)
		before := strings.Index(t, name)
		all = append(all, rule{assigned, t, func(s string, at int) (start, end int, ok bool) {
			return findAssignment(s, at+before, at+before+len(name))
		}})
	}
	return all
}

// assigned is the name of the rule; a more specific rule names the same bytes first.
const assigned = "secret"

const (
	maxName = 64
	// maxQuoted is how far away the quote may stand that ends a value.
	maxQuoted = 4096
)

// findAssignment finds the value of the name that holds s[from:to].
func findAssignment(s string, from, to int) (start, end int, ok bool) {
	nameStart := back(s, from, maxName, isDotted)
	nameEnd := run(s, to, maxName, isBase64URL)
	if hasPrefixFold(s[nameEnd:], ".key") {
		nameEnd += len(".key")
	}
	name := s[nameStart:nameEnd]
	at, sep := separator(s, nameEnd)
	if sep == "" {
		at, sep = looseSeparator(s, nameStart, nameEnd)
	}
	if sep == "" || sep == ":" && isUserInfo(s, nameStart) { // of a URL, which has a rule of its own
		return 0, 0, false
	}
	kind := nameKind(name)
	if kind == harmless || strings.EqualFold(name, "token") && isComplaint(s[:nameStart]) {
		return 0, 0, false
	}
	v := readValue(s, at, sep, isQuery(s, nameStart))
	if !v.isSecret(kind, sep, name) {
		return 0, 0, false
	}
	if v.end-v.start == maxValue { // it goes on
		v.end = run(s, v.end, len(s), isToken)
	}
	return v.start, v.end, true
}

// isQuery says whether a name stands in a query string, where & ends a value.
func isQuery(s string, name int) bool { return name > 0 && (s[name-1] == '?' || s[name-1] == '&') }

// isComplaint says whether a parser complains of the token that comes next.
func isComplaint(before string) bool {
	for _, word := range []string{"unexpected ", "invalid ", "unknown ", "illegal ", "bad "} {
		if len(before) >= len(word) && hasPrefixFold(before[len(before)-len(word):], word) {
			return true
		}
	}
	return false
}

// A name is harmless, or its value is a password (any word may be one), or a
// key (random characters), or it is a variable of an environment, or its value
// is a name and a password in base64.
type secrecy int

const (
	harmless secrecy = iota
	password
	key
	variable
	basic
)

// nameKind says what the value of a name would be. Of a name with dots the last
// part counts, or if that is harmless, the whole.
func nameKind(name string) secrecy {
	name = strings.TrimLeft(name, ".")
	part := name[strings.LastIndexByte(name, '.')+1:]
	if kind := partKind(part); kind != harmless || len(part) == len(name) {
		return kind
	}
	return partKind(name)
}

func partKind(name string) secrecy {
	lowerName := strings.ToLower(name)
	plain := plainName(lowerName)
	for _, h := range harmlessNames {
		if strings.HasSuffix(plain, h) {
			return harmless
		}
	}
	upper := strings.ToUpper(name) == name && lowerName != name
	for _, word := range secretWords {
		if !strings.HasSuffix(plain, word) {
			continue
		}
		switch {
		case upper && (strings.Contains(name, "_") || plain == word && word != "pwd"):
			return variable
		case passwordWords[word]:
			return password
		}
		return key
	}
	last := lowerName[strings.LastIndexAny(lowerName, "_-")+1:]
	switch {
	case last == "pass" && !(upper && last == lowerName), last == "pw" && !(upper && last == lowerName):
		return password
	case lowerName == "auth" || lowerName == "_auth":
		return basic
	case upper && strings.HasSuffix(name, "_KEY") && !publicKey.Match(name):
		return key
	}
	return harmless
}

// plainName is a name in lower case without separators, numbers and what stage
// of a deployment it belongs to.
func plainName(lowerName string) string {
	plain := lowerName
	if strings.ContainsAny(plain, "_-. ") {
		plain = separators.Replace(plain)
	}
	plain = strings.TrimRight(plain, "0123456789")
	for _, stage := range []string{"prod", "production", "dev", "test", "staging", "live", "old", "new", "value", "base64", "b64"} {
		if rest := strings.TrimSuffix(plain, stage); rest != plain {
			return rest
		}
	}
	return plain
}

var separators = strings.NewReplacer("_", "", "-", "", ".", "", " ", "")

var publicKey = pattern.New(`(?-i)(?:PUBLIC|PRIMARY|FOREIGN|CACHE|SORT|PARTITION|HASH|REGISTRY|PUBLISHABLE|IDEMPOTENCY|ROUTING|SSH_HOST|GROUP|INDEX|MAP|PK|ANON)_KEY$`)

// separator returns where the value starts, and what stands before it: "=" or
// ":" for every kind of assignment, "==" for a comparison, "is" for prose, "" if
// there is none of these.
func separator(s string, at int) (value int, sep string) {
	at += len(quoteAt(s, at))
	at += len(prefixOf(s[at:], "]"))
	i := run(s, at, 64, isBlank)
	op := prefixOf(s[i:], operators...)
	switch {
	case op == "" || op == "!=" || op == "::" || strings.HasSuffix(op, " ") && i == at:
		return i, ""
	case op == ":" || op == "：":
		return typed(s, run(s, i+len(op), 64, isBlank))
	case op == "==" || op == "===":
		return run(s, i+len(op), 64, isBlank), "=="
	case op[len(op)-1] != '=' && op != "=>":
		return run(s, i+len(op), 64, isBlank), "is"
	}
	return run(s, i+len(op), 64, isBlank), "="
}

var operators = []string{
	":=", "=>", "?=", "===", "==", "!=", "::", "=", ":", "：", "是", "は", "는 ", "은 ", "is: ", "is ", "ist ", "est ", "es ", "é ",
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

// looseSeparator returns where the value starts of a name without an operator,
// and how it belongs to the name: "--" of an option, "<>" of an element, "value"
// of a member beside it, "," next to it in a list or a call, " " behind it, and
// "login" there too, where a login stands before.
func looseSeparator(s string, nameStart, nameEnd int) (value int, sep string) {
	behind := run(s, nameEnd, 64, isBlank)
	switch {
	case nameStart > 0 && s[nameStart-1] == '<' && nameEnd < len(s) && s[nameEnd] == '>':
		return nameEnd + 1, "<>"
	case strings.HasPrefix(s[nameStart:], "--") && behind > nameEnd:
		return behind, "--"
	case behind > nameEnd && (strings.HasSuffix(s[:nameStart], "ENV ") || strings.HasSuffix(s[:nameStart], "setenv ")):
		return behind, "="
	case behind > nameEnd && prefixOf(s[behind:], "for ", "of ", "to ", "on ", "at ", "in ") != "":
		return saidOf(s, behind)
	case behind > nameEnd && hasLogin(s[max(0, nameStart-maxName):nameStart]):
		return behind, "login"
	case behind > nameEnd:
		if word := run(s, behind, maxName, func(c byte) bool { return c > ' ' }); !hasDigit(s[behind:word]) {
			return nameEnd, "" // a word of the sentence
		}
		return behind, " "
	}
	quote := quoteAt(s, nameEnd)
	next := run(s, nameEnd+len(quote), 64, func(c byte) bool { return isSpace(c) || c == ',' || c == '"' || c == '\'' || c == '\\' })
	if hasPrefixFold(s[next:], "value") && next > nameEnd && isNamed(s[:nameStart]) {
		if value, sep = separator(s, next+len("value")); sep == "=" || sep == ":" {
			return value, "value"
		}
	}
	if comma := nameEnd + len(quote); quote != "" && comma < len(s) && s[comma] == ',' {
		return run(s, comma+1, 64, isSpace), ","
	}
	return nameEnd, ""
}

// saidOf returns where the value starts in "password for this and that is value".
func saidOf(s string, at int) (value int, sep string) {
	words := s[at:run(s, at, maxName, func(c byte) bool { return isWord(c) || c == ' ' || c == '-' })]
	if is := strings.Index(words, " is "); is > 0 {
		return at + is + len(" is "), "is"
	}
	return at, ""
}

// hasLogin says whether a text ends in "login <name>", as in a netrc file.
func hasLogin(before string) bool {
	if !strings.Contains(before, "login") {
		return false
	}
	fields := strings.Fields(before)
	return len(fields) >= 2 && fields[len(fields)-2] == "login" && !sentenceWords[fields[len(fields)-1]]
}

// isNamed says whether a text ends where a name is the value of something.
func isNamed(before string) bool {
	before = strings.TrimRight(before, ` "'\`)
	return strings.HasSuffix(before, ":") || strings.HasSuffix(before, "=")
}

// quoteAt returns the quote that starts at at, with the backslashes that escape
// it, "" if none does.
func quoteAt(s string, at int) string {
	end := run(s, at, 7, func(c byte) bool { return c == '\\' })
	if end < len(s) && (s[end] == '"' || s[end] == '\'' || s[end] == '`') {
		return s[at : end+1]
	}
	return ""
}

func prefixOf(s string, prefixes ...string) string {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return p
		}
	}
	return ""
}

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

// isBare says whether a byte may stand in a value without quotes. Whether & may
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
	v.start = at
	if quote := quoteAt(s, at); quote != "" {
		v.start += len(quote)
		line, _, _ := strings.Cut(s[v.start:min(len(s), v.start+maxQuoted)], "\n")
		n := strings.Index(line, quote)
		if last := strings.Index(line, quote+"]"); last > n && s[at-1] == '[' && hasDigit(line[:last]) {
			n = last // a list goes as a whole
		}
		if n >= 0 {
			v.quoted, v.end = true, v.start+n
			v.text = s[v.start:v.end]
			return v
		}
	}
	if v.end = appPassword(s, v.start); v.end > 0 {
		v.text = s[v.start:v.end]
		return v
	}
	v.end = v.start
	for limit := min(len(s), v.start+maxValue); v.end < limit && isBare(s[v.end]) && (s[v.end] != '&' || !query); {
		v.end++
	}
	v.end = v.start + parameterEnd(s[v.start:v.end])
	for v.end > v.start && strings.IndexByte(".)]}:!?", s[v.end-1]) >= 0 && sep != "--" {
		if s[v.end-1] == '!' && sep != "is" || s[v.end-1] == ')' && strings.Contains(s[v.start:v.end], "(") {
			break
		}
		v.end--
	}
	v.text = s[v.start:v.end]
	return v
}

// literals are what may stand before the quote of a value in code.
var literals = []string{"[]byte(", "[]string{", "[", "Buffer.from(", "bytes(", "string(", "String(", "SecretStr(", "Secret(", "b", "r", "f", "@", "$"}

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

// isSecret says whether the value has the shape of a secret, for the kind of
// its name and what stands between them.
func (v value) isSecret(kind secrecy, sep, name string) bool {
	text := v.text
	if len(text) < minSecret || isPlaceholder(text) || strings.Contains(text, markerOpen) {
		return false
	}
	mixed := hasDigit(text) && hasLetter(text)
	switch {
	case kind == basic:
		return isBasicAuth(text)
	case sep == "," || sep == "==":
		return v.quoted && hasDigit(text) && !namesSecret(text) && !strings.ContainsAny(text, ` /\`) &&
			(isRandom(text) || mixed && !isSlug.Match(text) && (kind == password && len(text) >= 8 || kind == variable && len(text) >= 6))
	case v.quoted:
		return quotedSecret(text, kind, name)
	case strings.Contains(text, " "):
		return kind != key
	case sep == "login":
		return true
	case !utf8.ValidString(text) || kind == key && isIdentifier.Match(text) && containsFold(text, plainName(strings.ToLower(name))):
		return false
	case isCode(text) || strings.Contains(text, "://"):
		return false
	}
	switch {
	case sep == " ":
		return kind == password && len(text) >= 8 && isStrong(text) || kind != password && len(text) >= 20 && isStrong(text) && isRandom(text)
	case sep == "is":
		return mixed && len(text) >= 6 && (kind == password || len(text) >= 12)
	case kind == variable && v.tight && sep == "=":
		return len(text) >= 6 && !isWordList(text) || len(text) >= 8 || len(text) >= 5 && passwordWords[plainName(strings.ToLower(name[strings.LastIndexByte(name, '_')+1:]))]
	case kind == variable:
		return mixed && len(text) >= 6 || len(text) >= 16 && !isWordList(text)
	case kind == password && v.tight && strings.HasPrefix(name, "--"):
		return len(text) >= 5
	case kind == password && (v.tight || sep == "--"):
		return mixed && len(text) >= 6 || !isWordList(text) && len(text) >= 6
	case kind == password:
		return mixed && len(text) >= 6 || len(text) >= 6 && hasDigit(text) && !isIdentifier.Match(text)
	default:
		return isRandom(text) || mixed && len(text) >= 12 && (v.query || v.tight && sep == "=" && countDigits(text) >= 3 && !isSlug.Match(text) && !versioned.Match(text))
	}
}

// isStrong says whether a word could not be one of a sentence: it has small and
// capital letters and digits, or a sign among them.
func isStrong(text string) bool {
	if !hasDigit(text) || !hasLetter(text) {
		return false
	}
	cased := strings.ToLower(text) != text && strings.ToUpper(text) != text
	return cased || strings.ContainsAny(text, "!@#$%^&*")
}

// isBasicAuth says whether a text is "name:password" in base64.
func isBasicAuth(text string) bool {
	plain, err := base64.StdEncoding.DecodeString(text)
	return err == nil && utf8.Valid(plain) && bytes.IndexByte(plain, ':') > 0
}

func quotedSecret(text string, kind secrecy, name string) bool {
	spaced := strings.ContainsAny(text, " \t")
	if strings.HasPrefix(text, "/") && !hasDigit(text) || strings.HasPrefix(text, "./") || strings.Contains(text, "://") {
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

// isPassphrase says whether a text is four words or more that make no sentence.
func isPassphrase(text string) bool {
	parts := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '-' })
	if len(parts) < 4 || len(parts) > 8 || namesSecret(text) {
		return false
	}
	for _, p := range parts {
		if len(p) < 3 || len(p) > 10 || run(p, 0, len(p), isLower) < len(p) || sentenceWords[p] {
			return false
		}
	}
	return true
}

// sentenceWords stand in every other sentence, and in no passphrase.
var sentenceWords = words(`the and for not are was has have had with your you this that must may can should will from into than then when where
	enter please only least more characters chars letters numbers digits already does did isn been being its our their they all any use used
	user file value must field form input page link reset change update login config auth key name test data http https`)

// namesSecret says whether a text speaks of secrets, and so is rather the name of one.
func namesSecret(text string) bool {
	return containsFold(text, "password") || containsFold(text, "token") || containsFold(text, "secret")
}

var (
	isIdentifier = pattern.New(`(?-i)^[A-Za-z_]\w*$`)
	isSlug       = pattern.New(`(?-i)^[a-z0-9]+(?:[-_][a-z0-9]+)+$`)
	versioned    = pattern.New(`(?-i)^v?\d+(?:\.\d+)+|^[a-z]+[-_][a-z]+[-_]v?\d$|^[a-z]+(?:[-_.][a-z]+)*[-_]v?\d+(?:\.\d+)+$`)
)

// isCode says whether a bare value is an expression: a call, a variable, a path.
func isCode(text string) bool {
	if strings.IndexByte("([{$%@<#+", text[0]) >= 0 || strings.HasPrefix(text, "0x") && len(text) <= 18 || isNumbered(text) || prefixOf(text, "//", "--", "./", "~/") != "" || text[0] == '/' && len(text) > 1 && (isLower(text[1]) || !isAlnum(text[1])) {
		return true
	}
	if strings.HasSuffix(text, ")") || strings.Contains(text, "{{") || strings.Contains(text, "->") || strings.Contains(text, "=>") || strings.Contains(text, "||") || strings.Contains(text, "&&") {
		return true
	}
	name := run(text, len(prefixOf(text, "&", "*", "!")), len(text), isWord)
	if name == len(text) {
		return text[0] == '&' || text[0] == '*'
	}
	bracket := strings.IndexAny(text, "([{")
	return bracket > 0 && (isWord(text[bracket-1]) || text[bracket-1] == ']') || isMember(text)
}

// isNumbered says whether a text is a variable such as password2.
func isNumbered(text string) bool {
	bare := strings.TrimRight(text, "0123456789")
	return len(text)-len(bare) <= 2 && placeholders[strings.ToLower(bare)]
}

// isMember says whether a text is names with dots or the like between them.
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

// isWordList says whether a text is made of words as in a name or a slug:
// letters with single separators between them, of which the first are camel case
// unless all are capitals.
func isWordList(text string) bool {
	at := run(text, 0, len(text), isAlpha)
	if at == 0 || !isCamel(text[:at]) && run(text, 0, len(text), func(c byte) bool { return isUpper(c) || c == '_' || c == '-' }) < len(text) {
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

// isCamel says whether letters are words, each with no more than one capital.
func isCamel(letters string) bool {
	for i := 1; i < len(letters); i++ {
		if isUpper(letters[i]) && (i+1 == len(letters) || isUpper(letters[i+1])) {
			return false
		}
	}
	return true
}

// isRandom says whether a text looks like nobody thought of it: long, and
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
	if !hasLetter(text) || run(text, 0, len(text), func(c byte) bool { return c > ' ' && c < 0x7f }) < len(text) || versioned.Match(text) {
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

var placeholders = words(`null none nil true false undefined string str text bytes byte int integer number bool boolean any object optional required
	example changeme change-me change_me password passwd secret token value default empty unset missing invalid valid expired hidden masked redacted
	removed placeholder yes your-password yourpassword your_password your-token your_token user username test unknown disabled enabled
	input output self this type file stdin prompt env environment auto field name key here todo tbd`)

// isPlaceholder says whether a value stands for a secret rather than being one.
func isPlaceholder(text string) bool {
	if len(text) > maxName {
		return text[0] == '$' || text[0] == '{' || text[0] == '<' || strings.Contains(text, "***")
	}
	low := strings.ToLower(strings.Trim(text, "\"'`,;.()[]{}<>"))
	if placeholders[low] || low == "" {
		return true
	}
	if strings.Trim(low, "*") == "" || strings.Trim(low, "x") == "" || strings.Trim(low, "•") == "" || strings.Trim(low, ".…-_") == "" {
		return true
	}
	return strings.HasPrefix(text, "$") || strings.HasPrefix(text, "<") || strings.HasPrefix(text, "{") || strings.HasPrefix(text, "%(") ||
		strings.Contains(text, "***") || strings.HasPrefix(low, "your") || strings.Contains(low, "redacted") || strings.HasPrefix(low, "process.env") || strings.HasPrefix(low, "os.")
}
