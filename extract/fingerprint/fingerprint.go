// Package fingerprint identifies errors. A fingerprint is twelve hex digits that
// stay the same when the error moves to another line, occurs in another
// temporary folder or takes longer, and that differ for a different failure.
// Commands and diagnostics use the same fingerprints, so that both can refer to
// the same error (systems.md B11, choice 3).
package fingerprint

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/once"
	"github.com/wm-lsp/wm-lsp/extract/shorten"
	"github.com/wm-lsp/wm-lsp/extract/terminal"
)

// maxMessage is how much of a message is normalized, in bytes.
const maxMessage = 16 << 10

// Length is the number of hex digits of a fingerprint (systems.md B11).
const Length = 12

// Of returns the first 12 hex digits of the sha256 of the normalized error.
// category is one of systems.md B9 or a custom one; build and typecheck are
// equivalent. path is the file, slash-separated and relative to the workspace,
// or "" if the error has none.
func Of(category, message, path string) string {
	key := kind(category) + "\x00" + Normalize(message) + "\x00" + file(path)
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:])[:Length]
}

// kind maps the categories that a compiler and a language server give to the
// same failure to one.
func kind(category string) string {
	category = strings.ToLower(strings.TrimSpace(category))
	if category == "build" || category == "typecheck" {
		return "compile"
	}
	return category
}

