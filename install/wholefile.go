package install

import (
	"bytes"
	"fmt"
)

// A wholeFile is a file that is all ours.
type wholeFile struct {
	// content is what is installed. Its first line, which stays the same over versions, tells that a
	// file is ours.
	content []byte
}

// isOurs reports whether a file begins as ours do.
func (f wholeFile) isOurs(doc []byte) bool { return bytes.HasPrefix(doc, lineBreak(f.content)) }

// add implements form.
func (f wholeFile) add(doc []byte) (additions, error) {
	switch {
	case isBlank(doc):
		return additions{insertions: []insertion{{len(doc), string(f.content)}}}, nil
	case f.isOurs(doc):
		return additions{}, nil
	}
	return additions{}, fmt.Errorf("is there already and is something else; rename it, then run the command again")
}

// remove implements form.
func (f wholeFile) remove(doc []byte, _ []string) (rest []byte, gone bool, err error) {
	if f.isOurs(doc) {
		return nil, true, nil
	}
	return doc, false, nil
}

// equal implements form.
func (f wholeFile) equal(a, b []byte) bool { return bytes.Equal(a, b) }

// holds implements form.
func (f wholeFile) holds(doc []byte) (bool, error) { return f.isOurs(doc), nil }

// owned implements form.
func (f wholeFile) owned() bool { return true }

// describe returns what a person is shown instead of the difference.
func (f wholeFile) describe() string { return fmt.Sprintf("a program of %d bytes", len(f.content)) }
