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
		"sshpass twine rdesktop mongo mongosh mongodump mongorestore mongoexport mongoimport mongostat mongofiles " +
			"xfreerdp winrm evil-winrm couchbase-cli cbq nxc crackmapexec netexec hydra medusa smbmap plink " +
			"pscp psftp " +
			"ipmitool racadm ilorest redfishtool mosquitto_pub mosquitto_sub beeline impala-shell " +
			"rabbitmqadmin cqlsh " +
			"cypher-shell nebula-console hdbsql youtube-dl yt-dlp gallery-dl instaloader altool notarytool " +
			"unlock-keychain create-keychain set-keychain-password influx veracrypt psexec psexec64 psexec.exe " +
			"paexec " +
			"pskill pslist psservice ncftp ncftpput ncftpget ncftpls jmxterm openfortivpn msoffcrypto-tool aescrypt " +
			"steghide mutool mydumper myloader useradd usermod certutil samba-tool bloodhound-python " +
			"ldapdomaindump winrs fence_ipmilan", ""},
	{" -p", false, "docker podman nerdctl buildah skopeo helm az oc cf ob crane oras ibmcloud faas-cli regctl cx",
		"login"},
	{" -p", false, "dotnet nuget", "source"},
	{" -pw", false, "nodetool blat", ""},
	{" -pwd", false, "dsadd dsmod", ""},
	{" -pass", false, "mailsend", ""},
	{" -passwd", false, "x11vnc", ""},
	{" -passphrase", false, "hdiutil diskutil", ""},
	{" -xp", false, "sendemail", ""},
	{" -ap", false, "swaks sipp", ""},
	{" -upw", false, "pdftotext pdftoppm pdfinfo pdfimages pdftops", ""},
	{" -opw", false, "pdftotext pdftoppm pdfinfo pdfimages pdftops", ""},
	{" -g", true, "arj", ""},
	{" -k", false, "mcrypt outguess choco", ""},
	{" -K", false, "ccrypt ccdecrypt ccencrypt", ""},
	{" -w", false, "vsql", ""}, {" -p:", true, "winrm winrs", ""}, {" -P", true, "ipmitool sqlcmd bcp", ""},
	{" -w", true, "ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami ldappasswd", ""},
	{" -new", false, "keytool", ""},
	{" -s", false, "slappasswd", ""},
	{" -P", false, "gobuster mqttx", ""},
	{" -P", false, "sqlcmd bcp isql osql tsql freebcp zip unzip zipcloak ipmitool mosquitto_pub mosquitto_sub", ""},
	{" -P", false, "security pkcs12-import", "import"},
	{" -P", true, "mosquitto_pub mosquitto_sub", ""},
	{" -a", false, "redis-cli valkey-cli keydb-cli", ""},
	{" -w", false, "ldapsearch ldapadd ldapmodify ldapdelete ldappasswd ldapwhoami kadmin add-generic-password " +
		"add-internet-password", ""},
	{" -N", false, "ssh-keygen", ""},
	{" -P", false, "ssh-keygen", ""},
	{" -c", false, "snmpget snmpwalk snmpset snmpbulkwalk snmptable onesixtyone", ""},
	{" -A", false, snmpTools, ""},
	{" -X", false, snmpTools, ""},
	{" -pw", false, "plink pscp psftp putty addprinc cpw change_password", ""},
	{" -k", false, "openssl", "enc"},
	{" -K", false, "openssl", "enc"},
	{" -k", false, "nuget", "push"},
	{" -W", false, "nsenter ldapvi", ""},
	{" -b", true, "gh", "secret"},
	{" -b", false, "gh", "secret"},
	{" /p:", true, "xfreerdp wfreerdp xfreerdp3 mstsc", ""},
	{" /p", false, "signtool certutil", ""},
	{" /pass:", true, "cmdkey", ""},
	{" /pass", false, "cmdkey", ""},
	{" /rp", false, "schtasks", ""},
	{" -s", false, "ldappasswd", ""},
	{" -pass", false, "keytool jarsigner", ""},
	{" -P", true, "isql tsql freebcp osql", ""},
	{" --oauth2-bearer", false, "curl", ""},
	{" --key", false, "gem", "push"}, {" -k", false, "gem", "push"},
	{" -t", false, "codecov doctl snyk", ""},
	{" key=", true, "netsh hostednetwork", ""}, {".key=", true, "uci", ""},
	{" key", false, "radius-server tacacs-server", ""},
	{" -p", false, anyWithLogin, ""},
	{" -P", false, anyWithLogin, ""},
	{" -w", false, anyWithLogin, ""},
}

