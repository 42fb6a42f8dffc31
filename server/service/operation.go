package service

import (
	"context"
	"fmt"
	"runtime/debug"

	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// Params are the parameters of an operation: a pointer to one of the Params types
// of package wire.
type Params interface{ Common() *wire.Params }

// An Operation is one method of the protocol with the function that does it. It
// is run by Start or Post.
type Operation struct {
	wire.Method
	// NewParams returns parameters that are all zero.
	NewParams func() Params
	run       func(ctx context.Context, at *View, params Params) (any, error)
}

// paramsOf are the parameters P by pointer.
type paramsOf[P any] interface {
	*P
	Params
}

// Define returns the operation that does a method.
func Define[P any, PP paramsOf[P], R any](
	method wire.Method, run func(ctx context.Context, at *View, params PP) (R, error),
) Operation {
	return Operation{
		Method:    method,
		NewParams: func() Params { return PP(new(P)) },
		run: func(ctx context.Context, at *View, params Params) (any, error) {
			given, right := params.(PP)
			if !right {
				return nil, fmt.Errorf("%s takes %T, got %T", method.Name, given, params)
			}
			return run(ctx, at, given)
		},
	}
}

// Operations returns all operations: those of the protocol in its order, then those
// of the options.
func (s *Service) Operations() []Operation {
	known := s.operations()
	list := make([]Operation, 0, len(known))
	for _, method := range wire.Methods() {
		if define, there := known[method.Name]; there {
			list = append(list, define(method))
		}
	}
	return append(list, s.options.Operations...)
}

// done defines the operation of a method whose name is the key of a table.
func done[P any, PP paramsOf[P], R any](
	run func(ctx context.Context, at *View, params PP) (R, error),
) func(wire.Method) Operation {
	return func(method wire.Method) Operation { return Define(method, run) }
}

func (s *Service) operations() map[string]func(wire.Method) Operation {
	return map[string]func(wire.Method) Operation{
		"wm/session/start":       done(s.SessionStart),
		"wm/session/end":         done(s.SessionEnd),
		"wm/session/delete":      done(s.SessionDelete),
		"wm/session/list":        done(s.SessionList),
		"wm/diagnostics/changed": done(s.DiagnosticsChanged),
		"wm/tool/executed":       done(s.ToolExecuted),
		"wm/message/received":    done(s.MessageReceived),
		"wm/todos/changed":       done(s.TodosChanged),
		"wm/usage/reported":      done(s.UsageReported),
		"wm/state/event":         done(s.StateEvent),
		"wm/compaction/starting": done(s.CompactionStarting),
		"wm/compaction/finished": done(s.CompactionFinished),

		"wm/context":       done(s.Context),
		"wm/errors/list":   done(s.ErrorsList),
		"wm/files/list":    done(s.FilesList),
		"wm/panel":         done(s.Panel),
		"wm/pressure":      done(s.Pressure),
		"wm/panel/resolve": done(s.PanelResolve),

		"wm/memory/list":     done(s.MemoryList),
		"wm/memory/add":      done(s.MemoryAdd),
		"wm/memory/update":   done(s.MemoryUpdate),
		"wm/memory/remove":   done(s.MemoryRemove),
		"wm/memory/explain":  done(s.MemoryExplain),
		"wm/memory/restore":  done(s.MemoryRestore),
		"wm/workspace/purge": done(s.WorkspacePurge),
		"wm/core/read":       done(s.CoreRead),
		"wm/core/update":     done(s.CoreUpdate),
		"wm/working/read":    done(s.WorkingRead),
		"wm/working/add":     done(s.WorkingAdd),
		"wm/working/remove":  done(s.WorkingRemove),
		"wm/working/clear":   done(s.WorkingClear),
		"wm/working/restore": done(s.WorkingRestore),
		"wm/notes/list":      done(s.NotesList),
		"wm/notes/read":      done(s.NotesRead),
		"wm/notes/write":     done(s.NotesWrite),
		"wm/notes/archive":   done(s.NotesArchive),
		"wm/notes/restore":   done(s.NotesRestore),
		"wm/state/read":      done(s.StateRead),
		"wm/state/write":     done(s.StateWrite),
		"wm/history/compact": done(s.HistoryCompact),
		"wm/prune":           done(s.Prune),
		"wm/output/read":     done(s.OutputRead),
		"wm/sweep":           done(s.Sweep),
		"wm/trace":           done(s.Trace),
		"wm/pause":           done(s.Pause),
		"wm/status":          done(s.Status),
	}
}

// Start gives an operation its place in the order of the workspace, see Order. It
// returns a function that waits for the result, which is of the type
// Operation.Result. The error is a *fault.Fault.
func (s *Service) Start(ctx context.Context, op Operation, at *View, params Params) (wait func() (any, error)) {
	return s.Order(ctx, op.Access, at, func(ctx context.Context) (any, error) { return op.run(ctx, at, params) })
}

// Post is Start for an operation that nobody waits for. What fails is logged.
func (s *Service) Post(ctx context.Context, op Operation, at *View, params Params) {
	s.Order(ctx, op.Access, at, func(ctx context.Context) (any, error) {
		if _, err := s.guarded(ctx, func(ctx context.Context) (any, error) { return op.run(ctx, at, params) }); err != nil {
			s.log.Warn("an event was not recorded", "method", op.Name, "error", err)
		}
		return nil, nil
	})
}

var (
	errClosing error = fault.Refuse("", fault.Data{}, "the server is ending; nothing was changed")
	errPanic   error = &fault.Fault{Message: "the request failed inside the server; nothing was changed, see its log"}
)

// Order gives run its place in the order of the workspace: what mutates is put on
// the queue of the workspace, in the order of the calls, and what reads runs while
// its caller waits for it, after everything that was put there before the call.
// Order itself waits only while the queue is full. It returns a function that
// waits for the result; what reads does not run without it. A panic of run is an
// Internal fault.
func (s *Service) Order(
	ctx context.Context, access wire.Access, at *View, run func(ctx context.Context) (any, error),
) (wait func() (any, error)) {
	if access == wire.Reads {
		settled := at.Settled()
		return func() (any, error) {
			if settled != nil {
				select {
				case <-settled:
				case <-ctx.Done():
					return nil, fault.Of(ctx.Err())
				}
			}
			return s.guarded(ctx, run)
		}
	}
	var result any
	var err error
	finished := make(chan struct{})
	if !at.Do(func() {
		defer close(finished)
		result, err = s.guarded(ctx, run)
	}) {
		return func() (any, error) { return nil, errClosing }
	}
	return func() (any, error) {
		<-finished
		return result, err
	}
}

// guarded makes a fault of every error and of a panic.
func (s *Service) guarded(ctx context.Context, run func(ctx context.Context) (any, error)) (result any, err error) {
	defer func() {
		if caught := recover(); caught != nil {
			s.log.Error("an operation panicked", "panic", caught, "stack", string(debug.Stack()))
			result, err = nil, errPanic
		}
	}()
	if result, err = run(ctx); err != nil {
		return nil, fault.Of(err)
	}
	return result, nil
}
