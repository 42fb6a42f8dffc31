package render

import (
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/quality"
)

// A Set is what one section says: sayings, paths of files, and open errors.
type Set map[string]bool

// Said is what several sections say.
type Said []Set

// Has reports whether one of the sections says something.
func (s Said) Has(thing string) bool {
	return thing != "" && slices.ContainsFunc(s, func(set Set) bool { return set[thing] })
}

// said returns what the sections of a context say.
func (c Context) said() Said {
	var said Said
	for _, section := range c.Sections {
		if section.Text != "" {
			said = append(said, section.Says)
		}
	}
	return said
}

// Saying returns what two texts share that say the same.
func Saying(text string) string { return quality.Canonical(text) }

// OpenError returns what a section says that lists or counts an open error.
func OpenError(fingerprint string) string {
	if fingerprint == "" {
		return ""
	}
	return "open error " + fingerprint
}

// Sayings keeps what the last texts say, as canonical forms take time to make. It
// is safe for concurrent use.
type Sayings struct{ recent Recent[string, Set] }

// Of returns what the lines of a text say, without the bullets before them.
func (s *Sayings) Of(text string) Set {
	return s.recent.Of(text, func() Set {
		set := Set{}
		for line := range strings.Lines(text) {
			set[Saying(strings.TrimLeft(line, "-*+ "))] = true
		}
		return set
	})
}
