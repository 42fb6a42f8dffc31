package command

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/wm-lsp/wm-lsp/extract/once"
)

// maxLine is the longest command line that is parsed, in bytes. Longer ones are
// mostly the text of a file, and are one opaque step.
const maxLine = 64 << 10

// maxNested is how deep bash -c '…' is followed.
const maxNested = 4

// Parse understands a command line. It never fails: what is not shell syntax is one
// opaque step, whose program is its first word.
func Parse(line string) Command { return known.Get().parse(line) }

func (r *registry) parse(line string) Command {
	steps, effects := r.walk(line, 0)
	return Command{Line: line, Steps: steps, tools: r, effects: effects}
}

// walk returns the steps of a command line and what they do to files.
func (r *registry) walk(line string, depth int) ([]Step, []Effect) {
	if strings.TrimSpace(line) == "" {
		return nil, nil
	}
	if len(line) > maxLine || depth > maxNested {
		return r.opaque(line), nil
	}
	parser := syntax.NewParser(syntax.Variant(syntax.LangBash))
	file, err := parser.Parse(strings.NewReader(line), "")
	if err != nil {
		return r.opaque(line), nil
	}
	w := walker{tools: r, line: line, depth: depth, scripts: map[string]string{}}
	w.list(file.Stmts, place{proven: true, decides: true})
	return w.steps, w.effects
}

func (r *registry) opaque(line string) []Step {
	if len(line) > maxLine {
		line = line[:maxLine]
	}
	words := strings.Fields(line)
	if len(words) == 0 {
		return nil
	}
	step := r.step(words)
	step.Scope, step.Filter, step.Script = nil, "", ""
	step.Opaque, step.Proven, step.Decides = true, false, true
	return []Step{step}
}

// A place is where in the command line a step stands.
type place struct {
	proven, decides, piped, background bool
	// fed is true if the input is what an echo, a printf or a here-document of cat printed, input
	// that it is what any other program printed.
	fed, input bool
}

// A walker turns the syntax tree of a command line into steps.
type walker struct {
	tools *registry
	line  string
	depth int
	steps []Step
	// effects are what the steps do to files.
	effects []Effect
	// scripts is the content of the files that the command line writes, by name.
	scripts map[string]string
	dir     string
	// errexit and pipefail follow `set -e` and `set -o pipefail`.
	errexit, pipefail bool
}

// list walks statements that run one after the other: only the last one decides
// the exit code, unless the shell stops at the first failure.
func (w *walker) list(stmts []*syntax.Stmt, at place) {
	for i, stmt := range stmts {
		here := at
		if i < len(stmts)-1 && !w.errexit {
			here.proven, here.decides = false, false
		}
		w.stmt(stmt, here)
	}
}

func (w *walker) stmt(stmt *syntax.Stmt, at place) {
	if stmt.Background || stmt.Coprocess {
		at = place{piped: at.piped, background: true}
	}
	if stmt.Negated {
		at.proven, at.decides = false, false
	}
	dir, before := w.dir, len(w.effects)
	if _, simple := stmt.Cmd.(*syntax.CallExpr); !simple {
		w.patched(stmt, dir)
	}
	switch cmd := stmt.Cmd.(type) {
	case *syntax.CallExpr:
		w.call(cmd, stmt, at)
	case *syntax.BinaryCmd:
		w.binary(cmd, at)
	case *syntax.Subshell:
		inner := *w
		inner.list(cmd.Stmts, at)
		w.steps, w.effects = inner.steps, inner.effects
	case *syntax.Block:
		w.list(cmd.Stmts, at)
	case *syntax.TimeClause:
		if cmd.Stmt != nil {
			w.stmt(cmd.Stmt, at)
		}
	case *syntax.IfClause:
		w.conditional(cmd, at)
	case *syntax.WhileClause:
		w.list(cmd.Cond, place{piped: at.piped, background: at.background})
		w.maybe(cmd.Do, at)
	case *syntax.ForClause:
		at.proven = false
		w.list(cmd.Do, at)
	case *syntax.CaseClause:
		for _, item := range cmd.Items {
			w.maybe(item.Stmts, at)
		}
	}
	if hidesErrors(stmt) {
		w.doubt(before)
	}
	w.redirected(stmt, dir)
}

