package fault

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// A Plainer is an error with a string for people, without what only the log needs.
type Plainer interface {
	error
	Plain() string
}

// Plain returns the text of an error for a person. What the operating system said, such as
// "mkdirat detail: permission denied", is replaced by what happened to which file, and followed
// by what to do next.
func Plain(err error) string {
	text, advice := err.Error(), ""
	walk(err, func(part error) bool {
		switch e := part.(type) {
		case Plainer:
			text = strings.ReplaceAll(text, e.Error(), e.Plain())
			return false
		case *fs.PathError:
			advice = cmp.Or(advice, replace(&text, e, e.Path, e.Err))
			return false
		case *os.LinkError:
			advice = cmp.Or(advice, replace(&text, e, e.New, e.Err))
			return false
		case *os.SyscallError:
			advice = cmp.Or(advice, replace(&text, e, "", e.Err))
			return false
		}
		return true
	})
	if advice != "" && !strings.Contains(text, advice) {
		text += "; " + advice
	}
	return text
}

// walk calls visit with an error and those that it wraps, unless visit returns false.
func walk(err error, visit func(error) bool) {
	if err == nil || !visit(err) {
		return
	}
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		walk(e.Unwrap(), visit)
	case interface{ Unwrap() []error }:
		for _, part := range e.Unwrap() {
			walk(part, visit)
		}
	}
}

// replace replaces an error of the operating system in a string, and returns what to do. A string
// that does not quote the error, because it says itself what happened, stays as it is.
func replace(text *string, raw error, path string, cause error) (advice string) {
	if !strings.Contains(*text, raw.Error()) {
		return ""
	}
	what, advice := describe(cause)
	// The name of a temporary file says nothing.
	if name := filepath.Base(path); path != "" && !strings.HasPrefix(name, ".") {
		what += " (" + filepath.ToSlash(path) + ")"
	}
	*text = strings.ReplaceAll(*text, raw.Error(), what)
	return advice
}

// describe returns what an error of the operating system means, and what to do.
func describe(cause error) (what, advice string) {
	for _, known := range []struct {
		is           []error
		what, advice string
	}{
		{
			[]error{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG}, "the disk is full",
			"free some space and try again",
		},
		{[]error{syscall.EROFS}, "the disk is read-only", "make it writable and try again"},
		{
			[]error{fs.ErrPermission}, "there is no permission",
			"check who owns the folder of the memory, which wm/status names, and its permissions, and try again",
		},
		{[]error{fs.ErrExist, syscall.ENOTDIR}, "something else is in the way", "move it away and try again"},
		{[]error{syscall.EISDIR}, "it is a folder and not a file", "move it away and try again"},
		{[]error{syscall.ELOOP}, "it is a link that leads to itself", "move it away and try again"},
		{[]error{syscall.ENAMETOOLONG}, "the name is too long", "choose a shorter one"},
		{[]error{syscall.EMFILE, syscall.ENFILE}, "too many files are open", "close some programs and try again"},
		{[]error{syscall.EIO}, "the disk reports an error", "check the disk; what is on it may be damaged"},
		{[]error{fs.ErrNotExist}, "it is not there any more", "try again"},
	} {
		for _, one := range known.is {
			if errors.Is(cause, one) {
				return known.what, known.advice
			}
		}
	}
	return cause.Error(), ""
}
