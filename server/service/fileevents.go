package service

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"strings"

	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/regular"
	"github.com/wm-lsp/wm-lsp/memory/settings"
)

// IsLarge reports whether a file with some content is too large for its edits to be recorded.
func (v *View) IsLarge(text string) bool { return len(text) > v.Settings().Files.MaxBytes }

// Follows reports whether the edits of a file are recorded. They are not if the file is
// large, ignored or generated.
func (v *View) Follows(path, text string) bool {
	return !v.IsLarge(text) && v.folder.scope.Tracked(path) && !generated(text)
}

// generatedWithin is the length of the head of a file that may mark it as generated.
const generatedWithin = 2048

// generated reports whether a file is marked as generated, by the convention of Go
// (go.dev/s/generatedcode) or with an @generated tag.
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

// onDisk reports whether text is the content of a file, ignoring line endings and a byte
// order mark.
func (v *View) onDisk(path, text string) bool {
	file := v.folder.scope.Abs(path)
	info, err := os.Stat(file)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	// Line endings at most double the size, and a byte order mark adds 3 bytes.
	if size := int64(len(text)); info.Size() > 2*size+3 || size > 2*info.Size()+3 {
		return false
	}
	content, err := regular.Read(v.worktree(), path, 2*int64(len(text))+3)
	return err == nil && (string(content) == text || bytes.Equal(normalize(content), normalize([]byte(text))))
}

// normalize removes a byte order mark, carriage returns and the line breaks at the end.
func normalize(content []byte) []byte {
	content = bytes.TrimPrefix(content, []byte("\uFEFF"))
	return bytes.TrimRight(bytes.ReplaceAll(content, []byte("\r\n"), []byte("\n")), "\n")
}

// touched records an action on a file in an editor. The text is hashed on the queue; it is
// empty while it is being edited. touched may wait for the queue.
func (s *Service) touched(at *View, path string, action event.FileAction, text string) {
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

// Saved reads the settings again if the saved file is the settings file of a repository.
func (s *Service) Saved(path string) {
	if path == settings.FileName {
		s.reconfigure()
	}
}

// A Move is the URIs of a file that was renamed.
type Move struct{ From, To string }

// Renamed records that files were renamed. What is known of one is kept under the new name. All of a workspace are one
// item of its queue, so that the next message is read meanwhile.
func (s *Service) Renamed(files []Move) {
	bodies := map[*View][]any{}
	for _, file := range files {
		from, oldPath, ok := s.Locate(file.From)
		if !ok {
			continue
		}
		to, newPath, inside := s.Locate(file.To)
		var body any = event.FileDeleted{Path: oldPath}
		if inside && to.worktree() == from.worktree() && !to.folder.scope.Hidden(newPath) {
			body = event.FileRenamed{From: oldPath, To: newPath}
		}
		bodies[from] = append(bodies[from], body)
	}
	for at, of := range bodies {
		at.Do(func() {
			for _, body := range of {
				s.observe(at, body)
			}
		})
	}
}

// Deleted records that files were deleted, as Renamed does. It does nothing for one that exists, because
// many programs save a file by replacing it.
func (s *Service) Deleted(uris []string) {
	paths := map[*View][]string{}
	for _, uri := range uris {
		if at, path, ok := s.Locate(uri); ok {
			paths[at] = append(paths[at], path)
		}
	}
	for at, of := range paths {
		at.Do(func() {
			for _, path := range of {
				if _, err := os.Lstat(at.folder.scope.Abs(path)); errors.Is(err, fs.ErrNotExist) {
					s.observe(at, event.FileDeleted{Path: path})
				}
			}
		})
	}
}
