package lsp

import (
	"context"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/wm-lsp/wm-lsp/server/service"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// The kinds of the actions. An error is offered among its fixes. A selection has a kind
// of its own, which no editor requests by itself.
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

// wants reports whether the client requests a kind, or a kind that includes it.
func (p *codeActionParams) wants(kind protocol.CodeActionKind) bool {
	return len(p.Context.Only) == 0 || slices.ContainsFunc(p.Context.Only, func(only protocol.CodeActionKind) bool {
		return only == "" || kind == only || strings.HasPrefix(string(kind), string(only)+".")
	})
}

// A codeAction runs wm.remember. Clients that do not support code actions get only its
// command.
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

// codeActions handles textDocument/codeAction.
func (s *Server) codeActions() handler {
	return handler{decode: func(_ *Server, doc []byte) (task, error) {
		params, err := decodeStandard[codeActionParams](doc)
		if err != nil {
			return task{}, err
		}
		open, tracked := s.documents.find(params.TextDocument.URI)
		if !tracked {
			return task{run: func(context.Context) (any, error) { return encoded([]codeAction{}) }}, nil
		}
		at, path := open.at, open.path
		text, _ := s.documents.known(open)
		return ordered(func(ctx context.Context) func() (any, error) {
			return s.service.Order(ctx, wire.Reads, at, func(context.Context) (any, error) {
				return s.supported(params.actions(at, path, text)), nil
			})
		}), nil
	}}
}

// actions returns the actions for the offers of the kinds that the client wants.
func (p *codeActionParams) actions(at *service.View, path, text string) []codeAction {
	actions := []codeAction{}
	fix := ""
	for _, offer := range at.Offers(service.OfferRequest{
		Path: path, First: int(p.Range.Start.Line) + 1, Last: int(p.Range.End.Line) + 1,
		Diagnostics: p.Context.Diagnostics, Selection: textIn(text, p.Range),
		Invoked: p.Context.TriggerKind != protocol.CodeActionTriggerKindAutomatic,
	}) {
		kind := kindError
		args := rememberParams{URI: p.TextDocument.URI, Text: offer.Text, Fix: &fix}
		if offer.Selection {
			kind, args = kindSelection, rememberParams{URI: p.TextDocument.URI, Range: &p.Range}
		}
		if p.wants(kind) {
			actions = append(actions, rememberAction(offer.Title, kind, args))
		}
	}
	return actions
}

// supported returns actions, or their commands for a client that does not support code
// actions.
func (s *Server) supported(actions []codeAction) any {
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

// textIn returns the text of a range, or "" if the range is not in text.
func textIn(text string, span protocol.Range) string {
	from, to, err := offsets(text, span)
	if err != nil {
		return ""
	}
	return text[from:to]
}
