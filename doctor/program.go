package doctor

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/wm-lsp/wm-lsp/doctor/running"
)

// RunningDir returns the folder of the records of processes in the folder of the program's state.
func RunningDir(stateDir string) string { return filepath.Join(stateDir, "running") }

// program looks at the program that agents and editors start by its name.
func program(_ context.Context, m Machine) []Finding {
	this, err := os.Executable()
	if err != nil {
		this = "wm-lsp"
	}
	onPath, err := m.LookPath("wm-lsp")
	switch {
	case err != nil:
		return []Finding{warning("not on the PATH", this+" is not on the PATH, so agents and editors do not find it.",
			"Put its folder on the PATH, or a link to it into a folder that is.")}
	case !same(onPath, this):
		return []Finding{warning("another on the PATH",
			fmt.Sprintf("Agents and editors start %s, which is not this program, %s.", onPath, this),
			"Remove one of them, or put the folder of the right one first on the PATH.")}
	}
	return []Finding{fine("%s, version %s", this, m.Version)}
}

// same reports whether two paths lead to one file.
func same(a, b string) bool {
	first, err := os.Stat(a)
	if err != nil {
		return false
	}
	second, err := os.Stat(b)
	return err == nil && os.SameFile(first, second)
}

// processes looks at the processes that serve the memory.
func processes(_ context.Context, m Machine) (all []Finding) {
	if m.StateDir == "" {
		return nil
	}
	list, err := running.List(RunningDir(m.StateDir))
	if err != nil {
		return []Finding{warning("not listed", "Which processes run is not known: "+err.Error(), "")}
	}
	for _, p := range list {
		name := fmt.Sprintf("The process %d (%s, version %s, since %s)", p.PID, p.Face, p.Version,
			p.Started.Local().Format("2006-01-02 15:04"))
		switch {
		case p.Orphan():
			all = append(all, warning("orphan", name+" goes on though the process that started it has ended.",
				"End it; what it holds is saved.").
				fixedBy(func(context.Context) error { return p.End() }))
		case p.Version != m.Version:
			all = append(all, warning("another version", fmt.Sprintf("%s has another version than this program, %s.",
				name, m.Version), "Restart the editor or agent that started it."))
		case p.Replaced():
			all = append(all, warning("replaced", name+" is older than its program, "+p.Program+".",
				"Restart the editor or agent that started it."))
		}
	}
	if len(all) == 0 {
		all = append(all, fine("%s the memory now", count(len(list), "process serves", "processes serve")))
	}
	all[0] = all[0].with("processes", int64(len(list)))
	return all
}

// count returns a number with the word for one or for several.
func count(n int, one, several string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, several)
}
