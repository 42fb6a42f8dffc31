package panel

import "time"

// A Part is a section that a room adds to the panel, with the strings of its items.
type Part struct {
	// Section is the id of the section. It never changes, and no other room uses it.
	Section string
	// Paint returns the section, which the caller may modify. The id and empty lists may be
	// missing.
	Paint func(at Reader) Section
	// Markdown returns the text of an item, and false if the section has no such item. It is
	// nil if no item has a string.
	Markdown func(at Reader, item string) (string, bool)
}

// A Gauge is the budget of a part of the memory.
type Gauge struct {
	// ID is unique among all gauges, Label is for display.
	ID, Label string
	Budget
}

// A Reader is the session and place for which the panel is painted.
type Reader struct {
	// Session is the session of the reader, or another one that the reader named.
	Session string
	// Own is the session of the reader, and Client the name of its editor or agent, empty if it has none.
	Own, Client string
	// Shown is the session whose own memory is shown: that of the reader, or of an agent if
	// the reader's has no memory. That is a live one, or else Left.
	Shown string
	// Left is the ended session whose work the next one may be given, empty if there is none, and LeftBy its name
	// with when it ended.
	Left, LeftBy string
	// Name is the name of the shown session if summaries have to include it, otherwise empty.
	Name string
	// Worktree is the absolute path of the folder that paths are relative to.
	Worktree string
	// Paused is true if recording is paused.
	Paused bool
	// Now is the time at which the panel is painted.
	Now time.Time
	// Kept reports whether the project memory has a string, in force or offered. It may be nil.
	Kept func(text string) bool
	// Gauges returns the budgets of the parts of the memory.
	Gauges func() []Gauge
	// SessionLink returns a link to a session, with its name.
	SessionLink func(session string) string
	// About returns what the rooms say of a session.
	About func(session string) []About
}

// About is what a room says of a session in the list of sessions.
type About struct {
	// Words stand beside its name, such as how many of its todos are done.
	Words string
	// Aside stands at the right edge, with the color of its severity.
	Aside         string
	AsideSeverity int
	// Asked is what its user asked for first. It tells ended sessions without a title apart.
	Asked string
	// First stands below it before all Items, such as its goal; Items are such as its todos. Task is what its user
	// asked for last: it stands first below a live session if no room has a First.
	First, Items, Task []Item
	// Facts stand on its page.
	Facts []Fact
}

// WithName returns a summary with the name of the shown session, if it has to be included.
func (r Reader) WithName(summary string) string {
	switch {
	case r.Name == "":
		return summary
	case summary == "":
		return r.Name
	}
	return summary + " · " + r.Name
}

// In returns ", in" with a link to a session, "" if there is no such session.
func (r Reader) In(session string) string {
	if r.SessionLink == nil {
		return ""
	}
	if link := r.SessionLink(session); link != "" {
		return ", in " + link
	}
	return ""
}

// WithSession returns params with the id of the shown session.
func (r Reader) WithSession(params map[string]any) map[string]any {
	params["sessionId"] = r.Shown
	return params
}
