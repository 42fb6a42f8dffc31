// Package importer reads the memory of other programs from their files. It changes none of
// them, and what cannot be read of a file is named with the reason, never an error for all.
//
// Each format has a file of its own, with one entry in the table of Formats.
package importer

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/memory/working"
)

// A Format is what one program, or several, keep their memory in.
type Format struct {
	// Name is how a person names it, such as "serena", and Title what it is.
	Name, Title string
	// Offered is true for the memory of a program. What agents read by themselves is not offered.
	Offered bool
	// places returns where its files are for a workspace. It is nil if a person has to name them.
	places func(at Place) []place
	// recognizes reports whether a file that a person named has this format.
	recognizes func(f file) bool
	// read reads one file. The error says why nothing was read of it.
	read func(r *reader, f file) error
}

// Formats returns all formats. Of those that recognize a file, the first one reads it.
func Formats() []Format {
	return []Format{
		openCode(), sessionFolders(), claudeMemory(), serena(), clineMemoryBank(), instructions(), claudeMem(),
		serverMemory(), mem0(), basicMemory(),
	}
}

// Names returns the names of all formats.
func Names() (names []string) {
	for _, format := range Formats() {
		names = append(names, format.Name)
	}
	return names
}

// HasPlace reports whether a format has a place for a workspace, so that no file has to be named.
func HasPlace(name string) bool {
	return slices.ContainsFunc(Formats(), func(f Format) bool { return f.Name == name && f.places != nil })
}

// A Place is where a workspace is.
type Place struct {
	// Folders are those in which the programs may have been started. Each is read once, by its real
	// path. The first one is what names of files are relative to.
	Folders []string
	// Home is the home folder of the user, DataHome the one for data of programs, and ClaudeHome the
	// one of Claude Code. What is empty is not read.
	Home, DataHome, ClaudeHome string
}

// A place is a file or folder below dir. Links are followed as long as they stay below dir.
type place struct {
	dir, name string
	// takes reports whether a file of the folder is read, by its name relative to it. It is nil for a
	// file.
	takes func(name string) bool
}

// A file is one that is read.
type file struct {
	// path is absolute. name is for people: relative to the workspace, or to the folder that the
	// program keeps its memory in. Both may be shown, but path is not kept.
	path, name string
	// text is the content in UTF-8 without a byte order mark.
	text string
}

// base is the name of a file without its folder, in lower case.
func (f file) base() string { return strings.ToLower(filepath.Base(f.path)) }

// in reports whether a file is in folders, the last of which is its own.
func (f file) in(folders ...string) bool {
	dir := filepath.Dir(f.path)
	for _, folder := range slices.Backward(folders) {
		if filepath.Base(dir) != folder {
			return false
		}
		dir = filepath.Dir(dir)
	}
	return true
}

// A Memory is what was read.
type Memory struct {
	// Entries are those of the workspace memory, in the order of the files.
	Entries []Entry
	// Sessions are sorted by agent and id.
	Sessions []Session
	// Skipped is what was not read.
	Skipped []Skipped
}

// An Entry is a string that holds for the workspace.
type Entry struct {
	// Program is the name of the format. Key identifies the entry among all of its program, also when
	// the file has changed.
	Program, Key string
	// Type is a type of the workspace memory, or what the file has instead.
	Type, Text, Rationale string
	// Source is "explicit", "manual" or "compaction", or what the file has instead.
	Source string
	// File and Line say where it is from. Line counts from 1 and is 0 if the file has no lines.
	File string
	Line int
}

// A Session is the memory of one conversation, or the documents of a program.
type Session struct {
	// Agent and ID are those of the other program.
	Agent, ID string
	// Core are the blocks goal, progress and context that are not empty.
	Core map[string]string
	// Working are the items of the working memory.
	Working working.Legacy
	// Notes are its documents.
	Notes []Note
}

// A Note is a document of a session.
type Note struct {
	// Path is overview.md or detail/….
	Path, Text string
	// Program is the name of the format, File where it is from.
	Program, File string
}

// Skipped is a file, or an entry of one, that is not taken over.
type Skipped struct {
	// Path is the absolute path of the file, Reason a sentence without a full stop.
	Path, Reason string
}

// Read reads what the formats with some names, or all if there are none, have for a workspace. Missing
// files are not an error.
func Read(at Place, names ...string) Memory {
	at.Folders = unique(at.Folders)
	r := newReader()
	for _, format := range Formats() {
		if format.places == nil || len(names) > 0 && !slices.Contains(names, format.Name) {
			continue
		}
		r.format = format
		for _, p := range format.places(at) {
			r.place(at, p, format.read)
		}
	}
	return r.result()
}

