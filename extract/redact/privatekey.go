package redact

import (
	"encoding/base64"
	"strings"
)

// Private keys are redacted from their BEGIN line to their END line. A key that
// was cut off at either end is redacted as far as its lines look like one.

const (
	beginLine = "-----BEGIN "
	endLine   = "-----END "
)

func privateKeyRules() []rule {
	all := []rule{
		{"private-key", foldASCII(beginLine), findKeyFromBegin},
		{"private-key", foldASCII(endLine), findKeyFromEnd},
		{"private-key", "private-lines:", findPuTTY},
		{"private-key", foldASCII(encodedBegin), findEncodedKey},
		{"private-key", "private-mac:", findPuTTYMAC},
	}
	for _, head := range bareHeads {
		all = append(all, rule{"private-key", foldASCII(head), func(s string, at int) (start, end int, ok bool) {
			return findBareKey(s, at, head)
		}})
	}
	return all
}

// bareHeads are what base64 makes of the beginnings of private keys in DER: of RSA, alone and in PKCS #8, of the curves
// P-256, P-384, P-521 and Ed25519.
var bareHeads = []string{"IBAAKC", "IBADANBgkqhkiG9w0BAQEFAASC", "MHcCAQEEI", "MIGkAgEBBDB", "MIHcAgEBBEI",
	"MIGHAgEAMBMGByqGSM49", "MIG2AgEAMBAGByqGSM49", "MC4CAQAwBQYDK2VwBCIEI"}

// findBareKey finds a private key without armour, by its head at at, with its further lines.
func findBareKey(s string, at int, head string) (start, end int, ok bool) {
	start = back(s, at, 8, isBase64)
	return start, keyBody(s, start), strings.HasPrefix(s[at:], head) && (start == 0 || !isBase64(s[start-1])) &&
		(head[0] == 'M' && start == at || head[0] != 'M' && strings.HasPrefix(s[start:], "MI")) &&
		run(s, start, minKeyLine, isBase64) == start+minKeyLine
}

// minKeyLine is the width of a full line of an armoured key, in bytes.
const minKeyLine = 64

// loneKeyLines appends a string that is nothing but full lines of an armoured key, maybe with a shorter one behind them
// and a label before each: somebody wrote it down in pieces.
func loneKeyLines(s string, found []span) []span {
	if len(s) < minKeyLine || len(s) > maxLoneLines {
		return found
	}
	first, full := len(found), 0
	for at := 0; at < len(s); {
		line := at
		end := lineEnd(s, at)
		at = end + 1
		end = line + len(strings.TrimRight(s[line:end], " \r"))
		if end == line {
			continue
		}
		start := back(s, end, end-line, isBase64)
		label := strings.TrimRight(s[line:start], " \t")
		if len(label) > maxKeyLabel || label != "" && (!isBlank(s[start-1]) ||
			strings.IndexByte(":-*>.)|+", label[len(label)-1]) < 0) {
			return found[:first]
		}
		if isKeyWidth(end-start) && isKeyBody(s[start:end]) {
			full++
		} else if end-start < 16 || end-start > 70 || run(s, start, end-start, isHex) == end {
			return found[:first]
		}
		found = append(found, span{start, end, "private-key"})
	}
	if full == 0 {
		return found[:first]
	}
	return found
}

const (
	// maxLoneLines bounds a string that is looked at as lines of a key, in bytes.
	maxLoneLines = 1 << 14
	// maxKeyLabel is the length of the longest label before a line of a key, in bytes.
	maxKeyLabel = 24
)

// isKeyWidth reports whether full lines of a key have a width: those of PEM or of OpenSSH.
func isKeyWidth(n int) bool { return n == minKeyLine || n == 70 }

// isKeyBody reports whether a line of base64 holds random bytes, rather than the words and the number of a path.
func isKeyBody(line string) bool {
	for at := range len(line) {
		if run(line, at, maxKeyWord, isLower) == at+maxKeyWord {
			return false
		}
	}
	return hasDigit(line) && (line[0] != '/' || switches(line) > 5) && caseChanges(line) > 4 &&
		4*(caseChanges(line)+switches(line)) > len(line)
}

// maxKeyWord is how many small letters stand one behind the other in no line of a key.
const maxKeyWord = 7

