package redact

import (
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// headerRules find credentials in HTTP headers and in options of commands.
func headerRules() []rule {
	return []rule{
		{"authorization", "authorization", findAuthorization},
		{"authorization", "bearer ", findBearer}, {"authorization", "sec-websocket-protocol: ", findSubprotocol},
		{"cookie", "cookie: ", findCookie("cookie: ")}, {"cookie", "cookie = ", findCookie("cookie = ")},
		{"cookie", "--cookie ", findCookie("--cookie ")}, {"cookie", "cookie', ", findCookie("cookie', ")},
		{"cookie", `cookie", `, findCookie(`cookie", `)}, {"cookie", " -b ", findCookie(" -b ")},
		{"cookie", "\ttrue\t", findJar}, {"cookie", "\tfalse\t", findJar}, {"cookie", ".aspnetcore.", findSession},
		{"cookie", "jsessionid=", findSession}, {"cookie", "-session=", findSession},
		{"cookie", `sessionid"`, findCookieMember}, {"cookie", "sessionid'", findCookieMember},
		{"cookie", `session"`, findCookieMember}, {"cookie", "session'", findCookieMember},
		{"cookie", `"sid"`, findCookieMember}, {"cookie", "'sid'", findCookieMember}, {"cookie", "remember_me=",
			findSession},
		{"cookie", "rememberme=", findSession}, {"cookie", "_sid=", findSession}, {"cookie", "_auth=", findSession},
		{"cookie", "auth_session=", findSession}, {"cookie", "_sso=", findSession}, {"cookie", "_login=", findSession},
		{"cookie", "sessionid=", findSession}, {"cookie", "_session=", findSession},
		{"cookie", "aspxauth=", findSession}, {"cookie", ".sid=", findSession}, {"cookie", "logged_in_", findSession},
		{"user-password", "-u ", findUserOption},
		{"user-password", "-su ", findUserOption}, {"user-password", "-ku ", findUserOption},
		{"user-password", "-fu ", findUserOption}, {"user-password", "-iu ", findUserOption},
		{"user-password", "-vu ", findUserOption}, {"user-password", "-lu ", findUserOption},
		{"user-password", "-a ", findHTTPieOption}, {"user-password", "--auth ", findUserOption},
		{"user-password", "-auth ", findUserOption},
		{"user-password", "--user ", findUserOption}, {"user-password", "--creds ", findUserOption},
		{"user-password", "--src-creds ", findUserOption}, {"user-password", "--dest-creds ", findUserOption},
		{"user-password", "--creds=", findUserOption}, {"user-password", "--src-creds=", findUserOption},
		{"user-password", "--dest-creds=", findUserOption}, {"user-password", "--auth-cred=", findUserOption},
		{"user-password", "--credentials ", findUserOption}, {"user-password", "--basic-auth ", findUserOption},
		{"user-password", "--http-auth ", findUserOption}, {"user-password", "--proxy-auth ", findUserOption},
		{"user-password", "--authentication ", findUserOption}, {"user-password", "--login ", findUserOption},
		{"user-password", "user add ", findAddedUser},
		{"user-password", "user passwd ", findAddedUser},
		{"user-password", "--user=", findUserOption},
		{"user-password", "--proxy-user ", findUserOption},
		{"user-password", " -u", findAttachedUser},
	}
}

func findAuthorization(s string, at int) (start, end int, ok bool) {
	value, sep := separator(s, named{start: at, end: at + len("authorization")})
	if sep != ":" && sep != "=" && (sep != "," || quoteAt(s, value) == "") {
		return 0, 0, false
	}
	beside := sep == ","
	value += len(prefixOf(s[value:], `\"`, `"`, `'`, "`"))
	for _, scheme := range schemes {
		if hasPrefixFold(s[value:], scheme) {
			start = value + len(scheme)
			if named := prefixOf(s[start:], `token="`, `key="`, "token=", "key="); named != "" {
				start += len(named)
			}
			end = run(s, start, open, IsToken)
			if whole := credentialsEnd(s, start); whole > 0 {
				return start, whole, true
			}
			return start, end, end-start >= 6 && !isPlaceholder(s[start:end]) && !isWordList(s[start:end])
		}
	}
	end = run(s, value, open, IsToken)
	return value, end, isRandom(s[value:end]) && (!beside || isStrong(s[value:end]) && hasDigit(s[value:end]))
}

// schemes stand before the credentials of an Authorization header.
var schemes = []string{"bearer ", "basic ", "token ", "apikey ", "api-key ", "key ", "digest ", "bot ", "negotiate ",
	"ssws ", "geniekey ", "splunk ", "deepl-auth-key "}

// credentialsEnd returns the end of the credentials that start at start behind a scheme, if the header ends with them
// and they are no word about credentials; else 0.
func credentialsEnd(s string, start int) int {
	end := run(s, start, 256, func(c byte) bool { return isSecretByte(c) && strings.IndexByte("\"'`\\", c) < 0 })
	text := s[start:end]
	low := lowered(text)
	if end < len(s) && isBlank(s[end]) || !isSaid(text) || isTemplate(text) ||
		strings.ContainsAny(text, "<>{}()[]$%,;") ||
		words().about[low] || types.Has(low) || loginWords.Has(low) || accounts.Has(low) || keywords.Has(low) ||
		isParticiple(low) || compounded.Has(low) || strings.ToUpper(text) == text && isWordy(text) ||
		strings.Contains(text, markerOpen) || strings.HasSuffix(text, ".") {
		return 0
	}
	return end
}

// findSubprotocol finds the token that a browser sends as the second subprotocol of a WebSocket, because it can set no
// other header.
func findSubprotocol(s string, at int) (start, end int, ok bool) {
	name := at + len("sec-websocket-protocol: ")
	comma := run(s, name, maxName, isDotted)
	if byteAt(s, comma) != ',' || nameKind(s[name:comma]) == harmless && !strings.EqualFold(s[name:comma], "bearer") {
		return 0, 0, false
	}
	start = run(s, comma+1, 2, isBlank)
	end = run(s, start, open, IsToken)
	return start, end, end-start >= 6 && !isPlaceholder(s[start:end])
}

func findBearer(s string, at int) (start, end int, ok bool) {
	if at > 0 && isWord(s[at-1]) {
		return 0, 0, false
	}
	start = at + len("bearer ")
	end = run(s, start, open, IsToken)
	return start, end, isRandom(s[start:end]) || isShortToken(s[start:end])
}

// isShortToken reports whether a value begins as tokens of many providers do, with two to four small letters and a
// sign, and has a digit behind them.
func isShortToken(value string) bool {
	letters := run(value, 0, len(value), func(c byte) bool { return c >= 'a' && c <= 'z' })
	return len(value) >= 8 && letters >= 2 && letters <= 4 && (value[letters] == '-' || value[letters] == '_') &&
		hasDigit(value[letters:])
}

// isProviderToken reports whether a value is a short token that begins with what providers call a key or a token.
func isProviderToken(value string) bool {
	letters := run(value, 0, len(value), isLower)
	return providerPrefixes.Has(value[:letters]) && isShortToken(value)
}

// providerPrefixes begin tokens of providers.
var providerPrefixes = pattern.SetOf(`sk rk tok pat ghp gho ghs ghu npm hf dop`)

// findCookie finds the values of a Cookie or Set-Cookie header up to the end of its line or of
// the text in quotes that it is.
func findCookie(header string) func(string, int) (int, int, bool) {
	return func(s string, at int) (start, end int, ok bool) {
		line := at + len(header)
		line += len(prefixOf(s[line:], `"`, "'"))
		if header == " -b " && !strings.Contains(s[commandStart(s, at):at], "curl") {
			return 0, 0, false
		}
		end = line
		for end < len(s) && end-line < open && s[end] != '\n' && s[end] != '"' && s[end] != '\'' {
			end++
		}
		equals := strings.IndexByte(s[line:end], '=')
		if equals < 1 || run(s, line, equals, isDotted) != line+equals {
			return 0, 0, false
		}
		if semicolon := strings.IndexByte(s[line:end], ';'); semicolon > equals && at >= 4 &&
			hasPrefixFold(s[at-4:], "set-") {
			end = line + semicolon
		}
		start = line + equals + 1
		first := run(s, start, end-start, IsToken) - start
		return start, end, end-start >= 12 && (hasDigit(s[start:end]) || first >= 20) &&
			!isTemplate(s[start:end]) && s[start] != '$' && s[start] != '{'
	}
}

// findJar finds the value of a line of a jar of cookies as curl and wget write it: domain, whether its hosts have
// it, path, whether it needs TLS, when it ends, name, value, with tabs between them.
func findJar(s string, at int) (start, end int, ok bool) {
	before := lineBefore(s, at)
	from := at - len(before)
	if strings.Contains(before, "\t") { // the trigger stands behind the domain
		return 0, 0, false
	}
	fields := strings.Split(strings.TrimRight(s[from:min(len(s), from+maxLine)], "\r"), "\t")
	if len(fields) < 7 || countDigits(fields[4]) < len(fields[4]) {
		return 0, 0, false
	}
	for _, f := range fields[:6] {
		start += len(f) + 1
	}
	value, _, _ := strings.Cut(fields[6], "\n")
	value = strings.TrimRight(value, "\r ")
	start += from
	return start, start + len(value), len(value) >= 8 && !strings.Contains(s[from:start], "\n") &&
		!isPlaceholder(value) && !strings.Contains(value, markerOpen) && (isRandom(value) || containsAny(
		foldASCII(fields[5]), []string{"sess", "auth", "token", "sid", "login", "jwt", "remember", "sso"}))
}

// findCookieMember finds the value of the cookie of a session in a map of cookies, or in the description of one.
func findCookieMember(s string, at int) (start, end int, ok bool) {
	at = run(s, at+1, maxName, isWord)
	if at >= len(s) || s[at] != '"' && s[at] != '\'' {
		return 0, 0, false
	}
	described := false // as a name and a value
	next := run(s, at+1, 32, func(c byte) bool { return isSpace(c) || c == ':' || c == ',' })
	listed := strings.IndexByte(s[at+1:next], ',') >= 0
	if len(s)-next > 8 && (s[next] == '"' || s[next] == '\'') && hasPrefixFold(s[next+1:], "value") {
		described = true
		next = run(s, next+1+len("value")+1, 8, func(c byte) bool { return isBlank(c) || c == ':' })
	}
	if next >= len(s) || s[next] != '"' && s[next] != '\'' || listed && !described {
		return 0, 0, false
	}
	start = next + 1
	end = run(s, start, open, func(c byte) bool { return IsToken(c) || c == '%' || c == ':' })
	text := s[start:end]
	return start, end, len(text) >= 16 && hasDigit(text) && !isUUIDAt(s, start) && !isDate.Match(text) &&
		!isSlug.Match(text) && !isWordList(text) && end < len(s) && s[end] == s[next] && (isStrong(text) ||
		run(text, 0, len(text), isHex) == len(text) &&
			containsFold(s[max(0, at-200):at], "cookie"))
}

// findSession finds the value of a cookie whose name says that it is a session's.
func findSession(s string, at int) (start, end int, ok bool) {
	equals := strings.IndexByte(s[at:min(len(s), at+maxName)], '=')
	if equals < 0 || run(s, at, equals, isDotted) != at+equals {
		return 0, 0, false
	}
	start = at + equals + 1
	start += len(prefixOf(s[start:], `"`, "'"))
	end = run(s, start, open, func(c byte) bool { return IsToken(c) || c == '%' || c == ':' })
	text := strings.TrimRight(s[start:end], ".:")
	return start, start + len(text), len(text) >= 16 && !isUUIDAt(s, start) && !isReference(text) &&
		(isRandom(text) || hasDigit(text) && !isSlug.Match(text) && !isWordList(text) &&
			countDigits(text) < len(text))
}

// findUserOption finds the password of "-u name:password", as curl takes it.
func findUserOption(s string, at int) (start, end int, ok bool) {
	at = back(s, at, 5, isWord)
	if at > 0 && s[at-1] == '-' && s[at] != '-' {
		at--
	}
	if at == 0 || !isSpace(s[at-1]) {
		return 0, 0, false
	}
	opens := func(c byte) bool { return isBlank(c) || c == '"' || c == '\'' || c == '=' || c == '\\' }
	open := at + strings.IndexAny(s[at:], " =")
	if strings.HasPrefix(s[open:], " \\\n") { // the command goes on
		open = run(s, open+len(" \\\n"), 16, isBlank)
	}
	return userPassword(s, at, run(s, open, 8, opens))
}

// findHTTPieOption finds the password of "http -a name:password".
func findHTTPieOption(s string, at int) (start, end int, ok bool) {
	start, end, ok = findUserOption(s, at)
	return start, end, ok && hasWord(s[commandStart(s, at):at], loginTools)
}

// findAddedUser finds the password of "user add name:password".
func findAddedUser(s string, at int) (start, end int, ok bool) {
	if !strings.Contains(s[commandStart(s, at):at], "etcdctl") {
		return 0, 0, false
	}
	return userPassword(s, at, at+len("user ")+strings.IndexByte(s[at+len("user "):], ' ')+1)
}

// loginTools take "name:password" with -u or --user, so that a word is a password, too.
var loginTools = pattern.SetOf(`curl lftp etcdctl http https xh influx consul es elasticdump hey ab siege wrk
	ffuf skopeo crictl crictl ctr nerdctl podman buildah nikto sqlmap gobuster wfuzz`)

// findAttachedUser finds the password of "curl -uname:password".
func findAttachedUser(s string, at int) (start, end int, ok bool) {
	if s[at:at+3] != " -u" || !strings.Contains(s[commandStart(s, at):at], "curl") {
		return 0, 0, false
	}
	return userPassword(s, at, at+len(" -u"))
}

// userPassword finds the password of "name:password" that starts at user.
func userPassword(s string, at, user int) (start, end int, ok bool) {
	colon := run(s, user, 64, func(c byte) bool { return isDotted(c) || c == '@' })
	if colon == user || colon >= len(s) || s[colon] != ':' &&
		(s[colon] != ',' || !strings.Contains(s[commandStart(s, at):at], "lftp")) {
		return 0, 0, false
	}
	start = colon + 1
	end = run(s, start, 256, func(c byte) bool { return c > ' ' && c != '"' && c != '\'' })
	if end < len(s) && s[end] == '"' && strings.HasSuffix(s[start:end], `\`) { // in a string in quotes
		end--
	}
	if run(s, start, 256, isDigit) == end && run(s, user, 64, isDigit) == colon { // 1000:1000 is a user and its group
		return 0, 0, false
	}
	if !hasDigit(s[start:end]) && !hasWord(s[commandStart(s, at):at], loginTools) &&
		!(strings.Contains(s[at:user], "auth") && isLoneValue(s[start:end])) {
		return 0, 0, false
	}
	return start, end, end-start >= 3 && !isPlaceholder(s[start:end])
}
