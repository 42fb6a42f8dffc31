package hot

import (
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
)

// An activity counts what a session did. What is old in it is shown behind what is new.
type activity struct {
	// Turns are the messages of the user and of the agent.
	Turns int `json:"turns"`
	// Prompts are the messages of the user alone.
	Prompts int `json:"prompts,omitempty"`
	// Steps are the tools that ran.
	Steps int `json:"steps"`
	// Edits are the changes of files, also of those that were deleted since.
	Edits int `json:"edits,omitempty"`
	// Done are those of them before the last message of the user.
	Done int `json:"done,omitempty"`
	// AskedAt and SaidAt are the times of the last message of the user and of the agent.
	AskedAt time.Time `json:"askedAt,omitzero"`
	SaidAt  time.Time `json:"saidAt,omitzero"`
}

// counted returns the change that adds to the activity of a session.
func counted(session string, added activity) change.Change {
	return change.New(ActivityCounted, session, added).AsHot()
}

func (r *Room) foldCounted(c change.Change) ([]change.Row, error) {
	var added activity
	if err := c.Decode(&added); err != nil {
		return nil, err
	}
	k := key(activityTable, c.Subject)
	now := r.activities[k]
	switch {
	case added.Prompts > 0:
		now.Done = now.Edits
		now.AskedAt = later(now.AskedAt, c.At)
	case added.Turns > 0:
		now.SaidAt = later(now.SaidAt, c.At)
	}
	now.Turns += added.Turns
	now.Prompts += added.Prompts
	now.Steps += added.Steps
	now.Edits += added.Edits
	return []change.Row{r.activities.Put(k, now)}, nil
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// unanswered reports whether the agent worked on the last message of the user and said nothing since.
// It is false if the agent's messages are not known at all.
func (a activity) unanswered() bool {
	return a.Steps > 0 && a.AskedAt.After(a.SaidAt) && (a.Prompts == 1 || !a.SaidAt.IsZero())
}

// activityOf is activity for a caller that does not hold the lock.
func (r *Room) activityOf(session string) activity {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.activity(session)
}

// HasRun reports whether a tool ran in a session.
func (r *Room) HasRun(session string) bool { return r.activityOf(session).Steps > 0 }

// activity returns what a session has done so far. The lock must be held.
func (r *Room) activity(session string) activity { return r.activities[key(activityTable, session)] }
