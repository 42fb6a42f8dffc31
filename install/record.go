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

// A record describes what was done to a file, so that it can be undone to the byte. It holds nothing
// else of what the file says.
type record struct {
	// Agent and Workspace are for whom it was done; Workspace is "" for the user.
	Agent     string `json:"agent"`
	Workspace string `json:"workspace,omitempty"`
	// Path is what the agent opens, Target the file itself.
	Path   string `json:"path"`
	Target string `json:"target"`
	// Sum is the hash of the file as it is written, and Inserted what is inserted into it. The record
	// is written before the file, so that a process that is killed leaves nothing unknown.
	Sum      string      `json:"sum"`
	Inserted []insertion `json:"inserted,omitempty"`
	// Former is the record before, which holds until the file is written.
	Former *record `json:"former,omitempty"`
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

// now returns the record that is about a content: the former one while the file is not written yet.
func (r *record) now(content []byte) *record {
	if r != nil && r.Former != nil && r.Sum != sum(content) {
		return r.Former
	}
	return r
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
	for _, name := range r.names() {
		if rec, err := readRecord(filepath.Join(r.dir, name)); err == nil {
			all = append(all, *rec)
		}
	}
	return all
}

// names returns the names of the files that are records.
func (r records) names() (names []string) {
	entries, _ := os.ReadDir(r.dir) // without the folder there are none
	for _, entry := range entries {
		if filepath.Ext(entry.Name()) == ".json" {
			names = append(names, entry.Name())
		}
	}
	return names
}

// made is the file in the folder of the records with the folders that were made for it, as a list in
// JSON, outermost first.
const made = "made"

func (r records) write(target string, rec record) error {
	doc, err := json.Marshal(rec)
	folders := missing(r.dir)
	if err == nil {
		err = os.MkdirAll(r.dir, 0o700)
	}
	if err == nil && len(folders) > 0 {
		var list []byte
		if list, err = json.Marshal(folders); err == nil {
			err = files.Write(filepath.Join(r.dir, made), list)
		}
	}
	if err == nil {
		err = files.Write(r.path(target), doc)
	}
	if err != nil {
		if len(r.names()) == 0 {
			r.removeFolders()
		}
		return fmt.Errorf("what is changed cannot be remembered: %w", err)
	}
	return nil
}

// remove removes the record of a file, and with the last one the folders that were made for them.
func (r records) remove(target string) error {
	if err := os.Remove(r.path(target)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("forget what was changed: %w", err)
	}
	if len(r.names()) == 0 {
		r.removeFolders()
	}
	return nil
}

// removeFolders removes the folder of the records, in which there is none, ours in which it is, and
// those that were made for it, as far as they are empty. What cannot be removed stays.
func (r records) removeFolders() {
	folders := []string{filepath.Dir(r.dir), r.dir}
	if list, err := regular.Follow(filepath.Join(r.dir, made), maxRecord); err == nil {
		var listed []string
		if json.Unmarshal(list, &listed) == nil {
			folders = append(listed, folders...)
		}
		_ = os.Remove(filepath.Join(r.dir, made))
	}
	_ = files.ClearLeft(r.dir, false)
	removeFolders(folders)
}

// clear removes folders that were made for files which are deleted. One in which another file of
// ours is left goes with that file.
func (r records) clear(folders []string) error {
	slices.SortFunc(folders, func(a, b string) int { return len(b) - len(a) })
	for _, folder := range folders {
		if removeFolder(folder) {
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
