package history

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"slices"
	"sync"
)

const (
	// MaxCompactions is how many compactions are kept.
	MaxCompactions = 50
	// markBytes is how many of the last bytes that were read are compared to detect whether a
	// file only grew.
	markBytes = 512
)

// A reader reads a file that grows. It reads only new lines as long as the file only grows.
// It is used with its lock held.
type reader struct {
	sync.Mutex
	info   fs.FileInfo // of the file at the last read
	offset int64       // where unread content begins
	mark   []byte      // the last bytes that were read
	cut    bool        // an incomplete line follows them

	messages    []Message // appended to, or replaced as a whole
	compactions []Compaction
	known       map[string]bool // ids, also of removed messages
	tokens      int
	turn        int
	broken      int
}

func (r *reader) forget() {
	r.info, r.offset, r.mark, r.cut = nil, 0, nil, false
	r.messages, r.compactions, r.known = nil, nil, map[string]bool{}
	r.tokens, r.turn, r.broken = 0, 0, 0
}

// conversation returns what was read. Its slices do not change: what is appended later is
// beyond their capacity.
func (r *reader) conversation() Conversation {
	c := Conversation{
		Messages: slices.Clip(r.messages), Compactions: slices.Clip(r.compactions),
		Tokens: r.tokens, Turn: r.turn, Broken: r.broken,
	}
	if r.cut {
		c.Broken++
	}
	return c
}

func (r *reader) knows(id string) bool { return r.known[id] }

// message returns the message with the id of m, or m if that was removed.
func (r *reader) message(m Message) Message {
	if i := slices.IndexFunc(r.messages, func(kept Message) bool { return kept.ID == m.ID }); i >= 0 {
		return r.messages[i]
	}
	return m
}

// follow reads new lines of the file, or the whole file if it did not only grow.
func (r *reader) follow(path string) error {
	file, info, err := open(path)
	if errors.Is(err, fs.ErrNotExist) {
		r.forget()
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	same := r.info != nil && os.SameFile(r.info, info)
	if same && info.Size() == r.info.Size() && info.ModTime().Equal(r.info.ModTime()) {
		return nil
	}
	if same && info.Size() > r.info.Size() {
		content, err := readFrom(file, r.offset-int64(len(r.mark)))
		if err != nil {
			return err
		}
		if rest, ok := bytes.CutPrefix(content, r.mark); ok && r.endsBefore(rest) {
			r.take(rest, info)
			return nil
		}
	}
	content, err := readFrom(file, 0)
	if err != nil {
		return err
	}
	r.forget()
	r.take(content, info)
	return nil
}

// endsBefore reports whether what was read ends at the end of a line.
func (r *reader) endsBefore(rest []byte) bool {
	return bytes.HasSuffix(r.mark, []byte{'\n'}) || bytes.HasPrefix(rest, []byte{'\n'}) || len(r.mark) == 0
}

// take parses content that follows what was read. A last line without a newline is left for
// the next read, unless it is complete.
func (r *reader) take(content []byte, info fs.FileInfo) {
	end := bytes.LastIndexByte(content, '\n') + 1
	r.cut = false
	if tail := content[end:]; len(tail) > 0 {
		_, whole := parse(tail)
		r.cut = !whole
		if whole {
			end = len(content)
		}
	}
	for line := range bytes.Lines(content[:end]) {
		r.fold(bytes.TrimSpace(line))
	}
	r.info, r.offset = info, r.offset+int64(end)
	r.mark = slices.Concat(r.mark, content[max(0, end-markBytes):end])
	r.mark = slices.Clone(r.mark[max(0, len(r.mark)-markBytes):])
}

func (r *reader) fold(line []byte) {
	if len(line) == 0 {
		return
	}
	read, ok := parse(line)
	switch {
	case !ok:
		r.broken++
	case read.Kind == kindArchiving:
	case read.Kind == kindCompacted:
		r.compact(read.compaction())
	case !r.known[read.ID]:
		m := read.message()
		r.known[m.ID] = true
		r.messages = append(r.messages, m)
		r.tokens += m.Tokens
		r.turn = max(r.turn, m.Turn)
	}
}

// compact removes messages from the conversation.
func (r *reader) compact(c Compaction) {
	r.compactions = append(slices.Clip(r.compactions), c)
	r.compactions = r.compactions[max(0, len(r.compactions)-MaxCompactions):]
	removed := map[string]bool{}
	for _, id := range c.Removed {
		removed[id], r.known[id] = true, true
	}
	var kept []Message
	for _, m := range r.messages {
		if removed[m.ID] {
			r.tokens -= m.Tokens
			continue
		}
		kept = append(kept, m)
	}
	r.messages = kept
}
