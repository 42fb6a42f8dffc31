package wire

// UsageReportedParams say how full an agent's context is, in tokens where both
// are given, else in characters.
type UsageReportedParams struct {
	Params
	// Characters of the prompt.
	PromptChars *int `json:"promptChars,omitzero"`
	// Characters that it can have; by default the setting pressure.charLimit.
	CharLimit *int `json:"charLimit,omitzero"`
	// Tokens of the prompt.
	TokensUsed *int `json:"tokensUsed,omitzero"`
	// Tokens that it can have.
	TokensMax *int `json:"tokensMax,omitzero"`
	// Messages in the history of the host.
	MessagesInHistory *int `json:"messagesInHistory,omitzero"`
	// The prompt itself, for the intervention.
	VisiblePrompt string `json:"visiblePrompt,omitzero"`
}
