package test

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	gobuild "go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// repositoryPath matches a path of the repository in backticks.
var repositoryPath = regexp.MustCompile(
	"`((?:cmd|docs|editors|extract|install|memory|recall|server|test|tools)(?:/[\\w./-]+)?)`",
)

func TestThePathsInTheArchitectureExist(t *testing.T) {
	document, err := os.ReadFile("../docs/architecture.md")
	require.NoError(t, err)
	found := repositoryPath.FindAllSubmatch(document, -1)
	require.NotEmpty(t, found)
	for _, match := range found {
		_, err := os.Stat("../" + string(match[1]))
		assert.NoError(t, err)
	}
}

func TestTheArchitectureNamesEveryPackageOfTheProduct(t *testing.T) {
	document, err := os.ReadFile("../docs/architecture.md")
	require.NoError(t, err)
	for _, folder := range []string{"server", "memory", "memory/store"} {
		entries, err := os.ReadDir("../" + folder)
		require.NoError(t, err)
		for _, entry := range entries {
			if !entry.IsDir() || entry.Name() == "testdata" {
				continue
			}
			name := folder + "/" + entry.Name()
			assert.True(
				t,
				strings.Contains(string(document), "`"+name+"`"),
				"docs/architecture.md does not name %s",
				name,
			)
		}
	}
}

func TestThePictureOfTheHouseHasEveryFaceAndEveryRoom(t *testing.T) {
	document, err := os.ReadFile("../docs/architecture.md")
	require.NoError(t, err)
	_, house, _ := strings.Cut(string(document), "\n## The house\n\n```\n")
	picture, _, drawn := strings.Cut(house, "```")
	require.True(t, drawn)
	faces, err := os.ReadDir("../server")
	require.NoError(t, err)
	for _, face := range faces {
		if face.Name() != "wire" { // the types of all of them
			assert.Contains(t, picture, "server/"+face.Name()+" ")
		}
	}
	words := strings.Fields(picture)
	for _, room := range roomsOf(t) {
		assert.Contains(t, words, room)
	}
}

// roomsOf returns the names of the packages of the rooms.
func roomsOf(t *testing.T) (names []string) {
	t.Helper()
	registry, err := os.ReadFile("../memory/registry.go")
	require.NoError(t, err)
	rooms := regexp.MustCompile(`\{(?:room: makerOf\(|service: .* return )(\w+)\.New`).FindAllSubmatch(registry, -1)
	require.Greater(t, len(rooms), 15)
	for _, room := range rooms {
		names = append(names, string(room[1]))
	}
	return names
}

func TestNoFaceKnowsARoom(t *testing.T) {
	for _, face := range []string{"lsp", "mcp", "hook", "cli", "tui"} {
		of, err := gobuild.ImportDir("../server/"+face, 0)
		require.NoError(t, err)
		for _, room := range roomsOf(t) {
			assert.NotContains(t, of.Imports, "github.com/wm-lsp/wm-lsp/memory/"+room, "server/%s", face)
		}
	}
}

// What a face needs of the memory is in the service: it judges no string.
func TestTheFacesOfEditorsAndAgentsUseWhatIsBelowTheServiceOnlyToRun(t *testing.T) {
	known := map[string]bool{}
	for _, name := range []string{
		"memory/cores", "memory/fault", "memory/gate", "memory/process", "memory/regular",
		"memory/tool", "extract/command", "extract/once", "extract/shorten", "extract/tag",
	} {
		known["github.com/wm-lsp/wm-lsp/"+name] = true
	}
	for _, face := range []string{"lsp", "mcp", "hook"} {
		of, err := gobuild.ImportDir("../server/"+face, 0)
		require.NoError(t, err)
		require.Contains(t, of.Imports, "github.com/wm-lsp/wm-lsp/server/service")
		for _, path := range of.Imports {
			isBelow := strings.Contains(path, "wm-lsp/memory") || strings.Contains(path, "wm-lsp/extract")
			assert.True(t, !isBelow || known[path], "server/%s imports %s", face, path)
		}
	}
}

// The types of which a workspace consists get what they need and do not refer to the
// workspace. A host is the workspace as its services use it.
func TestOnlyTheHostOfServicesRefersToTheWorkspace(t *testing.T) {
	files, err := filepath.Glob("../memory/*.go")
	require.NoError(t, err)
	var referring []string
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		require.NoError(t, err)
		ast.Inspect(parsed, func(node ast.Node) bool {
			spec, is := node.(*ast.TypeSpec)
			if !is {
				return true
			}
			fields, is := spec.Type.(*ast.StructType)
			if !is {
				return true
			}
			for _, field := range fields.Fields.List {
				if pointer, is := field.Type.(*ast.StarExpr); is && isNamed(pointer.X, "Workspace") {
					referring = append(referring, spec.Name.Name)
				}
			}
			return true
		})
	}
	assert.Equal(t, []string{"host"}, referring)
}

func TestTheArchitectureNamesEveryTypeOfWhichAWorkspaceConsists(t *testing.T) {
	document, err := os.ReadFile("../docs/architecture.md")
	require.NoError(t, err)
	parsed, err := parser.ParseFile(token.NewFileSet(), "../memory/workspace.go", nil, 0)
	require.NoError(t, err)
	var types []string
	for _, field := range parsed.Scope.Lookup("Workspace").Decl.(*ast.TypeSpec).Type.(*ast.StructType).Fields.List {
		of := field.Type
		if pointer, is := of.(*ast.StarExpr); is {
			of = pointer.X
		}
		name, is := of.(*ast.Ident)
		if is && !slices.Contains([]string{"string", "bool", "Options", "queue"}, name.Name) {
			types = append(types, name.Name)
		}
	}
	require.Contains(t, types, "lifecycle")
	for _, name := range types {
		assert.Contains(t, string(document), "\n| `"+name+"` | `memory/")
	}
}

