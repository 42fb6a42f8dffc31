package lsp

import (
	"container/list"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"go.lsp.dev/protocol"

	"github.com/wm-lsp/wm-lsp/server/service"
)

// A document is a file that is open in the editor. Its text is held, within limits, because
// changes arrive as edits, and because a change to the content on the disk is a reload and
// not an edit.
type document struct {
	at   *service.View
	path string // relative to the worktree, with /
	file *service.OpenFile
	// tracked reports whether edits are recorded. If not, the text is not held.
	tracked bool
	// holds is the element of the document in texts.latest. If it is nil, the text is not
	// held: text is empty and sum is the hash of the text, or 0 if the text is unknown.
	holds *list.Element
	text  string
	sum   uint64
}

// maxReloading is how many edits of one notification are compared with a content. Each takes as long as the text and
// the others are long.
const maxReloading = 200

// leadsTo reports whether the edits of one notification, to a string that is not known, lead to a
// content: what each of them inserts is found at its place. The edits must be ordered from the
// end of the text to its beginning, as those of a reload are, and at most maxReloading.
func leadsTo(content string, edits []protocol.TextDocumentContentChangeEvent) bool {
	if len(edits) > maxReloading {
		return false
	}
	inserts := false
	var above []*protocol.TextDocumentContentChangePartial // edits before the place of those that were seen
	for _, one := range slices.Backward(edits) {
		edit, partial := one.(*protocol.TextDocumentContentChangePartial)
		if !partial {
			return false
		}
		place := edit.Range.Start
		for _, other := range slices.Backward(above) {
			if isBefore(place, other.Range.End) {
				return false
			}
			place = moved(place, other)
		}
		from, err := offset(content, place)
		if err != nil || !strings.HasPrefix(content[from:], edit.Text) {
			return false
		}
		inserts = inserts || edit.Text != ""
		above = append(above, edit)
	}
	return inserts
}

func isBefore(a, b protocol.Position) bool {
	return a.Line < b.Line || a.Line == b.Line && a.Character < b.Character
}

// moved returns where a position behind an edit is after the edit.
func moved(at protocol.Position, edit *protocol.TextDocumentContentChangePartial) protocol.Position {
	from, to := edit.Range.Start, edit.Range.End
	lines := uint32(strings.Count(edit.Text, "\n"))
	if at.Line == to.Line {
		last := uint32(len(utf16.Encode([]rune(edit.Text[strings.LastIndexByte(edit.Text, '\n')+1:]))))
		at.Character = at.Character - to.Character + last
		if lines == 0 {
			at.Character += from.Character
		}
	}
	at.Line = at.Line - to.Line + from.Line + lines
	return at
}

// apply returns a string after the edits of one notification. If the text is unknown, it becomes
// known with an edit that contains the whole text. If the edits jump too far in it, it becomes unknown.
func apply(text string, known bool, edits []protocol.TextDocumentContentChangeEvent) (string, bool, error) {
	var edited *buffer
	for i, edit := range edits {
		switch edit := edit.(type) {
		case *protocol.TextDocumentContentChangeWholeDocument:
			text, known, edited = edit.Text, true, nil
		case *protocol.TextDocumentContentChangePartial:
			if !known {
				continue
			}
			if edited == nil && i == len(edits)-1 { // such as a key that was typed
				spliced, err := splice(text, edit)
				return spliced, err == nil, err
			}
			if edited == nil {
				edited = newBuffer(text, inserted(edits[i:]))
			}
			switch err := edited.replace(edit.Range, edit.Text); {
			case errors.Is(err, errMoved):
				text, known, edited = "", false, nil
			case err != nil:
				return "", false, err
			}
		}
	}
	if edited != nil {
		return edited.String(), true, nil
	}
	return strings.Clone(text), known, nil // without the message around it
}

// splice returns a string after one edit.
func splice(text string, edit *protocol.TextDocumentContentChangePartial) (string, error) {
	from, to, err := offsets(text, edit.Range)
	if err != nil {
		return "", err
	}
	return text[:from] + edit.Text + text[to:], nil
}

// offsets converts a range of LSP to byte offsets. The error says what is wrong with the range.
func offsets(text string, span protocol.Range) (from, to int, err error) {
	if from, err = offset(text, span.Start); err != nil {
		return 0, 0, err
	}
	if to, err = offset(text, span.End); err != nil {
		return 0, 0, err
	}
	if to < from {
		return 0, 0, invalidRange(span)
	}
	return from, to, nil
}

// invalidRange returns the error of a range whose end is before its start.
func invalidRange(span protocol.Range) error {
	return fmt.Errorf("the range ends before it begins: %v", span)
}

// inserted returns how many bytes the edits insert.
func inserted(edits []protocol.TextDocumentContentChangeEvent) (n int) {
	for _, edit := range edits {
		if edit, partial := edit.(*protocol.TextDocumentContentChangePartial); partial {
			n += len(edit.Text)
		}
	}
	return n
}

// offset converts a position of LSP, a line and a number of UTF-16 code units, to a byte
// offset. A character beyond the end of the line means its end, and the line after the
// last one the end of the text, as in LSP.
func offset(text string, position protocol.Position) (int, error) {
	start := 0
	for line := uint32(0); line < position.Line; line++ {
		end := strings.IndexByte(text[start:], '\n')
		if end < 0 {
			if line+1 < position.Line {
				return 0, fmt.Errorf("line %d is beyond the end of the document", position.Line)
			}
			return len(text), nil
		}
		start += end + 1
	}
	at := start
	for units := uint32(0); units < position.Character && at < len(text) && text[at] != '\n'; {
		if text[at] < utf8.RuneSelf {
			if text[at] == '\r' && at+1 < len(text) && text[at+1] == '\n' {
				break
			}
			at++
			units++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[at:])
		if units+width(r) > position.Character {
			break // inside a surrogate pair: use its start
		}
		at += size
		units += width(r)
	}
	return at, nil
}
