package install

import (
	"bytes"
	"cmp"
	"slices"
)

// An insertion is text that is put into a document at an offset: of the document before, or, in a
// record, of the document that has it.
type insertion struct {
	At   int    `json:"at"`
	Text string `json:"text"`
}

// A span is a range of bytes of a document.
type span struct{ from, to int }

// Additions are what is missing in a document.
type additions struct {
	insertions []insertion
	// existing are the containers that are there already, by their pointers.
	existing []string
}

// insert returns a document with insertions, and where these are in it.
func insert(doc []byte, insertions []insertion) (after []byte, inserted []insertion) {
	slices.SortStableFunc(insertions, func(a, b insertion) int { return cmp.Compare(a.At, b.At) })
	var b bytes.Buffer
	done := 0
	for _, i := range insertions {
		b.Write(doc[done:i.At])
		inserted = append(inserted, insertion{b.Len(), i.Text})
		b.WriteString(i.Text)
		done = i.At
	}
	b.Write(doc[done:])
	return b.Bytes(), inserted
}

// takeOut undoes insert.
func takeOut(doc []byte, inserted []insertion) []byte {
	spans := make([]span, 0, len(inserted))
	for _, i := range inserted {
		spans = append(spans, span{i.At, i.At + len(i.Text)})
	}
	return cut(doc, spans)
}

// locate returns where insertions are in a document that was changed since, in the same order. It
// fails if one is changed, or too short to be known again.
func locate(doc []byte, inserted []insertion) (found []insertion, ok bool) {
	from := 0
	for _, i := range inserted {
		at := bytes.Index(doc[from:], []byte(i.Text))
		if at < 0 || len(i.Text) < len(program) {
			return nil, false
		}
		found = append(found, insertion{from + at, i.Text})
		from += at + len(i.Text)
	}
	return found, len(found) > 0
}

// cut returns a document without spans, which do not overlap.
func cut(doc []byte, spans []span) []byte {
	spans = slices.SortedFunc(slices.Values(spans), func(a, b span) int { return cmp.Compare(a.from, b.from) })
	rest, done := make([]byte, 0, len(doc)), 0
	for _, s := range spans {
		rest = append(rest, doc[done:s.from]...)
		done = s.to
	}
	return append(rest, doc[done:]...)
}

// A form reads and writes files of a kind. It never changes anything that is not ours.
type form interface {
	// add returns what has to be inserted so that everything of ours is there.
	add(doc []byte) (additions, error)
	// remove returns a document without what is ours, and without containers that are empty then,
	// except the existing ones. gone is true if nothing is left that somebody else wrote.
	remove(doc []byte, existing []string) (rest []byte, gone bool, err error)
	// equal reports whether two documents have the same values.
	equal(a, b []byte) bool
	// holds reports whether anything of ours is in a document.
	holds(doc []byte) (bool, error)
	// owned reports whether the file is only ours: it is deleted when nothing else is left in it, also
	// if there is no record of it.
	owned() bool
	// describe returns what a person is shown instead of the difference, "" for that.
	describe() string
}
