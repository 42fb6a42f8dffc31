package command

import (
	"slices"
	"strings"
)

// gitCommands: most of git prints or moves files. What runs hooks or talks to another repository
// can really fail. A conflict is not an error: git status tells it, and no command that could close it
// is known.
var gitCommands = []*family{
	gitCommand("commit"), gitCommand("push"),
	{
		runs:       []run{{programs: "git", subcommands: otherwise}},
		recognises: recognition{touches: touchesOfGit},
	},
}

func gitCommand(name string) *family {
	f := plain("git "+name, Runtime, run{programs: "git", subcommands: name})
	f.reads.nothing = []string{"nothing to commit", "nothing added to commit", "no changes added to commit"}
	// Which commits and remotes are named does not make it another command.
	f.recognises.words = func(*Step, run, []string) {}
	return f
}

// touchesOfGit adds what git does to files in the worktree.
func touchesOfGit(w *walker, s Step) {
	words := operands(s.Args, "-C -c -s --source")
	rest := words[min(1, len(words)):]
	switch first(words) {
	case "rm":
		if slices.Contains(s.Args, "--cached") {
			return
		}
		for _, file := range rest {
			w.effect(Effect{Action: Deletes, Path: file}, s.Dir)
		}
	case "mv":
		w.moves(s, rest, true)
	case "checkout":
		e := Effect{Action: Edits, Restores: true}
		if at := slices.Index(s.Args, "--"); at >= 0 {
			rest = s.Args[at+1:]
		} else {
			e.paths = len(rest)
		}
		for _, e.Path = range rest {
			w.effect(e, s.Dir)
		}
	case "restore":
		if !slices.Contains(s.Args, "--staged") {
			for _, file := range rest {
				w.effect(Effect{Action: Edits, Path: file, Restores: true}, s.Dir)
			}
		}
	}
}

// Stages reports whether a command line puts files under version control.
func (c Command) Stages() bool {
	return slices.ContainsFunc(c.Steps, func(s Step) bool {
		return s.Program == "git" && slices.ContainsFunc(s.Args, func(arg string) bool {
			return arg == "add" || arg == "commit"
		})
	})
}

// committed is what git prints of a commit that it made.
var committed = lazy(`(?m)^\[[^\]\s]+(?: \([\w -]+\)| HEAD)? [0-9a-f]{4,40}\] `)

// Commits reports whether a command line made a commit, as its output or its exit code proves.
func (c Command) Commits(out Output) bool {
	return slices.ContainsFunc(c.Steps, func(s Step) bool {
		if s.Program != "git" || !slices.Contains(s.Args, "commit") || slices.Contains(s.Args, "--dry-run") {
			return false
		}
		quiet := slices.ContainsFunc(s.Args, func(arg string) bool {
			short := strings.HasPrefix(arg, "-") && !strings.HasPrefix(arg, "--")
			return arg == "--quiet" || short && strings.Contains(arg, "q")
		})
		succeeded := out.ExitCode != nil && *out.ExitCode == 0
		return committed.MatchString(out.Stdout) || quiet && s.Proven && succeeded
	})
}

// listsAll reports whether a step prints the names of all files of its folder that git tracks.
func (s Step) listsAll() bool {
	return s.Program == "git" && len(s.Args) > 0 && s.Args[0] == "ls-files" &&
		len(without(s.Args[1:], "-z", "-c", "--cached", "-co", "--exclude-standard")) == 0
}
