package memory

import (
	"cmp"

	"github.com/wm-lsp/wm-lsp/extract/overview"
	"github.com/wm-lsp/wm-lsp/memory/notes"
)

// removeUntouched removes the folder of a session that no process serves, if
// nothing was written into it but the template of the overview.
func (w *Workspace) removeUntouched(session string) {
	s := w.store.Load()
	if s == nil {
		return
	}
	templates := []string{cmp.Or(w.Settings().Notes.Template, overview.Template("en")), overview.Template("en"), overview.Template("zh")}
	if err := s.WhileUnserved(session, func(dir string) error { return notes.In(dir).RemoveUntouched(templates) }); err != nil {
		w.options.Log.Warn("remove the folder of a session that was not used", "workspace", w.key, "error", err)
	}
}
