package hook

import (
	"strings"
	"unicode/utf16"

	"github.com/wm-lsp/wm-lsp/server/wire"
)

// maxAnswer is how many UTF-16 units a string for an agent has at most. Claude Code replaces a
// longer one than 10,000 by a file.
const maxAnswer = 9900

// An Answer is what an agent is told, in the same form for all hosts.
type Answer struct {
	// Context is for the model.
	Context string
	// Instructions are for the summary of the conversation.
	Instructions string
	// Message is for the person.
	Message string
}

func (a Answer) empty() bool { return a == Answer{} }

// output is what Claude Code reads, and hosts that took over its form.
type output struct {
	Specific *specific `json:"hookSpecificOutput,omitempty"`
	Message  string    `json:"systemMessage,omitempty"`
}

type specific struct {
	Event   string `json:"hookEventName"`
	Context string `json:"additionalContext"`
}

// encode returns the answer in the form of the host of an event, empty if the host has no
// place for any of it.
func (a Answer) encode(e Event) []byte {
	if text := clamped(a.Instructions); text != "" {
		switch e.Host {
		case "claude-code":
			return []byte(text + "\n") // as it is, not as JSON
		case "qwen":
			return encoded(output{Specific: &specific{e.Name, text}})
		}
		return nil
	}
	context := clamped(a.Context)
	if !e.takesContext() {
		context = ""
	}
	switch e.Host {
	case "cline":
		if context == "" {
			return nil
		}
		return encoded(map[string]string{"contextModification": context})
	case "copilot":
		if context == "" {
			return nil
		}
		return encoded(map[string]string{"additionalContext": context})
	case "opencode":
		return nil
	}
	out := output{Message: clamped(a.Message)}
	if context != "" {
		out.Specific = &specific{e.Name, context}
	}
	if out == (output{}) {
		return nil
	}
	return encoded(out)
}

// takesInstructions reports whether the host adds the output of its hook to what it tells the
// model that summarises.
func (e Event) takesInstructions() bool {
	return e.Kind == Compacting && (e.Host == "claude-code" || e.Host == "qwen")
}

// takesContext reports whether the host passes a context with this event on to the model. None
// is given when the agent stops: it would go on.
func (e Event) takesContext() bool {
	return e.First || e.Host != "cline" && (e.Kind == SessionStart || e.Kind == Prompt)
}

// tellsCompacted reports whether the host reports that a compaction is over. For others its
// beginning counts.
func (e Event) tellsCompacted() bool { return e.Host != "copilot" && e.Host != "vscode" }

// encoded returns a value as one line of JSON.
func encoded(value any) []byte {
	doc, err := wire.Encode(value)
	if err != nil {
		panic(err) // strings can be encoded
	}
	return append(doc, '\n')
}

// clamped returns the first lines of a string that have at most maxAnswer UTF-16 units together.
func clamped(text string) string {
	if len(text) <= maxAnswer {
		return text
	}
	units, kept := 0, 0
	for line := range strings.Lines(text) {
		if units += len(utf16.Encode([]rune(line))); units > maxAnswer {
			return strings.TrimSuffix(text[:kept], "\n")
		}
		kept += len(line)
	}
	return text
}
