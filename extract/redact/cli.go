package redact

import (
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// Commands take passwords as options whose letters mean something else in other
// commands, or as a word at a place of their own, so that the command has to be known.

// A shortOption is the option of commands that is followed by a password.
type shortOption struct {
	option string // with the blank before it
	// attached is true where the password follows without a blank.
	attached bool
	// commands are words of which the command line has one, and also is the word
	// that it has besides, "" if there need be none.
	commands string
	also     string
}

var shortOptions = []shortOption{
	{" -p", true, "mysql mysqldump mysqladmin mysqlimport mariadb mariadb-dump mysqlsh sshpass", ""},
	{" -p", true, "7z 7za 7zr rar unrar zip2john", ""},
	{" -hp", true, "rar unrar", ""},
	{" -p", false,
		"sshpass twine rdesktop mongo mongosh mongodump mongorestore mongoexport xfreerdp winrm evil-winrm " +
			"couchbase-cli nxc crackmapexec netexec hydra plink pscp psftp ipmitool mosquitto_pub mosquitto_sub " +
			"rabbitmqadmin", ""},
	{" -p", false, "docker podman nerdctl buildah skopeo helm az oc cf ob crane oras", "login"},
	{" -P", false, "sqlcmd bcp isql zip unzip zipcloak ipmitool mosquitto_pub mosquitto_sub", ""},
	{" -P", true, "mosquitto_pub mosquitto_sub", ""},
	{" -a", false, "redis-cli valkey-cli keydb-cli", ""},
	{" -w", false, "ldapsearch ldapadd ldapmodify ldapdelete ldappasswd ldapwhoami", ""},
	{" -N", false, "ssh-keygen", ""},
	{" -P", false, "ssh-keygen", ""},
	{" -c", false, "snmpget snmpwalk snmpset snmpbulkwalk snmptable onesixtyone", ""},
	{" -pw", false, "plink pscp psftp putty", ""},
	{" -k", false, "openssl", "enc"},
	{" -W", false, "nsenter ldapvi", ""},
	{" /p:", true, "xfreerdp wfreerdp xfreerdp3 mstsc", ""},
	{" /pass:", true, "cmdkey", ""},
	{" /pass", false, "cmdkey", ""},
	{" -pass", false, "keytool jarsigner", ""},
}

// An argument is a password at a place of its own in a command line.
type argument struct {
	// command is the text that stands before the words, with a blank or what else ends it.
	command string
	// skip is how many words stand before the password; words that start with - or @ are
	// options and count for nothing.
	skip int
}

var arguments = []argument{
	{"wpa_passphrase ", 1}, {"net user ", 1}, {"ftp> user ", 1}, {"ftp> quote pass ", 0},
	{"redis-cli auth ", 0}, {"config set requirepass ", 0}, {"requirepass ", 0}, {"masterauth ", 0},
	{"enable secret ", 0}, {"enable password ", 0}, {"snmp-server community ", 0}, {"> auth ", 0},
	{"kadmin: addprinc -pw ", 0},
	{"identified by ", 0}, {"identified by password ", 0}, {"identified with mysql_native_password by ", 0},
	{"identified with caching_sha2_password by ", 0},
	{"with password ", 0}, {"encrypted password ", 0}, {"set password for ", 2}, {"wifi-sec.psk ", 0},
	{"802-11-wireless-security.psk ", 0}, {"wep-key0 ", 0}, {": psk ", 0}, {": xauth ", 0}, {": eap ", 0},
	{"convertto-securestring ", 0}, {"convertto-securestring -string ", 0},
	{"cryptsetup luksaddkey ", 9}, {"vault login ", 0}, {"npm token revoke ", 9},
	{"wifi connect ", 9}, {"add-generic-password -w ", 0}, {"set pass ", 0}, {"set password ", 0},
}

func optionRules() []rule {
	all := []rule{
		{assigned, "--password-stdin", findPiped},
		{assigned, "sudo -s", findPiped}, {assigned, "chpasswd", findPiped}, {assigned, "vncpasswd -f", findPiped},
		{assigned, "passwd --stdin", findPiped}, {assigned, "--passphrase-fd", findPiped}, {assigned, "smbpasswd",
			findPiped},
		{assigned, "cryptsetup", findPiped}, {assigned, "gh auth login", findPiped}, {assigned, "kinit", findPiped},
		{assigned, "pass insert", findPiped}, {assigned, "secrets versions add", findPiped}, {assigned,
			"secret create", findPiped},
		{assigned, "secret put", findPiped}, {assigned, "secret set", findPiped}, {assigned, "su -c", findPiped},
		{assigned, "openssl passwd", findPiped}, {assigned, "gpg ", findPiped}, {assigned, "pass:", findOpenSSL},
		{assigned, "<<<", findHereString},
		{assigned, "htpasswd -", findHTPasswd},
		{assigned, ":5432:", findPGPass},
		{assigned, "smbclient", findPercent}, {assigned, "rpcclient", findPercent}, {assigned, "mount.cifs",
			findPercent},
		{assigned, "sqlplus ", findSlashed}, {assigned, "jdbc:oracle:", findSlashed}, {assigned, "rman target ",
			findSlashed},
		{assigned, "expdp ", findSlashed}, {assigned, "impdp ", findSlashed}, {assigned, "sqlldr ", findSlashed},
		{assigned, "sqlcl ", findSlashed}, {assigned, "connect ", findSlashed}, {assigned, "psexec", findImpacket},
		{assigned, "impacket-", findImpacket}, {assigned, "secretsdump", findImpacket}, {assigned, "wmiexec",
			findImpacket},
		{assigned, "smbexec", findImpacket}, {assigned, "mssqlclient", findImpacket},
		{assigned, "\npass ", findFTP}, {assigned, "send \"", findExpected}, {assigned, "send -- \"", findExpected},
		{assigned, "[sudo] password for ", findPrompted}, {assigned, "auth ", findRedis},
		{assigned, "systemd-ask-password", findAsked}, {assigned, "net use ", findShare},
	}
	for _, o := range shortOptions {
		all = append(all, rule{assigned, foldASCII(o.option), o.find})
	}
	for _, a := range arguments {
		all = append(all, rule{assigned, a.command, a.find})
	}
	for _, prefix := range []string{"$1$", "$2a$", "$2b$", "$2y$", "$5$", "$6$", "$7$", "$y$", "$gy$", "$apr1$",
		"$argon2", "$pbkdf2", "$scrypt$", "{ssha}", "{bcrypt}$", "{crypt}$", "{pbkdf2}"} {
		all = append(all, rule{"password-hash", prefix, findHash})
	}
	return all
}

// findHash finds the hash of a password as crypt(3) and htpasswd write it.
func findHash(s string, at int) (start, end int, ok bool) {
	if at > 0 && isAlnum(s[at-1]) {
		return 0, 0, false
	}
	end = run(s, at+1, 512, func(c byte) bool { return isBase64(c) || strings.IndexByte("$.-_,}", c) >= 0 })
	for end > at && s[end-1] == '.' && end < len(s) && isSpace(s[end]) && end-at < 40 {
		end--
	}
	return at, end, end-at >= 16 && (strings.Count(s[at:end], "$") >= 2 && hasLetter(s[at+3:end]) ||
		s[at] == '{' && end-at >= 24)
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
	if !o.takes(before) {
		return 0, 0, false
	}
	return optionValue(s, value)
}

// takes reports whether a command line has a command of the option.
func (o shortOption) takes(before string) bool {
	possible := false
	for name := range strings.SplitSeq(o.commands, " ") {
		possible = possible || strings.Contains(before, name)
	}
	if !possible {
		return false
	}
	words := strings.FieldsFunc(before, func(r rune) bool {
		return r <= ' ' || r == '/' || r == '"' || r == '\'' ||
			r == '(' || r == '`'
	})
	known := false
	for _, w := range words {
		known = known || strings.Contains(" "+o.commands+" ", " "+w+" ")
	}
	return known && (o.also == "" || slices.Contains(words, o.also))
}

// optionValue returns the bounds of an option's value that starts behind the
// blanks at at.
func optionValue(s string, at int) (start, end int, ok bool) {
	v := readValue(s, run(s, at, 8, isBlank), "--", false)
	return v.start, v.end, len(v.text) >= 3 && (v.text[0] != '-' || v.quoted) && !isPlaceholder(v.text) &&
		(v.quoted && !isTemplate(v.text) || !v.quoted && !isReference(v.text)) &&
		!strings.Contains(v.text, markerOpen)
}

func (a argument) find(s string, at int) (start, end int, ok bool) {
	if at > 0 && isWord(s[at-1]) && isAlpha(s[at]) {
		return 0, 0, false
	}
	word := at + len(a.command)
	for skip := a.skip; ; {
		word = run(s, word, 8, isBlank)
		next := run(s, word, 256, func(c byte) bool { return c > ' ' })
		if next == word || word >= len(s) {
			return 0, 0, false
		}
		first := s[word:next]
		if first[0] == '-' || first[0] == '/' && len(first) > 2 && isAlpha(first[1]) ||
			strings.HasPrefix(first, "@'") || isLevel(first) {
			word = next
			continue
		}
		if skip == 0 {
			break
		}
		skip--
		word = next
	}
	start, end, ok = optionValue(s, word)
	text := s[start:max(start, end)]
	low := strings.ToLower(text)
	if !ok || words().idle[low] || words().gaps[low] || words().names[low] != harmless || len(text) < 4 {
		return 0, 0, false
	}
	quoted := start > word
	return start, end, quoted || !isWordy(text) || a.exact(s, at, end)
}

// exact reports whether a command stands at the start of a line and its password at its
// end, so that a word is one too.
func (a argument) exact(s string, at, end int) bool {
	before := at == 0 || s[at-1] == '\n' || s[at-1] == '>' || at > 1 && s[at-2] == '$'
	return before && (end >= len(s) || s[end] == '\n' || s[end] == '\r')
}

// isLevel reports whether a word is the number of how a password is encrypted.
func isLevel(word string) bool { return len(word) == 1 && isDigit(word[0]) }

// commandStart returns where the command starts in which at stands.
func commandStart(s string, at int) int {
	return back(s, at, maxCommand, func(c byte) bool { return c != '\n' && c != '|' && c != ';' && c != '&' })
}

// findPiped finds what is echoed into a command that reads a password, alone or behind
// "login:".
func findPiped(s string, at int) (start, end int, ok bool) {
	first := commandStart(s, at)
	pipe := first - 1
	if pipe < 0 || s[pipe] != '|' {
		return 0, 0, false
	}
	first = commandStart(s, pipe)
	for _, command := range []string{"echo ", "echo -n ", "echo -e ", "printf ", "printf '%s' ", "printf '%s\\n' ",
		"printf %s ", `printf "%s\n" `} {
		if i := strings.LastIndex(s[first:pipe], command); i >= 0 {
			if from, to, found := optionValue(s, first+i+len(command)); found && s[from] != '%' {
				start, end, ok = from, to, true
			}
		}
	}
	if !ok {
		return 0, 0, false
	}
	if colon := strings.IndexByte(s[start:end], ':'); colon > 0 &&
		strings.Contains(s[pipe:min(len(s), at+16)], "chpasswd") {
		start += colon + 1
	}
	for _, escape := range []string{`\n`, `\r`} {
		if i := strings.Index(s[start:end], escape); i > 2 {
			end = start + i
		}
	}
	return start, end, end-start >= 3
}

// readers read a secret from their input.
var readers = pattern.New(`\b(?:passwd|chpasswd|kinit|sudo|su|pass|openssl|gpg|login|cryptsetup|` +
	`vncpasswd|htpasswd|smbpasswd|secret|secrets|vault|keyctl|ssh-add|docker|podman|kadmin|ecryptfs|pw|` +
	`store|security|op|gopass)\b`)

// findHereString finds the text that a command that reads a secret is given with <<<.
func findHereString(s string, at int) (start, end int, ok bool) {
	if !readers.Match(s[commandStart(s, at):at]) {
		return 0, 0, false
	}
	start, end, ok = optionValue(s, at+len("<<<"))
	if ok && strings.Contains(s[commandStart(s, at):at], "chpasswd") {
		start += strings.IndexByte(s[start:end], ':') + 1
	}
	return start, end, ok
}

// findOpenSSL finds the password of "-passin pass:value".
func findOpenSSL(s string, at int) (start, end int, ok bool) {
	before := s[commandStart(s, at):at]
	if !strings.Contains(before, "-pass") {
		return 0, 0, false
	}
	start = at + len("pass:")
	if at > 0 && (s[at-1] == '"' || s[at-1] == '\'') {
		if n := strings.IndexByte(s[start:min(len(s), start+256)], s[at-1]); n > 0 {
			return start, start + n, !isPlaceholder(s[start : start+n])
		}
	}
	return optionValue(s, start)
}

// findPercent finds the password of "-U name%password".
func findPercent(s string, at int) (start, end int, ok bool) {
	line := s[at:lineEnd(s, at)]
	option := strings.Index(line, "-U")
	if option < 0 {
		return 0, 0, false
	}
	word := run(s, at+option+len("-U"), 4, func(c byte) bool { return isBlank(c) || c == '"' || c == '\'' })
	name := run(s, word, 64, func(c byte) bool { return isDotted(c) || c == '\\' || c == '/' || c == '@' })
	if name == word || name >= len(s) || s[name] != '%' {
		return 0, 0, false
	}
	end = run(s, name+1, 128, func(c byte) bool { return c > ' ' && c != '"' && c != '\'' })
	return name + 1, end, end-name > 3 && !isPlaceholder(s[name+1:end])
}

// findSlashed finds the password of "name/password@database".
func findSlashed(s string, at int) (start, end int, ok bool) {
	line := s[at:lineEnd(s, at)]
	for from := 0; ; {
		slash := strings.IndexByte(line[from:], '/')
		if slash < 0 {
			return 0, 0, false
		}
		slash += from
		name := back(line, slash, 64, func(c byte) bool { return isWord(c) || c == '$' || c == '#' })
		if name < slash && name > 0 && (isBlank(line[name-1]) || line[name-1] == ':' || line[name-1] == '"' ||
			line[name-1] == '\'') {
			start = at + slash + 1
			end = run(s, start, 128, func(c byte) bool { return c > ' ' && c != '"' && c != '\'' && c != '/' })
			if last := strings.LastIndexByte(s[start:end], '@'); last > 0 {
				return start, start + last, last >= 3 && !isPlaceholder(s[start:start+last])
			}
		}
		from = slash + 1
	}
}

// findImpacket finds the password of "domain/name:password@host".
func findImpacket(s string, at int) (start, end int, ok bool) {
	word := run(s, at, 64, func(c byte) bool { return c > ' ' })
	line := s[word:lineEnd(s, word)]
	colon := strings.IndexByte(line, ':')
	last := strings.LastIndexByte(line, '@')
	if colon < 1 || last < colon+3 || strings.ContainsAny(line[colon:last], " ") ||
		strings.HasPrefix(line[colon:], "://") {
		return 0, 0, false
	}
	return word + colon + 1, word + last, !isPlaceholder(line[colon+1 : last])
}

// findFTP finds the password of the command PASS, behind that with the name.
func findFTP(s string, at int) (start, end int, ok bool) {
	if !strings.Contains(s[max(0, at-80):at], "USER ") || s[at:at+6] != "\nPASS " {
		return 0, 0, false
	}
	return optionValue(s, at+len("\nPASS "))
}

// findExpected finds what a script of expect sends when it was asked for a password.
func findExpected(s string, at int) (start, end int, ok bool) {
	if before := foldASCII(s[max(0, at-160):at]); !strings.Contains(before, "assword") &&
		!strings.Contains(before, "passphrase") &&
		!strings.Contains(before, "pin") && !strings.Contains(before, "otp") {
		return 0, 0, false
	}
	open := at + strings.IndexByte(s[at:], '"')
	n := strings.IndexByte(s[open+1:min(len(s), open+256)], '"')
	if n < 0 {
		return 0, 0, false
	}
	text := s[open+1 : open+1+n]
	for _, escape := range []string{`\r`, `\n`} {
		text = strings.TrimSuffix(text, escape)
	}
	return open + 1, open + 1 + len(text), len(text) >= 3 && !isPlaceholder(text) && !isReference(text)
}

// findPrompted finds what was typed behind a prompt of sudo.
func findPrompted(s string, at int) (start, end int, ok bool) {
	line := s[at:lineEnd(s, at)]
	colon := strings.IndexByte(line, ':')
	if colon < 0 {
		return 0, 0, false
	}
	start, end, ok = optionValue(s, at+colon+1)
	return start, end, ok && end <= at+len(line)
}

// findRedis finds the password of the command AUTH of Redis, which a name may precede.
func findRedis(s string, at int) (start, end int, ok bool) {
	if s[at:at+5] != "AUTH " || at > 0 && s[at-1] != '\n' && s[at-1] != '"' && !strings.HasSuffix(s[:at], "> ") {
		return 0, 0, false
	}
	word := run(s, at+5, 8, isBlank)
	next := run(s, word, 128, func(c byte) bool { return c > ' ' })
	if behind := run(s, next, 2, isBlank); next > word && behind > next && behind < len(s) && isSecretByte(s[behind]) &&
		isWordy(s[word:next]) {
		word = behind
	}
	start, end, ok = optionValue(s, word)
	return start, end, ok && (!isWordy(s[start:end]) || end >= len(s) || s[end] == '\n') &&
		strings.ToUpper(s[start:end]) != s[start:end]
}

// findShare finds the password of "net use x: \\server\share password".
func findShare(s string, at int) (start, end int, ok bool) {
	share := strings.Index(s[at:lineEnd(s, at)], `\\`)
	if share < 0 {
		return 0, 0, false
	}
	start, end, ok = optionValue(s, run(s, at+share, 256, isSecretByte))
	return start, end, ok && s[start] != '/' && s[start] != '*'
}

// findAsked finds the answer to systemd-ask-password, behind an arrow.
func findAsked(s string, at int) (start, end int, ok bool) {
	line := s[at:lineEnd(s, at)]
	arrow := strings.Index(line, "→")
	if arrow < 0 {
		return 0, 0, false
	}
	return optionValue(s, at+arrow+len("→"))
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
