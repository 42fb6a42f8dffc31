package wire

// UsageReportedParams report how full the context of an agent is. Tokens take precedence
// over characters.
type UsageReportedParams struct {
	Params
	// The length of the prompt in characters.
	PromptChars *int `json:"promptChars,omitzero"`
	// The size of the context in characters; the setting pressure.charLimit by default.
	CharLimit *int `json:"charLimit,omitzero"`
	// The length of the prompt in tokens.
	TokensUsed *int `json:"tokensUsed,omitzero"`
	// The size of the context in tokens.
	TokensMax *int `json:"tokensMax,omitzero"`
	// The number of messages in the history of the host.
	MessagesInHistory *int `json:"messagesInHistory,omitzero"`
	// The prompt, for wm/intervention.
	VisiblePrompt string `json:"visiblePrompt,omitzero"`
}
