// Package summary takes from a part of a conversation what has to stay when the
// rest of it goes: the current task, the next step, the decisions with their
// reasons, the files that were touched, the errors that came and went, and what
// was asked. It quotes the conversation and adds nothing of its own, so that it
// is the same every time (systems.md C3).
package summary

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/command"
	"github.com/wm-lsp/wm-lsp/extract/quality"
	"github.com/wm-lsp/wm-lsp/extract/request"
)

// A Message is one message of a conversation, or the output of a tool.
type Message struct {
	ID   string
	Role string // user, assistant, system or tool
	Text string
	// Tool and Command say what printed the output of a tool.
	Tool, Command string
	At            time.Time
}

// Facts are what is known of a session besides its messages. All may be empty.
type Facts struct {
	Goal, Progress string
	Decisions      []string
	Todos          []string // the open ones, the first to do first
	Files          []string
	Opened, Closed []string // errors
	// Root is the absolute folder of the worktree; paths are given relative to it.
	Root string
}

// A Summary is what has to stay. Every text is one line.
type Summary struct {
	Task, NextStep string
	Decisions      []string // with their reasons, oldest first
	Files          []string
	Opened, Closed []string // errors
	Asked          []string // what the user asked for besides the task, oldest first
}

const (
	// maxLine and maxDecision are the length of a line, in Unicode code points. A
	// decision has its reason with it.
	maxLine     = 300
	maxDecision = 600
	// The newest of each are kept.
	maxDecisions = 30
	maxFiles     = 30
	maxErrors    = 20
	maxAsked     = 10
)

// Of summarizes messages, which are in their order.
func Of(messages []Message, facts Facts) Summary {
	last := Request(messages)
	s := Summary{
		Task: lead(facts.Goal),
		Decisions: newest(
			withoutParts(distinct(append(lines(facts.Decisions, maxDecision), decisions(messages)...))),
			maxDecisions,
		),
		Files:  files(messages, facts),
		Opened: newest(distinct(lines(facts.Opened, maxLine)), maxErrors),
		Closed: newest(distinct(lines(facts.Closed, maxLine)), maxErrors),
	}
	if s.Task == "" && last >= 0 {
		s.Task = taskIn(messages[last].Text)
	}
	s.NextStep = nextStep(messages, max(last, 0), facts.Todos)
	s.Asked = requests(messages, s.Task)
	return s
}

// Request returns the index of the message that states the current task, the
// newest one of the user that asks for work; -1 if there is none.
func Request(messages []Message) int {
	spoken := -1
	for i, m := range slices.Backward(messages) {
		if m.Role != user {
			continue
		}
		if asks(m.Text) {
			return i
		}
		if spoken < 0 && saysMuch(m.Text) {
			spoken = i
		}
	}
	return spoken
}

const (
	user      = "user"
	assistant = "assistant"
	tool      = "tool"
)

// requests returns the newest of what the user asked for, oldest first.
func requests(messages []Message, task string) []string {
	var asked []string
	for _, m := range slices.Backward(messages) {
		if m.Role != user {
			continue
		}
		if said := taskLine(m.Text); said != nil {
			asked = distinct(append(asked, fitting(said)), task)
		}
		if len(asked) == maxAsked {
			break
		}
	}
	slices.Reverse(asked)
	return asked
}

// decisions returns the newest of what was decided, oldest first, each with the
// sentence that gives its reason.
func decisions(messages []Message) []string {
	var found []string
	for _, m := range slices.Backward(messages) {
		if m.Role != user && m.Role != assistant {
			continue
		}
		made := decisionsIn(m.Text)
		slices.Reverse(made)
		if found = append(found, made...); len(found) > maxDecisions {
			if found = distinct(found); len(found) > maxDecisions {
				break
			}
		}
	}
	slices.Reverse(found)
	return found
}

func decisionsIn(message string) []string {
	var made []string
	said := slices.Concat(request.Lines(message)...)
	for i, sentence := range said {
		if !decides(sentence) {
			continue
		}
		if !givesReason(sentence) && i+1 < len(said) && beginsReason(said[i+1]) {
			sentence = joined(sentence, said[i+1])
		}
		made = append(made, line(sentence, maxDecision))
	}
	return made
}

// joined puts two sentences on one line, as their language does.
func joined(first, second string) string {
	if strings.HasSuffix(first, "。") || strings.HasSuffix(first, "！") {
		return first + second
	}
	return first + " " + second
}

// decides tells whether a sentence states a decision. One that is too long to be
// asked about as a whole is asked about by its beginning.
func decides(sentence string) bool {
	return len(request.Decisions(line(sentence, maxLine))) > 0
}

// files returns the files that tools wrote, then those that are known, then those
// that were spoken of.
func files(messages []Message, facts Facts) []string {
	var written, named []string
	for _, m := range slices.Backward(messages) {
		switch {
		case m.Role == tool && writes(m.Tool):
			written = append(written, filesIn(m.Command+"\n"+m.Text, facts.Root)...)
		case m.Role == user || m.Role == assistant:
			named = append(named, filesIn(m.Text, facts.Root)...)
		}
	}
	known := lines(facts.Files, maxLine)
	all := distinctBy(slices.Concat(written, known, named), func(file string) string { return file })
	return all[:min(len(all), maxFiles)]
}

func filesIn(text, root string) []string {
	return command.Output{Stdout: text, Cwd: root, Root: root}.Files()
}

// writers are the tools that write files, as agents call them.
var writers = []string{
	"edit", "patch", "multiedit", "apply_patch", "str_replace", "notebookedit", "write", "create", "write_file",
	"create_file", "edit_file",
}

func writes(tool string) bool { return slices.Contains(writers, strings.ToLower(tool)) }

// lines returns texts as single lines, without the empty ones.
func lines(texts []string, limit int) []string {
	var all []string
	for _, text := range texts {
		if text = line(text, limit); text != "" {
			all = append(all, text)
		}
	}
	return all
}

// line returns a text on one line of at most limit characters, cut between words
// where there are any.
func line(text string, limit int) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "\uFFFD")), " ")
	if utf8.RuneCountInString(text) <= limit {
		return text
	}
	cut := string([]rune(text)[:limit-1])
	if space := strings.LastIndexByte(cut, ' '); space > len(cut)*2/3 {
		cut = cut[:space]
	}
	return cut + "…"
}

// distinct returns texts without those that an earlier one, or one of others,
// says already.
func distinct(texts []string, others ...string) []string {
	seen := map[string]bool{}
	for _, text := range others {
		seen[quality.Canonical(text)] = true
	}
	return slices.DeleteFunc(texts, func(text string) bool {
		key := quality.Canonical(text)
		said := seen[key] || key == ""
		seen[key] = true
		return said
	})
}

func distinctBy(texts []string, key func(string) string) []string {
	seen := map[string]bool{}
	return slices.DeleteFunc(texts, func(text string) bool {
		k := key(text)
		said := seen[k]
		seen[k] = true
		return said
	})
}

// withoutParts returns texts without those that another one says with more words,
// such as a decision that stands once with its reason and once without.
func withoutParts(texts []string) []string {
	keys := make([]string, len(texts))
	for i, text := range texts {
		keys[i] = " " + quality.Canonical(text) + " "
	}
	var whole []string
	for i, text := range texts {
		if !slices.ContainsFunc(
			keys,
			func(key string) bool { return len(key) > len(keys[i]) && strings.HasPrefix(key, keys[i]) },
		) {
			whole = append(whole, text)
		}
	}
	return whole
}

func newest(texts []string, limit int) []string { return texts[max(0, len(texts)-limit):] }
