package importer

import (
	"path/filepath"
	"strings"
)

// serena is the format of the memories of Serena: files in Markdown below .serena/memories, whose names say
// what they are about. Each is kept as a note; its rules become entries.
func serena() Format {
	return Format{
		Name: "serena", Title: "the memories of Serena", Offered: true,
		places: func(at Place) (places []place) {
			for _, folder := range at.Folders {
				places = append(places, place{folder, filepath.Join(".serena", "memories"), isMarkdown})
			}
			return places
		},
		recognizes: func(f file) bool {
			return isMarkdown(f.path) && strings.Contains(filepath.ToSlash(f.path), "/.serena/memories/")
		},
		read: func(r *reader, f file) error {
			_, below, found := strings.Cut(filepath.ToSlash(f.path), "/.serena/memories/")
			if !found {
				below = filepath.Base(f.path)
			}
			_, body, line := frontMatter(f.text)
			r.rules(f, body, line, "", "")
			return r.document(f, strings.TrimSuffix(below, filepath.Ext(below)))
		},
	}
}
