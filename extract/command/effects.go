package command

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"mvdan.cc/sh/v3/syntax"
)

// An Action is what a command does to a file.
type Action string

// The actions.
const (
	Reads   Action = "read"
	Finds   Action = "grep" // a search reported the file
	Lists   Action = "glob" // a search for names reported the file
	Edits   Action = "edit"
	Writes  Action = "write"
	Deletes Action = "delete"
	Renames Action = "rename"
)

// An Effect is what a command line does to one file, as far as its words tell.
type Effect struct {
	Action Action
	// Path is as written, joined to the folder of the step; To is the new path of a file
	// that is renamed. The path of a deletion may be a glob.
	Path, To string
	// First and Last are the lines that were read, counted from 1; 0 if not known.
	First, Last int
	// Part is true if only a part of the file was shown, and not which.
	Part bool
	// Restores is true if an edit takes back what was changed.
	Restores bool
	// Rewrites are the files that a script which is written rewrites when it runs, see Rewrites.
	Rewrites []string
	// Sure is true if the output proves it. If not, only the disk can tell.
	Sure bool
	// IfFound is true if the program changes the file only if it finds there what to change, and
	// succeeds all the same if it does not.
	IfFound bool
	// paths is the number of files of a git checkout that may as well name a branch, of which only
	// the output tells.
	paths int
}

// maxEffects is how many effects of a command line are returned.
const maxEffects = 20

// MaxFound is how many files that a search of a folder reports count as touched.
const MaxFound = 5

// Effects returns the files that a command read, edited, wrote, deleted and renamed, at
// most 20 (systems.md B8).
func (c Command) Effects(out Output) []Effect {
	found, failed, remarks := c.effects, out.failed(), out.remarks()
	if !failed {
		found = slices.Concat(found, c.found(out))
	}
	var effects []Effect
	for _, e := range found {
		if len(effects) == maxEffects {
			break
		}
		if !remarks.deny(e.Path) && (e.paths == 0 || remarks.update(e.paths)) {
			e.Sure = e.Sure && !failed
			effects = append(effects, e)
		}
	}
	return effects
}

// remarks are the lines of an output that say what became of files.
type remarks string

// maxRemarks bounds what is looked through for each file, in bytes: a command line may name thousands.
const maxRemarks = 4 << 10

var remarkMarks = []string{": No such file", ": Is a directory", "can't read ", "can't open '", "Updated "}

// remarks returns the lines with the marks of a remark, at most maxRemarks bytes.
func (o Output) remarks() remarks {
	if !slices.ContainsFunc(remarkMarks, func(mark string) bool { return strings.Contains(o.Stdout, mark) }) {
		return ""
	}
	var found strings.Builder
	for line := range strings.Lines(o.Stdout) {
		if slices.ContainsFunc(remarkMarks, func(mark string) bool { return strings.Contains(line, mark) }) {
			if found.Len()+len(line) > maxRemarks {
				break
			}
			found.WriteString(line)
		}
	}
	return remarks(found.String())
}

// deny reports whether a file is not there.
func (r remarks) deny(file string) bool {
	base := path.Base(file)
	for _, complaint := range []string{": No such file", "': No such file", ": Is a directory"} {
		if strings.Contains(string(r), base+complaint) {
			return true
		}
	}
	return strings.Contains(string(r), "can't read "+file) || strings.Contains(string(r), "can't open '"+file)
}

// update reports whether git took as many files from the index or a commit.
func (r remarks) update(files int) bool {
	return strings.Contains(string(r), fmt.Sprintf("Updated %d path", files))
}

// found returns the files that a search of a folder reported.
func (c Command) found(out Output) []Effect {
	action := c.finds()
	if action == "" {
		return nil
	}
	files := out.Files()
	var effects []Effect
	for _, file := range files[:min(len(files), MaxFound)] {
		effects = append(effects, Effect{Action: action, Path: file})
	}
	return effects
}

// finds returns how a command line finds files: in their content, by their names, or "" for not
// at all. What selects from the output of another program has seen no file.
func (c Command) finds() Action {
	var action Action
	for _, s := range c.Steps {
		switch {
		case !listed(searchers.programs, s.Program):
		case slices.Contains(s.Args, "--files"), s.fed && slices.ContainsFunc(c.Steps, Step.lists):
			action = Lists
		case !s.fed:
			return Finds
		}
	}
	return action
}

// lists reports whether a step prints names of files.
func (s Step) lists() bool {
	return slices.Contains([]string{"find", "fd", "fdfind", "ls", "tree"}, s.Program) ||
		slices.ContainsFunc(s.Args, func(arg string) bool {
			return slices.Contains([]string{"ls-files", "ls-tree", "--files", "--name-only"}, arg)
		})
}