const (
	snmpTools = "snmpget snmpwalk snmpset snmpbulkwalk snmptable snmptrap snmpgetnext snmpbulkget snmpusm snmpinform"
	// anyWithLogin is for every command in which the option of a login stands before; the
	// value must look like a password.
	anyWithLogin = ""
)

// An argument is a password at a place of its own in a command line.
type argument struct {
	// command is the text that stands before the words, with a blank or what else ends it.
	command string
	// skip is how many words stand before the password; words that start with - or @ are
	// options and count for nothing. lastWord is the last one of the command.
	skip int
	// form is the form of the words that may be the password.
	form wordForm
}

// A wordForm is the form of the words that may be a password at a place.
type wordForm int

const (
	// inProse is for commands that are words of sentences, too: a word of a language is a
	// password only where a line consists of the command.
	inProse wordForm = iota
	// anyWord is for commands that are nothing else.
	anyWord
	// chosen is for places where other things stand: it must look like a password.
	chosen
)

const lastWord = -1

var arguments = []argument{
	{"nuget push ", 1, chosen}, {"nuget.exe push ", 1, chosen}, {" key s:", 0, anyWord}, {"config password ", 2,
		anyWord}, {"passwd -new ", 0, anyWord}, {"walletpassphrase ", 0, anyWord},
	{"encryptwallet ", 0, anyWord}, {"samba-tool user create ", 1, anyWord}, {"samba-tool user add ", 1, anyWord},
	{"addauth digest ", 0, chosen}, {"password 0 ", 0, anyWord}, {"password 7 ", 0, anyWord}, {"secret 0 ", 0, anyWord},
	{"secret 5 ", 0, anyWord}, {"key 7 ", 0, chosen}, {"key 0 ", 0, chosen}, {"pre-shared-key ascii-text ", 0, anyWord},
	{"pre-shared-key local ", 0, anyWord}, {"pre-shared-key remote ", 0, anyWord},
	{"authentication-key 1 md5 ", 0, anyWord}, {"message-digest-key 1 md5 ", 0, anyWord}, {"plaintext-password ", 0,
		anyWord},
	{"-again password ", 0, anyWord}, {"/user-password password ", 0, anyWord}, {"/root-password password ", 0,
		anyWord},
	{"rootpw --plaintext ", 0, anyWord}, {"--password --plaintext ", 0, anyWord},
	{"wpa_passphrase ", 1, anyWord}, {"user_pw ", 0, anyWord}, {"owner_pw ", 0, anyWord},
	{"qpdf --encrypt ", 0, anyWord}, {"qpdf --encrypt ", 1, anyWord}, {"tacacs-server key ", 0, anyWord},
	{"privilege 15 secret ", 0, anyWord}, {"privilege 15 password ", 0, anyWord}, {"shell input text ", 0, chosen},
	{"net user ", 1, inProse}, {"ftp> user ", 1, anyWord},
	{"quote pass ", 0, anyWord},
	{"redis-cli auth ", 0, anyWord}, {"requirepass ", 0, inProse}, {"masterauth ", 0, inProse},
	{"auth_pass ", 0, inProse},
	{"enable secret ", 0, inProse}, {"enable password ", 0, inProse}, {"snmp-server community ", 0, anyWord},
	{" auth md5 ", 0, anyWord}, {" auth sha ", 0, anyWord}, {" priv aes ", 0, anyWord}, {" priv des ", 0, anyWord},
	{"key-string ", 0, anyWord}, {"> auth ", 0, inProse},
	{"identified by ", 0, inProse}, {"identified by password ", 0, inProse},
	{"identified with mysql_native_password by ", 0, anyWord},
	{"identified with caching_sha2_password by ", 0, anyWord},
	{"with password ", 0, inProse}, {"encrypted password ", 0, inProse}, {"set password for ", 2, inProse},
	{"wifi-sec.psk ", 0, anyWord}, {"802-11-wireless-security.psk ", 0, anyWord}, {"wep-key0 ", 0, anyWord},
	{": psk ", 0, inProse}, {": xauth ", 0, inProse}, {": eap ", 0, inProse},
	{"-setairportnetwork ", 2, anyWord}, {" key 0:", 0, chosen},
	{"convertto-securestring ", 0, inProse}, {"convertto-securestring -string ", 0, anyWord},
	{"vault login ", 0, inProse}, {"operator unseal ", 0, chosen}, {"cargo login ", 0, inProse},
	{"setapikey ", 0, anyWord}, {"rclone obscure ", 0, anyWord},
	{"add-generic-password -w ", 0, anyWord}, {"set pass ", 0, inProse}, {"set password ", 0, inProse},
	{"rabbitmqctl add_user ", 1, anyWord}, {"rabbitmqctl change_password ", 1, anyWord},
	{"bw login ", 1, anyWord}, {"op signin ", 3, anyWord},
	{"config set requirepass ", 0, anyWord}, {"config set masterauth ", 0, anyWord}, {"pypi-token.", 1, anyWord},
	{"db2 connect to ", 4, anyWord}, {"pragma key = ", 0, anyWord}, {"pragma key=", 0, anyWord},
	{"pragma rekey = ", 0, anyWord}, {"set-agent-token ", 1, anyWord}, {"input_pw ", 0, anyWord},
	{"passwordeval 'echo ", 0, anyWord}, {"passwordeval \"echo ", 0, anyWord}, {"mosquitto_passwd -b ", 2, anyWord},
	{"mosquitto_passwd -c -b ", 2, anyWord}, {"-dsonar.login=", 0, anyWord}, {"-dsonar.password=", 0, anyWord},
	{"config host add ", 3, anyWord}, {"ngrok authtoken ", 0, anyWord}, {"add-authtoken ", 0, anyWord},
	{"cloudflared service install ", 0, anyWord}, {"wandb login ", 0, anyWord},
	{"jwt.encode payload, ", 0, anyWord}, {"jwt.decode token, ", 0, anyWord}, {"--encrypt ", 0, chosen},
	{"radius-server key ", 0, anyWord}, {"tacacs-server host ", 2, anyWord}, {"isakmp key ", 0, anyWord},
	{"psk ascii ", 0, anyWord}, {"server-key ", 0, chosen}, {"user set password ", 0, anyWord}, {" priv aes 128 ", 0,
		anyWord},
	{" priv aes 256 ", 0, anyWord}, {"isql ", 2, chosen}, {"alias set ", 3, anyWord},
	{"http-basic.", 2, anyWord}, {"-oauth.", 1, anyWord}, {"gitlab-token.", 1, chosen},
	{"ansible-vault encrypt_string ", 0, anyWord}, {"ansible-vault encrypt_string --name ", 1, anyWord},
	{"hash-password --plaintext ", 0, anyWord}, {"bw unlock ", 0, inProse}, {"user-secrets set ", 1, anyWord},
	{"mkpasswd ", lastWord, anyWord}, {"openssl passwd ", lastWord, anyWord}, {"smbclient //", 1, chosen},
	{"smbclient \\\\", 1, chosen}, {"useradd -p ", 0, chosen}, {"bindpw ", 0, anyWord}, {"rootpw ", 0, anyWord},
}

