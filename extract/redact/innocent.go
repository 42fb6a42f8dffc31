package redact

import (
	"bytes"
	"encoding/base64"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
	vocabulary "github.com/wm-lsp/wm-lsp/extract/tokens"
)

// A value is innocent if it stands for a secret, reads one, names its type, or is a word
// of the sentence about it.

// isInnocent reports whether the value of a name is no secret.
func (v value) isInnocent(s string, n named, sep string) bool {
	text := v.text
	if len(text) < 3 || strings.Contains(text, markerOpen) || isPlaceholder(text) && !v.isBold(n, sep) ||
		v.isCodeForm(s, n, sep) {
		return true
	}
	if isSecretReference(n) && (isSlug.Match(text) || isWordy(text) || isWordList(text) ||
		strings.Contains(text, "/")) {
		return true
	}
	switch {
	case sep == "(":
		return !v.quoted || n.text != "PASSWORD" && !(isPhraseName(n.text) && isQuotedPhrase(text)) &&
			(isWordy(text) || !hasDigit(text) || isSlug.Match(text) || n.kind == key && !isRandom(text)) ||
			isProse(text) || isTemplate(text) || isReference(text) || isAlgorithm(text)
	case sep == "," && v.quoted && n.kind != code && n.kind != login && isSetter(s, n.start):
		return v.isLabel(n)
	case sep == "," && v.quoted && n.kind == password && isPaired(s, n, v):
		return !isChosenWord(text)
	case sep == "," || sep == "==":
		return !v.isCompared(n.kind, sep)
	case n.kind == code:
		return !v.isCode(s, n, sep)
	case n.kind == auth:
		return !isBasicAuth(text) && (sep == " " || isWordy(text) || !hasDigit(text) || !hasLetter(text) ||
			len(text) < 6 ||
			isAlgorithm(text) || isReference(text) || strings.ContainsAny(text, `()[]{},\`))
	case n.kind == login:
		return !v.isLogin(s, sep) && !v.isOnlyLogin(s, n, sep)
	case sep == "login":
		return false
	case v.quoted:
		return v.isQuotedText(s, n, sep)
	case sep == "is" && n.kind == password && text[0] == '(' && text[len(text)-1] == ')' &&
		isGiven(s, v.start+1, v.end-1):
		return false
	case isReference(text) && !v.isDotted(sep, n) && !v.isOwnPath(sep, n) && !v.isUnclosed(s, n, sep) ||
		isType(s, v, n):
		return true
	}
	if keywords.Has(text) && v.end < len(s) && isBlank(s[v.end]) {
		return true
	}
	switch sep {
	case "is", "to":
		return v.isProseWord(s, n)
	case " ":
		return !v.isBeside(s, n)
	case "--":
		return v.isUsage(s, n)
	}
	if !utf8.ValidString(text) {
		return true
	}
	return v.isCodeWord(s, n, sep) || !v.tight && v.startsSentence(s, n, sep) ||
		n.kind == weak && !isRandom(text) && !isProviderToken(text) || !isASCII(text) && !v.isForeign(n)
}

// isOwnPath reports whether a value that looks like a path is a password: nobody writes the file of one behind such a
// name and its sign without a blank.
func (v value) isOwnPath(sep string, n named) bool {
	return sep == "=" && v.tight && n.kind == password && v.text[0] == '/' && len(v.text) >= 8 &&
		strings.EqualFold(n.text, "password") && !namesSecret(v.text) && !containsAny(foldASCII(v.text),
		[]string{"/run/", "/etc/", "/mnt/", "pass", "key", "//", "$", "pw", "vault", "."})
}

// isUnclosed reports whether a value ends its line within a bracket, behind a letter or a digit, or with a brace behind
// a digit, as no call or index of code does.
func (v value) isUnclosed(s string, n named, sep string) bool {
	at := strings.IndexAny(v.text, "([{")
	if sep != "=" || !v.tight || at <= 0 || v.end != lineEnd(s, v.end) {
		return false
	}
	if at == len(v.text)-1 { // formatted code has blanks around the sign
		return v.text[at] == '{' && hasDigit(v.text) && n.kind != harmless
	}
	return (n.kind == password || n.kind == variable) &&
		!strings.ContainsAny(v.text[at+1:], ")]}([{") && isAlnum(v.text[len(v.text)-1])
}

// isDotted reports whether a value is words with dots between them, which code would not have there: behind a verb or
// a name of a language other than English.
func (v value) isDotted(sep string, n named) bool {
	text := strings.TrimRight(v.text, ".,;!?")
	return (sep == "is" || sep == "to" || n.script != identifier) && strings.Count(text, ".") > 1 &&
		run(text, 0, len(text), func(c byte) bool {
			return isLower(c) || c == '.' || n.script == spaced &&
				isUpper(c)
		}) ==
			len(text) && !roots.Has(lowered(text[:strings.IndexByte(text, '.')]))
}

// keywords start an expression of code.
var keywords = pattern.SetOf(`await yield new async lambda function func fn not typeof sizeof try throw
	return delete move mut ref if case`)

// isBold reports whether a word that could stand for a secret is one, because the name is
// of a language in which nobody programs.
func (v value) isBold(n named, sep string) bool {
	return n.script != identifier && sep != " " && n.kind != login &&
		words().names[lowered(v.text)] != harmless &&
		!strings.EqualFold(v.text, n.text)
}

// isASCII reports whether a string has no character beyond ASCII.
func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// isForeign reports whether a value with characters beyond ASCII may be a secret: one
// word, and not one that speaks of secrets.
func (v value) isForeign(n named) bool {
	low := lowered(v.text)
	if words().idle[low] || n.kind == weak {
		return false
	}
	if hasDigit(v.text) && hasLetter(v.text) {
		return true
	}
	if !isDenseBefore(v.text, len(v.text)) {
		return true
	}
	return utf8.RuneCountInString(v.text) <= 8 && !denseProse.Match(v.text) || isDenseGiven(v.text)
}

var denseProse = pattern.New(`(?-i)[必须請请需要应應已未无無空置重更改錯错误誤正确確至少的了不可能在を文字以上でしてくださいるたす하합니세요자이상은는를을]`)

// isCompared reports whether a string that a name is compared to, or that stands next to it
// in a list, is a secret.
func (v value) isCompared(kind secrecy, sep string) bool {
	text := v.text
	if sep == "==" && v.tight && !v.quoted && kind != auth && kind != login { // a value that begins with the sign
		return isStrong(text) && hasDigit(text) && strings.IndexByte(text, '.') < 0 && !isReference(text)
	}
	if !v.quoted || namesSecret(text) || strings.ContainsAny(text, ` /\`) {
		return false
	}
	if kind == code {
		return sep == "==" && hasDigit(text) && len(text) >= 4
	}
	if sep == "==" && (kind == password || kind == variable) {
		return len(text) >= 4 && (!isWordy(text) || isChosenWord(text))
	}
	return hasDigit(text) && (isRandom(text) || hasLetter(text) && !isSlug.Match(text) &&
		(kind == password && len(text) >= 8 || kind == variable && len(text) >= 6))
}

// isPaired reports whether a name and its value are the two strings of a list of two.
func isPaired(s string, n named, v value) bool {
	quote := n.start - 1
	return quote > 0 && (s[quote-1] == '[' || s[quote-1] == '(' && (quote == 1 || !isAlnum(s[quote-2]))) &&
		v.end+1 < len(s) && (s[v.end+1] == ']' || s[v.end+1] == ')')
}

// isChosenWord reports whether a word in small letters may be a password where code compares one, or lists it
// beside its name.
func isChosenWord(text string) bool {
	if isCapitalRare(text) {
		text = lowered(text)
	}
	return run(text, 0, len(text), isLower) == len(text) && isSaid(text) && !words().about[text] &&
		!isParticiple(text) &&
		!types.Has(text) && !loginWords.Has(text) && !accounts.Has(text) && !keywords.Has(text)
}

// isCapitalRare reports whether a text is a word that people seldom write, with a capital.
func isCapitalRare(text string) bool {
	return len(text) > 4 && isUpper(text[0]) && run(text, 1, len(text), isLower) == len(text) && isRare(lowered(text))
}

// isSecretReference reports whether a name is that of the name of a secret, as in
// --secret-id and existingSecret.
func isSecretReference(n named) bool {
	switch lowered(strings.TrimLeft(n.text, "-")) {
	case "secret-id", "existingsecret", "pullsecret", "imagepullsecret", "existing_secret", "tlssecret", "tls-secret",
		"fromsecret", "from-secret", "pull-secret", "secretref":
		return true
	case "secret":
		return strings.HasPrefix(n.text, "--")
	}
	return false
}

// isSetter reports whether a call in whose arguments a name stands gives the name its value,
// as setProperty("password", …) does.
func isSetter(s string, at int) bool {
	line := lineBefore(s, at)
	open := strings.LastIndexByte(line, '(')
	if open < 0 {
		return false
	}
	name := line[back(line, open, maxName, isWord):open]
	if readsVariable.Match(line[:open]) { // and gives what it is without one
		return true
	}
	lowerName := lowered(name)
	if strings.HasSuffix(foldASCII(line[:open]), "flag.string") || strings.HasSuffix(line[:open], "Flags().String") {
		return true
	}
	for _, verb := range []string{"set", "put", "add", "append", "define", "store"} {
		if rest, ok := strings.CutPrefix(lowerName, verb); ok &&
			(rest == "" || rest == "item" || rest == "header" || rest == "property" || rest == "env" ||
				rest == "config" || rest == "string" || rest == "value" || rest == "secret" || rest == "_header" ||
				rest == "requestheader" || rest == "cookie" || rest == "attribute" || rest == "parameter" ||
				rest == "default" || rest == "option" || rest == "queryparam" || rest == "environmentvariable" ||
				rest == "variable" || rest == "systemproperty" || rest == "prop" || rest == "envvar") {
			return true
		}
	}
	return false
}

// readsVariable is for calls that read a variable of the environment.
var readsVariable = pattern.New(`(?:environ\.get|getenv|\benv|ENV\.fetch|getordefault|env_or|get_env|lookupenv)$`)

// isLabel reports whether the text that a call gives a name is what people read, a type or
// another name.
func (v value) isLabel(n named) bool {
	text := v.text
	low := lowered(text)
	return len(text) < 4 || isPlaceholder(text) || isTemplate(text) || types.Has(low) || words().idle[low] ||
		words().names[low] != harmless || namesSecret(text) && isWordy(text) ||
		strings.ContainsAny(text, " \t") && !isGibberish(text) || isWordy(text) && (hasUpper(text) &&
		!((n.kind == password || n.kind == variable) && isCapitalRare(text)) ||
		n.kind == key && !isRare(text)) || strings.HasPrefix(text, "/") && isPath(text) ||
		n.kind == weak && !isRandom(text) && !isGibberish(text) || isAlgorithm(text) || isParticiple(low) ||
		isWordList(text) && strings.ContainsAny(text, ".:/_")
}

// isCode reports whether a value is a code that is typed once: digits, maybe in groups, or
// short groups of letters and digits.
func (v value) isCode(s string, n named, sep string) bool {
	text := v.text
	digits := countDigits(text)
	switch {
	case v.quoted || sep == "=" || sep == ":" || sep == "is" || sep == "to" || sep == "value" || sep == "<>":
		if isReference(text) || isAlgorithm(text) || isDate.Match(text) || strings.Count(text, ".") > 1 &&
			versioned.Match(text) {
			return false
		}
		strict := strings.EqualFold(n.text, "pin") && n.text == "pin" && !v.quoted
		return digits == len(text) && digits >= 3 && (digits >= 4 || len(n.text) == 3 && !strict && n.text != "pin") ||
			digits >= 2 && len(text) >= 5 || codeGroups.Match(text)
	case sep == " ":
		return digits == len(text) && digits >= 4 && digits <= 8 || isGrouped(text) ||
			n.script == spaced && len(text) >= 5 &&
				digits >= 1 &&
				run(text, 0, len(text), isUpperAlnum) == len(text) && hasLetter(text) && len(text) <= 8
	}
	return digits >= 4
}

var (
	codeGroups = pattern.New(`^[0-9a-z]{3,8}(?:-[0-9a-z]{3,8})+$`)
	isDate     = pattern.New(`^\d{4}-\d\d-\d\d`)
	algorithm  = pattern.New(`^(?:cram-md5|digest.*|scram.*|xoauth2|oauth-?\d.*|sha-?\d+|md5|v\d+|hs\d+|` +
		`rs\d+|es\d+|ed25519|rfc\d+|base64|utf-?8|ec2|s3|http/?\d*|h\d|k8s|sha512.*|argon2.*|pbkdf2.*|` +
		`bcrypt.*|aes-?\d+.*|x509|p256|auth\d|2fa|mfa)$`)
)

// isGrouped reports whether a code is groups with hyphens between them: of digits, or of letters and digits.
func isGrouped(text string) bool {
	return digitGroups.Match(text) && !isDate.Match(text) || countDigits(text) >= 2 && len(text) >= 8 &&
		codeGroups.Match(text) && !isDate.Match(text)
}

// digitGroups is the form of a number that is read out in two or three groups.
var digitGroups = pattern.New(`^\d{3,4}(?:-\d{3,4}){1,2}$`)

// isAlgorithm reports whether a string is the name of an algorithm or a version of a protocol
// rather than a secret with a digit.
func isAlgorithm(text string) bool {
	return (hasDigit(text) || containsFold(text, "crypt") || containsFold(text, "scram") || containsFold(text, "utf") ||
		containsFold(text, "mfa") || containsFold(text, "digest") || containsFold(text, "http")) &&
		algorithm.Match(text)
}

// isLogin reports whether a value is a login and its password.
func (v value) isLogin(s, sep string) bool {
	if sep == " " || sep == "--" || isReference(v.text) || strings.Contains(v.text, "://") {
		return false
	}
	at := strings.IndexAny(v.text, ":/")
	return at > 0 && hasLetter(v.text[:at]) && at+3 < len(v.text) && !isPlaceholder(v.text[at+1:]) &&
		!isDate.Match(v.text) &&
		run(v.text, 0, at, func(c byte) bool { return isDotted(c) || c == '@' }) == at && v.text[at+1] != '/' &&
		strings.Count(v.text, "/") <= 1
}

// isOnlyLogin reports whether a value is a seldom word, and the only one behind the name of a login and its password
// with which its line starts. Behind a name that is also that of the login alone, it would rather be that.
func (v value) isOnlyLogin(s string, n named, sep string) bool {
	return (sep == ":" || sep == "：" || sep == "=") && !loginNames.Has(lowered(lastWordOf(n.text))) &&
		startsLine(s, n) && standsLast(s, v.start) && isRare(strings.TrimRight(v.text, ".,;!"))
}

// loginNames end names of a login and its password that are as often those of the login alone, of what it opens or of
// how somebody logs in.
var loginNames = pattern.SetOf(`login logins auth authentication zugang identifiant acceso inloggning доступ доступы
	logowanie přihlášení accesso accessi acesso acessos accesos accès логин доступи लॉगिन ログイン 로그인 登录`)

// isQuotedText reports whether a string in quotes is no secret.
func (v value) isQuotedText(s string, n named, sep string) bool {
	text := v.text
	if strings.HasPrefix(text, "/") && isPath(text) || strings.HasPrefix(text, "./") ||
		strings.HasPrefix(text, "../") ||
		strings.Contains(text, "://") && !hasAuthority(text) || isTemplate(text) || !utf8.ValidString(text) {
		return true
	}
	if strings.ContainsAny(text, " \t\n") {
		if isPhraseName(n.text) || sep == "--" { // any sentence may be one
			first, _ := utf8.DecodeRuneInString(text)
			return words().names[lowered(text)] != harmless || namesSecret(text) || isTemplate(text) ||
				isPhraseName(text) || unicode.IsUpper(first) && isProse(lowered(text[:1])+text[1:])
		}
		if n.kind == password && (sep == ":" || sep == "=" || sep == "is") && (lowered(n.text) != "pass" ||
			v.besideUser || qualifiers.Has(lowered(lastWordOf(lineBefore(s, n.start))))) {
			return isMessage(text)
		}
		if n.kind == variable && (isQuotedPhrase(text) || sep == "=" && v.tight && isLooserPhrase(text)) {
			return false
		}
		return words().names[lowered(text)] != harmless || isProse(text) || n.kind == weak && !isGibberish(text)
	}
	if words().names[lowered(text)] != harmless && text != "secret" || (sep == " " || sep == "is") &&
		words().idle[lowered(text)] {
		return true
	}
	if strings.EqualFold(n.text, "pass") && isWordy(text) { // of a test
		return sep != "=" && !v.besideUser && !(quoteAt(s, n.end) != "" && containsAny(foldASCII(
			s[max(0, n.start-maxName):n.start]), besideLogins))
	}
	own := namesSecret(text)
	switch n.kind {
	case password, variable:
		return len(text) < 3 || own && !hasDigit(text) && isWordy(text) || isWordList(text) &&
			strings.ContainsAny(text, "_.-/") && own
	case weak:
		return !isRandom(text) && !isProviderToken(text)
	}
	return containsFold(text, foldASCII(n.text)) && isWordy(strings.TrimRight(text, "0123456789")) ||
		prefixOf(text, `\u`, `\x`) != "" || own && isWordy(text) ||
		isWordList(text) && strings.ContainsAny(text, "_.:/") || versioned.Match(text) || len(text) < 4 ||
		isWordy(text) && n.script == identifier && (sep == ":" || sep == "value") &&
			unicode.IsUpper(rune(text[0])) && isHeader(text)
}

// besideLogins name what stands beside a password in the settings of a connection.
var besideLogins = []string{"user", "login", "host", "auth", "email"}

// isQuotedPhrase reports whether a string in quotes is three small words or more, and hardly any of some length is such
// as stands in a sentence about a password.
func isQuotedPhrase(text string) bool {
	fields := strings.Fields(text)
	if len(fields) < 3 || len(fields) > 10 || namesSecret(text) || strings.ContainsAny(text, ".!?:;,()%{}<>=/_") {
		return false
	}
	idle, long := 0, 0
	for _, f := range fields {
		if f != lowered(f) || words().names[f] != harmless || measures.Has(f) || demands.Has(f) ||
			strings.ContainsAny(f, "0123456789") {
			return false
		}
		if utf8.RuneCountInString(f) < 4 {
			continue
		}
		if long++; words().idle[f] || words().about[f] || isParticiple(f) {
			idle++
		}
	}
	return (long > 1 || len(fields) > 4) && idle*3 <= long
}

// isMessage reports whether a string in quotes behind the name of a password speaks of passwords: with a name of one, a
// word that demands something, or many of the words that go with them.
func isMessage(text string) bool {
	fields := strings.Fields(text)
	if secretHints.in(lowered(text)) || len(fields) < 2 || len(fields) > 12 {
		return true
	}
	long, idle := 0, 0
	for _, f := range fields {
		low := lowered(strings.Trim(f, ".,;:!?¿¡'\"()…"))
		if words().names[low] != harmless && low != "pass" || messageWords.Has(low) {
			return true
		}
		letters := utf8.RuneCountInString(low)
		if letters < 3 && !isDenseBefore(low, len(low)) {
			continue
		}
		long++
		if letters > 3 && (words().idle[low] || words().about[low] || measures.Has(low) || isParticiple(low)) {
			idle++
		}
	}
	return idle*2 > long || long == 0 && len(fields) < 4
}

// messageWords stand in messages about passwords, and hardly in one.
var messageWords = pattern.SetOf(`must should set valid empty required invalid incorrect wrong characters chars
		least minimum maximum
	enter please match matches mismatch your cannot can't doesn't isn't reset forgot forgotten changed
	expired missing denied failed prompt leave unknown optional hidden
	muss falsch ungültig eingeben eingegeben vergessen leer mindestens zeichen erforderlich geändert
	doit saisir saisissez entrez incorrect oublié invalide vide caractères obligatoire requis veuillez
	debe introduzca introduce escriba incorrecta olvidada olvidó caracteres obligatoria requerida vacía
	deve digite insira informe esqueceu esquecida inválida obrigatória vazia inserisci errata dimenticata
	obbligatoria caratteri vuota moet voer vergeten onjuist ongeldig verplicht tekens leeg måste ange glömt
	felaktigt ogiltigt obligatoriskt tecken krävs musi wprowadź podaj nieprawidłowe błędne wymagane znaków puste
	zadejte zadej musí špatné neplatné povinné znaků prázdné giriniz girin yanlış geçersiz zorunlu karakter boş
	должен введите неверный забыли обязателен символов пустой повинен введіть невірний забули обов'язковий
	символів порожній phải nhập sai không يجب أدخل خاطئة مطلوبة दर्ज गलत आवश्यक चाहिए`)

// isLooserPhrase is isQuotedPhrase for an assignment without blanks, as programs that speak have none.
func isLooserPhrase(text string) bool {
	fields := strings.Fields(text)
	for _, f := range fields {
		if run(f, 0, len(f), isLower) < len(f) || words().names[f] != harmless || measures.Has(f) || len(f) > 10 {
			return false
		}
	}
	return len(fields) > 1 && len(fields) < 8 && !namesSecret(text)
}

// demands are words of messages about a password.
var demands = pattern.SetOf(`must should required invalid incorrect wrong characters least minimum enter please
	match matches empty your you is are not cannot can't do does no if when to for reset forgot forgotten change
	new doit pas bitte muss nicht falsch ungültig debe deve non niet moet nie musi не должен är inte ist est ihr
	dein votre su sua kein keine saisir eingeben introduce introduzca digite inserisci voer ange wprowadź
	zadejte введите the a an of with from and or by as`)

// isPhraseName reports whether the name of a secret says that it is a phrase.
func isPhraseName(name string) bool {
	return containsFold(name, "phrase") || containsFold(name, "fras") || containsFold(name, "fraz") ||
		containsFold(name, "wachtzin") || containsFold(name, "wachtwoordzin") || strings.Contains(name, "фраз")
}

// isHeader reports whether a string is the name of a header or a label.
func isHeader(text string) bool { return strings.Contains(text, "-") }

// hasAuthority reports whether a URL has a login.
func hasAuthority(text string) bool { return strings.Contains(text, "@") }

// isTemplate reports whether a string is filled in by a program.
func isTemplate(text string) bool {
	return strings.Contains(text, "{{") || strings.Contains(text, "${") || strings.Contains(text, "%(") ||
		strings.HasPrefix(text, "$(") || strings.HasPrefix(text, "{") && strings.HasSuffix(text, "}") ||
		strings.HasPrefix(text, "ENC[") || strings.HasPrefix(text, "#{")
}

// isPath reports whether a string that starts with a slash is a path: words, or more than
// one name.
func isPath(text string) bool {
	if len(text) >= 40 && isRandom(text) && strings.Count(text, "/") <= 3 && !strings.Contains(text, ".") {
		return false
	}
	names := strings.Split(strings.Trim(text, "/"), "/")
	for _, name := range names {
		if !isWordy(strings.TrimRight(name, "0123456789")) && !strings.ContainsAny(name, ".$*{") {
			return len(names) >= 3
		}
	}
	return true
}

// isProse reports whether a string with blanks speaks rather than being a passphrase.
func isProse(text string) bool {
	fields := strings.Fields(text)
	idle := 0
	for i, f := range fields {
		word := strings.Trim(f, `.,;:!?'"()`)
		if word == "" {
			continue
		}
		if !isWordy(word) && isASCII(word) && len(word) >= 4 && !isReference(word) && !isAlgorithm(word) {
			return false
		}
		low := lowered(word)
		if words().idle[low] || words().names[low] != harmless && !(i == len(fields)-1 && len(low) == 4) ||
			namesSecret(low) {
			idle++
		}
	}
	if len(fields) < 2 {
		return false
	}
	last := text[len(text)-1]
	upper, _ := utf8.DecodeRuneInString(text)
	return idle*5 >= len(fields)*2 || unicode.IsUpper(upper) && strings.IndexByte(".!?:", last) >= 0 ||
		len(fields) > 12 ||
		namesSecret(text) || !isASCII(text) && unicode.IsUpper(upper)
}

// isProseWord reports whether what stands behind "is" or "to" goes on with the sentence.
func (v value) isProseWord(s string, n named) bool {
	text := strings.Trim(v.text, "*_`")
	low := lowered(text)
	if words().idle[low] || words().gaps[low] || words().isVerb(low) && isWordy(text) && n.script != dense ||
		words().about[low] || types.Has(low) || adverbs.Has(low) {
		return true
	}
	if n.script != identifier && low == text && isLetters(low) && described.Match(low) {
		return true
	}
	if !isASCII(text) {
		return n.script == dense && denseProse.Match(text) || isProseNext(s, v.end) && !changesNext(s, v.end)
	}
	if hasDigit(text) && isLetterless(text) {
		return n.kind != password && len(text) < 6 || len(text) < 4
	}
	if isAlgorithm(text) || isNumberWord(text) || measured.Match(text) ||
		prefixOf(low, "ctrl+", "shift+", "alt+", "cmd+", "win+", "meta+") != "" {
		return true
	}
	if !isWordy(text) {
		return false
	}
	if isParticiple(low) && !isUpper(text[0]) {
		return true
	}
	if n.kind == key {
		return !strings.EqualFold(lastWordOf(n.text), "secret") || len(text) < 8 || low != text ||
			!isGiven(s, v.start, v.end) || !wasIs.Has(lowered(lastWordOf(lineBefore(s, v.start))))
	}
	if changesNext(s, v.end) {
		return false
	}
	return isProseNext(s, v.end)
}

// wasIs stand between "the secret" and a value.
var wasIs = pattern.SetOf(`is was`)

// isParticiple reports whether a word has the ending of a participle, an adverb or an
// adjective that says what is done with a secret.
func isParticiple(low string) bool {
	for _, of := range participles {
		if len(low) >= of.length && strings.HasSuffix(low, of.ending) {
			return !isSeldom(low, of.ending)
		}
	}
	return false
}

// participles are endings with the length of the shortest word that counts: red, king and
// table are none.
var participles = []struct {
	ending string
	length int
}{
	{"ed", 5}, {"ing", 7}, {"able", 7}, {"ible", 6}, {"ally", 6}, {"ntly", 6}, {"ctly", 6}, {"rely", 6}, {"fely", 6},
	{"rily", 7},
	{"usly", 7}, {"vely", 6}, {"tely", 6}, {"omly", 7}, {"ewly", 5}, {"erly", 6},
}

// isNumberWord reports whether a string is a count such as 12-character or 30-day.
func isNumberWord(text string) bool {
	digits := run(text, 0, len(text), isDigit)
	return digits > 0 && digits < len(text) && text[digits] == '-' && isWordy(text[digits+1:])
}

func isLetterless(text string) bool { return !hasLetter(text) }

// isProseNext reports whether a sentence goes on behind at with a word that goes with the
// one before it.
func isProseNext(s string, at int) bool {
	if at >= len(s) || !isBlank(s[at]) {
		if at < len(s) && isDenseAt(s, at) {
			return prefixOf(s[at:], "です", "だ", "に変", "に設", "でし", "입니", "이다", "으로", "로", "이야", "예요", "이에", "了", "吧",
				"哦") == ""
		}
		return false
	}
	next := run(s, at, 4, isBlank)
	end := wordEnd(s, next)
	word := lowered(strings.TrimRight(s[next:end], ",.;:!?"))
	if next < len(s) && strings.IndexByte("{%$<", s[next]) >= 0 { // what a program fills in
		return true
	}
	if word == "" || next < len(s) && !isLetterAt(s, next) {
		return false
	}
	return !words().endings[word] && !words().post[word] && !strings.HasSuffix(s[next:end], ":") &&
		prefixOf(word, "فلا", "فإ", "وال", "ولا", "فقط", "لكن") == "" && words().names[word] == harmless
}

// isBeside reports whether a word that stands behind a name with only a blank between
// them is a secret.
func (v value) isBeside(s string, n named) bool {
	text := v.text
	low := lowered(text)
	if isWordy(strings.TrimRight(text, "?!.,:;")) && !isWordy(text) || isCompounded(low) {
		return false
	}
	if len(text) < 4 || isWordy(text) || words().idle[low] || isAlgorithm(text) || strings.Contains(text, "://") ||
		strings.Contains(text, "=") && !strings.HasSuffix(text, "=") {
		if n.kind == password && isWordy(text) && (accountBefore(s, n.start) && standsGiven(s, v.start) ||
			n.script == dense && startsLine(s, n) && standsLast(s, v.start) || isSettingLine(s, n, v) ||
			standsGiven(s, v.start) && isJoined.Match(strings.TrimRight(text, ".,;"))) {
			return true
		}
		return n.kind == password && isWordy(text) && loginBefore(s, n.start) && !words().idle[low] &&
			!isParticiple(low)
	}
	if n.kind == password && (loginBefore(s, n.start) || countDigits(text) >= 6 && standsNumber(s, v.start)) {
		return true
	}
	switch {
	case n.script == dense:
		return hasDigit(text) && hasLetter(text) && len(text) >= 6
	case n.kind == password:
		if isChosenSlug(text) && (endsPhrase(s, v.end) || n.text == "pass") {
			return true
		}
		return len(text) >= 6 && (isStrong(text) || hasDigit(text) && hasLetter(text) && !versioned.Match(text) &&
			!isSlug.Match(text) &&
			strings.IndexByte(text, '(') < 0 && strings.IndexByte(text, '.') < 0 && !isIdentifierList(text)) &&
			!isLocation(text)
	}
	if n.kind == key && (licence.Match(text) || n.script == spaced && len(text) >= 16 &&
		countDigits(text) == len(text) ||
		len(text) >= 12 && switches(text) >= 4 && !isSlugOfHash(text) && run(text, 0, len(text),
			isBase64URL) == len(text) &&
			hasLower(text) && strings.IndexByte(text, '_') < 0) {
		return true
	}
	return text[0] != '-' && len(text) >= 16 && isRandom(text) && !isSlug.Match(text) && (len(text) >= 20 ||
		isStrong(text)) || n.script == spaced && len(text) >= 12 &&
		isStrong(text)
}

// isJoined is words with capitals that signs join, as nobody writes them in a sentence.
var isJoined = pattern.New(`(?-i)^[A-Z][a-z]+(?:[_.][A-Z][a-z]+)+$`)

// isSettingLine reports whether a line is nothing but the name of a setting and its value, or the settings of a
// peer that end with it.
func isSettingLine(s string, n named, v value) bool {
	if !standsLast(s, v.start) || lowered(n.text) != n.text || lowered(v.text) != v.text ||
		n.script != identifier {
		return false
	}
	if startsLine(s, n) {
		return strings.ContainsAny(n.text, "-_") || n.text == "psk" || n.text == "passwd"
	}
	last := lastWordOf(lineBefore(s, n.start))
	return strings.Count(last, ".") == 3 && countDigits(last) == len(last)-3
}

// licence is the key of a licence in groups.
var licence = pattern.New(`(?-i)^[A-Z0-9]{4,6}(?:-[A-Z0-9]{3,6}){2,}$`)

// isSlugOfHash reports whether a string ends in the number of something, as names of pods do.
func isSlugOfHash(text string) bool {
	last := text[strings.LastIndexByte(text, '-')+1:]
	return run(last, 0, len(last), isHex) == len(last) || isUUIDAt(text+" ", 0)
}

func hasLower(text string) bool { return strings.ToUpper(text) != text }

// isIdentifierList reports whether a string is identifiers with a number at the end, as in
// password2 or new_password1.
func isIdentifierList(text string) bool {
	return isWordy(strings.TrimRight(text, "0123456789:,;")) && namesSecret(text)
}

// isLocation reports whether a string is the place of a line in a file, or a path.
func isLocation(text string) bool { return location.Match(text) || strings.HasPrefix(text, "/") }

var location = pattern.New(`^[\w./-]+\.\w{1,4}:\d+|^\w+:\d+$`)

// loginBefore reports whether a login is named shortly before at.
func loginBefore(s string, at int) bool {
	before := strings.Fields(lowered(s[max(0, at-40):at]))
	for i := len(before) - 1; i >= 0 && i >= len(before)-4; i-- {
		switch strings.Trim(before[i], ":=,/\"'") {
		case "user", "username", "login", "ssid", "benutzer", "utilisateur", "usuario", "usuário", "utente",
			"gebruiker", "användare",
			"użytkownik", "uživatel", "kullanıcı", "пользователь", "логин", "користувач", "логін", "用户", "用户名",
			"ユーザー", "사용자":
			return i == len(before)-2 && !words().idle[before[i+1]] || i == len(before)-3 ||
				strings.ContainsAny(before[i], ":=")
		}
		if strings.HasPrefix(before[i], "user=") || strings.HasPrefix(before[i], "username=") ||
			strings.HasPrefix(before[i], "user:") {
			return true
		}
	}
	return false
}

// isUsage reports whether what stands behind an option tells how it is used.
func (v value) isUsage(s string, n named) bool {
	text := v.text
	low := lowered(text)
	if strings.EqualFold(strings.TrimLeft(n.text, "-"), "secret") && nameKind(text) != harmless && isWordy(text) {
		return true // the option says that what comes is one
	}
	return text[0] == '-' && len(text) > 1 && (text[1] == '-' || isAlpha(text[1]) && len(text) == 2) ||
		words().idle[low] || words().gaps[low] || words().isVerb(low) && isWordy(text) && isProseNext(s, v.end) ||
		isWordy(text) &&
			strings.ToUpper(text) == text ||
		isWordy(text) && isUsageNext(s, v.end)
}

// isUsageNext reports whether a description stands behind at, in a column of its own.
func isUsageNext(s string, at int) bool {
	return strings.HasPrefix(s[at:], "  ") && at+2 < len(s) && s[at+2] > ' '
}

// isCodeWord reports whether a bare value is an identifier of code rather than a word that
// somebody chose.
func (v value) isCodeWord(s string, n named, sep string) bool {
	text := v.text
	if strings.EqualFold(text, n.text) && n.script == identifier {
		return true
	}
	ident := strings.TrimRight(text, ",;)!")
	if strings.EqualFold(ident, n.text) && n.script == identifier {
		return true
	}
	if n.kind == key && isIdentifier.Match(ident) && (containsFold(ident, plainName(lowered(n.text))) ||
		isWordy(strings.Map(dropDigits, ident)) && (strings.HasSuffix(foldASCII(ident), "key") || isCompound(ident) &&
			!isScrambled(ident))) {
		return true
	}
	if countDigits(text) == len(text) { // a count, or the number of an option
		return n.kind == weak || n.kind == key && len(text) < 6 || strings.EqualFold(n.text, "pass") && len(text) < 6 ||
			n.kind == variable && len(text) < 4
	}
	if v.query || n.script != identifier || foreignNames.Get()[lowered(n.text)] || !isIdentifier.Match(ident) {
		return n.kind == key && (isVersion.Match(text) || isWordList(text) && strings.ContainsAny(text, "_.-/") &&
			namesSecret(text)) ||
			n.kind == password && isWordList(text) && strings.ContainsAny(text, "_-") && namesSecret(text) &&
				!hasDigit(text)
	}
	if isWordy(ident) && namesSecret(ident) && !strings.EqualFold(ident, "secret") && n.kind != variable &&
		(strings.Contains(ident, "_") || lowered(ident) != ident) {
		return true
	}
	if isNumbered(ident) {
		return true
	}
	if !isWordy(ident) || isScrambled(ident) {
		return false
	}
	line := lineBefore(s, n.start)
	inCall := (&opened{line: line}).has('(') && !isRemark(line) && !(v.tight &&
		(&opened{line: line}).has('"')) && (v.end >= len(s) || strings.IndexByte(",)\n ", s[v.end]) >= 0)
	switch {
	case n.kind == variable:
		return false
	case inCall && sep != "is":
		return true
	case strings.HasPrefix(s[v.end:], ";") && strings.IndexByte(line, ';') < 0 &&
		strings.HasSuffix(strings.TrimRight(s[v.end:lineEnd(s, v.end)], " \r"), ";") && !v.tight:
		return true
	case codeStart.Match(line):
		return true
	case sep == "=" && !v.tight && n.kind == key:
		owned := ownerOnly.Match(line) // by a blank, which no code has there
		return !startsLine(s, n) && !owned || strings.IndexByte(n.text, '.') >= 0 || lowered(text) != text ||
			!isRare(text) && !(owned && isGiven(s, v.start, v.end)) ||
			strings.TrimSpace(s[v.end:lineEnd(s, v.end)]) != ""
	case sep == "=" && !v.tight && strings.HasPrefix(n.text, "self.") || strings.HasPrefix(n.text, "this."):
		return true
	}
	return false
}

// ownerOnly ends a line up to the name of a secret before which nothing but its owner and its purpose stand:
// "client secret = value".
var ownerOnly = pattern.New(`(?:^[\s*-]*|: )(?:(?:client|api|app|consumer|shared|webhook|my|our|the|access|refresh|` +
	`bearer|service|session|deploy|auth|bot|id|user|admin|test|signing|personal|master|root|staging|prod|production|` +
	`github|gitlab|slack|npm) ){1,3}$`)

// isRemark reports whether the last bracket of a line stands behind a blank, as in a sentence.
func isRemark(line string) bool {
	open := strings.LastIndexByte(line, '(')
	return open > 1 && line[open-1] == ' ' && (strings.IndexByte(line[open:], ' ') > 1 || open == len(line)-1) &&
		!strings.ContainsAny(line, ";={}")
}

// dropDigits is for strings.Map.
func dropDigits(r rune) rune {
	if '0' <= r && r <= '9' {
		return -1
	}
	return r
}

// isCompound reports whether an identifier is of more than one word.
func isCompound(ident string) bool {
	for i := 1; i+1 < len(ident); i++ {
		if ident[i] == '_' || isUpper(ident[i]) && isLower(ident[i-1]) {
			return !hasDigit(ident)
		}
	}
	return false
}

func lineEnd(s string, at int) int {
	if n := strings.IndexByte(s[at:min(len(s), at+256)], '\n'); n >= 0 {
		return at + n
	}
	return min(len(s), at+256)
}

var codeStart = pattern.New(`(?-i)^[\s+-]*(?:const|let|var|val|final|auto|return|if|for|while|case|def|` +
	`func|fn|type|import|from|else|elif|\w+, \w+ :=|(?:private|public|protected) )\b`)

// startsSentence reports whether a sentence starts with a value behind a colon.
func (v value) startsSentence(s string, n named, sep string) bool {
	text := v.text
	low := lowered(strings.Trim(text, "*_`.,"))
	if sep != ":" && sep != "=" {
		return false
	}
	rest := s[v.end:lineEnd(s, v.end)]
	if !isWordy(strings.Trim(text, ",.!?:")) {
		return isNumberWord(text) && (n.kind != password || strings.TrimSpace(rest) != "")
	}
	if words().idle[low] {
		return strings.TrimSpace(rest) != "" || placeholders.Has(low) || n.kind != password
	}
	if !strings.HasPrefix(strings.TrimLeft(rest, ",."), " ") {
		return false
	}
	phrase := strings.Fields(rest)
	if len(phrase) == 0 {
		return false
	}
	if sep == "=" && n.kind != key {
		return false
	}
	next := lowered(strings.Trim(phrase[0], ",.;:!?()"))
	if words().endings[next] || !isWordy(next) || words().names[next] != harmless && len(phrase) == 1 {
		return false
	}
	if strings.HasPrefix(phrase[0], "(") {
		return false
	}
	if strings.HasSuffix(phrase[0], ":") || strings.HasSuffix(phrase[0], "=") || strings.ContainsAny(phrase[0], "=:") {
		return false
	}
	if n.kind == password && isPassphrase(text+" "+strings.Join(phrase, " ")) {
		return false
	}
	return true
}

// isPassphrase reports whether a string is four words or more that make no sentence.
func isPassphrase(text string) bool {
	parts := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '-' })
	if len(parts) < 4 || len(parts) > 8 || namesSecret(text) {
		return false
	}
	for _, p := range parts {
		if len(p) < 3 || len(p) > 10 || run(p, 0, len(p), isLower) < len(p) || words().idle[p] {
			return false
		}
	}
	return true
}

