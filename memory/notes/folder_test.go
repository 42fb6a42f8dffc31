package notes_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/notes"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

func folder(t *testing.T) notes.Folder { return notes.In(t.TempDir()) }

func write(t *testing.T, f notes.Folder, path, content string) notes.Note {
	t.Helper()
	note, err := f.Write(path, content, "")
	require.NoError(t, err)
	return note
}

// put writes a file as any other program would.
func put(t *testing.T, f notes.Folder, path, content string) {
	t.Helper()
	name := filepath.Join(f.Path(), path)
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o700))
	require.NoError(t, os.WriteFile(name, []byte(content), 0o600))
}

func TestC1_OverviewDetailAndArchiveAreFilesOfOneFolder(t *testing.T) {
	f := folder(t)
	files, err := f.List()
	require.NoError(t, err)
	assert.Empty(t, files, "nothing is made before the first write")
	assert.NoDirExists(t, f.Path())

	write(t, f, "overview.md", "# The cart\n\nIt holds items.\n")
	write(t, f, "detail/tax.md", "How tax is rounded\n")
	write(t, f, "detail/deep/er.md", "")
	put(t, f, "archive/old.txt", "<!-- kept -->\nold")
	put(t, f, "detail/.hidden", "x")
	put(t, f, "elsewhere.md", "x")
	files, err = f.List()
	require.NoError(t, err)
	var listed []string
	for _, file := range files {
		listed = append(listed, fmt.Sprintf("%s %d %q", file.Path, file.Bytes, file.Title))
		assert.False(t, file.UpdatedAt.IsZero())
	}
	assert.Equal(
		t,
		[]string{
			`overview.md 28 "The cart"`,
			`detail/deep/er.md 0 "er.md"`,
			`detail/tax.md 19 "How tax is rounded"`,
			`archive/old.txt 17 "old"`,
		},
		listed,
	)
	if runtime.GOOS != "windows" {
		info, err := os.Stat(filepath.Join(f.Path(), "overview.md"))
		require.NoError(t, err)
		assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	}
}

func isBadPath(err error) bool {
	var f *fault.Fault
	return errors.As(err, &f) && f.Kind == fault.Params && f.Field == "path"
}

func TestC1_APathThatLeavesTheFolderIsRefused(t *testing.T) {
	f := folder(t)
	for _, path := range []string{
		"", ".", "..", "../overview.md", "detail/../../x", "/etc/passwd", "detail/", "detail", "notes.md", "archive",
		"overview.md/x", "detail/.git", "detail/a/.x/b",
		"detail/..", "C:\\x", "detail\\x", "detail/nul\x00l", "detail/a\nb", "working-memory", "working-memory/../x",
		"../" + store.NotesName + "/overview.md", strings.Repeat("d/", 200),
	} {
		_, err := f.Write(path, "x", "")
		assert.True(t, isBadPath(err), "write %q: %v", path, err)
		_, err = f.Read(path)
		assert.True(t, isBadPath(err), "read %q: %v", path, err)
		_, err = f.Archive(path, "")
		assert.True(t, isBadPath(err), "archive %q: %v", path, err)
	}
	for given, want := range map[string]string{
		"overview.md": "overview.md", "working-memory/detail/a.md": "detail/a.md",
		"./detail//a.md": "detail/a.md", "detail/b/../a.md": "detail/a.md",
	} {
		clean, err := notes.Clean(given)
		require.NoError(t, err, given)
		assert.Equal(t, want, clean)
	}
}

func TestC1_ALinkOutOfTheFolderIsNotFollowed(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("links need a privilege there; the paths are tested above")
		return
	}
	outside := filepath.Join(t.TempDir(), "secret")
	require.NoError(t, os.WriteFile(outside, []byte("secret"), 0o600))
	f := folder(t)
	write(t, f, "overview.md", "x")
	require.NoError(t, os.Symlink(outside, filepath.Join(f.Path(), "detail", "link.md")))
	require.NoError(t, os.Symlink(filepath.Dir(outside), filepath.Join(f.Path(), "detail", "folder")))
	for _, path := range []string{"detail/link.md", "detail/folder/secret"} {
		_, err := f.Read(path)
		assert.Error(t, err, path)
		_, err = f.Write(path, "overwritten", "")
		assert.Error(t, err, path)
	}
	content, err := os.ReadFile(outside)
	require.NoError(t, err)
	assert.Equal(t, "secret", string(content))
}

