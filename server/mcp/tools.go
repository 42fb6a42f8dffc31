package mcp

import (
	"context"
	_ "embed"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/server/service"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// A tool is an operation under the name by which agents know it.
type tool struct {
	name, method string
	// daily reports whether the tool is offered by default.
	daily bool
	// shown are the parameters in the schema, by their names on the wire. A call may have the
	// others of the method, too. required are those that the method itself does not require.
	shown, required []string
	// description says to a model when to call the tool and what comes back; missing, what to do
	// if there is nothing with the id or path of a call.
	description, missing string
}

// What to do if there is nothing with an id or path.
const (
	missingEntry = "memory_list has the ids."
	missingNote  = "overview.md names the others; notes_write makes a new one."
)

// allTools returns the tools in the order in which they are listed. Those that an agent needs
// every day come first.
func allTools() []tool {
	return []tool{
		{
			name: "memory_context", method: "wm/context", daily: true, shown: []string{"query", "since"},
			description: "What is known about this workspace: rules, decisions, open errors, active files, your " +
				"core memory and notes. Call it when a task begins and after a compaction; later with " +
				"since to get only what is new. Returns a string and a revision.",
		},
		{
			name: "memory_remember", method: "wm/memory/add", daily: true,
			shown: []string{"text", "type", "rationale", "files"},
			description: "Keep a fact for all later sessions and agents of this workspace. Call it when the user " +
				"states a rule, a preference or a decision, or when you learn what the code does not say: " +
				"one fact a call, no progress. Returns a receipt: added, merged with a known fact, or " +
				"rejected and why.",
		},
		{
			name: "memory_search", method: "wm/search", daily: true,
			shown: []string{"query"},
			description: "Find what is remembered by words or a question. Call it before you decide or ask what an " +
				"earlier session may have settled. Returns the best hits, also what memory_context does not show.",
		},
		{
			name: "memory_list", method: "wm/memory/list", daily: true, shown: []string{"includeInactive"},
			description: "List the workspace memory. Call it to find the id of an entry, or to review what is kept. " +
				"Returns the entries with their ids.",
		},
		{
			name: "memory_forget", method: "wm/memory/remove", daily: true, shown: []string{"id", "erase"},
			description: "Remove an entry of the workspace memory that is wrong or outdated, or that the user wants " +
				"gone. Returns the entry.",
			missing: missingEntry,
		},
		{
			name: "core_memory_update", method: "wm/core/update", daily: true,
			shown: []string{"block", "operation", "content"},
			description: "Write a block of your core memory, which every memory_context of this session shows. " +
				"Call it when the goal or the progress changes. Returns the block; one that is too " +
				"long is refused.",
		},
		{
			name: "notes_read", method: "wm/notes/read", daily: true, shown: []string{"path"},
			description: "Read one of your notes. Call it before you change a note, or for the details that " +
				"overview.md refers to. Returns the content and its revision.",
			missing: missingNote,
		},
		{
			name: "notes_write", method: "wm/notes/write", daily: true,
			shown: []string{"path", "content", "ifRevision"},
			description: "Write a note in Markdown: the state of the task into overview.md, which is in every " +
				"context and stays short, long texts into detail/. Returns the new revision.",
		},
		{
			name: "open_errors", method: "wm/errors/list", daily: true, shown: []string{"paths"},
			description: "List the errors of compilers, tests, linters and commands that nobody has seen fixed, of " +
				"all agents and editors. Call it before you say that work is done.",
		},
		{
			name: "compact_history", method: "wm/history/compact", daily: true,
			shown: []string{"target", "summary"},
			description: "Shorten the recorded conversation. Call it when the context is nearly full or a part of " +
				"the work is done. Returns what was removed and kept, and the note with the removed " +
				"messages.",
			missing: "Go on without it. A host records a conversation with the setting history.keep.",
		},

		{
			name: "core_memory_read", method: "wm/core/read",
			description: "Read your core memory: the blocks goal, progress and context with their limits.",
		},
		{
			name: "working_memory_read", method: "wm/working/read",
			description: "Read your working memory: what matters now, collected from the session.",
		},
		{
			name: "working_memory_add", method: "wm/working/add", shown: []string{"content", "slot"},
			description: "Add an item to your working memory, such as an error or a todo.",
		},
		{
			name: "working_memory_remove", method: "wm/working/remove", shown: []string{"match", "id", "slot"},
			description: "Remove the items that contain a string from your working memory.",
		},
		{
			name: "working_memory_clear", method: "wm/working/clear",
			description: "Clear your whole working memory.",
		},
		{
			name: "working_memory_clear_slot", method: "wm/working/clear", shown: []string{"slot"},
			required: []string{"slot"}, description: "Clear a slot of your working memory.",
		},
		{
			name: "memory_update", method: "wm/memory/update",
			shown:       []string{"id", "text", "type", "rationale", "pinned", "reviewed", "status"},
			description: "Change an entry of the workspace memory, or keep one that is offered.",
			missing:     missingEntry,
		},
		{
			name: "memory_explain", method: "wm/memory/explain", shown: []string{"id"},
			description: "Where an entry or item comes from, how it changed, and why it is kept or not.",
			missing:     missingEntry,
		},
		{
			name: "notes_list", method: "wm/notes/list",
			description: "List your notes: overview.md, detail/ and archive/.",
		},
		{
			name: "notes_archive", method: "wm/notes/archive", shown: []string{"path"},
			description: "Move a note to archive/.",
			missing:     missingNote,
		},
		{
			name: "prune_output", method: methodPrune, shown: []string{"tool", "command", "output", "mode"},
			description: "Shorten the output of a tool. Every error line stays, and the whole can be read again.",
		},
		{
			name: "read_output", method: "wm/output/read", shown: []string{"ref", "offset", "limit"},
			description: "Read the whole of a shortened output.",
		},
		{
			name: "report_usage", method: "wm/usage/reported",
			shown: []string{
				"promptChars", "charLimit", "tokensUsed", "tokensMax", "systemTokens", "toolsTokens", "historyTokens",
				"messagesInHistory",
			},
			description: "Report how full your context is. Returns the pressure and what to compress.",
		},
		{
			name: "active_files", method: "wm/files/list", shown: []string{"limit"},
			description: "List the files that editors and agents work on, the most important first.",
		},
		{
			name: "commit", method: "wm/commit", shown: []string{"progress"},
			description: "Close the step of your work: working memory is summarised and a line is added to the " +
				"progress of your core memory. Returns what the step has stored.",
		},
		{
			name: "budget_status", method: "wm/budget",
			description: "Get how much of each budget is used: of your context, by section, and of the memory types.",
		},
		{
			name: "handover", method: "wm/session/handover",
			description: "What the agent before you left: its goal, what fails, the files it changed and its notes. " +
				"Call it when the user wants to go on with earlier work and memory_context does not show it. " +
				"Returns a string.",
		},
		{
			name: "skills", method: "wm/skills", shown: []string{"query", "limit"},
			description: "Find procedures that succeeded in this workspace before, such as how changes are checked, " +
				"for what you are about to do.",
		},
		{
			name: "memorize", method: "wm/memorize", shown: []string{"items"},
			description: "Store observations, facts, thoughts or messages as items, each with its text and type. " +
				"Returns which were stored, and which are known or not important enough.",
		},
	}
}

// schemas are the schemas of the arguments, by tool. They are made from the types of package
// wire: go test ./server/mcp -run Current -update
//
//go:embed schemas.json
var schemas []byte

// addTools offers the tools.
func (s *Server) addTools() {
	var known map[string]json.RawMessage
	if err := json.Unmarshal(schemas, &known); err != nil {
		panic(err)
	}
	for _, t := range s.tools {
		s.host.AddTool(&sdk.Tool{
			Name: t.name, Description: t.description, InputSchema: known[t.name],
			Annotations: hints(s.operations[t.method].Method),
		}, s.call(t))
	}
}

// hints returns what a host should know before it lets an agent call a method.
func hints(method wire.Method) *sdk.ToolAnnotations {
	closed := false
	hints := &sdk.ToolAnnotations{
		ReadOnlyHint: method.Access == wire.Reads, IdempotentHint: method.Idempotent, OpenWorldHint: &closed,
	}
	if !hints.ReadOnlyHint {
		hints.DestructiveHint = &method.Destructive
	}
	return hints
}

// offered returns the tools of every day, or all.
func offered(all bool) []tool {
	return slices.DeleteFunc(allTools(), func(t tool) bool { return !all && !t.daily })
}

// DailyTools returns the names of the tools that are offered by default, by their methods.
func DailyTools() map[string]string { return namesOf(offered(false)) }

// namesOf returns the names of tools by their methods. The first tool of a method counts.
func namesOf(tools []tool) map[string]string {
	names := map[string]string{}
	for _, t := range tools {
		if _, is := names[t.method]; !is {
			names[t.method] = t.name
		}
	}
	return names
}

// call returns the handler of a tool.
func (s *Server) call(t tool) sdk.ToolHandler {
	return func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		stop := s.progress(ctx, req, t)
		defer stop()
		given := input{req.Params.InputResponses, req.Params.RequestState}
		result, ask, err := inTurn(ctx, s, req.Session, given, func() (func() (any, error), error) {
			return s.startTool(ctx, t, req)
		})
		switch {
		case ask:
			return &sdk.CallToolResult{InputRequests: askRoots(), RequestState: rootsRequest}, nil
		case err != nil:
			return failure(err, s.operations[t.method].Access, t.missing), nil
		}
		return s.answer(result)
	}
}

