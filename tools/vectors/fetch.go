package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// fetch brings the archives that the cache lacks, each by the client of its registry.
func fetch(ctx context.Context, cache string, sources []source) error {
	var failed []error
	for _, s := range sources {
		target := filepath.Join(cache, s.file())
		if _, err := os.Stat(target); err == nil {
			continue
		}
		if err := download(ctx, s, target); err != nil {
			failed = append(failed, fmt.Errorf("fetch %s %s: %w", s.name, s.version, err))
		}
	}
	return errors.Join(failed...)
}

// check compares the archives in the cache with the sums of the list.
func check(cache string, sources []source) error {
	var failed []error
	for _, s := range sources {
		found, err := sum(filepath.Join(cache, s.file()))
		switch {
		case err != nil:
			failed = append(failed, fmt.Errorf("%w; run `vectors fetch`", err))
		case found != s.sum:
			failed = append(failed, fmt.Errorf("%s %s: the archive has the sum %s, the list says %s", s.name,
				s.version, found, s.sum))
		}
	}
	return errors.Join(failed...)
}

// download brings one archive to the target.
func download(ctx context.Context, s source, target string) error {
	folder, err := os.MkdirTemp("", "vectors-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	var archive string
	switch s.registry {
	case "npm":
		_, err = run(ctx, folder, nil, "npm", "pack", "--silent", s.name+"@"+s.version)
	case "debian":
		_, err = run(ctx, folder, nil, "apt-get", "download", "-q", s.name+"="+s.version)
	case "go":
		archive, err = downloadModule(ctx, folder, s)
	default:
		err = fmt.Errorf("unknown registry %q", s.registry)
	}
	if err != nil {
		return err
	}
	if archive == "" {
		found, err := filepath.Glob(filepath.Join(folder, "*.*"))
		if err != nil || len(found) != 1 {
			return fmt.Errorf("expected one archive, got %d", len(found))
		}
		archive = found[0]
	}
	content, err := os.ReadFile(archive)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(target+".part", content, 0o644); err != nil {
		return err
	}
	return os.Rename(target+".part", target)
}

// downloadModule returns the path of a module's archive. A module that asks for a newer Go is
// reported as an error by the go command, with the archive, which is all that is needed.
func downloadModule(ctx context.Context, folder string, s source) (string, error) {
	environment := []string{"GOMODCACHE=" + folder, "GOFLAGS=-modcacherw", "GOTOOLCHAIN=local", "GOWORK=off"}
	output, err := run(ctx, folder, environment, "go", "mod", "download", "-json", s.name+"@"+s.version)
	var answer struct{ Zip, Error string }
	if json.Unmarshal(output, &answer) == nil && answer.Zip != "" {
		return answer.Zip, nil
	}
	return "", errors.Join(err, errors.New(answer.Error))
}

// run runs a client in a folder and returns what it prints.
func run(ctx context.Context, folder string, environment []string, name string, arguments ...string) ([]byte, error) {
	command := exec.CommandContext(ctx, name, arguments...)
	command.Dir = folder
	command.Env = append(os.Environ(), environment...)
	var trouble bytes.Buffer
	command.Stderr = &trouble
	output, err := command.Output()
	if err != nil {
		return output, fmt.Errorf("%s: %w: %.500s", name, err, trouble.String())
	}
	return output, nil
}

// sum returns the SHA-256 of a file, in hex.
func sum(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = file.Close() }()
	hash := sha256.New()
	if _, err := io.Copy(hash, file); err != nil {
		return "", fmt.Errorf("read %s: %w", path, err)
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}