func TestD7_ANoteIsReadBackAsItWasWrittenByWhomever(t *testing.T) {
	f := folder(t)
	written := write(t, f, "detail/a.md", "one\n")
	read, err := f.Read("detail/a.md")
	require.NoError(t, err)
	assert.Equal(t, written, read)
	assert.Equal(t, notes.RevisionOf("one\n"), read.Revision)
	put(t, f, "detail/a.md", "two, by an editor\n")
	read, err = f.Read("detail/a.md")
	require.NoError(t, err)
	assert.Equal(t, "two, by an editor\n", read.Content)
	_, err = f.Read("detail/b.md")
	assert.True(t, fault.Has(err, fault.NotFound))
}

func TestAConflictKeepsBothTexts(t *testing.T) {
	f := folder(t)
	first := write(t, f, "overview.md", "first")
	put(t, f, "overview.md", "by an editor")
	_, err := f.Write("overview.md", "mine", first.Revision)
	require.True(t, fault.Has(err, fault.Conflict), err)
	conflict := fault.Of(err).Data
	want := fault.Data{Revision: notes.RevisionOf("by an editor"), Kept: notes.RevisionOf("mine")}
	assert.Equal(t, want, conflict)
	for _, want := range []string{"first", "mine"} {
		note, err := f.ReadRevision("overview.md", notes.RevisionOf(want))
		require.NoError(t, err)
		assert.Equal(t, want, note.Content)
	}
	now, err := f.Read("overview.md")
	require.NoError(t, err)
	assert.Equal(t, "by an editor", now.Content)
	_, err = f.Write("overview.md", "mine", conflict.Revision)
	require.NoError(t, err)
	note, err := f.ReadRevision("overview.md", conflict.Revision)
	require.NoError(t, err, "what the editor wrote is kept when it is replaced")
	assert.Equal(t, "by an editor", note.Content)

	require.NoError(t, os.Remove(filepath.Join(f.Path(), "overview.md")))
	_, err = f.Write("overview.md", "again", conflict.Revision)
	require.True(t, fault.Has(err, fault.Conflict), "it was deleted meanwhile")
	assert.Empty(t, fault.Of(err).Data.Revision)
	_, err = f.Write("overview.md", "again", "")
	require.NoError(t, err)
	for _, revision := range []string{"", "0123456789abcdef", "../../etc/passwd", "ABCDEF0123456789"} {
		_, err := f.ReadRevision("overview.md", revision)
		assert.Error(t, err, revision)
	}
}

func TestWhatThreeWriteAtOnceIsInTheFileOrKept(t *testing.T) {
	f := folder(t)
	write(t, f, "overview.md", "begin\n")
	const each = 60
	var mu sync.Mutex
	var acknowledged []string
	var writers sync.WaitGroup
	for writer := range 3 {
		writers.Go(func() {
			for i := range each {
				line := fmt.Sprintf("writer %d line %d\n", writer, i)
				switch writer {
				case 0: // through the method, with the revision that was read
					for {
						before, err := f.Read("overview.md")
						assert.NoError(t, err)
						err = insisting(func() error {
							_, err := f.Write("overview.md", before.Content+line, before.Revision)
							return err
						})
						if fault.Has(err, fault.Conflict) {
							continue
						}
						assert.NoError(t, err)
						break
					}
				case 1: // the server's own change
					assert.NoError(t, insisting(func() error {
						_, err := f.Update(
							"overview.md",
							func(before notes.Note) (string, error) { return before.Content + line, nil },
						)
						return err
					}))
				case 2: // blindly, through the method: what was there can be read
					assert.NoError(t, insisting(func() error {
						_, err := f.Write("overview.md", line, "")
						return err
					}))
				}
				mu.Lock()
				acknowledged = append(acknowledged, line)
				mu.Unlock()
			}
		})
	}
	writers.Wait()
	now, err := f.Read("overview.md")
	require.NoError(t, err)
	everything := now.Content
	versions, err := filepath.Glob(filepath.Join(filepath.Dir(f.Path()), "versions", "*"))
	require.NoError(t, err)
	assert.LessOrEqual(t, len(versions), 100, "they are bounded")
	for _, version := range versions {
		content, err := os.ReadFile(version)
		require.NoError(t, err)
		everything += string(content)
	}
	for _, line := range acknowledged[len(acknowledged)-40:] {
		assert.Contains(t, everything, line)
	}
}

