package install

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/scope"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// A Status describes whether and how an agent uses the memory.
type Status struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	// Program is the path of its program, Folder its settings folder; "" if there is none.
	Program string `json:"program,omitempty"`
	Folder  string `json:"folder,omitempty"`
	// Installed is where the memory is in its settings: "user", "project" (of the working
	// directory) and "plugin".
	Installed []string `json:"installed"`
	// Incomplete are the places in which something is missing; install completes them.
	Incomplete []string `json:"incomplete,omitempty"`
	// Problems are settings files that cannot be read, and why.
	Problems []string `json:"problems,omitempty"`
	// Hooks is whether the agent trusts the hooks: "trusted", what to do, or why it is not known; "" if
	// it does not have to, or if there are none.
	Hooks string `json:"hooks,omitempty"`
	// LastHeard is when it last did something in the workspace of the working directory, zero if
	// the memory of the workspace knows nothing of it.
	LastHeard time.Time `json:"lastHeard,omitzero"`
}

// The places of Status.Installed.
const (
	inUser    = "user"
	inProject = "project"
	inPlugin  = "plugin"
)

// notKnown begins Status.Hooks if the agent cannot be asked.
const notKnown = "not known: "

// TrustUnknown reports whether the agent could not be asked whether it trusts the hooks.
func (s Status) TrustUnknown() bool { return strings.HasPrefix(s.Hooks, notKnown) }

// Completing returns the selection that completes one of the places.
func (s Status) Completing(place string) Selection {
	return Selection{Agent: s.Name, Project: place == inProject}
}

// Found reports whether there is anything of the agent on the machine.
func (s Status) Found() bool { return s.Program != "" || s.Folder != "" || len(s.Installed) > 0 }

// Statuses returns the status of every agent.
func Statuses(ctx context.Context, o Options) ([]Status, error) {
	heard, err := o.lastHeard(ctx)
	all := []Status{}
	for _, agent := range Agents() {
		s := o.status(ctx, agent)
		for name, at := range heard {
			if agent.speaksAs(name) && at.After(s.LastHeard) {
				s.LastHeard = at
			}
		}
		all = append(all, s)
	}
	return all, err
}

func (o Options) status(ctx context.Context, agent Agent) Status {
	user, _ := o.places(false) // fails only for projects
	s := Status{Name: agent.Name, Title: agent.Title, Installed: []string{}}
	if agent.program != "" {
		s.Program, _ = o.LookPath(agent.program) // "" if it is not there
	}
	if dir := agent.folder(user); exists(dir) {
		s.Folder = dir
	}
	s.look(o, agent, user, inUser)
	if project, err := o.places(true); err == nil {
		s.look(o, agent, project, inProject)
	}
	hooked := len(s.Installed) > 0
	if agent.plugin != nil && agent.plugin(user) {
		s.Installed = append(s.Installed, inPlugin)
		hooked = true
	}
	if hooked && agent.trust != nil {
		switch {
		case s.Program == "":
			s.Hooks = notKnown + agent.program + " is not on the PATH"
		default:
			var err error
			if s.Hooks, err = agent.trust(ctx, s.Program, o.WorkDir); err != nil {
				s.Hooks = notKnown + err.Error()
			}
		}
	}
	return s
}

// look adds what is installed at a place.
func (s *Status) look(o Options, agent Agent, places Places, name string) {
	some, missing := false, false
	for _, part := range agent.parts(places) {
		here := false
		for _, path := range part.paths {
			f, err := read(path)
			if err == nil && f.exists {
				var there bool
				if there, err = part.form.holds(f.content); err != nil {
					err = fmt.Errorf("%s %w", path, err)
				}
				here = here || there
			}
			if err != nil {
				s.Problems = append(s.Problems, err.Error())
			}
		}
		change, err := part.install(o.records(), agent.Name, places.Workspace)
		some, missing = some || here, missing || !here || err != nil || change != nil && !change.same
	}
	if some {
		s.Installed = append(s.Installed, name)
		if missing {
			s.Incomplete = append(s.Incomplete, name)
		}
	}
}

// speaksAs reports whether a name in a memory is that of the agent: of its hooks or of its client
// of MCP.
func (a Agent) speaksAs(name string) bool {
	for _, own := range append([]string{a.Name}, a.clients...) {
		if name == own || strings.HasPrefix(name, own+"-") {
			return true
		}
	}
	return false
}

func workspaceDir(dataDir, key string) string { return store.WorkspaceDir(dataDir, key) }

// lastHeard returns when the agents last did something in this workspace, by their names in its
// memory. It creates no memory.
func (o Options) lastHeard(ctx context.Context) (map[string]time.Time, error) {
	place, err := scope.Locate(o.WorkDir, "git")
	if err != nil {
		return nil, nil // a folder without memory
	}
	list, err := Sessions(ctx, workspaceDir(o.DataDir, place.Key))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("when the agents were last heard is not known: %w", err)
	}
	heard := map[string]time.Time{}
	for _, session := range list {
		if session.UpdatedAt.After(heard[session.Agent]) {
			heard[session.Agent] = session.UpdatedAt
		}
	}
	return heard, nil
}

// Table returns the status of every agent as a table, and what is wrong.
func Table(o Options, all []Status) string {
	var text strings.Builder
	table := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "AGENT\tFOUND\tINSTALLED\tHOOKS\tLAST HEARD HERE")
	var problems []string
	for _, s := range all {
		found := s.Program
		if found == "" {
			found = s.Folder
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", s.Name, dash(o.short(found)), dash(strings.Join(s.Installed, ", ")),
			dash(s.Hooks), dash(when(s.LastHeard)))
		for _, place := range s.Incomplete {
			problems = append(problems,
				fmt.Sprintf("%s (%s): something is missing; run %s", s.Name, place, s.Completing(place)))
		}
		for _, problem := range s.Problems {
			problems = append(problems, s.Name+": "+problem)
		}
	}
	_ = table.Flush() // a string can be written
	installed := func(s Status) bool { return len(s.Installed) > 0 }
	if _, err := o.LookPath(program); err != nil && slices.ContainsFunc(all, installed) {
		problems = append(problems, o.notOnPath())
	}
	for _, problem := range problems {
		fmt.Fprintln(&text, problem)
	}
	return text.String()
}

func dash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

// short returns a path with ~ for the home folder.
func (o Options) short(path string) string {
	if rest, below := strings.CutPrefix(path, o.Home+string(os.PathSeparator)); below {
		return filepath.Join("~", rest)
	}
	return path
}

func when(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.Local().Format("2006-01-02 15:04:05")
}
