package request_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/extract/request"
)

// A message is right if it asks for exactly the entries that its label names.
func TestRequestsAreRightOnIndependentMessages(t *testing.T) {
	for file, bar := range map[string]float64{"independent.txt": bar, "unseen.txt": 0.96} {
		t.Run(file, func(t *testing.T) { rightOn(t, "testdata/"+file, bar) })
	}
}

func rightOn(t *testing.T, path string, bar float64) {
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	type count struct{ right, all int }
	perLanguage := map[string]*count{"all": {}}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSuffix(line, "\n"); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.SplitN(line, "\t", 3)
		require.Len(t, fields, 3, line)
		var want []string
		if fields[1] != "-" {
			want = strings.Split(fields[1], " || ")
		}
		got := request.Requests(strings.ReplaceAll(fields[2], `\n`, "\n"), request.Before{})
		right := len(got) == len(want) && !slices.ContainsFunc(want, func(w string) bool {
			return !slices.ContainsFunc(
				got,
				func(r request.Request) bool { return strings.Contains(strings.ToLower(r.Text), strings.ToLower(w)) },
			)
		})
		if perLanguage[fields[0]] == nil {
			perLanguage[fields[0]] = &count{}
		}
		for _, c := range []*count{perLanguage["all"], perLanguage[fields[0]]} {
			c.all++
			if right {
				c.right++
			}
		}
		if !right {
			t.Logf("%s: %q should keep %q, not %v", fields[0], fields[2], want, got)
		}
	}
	for language, c := range perLanguage {
		t.Logf("%s: %d of %d right", language, c.right, c.all)
	}
	assert.GreaterOrEqual(t, ratio(perLanguage["all"].right, perLanguage["all"].all), bar)
}

// A message asks if it has at least one request.
func TestRequestsInOtherWordsAreHeard(t *testing.T) {
	text, err := os.ReadFile("testdata/otherwise.txt")
	require.NoError(t, err)
	right, all := map[string]int{}, map[string]int{}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.SplitN(strings.TrimSuffix(line, "\n"), "\t", 3)
		require.Len(t, fields, 3, line)
		all[fields[1]]++
		if asks := len(request.Requests(fields[2], request.Before{})) > 0; asks == (fields[1] == "yes") {
			right[fields[1]]++
			continue
		}
		t.Logf("%s: %q should be %s", fields[0], fields[2], fields[1])
	}
	assert.GreaterOrEqual(t, ratio(right["yes"], all["yes"]), bar)
	assert.GreaterOrEqual(t, ratio(right["no"], all["no"]), bar)
}
