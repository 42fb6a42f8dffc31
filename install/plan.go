package install

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/wm-lsp/wm-lsp/memory/gate"
)

// A Change is what is done to one settings file.
type Change struct {
	file  file
	after []byte
	// same is true if the file stays as it is, and only that is recorded or forgotten.
	same bool
	// undo is true if it removes what is ours, remove if the file is then deleted.
	undo, remove bool
	mode         fs.FileMode // of a file that is created
	// record is what is recorded, or, with undo, what was, nil if nothing was.
	record *record
}

// Path is the file that the agent opens.
func (c Change) Path() string { return c.file.path }

// Diff returns the difference as a unified diff, without the secrets that stand beside it.
func (c Change) Diff() string {
	before, after := c.file.path, c.file.path
	if c.file.target != c.file.path {
		before, after = c.file.path+" -> "+c.file.target, c.file.path+" -> "+c.file.target
	}
	if !c.file.exists {
		before = os.DevNull
	}
	if c.remove {
		after = os.DevNull
	}
	shown := string(diff.Diff(before, c.file.content, after, c.after))
	if _, rest, cut := bytes.Cut([]byte(shown), []byte("\n")); cut { // the line "diff a b"
		shown = string(rest)
	}
	return gate.Text(shown)
}

// A part is what is installed in one settings file of an agent.
type part struct {
	// paths are the files of which the agent reads all. What is installed is put into the first
	// one that exists, or else the first one.
	paths []string
	form  form
}

// path is the file into which the part is installed.
func (p part) path() string {
	for _, path := range p.paths {
		if _, err := os.Lstat(path); err == nil {
			return path
		}
	}
	return p.paths[0]
}

// install returns the change that installs a part, nil if everything is there and that is recorded.
func (p part) install(all records, agent, workspace string) (*Change, error) {
	for _, path := range p.paths[1:] { // where it was installed when that file was the only one
		if f, err := read(path); err == nil && f.exists {
			if there, err := p.form.holds(f.content); err == nil && there {
				p.paths = []string{path}
				break
			}
		}
	}
	f, err := read(p.path())
	if err != nil {
		return nil, err
	}
	old := all.of(f.target)
	if old != nil && (old.Agent != agent || old.Workspace != workspace) && f.exists {
		return nil, fmt.Errorf("%s is the same file as one of %s; uninstall it there first", f.path, old.Agent)
	}
	base := f.content
	rec := record{
		Agent: agent, Workspace: workspace, Path: f.path, Target: f.target, Sum: sum(base), Created: !f.exists,
	}
	intact := old != nil && f.exists && old.Sum == sum(f.content)
	if intact { // nobody has changed it: made anew, so that what is outdated goes
		base = takeOut(f.content, old.Inserted)
	}
	add, err := p.form.add(base)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.path, err)
	}
	after, inserted := insert(base, add.insertions)
	if f.exists && bytes.Equal(after, f.content) {
		if old != nil {
			return nil, nil
		}
		return &Change{file: f, after: after, same: true, record: &rec}, nil
	}
	if err := f.writable(); err != nil {
		return nil, err
	}
	rec.Sum, rec.Inserted, rec.Existing = sum(after), inserted, add.existing
	if old != nil && f.exists {
		if !intact { // what was inserted before is somewhere else now
			rec.Sum, rec.Inserted = "", nil // so it is searched for
		}
		rec.Created, rec.Folders, rec.Existing = old.Created, old.Folders, old.Existing
	}
	mode := fs.FileMode(0o600)
	if workspace != "" {
		mode = 0o644
	}
	return &Change{file: f, after: after, mode: mode, record: &rec}, nil
}

// uninstall returns the changes that undo install.
func (p part) uninstall(all records) (changes []Change, err error) {
	for _, path := range p.paths {
		f, err := read(path)
		if err != nil {
			return nil, err
		}
		if !f.exists {
			if rec := all.of(f.target); rec != nil { // somebody has deleted it
				changes = append(changes, Change{file: f, same: true, undo: true, record: rec})
			}
			continue
		}
		change, err := undo(f, p.form, all.of(f.target))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if change == nil {
			continue
		}
		if err := f.writable(); err != nil && !change.same {
			return nil, err
		}
		changes = append(changes, *change)
	}
	return changes, nil
}

// undo returns the change that removes what is ours from a file, nil if nothing is.
func undo(f file, form form, rec *record) (*Change, error) {
	change := &Change{file: f, undo: true, record: rec}
	if rec != nil && rec.Sum == sum(f.content) {
		change.after, change.remove = takeOut(f.content, rec.Inserted), rec.Created
		change.same = bytes.Equal(change.after, f.content)
		return change, nil
	}
	var existing []string
	if rec != nil {
		existing = rec.Existing
	}
	rest, gone, err := form.remove(f.content, existing)
	if err != nil {
		return nil, err
	}
	if bytes.Equal(rest, f.content) {
		return nil, nil
	}
	if rec != nil {
		if found, ok := locate(f.content, rec.Inserted); ok {
			if exact := takeOut(f.content, found); form.equal(exact, rest) {
				rest = exact // the layout of the person
			}
		}
	}
	own, _ := form.(jsonFile)
	if gone && (own.own || rec != nil && rec.Created) {
		rest, change.remove = nil, true
	}
	change.after = rest
	return change, nil
}

// folders returns the folders that were made for a file that is deleted, or was by somebody else.
func (c Change) folders() []string {
	if (c.remove || c.undo && !c.file.exists) && c.record != nil {
		return c.record.Folders
	}
	return nil
}

// apply does what the change says, if the file is still as it was read.
func (c Change) apply(all records) error {
	if err := c.file.changed(); err != nil {
		return err
	}
	switch {
	case c.remove:
		if err := os.Remove(c.file.target); err != nil {
			return fmt.Errorf("%s is not deleted: %w", c.file.path, err)
		}
		return all.remove(c.file.target)
	case c.same && c.undo:
		return all.remove(c.file.target)
	case c.same:
		return all.write(c.file.target, *c.record)
	case c.undo:
		if _, err := c.file.write(c.after, 0); err != nil {
			return err
		}
		return all.remove(c.file.target)
	}
	folders, err := c.file.write(c.after, c.mode)
	if err != nil {
		return err
	}
	if !c.file.exists {
		c.record.Folders = folders
	}
	return all.write(c.file.target, *c.record)
}
