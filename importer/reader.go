package importer

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/memory/notes"
	"github.com/wm-lsp/wm-lsp/memory/regular"
)

// The limits of what is read.
const (
	// maxFileBytes is the maximum size of one file.
	maxFileBytes = 4 << 20
	// maxFiles is how many files are read of each folder, the newest ones.
	maxFiles = 200
	// maxListed is how many files and folders of a folder are looked at.
	maxListed = 10_000
	// maxBytes is how much is read of all files together.
	maxBytes = 32 << 20
	// maxEntries is how many entries are read of each file, the last ones.
	maxEntries = 500
	// maxBroken is how many lines or entries of a file may be broken.
	maxBroken = 20
	// maxAll is how many entries are read of all files.
	maxAll = 2000
	// maxID is how many bytes the id of a session has at most.
	maxID = 256
)

// A reader collects what files hold.
type reader struct {
	format   Format // of the file that is read
	memory   Memory
	sessions map[string]*Session
	bytes    int // that were read
	full     bool
}

func newReader() *reader { return &reader{sessions: map[string]*Session{}} }

// result returns what was read.
func (r *reader) result() Memory {
	for _, session := range r.sessions {
		if len(session.Core) > 0 || len(session.Working.Items) > 0 || len(session.Notes) > 0 {
			r.memory.Sessions = append(r.memory.Sessions, *session)
		}
	}
	slices.SortFunc(r.memory.Sessions, func(a, b Session) int {
		return cmp.Or(strings.Compare(a.Agent, b.Agent), strings.Compare(a.ID, b.ID))
	})
	return r.memory
}

func (r *reader) skip(path, reason string) {
	r.memory.Skipped = append(r.memory.Skipped, Skipped{path, reason})
}

// place reads what is at a place.
func (r *reader) place(at Place, p place, read func(*reader, file) error) {
	names, err := p.list()
	if err != nil {
		r.skip(filepath.Join(p.dir, p.name), reasonOf(err))
	}
	for i, name := range names {
		if i >= maxFiles {
			reason := fmt.Sprintf("only the newest %d of its %d files are read", maxFiles, len(names))
			r.skip(filepath.Join(p.dir, p.name), reason)
			return
		}
		r.file(at, p.dir, name, read)
	}
}

// list returns the files at a place, by their names relative to its dir, the newest first. The error says
// why they are not all, and is nil if there are none.
func (p place) list() (names []string, err error) {
	if p.takes == nil {
		if _, err := os.Lstat(filepath.Join(p.dir, p.name)); err != nil {
			return nil, nil
		}
		return []string{p.name}, nil
	}
	root, err := regular.OpenRoot(p.dir)
	if err != nil {
		if isMissing(err) {
			return nil, nil
		}
		return nil, err
	}
	defer func() { _ = root.Close() }()
	type found struct {
		name string
		at   int64
	}
	var files []found
	listed := 0
	begin := filepath.ToSlash(p.name)
	err = fs.WalkDir(root.FS(), begin, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			if name == begin {
				return err
			}
			return nil // a folder that cannot be read
		}
		if listed++; listed > maxListed {
			return fmt.Errorf("only the first %d of its files and folders are looked at", maxListed)
		}
		if entry.IsDir() {
			if name != begin && (entry.Name() == ".git" || entry.Name() == "node_modules") {
				return fs.SkipDir
			}
			return nil
		}
		below := strings.TrimPrefix(name, begin+"/")
		if info, err := entry.Info(); err == nil && p.takes(below) {
			files = append(files, found{name, info.ModTime().UnixNano()})
		}
		return nil
	})
	if isMissing(err) {
		err = nil
	}
	slices.SortFunc(files, func(a, b found) int {
		return cmp.Or(cmp.Compare(b.at, a.at), strings.Compare(a.name, b.name))
	})
	for _, f := range files {
		names = append(names, f.name)
	}
	return names, err
}

// file reads one file below dir.
func (r *reader) file(at Place, dir, name string, read func(*reader, file) error) {
	path := filepath.Join(dir, filepath.FromSlash(name))
	doc, err := regular.Read(dir, filepath.ToSlash(name), maxFileBytes)
	if isMissing(err) {
		return // it was deleted meanwhile
	}
	if err == nil {
		doc, err = unpacked(doc)
	}
	if r.bytes += len(doc); err == nil && r.bytes > maxBytes {
		err = fmt.Errorf("it is not read, because there are more than %d MB of files", maxBytes>>20)
	}
	var text string
	if err == nil {
		text, err = decode(doc)
	}
	if err == nil {
		err = read(r, file{path: path, name: at.nameOf(path), text: text})
	}
	if err != nil {
		r.skip(path, reasonOf(err))
	}
}

