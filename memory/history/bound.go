package history

import (
	"bytes"
	"slices"
)

const (
	// compactionShare is the part of the size of the file that the compactions may
	// take, and keptShare the part that all may take once it is written anew, so
	// that this is not needed again at once.
	compactionShare = 0.25
	keptShare       = 0.75
)

// bounded returns what a file of at most maxBytes says: the newest compactions
// and the newest messages, of what is in the conversation. The newest message
// stays however long it is.
func (r *reader) bounded(maxBytes int64) ([]byte, error) {
	compactions, err := r.newestCompactions(int(compactionShare * float64(maxBytes)))
	if err != nil {
		return nil, err
	}
	used := size(compactions)
	var messages [][]byte
	for _, m := range slices.Backward(r.messages) {
		line, err := m.record().line()
		if err != nil {
			return nil, err
		}
		if used += len(line); len(messages) > 0 && used > int(keptShare*float64(maxBytes)) {
			break
		}
		messages = append(messages, line)
	}
	slices.Reverse(messages)
	return bytes.Join(append(compactions, messages...), nil), nil
}

// newestCompactions returns lines of at most room bytes. Old ones lose the ids of
// their messages before they are left out.
func (r *reader) newestCompactions(room int) ([][]byte, error) {
	var lines [][]byte
	for _, c := range slices.Backward(r.compactions) {
		line, err := c.record().line()
		if err != nil {
			return nil, err
		}
		if len(line) > room {
			c.Removed = nil
			if line, err = c.record().line(); err != nil {
				return nil, err
			}
		}
		if len(line) > room {
			break
		}
		room -= len(line)
		lines = append(lines, line)
	}
	slices.Reverse(lines)
	return lines, nil
}

func size(lines [][]byte) int {
	n := 0
	for _, line := range lines {
		n += len(line)
	}
	return n
}
