package redact_test

import (
	"math"
	"strings"
	"testing"
	"time"

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

// What is looked for behind a trigger is bounded, also where its text repeats it: the time for four
// times the text is compared with that for the text in the same run.
func TestTimeGrowsWithTheTextWhateverIsRepeated(t *testing.T) {
	for _, unit := range []string{
		"mkpasswd ", "user:pass@", "ssn,a\n", "password|x|\n",
		"<tr><th>password</th><th>", "insert into t(pw) values ('a'),",
		"('insert into t(pw) values('),", "chpasswd <<E\n", "password is ", "log in a and ",
		"type a when it asks for the password, ", "密码是用", "パスワードを", "a／", "p a s s w ", "x\tTRUE\t", "'sid', '",
		"password for the a:\n", "code is a ", "as password use ", "echo 'a; b' -u a,", "ＴＯＫＥＮ＝", "creds: a / ",
	} {
		seconds := func(size int) float64 {
			text := strings.Repeat(unit, size/len(unit))
			best := math.Inf(1)
			for range 3 {
				start := time.Now()
				redact.Text(text)
				best = min(best, time.Since(start).Seconds())
			}
			return best
		}
		small, large := seconds(1<<13), seconds(1<<15)
		assert.Less(t, large, 12*small, unit) // four times, and what else runs
	}
}
