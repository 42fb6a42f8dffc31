package wire_test

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A declaration is one type of the package, as a client sees it.
type declaration struct {
	name   string
	doc    string
	spec   ast.Expr
	values []value // of a string type with a fixed set of values
}

// A value is a value of such a string type.
type value struct{ literal, doc string }

// A member is one member of an object.
type member struct {
	name, doc, typ string
	optional       bool
}

// foreign are the types whose notation does not follow from their declaration, because they
// implement json.Unmarshaler or can be any JSON.
var foreign = map[string]string{
	"RawMessage": "unknown",
	"Object":     "object",
	"Code":       "string | number | {value: string | number}",
	"Message":    "string | {kind: string; value: string}",
	"TraceStart": "number | Time",
}

// declarations reads the types of this package from its source, and those of
// memory/panel that have a name in this package.
func declarations(t *testing.T) map[string]declaration {
	all, onWire := map[string]declaration{}, map[string]string{} // onWire: by the name in memory/panel
	for _, typ := range typesIn(t, ".", "wire") {
		spec := typ.Decl.Specs[0].(*ast.TypeSpec)
		if named, ok := spec.Type.(*ast.SelectorExpr); ok && spec.Assign.IsValid() {
			onWire[named.Sel.Name] = typ.Name
			continue
		}
		all[typ.Name] = declaration{typ.Name, strings.TrimSpace(typ.Doc), spec.Type, values(typ.Consts)}
	}
	for _, typ := range typesIn(t, "../../memory/panel", "panel") {
		name, ok := onWire[typ.Name]
		if !ok {
			continue
		}
		spec := typ.Decl.Specs[0].(*ast.TypeSpec)
		rename(spec.Type, onWire)
		text := name + strings.TrimPrefix(strings.TrimSpace(typ.Doc), typ.Name)
		all[name] = declaration{name, text, spec.Type, values(typ.Consts)}
	}
	return all
}

// typesIn reads the types of the package in a folder from its source.
func typesIn(t *testing.T, folder, name string) []*doc.Type {
	paths, err := filepath.Glob(filepath.Join(folder, "*.go"))
	require.NoError(t, err)
	fileSet := token.NewFileSet()
	var files []*ast.File
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		source, err := os.ReadFile(path)
		require.NoError(t, err)
		file, err := parser.ParseFile(fileSet, path, source, parser.ParseComments)
		require.NoError(t, err)
		files = append(files, file)
	}
	pkg, err := doc.NewFromFiles(fileSet, files, name)
	require.NoError(t, err)
	return pkg.Types
}

// rename replaces the names of types in a type with their names in this package.
func rename(spec ast.Expr, names map[string]string) {
	ast.Inspect(spec, func(node ast.Node) bool {
		field, ok := node.(*ast.Field)
		if !ok {
			return true
		}
		ast.Inspect(field.Type, func(node ast.Node) bool {
			if ident, ok := node.(*ast.Ident); ok {
				ident.Name = cmp.Or(names[ident.Name], ident.Name)
			}
			return true
		})
		return false
	})
}

func values(groups []*doc.Value) (all []value) {
	for _, group := range groups {
		for _, spec := range group.Decl.Specs {
			constant := spec.(*ast.ValueSpec)
			literal := constant.Values[0].(*ast.BasicLit)
			all = append(all, value{literal.Value, strings.TrimSpace(constant.Comment.Text())})
		}
	}
	return all
}

// typescript returns the declaration in TypeScript.
func (d declaration) typescript() string {
	var b strings.Builder
	b.WriteString(comment("", d.doc))
	structure, isStruct := d.spec.(*ast.StructType)
	switch {
	case foreign[d.name] != "":
		fmt.Fprintf(&b, "type %s = %s;\n", d.name, foreign[d.name])
	case isStruct:
		bases, members := split(structure)
		writeObject(&b, d.name, bases, members)
	case len(d.values) > 0:
		fmt.Fprintf(&b, "type %s =\n", d.name)
		for i, value := range d.values {
			end := ""
			if i == len(d.values)-1 {
				end = ";"
			}
			fmt.Fprintf(&b, "  | %s%s // %s\n", value.literal, end, value.doc)
		}
	default:
		fmt.Fprintf(&b, "type %s = %s;\n", d.name, notation(d.spec))
	}
	return b.String()
}