// startTool decodes the arguments of a tool and starts its operation.
func (s *Server) startTool(
	ctx context.Context, t tool, req *sdk.CallToolRequest,
) (wait func() (any, error), err error) {
	op, arguments := s.operations[t.method], req.Params.Arguments
	if len(arguments) == 0 || string(arguments) == "null" {
		arguments = json.RawMessage("{}")
	}
	params, unknown, err := op.Decode(arguments)
	if len(unknown) > 0 {
		return nil, t.refuse(unknown[0])
	}
	if err != nil {
		return nil, err
	}
	if search, is := params.(*wire.SearchParams); is && search.IncludeRemoved == nil {
		search.IncludeRemoved = new(bool) // what was forgotten is no answer, unless the agent asks for it
	}
	for _, name := range t.required {
		if isZero(params, name) {
			return nil, fault.Invalid(name, "is missing")
		}
	}
	if common := params.Common(); common.SessionID == "" {
		common.SessionID = codexSession(req)
	}
	return s.start(ctx, op, params)
}

// refuse returns the error for a parameter that the method of a tool does not have. It names the
// parameter that was meant, or those that the tool shows.
func (t tool) refuse(unknown wire.UnknownMember) error {
	switch {
	case 3*unknown.Distance <= len(unknown.Name):
		return fault.Invalid(unknown.Name, "is not a parameter of %s; the nearest is %s", t.name, unknown.Nearest)
	case len(t.shown) == 0:
		return fault.Invalid(unknown.Name, "is not a parameter of %s, which needs none", t.name)
	}
	return fault.Invalid(unknown.Name, "is not a parameter of %s, which has %s", t.name, strings.Join(t.shown, ", "))
}

