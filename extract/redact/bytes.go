package redact

// Classes of bytes. Secrets are ASCII; a byte of a longer character belongs to
// no class, so that it bounds a secret like a space does.

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
func isLower(c byte) bool { return 'a' <= c && c <= 'z' }
func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }
func isAlpha(c byte) bool { return isLower(c) || isUpper(c) }
func isAlnum(c byte) bool { return isAlpha(c) || isDigit(c) }
func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }
func isBlank(c byte) bool { return c == ' ' || c == '\t' }

func isHex(c byte) bool       { return isDigit(c) || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F' }
func isWord(c byte) bool      { return isAlnum(c) || c == '_' }
func isBase64URL(c byte) bool { return isWord(c) || c == '-' }
func isBase64(c byte) bool    { return isAlnum(c) || c == '+' || c == '/' || c == '=' }
func isDotted(c byte) bool    { return isBase64URL(c) || c == '.' }
func isUpperAlnum(c byte) bool {
	return isUpper(c) || isDigit(c)
}

// run returns the end of the longest run of bytes of a class that starts at at
// and is at most limit bytes long.
func run(s string, at, limit int, class func(byte) bool) int {
	end := min(len(s), at+limit)
	for at < end && class(s[at]) {
		at++
	}
	return at
}

// back returns the start of the longest run of bytes of a class that ends
// before at and is at most limit bytes long.
func back(s string, at, limit int, class func(byte) bool) int {
	start := max(0, at-limit)
	for at > start && class(s[at-1]) {
		at--
	}
	return at
}

// lower is an ASCII letter in lower case, other bytes unchanged: offsets hold.
func lower(c byte) byte {
	if isUpper(c) {
		return c + 'a' - 'A'
	}
	return c
}

// hasPrefixFold reports whether s starts with prefix, which is in lower case,
// whatever the case of its ASCII letters.
func hasPrefixFold[T string | []byte](s T, prefix string) bool {
	if len(s) < len(prefix) {
		return false
	}
	for i := range len(prefix) {
		if lower(s[i]) != prefix[i] {
			return false
		}
	}
	return true
}

// IsToken reports whether a byte can be part of a token: a letter, a digit, or one
// of the signs that base64 and the like have.
func IsToken(c byte) bool { return isDotted(c) || isBase64(c) || c == '~' }
