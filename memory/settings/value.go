package settings

import (
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// maxTextChars bounds one text that is a word, a name or a glob.
const maxTextChars = 500

// maxAlternatives bounds the patterns that the braces of one glob stand for.
// Each is tried in turn, so that {a,a} twenty times would be a million tries
// for every file.
const maxAlternatives = 32

// set lays a value over one setting that is no list, or says what is wrong with
// it. The setting stays as it was then.
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
		return "is " + kindOf(value) + ", not true or false"
	}
	into.SetBool(truth)
	return ""
}

func setInt(into reflect.Value, tag reflect.StructTag, value any) (reason string) {
	number, ok := numberOf(value)
	if !ok {
		return "is " + kindOf(value) + ", not a number"
	}
	if number != math.Trunc(number) { // NaN too
		return fmt.Sprintf("is %v, not a whole number", number)
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
		return "is " + kindOf(value) + ", not a number"
	}
	if math.IsNaN(number) {
		return "is NaN, not a number"
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

// outside says on which side of its range a number is, "" if it is inside. The
// tags are there: a test sees to it.
func outside(number float64, tag reflect.StructTag) (reason string) {
	least, _ := strconv.ParseFloat(tag.Get("min"), 64)
	most, _ := strconv.ParseFloat(tag.Get("max"), 64)
	switch {
	case number < least:
		return "is " + plain(number) + ", less than " + tag.Get("min")
	case number > most:
		return "is " + plain(number) + ", more than " + tag.Get("max")
	}
	return ""
}

// plain writes a number as people do, unless that is too long.
func plain(number float64) string {
	if math.Abs(number) < 1e15 {
		return strconv.FormatFloat(number, 'f', -1, 64)
	}
	return fmt.Sprint(number)
}

func setString(into reflect.Value, tag reflect.StructTag, value any) (reason string) {
	text, ok := value.(string)
	if !ok {
		return "is " + kindOf(value) + ", not a text"
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
	return "is " + printable(text) + ", not one of " + strings.Join(choices, ", ")
}

// freeText returns a text of any lines, as it is used.
func freeText(text, limit string) (same, reason string) {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	most, _ := strconv.Atoi(limit)
	switch chars := utf8.RuneCountInString(text); {
	case chars > most:
		return "", fmt.Sprintf("has %d characters, more than %d", chars, most)
	case !isText(strings.NewReplacer("\n", "", "\t", "").Replace(text)):
		return "", "has characters that are no text"
	}
	return text, ""
}

// setExpression compiles a regular expression, once for all who use the settings.
func setExpression(into reflect.Value, tag reflect.StructTag, value any) (reason string) {
	text, ok := value.(string)
	switch {
	case !ok:
		return "is " + kindOf(value) + ", not a text"
	case !isText(text):
		return "has characters that are no text"
	}
	compiled, err := pattern.NewExpression(text)
	if err != nil {
		return err.Error()
	}
	if group := tag.Get("group"); group != "" && !compiled.Has(group) {
		return "has no group (?P<" + group + ">…)"
	}
	into.Set(reflect.ValueOf(compiled))
	return ""
}

// word is what can be the name of a type: it stands in what agents read, so
// there is no room for a sentence in it.
var word = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z][a-z0-9_-]{0,39}$`) })

// item returns a word, name or glob as it is used, or what is wrong with it.
func item(kind string, value any) (text, reason string) {
	text, ok := value.(string)
	if !ok {
		return "", "is " + kindOf(value) + ", not a text"
	}
	if !isText(text) {
		return "", "has characters that are no text"
	}
	if text = strings.TrimSpace(text); kind == "name" {
		text = strings.ToLower(text)
	}
	switch {
	case text == "":
		return "", "is empty"
	case utf8.RuneCountInString(text) > maxTextChars:
		return "", fmt.Sprintf("has more than %d characters", maxTextChars)
	case kind == "glob":
		return text, globReason(text)
	case kind == "word" && !word().MatchString(text):
		return "", "is not a word of at most 40 lower-case letters, digits, - and _"
	}
	return text, ""
}

func isText(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, unicode.IsControl)
}

func globReason(glob string) string {
	switch {
	case !doublestar.ValidatePattern(glob):
		return "is " + printable(glob) + ", not a glob pattern"
	case alternatives(glob) > maxAlternatives:
		return fmt.Sprintf("stands for more than %d patterns through its braces", maxAlternatives)
	}
	return ""
}

// alternatives returns at least the number of patterns that the braces of a
// glob stand for: the product over all groups of what each has to choose from.
func alternatives(glob string) int {
	product := 1
	var open []int // alternatives so far of the groups that are open
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

// show returns the value of a setting for a problem.
func show(value reflect.Value) string {
	switch value.Kind() {
	case reflect.Slice:
		return fmt.Sprintf("a list of %d", value.Len())
	case reflect.String:
		if text := value.String(); !word().MatchString(text) {
			return printable(text)
		}
	}
	return fmt.Sprint(value.Interface())
}

// printable returns a text of unknown origin for a problem: quoted, on one
// line, and too short to tell a story.
func printable(text string) string {
	if utf8.RuneCountInString(text) > 40 {
		text = string([]rune(text)[:40]) + "…"
	}
	return strconv.Quote(text)
}

func kindOf(value any) string {
	switch value.(type) {
	case bool:
		return "true or false"
	case int64, float64:
		return "a number"
	case string:
		return "a text"
	case []any:
		return "a list"
	case map[string]any:
		return "a table"
	}
	return "a date or time"
}
