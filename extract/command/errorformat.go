package command

import (
	"slices"
	"strings"
	"sync"

	"github.com/reviewdog/errorformat"
	"github.com/reviewdog/errorformat/fmts"
)

// readFormats returns the tools whose output errorformat reads, each compiled when
// it is first needed. Those of its formats that look whether a file exists, and
// those that have a reader of their own, are left out.
func (r *registry) readFormats() map[string]func() *errorformat.Errorformat {
	table := map[string]func() *errorformat.Errorformat{}
	for name, format := range fmts.DefinedFmts() {
		if r.of(name).reads.readers != nil || slices.ContainsFunc(format.Errorformat, looksForFiles.MatchString) {
			continue
		}
		table[name] = sync.OnceValue(func() *errorformat.Errorformat { return compileFormat(format) })
	}
	return table
}

// looksForFiles finds the prefixes of a format that push and pop files.
var looksForFiles = lazy(`^%[-+]?[OPQ]`)

func compileFormat(format *fmts.Fmt) *errorformat.Errorformat {
	compiled, err := errorformat.NewErrorformat(format.Errorformat)
	if err != nil {
		return nil
	}
	return compiled
}

// errorformatOf returns a reader for the tool, nil if errorformat does not know it.
func (r *registry) errorformatOf(tool string) func(*transcript) []Error {
	format, ok := r.formats()[tool]
	if !ok {
		return nil
	}
	return func(t *transcript) []Error {
		compiled := format()
		if compiled == nil {
			return nil
		}
		return t.errorformat(compiled)
	}
}

// maxEntries bounds what errorformat is asked to read, which costs it the most.
const maxEntries = 4 * MaxErrors

func (t *transcript) errorformat(compiled *errorformat.Errorformat) []Error {
	scanner := compiled.NewScanner(strings.NewReader(t.candidates()))
	var found []finding
	for scanner.Scan() && len(found) < maxEntries {
		entry := scanner.Entry()
		text := strings.TrimSpace(entry.Text)
		note := strings.ContainsRune("NnIi", entry.Type)
		if !entry.Valid || entry.Filename == "" || text == "" || note {
			continue
		}
		warning := entry.Type == 'W' || entry.Type == 'w' || beginsWith(text, []string{"[warning]", "warning"})
		if t.family().reads.rulesFirst {
			_, _, text, _ = position(entry.Lines[0])
			warning = false
		}
		text = mypyCode.ReplaceAllString(text, "")
		file, line := entry.Filename, entry.Lnum
		if name, number, rest, ok := position(file); ok && rest == "" {
			file, line = name, number // the format took the line for the column
		}
		found = append(found, finding{t.error(t.step.Category, t.step.Tool, file, line, text), warning})
	}
	return failures(found)
}

var mypyCode = lazy(`  \[[a-z]+(?:-[a-z]+)*\]$`)

// continuing begin lines without a number that can belong to an error.
var continuing = []string{"\t", " ", "error", "ERROR"}

// candidates are the lines that can hold a position, or continue one: the others
// are not worth a dozen regular expressions each.
func (t *transcript) candidates() string {
	var b strings.Builder
	kept := 0
	for _, line := range t.lines {
		if kept == maxEntries {
			break
		}
		if line == "" || !strings.ContainsAny(line, "0123456789") && !beginsWith(line, continuing) {
			continue
		}
		kept++
		b.WriteString(line)
		b.WriteByte('\n')
	}
	return b.String()
}
