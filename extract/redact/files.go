package redact

import (
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// Files whose lines have a password at a place of its own, and strings with a form of their own.

func fileRules() []rule {
	all := []rule{
		{assigned, "wifi:", findWiFiCode}, {assigned, ": psk", findKeyOfPeer}, {assigned, "{noop}", findNoop},
		{assigned, "{ value: ", findTarget}, {assigned, "{value: ", findTarget},
		{assigned, " login ", findIMAPLogin}, {assigned, ".tobe(", findExpectedValue}, {assigned, ".toequal(",
			findExpectedValue},
		{assigned, ".to.equal(", findExpectedValue}, {assigned, ".to.eq(", findExpectedValue},
		{assigned, ".isequalto(", findExpectedValue},
		{assigned, " p: ", findInitials}, {assigned, "/p: ", findInitials}, {assigned, "auth-user-pass\n",
			findSecondLine},
		{assigned, "password_hash(", findFiltered}, {assigned, "setup key", findSetupKey},
		{assigned, "authenticator key", findSetupKey}, {assigned, "2fa key", findSetupKey},
		{assigned, "2fa secret", findSetupKey}, {assigned, "totp secret", findSetupKey},
		{assigned, `key "`, findRejectedKey}, {assigned, "/private-", findPrivatePart},
		{assigned, "secrets set ", findSetSecret}, {assigned, `") { "`, findBlock}, {assigned, `') { '`, findBlock},
	}
	for _, shell := range []string{":/bin/", ":/usr/bin/", ":/usr/sbin/", ":/sbin/"} {
		all = append(all, rule{assigned, shell, findPasswdLine})
	}
	for _, port := range []string{"]:25", "]:465", "]:587", "]:2525", ":587 ", ":465 ", ":25 ", ":587\t", ":465\t",
		":25\t"} {
		all = append(all, rule{assigned, port, findMapped})
	}
	return all
}

func fileManyRules() []manyRule {
	return []manyRule{{"chpasswd:", listedLogins}, {"chap-secrets", peerSecrets}, {"pap-secrets", peerSecrets},
		{webKeyType, webKey}}
}

// webKeyType is the member that every JSON Web Key (RFC 7517) has.
const webKeyType = `"kty"`

// webKeyMembers are the members of such a key that are secret.
var webKeyMembers = pattern.SetOf(`d k p q dp dq qi`)

// maxWebKey is how far from its member "kty" the members of a key are looked for, in bytes.
const maxWebKey = 2048

// webKey appends the secret members of the JSON Web Key in which the member "kty" stands at at. A key has one such
// member, so no stretch is looked at for two.
func webKey(s string, at int, found []span) []span {
	from, behind := max(0, at-maxWebKey), at+len(webKeyType)
	open := strings.LastIndexByte(s[from:at], '{')
	if open < 0 || byteAt(s, run(s, behind, 4, isBlank)) != ':' || strings.Contains(s[from+open:at], webKeyType) {
		return found
	}
	open += from
	object := s[open:min(len(s), at+maxWebKey)]
	for _, end := range []string{"}", webKeyType} {
		if i := strings.Index(object[behind-open:], end); i >= 0 {
			object = object[:behind-open+i]
		}
	}
	for from := 0; ; {
		quote := strings.IndexByte(object[from:], '"')
		if quote < 0 {
			return found
		}
		from += quote + 1
		name := run(object, from, maxName, isWord)
		text := run(object, name, 16, func(c byte) bool { return c == '"' || c == ':' || isSpace(c) })
		end := run(object, text, maxWebKey, isBase64URL)
		if webKeyMembers.Has(object[from:name]) && end-text >= 16 && byteAt(object, text-1) == '"' &&
			byteAt(object, end) == '"' {
			found = append(found, span{open + text, open + end, "private-key"})
		}
		from = max(name, end)
	}
}

// findFiltered finds the string in quotes that a template hashes as a password: {{ 'value' | password_hash() }}.
func findFiltered(s string, at int) (start, end int, ok bool) {
	before := strings.TrimRight(lineBefore(s, at), " ")
	before, piped := strings.CutSuffix(before, "|")
	before = strings.TrimRight(before, " ")
	if !piped || before == "" || strings.IndexByte("\"'", before[len(before)-1]) < 0 {
		return 0, 0, false
	}
	end = strings.LastIndexByte(s[:at], before[len(before)-1])
	start = strings.LastIndexByte(s[end-len(before)+1:end], s[end]) + end - len(before) + 2
	return start, end, start < end && isBare(s[start:end])
}

// findSetupKey finds the key of an authenticator in groups of four letters and digits of base 32.
func findSetupKey(s string, at int) (start, end int, ok bool) {
	line := s[at:min(lineEnd(s, at), at+2*maxName)]
	colon := strings.IndexByte(line, ':')
	if colon < 0 {
		return 0, 0, false
	}
	key := setupKey.Find(line[colon+1:])
	start = at + colon + 1 + strings.Index(line[colon+1:], key)
	return start, start + len(key), key != "" && hasDigit(key)
}

// setupKey is a key in such groups.
var setupKey = pattern.New(`(?-i)\b[A-Z2-7]{4}(?:[ -][A-Z2-7]{4}){3,15}\b`)

// findRejectedKey finds the key that a log says was not accepted: authentication failed: key "value" rejected.
func findRejectedKey(s string, at int) (start, end int, ok bool) {
	start = at + len(`key "`)
	end, ok = quotedEnd(s, start-1)
	if !ok || !isSaid(s[start:end]) || strings.ContainsAny(s[start:end], " _./:<>{}$%") {
		return 0, 0, false
	}
	behind := run(s, end+1, 2, isBlank)
	if is := prefixOf(s[behind:], "is ", "was "); is != "" {
		behind += len(is)
	}
	before := foldASCII(lineBefore(s, at))
	return start, end, rejecting.Has(lowered(strings.TrimRight(s[behind:wordEnd(s, behind)], ".,;:"))) &&
		containsAny(before, []string{"auth", "unauthorized", "forbidden", "401", "403", "login", "api "})
}

// rejecting say that a key was not accepted.
var rejecting = pattern.SetOf(`rejected refused invalid denied revoked expired`)

// findPrivatePart finds the part of an address that says that whoever knows it may read: /private-….
func findPrivatePart(s string, at int) (start, end int, ok bool) {
	start = at + len("/private-")
	end = run(s, start, 128, isAlnum)
	text := s[start:end]
	return start, end, len(text) >= 16 && hasDigit(text) && hasLetter(text) && switches(text) > 2
}

// findSetSecret finds the value of "secrets set NAME=value", whatever the name.
func findSetSecret(s string, at int) (start, end int, ok bool) {
	name := run(s, at, 64, func(c byte) bool { return c != '=' && c != '\n' && c != '|' && c != ';' })
	word := s[at:name]
	word = word[strings.LastIndexByte(word, ' ')+1:]
	if byteAt(s, name) != '=' || word == "" || run(word, 0, len(word), isWord) < len(word) {
		return 0, 0, false
	}
	start, end, ok = optionValue(s, name+1)
	return start, end, ok && start <= name+2
}

// isBare reports whether a string may be a secret that stands at the place of one.
func isBare(text string) bool {
	return len(text) >= 4 && !isPlaceholder(text) && !isTemplate(text) && !strings.Contains(text, markerOpen) &&
		!strings.ContainsAny(text, " \t\n")
}

// findWiFiCode finds the password in the text of a QR code for a wireless network, WIFI:T:WPA;S:name;P:password;;
func findWiFiCode(s string, at int) (start, end int, ok bool) {
	line := s[at:lineEnd(s, at)]
	from := strings.Index(line, ";P:")
	if from < 0 {
		if from = strings.Index(line, ":P:"); from < 0 {
			return 0, 0, false
		}
	}
	start = at + from + len(";P:")
	end = start
	for end < len(s) && s[end] != '\n' && s[end] != ';' {
		if s[end] == '\\' {
			end++
		}
		end++
	}
	end = min(end, len(s))
	return start, end, end-start >= 4 && strings.Contains(line, "S:") && !strings.Contains(s[start:end], markerOpen) &&
		!isPlaceholder(s[start:end])
}

// findKeyOfPeer finds the key of a line such as "peer : PSK" that stands before it, as some lists have it.
func findKeyOfPeer(s string, at int) (start, end int, ok bool) {
	before := lineBefore(s, at)
	fields := strings.Fields(before)
	if at+len(": psk") != lineEnd(s, at) || s[at:at+len(": psk")] != ": PSK" || len(fields) == 0 || len(fields) > 2 {
		return 0, 0, false
	}
	word := wordBefore(before, len(before))
	from := at - len(before)
	return from + word.start, from + word.end, isBare(before[word.start:word.end])
}

// findNoop finds the password behind the mark with which Spring says that it is not hashed.
func findNoop(s string, at int) (start, end int, ok bool) {
	start = at + len("{noop}")
	end = run(s, start, maxName, func(c byte) bool {
		return isSecretByte(c) && c != '"' && c != '\'' && c != '<' &&
			c != '`'
	})
	return start, end, isBare(s[start:end])
}

// findTarget finds the value that a test gives the field of a password: fireEvent.change(password, {target: {value: …
func findTarget(s string, at int) (start, end int, ok bool) {
	if !containsAny(foldASCII(lineBefore(s, at)), []string{"passw", "pwd", "passphrase", "passcode"}) {
		return 0, 0, false
	}
	quote := at + strings.IndexByte(s[at:], ':') + 1
	quote = run(s, quote, 2, isBlank)
	if end, ok = quotedEnd(s, quote); !ok {
		return 0, 0, false
	}
	return quote + 1, end, isBare(s[quote+1:end]) && words().names[lowered(s[quote+1:end])] == harmless
}

// findInitials finds the password of "U: login P: password".
func findInitials(s string, at int) (start, end int, ok bool) {
	before := foldASCII(lineBefore(s, at))
	start = at + len(" p: ")
	end = start + len(strings.TrimRight(s[start:wordEnd(s, start)], ".,;"))
	return start, end, s[at+1] == 'P' && isBare(s[start:end]) &&
		containsAny(" "+before, []string{" u: ", " l: ", " user: ", " login: ", " id: "})
}

// findIMAPLogin finds the password of the line "tag LOGIN name password".
func findIMAPLogin(s string, at int) (start, end int, ok bool) {
	if s[at:at+len(" LOGIN ")] != " LOGIN " || len(lineBefore(s, at)) > 12 {
		return 0, 0, false
	}
	fields := strings.Fields(s[at:lineEnd(s, at)])
	if len(fields) != 3 {
		return 0, 0, false
	}
	end = at + len(strings.TrimRight(s[at:lineEnd(s, at)], " \r"))
	text := strings.Trim(fields[2], `"`)
	start = at + strings.LastIndex(s[at:end], text)
	return start, start + len(text), isBare(text)
}

// findExpectedValue finds the text that a test expects a password to be: expect(user.password).toBe("…").
func findExpectedValue(s string, at int) (start, end int, ok bool) {
	before := strings.TrimRight(lineBefore(s, at), ")")
	kind := nameKind(before[back(before, len(before), maxName, isDotted):])
	quote := at + strings.IndexByte(s[at:], '(') + 1
	if end, ok = quotedEnd(s, quote); !ok || kind != password && kind != variable {
		return 0, 0, false
	}
	return quote + 1, end, isBare(s[quote+1:end]) && isSaid(s[quote+1:end]) && !words().about[lowered(s[quote+1:end])]
}

// findSecondLine finds the password in the second line of a file whose first one is a login.
func findSecondLine(s string, at int) (start, end int, ok bool) {
	login := at + strings.IndexByte(s[at:], '\n') + 1
	start = lineEnd(s, login) + 1
	if start > len(s) || strings.ContainsAny(s[login:start-1], " \t") {
		return 0, 0, false
	}
	end = lineEnd(s, start)
	return start, end, isBare(s[start:end])
}

// findBlock finds the text that a block gives in place of a variable that is not set: ENV.fetch("PASSWORD") { "…" }.
func findBlock(s string, at int) (start, end int, ok bool) {
	before := lineBefore(s, at)
	name := before[back(before, len(before), maxName, isWord):]
	if nameKind(name) == harmless || !strings.Contains(before, "fetch(") {
		return 0, 0, false
	}
	quote := at + len(`") { `)
	if end, ok = quotedEnd(s, quote); !ok {
		return 0, 0, false
	}
	return quote + 1, end, isBare(s[quote+1 : end])
}

// findPasswdLine finds the password or its hash in a line of /etc/passwd: name:password:uid:gid:text:home:shell.
func findPasswdLine(s string, at int) (start, end int, ok bool) {
	before := lineBefore(s, at)
	fields := strings.Split(before, ":")
	if len(fields) != 6 || countDigits(fields[2]) != len(fields[2]) || countDigits(fields[3]) != len(fields[3]) ||
		fields[2]+fields[3] == "" {
		return 0, 0, false
	}
	start = at - len(before) + len(fields[0]) + 1
	return start, start + len(fields[1]), isBare(fields[1])
}

// findMapped finds the password of a line such as "[host]:587 name:password".
func findMapped(s string, at int) (start, end int, ok bool) {
	host := run(s, at, 8, func(c byte) bool { return c == ']' || c == ':' || isDigit(c) })
	login := run(s, host, 32, isBlank)
	name := run(s, login, maxName, func(c byte) bool { return isDotted(c) || c == '@' || c == '+' })
	if strings.HasPrefix(s[login:], markerOpen) { // an address
		name = markerEnd(s, login)
	}
	if login == host || name <= login || name >= len(s) || s[name] != ':' {
		return 0, 0, false
	}
	start = name + 1
	end = run(s, start, maxName, isSecretByte)
	return start, end, strings.TrimSpace(s[end:lineEnd(s, end)]) == "" && isBare(s[start:end]) &&
		countDigits(s[start:end]) < end-start
}

// loginLine is a line of a list that has nothing but a name and its password.
var loginLine = pattern.New(`(?-i)^\s+(?:- )?[\w.-]+:\S{4,}$`)

// listedLogins appends the passwords of the list "name:password" below the head of a list for chpasswd.
func listedLogins(s string, at int, found []span) []span {
	for line, i := lineEnd(s, at)+1, 0; line < len(s) && i < maxHereLines; i++ {
		end := lineEnd(s, line)
		text := strings.TrimRight(s[line:end], " \r")
		switch colon := strings.IndexByte(text, ':'); {
		case loginLine.Match(text) && isBare(text[colon+1:]):
			found = append(found, span{line + colon + 1, line + len(text), assigned})
		case !strings.HasPrefix(text, " ") || len(found) > 0 && found[len(found)-1].start > at && loginLine.Match(text):
			return found
		}
		line = end + 1
	}
	return found
}

// peerSecrets appends the third words of the lines of a file of secrets of pppd.
func peerSecrets(s string, at int, found []span) []span {
	for line, i := lineEnd(s, at)+1, 0; line < len(s) && i < maxHereLines; i++ {
		end := lineEnd(s, line)
		fields := strings.Fields(s[line:end])
		if len(fields) < 3 || len(fields) > 5 {
			break
		}
		if secret := strings.Trim(fields[2], `"`); fields[0][0] != '#' && isBare(secret) {
			start := line + strings.LastIndex(s[line:end], secret)
			found = append(found, span{start, start + len(secret), assigned})
		}
		line = end + 1
	}
	return found
}
