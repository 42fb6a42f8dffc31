// Package notes is the room of an agent's notes: files of its session that it reads and
// writes with any tool. overview.md is in every context. detail/ and archive/ are read on
// demand. The files are authoritative; the room records only how the overview changed
// (systems.md C1, C5, D1, D2, D7).
package notes

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/shorten"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/regular"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/memory/store/files"
)

const (
	// Overview is the note that is in every context.
	Overview = "overview.md"
	// Detail and Archive are the folders of notes that are read on demand.
	Detail  = "detail"
	Archive = "archive"

	// lockTimeout is how long to wait for a lock that another process holds.
	lockTimeout = 5 * time.Second
	// MaxBytes is the maximum size of a note.
	MaxBytes = 1 << 20
	// maxFiles is the maximum length of a listing.
	maxFiles = 1000
)

// A Folder is the folder of the notes of one session. The first write creates it.
type Folder struct {
	dir string // of the session
	// timeout is how long to wait for the lock.
	timeout time.Duration
	// lazy is true if a file is synced before it is renamed, but its folder is not.
	lazy bool
}

// In returns the folder of the notes in the folder of a session.
func In(sessionDir string) Folder { return Folder{dir: sessionDir, timeout: lockTimeout} }

// Path returns the path of the folder.
func (f Folder) Path() string { return filepath.Join(f.dir, store.NotesName) }

// Absent is the revision of a note that does not exist.
const Absent = "absent"

// A File is a note in a listing.
type File struct {
	Path      string // overview.md, detail/… or archive/…
	Bytes     int64
	UpdatedAt time.Time
	Title     string // its first heading or line
}

// A Note is a file with its content.
type Note struct {
	Path, Content string
	// Revision is the first 16 hex digits of the sha256 of the content. It is empty if there
	// is no such file.
	Revision string
	// Former is the revision that a write replaced. It is empty if there was no such file.
	Former string
	// Moved is the path from which the note was moved.
	Moved string
}

// RevisionOf returns the revision of a content.
func RevisionOf(content string) string { return change.RevisionOf(content) }

// BadPath returns the fault for an invalid path.
func BadPath(name, reason string) error {
	return fault.Invalid("path", "%q %s", name, reason)
}

// notFound returns the fault for a note that does not exist.
func notFound(name string) error {
	return fault.Missing(name, "there is no note %s", name)
}

// ErrChanged is returned by the function given to Folder.Update if the note does not have
// the expected revision. Update then keeps both versions, which can be read by their revision,
// and returns a refusal with the reason Conflict.
var ErrChanged = errors.New("the note has another revision")

// tooLarge returns the fault for a note that is larger than MaxBytes.
func tooLarge(name string, bytes int64) error {
	return fault.Refuse(fault.Limit, fault.Data{Used: int(bytes), Max: MaxBytes},
		"%s has %d bytes, a note has at most %d: split it into several in detail/", name, bytes, MaxBytes)
}

// Clean returns the canonical form of a note's path: overview.md, or a file below detail/
// or archive/. A leading working-memory/ is removed.
func Clean(name string) (string, error) {
	refuse := func(reason string) (string, error) { return "", BadPath(name, reason) }
	switch {
	case name == "":
		return refuse("is empty; name overview.md, or a file in detail/ or archive/")
	case len(name) > 300:
		return refuse("is longer than 300 bytes")
	case !utf8.ValidString(name) || strings.ContainsFunc(name, isForbidden):
		return refuse("has characters that no note has in its name")
	}
	cleaned := strings.TrimPrefix(path.Clean(name), store.NotesName+"/")
	folder, rest, nested := strings.Cut(cleaned, "/")
	switch {
	case !filepath.IsLocal(cleaned):
		return refuse("leaves the folder of the notes")
	case cleaned == Overview:
		return cleaned, nil
	case !nested || folder != Detail && folder != Archive || rest == "":
		return refuse("is not a note; there are overview.md and the files in detail/ and archive/")
	case slices.ContainsFunc(strings.Split(rest, "/"), func(part string) bool { return strings.HasPrefix(part, ".") }):
		return refuse("begins with a dot")
	}
	return cleaned, nil
}

