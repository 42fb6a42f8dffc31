package redact

import "strings"

// headerRules find credentials in HTTP headers and in options of commands.
func headerRules() []rule {
	return []rule{
		{"authorization", "authorization", findAuthorization},
		{"authorization", "bearer ", findBearer},
		{"cookie", "cookie: ", findCookie},
		{"user-password", "-u ", findUserOption},
		{"user-password", "--user ", findUserOption},
		{"user-password", "--user=", findUserOption},
		{"user-password", "--proxy-user ", findUserOption},
		{"user-password", " -u", findAttachedUser},
	}
}

func findAuthorization(s string, at int) (start, end int, ok bool) {
	value, sep := separator(s, named{start: at, end: at + len("authorization")})
	if sep != ":" && sep != "=" {
		return 0, 0, false
	}
	value += len(prefixOf(s[value:], `\"`, `"`, `'`, "`"))
	for _, scheme := range []string{"bearer ", "basic ", "token ", "apikey ", "digest ", "bot ", "negotiate "} {
		if hasPrefixFold(s[value:], scheme) {
			start = value + len(scheme)
			end = run(s, start, open, IsToken)
			return start, end, end-start >= 6 && !isPlaceholder(s[start:end]) && !isWordList(s[start:end])
		}
	}
	end = run(s, value, open, IsToken)
	return value, end, isRandom(s[value:end])
}

func findBearer(s string, at int) (start, end int, ok bool) {
	if at > 0 && isWord(s[at-1]) {
		return 0, 0, false
	}
	start = at + len("bearer ")
	end = run(s, start, open, IsToken)
	return start, end, isRandom(s[start:end])
}

// findCookie finds the values of a Cookie or Set-Cookie header up to the end of its line.
func findCookie(s string, at int) (start, end int, ok bool) {
	line := at + len("cookie: ")
	end = line
	for end < len(s) && end-line < open && s[end] != '\n' && s[end] != '"' && s[end] != '\'' {
		end++
	}
	equals := strings.IndexByte(s[line:end], '=')
	if equals < 1 || strings.ContainsAny(s[line:line+equals], " ") {
		return 0, 0, false
	}
	if semicolon := strings.IndexByte(s[line:end], ';'); semicolon > equals && at >= 4 &&
		hasPrefixFold(s[at-4:], "set-") {
		end = line + semicolon
	}
	start = line + equals + 1
	return start, end, end-start >= 12 && hasDigit(s[start:end])
}

// findUserOption finds the password of "-u name:password", as curl takes it.
func findUserOption(s string, at int) (start, end int, ok bool) {
	if at == 0 || !isSpace(s[at-1]) {
		return 0, 0, false
	}
	opens := func(c byte) bool { return isBlank(c) || c == '"' || c == '\'' || c == '=' }
	return userPassword(s, at, run(s, at+strings.IndexAny(s[at:], " ="), 8, opens))
}

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
	if colon == user || colon >= len(s) || s[colon] != ':' {
		return 0, 0, false
	}
	start = colon + 1
	end = run(s, start, 256, func(c byte) bool { return c > ' ' && c != '"' && c != '\'' })
	if run(s, start, 256, isDigit) == end && run(s, user, 64, isDigit) == colon { // 1000:1000 is a user and its group
		return 0, 0, false
	}
	if !hasDigit(s[start:end]) && !strings.Contains(s[max(0, at-200):at], "curl") {
		return 0, 0, false
	}
	return start, end, end-start >= 3 && !isPlaceholder(s[start:end])
}