// Found are the files that a format has for a workspace.
type Found struct {
	Format Format
	// Files is their number, at most maxFiles, and Example the name of one.
	Files   int
	Example string
}

// Find returns which of the formats that are offered have files for a workspace, without reading them.
func Find(at Place) (found []Found) {
	at.Folders = unique(at.Folders)
	for _, format := range Formats() {
		if !format.Offered || format.places == nil {
			continue
		}
		f := Found{Format: format}
		for _, p := range format.places(at) {
			names, _ := p.list()
			if f.Files += len(names); len(names) > 0 && f.Example == "" {
				f.Example = at.nameOf(filepath.Join(p.dir, p.name))
			}
		}
		if f.Files > 0 {
			found = append(found, f)
		}
	}
	return found
}

// errUnknown means that no format recognizes a file.
var errUnknown = errors.New("it is of no program whose memory can be taken over")

// ReadPath reads a file or folder that a person named. If name is "", the format is that which
// recognizes a file. Files of a folder that are of no format are left out. The error says why there is
// nothing to read.
func ReadPath(at Place, path, name string) (Memory, error) {
	at.Folders = unique(at.Folders)
	info, err := os.Stat(path)
	if err != nil {
		return Memory{}, err
	}
	r := newReader()
	formats := slices.DeleteFunc(Formats(), func(f Format) bool { return name != "" && f.Name != name })
	read := func(r *reader, f file) error {
		for _, format := range formats {
			if name != "" || format.recognizes(f) {
				r.format = format
				return format.read(r, f)
			}
		}
		return errUnknown
	}
	if !info.IsDir() {
		r.place(at, place{dir: filepath.Dir(path), name: filepath.Base(path)}, read)
		return r.result(), nil
	}
	r.place(at, place{dir: path, name: ".", takes: isText}, read)
	result := r.result()
	result.Skipped = slices.DeleteFunc(result.Skipped, func(s Skipped) bool { return s.Reason == errUnknown.Error() })
	if len(result.Entries)+len(result.Sessions)+len(result.Skipped) == 0 {
		return result, fmt.Errorf("%s has no file of a program whose memory can be taken over", path)
	}
	return result, nil
}

// isText reports whether a file may hold a memory, by its name.
func isText(name string) bool {
	return slices.Contains([]string{".md", ".mdc", ".json", ".jsonl"}, strings.ToLower(filepath.Ext(name)))
}

// isMarkdown reports whether a file is Markdown, by its name.
func isMarkdown(name string) bool { return strings.EqualFold(filepath.Ext(name), ".md") }

// nameOf returns the name of a file for people: relative to the folder of the workspace that it is in,
// or else to the parent of its folder.
func (at Place) nameOf(path string) string {
	for _, folder := range at.Folders {
		if name, err := filepath.Rel(folder, path); err == nil && filepath.IsLocal(name) {
			return filepath.ToSlash(name)
		}
	}
	return filepath.ToSlash(filepath.Join(filepath.Base(filepath.Dir(path)), filepath.Base(path)))
}

// unique returns the real paths of folders, each once.
func unique(folders []string) []string {
	var real []string
	for _, folder := range folders {
		path, err := filepath.EvalSymlinks(folder)
		if err == nil && !slices.Contains(real, path) {
			real = append(real, path)
		}
	}
	return real
}

// digest returns a short hash of strings.
func digest(texts ...string) string {
	sum := sha256.New()
	for _, text := range texts {
		fmt.Fprintf(sum, "%d:%s", len(text), text)
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// notRead is the reason why a document is not read.
func notRead(err error) error {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) { // it would name types of this program
		err = fmt.Errorf("%s has the wrong type, %s", cmp.Or(wrong.Field, "it"), wrong.Value)
	}
	return fmt.Errorf("it is not read, because it is damaged: %w", err)
}

// firstOf returns the first text that is not blank, without white space around it.
func firstOf(texts ...string) string {
	for i := range texts {
		texts[i] = strings.TrimSpace(texts[i])
	}
	return cmp.Or(texts...)
}

// isMissing reports whether there is no file, also because a folder above it is a file.
func isMissing(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// begins reports whether a string begins with a prefix after white space.
func begins(text, prefix string) bool {
	return strings.HasPrefix(strings.TrimSpace(text[:min(len(text), 4096)]), prefix)
}

// stem is the name of a file without its folder and extension.
func (f file) stem() string {
	base := filepath.Base(f.path)
	return strings.TrimSuffix(base, filepath.Ext(base))
}
