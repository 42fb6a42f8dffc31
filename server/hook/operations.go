package hook

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"go.lsp.dev/uri"

	"github.com/wm-lsp/wm-lsp/extract/command"
	"github.com/wm-lsp/wm-lsp/memory/gate"
	"github.com/wm-lsp/wm-lsp/memory/tool"
	"github.com/wm-lsp/wm-lsp/server/service"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// A desk is the service for one event.
type desk struct {
	options    Options
	service    *service.Service
	operations map[string]service.Operation
	// session is the id of the agent's session in the memory.
	session string
}

// newDesk opens the folder of an event in the session of the agent.
func newDesk(options Options, e Event) *desk {
	go gate.Prepare()
	d := &desk{
		options: options, operations: map[string]service.Operation{}, session: service.AgentSession(e.Host, e.Session),
	}
	d.service = service.New(service.Options{
		Log: options.Log, Outbox: quiet{options.Log}, Version: options.Version,
		DataDir: options.DataDir, UserFile: options.UserFile, Cores: options.Cores,
		Unseen: true, Host: options.Host,
		Brief: e.Kind != SessionStart, // once in a session, what is due is done
	})
	for _, op := range d.service.Operations() {
		d.operations[op.Name] = op
	}
	settings, err := json.Marshal(wire.InitializationOptions{
		SessionID: d.session, Agent: e.Host, Attach: true, ToolNames: options.tools(),
	})
	if err != nil {
		panic(err) // strings can be encoded
	}
	folder := cmp.Or(e.Project, e.Cwd, options.WorkDir)
	d.service.Begin(service.Client{Name: e.Host, Folders: []string{string(uri.File(folder))}, Settings: settings})
	return d
}

// closing is how long the last writes may take.
const closing = time.Second

func (d *desk) close() {
	ctx, cancel := context.WithTimeout(context.Background(), closing)
	defer cancel()
	d.service.Close(ctx)
}

// call runs an operation in the session of the event. It logs the error and returns false.
func call[R any](ctx context.Context, d *desk, name string, params service.Params) (result R, done bool) {
	at, err := d.service.View(params)
	if err == nil {
		var answer any
		if answer, err = d.service.Start(ctx, d.operations[name], at, params)(); err == nil {
			return answer.(R), true
		}
	}
	d.options.Log.Warn("an event was not handled", "method", name, "error", err)
	return result, false
}

// contextChars limits a whole context, so that it fits into maxAnswer with other alphabets, too.
const contextChars = 9000

// newsHead begins the news that an agent is told with a prompt.
const newsHead = "Working memory, new since the last prompt:"

// answer does what an event asks for.
func (d *desk) answer(ctx context.Context, e Event) Answer {
	at, err := d.service.View(&wire.StatusParams{})
	if err == nil {
		err = at.NoWorkspace()
	}
	if err != nil {
		d.options.Log.Info("the folder of an event has no memory", "error", err)
		if e.Kind == SessionStart && at != nil {
			return Answer{Message: d.warning(at)}
		}
		return Answer{}
	}
	if settled := at.Settled(); settled != nil { // the memory is being read
		select {
		case <-settled:
		case <-ctx.Done():
			return Answer{}
		}
	}
	switch deleted := at.Sessions().Deleted(d.session); {
	case deleted && e.Kind == SessionStart:
		call[wire.SessionStartResult](ctx, d, "wm/session/start",
			&wire.SessionStartParams{Params: wire.Params{SessionID: d.session}, Agent: e.Host})
	case deleted:
		return Answer{}
	}
	if !d.isFirst(ctx, at, e) {
		return Answer{}
	}
	return d.handle(ctx, at, e)
}

func (d *desk) handle(ctx context.Context, at *service.View, e Event) Answer {
	var answer Answer
	switch e.Kind {
	case SessionStart:
		return Answer{Message: d.warning(at), Context: d.context(ctx, wire.TellWhole, "")}
	case Prompt:
		heard, _ := call[wire.MessageReceivedResult](ctx, d, "wm/message/received",
			&wire.MessageReceivedParams{Role: wire.RoleUser, Text: e.Text})
		lines := append(service.Heard(e.Text, heard.Memories), at.ToForget(ctx, e.Text)...)
		answer.Message = strings.Join(lines, "\n")
		if e.takesContext() {
			answer.Context = d.context(ctx, wire.TellNews, e.Text)
		}
	case Tool:
		if e.takesContext() { // what is new without this tool
			answer.Context = d.context(ctx, wire.TellNews, "")
		}
		for _, one := range append([]Event{e}, e.Also...) {
			one.Cwd = e.Cwd
			d.tool(ctx, at, one)
		}
	case Todos:
		d.todos(ctx, e)
	case Compacting:
		if !e.tellsCompacted() {
			call[wire.CompactionFinishedResult](ctx, d, "wm/compaction/finished", &wire.CompactionFinishedParams{})
		}
		if e.takesInstructions() {
			starting, _ := call[wire.CompactionStartingResult](ctx, d, "wm/compaction/starting",
				&wire.CompactionStartingParams{})
			return Answer{Instructions: starting.Context}
		}
	case Compacted:
		read, _ := call[wire.CompactionFinishedResult](ctx, d, "wm/compaction/finished",
			&wire.CompactionFinishedParams{Summary: e.Text})
		return Answer{Message: strings.Join(service.Kept(read.Memories), "\n")}
	case Stop:
		if e.Text != "" {
			call[wire.MessageReceivedResult](ctx, d, "wm/message/received",
				&wire.MessageReceivedParams{Role: wire.RoleAssistant, Text: e.Text})
		}
	case SessionEnd:
		call[wire.SessionEndResult](ctx, d, "wm/session/end",
			&wire.SessionEndParams{Params: wire.Params{SessionID: d.session}})
	}
	return answer
}

