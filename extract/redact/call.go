package redact

import (
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/once"
)

// Functions take a password at a place of their own. Only strings in quotes count.

// A call is a function and the argument that is the secret: from 1 on, or one of the places
// below. Only strings in quotes count.
type call struct {
	function string // in lower case, with its bracket
	argument int
}

const (
	// lastText is the last argument behind the first that is a string.
	lastText = -1
	// finalText is the last argument that is a string, also the only one.
	finalText = -2
	// chosenText is the first argument that looks like a password.
	chosenText = -3
	// firstText is the first argument that is a string, wherever it stands.
	firstText = -4
)

var calls = []call{
	{"login(", lastText}, {"log_in(", 2}, {"sign_in(", 2}, {"signin(", 2}, {"auth=(", 2}, {"auth(", 2},
	{"authenticate(", 2}, {"auth.check(", 2},
	{"networkcredential(", 2}, {"setbasicauth(", 2}, {"basicauth(", 2}, {"basic_auth(", 2}, {"getconnection(", 3},
	{"setsecret(", finalText},
	{"settoken(", 1}, {"setapikey(", 1}, {"set_api_key(", 1}, {"withapikey(", 1},
	{"passwordencoder.encode(", 1}, {"encoder.encode(", 1}, {"passwordencoder.matches(", 1}, {" crypt(", 1},
	{"generate_password_hash(", 1}, {"check_password_hash(", 2}, {"password_hash(", 1}, {"password_verify(", 1},
	{"pdo(", 3},
	{"jwt.sign(", 2}, {"jwt.verify(", 2}, {"jwt.encode(", 2}, {"jwt.decode(", 2}, {"hmac.new(", firstText},
	{"createhmac(", 2}, {"createcipheriv(", 2}, {"createdecipheriv(", 2}, {"aes.new(", 1}, {"aes.encrypt(", 2},
	{"aes.decrypt(", 2}, {"hmacsha256(", 2}, {"hash_hmac(", 3}, {"openssl_encrypt(", 3}, {"openssl_decrypt(", 3},
	{"bcrypt.hash(", 1}, {"bcrypt.hashsync(", 1}, {"bcrypt.compare(", 1}, {"bcrypt.comparesync(", 1},
	{"bcrypt.hashpw(", 1}, {"bcrypt.checkpw(", 1}, {"generatefrompassword(", 1},
	{"argon2.hash(", 1}, {"argon2.verify(", 2}, {"fernet(", 1}, {"scryptsync(", 1}, {"pbkdf2sync(", 1},
	{"pbkdf2_hmac(", 2}, {"hash_password_sync(", 1},
	{"connect(", lastText}, {"connect(", chosenText}, {"mysqli_connect(", 3}, {"mysqli(", 3}, {"mysql_connect(", 3},
	{"passwordauthentication(", 2}, {"usernamepasswordcredentials(", 2}, {"usernamepasswordauthenticationtoken(", 2},
	{"plainauth(", 3}, {"signinwithemailandpassword(", lastText}, {"createuserwithemailandpassword(", lastText},
	{"redis.auth(", finalText}, {"db.auth(", 2}, {"mail.auth(", 2}, {"conn.auth(", finalText}, {"smtp.auth(", 2},
	{"ftp(", 3}, {"ftp_tls(", 3}, {"pymysql.connect(", 3}, {"mysqldb.connect(", 3}, {"sequelize(", 3},
	{"cx_oracle.connect(", 2}, {"oracledb.connect(", 2}, {"pymssql.connect(", 3}, {"ibm_db.connect(", 3},
	{"odbc_connect(", 3}, {"sasl.newplainclient(", 3}, {"mysql_real_connect(", 4}, {"passwordauthenticationmethod(", 2},
	{"passwordconnectioninfo(", 3}, {"passwordprotection(", 1}, {"pbekeyspec(", 1}, {"ftp.new(", 3}, {"sftpclient(",
		lastText},
	{"ftpclient(", 3}, {"sqlcredential(", 2}, {"pscredential(", 2}, {"pscredential]::new(", 2}, {".unprotect(", 1},
	{".protect(", 1}, {"redis.redis(", 4}, {"ssh.password(", 1}, {"smtp.start(", 5}, {"fillfield(", finalText},
	{"->type(", finalText},
	{"wifi.begin(", 2}, {"wifi.softap(", 2}, {"wifimulti.addap(", 2},
	{"gitlab.gitlab(", 2}, {"httpbasicauth(", 2}, {"httpdigestauth(", 2}, {"cookiestore(", 1}, {"cookieparser(",
		1}, {"secretkeyspec(", 1},
	{"passwordcredentials(", 2}, {"clientsecretcredential(", 3}, {"staticcredentials(", 2}, {"newstaticcredentials(",
		2},
	{"basicawscredentials(", 2}, {"awsbasiccredentials.create(", 2}, {"userinfo(", 2}, {"url.userpassword(", 2},
	{"userpassword(", 2}, {"basic_credentials(", 2}, {"credentials.basic(", 2}, {"withbasicauth(", 2},
	{"signedcookies(", 1}, {"simple_bind_s(", 2}, {"ldap_bind(", 3}, {"ssh2_auth_password(", 3}, {"auth_password(", 2},
	{".bind(", lastText}, {".type(", finalText}, {"send_keys(", finalText}, {"sendkeys(", finalText},
	{".fill(", finalText}, {"sendline(", finalText}, {"enter_text(", finalText}, {"typetext(", finalText},
	{"strictredis(", 4}, {"github.github(", 2}, {"oauthhandler(", 2}, {"client.auth(", finalText},
	{"jedis.auth(", finalText}, {"signwith(", finalText}, {"hmac256(", 1}, {"hmac384(", 1}, {"hmac512(", 1},
	{").password(", 1}, {".pass(some(", 1}, {".password(some(", 1}, {"= basic(", 2}, {"createcredential(", 3},
	{"usermanager.createasync(", finalText}, {"passwordsigninasync(", lastText}, {"symmetricsecuritykey(", 1},
	{"x509certificate2(", 2}, {"x509certificate(", 2}, {"authenticationheadervalue(", 2},
	{"comparehashandpassword(", finalText}, {"signedstring(", finalText}, {"bcrypt(", finalText},
	{"user.authenticate(", finalText}, {"ftp.open(", 3}, {"password.create(", finalText}, {"rsa.new(", 2},
	{"pkey.read(", 2}, {"credentials::new(", 2}, {"from_secret(", 1}, {"dbi->connect(", 3}, {"->credentials(", 4},
	{"settext(", finalText}, {"fill_in(", finalText}, {"imap_open(", 3}, {"oci_connect(", 2}, {".setvalue(", finalText},
}

