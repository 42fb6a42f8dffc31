package found

import (
	"bufio"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Others returns n lines of comments in Go files below a folder, in the order of the files, as
// documents: each file is a thread. There may be fewer.
func Others(dir string, n int) ([]Document, error) {
	var found []Document
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".go" {
			return err
		}
		if len(found) >= n {
			return fs.SkipAll
		}
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		defer file.Close()
		scanner := bufio.NewScanner(file)
		scanner.Buffer(nil, 1<<20)
		for scanner.Scan() && len(found) < n {
			comment, is := strings.CutPrefix(strings.TrimSpace(scanner.Text()), "// ")
			if is && strings.Count(comment, " ") >= 4 {
				found = append(found, Document{Thread: path, Text: comment})
			}
		}
		return scanner.Err()
	})
	return found, err
}
