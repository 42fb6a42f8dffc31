package redact

import "strings"

// urlRules find the password of "scheme://user:password@host", also where one
// slash is left of the two because the URL was taken for a path.
func urlRules() []rule {
	return []rule{
		{"url-password", ":/", findURLPassword},
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
	if colon < len(s) && s[colon] == '@' { // a token instead of a login, or the login is an address
		if stop := run(s, colon, 512, isURLText); strings.IndexByte(s[colon+1:stop], '@') > 0 {
			name := run(s, colon+1, 256, func(c byte) bool { return isDotted(c) })
			last := strings.LastIndexByte(s[:stop], '@')
			return name + 1, last, name < last && s[name] == ':' && !isPlaceholder(s[name+1:last])
		}
		return user, colon, colon-user >= 20 && isRandom(s[user:colon])
	}
	if colon >= len(s) || s[colon] != ':' {
		return 0, 0, false
	}
	last := run(s, colon+1, 512, isURLText)
	for last > colon && (last == len(s) || s[last] != '@') {
		last-- // the last @ before the path: a password may hold one
	}
	if last <= colon+1 || last+1 >= len(s) || !isAlnum(s[last+1]) && strings.IndexByte("[{$", s[last+1]) < 0 ||
		!isAlnum(s[last+1]) && s[last+1] != '[' &&
			strings.ContainsAny(s[colon+1:last], "{$") { // filled in by a program
		return 0, 0, false
	}
	return colon + 1, last, !isPlaceholder(s[colon+1 : last])
}

// findURLSignature finds what makes a URL of a cloud's storage valid.
func findURLSignature(s string, at int) (start, end int, ok bool) {
	start = at + len("-signature=")
	end = run(s, start, open, func(c byte) bool { return IsToken(c) || c == '%' })
	return start, end, end-start >= 32
}

// isURLText reports whether a byte may stand between "://" and the path.
func isURLText(c byte) bool {
	return c > ' ' && c != '/' && c != '"' && c != '\'' && c != '`' && c != '<' && c != '>' && c != '?' && c != '\\' &&
		c < 0x7f
}
