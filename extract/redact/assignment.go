package redact

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/once"
	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// An assignment gives a value to a name that says it is secret: in .env files, YAML,
// JSON, code, query strings, options of commands and sentences. The value is the
// secret, whatever it looks like, unless it is a type, reads a variable, stands for a
// value, or is a word of the sentence (innocent.go).

// secretWords end the names of secrets. A name is compared without its
// separators and in lower case.
var secretWords = []string{
	"password", "passwords", "passwd", "passphrase", "passcode", "passwort", "kennwort", "pwd", "secret", "token",
	"credential", "credentials", "apikey", "apikeys", "accesskey", "secretkey", "privatekey", "signingkey",
	"encryptionkey", "authkey", "accountkey", "masterkey", "sharedkey", "servicekey", "servicerolekey",
	"licensekey", "deploykey", "storagekey", "clientkey", "sessionkey", "adminkey", "hmackey", "jwtkey",
	"aeskey", "webhookkey", "subscriptionkey", "accesskeyid", "secretkeybase",
	"sharedaccesskey", "authtoken", "sharedaccesssignature", "appkey", "motdepasse", "wachtwoord", "storepass",
	"keypass", "cipherkey", "presharedkey", "passkey", "sessid", "sharedsecret", "sessiontoken", "secretstring",
	"psk", "passw", "pswd", "passwrd", "pasw", "psswd", "kennw", "passw0rd", "keymaterial", "passwrod",
	"pasword", "passowrd",
	"ghsess", "phpsess", "decryptionkey", "cryptkey", "privkey", "seckey", "unlockkey", "wepkey", "wpakey",
	"networkkey", "authenticationkey", "integrationkey", "ingestkey", "writekey", "productkey", "activationkey",
	"licencekey",
	"stripekey", "openaikey", "anthropickey", "sendgridkey", "mailgunkey", "twiliokey", "algoliakey", "mapboxkey",
	"datadogkey", "cloudflarekey", "firebasekey", "supabasekey", "newrelickey", "pagerdutykey", "paypalkey",
	"unsealkey", "vaultkey", "wlankey", "wifikey", "apisecret", "keypassword", "clientkeydata",
}

// codeWords end the names of codes that are typed once.
var codeWords = pattern.SetOf(`
	pin otp totp pincode otpcode mfacode 2facode recoverycode recoverycodes backupcode backupcodes verificationcode
	securitycode authcode logincode puk cvv cvc totpcode twofactorcode confirmationcode unlockcode`)

// passwordWords are the secret words whose values people think of.
var passwordWords = pattern.SetOf(`
	password passwords passwd passphrase passcode passwort kennwort pwd motdepasse wachtwoord storepass keypass
	passwrod pasword passowrd passw0rd psk passw pswd passwrd pasw psswd kennw`)

// harmlessNames end in a secret word and are none: pagination, tokenizers, parsers.
var harmlessNames = []string{
	"pagetoken", "nexttoken", "continuationtoken", "cursortoken", "synctoken", "padtoken", "eostoken",
	"bostoken", "unktoken", "masktoken", "septoken", "clstoken", "endtoken", "starttoken", "stoptoken",
	"firsttoken", "lasttoken", "prevtoken", "previoustoken", "currenttoken", "specialtoken", "pertoken",
	"maxtoken", "cancellationtoken", "canceltoken", "workdonetoken", "partialresulttoken", "progresstoken",
	"oldpwd", "semantictoken", "toctoken",
}

