package service

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"strings"

	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/settings"
)

// Locate returns the view of the client's session on the folder of a file, and
// the file's path in it; false if no folder holds it.
func (s *Service) Locate(uri string) (at *View, path string, inside bool) {
	return s.folders.locate(uri)
}

// Follows reports whether what an editor does to a file is noted: not if it is
// large, ignored or generated.
func (v *View) Follows(path, text string) bool {
	return len(text) <= v.Settings().Files.MaxBytes && v.folder.scope.Tracked(path) && !generated(text)
}

// generatedWithin is how far into a file its note that it is generated stands.
const generatedWithin = 2048

// generated reports whether a file says of itself that a program wrote it, in
// the way of Go (go.dev/s/generatedcode) or with an @generated tag.
func generated(text string) bool {
	head := text[:min(len(text), generatedWithin)]
	for line := range strings.Lines(head) {
		line = strings.TrimSpace(line)
		if strings.Contains(line, "Code generated ") && strings.HasSuffix(line, "DO NOT EDIT.") ||
			strings.Contains(line, "@generated") {
			return true
		}
	}
	return false
}

// OnDisk reports whether a text is the content of a file, but for the kind of
// line endings and a byte order mark.
func (v *View) OnDisk(path, text string) bool {
	file := v.folder.scope.Abs(path)
	info, err := os.Stat(file)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	// Line endings can make a file a third longer or shorter, not more.
	if size := int64(len(text)); info.Size() > 2*size+3 || size > 2*info.Size()+3 {
		return false
	}
	content, err := os.ReadFile(file)
	return err == nil && (string(content) == text || bytes.Equal(plain(content), plain([]byte(text))))
}

func plain(content []byte) []byte {
	content = bytes.TrimPrefix(content, []byte("\uFEFF"))
	return bytes.TrimRight(bytes.ReplaceAll(content, []byte("\r\n"), []byte("\n")), "\n")
}

// Touched records what was done to a file in an editor. It may wait for the
// queue. The text is hashed there; "" stands for a text that is being edited.
func (s *Service) Touched(at *View, path string, action event.FileAction, text string) {
	at.Do(func() {
		body := event.FileTouched{Path: path, Action: action}
		if action == event.Read {
			body.Since = s.began
		}
		if text != "" {
			body.Hash = contentHash(text)
		}
		s.observe(at, body)
	})
}

func contentHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// Saved reads the settings again if the file that was saved holds those of a
// repository.
func (s *Service) Saved(path string) {
	if path == settings.FileName {
		s.reconfigure()
	}
}

// observe records an event that nobody waits for. It is called on the queue.
func (s *Service) observe(at *View, body any) {
	if _, err := at.Observe(context.Background(), at.event(body)); err != nil {
		s.log.Warn("an event was not recorded", "error", err)
	}
}

// Renamed has what is known of a file go on under its new name.
func (s *Service) Renamed(oldURI, newURI string) {
	from, oldPath, known := s.Locate(oldURI)
	if !known {
		return
	}
	to, newPath, inside := s.Locate(newURI)
	var body any = event.FileDeleted{Path: oldPath}
	if inside && to.worktree() == from.worktree() && !to.folder.scope.Hidden(newPath) {
		body = event.FileRenamed{From: oldPath, To: newPath}
	}
	from.Do(func() { s.observe(from, body) })
}

// Deleted forgets a file that is gone. Many programs save by writing a new file
// in the place of the old: what is there again was not deleted.
func (s *Service) Deleted(uri string) {
	at, path, known := s.Locate(uri)
	if !known {
		return
	}
	at.Do(func() {
		if _, err := os.Lstat(at.folder.scope.Abs(path)); errors.Is(err, fs.ErrNotExist) {
			s.observe(at, event.FileDeleted{Path: path})
		}
	})
}

// ChangeFolders follows folders that the client adds and removes. It returns the
// views of those whose memory no folder has any more, see Leave.
func (s *Service) ChangeFolders(added, removed []string) (left []*View) {
	for _, gone := range s.folders.change(added, removed) {
		left = append(left, s.folders.own(gone))
	}
	s.notifier.everything()
	return left
}

// Leave ends the client's session in the memory of a folder that it has no more,
// as if the client had gone: nobody would take its diagnostics back. One that the
// client is only attached to goes on.
func (s *Service) Leave(at *View) {
	if s.attach {
		return
	}
	at.Do(func() {
		if err := at.EndSession(context.Background(), at.event(nil)); err != nil {
			s.log.Warn("end the session in a folder that was removed", "error", err)
		}
	})
}
