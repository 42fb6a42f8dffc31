package lsp

import (
	"context"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/wm-lsp/wm-lsp/server/service"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// The kinds of the actions. An error is remembered among its fixes; a selection
// under a kind of its own, which no editor asks for by itself.
const (
	kindError     = protocol.CodeActionKindQuickFix
	kindSelection = protocol.CodeActionKind("wm.remember")
)

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
		return ordered(func(ctx context.Context) func() (any, error) {
			return s.service.Order(ctx, wire.Reads, at, func(context.Context) (any, error) {
				return s.asClientWants(params.actions(at, path, text)), nil
			})
		}), nil
	}}
}

func (p *codeActionParams) actions(at *service.View, path, text string) []codeAction {
	actions := []codeAction{}
	if !at.Offering() {
		return actions
	}
	name, asked := p.TextDocument.URI, p.Context.TriggerKind != protocol.CodeActionTriggerKindAutomatic
	if p.wants(kindError) {
		place := service.Place{Path: path, First: int(p.Range.Start.Line) + 1, Last: int(p.Range.End.Line) + 1}
		fix := ""
		for _, offer := range at.OfferErrors(place, p.Context.Diagnostics, asked) {
			params := rememberParams{URI: name, Text: offer.Text, Fix: &fix}
			actions = append(actions, rememberAction(offer.Title, kindError, params))
		}
	}
	if asked && p.wants(kindSelection) && selectsText(text, p.Range) {
		params := rememberParams{URI: name, Range: &p.Range}
		actions = append(actions, rememberAction(service.OfferSelection, kindSelection, params))
	}
	return actions
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
