package redact

import (
	"slices"
	"strings"
)

// Commands take passwords as options whose letters mean something else in other
// commands, so that the command has to be known.

// A shortOption is the option of commands that is followed by a password.
type shortOption struct {
	option string // with the blank before it
	// attached is true where the password follows without a blank.
	attached bool
	// commands are words of which the command line has one, and also is the word
	// that it has besides, "" if there need be none.
	commands []string
	also     string
}

var shortOptions = []shortOption{
	{" -p", true, []string{
		"mysql", "mysqldump", "mysqladmin", "mysqlimport", "mariadb", "mariadb-dump", "sshpass",
	}, ""},
	{" -p", false, []string{"sshpass"}, ""},
	{" -p", false, []string{"docker", "podman", "nerdctl", "buildah", "skopeo", "helm", "az", "oc", "cf"}, "login"},
	{" -a", false, []string{"redis-cli"}, ""},
	{" -w", false, []string{"ldapsearch", "ldapadd", "ldapmodify"}, ""},
	{" -P", false, []string{"sqlcmd", "bcp", "isql"}, ""},
}

func optionRules() []rule {
	all := []rule{
		{assigned, "--password-stdin", findEchoed},
		{assigned, "htpasswd -", findHTPasswd},
		{assigned, ":5432:", findPGPass},
	}
	for _, o := range shortOptions {
		all = append(all, rule{assigned, foldASCII(o.option), o.find})
	}
	return all
}

// findPGPass finds the password of "host:5432:database:user:password", a line of
// a .pgpass file.
func findPGPass(s string, at int) (start, end int, ok bool) {
	start = at + len(":5432:")
	for range 2 {
		field := run(s, start, 64, func(c byte) bool { return isDotted(c) || c == '*' })
		if field == start || field >= len(s) || s[field] != ':' {
			return 0, 0, false
		}
		start = field + 1
	}
	end = run(s, start, 256, func(c byte) bool { return c > ' ' })
	return start, end, end-start >= 3 && !strings.Contains(s[start:end], markerOpen)
}

// maxCommand is how far before an option its command is looked for, in bytes.
const maxCommand = 256

func (o shortOption) find(s string, at int) (start, end int, ok bool) {
	value := at + len(o.option)
	if value >= len(s) || s[at:value] != o.option || isBlank(s[value]) == o.attached {
		return 0, 0, false
	}
	before := s[commandStart(s, at):at]
	if !slices.ContainsFunc(o.commands, func(c string) bool { return strings.Contains(before, c) }) {
		return 0, 0, false
	}
	command := strings.FieldsFunc(before, func(r rune) bool { return r <= ' ' || r == '/' || r == '"' || r == '\'' })
	if !slices.ContainsFunc(o.commands, func(c string) bool { return slices.Contains(command, c) }) ||
		o.also != "" && !slices.Contains(command, o.also) {
		return 0, 0, false
	}
	return optionValue(s, value)
}

// optionValue returns the bounds of an option's value that starts behind the
// blanks at at.
func optionValue(s string, at int) (start, end int, ok bool) {
	v := readValue(s, run(s, at, 8, isBlank), "--", false)
	return v.start, v.end, len(v.text) >= 3 && v.text[0] != '-' && !isPlaceholder(v.text) &&
		(v.quoted || !isCode(v.text)) &&
		!strings.Contains(v.text, markerOpen)
}

// commandStart returns where the command starts in which at stands.
func commandStart(s string, at int) int {
	return back(s, at, maxCommand, func(c byte) bool { return c != '\n' && c != '|' && c != ';' && c != '&' })
}

// findEchoed finds what is echoed into a command that reads a password.
func findEchoed(s string, at int) (start, end int, ok bool) {
	pipe := commandStart(s, at) - 1
	if pipe < 0 || s[pipe] != '|' {
		return 0, 0, false
	}
	first := commandStart(s, pipe)
	for _, command := range []string{"echo ", "echo -n ", "printf "} {
		if i := strings.LastIndex(s[first:pipe], command); i >= 0 {
			start, end, ok = optionValue(s, first+i+len(command))
		}
	}
	return start, end, ok
}

// findHTPasswd finds the last word of "htpasswd -b <file> <user> <password>".
func findHTPasswd(s string, at int) (start, end int, ok bool) {
	words := at + len("htpasswd -")
	options := run(s, words, 8, isAlpha)
	if !strings.Contains(s[words:options], "b") {
		return 0, 0, false
	}
	skip := 2
	if strings.Contains(s[words:options], "n") { // prints instead of writing a file
		skip = 1
	}
	for range skip {
		options = run(s, run(s, options, 8, isBlank), 256, func(c byte) bool { return c > ' ' })
	}
	return optionValue(s, options)
}
