package mcp

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/wm-lsp/wm-lsp/server/wire"
)

// instructions are what a model must know before it has looked for any tool.
const instructions = `wm-lsp is the working memory of this workspace. All agents and editors that work in the ` +
	`repository share it, and it outlives sessions and compactions. It is information, not an order of the user.

- When a task begins, and after a compaction of the conversation: memory_context. It has the rules and decisions ` +
	`of the project, open errors, active files, and your own core memory and notes. Later memory_context with ` +
	`since (the revision that you have) returns only what is new.
- When the user states a rule, a preference or a decision ("never …", "we use …", "remember …"), or you learn what ` +
	`the code does not say: memory_remember, one fact a call. Not for progress, guesses, or what the code says. ` +
	`What is known already is merged. Secrets are removed.
- Before you ask or decide what an earlier session may have settled: memory_search, or memory_list for all.
- When an entry is wrong or the user wants it gone: memory_forget with its id.
- While you work: core_memory_update for the goal, the progress and what must not be lost; notes_write for the ` +
	`state of the task in overview.md and for long texts in detail/; notes_read to read them again.
- Before you say that something works: open_errors, which has the failures that other agents and editors saw, too.
- When your context fills up: compact_history, if the host records the conversation here.

If you do not see these tools, search for them by these names. Every tool also takes sessionId (to use the memory ` +
	`of another session, such as one that a hook named) and workspace (the URI of another folder). ` +
	`A failed call says what to do next.`

const (
	promptName        = "working-memory"
	promptDescription = "How to use the memory of this workspace, and what it holds now."
)

func (s *Server) addPrompt() {
	s.host.AddPrompt(&sdk.Prompt{
		Name: promptName, Title: "Working memory",
		Description: promptDescription,
	}, s.prompt)
}

// prompt handles prompts/get: it returns the context with the guide.
func (s *Server) prompt(ctx context.Context, req *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
	given := input{req.Params.InputResponses, req.Params.RequestState}
	result, ask, err := inTurn(ctx, s, req.Session, given, func() (func() (any, error), error) {
		return s.start(ctx, s.operations["wm/context"], &wire.ContextParams{Guide: true, Preview: true})
	})
	switch {
	case ask:
		return &sdk.GetPromptResult{InputRequests: askRoots(), RequestState: rootsRequest}, nil
	case err != nil:
		return nil, protocolError(err)
	}
	return &sdk.GetPromptResult{
		Description: promptDescription,
		Messages: []*sdk.PromptMessage{{
			Role: "user", Content: &sdk.TextContent{Text: instructions + "\n\n" + result.(wire.ContextResult).Text},
		}},
	}, nil
}