// demanding calls are made with other strings too, so that the secret must look like one, or something near speaks of
// passwords.
var demanding = once.Value[map[string]bool]{Make: func() map[string]bool {
	return map[string]bool{
		"connect(": true, ".type(": true, "send_keys(": true, "sendkeys(": true, ".fill(": true, ".bind(": true,
		"auth(": true, "signin(": true, "userinfo(": true,
		"sendline(": true, "enter_text(": true, "typetext(": true, "settext(": true, "fill_in(": true, " crypt(": true,
		"fillfield(": true, "->type(": true,
		"encoder.encode(": true, ".setvalue(": true, "client.auth(": true, "x509certificate(": true,
		"x509certificate2(": true, "oauthhandler(": true,
	}
}}

// A callFamily is functions whose names are made of one of heads and one of tails, as in set_password and
// setPassphrase.
type callFamily struct {
	heads, tails string
	argument     int
	// demanding is true for calls that are made with other strings too.
	demanding bool
}

var callFamilies = []callFamily{
	{"login,log_in,signin,sign_in,authenticate,connect", "as,_as,with,_with,user,_user,via,_via", 2, false},
	{"perform,do,check,verify,validate,try,test", "login,_login,signin,_sign_in", 2, false},
	{"check,verify,validate,set,use,add,with", "credentials,_credentials,creds,_creds", 2, false},
	{"set,change,update,reset,enter,type,input,fill,check,verify,validate,make,hash,encode,with",
		"password,_password,passphrase,_passphrase,passwd,_passwd,pwd,_pwd,pin,_pin,passcode,_passcode", finalText,
		false},
	{"add,check,change,reset,set", "passwordasync", finalText, false},
	{"create,add,make,new,register,insert", "user,_user,superuser,_superuser,account,_account,admin,_admin", lastText,
		true},
	{"pgp_sym_,aes_,encryptby,decryptby", "encrypt,decrypt,passphrase", finalText, false},
	{"md5,sha1,sha224,sha256,sha384,sha512,sha2,hashlib.new,hexdigest,ntlm,nthash,).update", "", firstText, true},
	{"pyautogui.,keyboard.,robot.", "write,type,typestring,typewrite", finalText, true},
	{"type,send,set,input,enter,fire", "into,_into,text,_text,keys,_keys,value,_value,event.change,event.input",
		finalText,
		true},
	{"hash::,crypt::,bcrypt.,argon2.", "make,check,encrypt,encryptstring,verify", firstText, false},
	{".", "decrypt,unlock", firstText, true},
	{".auth().,.auth.,preemptive().", "basic,digest", 2, false},
	{"authorize,register,signup,sign_up,signin", "", 2, true},
}

