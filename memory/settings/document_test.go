package settings

import (
	"bytes"
	"flag"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"text/template"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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
	eachSetting(t, func(key string, field reflect.StructField, value reflect.Value) {
		title, _, found := strings.Cut(key, ".")
		if !found {
			title = "Top level"
		}
		if last := len(chapters) - 1; last < 0 || chapters[last].Title != title {
			chapters = append(chapters, chapter{Title: title})
		}
		into := &chapters[len(chapters)-1].Rows
		*into = append(*into, describe(key, field.Tag, value))
	})
	page, err := template.New("settings.md.tmpl").Delims("<<", ">>").ParseFiles("settings.md.tmpl")
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, page.Execute(&b, chapters))
	return b.Bytes()
}

func describe(key string, tag reflect.StructTag, value reflect.Value) row {
	r := row{Key: key, Default: "`" + show(value) + "`", Repository: "no", Doc: tag.Get("doc")}
	switch value.Kind() {
	case reflect.Bool:
		r.Type = "true or false"
	case reflect.Int:
		r.Type, r.Range = "number", tag.Get("min")+" to "+tag.Get("max")
	case reflect.String:
		r.Type, r.Range = "text", "`"+strings.ReplaceAll(tag.Get("oneof"), ",", "`, `")+"`"
	case reflect.Slice:
		r.Type, r.Default = "list of "+tag.Get("items")+"s", list(value.Interface().([]string))
	}
	if tag.Get("repo") == "yes" {
		r.Repository = "yes"
		if value.Kind() == reflect.Slice {
			r.Repository = "yes, adds"
		}
	}
	return r
}

func list(items []string) string {
	if len(items) == 0 {
		return "empty"
	}
	return "`" + strings.Join(items, "`, `") + "`"
}
