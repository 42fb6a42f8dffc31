package hot

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
)

// part is a report of what has changed on a todo list: id, text and status of each.
func part(todos ...[3]string) event.TodosChanged {
	body := event.TodosChanged{Partial: true}
	for _, t := range todos {
		body.Todos = append(body.Todos, event.Todo{ID: t[0], Content: t[1], Status: t[2]})
	}
	return body
}

func TestB13_WhatChangedOnTheHostsTodoListIsMergedIntoIt(t *testing.T) {
	whole := event.TodosChanged{Todos: []event.Todo{
		{ID: "1", Content: "parse", Status: "completed", Priority: "high"},
		{ID: "2", Content: "test", Status: "pending"},
	}}
	for name, test := range map[string]struct {
		reports []event.TodosChanged
		list    []string
		changes bool // by the last report
	}{
		"todos that are created one by one are a list": {
			[]event.TodosChanged{part([3]string{"1", "parse", "pending"}), part([3]string{"2", "test", "pending"})},
			[]string{"1 parse pending", "2 test pending"}, true,
		},
		"a status alone keeps the text and the priority": {
			[]event.TodosChanged{whole, part([3]string{"1", "", "pending"})},
			[]string{"1 parse pending high", "2 test pending"}, true,
		},
		"what says nothing is not taken": {
			[]event.TodosChanged{{Todos: []event.Todo{{ID: "1"}, {ID: "2", Content: "test"}, {Content: " \n"}}}},
			[]string{"2 test "}, true,
		},
		"a list of nothing is empty": {
			[]event.TodosChanged{{Todos: []event.Todo{{Status: "pending"}, {Content: " "}}}}, nil, false,
		},
		"a part that says nothing is not added, and keeps the text": {
			[]event.TodosChanged{whole, part([3]string{"9", " ", "pending"}, [3]string{"1", " ", "pending"})},
			[]string{"1 parse pending high", "2 test pending"}, true,
		},
		"a text alone keeps the status": {
			[]event.TodosChanged{whole, part([3]string{"2", "test it all", ""})},
			[]string{"1 parse completed high", "2 test it all pending"}, true,
		},
		"a deleted one is taken off": {
			[]event.TodosChanged{whole, part([3]string{"1", "", "deleted"})}, []string{"2 test pending"}, true,
		},
		"the last one that is deleted leaves an empty list": {
			[]event.TodosChanged{part([3]string{"1", "parse", "pending"}), part([3]string{"1", "", "deleted"})},
			nil, true,
		},
		"a status of an unknown one changes nothing": {
			[]event.TodosChanged{whole, part([3]string{"9", "", "completed"}, [3]string{"9", "gone", "deleted"})},
			[]string{"1 parse completed high", "2 test pending"}, false,
		},
		"an unknown one with a text is added": {
			[]event.TodosChanged{whole, part([3]string{"9", "ship", ""})},
			[]string{"1 parse completed high", "2 test pending", "9 ship "}, true,
		},
		"one that has not changed changes nothing": {
			[]event.TodosChanged{whole, part([3]string{"2", "test", "pending"})},
			[]string{"1 parse completed high", "2 test pending"}, false,
		},
		"the first of two with one id is changed": {
			[]event.TodosChanged{
				{Todos: []event.Todo{{ID: "1", Content: "a"}, {ID: "1", Content: "b"}}},
				part([3]string{"1", "", "completed"}),
			},
			[]string{"1 a completed", "1 b "}, true,
		},
		"one without an id is always added": {
			[]event.TodosChanged{part([3]string{"", "a", "pending"}), part([3]string{"", "a", "pending"})},
			[]string{" a pending", " a pending"}, true,
		},
		"one that is added when all are over begins a new list": {
			[]event.TodosChanged{
				whole, part([3]string{"2", "", "cancelled"}), part([3]string{"3", "ship", "pending"}),
				part([3]string{"4", "tell", "pending"}),
			},
			[]string{"3 ship pending", "4 tell pending"}, true,
		},
		"all that are added at once when all are over are the new list": {
			[]event.TodosChanged{
				whole, part([3]string{"2", "", "completed"}),
				part([3]string{"3", "a", "completed"}, [3]string{"4", "b", "pending"}),
			},
			[]string{"3 a completed", "4 b pending"}, true,
		},
		"one that is taken up again when all are over stays on the list": {
			[]event.TodosChanged{whole, part([3]string{"2", "", "completed"}), part([3]string{"1", "", "in_progress"})},
			[]string{"1 parse in_progress high", "2 test completed"}, true,
		},
		"a whole list replaces what was merged": {
			[]event.TodosChanged{part([3]string{"9", "old", "pending"}), whole},
			[]string{"1 parse completed high", "2 test pending"}, true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, nil)
			var last []change.Change
			for _, report := range test.reports {
				last = d.tell("a", report)
			}
			assert.Equal(t, test.changes, len(last) > 0)
			var list []string
			for _, todo := range d.room.Todos("a") {
				line := todo.ID + " " + todo.Content + " " + todo.Status
				if todo.Priority != "" {
					line += " " + todo.Priority
				}
				list = append(list, line)
			}
			assert.Equal(t, test.list, list)
			assert.Empty(t, d.room.Todos("b"))
		})
	}
}

