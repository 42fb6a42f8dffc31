package memory

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"strings"

	"github.com/wm-lsp/wm-lsp/memory/regular"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/memory/store/files"
)

// An origin names this process in the changes that it writes. It is used on the queue only.
type origin struct {
	dataDir string
	process string // a random name
	log     *slog.Logger
	name    string // "" until the name of the machine is known
}

func newOrigin(dataDir string, log *slog.Logger) *origin {
	return &origin{dataDir: dataDir, process: randomName(), log: log}
}

// find sets the name. If it fails, changes are written without an origin.
func (o *origin) find() error {
	machine, err := machineIn(o.dataDir)
	if err == nil {
		o.name = machine + "/" + o.process
	}
	return err
}

// keep stores the known name of the machine again, if its file was removed.
func (o *origin) keep() {
	machine, _, known := strings.Cut(o.name, "/")
	if !known {
		return
	}
	if err := createMachine(o.dataDir, machine); err != nil && !errors.Is(err, fs.ErrExist) {
		o.log.Warn("store the name of the machine again", "error", err)
	}
}

// randomName returns a random name.
func randomName() string {
	name := make([]byte, 6)
	_, _ = rand.Read(name) // it never fails
	return hex.EncodeToString(name)
}

// machineIn returns the name of the machine that is stored in a data folder. It creates the
// name if it is missing. The name is random, so that it identifies changes of the same
// machine without revealing which machine it is.
func machineIn(dataDir string) (string, error) {
	path := filepath.Join(dataDir, store.MachineName)
	name, err := readMachine(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return name, err
	}
	if err := createMachine(dataDir, randomName()); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("name this machine: %w", err)
	}
	return readMachine(path)
}

// createMachine stores a name. One process creates it, and all processes read it as a whole.
func createMachine(dataDir, name string) error {
	root, err := regular.OpenRoot(dataDir)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	pending, err := files.New(root, []byte(name+"\n"))
	if err != nil {
		return err
	}
	return pending.Create(store.MachineName)
}

// maxMachine is how many bytes the file with the name of the machine has at most.
const maxMachine = 65

func readMachine(path string) (string, error) {
	err := regular.Own(path) // which may have two names: those of the file that Pending.Create renames
	var content []byte
	if err == nil {
		content, err = regular.Read(filepath.Dir(path), filepath.Base(path), maxMachine)
	}
	if err != nil {
		return "", fmt.Errorf("read the name of this machine: %w", err)
	}
	name := strings.TrimSpace(string(content))
	if name == "" || strings.Trim(name, "0123456789abcdefghijklmnopqrstuvwxyz-") != "" {
		return "", fmt.Errorf("%s does not hold the name of a machine; delete it to have it made anew", path)
	}
	return name, nil
}