// isForbidden reports whether a character is not allowed in paths.
func isForbidden(c rune) bool { return c < 0x20 || c == 0x7f || c == '\\' || c == ':' }

// open opens the folder. Notes are accessed through it, so that no path and no link leads
// out of it.
func (f Folder) open() (*os.Root, error) {
	if err := errors.Join(regular.Folder(f.dir), regular.Folder(f.Path())); err != nil {
		return nil, err
	}
	session, err := regular.OpenRoot(f.dir)
	if err != nil {
		return nil, err
	}
	defer func() { _ = session.Close() }()
	return session.OpenRoot(store.NotesName)
}

// List returns the notes, overview.md first, then by path.
func (f Folder) List() ([]File, error) {
	root, err := f.open()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list the notes: %w", err)
	}
	defer func() { _ = root.Close() }()
	var files []File
	for _, top := range []string{Overview, Archive, Detail} {
		err := fs.WalkDir(root.FS(), top, func(name string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return nil // missing, or a link that leads out
			case len(files) == maxFiles:
				return fs.SkipAll
			}
			info, err := entry.Info()
			if err != nil || !info.Mode().IsRegular() || strings.HasPrefix(entry.Name(), ".") {
				return nil
			}
			files = append(files, File{
				Path: name, Bytes: info.Size(), UpdatedAt: info.ModTime().UTC(), Title: titleOf(root, name),
			})
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("list the notes: %w", err)
		}
	}
	slices.SortFunc(files, func(a, b File) int {
		return cmp.Or(rank(a.Path)-rank(b.Path), strings.Compare(a.Path, b.Path))
	})
	return files, nil
}

// rank orders the overview before detail/, and detail/ before archive/.
func rank(name string) int {
	switch {
	case name == Overview:
		return 0
	case strings.HasPrefix(name, Detail):
		return 1
	}
	return 2
}

// maxTitle is the maximum length of the title of a note and of a heading, in characters.
const maxTitle = 80

// titleOf returns the first heading of a note, or else its first line, or else its name.
func titleOf(root *os.Root, name string) string {
	file, err := root.Open(name)
	if err != nil {
		return path.Base(name)
	}
	defer func() { _ = file.Close() }()
	head, err := io.ReadAll(io.LimitReader(file, 4096))
	if err != nil || !isText(head, true) {
		return path.Base(name)
	}
	first := ""
	for line := range strings.Lines(string(head)) {
		line = strings.TrimSpace(line)
		if heading, ok := strings.CutPrefix(line, "#"); ok {
			return shorten.Chars(strings.TrimSpace(strings.TrimLeft(heading, "#")), maxTitle)
		}
		if first == "" && !strings.HasPrefix(line, "<!--") {
			first = line
		}
	}
	return cmp.Or(shorten.Chars(first, maxTitle), path.Base(name))
}

// isText reports whether bytes are text in UTF-8. If head is true, the last character may
// be incomplete.
func isText(content []byte, head bool) bool {
	for range utf8.UTFMax - 1 {
		if head && len(content) > 0 && !utf8.Valid(content) {
			content = content[:len(content)-1]
		}
	}
	return utf8.Valid(content) && !slices.Contains(content, 0)
}

// Read returns a note. The error is a fault if the path is invalid, the note does not
// exist, or it is too large.
func (f Folder) Read(name string) (Note, error) {
	name, err := Clean(name)
	if err != nil {
		return Note{}, err
	}
	root, err := f.open()
	if errors.Is(err, fs.ErrNotExist) {
		return Note{}, notFound(name)
	}
	if err != nil {
		return Note{}, fmt.Errorf("open the notes: %w", err)
	}
	defer func() { _ = root.Close() }()
	return read(root, name)
}

