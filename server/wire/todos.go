package wire

// TodosChangedParams are the host's whole todo list.
type TodosChangedParams struct {
	Params
	// All of them; they replace the ones before.
	Todos []Todo `json:"todos"`
}

// Todo is one line of the host's todo list.
type Todo struct {
	// What to do.
	Content string `json:"content"`
	// The host's own word for its state, such as "pending".
	Status string `json:"status"`
	// The host's own word for its priority.
	Priority string `json:"priority,omitzero"`
}
