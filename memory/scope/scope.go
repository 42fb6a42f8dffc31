package scope

import (
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/go-git/go-git/v5/plumbing/format/gitignore"

	"github.com/wm-lsp/wm-lsp/memory/regular"
)

// A Scope determines which files of one worktree are tracked. It is safe for
// concurrent use.
type Scope struct {
	place    Place
	exclude  func() []string
	maxBytes func() int

	mu      sync.Mutex
	ignores map[string]ignoreFile // by name, relative with /
	// verdicts are the results for paths, until an ignore file is read again.
	verdicts map[string]verdict
}

// An ignoreFile is the parsed content of a .gitignore file or of .git/info/exclude.
type ignoreFile struct {
	modified time.Time
	size     int64
	patterns []gitignore.Pattern
}

// New returns the scope of a place. exclude returns the glob patterns of the setting
// exclude, maxBytes the size above which files are not tracked.
func New(place Place, exclude func() []string, maxBytes func() int) *Scope {
	return &Scope{
		place: place, exclude: exclude, maxBytes: maxBytes,
		ignores: map[string]ignoreFile{}, verdicts: map[string]verdict{},
	}
}

// Place returns the place of the scope.
func (s *Scope) Place() Place { return s.place }

// Rel returns the slash-separated path of a file relative to the worktree and reports
// whether the file is inside it. The file need not exist. A relative path is relative
// to cwd, or to the worktree if cwd is empty.
func (s *Scope) Rel(cwd, file string) (string, bool) {
	if file == "" || strings.ContainsRune(file, 0) {
		return "", false
	}
	if !filepath.IsAbs(file) {
		if cwd == "" {
			cwd = s.place.Worktree
		}
		file = filepath.Join(cwd, file)
	}
	file = filepath.Clean(file)
	if rel, ok := inside(s.place.Worktree, file); ok {
		return rel, true
	}
	// The path may go through the folder as it was opened or another symbolic link.
	if rel, ok := inside(s.place.Folder, file); ok {
		if real, err := filepath.EvalSymlinks(s.place.Folder); err == nil {
			return inside(s.place.Worktree, filepath.Join(real, filepath.FromSlash(rel)))
		}
	}
	if real, err := realPath(file); err == nil {
		return inside(s.place.Worktree, real)
	}
	return "", false
}

// realPath resolves the symbolic links of the folder of a file.
func realPath(file string) (string, error) {
	dir, err := filepath.EvalSymlinks(filepath.Dir(file))
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, filepath.Base(file)), nil
}

func inside(folder, file string) (string, bool) {
	rel, err := filepath.Rel(folder, file)
	if err != nil || rel == "." || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

// Abs returns the real path of a tracked file.
func (s *Scope) Abs(rel string) string {
	return filepath.Join(s.place.Worktree, filepath.FromSlash(rel))
}

// Tracked reports whether a file, relative to the worktree, is tracked. Folders, devices,
// large files and hidden files are not.
func (s *Scope) Tracked(rel string) bool {
	if info, err := os.Stat(s.Abs(rel)); err == nil && (!info.Mode().IsRegular() || info.Size() > int64(s.maxBytes())) {
		return false
	}
	return !s.Hidden(rel)
}

// Hidden reports whether a file or folder is never read: it belongs to git or
// dependencies, it is secret, the repository ignores it, or the settings exclude it.
func (s *Scope) Hidden(rel string) bool {
	if Secret(rel) || generated(rel) {
		return true
	}
	for _, pattern := range s.exclude() {
		if matched, err := doublestar.Match(pattern, rel); err == nil && matched {
			return true
		}
	}
	return s.ignored(rel)
}

// Secret reports whether the content of a file, and even its name, is secret:
// environment files, private keys, keystores.
func Secret(file string) bool {
	name := strings.ToLower(path.Base(filepath.ToSlash(file)))
	if name == ".env" || strings.HasPrefix(name, ".env.") || name == ".envrc" {
		return true
	}
	switch path.Ext(name) {
	case ".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".ppk", ".asc", ".gpg", ".age":
		return true
	}
	switch name {
	case "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", ".netrc", "_netrc", ".npmrc", ".pypirc", ".pgpass",
		".htpasswd", ".git-credentials":
		return true
	}
	return false
}

// generated reports whether a path belongs to tools and not to people.
func generated(rel string) bool {
	for _, part := range strings.Split(rel, "/") {
		switch part {
		case ".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv", ".tox", ".mypy_cache", ".pytest_cache",
			".ruff_cache", ".next", ".gradle":
			return true
		}
	}
	name := path.Base(rel)
	return strings.HasSuffix(name, ".min.js") || strings.HasSuffix(name, ".min.css") ||
		strings.HasSuffix(
			name,
			".map",
		) || strings.HasSuffix(name, "~") || strings.HasSuffix(name, ".swp") || strings.HasSuffix(name, ".pyc")
}

// ignored reports whether git ignores a file, by the .gitignore files of the
// folders on the way to it and .git/info/exclude.
func (s *Scope) ignored(rel string) bool {
	patterns := append([]gitignore.Pattern{}, s.patterns(".git/info/exclude", nil)...)
	parts := strings.Split(rel, "/")
	for depth := range parts {
		domain := parts[:depth]
		if len(patterns) >= maxPatterns {
			break
		}
		patterns = append(patterns, s.patterns(path.Join(path.Join(domain...), ".gitignore"), domain)...)
	}
	if len(patterns) == 0 {
		return false
	}
	s.mu.Lock()
	known, there := s.verdicts[rel]
	s.mu.Unlock()
	if there && known.patterns == len(patterns) {
		return known.ignored
	}
	ignored := gitignore.NewMatcher(patterns[:min(len(patterns), maxPatterns)]).Match(parts, false)
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.verdicts) >= maxVerdicts {
		clear(s.verdicts)
	}
	s.verdicts[rel] = verdict{len(patterns), ignored}
	return ignored
}

// A verdict is whether git ignores a file, as long as the ignore files do not change.
type verdict struct {
	patterns int // a file that is gone takes its patterns with it
	ignored  bool
}

const (
	// maxIgnoreBytes is the size above which an ignore file is not read.
	maxIgnoreBytes = 256 << 10
	// maxPatterns is how many patterns are applied to a path, and taken from one file.
	// Each costs about 10 µs for a path.
	maxPatterns = 2000
	// maxIgnores and maxVerdicts are how many ignore files and results are kept.
	maxIgnores  = 1000
	maxVerdicts = 10000
)

// patterns returns the patterns of an ignore file. It reads the file, without a
// lock, if that changed since the last call.
func (s *Scope) patterns(name string, domain []string) []gitignore.Pattern {
	file := s.Abs(name)
	info, err := os.Stat(file)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxIgnoreBytes {
		return nil
	}
	s.mu.Lock()
	known, there := s.ignores[name]
	s.mu.Unlock()
	if there && known.modified.Equal(info.ModTime()) && known.size == info.Size() {
		return known.patterns
	}
	content, err := regular.Read(s.place.Worktree, name, maxIgnoreBytes)
	if err != nil {
		return nil
	}
	known = ignoreFile{modified: info.ModTime(), size: info.Size()}
	for line := range strings.Lines(string(content)) {
		if len(known.patterns) == maxPatterns {
			break
		}
		line = strings.TrimRight(line, "\r\n")
		if strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "#") {
			known.patterns = append(known.patterns, gitignore.ParsePattern(line, append([]string{}, domain...)))
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.ignores) >= maxIgnores {
		clear(s.ignores)
	}
	s.ignores[name] = known
	clear(s.verdicts)
	return known.patterns
}
