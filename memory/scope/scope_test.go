package scope

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
}

func locate(t *testing.T, folder, mode string) Place {
	t.Helper()
	place, err := Locate(folder, mode)
	require.NoError(t, err)
	return place
}

func realTemp(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	return dir
}

func TestSubfoldersAndWorktreesOfARepositoryShareOneMemory(t *testing.T) {
	dir := realTemp(t)
	main, linked := filepath.Join(dir, "main"), filepath.Join(dir, "linked")
	write(t, filepath.Join(main, ".git", "HEAD"), "ref: refs/heads/main\n")
	write(t, filepath.Join(main, ".git", "worktrees", "linked", "HEAD"), "ref: refs/heads/other\n")
	write(t, filepath.Join(main, ".git", "worktrees", "linked", "commondir"), "../..\n")
	write(t, filepath.Join(main, ".git", "worktrees", "linked", "gitdir"), filepath.Join(linked, ".git")+"\n")
	write(t, filepath.Join(main, "sub", "a.go"), "package a\n")
	write(t, filepath.Join(linked, ".git"), "gitdir: "+filepath.Join(main, ".git", "worktrees", "linked")+"\n")

	top, sub, other := locate(t, main, "git"), locate(t, filepath.Join(main, "sub"), "git"), locate(t, linked, "git")
	assert.Equal(t, "git", top.ResolvedBy)
	assert.Len(t, top.Key, 16)
	assert.Equal(t, top.Key, sub.Key)
	assert.Equal(t, main, sub.Worktree)
	assert.Equal(t, top.Key, other.Key)
	assert.Equal(t, linked, other.Worktree, "hot state is kept per worktree")
	assert.NotEqual(t, top.Key, locate(t, filepath.Join(main, "sub"), "folder").Key)
}

func TestAFolderThatTheRepositoryDoesNotListIsARepositoryOfItsOwn(t *testing.T) {
	dir := realTemp(t)
	victim, linked := filepath.Join(dir, "victim"), filepath.Join(dir, "linked")
	entry := filepath.Join(victim, ".git", "worktrees", "linked")
	write(t, filepath.Join(victim, ".git", "HEAD"), "ref: refs/heads/main\n")
	write(t, filepath.Join(entry, "HEAD"), "ref: refs/heads/other\n")
	write(t, filepath.Join(entry, "commondir"), "../..\n")
	write(t, filepath.Join(entry, "gitdir"), filepath.Join(linked, ".git")+"\n")
	write(t, filepath.Join(linked, ".git"), "gitdir: "+entry+"\n")
	memory := locate(t, victim, "git").Key
	require.Equal(t, memory, locate(t, linked, "git").Key)

	hostile := filepath.Join(dir, "hostile")
	write(t, filepath.Join(hostile, "fake", "HEAD"), "ref: refs/heads/main\n")
	write(t, filepath.Join(hostile, "fake", "commondir"), filepath.Join(victim, ".git")+"\n")
	write(t, filepath.Join(hostile, "fake", "gitdir"), filepath.Join(hostile, ".git")+"\n")
	for name, pointer := range map[string]string{
		"the git folder of another project":     filepath.Join(victim, ".git"),
		"an entry of another worktree":          entry,
		"an entry of its own that names a list": "fake",
	} {
		write(t, filepath.Join(hostile, ".git"), "gitdir: "+pointer+"\n")
		assert.NotEqual(t, memory, locate(t, hostile, "git").Key, name)
		assert.Equal(t, hostile, locate(t, hostile, "git").Root, name)
	}
}

func TestHugeIgnoreFilesCostLittle(t *testing.T) {
	dir := realTemp(t)
	rules := strings.Repeat("some-name-*\n", 20_000)
	folder := dir
	for range 60 {
		write(t, filepath.Join(folder, ".gitignore"), "ignored\n"+rules)
		folder = filepath.Join(folder, "d")
	}
	s := New(locate(t, dir, "git"), func() []string { return nil }, func() int { return 1 << 20 })
	assert.False(t, s.Tracked("ignored"))
	deep := strings.Repeat("d/", 59)
	assert.False(t, s.Tracked(deep+"ignored"))
	held := 0
	for _, one := range s.ignores {
		held += len(one.patterns)
	}
	assert.LessOrEqual(t, held, maxPatterns)
	known := len(s.verdicts)
	assert.False(t, s.Tracked(deep+"ignored"))
	assert.Len(t, s.verdicts, known, "the result is kept")
	write(t, filepath.Join(dir, ".gitignore"), "other\n")
	assert.True(t, s.Tracked("ignored"), "until the file changes")
}

