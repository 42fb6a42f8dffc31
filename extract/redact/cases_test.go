package redact_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wm-lsp/wm-lsp/extract/redact"
)

var (
	between = regexp.MustCompile(`«[^»]*»`)
	marker  = regexp.MustCompile(`\[redacted:[a-z0-9-]+\]`)
)

func TestWhatMustGoGoesAndNothingElse(t *testing.T) {
	lines := readLines(t, "testdata/taken.txt")
	assert.GreaterOrEqual(t, len(lines), 200)
	for _, line := range lines {
		marked := unescape.Replace(line)
		got, _ := redact.Text(strings.NewReplacer("«", "", "»", "").Replace(marked))
		assert.Equal(t, between.ReplaceAllString(marked, "[redacted]"), marker.ReplaceAllString(got, "[redacted]"))
		again, more := redact.Text(got)
		assert.Equal(t, got, again, "redacting twice changes nothing more")
		assert.Zero(t, more)
	}
}

func TestWhatMustStayStays(t *testing.T) {
	lines := readLines(t, "testdata/kept.txt")
	assert.GreaterOrEqual(t, len(lines), 150)
	for _, line := range lines {
		text := strings.ReplaceAll(line, `\n`, "\n")
		got, n := redact.Text(text)
		assert.Equal(t, text, got)
		assert.Zero(t, n)
	}
}