func file(name string) string {
	if name == "" {
		return ""
	}
	return withoutTemporaries(path.Clean(strings.ReplaceAll(name, `\`, "/")))
}

// A rule removes one kind of detail that differs between two runs of the same
// failure.
type rule struct {
	// when reports true for every message that the rule changes. It is about a
	// hundred times cheaper than the pattern.
	when    func(string) bool
	pattern *regexp.Regexp
	with    string
}

// source matches the extensions of files that tools print positions for. A plain
// "name:8080" is a host and a port, which must be kept.
const source = `\.(?:go|mod|py|pyi|pyx|[cm]?[jt]sx?|vue|svelte|rs|c|cc|cpp|cxx|m|mm|h|hh|hpp|hxx|s|java|kts?|` +
	`scala|groovy|gradle|rb|php|cs|fs|vb|swift|dart|lua|exs?|erl|hs|elm|clj|zig|nim|r|jl|pl|sh|bash|sql|proto|` +
	`graphql|css|scss|sass|less|x?html?|xml|json5?|jsonc|ya?ml|toml|ini|cfg|md|rst|tex|cmake|tf)`

// codes are error codes that only one of two tools prints for the same failure.
var codes = once.Value[[]rule]{Make: func() []rule {
	return []rule{
		{has("error"), regexp.MustCompile(`^(?:fatal )?error(?: ts\d+|\[e\d+\])?: ?`), ""},
		{has("error ts"), regexp.MustCompile(`\berror (?:ts\d+|\[e\d+\]): ?`), ""},
		{has("error[e"), regexp.MustCompile(`\berror\[e\d+\]: ?`), ""},
		{has("]"), regexp.MustCompile(`(?: \[-w[^\]\s]*|  \[[a-z]+(?:-[a-z]+)*)\]$`), ""},
	}
}}

// temporary matches a path below a folder for temporary files.
var temporary = once.Compile(`(?:/private)?/(?:tmp|var/tmp|var/folders|dev/shm)/[^\s'"` + "`" + `,;:()<>\[\]{}]+|` +
	`[a-z]:\\(?:users\\[^\\\s]+\\appdata\\local\\temp|windows\\temp|temp|tmp)\\[^\s'"` + "`" + `,;:()<>]+`)

// volatile are numbers that vary between runs: times, positions, addresses and ids.
var volatile = once.Value[[]rule]{Make: func() []rule {
	return []rule{
		{has("-"), regexp.MustCompile(`\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`), "<uuid>"},
		{
			has(":"),
			regexp.MustCompile(
				`\b\d{4}[-/]\d\d[-/]\d\d[t ,]+\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?: ?z\b| ?[+-]\d\d:?\d\d\b)?`,
			),
			"<time>",
		},
		{has(":"), regexp.MustCompile(`(^|[\[(])\d\d:\d\d:\d\d(?:[.,]\d+)?`), "${1}<time>"},
		{has("0x"), regexp.MustCompile(`\b0x[0-9a-f]{6,}\b`), "<address>"},
		{has(":"), regexp.MustCompile(`(` + source + `|>):\d+(?::\d+)?(?:-\d+(?::\d+)?)?\b`), "$1"},
		{has(")", "]"), regexp.MustCompile(`(` + source + `) ?[(\[]\d+(?:, ?\d+)?[)\]]`), "$1"},
		{
			has("line", "col", "ln"),
			regexp.MustCompile(`\b(lines?|col(?:umn)?|ln)(?: (?:number )?|: ?|=)\d+(?:[-:]\d+)?`),
			"$1",
		},
		{has("(char"), regexp.MustCompile(` ?\(char \d+\)`), ""},
		{
			has("pid", "goroutine", "process", "thread"),
			regexp.MustCompile(`\b(pid|goroutine|process|thread)([ =:#]+)\d+\b`),
			"$1$2<id>",
		},
		{has("thread '"), regexp.MustCompile(`(thread '[^']*' )\(\d+\)`), "$1"},
		{has("=="), regexp.MustCompile(`==\d+==`), "==<id>=="},
		{
			isMeasured,
			regexp.MustCompile(
				`(^|[^\w.])(?:\d+h)?(?:\d+m)?\d+(?:\.\d+)? ?(?:ns|µs|μs|us|ms|secs?|seconds?|minutes?|mins?|hours?)\b`,
			),
			"$1<duration>",
		},
		{
			isMeasured,
			regexp.MustCompile(`(^|[^\w.])(?:\d+h(?:\d+m)?(?:\d+(?:\.\d+)?s)?|\d+m\d+(?:\.\d+)?s|\d+(?:\.\d+)?s)\b`),
			"$1<duration>",
		},
	}
}}

// Normalize removes what differs between two runs of the same failure: ANSI
// sequences, case, white space, line and column numbers, addresses, durations,
// timestamps, temporary paths and process ids. It keeps numbers that carry
// meaning, such as the two values of an assertion. Of a longer message it reads the
// first 16 KB.
func Normalize(message string) string {
	if len(message) > maxMessage {
		message = strings.ToValidUTF8(message[:maxMessage], "")
	}
	if strings.IndexByte(message, '\x1b') >= 0 || strings.Contains(message, "\u009b") {
		message = terminal.Strip(message)
	}
	message = strings.ToLower(strings.ReplaceAll(message, "\x00", ""))
	message = strings.TrimSpace(message)
	for _, r := range codes.Get() {
		message = r.apply(message)
	}
	message = withoutTemporaries(message)
	if strings.ContainsAny(message, "0123456789") {
		for _, r := range volatile.Get() {
			message = r.apply(message)
		}
	}
	return strings.TrimRight(shorten.Line(message), ". ")
}

// has returns a function that reports whether a string contains one of the parts.
func has(parts ...string) func(string) bool {
	return func(s string) bool {
		return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(s, part) })
	}
}

// isMeasured reports whether a number in s is followed by the first letter of a
// unit of time.
func isMeasured(s string) bool {
	for i := 1; i < len(s); i++ {
		if s[i-1] < '0' || s[i-1] > '9' {
			continue
		}
		unit := strings.TrimPrefix(s[i:], " ")
		if unit != "" && strings.IndexByte("numsh\xc2\xce", unit[0]) >= 0 {
			return true
		}
	}
	return false
}

func (r rule) apply(s string) string {
	if !r.when(s) {
		return s
	}
	return r.pattern.ReplaceAllString(s, r.with)
}

var mayBeTemporary = has("tmp", "temp", "/var/folders/", "/dev/shm/")

func withoutTemporaries(s string) string {
	if !mayBeTemporary(s) {
		return s
	}
	return temporary.Get().ReplaceAllStringFunc(s, withoutTemporary)
}

// withoutTemporary keeps the name of a file below a temporary folder, because two
// failures may differ in nothing else, but replaces its random parts. A name
// without an extension is a folder's and counts as random.
func withoutTemporary(full string) string {
	name := path.Base(strings.ReplaceAll(full, `\`, "/"))
	if path.Ext(name) == "" || strings.HasPrefix(name, "tmp") || compilerFile.MatchString(name) {
		return "<tmp>" + path.Ext(name)
	}
	return "<tmp>/" + token.Get().ReplaceAllStringFunc(name, func(part string) string {
		if isRandom(strings.TrimPrefix(part, "_")) {
			return "*"
		}
		return part
	})
}

var (
	// compilerFile matches an intermediate file of gcc.
	compilerFile = once.Compile(`^cc[a-z0-9]{6}\.`)
	token        = once.Compile(`_?[a-z0-9]+`)
)

// isRandom reports whether a part of a name is a process id or random: a number
// of three digits or more, or digits followed by letters.
func isRandom(part string) bool {
	digits, mixed := 0, false
	for _, r := range part {
		if r >= '0' && r <= '9' {
			digits++
		} else if digits > 0 {
			mixed = true
		}
	}
	return digits == len(part) && digits >= 3 || mixed && len(part) >= 5
}
