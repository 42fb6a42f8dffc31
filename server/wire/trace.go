package wire

import (
	"encoding/json"
	"fmt"
)

// TraceParams ask for changes in the log of the workspace.
type TraceParams struct {
	Params
	// Only changes of what has this id.
	ID string `json:"id,omitzero"`
	// Only changes of these kinds, such as "memory.added", or of all kinds of a
	// noun, such as "memory".
	Kinds []string `json:"kinds,omitzero"`
	// Only later changes.
	Since TraceStart `json:"since,omitzero"`
	// How many at most, the newest; 100 by default.
	Limit int `json:"limit,omitzero"`
}

// TraceStart is a point in the log: a number is the seq of a change, a text
// the time of one. What follows it is meant, without it.
type TraceStart struct {
	// The seq; 0 if a time is given.
	Seq int64
	// The time; empty if a seq is given.
	At Time
}

// UnmarshalJSON reads a number as a seq and a text as a time.
func (s *TraceStart) UnmarshalJSON(data []byte) error {
	*s = TraceStart{}
	if json.Unmarshal(data, &s.At) == nil {
		return nil
	}
	if err := json.Unmarshal(data, &s.Seq); err != nil {
		return fmt.Errorf("since is neither the seq of a change nor a time: %w", err)
	}
	return nil
}

// MarshalJSON writes the seq as a number or the time as a text.
func (s TraceStart) MarshalJSON() ([]byte, error) {
	if s.At != "" {
		return json.Marshal(s.At)
	}
	return json.Marshal(s.Seq)
}

// TraceResult are changes in the log of the workspace.
type TraceResult struct {
	// Oldest first.
	Events []TraceEvent `json:"events"`
}

// TraceEvent is one change in the log of the workspace.
type TraceEvent struct {
	// Position in the log, rising from 1.
	Seq int64 `json:"seq"`
	// When.
	At Time `json:"at"`
	// What was done, as noun.participle, such as "memory.added".
	Kind string `json:"kind"`
	// Id of what it was done to: an entry's id, a fingerprint, a path.
	Subject string `json:"subject"`
	// The session in which it was done.
	SessionID string `json:"sessionId,omitzero"`
	// The agent or editor that did it.
	By string `json:"by,omitzero"`
	// What it was before.
	Before json.RawMessage `json:"before,omitzero"`
	// What it is since.
	After json.RawMessage `json:"after,omitzero"`
	// Why, as a code or a sentence.
	Reason string `json:"reason,omitzero"`
}
