package hook

// openCode reads what a plugin of OpenCode passes on of its hook tool.execute.after: the two
// arguments as input and output, and the folder.
func openCode() host {
	return host{
		is: func(f fields, _ Environment) bool {
			return f.text("hook") == "tool.execute.after" && f.object("input").has("sessionID")
		},
		read: func(f fields, e *Event, _ Environment) {
			input, output := f.object("input"), f.object("output")
			e.Name, e.Session, e.Cwd = "tool.execute.after", input.text("sessionID"), f.text("directory")
			e.setTool(input.text("tool"), input["args"])
			e.setID(input.text("callID"))
			e.Output, e.Exit = output.text("output"), output.object("metadata").number("exit")
		},
	}
}
