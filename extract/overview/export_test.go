package overview

// Headings and Events are the tables of docs/notes.md.
var (
	Headings = headings
	Events   = events
)