// A use is what a program does to the files that it is given.
type use struct {
	programs string
	action   Action
	// valued are the options that take a value as the next word, clustered the letters of those that may
	// stand behind others, as in -nC.
	valued, clustered string
	// skip is how many operands stand before the files.
	skip int
	// script are the options that stand for the skipped operands.
	script string
	// only are options of which one must be given.
	only string
}

// searchers are the programs that search files, and folders, whose files they report.
var searchers = use{
	programs: "grep egrep fgrep rg ag ack", action: Reads, skip: 1, script: "-e -f --regexp --file",
	valued: "-e -f -m -A -B -C --include --exclude --exclude-dir -g --glob -t --type -T -j -r --max-count " +
		"--regexp --file",
	clustered: "ABCm",
}

// uses are the programs that are given files.
var uses = []use{
	{programs: "cat less more nl bat batcat tac", action: Reads, valued: "-b -s -w -l -r --line-range --language"},
	{programs: "head tail", action: Reads, valued: "-n -c --lines --bytes"},
	searchers,
	{programs: "awk gawk", action: Reads, valued: "-F -v -f", skip: 1, script: "-f"},
	{programs: "sed gsed", action: Edits, valued: "-e -f", skip: 1, script: "-e -f", only: "-i --in-place"},
	{programs: "sed gsed", action: Reads, valued: "-e -f", skip: 1, script: "-e -f"},
	{programs: "perl", action: Edits, valued: "-e", script: "-e", skip: 1, only: "-i -pi -i.bak"},
	{programs: "patch", action: Edits, valued: "-i -p -d -o --input"},
	{programs: "tee", action: Writes},
	{programs: "rm unlink", action: Deletes},
}

// hidesErrors reports whether a statement throws away what it prints about its failure.
func hidesErrors(stmt *syntax.Stmt) bool {
	return slices.ContainsFunc(stmt.Redirs, func(r *syntax.Redirect) bool {
		return (r.N != nil && r.N.Value == "2" || r.Op == syntax.RdrAll) && r.Word != nil && r.Word.Lit() == "/dev/null"
	})
}

// doubt says of the effects from one on that the output does not prove them: what reports
// a failure is not printed, or the files are those of a container.
func (w *walker) doubt(from int) {
	for i := range w.effects[from:] {
		w.effects[from+i].Sure = false
	}
}

// effectsOf adds what a simple command does to the files of its words.
func (w *walker) effectsOf(s Step) {
	if s.Program == "mv" || s.Program == "cp" {
		w.moves(s, operands(s.Args, "-S --suffix"), s.Program == "mv")
		return
	}
	if touches := w.tools.touches[s.Program]; touches != nil {
		touches(w, s)
		return
	}
	if formats(w.tools.of(s.Tool).recognises.formats, s.Args) {
		for _, file := range s.Scope {
			w.effect(Effect{Action: Edits, Path: file, IfFound: true}, s.Dir)
		}
		return
	}
	for _, u := range uses {
		if !listed(u.programs, s.Program) || !u.given(s.Args) {
			continue
		}
		files := operands(u.apart(s.Args), u.valued)
		if u.script == "" || !u.has(s.Args, u.script) {
			files = files[min(u.skip, len(files)):]
		}
		from, to := s.lines()
		e := Effect{Action: u.action, First: from, Last: to, IfFound: u.action == Edits && u.only != ""}
		e.Part = e.Action == Reads && to == 0 && s.selects()
		for _, file := range files {
			e.Path = file
			w.effect(e, s.Dir)
		}
		return
	}
}

// apart returns arguments with the options that take a value apart from those in front of them.
func (u use) apart(args []string) []string {
	var all []string
	for _, arg := range args {
		last := len(arg) - 1
		if u.clustered != "" && last > 1 && arg[0] == '-' && strings.IndexByte(u.clustered, arg[last]) >= 0 &&
			!strings.ContainsFunc(arg[1:], func(r rune) bool { return !unicode.IsLetter(r) }) {
			all = append(all, arg[:last], "-"+arg[last:])
		} else {
			all = append(all, arg)
		}
	}
	return all
}

// given reports whether one of the options is given without which the program does
// something else.
func (u use) given(args []string) bool { return u.only == "" || u.has(args, u.only) }

// formats reports whether a formatter rewrites its files. options are those with which it
// does; always stands for a formatter that does without one.
func formats(options string, args []string) bool {
	has := func(option string) bool { return slices.Contains(args, option) }
	return options == always && !has("--check") && !has("--diff") || slices.ContainsFunc(strings.Fields(options), has)
}

// always is for a formatter that rewrites its files unless it is told to check them.
const always = "*"

// has reports whether one of the options is among the arguments, also with a suffix, as
// in -i.bak.
func (u use) has(args []string, options string) bool {
	return slices.ContainsFunc(strings.Fields(options), func(option string) bool {
		return slices.ContainsFunc(args, func(arg string) bool {
			return arg == option || strings.HasPrefix(arg, option+".") || strings.HasPrefix(arg, option+"=") ||
				option == "-i" && strings.HasPrefix(arg, "-i") && !strings.HasPrefix(arg, "--")
		})
	})
}