// isBasicAuth reports whether a string is "name:password" in base64.
func isBasicAuth(text string) bool {
	plain, err := base64.StdEncoding.DecodeString(text)
	return err == nil && utf8.Valid(plain) && bytes.IndexByte(plain, ':') > 0
}

// namesSecret reports whether a string speaks of secrets, and so is rather the name of one.
func namesSecret(text string) bool {
	return containsFold(text, "password") || containsFold(text, "token") || containsFold(text, "secret") ||
		containsFold(text, "passwd") || containsFold(text, "credential") || containsFold(text, "api_key") ||
		containsFold(text, "apikey")
}

var (
	isIdentifier = pattern.New(`(?-i)^[A-Za-z_]\w*$`)
	isSlug       = pattern.New(`(?-i)^[a-z0-9]+(?:[-_][a-z0-9]+)+$`)
	versioned    = pattern.New(
		`(?-i)^v?\d+(?:\.\d+)+|^[a-z]+[-_][a-z]+[-_]v?\d$|^[a-z]+(?:[-_.][a-z]+)*[-_]v?\d+(?:\.\d+)+$`,
	)
)

var isVersion = pattern.New(`(?:^v?|[-_]v?)\d+(?:\.\d+)+$`)

// types are the names of types that stand where a value could.
var types = pattern.SetOf(`
	string str text bytes byte int integer number bool boolean any object char varchar uuid float double long void
	unknown never buffer array list dict map set tuple date datetime secretstr charfield textfield optional union
	string? str? password passwordfield hash symbol enum interface struct uint8array bytea blob ref literal`)

