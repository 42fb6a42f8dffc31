package lsp

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"go.lsp.dev/protocol"
)

// maxMoved is how many bytes the edits of one notification may move in a text. Those of an editor follow each other
// through the text, up or down, and move it about once.
const maxMoved = 1 << 28

// errMoved is the error of edits that move more.
var errMoved = errors.New("the edits of one notification are too far apart")

// A buffer is a text that is edited: bytes with a gap at the place of the last edit, so that the next one costs what
// lies between both.
type buffer struct {
	bytes    []byte
	from, to int // the gap
	// line and units are the position of the gap: its line, and the UTF-16 code units before it on the line.
	line, units uint32
	moved       int
}

// newBuffer returns a buffer with a text, and with room for what will be inserted if that is little.
func newBuffer(text string, inserts int) *buffer {
	room := min(inserts, 4<<10)
	b := &buffer{bytes: make([]byte, len(text)+room), to: room}
	copy(b.bytes[room:], text)
	return b
}

// String returns the text.
func (b *buffer) String() string {
	var text strings.Builder
	text.Grow(b.from + len(b.after()))
	text.Write(b.bytes[:b.from])
	text.Write(b.after())
	return text.String()
}

func (b *buffer) after() []byte { return b.bytes[b.to:] }

// replace replaces a range of the text.
func (b *buffer) replace(span protocol.Range, text string) error {
	if err := b.seek(span.End); err != nil {
		return err
	}
	end := b.from
	if err := b.seek(span.Start); err != nil {
		return err
	}
	if b.from > end {
		return invalidRange(span)
	}
	b.to += end - b.from
	b.insert(text)
	return nil
}

// insert inserts a string at the gap, which is behind it then, but not between \r and \n.
func (b *buffer) insert(text string) {
	if len(text) > b.to-b.from {
		grown := make([]byte, len(b.bytes)+len(text)+len(b.bytes)/2)
		copy(grown, b.bytes[:b.from])
		to := len(grown) - len(b.after())
		copy(grown[to:], b.after())
		b.bytes, b.to = grown, to
	}
	b.from += copy(b.bytes[b.from:], text)
	if lines := strings.Count(text, "\n"); lines > 0 {
		b.line += uint32(lines)
		b.units = 0
		text = text[strings.LastIndexByte(text, '\n')+1:]
	}
	for _, r := range text {
		b.units += width(r)
	}
	if b.from > 0 && b.bytes[b.from-1] == '\r' && bytes.HasPrefix(b.after(), []byte{'\n'}) {
		b.back(1)
		b.units--
	}
}

// seek moves the gap to a position, which means what it does in offset.
func (b *buffer) seek(position protocol.Position) error {
	if b.moved > maxMoved {
		return errMoved
	}
	for b.line < position.Line {
		end := bytes.IndexByte(b.after(), '\n')
		if end < 0 {
			if b.line+1 < position.Line {
				return fmt.Errorf("line %d is beyond the end of the document", position.Line)
			}
			position.Character = math.MaxUint32
			break
		}
		b.forward(end + 1)
		b.line++
		b.units = 0
	}
	for b.line > position.Line {
		b.back(b.from - bytes.LastIndexByte(b.bytes[:b.from], '\n'))
		b.line--
		if b.line == position.Line {
			b.back(b.from - 1 - bytes.LastIndexByte(b.bytes[:b.from], '\n'))
			b.units = 0
		}
	}
	b.seekInLine(position.Character)
	return nil
}

// seekInLine moves the gap to a number of UTF-16 code units behind the start of its line.
func (b *buffer) seekInLine(units uint32) {
	at := 0
	for rest := b.after(); b.units < units && at < len(rest) && rest[at] != '\n'; {
		if rest[at] == '\r' && at+1 < len(rest) && rest[at+1] == '\n' {
			break
		}
		r, size := utf8.DecodeRune(rest[at:])
		if b.units+width(r) > units {
			break // inside a surrogate pair: use its start
		}
		at += size
		b.units += width(r)
	}
	b.forward(at)
	at = b.from
	for b.units > units {
		r, size := utf8.DecodeLastRune(b.bytes[:at])
		at -= size
		b.units -= width(r)
	}
	b.back(b.from - at)
}

// forward and back move the gap by n bytes.
func (b *buffer) forward(n int) {
	copy(b.bytes[b.from:], b.bytes[b.to:b.to+n])
	b.from, b.to, b.moved = b.from+n, b.to+n, b.moved+n
}

func (b *buffer) back(n int) {
	copy(b.bytes[b.to-n:b.to], b.bytes[b.from-n:b.from])
	b.from, b.to, b.moved = b.from-n, b.to-n, b.moved+n
}

// width is how many UTF-16 code units a character has.
func width(r rune) uint32 { return uint32(max(utf16.RuneLen(r), 1)) }
