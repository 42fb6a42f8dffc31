package quality

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
	"github.com/wm-lsp/wm-lsp/extract/shorten"
)

// The rules for text that programs write: traces, errors, hashes, declarations
// and paths.

var (
	frame = pattern.New(
		`(?-i)(?m)^\s*at\s+\S.*[:(]\d+|\bat [\w$.<>\[\]]+ ?\([^)\s]*:\d+(?::\d+)?\)|` +
			`Traceback \(most recent call last\)|^\s*File "[^"]+", line \d+|\bgoroutine \d+ \[|` +
			`^\s*\S+\.go:\d+ \+0x|thread '[^']*' panicked at|^\s*#\d+\s+0x[0-9a-f]+|stack backtrace:|` +
			`Exception in thread "|Caused by: [\w.]+(?:Exception|Error)`,
	)

	rawError = pattern.New(
		`(?-i)^(?:\[[A-Z]+\] ?)?(?:Uncaught |Unhandled )?(?:[A-Z]\w*(?:Error|Exception|Warning)\b ?(?:\[\w+\])?:|` +
			`(?i:error|fatal|panic|fatal error|err!|npm err!|failed|failure|exception|warning)` +
			`(?:\[\w+\]| TS\d+)?: )|\berror TS\d{4}\b|\berror\[E\d{4}\]|` +
			`^\S+:\d+(?::\d+)?:? (?:error|warning|fatal error)\b|npm (?i:err)!|` +
			`\bexit(?:ed with)? (?:code|status) [1-9]\d*\s*$|^--- FAIL: |^FAILED \S+::|` +
			`\b(?:ENOENT|ECONNREFUSED|EACCES|EADDRINUSE): |` +
			`^(?:bash|sh|zsh): .*: (?:command not found|No such file)|^make(?:\[\d+\])?: \*\*\*|` +
			`^\S+\.\w+:\d+:\d+: |(?i:segmentation fault|bus error|illegal instruction|aborted) ?\(core dumped\)|` +
			`^AssertionError\b|^E\s{2,}\w|` +
			`^(?:FAIL|FAILED|PASS|✗|✕|×|✖|●|not ok)[:\s]\s*\S*(?:[\w-]+\.\w+|[\w./-]+/[\w./-]+|\d+)|` +
			`^(?i:the )?(?i:build|compilation|compile|type ?check|lint(?:ing)?|tests?|test run|ci|pipeline|job|` +
			`deploy(?:ment)?) failed\b.{0,40}\b(?:\d+ \w*\s?(?i:errors?|failures?|problems?)|(?i:exit (?:code|` +
			`status)))|` +
			`^(?i:found \d+ (?:\w+ )?(?:errors?|problems?|warnings?|vulnerabilit))|` +
			`^curl: \(\d+\)|^ERROR in \S|^(?i:merge conflict)s? in\b|^CONFLICT \(|^(?i:exit (?:code|` +
			`status)) \d|^\d+ (?i:errors?|failures?|problems?)(?: \(|,| and| found| generated)|` +
			`^(?i:killed|out of memory|` +
			`permission denied|command not found|connection refused)[.!]?$`,
	)

	hashWord    = pattern.New(`(?-i)\b[0-9a-f]{7,40}\b`)
	commitWords = pattern.New(
		`\b(?:commit(?:s|ted)?|sha1?|rev(?:ision)?|cherry-pick(?:ed)?|merged?|HEAD|hash|revert(?:s|ed)?|rebased?|` +
			`pushed|fixed|landed|deployed|released|tagged|bisect(?:ed)?|introduced|branch|implemented|added|` +
			`updated|see)\b|提交|コミット|커밋|修复|合并`,
	)
)

// title matches the title of a commit in the conventional form.
var title = pattern.New(
	`(?-i)^(?:feat|fix|docs|chore|refactor|test|tests|style|perf|ci|build|revert|wip)(?:\([\w./, -]{1,40}\))?!?: \S`,
)

// inFront matches a hash of a commit at the beginning of a string.
var inFront = pattern.New("(?-i)^[`(\\[]?([0-9a-f]{7,40})[`)\\]]?:? \\S")

// isCommit reports whether a string is a line of a log of commits, or names a commit.
func isCommit(text string) bool {
	text = strings.TrimSpace(text)
	if m := inFront.Submatch(text); m != nil && strings.ContainsAny(m[1], "0123456789") &&
		(len(m[1]) > 8 || strings.ContainsAny(m[1], "abcdef")) {
		return true
	}
	return title.Match(text) || namesCommit(text)
}

func isStackTrace(text string) bool { return frame.Match(text) }

func isRawError(text string) bool { return rawError.Match(strings.TrimSpace(text)) }