// isType reports whether a bare value is the type of its name.
func isType(s string, v value, n named) bool {
	text := strings.TrimLeft(v.text, "*&?[]")
	base := text[:run(text, 0, len(text), isWord)]
	if base == "" {
		return false
	}
	rest := text[len(base):]
	if types.Has(lowered(base)) && (rest == "" || strings.IndexByte("<[(?|,;)!{", rest[0]) >= 0) {
		return true
	}
	if !isUpper(base[0]) || !isWordy(base) || v.tight {
		return false
	}
	if n.kind == key && strings.HasSuffix(lowered(base), plainName(lowered(n.text))) {
		return true
	}
	return rest != "" && (rest[0] == '<' || rest[0] == '[') && strings.IndexAny(rest, ">]") > 0
}

// isReference reports whether a bare value reads a secret: a variable, a call, a member, a
// path, an address, a tag.
func isReference(text string) bool {
	switch c := text[0]; c {
	case '$':
		return isShellVariable(text)
	case '{':
		return strings.HasPrefix(text, "{{") || strings.IndexByte(text, '}') > 1 &&
			isWordy(strings.Trim(text, "{}.,;")) ||
			len(text) == 1 || strings.HasPrefix(text, "{%") || strings.HasPrefix(text, "{...") ||
			strings.HasPrefix(text, `{"`)
	case '[':
		return strings.HasPrefix(text, "[^") || strings.HasSuffix(text, "]") || strings.HasPrefix(text, "[]") ||
			strings.HasPrefix(text, `["`) || strings.HasPrefix(text, "['") ||
			len(text) > 1 && isUpper(text[1]) && isWordy(text[1:])
	case '<':
		if goesOn(text) {
			return false
		}
		if closes := strings.IndexByte(text, '>'); closes > 0 {
			return !isMadeIn(text[1:closes])
		}
		return strings.HasPrefix(text, "<(") || strings.HasPrefix(text, "<<") || isWordy(strings.Trim(text, "<>/"))
	case '(':
		return strings.HasSuffix(text, ")") || isWordy(strings.Trim(text, "(),:;")) ||
			strings.HasPrefix(text, "()") || strings.HasPrefix(text, `("`)
	case '%':
		return len(text) <= 3 || text[1] == '(' || text[1] == '{' || strings.HasSuffix(text, "%") &&
			isWordy(strings.Trim(text, "%"))
	case '@', ':', '#':
		return isWordy(text[1:]) || strings.HasPrefix(text, "::") || strings.HasPrefix(text, "#{")
	case '&', '*':
		return strings.HasPrefix(text, "&'") || isIdentifier.Match(text[1:]) && isWordy(text[1:]) ||
			isMember(text) || len(text) > 1 && text[1] == '['
	case '!':
		return isWordy(strings.TrimLeft(text, "!")) ||
			prefixOf(text, "!Ref", "!Sub", "!vault", "!secret", "!env", "!!", "!GetAtt", "!=", "!reference") != ""
	case '.':
		return strings.HasPrefix(text, "./") || strings.HasPrefix(text, "../") ||
			isWordy(strings.Trim(text, ".,;")) || strings.Trim(text, ".") == ""
	case '/':
		return len(text) < 4 || strings.HasPrefix(text, "//") || isPath(text)
	case '~':
		return len(text) == 1 || text[1] == '/'
	case '-':
		return strings.HasPrefix(text, "--") && isWordy(strings.Trim(text, "-")) ||
			strings.HasPrefix(text, "->") || len(text) == 2
	case '=', '>':
		return len(text) <= 3 || strings.HasPrefix(text, "=>")
	case '+':
		return len(text) <= 2
	case '\\':
		return len(text) <= 2 || strings.IndexByte("nrt", text[1]) >= 0
	case '|':
		return len(text) <= 2
	}
	if run(text, 0, len(text), isAlpha) == len(text) { // what follows takes a sign or a digit
		return false
	}
	if strings.HasPrefix(text, "0x") && len(text) <= 18 || strings.HasPrefix(text, "ENC[") ||
		strings.Contains(text, "{{") || strings.Contains(text, "->") || strings.Contains(text, "=>") ||
		strings.Contains(text, "||") || strings.Contains(text, "&&") && !isRandom(text) ||
		strings.Contains(text, "://") || strings.Contains(text, "${") {
		return true
	}
	return isCall(text) || isMember(text) || isCmdlet(text)
}

