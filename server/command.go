package server

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/wm-lsp/wm-lsp/extract/quality"
	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/gate"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/server/panel"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// A command is one that any LSP client can run with workspace/executeCommand.
type command struct {
	name string
	// changes is true if it writes.
	changes bool
	run     func(s *Server, ctx context.Context, at *view, args json.RawMessage) (any, error)
}

func commands() []command {
	return []command{
		{"wm.remember", true, (*Server).commandRemember},
		{"wm.forget", true, (*Server).commandForget},
		{"wm.search", false, (*Server).commandSearch},
		{"wm.showContext", false, (*Server).commandShowContext},
		{"wm.showPanel", false, (*Server).commandShowPanel},
		{"wm.clearSlot", true, (*Server).commandClearSlot},
		{"wm.archiveNote", true, (*Server).commandArchiveNote},
		{"wm.pause", true, (*Server).commandPause},
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
		at, err := s.folders.view(&named.Params, named.URI)
		if err != nil {
			return task{}, err
		}
		order := reading
		if chosen.changes {
			order = changing
		}
		return task{when: order, at: at, run: func(ctx context.Context) (any, error) {
			result, err := chosen.run(s, ctx, at, args)
			if err != nil {
				return nil, err
			}
			return encoded(result)
		}}, nil
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

func (s *Server) commandRemember(ctx context.Context, at *view, args json.RawMessage) (any, error) {
	params, err := decodeArgs[rememberParams](args)
	if err != nil {
		return nil, err
	}
	add := wire.MemoryAddParams{Text: params.Text, Type: params.Type}
	if params.URI != "" {
		text, path, err := s.selected(at, params.URI, params.Range)
		if err != nil {
			return nil, err
		}
		if add.Text == "" {
			add.Text = text
		}
		add.Files = []string{path}
	}
	if strings.TrimSpace(add.Text) == "" {
		return nil, fault.Invalid("text", "is missing; give a text, or the uri and range of one")
	}
	if params.Fix != nil && strings.TrimSpace(*params.Fix) != "" {
		add.Text = strings.TrimSpace(add.Text) + ". Fix: " + strings.TrimSpace(*params.Fix)
	}
	receipt, err := s.memoryAdd(ctx, at, &add)
	if err == nil {
		s.tellReceipt(ctx, receipt)
	}
	return receipt, err
}

// selected returns the text of a range of a file, as it is in the editor or on
// the disk, and the file's path.
func (s *Server) selected(at *view, name string, span *protocol.Range) (text, path string, err error) {
	file, err := filePath(name)
	if err != nil {
		return "", "", fault.Invalid("uri", "%v", err)
	}
	if at.folder.scope == nil {
		return "", "", at.NoWorkspace()
	}
	path, inside := at.folder.scope.Rel("", file)
	if !inside || !at.folder.scope.Tracked(path) {
		return "", "", fault.Invalid("uri", "must be a file that this workspace tracks, got %s", name)
	}
	if span == nil {
		return "", path, nil
	}
	s.documents.mu.Lock()
	if open := s.documents.named(name); open != nil && open.tracked {
		text = open.text
	}
	s.documents.mu.Unlock()
	if text == "" {
		content, err := os.ReadFile(file)
		if err != nil {
			return "", "", fault.Invalid("uri", "the file cannot be read: %v", err)
		}
		text = string(content)
	}
	from, err := offset(text, span.Start)
	if err != nil {
		return "", "", fault.Invalid("range", "%v", err)
	}
	to, err := offset(text, span.End)
	if err != nil || to < from {
		return "", "", fault.Invalid("range", "must lie in the file")
	}
	return text[from:to], path, nil
}

func (s *Server) tellReceipt(ctx context.Context, receipt wire.Receipt) {
	switch receipt.Status {
	case wire.ReceiptRejected:
		s.say(ctx, "Not remembered: %s.", receipt.Reason)
	case wire.ReceiptMerged:
		s.say(ctx, "This was remembered already; it counts more now.")
	default:
		s.say(ctx, "Remembered.")
	}
}

func (s *Server) commandForget(ctx context.Context, at *view, args json.RawMessage) (any, error) {
	params, err := decodeArgs[wire.MemoryRemoveParams](args)
	if err != nil {
		return nil, err
	}
	return s.memoryRemove(ctx, at, &params)
}

// commandSearch finds the entries that hold every word of the query.
func (s *Server) commandSearch(_ context.Context, at *view, args json.RawMessage) (any, error) {
	params, err := decodeArgs[struct {
		Query string `json:"query"`
	}](args)
	if err != nil {
		return nil, err
	}
	words := strings.Fields(quality.Canonical(params.Query))
	if len(words) == 0 {
		return nil, fault.Invalid("query", "is missing; give the words to look for")
	}
	found := []wire.MemoryEntry{}
	var text strings.Builder
	fmt.Fprintf(&text, "# Memory: %s\n\n", oneLine(params.Query))
	for _, entry := range memory.RoomOf[*longterm.Room](at.Workspace).List(nil, false) {
		if containsAll(quality.Canonical(entry.Text+" "+entry.Rationale+" "+entry.Type), words) {
			found = append(found, memoryEntry(entry))
			fmt.Fprintf(&text, "- [%s] %s\n", entry.Type, oneLine(entry.Text))
		}
	}
	if len(found) == 0 {
		text.WriteString("Nothing is remembered of this.\n")
	}
	s.present("search.md", text.String())
	return map[string]any{"entries": found}, nil
}

func containsAll(text string, words []string) bool {
	for _, word := range words {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

func (s *Server) commandShowContext(_ context.Context, at *view, _ json.RawMessage) (any, error) {
	text := s.wholeContext(at)
	s.present("context.md", text)
	return map[string]string{"text": text}, nil
}

func (s *Server) commandShowPanel(_ context.Context, at *view, _ json.RawMessage) (any, error) {
	var text strings.Builder
	for _, section := range panel.Build(at.reader(), nil).Sections {
		fmt.Fprintf(&text, "# %s  %s\n\n", section.Title, section.Summary)
		if len(section.Items) == 0 {
			fmt.Fprintf(&text, "%s\n", section.Empty)
		}
		for _, item := range section.Items {
			fmt.Fprintf(&text, "- %s  (%s)\n", item.Label, item.Detail)
		}
		text.WriteString("\n")
	}
	s.present("panel.md", text.String())
	return map[string]string{"text": text.String()}, nil
}

func (s *Server) commandPause(ctx context.Context, at *view, args json.RawMessage) (any, error) {
	params, err := decodeArgs[wire.PauseParams](args)
	if err != nil {
		return nil, err
	}
	result, err := s.pause(ctx, at, &params)
	if err == nil && result.PausedUntil != "" {
		s.say(ctx, "Nothing is recorded until %s.", result.PausedUntil)
	} else if err == nil {
		s.say(ctx, "Recording goes on.")
	}
	return result, err
}

// shown is the folder, under the data folder, of the texts that are opened in
// the editor. Each kind has one file.
const shown = "shown"

// present opens a text in the editor, or shows it as a message where the client
// opens no documents. It does not wait for the client.
func (s *Server) present(name, text string) {
	dir := filepath.Join(s.options.DataDir, shown)
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

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
