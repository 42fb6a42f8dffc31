package redact

import (
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// Commands read a password from their input: a pipe, a here-string, a here-document, or a
// file that is the output of another command.

// stdinReaders are parts of commands that read a password from their input, in lower case.
var stdinReaders = []string{
	"--password-stdin", "sudo -s", "chpasswd", "vncpasswd", "passwd ", "--passphrase-fd", "smbpasswd", "cryptsetup",
	"gh auth login", "kinit", "pass insert", "secrets versions add", "secret create", "secret put", "secret set",
	"su -c", "openssl passwd", "gpg ", "password_stdin", "passwd-on-stdin", "-pass stdin", "--with-token",
	"--token-stdin", "--stdin-pass", "kubeseal", "secrets create",
}

// findPiped finds what is echoed into a command that reads a password, alone or behind
// "login:".
func findPiped(s string, at int) (start, end int, ok bool) {
	first := commandStart(s, at)
	pipe := first - 1
	if pipe < 0 || s[pipe] != '|' {
		return 0, 0, false
	}
	return echoed(s, commandStart(s, pipe), pipe, strings.Contains(s[pipe:min(len(s), at+16)], "chpasswd"))
}

// echoed returns the text that echo or printf prints between from and to; a login and its
// colon may stand before it.
func echoed(s string, from, to int, behindLogin bool) (start, end int, ok bool) {
	command := s[from:to]
	word := -1
	for _, name := range []string{"echo ", "printf "} {
		if i := strings.LastIndex(command, name); i >= 0 {
			word = from + i + len(name)
		}
	}
	if word < 0 {
		return 0, 0, false
	}
	format := false
	for word < to {
		word = run(s, word, 8, isBlank)
		next := min(to, argumentEnd(s, word))
		text := s[word:next]
		if strings.HasPrefix(text, "-") && len(text) <= 3 || strings.Contains(text, "%s") || text == "--" {
			format = format || strings.Contains(text, "%s")
			word = next
			continue
		}
		if next > word {
			start, end, ok = optionValue(s, word)
		}
		break
	}
	if !ok || end > to {
		return 0, 0, false
	}
	if colon := strings.IndexByte(s[start:end], ':'); colon > 0 && behindLogin && !format {
		start += colon + 1
	}
	for strings.HasSuffix(s[start:end], `\n`) || strings.HasSuffix(s[start:end], `\r`) {
		end -= len(`\n`)
	}
	return start, end, end-start >= 3
}

// readers read a secret from their input.
var readers = pattern.New(`\b(?:passwd|chpasswd|kinit|sudo|su|pass|openssl|gpg|login|cryptsetup|` +
	`vncpasswd|htpasswd|smbpasswd|secret|secrets|vault|keyctl|ssh-add|docker|podman|kadmin|ecryptfs|pw|` +
	`store|security|op|gopass|ldap\w+|openconnect|vpn|sshfs|restic|borg)\b|stdin|pass`)

// filters read other strings from their input.
var filters = pattern.New(`\b(?:grep|egrep|rg|cat|jq|yq|sed|awk|read|tr|wc|bc|dc|python3?|node|base64|xxd|od|hexdump|` +
	`sort|cut|head|tail|tee|diff|md5sum|sha\d*sum|xargs|column|fold|rev|bash|sh|psql|mysql|sqlite3|mapfile)\b`)

// findHereString finds the text that a command that reads a secret is given with <<<. A
// shell uses only the last one of a command, so few are looked at.
func findHereString(s string, at int) (start, end int, ok bool) {
	if at > 0 && s[at-1] == '<' {
		return 0, 0, false
	}
	command := s[commandStart(s, at):at]
	if strings.Count(command, "<<<") > 2 {
		return 0, 0, false
	}
	start, end, ok = optionValue(s, at+len("<<<"))
	if !ok || !readers.Match(command) && (!isChosen(s[start:end]) || filters.Match(command)) {
		return 0, 0, false
	}
	if strings.Contains(command, "chpasswd") {
		start += strings.IndexByte(s[start:end], ':') + 1
	}
	return start, end, true
}

// findSubstituted finds what <(echo …) puts into a file that an option of a secret takes.
func findSubstituted(s string, at int) (start, end int, ok bool) {
	option := foldASCII(lineBefore(s, at))
	option = option[strings.LastIndexByte(strings.TrimRight(option, " "), ' ')+1:]
	if !namesSecret(option) && !containsAny(option, []string{"pass", "pwd", "key", "psk"}) {
		return 0, 0, false
	}
	closes := strings.IndexByte(s[at:lineEnd(s, at)], ')')
	if closes < 0 {
		return 0, 0, false
	}
	start, end, ok = echoed(s, at, at+closes, false)
	if last := strings.LastIndex(s[start:end], `\n`); ok && last > 0 && strings.Contains(option, "user") {
		start += last + len(`\n`) // behind the login
	}
	if end > start && s[end-1] == ')' {
		end--
	}
	return start, end, ok && end-start >= 3
}

// maxHereLines bounds the lines of a here-document that are looked at.
const maxHereLines = 64

// hereDocuments appends what the lines of a here-document give a command that reads
// passwords: each behind "login:" for chpasswd, else each as a whole.
func hereDocuments(s string, at int, found []span) []span {
	if at > 0 && isWord(s[at-1]) {
		return found
	}
	line := lineEnd(s, at)
	open := strings.Index(s[at:line], "<<")
	if open < 0 || strings.HasPrefix(s[at+open:], "<<<") || line >= len(s) {
		return found
	}
	mark := strings.Trim(strings.TrimLeft(s[at+open+len("<<"):line], "- "), "\"'\\ \r")
	mark, _, _ = strings.Cut(mark, " ")
	pairs := strings.Contains(s[at:at+open], "chpasswd")
	for next, i := line+1, 0; next < len(s) && i < maxHereLines; i++ {
		end := lineEnd(s, next)
		text := strings.TrimSpace(s[next:end])
		if mark == "" || text == strings.Trim(mark, "\"'") || strings.Contains(text, "<<") {
			break
		}
		start := next + strings.Index(s[next:end], text)
		if colon := strings.IndexByte(text, ':'); pairs && colon > 0 {
			start, text = start+colon+1, text[colon+1:]
		}
		if len(text) >= 3 && !strings.Contains(text, " ") && !isPlaceholder(text) && !isReference(text) &&
			!strings.Contains(text, markerOpen) {
			found = append(found, span{start, start + len(text), assigned})
		}
		next = end + 1
	}
	return found
}

// hereReaders are the commands whose here-document is nothing but passwords, in lower case.
var hereReaders = []string{"chpasswd", "passwd ", "smbpasswd", "kinit ", "sudo -s", "cryptsetup ", "vncpasswd"}

// secretDocument appends the lines of a here-document that becomes the value of a variable with the name of a secret,
// or a file with such a name.
func secretDocument(s string, at int, found []span) []span {
	line := lineEnd(s, at)
	open := strings.Index(s[at:line], "<<")
	if open < 0 || strings.HasPrefix(s[at+open:], "<<<") || line >= len(s) {
		return found
	}
	about := lineBefore(s, at) + s[at:at+open]
	if eq := strings.LastIndexByte(about, '='); eq >= 0 {
		about = about[:eq]
	}
	last := strings.Trim(lastWordOf(strings.TrimRight(about, " ")), `"'>(`)
	last = last[strings.LastIndexByte(last, '/')+1:]
	if nameKind(last) == harmless && !containsAny(foldASCII(last), []string{"passw", "passphrase", ".pw", "secret",
		"token"}) ||
		strings.HasSuffix(last, ".yaml") || strings.HasSuffix(last, ".yml") || strings.HasSuffix(last, ".json") {
		return found
	}
	mark := strings.Trim(s[at+open+len("<<"):line], "-'\"\\ \r")
	mark, _, _ = strings.Cut(mark, " ")
	mark = strings.Trim(mark, `'")`)
	for next, i := line+1, 0; next < len(s) && i < maxHereLines && mark != ""; i++ {
		end := lineEnd(s, next)
		text := strings.TrimRight(s[next:end], " \r")
		if strings.TrimSpace(text) == mark || strings.Contains(text, "<<") {
			break
		}
		if len(text) >= 4 && !isReference(text) && !isTemplate(text) && !strings.Contains(text, markerOpen) &&
			!strings.ContainsAny(text, "=:{}") {
			found = append(found, span{next, next + len(text), assigned})
		}
		next = end + 1
	}
	return found
}

func hereRules() []manyRule {
	all := make([]manyRule, 0, len(hereReaders)+2)
	all = append(all, manyRule{"cat <<", secretDocument}, manyRule{"cat >", secretDocument}, manyRule{"tee ",
		secretDocument})
	for _, reader := range hereReaders {
		all = append(all, manyRule{reader, hereDocuments})
	}
	return all
}
