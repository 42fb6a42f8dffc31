package wire

import (
	"encoding/json"
	"errors"
)

// TraceParams request changes from the log of the workspace, and reads: contexts that were assembled
// ("context.assembled") and searches ("search.ran"), which have ids and no content.
type TraceParams struct {
	Params
	// Only changes of the subject with this id, and reads of it.
	ID string `json:"id,omitzero"`
	// Only changes of these kinds, such as "memory.added", or of all kinds of a noun, such
	// as "memory".
	Kinds []string `json:"kinds,omitzero"`
	// Only later changes.
	Since TraceStart `json:"since,omitzero"`
	// The maximum number, counted from the newest; 100 if absent or 0.
	Limit int `json:"limit,omitzero"`
}

// TraceStart is a point in the log: the seq of a change as a number, or a time as a string.
// Only later changes are returned.
type TraceStart struct {
	// The seq; 0 if the start is a time.
	Seq int64
	// The time; empty if the start is a seq.
	At Time
}

// UnmarshalJSON decodes a number as a seq and a string as a time.
func (s *TraceStart) UnmarshalJSON(data []byte) error {
	*s = TraceStart{}
	if json.Unmarshal(data, &s.At) == nil {
		return nil
	}
	if json.Unmarshal(data, &s.Seq) != nil { // whose error does not name the member
		return errors.New("since must be a number or a string")
	}
	return nil
}

// MarshalJSON encodes the seq as a number, or the time as a string.
func (s TraceStart) MarshalJSON() ([]byte, error) {
	if s.At != "" {
		return json.Marshal(s.At)
	}
	return json.Marshal(s.Seq)
}

// TraceResult are changes from the log of the workspace.
type TraceResult struct {
	// The changes, oldest first.
	Events []TraceEvent `json:"events"`
}

// TraceEvent is a change in the log of the workspace.
type TraceEvent struct {
	// The position in the log, from 1; of a read, that of the newest change before it.
	Seq int64 `json:"seq"`
	// The time.
	At Time `json:"at"`
	// The kind, as noun.participle, such as "memory.added".
	Kind string `json:"kind"`
	// The id of the subject: the id of an entry, a fingerprint or a path.
	Subject string `json:"subject"`
	// The session.
	SessionID string `json:"sessionId,omitzero"`
	// The agent or editor.
	By string `json:"by,omitzero"`
	// The value before.
	Before json.RawMessage `json:"before,omitzero"`
	// The value after.
	After json.RawMessage `json:"after,omitzero"`
	// The reason, as a code or a sentence.
	Reason string `json:"reason,omitzero"`
}
