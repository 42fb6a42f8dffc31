package memory

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/renameio/v2/maybe"

	"github.com/wm-lsp/wm-lsp/memory/store"
)

// randomName returns a name that tells nothing.
func randomName() string {
	name := make([]byte, 6)
	_, _ = rand.Read(name) // it never fails
	return hex.EncodeToString(name)
}

// machineIn returns the name of the machine that is kept in a data folder, which it
// makes where it is missing. It is random: it says that two changes come from one
// machine, and not from which.
func machineIn(dataDir string) (string, error) {
	path := filepath.Join(dataDir, store.MachineName)
	name, err := readMachine(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return name, err
	}
	// Written beside it and linked, so that one process makes it and all read it whole.
	beside := path + "." + randomName()
	if err := maybe.WriteFile(beside, []byte(randomName()+"\n"), 0o600); err != nil {
		return "", fmt.Errorf("name this machine: %w", err)
	}
	defer func() { _ = os.Remove(beside) }()
	if err := os.Link(beside, path); err != nil && !errors.Is(err, fs.ErrExist) {
		if err := os.Rename(beside, path); err != nil { // not every file system has links
			return "", fmt.Errorf("name this machine: %w", err)
		}
	}
	return readMachine(path)
}

func readMachine(path string) (string, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("read the name of this machine: %w", err)
	}
	name := strings.TrimSpace(string(content))
	if name == "" || len(name) > 64 || strings.Trim(name, "0123456789abcdefghijklmnopqrstuvwxyz-") != "" {
		return "", fmt.Errorf("%s does not hold the name of a machine; delete it to have it made anew", path)
	}
	return name, nil
}
