package install

import "path/filepath"

// milliseconds is the unit of times in the settings of Gemini CLI, per second.
const milliseconds = 1000

func gemini() Agent {
	return Agent{
		Name: "gemini", Title: "Gemini CLI", program: "gemini",
		folder: func(p Places) string { return filepath.Join(p.Home, ".gemini") },
		parts: func(p Places) []part {
			want := append(hooks(milliseconds, "^(run_shell_command|replace|write_file|read_file)$", "^write_todos$",
				"SessionStart", "BeforeAgent", "AfterTool", "AfterAgent", "SessionEnd"), servers()...)
			return []part{{p.either(".gemini/settings.json", ".gemini/settings.json"), jsonFile{want: want}}}
		},
		nextProject: "Gemini CLI reads this file only in a folder that you trust.",
		plugin:      pluginFolder(".gemini/extensions/wm"),
	}
}

func qwen() Agent {
	return Agent{
		Name: "qwen", Title: "Qwen Code", program: "qwen",
		folder: func(p Places) string { return filepath.Join(p.Home, ".qwen") },
		parts: func(p Places) []part {
			want := append(hooks(1, "^(run_shell_command|edit|write_file|read_file)$", "^todo_write$",
				"SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "PreCompact", "PostCompact",
				"Stop", "SessionEnd"), servers()...)
			return []part{{p.either(".qwen/settings.json", ".qwen/settings.json"), jsonFile{want: want}}}
		},
		nextProject: "Qwen Code reads this file only in a folder that you trust.",
		plugin:      pluginFolder(".qwen/extensions/wm"),
	}
}
