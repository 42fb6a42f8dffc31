package store

import (
	"path/filepath"
	"strings"
	"time"
)

// The names of the files and folders in the folder of a workspace.
const (
	// DatabaseName is the database: log, rows and snapshot.
	DatabaseName = "memory.db"
	// LockName is the lock that every writer takes.
	LockName = "memory.lock"
	// TurnLockName is the lock of the process that takes LockName next.
	TurnLockName = "turn.lock"
	// EraseLockName is the lock of the process that erases from the folders of sessions.
	EraseLockName = "erase.lock"
	// NoticeName is the file that every commit changes, to notify other processes. The name
	// is not changed, because processes of older versions watch it.
	NoticeName = "poke"
	// CopyName is the readable copy of the long-term entries. Hand edits of it are imported.
	CopyName = "workspace-memory.json"
	// RowsName is the prefix of the names of files with rows that could not be decoded.
	RowsName = "rows"
	// SessionsName is the folder that holds the folders of the sessions.
	SessionsName = "sessions"
	// CacheName is the folder of files that may be deleted at any time.
	CacheName = "cache"
	// OutputsName is the folder of the outputs, in the folder CacheName.
	OutputsName = "tool-outputs"
)

// DiscardedPrefix is the prefix of the names of folders with files that a purge deletes.
const DiscardedPrefix = "discarded-"

// The names of the files and folders in the folder of a session.
const (
	// LeaseName is the lock that is held while a process serves the session.
	LeaseName = "lease"
	// NotesName is the folder of the notes.
	NotesName = "working-memory"
	// NotesLockName is the lock of the notes and their versions.
	NotesLockName = "notes.lock"
	// VersionsName is the folder of former versions of notes.
	VersionsName = "versions"
	// HistoryName is the file of the conversation.
	HistoryName = "messages.jsonl"
	// MetaName is the file that identifies the session. The conversation is recorded if the
	// file exists.
	MetaName = "meta.json"
	// HistoryLockName is the lock of the conversation.
	HistoryLockName = "history.lock"
	// CompactLockName is the lock of the process that compacts the conversation.
	CompactLockName = "compact.lock"
)

// The names of the files and folders in the data folder.
const (
	// MachineName is the file that holds the name of the machine.
	MachineName = "machine"
	// ShownName is the folder of the documents that were opened in an editor. Each kind of
	// document has one file.
	ShownName = "shown"
	// RootsName is the folder that records, for each workspace, where its root is.
	RootsName = "roots"
	// ImportedName is the folder that records, for each workspace, what was taken over from other
	// programs.
	ImportedName = "imported"
)

// LockSuffix is the suffix of the names of locks without content.
const LockSuffix = ".lock"

const (
	workspacesName = "workspaces"
	asideMark      = ".corrupt-"
)

// AsideCopies is a glob of the names of readable copies that were set aside.
const AsideCopies = CopyName + asideMark + "*"

// WorkspaceDir returns the folder of a workspace in the data folder.
func WorkspaceDir(dataDir, key string) string { return filepath.Join(dataDir, workspacesName, key) }

// AsideName returns the name of a file that is set aside because it cannot be read.
func AsideName(name string, at time.Time) string {
	return name + asideMark + at.UTC().Format("20060102T150405.000Z")
}

// IsAside reports whether a name is a result of AsideName, perhaps with a suffix, such as those
// of the files of a database.
func IsAside(name string) bool { return strings.Contains(name, asideMark) }