func read(root *os.Root, name string) (Note, error) {
	info, err := root.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return Note{}, notFound(name)
	case err != nil:
		return Note{}, fmt.Errorf("read the note %s: %w", name, err)
	case !info.Mode().IsRegular():
		return Note{}, BadPath(name, "is not a file")
	case !alone(root, name, info):
		return Note{}, BadPath(name, "is a hard link to a file that has another name too; move it away")
	case info.Size() > MaxBytes:
		return Note{}, tooLarge(name, info.Size())
	}
	content, err := root.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return Note{}, notFound(name)
	}
	if err != nil {
		return Note{}, fmt.Errorf("read the note %s: %w", name, err)
	}
	if !isText(content, false) {
		return Note{}, BadPath(name, "is not valid UTF-8; notes are")
	}
	return Note{Path: name, Content: string(content), Revision: RevisionOf(string(content))}, nil
}

// alone reports whether a note has no other name, but for that of the temporary file that it
// was, see files.Pending.Create.
func alone(root *os.Root, name string, info fs.FileInfo) bool {
	names := regular.Links(info)
	if names == 1 {
		return true
	}
	entries, _ := fs.ReadDir(root.FS(), ".")
	for _, entry := range entries {
		other, err := entry.Info()
		if err == nil && files.IsTemporary(entry.Name()) && os.SameFile(info, other) {
			names--
		}
	}
	if now, err := root.Stat(name); err == nil && os.SameFile(info, now) { // it may be gone by now
		names = min(names, regular.Links(now))
	}
	return names <= 1
}

// Write sets the content of a note. If ifRevision is not empty and the note has another
// revision, the error is a refusal with the reason Conflict. The former content can still
// be read by its revision.
func (f Folder) Write(name, content, ifRevision string) (Note, error) {
	return f.Update(name, func(before Note) (string, error) {
		if !before.is(ifRevision) {
			return content, ErrChanged
		}
		return content, nil
	})
}

// Create creates a note if there is none. It does not wait for the disk, see Sync.
func (f Folder) Create(name, content string) error {
	name, err := Clean(name)
	if err != nil {
		return err
	}
	return f.exclusive(func(root *os.Root) error {
		if _, err := root.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		pending, err := files.NewUnsynced(root, []byte(content))
		if err == nil {
			err = pending.Create(name)
		}
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("create the note %s: %w", name, err)
		}
		return nil
	})
}

// Sync waits until a note is on the disk.
func (f Folder) Sync(name string) error {
	root, err := f.open()
	if err != nil {
		return fmt.Errorf("sync the note %s: %w", name, err)
	}
	defer func() { _ = root.Close() }()
	file, err := root.OpenFile(name, os.O_WRONLY, 0) // Windows syncs only what can be written
	if err != nil {
		return fmt.Errorf("sync the note %s: %w", name, err)
	}
	if err := errors.Join(file.Sync(), file.Close()); err != nil {
		return fmt.Errorf("sync the note %s: %w", name, err)
	}
	return syncFolder(root, path.Dir(name))
}

// Update sets the content of a note to the result of decide, under the lock of the notes.
// Editors and tools do not take the lock: if one writes while decide runs, decide is called
// again.
func (f Folder) Update(name string, decide func(before Note) (string, error)) (Note, error) {
	name, err := Clean(name)
	if err != nil {
		return Note{}, err
	}
	var after Note
	err = f.exclusive(func(root *os.Root) error {
		for {
			before, err := read(root, name)
			if err != nil && !isAbsent(err) {
				return err
			}
			before.Path = name
			content, err := decide(before)
			conflict := errors.Is(err, ErrChanged)
			if err != nil && !conflict {
				return err
			}
			if err := fits(name, content); err != nil {
				return err
			}
			if conflict {
				return f.keepBoth(before, content)
			}
			after = Note{Path: name, Content: content, Revision: RevisionOf(content), Former: before.Revision}
			if after.Revision == before.Revision {
				return nil
			}
			if written, err := f.replace(root, before, content); written || err != nil {
				return err
			}
		}
	})
	return after, err
}

