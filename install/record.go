package install

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/memory/regular"
	"github.com/wm-lsp/wm-lsp/memory/store/files"
)

// A record says what was done to a file, so that it can be undone to the byte. It holds nothing
// else of what the file says.
type record struct {
	// Agent and Workspace are for whom it was done; Workspace is "" for the user.
	Agent     string `json:"agent"`
	Workspace string `json:"workspace,omitempty"`
	// Path is what the agent opens, Target the file itself.
	Path   string `json:"path"`
	Target string `json:"target"`
	// Sum is the hash of the file as it was written, and Inserted what was inserted into it.
	Sum      string      `json:"sum"`
	Inserted []insertion `json:"inserted,omitempty"`
	// Created is true if there was no file, Folders are the folders that were made, outermost
	// first, Existing are the containers in the file that were there before.
	Created  bool     `json:"created,omitempty"`
	Folders  []string `json:"folders,omitempty"`
	Existing []string `json:"existing,omitempty"`
}

// maxRecord is how many bytes a record has at most.
const maxRecord = 1 << 20

func sum(content []byte) string {
	hash := sha256.Sum256(content)
	return hex.EncodeToString(hash[:])
}

// records are the records of a user, a file each in a folder.
type records struct{ dir string }

func (r records) path(target string) string {
	return filepath.Join(r.dir, sum([]byte(target))[:16]+".json")
}

// of returns the record of a file, nil if there is none. One that cannot be read is none.
func (r records) of(target string) *record {
	rec, err := readRecord(r.path(target))
	if err != nil {
		return nil
	}
	return rec
}

func readRecord(path string) (*record, error) {
	doc, err := regular.Follow(path, maxRecord)
	if err != nil {
		return nil, err
	}
	var rec record
	if err := json.Unmarshal(doc, &rec); err != nil {
		return nil, err
	}
	return &rec, nil
}

// all returns all records that can be read.
func (r records) all() (all []record) {
	paths, _ := filepath.Glob(filepath.Join(r.dir, "*.json"))
	for _, path := range paths {
		if rec, err := readRecord(path); err == nil {
			all = append(all, *rec)
		}
	}
	return all
}

// made is the file in the folder of the records with the folders that were made for it, a line
// each, outermost first.
const made = "made"

func (r records) write(target string, rec record) error {
	doc, err := json.Marshal(rec)
	var folders []string
	if err == nil {
		folders, err = makeFolders(r.dir, 0o700)
	}
	if err == nil && len(folders) > 0 {
		err = files.Write(filepath.Join(r.dir, made), []byte(strings.Join(folders, "\n")))
	}
	if err == nil {
		err = files.Write(r.path(target), doc)
	}
	if err != nil {
		return fmt.Errorf("remember what was changed: %w", err)
	}
	return nil
}

// remove removes the record of a file, and with the last one the folders that were made for them.
func (r records) remove(target string) error {
	if err := os.Remove(r.path(target)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("forget what was changed: %w", err)
	}
	if left, _ := filepath.Glob(filepath.Join(r.dir, "*.json")); len(left) > 0 {
		return nil
	}
	folders := []string{r.dir}
	if list, err := regular.Follow(filepath.Join(r.dir, made), maxRecord); err == nil {
		folders = strings.Split(string(list), "\n")
		if err := os.Remove(filepath.Join(r.dir, made)); err != nil {
			return fmt.Errorf("forget what was changed: %w", err)
		}
	}
	removeFolders(folders)
	return nil
}

// clear removes folders that were made for files which are deleted. One in which another file of
// ours is left goes with that file.
func (r records) clear(folders []string) error {
	slices.SortFunc(folders, func(a, b string) int { return len(b) - len(a) })
	for _, folder := range folders {
		if os.Remove(folder) == nil {
			continue
		}
		for _, rec := range r.all() {
			if !strings.HasPrefix(rec.Target, folder+string(os.PathSeparator)) || slices.Contains(rec.Folders, folder) {
				continue
			}
			rec.Folders = append(rec.Folders, folder)
			if err := r.write(rec.Target, rec); err != nil {
				return err
			}
			break
		}
	}
	return nil
}
