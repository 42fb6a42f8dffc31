package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/pelletier/go-toml/v2"
)

// FileName is the name of the settings file, the user's as well as a repository's.
const FileName = "wm-lsp.toml"

// maxFileBytes bounds a settings file. The longest that makes sense has some
// kilobytes; TOML of 64 KiB takes well under a second to parse, whatever it is.
const maxFileBytes = 64 << 10

// FromJSON returns the layer of the client: initializationOptions, or what it
// answers to workspace/configuration. No data, null, {} and [] (an empty table
// of Lua) say nothing.
func FromJSON(data []byte) (Layer, error) {
	layer := Layer{Name: "client", Trusted: true}
	data = bytes.TrimSpace(data)
	if len(data) == 0 || string(data) == "[]" {
		return layer, nil
	}
	if err := json.Unmarshal(data, &layer.Values); err != nil {
		return layer, fmt.Errorf("the client's settings are no JSON object: %w", err)
	}
	return layer, nil
}

// ParseTOML returns the layer that a settings file holds. It is not trusted.
// The name is how problems refer to it.
func ParseTOML(name string, data []byte) (Layer, error) {
	layer := Layer{Name: name}
	err := toml.Unmarshal(bytes.TrimPrefix(data, []byte("\uFEFF")), &layer.Values)
	if decode, ok := errors.AsType[*toml.DecodeError](err); ok {
		line, column := decode.Position()
		return Layer{Name: name}, fmt.Errorf("%s, line %d, column %d: %w; nothing of it is used until it is TOML", name,
			line, column, err)
	}
	if err != nil {
		return Layer{Name: name}, fmt.Errorf("%s: %w; nothing of it is used until it is TOML", name, err)
	}
	return layer, nil
}

// ReadUserFile returns the layer of the user's own file, which may be a
// symbolic link. A file that is not there says nothing.
func ReadUserFile(path string) (Layer, error) {
	layer, err := read(path, path, os.Stat, os.OpenFile)
	layer.Trusted = true
	return layer, err
}

// ReadRepositoryFile returns the layer of the wm-lsp.toml at the root of a
// repository. Nobody vouches for such a file: it is not trusted, and a link
// that leaves the repository is not followed. A file that is not there says
// nothing.
func ReadRepositoryFile(root string) (Layer, error) {
	path := filepath.Join(root, FileName)
	dir, err := os.OpenRoot(root)
	if errors.Is(err, fs.ErrNotExist) {
		return Layer{Name: path}, nil
	}
	if err != nil {
		return Layer{Name: path}, fmt.Errorf("open the folder of %s: %w", path, err)
	}
	defer dir.Close()
	return read(path, FileName, dir.Stat, dir.OpenFile)
}

// read looks before it opens, because to open a device can do something, and
// once more afterwards, because what was looked at may have been replaced.
// Without waiting, because to open a FIFO waits for somebody to write to it.
func read(
	path, name string,
	stat func(string) (fs.FileInfo, error),
	open func(string, int, fs.FileMode) (*os.File, error),
) (Layer, error) {
	empty := Layer{Name: path}
	info, err := stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return empty, nil
	}
	if err != nil {
		return empty, fmt.Errorf("look at the settings file %s: %w", path, err)
	}
	if err := acceptable(path, info); err != nil {
		return empty, err
	}
	file, err := open(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return empty, fmt.Errorf("open the settings file %s: %w", path, err)
	}
	defer file.Close()
	if info, err = file.Stat(); err != nil {
		return empty, fmt.Errorf("look at the settings file %s: %w", path, err)
	}
	if err := acceptable(path, info); err != nil {
		return empty, err
	}
	data, err := io.ReadAll(io.LimitReader(file, maxFileBytes))
	if err != nil {
		return empty, fmt.Errorf("read the settings file %s: %w", path, err)
	}
	return ParseTOML(path, data)
}

func acceptable(path string, info fs.FileInfo) error {
	switch {
	case !info.Mode().IsRegular():
		return fmt.Errorf("the settings file %s is not a regular file; nothing of it is used", path)
	case info.Size() > maxFileBytes:
		return fmt.Errorf("the settings file %s has %d bytes, more than %d; nothing of it is used", path, info.Size(),
			maxFileBytes)
	}
	return nil
}
