package hot

import (
	"github.com/wm-lsp/wm-lsp/memory/change"
)

// An activity counts what a session did. What is old in it is shown behind what is new.
type activity struct {
	// Turns are the messages of the user and of the agent.
	Turns int `json:"turns"`
	// Steps are the tools that ran.
	Steps int `json:"steps"`
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
	now.Turns += added.Turns
	now.Steps += added.Steps
	return []change.Row{r.activities.Put(k, now)}, nil
}

// activity returns what a session has done so far.
func (r *Room) activity(session string) activity { return r.activities[key(activityTable, session)] }
