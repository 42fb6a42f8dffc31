package install

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/memory/scope"
)

// Options say where things are, and how to talk to the person.
type Options struct {
	// Home is the home folder, WorkDir the working directory.
	Home, WorkDir string
	// StateDir is the folder of the program's state, DataDir that of its memory.
	StateDir, DataDir string
	// Env looks up environment variables, LookPath a program on the PATH.
	Env      func(string) string
	LookPath func(string) (string, error)
	// Program is the path of this program.
	Program string

	// Out gets what is changed and what to do next.
	Out io.Writer
	// Agree asks the person whether to write what was shown; nil if nobody can be asked.
	Agree func() bool
	// Yes writes without asking, DryRun only shows what would be written.
	Yes, DryRun bool
}

// A Result is what Install and Uninstall changed, or would change.
type Result struct {
	Files []FileDiff `json:"files"`
	// Written is true if the files were written.
	Written bool `json:"written"`
}

// A FileDiff is a file with its change as a unified diff, without secrets.
type FileDiff struct {
	Path string `json:"path"`
	Diff string `json:"diff"`
}

// A UsageError means that the command was called in a wrong way.
type UsageError string

func (e UsageError) Error() string { return string(e) }

// errNotWritten means that nothing was written because nobody agreed.
var errNotWritten = errors.New("nothing was written")

// A Selection selects the settings that are meant.
type Selection struct {
	// Agent is the name of an agent, "" for all, which only Uninstall allows.
	Agent string
	// Project is true for the settings of the workspace instead of the user's.
	Project bool
}

// String returns the command that installs the selection.
func (s Selection) String() string {
	command := program + " install " + s.Agent
	if s.Project {
		command += " --project"
	}
	return command
}

// find returns an agent.
func find(name string) (Agent, error) {
	var names []string
	for _, agent := range Agents() {
		if agent.Name == name {
			return agent, nil
		}
		names = append(names, agent.Name)
	}
	return Agent{}, UsageError(fmt.Sprintf("there is no agent %q; the agents are %s", name, strings.Join(names, ", ")))
}

func (o Options) records() records { return records{filepath.Join(o.StateDir, "installed")} }

// places returns where the settings are.
func (o Options) places(project bool) (Places, error) {
	p := Places{Home: o.Home, Env: o.Env}
	if !project {
		return p, nil
	}
	place, err := scope.Locate(o.WorkDir, "git")
	if err != nil {
		return p, fmt.Errorf("--project is for the folder of a project: %w", err)
	}
	p.Workspace = place.Worktree
	return p, nil
}

// Install puts the memory into the settings of an agent.
func Install(o Options, s Selection) (result Result, err error) {
	result.Files = []FileDiff{}
	agent, err := find(s.Agent)
	if err != nil {
		return result, err
	}
	p, err := o.places(s.Project)
	if err != nil {
		return result, err
	}
	changes, err := o.changes(agent, p)
	if err != nil {
		return result, err
	}
	if !slices.ContainsFunc(changes, func(c Change) bool { return !c.same }) {
		fmt.Fprintf(o.Out, "%s has it already; nothing is changed.\n", agent.Title)
		return result, nil
	}
	if result, err = o.write(changes); err != nil || o.DryRun {
		return result, err
	}
	o.reportInstalled(agent, s)
	return result, nil
}

// changes returns the changes that install an agent's parts and take out what older versions installed.
func (o Options) changes(agent Agent, p Places) (changes []Change, err error) {
	parts := agent.parts(p)
	if len(parts) == 0 {
		return nil, fmt.Errorf("%s has no settings of a project; leave out --project", agent.Title)
	}
	for _, part := range parts {
		change, err := part.install(o.records(), agent.Name, p.Workspace)
		if err != nil {
			return nil, err
		}
		if change != nil {
			changes = append(changes, *change)
		}
	}
	for _, part := range agent.formerParts(p) {
		replaced, err := part.replace(o.records())
		if err != nil {
			return nil, err
		}
		changes = append(changes, replaced...)
	}
	return changes, nil
}

// reportInstalled prints what a person has to know and to do after an installation, and how to undo it.
func (o Options) reportInstalled(agent Agent, s Selection) {
	gets := "uses the memory"
	if agent.toolsOnly {
		gets = "has the tools of the memory"
	}
	fmt.Fprintf(o.Out, "Done. %s %s from its next session on.\n", agent.Title, gets)
	next := agent.next
	if s.Project {
		next = agent.nextProject
	}
	if next != "" {
		fmt.Fprintln(o.Out, next)
	}
	if _, err := o.LookPath(agent.program); err != nil {
		fmt.Fprintf(o.Out, "%s itself was not found: there is no program %s on the PATH.\n", agent.Title, agent.program)
	}
	if _, err := o.LookPath(program); err != nil {
		fmt.Fprintln(o.Out, o.notOnPath())
	}
	undo := program + " uninstall " + agent.Name
	if s.Project {
		undo += " --project"
	}
	fmt.Fprintf(o.Out, "To undo this: %s\nWhat was inserted is recorded in %s.\n", undo, o.records().dir)
}

// notOnPath returns the warning that no agent can start this program, with what to do.
func (o Options) notOnPath() string {
	return program + " is not on the PATH, and agents start it by its name: put a link to " + o.Program +
		" into a folder that is."
}

// A target is an agent with the place of its settings.
type target struct {
	agent  Agent
	places Places
}

