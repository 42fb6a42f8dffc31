package redact

import (
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// emails appends the e-mail addresses of a string.
func emails(s string, found []span) []span {
	for at := 0; ; at++ {
		i := strings.IndexByte(s[at:], '@')
		if i < 0 {
			return found
		}
		at += i
		if start, end, ok := findLoginAt(s, at); ok {
			found = append(found, span{start: start, end: end, rule: "user-password"})
		} else if start, end, ok := findEmail(s, at); ok {
			found = append(found, span{start: start, end: end, rule: "email"})
		}
	}
}

// findLoginAt finds the password of "name:password@host" without a scheme.
func findLoginAt(s string, at int) (start, end int, ok bool) {
	first := back(s, at, 64, func(c byte) bool { return isURLText(c) && c != ',' && c != '(' && c != '[' && c != '{' })
	name := run(s, first, 32, isDotted)
	if name == first || name >= at || s[name] != ':' || !hasLetter(s[first:name]) || at+1 >= len(s) ||
		!isAlnum(s[at+1]) {
		return 0, 0, false
	}
	return name + 1, at, s[first:name] != "mailto" && looksMade(s[name+1:at])
}

func findEmail(s string, at int) (start, end int, ok bool) {
	start = back(s, at, 65, func(c byte) bool { return isDotted(c) || c == '%' || c == '+' })
	for start < at && !isAlnum(s[start]) && s[start] != '_' {
		start++
	}
	if start == at || at-start > 64 || s[at-1] == '.' || isServiceUser(s[start:at]) {
		return 0, 0, false
	}
	host := at + 1
	end = run(s, host, 254, func(c byte) bool { return isAlnum(c) || c == '-' || c == '.' })
	for end > host && !isAlpha(s[end-1]) {
		end--
	}
	if !isDomain(s[host:end]) || end < len(s) && (s[end] == '(' || s[end] == '@' || s[end] == '_' || isDigit(s[end])) {
		return 0, 0, false
	}
	return start, end, !isUserInfo(s, start) && !isLogin(s, start, end) &&
		!isNobody(foldASCII(s[start:at]), foldASCII(s[host:end]))
}

// isNobody reports whether an address is an example: its domain is reserved for these
// (RFC 2606), and in those that people also write for real ones, its name is no person's.
func isNobody(local, domain string) bool {
	if strings.HasSuffix(domain, ".invalid") || strings.HasSuffix(domain, ".example") {
		return true
	}
	switch domain {
	case "example.com", "example.org", "example.net":
		return exampleUsers.Has(local)
	}
	return false
}

var exampleUsers = pattern.SetOf(`
	user user1 user2 test tester test1 test2 example foo bar baz you your me name email mail noreply
	no-reply admin info support hello
	contact root someone nobody username dev bot ci author committer git person customer team sales`)

// isServiceUser reports whether a local part names a login that belongs to nobody,
// as in git@github.com:owner/repository.
func isServiceUser(local string) bool { return local == "git" || local == "hg" || local == "svn" }

// isUserInfo reports whether what starts at at is the login in a URL.
func isUserInfo(s string, at int) bool {
	return strings.HasSuffix(s[:back(s, at, 256, isURLText)], "://")
}

// isLogin reports whether a name at a host is an account on another machine: before a path there, or where a command
// takes one.
func isLogin(s string, start, end int) bool {
	path := ""
	if end < len(s) && s[end] == ':' {
		path = s[end+1 : run(s, end+1, 256, isURLPath)]
	}
	if strings.HasPrefix(path, "/") && !strings.HasPrefix(path, "//") || strings.HasPrefix(path, "~/") ||
		strings.HasPrefix(path, "./") || strings.HasSuffix(path, ".git") {
		return true
	}
	first := back(s, start, 256, func(c byte) bool { return c != '\n' && c != ';' && c != '|' && c != '&' })
	words := strings.Fields(strings.TrimRight(s[first:start], "\"'`"))
	for i, word := range words {
		name := strings.TrimLeft(word, "\"'`($")
		if copying.Has(name) && path != "" || connecting.Has(name) && areOptions(words[i+1:]) {
			return true
		}
	}
	return false
}

func isURLPath(c byte) bool { return isURLText(c) || c == '/' }

// copying are the commands of which an argument is an account, ":" and a path, connecting those of which the first
// argument is an account.
var (
	copying    = pattern.SetOf("scp rsync sftp sshfs git")
	connecting = pattern.SetOf("ssh sftp mosh autossh ssh-copy-id")
)

// areOptions reports whether words are options of ssh with their values.
func areOptions(words []string) bool {
	for i := 0; i < len(words); i++ {
		option := words[i]
		if len(option) < 2 || option[0] != '-' {
			return false
		}
		if len(option) == 2 && strings.IndexByte("BbcDEeFIiJLlmOopQRSWw", option[1]) >= 0 {
			i++ // its value
		}
	}
	return true
}

// isDomain reports whether a name has labels and ends in what may be a top-level
// domain rather than in the suffix of a file, a unit or an attribute.
func isDomain(name string) bool {
	dot := strings.LastIndexByte(name, '.')
	if dot < 1 || strings.Contains(name, "..") || !isAlnum(name[0]) {
		return false
	}
	top := name[dot+1:]
	return len(top) >= 2 && len(top) <= 18 && run(top, 0, len(top), isAlpha) == len(top) &&
		!fileSuffixes.Has(lowered(top))
}

var fileSuffixes = pattern.SetOf(`
	png jpg jpeg gif svg webp avif ico pdf js ts jsx tsx mjs cjs css scss less html htm json yaml yml toml xml txt
	log lock go py rb java kt swift cpp hpp cc hh rs php cs vue svelte zip gz tgz tar whl jar so dll exe dylib bak
	tmp conf cfg ini service socket timer target slice mount scope device path transpose shape dtype values item
	items length map filter md`)
