package room

import (
	"bytes"
	"encoding/json"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// A Forgetter says what becomes of its rows when strings are erased. The rows of
// other rooms become what Without returns.
type Forgetter interface {
	// Forget returns a row without the strings, which are given as they are and as
	// JSON writes them. A row without a value is deleted. It depends on nothing but
	// its arguments.
	Forget(row change.Row, texts []string) change.Row
}

// Without returns a row in which "[erased]" replaces strings wherever the value
// holds them. A row is deleted if its key holds one.
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

// eachText returns a value of JSON with every string that is not a key replaced.
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