func TestFoldersOfTheSystemAreNoWorkspaces(t *testing.T) {
	root := filepath.VolumeName(realTemp(t)) + string(filepath.Separator)
	for path, is := range map[string]bool{
		"etc": true, "usr": true, "tmp": true, "Users": true, "Program Files": true, "app": false, "workspace": false,
		"etc/nginx": false, "home/ada": false,
	} {
		assert.Equal(t, is, ofSystem(filepath.Join(root, filepath.FromSlash(path))), path)
	}
	if _, err := os.Stat(filepath.Join(root, "etc")); err == nil {
		_, err := Locate(filepath.Join(root, "etc"), "git")
		assert.ErrorContains(t, err, "belongs to the system; open the folder of a project")
	}
}

func TestASubmoduleIsARepositoryOfItsOwn(t *testing.T) {
	dir := realTemp(t)
	write(t, filepath.Join(dir, ".git", "HEAD"), "ref: refs/heads/main\n")
	write(t, filepath.Join(dir, ".git", "modules", "m", "HEAD"), "ref: refs/heads/main\n")
	write(t, filepath.Join(dir, "m", ".git"), "gitdir: ../.git/modules/m\n")
	assert.Equal(t, filepath.Join(dir, "m"), locate(t, filepath.Join(dir, "m"), "git").Root)
}

func TestWhatIsNoWorkspaceSaysWhy(t *testing.T) {
	home := realTemp(t)
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	file := filepath.Join(home, "notes.md")
	write(t, file, "notes")
	for folder, reason := range map[string]string{
		home: "your home folder",
		filepath.VolumeName(home) + string(filepath.Separator): "the whole disk",
		filepath.Join(home, "missing"):                         "open a folder that exists",
		file:                                                   "is a file, not a directory; open the folder",
	} {
		_, err := Locate(folder, "git")
		require.ErrorIs(t, err, ErrNoWorkspace, folder)
		assert.ErrorContains(t, err, folder)
		assert.ErrorContains(t, err, reason)
	}
	// A repository in the home folder, such as one for dotfiles, does not include its projects.
	write(t, filepath.Join(home, ".git", "HEAD"), "ref: refs/heads/main\n")
	require.NoError(t, os.Mkdir(filepath.Join(home, "project"), 0o755))
	assert.Equal(t, filepath.Join(home, "project"), locate(t, filepath.Join(home, "project"), "git").Root)
}

func TestFilesAreTrackedUnlessTheyAreNobodysBusiness(t *testing.T) {
	dir := realTemp(t)
	write(t, filepath.Join(dir, ".git", "HEAD"), "ref: refs/heads/main\n")
	write(t, filepath.Join(dir, ".git", "info", "exclude"), "local.txt\n")
	write(t, filepath.Join(dir, ".gitignore"), "*.log\n!keep.log\n/out/\n")
	write(t, filepath.Join(dir, "deep", ".gitignore"), "*.tmp\n")
	write(t, filepath.Join(dir, "big.bin"), string(make([]byte, 200)))
	files := New(locate(t, dir, "git"), func() []string { return []string{"secrets/**"} }, func() int { return 100 })
	for file, tracked := range map[string]bool{
		"a.go": true, "new/file.go": true, "keep.log": true, "x.tmp": true, ".github/ci.yml": true,
		"environment.go": true, "a.log": false, "out/a.o": false, "deep/x.tmp": false, "local.txt": false,
		"secrets/key.txt": false, "big.bin": false, "deep": false, ".env": false, "sub/.env.local": false,
		"id_rsa": false, "cert.pem": false, ".git/config": false, "node_modules/a/b.js": false, "a.min.js": false,
	} {
		assert.Equal(t, tracked, files.Tracked(file), file)
	}
	write(t, filepath.Join(dir, ".gitignore"), "nothing-of-this\n")
	assert.True(t, files.Tracked("a.log"), "an ignore file that changes is read again")
}

func TestAFileHasOnePathWhateverItIsCalled(t *testing.T) {
	dir := realTemp(t)
	write(t, filepath.Join(dir, "real", "a.go"), "package a\n")
	link := filepath.Join(dir, "link")
	require.NoError(t, os.Symlink(filepath.Join(dir, "real"), link))
	files := New(locate(t, link, "git"), func() []string { return nil }, func() int { return 1 << 20 })
	for _, name := range []string{
		filepath.Join(link, "a.go"),
		filepath.Join(dir, "real", "a.go"),
		filepath.Join(link, "x", "..", "a.go"),
		"a.go",
	} {
		rel, inside := files.Rel("", name)
		assert.True(t, inside, name)
		assert.Equal(t, "a.go", rel, name)
	}
	for _, name := range []string{
		"", "..", filepath.Join(link, "..", "b.go"), filepath.Join(dir, "realistic", "a.go"), "a\x00.go",
	} {
		_, inside := files.Rel("", name)
		assert.False(t, inside, name)
	}
	rel, inside := files.Rel(filepath.Join(dir, "real", "sub"), "../a.go")
	assert.True(t, inside)
	assert.Equal(t, "a.go", rel)
}
