package server

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/hot"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// The kinds of the actions. An error is remembered among its fixes; a selection
// under a kind of its own, which no editor asks for by itself.
const (
	kindError     = protocol.CodeActionKindQuickFix
	kindSelection = protocol.CodeActionKind("wm.remember")
)

// maxErrorActions is how many errors of one place are offered to be remembered.
const maxErrorActions = 5

type codeActionParams struct {
	TextDocument struct {
		URI string `json:"uri"`
	} `json:"textDocument"`
	Range   protocol.Range `json:"range"`
	Context struct {
		Diagnostics []wire.Diagnostic              `json:"diagnostics"`
		Only        []protocol.CodeActionKind      `json:"only"`
		TriggerKind protocol.CodeActionTriggerKind `json:"triggerKind"`
	} `json:"context"`
}

// wants reports whether the client asked for a kind, or for one above it.
func (p *codeActionParams) wants(kind protocol.CodeActionKind) bool {
	return len(p.Context.Only) == 0 || slices.ContainsFunc(p.Context.Only, func(only protocol.CodeActionKind) bool {
		return only == "" || kind == only || strings.HasPrefix(string(kind), string(only)+".")
	})
}

// A codeAction runs wm.remember. Clients from before code actions were objects
// get its command alone.
type codeAction struct {
	Title   string                  `json:"title"`
	Kind    protocol.CodeActionKind `json:"kind"`
	Command actionCommand           `json:"command"`
}

type actionCommand struct {
	Title     string           `json:"title"`
	Command   string           `json:"command"`
	Arguments []rememberParams `json:"arguments"`
}

// codeActions offers to remember what is selected and the errors at the place.
func (s *Server) codeActions() handler {
	return handler{decode: func(_ *Server, doc []byte) (task, error) {
		params, err := decodeStandard[codeActionParams](doc)
		if err != nil {
			return task{}, err
		}
		s.documents.mu.Lock()
		defer s.documents.mu.Unlock()
		open := s.documents.named(params.TextDocument.URI)
		if open == nil || !open.tracked {
			return task{run: func(context.Context) (any, error) { return encoded([]codeAction{}) }}, nil
		}
		at, path, text := open.at, open.path, open.text
		return task{when: reading, at: at, run: func(context.Context) (any, error) {
			return encoded(s.asClientWants(params.actions(at, path, text)))
		}}, nil
	}}
}

func (p *codeActionParams) actions(at *view, path, text string) []codeAction {
	actions := []codeAction{}
	if at.Paused() {
		return actions
	}
	name, invoked := p.TextDocument.URI, p.Context.TriggerKind != protocol.CodeActionTriggerKindAutomatic
	if p.wants(kindError) {
		found := p.Context.Diagnostics
		if invoked && len(found) == 0 {
			found = forwarded(at, path, p.Range)
		}
		actions = append(actions, rememberErrors(name, path, found)...)
	}
	if invoked && p.wants(kindSelection) && selectsText(text, p.Range) {
		actions = append(actions, rememberAction("Remember the selection", kindSelection, rememberParams{URI: name, Range: &p.Range}))
	}
	return actions
}

// forwarded returns the errors of other language servers that the client has
// forwarded for the lines of a range. Clients that name to each server only its
// own diagnostics, as Neovim does, ask without them.
func forwarded(at *view, path string, span protocol.Range) []wire.Diagnostic {
	session := at.who.Session
	var found []wire.Diagnostic
	for _, e := range memory.RoomOf[*hot.Room](at.Workspace).ErrorsAt(session, at.worktree(), path, int(span.Start.Line)+1, int(span.End.Line)+1) {
		if _, mine := e.From(hot.Diagnostic, session); mine {
			found = append(found, wire.Diagnostic{Source: e.Tool, Code: wire.Code(e.Code), Message: wire.Message(e.Summary)})
		}
	}
	return found
}

// asClientWants gives a client that does not know code actions their commands.
func (s *Server) asClientWants(actions []codeAction) any {
	if s.client.codeActions {
		return actions
	}
	commands := []actionCommand{}
	for _, action := range actions {
		commands = append(commands, action.Command)
	}
	return commands
}

func rememberAction(title string, kind protocol.CodeActionKind, params rememberParams) codeAction {
	return codeAction{title, kind, actionCommand{title, "wm.remember", []rememberParams{params}}}
}

// rememberErrors offers each error and warning once. Where there are several,
// the title says which one it is about.
func rememberErrors(name, path string, diagnostics []wire.Diagnostic) []codeAction {
	actions := []codeAction{}
	told, fix := map[string]bool{}, ""
	for _, d := range diagnostics {
		message := oneLine(string(d.Message))
		if d.Severity > int(protocol.DiagnosticSeverityWarning) || message == "" || told[message] {
			continue
		}
		told[message] = true
		title := "Remember this error and its fix"
		if len(diagnostics) > 1 {
			title += ": " + clipped(message, 60)
		}
		actions = append(actions, rememberAction(title, kindError, rememberParams{URI: name, Text: errorText(path, message, d), Fix: &fix}))
		if len(actions) == maxErrorActions {
			break
		}
	}
	return actions
}

// errorText is the memory of an error, without its fix.
func errorText(path, message string, d wire.Diagnostic) string {
	text := fmt.Sprintf("Error in %s: %s", path, clipped(message, 300))
	if reporter := strings.TrimSpace(oneLine(d.Source + " " + string(d.Code))); reporter != "" {
		text += " (" + reporter + ")"
	}
	return text
}

// selectsText reports whether a range lies in a text and holds more than space.
func selectsText(text string, span protocol.Range) bool {
	if span.Start == span.End {
		return false
	}
	from, err := offset(text, span.Start)
	if err != nil {
		return false
	}
	to, err := offset(text, span.End)
	return err == nil && to > from && strings.TrimSpace(text[from:to]) != ""
}

func clipped(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}
