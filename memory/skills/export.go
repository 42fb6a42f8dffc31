package skills

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/regular"
	"github.com/wm-lsp/wm-lsp/memory/store/files"
)

// FileName is the name of the file of a skill in its folder, in the format of Agent Skills.
const FileName = "SKILL.md"

// maxDocument is the size in bytes from which a file is none that this program wrote.
const maxDocument = 1 << 20

// An Outcome says what became of a skill that was to be exported.
type Outcome struct {
	ID, Name string
	// Path is the absolute path of its file.
	Path string
	// Status is "written", "unchanged" or "left": then there is something else in its place, which
	// stays as it is, and Reason says what.
	Status, Reason string
}

// open opens the folder that a person chose, which is made if it is not there. It is relative to the
// worktree, which it does not leave by a link then, absolute, or begins with "~" for the home folder.
func open(worktree, folder string) (root *os.Root, dir string, err error) {
	folder = strings.TrimSpace(folder)
	rest, home := strings.CutPrefix(folder, "~")
	switch {
	case folder == "" || strings.ContainsRune(folder, 0):
		return nil, "", fault.Invalid("folder", "must be the folder for the skills, such as .agents/skills")
	case home && (rest == "" || rest[0] == '/' || rest[0] == filepath.Separator):
		at, err := os.UserHomeDir()
		if err != nil {
			return nil, "", fault.Invalid("folder", "begins with ~, but there is no home folder: %s", err)
		}
		folder = at + rest
	}
	folder = filepath.Clean(filepath.FromSlash(folder))
	if filepath.IsAbs(folder) {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return nil, folder, cannotWrite(folder, err)
		}
		root, err := regular.OpenRoot(folder)
		if err != nil {
			return nil, folder, cannotWrite(folder, err)
		}
		return root, folder, nil
	}
	dir = filepath.Join(worktree, folder)
	all, err := regular.OpenRoot(worktree)
	if err != nil {
		return nil, dir, cannotWrite(dir, err)
	}
	defer func() { _ = all.Close() }()
	if err := all.MkdirAll(folder, 0o755); err != nil {
		return nil, dir, cannotWrite(dir, err)
	}
	if root, err = all.OpenRoot(folder); err != nil {
		return nil, dir, cannotWrite(dir, err)
	}
	return root, dir, nil
}

// Export writes kept skills into a folder that a person chose, each as a folder with a SKILL.md, and
// records that. Without ids it writes all. A folder that is not absolute is relative to the worktree.
// It replaces only what it wrote and nobody has changed. It is called on the queue.
func (s *Service) Export(
	ctx context.Context, who change.Actor, worktree, folder string, ids []string,
) ([]Outcome, error) {
	kept := s.room().List(Active)
	if len(ids) > 0 {
		kept = nil
		for _, id := range ids {
			skill, err := s.room().expected(id, "")
			if err != nil {
				return nil, err
			}
			if skill.Status != Active {
				return nil, fault.Refuse(fault.Conflict, fault.Data{ID: skill.ID},
					"the skill %q is %s; keep it first, then it can be exported", skill.Title, skill.Status)
			}
			kept = append(kept, skill)
		}
	}
	if len(kept) == 0 {
		return []Outcome{}, nil
	}
	root, dir, err := open(worktree, folder)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	outcomes := []Outcome{}
	var written []change.Change
	for _, skill := range kept {
		outcome, export, err := exported(root, dir, skill)
		if err != nil {
			return nil, errors.Join(cannotWrite(dir, err), s.record(ctx, who, written))
		}
		outcomes = append(outcomes, outcome)
		changes, err := s.room().SetExport(skill.ID, export)
		if export.Sum != "" && err == nil {
			written = append(written, changes...)
		}
	}
	return outcomes, s.record(ctx, who, written)
}

func cannotWrite(dir string, err error) error {
	return fault.Refuse(fault.Store, fault.Data{},
		"the folder %s cannot be written: %s; choose another folder, or make it writable", dir, fault.Plain(err))
}

