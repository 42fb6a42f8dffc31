package service

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// Params are the parameters of an operation: a pointer to a Params type of package
// wire.
type Params interface{ Common() *wire.Params }

// An Operation is a method of the protocol with its implementation. Start and Post
// run it.
type Operation struct {
	wire.Method
	// NewParams returns zero parameters.
	NewParams func() Params
	run       func(ctx context.Context, at *View, params Params) (any, error)
}

// paramsOf is the constraint for pointers to P that are Params.
type paramsOf[P any] interface {
	*P
	Params
}

// Define returns the operation that implements a method.
func Define[P any, PP paramsOf[P], R any](
	method wire.Method, run func(ctx context.Context, at *View, params PP) (R, error),
) Operation {
	return Operation{
		Method:    method,
		NewParams: func() Params { return PP(new(P)) },
		run: func(ctx context.Context, at *View, params Params) (any, error) {
			typed, ok := params.(PP)
			if !ok {
				return nil, fmt.Errorf("%s takes %T, got %T", method.Name, typed, params)
			}
			return run(ctx, at, typed)
		},
	}
}

// Operations returns all operations: those of the protocol in the order of wire.Methods,
// then Options.Operations.
func (s *Service) Operations() []Operation {
	known := s.operations()
	list := make([]Operation, 0, len(known))
	for _, method := range wire.Methods() {
		if define, ok := known[method.Name]; ok {
			list = append(list, define(method))
		}
	}
	return append(list, s.options.Operations...)
}

// implement returns a function that defines an operation by its method.
func implement[P any, PP paramsOf[P], R any](
	run func(ctx context.Context, at *View, params PP) (R, error),
) func(wire.Method) Operation {
	return func(method wire.Method) Operation { return Define(method, run) }
}

func (s *Service) operations() map[string]func(wire.Method) Operation {
	return map[string]func(wire.Method) Operation{
		"wm/session/start":       implement(s.SessionStart),
		"wm/session/end":         implement(s.SessionEnd),
		"wm/session/delete":      implement(s.SessionDelete),
		"wm/session/list":        implement(s.SessionList),
		"wm/session/handover":    implement(s.SessionHandover),
		"wm/session/continue":    implement(s.SessionContinue),
		"wm/diagnostics/changed": implement(s.DiagnosticsChanged),
		"wm/tool/executed":       implement(s.ToolExecuted),
		"wm/message/received":    implement(s.MessageReceived),
		"wm/todos/changed":       implement(s.TodosChanged),
		"wm/usage/reported":      implement(s.UsageReported),
		"wm/state/event":         implement(s.StateEvent),
		"wm/compaction/starting": implement(s.CompactionStarting),
		"wm/compaction/finished": implement(s.CompactionFinished),

		"wm/context":        implement(s.Context),
		"wm/search":         implement(s.Search),
		"wm/errors/list":    implement(s.ErrorsList),
		"wm/errors/copy":    implement(s.ErrorsCopy),
		"wm/errors/command": implement(s.ErrorsCommand),
		"wm/files/list":     implement(s.FilesList),
		"wm/panel":          implement(s.Panel),
		"wm/pressure":       implement(s.Pressure),
		"wm/panel/resolve":  implement(s.PanelResolve),

		"wm/memory/list":     implement(s.MemoryList),
		"wm/memory/add":      implement(s.MemoryAdd),
		"wm/memory/update":   implement(s.MemoryUpdate),
		"wm/memory/remove":   implement(s.MemoryRemove),
		"wm/memory/explain":  implement(s.MemoryExplain),
		"wm/memory/restore":  implement(s.MemoryRestore),
		"wm/errors/dismiss":  implement(s.ErrorsDismiss),
		"wm/errors/restore":  implement(s.ErrorsRestore),
		"wm/errors/remember": implement(s.ErrorsRemember),
		"wm/workspace/purge": implement(s.WorkspacePurge),
		"wm/core/read":       implement(s.CoreRead),
		"wm/core/update":     implement(s.CoreUpdate),
		"wm/working/read":    implement(s.WorkingRead),
		"wm/working/add":     implement(s.WorkingAdd),
		"wm/working/remove":  implement(s.WorkingRemove),
		"wm/working/clear":   implement(s.WorkingClear),
		"wm/working/restore": implement(s.WorkingRestore),
		"wm/notes/list":      implement(s.NotesList),
		"wm/notes/read":      implement(s.NotesRead),
		"wm/notes/write":     implement(s.NotesWrite),
		"wm/notes/archive":   implement(s.NotesArchive),
		"wm/notes/restore":   implement(s.NotesRestore),
		"wm/state/read":      implement(s.StateRead),
		"wm/state/write":     implement(s.StateWrite),
		"wm/history/compact": implement(s.HistoryCompact),
		"wm/prune":           implement(s.Prune),
		"wm/output/read":     implement(s.OutputRead),
		"wm/search/tune":     implement(s.SearchTune),
		"wm/sweep":           implement(s.Sweep),
		"wm/budget":          implement(s.Budget),
		"wm/memorize":        implement(s.Memorize),
		"wm/commit":          implement(s.Commit),
		"wm/skills":          implement(s.Skills),
		"wm/skills/get":      implement(s.SkillsGet),
		"wm/skills/update":   implement(s.SkillsUpdate),
		"wm/skills/remove":   implement(s.SkillsRemove),
		"wm/skills/restore":  implement(s.SkillsRestore),
		"wm/skills/export":   implement(s.SkillsExport),
		"wm/trace":           implement(s.Trace),
		"wm/import":          implement(s.Import),
		"wm/pause":           implement(s.Pause),
		"wm/status":          implement(s.Status),
	}
}