// maybe walks statements that need not run.
func (w *walker) maybe(stmts []*syntax.Stmt, at place) {
	at.proven = false
	before := len(w.effects)
	w.list(stmts, at)
	w.doubt(before)
}

func (w *walker) conditional(clause *syntax.IfClause, at place) {
	for ; clause != nil; clause = clause.Else {
		w.list(clause.Cond, place{piped: at.piped, background: at.background})
		w.maybe(clause.Then, at)
	}
}

func (w *walker) binary(cmd *syntax.BinaryCmd, at place) {
	left, right := at, at
	switch cmd.Op {
	case syntax.OrStmt:
		left.proven, left.decides = false, false
		right.proven = false
	case syntax.Pipe, syntax.PipeAll:
		left.piped = true
		if !w.pipefail {
			left.proven, left.decides = false, false
		}
	}
	read, first := len(w.effects), len(w.steps)
	w.stmt(cmd.X, left)
	right.input = cmd.Op == syntax.Pipe || cmd.Op == syntax.PipeAll
	right.fed = right.input && w.prints(cmd.X)
	before, steps := len(w.effects), len(w.steps)
	w.stmt(cmd.Y, right)
	if right.input && len(w.steps) > steps {
		w.limits(read, before, &w.steps[steps])
		if steps > first && w.steps[steps-1].listsAll() {
			givenAll(w.steps[steps:])
		}
	}
	if cmd.Op == syntax.OrStmt || cmd.Op == syntax.AndStmt && !at.proven && !w.enters(cmd.X) {
		w.doubt(before) // as in "test -f a && cat a || true"
	}
}

// enters reports whether a statement only goes to a folder, and says so if it cannot.
func (w *walker) enters(stmt *syntax.Stmt) bool {
	call, ok := stmt.Cmd.(*syntax.CallExpr)
	return ok && len(call.Args) > 0 && !hidesErrors(stmt) &&
		slices.Contains([]string{"cd", "pushd"}, w.text(call.Args[0]))
}

// prints reports whether a statement prints text that stands in the command line.
func (w *walker) prints(stmt *syntax.Stmt) bool {
	call, ok := stmt.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 {
		return false
	}
	switch w.text(call.Args[0]) {
	case "echo", "printf":
		return true
	case "cat":
		return w.heredoc(stmt) != ""
	}
	return false
}

func (w *walker) call(call *syntax.CallExpr, stmt *syntax.Stmt, at place) {
	words := make([]string, 0, len(call.Args))
	for _, word := range call.Args {
		words = append(words, w.text(word))
	}
	if len(words) == 0 {
		return
	}
	switch words[0] {
	case "cd", "pushd":
		w.cd(words[1:])
		return
	case "set":
		w.set(words[1:])
		return
	case "export", "unset", "shopt", "source", ".", "popd", "alias", "trap", "ulimit", "umask":
		return
	}
	inner, before := w.tools.unwrap(words), len(w.effects)
	if script, options, ok := w.tools.shellCode(inner.words); ok {
		w.nested(script, options, at)
	} else {
		w.simple(inner, call, stmt, at)
	}
	if inner.elsewhere {
		w.doubt(before)
	}
}

// simple adds the step of a simple command without its wrappers.
func (w *walker) simple(inner wrapped, call *syntax.CallExpr, stmt *syntax.Stmt, at place) {
	step := w.tools.step(inner.words)
	step.Source = w.source(call)
	if inner.dir != "" {
		step.Dir = inner.dir
	}
	step.Dir = joinDir(w.dir, step.Dir)
	step.Limited = inner.limited
	step.Proven, step.Decides = at.proven, at.decides
	step.Piped, step.Background = at.piped, at.background
	step.fed = at.input && len(operands(step.Args, searchers.valued)) <= 1 && !slices.Contains(step.Scope, xargsInput)
	code := step.codeIn()
	if text := w.heredoc(stmt); text != "" && w.tools.interprets(step) {
		step.Script, code = inline(text), text
	}
	if at.fed && step.Script == "" && w.tools.interprets(step) {
		step.Script = inline(w.line)
	}
	w.steps = append(w.steps, step)
	w.effectsOf(step)
	if code == "" && step.Script != "" {
		code = w.scripts[joinDir(step.Dir, step.Script)]
	}
	if code != "" {
		w.rewrites(code, step.Dir)
	}
	w.patched(stmt, step.Dir)
}

