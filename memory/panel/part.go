package panel

// A Part is what a room adds to the panel: one section, and the texts of its
// items.
type Part struct {
	// Section is the id of the section, for good. No other room has it.
	Section string
	// Paint returns the section, which is the caller's to change. It may leave out
	// the id, and lists that are empty.
	Paint func(at Reader) Section
	// Markdown returns what there is to read about an item, and false if the
	// section has no such item. It is nil where no item has a text.
	Markdown func(at Reader, item string) (string, bool)
}

// A Gauge is how full a part of the memory is that has a limit.
type Gauge struct {
	// ID names it among all gauges, Label is what to write.
	ID, Label string
	Budget
}

// A Reader is who looks at the panel, and where.
type Reader struct {
	// Session is the session that looks.
	Session string
	// Shown is the session whose own memory is shown: the one that looks, or an
	// agent's where that has none.
	Shown string
	// Name is what the shown session is called where a summary has to say whose
	// memory it is about, otherwise empty.
	Name string
	// Worktree is the absolute path of the folder that paths are relative to.
	Worktree string
	// Paused is whether nothing is recorded now.
	Paused bool
	// Gauges returns how full the parts of the memory are that have a limit.
	Gauges func() []Gauge
}

// Whose adds to a summary whose memory a section shows, where that has to be said.
func (r Reader) Whose(summary string) string {
	switch {
	case r.Name == "":
		return summary
	case summary == "":
		return r.Name
	}
	return summary + " · " + r.Name
}

// Of returns the params of an action on the memory of the shown session.
func (r Reader) Of(params map[string]any) map[string]any {
	params["sessionId"] = r.Shown
	return params
}