// namesCommit reports whether a string contains a full hash, or a short one together
// with a word about commits or with little else.
func namesCommit(text string) bool {
	for _, bounds := range hashWord.FindAll(text, 8) {
		hash := text[bounds[0]:bounds[1]]
		if !strings.ContainsAny(hash, "abcdef") || !strings.ContainsAny(hash, "0123456789") ||
			isPartOfID(text, bounds) {
			continue
		}
		if len(hash) == 40 || len(strings.TrimSpace(text)) < 3*len(hash) || commitWords.Match(text) {
			return true
		}
	}
	return false
}

// isPartOfID reports whether a hash is a color or part of a longer id.
func isPartOfID(text string, bounds []int) bool {
	return bounds[0] > 0 && strings.ContainsRune("#-_", rune(text[bounds[0]-1])) ||
		bounds[1] < len(text) && strings.ContainsRune("-_", rune(text[bounds[1]]))
}

var signature = pattern.New("(?-i)(?m)^`{0,3}(?:",
	`(?:export |public |private |protected |static |abstract |final |async |pub(?:\([a-z]+\))? |override |virtual |`+
		`inline |unsafe )+[\w<>\[\], ]*\(.*\).*|(?:export |public |private |protected |static |abstract |final |`+
		`pub )+(?:class|interface|enum|struct|trait|type|const|let|fn|function|func) .*|`,
	`(?:async )?(?:def|fn|fun|function|func)\s+(?:\([^)]*\)\s*)?\w+\s*(?:\[[^\]]*\]|<[^>]*>)?\s*\(.*\).*|`,
	`(?:class|interface|trait|enum|struct|impl)\s+\w+(?:[<(:].*|\s+(?:extends|implements|for)\s+.*)?\s*(?::|\{.*)|`,
	`type\s+\w+\s*(?:=|struct\b|interface\b).*|`,
	`(?:const|let|var|val)\s+\w+(?:\s*:\s*[\w<>\[\]|]+)?\s*=.*|`,
	`(?:void|int|bool|char|float|double|string|auto|size_t|std::\w+)[ *&]+\w+(?:::\w+)*\([^)]*\)\s*(?:const)?\s*[;{]?|`,
	`\w+\((?:\w+\??: ?[\w<>\[\]|. ]+(?:, )?)*\)\s*(?::|->|=>)\s*[\w<>\[\]|.* ]+`,
	")[;{]?`{0,3}$",
)

// isSignature reports whether a string is mostly a declaration.
func isSignature(text string) bool {
	found := signature.Find(strings.TrimSpace(text))
	return 2*len(found) > len(strings.TrimSpace(text))
}

var (
	pathToken = pattern.New(
		`(?-i)^[("'\x60\[]*(?:[A-Za-z]:[\\/]|~?/|\.{1,2}/)?` +
			`(?:[\w.@+\-\[\]()*$%]+[\\/])+[\w.@+\-\[\]*$]*(?::\d+(?::\d+)?)?[)"'\x60\],;:.]*$|` +
			`^[("'\x60\[]*/[\w.\-]+[)"'\x60\],;:.]*$|` +
			`^[("'\x60\[]*[\w\-]+\.(?:go|py|ts|tsx|js|jsx|rs|java|c|h|cpp|hpp|rb|php|cs|md|json|yaml|yml|toml|sql|` +
			`sh|css|html|vue|lua|txt|kt|swift)(?::\d+(?::\d+)?)?[)"'\x60\],;:.]*$`,
	)
	absolutePath = pattern.New(
		`(?-i)^[("'\x60\[]*(?:/[\w.@+\-]+(?:/[\w.@+\-]*)+|[A-Za-z]:[\\/][\w.\\/\-]+|~/[\w.\-/]+)`,
	)
)

// namesOnePath reports whether a string names one path and says something about it.
func namesOnePath(text string) bool {
	paths, others := 0, 0
	for _, token := range strings.Fields(text) {
		switch {
		case pathToken.Match(token):
			paths++
		case strings.ContainsFunc(token, isVisible):
			others++
		}
	}
	return paths == 1 && others > 0
}

// isPathHeavy reports whether more than half of the visible characters belong to
// paths, or whether there are two or more absolute paths (choice 4).
func isPathHeavy(text string) bool {
	all, inPaths, absolute := 0, 0, 0
	for _, token := range strings.Fields(text) {
		n := utf8.RuneCountInString(token)
		all += n
		if absolutePath.Match(token) {
			absolute++
		}
		if pathToken.Match(token) {
			inPaths += n
		}
	}
	return absolute >= 2 || 2*inPaths > all
}

const (
	minLength = 20  // characters
	cjkWeight = 2.5 // weight of a character of Han, kana or Hangul
)

func isTooShort(text string) bool {
	length := 0.0
	for _, r := range shorten.Line(text) {
		if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) {
			length += cjkWeight
		} else {
			length++
		}
	}
	return length < minLength
}
