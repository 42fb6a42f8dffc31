// Package installed finds what test/install/all.sh installs, for the tests and
// the benchmarks.
package installed

import (
	"fmt"
	"os"
	"path/filepath"
)

// Dir returns the folder for what is installed.
func Dir() (string, error) {
	if dir := os.Getenv("WM_LSP_TEST"); dir != "" {
		return dir, nil
	}
	cache, err := os.UserCacheDir()
	return filepath.Join(cache, "wm-lsp-test"), err
}

// Path is the path of something that is installed, by its name there.
func Path(name string) (string, error) {
	dir, err := Dir()
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, name)
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("%w; run test/install/all.sh test", err)
	}
	return path, nil
}
