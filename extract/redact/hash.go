package redact

import (
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// The hash of a password is a secret as it: many are found by trying words. What begins as crypt(3) has it is known by
// its form (cli.go), any other by its name.

// hashName is the name of the hash of a password.
var hashName = pattern.New(`(?:pass(?:w(?:or)?d|wort)?|pwd?|passphrase)[_-]?(?:hash(?:ed)?|digest)$|` +
	`^(?:hash(?:ed)?|digest)[_-]?(?:pass(?:w(?:or)?d)?|pwd?)$`)

func isHashName(name string) bool { return hashName.Match(lowered(name)) }

// hashed appends the hash that a name announces, or those below it in a table.
func hashed(s string, n named, found []span) []span {
	if at, sep := separator(s, n); sep == ":" || sep == "=" {
		if v := readValue(s, at, sep, false); isPasswordHash(v.text) {
			return append(found, span{v.start, v.end, "password-hash"})
		}
	}
	return below(s, n.start, n.end, found, "password-hash", isPasswordHash)
}

// hashSizes are the lengths of hashes in hexadecimal digits.
var hashSizes = map[int]bool{16: true, 32: true, 40: true, 48: true, 56: true, 64: true, 96: true, 128: true}

// isPasswordHash reports whether a value is a hash: hexadecimal digits, base64, or parts between signs, of which the
// first ones say how it was made.
func isPasswordHash(text string) bool {
	digits := strings.TrimPrefix(strings.TrimPrefix(text, "*"), "0x")
	if hashSizes[len(digits)] && run(digits, 0, len(digits), isHex) == len(digits) {
		return hasDigit(digits)
	}
	last := text[strings.LastIndexAny(text, "$:")+1:]
	encoded := run(last, 0, len(last), func(c byte) bool { return isBase64(c) || strings.IndexByte(".-_", c) >= 0 })
	return len(text) >= 24 && encoded == len(last) &&
		(isRandom(last) || strings.Count(text, "$") >= 2 && hasDigit(text))
}
