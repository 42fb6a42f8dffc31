package command

import (
	"path"
	"strings"
)

var drive = lazy(`^[A-Za-z]:/`)

// isAbs reports whether a path with '/' is absolute on any system.
func isAbs(name string) bool {
	return strings.HasPrefix(name, "/") || drive.MatchString(name)
}

func slashed(name string) string {
	return strings.ReplaceAll(name, `\`, "/")
}

// within returns name relative to root with '/', or name itself if it is outside.
func within(root, name string) string {
	root, name = strings.TrimSuffix(slashed(root), "/"), path.Clean(slashed(name))
	if root == "" {
		return name
	}
	if equalPath(name, root) {
		return "."
	}
	if len(name) > len(root) && name[len(root)] == '/' && equalPath(name[:len(root)], root) {
		return name[len(root)+1:]
	}
	return name
}

// equalPath compares paths; a drive letter makes them paths of Windows, where
// case does not matter.
func equalPath(a, b string) bool {
	if drive.MatchString(a) {
		return strings.EqualFold(a, b)
	}
	return a == b
}

// locate returns the path of name, which is written relative to dir, itself
// relative to cwd: relative to root with '/' if it is inside, else absolute.
func locate(root, cwd, dir, name string) string {
	name = slashed(name)
	if !isAbs(name) {
		base := joinDir(slashed(cwd), dir)
		name = path.Join(base, name)
	}
	return within(root, name)
}
