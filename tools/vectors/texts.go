package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// maxFile is how long a file may be that is read, in bytes.
const maxFile = 64 << 20

// A member is a file of an archive.
type member struct {
	path    string
	content []byte
}

// members returns the files of an archive that match the pattern of its source, in the order
// of their paths. Those that end in .gz are unpacked.
func members(ctx context.Context, cache string, s source) ([]member, error) {
	archive := filepath.Join(cache, s.file())
	var found []member
	take := func(path string, size int64, open func() (io.ReadCloser, error)) error {
		path = strings.TrimPrefix(path, "./")
		if matches, _ := doublestar.Match(s.files, path); !matches || size > maxFile {
			return nil
		}
		reader, err := open()
		if err != nil {
			return err
		}
		defer func() { _ = reader.Close() }()
		content, err := io.ReadAll(reader)
		if err != nil {
			return err
		}
		if bytes.HasPrefix(content, []byte{0x1f, 0x8b}) {
			if content, err = gunzip(content); err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
		}
		found = append(found, member{path, content})
		return nil
	}
	var err error
	switch s.registry {
	case "go":
		err = eachOfZip(archive, s.name+"@"+s.version+"/", take)
	case "npm":
		err = eachOfNPM(archive, take)
	default:
		err = eachOfDebian(ctx, archive, take)
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", archive, err)
	}
	sort.Slice(found, func(i, j int) bool { return found[i].path < found[j].path })
	return found, nil
}

type taker func(path string, size int64, open func() (io.ReadCloser, error)) error

func gunzip(content []byte) ([]byte, error) {
	reader, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(reader)
}

func eachOfZip(path, prefix string, take taker) error {
	archive, err := zip.OpenReader(path)
	if err != nil {
		return err
	}
	defer func() { _ = archive.Close() }()
	for _, file := range archive.File {
		if err := take(strings.TrimPrefix(file.Name, prefix), int64(file.UncompressedSize64), file.Open); err != nil {
			return err
		}
	}
	return nil
}

func eachOfNPM(path string, take taker) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	reader, err := gzip.NewReader(file)
	if err != nil {
		return err
	}
	return eachOfTar(reader, take)
}

func eachOfDebian(ctx context.Context, path string, take taker) error {
	command := exec.CommandContext(ctx, "dpkg-deb", "--fsys-tarfile", path)
	pipe, err := command.StdoutPipe()
	if err != nil {
		return err
	}
	if err := command.Start(); err != nil {
		return err
	}
	if err := eachOfTar(pipe, take); err != nil {
		_ = command.Process.Kill()
		_ = command.Wait()
		return err
	}
	return command.Wait()
}

func eachOfTar(reader io.Reader, take taker) error {
	archive := tar.NewReader(reader)
	for {
		header, err := archive.Next()
		if err == io.EOF {
			_, err = io.Copy(io.Discard, reader)
			return err
		}
		if err != nil {
			return err
		}
		if header.Typeflag != tar.TypeReg {
			continue
		}
		open := func() (io.ReadCloser, error) { return io.NopCloser(archive), nil }
		if err := take(header.Name, header.Size, open); err != nil {
			return err
		}
	}
}

// paragraphs calls use with every paragraph of the source that is in its share and was not
// seen before; seen holds hashes of those that were.
func paragraphs(ctx context.Context, cache string, s source, seen map[uint64]bool, use func(string)) error {
	files, err := members(ctx, cache, s)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return fmt.Errorf("%s: no file matches %s", s.name, s.files)
	}
	for _, file := range files {
		readers[s.format](string(file.content), func(paragraph string) {
			words := strings.Fields(paragraph)
			if len(words) < 4 {
				return
			}
			hash := fnv.New64a()
			for _, word := range words {
				_, _ = hash.Write([]byte(strings.ToLower(word)))
			}
			key := hash.Sum64()
			if seen[key] || (key>>32)%100 >= s.share {
				return
			}
			seen[key] = true
			use(paragraph)
		})
	}
	return nil
}
