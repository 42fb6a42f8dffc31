package briefing

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/wm-lsp/wm-lsp/extract/shorten"
	"github.com/wm-lsp/wm-lsp/memory/render"
)

// maxText is how many characters of a string are kept, with the ellipsis of a longer one.
const maxText = 401

// ItemOf returns an item of a section as it is recorded.
func ItemOf(section string, item render.Item) Item {
	return Item{
		Section: section, ID: item.ID, Text: shorten.Chars(item.Text, maxText), Told: shorten.Chars(item.Told, maxText),
		Sum: sum(item.Sameness()), Key: KeyOf(item.Text), Path: item.Path, At: item.At,
	}
}

// Item returns the item of the context, as far as it is recorded.
func (i Item) Item() render.Item {
	return render.Item{ID: i.ID, Text: i.Text, Told: i.Told, Path: i.Path, At: i.At}
}

// IsNews reports whether a session that was told the item has to be told of another one.
func (i Item) IsNews(item render.Item) bool { return i.Sum != sum(item.Sameness()) }

// KeyOf returns a value that is equal for strings that say the same, "" if they say nothing.
func KeyOf(text string) string {
	key := render.DedupKey(text)
	if key == "" {
		return ""
	}
	return sum(key)
}

// sum identifies a string. Strings pass the redaction when they are stored, a sum does not change.
func sum(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}
