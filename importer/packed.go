package importer

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"path"
)

// packedName is the document in a backup of OpenMemory, which is a zip. It has all memories; the others in it
// have them for a vector store.
const packedName = "memories.json"

// unpacked returns the document that a file holds: of a zip packedName, of gzip what was packed, else the file.
// Of a document at most maxFileBytes are unpacked.
func unpacked(doc []byte) ([]byte, error) {
	switch {
	case bytes.HasPrefix(doc, []byte("PK\x03\x04")), bytes.HasPrefix(doc, []byte("PK\x05\x06")):
		archive, err := zip.NewReader(bytes.NewReader(doc), int64(len(doc)))
		if err != nil {
			return nil, notRead(err)
		}
		for _, member := range archive.File {
			if path.Base(member.Name) == packedName {
				from, err := member.Open()
				if err != nil {
					return nil, notRead(err)
				}
				return unpack(from)
			}
		}
		return nil, errors.New("it is not read, because it is an archive without " + packedName)
	case bytes.HasPrefix(doc, []byte("\x1f\x8b")):
		from, err := gzip.NewReader(bytes.NewReader(doc))
		if err != nil {
			return nil, notRead(err)
		}
		return unpack(from)
	}
	return doc, nil
}

// unpack reads and closes a packed document.
func unpack(from io.ReadCloser) ([]byte, error) {
	doc, err := io.ReadAll(io.LimitReader(from, maxFileBytes+1))
	if err = errors.Join(err, from.Close()); err != nil {
		return nil, notRead(err)
	}
	if len(doc) > maxFileBytes {
		return nil, fmt.Errorf("it is not read, because what is packed in it is larger than %d MB", maxFileBytes>>20)
	}
	return doc, nil
}
