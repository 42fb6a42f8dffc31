package wire

// NotesListParams ask for the notes of a session.
type NotesListParams struct {
	Params
}

// NotesListResult is what notes there are.
type NotesListResult struct {
	// The folder that holds them. It is there once something was written.
	Root string `json:"root"`
	// The notes: overview.md first, then detail/, then archive/.
	Files []NoteFile `json:"files"`
}

// NoteFile is a note in a listing.
type NoteFile struct {
	// overview.md, detail/… or archive/….
	Path string `json:"path"`
	// Its size.
	Bytes int64 `json:"bytes"`
	// When it was last written.
	UpdatedAt Time `json:"updatedAt"`
	// Its first heading, else its first line, else its name.
	Title string `json:"title"`
}

// NotesReadParams ask for a note.
type NotesReadParams struct {
	Params
	// overview.md, detail/… or archive/….
	Path string `json:"path"`
	// What it said at a former revision; as it is now if absent.
	Revision Revision `json:"revision,omitzero"`
}

// NotesReadResult is a note.
type NotesReadResult struct {
	// Its path.
	Path string `json:"path"`
	// What it says.
	Content string `json:"content"`
	// The revision of that.
	Revision Revision `json:"revision"`
}

// NotesWriteParams write a note.
type NotesWriteParams struct {
	Params
	// overview.md, detail/… or archive/….
	Path string `json:"path"`
	// What it is to say, at most 1 MiB.
	Content string `json:"content"`
	// The revision that it was read at. If the note has another one by now, nothing is written.
	IfRevision Revision `json:"ifRevision,omitzero"`
}

// NotesWriteResult is what was written.
type NotesWriteResult struct {
	// Its path.
	Path string `json:"path"`
	// Its revision now.
	Revision Revision `json:"revision"`
}

// NotesArchiveParams name a note that is done with.
type NotesArchiveParams struct {
	Params
	// overview.md or detail/….
	Path string `json:"path"`
}

// NotesArchiveResult says where it is now.
type NotesArchiveResult struct {
	// archive/….
	Path string `json:"path"`
	// The call that moves it back.
	Undo *Undo `json:"undo,omitzero"`
}

// NotesRestoreParams name a note of the archive that is needed again.
type NotesRestoreParams struct {
	Params
	// archive/….
	Path string `json:"path"`
	// Where it is to be: overview.md or detail/…; under its name in detail/ if absent. No note may be there.
	To string `json:"to,omitzero"`
}

// NotesRestoreResult says where it is now.
type NotesRestoreResult struct {
	// overview.md or detail/….
	Path string `json:"path"`
	// The call that moves it to the archive again.
	Undo *Undo `json:"undo,omitzero"`
}
