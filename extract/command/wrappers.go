package command

import (
	"path"
	"slices"
	"strings"
)

// wrapped is a program without the programs that only start it.
type wrapped struct {
	words   []string
	dir     string
	limited bool
}

// wrapper describes a program that starts another one.
type wrapper struct {
	// sub is the subcommand that makes it a wrapper, such as "exec"; "" if none.
	sub string
	// valued are the options that take a value as the next word.
	valued string
	// operands is how many words stand between the options and the program.
	operands int
}

// wrappers are seen through: what they start is what fails or succeeds.
var wrappers = map[string][]wrapper{
	"env":              {{valued: "-u --unset -C --chdir -S"}},
	"sudo":             {{valued: "-u --user -g --group -h -p -C -D"}},
	"doas":             {{valued: "-u"}},
	"time":             {{valued: "-f -o"}},
	"gtime":            {{valued: "-f -o"}},
	"timeout":          {{valued: "-s --signal -k --kill-after", operands: 1}},
	"gtimeout":         {{valued: "-s --signal -k --kill-after", operands: 1}},
	"nice":             {{valued: "-n --adjustment"}},
	"ionice":           {{valued: "-c -n -p"}},
	"nohup":            {{}},
	"setsid":           {{}},
	"stdbuf":           {{valued: "-i -o -e"}},
	"unbuffer":         {{}},
	"command":          {{}},
	"exec":             {{}},
	"builtin":          {{}},
	"chronic":          {{}},
	"faketime":         {{operands: 1}},
	"strace":           {{valued: "-e -o -p -s"}},
	"xvfb-run":         {{valued: "-s --server-args -n --server-num -e -f -w -p"}},
	"dbus-run-session": {{}},
	"cross-env":        {{}},
	"dotenv":           {{valued: "-e -v -c -f"}},
	"npx":              {{valued: "-p --package -c --call -w --workspace"}},
	"bunx":             {{valued: "-p --package"}},
	"pnpx":             {{}},
	"uvx":              {{valued: "--from --with -p --python"}},
	"pnpm":             {{sub: "exec", valued: "-C --dir -F --filter"}, {sub: "dlx", valued: "-C --dir"}},
	"yarn":             {{sub: "exec"}, {sub: "dlx", valued: "-p --package"}},
	"npm":              {{sub: "exec", valued: "-p --package -c --call -w --workspace"}, {sub: "x", valued: "-p --package"}},
	"bun":              {{sub: "x"}},
	"uv":               {{sub: "run", valued: "--with --extra --group --python -p --project --directory --env-file --with-requirements --package --only-group --no-group"}},
	"poetry":           {{sub: "run", valued: "-C --directory"}},
	"pipenv":           {{sub: "run"}},
	"pdm":              {{sub: "run", valued: "-p --project"}},
	"hatch":            {{sub: "run"}},
	"rye":              {{sub: "run"}},
	"pixi":             {{sub: "run", valued: "-e --environment"}},
	"conda":            {{sub: "run", valued: "-n --name -p --prefix"}},
	"mamba":            {{sub: "run", valued: "-n --name -p --prefix"}},
	"coverage":         {{sub: "run", valued: "--source --include --omit --rcfile --data-file --concurrency"}},
	"bundle":           {{sub: "exec"}},
	"mise":             {{sub: "exec"}, {sub: "x"}},
	"direnv":           {{sub: "exec", operands: 1}},
	"nix":              {{sub: "develop", valued: "--command -c"}},
	"docker":           {{sub: "exec", valued: "-e --env -u --user -w --workdir --env-file", operands: 1}},
	"podman":           {{sub: "exec", valued: "-e --env -u --user -w --workdir", operands: 1}},
	"docker-compose":   {{sub: "exec", valued: "-e --env -u --user -w --workdir", operands: 1}},
	"kubectl":          {{sub: "exec", valued: "-n --namespace -c --container", operands: 1}},
	"c8":               {{valued: "--reporter -r --include --exclude"}},
	"nyc":              {{valued: "--reporter -r --include --exclude"}},
}

// maxWrappers is how many wrappers are seen through.
const maxWrappers = 8

var (
	assignment  = lazy(`^[A-Za-z_][A-Za-z0-9_]*\+?=`)
	windowsPath = lazy(`^[A-Za-z]:\\|^\\\\`)
)

// unwrap removes the wrappers in front of a program.
func unwrap(words []string) wrapped {
	inner := wrapped{words: words}
	for range maxWrappers {
		next, ok := inner.step()
		if !ok {
			break
		}
		inner = next
	}
	return inner
}

func (w wrapped) step() (wrapped, bool) {
	if len(w.words) < 2 {
		return w, false
	}
	if assignment.MatchString(w.words[0]) {
		w.words = w.words[1:]
		return w, true
	}
	name := programName(w.words[0])
	for _, candidate := range wrappers[name] {
		inner, dir, ok := candidate.inside(w.words[1:])
		if !ok || len(inner) == 0 {
			continue
		}
		if name == "coverage" {
			inner = measured(w.words[:len(w.words)-len(inner)], inner)
		}
		w.words = inner
		if dir != "" {
			w.dir = dir
		}
		w.limited = w.limited || name == "timeout" || name == "gtimeout"
		return w, true
	}
	return w, false
}

// measured is the Python command that coverage runs: a script or a module.
func measured(before, inner []string) []string {
	if slices.Contains(before, "-m") {
		return append([]string{"python", "-m"}, inner...)
	}
	return append([]string{"python"}, inner...)
}

// inside returns the words of the program that the wrapper starts, and the
// folder in which it does.
func (w wrapper) inside(args []string) (inner []string, dir string, ok bool) {
	valued := strings.Fields(w.valued)
	found, operands := w.sub == "", w.operands
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch {
		case arg == "--" && found && operands == 0:
			return args[i+1:], dir, true
		case arg == "--":
		case slices.Contains(valued, arg):
			if i+1 < len(args) && slices.Contains([]string{"-C", "--chdir", "--dir", "--directory", "-w", "--workdir"}, arg) {
				dir = args[i+1]
			}
			i++
		case strings.HasPrefix(arg, "-"):
		case !found:
			if arg != w.sub {
				return nil, "", false
			}
			found = true
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

var version = lazy(`^(python|pip|pypy|node|ruby|perl|php|gcc|g\+\+|clang|clang\+\+|cc|c\+\+|go|lua|java|javac|make|bash)-?[\d.]+$`)

// programName is the base name of a program without its version and its
// extension on Windows.
func programName(word string) string {
	name := path.Base(strings.ReplaceAll(word, `\`, "/"))
	for _, ending := range []string{".exe", ".cmd", ".bat"} {
		name = strings.TrimSuffix(name, ending)
	}
	if match := version.FindStringSubmatch(name); match != nil {
		name = match[1]
	}
	switch name {
	case "gmake", "mingw32-make":
		return "make"
	case "nodejs":
		return "node"
	case "py":
		return "python"
	}
	return name
}

// shellCode returns the code of bash -c '…' and the options of the shell.
func shellCode(words []string) (code string, options []string, ok bool) {
	switch programName(words[0]) {
	case "bash", "sh", "zsh", "dash", "ksh":
	case "eval":
		return strings.Join(words[1:], " "), nil, len(words) > 1
	default:
		return "", nil, false
	}
	for i, word := range words[1:] {
		if !strings.HasPrefix(word, "-") && word != "pipefail" {
			return "", nil, false
		}
		if strings.HasSuffix(word, "c") && !strings.HasPrefix(word, "--") && i+2 < len(words) {
			return words[i+2], words[1 : i+2], true
		}
	}
	return "", nil, false
}
