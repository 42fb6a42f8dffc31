package tui

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/wm-lsp/wm-lsp/memory/panel"
	"github.com/wm-lsp/wm-lsp/server/service"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// A memory is the operations of a service by their methods.
type memory struct {
	service    *service.Service
	operations map[string]service.Operation
}

func newMemory(s *service.Service) *memory {
	m := &memory{service: s, operations: map[string]service.Operation{}}
	for _, op := range s.Operations() {
		m.operations[op.Name] = op
	}
	return m
}

// ask runs an operation and returns its result.
func ask[R any](ctx context.Context, m *memory, method string, params service.Params) (result R, err error) {
	given, err := m.service.Call(ctx, m.operations[method], params)
	if err != nil {
		return result, err
	}
	return given.(R), nil
}

// An outcome is what a person is told of an action.
type outcome struct {
	// status is a word such as "stored", "" if there is none, refused why it was not done.
	status, refused string
	// markdown is a string that was asked for, clipboard one for the clipboard.
	markdown, clipboard string
	// run is a command for a terminal; nil if there is none.
	run *wire.TerminalCommand
	// undo takes the action back; nil if nothing does.
	undo *panel.Action
}

// do runs an action with its params.
func (m *memory) do(ctx context.Context, action panel.Action, params map[string]any) (done outcome, err error) {
	op, known := m.operations[action.Method]
	if !known {
		return done, fmt.Errorf("there is no method %q", action.Method)
	}
	doc, err := json.Marshal(params)
	if err != nil {
		return done, err
	}
	decoded, _, err := op.Decode(doc)
	if err != nil {
		return done, err
	}
	result, err := m.service.Call(ctx, op, decoded)
	if err != nil {
		return done, err
	}
	if doc, err = wire.Encode(result); err != nil {
		return done, err
	}
	return outcomeOf(action, doc), nil
}

// outcomeOf returns what the JSON of a result says. Members of other types say nothing.
func outcomeOf(action panel.Action, doc []byte) outcome {
	var members map[string]json.RawMessage
	if json.Unmarshal(doc, &members) != nil {
		members = nil
	}
	text := func(name string) (said string) {
		if json.Unmarshal(members[name], &said) != nil {
			return ""
		}
		return said
	}
	done := outcome{
		status: text("status"), markdown: text("markdown"), clipboard: text("clipboard"), undo: action.Undo,
	}
	if json.Unmarshal(members["run"], &done.run) != nil {
		done.run = nil
	}
	if done.status == "rejected" {
		done.refused = "rejected"
		for _, name := range []string{"reason", "message"} {
			if why := text(name); why != "" {
				done.refused = why
			}
		}
	}
	var undo *panel.Action
	if json.Unmarshal(members["undo"], &undo) == nil && undo != nil && done.undo == nil {
		done.undo = undo
	}
	return done
}