// isCmdlet reports whether a string is a command of PowerShell.
func isCmdlet(text string) bool {
	return prefixOf(text, "ConvertTo-", "ConvertFrom-", "Get-", "Read-", "Import-", "Invoke-", "New-Object") != ""
}

// isCall reports whether a string is a call or an index: a name, and brackets that end it or
// hold what code holds.
func isCall(text string) bool {
	bracket := strings.IndexAny(text, "([{<")
	if bracket <= 0 {
		return false
	}
	name := text[:bracket]
	if run(name, 0, len(name), func(c byte) bool {
		return isWord(c) || c == '.' || c == ':' || c == '?' || c == '!' || c == '&' || c == '*'
	}) < len(name) {
		return false
	}
	inside := text[bracket+1:]
	end := map[byte]byte{'(': ')', '[': ']', '{': '}', '<': '>'}[text[bracket]]
	if n := strings.LastIndexByte(inside, end); n >= 0 {
		if n+1 < len(inside) && isAlnum(inside[n+1]) { // goes on as no code does
			return false
		}
		return isWordyName(name) || strings.Contains(name, ".") ||
			text[bracket] == '<' && isWordyName(strings.Map(dropDigits, name))
	}
	return isWordyName(name) && (inside == "" && strings.Contains(name, ".") || inside == "" && len(name) >= 6 ||
		inside != "" && (inside[0] == '"' || inside[0] == '[' || inside[0] == '&' || inside[0] == '*' ||
			inside[0] == '\'' || isWordy(strings.Trim(inside, ",;")) && len(name) >= 3 ||
			text[bracket] == '(' && isWordy(strings.TrimRight(inside, ",;0123456789")) && len(name) >= 3) ||
		strings.Contains(name, "."))
}

