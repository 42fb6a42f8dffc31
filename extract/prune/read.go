package prune

import (
	"fmt"
	"strings"
)

// readable is how many times the threshold of a rule is kept of the content of a file.
const readable = 4

// beginning returns the first lines of the content of a file, unchanged but for very long ones,
// and a note with the numbers of the others. It returns the number of lines, too.
func (p *page) beginning(text string) (output string, lines int) {
	all := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	kept := min(len(all), readable*p.options.Rule.Threshold)
	shown := make([]string, kept, kept+1)
	for i, l := range all[:kept] {
		if shown[i] = l; len(l) > longLine+cutNote {
			shown[i] = runes(l[:longLine], true) + "[… the rest of the line]"
		}
	}
	if kept < len(all) {
		rest := fmt.Sprintf("[… lines %d–%d of %d: read them by their numbers]", kept+1, len(all), len(all))
		shown = append(shown, rest)
	}
	return strings.Join(shown, "\n"), len(shown)
}
