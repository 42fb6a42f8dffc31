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
	// How many of the used tokens are the host's own instructions, if it knows.
	SystemTokens *int `json:"systemTokens,omitzero"`
	// How many describe its tools, if it knows.
	ToolsTokens *int `json:"toolsTokens,omitzero"`
	// How many are the conversation, with the outputs of tools, if it knows.
	HistoryTokens *int `json:"historyTokens,omitzero"`
	// The number of messages in the history of the host.
	MessagesInHistory *int `json:"messagesInHistory,omitzero"`
	// The prompt, for wm/intervention.
	VisiblePrompt string `json:"visiblePrompt,omitzero"`
}
