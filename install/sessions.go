package install

import (
	"context"

	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
	"github.com/wm-lsp/wm-lsp/memory/store/sqlite"
)

// Sessions returns the sessions of the memory in a folder, by which agents are heard. The error is fs.ErrNotExist
// if there is none.
func Sessions(ctx context.Context, dir string) ([]sessions.Session, error) {
	all := sessions.New(room.Env{})
	rows, err := sqlite.Peek(ctx, dir, all.Name())
	if err == nil {
		err = all.Load(rows)
	}
	if err != nil {
		return nil, err
	}
	return all.List(), nil
}
