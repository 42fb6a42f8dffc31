package redact

import (
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// An assignment gives a value to a name that says it is secret, as in .env
// files, YAML, JSON, code, query strings and options of commands. Whether the
// value is a secret is a question of its shape: a type, a call, a variable or a
// sentence is none.

// secretWords end the names of secrets. A name is compared without its
// separators and in lower case.
var secretWords = []string{
	"password", "passwords", "passwd", "passphrase", "passwort", "kennwort", "pwd", "secret", "token",
	"credential", "credentials", "apikey", "apikeys", "accesskey", "secretkey", "privatekey", "signingkey",
	"encryptionkey", "authkey", "accountkey", "masterkey", "sharedkey", "servicekey", "servicerolekey",
	"licensekey", "deploykey", "storagekey", "clientkey", "sessionkey", "adminkey", "hmackey", "jwtkey",
	"aeskey", "webhookkey", "subscriptionkey", "accesskeyid", "secretkeybase", "connectionstring",
	"sharedaccesskey", "authtoken", "sharedaccesssignature", "appkey", "motdepasse", "contraseña", "senha",
	"пароль", "密码", "密碼", "口令", "パスワード", "비밀번호",
}

// passwordWords are the secret words whose values people think of: any word may
// be one.
var passwordWords = pattern.SetOf(`
	password passwords passwd passphrase passwort kennwort pwd motdepasse contraseña senha пароль 密码 密碼 口令 パスワード
	비밀번호`)

// harmlessNames end in a secret word and are none: pagination, tokenizers, parsers.
var harmlessNames = []string{
	"pagetoken", "nexttoken", "continuationtoken", "cursortoken", "synctoken", "padtoken", "eostoken",
	"bostoken", "unktoken", "masktoken", "septoken", "clstoken", "endtoken", "starttoken", "stoptoken",
	"firsttoken", "lasttoken", "prevtoken", "previoustoken", "currenttoken", "specialtoken", "pertoken",
	"maxtoken", "cancellationtoken", "canceltoken", "workdonetoken", "partialresulttoken", "progresstoken",
	"oldpwd", "semantictoken",
}

// assignmentTriggers are stretches of names from which the name is read to both
// sides. What ends one beyond a name only narrows where it is tried.
var assignmentTriggers = []string{
	"passw", "passphrase", "pwd", "secret", "token", "credential", "kennwort", "api_key", "apikey", "api-key",
	"api key", "access_key", "accesskey", "access-key", "access key", "private_key", "privatekey",
	"private-key", "signing", "encryption", "authkey", "auth_key", "auth-key", "accountkey", "account_key",
	"master_key", "masterkey", "shared_key", "sharedaccess", "service_key", "service_role", "license_key",
	"licensekey", "deploy_key", "storage_key", "client_key", "session_key", "admin_key", "hmac_key", "jwt_key",
	"aes_key", "webhook_key", "subscription", "connectionstring", "connection_string", "app_key", "appkey",
	"_pass", "_key", "pass=", "pass:", `pass"`, "pass'", "--pass ", "pw=", "pw:", "pw\"", `"auth"`, "_auth",
	"mot de passe", "contraseña", "senha", "пароль", "Пароль", "密码", "密碼", "口令", "パスワード", "비밀번호",
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
		v.end = run(s, v.end, len(s), IsToken)
	}
	return v.start, v.end, true
}

// isQuery reports whether a name stands in a query string, where & ends a value.
func isQuery(s string, name int) bool { return name > 0 && (s[name-1] == '?' || s[name-1] == '&') }

// isComplaint reports whether a parser complains of the token that comes next.
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
		case upper && (strings.Contains(name, "_") || word != "pwd"):
			return variable
		case passwordWords.Has(word):
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

// nameEndings say where or how a value is used; they are no part of its kind.
var nameEndings = []string{
	"prod", "production", "dev", "test", "staging", "live", "old", "new", "value", "base64", "b64",
}

// plainName is a name in lower case without separators, numbers and what stage
// of a deployment it belongs to.
func plainName(lowerName string) string {
	plain := lowerName
	if strings.ContainsAny(plain, "_-. ") {
		plain = separators.Replace(plain)
	}
	plain = strings.TrimRight(plain, "0123456789")
	for _, stage := range nameEndings {
		if rest := strings.TrimSuffix(plain, stage); rest != plain {
			return rest
		}
	}
	return plain
}

var separators = strings.NewReplacer("_", "", "-", "", ".", "", " ", "")

var publicKey = pattern.New(
	`(?-i)(?:PUBLIC|PRIMARY|FOREIGN|CACHE|SORT|PARTITION|HASH|REGISTRY` +
		`|PUBLISHABLE|IDEMPOTENCY|ROUTING|SSH_HOST|GROUP|INDEX|MAP|PK|ANON)_KEY$`,
)

// separator returns where the value starts, and what stands before it: "=" or
// ":" for every kind of assignment, "==" for a comparison, "is" for prose, "" if
// there is none of these.
func separator(s string, at int) (value int, sep string) {
	at += len(quoteAt(s, at))
	at += len(prefixOf(s[at:], "]"))
	i := run(s, at, 64, isBlank)
	op := prefixOf(s[i:], operators...)
	switch {
	case op == "" || op == "!=" || op == "::" || strings.HasSuffix(op, " ") && i == at && op != "는 " && op != "은 ":
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
	":=", "=>", "?=", "===", "==", "!=", "::", "=", ":", "：", "是", "は", "는 ", "은 ", "is: ", "is ", "ist ",
	"lautet ", "est ", "es ", "é ", "为", "為",
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
	case behind > nameEnd && prefixOf(s[behind:], prepositions...) != "":
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
	parts := func(c byte) bool { return isSpace(c) || c == ',' || c == '"' || c == '\'' || c == '\\' }
	next := run(s, nameEnd+len(quote), 64, parts)
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
	words := s[at:run(s, at, maxName, func(c byte) bool { return isWord(c) || c == ' ' || c == '-' || c >= 0x80 })]
	for _, is := range []string{" is ", " ist ", " lautet ", " est ", " es ", " é "} {
		if i := strings.Index(words, is); i > 0 {
			return at + i + len(is), "is"
		}
	}
	return at, ""
}

var prepositions = []string{
	"for ", "of ", "to ", "on ", "at ", "in ", "für ", "der ", "des ", "pour ", "du ", "de ", "del ", "do ",
	"da ",
}

// hasLogin reports whether a text ends in "login <name>", as in a netrc file.
func hasLogin(before string) bool {
	if !strings.Contains(before, "login") {
		return false
	}
	fields := strings.Fields(before)
	return len(fields) >= 2 && fields[len(fields)-2] == "login" && !sentenceWords.Has(fields[len(fields)-1])
}

// isNamed reports whether a text ends where a name is the value of something.
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