// lineRange is the script of sed that prints some lines.
var lineRange = lazy(`^(\d+)(?:,(\d+))?p;?$`)

// lines returns the lines that sed -n or head prints, 0 for unknown ones.
func (s Step) lines() (from, to int) {
	switch s.Program {
	case "sed", "gsed":
		if match := lineRange.FindStringSubmatch(first(operands(s.Args, ""))); match != nil {
			from, _ = strconv.Atoi(match[1])
			if to, _ = strconv.Atoi(match[2]); match[2] == "" {
				to = from
			}
		}
	case "head":
		count := optionValue(s.Args, "-n --lines")
		if count == "" && len(s.Args) > 0 {
			count = strings.TrimPrefix(s.Args[0], "-")
		}
		if n, err := strconv.Atoi(count); err == nil && n > 0 {
			from, to = 1, n
		}
	}
	return from, to
}

// selects reports whether a step prints only a part of what it reads.
func (s Step) selects() bool {
	switch s.Program {
	case "cat", "nl", "less", "more", "bat", "batcat", "tac", "tee":
		return false
	case "sed", "gsed":
		return slices.Contains(s.Args, "-n")
	}
	return true
}

// limits says of what a statement reads from one effect on that the step behind its pipe shows only
// a part, if that is so.
func (w *walker) limits(from, to int, step *Step) {
	first, last := step.lines()
	if last == 0 && !step.selects() {
		return
	}
	for i := range w.effects[from:to] {
		if e := &w.effects[from+i]; e.Action == Reads {
			e.Part = e.Last > 0 || last == 0
			e.First, e.Last = first, last
		}
	}
}

// moves adds what mv and cp do.
func (w *walker) moves(s Step, files []string, gone bool) {
	if len(files) < 2 {
		return
	}
	target := files[len(files)-1]
	isFolder := len(files) > 2 || strings.HasSuffix(target, "/") || target == "." ||
		path.Ext(target) == "" && path.Ext(files[0]) != ""
	for _, file := range files[:len(files)-1] {
		to := target
		if isFolder {
			to = path.Join(target, path.Base(file))
		}
		if gone {
			w.effect(Effect{Action: Renames, Path: file, To: to}, s.Dir)
		} else {
			w.effect(Effect{Action: Writes, Path: to}, s.Dir)
		}
	}
}

// redirected adds the files to which the shell writes the output of a statement. dir is the
// folder before the statement.
func (w *walker) redirected(stmt *syntax.Stmt, dir string) {
	for _, redirect := range stmt.Redirs {
		switch redirect.Op {
		case syntax.RdrOut, syntax.RdrClob, syntax.RdrAll, syntax.RdrAllClob:
			file := w.text(redirect.Word)
			code := w.heredoc(stmt)
			w.effect(Effect{Action: Writes, Path: file, Rewrites: Rewrites(file, code)}, dir)
			w.scripts[joinDir(dir, file)] = code
		case syntax.AppOut, syntax.AppAll, syntax.AppClob, syntax.AppAllClob:
			w.effect(Effect{Action: Edits, Path: w.text(redirect.Word)}, dir)
		}
	}
}

// patched adds the files that a patch changes, if the input of a statement is one.
func (w *walker) patched(stmt *syntax.Stmt, dir string) {
	for line := range strings.Lines(w.heredoc(stmt)) {
		line = strings.TrimSpace(line)
		for head, action := range map[string]Action{
			"*** Update File: ": Edits, "*** Add File: ": Writes, "*** Delete File: ": Deletes, "+++ b/": Edits,
		} {
			if file, found := strings.CutPrefix(line, head); found {
				w.effect(Effect{Action: action, Path: file}, dir)
			}
		}
	}
}

// effect adds an effect that the output proves, see doubt.
func (w *walker) effect(e Effect, dir string) {
	e.Sure = true
	w.add(e, dir)
}

// add adds an effect on a file whose name is known.
func (w *walker) add(e Effect, dir string) {
	for _, name := range []string{e.Path, e.To, dir} {
		if strings.HasPrefix(name, "~") || strings.HasPrefix(name, "/dev/") || strings.ContainsAny(name, "$`\n<>|") ||
			e.Action != Deletes && strings.ContainsAny(name, "*?[{") {
			return
		}
	}
	if e.Path == "" || e.Path == "-" || e.Action == Reads && strings.ContainsAny(e.Path, ` "'():;,=`) {
		return // nothing, the input, or a pattern
	}
	e.Path = joinDir(dir, e.Path)
	if e.To != "" {
		e.To = joinDir(dir, e.To)
	}
	w.effects = append(w.effects, e)
}
