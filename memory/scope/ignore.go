package scope

import (
	"os"
	"path"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"
)

// An ignoreFile is what was read of a .gitignore file or of .git/info/exclude.
type ignoreFile struct {
	modified time.Time
	size     int64
	rules    []ignoreRule
}

// An ignoreRule is one line of it.
type ignoreRule struct {
	glob    string // of a path below the folder of the file
	folders bool   // it is about folders only
	keeps   bool   // what it matches is not ignored
}

// ignored reports whether git ignores a file, by .git/info/exclude and the .gitignore
// files of the folders on the way to it. What is in an ignored folder is ignored.
func (s *Scope) ignored(rel string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	parts := strings.Split(rel, "/")
	exclude := s.rules(".git/info/exclude")
	files := make([][]ignoreRule, len(parts)) // by the depth of their folders
	for depth := range parts {
		files[depth] = s.rules(path.Join(path.Join(parts[:depth]...), ".gitignore"))
		folder, said, ignored := depth < len(parts)-1, false, false
		for i := depth; i >= 0 && !said; i-- { // the innermost file that says anything decides
			said, ignored = verdict(files[i], path.Join(parts[i:depth+1]...), folder)
		}
		if !said {
			_, ignored = verdict(exclude, path.Join(parts[:depth+1]...), folder)
		}
		if ignored {
			return true
		}
	}
	return false
}

// verdict returns whether the rules of a file say anything about a path below it, and
// whether it is ignored. The last rule that matches decides.
func verdict(rules []ignoreRule, name string, folder bool) (said, ignored bool) {
	for i := len(rules) - 1; i >= 0; i-- {
		r := rules[i]
		if folder || !r.folders {
			if matched, err := doublestar.Match(r.glob, name); err == nil && matched {
				return true, !r.keeps
			}
		}
	}
	return false, false
}

const maxIgnoreBytes = 1 << 20

// rules reads an ignore file, or takes what was read of it before.
func (s *Scope) rules(name string) []ignoreRule {
	file := s.Abs(name)
	info, err := os.Stat(file)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxIgnoreBytes {
		return nil
	}
	known, there := s.ignores[name]
	if there && known.modified.Equal(info.ModTime()) && known.size == info.Size() {
		return known.rules
	}
	content, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	known = ignoreFile{modified: info.ModTime(), size: info.Size()}
	for line := range strings.Lines(string(content)) {
		if rule, ok := readRule(strings.TrimRight(line, "\r\n")); ok {
			known.rules = append(known.rules, rule)
		}
	}
	s.ignores[name] = known
	return known.rules
}

// readRule reads a line of an ignore file. It returns false for one that says nothing.
func readRule(line string) (rule ignoreRule, ok bool) {
	for strings.HasSuffix(line, " ") && !strings.HasSuffix(line, `\ `) {
		line = line[:len(line)-1]
	}
	if strings.HasPrefix(line, "#") {
		return rule, false
	}
	line, rule.keeps = strings.CutPrefix(line, "!")
	line, rule.folders = strings.CutSuffix(line, "/")
	if line == "" {
		return rule, false
	}
	if strings.Contains(line, "/") {
		line = strings.TrimPrefix(line, "/")
	} else {
		line = "**/" + line
	}
	if strings.HasSuffix(line, "/**") {
		line += "/*" // not the folder itself
	}
	rule.glob = withoutAlternatives(line)
	return rule, doublestar.ValidatePattern(rule.glob)
}

// withoutAlternatives escapes braces, which git does not know.
func withoutAlternatives(glob string) string {
	var b strings.Builder
	for i := 0; i < len(glob); i++ {
		switch glob[i] {
		case '{', '}':
			b.WriteByte('\\')
		case '\\':
			b.WriteByte('\\')
			if i++; i == len(glob) {
				return b.String()
			}
		}
		b.WriteByte(glob[i])
	}
	return b.String()
}
