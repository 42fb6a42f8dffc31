package request

import (
	"slices"
	"strings"
)

// Heard is all that a message says.
type Heard struct {
	// Requests, Sayings and Todos are those of a user's message. What it asks to remember is no todo.
	Requests []Request
	Sayings  []Saying
	Todos    []string
	// Facts and Causes are those of an assistant's message.
	Facts, Causes []string
	// TakesBack is true if the message takes back what its author said last.
	TakesBack bool
	// Next is what the next message may refer to.
	Next Before
	// overtaken are the options that the message chooses no more.
	overtaken []string
}

// Overtakes reports whether the message chooses another option than an earlier saying, as
// Saying.String returns it.
func (h Heard) Overtakes(older string) bool {
	return slices.ContainsFunc(h.overtaken, func(option string) bool { return strings.HasSuffix(older, "→ "+option) })
}

// Entry returns the text that a string of the message asks to remember, "" if it asks for nothing.
func (h Heard) Entry(said string) (text string) {
	for _, asked := range h.Requests {
		if strings.Contains(said, asked.Text) {
			text = asked.Text
		}
	}
	return text
}

// Hear returns what a message of a role says. Before is what it may refer to.
func Hear(role, message string, before Before) Heard {
	if role != "user" {
		heard := Heard{Next: before.After(role, message)}
		if role == "assistant" {
			heard.Facts = Facts(message)
			heard.Causes = Causes(message)
		}
		return heard
	}
	said := speechOf(message)
	heard := Heard{Requests: said.requests(before), Todos: said.todos(), TakesBack: said.takesBack()}
	heard.Todos = slices.DeleteFunc(heard.Todos, func(todo string) bool { return heard.Entry(todo) != "" })
	heard.Sayings = slices.DeleteFunc(said.sayings(before), func(s Saying) bool {
		return s.Answers != "" && len(Requests(s.Text, before)) > 0 // such as "add this to CLAUDE.md"
	})
	heard.overtaken = before.overtaken(heard.Sayings)
	heard.Next = before.afterUser(said)
	return heard
}

// takesBack reports whether a message begins by taking back what was said before.
func (s speech) takesBack() bool {
	if len(s.said) > 0 {
		if first := sentences(s.said[0].text); len(first) > 0 {
			return takenBack.Match(strings.TrimSpace(first[0]))
		}
	}
	return false
}
