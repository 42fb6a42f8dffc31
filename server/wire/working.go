package wire

// WorkingReadParams request the working memory of a session.
type WorkingReadParams struct {
	Params
}

// WorkingReadResult is the working memory of a session.
type WorkingReadResult struct {
	// The items of each slot, newest first, by the name of the slot: error, decision, todo,
	// dependency and those of the settings.
	Slots map[string][]WorkingItem `json:"slots"`
	// All other items, highest score first.
	Pool []WorkingItem `json:"pool"`
	// The number of tool events and messages in the session.
	EventCounter int `json:"eventCounter"`
}

// WorkingItem is an item of a working memory.
type WorkingItem struct {
	// The id.
	ID string `json:"id"`
	// The content.
	Content string `json:"content"`
	// manual, message:user, message:assistant, or tool: followed by the name of the tool.
	Source string `json:"source"`
	// The number of mentions, from 1.
	Mentions int `json:"mentions"`
	// The score of an item of the pool: 0.85^age × (1 + ln(1 + mentions)), where age is the
	// number of events since the last mention.
	Score *float64 `json:"score,omitzero"`
	// The time of the first mention.
	CreatedAt Time `json:"createdAt"`
	// The time of the last mention.
	LastMentionedAt Time `json:"lastMentionedAt"`
}

// WorkingAddParams add an item.
type WorkingAddParams struct {
	Params
	// The content, at most 500 characters.
	Content string `json:"content"`
	// The slot; the pool by default.
	Slot string `json:"slot,omitzero"`
}

// WorkingAddResult is the added item.
type WorkingAddResult struct {
	// The item. If it existed already, it has one more mention.
	Item WorkingItem `json:"item"`
	// The items that were evicted for it.
	Evicted []WorkingItem `json:"evicted"`
}

// WorkingRemoveParams say which items to remove. Match or id is required.
type WorkingRemoveParams struct {
	Params
	// A part of the content; case is ignored.
	Match string `json:"match,omitzero"`
	// Only the item with this id.
	ID string `json:"id,omitzero"`
	// The slot; all slots and the pool by default.
	Slot string `json:"slot,omitzero"`
}

// WorkingRemoveResult are the removed items.
type WorkingRemoveResult struct {
	// The items.
	Removed []WorkingItem `json:"removed"`
	// The call that restores the items; absent if there are none.
	Undo *Undo `json:"undo,omitzero"`
}

// WorkingClearParams say which slot to clear.
type WorkingClearParams struct {
	Params
	// The slot; all slots and the pool by default.
	Slot string `json:"slot,omitzero"`
}

// WorkingClearResult is the result of wm/working/clear.
type WorkingClearResult struct {
	// The number of removed items.
	Removed int `json:"removed"`
	// The call that restores the items; absent if there are none.
	Undo *Undo `json:"undo,omitzero"`
}

// WorkingRestoreParams are the params in the undo of wm/working/remove and
// wm/working/clear.
type WorkingRestoreParams struct {
	Params
	// The removed items, at most 1000. An item that exists by now is not changed.
	Items []WorkingDropped `json:"items"`
}

// WorkingDropped is a removed item with all its data.
type WorkingDropped struct {
	// The content, at most 500 characters.
	Content string `json:"content"`
	// The slot; the pool by default.
	Slot string `json:"slot,omitzero"`
	// manual, message:user, message:assistant, or tool: followed by the name of the tool.
	Source string `json:"source,omitzero"`
	// The file that it is or is about.
	Path string `json:"path,omitzero"`
	// The fingerprint of the open error that it is about.
	Fingerprint string `json:"fingerprint,omitzero"`
	// The number of mentions, from 1.
	Mentions int `json:"mentions,omitzero"`
	// The event counter at the last mention.
	Event int `json:"event,omitzero"`
	// The time of the first mention.
	CreatedAt Time `json:"createdAt,omitzero"`
	// The time of the last mention.
	LastMentionedAt Time `json:"lastMentionedAt,omitzero"`
}

// WorkingRestoreResult is the result of wm/working/restore.
type WorkingRestoreResult struct {
	// The number of restored items.
	Restored int `json:"restored"`
}
