package service

import (
	"strings"
	"sync"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/sessions"
)

// AgentSession returns the id of the session of an agent that has its own id. Sessions of
// different agents may have the same one.
func AgentSession(agent, id string) string { return agent + ":" + id }

const (
	// clearTime is the most time between the end of a session and the start of the one in which an
	// agent goes on after its conversation was cleared.
	clearTime = 10 * time.Second
	// beginTime is the most time between the first event of a session, or one that is not recorded
	// because another one just was, and the start of the servers of its host.
	beginTime = 30 * time.Second
)

// A Follower knows the session in which an agent goes on. The agent keeps its server when the
// conversation is cleared, and its hooks then report another session. The zero value is ready to use.
// It is safe for concurrent use.
type Follower struct {
	mu      sync.Mutex
	current string // "" until it is another one than the client's own
}

// Of returns the session of calls in a folder that name none, "" for the client's own, which is that
// of the agent's hooks. If that has ended, the agent goes on in the only session of its kind that has
// begun at the same time.
func (f *Follower) Of(at *View) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.current
	if now == "" {
		now = at.own
	}
	last, known := at.Sessions().Get(now)
	if !known || last.EndedAt.IsZero() {
		return f.current
	}
	next := at.onlySession(last.Agent, func(session sessions.Session) bool {
		return session.StartedAt.Sub(last.EndedAt).Abs() <= clearTime
	})
	if next != "" {
		f.current = next
	}
	return f.current
}

// onlySession returns the only live session that the hooks of an agent report in the folder and for
// which is returns true, "" if there are none or several.
func (v *View) onlySession(agent string, is func(sessions.Session) bool) (found string) {
	for _, session := range v.Sessions().List() {
		if !session.Live() || !strings.HasPrefix(session.ID, AgentSession(agent, "")) || !is(session) {
			continue
		}
		if found != "" {
			return ""
		}
		found = session.ID
	}
	return found
}

// toldSessions returns the sessions whose hooks tell the client's agent the news: that of the view, and of a
// host that does not tell its session, which has the name agent, the only one that had an event since the
// service began. If there are several, it is not known which one it is, so all are told.
func (s *Service) toldSessions(at *View, agent string) []string {
	told := []string{at.who.Session}
	if agent == "" {
		return told
	}
	session := at.onlySession(agent, func(session sessions.Session) bool {
		return session.UpdatedAt.After(s.began.Add(-beginTime))
	})
	if session != "" {
		told = append(told, session)
	}
	return told
}
