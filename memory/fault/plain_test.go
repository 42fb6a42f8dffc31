package fault_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wm-lsp/wm-lsp/memory/fault"
)

// An advised is an error with a string for people.
type advised struct{ error }

func (advised) Plain() string { return "the disk is full; free some space" }

func TestAPersonIsToldWhatHappenedAndWhatToDo(t *testing.T) {
	inPath := func(cause error) error {
		return fmt.Errorf("the memory cannot be written: keep a version: %w", &fs.PathError{
			Op: "mkdirat", Path: "detail/a", Err: cause,
		})
	}
	for _, c := range []struct {
		name, want string
		err        error
	}{
		{"a full disk", "the memory cannot be written: keep a version: the disk is full (detail/a); " +
			"free some space and try again", inPath(syscall.ENOSPC)},
		{"a quota", "the memory cannot be written: keep a version: the disk is full (detail/a); " +
			"free some space and try again", inPath(syscall.EDQUOT)},
		{"a read-only disk", "the memory cannot be written: keep a version: the disk is read-only (detail/a); " +
			"make it writable and try again", inPath(syscall.EROFS)},
		{"a file in the place of a folder", "the memory cannot be written: keep a version: " +
			"something else is in the way (detail/a); move it away and try again", inPath(syscall.EEXIST)},
		{"a temporary file", "something: the disk is full; free some space and try again",
			fmt.Errorf("something: %w", &fs.PathError{Op: "openat", Path: ".writing-x.tmp", Err: syscall.ENOSPC})},
		{"the renaming of a file", "the disk is full (b); free some space and try again",
			&os.LinkError{Op: "renameat", Old: "a", New: "b", Err: syscall.ENOSPC}},
		{"a call without a file", "sync: the disk reports an error; check the disk; what is on it may be damaged",
			fmt.Errorf("sync: %w", os.NewSyscallError("fdatasync", syscall.EIO))},
		{"two errors", "the disk is full (a)\nthe disk is full (b); free some space and try again", errors.Join(
			&fs.PathError{Op: "write", Path: "a", Err: syscall.ENOSPC},
			&fs.PathError{Op: "write", Path: "b", Err: syscall.ENOSPC})},
		{"an error that nobody has described", "connection refused (a)",
			&fs.PathError{Op: "open", Path: "a", Err: syscall.ECONNREFUSED}},
		{"an error with a text for people", "write: the disk is full; free some space",
			fmt.Errorf("write: %w", advised{errors.New("database or disk is full (13)")})},
		{"an error that says itself what to do", "x cannot be opened (no such file or directory); open another one",
			fmt.Errorf("x cannot be opened (%w); open another one", syscall.ENOENT)},
		{"an error of the program", "odd", errors.New("odd")},
	} {
		t.Run(c.name, func(t *testing.T) { assert.Equal(t, c.want, fault.Plain(c.err)) })
	}
	denied := fault.Plain(inPath(syscall.EACCES))
	assert.Contains(t, denied, "there is no permission (detail/a); check who owns the folder of the memory")
	assert.Equal(t, fault.Plain(inPath(syscall.ENOSPC)), fault.Of(inPath(syscall.ENOSPC)).Message)
}