// familyRules are the rules for the calls of all families.
func familyRules() []rule {
	var all []rule
	for _, f := range callFamilies {
		for head := range strings.SplitSeq(f.heads, ",") {
			for tail := range strings.SplitSeq(f.tails, ",") {
				c := call{head + tail + "(", f.argument}
				all = append(all, rule{assigned, c.function, c.finder(f.demanding)})
			}
		}
	}
	return all
}

func callRules() []rule {
	all := familyRules()
	for _, c := range calls {
		all = append(all, rule{assigned, c.function, c.finder(demanding.Get()[c.function])})
	}
	for _, encode := range []string{"btoa(", "b64encode(", "base64.encode(", "encodetostring([]byte("} {
		all = append(all, rule{assigned, encode, func(s string, at int) (start, end int, ok bool) {
			return findJoined(s, at+len(encode))
		}})
	}
	for _, option := range []string{"curlopt_userpwd, ", "curlopt_proxyuserpwd, "} {
		all = append(all, rule{assigned, option, func(s string, at int) (start, end int, ok bool) {
			return findJoined(s, at+len(option))
		}})
	}
	for _, client := range clients {
		all = append(all, rule{assigned, client + `("`, findClient(client)}, rule{assigned, client + "('",
			findClient(client)})
	}
	for _, word := range loginIdentifiers {
		all = append(all, rule{assigned, word, findCredentials})
	}
	for _, compare := range []string{"equal(", "equals(", "strcmp(", "strncmp(", "strcpy(", "strncpy(", "hash_equals(",
		"compare_digest("} {
		all = append(all, rule{assigned, compare, findCompared})
	}
	return append(all, rule{assigned, ".tochararray(", findCharArray},
		rule{assigned, "curlopt_password, ", findCurlOption}, rule{assigned, `" forkey:@"`, findForKey})
}

