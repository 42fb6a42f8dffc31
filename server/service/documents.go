package service

import (
	"context"
	"slices"

	"github.com/wm-lsp/wm-lsp/extract/command"
	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/core"
	"github.com/wm-lsp/wm-lsp/memory/hot"
	"github.com/wm-lsp/wm-lsp/memory/index"
	"github.com/wm-lsp/wm-lsp/memory/items/gating"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
)

// Stores returns the names of the stores that the workspace has: those of rooms, and the memory types of items.
func (v *View) Stores() []string {
	names := room.Stores()
	if v.NoWorkspace() == nil {
		for _, store := range v.memoryTypes().Stores() {
			names = append(names, store.Name)
		}
	}
	return withoutRepeats(names)
}

// DocumentTypes returns the types that the program and the settings give to what is remembered. A client may memorize
// items of others.
func (v *View) DocumentTypes() []string {
	names := v.Settings().Memory.AllTypes()
	for _, category := range []command.Category{
		command.Typecheck, command.Test, command.Lint, command.Build, command.Runtime,
	} {
		names = append(names, string(category))
	}
	for _, pattern := range v.Settings().Errors.Patterns {
		names = append(names, pattern.Category)
	}
	for _, kind := range []hot.StatementKind{hot.Decision, hot.Todo, hot.Cause} {
		names = append(names, string(kind))
	}
	names = append(append(append(names, core.Names()...), sessions.Kind), gating.Types()...)
	if v.NoWorkspace() == nil {
		names = append(names, v.memoryTypes().Types()...)
	}
	return withoutRepeats(names)
}

// withoutRepeats returns strings without those that came before, in the same order.
func withoutRepeats(all []string) []string {
	var once []string
	for _, one := range all {
		if !slices.Contains(once, one) {
			once = append(once, one)
		}
	}
	return once
}

// Holds reports whether a document that is remembered fulfils a condition. It may read all of them.
func (s *Service) Holds(ctx context.Context, at *View, is func(room.Document) bool) (bool, error) {
	if at.NoWorkspace() != nil {
		return false, nil
	}
	at.WritePending(ctx)
	s.Settle(ctx, at)
	return memory.ServiceOf[*index.Service](at.Workspace).Any(ctx, is)
}
