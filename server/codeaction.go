package server

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

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
// It looks at nothing but the open document and what the client says, and runs
// on the read loop.
func (s *Server) codeActions(_ context.Context, params *codeActionParams) (any, error) {
	actions := []codeAction{}
	name := params.TextDocument.URI
	s.documents.mu.Lock()
	defer s.documents.mu.Unlock()
	open := s.documents.get(uri.URI(name))
	if open == nil || !open.tracked || open.at.Paused() {
		return s.asClientWants(actions), nil
	}
	if params.wants(kindError) {
		actions = append(actions, rememberErrors(name, open.path, params.Context.Diagnostics)...)
	}
	invoked := params.Context.TriggerKind != protocol.CodeActionTriggerKindAutomatic
	if invoked && params.wants(kindSelection) && selectsText(open.text, params.Range) {
		actions = append(actions, rememberAction("Remember the selection", kindSelection, rememberParams{URI: name, Range: &params.Range}))
	}
	return s.asClientWants(actions), nil
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