// stems are parts of names in ASCII, from which the name is read to both sides. What
// ends one beyond a name only narrows where it is tried.
var stems = []string{
	"passw", "passp", "passc", "passk", "pwd", "secret", "token", "credential", "creds", "kennw", "api_key",
	"apikey",
	"api-key", "api key", "access_key", "accesskey", "access-key", "access key", "private_key", "privatekey",
	"private-key", "signing", "encryption", "authkey", "auth_key", "auth-key", "accountkey", "account_key",
	"master_key", "masterkey", "shared_key", "sharedaccess", "service_key", "service_role", "license_key",
	"licensekey", "deploy_key", "storage_key", "client_key", "session_key", "admin_key", "hmac_key", "jwt_key",
	"aes_key", "webhook_key", "subscription", "connectionstring", "connection_string", "app_key", "appkey",
	"jwtkey", "aeskey", "hmackey", "preshared", "pre-shared", "sessid", "wachtwoord", "storepass", "keypass",
	"cipher", "_salt", "psk",
	"keymaterial", "pasword", "pswd", "psswd", "_sess",
	"_key", "-key", "otp", "_code", "-code", "2fa", "mfa", "cvv", "cvc",
	"recoverycode", "backupcode", "verificationcode", "securitycode", "twofactorcode",
}

// foreignNameAt returns the identifier that holds s[from:to], if it is made of several words, or of one that no rule of
// its language finds.
func foreignNameAt(s string, from, to int, _ secrecy) (named, bool) {
	n := identifierAt(s, from, to)
	return n, n.kind != harmless && (strings.ContainsAny(n.text, "_-.") || isHumped(n.text) ||
		words().names[lowered(n.text)] == harmless)
}

// isTestLine reports whether what stands at at is PASS, as a test prints it.
func isTestLine(s string, at int) bool {
	return s[at:at+4] == "PASS" && !strings.HasSuffix(s[:at], "#define ") &&
		(at == 0 || s[at-1] != '_' && s[at-1] != '-')
}

// shortStems end a name, because they are a part of many words.
var shortStems = []string{"pass", "pw", "auth", "pin", "tan"}

// owners stand before "pass" and "pw" in a name, as one word with it: what a password is for.
var owners = pattern.SetOf(`smtp db user root admin my mail email ssh ftp sftp ldap mysql pg postgres redis mongo wifi
	wlan wpa ap sta key store auth login proxy vpn rpc mqtt http basic server client account api sudo zip pdf pfx cert
	keystore vault sql sa os host vnc bind rdp imap pop amqp rabbit influx grafana svc master new old net bot app
	default require temp tmp router gate node web site backup restic borg crypt disk luks gpg pgp`)

// isOwned reports whether an owner ends at at.
func isOwned(s string, at int) bool {
	return owners.Has(foldASCII(s[back(s, at, 16, isAlpha):at]))
}

// ownedName reports whether a plain name is an owner and "pass" or "pw"; written in capitals
// or as humps, other words may stand before the owner.
func ownedName(name, plain string) bool {
	for _, ending := range []string{"pass", "pw"} {
		owner, ok := strings.CutSuffix(plain, ending)
		if !ok {
			continue
		}
		for at := range owner {
			if owners.Has(owner[at:]) && (at == 0 || len(owner)-at > 2 && lowered(name) != name) {
				return true
			}
		}
	}
	return false
}

func assignmentRules() []nameRule {
	lex := words()
	all := make([]nameRule, 0, len(stems)+len(shortStems)+len(lex.foldedForms)+len(lex.ordered)*3/2)
	for _, t := range stems {
		all = append(all, nameRule{t, harmless, stemAt})
	}
	for _, t := range shortStems {
		all = append(all, nameRule{t, harmless, shortStemAt})
	}
	for _, t := range lex.foldedForms {
		if !isCovered(t) {
			all = append(all, nameRule{t, harmless, foreignNameAt})
		}
	}
	for _, name := range lex.ordered {
		if joined := strings.ReplaceAll(name.text, " ", "_"); joined != name.text {
			switch {
			case !isASCII(joined) && (name.kind == password || name.kind == key):
				all = append(all, nameRule{joined, name.kind, phraseAt})
			case isASCII(joined) && !isCovered(joined):
				all = append(all, nameRule{joined, harmless, stemAt})
			}
		}
		if !isCovered(name.text) {
			all = append(all, nameRule{name.text, name.kind, phraseAt})
		}
	}
	return all
}

