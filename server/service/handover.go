package service

import (
	"context"
	"time"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/assembly"
	"github.com/wm-lsp/wm-lsp/memory/briefing"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// SessionHandover implements wm/session/handover.
func (s *Service) SessionHandover(
	_ context.Context, at *View, _ *wire.SessionHandoverParams,
) (wire.SessionHandoverResult, error) {
	if err := at.NoWorkspace(); err != nil {
		return wire.SessionHandoverResult{}, err
	}
	known, err := at.past()
	if !at.named || err == nil && known.Live() {
		return wire.SessionHandoverResult{Handover: at.wireHandover(
			assembly.LastHandover(at.Workspace, at.contextReader(), at.Now()))}, nil
	}
	if err != nil {
		return wire.SessionHandoverResult{}, err
	}
	return wire.SessionHandoverResult{Handover: at.wireHandover(at.handoverOf(known))}, nil
}

// handoverOf returns what a session left, as the client's own session reads it.
func (v *View) handoverOf(session sessions.Session) *assembly.Handover {
	reader := v.contextReader()
	reader.Session = v.own
	return assembly.HandoverOf(v.Workspace, session, reader)
}

// past returns the session that the request names. It returns an error if that is not known.
func (v *View) past() (sessions.Session, error) {
	known, _ := v.Sessions().Get(v.who.Session)
	return known, v.Sessions().Known(v.who.Session)
}

// SessionContinue implements wm/session/continue.
func (s *Service) SessionContinue(
	ctx context.Context, at *View, params *wire.SessionContinueParams,
) (wire.SessionContinueResult, error) {
	if err := requireSession(at, params.SessionID); err != nil {
		return wire.SessionContinueResult{}, err
	}
	known, err := at.past()
	if err != nil {
		return wire.SessionContinueResult{}, err
	}
	if known.Live() {
		return wire.SessionContinueResult{}, fault.Invalid("sessionId",
			"must be a session that has ended; %s goes on", known.ID)
	}
	who := at.Actor()
	who.Session, who.Agent = at.own, at.client
	err = memory.ServiceOf[*sessions.Service](at.Workspace).Offer(ctx, who, known.ID, !params.Cancel)
	if err != nil {
		return wire.SessionContinueResult{}, err
	}
	if known, err = at.past(); err != nil {
		return wire.SessionContinueResult{}, err
	}
	return wire.SessionContinueResult{Handover: *at.wireHandover(at.handoverOf(known))}, nil
}

func (v *View) wireHandover(h *assembly.Handover) *wire.Handover {
	if h == nil {
		return nil
	}
	left := &wire.Handover{
		SessionID: h.Session.ID, Agent: h.Session.Agent, EndedAt: wire.At(h.Session.Over()), Title: h.Title(),
		Goal: h.Goal, Errors: []wire.OpenError{}, Files: []string{}, Notes: noteFiles(h.Notes),
		Open: h.IsOpen(), Offered: h.Session.IsOffered(), Text: h.Text(assembly.MaxHandoverChars, nil),
	}
	if left.Goal == "" {
		left.Goal = h.Last
	}
	for _, e := range h.Errors {
		left.Errors = append(left.Errors, v.openError(e))
	}
	for _, file := range h.Files {
		left.Files = append(left.Files, file.Path)
	}
	if h.Usage.Limit > 0 {
		usage := wirePressure(h.Usage, v.Settings())
		left.Usage = &usage
	}
	return left
}

// A beginning is the start of a session, or its resumption.
type beginning struct {
	workspace *memory.Workspace
	session   string
	at        time.Time
}

// handover returns what the session of a view is given of another session with a context, nil for nothing.
// Only the first context of an agent has it, and only where it can be recorded that it was given.
func (s *Service) handover(v *View, params *wire.ContextParams, former *briefing.State) *assembly.Handover {
	known, _ := v.Sessions().Get(v.who.Session)
	told := former.Holds(known.Turn, known.Compactions)
	if params.Since != "" || told || v.person && !v.named || v.NoWorkspace() != nil || !v.Healthy() || v.Paused() {
		return nil
	}
	this, met := beginning{v.Workspace, v.who.Session, known.Begun()}, false
	if params.Preview {
		_, met = s.met.Load(this)
	} else {
		_, met = s.met.LoadOrStore(this, true)
	}
	if met {
		return nil
	}
	return assembly.NextHandover(v.Workspace, v.contextReader(), v.Now(), v.Settings().Session.Handover())
}

// handOver records that the session of a view is given the handover of a request, which is left out if it
// does not fit into the context, or if another session was given it meanwhile.
func (s *Service) handOver(ctx context.Context, at *View, request *assembly.Request) {
	if request.Handover == nil {
		return
	}
	if !s.contexts.Compose(at.Workspace, *request).HandsOver() {
		request.Handover = nil
		return
	}
	given, err := s.Order(ctx, wire.Mutates, at, func(ctx context.Context) (any, error) {
		said, steps := at.hot().Done(at.who.Session)
		return memory.ServiceOf[*sessions.Service](at.Workspace).HandOver(
			ctx, at.event(nil), request.Handover.Session, said, steps)
	})()
	if err != nil {
		s.log.Warn("hand over what a session left", "error", err)
	}
	if given != true {
		request.Handover = nil
	}
}
