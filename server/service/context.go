package service

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/tag"
	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/assembly"
	"github.com/wm-lsp/wm-lsp/memory/briefing"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/notes"
	"github.com/wm-lsp/wm-lsp/memory/reads"
	"github.com/wm-lsp/wm-lsp/memory/render"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// Context implements wm/context. Unless it is a preview, it creates the overview of the
// session if there is none.
func (s *Service) Context(ctx context.Context, at *View, params *wire.ContextParams) (wire.ContextResult, error) {
	if params.Preview {
		if err := at.Sessions().NotDeleted(at.who.Session); err != nil {
			return wire.ContextResult{}, err
		}
	}
	request, err := at.contextRequest(params)
	if err != nil {
		return wire.ContextResult{}, err
	}
	made := func() *notes.Snapshot { return nil }
	if !params.Preview && params.Tell == "" && request.WantsOverview() {
		var overview notes.Snapshot
		overview, made = s.maintainOverview(ctx, at)
		request.Overview = &overview
	}
	if request.Recall, err = s.recall(ctx, at, params); err != nil {
		return wire.ContextResult{}, err
	}
	var former *briefing.State
	if params.Tell == wire.TellNews {
		former = s.told(ctx, at, at.who.Session)
	}
	if request.Wants(assembly.HandoverSection) {
		request.Handover = s.handover(at, params, former)
	}
	if !params.Preview {
		s.handOver(ctx, at, &request)
	}
	result, err := s.answer(ctx, at, params, request, former)
	if other := made(); other != nil { // somebody else has written it meanwhile, or it cannot be created
		request.Overview = other
		result, err = s.answer(ctx, at, params, request, former)
	}
	if err == nil && !params.Preview {
		s.accessed(ctx, at, result.Recalled)
	}
	result.Ignored = at.ignored
	return result, err
}

// answer returns the context of a request, or what is new in it for a session that was told something before.
func (s *Service) answer(
	ctx context.Context, at *View, params *wire.ContextParams, request assembly.Request, former *briefing.State,
) (wire.ContextResult, error) {
	if params.Tell != "" {
		return s.tell(ctx, at, params, request, former)
	}
	version := at.Version() // read before the rooms, so that a cached result is never newer
	c := s.contexts.Compose(at.Workspace, request)
	answer := func(since string) answered {
		given := c.Answer(since)
		return answered{at.contextResult(params, c, given), readOf(given)}
	}
	var given answered
	if params.Since != "" {
		given = answer(string(params.Since))
	} else {
		given = s.answers.get(c.Key(), version, func() answered { return answer("") })
	}
	if !params.Preview {
		at.traceContext(given.read)
	}
	return given.result, nil
}

// An answered context is a result with what the trace says of it.
type answered struct {
	result wire.ContextResult
	read   reads.Context
}

// readOf returns what the trace says of an answer: the ids of what it shows, or adds.
func readOf(answer assembly.Answer) reads.Context {
	given := reads.Context{Revision: answer.Revision}
	if d := answer.Delta; d != nil {
		given.Sections = append(given.Sections, reads.Section{ID: "delta", Items: d.Added})
	}
	if answer.Context == nil {
		return given
	}
	for _, section := range answer.Context.Sections {
		of := reads.Section{ID: section.ID}
		for _, item := range section.Items {
			of.Items = append(of.Items, item.ID)
		}
		given.Sections = append(given.Sections, of)
	}
	return given
}

// traceContext records that the session of the view was given a context.
func (v *View) traceContext(given reads.Context) {
	if v.NoWorkspace() == nil && v.Healthy() {
		memory.ServiceOf[*reads.Service](v.Workspace).Context(v.Actor(), given)
	}
}

// contextReader returns the session that the context is for.
func (v *View) contextReader() room.Reader {
	return room.Reader{Session: v.who.Session, Worktree: v.worktree()}
}

// ContextText returns the text of the context. It changes nothing.
func (s *Service) ContextText(at *View) string {
	return s.contexts.Compose(at.Workspace, assembly.Request{Reader: at.contextReader()}).Text()
}

func (v *View) contextRequest(params *wire.ContextParams) (assembly.Request, error) {
	request := assembly.Request{
		Reader: v.contextReader(), Include: params.Include, Exclude: params.Exclude,
		Guide: params.Guide, Hosted: params.Tell != "" && !v.Settings().History.Keep, Tools: v.tools,
	}
	request.Query = render.Query(params.Query)
	if budget := params.Budget; budget != nil {
		if budget.Chars < 0 || budget.Tokens < 0 {
			return request, fault.Invalid("budget", "must have chars and tokens of 0 or more, got %d and %d",
				budget.Chars, budget.Tokens)
		}
		request.Budget = assembly.Budget{Chars: budget.Chars, Tokens: budget.Tokens}
	}
	if len(params.Include)+len(params.Exclude) == 0 {
		return request, nil
	}
	known := assembly.SectionIDs(v.Workspace)
	for field, ids := range map[string][]string{"include": params.Include, "exclude": params.Exclude} {
		for _, id := range ids {
			if !slices.Contains(known, id) {
				return request, fault.Invalid(field, "must contain only %s, got %q", strings.Join(known, ", "), id)
			}
		}
	}
	return request, nil
}

func (v *View) contextResult(
	params *wire.ContextParams, c *assembly.Composition, answer assembly.Answer,
) wire.ContextResult {
	result := wire.ContextResult{
		Unchanged: answer.Unchanged, Revision: wire.Revision(answer.Revision), Recalled: recalled(params, c.Recalled()),
	}
	if d := answer.Delta; d != nil {
		result.Delta = &wire.ContextDelta{Added: visibles(d.Added), Removed: visibles(d.Removed), Text: d.Text}
	}
	if answer.Context != nil {
		result.Context = v.wireContext(answer.Context)
	}
	return result
}

// visibles returns ids of items of a context as a person sees them.
func visibles(ids []string) []string {
	visible := make([]string, len(ids))
	for i, id := range ids {
		visible[i] = tag.Visible(id)
	}
	return visible
}

// maxOmitted is how many omissions of a section a result lists. The entries of a full memory are
// all listed unless the settings allow more of them. A section can leave out a thousand items.
const maxOmitted = 30

func (v *View) wireContext(c *assembly.Context) *wire.Context {
	result := &wire.Context{
		Text: c.Text, Prefix: c.Prefix, Suffix: c.Suffix, Chars: c.Chars, Tokens: c.Tokens,
		Sections: []wire.ContextSection{}, Pressure: v.pressure(), Window: v.window(c),
		History: wire.History{Keep: wire.KeepAll, Reason: c.History.Reason},
	}
	if c.History.ActiveTurn {
		result.History.Keep = wire.KeepActiveTurn
	}
	for _, section := range c.Sections {
		s := wire.ContextSection{
			ID: section.ID, Label: cmp.Or(section.Label, section.ID), Text: section.Text,
			Chars: section.Chars, Tokens: section.Tokens, Stable: section.Stable,
			Omitted: []wire.Omission{}, OmittedMore: max(0, len(section.Omitted)-maxOmitted),
		}
		for _, o := range section.Omitted[:min(maxOmitted, len(section.Omitted))] {
			s.Omitted = append(s.Omitted, wire.Omission{ID: tag.Visible(o.ID), Reason: tag.Visible(o.Why())})
		}
		result.Sections = append(result.Sections, s)
	}
	return result
}
