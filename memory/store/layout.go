package store

import (
	"path/filepath"
	"strings"
	"time"
)

// The names of what is in the folder of a workspace.
const (
	// DatabaseName is the database: log, rows and snapshot.
	DatabaseName = "memory.db"
	// LockName is the lock that every writer takes.
	LockName = "memory.lock"
	// TurnLockName is the lock of the process that takes LockName next.
	TurnLockName = "turn.lock"
	// EraseLockName is the lock of the process that erases from the folders of sessions.
	EraseLockName = "erase.lock"
	// NoticeName is the file that every commit changes, to notify other processes. Its
	// name on the disk stays, because processes of older versions watch it.
	NoticeName = "poke"
	// CopyName is the readable copy of the long-term entries, for people. What they
	// change in it is imported.
	CopyName = "workspace-memory.json"
	// RowsName begins the names of files with rows that could not be read.
	RowsName = "rows"
	// SessionsName is the folder that holds the folders of the sessions.
	SessionsName = "sessions"
	// CacheName is the folder of what may be deleted at any time.
	CacheName = "cache"
	// OutputsName is the folder of the kept outputs, in that of the cache.
	OutputsName = "tool-outputs"
)

// DiscardedPrefix begins the names of folders with files that were deleted by a purge. What
// is in them is not used any more.
const DiscardedPrefix = "discarded-"

// The names of what is in the folder of a session.
const (
	// LeaseName is the lock that is held while a process serves the session.
	LeaseName = "lease"
	// NotesName is the folder of the notes.
	NotesName = "working-memory"
	// NotesLockName is the lock of the notes and their versions.
	NotesLockName = "notes.lock"
	// VersionsName is the folder of the former texts of notes.
	VersionsName = "versions"
	// HistoryName is the file of the conversation.
	HistoryName = "messages.jsonl"
	// MetaName is the file that says what session it is. The conversation is kept
	// where it exists.
	MetaName = "meta.json"
	// HistoryLockName is the lock of the conversation.
	HistoryLockName = "history.lock"
	// CompactLockName is the lock of whoever compacts the conversation.
	CompactLockName = "compact.lock"
)

// The names of what is in the data folder.
const (
	// MachineName is the file that holds the name of the machine.
	MachineName = "machine"
	// ShownName is the folder of the documents that were opened in an editor. Each kind of
	// document has one file.
	ShownName = "shown"
)

// LockSuffix ends the names of locks that hold no content.
const LockSuffix = ".lock"

const (
	workspacesName = "workspaces"
	asideMark      = ".corrupt-"
)

// WorkspaceDir returns the folder of a workspace in the data folder.
func WorkspaceDir(dataDir, key string) string { return filepath.Join(dataDir, workspacesName, key) }

// AsideName returns the name under which a file that cannot be read is kept.
func AsideName(name string, at time.Time) string {
	return name + asideMark + at.UTC().Format("20060102T150405.000Z")
}

// IsAside reports whether a name is one that AsideName returns, or begins with one, as do
// the names of the files that belong to a database.
func IsAside(name string) bool { return strings.Contains(name, asideMark) }
