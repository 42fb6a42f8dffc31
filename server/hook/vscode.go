package hook

// vsCode reads the events of VS Code's own agent: Claude's names of events, with members in
// camel case (documentation of VS Code, "Agent hooks").
func vsCode() host {
	return host{
		is: func(f fields, _ Environment) bool {
			return f.has("hookEventName") && f.has("sessionId")
		},
		read: func(f fields, e *Event, _ Environment) {
			names := map[string]string{
				"hookEventName": "hook_event_name", "toolName": "tool_name", "toolInput": "tool_input",
				"toolResponse": "tool_response", "toolUseId": "tool_use_id",
			}
			for camel, snake := range names {
				if value, there := f[camel]; there && !f.has(snake) {
					f[snake] = value
				}
			}
			readClaude(f, e)
			if e.ID == "" {
				e.setID(f.text("timestamp"), e.Name)
			}
			if e.Kind == Tool {
				e.Output, e.Exit = takeExit(f.text("tool_response"), exitAtEnd)
			}
		},
	}
}
