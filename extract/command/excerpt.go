package command

import (
	"slices"
	"strings"
)

const (
	// maxText is how much of an output is read, in bytes: its head, the lines with errors behind
	// it, and its tail.
	maxText = 256 << 10
	// maxErrors is how much of it are lines with errors.
	maxErrors = 64 << 10
	// errorLines is how many lines belong to an error.
	errorLines = 4
)

// errorWords stand in lines that report an error.
var errorWords = []string{
	"error", "Error", "ERROR", "FAIL", "Failed", "fatal", "Fatal", "panic:", "Exception", "undefined",
}

// Excerpt returns what is read of an output: all of it, unless it is huge. Of a huge one it is the
// head, the lines with errors behind it, and the tail, whole lines each. The tail does not begin
// within a private key, which could not be recognised there.
func Excerpt(text string) string {
	if len(text) <= maxText {
		return text
	}
	part := (maxText - maxErrors) / 2
	head := lineStart(text, part)
	tail := lineStart(text, len(text)-part)
	between := text[head:tail]
	if key := strings.LastIndex(between, "-----BEGIN "); key >= 0 && !strings.Contains(between[key:], "-----END ") {
		if _, rest, ends := strings.Cut(text[tail:], "-----END "); ends {
			_, rest, _ = strings.Cut(rest, "\n")
			tail = len(text) - len(rest)
		}
	}
	return text[:head] + linesWithErrors(between) + text[tail:]
}

// lineStart returns where the line of a position begins, or the position if that is far away.
func lineStart(text string, at int) int {
	from := max(0, at-maxWidth)
	line := strings.LastIndexByte(text[from:at], '\n')
	if line < 0 && from > 0 {
		return at
	}
	return from + line + 1
}

// linesWithErrors returns the first lines of a string that report errors, with those behind them, of
// maxErrors bytes at most.
func linesWithErrors(text string) string {
	var b strings.Builder
	next := make([]int, len(errorWords)) // where the words stand next, len(text) if nowhere
	for at := 0; at < len(text); {
		for i, word := range errorWords {
			if next[i] < at || at == 0 {
				if next[i] = strings.Index(text[at:], word); next[i] < 0 {
					next[i] = len(text)
				} else {
					next[i] += at
				}
			}
		}
		found := slices.Min(next)
		if found == len(text) {
			break
		}
		start := max(at, lineStart(text, found))
		end := start
		for range errorLines {
			line := strings.IndexByte(text[end:], '\n')
			if line < 0 {
				end = len(text)
				break
			}
			end += line + 1
		}
		if b.Len()+end-start > maxErrors {
			break
		}
		b.WriteString(text[start:end])
		at = end
	}
	return b.String()
}
