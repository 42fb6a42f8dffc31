// Package skills is the room of skills: procedures that succeeded several times in the sessions of a
// workspace, with evidence, a version and a success rate (systems.md E12). It records what tools do
// in tables, in which package mining finds them. A skill that was found is offered to people, who
// keep, edit or drop it.
package skills

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/extract/tokens"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/skills/mining"
)

// Noun is the noun of the changes of skills, practiceNoun that of what sessions do.
const (
	Noun         = "skill"
	practiceNoun = "practice"
)

// The kinds of changes of skills. The subject is the id of the skill, the payload the Skill.
const (
	Learned  change.Kind = "skill.learned"   // it was found, and is offered
	Revised  change.Kind = "skill.revised"   // its commands or files are others now: a new version
	Proven   change.Kind = "skill.proven"    // there is other evidence
	Kept     change.Kind = "skill.kept"      // a person keeps it
	Edited   change.Kind = "skill.edited"    // a person changed it: a new version
	Dropped  change.Kind = "skill.dropped"   // a person dropped it
	Restored change.Kind = "skill.restored"  // a person took that back
	Exported change.Kind = "skill.exported"  // it was written into a folder
	Forgot   change.Kind = "skill.forgotten" // there are too many; it has no payload
)

// A Status says what a person has decided about a skill.
type Status string

// The statuses.
const (
	Offering Status = "offered" // nothing yet
	Active   Status = "kept"
	Gone     Status = "dropped" // it is not offered again
)

// A Skill is a procedure that succeeded several times.
type Skill struct {
	ID     string      `json:"id"`
	Kind   mining.Kind `json:"kind"`
	Key    string      `json:"key"` // see mining.Found
	Status Status      `json:"status"`
	// Before is the status that a dropped skill had, which it has again when that is taken back.
	Before Status `json:"before,omitempty"`
	// Name is unique and never changes: letters, digits and single hyphens, at most 64.
	Name  string `json:"name"`
	Title string `json:"title"`
	// Purpose is empty if the title says when it is to be used.
	Purpose string `json:"purpose"`
	// Commands, Avoid, Files, Triggers, Error and Words are those of mining.Found.
	Commands []string `json:"commands,omitempty"`
	Avoid    []string `json:"avoid,omitempty"`
	Files    []string `json:"files,omitempty"`
	Triggers []string `json:"triggers,omitempty"`
	Error    string   `json:"error,omitempty"`
	Words    []string `json:"words,omitempty"`
	// Notes are what a person added.
	Notes string `json:"notes,omitempty"`
	// Edited is true if a person changed the title, the purpose or the commands. What is found
	// later changes only the evidence then.
	Edited bool `json:"edited,omitempty"`
	// Version begins at 1 and rises with every change of what the skill says.
	Version int `json:"version"`
	// Successes of Attempts ended well, as far as the practice is still known.
	Successes int               `json:"successes"`
	Attempts  int               `json:"attempts"`
	Evidence  []mining.Evidence `json:"evidence"`
	Prompts   []string          `json:"prompts,omitempty"` // those of mining.Found
	CreatedAt time.Time         `json:"createdAt"`
	UpdatedAt time.Time         `json:"updatedAt"`
	// Exports are the files that it was written to.
	Exports []Export `json:"exports,omitempty"`
}

// An Export is a file with a skill.
type Export struct {
	Folder string `json:"folder"` // absolute
	Sum    string `json:"sum"`    // the SHA-256 of what was written, in hex
}

// Rate returns the share of the attempts that ended well, 0 to 1.
func (s *Skill) Rate() float64 {
	if s.Attempts == 0 {
		return 0
	}
	return float64(s.Successes) / float64(s.Attempts)
}

// Revision returns the revision of what the skill says.
func (s *Skill) Revision() string { return change.RevisionOf(s.Text() + "\n" + string(s.Status)) }

// Text returns the skill as a string of a few lines.
func (s *Skill) Text() string {
	lines := slices.Concat([]string{s.Title, s.Purpose}, s.steps(), []string{s.Notes})
	return strings.Join(slices.DeleteFunc(lines, func(line string) bool { return line == "" }), "\n")
}

// steps returns what to do, a line each.
func (s *Skill) steps() []string {
	var lines []string
	for i, command := range s.Commands {
		switch {
		case s.Kind != mining.Fix:
			lines = append(lines, "Run "+code(command))
		case i > 0:
			lines = append(lines, "Run "+code(command)+", then "+code(s.Commands[0])+" again")
		}
	}
	if s.Kind == mining.Fix && len(s.Files) > 0 && len(s.Commands) > 0 {
		lines = append(lines, "Edit "+code(strings.Join(s.Files, ", "))+", then run "+code(s.Commands[0])+" again")
	}
	if s.Kind == mining.Together {
		others := s.Files
		if len(s.triggers()) == 1 {
			others = s.Files[1:]
		}
		for _, file := range others {
			lines = append(lines, "Look whether "+code(file)+" has to be changed, too")
		}
	}
	for _, command := range s.Avoid {
		lines = append(lines, "Not "+code(command)+", which failed")
	}
	return lines
}

// triggers returns the files whose change asks for that of others. Skills of former versions have one.
func (s *Skill) triggers() []string {
	if len(s.Triggers) > 0 {
		return s.Triggers
	}
	return s.Files[:min(1, len(s.Files))]
}

// code returns a string as code in Markdown.
func code(text string) string {
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if len(fence) > 1 {
		return fence + " " + text + " " + fence
	}
	return fence + text + fence
}

// Proof says how often the skill succeeded.
func (s *Skill) Proof() string { return fmt.Sprintf("worked %d of %d times", s.Successes, s.Attempts) }

// Tokens returns the estimated length of the text.
func (s *Skill) Tokens() int { return tokens.Count(s.Text()) }

// clone returns a skill that shares no slice with another one.
func (s *Skill) clone() Skill {
	c := *s
	c.Commands, c.Avoid = slices.Clone(s.Commands), slices.Clone(s.Avoid)
	c.Files, c.Triggers = slices.Clone(s.Files), slices.Clone(s.Triggers)
	c.Words, c.Evidence, c.Exports = slices.Clone(s.Words), slices.Clone(s.Evidence), slices.Clone(s.Exports)
	c.Prompts = slices.Clone(s.Prompts)
	return c
}

// isLike reports whether two skills say the same.
func (s *Skill) isLike(other *Skill) bool {
	return s.Title == other.Title && s.Purpose == other.Purpose && s.Error == other.Error &&
		slices.Equal(s.Commands, other.Commands) && slices.Equal(s.Avoid, other.Avoid) &&
		slices.Equal(s.Files, other.Files)
}

// maxName is the longest name of a skill in the format of Agent Skills.
const maxName = 64

// nameOf returns the name for a title that is not in use.
func nameOf(title string, used func(name string) bool) string {
	var b strings.Builder
	for _, r := range strings.ToLower(title) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	name := b.String()
	if name == "" || name == "-" {
		name = Noun
	}
	name = strings.Trim(name[:min(len(name), maxName)], "-")
	free := name
	for n := 2; used(free); n++ {
		end := fmt.Sprintf("-%d", n)
		free = strings.Trim(name[:min(len(name), maxName-len(end))], "-") + end
	}
	return free
}
