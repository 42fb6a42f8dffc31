package command

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// toy is a tool that no code knows of but this value.
var toy = &family{
	name: "toy check", category: Lint,
	runs: []run{{
		programs: "toy", subcommands: "check c", valued: "--rules", filters: "--only",
		aliases: "toybox", versioned: true,
	}},
	recognises: recognition{
		verbs:    "all",
		wraps:    []wrapper{{programs: "toy", sub: "with", operands: 1}},
		installs: []installer{{programs: "toy", verbs: []string{"add"}, valued: []string{"--from"}}},
	},
	reads: reading{readers: []*reader{{marks: []string{"TOY "}, read: readToy}}},
	covers: coverage{
		holds:   func(_ Success, item string, o Opener) bool { return item == "any" && o.Path != "" },
		selects: strings.Contains,
	},
	clears: clearance{compiles: "toys"},
}

// toyBuild compiles what the other compiles.
var toyBuild = &family{
	name: "toy build", category: Build,
	runs:   []run{{programs: "toy", subcommands: "build", global: true}},
	clears: clearance{compiles: "toys"},
}

func readToy(t *transcript) []Error {
	var errors []Error
	for _, line := range t.lines {
		if rest, ok := strings.CutPrefix(line, "TOY "); ok {
			file, number, message, _ := position(rest)
			errors = append(errors, t.error(Lint, "toy check", file, number, message))
		}
	}
	return errors
}

func toys() *registry { return newRegistry(append(slices.Clone(families), toy, toyBuild)) }

func TestAFamilyIsRecognisedByItsValueAlone(t *testing.T) {
	r := toys()
	for line, want := range map[string]Step{
		"toy check --rules x all src": {Tool: "toy check", Category: Lint, Scope: []string{"src"}},
		"cd web && toybox c --only a src": {
			Tool: "toy check", Category: Lint, Scope: []string{"src"}, Filter: "a", Dir: "web",
		},
		"npx toy-2.1 check":                {Tool: "toy check", Category: Lint},
		"toy build fast":                   {Tool: "toy build", Category: Build, Script: "fast"},
		"toy with 3 go vet ./...":          {Tool: goVetName, Category: Lint, Scope: []string{"./..."}},
		"toy unheard of":                   {Tool: "toy", Category: Runtime, Script: "unheard"},
		"xargs -n 1 toy check":             {Tool: "toy check", Category: Lint, Scope: []string{"<xargs>"}},
		"timeout 5 toy c -- --only=x here": {Tool: "toy check", Category: Lint, Scope: []string{"here"}, Filter: "x"},
	} {
		steps := r.parse(line).Steps
		require.NotEmpty(t, steps, line)
		got := steps[len(steps)-1]
		assert.Equal(t, want.Tool, got.Tool, line)
		assert.Equal(t, want.Category, got.Category, line)
		assert.Equal(t, strings.Join(want.Scope, " "), strings.Join(got.Scope, " "), line)
		assert.Equal(t, want.Filter, got.Filter, line)
		assert.Equal(t, want.Script, got.Script, line)
		assert.Equal(t, want.Dir, got.Dir, line)
		assert.NotContains(t, Parse(line).Steps[len(steps)-1].Tool, "toy c", "it is unknown elsewhere")
	}
	zero := 0
	assert.Equal(t, []string{"ball"}, r.parse("toy add --from shop ball").Dependencies(Output{ExitCode: &zero}))
}

func TestAFamilyIsReadByItsValueAlone(t *testing.T) {
	one := 1
	out := Output{Stdout: "TOY src/a.toy:3: it squeaks\n", ExitCode: &one, Cwd: "/r", Root: "/r"}
	want := []Error{{Category: Lint, Tool: "toy check", Path: "src/a.toy", Line: 3, Summary: "it squeaks"}}
	r := toys()
	assert.Equal(t, want, r.parse("toy check").Errors(out))
	assert.Equal(t, want, r.parse("make toys").Errors(out), "where any program may have run")
	assert.NotEqual(t, want, Parse("toy check").Errors(out))
}

