// Package wire declares the types of the wm/* messages: parameters, results and
// notifications. docs/protocol.md is generated from it, so the comments here are
// documentation for authors of clients.
//
// A member with omitzero may be absent; every other member is always present. An array
// that is always present is never null, so results must contain an empty slice instead of
// a nil one.
package wire

import (
	"time"

	"github.com/wm-lsp/wm-lsp/memory/panel"
)

// Params are the members that the params of every wm/* method may have.
type Params struct {
	// The session; by default the session of the connection.
	SessionID string `json:"sessionId,omitzero"`
	// The URI of a workspace folder; by default the folder that contains the file in
	// the params, or else the first folder.
	Workspace string `json:"workspace,omitzero"`
	// The agent, if several share the session.
	AgentID string `json:"agentId,omitzero"`
	// The agent's own id of its task.
	TaskID string `json:"taskId,omitzero"`
	// When it happened; now by default.
	At Time `json:"at,omitzero"`
}

// Empty is an object without members.
type Empty struct{}

// Time is a time as a string in the format of RFC 3339. The server sends UTC with
// milliseconds, such as "2026-03-01T09:30:00.000Z".
type Time string

const timeLayout = "2006-01-02T15:04:05.000Z07:00"

// At returns t as a Time. The zero time is the empty string.
func At(t time.Time) Time {
	if t.IsZero() {
		return ""
	}
	return Time(t.UTC().Format(timeLayout))
}

// Parse returns the time in UTC. The empty string is the zero time.
func (t Time) Parse() (time.Time, error) {
	if t == "" {
		return time.Time{}, nil
	}
	at, err := time.Parse(time.RFC3339, string(t))
	return at.UTC(), err
}

// Beside returns the local time for display, see panel.Time, or the string itself if it is not a time.
func (t Time) Beside(now time.Time) string {
	at, err := t.Parse()
	if err != nil {
		return string(t)
	}
	return panel.Time(now, at)
}

// Revision identifies a state by its content. It is opaque; it can only be compared for
// equality.
type Revision string

// Object is a JSON object whose members depend on the method or tool.
type Object map[string]any

// Common returns the common members of params.
func (p *Params) Common() *Params { return p }