func optionRules() []rule {
	all := []rule{
		{assigned, "pass:", findOpenSSL}, {assigned, "<<<", findHereString},
		{assigned, "<(echo ", findSubstituted}, {assigned, "<(printf ", findSubstituted},
		{assigned, "htpasswd -", findHTPasswd},
		{assigned, ":5432:", findPGPass}, {assigned, ":*:", findPGPass}, {assigned, "@tcp(", findDSN},
		{assigned, "@unix(", findDSN}, {assigned, "-u ", findPercent}, {assigned, "--user=", findPercent},
		{assigned, "user=", findPercent}, {assigned, " on >", findRedisRule},
		{assigned, "sqlplus ", findSlashed}, {assigned, "jdbc:oracle:", findSlashed}, {assigned, "rman target ",
			findSlashed},
		{assigned, "expdp ", findSlashed}, {assigned, "impdp ", findSlashed}, {assigned, "sqlldr ", findSlashed},
		{assigned, "sqlcl ", findSlashed}, {assigned, "connect ", findSlashed}, {assigned, "psexec", findImpacket},
		{assigned, "impacket-", findImpacket}, {assigned, "secretsdump", findImpacket}, {assigned, "wmiexec",
			findImpacket},
		{assigned, "smbexec", findImpacket}, {assigned, "mssqlclient", findImpacket}, {assigned, "sftp ", findImpacket},
		{assigned, "lftp ", findImpacket}, {assigned, "oracle.connect(", findSlashed},
		{assigned, "oracledb.connect(", findSlashed},
		{assigned, "\npass ", findFTP}, {assigned, "\nuser ", findFTPLogin}, {assigned, "send \"", findExpected},
		{assigned, "send -- \"", findExpected},
		{assigned, "[sudo] password for ", findPrompted}, {assigned, "auth ", findRedis},
		{assigned, "convertto-securestring", findSecured}, {assigned, "systemd-ask-password", findAsked}, {assigned,
			"net use ", findShare},
	}
	for _, option := range valueOptions {
		all = append(all, rule{assigned, option, func(s string, at int) (start, end int, ok bool) {
			return findNamedValue(s, at, at+len(option))
		}})
	}
	for _, reader := range stdinReaders {
		all = append(all, rule{assigned, reader, findPiped})
	}
	for _, o := range shortOptions {
		all = append(all, rule{assigned, foldASCII(o.option), o.find})
	}
	for _, option := range []string{"-p", "-w", "-a", "-pw", "-pass", "-passwd"} {
		for _, quote := range []string{`"`, "'"} {
			for _, separator := range []string{", ", ","} {
				trigger := quote + option + quote + separator + quote
				all = append(all, rule{assigned, trigger, func(s string, at int) (start, end int, ok bool) {
					return findListedOption(s, at, at+len(trigger))
				}})
			}
		}
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

// valueOptions give the value of what another option names.
var valueOptions = []string{" --value ", " --value=", " --body ", " --body=", " /d ", " --secret-string ", " -value "}

// findNamedValue finds the value of an option where an earlier word of the command is the name
// of a secret.
func findNamedValue(s string, at, value int) (start, end int, ok bool) {
	named := false
	for word := range strings.FieldsSeq(s[commandStart(s, at):at]) {
		word = strings.Trim(word, `"'`)
		name := word[strings.LastIndexAny(word, "/=:")+1:]
		named = named || !strings.HasPrefix(word, "--") && nameKind(name) != harmless || name == "SecureString"
	}
	if !named {
		return 0, 0, false
	}
	start, end, ok = optionValue(s, value)
	return start, end, ok && !strings.HasPrefix(s[start:end], "{")
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
// a .pgpass file, behind any of its first fields.
func findPGPass(s string, at int) (start, end int, ok bool) {
	before := lineBefore(s, at)
	start = at - len(before) + strings.LastIndexByte(before, ' ') + 1
	for range 4 {
		field := run(s, start, 64, func(c byte) bool { return isDotted(c) || c == '*' })
		if field == start || field >= len(s) || s[field] != ':' {
			return 0, 0, false
		}
		start = field + 1
	}
	end = run(s, start, 256, isSecretByte)
	return start, end, end-start >= 3 && end == len(strings.TrimRight(s[:lineEnd(s, end)], " \r")) &&
		!strings.Contains(s[start:end], markerOpen) && !isPlaceholder(s[start:end])
}

// findDSN finds the password of "name:password@tcp(host)".
func findDSN(s string, at int) (start, end int, ok bool) {
	first := back(s, at, 256, func(c byte) bool { return isURLText(c) })
	colon := strings.IndexByte(s[first:at], ':')
	return first + colon + 1, at, colon > 0 && at-first-colon > 3 && !isPlaceholder(s[first+colon+1:at]) &&
		!isTemplate(s[first+colon+1:at]) && !strings.Contains(s[first:at], markerOpen)
}

// findRedisRule finds the password of a rule of access such as "user name on >password".
func findRedisRule(s string, at int) (start, end int, ok bool) {
	start = at + len(" on >")
	end = run(s, start, 128, isSecretByte)
	before := lineBefore(s, at)
	return start, end, end-start >= 3 && (strings.Contains(before, "user ") || strings.Contains(before, "SETUSER "))
}

// maxCommand is how far before an option its command is looked for, in bytes.
const maxCommand = 256

func (o shortOption) find(s string, at int) (start, end int, ok bool) {
	value := at + len(o.option)
	if value >= len(s) || s[at:value] != o.option || isBlank(s[value]) == o.attached {
		return 0, 0, false
	}
	before := s[commandStart(s, at):at]
	if o.commands == anyWithLogin {
		start, end, ok = optionValue(s, value)
		return start, end, ok && (isChosen(s[start:end]) && (hasLoginOption(before) ||
			before != "" && hasLoginOption("x"+s[end:min(lineEnd(s, end), end+maxName)])) ||
			o.option == " -p" && besideLogin(before) && (isLoneValue(s[start:end]) || mayBeChosen(s[start:end])))
	}
	if !o.takes(before) {
		return 0, 0, false
	}
	start, end, ok = optionValue(s, value)
	return start, end, ok && !words().idle[s[start:end]]
}

// loginOptions are followed by a login.
var loginOptions = pattern.SetOf(`-u -U -user -username --user --username --login -l --apple-id -D`)

// findListedOption finds the password that begins at start, behind an option in a list of the words of a command.
func findListedOption(s string, at, start int) (from, end int, ok bool) {
	before := lineBefore(s, at)
	before = strings.NewReplacer(`"`, "", "'", "", ",", " ", "[", "", "(", "").Replace(before)
	option := " " + s[at+1:at+1+strings.IndexByte(s[at+1:], s[at])]
	known := hasLoginOption("x " + before)
	for _, o := range shortOptions {
		known = known || o.option == option && !o.attached && o.commands != anyWithLogin && o.takes(before)
	}
	n := strings.IndexByte(s[start:lineEnd(s, start)], s[at])
	if !known || n < 4 {
		return 0, 0, false
	}
	text := s[start : start+n]
	return start, start + n, !isPlaceholder(text) && !isTemplate(text) && !strings.Contains(text, markerOpen)
}

// besideLogin reports whether a command line ends in the option of a login and the login, and is no command of sudo,
// whose -p is the prompt, or of what takes a project or a port there.
func besideLogin(before string) bool {
	fields := strings.Fields(before)
	last := len(fields) - 1
	return last > 1 && loginOptions.Has(fields[last-1]) && fields[last][0] != '-' && !hasWord(before, otherwiseP)
}

// otherwiseP are commands whose -p is something else, also behind a login.
var otherwiseP = pattern.SetOf(`sudo doas mysql mysqldump mysqladmin mysqlimport mysqlsh mariadb mariadb-dump
	ssh scp sftp docker-compose compose podman-compose mkdir ps pgrep pkill psql pg_dump nmap tmux screen rsync
	cp install`)

// isLoneValue reports whether a word may be a password behind an option that tells no more.
func isLoneValue(text string) bool {
	return len(text) >= 4 && isSaid(text) && isLetters(text) && !words().about[lowered(text)] &&
		!types.Has(lowered(text))
}

// hasLoginOption reports whether a command line names a login.
func hasLoginOption(before string) bool {
	fields := strings.Fields(before)
	for i, f := range fields {
		name, _, joined := strings.Cut(f, "=")
		if i > 0 && loginOptions.Has(name) && (joined || i+1 < len(fields) && fields[i+1][0] != '-') {
			return true
		}
	}
	return false
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
		next := argumentEnd(s, word)
		if next == word || word >= len(s) || word-at > maxCommand {
			return 0, 0, false
		}
		first := s[word:next]
		if first[0] == '-' || first[0] == '/' && len(first) > 2 && isAlpha(first[1]) ||
			strings.HasPrefix(first, "@'") || isLevel(first) {
			word = next
			continue
		}
		if skip == lastWord && s[next-1] != ')' && !endsCommand(s, run(s, next, 8, isBlank)) {
			word = next
			continue
		}
		if skip <= 0 {
			break
		}
		skip--
		word = next
	}
	start, end, ok = optionValue(s, word)
	text := s[start:max(start, end)]
	low := lowered(text)
	if !ok || words().idle[low] || words().gaps[low] || words().names[low] != harmless || len(text) < 4 ||
		start == word && isParameter(s, word) {
		return 0, 0, false
	}
	if end > start && s[end-1] == ')' && a.skip == lastWord {
		end = start + len(strings.TrimRight(text, ")"))
		text = s[start:end]
	}
	if a.command == "identified by " && !startsStatement(lineBefore(s, at)) { // of a sentence
		return 0, 0, false
	}
	quoted := start > word
	switch a.form {
	case chosen:
		return start, end, isChosen(text) || isRandom(text)
	case anyWord:
		return start, end, quoted || !isWordy(text) || strings.ToUpper(text) != text
	}
	return start, end, quoted || !isWordy(text) || a.exact(s, at, end)
}

// startsStatement reports whether a word of SQL stands on a line before a password, or nothing.
func startsStatement(before string) bool {
	return strings.TrimSpace(before) == "" || hasWord(before, statements)
}

// statements are words of SQL before a password.
var statements = pattern.SetOf(`create alter grant user role password profile link`)

// argumentEnd returns the end of the word of a command line that starts at at.
func argumentEnd(s string, at int) int {
	if end, ok := quotedEnd(s, at); ok {
		at = end + 1
	}
	return run(s, at, 256, isSecretByte)
}

// endsCommand reports whether a command ends at at.
func endsCommand(s string, at int) bool {
	return at >= len(s) || strings.IndexByte("\r\n|&;)`#", s[at]) >= 0
}

// exact reports whether a command stands at the start of a line and its password at its
// end or before other options, so that a word is one too.
func (a argument) exact(s string, at, end int) bool {
	line := foldASCII(strings.TrimLeft(lineBefore(s, at), " \t"))
	before := at == 0 || s[at-1] == '\n' || s[at-1] == '>' || s[at-1] == '(' || at > 1 && s[at-2] == '$' ||
		a.command == "identified by " && prefixOf(line, "alter ", "create ", "grant ") != ""
	return before && (end >= len(s) || s[end] == ';' || s[end] == '\n' || s[end] == '\r' ||
		strings.HasPrefix(s[end:], " /") ||
		a.command == "identified by " && clauses.Has(foldASCII(firstWord(s[end:lineEnd(s, end)]))) ||
		strings.HasPrefix(s[end:], " -"))
}

// clauses go on with a statement of SQL behind a password.
var clauses = pattern.SetOf(`using account default replace profile quota with require`)

// isLevel reports whether a word is the number of how a password is encrypted.
func isLevel(word string) bool { return len(word) == 1 && isDigit(word[0]) }

// commandStart returns where the command starts in which at stands.
func commandStart(s string, at int) int {
	line := back(s, at, maxCommand, func(c byte) bool { return c != '\n' })
	start, quote := line, byte(0)
	for i := line; i < at; i++ {
		switch c := s[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'' && (i == line || !isAlnum(s[i-1])):
			quote = c
		case c == '|' || c == ';' || c == '&':
			start = i + 1
		}
	}
	if quote != 0 { // at stands in the text itself
		return back(s, at, maxCommand, func(c byte) bool { return c != '\n' && c != '|' && c != ';' && c != '&' })
	}
	return start
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

// findPercent finds the password of "-U name%password" and "user=name%password".
func findPercent(s string, at int) (start, end int, ok bool) {
	if s[at] == '-' && s[at+1] == 'u' || at > 0 && isAlnum(s[at-1]) {
		return 0, 0, false
	}
	word := at + strings.IndexAny(s[at:], " =") + 1
	word = run(s, word, 4, func(c byte) bool { return isBlank(c) || c == '"' || c == '\'' })
	name := run(s, word, 64, func(c byte) bool { return isDotted(c) || c == '\\' || c == '/' || c == '@' })
	if name == word || name >= len(s) || s[name] != '%' {
		return 0, 0, false
	}
	end = run(s, name+1, 128, func(c byte) bool { return c > ' ' && c != '"' && c != '\'' })
	text := s[name+1 : end]
	return name + 1, end, len(text) >= 3 && !isPlaceholder(text) && !isTemplate(text) && !isReference(text) &&
		!strings.Contains(text, markerOpen) && !strings.HasSuffix(text, "%")
}

// findSlashed finds the password of "name/password@database", where the database may be
// left out.
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
			if end, ok = quotedEnd(s, start); ok {
				return start + 1, end, end-start > 3
			}
			end = run(s, start, 128, func(c byte) bool { return c > ' ' && c != '"' && c != '\'' && c != '/' })
			if last := strings.LastIndexByte(s[start:end], '@'); last > 0 {
				return start, start + last, last >= 3 && !isPlaceholder(s[start:start+last])
			}
			if text := s[start:end]; len(strings.Fields(line[:name])) <= 3 && isChosen(text) ||
				len(strings.Fields(line[:name])) == 1 && oracleTools.Has(foldASCII(strings.TrimSpace(line[:name]))) &&
					isLoneValue(text) {
				return start, end, true
			}
		}
		from = slash + 1
	}
}

