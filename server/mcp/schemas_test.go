package mcp

import (
	"bytes"
	"encoding/json"
	"flag"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/server/wire"
)

var update = flag.Bool("update", false, "rewrite schemas.json")

func TestSchemasAreCurrent(t *testing.T) {
	made := map[string]*jsonschema.Schema{}
	comments := readComments(t)
	for _, tool := range allTools() {
		made[tool.name] = comments.schema(t, tool)
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	require.NoError(t, encoder.Encode(made))
	if *update {
		require.NoError(t, os.WriteFile("schemas.json", text.Bytes(), 0o644))
	}
	written, err := os.ReadFile("schemas.json")
	require.NoError(t, err)
	if !bytes.Equal(written, text.Bytes()) {
		t.Fatal("schemas.json needs updating: run go test ./server/mcp -run Current -update")
	}
}

// comments are what the sources of package wire and of this package say about types.
type comments struct {
	members map[string]string   // by the name of the type, a dot and that of the member
	values  map[string][]string // of the types with a fixed set of strings
}

func readComments(t *testing.T) comments {
	read := comments{map[string]string{}, map[string][]string{}}
	for _, folder := range []string{".", "../wire"} {
		paths, err := filepath.Glob(filepath.Join(folder, "*.go"))
		require.NoError(t, err)
		set := token.NewFileSet()
		var files []*ast.File
		for _, path := range paths {
			if !strings.HasSuffix(path, "_test.go") {
				file, err := parser.ParseFile(set, path, nil, parser.ParseComments)
				require.NoError(t, err)
				files = append(files, file)
			}
		}
		pkg, err := doc.NewFromFiles(set, files, folder, doc.AllDecls)
		require.NoError(t, err)
		for _, typ := range pkg.Types {
			read.add(typ)
		}
	}
	return read
}

func (c comments) add(typ *doc.Type) {
	if structure, is := typ.Decl.Specs[0].(*ast.TypeSpec).Type.(*ast.StructType); is {
		for _, field := range structure.Fields.List {
			if field.Tag != nil {
				tag, _ := strconv.Unquote(field.Tag.Value)
				name, _, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
				c.members[typ.Name+"."+name] = strings.Join(strings.Fields(field.Doc.Text()), " ")
			}
		}
	}
	for _, group := range typ.Consts {
		for _, spec := range group.Decl.Specs {
			if literal, is := spec.(*ast.ValueSpec).Values[0].(*ast.BasicLit); is {
				value, _ := strconv.Unquote(literal.Value)
				c.values[typ.Name] = append(c.values[typ.Name], value)
			}
		}
	}
}

// schema returns the schema of the arguments of a tool: the parameters that it shows, with
// their types and comments. It allows others, because a call may have them.
func (c comments) schema(t *testing.T, shown tool) *jsonschema.Schema {
	params := paramsOf(t, shown)
	whole, err := jsonschema.ForType(params, &jsonschema.ForOptions{})
	require.NoError(t, err)
	made := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}, Required: shown.required}
	for _, name := range shown.shown {
		property := whole.Properties[name]
		require.NotNil(t, property, "%s has no parameter %s", shown.name, name)
		field := fieldOf(t, params, name)
		property.Description = forAgents(c.members[params.Name()+"."+name])
		require.NotEmpty(t, property.Description, "%s.%s", params.Name(), name)
		for _, value := range c.values[field.Type.Name()] {
			property.Enum = append(property.Enum, value)
		}
		if len(property.Types) > 0 { // a list or pointer, which may not be null here
			property.Type, property.Types = slices.DeleteFunc(property.Types, isNull)[0], nil
		}
		if !strings.Contains(field.Tag.Get("json"), ",") {
			made.Required = append(made.Required, name)
		}
		made.Properties[name] = property
	}
	made.PropertyOrder = shown.shown
	return made
}

// forAgents returns a comment without the sentences that name methods, which agents do not know.
func forAgents(comment string) string {
	sentences := slices.DeleteFunc(strings.SplitAfter(comment, ". "), func(sentence string) bool {
		return strings.Contains(sentence, "wm/")
	})
	return strings.TrimSpace(strings.Join(sentences, ""))
}

func isNull(name string) bool { return name == "null" }

func paramsOf(t *testing.T, of tool) reflect.Type {
	for _, method := range wire.Methods() {
		if method.Name == of.method {
			return method.Params
		}
	}
	t.Fatalf("there is no method %s", of.method)
	return nil
}

func fieldOf(t *testing.T, params reflect.Type, name string) reflect.StructField {
	for i := range params.NumField() {
		if member, _, _ := strings.Cut(params.Field(i).Tag.Get("json"), ","); member == name {
			return params.Field(i)
		}
	}
	t.Fatalf("%s has no member %s", params, name)
	return reflect.StructField{}
}
