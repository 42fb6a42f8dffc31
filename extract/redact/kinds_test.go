package redact_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/extract/redact"
)

// readKinds returns the texts of testdata/kinds.txt by the sentence that they stand under.
func readKinds(t testing.TB) map[string][]string {
	t.Helper()
	kinds := map[string][]string{}
	sentence := ""
	for _, line := range readLines(t, "testdata/kinds.txt") {
		if name, ok := strings.CutPrefix(line, "= "); ok {
			sentence = name
			continue
		}
		require.NotEmpty(t, sentence, line)
		kinds[sentence] = append(kinds[sentence], unescape.Replace(line))
	}
	return kinds
}

func TestEveryKindOfSecretIsFoundAndNothingBesideIt(t *testing.T) {
	for sentence, texts := range readKinds(t) {
		t.Run(sentence, func(t *testing.T) {
			for _, marked := range texts {
				got, _ := redact.Text(strings.NewReplacer("«", "", "»", "").Replace(marked))
				assert.Equal(t, between.ReplaceAllString(marked, "[redacted]"), marker.ReplaceAllString(got,
					"[redacted]"))
				again, more := redact.Text(got)
				assert.Equal(t, got, again, "redacting twice changes nothing more")
				assert.Zero(t, more)
			}
		})
	}
}

func TestADocumentThatIsAWebKeyLosesItsSecretMembers(t *testing.T) {
	secret := "FdFYFzERwC2uCBB46pZ" + "Qi4GG85LujR8obt"
	for before, after := range map[string]string{
		`{"kty":"oct","k":"`:                        `"}`,
		`{"kty":"EC","x":"f83OJ3D2xF1Bg8vub","d":"`: `","kid":"one"}`,
		`{"alg":"HS256","k":"`:                      `","kty":"oct"}`,
		`{"keys":[{"kid":"a"},{ "d" : "`:            `" , "kty" : "OKP"}]}`,
	} {
		got, _ := redact.JSON([]byte(before + secret + after))
		assert.Equal(t, before+"[redacted:private-key]"+after, string(got))
		text, _ := redact.Text("the key: " + before + secret + after)
		assert.Equal(t, "the key: "+before+"[redacted:private-key]"+after, text)
	}
	doc := `{"kid":"one","d":"a short remark"}`
	got, n := redact.JSON([]byte(doc))
	assert.Equal(t, doc, string(got))
	assert.Zero(t, n)
}
