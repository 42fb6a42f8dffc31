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
	"reflect"
	"syscall"

	"github.com/pelletier/go-toml/v2"
)

// FileName is the name of the settings file of a user or a repository.
const FileName = "wm-lsp.toml"

// maxFileBytes bounds a settings file, which usually has a few kilobytes. Any 64 KiB
// of TOML are parsed in well under a second.
const maxFileBytes = 64 << 10

// FromJSON returns the layer of the client: initializationOptions, or the result of
// workspace/configuration. No data, null, {} and [] (an empty table of Lua) give an
// empty layer.
func FromJSON(data []byte) (Layer, error) {
	layer := Layer{Name: "client", Trusted: true}
	data = bytes.TrimSpace(data)
	if len(data) == 0 || string(data) == "[]" {
		return layer, nil
	}
	err := json.Unmarshal(data, &layer.Values)
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && wrong.Type == reflect.TypeOf(layer.Values) {
		return layer, fmt.Errorf("the client's settings must be a JSON object, got %s", wrong.Value)
	}
	if err != nil {
		return layer, fmt.Errorf("the client's settings are not valid JSON: %w", err)
	}
	return layer, nil
}

// ParseTOML returns the layer of a settings file, which is not trusted. Problems refer
// to it by name.
func ParseTOML(name string, data []byte) (Layer, error) {
	layer := Layer{Name: name}
	err := toml.Unmarshal(bytes.TrimPrefix(data, []byte("\uFEFF")), &layer.Values)
	if decode, ok := errors.AsType[*toml.DecodeError](err); ok {
		line, column := decode.Position()
		return Layer{Name: name}, fmt.Errorf("%s, line %d, column %d: %w; the file is ignored until it is valid TOML",
			name, line, column, err)
	}
	if err != nil {
		return Layer{Name: name}, fmt.Errorf("%s: %w; the file is ignored until it is valid TOML", name, err)
	}
	return layer, nil
}

// ReadUserFile returns the layer of the user's own file, which may be a symbolic link.
// A missing file gives an empty layer.
func ReadUserFile(path string) (Layer, error) {
	layer, err := read(path, path, os.Stat, os.OpenFile)
	layer.Trusted = true
	return layer, err
}

// ReadRepositoryFile returns the layer of the wm-lsp.toml at the root of a repository.
// It is not trusted, and a link that leaves the repository is not followed. A missing
// file gives an empty layer.
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

// read checks the file before it opens it, because opening a device may have side
// effects, and again afterwards, because the file may have been replaced. It opens the
// file in nonblocking mode, because opening a FIFO would wait for a writer.
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
		return empty, fmt.Errorf("stat the settings file %s: %w", path, err)
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
		return empty, fmt.Errorf("stat the settings file %s: %w", path, err)
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
		return fmt.Errorf("the settings file %s is not a regular file; it is ignored", path)
	case info.Size() > maxFileBytes:
		return fmt.Errorf("the settings file %s must have at most %d bytes, got %d; it is ignored", path, maxFileBytes,
			info.Size())
	}
	return nil
}
