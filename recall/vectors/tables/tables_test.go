package tables

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAVectorIsReadAsItWasWritten(t *testing.T) {
	rows := map[string]Row{}
	for i, term := range []string{"spam", "junk", "a", "zebra", "zeal"} {
		row := Row{Weight: uint8(50 * i)}
		for k := range row.Numbers {
			row.Numbers[k] = int8((k*7+i)%15 - 7)
		}
		rows[term] = row
	}
	file, err := MakeVectors(rows)
	require.NoError(t, err)
	assert.Equal(t, len(rows), file.Len())
	assert.Equal(t, "a", file.Term(0))
	for term, row := range rows {
		read, is := file.Row(term)
		require.True(t, is, term)
		assert.Equal(t, row, read, term)
	}
	for _, unknown := range []string{"", "A", "jun", "junks", "zz", "\xff"} {
		_, is := file.Row(unknown)
		assert.False(t, is, unknown)
	}
}

func TestANumberThatDoesNotFitIsRefused(t *testing.T) {
	row := Row{}
	row.Numbers[3] = 8
	_, err := MakeVectors(map[string]Row{"spam": row})
	assert.Error(t, err)
}

func TestRelationsAreReadAsTheyWereWritten(t *testing.T) {
	file, err := MakeRelations(map[string][]Edge{
		"spam":         {{"junk", 4}, {"junk mail", 4}, {"junk", 4}, {"mail", 2}},
		"pull request": {{"pr", 4}},
		"pr":           {{"pull request", 4}},
	})
	require.NoError(t, err)
	assert.Equal(t, []Edge{{"junk", 4}, {"junk mail", 4}, {"mail", 2}}, slices.Collect(file.Edges("spam")),
		"each once, in their order")
	assert.Equal(t, []Edge{{"pr", 4}}, slices.Collect(file.Edges("pull request")))
	assert.Empty(t, slices.Collect(file.Edges("junk")))
	assert.Empty(t, slices.Collect(file.Edges("unknown")))
	assert.Equal(t, 6, file.Len())
	assert.Equal(t, "junk", file.Name(0))
	_, err = MakeRelations(map[string][]Edge{"a": {{"b", 8}}})
	assert.Error(t, err)
}

func TestAnEmptyFileHasNothing(t *testing.T) {
	vectors, err := MakeVectors(nil)
	require.NoError(t, err)
	_, is := vectors.Row("spam")
	assert.False(t, is)
	relations, err := MakeRelations(nil)
	require.NoError(t, err)
	assert.Empty(t, slices.Collect(relations.Edges("spam")))
}

func TestASumIsThatOfTheNumbersOfItsRows(t *testing.T) {
	rows := map[string]Row{}
	for i := range 40 {
		row := Row{Weight: uint8(255 - i*6)}
		for k := range row.Numbers {
			row.Numbers[k] = int8((k*11+i*k+i)%15 - 7)
		}
		rows[fmt.Sprint("term", i)] = row
	}
	file, err := MakeVectors(rows)
	require.NoError(t, err)
	for name, times := range map[string]func(i int) int{
		"each once":   func(int) int { return 1 },
		"few":         func(i int) int { return max(0, 3-i) },
		"some often":  func(i int) int { return i*i%50 + 1 },
		"thousands":   func(i int) int { return i * 1000 },
		"none at all": func(int) int { return 0 },
	} {
		t.Run(name, func(t *testing.T) {
			var sum Sum
			var want [Dimensions]int64
			for i := range len(rows) {
				term := fmt.Sprint("term", i)
				sum.Add(file, term, times(i))
				for k, n := range rows[term].Numbers {
					want[k] += int64(n) * int64(rows[term].Weight) * int64(times(i))
				}
			}
			sum.Add(file, "another", 5)
			assert.Equal(t, want, *sum.Numbers())
			assert.Equal(t, want, *sum.Numbers())
		})
	}
}