// parts returns the parts of the agent, also with the files that were recorded in other folders: a
// variable may have named one.
func (t target) parts(all []record) []part {
	parts := append(t.agent.parts(t.places), t.agent.formerParts(t.places)...)
	for _, rec := range all {
		if rec.Agent != t.agent.Name || rec.Workspace != t.places.Workspace {
			continue
		}
		for i, p := range parts {
			named := func(path string) bool { return filepath.Base(path) == filepath.Base(rec.Path) }
			if slices.ContainsFunc(p.paths, named) && !slices.Contains(p.paths, rec.Path) {
				parts[i].paths = append(parts[i].paths, rec.Path)
			}
		}
	}
	return parts
}

// Uninstall takes the memory out of the settings of an agent, or of all agents: then also out of
// those of the workspaces into which it was installed, unless Project is set.
func Uninstall(o Options, s Selection) (result Result, err error) {
	result.Files = []FileDiff{}
	targets, err := o.targets(s)
	if err != nil {
		return result, err
	}
	var parts []part
	recorded := o.records().all()
	for _, t := range targets {
		parts = append(parts, t.parts(recorded)...)
	}
	var changes []Change
	var errs []error
	for _, part := range parts {
		undone, err := part.uninstall(o.records())
		if err != nil {
			errs = append(errs, err) // the other files can be undone
		}
		for _, c := range undone {
			if !slices.ContainsFunc(changes, func(other Change) bool { return other.file.target == c.file.target }) {
				changes = append(changes, c) // a file that agents share by a link is undone once
			}
		}
	}
	if len(changes) == 0 && errs == nil {
		fmt.Fprintln(o.Out, "Nothing is installed there; nothing is changed.")
		if len(recorded) == 0 && !o.DryRun { // an install that was killed may have left our own folder
			o.records().removeFolders()
		}
		for _, rec := range recorded {
			if rec.Agent == s.Agent && rec.Workspace != "" && !s.Project {
				fmt.Fprintf(o.Out, "It is in the project %s: use --project there.\n", rec.Workspace)
			}
		}
		return result, nil
	}
	if len(changes) > 0 {
		if result, err = o.write(changes); err != nil || o.DryRun {
			return result, errors.Join(append(errs, err)...)
		}
		fmt.Fprintln(o.Out, "Done.")
		o.sayWhatIsLeft(parts)
	}
	o.sayHowToPurge()
	return result, errors.Join(errs...)
}

func (o Options) targets(s Selection) (targets []target, err error) {
	p, err := o.places(s.Project)
	if err != nil {
		return nil, err
	}
	if s.Agent != "" {
		agent, err := find(s.Agent)
		return []target{{agent, p}}, err
	}
	workspaces := []string{p.Workspace}
	if !s.Project {
		for _, rec := range o.records().all() {
			if !slices.Contains(workspaces, rec.Workspace) {
				workspaces = append(workspaces, rec.Workspace)
			}
		}
	}
	for _, workspace := range workspaces {
		for _, agent := range Agents() {
			targets = append(targets, target{agent, Places{Home: p.Home, Workspace: workspace, Env: p.Env}})
		}
	}
	return targets, nil
}

// sayWhatIsLeft names the files that had entries of ours before they were installed.
func (o Options) sayWhatIsLeft(parts []part) {
	for _, part := range parts {
		for _, path := range part.paths {
			f, err := read(path)
			if err != nil || !f.exists {
				continue
			}
			if left, err := part.form.holds(f.content); err == nil && left {
				fmt.Fprintf(o.Out, "%s is as it was before, with entries for %s that somebody else wrote. "+
					"To remove these, too, run the command again.\n", path, program)
			}
		}
	}
}

func (o Options) sayHowToPurge() {
	if !exists(o.DataDir) {
		return
	}
	fmt.Fprintf(o.Out, "The memory itself is kept in %s. To delete it, end the editors and agents that use it "+
		"and remove that folder.\n", o.DataDir)
	if place, err := scope.Locate(o.WorkDir, "git"); err == nil {
		if dir := workspaceDir(o.DataDir, place.Key); exists(dir) {
			fmt.Fprintf(o.Out, "That of this workspace alone is %s; %s purge deletes it.\n",
				dir, program)
		}
	}
}

// write shows the changes, asks, and applies them. Without a question it says what it does to each file.
func (o Options) write(changes []Change) (result Result, err error) {
	result.Files = []FileDiff{}
	for _, c := range changes {
		if !c.same {
			diff := c.Diff()
			result.Files = append(result.Files, FileDiff{c.file.path, diff})
			if !o.Yes || o.DryRun {
				fmt.Fprintln(o.Out, strings.TrimSuffix(diff, "\n"))
			}
		}
	}
	switch {
	case o.DryRun:
		return result, nil
	case o.Yes || len(result.Files) == 0:
	case o.Agree == nil:
		return result, fmt.Errorf("%w: this is not a terminal, so nobody can agree; run it again with --yes",
			errNotWritten)
	case !o.Agree():
		return result, errNotWritten
	}
	var written, folders []string
	for _, c := range changes {
		if err := c.apply(o.records()); err != nil {
			if len(written) > 0 {
				err = fmt.Errorf("%w\nThese files are written: %s", err, strings.Join(written, ", "))
			}
			return result, err
		}
		written, folders = append(written, c.file.path), append(folders, c.folders()...)
		if o.Yes && !c.same {
			fmt.Fprintln(o.Out, c.Summary())
		}
	}
	result.Written = len(result.Files) > 0
	return result, o.records().clear(folders)
}

// exists reports whether there is something at a path.
func exists(path string) bool {
	_, err := os.Stat(path)
	return path != "" && err == nil
}
