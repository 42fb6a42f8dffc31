package importer

import (
	"cmp"
	"path/filepath"
	"strings"
)

// instructions is the format of the files in which people write rules for agents, in Markdown, with or
// without front matter: CLAUDE.md, AGENTS.md, GEMINI.md, the rules of Cursor (.cursor/rules, with the files
// that they are for in globs, and .cursorrules), and the instructions of GitHub Copilot
// (.github/copilot-instructions.md and .github/instructions, with applyTo). The rules and preferences are
// read, not the prose.
func instructions() Format {
	return Format{
		Name: "instructions", Title: "the instructions for agents in the workspace",
		places: func(at Place) (places []place) {
			for _, folder := range at.Folders {
				for _, name := range instructionNames() {
					places = append(places, place{dir: folder, name: name})
				}
				places = append(places, place{folder, ".cursor/rules", isRuleFile},
					place{folder, ".claude/rules", isMarkdown}, place{folder, ".github/instructions", isMarkdown})
			}
			return places
		},
		recognizes: func(f file) bool {
			for _, name := range instructionNames() {
				if f.base() == strings.ToLower(filepath.Base(name)) {
					return true
				}
			}
			return strings.HasSuffix(f.base(), ".mdc") || strings.HasSuffix(f.base(), ".instructions.md") ||
				isMarkdown(f.path) && (f.in(".claude", "rules") || f.in(".cursor", "rules"))
		},
		read: func(r *reader, f file) error {
			meta, body, line := frontMatter(f.text)
			why := listed(cmp.Or(meta["globs"], meta["applyto"], meta["paths"]))
			if why == "**" || why == "**/*" || strings.EqualFold(meta["alwaysapply"], "true") {
				why = ""
			}
			if why != "" {
				why = "for " + why
			}
			r.rules(f, body, line, why, "")
			return nil
		},
	}
}

// listed returns the value of a front matter without the brackets and quotes of a list of YAML.
func listed(value string) string {
	inner, begins := strings.CutPrefix(value, "[")
	inner, ends := strings.CutSuffix(inner, "]")
	if !begins || !ends || !strings.ContainsAny(inner, `"'`) {
		return value // a pattern may begin with a bracket, too
	}
	return strings.NewReplacer(`"`, "", "'", "").Replace(inner)
}

func instructionNames() []string {
	return []string{
		"CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", "GEMINI.md", ".cursorrules",
		".github/copilot-instructions.md",
	}
}

// isRuleFile reports whether a file is a rule of Cursor, by its name.
func isRuleFile(name string) bool {
	return isMarkdown(name) || strings.EqualFold(filepath.Ext(name), ".mdc")
}
