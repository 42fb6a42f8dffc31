package wire_test

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"os"
	"slices"
	"strings"
	"testing"
	"text/template"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/assembly"
	"github.com/wm-lsp/wm-lsp/server/service"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

var update = flag.Bool("update", false, "rewrite docs/protocol.md")

const documentPath = "../../docs/protocol.md"

func TestProtocolDocumentIsCurrent(t *testing.T) {
	text := newDocument(t).render(t)
	if *update {
		require.NoError(t, os.WriteFile(documentPath, text, 0o644))
	}
	written, err := os.ReadFile(documentPath)
	require.NoError(t, err)
	if !bytes.Equal(written, text) {
		t.Fatal("docs/protocol.md needs updating: run go test ./server/wire -run Current -update")
	}
}

func TestEveryTypeAndMemberSaysWhatItIs(t *testing.T) {
	for name, d := range declarations(t) {
		if unseen[name] {
			continue
		}
		assert.NotEmpty(t, d.doc, name)
		for _, value := range d.values {
			assert.NotEmpty(t, value.doc, "%s %s", name, value.literal)
		}
		structure, ok := d.spec.(*ast.StructType)
		if !ok || foreign[name] != "" {
			continue
		}
		_, members := split(structure)
		for _, m := range members {
			assert.NotEmpty(t, m.name, "a member of %s has no name for JSON", name)
			assert.NotEmpty(t, m.doc, "%s.%s", name, m.name)
		}
	}
}

// unseen are the types that clients do not need.
var unseen = map[string]bool{"Method": true, "Group": true, "Access": true, "Object": true, "UnknownMember": true}

// A document is the data for protocol.md.tmpl.
type document struct {
	all    map[string]declaration
	shared []string // types that several methods use
	shown  map[string]bool
}

func newDocument(t *testing.T) *document {
	d := &document{all: declarations(t), shown: map[string]bool{}}
	users := map[string]int{}
	for _, method := range wire.Methods() {
		for _, name := range d.types(method) {
			if users[name]++; users[name] == 2 {
				d.shared = append(d.shared, name)
			}
		}
	}
	return d
}

func (d *document) render(t *testing.T) []byte {
	page, err := template.New("protocol.md.tmpl").Delims("<<", ">>").ParseFiles("protocol.md.tmpl")
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, page.Execute(&b, d))
	for name := range d.all {
		assert.True(t, d.shown[name] || unseen[name], "protocol.md.tmpl does not show %s", name)
	}
	return b.Bytes()
}

// types returns the names of all types that a method uses.
func (d *document) types(method wire.Method) []string {
	names := mentioned(d.all, method.Params.Name())
	for _, name := range mentioned(d.all, method.Result.Name()) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// Types returns the declarations of the types with these names.
func (d *document) Types(names ...string) (string, error) {
	var parts []string
	for _, name := range names {
		declaration, ok := d.all[name]
		if !ok {
			return "", fmt.Errorf("there is no type %s", name)
		}
		d.shown[name] = true
		parts = append(parts, declaration.typescript())
	}
	return "```ts\n" + strings.Join(parts, "\n") + "```", nil
}

// Shared returns the declarations of the types that several methods use and that were not
// shown before.
func (d *document) Shared() (string, error) {
	names := slices.Sorted(slices.Values(d.shared))
	return d.Types(slices.DeleteFunc(names, func(name string) bool { return d.shown[name] || unseen[name] })...)
}

// ContextSections returns the ids of the sections of a context, as a list in a sentence.
func (d *document) ContextSections() string { return listed(assembly.Sections()) }

// PanelSections returns the ids of the sections of the panel, as a list in a sentence.
func (d *document) PanelSections() string { return listed(service.PanelSections()) }

func listed(ids []string) string {
	last := len(ids) - 1
	return "`" + strings.Join(ids[:last], "`, `") + "` and `" + ids[last] + "`"
}

// Table returns the methods of a chapter, a line each.
func (d *document) Table(group wire.Group) string {
	var b strings.Builder
	b.WriteString("| method | access | params → result | what it is for |\n|---|---|---|---|\n")
	for _, m := range methods(group) {
		star := ""
		if m.Event {
			star = " ★"
		}
		fmt.Fprintf(&b, "| [`%s`](#%s)%s | %s | `%s` → `%s` | %s |\n",
			m.Name, anchor(m), star, m.Access, d.brief(m.Params.Name()), d.brief(m.Result.Name()), m.Doc)
	}
	return strings.TrimSpace(b.String())
}

// Methods returns the types of the methods of a chapter that no other method
// uses, under a heading each.
func (d *document) Methods(group wire.Group) (string, error) {
	var parts []string
	for _, m := range methods(group) {
		own := slices.DeleteFunc(d.types(m), func(name string) bool { return d.shown[name] || unseen[name] })
		types, err := d.Types(own...)
		if err != nil {
			return "", err
		}
		parts = append(parts, fmt.Sprintf("### %s\n\n%s\n\n%s", m.Name, m.Doc, types))
	}
	return strings.Join(parts, "\n\n"), nil
}

// brief returns the members of a type in one line; a shared type is named.
func (d *document) brief(name string) string {
	structure := d.all[name].spec.(*ast.StructType)
	bases, members := split(structure)
	if slices.Contains(d.shared, name) && len(members) > 0 {
		return name
	}
	var names []string
	for _, m := range members {
		if m.optional {
			m.name += "?"
		}
		names = append(names, m.name)
	}
	brief := "{" + strings.Join(names, ", ") + "}"
	for _, base := range bases {
		if base != "Params" {
			brief += " & " + base
		}
	}
	return brief
}

func methods(group wire.Group) []wire.Method {
	return slices.DeleteFunc(wire.Methods(), func(m wire.Method) bool { return m.Group != group })
}

// anchor returns the fragment that leads to the method's heading.
func anchor(m wire.Method) string { return strings.ReplaceAll(m.Name, "/", "") }