// findCompared finds the only string in quotes that a call compares with a password, or copies into it:
// assertEquals("…", user.getPassword()), strcmp(password, "…").
func findCompared(s string, at int) (start, end int, ok bool) {
	open := at + strings.IndexByte(s[at:], '(') + 1
	args := argumentsOf(s[:lineEnd(s, at)], open)
	var found value
	secret := false
	for i, a := range args {
		if a.quoted {
			if found.quoted {
				return 0, 0, false
			}
			found = a
			continue
		}
		until := lineEnd(s, a.start)
		if i+1 < len(args) {
			until = args[i+1].start - 1
			if args[i+1].quoted {
				until--
			}
		}
		other := strings.Trim(s[min(a.start, until):until], " &*();,\"'")
		kind := nameKind(other[strings.LastIndexAny(other, ".>")+1:])
		secret = secret || kind == password || kind == variable
	}
	text := found.text
	return found.start, found.end, secret && len(args) <= 4 && isBare(text) && isSaid(text) &&
		!words().about[lowered(text)] && !types.Has(lowered(text)) && text[0] != '-' && text[0] != '%' && text[0] != '/'
}

// findCurlOption finds the string in quotes behind an option of curl.
func findCurlOption(s string, at int) (start, end int, ok bool) {
	start = at + strings.IndexByte(s[at:], ' ') + 1
	end, ok = quotedEnd(s, start)
	return start + 1, end, ok && isBare(s[start+1:end])
}

// findForKey finds the string of Objective-C that is set for the name of a secret: setObject:@"…" forKey:@"name".
func findForKey(s string, at int) (start, end int, ok bool) {
	name := at + len(`" forkey:@"`)
	start = back(s, at, maxName, func(c byte) bool { return c != '"' && c != '\n' })
	return start, at, start > 1 && s[start-2:start] == `@"` && isBare(s[start:at]) &&
		nameKind(s[name:run(s, name, maxName, isDotted)]) != harmless
}

// loginIdentifiers are parts of the names of functions and members that take a login and its password.
var loginIdentifiers = []string{"auth", "login", "log_in", "signin", "sign_in", "logon", "credential", "creds",
	".user("}

// findCredentials finds the second of two strings in quotes next to each other that a function or a member with such
// a name is given: signIn(page, "bob", "…"), session.auth = ("bob", "…"), basic_auth "bob", "…".
func findCredentials(s string, at int) (start, end int, ok bool) {
	open := run(s, at, 32, isWord)
	if containsAny(foldASCII(s[back(s, at, 32, isWord):open]), []string{"param", "header", "url", "option", "field",
		"type",
		"code", "scope", "attr", "route", "flag", "error", "method", "class", "page", "form", "event", "log(", "msg"}) {
		return 0, 0, false
	}
	if hasPrefixFold(s[at:], "author") && !hasPrefixFold(s[at:], "authoriz") {
		return 0, 0, false
	}
	sign := run(s, open, 4, func(c byte) bool { return c == ' ' || c == '=' })
	listed := run(s, open, 4, func(c byte) bool { return c == ' ' || c == ':' || c == '"' || c == '\'' })
	switch {
	case sign < len(s) && s[sign] == '(':
		open = sign + 1
	case listed < len(s) && s[listed] == '[' && containsFold(s[max(0, open-maxName):open], "basic"):
		open = listed + 1
	case sign == open+1 && sign < len(s) && (s[sign] == '"' || s[sign] == '\''):
		open = sign
	default:
		return 0, 0, false
	}
	args := argumentsOf(s[open:lineEnd(s, open)], 0)
	for i := range args {
		args[i].start, args[i].end = args[i].start+open, args[i].end+open
	}
	for i := 1; i < len(args); i++ {
		user, secret := args[i-1], args[i]
		if !user.quoted || !secret.quoted {
			continue
		}
		low := lowered(secret.text)
		if len(user.text) < 2 || strings.ContainsAny(user.text, " /:{$<>()=,") || nameKind(user.text) != harmless ||
			loginWords.Has(lowered(user.text)) || strings.HasPrefix(user.text, "-") || len(secret.text) < 4 ||
			isPlaceholder(secret.text) || isTemplate(secret.text) || strings.ContainsAny(secret.text, " /\\<>(){},") ||
			strings.Contains(secret.text, markerOpen) || words().about[low] || words().idle[low] || isAlgorithm(low) ||
			words().names[low] != harmless || namesSecret(low) || types.Has(low) ||
			accounts.Has(low) ||
			strings.ToUpper(secret.text) == secret.text && isWordy(secret.text) || words().isVerb(low) ||
			isWordList(secret.text) && strings.ContainsAny(secret.text, "_.:") || strings.HasPrefix(secret.text, "-") {
			return 0, 0, false
		}
		return secret.start, secret.end, i == len(args)-1 || i == len(args)-2
	}
	return 0, 0, false
}

