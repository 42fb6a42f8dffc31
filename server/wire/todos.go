package wire

// TodosChangedParams are the todo list of the host.
type TodosChangedParams struct {
	Params
	// All todos, which replace the previous ones, or those that have changed. The first 200 are kept.
	Todos []Todo `json:"todos"`
	// Whether todos are only those that have changed. One with the id of a todo on the list changes it: what is
	// empty stays as it was, and the status "deleted" takes it off. Another one is added, unless its content
	// is empty. The first one that is added when all on the list are completed or cancelled begins a new list.
	Partial bool `json:"partial,omitzero"`
}

// Todo is an item of the host's todo list.
type Todo struct {
	// The host's id of it, if it has one.
	ID string `json:"id,omitzero"`
	// What to do. The first 1000 characters are kept.
	Content string `json:"content"`
	// The host's name of its status, such as "pending".
	Status string `json:"status"`
	// The host's name of its priority.
	Priority string `json:"priority,omitzero"`
}
