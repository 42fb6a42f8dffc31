//go:build !race

// The race detector makes readings slower by factors that differ: times are compared without it.

package tag_test

import (
	"testing"

	"github.com/wm-lsp/wm-lsp/extract/tag"
	"github.com/wm-lsp/wm-lsp/test/hostile"
)

func TestTimeGrowsWithTheTextWhateverLooksLikeATag(t *testing.T) {
	for _, unit := range []string{
		"<\u200b", "&lt;", "<workspace_memor", "&", "&l", "\uff1c/", "<////", "lt; ", "////",
	} {
		hostile.Linear(t, unit, func(text string) { tag.Inert(text) })
		hostile.Linear(t, unit, func(text string) { tag.Inert("<" + text) })
	}
}