// insisting writes again while the others hold the lock for longer than one waits:
// on a slow disk they do.
func insisting(write func() error) error {
	for {
		if err := write(); !errors.Is(err, context.DeadlineExceeded) {
			return err
		}
	}
}

func TestAnEditThatComesBetweenReadingAndWritingIsNotOverwritten(t *testing.T) {
	f := folder(t)
	write(t, f, "overview.md", "first\n")
	asked := 0
	note, err := f.Update("overview.md", func(before notes.Note) (string, error) {
		if asked++; asked == 1 {
			put(t, f, "overview.md", "first\nby an editor\n")
		}
		return before.Content + "mine\n", nil
	})
	require.NoError(t, err)
	assert.Equal(t, "first\nby an editor\nmine\n", note.Content)
	assert.Equal(t, 2, asked)
}

func TestHugeAndBinaryNotesAreRefusedClearly(t *testing.T) {
	f := folder(t)
	_, err := f.Write("detail/huge.md", strings.Repeat("x", notes.MaxBytes+1), "")
	assert.True(t, fault.Has(err, fault.Limit), err)
	assert.NoFileExists(t, filepath.Join(f.Path(), "detail", "huge.md"))
	put(t, f, "detail/huge.md", strings.Repeat("x", notes.MaxBytes+1))
	_, err = f.Read("detail/huge.md")
	assert.True(t, fault.Has(err, fault.Limit), err)
	_, err = f.Write("detail/full.md", strings.Repeat("x", notes.MaxBytes), "")
	assert.NoError(t, err)
	put(t, f, "detail/binary.md", "\x00\x01\xff")
	_, err = f.Read("detail/binary.md")
	require.True(t, isBadPath(err), err)
	assert.Contains(t, err.Error(), "not valid UTF-8")
	_, err = f.Write("detail/binary.md", "a\x00b", "")
	assert.True(t, isBadPath(err), err)
	require.NoError(t, os.MkdirAll(filepath.Join(f.Path(), "detail", "folder.md"), 0o700))
	_, err = f.Read("detail/folder.md")
	assert.True(t, isBadPath(err), err)
	files, err := f.List()
	require.NoError(t, err)
	assert.Len(t, files, 3)
}

func TestAnArchivedNoteReplacesNone(t *testing.T) {
	f := folder(t)
	for i, want := range []string{"archive/a.md", "archive/a-2.md", "archive/a-3.md"} {
		write(t, f, "detail/a.md", fmt.Sprint("text ", i))
		to, err := f.Archive("detail/a.md", "")
		require.NoError(t, err)
		assert.Equal(t, want, to)
		note, err := f.Read(to)
		require.NoError(t, err)
		assert.Equal(t, fmt.Sprint("text ", i), note.Content)
	}
	write(t, f, "overview.md", "x")
	to, err := f.Archive("overview.md", "")
	require.NoError(t, err)
	assert.Equal(t, "archive/overview.md", to)
	_, err = f.Archive("archive/a.md", "")
	assert.ErrorContains(t, err, "is in the archive already")
	_, err = f.Archive("detail/a.md", "")
	assert.ErrorContains(t, err, "there is no note detail/a.md")
}