// isWordyName reports whether a name of code, maybe with dots, is made of words.
func isWordyName(name string) bool {
	for part := range strings.FieldsFuncSeq(name, func(r rune) bool { return strings.ContainsRune(".:?!&*", r) }) {
		if !isWordy(strings.TrimRight(part, "0123456789")) && len(part) > 2 {
			return false
		}
	}
	return true
}

// isShellVariable reports whether a string that starts with a dollar sign is a variable.
func isShellVariable(text string) bool {
	body := text[1:]
	if body == "" || strings.IndexByte("{([*@#?!1234567890", body[0]) >= 0 && (body[0] == '{' || body[0] == '(' ||
		len(body) <= 2) {
		return true
	}
	end := run(body, 0, len(body), isWord)
	if end == 0 {
		return false
	}
	name, rest := body[:end], body[end:]
	if rest != "" && strings.IndexByte(":-.[/,;)}>'\"$@", rest[0]) < 0 {
		return false
	}
	return isWordy(strings.TrimRight(name, "0123456789")) || strings.ToUpper(name) == name && !hasDigit(name) ||
		prefixOf(rest, "->", "::", "[") != ""
}

// roots start the path of a member in code.
var roots = pattern.SetOf(`
	self this req request res resp response config cfg conf settings env os process args opts options params props
	data user form body ctx context event var local module secrets vault app state result input values flags session
	client server db credentials creds auth account row item obj object payload headers test tests field fields
	faker secret token password c s t r m p e x u h f cmd node spec builder store repo service model attrs each
	properties project system util utils crypto random uuid string strings http ssh net io sys json yaml time base64`)