// keepBoth keeps both versions of a conflict, so that they can be read by their revision, and
// returns the refusal.
func (f Folder) keepBoth(before Note, content string) error {
	kept, err := f.keep(before.Path, content, files.Write)
	if err != nil {
		return err
	}
	if before.Revision == "" {
		return fault.Refuse(fault.Conflict, fault.Data{Kept: kept},
			"there is no note %s any more: it was moved or deleted meanwhile; write it again without ifRevision, "+
				"or to another path; yours is kept as revision %s", before.Path, kept)
	}
	if _, err = f.keep(before.Path, before.Content, files.Write); err != nil {
		return err
	}
	return fault.Refuse(fault.Conflict, fault.Data{Revision: before.Revision, Kept: kept},
		"%s was changed meanwhile: read it, bring both versions together, and write again with ifRevision %s; "+
			"yours is kept as revision %s", before.Path, before.Revision, kept)
}

// is reports whether a note has a revision, or none if that is Absent. An empty revision is any.
func (n Note) is(revision string) bool {
	return revision == "" || revision == cmp.Or(n.Revision, Absent)
}

// expect returns a refusal with the reason Conflict if a note has another revision than the
// expected one, see is.
func (n Note) expect(revision string) error {
	switch {
	case n.is(revision):
		return nil
	case n.Revision == "":
		return fault.Refuse(fault.Conflict, fault.Data{},
			"there is no note %s any more: it was moved or deleted since; nothing was changed", n.Path)
	}
	return fault.Refuse(fault.Conflict, fault.Data{Revision: n.Revision},
		"%s was changed since, its revision is %s: read it first; nothing was changed. "+
			"To go on nevertheless, call this without ifRevision", n.Path, n.Revision)
}

func fits(name, content string) error {
	switch {
	case len(content) > MaxBytes:
		return tooLarge(name, int64(len(content)))
	case !isText([]byte(content), false):
		return BadPath(name, "would not be valid UTF-8; notes are")
	}
	return nil
}

// replace replaces the content of a note and keeps the former one. It returns false if the
// note was changed in the meantime.
func (f Folder) replace(root *os.Root, before Note, content string) (bool, error) {
	if before.Revision != "" {
		if err := f.Keep(before.Path, before.Content); err != nil {
			return false, err
		}
	}
	if err := makeParent(root, before.Path); err != nil {
		return false, err
	}
	if err := f.Keep(before.Path, content); err != nil {
		return false, err
	}
	pending, err := files.New(root, []byte(content))
	if err != nil {
		return false, fmt.Errorf("write the note %s: %w", before.Path, err)
	}
	now, err := read(root, before.Path)
	changed := now.Revision != before.Revision
	if err != nil {
		changed = before.Revision != "" && !isAbsent(err)
	}
	if changed {
		pending.Discard()
		return false, nil
	}
	if err := pending.Replace(before.Path); err != nil {
		return false, fmt.Errorf("write the note %s: %w", before.Path, err)
	}
	if f.lazy {
		return true, nil
	}
	return true, syncFolder(root, path.Dir(before.Path))
}

// makeParent creates the folder of a note.
func makeParent(root *os.Root, name string) error {
	err := root.MkdirAll(path.Dir(name), 0o700)
	for above := path.Dir(name); err != nil && above != "."; above = path.Dir(above) {
		if info, statErr := root.Lstat(above); statErr == nil && info.Mode().IsRegular() {
			return BadPath(name, "is below "+above+", which is a note; choose another path")
		}
	}
	if err != nil {
		return fmt.Errorf("make the folder of the note %s: %w", name, err)
	}
	return nil
}

// lazily returns the folder without the syncs of folders after a rename. The file of a note
// is synced all the same, so that a power cut leaves the former note or the new one.
func (f Folder) lazily() Folder {
	f.lazy = true
	return f
}

