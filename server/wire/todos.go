package wire

// TodosChangedParams are the todo list of the host.
type TodosChangedParams struct {
	Params
	// All todos; they replace the previous ones.
	Todos []Todo `json:"todos"`
}

// Todo is an item of the host's todo list.
type Todo struct {
	// What to do.
	Content string `json:"content"`
	// The host's name of its status, such as "pending".
	Status string `json:"status"`
	// The host's name of its priority.
	Priority string `json:"priority,omitzero"`
}