// isMember reports whether a string is names with dots or the like between them, as code
// reaches a member.
func isMember(text string) bool {
	text = strings.TrimRight(text, ",;)?!")
	at := len(prefixOf(text, "&", "*", "!"))
	first := ""
	parts, wordy := 0, true
	for {
		if at == len(text) || !isAlpha(text[at]) && text[at] != '_' {
			return false
		}
		end := run(text, at, len(text), isWord)
		if parts == 0 {
			first = lowered(text[at:end])
		}
		wordy = isWordy(strings.TrimRight(text[at:end], "0123456789")) && (containsFold(text[at:end], "key") ||
			namesSecret(text[at:end]) || containsFold(text[at:end], "pass"))
		parts++
		at = end
		if at == len(text) {
			return parts > 1 && (roots.Has(first) || wordy || strings.Contains(text, "::") ||
				strings.Contains(text, "?.") || parts > 2 && isWordyName(text))
		}
		separator := prefixOf(text[at:], "::", "?.", ".")
		if separator == "" {
			return false
		}
		at += len(separator)
	}
}

// isNumbered reports whether a string is a variable such as password2.
func isNumbered(text string) bool {
	bare := strings.TrimRight(text, "0123456789")
	return len(text)-len(bare) <= 2 && len(bare) < len(text) && placeholders.Has(lowered(bare)) ||
		len(text)-len(bare) <= 4 && len(bare) < len(text) && namesSecret(bare) && isWordy(bare) &&
			len(bare) >= 8 && !strings.EqualFold(bare, "password")
}

