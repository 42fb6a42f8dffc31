package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"go.lsp.dev/uri"

	ansi "github.com/wm-lsp/wm-lsp/extract/terminal"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/gate"
	"github.com/wm-lsp/wm-lsp/server/service"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// A desk is the service for one command, in the workspace of its folder, to which it is only
// attached.
type desk struct {
	*program
	service    *service.Service
	operations map[string]service.Operation
	told       []string // the problems
}

// An answer is what a command has to say.
type answer struct {
	// result is what is written with --json, and text what is written without it.
	result any
	text   string
	// err is the error to return after the result was written, or nil.
	err error
}

// An opening is what a command does with a workspace.
type opening int

const (
	// reads is for commands that make no memory where there is none.
	reads opening = iota
	// writes is for commands that make one.
	writes
	// looks is for commands that also run if the memory cannot be opened.
	looks
)

// run makes a command run in the workspace and write its answer.
func (p *program) run(
	command *cobra.Command, opens opening, do func(ctx context.Context, d *desk, args []string) (answer, error),
) *cobra.Command {
	p.runLong(command, opens, do)
	whole := command.RunE
	command.RunE = func(cmd *cobra.Command, args []string) error {
		defer time.AfterFunc(patience, func() { p.leave(errPatience) }).Stop()
		return whole(cmd, args)
	}
	return command
}

// runLong is run for a command that takes as long as the memory is large.
func (p *program) runLong(
	command *cobra.Command, opens opening, do func(ctx context.Context, d *desk, args []string) (answer, error),
) *cobra.Command {
	command.RunE = func(cmd *cobra.Command, args []string) error {
		said, err := p.answer(cmd.Context(), opens, args, do)
		if err != nil {
			return err
		}
		return p.write(said)
	}
	return command
}

// answer runs a command. The workspace is closed when it returns, so nothing is lost if the answer
// cannot be written.
func (p *program) answer(
	ctx context.Context, opens opening, args []string,
	do func(ctx context.Context, d *desk, args []string) (answer, error),
) (said answer, err error) {
	d, err := p.open(opens != writes)
	if err != nil {
		return said, err
	}
	defer d.close()
	if opens == looks {
		return do(ctx, d, args)
	}
	err = d.ready(ctx)
	none := errors.Is(err, service.ErrNothingKept)
	if err != nil && !(none && p.json) {
		return said, err
	}
	said, err = do(ctx, d, args)
	d.tellProblems() // such as damage that it has met
	switch {
	case none && err == nil: // the result is empty
		said.err = service.ErrNothingKept
	case none && fault.Has(err, fault.NoWorkspace):
		err = service.ErrNothingKept
	}
	return said, err
}

// write writes an answer.
func (p *program) write(said answer) error {
	doc := []byte(strings.TrimRight(said.text, "\n"))
	if p.json {
		var err error
		if doc, err = wire.Encode(said.result); err != nil {
			return err
		}
	}
	if len(doc) > 0 {
		if _, err := p.Out.Write(append(doc, '\n')); err != nil {
			return fmt.Errorf("the output was not written, what was asked for is done: %w", err)
		}
	}
	return said.err
}

// open opens the workspace of the folder for one command. If only an existing memory is opened, none is made.
func (p *program) open(existing bool) (*desk, error) {
	return p.openWith(service.Options{Log: p.log(p.Err), Outbox: service.Silent{}, Brief: true, Existing: existing})
}

// log returns the log of a service: what fails, without secrets.
func (p *program) log(to io.Writer) *slog.Logger {
	return slog.New(slog.NewTextHandler(gate.Writer(to), &slog.HandlerOptions{Level: slog.LevelError}))
}

// openWith opens the workspace of the folder with a service of these options.
func (p *program) openWith(options service.Options) (*desk, error) {
	go gate.Prepare()
	folder, err := absolute(p.folder)
	if err != nil {
		return nil, err
	}
	options.Version, options.Cores = p.Version, p.Cores
	d := &desk{program: p, operations: map[string]service.Operation{}}
	d.service = service.New(options)
	for _, op := range d.service.Operations() {
		d.operations[op.Name] = op
	}
	settings, err := json.Marshal(wire.InitializationOptions{Attach: true})
	if err != nil {
		return nil, err
	}
	d.service.Begin(service.Client{
		Name: service.CommandLine, Folders: []string{string(uri.File(folder))}, Settings: settings,
		Typed: p.terminal.typed,
	})
	return d, nil
}

// closing is how long the last writes may take.
const closing = 5 * time.Second

func (d *desk) close() {
	ctx, cancel := context.WithTimeout(context.Background(), closing)
	defer cancel()
	d.service.Close(ctx)
}

// view returns the workspace of the folder.
func (d *desk) view() (*service.View, error) { return d.service.View(&wire.StatusParams{}) }

// ready waits until the memory is read. The error says why the folder has none, or why it cannot be
// used.
func (d *desk) ready(ctx context.Context) error {
	at, err := d.view()
	if err == nil {
		err = at.NoWorkspace()
	}
	if err != nil {
		return err
	}
	d.service.Settle(ctx, at)
	if at.Healthy() {
		d.tellProblems()
		return nil
	}
	for _, problem := range at.Failures() {
		return errors.New(problem.String())
	}
	return fmt.Errorf("the memory in %s is not open yet; try again", at.Dir())
}

// knows returns a refusal if params name a session that is not known.
func (d *desk) knows(ctx context.Context, params service.Params) error {
	at, err := d.service.View(params)
	if err != nil {
		return err
	}
	d.service.Settle(ctx, at)
	return at.NamedSession()
}

// tellProblems writes the problems of the memory that it has not written yet, such as a database that was damaged
// and is rebuilt.
func (d *desk) tellProblems() {
	at, err := d.view()
	if err != nil {
		return
	}
	for _, problem := range at.Problems() {
		if said := line(problem.String()); !slices.Contains(d.told, said) {
			d.told = append(d.told, said)
			fmt.Fprintf(d.Err, "wm-lsp: %s\n", said)
		}
	}
}

// call runs an operation.
func call[R any](ctx context.Context, d *desk, name string, params service.Params) (result R, err error) {
	given, err := d.service.Call(ctx, d.operations[name], params)
	if err != nil {
		return result, err
	}
	return given.(R), nil
}

// found returns an answer, or one that says that there is nothing.
func found(n int, result any, text, nothing string) answer {
	if n == 0 {
		return answer{result: result, err: nothingFound(nothing)}
	}
	return answer{result: result, text: text}
}

// maxInput is how many bytes of the standard input are read.
const maxInput = 1 << 20

// textOf returns the text of arguments, or of the standard input if they are "-".
func (p *program) textOf(args []string) (string, error) {
	if len(args) != 1 || args[0] != "-" {
		return strings.Join(args, " "), nil
	}
	doc, err := io.ReadAll(io.LimitReader(p.In, maxInput+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("read the standard input: %w", err)
	case len(doc) > maxInput:
		return "", fmt.Errorf("the standard input has more than %d bytes; send a shorter text", maxInput)
	case strings.TrimSpace(string(doc)) == "":
		return "", usage("the standard input is empty; it must have the text")
	}
	return string(doc), nil
}

// line returns a remembered text in one line, without characters that control a terminal.
func line(text string) string { return ansi.Line(text) }

// visible returns a remembered text without what controls a terminal, or hides a part of it.
func visible(text string) string { return ansi.Visible(text) }
