package settings

import (
	"fmt"
	"math"
	"net"
	"net/url"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/wm-lsp/wm-lsp/extract/once"
	"github.com/wm-lsp/wm-lsp/extract/pattern"
	"github.com/wm-lsp/wm-lsp/extract/shorten"
)

// maxItemChars is the maximum length of a word, a name or a glob.
const maxItemChars = 500

// maxAlternatives bounds the patterns that the braces of one glob expand to. Each is
// tried in turn, so that twenty times {a,a} would be a million tries for every file.
const maxAlternatives = 32

// set sets a setting that is not a list, or returns what is wrong with the value and
// leaves the setting unchanged.
func set(into reflect.Value, tag reflect.StructTag, value any) (reason string) {
	switch into.Interface().(type) {
	case bool:
		return setBool(into, value)
	case int:
		return setInt(into, tag, value)
	case float64:
		return setDecimal(into, tag, value)
	case *pattern.Expression:
		return setExpression(into, tag, value)
	default:
		return setString(into, tag, value)
	}
}

func setBool(into reflect.Value, value any) (reason string) {
	truth, ok := value.(bool)
	if !ok {
		return "must be a boolean, got " + typeOf(value)
	}
	into.SetBool(truth)
	return ""
}

func setInt(into reflect.Value, tag reflect.StructTag, value any) (reason string) {
	number, ok := numberOf(value)
	if !ok {
		return "must be a number, got " + typeOf(value)
	}
	if number != math.Trunc(number) { // NaN too
		return fmt.Sprintf("must be a whole number, got %v", number)
	}
	if reason := outside(number, tag); reason != "" {
		return reason
	}
	into.SetInt(int64(number))
	return ""
}

func setDecimal(into reflect.Value, tag reflect.StructTag, value any) (reason string) {
	number, ok := numberOf(value)
	if !ok {
		return "must be a number, got " + typeOf(value)
	}
	if math.IsNaN(number) {
		return "must be a number, got NaN"
	}
	if reason := outside(number, tag); reason != "" {
		return reason
	}
	into.SetFloat(number)
	return ""
}

func numberOf(value any) (number float64, ok bool) {
	switch value := value.(type) {
	case int64:
		return float64(value), true
	case float64:
		return value, true
	}
	return 0, false
}

// outside returns a problem if a number is not in its range. A test checks that the
// tags exist.
func outside(number float64, tag reflect.StructTag) (reason string) {
	least, _ := strconv.ParseFloat(tag.Get("min"), 64)
	most, _ := strconv.ParseFloat(tag.Get("max"), 64)
	switch {
	case number < least:
		return "must be at least " + tag.Get("min") + ", got " + plain(number)
	case number > most:
		return "must be at most " + tag.Get("max") + ", got " + plain(number)
	}
	return ""
}

// plain formats a number without an exponent, unless that is too long.
func plain(number float64) string {
	if math.Abs(number) < 1e15 {
		return strconv.FormatFloat(number, 'f', -1, 64)
	}
	return fmt.Sprint(number)
}

func setString(into reflect.Value, tag reflect.StructTag, value any) (reason string) {
	text, ok := value.(string)
	if !ok {
		return "must be a string, got " + typeOf(value)
	}
	if tag.Get("oneof") != "" {
		reason = choiceReason(text, strings.Split(tag.Get("oneof"), ","))
	} else if tag.Get("maxChars") != "" {
		text, reason = freeText(text, tag.Get("maxChars"))
	} else {
		text, reason = item(tag.Get("kind"), text)
	}
	if reason == "" {
		into.SetString(text)
	}
	return reason
}

func choiceReason(text string, choices []string) string {
	if slices.Contains(choices, text) {
		return ""
	}
	return "must be one of " + strings.Join(choices, ", ") + ", got " + printable(text)
}

// freeText returns a normalized text of any number of lines, or what is wrong with it.
func freeText(text, limit string) (normalized, reason string) {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	most, _ := strconv.Atoi(limit)
	switch chars := utf8.RuneCountInString(text); {
	case chars > most:
		return "", fmt.Sprintf("must have at most %d characters, got %d", most, chars)
	case !isText(strings.NewReplacer("\n", "", "\t", "").Replace(text)):
		return "", notText
	}
	return text, ""
}