// sync syncs the folder of a note.
func (f Folder) sync(name string) error {
	root, err := f.open()
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	return syncFolder(root, path.Dir(name))
}

func isAbsent(err error) bool { return fault.Has(err, fault.NotFound) }

// syncFolder syncs a folder, so that a rename in it is durable. Not every system supports
// that.
func syncFolder(root *os.Root, dir string) error {
	if folder, err := root.Open(dir); err == nil {
		_ = folder.Sync()
		return folder.Close()
	}
	return nil
}

// Archive moves a note to archive/ and returns its new path. It does not replace a note
// that is there. If ifRevision is not empty and the note has another revision, the error is a
// refusal with the reason Conflict.
func (f Folder) Archive(name, ifRevision string) (string, error) {
	name, err := Clean(name)
	if err != nil {
		return "", err
	}
	if rank(name) == 2 {
		return "", BadPath(name, "is in the archive already")
	}
	var to string
	err = f.exclusive(func(root *os.Root) error {
		if err := expect(root, name, ifRevision); err != nil {
			return err
		}
		to = path.Join(Archive, strings.TrimPrefix(name, Detail+"/"))
		base, ext := strings.TrimSuffix(to, path.Ext(to)), path.Ext(to)
		for n := 2; ; n++ {
			if _, err := root.Lstat(to); err != nil { // others than that it is free are those of the move
				break
			}
			to = fmt.Sprintf("%s-%d%s", base, n, ext)
		}
		return f.move(root, name, to)
	})
	return to, err
}

// Restore moves a note from archive/ to a path where no note is, and returns the path. If
// to is empty, it is the same name in detail/. If ifRevision is not empty and the note has
// another revision, the error is a refusal with the reason Conflict.
func (f Folder) Restore(name, to, ifRevision string) (string, error) {
	name, err := Clean(name)
	if err != nil {
		return "", err
	}
	if rank(name) != 2 {
		return "", BadPath(name, "is not in the archive")
	}
	if to, err = Clean(cmp.Or(to, path.Join(Detail, strings.TrimPrefix(name, Archive+"/")))); err != nil {
		return "", err
	}
	if rank(to) == 2 {
		return "", BadPath(to, "is in the archive; name a place outside of it")
	}
	err = f.exclusive(func(root *os.Root) error {
		if err := expect(root, name, ifRevision); err != nil {
			return err
		}
		if _, err := root.Lstat(to); err == nil {
			return BadPath(to, "is there already; name another place, or archive it first")
		}
		return f.move(root, name, to)
	})
	return to, err
}

// move renames a note. There must be no note at the new path.
func (f Folder) move(root *os.Root, name, to string) error {
	if err := makeParent(root, to); err != nil {
		return err
	}
	if err := root.Rename(name, to); err != nil {
		return fmt.Errorf("move %s to %s: %w", name, to, err)
	}
	if err := f.moveVersions(name, to); err != nil {
		return err
	}
	if f.lazy {
		return nil
	}
	return syncFolder(root, path.Dir(to))
}

// expect returns an error if a note cannot be read or has another revision than the expected
// one, unless that is empty.
func expect(root *os.Root, name, revision string) error {
	note, err := read(root, name)
	if err != nil && (revision == "" || !isAbsent(err)) {
		return err
	}
	note.Path = name
	return note.expect(revision)
}

// RestoreRevision sets the content of a note to that of a former revision. If the revision is
// Absent, it deletes the note, whose text can still be read by its revision. If ifRevision is
// not empty and the note has another revision, the error is a refusal with the reason Conflict.
func (f Folder) RestoreRevision(name, revision, ifRevision string) (Note, error) {
	if revision == Absent {
		return f.undoCreation(name, ifRevision)
	}
	return f.Update(name, func(before Note) (string, error) {
		if err := before.expect(ifRevision); err != nil {
			return "", err
		}
		former, err := f.ReadRevision(name, revision)
		return former.Content, err
	})
}

