package wire

import "encoding/json"

// StateReadParams request the state in the overview.
type StateReadParams struct {
	Params
}

// StateReadResult is the state in the overview, in two forms.
type StateReadResult struct {
	// The state as YAML.
	YAML string `json:"yaml"`
	// The state as an object.
	State json.RawMessage `json:"state"`
	// The revision of the overview; empty if there is none.
	Revision Revision `json:"revision"`
}

// StateWriteParams write the whole state into the overview, as YAML or as an object. An
// absent key is removed from the overview, so read the state first to change a part of it.
type StateWriteParams struct {
	Params
	// The state as YAML.
	YAML string `json:"yaml,omitzero"`
	// The state as an object.
	State json.RawMessage `json:"state,omitzero"`
	// The revision of the overview that was read. If the current one is different, nothing
	// is written.
	IfRevision Revision `json:"ifRevision,omitzero"`
}

// StateWriteResult is the new overview.
type StateWriteResult struct {
	// The revision.
	Revision Revision `json:"revision"`
}

// StateEventParams are an event of the task.
type StateEventParams struct {
	Params
	// task_started, decision_made, bug_found, compression_completed, task_completed or
	// context_changed.
	Type string `json:"type"`
	// The data of the event: a task, decision, bug, summary or context, with details.
	Data Object `json:"data"`
}
