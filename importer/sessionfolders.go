package importer

import (
	"errors"
	"path/filepath"
	"strings"
)

// sessionFolders is the format of ~/.ai/sessions (systems.md C, D): for each working folder a folder that is
// named after its path, with one folder for each session, in which working-memory/overview.md is what the
// agent noted, and working-memory/detail what it put aside.
func sessionFolders() Format {
	return Format{
		Name: "session-folders", Title: "session folders with working-memory/overview.md", Offered: true,
		places: func(at Place) (places []place) {
			for _, folder := range at.Folders {
				if at.Home != "" {
					dir := filepath.Join(at.Home, ".ai", "sessions", sessionFolderOf(folder))
					places = append(places, place{dir, ".", isNoteOfSession})
				}
			}
			return places
		},
		recognizes: func(f file) bool {
			_, note := splitNote(f.path)
			return note != ""
		},
		read: func(r *reader, f file) error {
			dir, note := splitNote(f.path)
			if note == "" {
				return errors.New("it is not a note of a session: those are in a folder working-memory")
			}
			session, err := r.session("ai", filepath.Base(dir))
			if err != nil || strings.TrimSpace(f.text) == "" {
				return err
			}
			if name, is := strings.CutPrefix(note, "detail/"); is {
				note = detail(strings.TrimSuffix(name, filepath.Ext(name)))
			}
			r.note(session, f, note)
			return nil
		},
	}
}

// sessionFolderOf returns the name of the folder for the sessions of a working folder: its path, in which
// hyphens stand for the separators, between two hyphens.
func sessionFolderOf(folder string) string {
	name := strings.Trim(filepath.ToSlash(folder), "/")
	return "--" + strings.NewReplacer("/", "-", ":", "").Replace(name) + "--"
}

// isNoteOfSession reports whether a file below the sessions of a folder is a note.
func isNoteOfSession(name string) bool {
	_, note := splitNote(filepath.FromSlash("/" + name))
	return note != ""
}

// splitNote returns the folder of a session and the path of one of its notes below working-memory, "" for
// another file.
func splitNote(path string) (dir, note string) {
	dir, below, found := strings.Cut(filepath.ToSlash(path), "/working-memory/")
	if !found || below != "overview.md" && (!strings.HasPrefix(below, "detail/") || !isMarkdown(below)) {
		return "", ""
	}
	return dir, below
}
