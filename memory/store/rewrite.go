package store

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gofrs/flock"
)

// erased stands where a text was erased from a file that is kept.
const erased = "[erased]"

// minErased is the length, in bytes, from which a text is erased also within a
// word. A shorter one would take parts of words that say something else.
const minErased = 8

// EraseFromSessions takes texts out of the folders of all sessions. Former texts
// of notes that hold one are deleted; in every other file, of people's notes or
// of what was said, the text is replaced.
func (s *Store) EraseFromSessions(texts []string) error {
	// The longest first: what holds another one is gone as a whole.
	texts = slices.SortedFunc(slices.Values(texts), func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	folders, err := filepath.Glob(filepath.Join(s.dir, sessionsName, "*"))
	if err != nil {
		return err
	}
	var errs []error
	for _, folder := range folders {
		errs = append(errs, s.eraseFromSession(folder, texts))
	}
	return errors.Join(errs...)
}

// eraseFromSession waits for those of our processes that write into the folder.
func (s *Store) eraseFromSession(dir string, texts []string) error {
	for _, name := range []string{"notes.lock", "history.lock"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			continue // nobody has written yet what it guards
		}
		lock := flock.New(filepath.Join(dir, name), flock.SetFlag(os.O_RDWR))
		if err := lock.Lock(); err != nil {
			return fmt.Errorf("lock the folder of a session: %w", err)
		}
		defer func() { _ = lock.Close() }()
	}
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return fmt.Errorf("look into the folder of a session: %w", err)
		case !entry.Type().IsRegular() || entry.Name() == leaseName || strings.HasSuffix(path, ".lock"):
			return nil
		case filepath.Base(filepath.Dir(path)) == "versions":
			_, err := removeHolding([]string{path}, texts)
			return err
		}
		return eraseFrom(path, texts)
	})
}

// eraseFrom replaces texts in a file. An editor takes no lock: where it writes
// meanwhile, what it wrote is looked at.
func eraseFrom(path string, texts []string) error {
	name := filepath.Base(path)
	for {
		before, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("look into %s: %w", name, err)
		}
		after := without(before, texts)
		if bytes.Equal(after, before) {
			return nil
		}
		beside := filepath.Join(filepath.Dir(path), ".erasing-"+name)
		if err := writeSynced(beside, after); err != nil {
			return errors.Join(fmt.Errorf("erase from %s: %w", name, err), os.Remove(beside))
		}
		if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, before) {
			_ = os.Remove(beside)
			continue
		}
		if err := os.Rename(beside, path); err != nil {
			return errors.Join(fmt.Errorf("erase from %s: %w", name, err), os.Remove(beside))
		}
		return nil
	}
}

func writeSynced(path string, content []byte) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	return errors.Join(err, file.Sync(), file.Close())
}

// Without returns a text with "[erased]" in the place of each of the texts; of a
// short one only where it is not a part of a word.
func Without(text string, texts []string) string { return string(without([]byte(text), texts)) }

// without returns content with "[erased]" in the place of each text; of a short
// one only where it is not a part of a word.
func without(content []byte, texts []string) []byte {
	for _, text := range texts {
		if text == "" {
			continue
		}
		if len(text) >= minErased {
			content = bytes.ReplaceAll(content, []byte(text), []byte(erased))
			continue
		}
		content = withoutWord(content, []byte(text))
	}
	return content
}

func withoutWord(content, word []byte) []byte {
	var kept []byte
	for from := 0; ; {
		at := bytes.Index(content[from:], word)
		if at < 0 {
			return append(kept, content[from:]...)
		}
		at += from
		before, _ := utf8.DecodeLastRune(content[:at])
		after, _ := utf8.DecodeRune(content[at+len(word):])
		kept = append(kept, content[from:at]...)
		if inWord(before) || inWord(after) {
			kept = append(kept, word...)
		} else {
			kept = append(kept, erased...)
		}
		from = at + len(word)
	}
}

func inWord(r rune) bool { return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) }