// findJoined finds the password of "name:password" in the text that is made base64, as for a header.
func findJoined(s string, at int) (start, end int, ok bool) {
	at += len(prefixOf(s[at:], "b", "u"))
	text, closed := quotedEnd(s, at)
	if !closed {
		return 0, 0, false
	}
	name := run(s, at+1, maxName, func(c byte) bool { return isDotted(c) || c == '@' })
	if name == at+1 || name >= text || s[name] != ':' {
		return 0, 0, false
	}
	value := s[name+1 : text]
	return name + 1, text, len(value) >= 4 && !isPlaceholder(value) && !isTemplate(value) &&
		!strings.Contains(value, markerOpen) && !strings.Contains(value, "{") && words().names[value] == harmless
}

// clients are ends of the names of classes and functions that take a token as their only text.
var clients = []string{"github", "gitlab", "webclient", "octokit", "bot", "client", "session", "api", "openai",
	"anthropic",
	"stripe", "twilio", "mailgun", "postmark", "notion", "linear", "airtable", "mistral", "cohere", "groq", "pinecone",
	"discord", "run", "authenticate", "oauth", "withtoken", "bearer", "token", "auth"}

// findClient finds the token that a client is made with.
func findClient(client string) func(string, int) (int, int, bool) {
	return func(s string, at int) (start, end int, ok bool) {
		start = at + len(client) + len(`("`)
		end = run(s, start, 256, IsToken)
		text := s[start:end]
		return start, end, end < len(s) && s[end] == s[start-1] && isProviderToken(text) || end < len(s) &&
			s[end] == s[start-1] && len(text) >= 24 && isRandom(text) &&
			isStrong(text) && hasDigit(text) && strings.IndexByte(text, '/') < 0 && strings.Count(text, ".") < 2 &&
			switches(text) >= 3 && !isUUIDAt(text+" ", 0)
	}
}

// finder returns what finds the secret of a call, which is demanding or not.
func (c call) finder(demanding bool) func(s string, at int) (start, end int, ok bool) {
	return func(s string, at int) (start, end int, ok bool) { return c.find(s, at, demanding) }
}

func (c call) find(s string, at int, demanding bool) (start, end int, ok bool) {
	open := at + len(c.function)
	args := argumentsOf(s, open)
	var found value
	texts := 0
	for i, a := range args {
		if !a.quoted {
			continue
		}
		texts++
		if i+1 == c.argument || c.takes(a, i, len(args)) && (found.text == "" || c.argument > chosenText) {
			found = a
		}
	}
	if found.text == "" {
		return 0, 0, false
	}
	if demanding && !c.near(s, at, found.start) && !byAccount(args, found) && (isWordy(found.text) ||
		!hasDigit(found.text) ||
		!hasLetter(found.text) || !c.isLikely(found.text, texts) ||
		texts < 2 || isSlug.Match(found.text) && !isChosen(found.text)) {
		return 0, 0, false
	}
	text := found.text
	if len(text) < 4 || isPlaceholder(text) || isTemplate(text) || strings.ContainsAny(text, " /\\") && isProse(text) ||
		strings.Contains(text, "://") || strings.HasPrefix(text, "/") && isPath(text) ||
		strings.Contains(text, markerOpen) ||
		isAlgorithm(lowered(text)) || strings.HasPrefix(text, "#") || strings.HasPrefix(text, ".") ||
		strings.HasPrefix(text, "[") || words().names[lowered(text)] != harmless && isWordy(text) {
		return 0, 0, false
	}
	return found.start, found.end, true
}

