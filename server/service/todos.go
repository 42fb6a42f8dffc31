package service

import (
	"context"

	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// TodosChanged implements wm/todos/changed.
func (s *Service) TodosChanged(ctx context.Context, at *View, params *wire.TodosChangedParams) (wire.Empty, error) {
	body := event.TodosChanged{Todos: []event.Todo{}, Partial: params.Partial}
	for _, t := range params.Todos {
		body.Todos = append(body.Todos, event.Todo(t))
	}
	_, err := at.Observe(ctx, at.event(body))
	return wire.Empty{}, err
}