func (f Folder) undoCreation(name, ifRevision string) (Note, error) {
	name, err := Clean(name)
	if err != nil {
		return Note{}, err
	}
	var before Note
	err = f.exclusive(func(root *os.Root) error {
		if before, err = read(root, name); err != nil && !isAbsent(err) {
			return err
		}
		before.Path = name
		if err := before.expect(ifRevision); err != nil || before.Revision == "" {
			return err
		}
		if _, err := f.keep(name, before.Content, files.Write); err != nil {
			return err
		}
		if err := root.Remove(name); err != nil {
			return fmt.Errorf("delete the note %s: %w", name, err)
		}
		return syncFolder(root, path.Dir(name))
	})
	return Note{Path: name, Former: before.Revision}, err
}

// Remove deletes a note.
func (f Folder) Remove(name string) error {
	name, err := Clean(name)
	if err != nil {
		return err
	}
	return f.exclusive(func(root *os.Root) error {
		if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("delete the note %s: %w", name, err)
		}
		return nil
	})
}

// Make creates the folders.
func (f Folder) Make() error { return f.exclusive(func(*os.Root) error { return nil }) }

// makeFolder creates a folder in the folder of the session. It follows no link out of it.
func (f Folder) makeFolder(name string) error {
	if err := os.MkdirAll(f.dir, 0o700); err != nil {
		return err
	}
	session, err := regular.OpenRoot(f.dir)
	if err != nil {
		return err
	}
	defer func() { _ = session.Close() }()
	return session.MkdirAll(name, 0o700)
}

// exclusive calls run with the folder open and the lock of the notes held.
func (f Folder) exclusive(run func(root *os.Root) error) error {
	ctx, cancel := context.WithTimeout(context.Background(), f.timeout)
	defer cancel()
	lock, err := files.Lock(ctx, filepath.Join(f.dir, store.NotesLockName))
	if err != nil {
		return fmt.Errorf("lock the notes: %w", err)
	}
	defer func() { _ = lock.Close() }()
	for _, name := range []string{Detail, Archive} {
		if err := f.makeFolder(path.Join(store.NotesName, name)); err != nil {
			return fmt.Errorf("make the folder of the notes: %w", err)
		}
	}
	root, err := f.open()
	if err != nil {
		return fmt.Errorf("open the notes: %w", err)
	}
	defer func() { _ = root.Close() }()
	return run(root)
}

// stat describes a note. It follows no link out of the folder.
func (f Folder) stat(name string) (fs.FileInfo, error) {
	root, err := f.open()
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	return root.Stat(name)
}

// stamps returns the stamps of all notes, by their paths.
func (f Folder) stamps() map[string]string {
	stamps := map[string]string{}
	root, err := f.open()
	if err != nil {
		return stamps
	}
	defer func() { _ = root.Close() }()
	for _, top := range []string{Overview, Archive, Detail} {
		_ = fs.WalkDir(root.FS(), top, func(name string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return nil // missing, or a link that leads out
			case len(stamps) == maxFiles:
				return fs.SkipAll
			}
			info, err := entry.Info()
			if err == nil && info.Mode().IsRegular() && !strings.HasPrefix(entry.Name(), ".") {
				stamps[name] = stampOf(info)
			}
			return nil
		})
	}
	return stamps
}

// A Stamp is the size and time of the overview and of the folder detail/. If it is the
// same, the notes have probably not changed.
type Stamp struct{ overview, detail string }

// Stamp returns the current stamp, and whether it differs from before.
func (f Folder) Stamp(before Stamp) (now Stamp, changed bool) {
	of := func(name string) string {
		info, err := os.Lstat(filepath.Join(f.Path(), name))
		if err != nil {
			return ""
		}
		return fmt.Sprint(info.Size(), info.ModTime().UnixNano())
	}
	now = Stamp{of(Overview), of(Detail)}
	return now, now != before
}