// byAccount reports whether the first of two arguments or more is the name of an account, and the secret a later one.
func byAccount(args []value, found value) bool {
	first := args[0]
	if len(args) > 2 && first.quoted && found.start == args[2].start && args[1].quoted && isWordy(args[1].text) &&
		(strings.Contains(first.text, ".") || first.text == "localhost") && isHost.Match(first.text) {
		return true // a host, a login and its password
	}
	return len(args) > 1 && len(args) <= 4 && first.quoted && first.start < found.start &&
		(accounts.Has(lowered(first.text)) || strings.Contains(first.text, "@")) &&
		!isAccount(found.text) && !words().about[lowered(found.text)]
}

// isLikely reports whether a string is rather a password than the name of a user or a database.
func (c call) isLikely(text string, texts int) bool {
	if c.argument == finalText {
		return isChosenAny(text)
	}
	return texts > 2 || isChosenAny(text) || isStrong(text) || len(text) >= 8 && mayBeChosen(text)
}

// takes reports whether an argument of a call stands at the place of its secret, where that is
// none by its number.
func (c call) takes(arg value, i, count int) bool {
	switch c.argument {
	case lastText:
		return i > 0 || count == 1 && isRandom(arg.text) && isStrong(arg.text)
	case finalText, firstText:
		return true
	case chosenText:
		return i > 0 && isChosen(arg.text)
	}
	return false
}

// near reports whether the line of a call speaks of passwords before the text, or what was
// expected on the line above does.
func (c call) near(s string, at, text int) bool {
	line := foldASCII(lineBefore(s, at)) + c.function + foldASCII(s[at:text])
	if c.function == "sendline(" {
		line += foldASCII(s[max(0, at-80):at])
	}
	line = strings.ReplaceAll(line, markerOpen+assigned+markerClose, "")
	return containsAny(line, []string{"pass", "pwd", "secret", "ssh", "pdf", "wallet", "keychain"}) ||
		isRemarked(s, text)
}

// isRemarked reports whether a remark at the end of the line speaks of passwords.
func isRemarked(s string, at int) bool {
	line := s[at:lineEnd(s, at)]
	remark := max(strings.Index(line, "# "), strings.Index(line, "// "), strings.Index(line, "-- "))
	if strings.HasPrefix(line[min(len(line), run(line, 0, len(line), isSecretByte)):], " gen_salt(") {
		return true // crypt('…', gen_salt(…))
	}
	return remark >= 0 && containsAny(foldASCII(line[remark:]), []string{"passw", "passphrase", " pw", " pwd", " pin"})
}

// findCharArray finds the text that is made the array of characters that Java takes as a
// password.
func findCharArray(s string, at int) (start, end int, ok bool) {
	if at == 0 || s[at-1] != '"' {
		return 0, 0, false
	}
	end = at - 1
	start = back(s, end, 128, func(c byte) bool { return c != '"' && c != '\n' })
	text := s[start:end]
	line := foldASCII(lineBefore(s, start))
	return start, end, len(text) >= 4 && !isPlaceholder(text) && !strings.Contains(text, markerOpen) &&
		containsAny(line, []string{"pass", "pwd", "keystore", "key", ".load(", "pbe", "credential"})
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
			end, ok := quotedEnd(s[:limit], i)
			if !ok {
				return args
			}
			prefix := strings.TrimSpace(s[arg.start:i])
			if depth == 0 && (len(prefix) <= 2 || strings.HasSuffix(prefix, "(")) {
				arg = value{start: i + 1, end: end, quoted: true, text: s[i+1 : end]}
			}
			i = end
		case c == '(' || c == '[' || c == '{':
			if text := strings.TrimSpace(s[arg.start:i]); c == '(' && depth == 0 && (text == "" ||
				text == "[]byte" || text == "Buffer.from" || text == "bytes" || text == "Some" ||
				strings.HasSuffix(text, ".GetBytes")) {
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
