package hook

// pi reads the events that the extension of pi reports (editors/agents/pi). They have the names
// and members of Claude Code's; the results of tools are those of pi.
func pi() host {
	return host{
		is: func(f fields, _ Environment) bool { return f.text("host") == "pi" },
		read: func(f fields, e *Event, _ Environment) {
			readClaude(f, e)
			switch {
			case e.Kind != Tool:
			case !e.Failed:
				e.Output, e.Exit = f.text("tool_response"), ok()
			case e.Tool == "bash":
				// A command that was stopped, or took too long, has no code and counts as interrupted.
				e.Output, e.Exit = takeExit(f.text("error"), exitOfPi)
				e.Failed = e.Exit != nil
			default:
				e.Output = f.text("error")
			}
		},
	}
}