func TestAHugeTodoListIsBounded(t *testing.T) {
	long := strings.Repeat("ä", 5000)
	var todos []event.Todo
	for i := range 10_000 {
		todos = append(todos, event.Todo{ID: fmt.Sprint(i) + long, Content: long, Status: long, Priority: long})
	}
	for name, report := range map[string][]event.TodosChanged{
		"that is reported whole":       {{Todos: todos}},
		"that is reported in one part": {{Todos: todos, Partial: true}},
		"that grows":                   {{Todos: todos[:150]}, {Todos: todos[150:310], Partial: true}},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, nil)
			for _, body := range report {
				for _, c := range d.tell("a", body) {
					assert.Less(t, len(c.After), maxTodos*2*(maxTodo+3*maxTodoRest+100))
				}
			}
			list := d.room.Todos("a")
			require.Len(t, list, maxTodos)
			for i, todo := range list {
				assert.True(t, strings.HasPrefix(todo.ID, fmt.Sprint(i)))
				assert.Equal(t, maxTodo, utf8.RuneCountInString(todo.Content))
				assert.LessOrEqual(t, utf8.RuneCountInString(todo.ID+todo.Status+todo.Priority), 3*maxTodoRest)
			}
			// The id is cut in the same way every time, so it is still found.
			d.tell("a", event.TodosChanged{Todos: []event.Todo{{ID: todos[7].ID, Status: "completed"}}, Partial: true})
			assert.Equal(t, "completed", d.room.Todos("a")[7].Status)
			assert.Equal(t, fmt.Sprintf("1/%d done", maxTodos), d.room.Describe("a").Words)
		})
	}
}

func TestAnErasedTodoDoesNotComeBackWithItsStatus(t *testing.T) {
	d := newDesk(t, nil)
	d.tell("a", part([3]string{"1", "tell Halcyon", "pending"}, [3]string{"2", "test", "pending"}))
	doc, err := json.Marshal(d.room.Todos("a"))
	require.NoError(t, err)
	row := d.room.Forget(change.Row{Key: key(todoTable, "a"), Value: doc}, []string{"Halcyon"})
	require.NoError(t, d.room.Load([]change.Row{row}))
	d.tell("a", part([3]string{"1", "", "completed"}))
	assert.Equal(t, []event.Todo{{ID: "2", Content: "test", Status: "pending"}}, d.room.Todos("a"))

	const text = "Halcyon"
	for _, todo := range []event.Todo{{ID: text}, {Content: text}, {Status: text}, {Priority: text}} {
		doc, err := json.Marshal([]event.Todo{todo})
		require.NoError(t, err)
		row := d.room.Forget(change.Row{Key: key(todoTable, "a"), Value: doc}, []string{text})
		assert.JSONEq(t, "[]", string(row.Value), "%+v", todo)
	}
}