// stemAt returns the identifier that holds s[from:to]. Its name says of what kind it is.
func stemAt(s string, from, to int, _ secrecy) (named, bool) { return identifierAt(s, from, to), true }

// shortStemAt is stemAt for a stem that is a part of many words, with which the name has to end.
func shortStemAt(s string, from, to int, _ secrecy) (named, bool) {
	if end := numbered(s, to); end < len(s) && isAlnum(s[end]) ||
		from > 0 && isLower(s[from-1]) && isLower(s[from]) && !isOwned(s, from) ||
		isUpper(s[from]) && to-from == len("pass") && to < len(s) && s[to] != '=' && isTestLine(s, from) {
		return named{}, false
	}
	return identifierAt(s, from, to), true
}

// assignments appends the secrets that a name announces: its value, the values below it
// in a table, or what a sentence says of it.
func assignments(s string, n named, e *effort, found []span) []span {
	if n.kind == access {
		return weigh(s, n, e, found)
	}
	if n.kind == harmless {
		if isHashName(n.text) {
			return hashed(s, n, found)
		}
		if n.kind = words().names[firstPart(n.text)]; n.kind == password {
			return weigh(s, n, e, found)
		}
		return found
	}
	if n.kind == login || words().names[lowered(n.text)] == login {
		if start, end, ok := findLogin(s, n); ok {
			return append(found, span{start, end, assigned})
		}
	}
	if more, described := rows(s, n, found); described {
		return more
	}
	if start, end, ok := bothGiven(s, n); ok {
		return append(found, span{start, end, assigned})
	}
	if start, end, ok := findAssignment(s, n); ok && start < end {
		value := span{start, end, assigned}
		found = append(found, value)
		switch {
		case isDone(s, value): // and what it is now may follow
			return sentences(s, n, e, found)
		case n.kind == code:
			return moreCodes(s, end, found)
		}
		return moreParts(s, end, found)
	}
	if start, end, ok := besideCell(s, n); ok {
		return append(found, span{start, end, assigned})
	}
	if more := tables(s, n, found); len(more) > len(found) {
		return more
	}
	if more := underneath(s, n, found); len(more) > len(found) {
		return more
	}
	return sentences(s, n, e, found)
}

// moreCodes appends the codes of a list behind the first one.
func moreCodes(s string, at int, found []span) []span {
	for range 32 {
		next := run(s, at, 6, func(c byte) bool { return isSpace(c) || c == ',' || c == ';' || c == '"' || c == '\'' })
		end := run(s, next, 40, isBase64URL)
		if next == at || end-next < 4 || !hasDigit(s[next:end]) || countDigits(s[next:end]) < 3 || end < len(s) &&
			s[end] == ':' {
			break
		}
		found = append(found, span{next, end, assigned})
		at = end
	}
	return found
}

// moreParts appends the strings in quotes that code joins to one that ends at at.
func moreParts(s string, at int, found []span) []span {
	for range 16 {
		quote := quoteAt(s, at)
		if len(quote) != 1 {
			break
		}
		next := run(s, at+1, 64, func(c byte) bool { return isSpace(c) || c == '+' || c == '.' || c == '\\' })
		end, ok := quotedEnd(s, next)
		if next == at+1 || quoteAt(s, next) != quote || !ok || end-next < 4 {
			break
		}
		if behind := run(s, end+1, 4, isBlank); behind < len(s) && strings.IndexByte(":=", s[behind]) >= 0 {
			break // a name
		}
		found = append(found, span{next + 1, end, assigned})
		at = end
	}
	return found
}

// isCovered reports whether a name is found by a stem.
func isCovered(word string) bool {
	if run(word, 0, len(word), isBase64URL) < len(word) {
		return false
	}
	begins := stemsByStart.Get()
	for i := range len(word) {
		for _, stem := range begins[word[i]] {
			if strings.HasPrefix(word[i:], stem) {
				return true
			}
		}
	}
	return slices.Contains(shortStems, word)
}

