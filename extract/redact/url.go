package redact

import "strings"

// urlRules find the password of "scheme://user:password@host", also where one
// slash is left of the two because the URL was taken for a path.
func urlRules() []rule {
	return []rule{
		{"url-password", ":/", findURLPassword},
		{"url-password", "%3a%2f%2f", findEncodedPassword},
		{"url-signature", "-signature=", findURLSignature},
	}
}

func findURLPassword(s string, at int) (start, end int, ok bool) {
	if at == 0 || !isAlnum(s[at-1]) {
		return 0, 0, false
	}
	user := at + len(":/")
	if user < len(s) && s[user] == '/' {
		user++
	}
	colon := run(s, user, 256, func(c byte) bool { return isURLText(c) && c != ':' && c != '@' })
	if colon < len(s) && s[colon] == '@' { // a token instead of a login
		return user, colon, colon-user >= 20 && isRandom(s[user:colon])
	}
	if colon >= len(s) || s[colon] != ':' {
		return 0, 0, false
	}
	last := run(s, colon+1, 512, isURLText)
	for last > colon && (last == len(s) || s[last] != '@') {
		last-- // the last @ before the path: a password may hold one
	}
	if last <= colon+1 || last+1 >= len(s) || !isAlnum(s[last+1]) && s[last+1] != '[' {
		return 0, 0, false
	}
	return colon + 1, last, !isPlaceholder(s[colon+1 : last])
}

// findEncodedPassword finds the password of a URL that is a part of another one.
func findEncodedPassword(s string, at int) (start, end int, ok bool) {
	end = run(s, at, 512, func(c byte) bool { return isDotted(c) || c == '%' || c == '~' })
	login, _, ok := strings.Cut(s[at+len("%3a%2f%2f"):end], "%40")
	if !ok {
		return 0, 0, false
	}
	colon := indexFold(login, "%3a")
	if colon < 0 || indexFold(login, "%2f") >= 0 {
		return 0, 0, false
	}
	start = at + len("%3a%2f%2f") + colon + len("%3a")
	end = at + len("%3a%2f%2f") + len(login)
	return start, end, end > start && !isPlaceholder(s[start:end])
}

// findURLSignature finds what makes a URL of a cloud's storage valid.
func findURLSignature(s string, at int) (start, end int, ok bool) {
	start = at + len("-signature=")
	end = run(s, start, open, func(c byte) bool { return isToken(c) || c == '%' })
	return start, end, end-start >= 32
}

// isURLText says whether a byte may stand between "://" and the path.
func isURLText(c byte) bool {
	return c > ' ' && c != '/' && c != '"' && c != '\'' && c != '`' && c != '<' && c != '>' && c != '?' && c != '\\' && c < 0x7f
}