// record applies changes that say what was written.
func (s *Service) record(ctx context.Context, who change.Actor, changes []change.Change) error {
	if len(changes) == 0 {
		return nil
	}
	_, err := s.host.Apply(ctx, who, func() ([]change.Change, error) {
		var now []change.Change
		for _, c := range changes {
			var wrote Skill
			if err := c.Decode(&wrote); err != nil {
				return nil, err
			}
			again, err := s.room().SetExport(c.Subject, wrote.Exports[len(wrote.Exports)-1])
			if err == nil { // it is still there
				now = append(now, again...)
			}
		}
		return now, nil
	})
	return err
}

// exported writes a skill below a folder, unless something else is in its place.
func exported(root *os.Root, dir string, s Skill) (Outcome, Export, error) {
	outcome := Outcome{ID: s.ID, Name: s.Name, Path: filepath.Join(dir, s.Name, FileName), Status: "left"}
	content := s.Document()
	export := Export{Folder: dir, Sum: sumOf(content)}
	info, err := root.Lstat(s.Name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := root.Mkdir(s.Name, 0o755); err != nil {
			return outcome, export, err
		}
	case err != nil:
		return outcome, export, err
	case !info.IsDir():
		outcome.Reason = "something else than a folder has its name"
		return outcome, Export{}, nil
	}
	below, err := root.OpenRoot(s.Name)
	if err != nil {
		return outcome, export, err
	}
	defer func() { _ = below.Close() }()
	names, err := namesIn(below)
	if err != nil {
		return outcome, export, err
	}
	if !slices.Contains(names, FileName) {
		if len(names) > 0 {
			outcome.Reason = "the folder is there and has other files"
			return outcome, Export{}, nil
		}
	} else if there, err := regular.Read(below.Name(), FileName, maxDocument); err != nil || !s.wrote(dir, there) {
		if err == nil && bytes.Equal(there, content) {
			outcome.Status = "unchanged"
			return outcome, export, nil
		}
		outcome.Reason = "its file was changed since, or written by somebody else"
		return outcome, Export{}, nil
	} else if bytes.Equal(there, content) {
		outcome.Status = "unchanged"
		return outcome, export, nil
	}
	pending, err := files.New(below, content)
	if err != nil {
		return outcome, export, err
	}
	if err := pending.Replace(FileName); err != nil {
		return outcome, export, err
	}
	outcome.Status = "written"
	return outcome, export, nil
}

func namesIn(root *os.Root) ([]string, error) {
	dir, err := root.Open(".")
	if err != nil {
		return nil, err
	}
	defer func() { _ = dir.Close() }()
	return dir.Readdirnames(-1)
}

// wrote reports whether a file in a folder is as this program wrote it.
func (s *Skill) wrote(dir string, content []byte) bool {
	return slices.Contains(s.Exports, Export{Folder: dir, Sum: sumOf(content)})
}

func sumOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// Withdraw deletes the exported files of a skill that nobody has changed, and their folders if they
// are empty then. It returns those that are left.
func Withdraw(s Skill) (left []string) {
	for _, e := range s.Exports {
		if err := withdraw(e, s); err != nil {
			left = append(left, filepath.Join(e.Folder, s.Name, FileName))
		}
	}
	return left
}

// errChanged means that somebody else has changed a file.
var errChanged = errors.New("the file was changed")

func withdraw(e Export, s Skill) error {
	root, err := regular.OpenRoot(e.Folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	name := s.Name + "/" + FileName
	content, err := regular.Read(e.Folder, name, maxDocument)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !s.wrote(e.Folder, content):
		return errChanged
	}
	if err := root.Remove(filepath.FromSlash(name)); err != nil {
		return fmt.Errorf("delete %s: %w", name, err)
	}
	_ = root.Remove(s.Name) // it stays if there is something else in it
	return nil
}
