package redact

import (
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// A token is a secret that its provider made recognisable: a literal prefix, in
// this case, and a run of characters.
type token struct {
	name, prefix string
	class        func(byte) bool
	// min and max are the bytes after the prefix; a longer run is no such token.
	min, max int
}

const open = 4096 // of max: as long as the run is

// tokens are the prefixes that the providers document.
var tokens = []token{
	{"aws-key", "AKIA", isUpperAlnum, 16, 16},
	{"aws-key", "ASIA", isUpperAlnum, 16, 16},
	{"aws-key", "ABIA", isUpperAlnum, 16, 16},
	{"aws-key", "ACCA", isUpperAlnum, 16, 16},
	{"aws-session", "FwoGZXIvYXdz", isBase64, 60, open},
	{"aws-session", "IQoJb3JpZ2lu", isBase64, 60, open},
	{"aws-bedrock", "ABSK", isBase64, 100, open},
	{"gcp-key", "AIza", isBase64URL, 35, 35},
	{"gcp-oauth", "ya29.", isDotted, 20, open},
	{"gcp-oauth", "GOCSPX-", isBase64URL, 20, open},
	{"gcp-oauth", "1//0", isBase64URL, 40, open},
	{"github", "ghp_", isAlnum, 36, open},
	{"github", "gho_", isAlnum, 36, open},
	{"github", "ghu_", isAlnum, 36, open},
	{"github", "ghs_", isDotted, 36, open},
	{"github", "ghr_", isAlnum, 36, open},
	{"github", "github_pat_", isWord, 36, open},
	{"gitlab", "glpat-", isDotted, 20, open},
	{"gitlab", "gldt-", isDotted, 20, open},
	{"gitlab", "glrt-", isDotted, 20, open},
	{"gitlab", "glft-", isDotted, 20, open},
	{"gitlab", "glcbt-", isDotted, 20, open},
	{"gitlab", "glptt-", isDotted, 20, open},
	{"gitlab", "glsoat-", isDotted, 20, open},
	{"gitlab", "glimt-", isDotted, 20, open},
	{"gitlab", "gloas-", isDotted, 20, open},
	{"gitlab", "glagent-", isDotted, 20, open},
	{"slack", "xoxb-", isBase64URL, 10, open},
	{"slack", "xoxp-", isBase64URL, 10, open},
	{"slack", "xoxa-", isBase64URL, 10, open},
	{"slack", "xoxr-", isBase64URL, 10, open},
	{"slack", "xoxs-", isBase64URL, 10, open},
	{"slack", "xoxc-", isBase64URL, 10, open},
	{"slack", "xoxd-", IsToken, 10, open},
	{"slack", "xoxe-", isBase64URL, 10, open},
	{"slack", "xoxe.xoxp-", isBase64URL, 10, open},
	{"slack", "xoxe.xoxb-", isBase64URL, 10, open},
	{"slack", "xapp-", isBase64URL, 10, open},
	{"stripe", "sk_live_", isAlnum, 10, open},
	{"stripe", "sk_test_", isAlnum, 10, open},
	{"stripe", "rk_live_", isAlnum, 10, open},
	{"stripe", "rk_test_", isAlnum, 10, open},
	{"stripe", "whsec_", isBase64, 20, open},
	{"anthropic", "sk-ant-", isBase64URL, 20, open},
	{"openai", "sk-proj-", isBase64URL, 20, open},
	{"openai", "sk-svcacct-", isBase64URL, 20, open},
	{"openai", "sk-admin-", isBase64URL, 20, open},
	{"openrouter", "sk-or-", isBase64URL, 20, open},
	{"openai", "sk-", isAlnum, 20, open},
	{"npm", "npm_", isAlnum, 36, open},
	{"pypi", "pypi-", isBase64URL, 50, open},
	{"huggingface", "hf_", isAlnum, 30, open},
	{"huggingface", "api_org_", isAlnum, 30, open},
	{"twilio", "SK", isHex, 32, 32},
	{"digitalocean", "dop_v1_", isHex, 64, 64},
	{"digitalocean", "doo_v1_", isHex, 64, 64},
	{"digitalocean", "dor_v1_", isHex, 64, 64},
	{"heroku", "HRKU-", isBase64URL, 30, open},
	{"linear", "lin_api_", isAlnum, 32, open},
	{"linear", "lin_oauth_", isAlnum, 32, open},
	{"notion", "ntn_", isAlnum, 40, open},
	{"notion", "secret_", isAlnum, 43, 43},
	{"figma", "figd_", isBase64URL, 40, open},
	{"shopify", "shpat_", isHex, 32, 32},
	{"shopify", "shpca_", isHex, 32, 32},
	{"shopify", "shppa_", isHex, 32, 32},
	{"shopify", "shpss_", isHex, 32, 32},
	{"square", "sq0atp-", isBase64URL, 22, open},
	{"square", "sq0csp-", isBase64URL, 40, open},
	{"mailgun", "key-", isHex, 32, 32},
	{"docker", "dckr_pat_", isBase64URL, 20, open},
	{"docker", "dckr_oat_", isBase64URL, 20, open},
	{"databricks", "dapi", isHex, 32, 32},
	{"grafana", "glc_", isBase64, 32, open},
	{"grafana", "glsa_", isWord, 32, open},
	{"newrelic", "NRAK-", isUpperAlnum, 27, open},
	{"sentry", "sntrys_", IsToken, 40, open},
	{"sentry", "sntryu_", isHex, 64, 64},
	{"vault", "hvs.", isBase64URL, 24, open},
	{"vault", "hvb.", isBase64URL, 24, open},
	{"pulumi", "pul-", isHex, 40, 40},
	{"planetscale", "pscale_tkn_", isDotted, 32, open},
	{"planetscale", "pscale_pw_", isDotted, 32, open},
	{"planetscale", "pscale_oauth_", isDotted, 32, open},
	{"postman", "PMAK-", isBase64URL, 50, open},
	{"rubygems", "rubygems_", isHex, 48, 48},
	{"doppler", "dp.pt.", isAlnum, 40, open},
	{"doppler", "dp.st.", isDotted, 40, open},
	{"atlassian", "ATATT3", IsToken, 50, open},
	{"atlassian", "ATCTT3", IsToken, 50, open},
	{"bitbucket", "ATBB", isAlnum, 28, 40},
	{"fly", "fm2_", isBase64, 100, open},
	{"fly", "fo1_", isBase64URL, 43, open},
	{"supabase", "sbp_", isHex, 40, 40},
	{"supabase", "sb_secret_", isBase64URL, 20, open},
	{"groq", "gsk_", isAlnum, 40, open},
	{"perplexity", "pplx-", isAlnum, 40, open},
	{"replicate", "r8_", isAlnum, 37, open},
	{"xai", "xai-", isAlnum, 70, open},
	{"langsmith", "lsv2_", isWord, 36, open},
	{"tailscale", "tskey-", isBase64URL, 20, open},
	{"typeform", "tfp_", isDotted, 40, open},
	{"sonar", "squ_", isHex, 40, 40},
	{"sonar", "sqp_", isHex, 40, 40},
	{"adafruit", "aio_", isAlnum, 28, 28},
	{"artifactory", "AKCp", isAlnum, 60, open},
	{"clojars", "CLOJARS_", isAlnum, 60, 60},
	{"1password", "ops_eyJ", isBase64URL, 100, open},
	{"age", "AGE-SECRET-KEY-", isUpperAlnum, 17, open},
	{"openssh-key", "b3BlbnNzaC1rZXktdjE", isBase64, 40, 1 << 16},
	{"square", "EAAA", isBase64URL, 56, 64},
	{"terraform", "tfe.", isDotted, 60, open},
	{"sourcegraph", "sgp_", isWord, 40, open},
	{"lob", "live_", isHex, 35, 35},
	{"lob", "test_", isHex, 35, 35},
	{"lob", "live_pub_", isHex, 31, 31},
	{"lob", "test_pub_", isHex, 31, 31},
}

func tokenRules() []rule {
	all := make([]rule, 0, len(tokens)+len(shapes))
	for _, t := range tokens {
		all = append(all, rule{t.name, foldASCII(t.prefix), t.find})
	}
	return append(all, shapes...)
}

func (t token) find(s string, at int) (start, end int, ok bool) {
	body := at + len(t.prefix)
	if s[at:body] != t.prefix || at > 0 && isWord(s[at-1]) {
		return 0, 0, false
	}
	end = run(s, body, t.max, t.class)
	if end-body < t.min || end < len(s) && t.max < open && isWord(s[end]) {
		return 0, 0, false
	}
	for end > body && s[end-1] == '.' { // the full stop of the sentence
		end--
	}
	return at, end, hasDigit(s[body:end]) || end-body >= 100 || end-body >= 24 && caseChanges(s[body:end]) >= 8
}

// caseChanges counts where small letters and capitals meet.
func caseChanges(text string) int {
	n := 0
	for i := 1; i < len(text); i++ {
		if isLower(text[i]) && isUpper(text[i-1]) || isUpper(text[i]) && isLower(text[i-1]) {
			n++
		}
	}
	return n
}

// shapes are the tokens that are more than a prefix and a run.
var shapes = []rule{
	{"jwt", "eyj", findJWT},
	{"sendgrid", "sg.", findSendGrid},
	{"telegram", ":aa", findTelegram},
	{"azure", "q~", findAzureSecret},
	{"azure", "sig=", findSignature},
	{"slack", "hooks.slack.com/", findWebhook("/services/", "/workflows/", "/triggers/")},
	{"discord", "discord.com/api/", findWebhook("/webhooks/")},
	{"discord", "discordapp.com/api/", findWebhook("/webhooks/")},
	{"vault", "s.", findVault},
	{"teams", "outlook.office.com/webhook", findWebhook("/webhook/", "/webhookb2/")},
	{"teams", "webhook.office.com/webhook", findWebhook("/webhook/", "/webhookb2/")},
	{"twitter", "aaaaaaaaaaaaaaaaaaaa", findTwitter},
	{"terraform", ".atlasv1.", findTerraform},
	{"airtable", "pat", findAirtable},
	{"bitcoin", "xprv", findExtendedKey},
	{"magic-link", "://", findMagicLink},
	{"magic-link", "?link=", findRelativeLink},
	{"magic-link", "?code=", findRelativeLink},
	{"magic-link", "?ticket=", findRelativeLink},
	{"magic-link", "?key=", findRelativeLink},
	{"magic-link", "?magic=", findRelativeLink},
	{"magic-link", "?invite=", findRelativeLink},
	{"magic-link", "?t=", findRelativeLink},
	{"nuget", "oy2", findNuGet},
	{"discord", "mfa.", findDiscordMFA},
	{"newrelic", "nral", findNewRelic},
	{"facebook", "eaa", findFacebook},
	{"facebook", "igq", findFacebook},
}

// findFacebook finds an access token of Facebook or Instagram: "EAA" or "IGQ", a capital other than A, and letters and
// digits. Files in base64 have the first often, with signs around it or zeros behind it.
func findFacebook(s string, at int) (start, end int, ok bool) {
	body := at + len("EAA")
	if s[at:body] != "EAA" && s[at:body] != "IGQ" || at > 0 && IsToken(s[at-1]) && s[at-1] != '=' ||
		body >= len(s) || !isUpper(s[body]) || s[body] == 'A' {
		return 0, 0, false
	}
	end = run(s, body, open, isAlnum)
	return at, end, end-at >= 40 && hasDigit(s[at:end]) && (caseChanges(s[at:end]) >= 8 || end-at >= 80) &&
		(end == len(s) || !IsToken(s[end]) || s[end] == '.')
}

func findJWT(s string, at int) (start, end int, ok bool) {
	if s[at:at+3] != "eyJ" || at > 0 && isBase64URL(s[at-1]) {
		return 0, 0, false
	}
	head := run(s, at, open, isBase64URL)
	if head-at < 12 || !hasPrefixFold(s[head:], ".ey") {
		return 0, 0, false
	}
	end = run(s, head+1, 1<<16, isBase64URL)
	if end-head < 12 {
		return 0, 0, false
	}
	for range 3 { // the signature, or the parts of an encrypted one
		if end+1 < len(s) && s[end] == '.' && isBase64URL(s[end+1]) {
			end = run(s, end+1, 1<<16, isBase64URL)
		}
	}
	return at, end, true
}

func findSendGrid(s string, at int) (start, end int, ok bool) {
	if s[at:at+3] != "SG." || at > 0 && isWord(s[at-1]) {
		return 0, 0, false
	}
	return parts(s, at, at+3, 16, 24, 30, 64)
}

func findAirtable(s string, at int) (start, end int, ok bool) {
	if s[at:at+3] != "pat" || at > 0 && isWord(s[at-1]) {
		return 0, 0, false
	}
	return parts(s, at, at+3, 14, 14, 64, 64)
}

// parts finds two runs with a dot between them, each with its bounds.
func parts(s string, start, at, min1, max1, min2, max2 int) (int, int, bool) {
	dot := run(s, at, max1, isBase64URL)
	if dot-at < min1 || dot >= len(s) || s[dot] != '.' {
		return 0, 0, false
	}
	end := run(s, dot+1, max2, isBase64URL)
	return start, end, end-dot-1 >= min2
}

func findTelegram(s string, at int) (start, end int, ok bool) {
	start = back(s, at, 11, isDigit)
	if at-start < 8 || at-start > 10 || s[at:at+3] != ":AA" {
		return 0, 0, false
	}
	end = run(s, at+1, 64, isBase64URL)
	return start, end, end-at-1 >= 34 && end-at-1 <= 36
}

// findTwitter finds what starts with 22 letters A, which files in base64 have more
// of.
func findTwitter(s string, at int) (start, end int, ok bool) {
	if at > 0 && isBase64URL(s[at-1]) {
		return 0, 0, false
	}
	rest := run(s, at, 32, func(c byte) bool { return c == 'A' })
	end = run(s, rest, 128, func(c byte) bool { return isAlnum(c) || c == '%' })
	return at, end, rest-at >= 20 && rest-at <= 23 && end-rest >= 60
}

// findVault finds what looks much like the call of a method.
func findVault(s string, at int) (start, end int, ok bool) {
	body := at + len("s.")
	if s[at] != 's' || at > 0 && (isWord(s[at-1]) || s[at-1] == '.') {
		return 0, 0, false
	}
	end = run(s, body, 25, isWord)
	called := end < len(s) && (s[end] == '(' || s[end] == '.')
	return at, end, end-body == 24 && !called && countDigits(s[body:end]) >= 2 && switches(s[body:end]) >= 3
}

func findAzureSecret(s string, at int) (start, end int, ok bool) {
	start = back(s, at, 5, func(c byte) bool { return isDotted(c) || c == '~' })
	if s[at:at+2] != "Q~" || at-start != 4 || !isDigit(s[at-1]) {
		return 0, 0, false
	}
	end = run(s, at+2, 64, func(c byte) bool { return isDotted(c) || c == '~' })
	return start, end, end-at-2 >= 31 && end-at-2 <= 40
}

func findSignature(s string, at int) (start, end int, ok bool) {
	if at == 0 || s[at-1] != '&' && s[at-1] != '?' && s[at-1] != ';' {
		return 0, 0, false
	}
	start = at + len("sig=")
	end = run(s, start, open, func(c byte) bool { return IsToken(c) || c == '%' })
	return start, end, end-start >= 32
}

// findWebhook finds the URL path whose last parts are the secret.
func findWebhook(kinds ...string) func(string, int) (int, int, bool) {
	return func(s string, at int) (int, int, bool) {
		end := run(s, at, 512, func(c byte) bool { return isDotted(c) || c == '/' || c == '@' })
		for _, kind := range kinds {
			if i := indexFold(s[at:end], kind); i > 0 && end-at-i-len(kind) >= 20 {
				return at + i + len(kind), end, true
			}
		}
		return 0, 0, false
	}
}

func findTerraform(s string, at int) (start, end int, ok bool) {
	start = back(s, at, 14, isAlnum)
	end = run(s, at+len(".atlasv1."), 128, isBase64URL)
	return start, end, at-start == 14 && end-at >= 60
}

func findDiscord(s string, at int) (start, end int, ok bool) {
	if c := s[at]; c != 'M' && c != 'N' && c != 'O' || at > 0 &&
		isBase64URL(s[at-1]) { // the first digits of a user's id in base64
		return 0, 0, false
	}
	dot := run(s, at, 30, isBase64URL)
	if dot-at < 20 || dot+8 > len(s) || s[dot] != '.' || s[dot+7] != '.' || run(s, dot+1, 6, isBase64URL) != dot+7 {
		return 0, 0, false
	}
	end = run(s, dot+8, 64, isBase64URL)
	return at, end, end-dot-8 >= 24
}

// minLong is the length of a run of characters from which on it may be one of longTokens.
const minLong = 50

// longTokens are known by the length of their run rather than by how it starts.
var longTokens = []rule{{"bitcoin", "", findWIF}, {"discord", "", findDiscord}}

// longRuns appends the tokens in the long runs of a string, of which every one is met by
// steps of half their length.
func longRuns(s string, found []span) []span {
	last := 0
	for i := minLong / 2; i < len(s); i += minLong / 2 {
		if i < last || !isDotted(s[i]) {
			continue
		}
		start := max(last, back(s, i, 256, isDotted))
		end := run(s, i, 256, isDotted)
		if end-start < minLong {
			continue
		}
		for at := start; at < end; at++ {
			if at > start && s[at-1] != '.' && s[at-1] != '-' && s[at-1] != '_' {
				continue
			}
			for _, r := range longTokens {
				if from, to, ok := r.find(s, at); ok {
					found = append(found, span{from, to, r.name})
				}
			}
		}
		last = end
	}
	return found
}

// isBase58 has no 0, O, I and l.
func isBase58(c byte) bool { return isAlnum(c) && c != '0' && c != 'O' && c != 'I' && c != 'l' }

func findWIF(s string, at int) (start, end int, ok bool) {
	if strings.IndexByte("5KL9c", s[at]) < 0 || at > 0 && isBase64(s[at-1]) {
		return 0, 0, false
	}
	end = run(s, at, 60, isBase58)
	testnet := s[at] == '9' || s[at] == 'c'
	ok = (end-at == 51 || end-at == 52 || !testnet && end-at >= 50 && end-at <= 60) && (end >= len(s) ||
		!isBase64(s[end]))
	return at, end, ok && isStrong(s[at:end]) && switches(s[at:end]) >= 6
}

func findExtendedKey(s string, at int) (start, end int, ok bool) {
	end = run(s, at, 128, isBase58)
	return at, end, s[at] == 'x' && end-at >= 100 && (at == 0 || !isAlnum(s[at-1]))
}

func findNuGet(s string, at int) (start, end int, ok bool) {
	end = run(s, at, 64, func(c byte) bool { return isLower(c) || isDigit(c) })
	return at, end, s[at] == 'o' && end-at >= 42 && end-at <= 50 && (at == 0 || !isWord(s[at-1])) &&
		hasDigit(s[at+3:end])
}

func findDiscordMFA(s string, at int) (start, end int, ok bool) {
	end = run(s, at+4, 128, isBase64URL)
	return at, end, end-at >= 60 && (at == 0 || !isWord(s[at-1]))
}

// findNewRelic finds a license key, which ends in NRAL.
func findNewRelic(s string, at int) (start, end int, ok bool) {
	end = at + len("nral")
	start = back(s, at, 40, isHex)
	return start, end, at-start >= 32 && (end >= len(s) || !isWord(s[end]))
}

// linkWords stand in the paths of links that log in whoever opens them.
var linkWords = pattern.Words("magic|reset|verify|confirm|invite|activate|signin|sign-in|login|sso|otp|one-time|" +
	"password|unlock|recover|session|token|auth|email-verification|hook|webhook|invitation|" +
	"activation|register|join|access|share|unsubscribe|oauth|callback|cb")

// linkParameters name the secret of such a link.
var linkParameters = pattern.Words("token|t|code|otp|ticket|key|k|sig|signature|magic|auth|session|sid|nonce|" +
	"state_token|access|invite|confirmation|hash|secret|link|verify|reset")

// maxLink is how much of a link is looked at.
const maxLink = 1024

// isLink reports whether a byte may stand in a link.
func isLink(c byte) bool {
	return c > ' ' && c < 0x7f && c != '"' && c != '\'' && c != '<' && c != '>' && c != '`' && c != '\\'
}

// logsIn reports whether a word of linkWords stands in the host or the path of a link, and
// where it stopped to look. A link in the path is looked at by itself.
func logsIn(s string, link int) (known bool, at int) {
	part := link
	for at = link; ; at++ {
		ends := at == len(s) || at == link+maxLink || !isLink(s[at]) || s[at] == '?' || s[at] == '#' ||
			strings.HasPrefix(s[at:], "://")
		if !ends && s[at] != '/' && s[at] != '.' {
			continue
		}
		if at > part && isLinkWord(foldASCII(s[part:at])) {
			return true, at
		}
		if ends {
			return false, at
		}
		part = at + 1
	}
}

// isLinkWord reports whether a part of a path is one of linkWords, or begins or ends with one.
func isLinkWord(part string) bool {
	return slices.ContainsFunc(linkWords.All(), func(w string) bool {
		rest, begins := strings.CutPrefix(part, w)
		if begins && (rest == "" || rest == "s" || rest[0] == '-' || rest[0] == '_') {
			return true
		}
		before, ends := strings.CutSuffix(part, w)
		return ends && strings.HasSuffix(before, "-")
	})
}

// findMagicLink finds the part of a link that logs in whoever opens it.
func findMagicLink(s string, at int) (start, end int, ok bool) {
	link := at + len("://")
	if !strings.HasPrefix(s[back(s, at, 8, isAlpha):at], "http") &&
		!strings.HasPrefix(s[back(s, at, 16, isAlpha):at], "app") {
		return 0, 0, false
	}
	known, pathEnd := logsIn(s, link)
	if !known && (pathEnd == len(s) || s[pathEnd] != '?' && s[pathEnd] != '#') {
		return 0, 0, false
	}
	url := s[link:run(s, link, maxLink, isLink)]
	slash := strings.IndexByte(url, '/')
	if slash < 0 {
		return 0, 0, false
	}
	low := foldASCII(url)
	named := strings.IndexAny(low, "?#")
	path := low
	if named >= 0 {
		path = low[:named]
	}
	if !known {
		return keyParameter(s, link, url, named)
	}
	lets := grants.Match(path)
	if named >= 0 {
		for from := named; from < len(url); {
			equals := strings.IndexByte(url[from:], '=')
			if equals < 0 {
				break
			}
			equals += from
			name := low[from+1 : equals]
			next := equals + 1 + run(url[equals+1:], 0, 1024, func(c byte) bool {
				return c != '&' && c != '#' &&
					c != ';' && c != ')' && c != ','
			})
			text := url[equals+1 : next]
			if isGrant(name, text, lets) {
				return link + equals + 1, link + next, true
			}
			from = next
			if from < len(url) && url[from] != '&' && url[from] != '#' && url[from] != ';' {
				break
			}
		}
	}
	last := strings.LastIndexByte(strings.TrimRight(path, "/"), '/') + 1
	text := strings.TrimRight(url[last:len(path)], "/.,)")
	secret := len(text) >= 16 && isRandom(text) && isStrong(text) || len(text) >= 8 && lets &&
		hasDigit(text) && switches(text) >= 3 && !isSlug.Match(text)
	return link + last, link + last + len(text), last > slash && secret && !strings.Contains(text, ".") &&
		!strings.Contains(text, markerOpen)
}

// isGrant reports whether a parameter of a link that logs in is what does it. lets is true if the path says that
// whoever opens the link is let in: then the value may also be short or a seldom word, and the name a letter.
func isGrant(name, text string, lets bool) bool {
	known := slices.Contains(linkParameters.All(), name)
	if !known && !(lets && len(name) == 1) || len(text) < 6 || isPlaceholder(text) || isReference(text) ||
		strings.Contains(text, markerOpen) {
		return false
	}
	if lets && (len(text) >= 8 && hasDigit(text) && hasLetter(text) || known && isRare(text) && lowered(text) == text) {
		return true
	}
	return known && hasDigit(text) && (countDigits(text) == len(text) || len(text) >= 12)
}

// grants is for paths of which a last part or a parameter lets somebody in.
var grants = pattern.New(`/(?:magic|reset|invite|invites|invitation|invitations|hook|hooks|webhook|webhooks|confirm|` +
	`activate|activation|magic-link|password-reset|reset-password|verify|verify-email|unlock|recover|join|` +
	`accept-invite|accept-invitation)(?:/|$)`)

// findRelativeLink finds the parameter of a link without a scheme whose last part says that it logs in: magic?link=….
// Its value has to look like no word.
func findRelativeLink(s string, at int) (start, end int, ok bool) {
	part := back(s, at, maxName, isBase64URL)
	name := run(s, at+1, maxName, isWord)
	if part == at || byteAt(s, name) != '=' || !isLinkWord(foldASCII(s[part:at])) ||
		!slices.Contains(linkParameters.All(), foldASCII(s[at+1:name])) {
		return 0, 0, false
	}
	start = name + 1
	end = run(s, start, 256, isBase64URL)
	text := s[start:end]
	return start, end, len(text) >= 8 && (looksMade(text) || isRandom(text) && isStrong(text))
}

// keyParameter finds the parameter "key" of a link.
func keyParameter(s string, link int, url string, from int) (start, end int, ok bool) {
	if from < 0 {
		return 0, 0, false
	}
	for _, name := range []string{"?key=", "&key="} {
		if i := strings.Index(url[from:], name); i >= 0 {
			start = link + from + i + len(name)
			end = run(s, start, 256, isBase64URL)
			return start, end, end-start >= 16 && isRandom(s[start:end]) && !isSlug.Match(s[start:end])
		}
	}
	return 0, 0, false
}
