// Package quality decides whether a string may become an entry of the workspace
// memory, and when two strings are the same entry. A rejection has a reason that is
// reported to the user.
package quality

import (
	"strings"
	"unicode"
)

// A Reason is the code of a rejection (systems.md B4), or "" for a string that is
// kept. docs/quality-gate.md explains each with an example.
type Reason string

// The reasons, in the order in which they are checked.
const (
	// Empty is text without a letter or digit.
	Empty Reason = "empty"
	// PromptInjection is text that tries to command the model that will read it.
	PromptInjection Reason = "prompt_injection"
	// StackTrace is text with frames of a stack.
	StackTrace Reason = "stack_trace"
	// RawError is the unexplained output of a tool that failed.
	RawError Reason = "raw_error"
	// CommitHash is text that names a commit or is the title of one, which is in the log of
	// the repository.
	CommitHash Reason = "commit_hash"
	// CodeSignature is a declaration, which is in the code.
	CodeSignature Reason = "code_signature"
	// PathHeavy is text that consists mostly of paths.
	PathHeavy Reason = "path_heavy"
	// TooShort is text too short to be understood later.
	TooShort Reason = "too_short"
	// UnresolvedQuestion is a question or an open decision.
	UnresolvedQuestion Reason = "unresolved_question"
	// Progress is text about the progress of some work.
	Progress Reason = "progress_snapshot"
	// TemporaryStatus is text that is only true for the moment.
	TemporaryStatus Reason = "temporary_status"
	// DecisionReportsWork is a decision that reports work instead of a choice.
	DecisionReportsWork Reason = "decision_reports_work"
	// FeedbackWithoutRule is feedback that states no preference and no rule.
	FeedbackWithoutRule Reason = "feedback_without_rule"
)

// Judge returns why a string of a memory type (feedback, project, decision,
// reference, or one of the settings) is rejected, or "" if it may be kept. An
// explicit text was requested by a person and is rejected only if it is empty or a
// prompt injection (systems.md B4).
func Judge(text, memoryType string, explicit bool) Reason {
	if strings.IndexFunc(text, isVisible) < 0 {
		return Empty
	}
	text = cut(text, maxJudged)
	if isInjection(text) {
		return PromptInjection
	}
	if explicit {
		return ""
	}
	text = cut(text, maxTasted)
	for _, t := range tastes {
		if t.appliesTo(memoryType) && t.matches(text) &&
			!(t.reason == PathHeavy && memoryType == reference && namesOnePath(text)) {
			return t.reason
		}
	}
	return ""
}

// JudgeQuotation returns why what a person said is not offered as an entry, or "" if it
// may be: it is in the words of a conversation, and so is checked for what machines write
// only.
func JudgeQuotation(text string) Reason {
	if reason := Judge(text, "", true); reason != "" {
		return reason
	}
	text = cut(text, maxTasted)
	for _, t := range tastes {
		if t.machine && t.memoryType == "" && t.matches(text) {
			return t.reason
		}
	}
	return ""
}

// A taste is a rule that does not apply to explicit strings.
type taste struct {
	reason Reason
	// memoryType is the type that the rule applies to, "" for all.
	memoryType string
	matches    func(text string) bool
	// machine is true for a rule about what machines write.
	machine bool
}

var tastes = []taste{
	{StackTrace, "", isStackTrace, true},
	{RawError, "", isRawError, true},
	{CommitHash, "", isCommit, true},
	{CodeSignature, "", isSignature, true},
	{PathHeavy, "", isPathHeavy, true},
	{TooShort, "", isTooShort, true},
	{UnresolvedQuestion, "", isQuestion, false},
	{Progress, "", isProgress, false},
	{TemporaryStatus, "", isTemporary, false},
	{DecisionReportsWork, "decision", reportsWork, false},
	{Progress, "", reportsMade, false},
	{FeedbackWithoutRule, "feedback", func(text string) bool { return !StatesRule(text) }, false},
}

// reference is the type of entries that may consist of one path and what it is.
const reference = "reference"

func (t taste) appliesTo(memoryType string) bool {
	return t.memoryType == "" || t.memoryType == memoryType
}

func isVisible(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

const (
	// maxJudged is the number of bytes that are judged; no entry is longer.
	maxJudged = 1 << 16
	// maxTasted is the number of bytes to which the rules for strings that nobody
	// requested are applied.
	maxTasted = 2 << 10
)

func cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit], "")
}
