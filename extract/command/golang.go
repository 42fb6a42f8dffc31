package command

import (
	"slices"
	"strings"
)

const (
	goBuildName = "go build"
	goVetName   = "go vet"
	gofmtName   = "gofmt"

	goOptions = "-C -tags -o -ldflags -gcflags -asmflags -mod -modfile -exec -p -overlay -pkgdir -toolexec -buildmode" +
		" -compiler"
	goVetOptions = goOptions + " -vettool -c"
	// goLooks are the options with which go only prints what it would do, or how it is used.
	goLooks = "-n -h"
	// goCode is the group of the tools that compile Go.
	goCode = "go"
)

// The commands of go, but for go test.
var (
	goBuild = &family{
		name: goBuildName, category: Build,
		runs:       []run{{programs: "go", subcommands: "build install", valued: goOptions, looks: goLooks}},
		recognises: recognition{words: (*Step).goWords},
		reads:      readingGo,
		covers:     ofGo(coverage{skips: isGoTest}),
		clears:     clearance{compiles: goCode, servers: "compiler syntax"},
	}
	goVet = &family{
		name: goVetName, category: Lint,
		runs:       []run{{programs: "go", subcommands: "vet", valued: goVetOptions, looks: goLooks + " -json"}},
		recognises: recognition{words: (*Step).goVetWords},
		reads:      readingGo,
		covers:     ofGo(coverage{same: "-vettool"}),
		clears:     clearance{compiles: goCode},
	}
	goRun = &family{
		name: "go run", category: Runtime,
		runs:       []run{{programs: "go", subcommands: "run", valued: goOptions, looks: "-n"}},
		recognises: recognition{words: (*Step).goRunWords},
		reads:      readingGo,
		covers:     ofGo(coverage{scriptIsFile: true, scriptIsScope: true, skips: isGoTest}),
		clears:     clearance{compiles: goCode},
	}
	goGenerate = &family{
		name: "go generate", category: Build,
		runs:       []run{{programs: "go", subcommands: "generate", valued: "-run -skip"}},
		recognises: recognition{words: (*Step).goWords},
		reads:      readingGo,
		covers:     ofGo(coverage{}),
	}
	goMod = &family{
		name: "go mod", category: Build,
		runs: []run{{programs: "go", subcommands: "get mod work", global: true}},
		recognises: recognition{
			words:    (*Step).goWords,
			installs: []installer{{programs: "go", verbs: []string{"get", "install"}}},
		},
		reads:  readingGo,
		covers: ofGo(coverage{}),
	}
	goTool = &family{
		name: "go tool", category: Runtime,
		runs:       []run{{programs: "go", subcommands: "tool", global: true}},
		recognises: recognition{words: (*Step).goWords},
		reads:      readingGo,
		covers:     ofGo(coverage{}),
	}
	// goInfo are the commands that only print or clean up.
	goInfo = &family{runs: []run{{programs: "go", subcommands: "list version env doc help clean"}}}
	gofmt  = &family{
		name: gofmtName, category: Lint,
		runs: []run{
			{programs: "gofmt", valued: "-r"},
			{programs: "gofumpt"},
			{programs: "goimports", valued: "-local"},
			{programs: "go", subcommands: "fmt"},
		},
		recognises: recognition{formats: "-w"},
		reads:      readingGo,
	}
)

var (
	readingGo = reading{readers: []*reader{goBuilds, goPanics}}

	goBuilds = &reader{
		marks: []string{".go:", "go: ", "can't load package", "no required module", "pattern "},
		read:  readGoBuild,
	}
	goPanics = &reader{stage: deaths, marks: []string{"panic: ", "goroutine ", "DATA RACE"}, read: readGoPanic}
)

// ofGo adds to a coverage what the commands of go have in common.
func ofGo(c coverage) coverage {
	c.folder, c.unfiltered, c.reaches = true, true, goReaches
	c.parts, c.same = "-tags --tags", "GOOS GOARCH "+c.same
	c.more += " -race -msan -asan"
	c.concerns = goConcerns
	return c
}

// goConcerns reports whether an option decides about an error: one of the compiler is found with all analyzers,
// linters and detectors.
func goConcerns(_ Success, option string, o Opener) bool {
	if !strings.HasPrefix(option, "-") {
		return true // a tag or a system
	}
	switch name, value, _ := strings.Cut(option, " "); name {
	case "-vet=off":
		return o.Check == Lint
	case "-skip":
		return o.Test != "" && selectsGoTest(value, o.Test)
	case "-bench":
		return strings.HasPrefix(o.Test, "Benchmark")
	case "-tests=false", "--tests=false":
		return o.Path == "" || isGoTest(o.Path)
	case "-short", "-race", "-msan", "-asan":
		return o.Check == "" && (o.Category == Test || o.Category == Runtime)
	}
	return o.Category != Build && o.Check != Build
}

// isGoTest reports whether only the tests of a package have a file.
func isGoTest(file string) bool { return strings.HasSuffix(file, "_test.go") }

// goWords reads the arguments of a command of go, and the folder to which it changes.
func (s *Step) goWords(how run, args []string) {
	s.options(how, args)
	if i := slices.Index(args, "-args"); i >= 0 {
		args = args[:i]
	}
	if dir := optionValue(args, "-C"); dir != "" {
		s.Dir = dir
	}
}

// goPlainOptions are the options of go vet that switch no analyzer on or off.
const goPlainOptions = "-a -x -v -work -fix -diff -race -msan -asan -trimpath -cover -buildvcs -modcacherw"

