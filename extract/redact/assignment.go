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
	"password", "passwd", "passphrase", "passwort", "kennwort", "pwd", "secret", "token", "credential", "credentials", "apikey",
	"accesskey", "secretkey", "privatekey", "signingkey", "encryptionkey", "authkey", "accountkey", "masterkey", "sharedkey",
	"servicekey", "servicerolekey", "licensekey", "deploykey", "storagekey", "clientkey", "sessionkey", "adminkey", "hmackey",
	"jwtkey", "aeskey", "webhookkey", "subscriptionkey", "accesskeyid", "secretkeybase", "connectionstring", "sharedaccesskey", "authtoken",
	"sharedaccesssignature", "appkey", "密码", "密碼", "口令",
}

// harmlessNames end in a secret word and are none: pagination, tokenizers, parsers.
var harmlessNames = []string{
	"pagetoken", "nexttoken", "continuationtoken", "cursortoken", "synctoken", "padtoken", "eostoken", "bostoken", "unktoken", "masktoken",
	"septoken", "clstoken", "endtoken", "starttoken", "stoptoken", "firsttoken", "lasttoken", "prevtoken", "previoustoken", "currenttoken",
	"specialtoken", "pertoken", "maxtoken", "cancellationtoken", "canceltoken", "workdonetoken", "partialresulttoken", "progresstoken",
	"oldpwd", "semantictoken",
}

// assignmentTriggers are stretches of names from which the name is read to both sides.
var assignmentTriggers = []string{
	"passw", "passphrase", "pwd", "secret", "token", "credential", "kennwort", "api_key", "apikey", "api-key", "access_key", "accesskey",
	"access-key", "private_key", "privatekey", "private-key", "signing", "encryption", "authkey", "auth_key", "auth-key", "accountkey", "account_key",
	"master_key", "masterkey", "shared_key", "sharedaccess", "service_key", "service_role", "license_key", "licensekey", "deploy_key", "storage_key", "client_key",
	"session_key", "admin_key", "hmac_key", "jwt_key", "aes_key", "webhook_key", "subscription", "connectionstring", "connection_string", "app_key", "appkey",
	"_pass", "_key", "pass=", "--pass ", "密码", "密碼", "口令",
}

func assignmentRules() []rule {
	all := make([]rule, 0, len(assignmentTriggers))
	for _, t := range assignmentTriggers {
		all = append(all, rule{assigned, t, func(s string, at int) (start, end int, ok bool) {
			return findAssignment(s, at, at+len(t))
		}})
	}
	return all
}

// assigned is the name of the rule; a more specific rule names the same bytes first.
const assigned = "secret"

const maxName = 64

// findAssignment finds the value of the name that holds s[from:to].
func findAssignment(s string, from, to int) (start, end int, ok bool) {
	nameStart := back(s, from, maxName, isBase64URL)
	nameEnd := run(s, to, maxName, isBase64URL)
	name := s[nameStart:nameEnd]
	value, sep := separator(s, nameEnd)
	if sep == "" {
		if !strings.HasPrefix(name, "--") || value == nameEnd {
			return 0, 0, false
		}
		sep = "--"
	}
	kind := nameKind(name)
	if kind == harmless {
		return 0, 0, false
	}
	v := readValue(s, value, sep, isQuery(s, nameStart))
	if !v.isSecret(kind, sep, name) {
		return 0, 0, false
	}
	return v.start, v.end, true
}

// isQuery says whether a name stands in a query string, where & ends a value.
func isQuery(s string, name int) bool { return name > 0 && (s[name-1] == '?' || s[name-1] == '&') }

// A name is harmless, or its value is a password (any word may be one), or a
// key (random characters), or it is a variable of an environment.
type secrecy int

const (
	harmless secrecy = iota
	password
	key
	variable
)

