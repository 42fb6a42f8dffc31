package tui

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"go.lsp.dev/uri"

	"github.com/wm-lsp/wm-lsp/memory/panel"
)

// editorOf returns the command that opens a location in the editor of the person, which VISUAL or EDITOR names.
func editorOf(env func(string) string, at panel.Location) (*exec.Cmd, error) {
	words := strings.Fields(cmp.Or(env("VISUAL"), env("EDITOR")))
	if len(words) == 0 {
		return nil, errors.New("set VISUAL or EDITOR to the editor that opens files")
	}
	place, err := uri.Parse(at.URI)
	if err != nil || !strings.HasPrefix(at.URI, "file:") {
		return nil, fmt.Errorf("the location is not a file: %s", at.URI)
	}
	path := place.FsPath()
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("%s no longer exists", path)
	}
	arguments := []string{path}
	if at.Range != nil {
		line := strconv.Itoa(at.Range.Start.Line + 1)
		switch strings.TrimSuffix(filepath.Base(words[0]), ".exe") {
		case "code", "codium", "cursor", "windsurf":
			arguments = []string{"--goto", path + ":" + line}
		case "hx", "helix", "subl", "zed":
			arguments = []string{path + ":" + line}
		default:
			arguments = []string{"+" + line, path}
		}
	}
	return exec.Command(words[0], append(words[1:], arguments...)...), nil
}
