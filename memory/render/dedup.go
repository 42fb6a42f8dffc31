package render

import (
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/quality"
)

// DedupKeys are the deduplication keys of one section: the DedupKey of every line, the
// paths of files, and the ErrorKey of every open error.
type DedupKeys map[string]bool

// A DedupSet holds the deduplication keys of several sections.
type DedupSet []DedupKeys

// Has reports whether one of the sections has a key. The empty key is in no section.
func (s DedupSet) Has(key string) bool {
	return key != "" && slices.ContainsFunc(s, func(keys DedupKeys) bool { return keys[key] })
}

// dedupSet returns the keys of the sections of a context: all of those that have a string, of
// the others what they withhold.
func (c Context) dedupSet() DedupSet {
	var set DedupSet
	for _, section := range c.Sections {
		set = append(set, section.Withheld)
		if section.Text != "" {
			set = append(set, section.DedupKeys)
		}
	}
	return set
}

// DedupKey returns the key of a string. Strings with the same meaning have the same key.
func DedupKey(text string) string { return quality.Canonical(text) }

// ErrorKey returns the key of a section that lists or counts an open error.
func ErrorKey(fingerprint string) string {
	if fingerprint == "" {
		return ""
	}
	return "open error " + fingerprint
}

// A DedupCache caches the keys of recent strings, because they take time to compute. It
// is safe for concurrent use.
type DedupCache struct{ cache Cache[string, DedupKeys] }

// Keys returns the keys of the lines of a string. Leading bullets are ignored.
func (c *DedupCache) Keys(text string) DedupKeys {
	return c.cache.Of(text, func() DedupKeys {
		keys := DedupKeys{}
		for line := range strings.Lines(text) {
			keys[DedupKey(strings.TrimLeft(line, "-*+ "))] = true
		}
		return keys
	})
}