// stemsByStart are the stems by their first byte.
var stemsByStart = once.Value[[256][]string]{Make: func() (begins [256][]string) {
	for _, stem := range stems {
		begins[stem[0]] = append(begins[stem[0]], stem)
	}
	return begins
}}

// assigned is the name of the rule; a more specific rule names the same bytes first.
const assigned = "secret"

const (
	maxName = 64
	// maxQuoted is how far away the quote may stand that ends a value.
	maxQuoted = 4096
)

// A named is a name of a secret in a string: the bytes [start, end).
type named struct {
	start, end int
	text       string
	kind       secrecy
	// script is how the name is written.
	script script
}

type script int

const (
	// identifier is a name in ASCII, as in code.
	identifier script = iota
	// spaced is a phrase in a script with blanks between words.
	spaced
	// dense is a name in Chinese, Japanese or Korean.
	dense
)

// identifierAt returns the identifier that holds s[from:to].
func identifierAt(s string, from, to int) named {
	n := named{start: back(s, from, maxName, isDotted), end: run(s, to, maxName, isBase64URL)}
	if hasPrefixFold(s[n.end:], ".key") {
		n.end += len(".key")
	} else if n.end < len(s) && s[n.end] == '.' {
		if end := run(s, n.end+1, 24, isAlnum); ownersAfter.Has(lowered(s[n.end+1:end])) &&
			strings.IndexByte("=:", byteAt(s, run(s, end, 2, isBlank))) >= 0 {
			n.end = end // whose it is
		}
	}
	if n.end < len(s) && s[n.end] >= utf8.RuneSelf && isLetterAt(s, n.end) && !isDenseAt(s, n.end) {
		return n // goes on as a word of another language
	}
	n.text = s[n.start:n.end]
	n.kind = nameKind(n.text)
	if isDenseAt(s, n.end) && isLetters(n.text) {
		n.script = dense // a name in ASCII in a sentence of such a script
	}
	if n.text == "PASS" && n.end < len(s) && (s[n.end] == '=' ||
		strings.HasSuffix(s[:n.start], "#define ")) { // rather than what a test prints
		n.kind = variable
	}
	return n
}

// phraseAt returns the name s[from:to] of a language, if it stands there as a word.
// Its ending may be another one.
func phraseAt(s string, from, to int, kind secrecy) (named, bool) {
	n := named{start: from, end: to, kind: kind, script: spaced}
	if start, end, ok := wideIdentifier(s, from, to); ok {
		n.start, n.end, n.text = start, end, s[start:end]
		return n, true
	}
	if isDenseAt(s, from) || to > from && isDenseBefore(s, to) {
		n.script = dense
		if suffixOf(strings.TrimRight(s[:from], " "), "データ", "데이터") != "" { // code that reaches data
			return n, false
		}
	} else {
		before, _ := utf8.DecodeLastRuneInString(s[:from])
		if (before == '_' || unicode.IsLetter(before) || unicode.IsDigit(before)) && !isProclitic(s, from) {
			return n, false
		}
		n.end = inflected(s, to)
		if after, _ := utf8.DecodeRuneInString(s[n.end:]); unicode.IsLetter(after) || n.end < len(s) &&
			isWord(s[n.end]) && numbered(s, n.end) == n.end {
			return n, false
		}
	}
	n.text = s[n.start:n.end]
	if n.script == spaced && isHumped(n.text) {
		return n, false // an identifier of code
	}
	n.end = numbered(s, n.end)
	return n, true
}