// Start starts an operation in the order of the workspace, see Order. It returns a
// function that waits for the result, which has the type Operation.Result. The error
// is a *fault.Fault.
func (s *Service) Start(ctx context.Context, op Operation, at *View, params Params) (wait func() (any, error)) {
	run := func(ctx context.Context) (any, error) { return s.mended(ctx, op, at, params) }
	if op.Soon {
		return s.readSoon(ctx, at, run)
	}
	return s.Order(ctx, op.Access, at, run)
}

// mended runs an operation. If that meets damage of the database, it is repaired, and an operation that reads or
// has failed is run again.
func (s *Service) mended(ctx context.Context, op Operation, at *View, params Params) (any, error) {
	result, err := op.run(ctx, at, params)
	if at.Damage() == nil {
		return result, err
	}
	if op.Access == wire.Reads {
		if !at.MendSoon(at.Damage) {
			return result, err
		}
		return op.run(ctx, at, params)
	}
	at.Mend(context.WithoutCancel(ctx), at.Damage())
	if err == nil {
		return result, nil
	}
	return op.run(ctx, at, params)
}

// Call runs an operation in the workspace that params name and returns its result. The error is a
// *fault.Fault.
func (s *Service) Call(ctx context.Context, op Operation, params Params) (any, error) {
	at, err := s.View(params)
	if err != nil {
		return nil, err
	}
	return s.Start(ctx, op, at, params)()
}

// Post starts an operation without waiting for its result. It logs the error.
func (s *Service) Post(ctx context.Context, op Operation, at *View, params Params) {
	s.Order(ctx, op.Access, at, func(ctx context.Context) (any, error) {
		_, err := s.guarded(ctx, func(ctx context.Context) (any, error) { return s.mended(ctx, op, at, params) })
		if err != nil {
			s.log.Warn("an event was not recorded", "method", op.Name, "error", err)
		}
		return nil, nil
	})
}

var (
	errClosing error = fault.Refuse("", fault.Data{}, "the server is shutting down; nothing was changed")
	errPanic   error = &fault.Fault{Message: "internal error in the server; nothing was changed, see its log"}
)

// Order runs a function in the order of the workspace and returns a function that waits
// for its result. A mutation runs on the queue of the workspace, in the order of the
// calls. A read runs when its result is waited for, after everything that was queued
// before the call, or, if that waits for another process, on the memory as it is. Order
// blocks only while the queue is full. A panic of run is returned as a fault of the kind Internal.
func (s *Service) Order(
	ctx context.Context, access wire.Access, at *View, run func(ctx context.Context) (any, error),
) (wait func() (any, error)) {
	if access == wire.Reads {
		settled := at.Settled()
		return func() (any, error) {
			if _, err := settle(ctx, at, settled); err != nil {
				return nil, fault.Of(err)
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

// Settle waits until what was called before is done and what other processes have acknowledged is
// known, or until one of them hangs or ctx is done.
func (s *Service) Settle(ctx context.Context, at *View) { _, _ = settle(ctx, at, at.Settled()) }

// Done calls then when what was called before is done, in all open folders. It does not wait.
func (s *Service) Done(then func()) {
	var waiting []<-chan struct{}
	for _, f := range s.folders.all() {
		if settled := f.workspace.Settled(); settled != nil {
			waiting = append(waiting, settled)
		}
	}
	go func() {
		for _, settled := range waiting {
			<-settled
		}
		then()
	}()
}

// settle waits until the channel of Settled is closed, or what was queued before is held up by another process. It
// reports whether the channel is closed. The error is that of ctx.
func settle(ctx context.Context, at *View, settled <-chan struct{}) (done bool, err error) {
	if settled == nil {
		return true, nil
	}
	ticker := time.NewTicker(heldEvery)
	defer ticker.Stop()
	for !at.Held() {
		select {
		case <-settled:
			return true, nil
		case <-ctx.Done():
			return false, ctx.Err()
		case <-ticker.C:
		}
	}
	return false, nil
}

const (
	// heldEvery is how often a read that waits looks whether another process holds up what it waits for.
	heldEvery = 500 * time.Millisecond
	// maxWait is how long a method that answers soon waits for what was queued before it.
	maxWait = 500 * time.Millisecond
)

// readSoon is Order for a read that does not wait for long work on the queue, such as an
// output of many megabytes: it then shows the memory as it is.
func (s *Service) readSoon(
	ctx context.Context, at *View, run func(ctx context.Context) (any, error),
) (wait func() (any, error)) {
	settled, late := at.Settled(), time.After(maxWait)
	return func() (any, error) {
		if settled != nil {
			select {
			case <-settled:
			case <-late:
			case <-ctx.Done():
				return nil, fault.Of(ctx.Err())
			}
		}
		return s.guarded(ctx, run)
	}
}

// guarded calls run and returns every error, and a panic, as a fault.
func (s *Service) guarded(ctx context.Context, run func(ctx context.Context) (any, error)) (result any, err error) {
	defer func() {
		if caught := recover(); caught != nil {
			s.log.Error("an operation panicked", "panic", caught, "stack", string(debug.Stack()))
			result, err = nil, errPanic
		}
	}()
	if result, err = run(ctx); err != nil {
		told := fault.Of(err)
		if text := err.Error(); text != told.Error() {
			s.log.Info("an operation failed", "error", text) // with what a person is not told
		}
		return nil, told
	}
	return result, nil
}

// observe records an event and logs the error. It must be called on the queue.
func (s *Service) observe(at *View, body any) {
	if _, err := at.Observe(context.Background(), at.event(body)); err != nil {
		s.log.Warn("an event was not recorded", "error", err)
	}
}