// nested walks the code of bash -c '…'.
func (w *walker) nested(script string, options []string, at place) {
	steps, effects := w.tools.walk(script, w.depth+1)
	for _, e := range effects {
		w.add(e, w.dir)
	}
	for _, step := range steps {
		last := step.Decides || slices.ContainsFunc(options, func(o string) bool {
			return strings.HasPrefix(o, "-") && !strings.HasPrefix(o, "--") && strings.Contains(o, "e")
		})
		step.Proven = at.proven && (step.Proven || last && !step.Piped)
		step.Decides = at.decides && last
		step.Piped = step.Piped || at.piped
		step.Background = step.Background || at.background
		step.Dir = joinDir(w.dir, step.Dir)
		w.steps = append(w.steps, step)
	}
}

func (w *walker) cd(args []string) {
	isOption := func(arg string) bool { return strings.HasPrefix(arg, "-") && arg != "-" }
	args = slices.DeleteFunc(slices.Clone(args), isOption)
	if len(args) == 0 {
		w.dir = "~"
		return
	}
	w.dir = joinDir(w.dir, args[0])
}

// joinDir is the folder that dir names, seen from base; both as written.
func joinDir(base, dir string) string {
	dir = strings.ReplaceAll(dir, `\`, "/")
	switch {
	case dir == "":
		return base
	case isAbs(dir), strings.HasPrefix(dir, "~"), strings.HasPrefix(dir, "$"):
		return dir
	}
	return path.Join(base, dir)
}

func (w *walker) set(args []string) {
	for i, arg := range args {
		on := strings.HasPrefix(arg, "-")
		if !on && !strings.HasPrefix(arg, "+") {
			continue
		}
		if strings.Contains(arg, "e") {
			w.errexit = on
		}
		if strings.Contains(arg, "o") && i+1 < len(args) {
			switch args[i+1] {
			case "pipefail":
				w.pipefail = on
			case "errexit":
				w.errexit = on
			}
		}
	}
}

// text is the value of a word, or its source where a value is known at run time only.
func (w *walker) text(word *syntax.Word) string {
	var b strings.Builder
	for _, part := range word.Parts {
		switch part := part.(type) {
		case *syntax.Lit:
			b.WriteString(unescape(part.Value))
		case *syntax.SglQuoted:
			b.WriteString(part.Value)
		case *syntax.DblQuoted:
			for _, inner := range part.Parts {
				if lit, ok := inner.(*syntax.Lit); ok {
					b.WriteString(unescapeQuoted(lit.Value))
				} else {
					b.WriteString(w.source(inner))
				}
			}
		default:
			b.WriteString(w.source(part))
		}
	}
	return b.String()
}

func (w *walker) source(node syntax.Node) string {
	from, to := int(node.Pos().Offset()), int(node.End().Offset())
	if from > to || to > len(w.line) {
		return ""
	}
	return w.line[from:to]
}

func unescape(s string) string {
	if !strings.Contains(s, `\`) || windowsPath.MatchString(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
			if s[i] == '\n' {
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

var quotedEscapes = once.Value[*strings.Replacer]{Make: func() *strings.Replacer {
	return strings.NewReplacer(`\"`, `"`, `\\`, `\`, `\$`, `$`, "\\`", "`", "\\\n", "")
}}

func unescapeQuoted(s string) string { return quotedEscapes.Get().Replace(s) }

// heredoc is the text that a statement gets as its input, "" if none is given.
func (w *walker) heredoc(stmt *syntax.Stmt) string {
	for _, redirect := range stmt.Redirs {
		switch {
		case redirect.Hdoc != nil:
			return w.source(redirect.Hdoc)
		case redirect.Op == syntax.WordHdoc && redirect.Word != nil:
			return w.text(redirect.Word)
		}
	}
	return ""
}

// inline names code that stands in the command line itself.
func inline(code string) string {
	sum := sha256.Sum256([]byte(code))
	return "inline:" + hex.EncodeToString(sum[:6])
}
