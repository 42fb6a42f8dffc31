package skills

import (
	"fmt"
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/shorten"
	"github.com/wm-lsp/wm-lsp/memory/skills/mining"
)

// maxDescription is the longest description in the format of Agent Skills, in bytes here, which are
// at least as many as its characters.
const maxDescription = 1024

// Document returns the skill as a SKILL.md in the format of Agent Skills (https://agentskills.io/specification):
// a front matter in YAML with the name, which is that of the folder, and the description by which an
// agent chooses it, and the instructions in Markdown.
func (s *Skill) Document() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "---\nname: %s\ndescription: %s\nmetadata:\n  generator: wm-lsp\n  version: %q\n---\n\n",
		s.Name, quoted(shorten.Bytes(s.description(), maxDescription)), fmt.Sprint(s.Version))
	fmt.Fprintf(&b, "# %s\n", shorten.Line(s.Title))
	if s.Purpose != "" {
		fmt.Fprintf(&b, "\n%s\n", shorten.Line(s.Purpose))
	}
	if steps := s.steps(); len(steps) > 0 {
		b.WriteString("\n## Steps\n\n")
		for i, step := range steps {
			fmt.Fprintf(&b, "%d. %s.\n", i+1, step)
		}
	}
	if s.hasPlaceholders() {
		b.WriteString("\nWords in angle brackets stand for what differs each time.\n")
	}
	if s.Notes != "" {
		fmt.Fprintf(&b, "\n## Notes\n\n%s\n", s.Notes)
	}
	fmt.Fprintf(&b, "\n## Evidence\n\nIt %s in the sessions of this workspace.\n", s.Proof())
	return []byte(b.String())
}

// description says what the skill does and when it is used.
func (s *Skill) description() string {
	text := shorten.Line(s.Title) + "."
	switch {
	case s.Purpose == "":
	case strings.HasPrefix(s.Purpose, "To "):
		text += " Use it t" + s.Purpose[1:]
	case strings.HasPrefix(s.Purpose, "When "), strings.HasPrefix(s.Purpose, "Before "):
		text += " Use it " + strings.ToLower(s.Purpose[:1]) + s.Purpose[1:]
	default:
		text += " " + s.Purpose
	}
	if len(s.Commands) > 0 && s.Kind == mining.Procedure {
		text += " Commands: " + strings.Join(s.Commands, "; ") + "."
	}
	// Agents take what is in such brackets for tags, which a description must not have.
	return strings.NewReplacer("<", "‹", ">", "›").Replace(shorten.Line(text))
}

func (s *Skill) hasPlaceholders() bool {
	for _, command := range s.Commands {
		if strings.Contains(command, "<") && strings.Contains(command, ">") {
			return true
		}
	}
	return false
}

// quoted returns a string in one line as a string of YAML in double quotes.
func quoted(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || r == 0x7f:
			b.WriteByte(' ')
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
