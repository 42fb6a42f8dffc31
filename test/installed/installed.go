// Package installed finds what test/install/all.sh installs, for the tests and
// the benchmarks.
package installed

import (
	"fmt"
	"os"
	"path/filepath"
)

// Path is the path of something that is installed, by its name there.
func Path(name string) (string, error) {
	dir := os.Getenv("WM_LSP_TEST")
	if dir == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return "", err
		}
		dir = filepath.Join(cache, "wm-lsp-test")
	}
	path := filepath.Join(dir, name)
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("%w; run test/install/all.sh test", err)
	}
	return path, nil
}
