package hook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// A Kind is what happened in an agent.
type Kind string

// The kinds. Everything else that a host reports is none of them and is ignored.
const (
	SessionStart Kind = "session start"
	Prompt       Kind = "prompt"
	Tool         Kind = "tool"
	Todos        Kind = "todos" // a tool ran that keeps the agent's todo list
	Compacting   Kind = "compacting"
	Compacted    Kind = "compacted"
	Stop         Kind = "stop"
	SessionEnd   Kind = "session end"
	Nothing      Kind = ""
)

// An Event is one event of a host, in the same form for all hosts.
type Event struct {
	// Host is the agent, for example "claude-code".
	Host string
	// Name is the name of the event as the host expects it in the answer.
	Name string
	Kind Kind
	// Session is the host's id of the session.
	Session string
	// Project is the absolute path of the folder that the agent was started in, Cwd that of the
	// folder that it works in. Both may be empty.
	Project, Cwd string
	// ID identifies the event in its session, "" if the host has no id for it. The same event
	// that arrives through two configuration files has the same ID.
	ID string

	// Source is why a session starts: startup, resume, clear or compact.
	Source string
	// Text is the prompt, what the agent said last, or the summary of a compaction.
	Text string
	// Tool, Input and Output are those of a tool. Tool has a name of the setting tools.
	Tool   string
	Input  json.RawMessage
	Output string
	// Exit is the exit code of a command, nil if it is unknown. Failed is true if the tool
	// failed.
	Exit   *int
	Failed bool
	// Response is the result of a tool as hosts with the form of Claude Code give it. Subagent is true if such a
	// host says that an agent which the first one has started ran the tool.
	Response json.RawMessage
	Subagent bool
	// Also are further calls of the tool in the same event. They have no more than what is said
	// of a tool.
	Also []Event
	// First is true if the tool is the first one of a turn, and the host passes a context on with
	// it instead of the prompt.
	First bool
}

// ErrUnknown is returned for JSON that is not an event of a known host.
var ErrUnknown = errors.New("this is not an event of a known agent")

// An Environment looks up environment variables.
type Environment func(name string) string

// A host is an agent with its way to describe events.
type host struct {
	// is reports whether an event is one of this host.
	is func(f fields, env Environment) bool
	// read fills in the event. Host, Session and Cwd are set.
	read func(f fields, e *Event, env Environment)
}

// hosts are the known hosts. The first that recognises an event has sent it. The shape of an
// event says more than the environment, which an agent that runs in another one inherits.
func hosts() []struct {
	name string
	host
} {
	return []struct {
		name string
		host
	}{
		{"pi", pi()}, {"cline", cline()}, {"codex", codex()}, {"opencode", openCode()}, {"vscode", vsCode()},
		{"copilot", copilot()}, {"gemini", gemini()}, {"qwen", qwen()}, {"claude-code", claudeCode()},
	}
}

// Parse returns the event in a JSON document. Its Kind is Nothing if there is nothing to do
// for it. name is the name of the event in the host's configuration, for hosts that do not
// send it, or "". The error says why the document is not an event.
func Parse(doc []byte, name string, env Environment) (Event, error) {
	doc = bytes.TrimPrefix(bytes.TrimSpace(doc), []byte("\xef\xbb\xbf"))
	if len(doc) == 0 {
		return Event{}, errors.New("standard input is empty; an agent passes an event there")
	}
	f := fields{}
	if err := json.Unmarshal(doc, &f); err != nil {
		return Event{}, fmt.Errorf("the event cannot be read: %w", err)
	}
	if name != "" && f.text("hook_event_name") == "" && f.text("hookEventName") == "" {
		f["hookName"], _ = json.Marshal(name)
	}
	for _, known := range hosts() {
		if !known.is(f, env) {
			continue
		}
		e := Event{Host: known.name, Session: f.text("session_id", "sessionId"), Cwd: f.text("cwd")}
		known.read(f, &e, env)
		if e.Session == "" && e.Kind != Nothing {
			return Event{}, fmt.Errorf("an event of %s has no session id", e.Host)
		}
		return e, nil
	}
	return Event{}, ErrUnknown
}

// fields are the members of a JSON object.
type fields map[string]json.RawMessage

// text returns the first member that is a string and not empty.
func (f fields) text(names ...string) string {
	for _, name := range names {
		var s string
		if json.Unmarshal(f[name], &s) == nil && s != "" {
			return s
		}
	}
	return ""
}

// path returns the path of the transcript, with slashes.
func (f fields) path() string { return strings.ReplaceAll(f.text("transcript_path"), `\`, "/") }

// object returns a member that is an object, or nil.
func (f fields) object(name string) fields {
	var inner fields
	if json.Unmarshal(f[name], &inner) != nil {
		return nil
	}
	return inner
}

func (f fields) has(name string) bool { _, there := f[name]; return there }

// is reports whether a member is true.
func (f fields) is(name string) bool {
	var value bool
	return json.Unmarshal(f[name], &value) == nil && value
}

// number returns a member that is an integer, or nil.
func (f fields) number(name string) *int {
	var n *int
	if json.Unmarshal(f[name], &n) != nil {
		return nil
	}
	return n
}

// time returns a member that is a time in milliseconds or in the format of RFC 3339.
func (f fields) time(name string) time.Time {
	if n := f.number(name); n != nil {
		return time.UnixMilli(int64(*n))
	}
	at, err := time.Parse(time.RFC3339, f.text(name))
	if err != nil {
		return time.Time{}
	}
	return at
}