// reasonOf returns the reason why a file is not read.
func reasonOf(err error) string {
	if strings.HasSuffix(err.Error(), escapes) { // of which package os has no error
		return "it is not read, because it leads out of its folder: " + escapes
	}
	return err.Error()
}

// escapes is what package os says of a link that leads out of a root.
const escapes = "path escapes from parent"

// session returns the session of an agent with an id.
func (r *reader) session(agent, id string) (*Session, error) {
	if id == "" {
		return nil, errors.New("it names no session")
	}
	if len(id) > maxID {
		return nil, fmt.Errorf("the id of its session has more than %d bytes", maxID)
	}
	key := agent + "\x00" + id
	session := r.sessions[key]
	if session == nil {
		session = &Session{Agent: agent, ID: id, Core: map[string]string{}}
		r.sessions[key] = session
	}
	return session, nil
}

// add adds an entry of a file. What has no key gets one from its text.
func (r *reader) add(f file, e Entry) {
	if e.Text = strings.TrimSpace(e.Text); e.Text == "" || r.full {
		return
	}
	if len(r.memory.Entries) >= maxAll {
		r.full = true
		r.skip(f.path, fmt.Sprintf("only the first %d entries are read", maxAll))
		return
	}
	e.Program, e.File = r.format.Name, f.name
	if e.Key == "" {
		e.Key = digest(e.Text)
	}
	if !slices.ContainsFunc(r.memory.Entries, func(known Entry) bool {
		return known.Program == e.Program && known.Key == e.Key && known.Text == e.Text
	}) {
		r.memory.Entries = append(r.memory.Entries, e)
	}
}

// newest returns the index of the first entry of a file that is read.
func (r *reader) newest(f file, docs []json.RawMessage) (first int) {
	if first = max(0, len(docs)-maxEntries); first > 0 {
		r.skip(f.path, fmt.Sprintf("only the last %d of %d entries are read", maxEntries, len(docs)))
	}
	return first
}

// each reads the entries of a file. The error is that too many are broken: it is something else.
func (r *reader) each(f file, docs []json.RawMessage, read func(file, json.RawMessage) error) error {
	broken := 0
	for i := r.newest(f, docs); i < len(docs); i++ {
		if err := read(f, docs[i]); err != nil {
			r.skip(f.path, fmt.Sprintf("entry %d: %v", i+1, notRead(err)))
			if broken++; broken > maxBroken {
				return fmt.Errorf("more than %d entries cannot be read", maxBroken)
			}
		}
	}
	return nil
}

// document keeps a file as a note of the documents of its program, under a name without extension.
func (r *reader) document(f file, name string) error {
	if strings.TrimSpace(f.text) == "" {
		return nil
	}
	session, err := r.session(r.format.Name, documents)
	if err != nil {
		return err
	}
	r.note(session, f, detail(name))
	return nil
}

// detail returns the path of a note with a name that may hold any characters.
func detail(name string) string { return notes.Detail + "/" + noteName(name) + ".md" }

// note keeps a file as a note of a session.
func (r *reader) note(session *Session, f file, path string) {
	session.Notes = append(session.Notes, Note{Path: path, Text: f.text, Program: r.format.Name, File: f.name})
}

// documents is the id of the session that holds the documents of a program that has no sessions.
const documents = "documents"

// maxNoteName is how many bytes the name of a note has at most.
const maxNoteName = 80

// noteName returns a name of a file as one of a note: letters, digits, dots, hyphens and underscores.
func noteName(name string) string {
	clean := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '.':
			return r
		}
		return '-'
	}, name)
	clean = strings.Trim(clean, "-.")
	if clean != name || len(clean) > maxNoteName { // another name may become the same
		clean = clean[:min(len(clean), maxNoteName)]
		clean = strings.TrimLeft(strings.TrimRight(clean, "-.")+"-"+digest(name)[:8], "-")
	}
	return clean
}
