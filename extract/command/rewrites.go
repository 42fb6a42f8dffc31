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

// rewrites adds the files that code writes. Whether it did, the disk tells.
func (w *walker) rewrites(code, dir string) {
	code = code[:min(len(code), maxCode)]
	action := Writes
	if codeReads.MatchString(code) {
		action = Edits
	}
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
	for _, file := range files[:min(len(files), maxWritten)] {
		w.add(Effect{Action: action, Path: file}, dir)
	}
}

// filesOf returns the names of files in the lines that give a variable its value; if there are none,
// all that the code names.
func filesOf(code, variable string) []string {
	var assigned, all []string
	for line := range strings.Lines(code) {
		var named []string
		for _, m := range codeFiles.FindAllStringSubmatch(line, maxWritten) {
			named = append(named, m[1])
		}
		all = append(all, named...)
		head, _, _ := strings.Cut(line, "=")
		given := strings.Contains(line, "=") && hasName(head, variable)
		iterated := strings.Contains(line, "for ") && hasName(line, variable)
		if given || iterated {
			assigned = append(assigned, named...)
		}
	}
	if len(assigned) > 0 {
		return assigned
	}
	return all
}

// hasName reports whether a variable stands in a text as a word of its own.
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
