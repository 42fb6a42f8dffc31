package prune_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/extract/prune"
)

// source returns a file of n lines. All braces are alike, and line 9 mentions an error.
func source(n int) (lines []string) {
	for i := range n {
		lines = append(lines, fmt.Sprintf("\tif value := parse(%d); value != nil {  ", i), "\t}")
	}
	lines[8] = "\treturn errors.New(\"error: cannot parse\")"
	return lines[:n]
}

func TestA8_OfTheContentOfAFileTheBeginningStaysAsItIs(t *testing.T) {
	for mode, kept := range map[prune.Mode]int{prune.Normal: 200, prune.Aggressive: 120, prune.Hyper: 60} {
		with := options(mode)
		with.Prints, with.Reads = true, true
		lines := source(500)
		got := prune.Prune(strings.Join(lines, "\n")+"\n", with)
		require.True(t, got.Pruned, mode)
		want := append(lines[:kept:kept], fmt.Sprintf("[… lines %d–500 of 500: read them by their numbers]", kept+1))
		assert.Equal(t, want, strings.Split(got.Output, "\n"), mode)
		whole := prune.Prune(strings.Join(lines[:kept], "\n"), with)
		assert.False(t, whole.Pruned, "%s: what fits is not cut at all", mode)
	}
}

func TestA8_NoLineIsLostUncounted(t *testing.T) {
	var lines []string
	for i := range 90 {
		step := fmt.Sprintf("step %c%c of the work is done", 'a'+i/26, 'a'+i%26)
		lines = append(lines, step, "all went well with it", "")
	}
	for _, mode := range []prune.Mode{prune.Normal, prune.Aggressive, prune.Hyper} {
		got := prune.Prune(strings.Join(lines, "\n"), options(mode))
		require.True(t, got.Pruned)
		counted := 0
		for _, line := range strings.Split(got.Output, "\n") {
			var n, times int
			switch {
			case strings.Contains(line, "these"):
				_, err := fmt.Sscanf(line, "[… these %d lines %d times more]", &n, &times)
				require.NoError(t, err, line)
				counted += n * times
			case strings.HasPrefix(line, "[… "):
				_, err := fmt.Sscanf(line, "[… %d ", &n)
				require.NoError(t, err, line)
				counted += n
			default:
				counted++
			}
		}
		assert.Equal(t, got.LinesIn, counted, "%s:\n%s", mode, got.Output)
	}
}

func TestA8_TheEndsStayWhateverTheyCost(t *testing.T) {
	var lines []string
	for i := range 400 {
		word := fmt.Sprintf("%c%c", 'a'+i/26, 'a'+i%26)
		lines = append(lines, strings.Repeat(word+" ", 30))
	}
	for mode, ends := range map[prune.Mode]int{prune.Normal: 10, prune.Aggressive: 10, prune.Hyper: 7} {
		got := strings.Split(prune.Prune(strings.Join(lines, "\n"), options(mode)).Output, "\n")
		for i := range ends {
			assert.Equal(t, lines[i][:20], got[i][:20], mode)
			assert.Equal(t, lines[399-i][:20], got[len(got)-1-i][:20], mode)
		}
	}
}
