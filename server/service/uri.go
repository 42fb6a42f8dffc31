package service

import (
	"fmt"

	"go.lsp.dev/uri"
)

// filePath returns the path of a file: URI. Any other scheme names no file,
// whatever its path looks like.
func filePath(text string) (string, error) {
	u, err := uri.Parse(text)
	if err != nil {
		return "", fmt.Errorf("%q is not a URI: %w", text, err)
	}
	if !u.IsFile() || u.Scheme() != "file" {
		return "", fmt.Errorf("%q is not a file: URI; only files have memory", text)
	}
	return u.FsPath(), nil
}