// nameKind says what the value of a name would be.
func nameKind(name string) secrecy {
	plain := strings.Map(func(r rune) rune {
		if r == '_' || r == '-' {
			return -1
		}
		return r
	}, strings.ToLower(name))
	plain = strings.TrimRight(plain, "0123456789")
	for _, stage := range []string{"prod", "production", "dev", "test", "staging", "live", "old", "new", "value", "base64", "b64"} {
		if rest := strings.TrimSuffix(plain, stage); rest != plain {
			plain = rest
			break
		}
	}
	for _, h := range harmlessNames {
		if strings.HasSuffix(plain, h) {
			return harmless
		}
	}
	upper := strings.ToUpper(name) == name && strings.ToLower(name) != name
	for _, word := range secretWords {
		if !strings.HasSuffix(plain, word) {
			continue
		}
		switch {
		case upper && strings.Contains(name, "_"):
			return variable
		case strings.HasPrefix(word, "pass") || strings.HasPrefix(word, "kenn") || word == "pwd" || word[0] >= 0x80:
			return password
		}
		return key
	}
	lowerName := strings.ToLower(name)
	switch {
	case strings.HasSuffix(lowerName, "_pass") || lowerName == "pass" && !upper || lowerName == "--pass":
		return password
	case upper && strings.HasSuffix(name, "_KEY") && !publicKey.Match(name):
		return key
	}
	return harmless
}

var publicKey = pattern.New(`(?-i)(?:PUBLIC|PRIMARY|FOREIGN|CACHE|SORT|PARTITION|HASH|REGISTRY|PUBLISHABLE|IDEMPOTENCY|ROUTING|SSH_HOST|GROUP|INDEX|MAP|PK|ANON)_KEY$`)

// separator returns where the value starts, and what stands before it: "=" or
// ":" for every kind of assignment, "is" for prose, "" if only blanks do.
func separator(s string, at int) (value int, sep string) {
	at += len(prefixOf(s[at:], `\"`, `"`, `'`, "`", "]"))
	i := run(s, at, 64, isBlank)
	switch op := prefixOf(s[i:], ":=", "=>", "?=", "==", "!=", "::", "=", ":", "：", "是", "is "); op {
	case "", "==", "!=", "::":
		return i, ""
	case ":=", "=>", "?=", "=":
		return run(s, i+len(op), 64, isBlank), "="
	case "is ", "是":
		return run(s, i+len(op), 64, isBlank), "is"
	default:
		return run(s, i+len(op), 64, isBlank), ":"
	}
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
	// next is what follows, at most two bytes.
	next string
}

const maxValue = 4096

func readValue(s string, at int, sep string, query bool) value {
	v := value{start: at, tight: at > 0 && !isBlank(s[at-1])}
	if quote := prefixOf(s[at:], `\"`, `"`, `'`, "`"); quote != "" {
		v.start += len(quote)
		if n := strings.Index(s[v.start:min(len(s), v.start+maxValue)], quote); n >= 0 && !strings.Contains(s[v.start:v.start+n], "\n") {
			v.quoted, v.end = true, v.start+n
			v.text = s[v.start:v.end]
			return v
		}
	}
	v.end = run(s, v.start, maxValue, func(c byte) bool {
		return c > ' ' && c != '"' && c != '\'' && c != '`' && c != ',' && c != ';' && c != '<' && c != '>' && c != '\\' && (c != '&' || !query)
	})
	for v.end > v.start && strings.IndexByte(".)]}:!?", s[v.end-1]) >= 0 && sep != "--" {
		if s[v.end-1] == '!' && v.tight || s[v.end-1] == ')' && strings.Contains(s[v.start:v.end], "(") {
			break
		}
		v.end--
	}
	v.text, v.next = s[v.start:v.end], s[v.end:min(len(s), v.end+2)]
	return v
}

// isSecret says whether the value has the shape of a secret, for the kind of
// its name and what stands between them.
func (v value) isSecret(kind secrecy, sep, name string) bool {
	text := v.text
	if len(text) < 4 || isPlaceholder(text) || strings.Contains(text, markerOpen) {
		return false
	}
	if v.quoted {
		return quotedSecret(text, kind, name)
	}
	if isCode(text) {
		return false
	}
	mixed := hasDigit(text) && hasLetter(text)
	switch {
	case sep == "is":
		return mixed && len(text) >= 6 && (kind == password || len(text) >= 12)
	case kind == variable && v.tight && sep == "=":
		return len(text) >= 6 && !isWordList(text) || len(text) >= 8
	case kind == variable:
		return mixed && len(text) >= 6 || len(text) >= 16 && !isWordList(text)
	case kind == password && (v.tight || sep == "--"):
		return mixed && len(text) >= 6 || !isWordList(text) && len(text) >= 6
	case kind == password:
		return mixed && len(text) >= 6 || len(text) >= 6 && hasDigit(text) && !isIdentifier.Match(text)
	default:
		return isRandom(text)
	}
}