// keyLabel returns the end of "…PRIVATE KEY…-----" of a line that starts at at.
func keyLabel(s string, at int) (end int, ok bool) {
	label := s[at:min(len(s), at+64)]
	key := indexFold(label, "private key")
	if key < 0 || strings.Contains(label[:key], "---") {
		return 0, false
	}
	end = run(s, at, 64, func(c byte) bool { return isUpper(c) || c == ' ' })
	return run(s, end, 5, func(c byte) bool { return c == '-' }), true
}

func findKeyFromBegin(s string, at int) (start, end int, ok bool) {
	body, ok := keyLabel(s, at+len(beginLine))
	if !ok {
		return 0, 0, false
	}
	if next := strings.Index(s[body:], "-----"); next >= 0 && strings.HasPrefix(s[body+next:], endLine) {
		if end, ok := keyLabel(s, body+next+len(endLine)); ok {
			return at, end, true
		}
	}
	return at, keyBody(s, body), true
}

// keyBody returns where the lines of a key end that has no END line.
func keyBody(s string, at int) int {
	end := at
	for at < len(s) {
		next, line := nextLine(s, at)
		if !isKeyLine(line) {
			break
		}
		at = next
		if strings.TrimSpace(line) != "" {
			end = at
		}
	}
	return len(strings.TrimRight(s[:end], "\r\n"))
}

func findKeyFromEnd(s string, at int) (start, end int, ok bool) {
	end, ok = keyLabel(s, at+len(endLine))
	if !ok {
		return 0, 0, false
	}
	start = at
	for start > 0 {
		line := previousLine(s, start)
		if !isKeyLine(s[line:start]) || strings.TrimSpace(s[line:start]) == "" {
			break
		}
		start = line
	}
	return start, end, true
}

// nextLine returns the line at at, and where the next one starts. A written-out
// \n ends a line like a newline does.
func nextLine(s string, at int) (next int, line string) {
	limit := min(len(s), at+maxKeyLine)
	for i := at; i < limit; i++ {
		if s[i] == '\n' {
			return i + 1, s[at:i]
		}
		if s[i] == '\\' && i+1 < len(s) && s[i+1] == 'n' {
			return i + 2, s[at:i]
		}
	}
	return limit, s[at:limit]
}

// maxKeyLine bounds a line of a key, in bytes: some are written on one line.
const maxKeyLine = 1 << 12

// previousLine returns where the line starts that ends just before at.
func previousLine(s string, at int) int {
	from := max(0, at-maxKeyLine)
	text := strings.TrimSuffix(strings.TrimSuffix(s[from:at], "\n"), `\n`)
	newline := strings.LastIndexByte(text, '\n') + 1
	if escaped := strings.LastIndex(text[newline:], `\n`); escaped >= 0 {
		return from + newline + escaped + 2
	}
	return from + newline
}

// isKeyLine reports whether a line may stand inside an armoured key: base64,
// maybe quoted or marked as a line of a diff, a header, or nothing.
func isKeyLine(line string) bool {
	line = strings.Trim(strings.TrimSuffix(strings.TrimSpace(line), `\n`), ` +->|"',\r`)
	if line == "" || strings.HasPrefix(line, "Proc-Type:") || strings.HasPrefix(line, "DEK-Info:") ||
		strings.HasPrefix(line, "Version:") {
		return true
	}
	return run(line, 0, len(line), isBase64) == len(line) && (len(line) >= 16 || strings.HasSuffix(line, "="))
}

func findPuTTY(s string, at int) (start, end int, ok bool) {
	start = run(s, at+len("private-lines:"), 16, func(c byte) bool { return isBlank(c) || isDigit(c) })
	end = keyBody(s, start)
	return start, end, end-start > 32
}

func findPuTTYMAC(s string, at int) (start, end int, ok bool) {
	start = run(s, at+len("private-mac:"), 4, isBlank)
	end = run(s, start, 128, isHex)
	return start, end, end-start >= 32
}

// encodedBegin is what base64 makes of beginLine.
const encodedBegin = "LS0tLS1CRUdJTi"

// findEncodedKey finds a private key whose armour is in base64 once more, as in
// the configuration of Kubernetes.
func findEncodedKey(s string, at int) (start, end int, ok bool) {
	end = run(s, at, 64, isBase64)
	head, err := base64.StdEncoding.DecodeString(s[at : at+(end-at)/4*4])
	if err != nil || !strings.Contains(string(head), "PRIVATE KEY") {
		return 0, 0, false
	}
	return at, run(s, end, 1<<16, isBase64), true
}