// isWordy reports whether a string is words as people write them in prose or in code:
// letters, with a vowel in each word of some length, and small letters behind capitals.
func isWordy(text string) bool {
	if text == "" || len(text) > maxName {
		return false
	}
	start, vowel, consonants, capitals := 0, false, 0, 0
	ends := func(at int) bool {
		return at-start <= 4 && at-start > 0 && !vowel && consonants <= 4 && capitals != 1 || vowel ||
			at == start || at-start <= 1
	}
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c >= utf8.RuneSelf:
			vowel, consonants = true, 0
			continue
		case c == '_' || c == '-' || c == '.' || c == '\'' && i > 0 || c == '/' || c == ':' && i > 0:
			if !ends(i) || i > 0 && !isAlnum(text[i-1]) && text[i-1] < utf8.RuneSelf && text[i-1] != '_' &&
				c != '.' && c != '-' {
				return false
			}
			start, vowel, consonants, capitals = i+1, false, 0, 0
			continue
		case isDigit(c) || !isAlpha(c):
			return false
		case isUpper(c) && i > start && isLower(text[i-1]):
			if !ends(i) || i-start < 2 {
				return false
			}
			start, vowel, consonants, capitals = i, false, 0, 0
		case isLower(c) && i-start >= 2 && isUpper(text[i-1]) && isUpper(text[i-2]) && capitals > 4: // HTTPServer
			if !vowel && i-1-start > 4 {
				return false
			}
			start, vowel, consonants, capitals = i-1, false, 0, 1
		}
		if isUpper(c) {
			capitals++
		}
		if strings.IndexByte("aeiouyAEIOUY", c) >= 0 {
			vowel, consonants = true, 0
		} else if consonants++; consonants > 5 {
			return false
		}
	}
	return ends(len(text))
}

