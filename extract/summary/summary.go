// Package summary summarizes a part of a conversation that is about to be removed:
// the current task, the next step, the decisions with their reasons, the touched
// files, the opened and closed errors, and the requests. Summaries consist of
// quotations only and are deterministic (systems.md C3).
package summary

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/command"
	"github.com/wm-lsp/wm-lsp/extract/quality"
	"github.com/wm-lsp/wm-lsp/extract/request"
	"github.com/wm-lsp/wm-lsp/extract/shorten"
)

// A Message is one message of a conversation, or the output of a tool.
type Message struct {
	ID   string
	Role string // user, assistant, system or tool
	Text string
	// Tool and Command are the tool and the command line that printed an output.
	Tool, Command string
	At            time.Time
}

// Facts are known of a session besides its messages. All fields may be empty.
type Facts struct {
	Goal, Progress string
	Decisions      []string
	Todos          []string // open todos, the next one first
	Files          []string
	Opened, Closed []string // errors
	// Root is the absolute folder of the worktree. Paths are relative to it.
	Root string
}

// A Summary is what is kept of a conversation. Every string is one line.
type Summary struct {
	Task, NextStep string
	Decisions      []string // with their reasons, oldest first
	Files          []string
	Opened, Closed []string // errors
	Asked          []string // requests of the user besides the task, oldest first
}

const (
	// maxLine and maxDecision are maximum lengths of a line, in Unicode code points.
	// A decision includes its reason.
	maxLine     = 300
	maxDecision = 600
	// The number of items of each kind. The newest are kept.
	maxDecisions = 30
	maxFiles     = 30
	maxErrors    = 20
	maxAsked     = 10
)

// Of summarizes messages, which are in chronological order.
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

// Request returns the index of the message with the current task, the newest of the
// user that asks for work, or -1 if there is none.
func Request(messages []Message) int {
	spoken := -1
	for i, m := range slices.Backward(messages) {
		if m.Role != user {
			continue
		}
		if asks(m.Text) {
			return i
		}
		if spoken < 0 && hasContent(m.Text) {
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

// requests returns the newest requests of the user, oldest first.
func requests(messages []Message, task string) []string {
	var asked []string
	for _, m := range slices.Backward(messages) {
		if m.Role != user {
			continue
		}
		if sentences := taskLine(m.Text); sentences != nil {
			asked = distinct(append(asked, fitting(sentences, maxLine)), task)
		}
		if len(asked) == maxAsked {
			break
		}
	}
	slices.Reverse(asked)
	return asked
}

// decisions returns the newest decisions, oldest first, each with the sentence that
// gives its reason.
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
	sentences := slices.Concat(spoken(message)...)
	for i, sentence := range sentences {
		if !decides(sentence) {
			continue
		}
		if !givesReason(sentence) && i+1 < len(sentences) && beginsReason(sentences[i+1]) {
			sentence = joined(sentence, sentences[i+1])
		}
		made = append(made, line(sentence, maxDecision))
	}
	return made
}

// joined joins two sentences, with a space if their language uses it.
func joined(first, second string) string {
	if strings.HasSuffix(first, "。") || strings.HasSuffix(first, "！") {
		return first + second
	}
	return first + " " + second
}

// decides reports whether a sentence states a decision. Only the beginning of a long
// sentence is considered.
func decides(sentence string) bool {
	return len(request.Decisions(line(sentence, maxLine))) > 0
}

// files returns the files that tools wrote, followed by those of the facts and those
// mentioned in messages.
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
	all := withoutDuplicates(slices.Concat(written, known, named))
	return all[:min(len(all), maxFiles)]
}

func filesIn(text, root string) []string {
	return command.Output{Stdout: text, Cwd: root, Root: root}.Files()
}

// writers are the names of tools that write files.
var writers = []string{
	"edit", "patch", "multiedit", "apply_patch", "str_replace", "notebookedit", "write", "create", "write_file",
	"create_file", "edit_file",
}

func writes(tool string) bool { return slices.Contains(writers, strings.ToLower(tool)) }

// lines returns each string of a list as one line, without the empty ones.
func lines(list []string, limit int) []string {
	var all []string
	for _, text := range list {
		if text = line(text, limit); text != "" {
			all = append(all, text)
		}
	}
	return all
}

// line returns a string as one line of at most limit characters, cut between words if
// possible.
func line(text string, limit int) string {
	text = shorten.Line(strings.ToValidUTF8(text, "\uFFFD"))
	if utf8.RuneCountInString(text) <= limit {
		return text
	}
	cut := string([]rune(text)[:limit-1])
	if space := strings.LastIndexByte(cut, ' '); space > len(cut)*2/3 {
		cut = cut[:space]
	}
	return cut + "…"
}

// distinct removes the strings of a list whose canonical form is empty or that of an
// earlier one or one of others.
func distinct(list []string, others ...string) []string {
	seen := map[string]bool{}
	for _, text := range others {
		seen[quality.Canonical(text)] = true
	}
	return slices.DeleteFunc(list, func(text string) bool {
		key := quality.Canonical(text)
		duplicate := seen[key] || key == ""
		seen[key] = true
		return duplicate
	})
}

// withoutDuplicates removes the strings of a list that are equal to an earlier one.
func withoutDuplicates(list []string) []string {
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(text string) bool {
		duplicate := seen[text]
		seen[text] = true
		return duplicate
	})
}

// withoutParts removes the strings of a list that another one begins with, such as a
// decision that is there with and without its reason.
func withoutParts(list []string) []string {
	keys := make([]string, len(list))
	for i, text := range list {
		keys[i] = " " + quality.Canonical(text) + " "
	}
	var whole []string
	for i, text := range list {
		if !slices.ContainsFunc(
			keys,
			func(key string) bool { return len(key) > len(keys[i]) && strings.HasPrefix(key, keys[i]) },
		) {
			whole = append(whole, text)
		}
	}
	return whole
}

func newest(list []string, limit int) []string { return list[max(0, len(list)-limit):] }

// maxSpoken is how many lines at the beginning and at the end of a message are read
// sentence by sentence. What stands between those of a longer one is mostly pasted.
const maxSpoken = 40

// spoken returns the sentences of the lines of a message.
func spoken(message string) [][]string {
	all := request.Lines(message)
	if len(all) <= 2*maxSpoken {
		return all
	}
	return slices.Concat(all[:maxSpoken], all[len(all)-maxSpoken:])
}
