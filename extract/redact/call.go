package redact

import (
	"strings"
)

// Functions take a password at a place of their own. Only texts in quotes count.

// A call is a function and the argument that is the secret: from 1 on, or lastText.
type call struct {
	function string // in lower case, with its bracket
	argument int
}

// lastText is the last argument behind the first that is a text in quotes.
const lastText = -1

var calls = []call{
	{"login(", lastText}, {"log_in(", 2}, {"sign_in(", 2}, {"signin(", 2}, {"auth=(", 2}, {"auth(", 2},
	{"authenticate(", 2},
	{"networkcredential(", 2}, {"setbasicauth(", 2}, {"basicauth(", 2}, {"basic_auth(", 2}, {"getconnection(", 3},
	{"set_password(", 1}, {"setpassword(", 1}, {"check_password(", 1}, {"checkpassword(", 1}, {"verifypassword(", 1},
	{"verify_password(", 1},
	{"make_password(", 1}, {"hashpassword(", 1}, {"hash_password(", 1}, {"withpassword(", 1},
	{"generate_password_hash(", 1}, {"check_password_hash(", 2}, {"password_hash(", 1}, {"password_verify(", 1},
	{"create_superuser(", lastText}, {"create_user(", lastText}, {"createuser(", lastText}, {"adduser(", 2}, {"pdo(",
		3},
	{"jwt.sign(", 2}, {"jwt.verify(", 2}, {"jwt.encode(", 2}, {"jwt.decode(", 2}, {"hmac.new(", 1}, {"createhmac(", 2},
	{"bcrypt.hash(", 1}, {"bcrypt.hashsync(", 1}, {"bcrypt.compare(", 1}, {"bcrypt.comparesync(", 1},
	{"bcrypt.hashpw(", 1}, {"bcrypt.checkpw(", 1},
	{"argon2.hash(", 1}, {"argon2.verify(", 2}, {"fernet(", 1}, {"scryptsync(", 1}, {"pbkdf2sync(", 1},
	{"pbkdf2_hmac(", 2},
	{"connect(", lastText}, {"mysqli_connect(", 3}, {"mysqli(", 3}, {"mysql_connect(", 3},
	{"passwordauthentication(", 2}, {"usernamepasswordcredentials(", 2}, {"usernamepasswordauthenticationtoken(", 2},
	{"plainauth(", 3}, {"signinwithemailandpassword(", lastText}, {"createuserwithemailandpassword(", lastText},
	{"httpbasicauth(", 2}, {"httpdigestauth(", 2}, {"cookiestore(", 1}, {"secretkeyspec(", 1},
	{"passwordcredentials(", 2}, {"clientsecretcredential(", 3}, {"staticcredentials(", 2}, {"newstaticcredentials(",
		2},
	{"basicawscredentials(", 2}, {"awsbasiccredentials.create(", 2}, {"userinfo(", 2}, {"url.userpassword(", 2},
	{"userpassword(", 2},
	{"signedcookies(", 1}, {"simple_bind_s(", 2}, {"ldap_bind(", 3}, {"ssh2_auth_password(", 3}, {"auth_password(", 2},
	{".type(", 1}, {"send_keys(", 1}, {"sendkeys(", 1}, {".fill(", lastText}, {"fill_in(", 9},
	{"tochararray(", 9}, {"pscredential(", 2}, {"net::ssh.start(", 9}, {"pg_connect(", 9}, {"imap_open(", 3},
	{"oci_connect(", 2},
}

// demanding calls are made with other texts too, so that the secret must look like one,
// or something near speaks of passwords.
var demanding = map[string]bool{
	"connect(": true, ".type(": true, "send_keys(": true, "sendkeys(": true, ".fill(": true, "bind(": true,
	"create_user(": true, "createuser(": true, "adduser(": true, "auth(": true, "signin(": true, "userinfo(": true,
}

func callRules() []rule {
	all := make([]rule, 0, len(calls))
	for _, c := range calls {
		all = append(all, rule{assigned, c.function, c.find})
	}
	return all
}

func (c call) find(s string, at int) (start, end int, ok bool) {
	open := at + len(c.function)
	args := argumentsOf(s, open)
	var found value
	texts := 0
	for i, a := range args {
		if !a.quoted {
			continue
		}
		texts++
		if i+1 == c.argument || c.argument == lastText && (i > 0 || len(args) == 1 && isRandom(a.text) &&
			isStrong(a.text)) {
			found = a
		}
	}
	if found.text == "" {
		return 0, 0, false
	}
	if c.argument == 1 && (c.function == ".type(" || strings.HasSuffix(c.function, "keys(")) || demanding[c.function] {
		if !c.near(s, at) && (isWordy(found.text) || !hasDigit(found.text) || texts < 2 ||
			isSlug.Match(found.text) && texts < 2) {
			return 0, 0, false
		}
	}
	text := found.text
	if len(text) < 4 || isPlaceholder(text) || isTemplate(text) || strings.ContainsAny(text, " /\\") && isProse(text) ||
		strings.Contains(text, "://") || strings.HasPrefix(text, "/") && isPath(text) ||
		strings.Contains(text, markerOpen) ||
		isAlgorithm(strings.ToLower(text)) || strings.HasPrefix(text, "#") || strings.HasPrefix(text, ".") {
		return 0, 0, false
	}
	return found.start, found.end, true
}

// near reports whether the line of a call speaks of passwords before it.
func (c call) near(s string, at int) bool {
	line := foldASCII(lineBefore(s, at)) + c.function
	return strings.Contains(line, "pass") || strings.Contains(line, "pwd") || strings.Contains(line, "secret") ||
		strings.Contains(line, "ssh")
}

// argumentsOf returns the arguments of a call whose bracket was opened before at.
func argumentsOf(s string, at int) []value {
	var args []value
	depth := 0
	arg := value{start: at}
	limit := min(len(s), at+512)
	for i := at; i < limit; i++ {
		switch c := s[i]; {
		case c == '"' || c == '\'' || c == '`':
			end, ok := quotedEnd(s, i)
			if !ok || end > limit {
				return args
			}
			prefix := strings.TrimSpace(s[arg.start:i])
			if depth == 0 && (len(prefix) <= 2 || strings.HasSuffix(prefix, "(")) {
				arg = value{start: i + 1, end: end, quoted: true, text: s[i+1 : end]}
			}
			i = end
		case c == '(' || c == '[' || c == '{':
			if text := strings.TrimSpace(s[arg.start:i]); c == '(' && depth == 0 && (text == "" ||
				text == "[]byte" || text == "Buffer.from" || text == "bytes") {
				break // around the argument
			}
			depth++
		case c == ')' || c == ']' || c == '}':
			if depth == 0 {
				return append(args, arg)
			}
			depth--
		case c == ',' && depth == 0:
			args = append(args, arg)
			arg = value{start: i + 1}
		}
	}
	return append(args, arg)
}
