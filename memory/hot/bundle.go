package hot

import (
	"maps"
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/room"
)

// BundleSession bundles the files of a session that has ended.
func (r *Room) BundleSession(session string) []change.Row {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.bundles.Bundle(session, r.fileRows(session))
}

// fileRows returns the rows of the files of a session with their values, sorted by key. The lock must be held.
func (r *Room) fileRows(session string) (rows []change.Row) {
	r.unpack(func(packed string) bool { return packed == session })
	for key, file := range r.files {
		if file.Session == session {
			rows = append(rows, change.NewRow(key, file, nil))
		}
	}
	slices.SortFunc(rows, func(a, b change.Row) int { return strings.Compare(a.Key, b.Key) })
	return rows
}

// putFile sets a file and returns the touched rows. The files of its session are stored one by one from then
// on. The lock must be held.
func (r *Room) putFile(file *File) []change.Row {
	return append(r.unbundle(file.Session), r.files.Put(file.key(), file))
}

// dropFile is putFile for a file that is removed.
func (r *Room) dropFile(file *File) []change.Row {
	return append(r.unbundle(file.Session), r.files.Drop(file.key())...)
}

func (r *Room) unbundle(session string) []change.Row {
	return r.bundles.Unbundle(session, func() []change.Row { return r.fileRows(session) })
}

// forgetFiles removes the files of a session and returns the touched rows. The lock must be held.
func (r *Room) forgetFiles(session string) []change.Row {
	rows := r.fileRows(session)
	for _, row := range rows {
		delete(r.files, row.Key)
	}
	return r.bundles.Drop(session, rows)
}

// loadBundles sets bundles, which are decoded when they are needed.
func (r *Room) loadBundles(rows []change.Row) error {
	for _, row := range rows {
		session := room.Bundled(row)
		maps.DeleteFunc(r.files, func(_ string, file *File) bool { return file.Session == session })
		if err := r.bundles.Load(row, r.packed); err != nil {
			return err
		}
	}
	return nil
}
