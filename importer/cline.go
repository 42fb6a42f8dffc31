package importer

import "slices"

// clineMemoryBank is the format of Cline's memory bank: a folder memory-bank with six files in Markdown and
// others. Each is kept as a note; its rules and decisions become entries, but not the state of the work in
// activeContext.md and progress.md.
func clineMemoryBank() Format {
	return Format{
		Name: "cline-memory-bank", Title: "the memory bank of Cline", Offered: true,
		places: func(at Place) (places []place) {
			for _, folder := range at.Folders {
				for _, name := range []string{"memory-bank", ".clinerules/memory-bank"} {
					places = append(places, place{folder, name, isMarkdown})
				}
			}
			return places
		},
		recognizes: func(f file) bool {
			return isMarkdown(f.path) && (f.in("memory-bank") || slices.Contains(bankNames(), f.base()))
		},
		read: func(r *reader, f file) error {
			if f.base() != "activecontext.md" && f.base() != "progress.md" {
				_, body, line := frontMatter(f.text)
				r.rules(f, body, line, "", "")
			}
			return r.document(f, f.stem())
		},
	}
}

// bankNames are the files of a memory bank, in lower case.
func bankNames() []string {
	return []string{
		"projectbrief.md", "productcontext.md", "activecontext.md", "systempatterns.md", "techcontext.md",
		"progress.md",
	}
}
