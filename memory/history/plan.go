package history

import (
	"slices"

	"github.com/wm-lsp/wm-lsp/extract/summary"
)

// A Target is the part of a conversation that a compaction removes.
type Target string

const (
	TargetConversation Target = "conversation" // Turns, with the outputs of tools in them.
	TargetTools        Target = "tools"        // Outputs of tools.
	TargetAll          Target = "all"          // Both.
)

// A Choice is what a compaction removes.
type Choice struct {
	Target Target
	// KeepRecent is how many turns and how many outputs of tools stay: at least MinTurns and at
	// least 1.
	KeepRecent int
}

// MinTurns is the least number of turns that stay (systems.md C3).
const MinTurns = 3

// A Plan lists the messages that a compaction removes and keeps, in order.
type Plan struct {
	Target        Target
	Removed, Kept []Message
}

// NewPlan returns the plan of a compaction (systems.md C3). The last turns, messages of the
// system and the message with the current task stay, and the last outputs of tools. An
// unknown target removes nothing.
func NewPlan(c Conversation, choice Choice) Plan {
	keep := max(1, choice.KeepRecent)
	leaves := make([]bool, len(c.Messages))
	if choice.Target == TargetConversation || choice.Target == TargetAll {
		task := summary.Request(ForSummary(c.Messages))
		for i := range startOf(c.Messages, User, max(MinTurns, keep)) {
			leaves[i] = c.Messages[i].Role != System && i != task
		}
	}
	if choice.Target == TargetTools || choice.Target == TargetAll {
		for i := range startOf(c.Messages, Tool, keep) {
			leaves[i] = leaves[i] || c.Messages[i].Role == Tool
		}
	}
	plan := Plan{Target: choice.Target}
	for i, m := range c.Messages {
		if leaves[i] {
			plan.Removed = append(plan.Removed, m)
		} else {
			plan.Kept = append(plan.Kept, m)
		}
	}
	return plan
}

// startOf returns the index of the nth last message of a role, 0 if there are fewer.
func startOf(messages []Message, role string, n int) int {
	for i, m := range slices.Backward(messages) {
		if m.Role != role {
			continue
		}
		if n--; n == 0 {
			return i
		}
	}
	return 0
}

// ForSummary returns messages as package summary uses them.
func ForSummary(messages []Message) []summary.Message {
	all := make([]summary.Message, len(messages))
	for i, m := range messages {
		all[i] = summary.Message{ID: m.ID, Role: m.Role, Text: m.Text, Tool: m.Tool, Command: m.Command, At: m.At}
	}
	return all
}

// IsEmpty reports whether the plan removes nothing.
func (p Plan) IsEmpty() bool { return len(p.Removed) == 0 }

// IDs returns the ids of the removed and of the kept messages.
func (p Plan) IDs() (removed, kept []string) { return ids(p.Removed), ids(p.Kept) }

func ids(messages []Message) []string {
	all := make([]string, len(messages))
	for i, m := range messages {
		all[i] = m.ID
	}
	return all
}

// Tokens returns the number of tokens of the conversation before and after the removed
// messages are replaced by a summary.
func (p Plan) Tokens(text string, count func(text string) int) (before, after int) {
	for _, m := range p.Kept {
		after += m.Tokens
	}
	before = after
	for _, m := range p.Removed {
		before += m.Tokens
	}
	if !p.IsEmpty() {
		after += count(text)
	}
	return before, after
}