func TestAFamilyCoversAndClearsByItsValueAlone(t *testing.T) {
	r := toys()
	opener := func(line string, e Error) Opener { return r.parse(line).Opener(e, "/r", "/r") }
	lint := opener("toy check", Error{Category: Lint, Tool: "toy check", Path: "src/a.toy"})
	named := opener("toy check", Error{Category: Lint, Tool: "toy check", Path: "src/a.toy", Test: "squeaks loudly"})
	build := opener("toy build", Error{Category: Build, Tool: "toy build", Path: "src/a.toy"})
	for _, c := range []struct {
		line string
		o    Opener
		want bool
	}{
		{"toy check", lint, true},
		{"toy check src", lint, true},
		{"toy check lib", lint, false},
		{"toy check any", lint, true},
		{"toy build", lint, false},
		{"eslint .", lint, false},
		{"toy check --only squeaks", named, false},
		{"toy check", build, true},
		{"toy build", build, true},
		{"go build ./...", build, false},
	} {
		clears := func(s Success) bool { return r.clears(s, c.o) }
		got := slices.ContainsFunc(r.parse(c.line).Successes(Output{ExitCode: new(int), Cwd: "/r", Root: "/r"}), clears)
		assert.Equal(t, c.want, got, c.line)
	}
}

// What a family and its programs are called stands in the files that declare it,
// and nowhere else.
func TestNoFileKnowsTheFamiliesOfAnother(t *testing.T) {
	names := map[string]bool{}
	for _, f := range families {
		if f.category == "" && f.name == "" { // the names of programs that print are plain words
			continue
		}
		names[f.name] = f.name != ""
		for _, how := range f.runs {
			for _, program := range strings.Fields(how.programs + " " + how.aliases) {
				names[program] = true
			}
		}
	}
	require.Greater(t, len(names), 150)
	files := sources(t)
	declaring := map[string][]string{} // files by name
	for path, file := range files {
		for _, name := range declaredIn(file) {
			declaring[name] = append(declaring[name], path)
		}
	}
	for _, f := range families {
		assert.LessOrEqual(t, len(slices.Compact(declaring[f.name])), 1, "%q is declared twice", f.name)
	}
	looked := 0
	for path, file := range files {
		for _, literal := range literals(file) {
			if name := strings.TrimSpace(literal); names[name] {
				looked++
				assert.Contains(t, declaring[name], path, "%q belongs to another file", literal)
			}
		}
	}
	assert.Greater(t, looked, 150)
}

// sources are the files of the package, without tests.
func sources(t *testing.T) map[string]*ast.File {
	paths, err := filepath.Glob("*.go")
	require.NoError(t, err)
	files := map[string]*ast.File{}
	for _, path := range paths {
		if !strings.HasSuffix(path, "_test.go") {
			files[path], err = parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			require.NoError(t, err)
		}
	}
	return files
}

func literals(node ast.Node) []string {
	var found []string
	ast.Inspect(node, func(n ast.Node) bool {
		if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			if text, err := strconv.Unquote(literal.Value); err == nil {
				found = append(found, text)
			}
		}
		return true
	})
	return found
}

// declaredIn are the names and programs of the families in a file: the fields of
// that name, the constants that end in Name, and the first arguments of the functions that make
// families.
func declaredIn(file *ast.File) []string {
	var names []string
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.KeyValueExpr:
			switch key, ok := n.Key.(*ast.Ident); {
			case ok && key.Name == "name":
				names = append(names, literals(n.Value)...)
			case ok && (key.Name == "programs" || key.Name == "aliases"):
				for _, programs := range literals(n.Value) {
					names = append(names, strings.Fields(programs)...)
				}
			}
		case *ast.GenDecl:
			for _, spec := range n.Specs {
				value, ok := spec.(*ast.ValueSpec)
				if ok && n.Tok == token.CONST && strings.HasSuffix(value.Names[0].Name, "Name") {
					names = append(names, literals(value)...)
				}
			}
		case *ast.CallExpr:
			makers := []string{"plain", "inParts", "plainJava", "nativeCompiler", "cargoCompiles", "cargoCommand"}
			if called, ok := n.Fun.(*ast.Ident); ok && slices.Contains(makers, called.Name) {
				names = append(names, literals(n.Args[0])...)
			}
		}
		return true
	})
	return names
}

func TestAWordIsListedIfItIsAWholeOneOfTheList(t *testing.T) {
	const list = "-v --verbose\n\t--run -i --ignore-errors"
	for _, word := range []string{"-v", "--verbose", "--run", "-i", "--ignore-errors"} {
		assert.True(t, listed(list, word), word)
		assert.True(t, listed(word, word), word)
	}
	for _, word := range []string{
		"", "-", "v", "--", "--verb", "-ignore", "--ignore", "errors", "-v --verbose", " ", "n",
	} {
		assert.False(t, listed(list, word), word)
	}
	assert.True(t, listed("--all-targets --all -all", "-all"), "also behind others that hold it")
	assert.False(t, listed("aa aaa", "a"), "not in a longer one")
}