func TestANoteOfTheArchiveComesBackAndReplacesNone(t *testing.T) {
	f := folder(t)
	write(t, f, "detail/sub/a.md", "first")
	archived, err := f.Archive("detail/sub/a.md", "")
	require.NoError(t, err)
	back, err := f.Restore(archived, "", "")
	require.NoError(t, err)
	assert.Equal(t, "detail/sub/a.md", back)
	note, err := f.Read(back)
	require.NoError(t, err)
	assert.Equal(t, "first", note.Content)

	archived, err = f.Archive(back, "")
	require.NoError(t, err)
	write(t, f, "detail/sub/a.md", "second")
	for to, want := range map[string]string{
		"":                "is there already",
		"detail/sub/a.md": "is there already",
		"archive/b.md":    "is in the archive",
		"../b.md":         "leaves the folder",
	} {
		_, err = f.Restore(archived, to, "")
		assert.ErrorContains(t, err, want, to)
	}
	_, err = f.Restore("detail/sub/a.md", "", "")
	assert.ErrorContains(t, err, "is not in the archive")
	_, err = f.Restore("archive/none.md", "", "")
	assert.ErrorContains(t, err, "there is no note archive/none.md")
	back, err = f.Restore(archived, "overview.md", "")
	require.NoError(t, err)
	assert.Equal(t, "overview.md", back)
}

func TestAFolderThatCannotBeWrittenIsAClearError(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "session")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	f := notes.In(file) // no folder can be made below a file, whoever runs this
	_, err := f.Write("overview.md", "x", "")
	assert.ErrorContains(t, err, "make the folder of the lock notes.lock")
	_, err = f.Read("overview.md")
	assert.Error(t, err)
	_, err = f.List()
	assert.Error(t, err)
}

func TestC5_TheIndexNamesWhatIsInDetail(t *testing.T) {
	assert.Empty(t, notes.IndexOf(nil, "en"))
	assert.Empty(t, notes.IndexOf([]notes.File{{Path: "overview.md"}, {Path: "archive/a.md"}}, "en"))
	assert.Equal(
		t,
		"## 细节\n- [A (b) ‹x›](detail/a%20b.md)",
		notes.IndexOf([]notes.File{{Path: "detail/a b.md", Title: "A [b] <x>"}}, "zh"),
	)
	var many []notes.File
	for i := range 40 {
		many = append(many, notes.File{Path: fmt.Sprintf("detail/%02d.md", i), Title: fmt.Sprint(i)})
	}
	index := notes.IndexOf(many, "en")
	assert.Contains(t, index, "## Details\n- [10](detail/10.md)\n")
	assert.Contains(t, index, "\n- … 10 more in detail/")
}

func FuzzClean(f *testing.F) {
	for _, seed := range []string{
		"overview.md", "detail/a.md", "../x", "working-memory/detail/../../..", "archive//./a", "\xff",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, path string) {
		clean, err := notes.Clean(path)
		if err != nil {
			return
		}
		assert.True(t, filepath.IsLocal(clean), clean)
		assert.True(
			t,
			clean == "overview.md" || strings.HasPrefix(clean, "detail/") || strings.HasPrefix(clean, "archive/"),
			clean,
		)
		again, err := notes.Clean(clean)
		assert.NoError(t, err)
		assert.Equal(t, clean, again)
	})
}

func TestALockedFolderIsAClearErrorAfterAWhile(t *testing.T) {
	dir := t.TempDir()
	f := notes.In(dir)
	write(t, f, "overview.md", "x")
	other := flock.New(filepath.Join(dir, store.NotesLockName))
	require.NoError(t, other.Lock())
	_, err := notes.InWithTimeout(dir, 50*time.Millisecond).Write("overview.md", "y", "")
	assert.ErrorContains(t, err, "another process")
	assert.ErrorContains(t, err, "holds the lock notes.lock")
	assert.NotContains(t, err.Error(), "deadline", "which says nothing to a person")
	require.NoError(t, other.Unlock())
	_, err = f.Write("overview.md", "y", "")
	assert.NoError(t, err)
}

func TestANoteIsCreatedOnlyIfThereIsNone(t *testing.T) {
	f := folder(t)
	require.NoError(t, f.Create(notes.Overview, "the template"))
	require.NoError(t, f.Create(notes.Overview, "another template"))
	note, err := f.Read(notes.Overview)
	require.NoError(t, err)
	assert.Equal(t, "the template", note.Content)
	require.NoError(t, f.Sync(notes.Overview))

	put(t, f, notes.Overview, "")
	require.NoError(t, f.Create(notes.Overview, "another template"))
	note, err = f.Read(notes.Overview)
	require.NoError(t, err)
	assert.Empty(t, note.Content, "somebody has emptied it")
}