// setExpression compiles a regular expression, so that users of the settings need not.
func setExpression(into reflect.Value, tag reflect.StructTag, value any) (reason string) {
	text, ok := value.(string)
	switch {
	case !ok:
		return "must be a string, got " + typeOf(value)
	case !isText(text):
		return notText
	}
	compiled, err := pattern.NewExpression(text)
	if err != nil {
		return err.Error()
	}
	if group := tag.Get("group"); group != "" && !compiled.Has(group) {
		return "must have a group (?P<" + group + ">…)"
	}
	into.Set(reflect.ValueOf(compiled))
	return ""
}

// word matches the name of a type. Agents read it, so it must not have room for a
// sentence.
var word = once.Compile(`^[a-z][a-z0-9_-]{0,39}$`)

// item returns a normalized word, name or glob, or what is wrong with it.
func item(kind string, value any) (text, reason string) {
	text, ok := value.(string)
	if !ok {
		return "", "must be a string, got " + typeOf(value)
	}
	if !isText(text) {
		return "", notText
	}
	if text = strings.TrimSpace(text); kind == "name" {
		text = strings.ToLower(text)
	}
	switch {
	case text == "" && slices.Contains([]string{"endpoint", "variable", "path"}, kind): // none
		return "", ""
	case text == "":
		return "", "must not be empty"
	case utf8.RuneCountInString(text) > maxItemChars:
		return "", fmt.Sprintf("must have at most %d characters, got %d", maxItemChars, utf8.RuneCountInString(text))
	case kind == "glob":
		return text, globReason(text)
	case kind == "word" && !word.MatchString(text):
		return "", "must be a word of at most 40 lower-case letters, digits, - and _"
	case kind == "endpoint":
		return text, endpointReason(text)
	case kind == "variable" && strings.ContainsAny(text, "= \t"):
		return "", "must be the name of an environment variable"
	case kind == "path" && !filepath.IsAbs(text):
		return "", "must be an absolute path, got " + printable(text)
	}
	return text, ""
}

// endpointReason returns what is wrong with the address of an endpoint. It does not quote it,
// because it may hold a password.
func endpointReason(text string) string {
	address, err := url.Parse(text)
	switch {
	case err != nil || address.Host == "" || address.Opaque != "":
		return "must be an address such as http://localhost:11434/v1"
	case address.User != nil:
		return "must not have a user or a password; use embeddings.keyVariable or embeddings.keyFile"
	case address.RawQuery != "" || address.ForceQuery || address.Fragment != "":
		return "must have nothing behind its path"
	case address.Scheme == "https":
		return ""
	case address.Scheme != "http":
		return "must begin with https:// or http://"
	}
	if host := address.Hostname(); host == "localhost" || net.ParseIP(host).IsLoopback() {
		return ""
	}
	return "must be https, because what is sent would be readable on its way; http is for this machine, as localhost"
}

// notText is the reason for a string that isText rejects.
const notText = "must be valid UTF-8 without control characters"

func isText(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, unicode.IsControl)
}

func globReason(glob string) string {
	switch {
	case !doublestar.ValidatePattern(glob):
		return "must be a glob pattern, got " + printable(glob)
	case alternatives(glob) > maxAlternatives:
		return fmt.Sprintf("must have braces that expand to at most %d patterns", maxAlternatives)
	}
	return ""
}

// alternatives returns an upper bound of the number of patterns that the braces of a
// glob expand to: the product of the numbers of alternatives of all groups.
func alternatives(glob string) int {
	product := 1
	var open []int // alternatives so far of each open group
	for i := 0; i < len(glob) && product <= maxAlternatives; i++ {
		switch last := len(open) - 1; {
		case glob[i] == '\\':
			i++
		case glob[i] == '{':
			open = append(open, 1)
		case glob[i] == ',' && last >= 0:
			open[last]++
		case glob[i] == '}' && last >= 0:
			product *= open[last]
			open = open[:last]
		}
	}
	return product
}

// show formats the value of a setting for a problem.
func show(value reflect.Value) string {
	switch value.Kind() {
	case reflect.Slice:
		return fmt.Sprintf("a list of %d", value.Len())
	case reflect.String:
		if text := value.String(); !word.MatchString(text) {
			return printable(text)
		}
	}
	return fmt.Sprint(value.Interface())
}

// printable formats an untrusted string for a problem: quoted, on one line and short.
func printable(text string) string {
	return strconv.Quote(shorten.Chars(text, 40))
}

// typeOf returns the name of the type of a value from JSON or TOML.
func typeOf(value any) string {
	switch value.(type) {
	case bool:
		return "boolean"
	case int64, float64:
		return "number"
	case string:
		return "string"
	case []any:
		return "list"
	case map[string]any:
		return "table"
	}
	return "date or time"
}