func isNamed(expression ast.Expr, name string) bool {
	identifier, is := expression.(*ast.Ident)
	return is && identifier.Name == name
}

// What is compiled or split by a package is so at every start of the program.
func TestNoExpressionIsCompiledAndNoListIsSplitBeforeItIsUsed(t *testing.T) {
	var compiled []string
	for _, folder := range []string{"cmd", "extract", "memory", "recall", "server"} {
		require.NoError(t, filepath.WalkDir("../"+folder, func(file string, _ os.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
				return err
			}
			content, err := os.ReadFile(file)
			calls := func(function string) bool { return bytes.Contains(content, []byte(function)) }
			if !slices.ContainsFunc([]string{"regexp.MustCompile", "strings.Fields", "strings.Split"}, calls) {
				return err // to parse all files takes a second
			}
			set := token.NewFileSet()
			parsed, parseErr := parser.ParseFile(set, file, content, 0)
			for _, declaration := range parsed.Decls {
				variables, is := declaration.(*ast.GenDecl)
				if !is {
					continue
				}
				ast.Inspect(variables, func(node ast.Node) bool {
					call, is := node.(*ast.SelectorExpr)
					if is && (isNamed(call.X, "regexp") && call.Sel.Name == "MustCompile" ||
						isNamed(call.X, "strings") && (call.Sel.Name == "Fields" || call.Sel.Name == "Split")) {
						compiled = append(compiled, set.Position(call.Pos()).String())
					}
					_, later := node.(*ast.FuncLit)
					return !later
				})
			}
			return errors.Join(err, parseErr)
		}))
	}
	assert.Empty(t, compiled, "use once.Compile, once.Value or pattern.SetOf")
}

// An added is something that was added to the program, by which the places of its kind are counted: the files that
// have one of its marks. These are strings, because all of the program is searched, which takes seconds with
// expressions.
type added struct {
	kind  string
	marks []string
	// files are all that have one of the marks, but for generated ones, those of the places of its package, and tests
	// that the architecture does not name.
	files []string
	// places is their number as the architecture has it: a file with two of them counts twice, and what is not a Go
	// counts, too.
	places int
}

func TestThePlacesThatTheArchitectureListsAreAll(t *testing.T) {
	document, err := os.ReadFile("../docs/architecture.md")
	require.NoError(t, err)
	contents := map[string][]byte{} // by file
	for _, file := range goFiles(t) {
		named := strings.Contains(string(document), "`"+file+"`")
		if strings.HasSuffix(file, "_test.go") && !named || file == "test/architecture_test.go" {
			continue
		}
		contents[file], err = os.ReadFile(filepath.Join("..", file))
		require.NoError(t, err)
	}
	for _, a := range []added{
		// the package, its line in the registry, its line in the architecture, what writes its changes in a test
		{"A room", []string{"wm-lsp/memory/fixes\""}, []string{"memory/registry.go"}, 4},
		// its sections are named where the context and the panel are ordered, and nowhere else
		{"A room", []string{"pressure.ContextSection", "pressure.Section"}, []string{
			"memory/assembly/order.go", "server/service/panelbuild.go",
		}, 4},
		{"A method", []string{`"wm/sweep"`, "SweepParams"}, []string{
			"server/service/operation.go", "server/service/operation_test.go", "server/service/sweep.go",
			"server/wire/methods.go", "server/wire/sweep.go", "test/soak/actions.go", "test/syncs_linux_test.go",
		}, 7},
		// its row in the document, too
		{"A tool of MCP", []string{`"memory_explain"`}, []string{"server/mcp/tools.go"}, 2},
		// the field and the default
		{"A setting", []string{"\tGoneDays ", "GoneDays: "}, []string{"memory/settings/settings.go"}, 2},
		// labelled outputs, too
		{"A tool whose output is read", []string{"rustfmt"}, []string{
			"extract/command/registry.go", "extract/command/rust.go",
		}, 3},
		{"A command", []string{"pauseCommand"}, []string{"server/cli/cli.go", "server/cli/pause.go"}, 2},
		{"A section of the panel", []string{`Title: "Skills"`}, []string{"memory/skills/panel.go"}, 1},
		// the file, its line in the same package, the name in the protocol, and cases of a test
		{"A format for `wm-lsp import`", []string{"serverMemory()", "ImportServerMemory"}, []string{
			"importer/importer.go", "importer/servermemory.go", "server/wire/import.go",
		}, 4},
		{"An agent for `wm-lsp install`", []string{"codex() Agent", "codex(), copilot"}, []string{
			"install/agents.go", "install/codex.go",
		}, 2},
		// the package, what starts it, its line in the architecture
		{"A face", []string{"wm-lsp/server/tui\""}, []string{"server/cli/panel.go"}, 3},
	} {
		t.Run(a.kind, func(t *testing.T) {
			assert.Contains(t, string(document), fmt.Sprintf("\n**%s**: %d place", a.kind, a.places))
			var named []string
			for _, file := range slices.Sorted(maps.Keys(contents)) {
				has := func(mark string) bool { return bytes.Contains(contents[file], []byte(mark)) }
				if slices.ContainsFunc(a.marks, has) {
					named = append(named, file)
				}
			}
			assert.Equal(t, a.files, named)
		})
	}
}

// goFiles returns the Go files of the repository, sorted.
func goFiles(t *testing.T) (files []string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains([]string{"node_modules", ".git", "dist", "bin"}, d.Name()):
			return filepath.SkipDir
		case filepath.Ext(path) == ".go":
			files = append(files, strings.TrimPrefix(filepath.ToSlash(path), "../"))
		}
		return nil
	}))
	slices.Sort(files)
	return files
}