func writeObject(b *strings.Builder, name string, bases []string, members []member) {
	if len(members) == 0 && len(bases) == 1 {
		fmt.Fprintf(b, "type %s = %s;\n", name, bases[0])
		return
	}
	if len(members) == 0 {
		fmt.Fprintf(b, "type %s = {};\n", name)
		return
	}
	fmt.Fprintf(b, "interface %s ", name)
	if len(bases) > 0 {
		fmt.Fprintf(b, "extends %s ", strings.Join(bases, ", "))
	}
	b.WriteString("{\n")
	for _, m := range members {
		mark := ""
		if m.optional {
			mark = "?"
		}
		fmt.Fprintf(b, "%s  %s%s: %s;\n", comment("  ", m.doc), m.name, mark, m.typ)
	}
	b.WriteString("}\n")
}

// split returns the embedded types of a struct and its members. A type that is embedded as a
// pointer is present as a whole or not at all.
func split(structure *ast.StructType) (bases []string, members []member) {
	for _, field := range structure.Fields.List {
		var tag reflect.StructTag
		if field.Tag != nil {
			tag = reflect.StructTag(strings.Trim(field.Tag.Value, "`"))
		}
		if len(field.Names) > 0 {
			name, options, _ := strings.Cut(tag.Get("json"), ",")
			members = append(members,
				member{name, strings.TrimSpace(field.Doc.Text()), notation(field.Type), options == "omitzero"})
			continue
		}
		base := notation(field.Type)
		if _, isPointer := field.Type.(*ast.StarExpr); isPointer {
			base = "Partial<" + base + ">"
		}
		bases = append(bases, base)
		if name := tag.Get("required"); name != "" {
			members = append(members, member{name: name, doc: "Required here.", typ: "string"})
		}
	}
	return bases, members
}

// notation returns a Go type in TypeScript.
func notation(expr ast.Expr) string {
	switch expr := expr.(type) {
	case *ast.StarExpr:
		return notation(expr.X)
	case *ast.MapType:
		if value, ok := expr.Value.(*ast.Ident); ok && value.Name == "any" {
			return foreign["Object"]
		}
		return "Record<" + notation(expr.Key) + ", " + notation(expr.Value) + ">"
	case *ast.ArrayType:
		return notation(expr.Elt) + "[]"
	case *ast.SelectorExpr:
		return notation(expr.Sel)
	case *ast.Ident:
		switch {
		case expr.Name == "bool":
			return "boolean"
		case strings.HasPrefix(expr.Name, "int") || strings.HasPrefix(expr.Name, "float"):
			return "number"
		case expr.Name == "RawMessage" || expr.Name == "Object":
			return foreign[expr.Name]
		}
		return expr.Name
	}
	panic(fmt.Sprintf("no TypeScript for a %T", expr))
}

// comment returns text as a comment of TypeScript.
func comment(indent, text string) string {
	lines := strings.Split(text, "\n")
	if len(lines) == 1 {
		return fmt.Sprintf("%s/** %s */\n", indent, text)
	}
	return fmt.Sprintf("%s/**\n%[1]s * %s\n%[1]s */\n", indent, strings.Join(lines, "\n"+indent+" * "))
}

// mentioned returns the names of the package's types that the declaration is
// made of, directly or not, in the order in which they first occur, itself
// first.
func mentioned(all map[string]declaration, name string) (names []string) {
	var visit func(name string)
	visit = func(name string) {
		d, ours := all[name]
		if !ours || slices.Contains(names, name) {
			return
		}
		names = append(names, name)
		if foreign[name] != "" {
			return
		}
		ast.Inspect(d.spec, func(node ast.Node) bool {
			if field, ok := node.(*ast.Field); ok {
				ast.Inspect(field.Type, func(node ast.Node) bool {
					if ident, ok := node.(*ast.Ident); ok {
						visit(ident.Name)
					}
					return true
				})
				return false
			}
			return true
		})
	}
	visit(name)
	return names
}
