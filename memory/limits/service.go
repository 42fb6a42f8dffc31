package limits

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/room"
)

// A Service records the limits in the settings of this process, and tells which of them others overrule.
type Service struct {
	workspace room.Host
	// state returns the statements of the process, the weakest first.
	state func() []Statement
	// stated are the statements that were recorded last, by whose settings they are.
	stated map[string]Statement
}

// NewService returns the service of a workspace. state returns what the settings of the process set now, the weakest
// settings first.
func NewService(workspace room.Host, state func() []Statement) *Service {
	return &Service{workspace: workspace, state: state, stated: map[string]Statement{}}
}

func (s *Service) room() *Room { return room.Of[*Room](s.workspace) }

// Opened records the limits, before anything is decided by others.
func (s *Service) Opened(ctx context.Context) { s.Record(ctx) }

// Poll records them again if they are gone, as after a purge, or were set while the workspace was opened.
func (s *Service) Poll(ctx context.Context) {
	for _, statement := range s.state() {
		stated, recorded := s.stated[statement.By]
		gone := func(key string) bool { _, there := s.room().Newest(key); return !there }
		if recorded && (!reflect.DeepEqual(stated.Limits, statement.Limits) ||
			slices.ContainsFunc(slices.Collect(maps.Keys(statement.Limits)), gone)) {
			s.Record(ctx)
			return
		}
	}
}

// Record writes what is new in the settings of the process. It is called on the queue.
func (s *Service) Record(ctx context.Context) {
	statements := s.state()
	for _, statement := range statements {
		former := s.stated[statement.By]
		former.By = statement.By
		if len(s.room().changesFor(statement, former)) > 0 {
			who := change.Actor{Agent: statement.By}
			_, err := s.workspace.Apply(ctx, who, func() ([]change.Change, error) {
				return s.room().changesFor(statement, former), nil
			})
			if err != nil {
				s.workspace.Log().Warn("record the limits of the workspace", "error", err)
				continue
			}
		}
		s.stated[statement.By] = statement
	}
	s.tell()
}

// Committed tells which limits are overruled now.
func (s *Service) Committed(changes []change.Change) {
	for _, c := range changes {
		if c.Kind == Set || c.Kind == Withdrawn {
			s.tell()
			return
		}
	}
}

// aboutLimits is the subject of the problem that limits are overruled.
const aboutLimits = "limits"

func (s *Service) tell() {
	overruled := s.room().overruled(s.state())
	if len(overruled) == 0 {
		s.workspace.ClearProblem(aboutLimits)
		return
	}
	var told []string
	for _, o := range overruled {
		at := o.newest.At.Local().Format("2006-01-02 15:04")
		told = append(told, fmt.Sprintf("%s is %s, which %s set at %s, after the %s of %s",
			o.newest.Key, o.newest.Value, o.newest.By, at, o.own.Value, o.own.By))
	}
	s.workspace.SetProblem(aboutLimits, room.Warning(strings.Join(told, "; "),
		"What is kept has one limit for all editors and agents, the newest. Set the one that you want in both places."))
}