// told returns what an event tells, with the outcome of its tools: a command that fails and then succeeds has run
// twice.
func (e Event) told() []byte {
	exit := "unknown"
	if e.Exit != nil {
		exit = fmt.Sprint(*e.Exit)
	}
	told := fmt.Appendf(nil, "%s\x00%s\x00%s\x00%s\x00%s\x00%s\x00%t\x00%s\x00",
		e.Kind, e.Source, e.Tool, e.Input, e.Text, exit, e.Failed, e.Output)
	for _, one := range e.Also {
		told = append(told, one.told()...)
	}
	return told
}

// isFirst reports whether an event arrives for the first time. Without an id, an equal event is the same one if it
// arrived in the same second of the clock, or in one beside it, and if the same call of a tool did not end otherwise
// in between. Nor may another command have ended, which may have closed what this one reports.
func (d *desk) isFirst(ctx context.Context, at *service.View, e Event) bool {
	if e.Kind == SessionEnd {
		return true
	}
	id, about, others := e.ID, "", []string(nil)
	if id == "" {
		told := digest(e.told())
		if e.Tool != "" {
			call := e.Input
			if tool.CommandLine(call) != "" {
				call = nil
			}
			about = digest(fmt.Appendf(nil, "%s\x00%s\x00%s", e.Kind, e.Tool, call)) + "/"
		}
		within := func(second int64) string { return fmt.Sprintf("%s%s@%d", about, told, second) }
		now := d.options.Now().Unix()
		id, others = within(now), []string{within(now - 1), within(now + 1)}
	}
	first, err := d.service.First(ctx, at, about, id, others...)
	if err != nil { // the memory cannot be written: it can be read
		d.options.Log.Warn("whether an event came before is not known", "error", err)
		return true
	}
	return first
}

// context returns what the session is told, "" if there is nothing to tell.
func (d *desk) context(ctx context.Context, tell wire.Tell, prompt string) string {
	result, done := call[wire.ContextResult](ctx, d, "wm/context", &wire.ContextParams{
		Tell: tell, Query: prompt, Guide: tell == wire.TellWhole, Budget: &wire.ContextBudget{Chars: contextChars},
	})
	switch {
	case done && result.Delta != nil:
		return newsHead + "\n" + result.Delta.Text
	case done && result.Context != nil:
		return strings.TrimSpace(result.Text)
	}
	return ""
}

// read are the kinds of tools that are reported.
var read = []tool.Kind{tool.Shell, tool.Edit, tool.Write, tool.Read}

// tool reports a tool, if it is one that runs commands, changes or reads files.
func (d *desk) tool(ctx context.Context, at *service.View, e Event) {
	if !slices.Contains(read, tool.KindOf(at.Settings().Tools, e.Tool)) {
		return
	}
	params := &wire.ToolExecutedParams{
		Tool: e.Tool, Input: e.Input, Output: command.Excerpt(e.Output), ExitCode: e.Exit, Cwd: e.Cwd,
	}
	if e.Failed {
		params.Outcome = wire.OutcomeFailure
	}
	call[wire.ToolExecutedResult](ctx, d, "wm/tool/executed", params)
}

// warning returns what a person has to know at the start of a session: that the plugin needs
// another program, or that the folder or its memory cannot be used.
func (d *desk) warning(at *service.View) string {
	var lines []string
	if outdated := d.options.outdated(); outdated != "" {
		lines = append(lines, outdated)
	}
	for _, obstacle := range at.Obstacles() {
		lines = append(lines, "wm-lsp: "+obstacle)
	}
	return strings.Join(lines, "\n")
}

// quiet is the outbox of a client that takes no notifications.
type quiet struct{ log *slog.Logger }

func (quiet) Changed(context.Context, wire.Changed) {}

func (quiet) Intervene(wire.Intervention) {}

func (quiet) Compacted(wire.HistoryCompacted) {}

func (quiet) Ask(service.Question) {}

// Tell logs what a person should know.
func (q quiet) Tell(message string) { q.log.Warn(message) }
