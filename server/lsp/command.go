package lsp

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/server/service"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// A command is one that any LSP client can run with workspace/executeCommand.
type command struct {
	name   string
	access wire.Access
	run    runCommand
}

type runCommand func(s *Server, ctx context.Context, at *service.View, args json.RawMessage) (any, error)

func commands() []command {
	return []command{
		{"wm.remember", wire.Mutates, (*Server).commandRemember},
		{"wm.forget", wire.Mutates, operated((*service.Service).MemoryRemove, nil)},
		{"wm.search", wire.Reads, (*Server).commandSearch},
		{"wm.showContext", wire.Reads, (*Server).commandShowContext},
		{"wm.showPanel", wire.Reads, (*Server).commandShowPanel},
		{"wm.clearSlot", wire.Mutates, operated((*service.Service).ClearSlot, service.ClearSlotMessage)},
		{"wm.archiveNote", wire.Mutates, operated((*service.Service).NotesArchive, service.ArchiveNoteMessage)},
		{"wm.pause", wire.Mutates, operated((*service.Service).PauseOrResume, service.PauseMessage)},
	}
}

func commandNames() []string {
	names := []string{}
	for _, c := range commands() {
		names = append(names, c.name)
	}
	return names
}

type executeCommandParams struct {
	Command   string            `json:"command"`
	Arguments []json.RawMessage `json:"arguments"`
}

// executeCommand handles workspace/executeCommand.
func (s *Server) executeCommand() handler {
	return handler{decode: func(_ *Server, doc []byte) (task, error) {
		var params executeCommandParams
		if err := json.Unmarshal(doc, &params); err != nil {
			return task{}, service.InvalidJSON(err)
		}
		all := commands()
		chosen := slices.IndexFunc(all, func(c command) bool { return c.name == params.Command })
		if chosen < 0 {
			return task{}, fault.Invalid("command", "must be one of %s, got %q",
				strings.Join(commandNames(), ", "), params.Command)
		}
		args := json.RawMessage("{}")
		if len(params.Arguments) > 0 && string(params.Arguments[0]) != "null" {
			args = params.Arguments[0]
		}
		var target struct {
			wire.Params
			URI string `json:"uri"`
		}
		if err := json.Unmarshal(args, &target); err != nil {
			return task{}, service.InvalidJSON(err)
		}
		at, err := s.service.ViewOfFile(&target.Params, target.URI)
		if err != nil {
			return task{}, err
		}
		return ordered(func(ctx context.Context) func() (any, error) {
			return s.service.Order(ctx, all[chosen].access, at, func(ctx context.Context) (any, error) {
				return all[chosen].run(s, ctx, at, args)
			})
		}), nil
	}}
}

// decodeArgs decodes the argument of a command.
func decodeArgs[T any](args json.RawMessage) (T, error) {
	var v T
	if err := json.Unmarshal(args, &v); err != nil {
		return v, service.InvalidJSON(err)
	}
	return v, nil
}

// operated returns the run of a command that is an operation of the service. message returns
// what a person is shown afterwards; it may be nil.
func operated[P, R any](
	operation func(s *service.Service, ctx context.Context, at *service.View, params *P) (R, error),
	message func(result R) string,
) runCommand {
	return func(s *Server, ctx context.Context, at *service.View, args json.RawMessage) (any, error) {
		params, err := decodeArgs[P](args)
		if err != nil {
			return nil, err
		}
		result, err := operation(s.service, ctx, at, &params)
		if err == nil && message != nil {
			s.message(message(result))
		}
		return result, err
	}
}

// rememberParams are the argument of wm.remember.
type rememberParams struct {
	Text  string          `json:"text,omitzero"`
	URI   string          `json:"uri,omitzero"`
	Range *protocol.Range `json:"range,omitzero"`
	Type  string          `json:"type,omitzero"`
	// Fix describes how to fix the error in Text. If it is empty, a client may ask
	// the person for it.
	Fix *string `json:"fix,omitzero"`
}

func (s *Server) commandRemember(ctx context.Context, at *service.View, args json.RawMessage) (any, error) {
	params, err := decodeArgs[rememberParams](args)
	if err != nil {
		return nil, err
	}
	request := service.RememberRequest{Text: params.Text, Type: params.Type}
	if params.URI != "" {
		if request.Path, err = at.TrackedFile(params.URI); err != nil {
			return nil, err
		}
		if request.Selection, err = s.selection(at, request.Path, params.URI, params.Range); err != nil {
			return nil, err
		}
	}
	if params.Fix != nil {
		request.Fix = *params.Fix
	}
	receipt, err := s.service.Remember(ctx, at, request)
	if err == nil {
		s.message(service.RememberMessage(receipt, "", false))
	}
	return receipt, err
}

// selection returns the text of a range of a file, from the open document or else from
// the disk. It returns "" without a range.
func (s *Server) selection(at *service.View, path, name string, span *protocol.Range) (text string, err error) {
	if span == nil {
		return "", nil
	}
	open, tracked := s.documents.find(name)
	if tracked {
		if text, tracked = s.documents.known(open); !tracked && open.file.Unsaved() {
			return "", fault.Invalid("uri", "%s has changes that are not known here; save it and try again", path)
		}
	}
	if !tracked {
		if text, err = at.ReadFile(path); err != nil {
			return "", err
		}
	}
	from, to, err := offsets(text, *span)
	if err != nil {
		return "", fault.Invalid("range", "%v", err)
	}
	return text[from:to], nil
}

func (s *Server) commandSearch(ctx context.Context, at *service.View, args json.RawMessage) (any, error) {
	params, err := decodeArgs[struct {
		Query string `json:"query"`
	}](args)
	if err != nil {
		return nil, err
	}
	found, err := s.service.Search(ctx, at, &wire.SearchParams{Query: params.Query})
	if err != nil {
		return nil, err
	}
	s.show("search.md", service.SearchMarkdown(params.Query, found))
	return found, nil
}

func (s *Server) commandShowContext(_ context.Context, at *service.View, _ json.RawMessage) (any, error) {
	text := s.service.ContextText(at)
	s.show("context.md", text)
	return map[string]string{"text": text}, nil
}

func (s *Server) commandShowPanel(_ context.Context, at *service.View, _ json.RawMessage) (any, error) {
	text := s.service.PanelText(at)
	s.show("panel.md", text)
	return map[string]string{"text": text}, nil
}

// show opens a document in the editor, or shows it as a message if the client cannot
// open documents. It does not wait for the client.
func (s *Server) show(name, text string) {
	path, err := s.service.WriteShown(name, text)
	if err != nil {
		s.log.Warn("write a document to show", "error", err)
	}
	s.later(func(ctx context.Context) {
		if err != nil || !s.showDocument(ctx, path) {
			s.showMessage(ctx, text)
		}
	})
}
