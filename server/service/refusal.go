package service

import (
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// RefusalOf returns what clients are told of a refused operation.
func RefusalOf(f *fault.Fault) wire.Refusal {
	return wire.Refusal{
		Reason: wire.RefusalReason(f.Reason), ID: f.Data.ID, Max: f.Data.Max, Used: f.Data.Used,
		Chars: f.Data.Chars, MaxChars: f.Data.MaxChars,
		Revision: wire.Revision(f.Data.Revision), Kept: wire.Revision(f.Data.Kept),
	}
}
