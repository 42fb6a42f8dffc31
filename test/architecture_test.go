package test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
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
			set := token.NewFileSet()
			parsed, err := parser.ParseFile(set, file, nil, 0)
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
			return err
		}))
	}
	assert.Empty(t, compiled, "use once.Compile, once.Value or pattern.SetOf")
}
