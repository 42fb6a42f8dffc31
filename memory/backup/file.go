package backup

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"time"

	"github.com/go-json-experiment/json"
)

const (
	// format is the first word of every backup, which tells it from other JSON Lines.
	format = "wm-lsp backup"
	// formatVersion rises when older programs would misread a backup.
	formatVersion = 1
	// maxLine is the maximum length of a line in bytes. SQLite's own limit of a value is
	// smaller, also in base64.
	maxLine = 2 << 30
	// maxHeader is the maximum length of the first line in bytes. A file with a longer one is
	// something else, and none of the rest is read.
	maxHeader = 4 << 10
)

// A line is one line of a backup. Exactly one of its members is set.
type line struct {
	Header *header `json:"backup,omitzero"`
	Table  *table  `json:"table,omitzero"`
	// Row is a row of the table before it.
	Row  []value   `json:"row,omitempty"`
	File *fileLine `json:"file,omitzero"`
	End  *end      `json:"end,omitzero"`
}

// A header is the first line.
type header struct {
	Format  string    `json:"format"`
	Version int       `json:"version"`
	Program string    `json:"program"` // the version of the program that wrote it
	Schema  int       `json:"schema"`  // the version of the tables of the store
	MadeAt  time.Time `json:"madeAt"`
}

// A table is followed by its rows, in the order of its primary key.
type table struct {
	Name    string   `json:"name"`
	Columns []string `json:"columns"`
	// Create are the statements that create the table and its indexes.
	Create []string `json:"create"`
}

// A fileLine is a file of a session or a kept output.
type fileLine struct {
	Path    string `json:"path"` // relative to the folder of the workspace, with slashes
	Content value  `json:"content"`
}

// An end is the last line. A backup without it is incomplete.
type end struct {
	Rows   int    `json:"rows"`
	Files  int    `json:"files"`
	SHA256 string `json:"sha256"` // of all lines before it, in hexadecimal digits
}

// A writer writes the lines of a backup.
type writer struct {
	to   *bufio.Writer
	sum  hash.Hash
	done end
}

func newWriter(to io.Writer) *writer {
	return &writer{to: bufio.NewWriterSize(to, 1<<16), sum: sha256.New()}
}

func (w *writer) write(l line) error {
	doc, err := json.Marshal(l)
	if err != nil {
		return fmt.Errorf("encode a line of the backup: %w", err)
	}
	doc = append(doc, '\n')
	if l.End == nil {
		w.sum.Write(doc)
	}
	if l.Row != nil {
		w.done.Rows++
	}
	if l.File != nil {
		w.done.Files++
	}
	_, err = w.to.Write(doc)
	return err
}

// close writes the last line.
func (w *writer) close() error {
	w.done.SHA256 = hex.EncodeToString(w.sum.Sum(nil))
	return errors.Join(w.write(line{End: &w.done}), w.to.Flush())
}

// Recognizes reports whether a file begins as a backup does, whole or not.
func Recognizes(from io.Reader) bool {
	const begin = `{"backup":`
	head := make([]byte, len(begin))
	_, err := io.ReadFull(from, head)
	return err == nil && string(head) == begin
}

// errNoBackup is the error for a file that is something else.
var errNoBackup = errors.New("this file is not a backup of wm-lsp")

// each calls f with every line of a backup between the first and the last one. It returns an
// error if the backup is not complete and unchanged, for which it has to read it to its end.
func each(from io.Reader, begin func(header) error, f func(line) error) error {
	lines := bufio.NewReaderSize(from, 1<<16)
	sum := sha256.New()
	var got end
	for number := 1; ; number++ {
		doc, l, err := parseLine(lines, number)
		if err != nil {
			return err
		}
		switch {
		case number == 1:
			err = checkHeader(l.Header)
			if err == nil {
				err = begin(*l.Header)
			}
		case l.End != nil:
			got.SHA256 = hex.EncodeToString(sum.Sum(nil))
			if *l.End != got {
				return errors.New("the backup was changed or is damaged: its last line is that of other lines")
			}
			switch _, err := lines.ReadByte(); err {
			case io.EOF:
				return nil
			case nil:
				return errors.New("the backup was changed or is damaged: it goes on after its last line")
			default:
				return fmt.Errorf("read the end of the backup: %w", err)
			}
		case l.Row != nil:
			got.Rows++
			err = f(l)
		case l.File != nil:
			got.Files++
			err = f(l)
		case l.Table != nil:
			err = f(l)
		default:
			err = errors.New("it is empty")
		}
		if err != nil {
			return fmt.Errorf("line %d of the backup: %w", number, err)
		}
		sum.Write(doc)
	}
}

// parseLine reads and parses the next line, which has a number from 1. It returns errNoBackup if the first line is not
// that of a backup.
func parseLine(from *bufio.Reader, number int) (doc []byte, l line, err error) {
	most := maxLine
	if number == 1 {
		most = maxHeader
	}
	doc, err = readLine(from, most)
	switch {
	case number == 1 && (errors.Is(err, errTooLong) || err == io.EOF):
		return nil, line{}, errNoBackup
	case err == io.EOF:
		return nil, line{}, fmt.Errorf("the backup ends after line %d, before its last line; it is incomplete",
			number-1)
	case err != nil:
		return nil, line{}, fmt.Errorf("read line %d of the backup: %w", number, err)
	}
	if err := json.Unmarshal(doc, &l); err != nil {
		if number == 1 {
			return nil, line{}, errNoBackup
		}
		return nil, line{}, fmt.Errorf("line %d of the backup cannot be read: %w", number, err)
	}
	return doc, l, nil
}

func checkHeader(h *header) error {
	switch {
	case h == nil || h.Format != format:
		return errNoBackup
	case h.Version > formatVersion:
		return fmt.Errorf("it was written by wm-lsp %s in a newer format; restore it with that version", h.Program)
	}
	return nil
}

// errTooLong is the error for a line that no backup has.
var errTooLong = errors.New("it is too long")

// readLine returns the next line with its newline, at most most bytes. The error is io.EOF after the last line, or
// errTooLong.
func readLine(lines *bufio.Reader, most int) ([]byte, error) {
	var doc bytes.Buffer
	for {
		part, err := lines.ReadSlice('\n')
		if doc.Len()+len(part) > most {
			return nil, errTooLong
		}
		doc.Write(part)
		switch {
		case err == nil:
			return doc.Bytes(), nil
		case err == io.EOF && doc.Len() > 0:
			return doc.Bytes(), nil // cut off, which the decoder finds out
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}