// isZero reports whether a member of params is absent or empty.
func isZero(params service.Params, name string) bool {
	value := reflect.ValueOf(params).Elem()
	for i := range value.NumField() {
		if value.Type().Field(i).Tag.Get("json") == name+",omitzero" {
			return value.Field(i).IsZero()
		}
	}
	return true
}

// start starts an operation of the agent. After the first one in the session of the server
// it starts that, for which the answer does not wait.
func (s *Server) start(ctx context.Context, op service.Operation, params service.Params) (func() (any, error), error) {
	at, err := s.service.View(params)
	if err != nil {
		return nil, err
	}
	if err := at.NoWorkspace(); err != nil {
		return nil, err
	}
	if common := params.Common(); common.SessionID == "" && s.workspace.follow != nil {
		s.service.Settle(ctx, at) // the hooks of the agent are other processes
		if common.SessionID = s.workspace.follow.Of(at); common.SessionID != "" {
			return s.start(ctx, op, params)
		}
	}
	wait := s.service.Start(ctx, op, at, params)
	switch {
	case op.Access == wire.Mutates:
		wait = s.noNews(ctx, at, params, wait)
	case op.Name != methodPrune:
		wait = fromOpen(at, wait)
	}
	if params.Common().SessionID != "" {
		return wait, nil
	}
	return func() (any, error) {
		defer s.workspace.start(ctx)
		return wait()
	}, nil
}

// noNews returns a write of which the agent is told nothing by its hooks afterwards.
func (s *Server) noNews(
	ctx context.Context, at *service.View, params service.Params, wait func() (any, error),
) func() (any, error) {
	return func() (any, error) {
		result, err := wait()
		if err == nil {
			s.service.Wrote(context.WithoutCancel(ctx), at, hostOf(s.workspace.client), params, result)
		}
		return result, err
	}
}

// methodPrune is the read that needs no memory: it shortens what the call brings.
const methodPrune = "wm/prune"

// fromOpen returns a read that fails if the memory cannot be opened, because the result would
// look like an empty memory. A parameter that is wrong is told first.
func fromOpen(at *service.View, wait func() (any, error)) func() (any, error) {
	return func() (any, error) {
		result, err := wait()
		if err == nil || fault.Of(err).Kind == fault.Refused {
			if unopened := at.Unopened(); unopened != nil {
				return nil, unopened
			}
		}
		return result, err
	}
}

// progressInterval is the time between two messages on the progress of a call.
const progressInterval = time.Second

// progress notifies the host that a call is being worked on, if it wants to know: at once, then
// at intervals until stop is called. How long it will take is not known, so the progress is the
// number of the message.
func (s *Server) progress(ctx context.Context, req *sdk.CallToolRequest, t tool) (stop func()) {
	token := req.Params.GetProgressToken()
	if token == nil {
		return func() {}
	}
	n := 0.0
	tell := func(message string) {
		n++
		err := req.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{
			ProgressToken: token, Progress: n, Message: message,
		})
		if err != nil {
			s.log.Debug("tell the host of the progress", "error", err)
		}
	}
	tell(t.name + " is running")
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(progressInterval)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				tell(t.name + " is still running")
			}
		}
	}()
	return func() {
		cancel()
		<-done
	}
}
