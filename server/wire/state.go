package wire

import "encoding/json"

// StateReadParams ask for the state that the overview holds.
type StateReadParams struct {
	Params
}

// StateReadResult is the state, twice.
type StateReadResult struct {
	// As YAML.
	YAML string `json:"yaml"`
	// As an object.
	State json.RawMessage `json:"state"`
	// The revision of the overview; empty if there is none.
	Revision Revision `json:"revision"`
}

// StateWriteParams write the whole state into the overview, as YAML or as an
// object, not as both. What a key that is not given held is taken out of the
// overview; read the state first to change a part of it.
type StateWriteParams struct {
	Params
	// As YAML.
	YAML string `json:"yaml,omitzero"`
	// As an object.
	State json.RawMessage `json:"state,omitzero"`
	// The revision of the overview at which the state was read. If it has another one
	// by now, nothing is written.
	IfRevision Revision `json:"ifRevision,omitzero"`
}

// StateWriteResult is the overview after it.
type StateWriteResult struct {
	// Its revision now.
	Revision Revision `json:"revision"`
}

// StateEventParams tell what happened to the task.
type StateEventParams struct {
	Params
	// task_started, decision_made, bug_found, compression_completed, task_completed or context_changed.
	Type string `json:"type"`
	// What belongs to it: a task, decision, bug, summary or context, each with more.
	Data Object `json:"data"`
}
