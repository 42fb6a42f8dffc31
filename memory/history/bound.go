package history

import (
	"bytes"
	"slices"
)

const (
	// compactionShare is the part of the maximum size that compactions may take. keptShare is
	// the part that a rewritten file may take, so that it is not rewritten again at once.
	compactionShare = 0.25
	keptShare       = 0.75
)

// bounded returns the content of a file of at most maxBytes, with the newest compactions and
// the newest messages of the conversation. The newest message is always kept.
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

// newestCompactions returns lines of at most left bytes. If the ids of a compaction's
// messages do not fit, it is kept without them.
func (r *reader) newestCompactions(left int) ([][]byte, error) {
	var lines [][]byte
	for _, c := range slices.Backward(r.compactions) {
		line, err := c.record().line()
		if err != nil {
			return nil, err
		}
		if len(line) > left {
			c.Removed = nil
			if line, err = c.record().line(); err != nil {
				return nil, err
			}
		}
		if len(line) > left {
			break
		}
		left -= len(line)
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
