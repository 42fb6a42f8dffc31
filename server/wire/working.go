package wire

// WorkingReadParams ask for an agent's working memory.
type WorkingReadParams struct {
	Params
}

// WorkingReadResult is the working memory of a session.
type WorkingReadResult struct {
	// The items of every slot, newest first, by its name: error, decision, todo, dependency and those of the
	// settings.
	Slots map[string][]WorkingItem `json:"slots"`
	// Everything else, by its score, the highest first.
	Pool []WorkingItem `json:"pool"`
	// How many tool events and messages the session has seen.
	EventCounter int `json:"eventCounter"`
}

// WorkingItem is one item of a working memory.
type WorkingItem struct {
	// Its id.
	ID string `json:"id"`
	// What it says.
	Content string `json:"content"`
	// manual, message:user, message:assistant, or tool: and the name of the tool.
	Source string `json:"source"`
	// How often it came up, from 1.
	Mentions int `json:"mentions"`
	// Of an item of the pool: 0.85^age × (1 + ln(1 + mentions)), where age counts the events since it last came up.
	Score *float64 `json:"score,omitzero"`
	// When it first came up.
	CreatedAt Time `json:"createdAt"`
	// When it last came up.
	LastMentionedAt Time `json:"lastMentionedAt"`
}

// WorkingAddParams add an item by hand.
type WorkingAddParams struct {
	Params
	// What it says, in at most 500 characters.
	Content string `json:"content"`
	// The slot; the pool if absent.
	Slot string `json:"slot,omitzero"`
}

// WorkingAddResult is what became of it.
type WorkingAddResult struct {
	// The item as it is now. One that was there already has one mention more.
	Item WorkingItem `json:"item"`
	// What had to make room for it.
	Evicted []WorkingItem `json:"evicted"`
}

// WorkingRemoveParams say which items to drop.
type WorkingRemoveParams struct {
	Params
	// A part of what they say, in whichever case. It or an id is needed.
	Match string `json:"match,omitzero"`
	// The one item with this id.
	ID string `json:"id,omitzero"`
	// The slot to look in; all slots and the pool if absent.
	Slot string `json:"slot,omitzero"`
}

// WorkingRemoveResult is what was dropped.
type WorkingRemoveResult struct {
	// The items.
	Removed []WorkingItem `json:"removed"`
	// The call that puts them back, if there were any.
	Undo *Undo `json:"undo,omitzero"`
}

// WorkingClearParams say what to empty.
type WorkingClearParams struct {
	Params
	// The slot; all slots and the pool if absent.
	Slot string `json:"slot,omitzero"`
}

// WorkingClearResult says how much was dropped.
type WorkingClearResult struct {
	// Items.
	Removed int `json:"removed"`
	// The call that puts them back, if there were any.
	Undo *Undo `json:"undo,omitzero"`
}

// WorkingRestoreParams are those that the undo of wm/working/remove and
// wm/working/clear holds.
type WorkingRestoreParams struct {
	Params
	// What was dropped, at most 1000. An item that is held by now stays as it is.
	Items []WorkingDropped `json:"items"`
}

// WorkingDropped is an item with all that it takes to hold it again.
type WorkingDropped struct {
	// What it says, in at most 500 characters.
	Content string `json:"content"`
	// The slot; the pool if absent.
	Slot string `json:"slot,omitzero"`
	// manual, message:user, message:assistant, or tool: and the name of the tool.
	Source string `json:"source,omitzero"`
	// The file that it is, or that it is about.
	Path string `json:"path,omitzero"`
	// Of the open error that it tells of.
	Fingerprint string `json:"fingerprint,omitzero"`
	// How often it came up, from 1.
	Mentions int `json:"mentions,omitzero"`
	// The event counter when it last came up.
	Event int `json:"event,omitzero"`
	// When it first came up.
	CreatedAt Time `json:"createdAt,omitzero"`
	// When it last came up.
	LastMentionedAt Time `json:"lastMentionedAt,omitzero"`
}

// WorkingRestoreResult is what was put back.
type WorkingRestoreResult struct {
	// How many items.
	Restored int `json:"restored"`
}
