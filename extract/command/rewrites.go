package command

import (
	"slices"
	"strings"
)

// Agents rewrite files with code on the command line: python - <<'E', node -e. The calls that write
// are known by their names; the file is their argument, or what is assigned to it.

const (
	// maxCode is how much of the code is read, in bytes, maxWritten how many files it can write.
	maxCode, maxWritten = 16 << 10, 10

	literalFile = `[rfbu]?["']([^"'\n$*{}]{1,200}\.\w{1,10})["']`
)

var (
	codeWrites = []pattern{
		lazy(`\bopen\(\s*(?:` + literalFile + `|([A-Za-z_][\w.]*))\s*,\s*(?:mode\s*=\s*)?["'][rbt]*[wax+]`),
		lazy(`\b(?:writeFile|writeFileSync|appendFile|appendFileSync|writeTextFile|writeTextFileSync|Bun\.write|` +
			`File\.write|File\.open)\(\s*(?:` + literalFile + `|([A-Za-z_][\w.]*))`),
		lazy(`(?:\bPath\(\s*` + literalFile + `\s*\)|\b([A-Za-z_]\w*))\.write_(?:text|bytes)\(`),
		lazy(`\bfileinput\.\w+\(\s*(?:files\s*=\s*)?\[?(?:` + literalFile + `|([A-Za-z_]\w*))\]?\s*,[^)\n]*inplace`),
	}
	codeReads = lazy(`\.read\(|\.readlines\(|read_text\(|read_bytes\(|readFile(?:Sync)?\(|readTextFile|File\.read|` +
		`\bfileinput\.|\.file\(|["']r\+["']`)
	codeFiles = lazy(literalFile)
)

// scriptFiles are the endings of files whose code may rewrite others.
var scriptFiles = []string{".py", ".js", ".mjs", ".cjs", ".ts", ".mts", ".rb"}

// Rewrites returns the names of the files that the code of a script writes, at most 10. A file
// whose name is not that of a script writes none.
func Rewrites(script, code string) []string {
	if code == "" || !slices.Contains(scriptFiles, extension(script)) {
		return nil
	}
	return written(code)
}

// ScriptFiles returns the scripts that a command line runs, as written, joined to the folders of
// their steps.
func (c Command) ScriptFiles() []string {
	var files []string
	for _, s := range c.Steps {
		if slices.Contains(scriptFiles, extension(s.Script)) && !strings.HasPrefix(s.Script, "inline:") {
			files = append(files, joinDir(s.Dir, s.Script))
		}
	}
	return files
}

// Runs returns the files that a command line runs, as written, joined to the folders of their steps:
// scripts, and what pytest is given although it would not find it by itself.
func (c Command) Runs() []string {
	var files []string
	for _, s := range c.Steps {
		if s.Category == Runtime && extension(s.Script) != "" && !strings.HasPrefix(s.Script, "inline:") {
			files = append(files, joinDir(s.Dir, s.Script))
		}
		for _, file := range s.givenToPytest() {
			files = append(files, joinDir(s.Dir, file))
		}
	}
	return files
}

// rewrites adds the files that code writes. That it ends well proves that it wrote them.
func (w *walker) rewrites(code, dir string) {
	action := Writes
	if codeReads.MatchString(code[:min(len(code), maxCode)]) {
		action = Edits
	}
	for _, file := range written(code) {
		w.effect(Effect{Action: action, Path: file}, dir)
	}
}

// written returns the names of the files that code writes.
func written(code string) []string {
	code = code[:min(len(code), maxCode)]
	var files []string
	for _, p := range codeWrites {
		for _, m := range p.FindAllStringSubmatch(code, maxWritten) {
			switch {
			case m[1] != "":
				files = append(files, m[1])
			case m[2] != "":
				files = append(files, filesOf(code, m[2])...)
			}
		}
	}
	slices.Sort(files)
	files = slices.Compact(files)
	return files[:min(len(files), maxWritten)]
}

// filesOf returns the names of files in the lines that give a variable its value.
func filesOf(code, variable string) []string {
	var assigned []string
	for line := range strings.Lines(code) {
		head, _, given := strings.Cut(line, "=")
		if !(given && hasName(head, variable)) && !(strings.Contains(line, "for ") && hasName(line, variable)) {
			continue
		}
		for _, m := range codeFiles.FindAllStringSubmatch(line, maxWritten) {
			assigned = append(assigned, m[1])
		}
	}
	return assigned
}

// hasName reports whether a variable stands in a string as a word of its own.
func hasName(text, variable string) bool {
	return slices.Contains(strings.FieldsFunc(text, func(r rune) bool {
		return r != '_' && r != '.' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}), variable)
}

// codeIn returns the code that a step runs from its words, "" if there is none.
func (s Step) codeIn() string {
	if !strings.HasPrefix(s.Script, "inline:") {
		return ""
	}
	return optionValue(s.Args, "-c -e --eval -p -pe")
}