// oracleTools take a login and its password as their first word.
var oracleTools = pattern.SetOf(`sqlplus expdp impdp sqlldr sqlcl`)

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

// findFTPLogin finds the password of the line "user name password" of a script for ftp.
func findFTPLogin(s string, at int) (start, end int, ok bool) {
	if before := foldASCII(s[max(0, at-200):at]); !strings.Contains(before, "ftp") &&
		!strings.Contains(before, "open ") {
		return 0, 0, false
	}
	login := at + len("\nuser ")
	word := run(s, run(s, login, maxName, isSecretByte), 4, isBlank)
	start, end, ok = optionValue(s, word)
	return start, end, ok && end <= lineEnd(s, login) && endsCommand(s, run(s, end, 4, isBlank))
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
	client := strings.Contains(s[commandStart(s, at):at], "redis-cli ") || strings.Contains(s[commandStart(s, at):at],
		"valkey-cli ")
	if s[at:at+5] != "AUTH " || at > 0 && s[at-1] != '\n' && s[at-1] != '"' && !strings.HasSuffix(s[:at], "> ") &&
		!client {
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
	word := run(s, at+share, 256, isSecretByte)
	for next := run(s, word, 8, isBlank); byteAt(s, next) == '/'; next = run(s, word, 8, isBlank) {
		word = run(s, next, 256, isSecretByte)
	}
	start, end, ok = optionValue(s, word)
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

// findSecured finds the text in quotes that PowerShell pipes into ConvertTo-SecureString.
func findSecured(s string, at int) (start, end int, ok bool) {
	line := lineBefore(s, at)
	text := strings.TrimRight(line, " |")
	if len(text) < 3 || strings.IndexByte(line[len(text):], '|') < 0 || text[len(text)-1] != '"' &&
		text[len(text)-1] != '\'' {
		return 0, 0, false
	}
	from := strings.LastIndexByte(text[:len(text)-1], text[len(text)-1]) + 1
	start = at - len(line) + from
	end = at - len(line) + len(text) - 1
	return start, end, from > 0 && end-start >= 4 && !isPlaceholder(s[start:end]) &&
		!strings.Contains(s[start:end], markerOpen)
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
		for next := run(s, options, 8, isBlank); byteAt(s, next) == '-'; next = run(s, options, 8, isBlank) {
			options = run(s, next, 16, func(c byte) bool { return c > ' ' })
		}
		options = run(s, run(s, options, 8, isBlank), 256, func(c byte) bool { return c > ' ' })
	}
	return optionValue(s, options)
}
