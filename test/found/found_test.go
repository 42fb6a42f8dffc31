package found_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/test/found"
)

func TestFiguresAreSharesOfTheEvidence(t *testing.T) {
	ids := strings.Fields("a b c d e f g h i j k l m n o p q r s t u")
	for name, test := range map[string]struct {
		evidence string
		want     found.Figures
	}{
		"all of it first":                  {"a", found.Figures{Questions: 1, R10: 100, R20: 100, MRR: 100}},
		"half of it, second":               {"b z", found.Figures{Questions: 1, R10: 50, R20: 50, MRR: 50}},
		"in the first ten and behind them": {"d k", found.Figures{Questions: 1, R10: 50, R20: 100, MRR: 25}},
		"behind the first twenty":          {"u", found.Figures{Questions: 1, MRR: 100. / 21}},
		"nothing":                          {"z", found.Figures{Questions: 1}},
		"twice the same":                   {"a a", found.Figures{Questions: 1, R10: 100, R20: 100, MRR: 100}},
	} {
		t.Run(name, func(t *testing.T) {
			var figures found.Figures
			figures.Add(found.Question{Evidence: strings.Fields(test.evidence)}, ids)
			assert.Equal(t, test.want, figures.Mean())
		})
	}
}

func TestSetsAreReadFromFoldersAndSearched(t *testing.T) {
	dir, goroot := t.TempDir(), t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	}
	write(filepath.Join(dir, "talk", "turns.jsonl"),
		`{"id":"c/1","conv":"c","session":1,"date":"1:56 pm on 8 May, 2023","speaker":"Ada","text":"It is repaired"}
{"id":"c/2","conv":"c","session":1,"date":"1:56 pm on 8 May, 2023","speaker":"Ben","text":"Oh","caption":"a tree"}
`)
	write(filepath.Join(dir, "talk", "questions.jsonl"),
		`{"id":"q","conv":"c","cat":"single","question":"What was repaired?","evidence":["c/1"]}`)
	write(filepath.Join(dir, "memory", "memories.txt"), "d1|We chose Redis.\nd2|We dropped Kafka.\n")
	write(filepath.Join(dir, "memory", "questions.txt"), "d2|When was Kafka dropped?\nd1|What is a zebra?\n")
	write(filepath.Join(goroot, "src", "a.go"), "// This is another text of five words.\n// short\npackage a\n")

	rows, err := found.Measure(dir, goroot)
	require.NoError(t, err)
	require.NotEmpty(t, rows)
	var conversations, memories int
	for _, row := range rows {
		want := found.Figures{Questions: 1, R10: 100, R20: 100, MRR: 100}
		if strings.HasPrefix(row.What, "coding memories") {
			want = found.Figures{Questions: 2, R10: 50, R20: 50, MRR: 50}
			memories++
		} else {
			conversations++
		}
		assert.Equal(t, want, row.Mean(), row.What)
	}
	assert.NotZero(t, conversations)
	assert.NotZero(t, memories)
	assert.False(t, rows[len(rows)-1].Met())
}

func TestAFolderWithoutSetsIsAnError(t *testing.T) {
	_, err := found.Measure(t.TempDir(), t.TempDir())
	assert.ErrorIs(t, err, os.ErrNotExist)
}
