package settings

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"text/template"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

var update = flag.Bool("update", false, "rewrite docs/settings.md")

const documentPath = "../../docs/settings.md"

func TestSettingsDocumentIsCurrent(t *testing.T) {
	text := render(t)
	if *update {
		require.NoError(t, os.WriteFile(documentPath, text, 0o644))
	}
	written, err := os.ReadFile(documentPath)
	require.NoError(t, err)
	if !bytes.Equal(written, text) {
		t.Fatal("docs/settings.md needs updating: run go test ./memory/settings -run Current -update")
	}
}

func TestTheExamplesOfTheDocumentAreRightAndSayTheSame(t *testing.T) {
	examples := regexp.MustCompile("(?s)```toml\n(.*?)```.*```json\n(.*?)```").FindSubmatch(render(t))
	require.Len(t, examples, 3)
	file, err := ParseTOML(FileName, examples[1])
	require.NoError(t, err)
	file.Trusted = true
	client, err := FromJSON(examples[2])
	require.NoError(t, err)

	fromFile, problems := Merge(file)
	assert.Empty(t, problems)
	fromClient, problems := Merge(client)
	assert.Empty(t, problems)
	assert.Equal(t, fromFile, fromClient)
	assert.NotEqual(t, Default(), fromFile)
}

// A chapter of the reference is one table of the file.
type chapter struct {
	Title string
	Rows  []row
}

// A row of the reference is one setting.
type row struct{ Key, Type, Default, Range, Repository, Doc string }

func render(t *testing.T) []byte {
	var chapters []chapter
	docs := documentation(t)
	eachSetting(t, func(key string, field reflect.StructField, value reflect.Value) {
		title, _, found := strings.Cut(key, ".")
		if !found {
			title = "Top level"
		}
		if last := len(chapters) - 1; last < 0 || chapters[last].Title != title {
			chapters = append(chapters, chapter{Title: title})
		}
		into := &chapters[len(chapters)-1].Rows
		*into = append(*into, describe(key, docs[key], field.Tag, value))
		if value.Kind() == reflect.Slice && value.Type().Elem().Kind() == reflect.Struct {
			*into = append(*into, columns(key, docs, field)...)
		}
	})
	page, err := template.New("settings.md.tmpl").Delims("<<", ">>").ParseFiles("settings.md.tmpl")
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, page.Execute(&b, chapters))
	return b.Bytes()
}

// documentation returns the doc comments of the settings, each on one line, by key.
func documentation(t *testing.T) map[string]string {
	file, err := parser.ParseFile(token.NewFileSet(), "settings.go", nil, parser.ParseComments)
	require.NoError(t, err)
	comments := map[string]string{} // by type and field
	for node := range ast.Preorder(file) {
		spec, ok := node.(*ast.TypeSpec)
		if !ok {
			continue
		}
		for _, field := range spec.Type.(*ast.StructType).Fields.List {
			for _, name := range field.Names {
				comments[spec.Name.Name+"."+name.Name] = strings.Join(strings.Fields(field.Doc.Text()), " ")
			}
		}
	}
	docs := map[string]string{}
	var walk func(prefix string, table reflect.Type)
	walk = func(prefix string, table reflect.Type) {
		for i := range table.NumField() {
			field := table.Field(i)
			key := prefix + field.Tag.Get("wm")
			docs[key] = comments[table.Name()+"."+field.Name]
			switch {
			case field.Type.Kind() == reflect.Struct:
				walk(key+".", field.Type)
			case field.Type.Kind() == reflect.Slice && field.Type.Elem().Kind() == reflect.Struct:
				walk(key+"[].", field.Type.Elem())
			}
		}
	}
	walk("", reflect.TypeFor[Settings]())
	return docs
}

func describe(key, doc string, tag reflect.StructTag, value reflect.Value) row {
	if tag.Get("common") == "yes" {
		doc += " *(common)*"
	}
	if tag.Get("workspace") == "yes" {
		doc += " *(workspace)*"
	}
	r := row{Key: key, Default: "`" + show(value) + "`", Repository: "no", Doc: doc}
	switch value.Kind() {
	case reflect.Bool:
		r.Type = "boolean"
	case reflect.Int:
		r.Type, r.Range = "number", tag.Get("min")+" to "+tag.Get("max")
	case reflect.Float64:
		r.Type, r.Range = "decimal number", tag.Get("min")+" to "+tag.Get("max")
	case reflect.Pointer:
		r.Type, r.Range = "regular expression", fmt.Sprintf("at most %d characters", pattern.MaxExpression)
	case reflect.String:
		r.Type, r.Range = stringIn(tag)
	case reflect.Slice:
		r.Type, r.Default, r.Range = listIn(tag, value)
	}
	if above := tag.Get("above"); above != "" {
		r.Range += ", greater than " + above
	}
	if value.Kind() == reflect.String && value.String() == "" {
		r.Default = "empty"
	}
	if tag.Get("repo") == "yes" {
		r.Repository = "yes"
		if value.Kind() == reflect.Slice {
			r.Repository = "yes, adds"
		}
	}
	return r
}

// stringIn describes a string.
func stringIn(tag reflect.StructTag) (what, bounds string) {
	switch {
	case tag.Get("oneof") != "":
		return "string", "`" + strings.ReplaceAll(tag.Get("oneof"), ",", "`, `") + "`"
	case tag.Get("maxChars") != "":
		return "string", "at most " + tag.Get("maxChars") + " characters"
	}
	return tag.Get("kind"), ""
}

// listIn describes a list.
func listIn(tag reflect.StructTag, value reflect.Value) (what, standard, bounds string) {
	if items, ok := value.Interface().([]string); ok {
		return "list of " + tag.Get("items") + "s", list(items), ""
	}
	return "list of tables", list(nil), fmt.Sprintf("at most %d", maxTables)
}

// columns describes the columns of a list of tables. Whoever may set the list may set
// its columns.
func columns(list string, docs map[string]string, field reflect.StructField) []row {
	var rows []row
	for i := range field.Type.Elem().NumField() {
		column := field.Type.Elem().Field(i)
		key := list + "[]." + column.Tag.Get("wm")
		r := describe(key, docs[key], column.Tag, reflect.New(column.Type).Elem())
		r.Default, r.Repository = "required", ""
		if column.Tag.Get("optional") == "yes" {
			r.Default = "none"
		}
		rows = append(rows, r)
	}
	return rows
}

func list(items []string) string {
	if len(items) == 0 {
		return "empty"
	}
	return "`" + strings.Join(items, "`, `") + "`"
}
