package redact_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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

func TestWhatMustGoGoesFromJSON(t *testing.T) {
	for _, line := range readLines(t, "testdata/taken.txt") {
		marked := unescape.Replace(line)
		doc, err := json.Marshal(map[string]string{"said": strings.NewReplacer("«", "", "»", "").Replace(marked)})
		require.NoError(t, err)
		got, _ := redact.JSON(doc)
		var decoded map[string]string
		require.NoError(t, json.Unmarshal(got, &decoded))
		assert.Equal(
			t,
			between.ReplaceAllString(marked, "[redacted]"),
			marker.ReplaceAllString(decoded["said"], "[redacted]"),
		)
	}
}

// A document as a whole is less certain than its texts: a name may stand in one
// member and the secret in another. What is clean stays so all the same.
func TestWhatMustStayStaysInJSON(t *testing.T) {
	for _, line := range readLines(t, "testdata/kept.txt") {
		doc, err := json.Marshal(map[string]any{"list": []string{strings.ReplaceAll(line, `\n`, "\n")}, "said": line})
		require.NoError(t, err)
		got, n := redact.JSON(doc)
		assert.Equal(t, string(doc), string(got))
		assert.Zero(t, n)
	}
}
