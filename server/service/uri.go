package service

import (
	"fmt"

	"go.lsp.dev/uri"
)

// filePath returns the path of a file: URI. A URI of another scheme is an error, even
// if it has a path.
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
