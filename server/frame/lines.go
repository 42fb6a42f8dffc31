package frame

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"go.lsp.dev/jsonrpc2"

	"github.com/wm-lsp/wm-lsp/extract/once"
)

// lastID matches an id that is the last member of a message.
var lastID = once.Compile(`"id"\s*:\s*(-?[0-9]+|"[^"\\]*")\s*\}\s*$`)

// nextLine reads the next line into s.body. The size is 0 if the line is blank, or if it is
// too long, which is refused. The end of the input ends the last line.
func (s *Stream) nextLine() (size int64, err error) {
	s.body = s.body[:0]
	for {
		part, err := s.in.ReadSlice('\n')
		s.offset += int64(len(part))
		if len(s.body)+len(part) > maxBody {
			return 0, s.refuseLine(part, err)
		}
		s.body = append(s.body, part...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && err != io.EOF:
			return 0, err
		case len(bytes.TrimSpace(s.body)) > 0:
			return int64(len(s.body)), nil
		case err == io.EOF:
			return 0, s.endOf(err, false)
		}
		return 0, nil
	}
}

// refuseLine skips the rest of a line that is too long and refuses it. The id is the first or
// the last member of most messages.
func (s *Stream) refuseLine(part []byte, err error) error {
	length := len(s.body)
	var tail []byte
	for {
		length += len(part)
		tail = append(tail, part...)
		tail = tail[max(0, len(tail)-sniffed):]
		if !errors.Is(err, bufio.ErrBufferFull) {
			break
		}
		part, err = s.in.ReadSlice('\n')
		s.offset += int64(len(part))
	}
	var e envelope
	_ = e.scan(s.decode(s.body[:sniffed])) // it is cut off
	if last := lastID.Get().FindSubmatch(tail); e.id == nil && last != nil {
		e.id = last[1]
	}
	s.refuse(e, jsonrpc2.Errorf(jsonrpc2.InvalidRequest,
		"The message is %d bytes long; the limit is %d bytes. Send a shorter one.", length, maxBody))
	if err == io.EOF {
		return s.endOf(err, false)
	}
	return err
}
