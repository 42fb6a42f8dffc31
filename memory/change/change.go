// Package change defines the records of the log of a workspace. The state of all rooms is
// the fold of these records, so a change holds everything that the fold needs and does not
// depend on where or when it is folded.
package change

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	quick "github.com/segmentio/encoding/json"
)

// Kind names what a change does, as "<noun>.<past participle>", such as
// "memory.added". The noun belongs to exactly one room.
type Kind string

// Noun returns the part of the kind before the dot.
func (k Kind) Noun() string {
	noun, _, _ := strings.Cut(string(k), ".")
	return noun
}

// A Scope is where a change may be sent.
type Scope int

const (
	// Private changes stay on this machine.
	Private Scope = iota
	// Shared changes may leave it. They hold no absolute path.
	Shared
)

// A Change is one record of the log.
type Change struct {
	// Seq is the position in the log of the workspace, from 1. It is 0 until
	// the change is written.
	Seq int64
	// At is the wall clock of the writer in UTC. Changes are ordered by Seq, not by At.
	At time.Time
	// Kind is what happened.
	Kind Kind
	// Subject is the id of what changed: an entry's id, a fingerprint, a path.
	Subject string
	// Session is the session that made the change, By its agent or editor, or Name of a person. Both
	// may be empty.
	Session, By string
	// Before is the replaced value, for people who read the trace. The fold does not use it.
	Before json.RawMessage
	// After is the payload that is folded.
	After json.RawMessage
	// Reason is a short code or sentence that says why.
	Reason string
	// Origin is "<machine>/<process>" of the process that wrote the change. Both are random
	// names. It is empty if they are unknown.
	Origin string
	// Scope is whether the change may leave the machine. The workspace sets it by
	// the noun of the kind.
	Scope Scope
	// Hot marks changes that may be written late and without fsync. Their fold must not
	// depend on the order relative to hot changes of other processes. Not stored.
	Hot bool
	// Clean are strings of the payload that have passed the gate before, or have a form without secrets,
	// such as an id that was checked. Not stored.
	Clean []string
	// Redactions counts the secrets that the gate removed. Not stored.
	Redactions int

	payload any             // see Decoded
	encoded json.RawMessage // the After that it says the same as
}

// New returns a change with its payload encoded. It panics if the payload
// cannot be encoded, which only a programming error can cause.
func New(kind Kind, subject string, payload any) Change {
	return Change{Kind: kind, Subject: subject, After: encode(payload)}
}

// Decoded returns the change with a value that says the same as its After, for a reader in this process that would
// decode it, or without one if it is nil. The value must not be changed any more.
func (c Change) Decoded(payload any) Change {
	c.payload, c.encoded = payload, nil
	if payload != nil {
		c.encoded = c.After
	}
	return c
}

// Payload returns the value of Decoded, or nil if After was replaced since, or the change was read from the log.
func (c Change) Payload() any {
	if len(c.After) == 0 || len(c.After) != len(c.encoded) || &c.After[0] != &c.encoded[0] {
		return nil
	}
	return c.payload
}

// WithBefore returns the change with the value that it replaces, for the trace.
func (c Change) WithBefore(value any) Change {
	c.Before = encode(value)
	return c
}

// Because returns the change with a reason.
func (c Change) Because(reason string) Change {
	c.Reason = reason
	return c
}

// AsHot returns the change marked as hot.
func (c Change) AsHot() Change {
	c.Hot = true
	return c
}

// asWritten takes what encoding/json writes. That it has each name once and strings in
// UTF-8 need not be checked again.
var asWritten = jsonv2.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

// Decode reads the payload into v. It takes a third of the time that encoding/json takes,
// which counts where every process reads the changes of all others.
func (c Change) Decode(v any) error {
	if err := jsonv2.Unmarshal(c.After, v, asWritten); err != nil {
		return fmt.Errorf("read the payload of change %d (%s): %w", c.Seq, c.Kind, err)
	}
	return nil
}

// A Row is one value of a room's state under its key. A nil Value means that
// there is no such row. The rows of all rooms are the tables folded from the log.
type Row struct {
	Key   string
	Value json.RawMessage
	// Old returns the value that the fold replaced. It is nil if there was none. It is used to
	// undo a failed transaction, which is rare, so that the value may be encoded then.
	Old func() json.RawMessage
	// Retirable marks every row of a room that may retire rows, and Retired those
	// that are: they are kept apart, are not read at the start, and the room reads
	// them when it needs them. They are rows as any other for replay and snapshot.
	Retirable, Retired bool
}

// NewRow returns a row with its value encoded. A nil pointer means no value. The old value
// must not be changed any more.
func NewRow[T any](key string, value, old *T) Row {
	row := Row{Key: key}
	if value != nil {
		row.Value = encode(value)
	}
	if old != nil {
		row.Old = func() json.RawMessage { return encode(old) }
	}
	return row
}

// maxQuick is the length up to which the value of a row is read with the quicker decoder, in bytes. That one follows
// a damaged value into any depth; jsonv2 refuses what is deeper than 10,000.
const maxQuick = 16_000

// errTrailing reports that the value of a row is followed by something.
var errTrailing = errors.New("something follows the value")

// Decode reads the value of the row into v, as Change.Decode does. A value of usual length takes two thirds of the
// time. Strings are copied, because who reads a damaged table uses the memory of a value again.
func (r Row) Decode(v any) error {
	if err := r.decode(v); err != nil {
		return fmt.Errorf("load the row %q: %w", r.Key, err)
	}
	return nil
}

func (r Row) decode(v any) error {
	if len(r.Value) > maxQuick {
		return jsonv2.Unmarshal(r.Value, v, asWritten)
	}
	rest, err := quick.Parse(r.Value, v, quick.DontMatchCaseInsensitiveStructFields)
	if err == nil && len(rest) > 0 {
		err = errTrailing
	}
	return err
}

// Check returns an error if the value of the row is not JSON. It is for rows that are
// decoded later.
func (r Row) Check() error {
	isJSON := quick.Valid
	if len(r.Value) > maxQuick {
		isJSON = func(value []byte) bool { return jsontext.Value(value).IsValid(asWritten) }
	}
	if !isJSON(r.Value) {
		return fmt.Errorf("load the row %q: its value is not JSON", r.Key)
	}
	return nil
}

func encode(v any) json.RawMessage {
	data, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("encode a change: %v", err))
	}
	return data
}
