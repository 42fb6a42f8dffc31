package service

import (
	"context"
	"strings"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/index"
	"github.com/wm-lsp/wm-lsp/memory/panel"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// PanelResolve implements wm/panel/resolve.
func (s *Service) PanelResolve(
	ctx context.Context, at *View, params *wire.PanelResolveParams,
) (wire.PanelResolveResult, error) {
	reader := at.panelReader()
	if markdown, ok := reader.markdown(params.ID); ok {
		return wire.PanelResolveResult{Markdown: markdown}, nil
	}
	doc, there, err := memory.ServiceOf[*index.Service](at.Workspace).Find(ctx, params.ID)
	if err != nil {
		return wire.PanelResolveResult{}, err
	}
	if !there {
		return wire.PanelResolveResult{}, fault.Missing(params.ID, "the panel has no item with the id %q", params.ID)
	}
	return wire.PanelResolveResult{Markdown: at.documentMarkdown(doc)}, nil
}

// documentMarkdown returns the details of a text that search found and that the panel does not show.
func (v *View) documentMarkdown(doc room.Document) string {
	written := ""
	if !doc.At.IsZero() {
		written = panel.Clock(doc.At)
	}
	return panel.WithFacts(panel.Literal(strings.TrimSpace(doc.Text)),
		panel.Fact{Name: "From", Value: fromOf(doc)}, panel.Fact{Name: "Said by", Value: doc.Speaker},
		panel.Fact{Name: "Written", Value: written},
	)
}
