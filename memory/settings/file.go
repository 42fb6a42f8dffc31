package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"reflect"

	"github.com/pelletier/go-toml/v2"

	"github.com/wm-lsp/wm-lsp/memory/regular"
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
	layer := Layer{Name: name, Doc: bytes.TrimPrefix(data, []byte("\uFEFF"))}
	err := toml.Unmarshal(layer.Doc, &layer.Values)
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

// InvalidAt returns the line, from 1, on which a settings file is not valid TOML; 0 if the error is another one.
func InvalidAt(err error) (line int) {
	if decode, ok := errors.AsType[*toml.DecodeError](err); ok {
		line, _ = decode.Position()
	}
	return line
}

// ReadUserFile returns the layer of the user's own file, which may be a symbolic link.
// A missing file gives an empty layer.
func ReadUserFile(path string) (Layer, error) {
	data, err := regular.Follow(path, maxFileBytes)
	layer, err := parseFile(path, data, err)
	layer.Trusted = true
	return layer, err
}

// ReadRepositoryFile returns the layer of the wm-lsp.toml at the root of a repository.
// It is not trusted, and a link that leaves the repository is not followed. A missing
// file gives an empty layer.
func ReadRepositoryFile(root string) (Layer, error) {
	data, err := regular.Read(root, FileName, maxFileBytes)
	return parseFile(filepath.Join(root, FileName), data, err)
}

// parseFile returns the layer of a file that was read with an error or nil.
func parseFile(path string, data []byte, err error) (Layer, error) {
	if errors.Is(err, fs.ErrNotExist) {
		return Layer{Name: path}, nil
	}
	if refused, ok := errors.AsType[*regular.Error](err); ok {
		return Layer{Name: path}, fmt.Errorf("the settings file %s %s", path, refused.Reason)
	}
	if err != nil {
		return Layer{Name: path}, fmt.Errorf("read the settings file %s: %w", path, err)
	}
	return ParseTOML(path, data)
}