// wideIdentifier returns the bounds of the identifier in which the name s[from:to] of a language stands as words of its
// own, if it has other words: before it any, behind it those that say whose it is.
func wideIdentifier(s string, from, to int) (start, end int, ok bool) {
	if from > 0 && isJoint(s[from-1]) || from > 0 && isLower(s[from-1]) && isCapitalAt(s, from) {
		start = back(s, from, maxName, func(c byte) bool { return isDotted(c) || c >= utf8.RuneSelf })
	} else {
		start = from
	}
	end = to
	if to < len(s) && (isJoint(s[to]) || isUpper(s[to])) {
		end = run(s, to, maxName, isBase64URL)
		for at := end; at > to; {
			part := to + lastPart(s[to:at])
			if word := strings.TrimRight(lowered(s[part:at]), "0123456789"); word != "" && !owners.Has(word) &&
				!ownersAfter.Has(word) && !slices.Contains(nameEndings, word) {
				return 0, 0, false
			}
			at = to + len(strings.TrimRight(s[to:part], "_-"))
		}
	}
	return start, end, (start < from || end > to) && (strings.ContainsAny(s[start:end], "_.-") ||
		start < from && !isASCII(s[from:to]))
}

// isJoint reports whether a byte joins the words of an identifier.
func isJoint(c byte) bool { return c == '_' || c == '-' || c == '.' }

// isCapitalAt reports whether a capital stands at at.
func isCapitalAt(s string, at int) bool {
	r, _ := utf8.DecodeRuneInString(s[at:])
	return unicode.IsUpper(r)
}

// numbered returns the end of the number of a name that ends at at, as in PUK1: and 密码2：, or at if there is none.
func numbered(s string, at int) int {
	if at >= len(s) || !isDigit(s[at]) {
		return at
	}
	end := run(s, at, 2, isDigit)
	if prefixOf(s[run(s, end, 2, isBlank):], ":", "=", "：", "＝") == "" {
		return at
	}
	return end
}

// isProclitic reports whether nothing but a conjunction or a preposition of Arabic stands before the rest of a word.
func isProclitic(s string, at int) bool {
	if s[at] < 0xd8 || s[at] > 0xdb {
		return false
	}
	at = len(strings.TrimSuffix(s[:at], "ـ"))
	letter, size := utf8.DecodeLastRuneInString(s[:at])
	before, _ := utf8.DecodeLastRuneInString(s[:at-size])
	return strings.ContainsRune("وفبلك", letter) && !unicode.IsLetter(before)
}

// attachedAs is "as" of Arabic, as a part of the word behind it.
var attachedAs = []string{"كـ", "ك"}

// inflected returns the end of a word whose stem ends at at: some letters more.
func inflected(s string, at int) int {
	end := at
	for range 4 {
		r, size := utf8.DecodeRuneInString(s[end:])
		if !unicode.IsLetter(r) && !unicode.IsMark(r) {
			break
		}
		end += size
	}
	return end
}

func isLetterAt(s string, at int) bool {
	r, _ := utf8.DecodeRuneInString(s[at:])
	return unicode.IsLetter(r)
}

// isDenseAt reports whether a character is of a script whose words stand without blanks,
// or are followed by particles without one.
func isDenseAt(s string, at int) bool {
	if at >= len(s) || s[at] < 0xe1 {
		return false
	}
	r, _ := utf8.DecodeRuneInString(s[at:])
	return isDense(r)
}

func isDenseBefore(s string, at int) bool {
	r, _ := utf8.DecodeLastRuneInString(s[:at])
	return isDense(r)
}

func isDense(r rune) bool {
	return r >= 0x1100 && (unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) || r == 'ー')
}

