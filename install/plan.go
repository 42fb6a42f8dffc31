package install

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"
	"github.com/rogpeppe/go-internal/diff"

	"github.com/wm-lsp/wm-lsp/memory/gate"
	"github.com/wm-lsp/wm-lsp/memory/store/files"
)

// A Change is what is done to one settings file.
type Change struct {
	file  file
	after []byte
	// instead is shown instead of the difference, if it is not "".
	instead string
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
	if c.instead != "" {
		return fmt.Sprintf("--- %s\n+++ %s\n(%s)\n", before, after, c.instead)
	}
	shown := string(diff.Diff(before, c.file.content, after, c.after))
	if _, rest, cut := bytes.Cut([]byte(shown), []byte("\n")); cut { // the line "diff a b"
		shown = string(rest)
	}
	return gate.Text(shown)
}

// Summary returns one line that says what was done to the file.
func (c Change) Summary() string {
	added, deleted := 0, 0
	_, hunks, _ := bytes.Cut(diff.Diff("a", c.file.content, "b", c.after), []byte("\n@@"))
	for line := range bytes.Lines(hunks) {
		switch line[0] {
		case '+':
			added++
		case '-':
			deleted++
		}
	}
	switch {
	case c.remove:
		return fmt.Sprintf("Deleted %s (%s).", c.file.path, english.Plural(deleted, "line", ""))
	case !c.file.exists:
		return fmt.Sprintf("Created %s (%s).", c.file.path, english.Plural(added, "line", ""))
	}
	return fmt.Sprintf("Changed %s (lines added: %d, deleted: %d).", c.file.path, added, deleted)
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
	old := all.of(f.target).now(f.content)
	if old != nil && (old.Agent != agent || old.Workspace != workspace) && f.exists {
		return nil, fmt.Errorf("%s is the same file as one of %s; uninstall it there first", f.path, old.Agent)
	}
	base := f.content
	rec := record{
		Agent: agent, Workspace: workspace, Path: f.path, Target: f.target, Sum: sum(base), Created: !f.exists,
	}
	var folders []string
	if old != nil && !p.there(f, old) { // somebody has deleted it, or it was never written
		old, folders = nil, old.Folders
	}
	intact := old != nil && old.Sum == sum(f.content)
	if intact { // nobody has changed it: made anew, so that what is outdated goes
		base = takeOut(f.content, old.Inserted)
	} else if exact, ok := p.outdated(f, old); ok {
		base, intact = exact, true
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
	if old != nil {
		if !intact { // what was inserted before is somewhere else now
			rec.Sum, rec.Inserted = "", nil // so it is searched for
		}
		rec.Created, rec.Folders, rec.Existing = old.Created, old.Folders, old.Existing
		former := *old
		former.Former, rec.Former = nil, &former
	} else if !f.exists {
		rec.Folders = append(slices.DeleteFunc(folders, func(dir string) bool { return !exists(dir) }),
			missing(filepath.Dir(f.target))...)
	}
	mode := fs.FileMode(0o600)
	if workspace != "" {
		mode = 0o644
	}
	return &Change{file: f, after: after, instead: p.form.describe(), mode: mode, record: &rec}, nil
}

// replace returns the changes that take out what an older version has installed.
func (p part) replace(all records) ([]Change, error) {
	var recorded []string // what a person wrote stays
	for _, path := range p.paths {
		if f, err := read(path); err == nil && all.of(f.target) != nil {
			recorded = append(recorded, path)
		}
	}
	p.paths = recorded
	return p.uninstall(all)
}

// there reports whether anything of ours is in a file with a record.
func (p part) there(f file, rec *record) bool {
	if !f.exists {
		return false
	}
	there, err := p.form.holds(f.content)
	return there || err != nil || rec.Sum == sum(f.content)
}

// outdated returns a file that somebody has changed without what was inserted, if all of that is
// still there as it was and other entries are installed now.
func (p part) outdated(f file, old *record) (base []byte, is bool) {
	if old == nil {
		return nil, false
	}
	base, found := p.without(f.content, old)
	if !found {
		return nil, false
	}
	add, err := p.form.add(base)
	if err != nil {
		return nil, false
	}
	_, now := insert(base, add.insertions)
	return base, !slices.EqualFunc(now, old.Inserted, func(a, b insertion) bool {
		return strings.TrimSpace(a.Text) == strings.TrimSpace(b.Text)
	})
}

// without returns a document without what was inserted into it, if all of that is still there as it
// was, and is all that is ours.
func (p part) without(content []byte, rec *record) (base []byte, found bool) {
	inserted, found := locate(content, rec.Inserted)
	if !found {
		return nil, false
	}
	rest, _, err := p.form.remove(content, rec.Existing)
	base = takeOut(content, inserted)
	return base, err == nil && p.form.equal(base, rest)
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
		change, err := p.undo(f, all.of(f.target).now(f.content))
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

// undo returns the change that removes what is ours from a file and what is recorded of it, nil if
// there is neither.
func (p part) undo(f file, rec *record) (*Change, error) {
	change := &Change{file: f, undo: true, record: rec, instead: p.form.describe()}
	if rec != nil && rec.Sum == sum(f.content) {
		change.after, change.remove = takeOut(f.content, rec.Inserted), rec.Created
		change.same = bytes.Equal(change.after, f.content)
		return change, nil
	}
	var existing []string
	if rec != nil {
		existing = rec.Existing
	}
	if rec != nil && rec.Sum != "" && rec.Inserted == nil { // all that is there was there before
		change.after, change.same = f.content, true
		return change, nil
	}
	rest, gone, err := p.form.remove(f.content, existing)
	switch {
	case err != nil:
		return nil, err
	case !bytes.Equal(rest, f.content):
	case rec == nil:
		return nil, nil
	default: // somebody has removed it, or it was never written
		change.after, change.same = f.content, true
		return change, nil
	}
	if rec != nil {
		if exact, found := p.without(f.content, rec); found {
			rest = exact // the layout of the person
		}
	}
	if gone && (p.form.owned() || rec != nil && rec.Created) {
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
	_ = files.ClearLeft(filepath.Dir(c.file.target), false) // of an install that was killed; it may stay
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
		if err := c.file.write(c.after, 0); err != nil {
			return err
		}
		return all.remove(c.file.target)
	}
	if err := all.write(c.file.target, *c.record); err != nil {
		return fmt.Errorf("%s is not written: %w", c.file.path, err)
	}
	err := c.file.write(c.after, c.mode)
	if err == nil {
		return nil
	}
	if f, readErr := read(c.file.path); readErr == nil && f.exists && sum(f.content) == c.record.Sum {
		return nil // another process has installed the same
	}
	if c.record.Former != nil {
		return errors.Join(err, all.write(c.file.target, *c.record.Former))
	}
	return errors.Join(err, all.remove(c.file.target))
}
