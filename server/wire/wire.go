// Package wire holds the Go types of every wm/* message: what a client sends,
// what it gets back, and what it is told. It is the one source of
// docs/protocol.md, so the comments here are what people who write clients
// read. A member with omitzero may be absent; every other member is always
// there. An array that is always there is [] when it is empty, never null, so
// whoever fills a result starts from an empty slice, not from nil.
package wire

import "time"

// Params are the members that the params of every wm/* method may carry.
type Params struct {
	// The session that is meant; the connection's own by default.
	SessionID string `json:"sessionId,omitzero"`
	// The URI of a workspace folder; by default the folder that holds the file
	// that the params name, else the first folder.
	Workspace string `json:"workspace,omitzero"`
	// The agent that acts, where several share a session.
	AgentID string `json:"agentId,omitzero"`
	// The agent's own id of what it is working on.
	TaskID string `json:"taskId,omitzero"`
	// When it happened; now by default.
	At Time `json:"at,omitzero"`
}

// Empty is an object without members: there is nothing to say.
type Empty struct{}

// Time is an instant as an RFC 3339 text; what the server sends is UTC with
// milliseconds, such as "2026-03-01T09:30:00.000Z".
type Time string

const timeLayout = "2006-01-02T15:04:05.000Z07:00"

// At returns t for the wire; the zero time is the empty text.
func At(t time.Time) Time {
	if t.IsZero() {
		return ""
	}
	return Time(t.UTC().Format(timeLayout))
}

// Parse returns the instant in UTC, the zero time for the empty text, and an
// error for what is not RFC 3339.
func (t Time) Parse() (time.Time, error) {
	if t == "" {
		return time.Time{}, nil
	}
	at, err := time.Parse(time.RFC3339, string(t))
	return at.UTC(), err
}

// Revision names a state by its content. It is opaque: compare it for
// equality, and for nothing else.
type Revision string

// Object is a JSON object whose members depend on the method or tool that it
// is for.
type Object map[string]any

// Common returns the members that all params share.
func (p *Params) Common() *Params { return p }
