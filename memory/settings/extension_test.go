package settings

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const manifestPath = "../../editors/vscode/package.json"

func TestManifestOfTheVSCodeExtensionIsCurrent(t *testing.T) {
	manifest, err := os.ReadFile(manifestPath)
	require.NoError(t, err)
	manifest = bytes.ReplaceAll(manifest, []byte("\r\n"), []byte("\n"))
	written := withSettings(t, manifest)
	written = withRestricted(t, written)
	if *update {
		require.NoError(t, os.WriteFile(manifestPath, written, 0o644))
		return
	}
	if !bytes.Equal(manifest, written) {
		t.Fatal("editors/vscode/package.json needs updating: run go test ./memory/settings -run Current -update")
	}
}

// maxInEditor is how many settings the extension has at most, with its own.
const maxInEditor = 20

func TestTheExtensionHasFewSettingsAndOnePrefix(t *testing.T) {
	text, err := os.ReadFile(manifestPath)
	require.NoError(t, err)
	var manifest struct {
		Contributes struct {
			Configuration []struct{ Properties map[string]any }
		}
	}
	require.NoError(t, json.Unmarshal(text, &manifest))
	number := 0
	for _, group := range manifest.Contributes.Configuration {
		for key := range group.Properties {
			number++
			require.True(t, strings.HasPrefix(key, editorPrefix), key)
		}
	}
	require.LessOrEqual(t, number, maxInEditor)
	require.Greater(t, number, 10)
}

// editorPrefix is the section of the extension's settings.
const editorPrefix = "workingMemory."

// eachInEditor calls do for each setting that the extension has.
func eachInEditor(t *testing.T, do func(key string, field reflect.StructField, value reflect.Value)) {
	eachSetting(t, func(key string, field reflect.StructField, value reflect.Value) {
		if field.Tag.Get("common") == "yes" {
			do(key, field, value)
		}
	})
}

// withSettings returns the manifest with the common settings in its second group of settings.
// They have an order because VS Code would sort them by name.
func withSettings(t *testing.T, manifest []byte) []byte {
	const begin, end = "\"title\": \"Memory\",\n        \"properties\": {", "\n        }"
	var b strings.Builder
	order := 0
	docs := documentation(t)
	eachInEditor(t, func(key string, field reflect.StructField, value reflect.Value) {
		if b.Len() > 0 {
			b.WriteString(",")
		}
		order++
		p := schema(t, field.Tag, value)
		p.Order, p.Description = order, docs[key]
		b.WriteString("\n          " + encode(t, editorPrefix+key) + ": " + encode(t, p))
	})
	return replaceBetween(t, manifest, begin, end, b.String())
}

// withRestricted returns the manifest with the settings that an untrusted folder must
// not change, which are those that a repository cannot set.
func withRestricted(t *testing.T, manifest []byte) []byte {
	const begin, end = "\"restrictedConfigurations\": [\n        \"workingMemory.server.path\"", "\n      ]"
	var b strings.Builder
	eachInEditor(t, func(key string, field reflect.StructField, _ reflect.Value) {
		if field.Tag.Get("repo") != "yes" {
			b.WriteString(",\n        " + encode(t, editorPrefix+key))
		}
	})
	return replaceBetween(t, manifest, begin, end, b.String())
}

func replaceBetween(t *testing.T, text []byte, begin, end, middle string) []byte {
	before, rest, found := strings.Cut(string(text), begin)
	require.True(t, found, "the manifest has no %s", begin)
	at := strings.Index(rest, end)
	require.GreaterOrEqual(t, at, 0, "the manifest has no %s", end)
	return []byte(before + begin + middle + rest[at:])
}

// A property describes a setting to VS Code. Its members are written in this order.
type property struct {
	Type        string    `json:"type"`
	Items       *property `json:"items,omitempty"`
	Default     any       `json:"default,omitempty"`
	Enum        []string  `json:"enum,omitempty"`
	Minimum     *float64  `json:"minimum,omitempty"`
	Maximum     *float64  `json:"maximum,omitempty"`
	MaxLength   int       `json:"maxLength,omitempty"`
	Scope       string    `json:"scope,omitempty"`
	Order       int       `json:"order,omitempty"`
	Description string    `json:"description,omitempty"`
}

func schema(t *testing.T, tag reflect.StructTag, value reflect.Value) property {
	p := property{Scope: "resource", Default: value.Interface()}
	if tag.Get("person") == "yes" { // .vscode/settings.json cannot set it
		p.Scope = "machine"
	}
	switch value.Kind() {
	case reflect.Bool:
		p.Type = "boolean"
	case reflect.Int:
		p.Type, p.Minimum, p.Maximum = "integer", number(t, tag.Get("min")), number(t, tag.Get("max"))
	case reflect.Float64:
		p.Type, p.Minimum, p.Maximum = "number", number(t, tag.Get("min")), number(t, tag.Get("max"))
	case reflect.Slice:
		p.Type, p.Items = "array", &property{Type: "object"}
		if items, ok := value.Interface().([]string); ok {
			p.Items.Type, p.Default = "string", append([]string{}, items...)
		} else {
			p.Default = []any{}
		}
	default:
		p.Type = "string"
		if choices := tag.Get("oneof"); choices != "" {
			p.Enum = strings.Split(choices, ",")
		}
		p.MaxLength, _ = strconv.Atoi(tag.Get("maxChars"))
	}
	return p
}

func number(t *testing.T, text string) *float64 {
	value, err := strconv.ParseFloat(text, 64)
	require.NoError(t, err)
	return &value
}

func encode(t *testing.T, value any) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	require.NoError(t, encoder.Encode(value))
	return strings.TrimSpace(b.String())
}
