package request_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/extract/request"
)

// bar is the required share of recognized requests (systems.md B2).
const bar = 0.98

// A labelled case is a message with what it asks to remember.
type labelled struct {
	language, message string
	want              []request.Request
}

func readLabelled(t *testing.T, path string) []labelled {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	var cases []labelled
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.SplitN(line, "\t", 3)
		require.Len(t, fields, 3, line)
		c := labelled{language: fields[0], message: strings.ReplaceAll(fields[2], `\n`, "\n")}
		if fields[1] != "-" {
			for entry := range strings.SplitSeq(fields[1], " || ") {
				kind, text, ok := strings.Cut(entry, ": ")
				require.True(t, ok, line)
				c.want = append(c.want, request.Request{Type: kind, Text: text})
			}
		}
		cases = append(cases, c)
	}
	return cases
}

// A tally counts entries: right by text, right by type too, found, and wanted.
type tally struct{ right, typed, found, wanted int }

func (s *tally) add(c labelled, got []request.Request) (ok bool) {
	s.found += len(got)
	s.wanted += len(c.want)
	matched := 0
	for _, w := range c.want {
		for _, g := range got {
			if g.Text != w.Text {
				continue
			}
			matched++
			if g.Type == w.Type {
				s.typed++
			}
			break
		}
	}
	s.right += matched
	return matched == len(got) && matched == len(c.want)
}

func (s tally) precision() float64 { return ratio(s.right, s.found) }
func (s tally) recall() float64    { return ratio(s.right, s.wanted) }

func ratio(part, whole int) float64 {
	if whole == 0 {
		return 1
	}
	return float64(part) / float64(whole)
}

func TestRequestsAreRightOnLabelledMessages(t *testing.T) {
	for _, path := range []string{"testdata/messages.txt", "testdata/aside.txt", "testdata/fresh.txt"} {
		t.Run(path, func(t *testing.T) {
			cases := readLabelled(t, path)
			var all tally
			perLanguage := map[string]*tally{}
			for _, c := range cases {
				if perLanguage[c.language] == nil {
					perLanguage[c.language] = &tally{}
				}
				got := request.Requests(c.message, request.Before{})
				perLanguage[c.language].add(c, got)
				typed := all.typed
				if !all.add(c, got) || all.typed-typed != len(c.want) {
					t.Logf("%s %q\n want %v\n  got %v", c.language, c.message, c.want, got)
				}
			}
			for language, s := range perLanguage {
				t.Logf("%s: precision %.3f recall %.3f (%d wanted)", language, s.precision(), s.recall(), s.wanted)
			}
			t.Logf(
				"%d messages: precision %.3f recall %.3f types %.3f",
				len(cases),
				all.precision(),
				all.recall(),
				ratio(all.typed, all.right),
			)
			assert.GreaterOrEqual(t, all.precision(), bar, "precision")
			assert.GreaterOrEqual(t, all.recall(), bar, "recall")
			assert.GreaterOrEqual(t, ratio(all.typed, all.right), 0.95, "types")
		})
	}
}
