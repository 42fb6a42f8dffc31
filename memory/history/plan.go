package history

import (
	"slices"

	"github.com/wm-lsp/wm-lsp/extract/summary"
)

// A Target says what of a conversation a compaction takes.
type Target string

const (
	TargetConversation Target = "conversation" // Turns, with the outputs of tools in them.
	TargetTools        Target = "tools"        // Outputs of tools.
	TargetAll          Target = "all"          // Both.
)

// A Choice says what a compaction is to take.
type Choice struct {
	Target Target
	// KeepRecent is how many turns of the conversation and how many outputs of
	// tools stay; at least 1.
	KeepRecent int
}

// A Plan is what would leave the conversation and what would stay, in order.
type Plan struct {
	Target        Target
	Removed, Kept []Message
}

// NewPlan chooses what leaves a conversation (systems.md C3). Of the conversation
// the last turns stay, with the one that is going on, messages of the system, and
// the message that states the current task. Of the outputs of tools the last ones
// stay. An unknown target takes nothing.
func NewPlan(c Conversation, choice Choice) Plan {
	keep := max(1, choice.KeepRecent)
	leaves := make([]bool, len(c.Messages))
	if choice.Target == TargetConversation || choice.Target == TargetAll {
		task := summary.Request(Said(c.Messages))
		for i := range startOf(c.Messages, User, keep) {
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

// startOf is where the last n messages of a role begin; 0 if there are not more.
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

// Said returns messages as they are summarized.
func Said(messages []Message) []summary.Message {
	all := make([]summary.Message, len(messages))
	for i, m := range messages {
		all[i] = summary.Message{ID: m.ID, Role: m.Role, Text: m.Text, Tool: m.Tool, Command: m.Command, At: m.At}
	}
	return all
}

// IsEmpty reports whether nothing would leave.
func (p Plan) IsEmpty() bool { return len(p.Removed) == 0 }

// IDs returns the ids of what would leave and of what would stay.
func (p Plan) IDs() (removed, kept []string) { return ids(p.Removed), ids(p.Kept) }

func ids(messages []Message) []string {
	all := make([]string, len(messages))
	for i, m := range messages {
		all[i] = m.ID
	}
	return all
}

// Tokens returns how many the conversation has, and how many it would have with a
// text in the place of what leaves.
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
