package skills

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/redact"
	"github.com/wm-lsp/wm-lsp/extract/shorten"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/fault"
)

// A Patch changes a skill. Nil members stay as they are.
type Patch struct {
	Status         *Status
	Title, Purpose *string
	// Commands are the command lines, one a line.
	Commands *string
	Notes    *string
}

// The limits of what a person writes, in characters, and the number of commands.
const (
	maxTitle    = 200
	maxText     = 1000
	maxCommand  = 1000
	maxNotes    = 8000
	maxCommands = 50
)

// Update returns the changes that apply a patch. What a person says is a new version, and is not
// changed by what is found later. The faults are Invalid, NotFound, and Conflict if revision is not
// empty and the skill has another one.
func (r *Room) Update(id, revision string, p Patch) ([]change.Change, error) {
	old, err := r.expected(id, revision)
	if err != nil {
		return nil, err
	}
	if old.Status == Gone {
		return nil, fault.Refuse(fault.Conflict, fault.Data{ID: old.ID},
			"the skill %q was dropped; restore it first, with wm/skills/restore", old.Title)
	}
	s := old.clone()
	for _, text := range []struct {
		name  string
		given *string
		into  *string
		max   int
		empty bool
	}{
		{"title", p.Title, &s.Title, maxTitle, false}, {"purpose", p.Purpose, &s.Purpose, maxText, true},
		{"notes", p.Notes, &s.Notes, maxNotes, true},
	} {
		if text.given == nil {
			continue
		}
		clean, err := cleaned(text.name, *text.given, text.max, text.empty)
		if err != nil {
			return nil, err
		}
		*text.into = clean
	}
	if p.Commands != nil {
		if s.Commands, err = commandsOf(*p.Commands); err != nil {
			return nil, err
		}
	}
	kind := Kept
	if !s.isLike(&old) || s.Notes != old.Notes {
		s.Edited = s.Edited || !s.isLike(&old)
		s.Version++
		kind = Edited
	}
	if p.Status != nil {
		if *p.Status != Active && *p.Status != Offering {
			return nil, fault.Invalid(
				"status",
				"must be kept or offered, got %q; wm/skills/remove drops a skill",
				*p.Status,
			)
		}
		s.Status = *p.Status
	}
	if kind == Kept && s.Status == old.Status {
		return nil, nil
	}
	if kind == Kept && s.Status == Offering {
		kind = Restored
	}
	s.UpdatedAt = r.env.Now()
	return []change.Change{change.New(kind, s.ID, s).WithBefore(old)}, nil
}

// cleaned returns a string of a person as it is stored.
func cleaned(name, text string, limit int, empty bool) (string, error) {
	text = strings.TrimSpace(strings.ToValidUTF8(text, "�"))
	if n := utf8.RuneCountInString(text); n > limit {
		return "", fault.Invalid(name, "must have at most %d characters, got %d", limit, n)
	}
	if text == "" && !empty {
		return "", fault.Invalid(name, "must not be empty")
	}
	return text, nil
}

// commandsOf returns the commands that a person wrote.
func commandsOf(given string) ([]string, error) {
	given, _ = redact.Text(given) // before it is split: a secret may have several lines
	var commands []string
	for line := range strings.Lines(given) {
		line, err := cleaned("commands", line, maxCommand, true)
		if err != nil {
			return nil, err
		}
		if line != "" {
			commands = append(commands, line)
		}
	}
	if len(commands) > maxCommands {
		return nil, fault.Invalid("commands", "must be at most %d, got %d", maxCommands, len(commands))
	}
	return commands, nil
}

// Drop returns the change that drops a skill: it is not offered again.
func (r *Room) Drop(id, revision string) ([]change.Change, error) {
	old, err := r.expected(id, revision)
	if err != nil || old.Status == Gone {
		return nil, err
	}
	s := old.clone()
	s.Status, s.Before, s.UpdatedAt, s.Exports = Gone, old.Status, r.env.Now(), nil
	return []change.Change{change.New(Dropped, s.ID, s).WithBefore(old)}, nil
}

// Restore returns the change that takes a drop back: the skill is kept or offered as it was.
func (r *Room) Restore(id string) ([]change.Change, error) {
	old, err := r.expected(id, "")
	if err != nil || old.Status != Gone {
		return nil, err
	}
	s := old.clone()
	s.Status, s.Before, s.UpdatedAt = cmp.Or(old.Before, Offering), "", r.env.Now()
	return []change.Change{change.New(Restored, s.ID, s).WithBefore(old)}, nil
}

// SetExport returns the change that records that a skill was written into a folder, or with an empty
// sum that it no longer is there.
func (r *Room) SetExport(id string, export Export) ([]change.Change, error) {
	old, err := r.expected(id, "")
	if err != nil {
		return nil, err
	}
	s := old.clone()
	s.Exports = slices.DeleteFunc(s.Exports, func(e Export) bool { return e.Folder == export.Folder })
	if export.Sum != "" {
		s.Exports = append(s.Exports, export)
	}
	if slices.Equal(s.Exports, old.Exports) {
		return nil, nil
	}
	return []change.Change{change.New(Exported, s.ID, s)}, nil
}

// Lookup returns a skill by its id or name, or the fault that there is none.
func (r *Room) Lookup(id string) (Skill, error) { return r.expected(id, "") }

// expected returns a skill, or a fault if it is unknown or has another revision.
func (r *Room) expected(id, revision string) (Skill, error) {
	if id == "" {
		return Skill{}, fault.Invalid("id", "is missing; must be the id of a skill")
	}
	s, there := r.Get(id)
	if !there {
		return s, fault.Missing(id, "no skill %q is known; wm/skills lists them", shorten.Bytes(id, maxName))
	}
	if revision != "" && revision != s.Revision() {
		return s, fault.Refuse(
			fault.Conflict,
			fault.Data{ID: s.ID, Revision: s.Revision()},
			"the skill %q was changed since; it was left as it is. To change it nevertheless, call this without "+
				"ifRevision",
			s.Title,
		)
	}
	return s, nil
}
