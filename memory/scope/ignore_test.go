package scope

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// What is ignored here is what git 2 says of the same files (git check-ignore).
var ignoreCases = []struct {
	rules, below string // of the .gitignore of the root, and of that of the folder a
	ignored      string // files
	kept         string
}{
	{rules: "*.log\n!keep.log\n", ignored: "a.log b/c.log", kept: "keep.log b/keep.log log"},
	{rules: "out/\n", ignored: "out/a b/out/a", kept: "out b/out"},
	{rules: "/out\n", ignored: "out out/a/b", kept: "b/out"},
	{rules: "b/out\n", ignored: "b/out b/out/a", kept: "a/b/out out"},
	{rules: "out/\n!out/keep\n", ignored: "out/keep out/a"},
	{rules: "out/*\n!out/keep\n", ignored: "out/a out/b/keep", kept: "out/keep"},
	{rules: "**/out\n", ignored: "out b/out b/c/out/d", kept: "outer b/outer"},
	{rules: "b/**/out\n", ignored: "b/out b/c/out b/c/d/out", kept: "out c/b/out"},
	{rules: "b/**\n", ignored: "b/c b/c/d", kept: "c/b b"},
	{rules: "**\n", ignored: "x b/c"},
	{rules: "b**c\n", ignored: "bc bxc d/bxc", kept: "b/c b/x/c"},
	{rules: "?.txt\n[a-c].md\n[!a-c].go\n", ignored: "x.txt b.md x.go", kept: "xy.txt d.md b.go /.txt"},
	{rules: "{b,c}.txt\n", ignored: "{b,c}.txt", kept: "b.txt c.txt"},
	{rules: "\\{b\n\\!c\n\\#d\n#e\n", ignored: "{b !c #d", kept: "e #e b c"},
	{rules: "b  \nc\\ \n\n   \nd\r\n", ignored: "b d", kept: "c e"},
	{rules: "b\\\n[c\n/\n!\n", kept: "b c x"},
	{rules: "*.x\n", below: "!*.x\n*.y\n/z\n", ignored: "b.x a/b.y a/b/c.y a/z", kept: "a/b.x a/b/c.x b.y z a/b/z"},
	{rules: "a/\n", below: "!*\n", ignored: "a/b"},
	{rules: "a/*\n!a/b/\n", ignored: "a/b a/c", kept: "a/b/c"},
	{rules: "é?\n测试/\n", ignored: "éx 测试/x", kept: "é 测试"},
}

func TestFilesAreIgnoredAsGitIgnoresThem(t *testing.T) {
	for _, c := range ignoreCases {
		dir := realTemp(t)
		write(t, filepath.Join(dir, ".gitignore"), c.rules)
		if c.below != "" {
			write(t, filepath.Join(dir, "a", ".gitignore"), c.below)
		}
		s := New(locate(t, dir, "git"), nil, nil)
		for _, file := range strings.Fields(c.ignored) {
			assert.True(t, s.ignored(file), "%q %q: %s", c.rules, c.below, file)
		}
		for _, file := range strings.Fields(c.kept) {
			assert.False(t, s.ignored(file), "%q %q: %s", c.rules, c.below, file)
		}
	}
}
