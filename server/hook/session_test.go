package hook

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// An answered event is a line of testdata/sessions.jsonl. The lines of a host are one session.
type answered struct {
	Host, Says string
	Name       string
	Stdin      json.RawMessage
	// Answer is null for no output. Its texts are regular expressions.
	Answer map[string]any
}

func TestWhatIsAnsweredInASessionOfEachHost(t *testing.T) {
	sessions := map[string][]answered{}
	for _, one := range lined[answered](t, "sessions.jsonl") {
		sessions[one.Host] = append(sessions[one.Host], one)
	}
	for host, events := range sessions {
		t.Run(host, func(t *testing.T) {
			a := newAgent(t)
			folder, err := json.Marshal(a.folder)
			require.NoError(t, err)
			for _, one := range events {
				stdin := bytes.ReplaceAll(one.Stdin, []byte("/scratch/ws"), bytes.Trim(folder, `"`))
				e, err := Parse(stdin, one.Name, func(string) string { return "" })
				require.NoError(t, err, one.Says)
				assert.Equal(t, host, e.Host, one.Says)
				out := a.run(bytes.NewReader(stdin), one.Name)
				if one.Answer == nil {
					assert.Empty(t, out, one.Says)
					continue
				}
				var answer map[string]any
				require.NoError(t, json.Unmarshal([]byte(out), &answer), "%s: %q", one.Says, out)
				matches(t, one.Answer, answer, one.Says)
			}
			assert.Empty(t, a.log.String(), "nothing fails")
		})
	}
}

// matches compares an answer with the one that is wanted, whose texts are regular expressions.
func matches(t *testing.T, want, got map[string]any, says string) {
	t.Helper()
	for name, value := range want {
		switch value := value.(type) {
		case map[string]any:
			inner, _ := got[name].(map[string]any)
			matches(t, value, inner, says)
		default:
			assert.Regexp(t, value, got[name], says)
		}
	}
	assert.Len(t, got, len(want), "%s: %v", says, got)
}
