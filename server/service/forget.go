package service

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/quality"
	"github.com/wm-lsp/wm-lsp/extract/request"
	"github.com/wm-lsp/wm-lsp/extract/shorten"
	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/gate"
	"github.com/wm-lsp/wm-lsp/memory/index"
	"github.com/wm-lsp/wm-lsp/memory/items"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
)

// maxToForget is how many entries are named that a prompt may ask to forget.
const maxToForget = 3

// ToForget returns the lines that tell a person at an agent how what a prompt asks to forget is forgotten. The memory
// forgets nothing by itself: which entry is meant is for the agent or the person to say.
func (v *View) ToForget(ctx context.Context, prompt string) (lines []string) {
	for _, text := range request.ToForget(prompt) {
		found := v.meant(ctx, text)
		for _, one := range found {
			lines = append(lines, fmt.Sprintf("wm-lsp remembers %q (to forget it: wm-lsp forget %s)",
				shorten.Chars(shorten.Line(one.Text), maxQuoted), one.ID))
		}
		if len(found) == 0 {
			lines = append(lines, fmt.Sprintf("wm-lsp remembers nothing that fits %q, so nothing is forgotten "+
				"(wm-lsp list prints what is remembered)", shorten.Chars(shorten.Line(gate.Text(text)), maxQuoted)))
		}
	}
	return lines
}

// meant returns the ids and texts of what a string names by its id, or of the entries that share the most words with
// it.
func (v *View) meant(ctx context.Context, text string) (found []longterm.Entry) {
	if entry, there := v.longterm().Get(text); there && entry.Status == longterm.StatusActive {
		return []longterm.Entry{entry}
	}
	id := strings.ToUpper(text)
	item, there, err := memory.ServiceOf[*index.Service](v.Workspace).Find(ctx, items.Noun+":"+id)
	if err == nil && there {
		return []longterm.Entry{{ID: id, Text: item.Text}}
	}
	asked, shared := quality.TopicOf(text), map[string]int{}
	for _, entry := range v.longterm().List(nil, false) {
		for word := range quality.TopicOf(entry.Text) {
			if _, both := asked[word]; both {
				shared[entry.ID]++
			}
		}
		if shared[entry.ID] > 0 {
			found = append(found, entry)
		}
	}
	slices.SortStableFunc(found, func(a, b longterm.Entry) int { return cmp.Compare(shared[b.ID], shared[a.ID]) })
	return found[:min(len(found), maxToForget)]
}
