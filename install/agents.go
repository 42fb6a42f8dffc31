// Package install puts the memory into the settings of agents, and takes it out again. What an
// agent needs are entries in its own settings files: a command at its events and a server of MCP.
// A file for each agent says which files and entries these are; the rest knows nothing of agents.
//
// A settings file belongs to the person: only entries are inserted, everything else stays to the
// byte. What was inserted is recorded beside the state of the program, so that it can be cut out
// again.
package install

import (
	"context"
	"path/filepath"
)

// An Agent is an agent into whose settings the memory can be put.
type Agent struct {
	// Name is the name in commands, Title the one that people know.
	Name, Title string
	// program is its program on the PATH, "" if it has none.
	program string
	// folder is its settings folder, by which it is found if its program is not.
	folder func(Places) string
	// parts are what is installed, of the user or, if Places has one, of the workspace; none if the
	// agent has no settings of workspaces.
	parts func(Places) []part
	// former are parts that only an older version has installed, nil if there are none. They are
	// taken out.
	former func(Places) []part
	// toolsOnly is true if the server of MCP is all that is installed: the agent has no hooks.
	toolsOnly bool
	// next is what a person has to do then, "" if nothing.
	next, nextProject string
	// clients are names that its client of MCP gives itself, besides those that begin with Name.
	clients []string
	// plugin reports whether our plugin is installed, nil if there is none.
	plugin func(Places) bool
	// trust asks the agent whether it trusts the hooks, nil if that cannot be asked or is not needed.
	trust func(ctx context.Context, program, workDir string) (string, error)
}

func (a Agent) formerParts(p Places) []part {
	if a.former == nil {
		return nil
	}
	return a.former(p)
}

// Places are the folders in which settings are.
type Places struct {
	// Home is the home folder. Workspace is the folder of the project, "" for the user's settings.
	Home, Workspace string
	// Env looks up environment variables.
	Env func(string) string
}

// project reports whether the settings of a project are meant.
func (p Places) project() bool { return p.Workspace != "" }

// either returns a path below the home folder, or below the workspace.
func (p Places) either(home, workspace string) []string {
	if p.project() {
		return []string{filepath.Join(p.Workspace, filepath.FromSlash(workspace))}
	}
	return []string{filepath.Join(p.Home, filepath.FromSlash(home))}
}

// folder returns the folder that a variable names, or else one below the home folder. Agents take a
// relative one for one below the working directory.
func (p Places) folder(variable, home string) string {
	if dir := p.Env(variable); dir != "" {
		if whole, err := filepath.Abs(dir); err == nil {
			return whole
		}
	}
	return filepath.Join(p.Home, filepath.FromSlash(home))
}

// Agents returns the agents, in the order in which they are listed.
func Agents() []Agent {
	return []Agent{
		claudeCode(), codex(), copilot(), openCode(), gemini(), qwen(), cline(), cursor(), vsCode(),
	}
}

// serverName is the name of the server of MCP in settings.
const serverName = "wm"

// server is the server of MCP in the form that most agents have, with more members before it.
func server(more ...member) entry {
	return entry{append(object(more), member{"command", program}, member{"args", []string{"mcp"}})}
}

// servers is a file with the server in the member mcpServers.
func servers(more ...member) object {
	return object{{"mcpServers", object{{serverName, server(more...)}}}}
}

// The command lines of hooks. A program that is missing, or so old that it does not know the
// command, must not keep an agent from going on; at the start of a session a message says so.
// They are the same for all events and do not change with the version, because Codex trusts a
// hash of them.
const (
	hookCommand  = program + " hook --tools 2>/dev/null || true"
	startCommand = program + " hook --tools 2>/dev/null || " +
		`echo '{"systemMessage": "wm-lsp was not found or is too old; the session goes on without its memory. ` +
		`Put the newest wm-lsp on the PATH, or remove its hooks from the settings."}'`
)

// The limits of time of hooks, in seconds. Agents end with the last one.
const (
	hookSeconds = 10
	endSeconds  = 3
)

// hooks returns the hooks of an agent with the settings of Claude Code: for each event the names
// of its tools, if it has any, and what runs. unit is the unit of times per second. The tools of todo
// lists have a group of their own: Codex stops running a group that has changed until it is trusted again.
func hooks(unit int, tools, todoTools string, events ...string) object {
	all := object{}
	for _, event := range events {
		command, seconds := hookCommand, hookSeconds
		switch event {
		case "SessionStart":
			command = startCommand
		case "SessionEnd":
			seconds = endSeconds
		}
		run := member{"hooks", []any{
			object{{"type", "command"}, {"command", command}, {"timeout", seconds * unit}},
		}}
		groups := list{{object{run}}}
		switch event {
		case "PostToolUse", "AfterTool":
			groups = list{{object{{"matcher", tools}, run}}, {object{{"matcher", todoTools}, run}}}
		case "PostToolUseFailure":
			groups = list{{object{{"matcher", tools}, run}}}
		}
		all = append(all, member{event, groups})
	}
	return object{{"hooks", all}}
}
