package command

import (
	"slices"
	"strings"
)

// wrapped is a program without the programs that only start it.
type wrapped struct {
	words   []string
	dir     string
	limited bool
	// elsewhere is true if the program may see other files, as in a container.
	elsewhere bool
}

// wrapper describes programs that start another one.
type wrapper struct {
	// programs are their names, separated by spaces.
	programs string
	// sub is the subcommand that makes it a wrapper, such as "exec" or "compose exec"; "" if none.
	sub string
	// valued are the options that take a value as the next word.
	valued string
	// operands is how many words stand between the options and the program.
	operands int
	// looks are the options with which nothing is started.
	looks string
	// elsewhere is true if the program may see other files, as in a container.
	elsewhere bool
	// limits is true if the program runs under a time limit.
	limits bool
	// command makes a command line of what stands before the program and of the
	// program; nil if the program is one already.
	command func(before, inner []string) []string
}

const composeOptions = "-f --file -p --project-name --profile -e --env -u --user -w --workdir --index"

// plainWrappers are the wrappers that belong to no family.
var plainWrappers = []wrapper{
	{programs: "nohup setsid unbuffer exec builtin chronic dbus-run-session rtk"},
	{programs: "command", looks: "-v -V"},
	{programs: "env", valued: "-u --unset -C --chdir -S"},
	{programs: "sudo", valued: "-u --user -g --group -h -p -C -D"},
	{programs: "doas", valued: "-u"},
	{programs: "time gtime", valued: "-f -o"},
	{programs: "timeout gtimeout", valued: "-s --signal -k --kill-after", operands: 1, limits: true},
	{programs: "nice", valued: "-n --adjustment"},
	{programs: "ionice", valued: "-c -n -p"},
	{programs: "stdbuf", valued: "-i -o -e"},
	{programs: "faketime", operands: 1},
	{programs: "strace", valued: "-e -o -p -s"},
	{programs: "xvfb-run", valued: "-s --server-args -n --server-num -e -f -w -p"},
	{programs: "bundle", sub: "exec"},
	{programs: "mise", sub: "exec"},
	{programs: "mise", sub: "x"},
	{programs: "direnv", sub: "exec", operands: 1},
	{programs: "nix", sub: "develop", valued: "--command -c"},
	{
		programs:  "docker",
		sub:       "exec",
		valued:    "-e --env -u --user -w --workdir --env-file",
		operands:  1,
		elsewhere: true,
	},
	{
		programs: "docker podman", sub: "compose exec", valued: composeOptions, operands: 1, elsewhere: true,
	},
	{
		programs: "docker podman", sub: "compose run", operands: 1, elsewhere: true,
		valued: composeOptions + " -v --volume -p --publish --name --entrypoint -l --label",
	},
	{
		programs:  "podman docker-compose",
		sub:       "exec",
		valued:    "-e --env -u --user -w --workdir",
		operands:  1,
		elsewhere: true,
	},
	{programs: "kubectl", sub: "exec", valued: "-n --namespace -c --container", operands: 1, elsewhere: true},
}

// maxWrappers is how many wrappers are seen through.
const maxWrappers = 8

var (
	assignment  = lazy(`^[A-Za-z_][A-Za-z0-9_]*\+?=`)
	windowsPath = lazy(`^[A-Za-z]:\\|^\\\\`)
)

// unwrap removes the wrappers in front of a program.
func (r *registry) unwrap(words []string) wrapped {
	inner := wrapped{words: words}
	for range maxWrappers {
		next, ok := r.unwrapOne(inner)
		if !ok {
			break
		}
		inner = next
	}
	return inner
}

func (r *registry) unwrapOne(w wrapped) (wrapped, bool) {
	if len(w.words) < 2 {
		return w, false
	}
	if assignment.MatchString(w.words[0]) {
		w.words = w.words[1:]
		return w, true
	}
	for _, candidate := range r.wrappers[r.programName(w.words[0])] {
		inner, dir, ok := candidate.inside(w.words[1:])
		if !ok || len(inner) == 0 {
			continue
		}
		if candidate.command != nil {
			inner = candidate.command(w.words[:len(w.words)-len(inner)], inner)
		}
		w.words = inner
		if dir != "" {
			w.dir = dir
		}
		w.limited, w.elsewhere = w.limited || candidate.limits, w.elsewhere || candidate.elsewhere
		return w, true
	}
	return w, false
}

// folderOptions name the folder in which a wrapper starts the program.
var folderOptions = []string{"-C", "--chdir", "--dir", "--directory", "-w", "--workdir"}

// inside returns the words of the program that the wrapper starts, and the
// folder in which it does.
func (w wrapper) inside(args []string) (inner []string, dir string, ok bool) {
	subs, operands := strings.Fields(w.sub), w.operands
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch {
		case listed(w.looks, arg):
			return nil, "", false
		case arg == "--" && len(subs) == 0 && operands == 0:
			return args[i+1:], dir, true
		case arg == "--":
		case listed(w.valued, arg):
			if i+1 < len(args) && slices.Contains(folderOptions, arg) {
				dir = args[i+1]
			}
			i++
		case strings.HasPrefix(arg, "-"):
		case len(subs) > 0:
			if arg != subs[0] {
				return nil, "", false
			}
			subs = subs[1:]
		case operands > 0:
			operands--
		default:
			if assignment.MatchString(arg) {
				continue
			}
			return args[i:], dir, true
		}
	}
	return nil, "", false
}
