package lsp

import (
	"cmp"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/gate"
	"github.com/wm-lsp/wm-lsp/server/service"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// A command is one that any LSP client can run with workspace/executeCommand.
type command struct {
	name   string
	access wire.Access
	run    func(s *Server, ctx context.Context, at *service.View, args json.RawMessage) (any, error)
}

func commands() []command {
	return []command{
		{"wm.remember", wire.Mutates, (*Server).commandRemember},
		{"wm.forget", wire.Mutates, (*Server).commandForget},
		{"wm.search", wire.Reads, (*Server).commandSearch},
		{"wm.showContext", wire.Reads, (*Server).commandShowContext},
		{"wm.showPanel", wire.Reads, (*Server).commandShowPanel},
		{"wm.clearSlot", wire.Mutates, (*Server).commandClearSlot},
		{"wm.archiveNote", wire.Mutates, (*Server).commandArchiveNote},
		{"wm.pause", wire.Mutates, (*Server).commandPause},
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

// executeCommand runs a command where its kind of work runs.
func (s *Server) executeCommand() handler {
	return handler{decode: func(_ *Server, doc []byte) (task, error) {
		var params executeCommandParams
		if err := json.Unmarshal(doc, &params); err != nil {
			return task{}, paramsError(err)
		}
		var chosen *command
		for _, c := range commands() {
			if c.name == params.Command {
				chosen = &c
			}
		}
		if chosen == nil {
			return task{}, fault.Invalid("command", "must be one of %s, got %q", strings.Join(commandNames(), ", "), params.Command)
		}
		args := json.RawMessage("{}")
		if len(params.Arguments) > 0 && string(params.Arguments[0]) != "null" {
			args = params.Arguments[0]
		}
		var named struct {
			wire.Params
			URI string `json:"uri"`
		}
		if err := json.Unmarshal(args, &named); err != nil {
			return task{}, paramsError(err)
		}
		at, err := s.service.ViewOfFile(&named.Params, named.URI)
		if err != nil {
			return task{}, err
		}
		return ordered(func(ctx context.Context) func() (any, error) {
			return s.service.Order(ctx, chosen.access, at, func(ctx context.Context) (any, error) {
				return chosen.run(s, ctx, at, args)
			})
		}), nil
	}}
}

// decodeArgs reads the one object that a command takes.
func decodeArgs[T any](args json.RawMessage) (T, error) {
	var v T
	if err := json.Unmarshal(args, &v); err != nil {
		return v, paramsError(err)
	}
	return v, nil
}

// rememberParams are the argument of wm.remember.
type rememberParams struct {
	Text  string          `json:"text,omitzero"`
	URI   string          `json:"uri,omitzero"`
	Range *protocol.Range `json:"range,omitzero"`
	Type  string          `json:"type,omitzero"`
	// Fix is how the error that the text tells of is fixed. Where it is empty, a
	// client that can asks the person.
	Fix *string `json:"fix,omitzero"`
}

func (s *Server) commandRemember(ctx context.Context, at *service.View, args json.RawMessage) (any, error) {
	params, err := decodeArgs[rememberParams](args)
	if err != nil {
		return nil, err
	}
	asked := service.Remembering{Text: params.Text, Type: params.Type}
	if params.URI != "" {
		if asked.Path, err = at.TrackedFile(params.URI); err != nil {
			return nil, err
		}
		selected, err := s.selected(at, asked.Path, params.URI, params.Range)
		if err != nil {
			return nil, err
		}
		asked.Text = cmp.Or(asked.Text, selected)
	}
	if params.Fix != nil {
		asked.Fix = *params.Fix
	}
	receipt, err := s.service.Remember(ctx, at, asked)
	if err == nil {
		s.showMessage(ctx, service.Remembered(receipt))
	}
	return receipt, err
}

// selected returns the text of a range of a file, as it is in the editor or on
// the disk; "" without a range.
func (s *Server) selected(at *service.View, path, name string, span *protocol.Range) (text string, err error) {
	if span == nil {
		return "", nil
	}
	s.documents.mu.Lock()
	if open := s.documents.named(name); open != nil && open.tracked {
		text = open.text
	}
	s.documents.mu.Unlock()
	if text == "" {
		if text, err = at.ReadFile(path); err != nil {
			return "", err
		}
	}
	from, err := offset(text, span.Start)
	if err != nil {
		return "", fault.Invalid("range", "%v", err)
	}
	to, err := offset(text, span.End)
	if err != nil || to < from {
		return "", fault.Invalid("range", "must lie in the file")
	}
	return text[from:to], nil
}

func (s *Server) commandForget(ctx context.Context, at *service.View, args json.RawMessage) (any, error) {
	params, err := decodeArgs[wire.MemoryRemoveParams](args)
	if err != nil {
		return nil, err
	}
	return s.service.MemoryRemove(ctx, at, &params)
}

func (s *Server) commandSearch(_ context.Context, at *service.View, args json.RawMessage) (any, error) {
	params, err := decodeArgs[struct {
		Query string `json:"query"`
	}](args)
	if err != nil {
		return nil, err
	}
	found, err := s.service.Search(at, params.Query)
	if err != nil {
		return nil, err
	}
	s.present("search.md", found.Markdown)
	return map[string]any{"entries": found.Entries}, nil
}

func (s *Server) commandShowContext(_ context.Context, at *service.View, _ json.RawMessage) (any, error) {
	text := s.service.ContextText(at)
	s.present("context.md", text)
	return map[string]string{"text": text}, nil
}

func (s *Server) commandShowPanel(_ context.Context, at *service.View, _ json.RawMessage) (any, error) {
	text := s.service.PanelText(at)
	s.present("panel.md", text)
	return map[string]string{"text": text}, nil
}

func (s *Server) commandPause(ctx context.Context, at *service.View, args json.RawMessage) (any, error) {
	params, err := decodeArgs[wire.PauseParams](args)
	if err != nil {
		return nil, err
	}
	result, err := s.service.Pause(ctx, at, &params)
	if err == nil && result.PausedUntil != "" {
		s.say(ctx, "Nothing is recorded until %s.", result.PausedUntil)
	} else if err == nil {
		s.say(ctx, "Recording goes on.")
	}
	return result, err
}

// commandClearSlot empties a slot of the working memory.
func (s *Server) commandClearSlot(ctx context.Context, at *service.View, args json.RawMessage) (any, error) {
	params, err := decodeArgs[wire.WorkingClearParams](args)
	if err != nil {
		return nil, err
	}
	if params.Slot == "" {
		return nil, fault.Invalid("slot", "is missing; name the slot to empty")
	}
	result, err := s.service.WorkingClear(ctx, at, &params)
	if err == nil {
		s.say(ctx, "Removed %d items from the working memory.", result.Removed)
	}
	return result, err
}

// commandArchiveNote moves a note to the archive.
func (s *Server) commandArchiveNote(ctx context.Context, at *service.View, args json.RawMessage) (any, error) {
	params, err := decodeArgs[wire.NotesArchiveParams](args)
	if err != nil {
		return nil, err
	}
	if params.Path == "" {
		return nil, fault.Invalid("path", "is missing; name the note to archive")
	}
	result, err := s.service.NotesArchive(ctx, at, &params)
	if err == nil {
		s.say(ctx, "Archived as %s.", result.Path)
	}
	return result, err
}

// shown is the folder, under the data folder, of the texts that are opened in
// the editor. Each kind has one file.
const shown = "shown"

// present opens a text in the editor, or shows it as a message where the client
// opens no documents. It does not wait for the client.
func (s *Server) present(name, text string) {
	dir := filepath.Join(s.service.DataDir(), shown)
	path := filepath.Join(dir, name)
	err := os.MkdirAll(dir, 0o700)
	if err == nil {
		err = os.WriteFile(path, []byte(gate.Text(text)), 0o600)
	}
	if err != nil {
		s.log.Warn("write a text to show", "error", err)
	}
	s.later(func(ctx context.Context) {
		if err != nil || !s.showDocument(ctx, path) {
			s.showMessage(ctx, text)
		}
	})
}