func quotedSecret(text string, kind secrecy, name string) bool {
	spaced := strings.ContainsAny(text, " \t")
	if strings.HasPrefix(text, "/") && !hasDigit(text) || strings.HasPrefix(text, "./") || strings.Contains(text, "://") {
		return false
	}
	own := strings.Contains(strings.ToLower(text), "password") || strings.Contains(strings.ToLower(text), "token") || strings.Contains(strings.ToLower(text), "secret")
	switch {
	case spaced:
		return strings.HasSuffix(strings.ToLower(name), "passphrase") && strings.Count(text, " ") >= 2 && !own
	case kind == password || kind == variable:
		return len(text) >= 5 && (!own || hasDigit(text)) && !(isWordList(text) && strings.ContainsAny(text, "_.-"))
	default:
		return isRandom(text) || hasDigit(text) && hasLetter(text) && len(text) >= 8 && !own && !versioned.Match(text)
	}
}

var (
	isIdentifier = pattern.New(`(?-i)^[A-Za-z_]\w*$`)
	isWords      = pattern.New(`(?-i)^[A-Za-z][a-z]*(?:[_.\-:/][A-Za-z]+|[A-Z][a-z]+)*$|^[A-Z]+(?:[_-][A-Z]+)*$`)
	versioned    = pattern.New(`(?-i)^v?\d+(?:\.\d+)+|^[a-z]+[-_][a-z]+[-_]v?\d$`)
)

// isCode says whether a bare value is an expression: a call, a variable, a path.
func isCode(text string) bool {
	if strings.IndexByte("([{$%@<#", text[0]) >= 0 || prefixOf(text, "//", "--", "./", "~/") != "" || text[0] == '/' && len(text) > 1 && isLower(text[1]) {
		return true
	}
	if strings.HasSuffix(text, ")") || strings.Contains(text, "{{") || strings.Contains(text, "->") || strings.Contains(text, "=>") || strings.Contains(text, "||") || strings.Contains(text, "&&") {
		return true
	}
	name := run(text, len(prefixOf(text, "&", "*", "!")), len(text), isWord)
	if name == len(text) {
		return false
	}
	bracket := strings.IndexAny(text, "([{")
	return bracket > 0 && (isWord(text[bracket-1]) || text[bracket-1] == ']') || isMember(text)
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

// isWordList says whether a text is made of words as in a name or a slug.
func isWordList(text string) bool { return isWords.Match(text) }

// isRandom says whether a text looks like nobody thought of it: long, and
// either letters among digits or both cases without being words.
func isRandom(text string) bool {
	if len(text) < 12 || isWordList(text) {
		return false
	}
	if !hasDigit(text) {
		return len(text) >= 20 && hasLetter(text) && !strings.ContainsAny(text, "_.:/ ")
	}
	return hasLetter(text) && run(text, 0, len(text), func(c byte) bool { return c > ' ' && c < 0x7f }) == len(text) && switches(text) >= 3
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
	low := strings.ToLower(strings.Trim(text, "\"'`,;.()[]{}<>"))
	if placeholders[low] || low == "" {
		return true
	}
	if strings.Trim(low, "*") == "" || strings.Trim(low, "x") == "" || strings.Trim(low, "•") == "" || strings.Trim(low, ".…-_") == "" {
		return true
	}
	return strings.HasPrefix(text, "$") || strings.HasPrefix(text, "<") || strings.HasPrefix(text, "{") || strings.HasPrefix(text, "%(") ||
		strings.HasPrefix(text, "***") || strings.HasPrefix(low, "your") || strings.Contains(low, "redacted") || strings.HasPrefix(low, "process.env") || strings.HasPrefix(low, "os.")
}