// isScrambled reports whether letters are those of a key rather than a name of code: capitals stand among small ones,
// and what a tokenizer knows of them has no more than two letters on average.
func isScrambled(ident string) bool {
	return len(ident) >= 6 && caseChanges(ident) > 1 && len(ident) <= 2*vocabulary.Count(ident)
}

// isWordList reports whether a string is made of words as in a name or a slug:
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

// isStrong reports whether a word could not be one of a sentence: it has small and
// capital letters and digits, or a sign among them.
func isStrong(text string) bool {
	if !hasLetter(text) {
		return false
	}
	cased := lowered(text) != text && strings.ToUpper(text) != text
	return cased && (hasDigit(text) || !isWordy(text)) || hasDigit(text) && strings.ContainsAny(text, "!@#$%^&*?+")
}

// isRandom reports whether a string looks like nobody thought of it: long, and
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
	if 2*caseChanges(text) >= len(text) && run(text, 0, len(text), isBase64URL) == len(text) {
		return true
	}
	return switches(text) >= 3 || len(text) >= 16 && countDigits(text) >= 4 && !isSlug.Match(text)
}

// isGibberish reports whether a string is long and has more signs than any sentence.
func isGibberish(text string) bool {
	signs := 0
	for i := range len(text) {
		if strings.IndexByte("!@#$%^&*{}[]|~?<>+", text[i]) >= 0 {
			signs++
		}
	}
	return len(text) >= 16 && signs >= 3 && !strings.Contains(text, "{{") && !strings.Contains(text, "${")
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
	optional required example changeme change-me change_me changed change password passwd token value default empty
	unset policy missing invalid valid expired hidden masked redacted removed placeholder yes no your-password
	yourpassword your_password your-token your_token unknown disabled enabled input output self this type omitted
	file stdin prompt env environment auto field name key here todo tbd n/a na ok okay skipped passed failed inherit
	nan void never always off on mandatory forbidden secret-here sensitive configured provided deprecated hashed
	username encrypted insert-here <nil> (null) (none) fail
	keins keines fehlt leer unbekannt geändert ungültig erforderlich aucun aucune obligatoire requis requise vide
	manquant inconnu ninguna ninguno obligatoria obligatorio opcional requerida vacía vacio falta cambiada nenhuma
	nenhum obrigatória vazia ausente alterada nessuna obbligatoria richiesta opzionale facoltativa mancante vuota
	geen verplicht vereist ontbreekt leeg onbekend ingen inget saknas krävs tomt okänt brak wymagane puste nieznane
	opcjonalne žádné chybí povinné prázdné volitelné neznámé yok zorunlu gerekli boş eksik bilinmiyor нет отсутствует
	обязателен пустой неизвестен немає відсутній обов'язковий порожній невідомий không trống thiếu مطلوبة مطلوب
	فارغة لا आवश्यक खाली नहीं 必須 なし 未設定 任意 空 必填 无 無 未设置 未設定 可选 空的 없음 필수 미설정 선택`)

// isPlaceholder reports whether a value stands for a secret rather than being one.
func isPlaceholder(text string) bool {
	if len(text) > maxName {
		return strings.HasPrefix(text, "${") || strings.HasPrefix(text, "{{") || strings.HasPrefix(text, "$(") ||
			text[0] == '<' && strings.HasSuffix(text, ">") || strings.Contains(text, "***")
	}
	low := lowered(strings.Trim(text, "\"'`,;.()[]{}<>"))
	if placeholders.Has(low) || low == "" {
		return true
	}
	if strings.Trim(low, low[:1]) == "" && len(low) < 8 || strings.Trim(low, "*") == "" ||
		strings.Trim(low, "x") == "" || strings.Trim(low, "•●") == "" ||
		strings.Trim(low, ".…-_#=?!~+/\\|:^&%@$│┃║┤├→←·–—") == "" {
		return true
	}
	if text[0] == '$' && isShellVariable(text) {
		return true
	}
	return strings.HasPrefix(text, "<") && strings.Contains(text, ">") && !goesOn(text) &&
		!isMadeIn(text[1:strings.IndexByte(text, '>')]) ||
		strings.HasPrefix(text, "{{") || strings.HasPrefix(text, "%(") || strings.HasPrefix(text, "${") ||
		strings.Contains(text, "***") || strings.HasPrefix(low, "your-") || strings.HasPrefix(low, "your_") ||
		strings.HasPrefix(low, "your ") || strings.HasPrefix(low, "my-") && namesSecret(low) && !hasDigit(low) ||
		strings.HasSuffix(low, "-here") || strings.HasSuffix(low, "_here") || isMasked(low) ||
		strings.Contains(low, "redacted") ||
		strings.HasPrefix(low, "process.env") ||
		strings.HasPrefix(low, "os.environ") || strings.HasPrefix(low, "os.getenv")
}

// isMadeIn reports whether what stands in angle brackets looks like nothing that names a value.
func isMadeIn(text string) bool {
	return len(text) >= 8 && strings.IndexByte(text, ' ') < 0 && isStrong(text) && hasDigit(text) &&
		caseChanges(text)+switches(text) > 3 && longestCase(text) < 3
}

// goesOn reports whether a letter follows the bracket that closes what a string starts with, as in no element and
// no placeholder.
func goesOn(text string) bool {
	last := strings.LastIndexByte(text, '>')
	return last > 0 && last+1 < len(text) && isLetterAt(text, last+1) && strings.Count(text, "<") == 1 &&
		!tags.Has(text[1:last])
}

// tags are elements of HTML that stand in sentences.
var tags = pattern.SetOf(`code b i em strong tt kbd pre a p td th li span var samp div br u small q cite dfn h1 h2 h3`)

// isMasked is masked, tried only where one of its signs stands.
func isMasked(low string) bool {
	return (strings.Contains(low, "xx") || strings.Contains(low, "..") || strings.Contains(low, "…") ||
		strings.IndexByte(low, '*') >= 0 || low[0] == 'x') && masked.Match(low)
}

// masked is what is left of a secret that somebody hid, such as ghp_xxx.
var masked = pattern.New(`^[a-z]{2,10}[-_](?:[a-z]{2,6}[-_])?(?:x{3,}|\.{3}|…|\*+)$|^x+[-_x]*$`)
