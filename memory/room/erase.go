package room

import (
	"bytes"
	"encoding/json"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// A Forgetter erases strings from its rows itself. From the rows of other rooms they are erased
// by Without.
type Forgetter interface {
	// Forget returns a row without the strings, which are given unchanged and as in JSON. A
	// row without a value is deleted. The result depends only on the arguments.
	Forget(row change.Row, texts []string) change.Row
}

// Without returns a row in which "[erased]" replaces the strings in its value. A row whose key
// contains one of them is deleted.
func Without(row change.Row, texts []string) change.Row {
	if store.Without(row.Key, texts) != row.Key {
		row.Value = nil
		return row
	}
	decoder := json.NewDecoder(bytes.NewReader(row.Value))
	decoder.UseNumber()
	var value any
	if decoder.Decode(&value) != nil {
		return row
	}
	changed := false
	value = eachText(value, func(text string) string {
		without := store.Without(text, texts)
		changed = changed || without != text
		return without
	})
	if !changed {
		return row
	}
	if doc, err := json.Marshal(value); err == nil {
		row.Value = doc
	}
	return row
}

// eachText returns a JSON value in which every string that is not a key is replaced.
func eachText(value any, replace func(string) string) any {
	switch value := value.(type) {
	case string:
		return replace(value)
	case []any:
		for i := range value {
			value[i] = eachText(value[i], replace)
		}
	case map[string]any:
		for key := range value {
			value[key] = eachText(value[key], replace)
		}
	}
	return value
}
