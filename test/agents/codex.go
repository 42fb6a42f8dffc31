//go:build unix

package agents

import "fmt"

// Codex is the CLI of that name.
var Codex = &Agent{
	Name: "codex", Command: "codex",
	Program: "node_modules/@openai/codex-linux-*/vendor/*/bin/codex",
	Shell:   codexShell,
	// It offers apply_patch only to models that it knows.
	Write: func(file, text string) Call { return codexShell("cat > " + file + " <<'END'\n" + text + "END\n") },
	Todos: todoLists("update_plan", "plan", "step"),
	Tool:  func(name string) string { return name },
	Prepare: func(h *Home) {
		h.Write(".codex/config.toml", fmt.Sprintf(`model = "gpt-5-codex"
model_provider = "fake"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
model_auto_compact_token_limit = 100000
tools.update_plan.enabled = true

[model_providers.fake]
name = "Fake"
base_url = "%s/v1"
env_key = "FAKE_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0

[analytics]
enabled = false

[projects."%s"]
trust_level = "trusted"
`, h.Model.URL, h.Env.Root))
	},
	Page: "codex",
	Plugin: func(h *Home) []string {
		h.Run("codex", "plugin", "marketplace", "add", Plugins())
		h.Run("codex", "plugin", "add", "wm@wm-lsp")
		return nil
	},
	Environ: func(*Home) []string { return []string{"FAKE_KEY=dummy"} },
	Arguments: func(_ *Home, prompt string, resume bool) []string {
		// A person trusts the hooks in /hooks.
		arguments := []string{"exec", "--dangerously-bypass-hook-trust", "--json"}
		if resume {
			arguments = append(arguments, "resume", "--last")
		}
		return append(arguments, prompt)
	},
}

// todoLists are steps in which a model writes its todo list twice, with those members for the text and for what
// else each todo must have.
func todoLists(tool, list, text string, more ...string) []Step {
	todo := func(number, what, status string) map[string]any {
		members := map[string]any{text: what, "status": status}
		for _, name := range more {
			members[name] = number
		}
		return members
	}
	write := func(first, second string) Step {
		todos := []any{todo("1", "Swap the operands", first), todo("2", "Run the tests", second)}
		return Step{Calls: []Call{{Tool: tool, Args: map[string]any{list: todos}}}}
	}
	return []Step{write("in_progress", "pending"), write("completed", "in_progress")}
}

func codexShell(command string) Call {
	// Without the last one the output of a command that takes longer comes with a later call.
	return Call{Tool: "exec_command", Args: map[string]any{"cmd": command, "yield_time_ms": 30_000}}
}
