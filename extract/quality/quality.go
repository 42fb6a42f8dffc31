// Package quality decides what is worth keeping: whether a text may become an
// entry of the workspace memory, and when two texts are the same entry. A text
// that is turned away gets a reason, because "it was not saved" helps nobody.
package quality

import (
	"strings"
	"unicode"
)

// A Reason is the code of a rejection (systems.md B4); "" means kept. Each is
// explained with an example in docs/quality-gate.md.
type Reason string

// The reasons, in the order in which they are looked for.
const (
	// Empty is text without a letter or digit.
	Empty Reason = "empty"
	// PromptInjection is text that tries to command the model that will read it.
	PromptInjection Reason = "prompt_injection"
	// StackTrace is frames of a stack.
	StackTrace Reason = "stack_trace"
	// RawError is the output of a tool that failed, unexplained.
	RawError Reason = "raw_error"
	// CommitHash is text that names a commit: the log of the repository knows it.
	CommitHash Reason = "commit_hash"
	// CodeSignature is a declaration: the code says it.
	CodeSignature Reason = "code_signature"
	// PathHeavy is text most of which is paths.
	PathHeavy Reason = "path_heavy"
	// TooShort is text too short to be understood later.
	TooShort Reason = "too_short"
	// UnresolvedQuestion is a question, or what nobody has decided yet.
	UnresolvedQuestion Reason = "unresolved_question"
	// Progress says how far some work has come.
	Progress Reason = "progress_snapshot"
	// TemporaryStatus says how things are for the moment.
	TemporaryStatus Reason = "temporary_status"
	// DecisionReportsWork is a decision that tells what was done, not what was chosen.
	DecisionReportsWork Reason = "decision_reports_work"
	// FeedbackWithoutRule is feedback that states no preference and no rule.
	FeedbackWithoutRule Reason = "feedback_without_rule"
)

// Reasons returns every reason, in the order in which they are looked for.
func Reasons() []Reason {
	reasons := []Reason{Empty, PromptInjection}
	for _, t := range tastes {
		reasons = append(reasons, t.reason)
	}
	return reasons
}

// Judge returns "" when a text of a memory type (feedback, project, decision,
// reference, or one of the settings) may be kept, else why not. An explicit text
// was asked for by a person: only empty text and prompt injection are rejected
// (systems.md B4).
func Judge(text, memoryType string, explicit bool) Reason {
	if strings.IndexFunc(text, isVisible) < 0 {
		return Empty
	}
	text = bounded(text)
	if isInjection(text) {
		return PromptInjection
	}
	if explicit {
		return ""
	}
	for _, t := range tastes {
		if (t.memoryType == "" || t.memoryType == memoryType) && t.matches(text) {
			return t.reason
		}
	}
	return ""
}

// A taste is a rule that explicit texts skip.
type taste struct {
	reason Reason
	// memoryType is the type the rule is for, "" for all.
	memoryType string
	matches    func(text string) bool
}

var tastes = []taste{
	{StackTrace, "", isStackTrace},
	{RawError, "", isRawError},
	{CommitHash, "", namesCommit},
	{CodeSignature, "", isSignature},
	{PathHeavy, "", isPathHeavy},
	{TooShort, "", isTooShort},
	{UnresolvedQuestion, "", isQuestion},
	{Progress, "", isProgress},
	{TemporaryStatus, "", isTemporary},
	{DecisionReportsWork, "decision", reportsWork},
	{FeedbackWithoutRule, "feedback", func(text string) bool { return !statesRule(text) }},
}

func isVisible(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// maxJudged bounds what is looked at: no entry is longer, in bytes.
const maxJudged = 1 << 16

func bounded(text string) string {
	if len(text) <= maxJudged {
		return text
	}
	return strings.ToValidUTF8(text[:maxJudged], "")
}
