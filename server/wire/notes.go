package wire

// NotesListParams request the notes of a session.
type NotesListParams struct {
	Params
}

// NotesListResult are the notes of a session.
type NotesListResult struct {
	// The folder of the notes. It exists once a note was written.
	Root string `json:"root"`
	// The notes: overview.md, then detail/, then archive/.
	Files []NoteFile `json:"files"`
}

// NoteFile describes a note.
type NoteFile struct {
	// overview.md, detail/… or archive/….
	Path string `json:"path"`
	// The size in bytes.
	Bytes int64 `json:"bytes"`
	// When it was last written.
	UpdatedAt Time `json:"updatedAt"`
	// Its first heading, or else its first line, or else its name.
	Title string `json:"title"`
}

// NotesReadParams request a note.
type NotesReadParams struct {
	Params
	// overview.md, detail/… or archive/….
	Path string `json:"path"`
	// A previous revision; the current one by default.
	Revision Revision `json:"revision,omitzero"`
}

// NotesReadResult is a note.
type NotesReadResult struct {
	// The path.
	Path string `json:"path"`
	// The content.
	Content string `json:"content"`
	// The revision of the content.
	Revision Revision `json:"revision"`
}

// NotesWriteParams write a note.
type NotesWriteParams struct {
	Params
	// overview.md, detail/… or archive/….
	Path string `json:"path"`
	// The new content, at most 1 MiB.
	Content string `json:"content"`
	// The revision that was read, or "absent" if there was no note. If the current one is
	// different, nothing is written.
	IfRevision Revision `json:"ifRevision,omitzero"`
}

// NotesWriteResult is the written note.
type NotesWriteResult struct {
	// The path.
	Path string `json:"path"`
	// The new revision.
	Revision Revision `json:"revision"`
	// The number of secrets that were removed from it.
	Redactions int `json:"redactions,omitzero"`
	// What was removed: the rules, such as "secret" or "email".
	Redacted []string `json:"redacted,omitzero"`
	// The call that restores the former text, or that there was no note. Absent if nothing was
	// changed.
	Undo *Undo `json:"undo,omitzero"`
}

// NotesArchiveParams name a note to archive.
type NotesArchiveParams struct {
	Params
	// overview.md or detail/….
	Path string `json:"path"`
	// The revision that was read. If the current one is different, the note stays.
	IfRevision Revision `json:"ifRevision,omitzero"`
}

// NotesArchiveResult is the archived note.
type NotesArchiveResult struct {
	// The new path: archive/….
	Path string `json:"path"`
	// The call that moves it back.
	Undo *Undo `json:"undo,omitzero"`
}

// NotesRestoreParams name an archived note to restore.
type NotesRestoreParams struct {
	Params
	// archive/…, or any note whose text is to be restored.
	Path string `json:"path"`
	// The new path: overview.md or detail/…; its name in detail/ by default. The path must
	// be free.
	To string `json:"to,omitzero"`
	// A former revision of the note, which may have been moved since. Its text is restored, and
	// the note stays where it is. "absent" restores that there was no note; its text can still
	// be read by its revision.
	Revision Revision `json:"revision,omitzero"`
	// The current revision. If it is different, nothing is moved or restored.
	IfRevision Revision `json:"ifRevision,omitzero"`
}

// NotesRestoreResult is the restored note.
type NotesRestoreResult struct {
	// The new path: overview.md or detail/…; with a revision, the path of the note.
	Path string `json:"path"`
	// The call that archives it again, or restores what was there before.
	Undo *Undo `json:"undo,omitzero"`
}
