package room

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/memory/change"
)

// A Bundler stores what it keeps of a session that is over as one row, a bundle. All rows are read at the
// start, nearly all of a large workspace belong to such sessions, and most of the time is taken by each
// row and not by its bytes.
type Bundler interface {
	// BundleSession returns the touched rows. It is part of the fold of the end of the session.
	BundleSession(session string) []change.Row
}

// Bundles knows the sessions of a room that are stored as bundles. The value of a bundle is an object with
// the values of its rows by their keys.
type Bundles map[string]bool

// bundleMark begins the key of a bundle, which is before those of all other rows of its room.
const bundleMark = "\x1f"

func bundleKey(session string) string { return bundleMark + session }

// Bundled returns the session whose bundle a row is, "" if it is another row.
func Bundled(row change.Row) string {
	if session, is := strings.CutPrefix(row.Key, bundleMark); is {
		return session
	}
	return ""
}

// Bundle bundles the rows of a session, which have their values, and returns the touched rows. A session
// without a name or with a single row is not bundled.
func (b Bundles) Bundle(session string, rows []change.Row) []change.Row {
	if session == "" || b[session] || len(rows) < 2 {
		return nil
	}
	b[session] = true
	return append(deleted(rows), change.NewRow(bundleKey(session), valuesOf(rows), nil))
}

// Unbundle returns the touched rows when the rows of a session are stored one by one again, none if they are.
// rows returns them.
func (b Bundles) Unbundle(session string, rows func() []change.Row) []change.Row {
	if !b[session] {
		return nil
	}
	separate := rows()
	return append(b.drop(session, separate), separate...)
}

// Drop returns the touched rows when the rows of a session, which have their values, are deleted, with their bundle
// if there is one.
func (b Bundles) Drop(session string, rows []change.Row) []change.Row {
	if !b[session] {
		return deleted(rows)
	}
	return append(b.drop(session, rows), deleted(rows)...)
}

func (b Bundles) drop(session string, rows []change.Row) []change.Row {
	delete(b, session)
	return []change.Row{change.NewRow(bundleKey(session), nil, valuesOf(rows))}
}

func deleted(rows []change.Row) (touched []change.Row) {
	for _, row := range rows {
		touched = append(touched, change.NewRow(row.Key, nil, &row.Value))
	}
	return touched
}

// Load sets the row of a bundle among those that are decoded when they are needed, by session, instead of the other
// ones of the session. A row without a value is deleted.
func (b Bundles) Load(bundle change.Row, packed map[string][]change.Row) error {
	session := Bundled(bundle)
	delete(packed, session)
	delete(b, session)
	if bundle.Value == nil {
		return nil
	}
	if err := bundle.Check(); err != nil {
		return err
	}
	packed[session], b[session] = []change.Row{bundle}, true
	return nil
}

func valuesOf(rows []change.Row) *map[string]json.RawMessage {
	values := make(map[string]json.RawMessage, len(rows))
	for _, row := range rows {
		values[row.Key] = row.Value
	}
	return &values
}

// Separate returns rows with those of a bundle in place of each bundle, and the bundles that cannot be read.
func Separate(rows []change.Row) (separate, bad []change.Row) {
	if !slices.ContainsFunc(rows, func(row change.Row) bool { return Bundled(row) != "" }) {
		return rows, nil
	}
	for _, row := range rows {
		var values map[string]json.RawMessage
		switch {
		case Bundled(row) == "":
			separate = append(separate, row)
		case row.Decode(&values) != nil:
			bad = append(bad, row)
		}
		for _, key := range slices.Sorted(maps.Keys(values)) {
			separate = append(separate, change.Row{Key: key, Value: values[key]})
		}
	}
	return separate, bad
}

// ForgetBundled returns a bundle with what forget leaves of each of its rows. If that is nothing, or the bundle cannot
// be read, it has no value.
func ForgetBundled(bundle change.Row, forget func(change.Row) change.Row) change.Row {
	rows, _ := Separate([]change.Row{bundle})
	var kept []change.Row
	isSame := len(rows) > 0
	for _, row := range rows {
		without := forget(row)
		isSame = isSame && bytes.Equal(without.Value, row.Value)
		if without.Value != nil {
			kept = append(kept, without)
		}
	}
	switch {
	case isSame:
		return bundle
	case len(kept) == 0:
		bundle.Value = nil
		return bundle
	}
	return change.NewRow(bundle.Key, valuesOf(kept), nil)
}