// findAssignment finds the value of a name.
func findAssignment(s string, n named) (start, end int, ok bool) {
	if n.kind == harmless || isSourceFile(s, n) {
		return 0, 0, false
	}
	at, sep := separator(s, n)
	if sep == "" || sep == ":" && isUserInfo(s, n.start) { // of a URL, which has a rule of its own
		return 0, 0, false
	}
	if strings.EqualFold(n.text, "token") && isComplaint(s[:n.start]) {
		return 0, 0, false
	}
	v := readValue(s, at, sep, isQuery(s, n.start))
	v.besideUser = strings.EqualFold(n.text, "pass") && containsFold(lineBefore(s, n.start), "user")
	if n.kind == password && !v.quoted && (sep == ":" || sep == "is" || sep == "：" || sep == "=" && !v.tight ||
		sep == " " && isPhraseName(n.text)) {
		v.end = max(v.end, passphraseEnd(s, v.start, n, sep))
		v.text = s[v.start:v.end]
	}
	if n.kind == code && len(v.text) == 3 && countDigits(v.text) == 3 && run(s, v.end+1, 4, isDigit) == v.end+4 &&
		strings.IndexByte(" -", byteAt(s, v.end)) >= 0 {
		v.end += len(" 123")
		v.text = s[v.start:v.end]
	}
	if v.isInnocent(s, n, sep) {
		if v = v.fallback(s); v.text == "" || v.isInnocent(s, n, "=") {
			return 0, 0, false
		}
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
	for _, word := range []string{"unexpected ", "invalid ", "unknown ", "illegal ", "bad ", "near "} {
		if len(before) >= len(word) && hasPrefixFold(before[len(before)-len(word):], word) {
			return true
		}
	}
	return false
}

// A name is harmless, or its value is a password (any word may be one), a key (rather
// made by a machine), a variable of an environment, a key by its last word only, a code
// that is typed once, a way to authenticate, or a login with its password.
type secrecy int

const (
	harmless secrecy = iota
	password
	key
	variable
	weak
	code
	auth
	login
	access // a word of getting into something, behind which a login and a password may stand
)

// nameKind returns the kind of secret that a name announces. Of a name with dots the last
// part counts, or if that is harmless, the whole. An id is not a name, though one
// in thousands ends like the name of a secret.
func nameKind(name string) secrecy {
	name = strings.TrimLeft(name, ".")
	if isULID(name) {
		return harmless
	}
	part := name[strings.LastIndexByte(name, '.')+1:]
	if kind := partKind(part); kind != harmless || len(part) == len(name) {
		return kind
	}
	return partKind(name)
}

func partKind(name string) secrecy {
	lowerName := lowered(name)
	plain := plainName(lowerName)
	if plain == "" {
		return harmless
	}
	lex := words()
	if at := lastPart(name); at > 0 {
		if part := strings.TrimRight(lowerName[at:], "0123456789"); owners.Has(part) || ownersAfter.Has(part) {
			kind := nameKind(strings.TrimRight(name[:at], "_-."))
			if kind == password || kind == variable || (kind == key || kind == weak) && ownersAfter.Has(part) {
				return kind
			}
		}
	}
	upper := strings.ToUpper(name) == name && lowerName != name
	for _, ending := range lex.endingsOf[plain[len(plain)-1]] {
		if !strings.HasSuffix(plain, ending.word) {
			continue
		}
		if ending.kind == harmless && !startsWord(name, lowerName, ending.word) {
			continue
		}
		if upper && ending.kind != harmless && (strings.Contains(name, "_") || ending.word != "pwd") {
			return variable
		}
		return ending.kind
	}
	if kind := lex.names[lowerName]; kind != harmless && lowerName != "pass" {
		return kind
	}
	if plain != lowerName {
		if kind := lex.plain[plain]; kind != harmless {
			return kind
		}
	}
	last := lowerName[strings.LastIndexAny(lowerName, "_-")+1:]
	switch {
	case last == "pass" && !(upper && last == lowerName), last == "pw" && !(upper && last == lowerName):
		return password
	case ownedName(name, plain):
		if upper {
			return variable
		}
		return password
	case plain == "basicauth" || plain == "httpauth":
		return login
	case last == "auth" && (last == lowerName || lowerName == "_auth" || upper):
		return auth
	case strings.HasSuffix(plain, "connectionstring"), strings.HasSuffix(plain, "secretid"),
		upper && strings.HasSuffix(name, "_SALT"), upper && strings.HasSuffix(name, "_KEY") && !publicKey.Match(name):
		return weak
	case codeWords.Has(strings.TrimRight(last, "0123456789")), codeWords.Has(plain),
		len(plain) > 6 && strings.HasSuffix(plain, "code") && hasCodeEnding(plain):
		return code
	}
	return foreignKind(name, upper)
}

// foreignKind is the kind of an identifier that ends in the name of a password or a key in a language other than
// English, as a word of its own.
func foreignKind(name string, upper bool) secrecy {
	for at, parts := len(name), 0; at > 0 && parts < maxNameParts; parts++ {
		at = lastPart(name[:at])
		if kind := words().folded[plainName(lowered(name[at:]))]; kind != harmless {
			if upper && strings.Contains(name, "_") {
				return variable
			}
			return kind
		}
		at = len(strings.TrimRight(name[:at], "_-."))
	}
	return harmless
}

// maxNameParts is how many words the name of a password or a key has at most.
const maxNameParts = 4

// lastPart returns where the last word of an identifier starts: behind a sign, or with a capital.
func lastPart(name string) int {
	at := len(name)
	for at > 0 && strings.IndexByte("_-.", name[at-1]) < 0 &&
		(at == len(name) || !isUpper(name[at]) || isUpper(name[at-1])) {
		at--
	}
	return at
}

// ownersAfter stand behind the name of a secret in an identifier, beside owners: whose the secret is or where it is
// used.
var ownersAfter = pattern.SetOf(`db bd database datenbank banco base admin administrator root prod production
	staging dev test github gitlab slack aws gcp azure stripe mysql postgres postgresql redis mongo mongodb smtp
	ftp sftp ldap vpn wifi wlan nas backup serveur servidor serwer jenkins grafana docker npm sentry openai
	discord telegram twilio`)

// startsWord reports whether the first part of an ending, as "page" of "pagetoken", begins a word of a name. In a
// name without signs that divide it, any part may.
func startsWord(name, lowerName, ending string) bool {
	if !strings.ContainsAny(name, "_-") {
		return true
	}
	first := strings.TrimSuffix(strings.TrimSuffix(ending, "token"), "pwd")
	at := strings.LastIndex(lowerName, first)
	return at <= 0 || !isAlpha(name[at-1]) || isUpper(name[at]) && isLower(name[at-1])
}

// hasCodeEnding reports whether a plain name ends in the name of a code such as
// "recoverycode".
func hasCodeEnding(plain string) bool {
	for at := range len(plain) {
		if len(plain)-at > len("totp") && codeWords.Has(plain[at:]) {
			return true
		}
	}
	return false
}

// nameEndings say where or how a value is used; they are no part of its kind.
var nameEndings = []string{
	"prod", "production", "dev", "test", "staging", "live", "old", "new", "value", "base64", "b64", "confirmation",
	"confirm", "repeat", "again", "plain", "plaintext", "cleartext",
}

// plainName is a name in lower case without separators, numbers and what stage
// of a deployment it belongs to.
func plainName(lowerName string) string {
	plain := lowerName
	if strings.ContainsAny(plain, "_-. ") {
		plain = withoutSeparators(plain)
	}
	plain = strings.TrimRight(plain, "0123456789")
	for _, stage := range nameEndings {
		if rest := strings.TrimSuffix(plain, stage); rest != plain {
			return rest
		}
	}
	return plain
}

// withoutSeparators returns a name without what separates its parts.
func withoutSeparators(name string) string {
	b := make([]byte, 0, len(name))
	for i := range len(name) {
		if c := name[i]; c != '_' && c != '-' && c != '.' && c != ' ' {
			b = append(b, c)
		}
	}
	return string(b)
}

var publicKey = pattern.New(
	`(?-i)(?:PUBLIC|PRIMARY|FOREIGN|CACHE|SORT|PARTITION|HASH|REGISTRY` +
		`|PUBLISHABLE|IDEMPOTENCY|ROUTING|SSH_HOST|GROUP|INDEX|MAP|PK|ANON)_KEY$`,
)

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