// goVetWords reads the arguments of go vet: what is not an option of a build switches an analyzer on, and all others
// off, or it off.
func (s *Step) goVetWords(how run, args []string) {
	s.goWords(how, args)
	s.limitedBeside(args, goPlainOptions+" "+how.valued+" "+how.looks)
}

// goRunWords reads the arguments of go run: the first is the program.
func (s *Step) goRunWords(how run, args []string) {
	s.goWords(how, args)
	if len(s.Scope) > 0 {
		s.Script, s.Scope = s.Scope[0], nil
	}
}

// goReaches reports whether a package pattern includes a file or a pattern.
func goReaches(pattern, name string) bool {
	tree, recursive := strings.CutSuffix(pattern, "...")
	tree = strings.TrimSuffix(strings.TrimPrefix(tree, "./"), "/")
	folder := strings.TrimSuffix(strings.TrimSuffix(name, "..."), "/")
	switch {
	case strings.HasSuffix(folder, ".go") && pattern == name:
		return true
	case strings.HasSuffix(folder, ".go"):
		folder = folderOf(folder)
	}
	if strings.HasSuffix(name, "...") && !recursive {
		return false
	}
	if folder == "." {
		folder = ""
	}
	if tree == "." {
		tree = ""
	}
	if first, _, _ := strings.Cut(tree, "/"); strings.Contains(first, ".") && !strings.HasPrefix(tree, ".") {
		return folder != "" && (strings.HasSuffix(tree, "/"+folder) ||
			recursive && strings.Contains(tree+"/", "/"+folder+"/"))
	}
	return folder == tree || recursive && below(tree, folder)
}

// goCompiles reports whether a line is the compiler's: it knows the column, which
// a log does not.
func goCompiles(line string) bool {
	_, rest, ok := strings.Cut(line, ".go:")
	if !ok || line[0] == ' ' || line[0] == '\t' {
		return false
	}
	_, length := digits(rest)
	if length == 0 || !strings.HasPrefix(rest[length:], ":") {
		return false
	}
	_, column := digits(rest[length+1:])
	return column > 0
}

func goPosition(line string) (file string, number int, message string, ok bool) {
	line = strings.TrimPrefix(line, "vet: ")
	file, number, message, ok = position(line)
	if !ok || message == "" || !strings.HasSuffix(file, ".go") && file != "go.mod" && file != "go.work" {
		return "", 0, "", false
	}
	return file, number, message, true
}

// goFrame is the first frame of a stack that lies in the workspace: the line
// after a function, "\t/path/file.go:12 +0x1".
func (t *transcript) goFrame(lines []string) (file string, line int) {
	for _, text := range lines {
		if len(text) == 0 || text[0] != '\t' && text[0] != ' ' {
			continue
		}
		name, number, _, ok := position(strings.TrimSpace(text))
		if !ok || !strings.HasSuffix(name, ".go") || !strings.ContainsAny(name, `/\`) ||
			strings.Contains(name, "/src/testing/") || strings.Contains(name, "/src/runtime/") {
			continue
		}
		if file == "" && !strings.Contains(name, "/go/src/") {
			file, line = name, number
		}
		if t.inside(name) {
			return name, number
		}
	}
	return file, line
}

// readGoBuild reads what go build, go vet, go run and the go command itself print.
func readGoBuild(t *transcript) []Error {
	tool := t.step.Tool
	if !strings.HasPrefix(tool, "go") {
		tool = goBuildName
	}
	var errors []Error
	for _, line := range t.lines[len(t.issues()):] {
		if enough(errors) {
			break
		}
		if file, number, message, ok := goPosition(line); ok && (t.known || goCompiles(line)) {
			category := Build
			if tool == gofmtName || tool == goVetName && !strings.HasPrefix(line, "vet: ") {
				category = Lint
			}
			errors = append(errors, t.error(category, tool, file, number, message))
		}
	}
	return append(errors, t.goCommands(tool)...)
}

func (t *transcript) goCommands(tool string) []Error {
	var errors []Error
	for _, line := range t.lines {
		if enough(errors) {
			break
		}
		if message, ok := goCommand(line); ok {
			errors = append(errors, t.error(Build, tool, "", 0, message))
		}
	}
	return errors
}

// goCommand reads an error of the go command itself, which names no file.
func goCommand(line string) (string, bool) {
	message, ok := strings.CutPrefix(line, "go: ")
	switch {
	case ok:
		return message, !beginsWith(message, goProgress)
	case beginsWith(line, goRefusals),
		strings.HasPrefix(line, "package ") && strings.Contains(line, "is not in std"),
		strings.HasPrefix(line, "package ") && strings.Contains(line, "import cycle not allowed"):
		return line, true
	}
	return "", false
}

var (
	// goProgress begins what the go command says it is doing, goRefusals what it
	// says without naming itself.
	goProgress = []string{
		"downloading ", "finding ", "added ", "upgraded ", "warning", "to add ", "creating ", "found ", "extracting ",
	}
	goRefusals = []string{"pattern ", "can't load package", "no required module provides"}
)

func beginsWith(s string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(s, prefix) })
}

// readGoPanic reads how a Go program died.
func readGoPanic(t *transcript) []Error {
	for i, line := range t.lines {
		switch {
		case strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") && t.has("goroutine "):
			file, number := t.goFrame(t.lines[i:])
			return []Error{t.error(Runtime, "go", file, number, line)}
		case isRace(line):
			file, number := t.goFrame(t.lines[i:])
			return []Error{t.error(Runtime, "go", file, number, "data race")}
		}
	}
	return nil
}
