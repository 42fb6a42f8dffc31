package hook

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/once"
)

// toolNames are the names of hosts' tools that differ from those of the setting tools.
var toolNames = once.Value[map[string]string]{Make: func() map[string]string {
	return map[string]string{
		"run_shell_command": "shell", "exec_command": "shell", "local_shell": "shell", "powershell": "shell",
		"run_in_terminal": "shell", "replace": "edit", "str_replace_editor": "edit", "insert_edit_into_file": "edit",
		"replace_string_in_file": "edit", "multi_replace_string_in_file": "edit",
		"run_commands": "shell", "editor": "edit", "read_files": "read",
	}
}}

// setTool sets the tool of an event. Tools of MCP servers are none of those that are read.
func (e *Event) setTool(name string, input json.RawMessage) {
	if name == "" || strings.HasPrefix(name, "mcp_") {
		e.Kind = Nothing
		return
	}
	e.Kind, e.Tool, e.Input = Tool, strings.ToLower(name), input
	if known, there := toolNames.Get()[e.Tool]; there {
		e.Tool = known
	}
	if _, keeps := todoTools.Get()[e.Tool]; keeps {
		e.Kind = Todos
	}
	if e.Tool != "apply_patch" {
		return
	}
	var patch fields // it is in command, which is not a command line
	if json.Unmarshal(input, &patch) != nil || !patch.has("command") {
		return
	}
	patch["patch"] = patch["command"]
	delete(patch, "command")
	if doc, err := json.Marshal(patch); err == nil {
		e.Input = doc
	}
}

// exitCodes find the exit code in what hosts write around the output of a command: at the
// start (Claude Code, Codex, Cline) or at the end (Copilot CLI, pi).
var (
	exitAtStart = once.Compile(`\AExit code:? (-?\d{1,10})(?:\n|\z)`)
	exitOfCline = once.Compile(`\A\[Command exited with code (-?\d{1,10})\]\n?`)
	exitOfPi    = once.Compile(`\n*Command exited with code (-?\d{1,10})\z`)
	exitAtEnd   = once.Compile(`\n?<(?:shellId: \S+ )?(?:completed|exited) with exit code (-?\d{1,10})>\s*\z`)
)

// takeExit returns a string without what a host wrote of the exit code, and the code, nil if
// there is none.
func takeExit(text string, written *once.Regexp) (string, *int) {
	all := written.Get().FindAllStringSubmatchIndex(text, -1)
	if len(all) == 0 {
		return text, nil
	}
	at := all[len(all)-1] // the output may hold such a line, too; the host's is the last one
	code, err := strconv.Atoi(text[at[2]:at[3]])
	if err != nil {
		return text, nil
	}
	return text[:at[0]] + text[at[1]:], &code
}

// ok is the exit code of a command of which the host says that it succeeded.
func ok() *int { return new(int) }
