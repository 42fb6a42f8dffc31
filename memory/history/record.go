package history

import (
	"bytes"
	"encoding/json"
	"time"
)

// The kinds of lines.
const (
	kindMessage   = "message"
	kindCompacted = "compacted"
	// kindArchiving is in files of before. It says that messages were about to be archived.
	kindArchiving = "archiving"
)

// A record is a line of the file: a message or a compaction.
type record struct {
	Kind string    `json:"kind"`
	ID   string    `json:"id,omitempty"`
	Role string    `json:"role,omitempty"`
	Text string    `json:"text,omitempty"`
	At   time.Time `json:"at,omitzero"`

	Turn    int    `json:"turn,omitempty"`
	Tokens  int    `json:"tokens,omitempty"`
	Tool    string `json:"tool,omitempty"`
	Command string `json:"command,omitempty"`

	Removed      []string `json:"removed,omitempty"`
	Count        int      `json:"count,omitempty"`
	Summary      string   `json:"summary,omitempty"`
	ArchivedTo   string   `json:"archivedTo,omitempty"`
	Target       Target   `json:"target,omitempty"`
	Strategy     Strategy `json:"strategy,omitempty"`
	By           By       `json:"by,omitempty"`
	TokensBefore int      `json:"tokensBefore,omitempty"`
	TokensAfter  int      `json:"tokensAfter,omitempty"`
}

func (m Message) record() record {
	return record{
		Kind: kindMessage, ID: m.ID, Role: m.Role, Text: m.Text, At: m.At,
		Turn: m.Turn, Tokens: m.Tokens, Tool: m.Tool, Command: m.Command,
	}
}

func (c Compaction) record() record {
	return record{
		Kind: kindCompacted, At: c.At, Removed: c.Removed, Count: c.Count, Summary: c.Summary, ArchivedTo: c.ArchivedTo,
		Target: c.Target, Strategy: c.Strategy, By: c.By, TokensBefore: c.TokensBefore, TokensAfter: c.TokensAfter,
	}
}

func (r record) message() Message {
	return Message{
		ID: r.ID, Role: r.Role, Text: Shortened(r.Text), At: r.At,
		Turn: max(0, r.Turn), Tokens: max(0, r.Tokens), Tool: r.Tool, Command: r.Command,
	}
}

func (r record) compaction() Compaction {
	return Compaction{
		At: r.At, Removed: r.Removed, Count: max(r.Count, len(r.Removed)),
		Summary: Shortened(r.Summary), ArchivedTo: r.ArchivedTo,
		Target: r.Target, Strategy: r.Strategy, By: r.By, TokensBefore: r.TokensBefore, TokensAfter: r.TokensAfter,
	}
}

// line returns the record as a line with a newline.
func (r record) line() ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(r)
	return b.Bytes(), err
}

// parse parses a line. It returns false if the line is not a record.
func parse(line []byte) (record, bool) {
	var r record
	if err := json.Unmarshal(line, &r); err != nil {
		return record{}, false
	}
	switch r.Kind {
	case kindMessage:
		return r, r.ID != "" && r.Role != ""
	case kindCompacted, kindArchiving:
		return r, true
	}
	return record{}, false
}
