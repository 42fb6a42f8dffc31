package overview

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// A YAMLError reports why a YAML document is not a state.
type YAMLError struct {
	Line, Column int    // counted from 1; 0 if unknown
	Key          string // path of the key, "" outside of every key
	Reason       string
}

func (e *YAMLError) Error() string {
	var out strings.Builder
	if e.Line > 0 {
		fmt.Fprintf(&out, "line %d, column %d: ", e.Line, e.Column)
	}
	if e.Key != "" {
		fmt.Fprintf(&out, "key %s: ", e.Key)
	}
	return out.String() + e.Reason
}

func wrong(at *token.Token, key, reason string, args ...any) error {
	e := &YAMLError{Key: key, Reason: fmt.Sprintf(reason, args...)}
	if at != nil && at.Position != nil {
		e.Line, e.Column = at.Position.Line, at.Position.Column
	}
	return e
}

// ParseYAML parses one YAML document, which must be a mapping or empty. Keys are
// strings; another plain scalar is used as it is written. ParseYAML returns a
// *YAMLError for anything that Markdown or JSON cannot represent (anchors, aliases,
// tags, merge keys, directives, numbers that are not finite, duplicate keys) and
// for documents over MaxBytes, MaxDepth, MaxLines or MaxLine.
func ParseYAML(doc []byte) (State, error) {
	if len(doc) > MaxBytes {
		return State{}, wrong(
			nil,
			"",
			"the document has %d bytes, more than %d: put the longer parts into files under detail/",
			len(doc),
			MaxBytes,
		)
	}
	value, err := parseYAML(doc)
	if err != nil {
		return State{}, err
	}
	switch value := value.(type) {
	case Map:
		return State{value}, nil
	case nil:
		return State{}, nil
	}
	return State{}, &YAMLError{
		Line:   1,
		Column: 1,
		Reason: "the document is not a mapping: begin with keys such as project: or current_state:",
	}
}

func parseYAML(doc []byte) (value any, err error) {
	if !utf8.Valid(doc) {
		return nil, wrong(nil, "", "the document is not valid UTF-8")
	}
	if lines := bytes.Count(doc, []byte("\n")); lines > MaxLines {
		return nil, wrong(
			nil,
			"",
			"the document has %d lines, more than %d: put the longer parts into files under detail/",
			lines,
			MaxLines,
		)
	}
	for line := range bytes.Lines(doc) {
		if len(line) > MaxLine {
			return nil, wrong(
				nil,
				"",
				"a line has %d bytes, more than %d: put the longer parts into files under detail/",
				len(line),
				MaxLine,
			)
		}
	}
	defer func() { // the parser panics on some invalid documents
		if recover() != nil {
			value, err = nil, wrong(nil, "", "the document is not YAML")
		}
	}()
	tokens := lexer.Tokenize(strings.TrimPrefix(string(doc), bom))
	if err := acceptable(tokens); err != nil {
		return nil, err
	}
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey()) // mapping refuses them, in linear time
	if err != nil {
		return nil, syntax(err)
	}
	var body ast.Node
	for _, document := range file.Docs {
		if document.Body == nil {
			continue
		}
		if body != nil {
			return nil, wrong(document.Body.GetToken(), "", "a second document begins: write one")
		}
		body = document.Body
	}
	return valueOf(body, "", 0)
}

func syntax(err error) error {
	var at yaml.Error
	if errors.As(err, &at) {
		return wrong(at.GetToken(), "", "%s", at.GetMessage())
	}
	return wrong(nil, "", "%s", err)
}

// acceptable rejects unsupported syntax and deep nesting before anything recurses
// over the tokens.
func acceptable(tokens token.Tokens) error {
	flow, onLine, line := 0, 0, 0
	for _, at := range tokens {
		if at.Position.Line != line {
			line, onLine = at.Position.Line, 0
		}
		switch at.Type {
		case token.AnchorType, token.AliasType:
			return wrong(at, "", "anchors and aliases are not read: write the value where it is needed")
		case token.TagType:
			return wrong(at, "", "tags are not read: write the value without %s", at.Value)
		case token.MergeKeyType:
			return wrong(at, "", "merge keys are not read: write the keys out")
		case token.DirectiveType:
			return wrong(at, "", "directives are not read: remove the line")
		case token.InvalidType:
			return wrong(at, "", "%s", at.Error)
		case token.SequenceStartType, token.MappingStartType:
			flow++
		case token.SequenceEndType, token.MappingEndType:
			flow--
		case token.SequenceEntryType, token.MappingKeyType, token.MappingValueType:
			if flow <= 0 {
				onLine++
			}
		}
		if flow > MaxDepth || onLine > 2*MaxDepth {
			return wrong(at, "", "it is nested more than %d deep: put the inner parts side by side", MaxDepth)
		}
	}
	return nil
}

func valueOf(node ast.Node, path string, depth int) (any, error) {
	if depth > MaxDepth {
		return nil, wrong(
			node.GetToken(),
			path,
			"it is nested more than %d deep: put the inner parts side by side",
			MaxDepth,
		)
	}
	switch node := node.(type) {
	case nil, *ast.NullNode, *ast.CommentGroupNode:
		return nil, nil
	case *ast.BoolNode:
		return node.Value, nil
	case *ast.StringNode:
		return node.Value, nil
	case *ast.LiteralNode:
		return node.Value.Value, nil
	case *ast.IntegerNode:
		return whole(node, path)
	case *ast.FloatNode:
		if math.IsInf(node.Value, 0) {
			return nil, wrong(node.GetToken(), path, "the number is too large: write it as a quoted string")
		}
		return node.Value, nil
	case *ast.InfinityNode, *ast.NanNode:
		return nil, wrong(node.GetToken(), path, "%s is not a finite number: write it as a quoted string",
			node.GetToken().Value)
	case *ast.SequenceNode:
		list := make([]any, 0, len(node.Values))
		for i, item := range node.Values {
			value, err := valueOf(item, fmt.Sprintf("%s[%d]", path, i), depth+1)
			if err != nil {
				return nil, err
			}
			list = append(list, value)
		}
		return list, nil
	case *ast.MappingNode:
		return mapping(node.Values, path, depth)
	case *ast.MappingValueNode:
		return mapping([]*ast.MappingValueNode{node}, path, depth)
	}
	return nil, wrong(node.GetToken(), path, "%s is not read here", node.Type())
}

func whole(node *ast.IntegerNode, path string) (any, error) {
	switch value := node.Value.(type) {
	case int64:
		return value, nil
	case uint64:
		if value <= math.MaxInt64 {
			return int64(value), nil
		}
		return value, nil
	}
	return nil, wrong(node.GetToken(), path, "the number is too large: write it as a quoted string")
}

func mapping(pairs []*ast.MappingValueNode, path string, depth int) (any, error) {
	found := make(Map, 0, len(pairs))
	seen := make(map[string]bool, len(pairs))
	for _, pair := range pairs {
		key, err := keyOf(pair.Key, path)
		if err != nil {
			return nil, err
		}
		inner := join(path, key)
		if seen[key] {
			return nil, wrong(pair.Key.GetToken(), inner, "duplicate key: remove one of them")
		}
		seen[key] = true
		value, err := valueOf(pair.Value, inner, depth+1)
		if err != nil {
			return nil, err
		}
		found = append(found, Member{key, value})
	}
	return found, nil
}

func keyOf(key ast.MapKeyNode, path string) (string, error) {
	var inner ast.Node = key
	if explicit, is := key.(*ast.MappingKeyNode); is {
		inner = explicit.Value
	}
	switch node := inner.(type) {
	case *ast.StringNode:
		return node.Value, nil
	case *ast.LiteralNode:
		return node.Value.Value, nil
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return node.GetToken().Value, nil
	case *ast.NullNode:
		if text := node.GetToken().Value; text != "" && node.GetToken().Type == token.NullType {
			return text, nil
		}
	}
	return "", wrong(key.GetToken(), path, "a key must be a string")
}

// YAML returns the state in block style. Parsing it gives an equal state.
func (s State) YAML() ([]byte, error) {
	if err := check(s.Map, "", 0); err != nil {
		return nil, fmt.Errorf("writing the state as YAML: %w", err)
	}
	return writeYAML(s.Map.ordered())
}

// writeYAML formats a checked value as the library does or, if parsing that would
// give another value, as JSON, which is also YAML.
func writeYAML(value any) ([]byte, error) {
	_, list := value.([]any)
	doc, err := yaml.MarshalWithOptions(plain(value), yaml.IndentSequence(!list), yaml.UseLiteralStyleIfMultiline(true))
	if err == nil && readsAs(doc, value) {
		return doc, nil
	}
	doc = append(appendJSON(nil, value), '\n')
	if !readsAs(doc, value) {
		return nil, errors.New("writing the state as YAML: reading it back would give another state; " +
			"look for control characters")
	}
	return doc, nil
}

func readsAs(doc []byte, value any) bool {
	if bytes.ContainsRune(doc, '\r') { // line ends are normalized in an overview
		return false
	}
	again, err := parseYAML(doc)
	return err == nil && equal(again, value)
}

// plain converts a value to the types of the library.
func plain(value any) any {
	switch value := value.(type) {
	case Map:
		slice := make(yaml.MapSlice, len(value))
		for i, member := range value {
			slice[i] = yaml.MapItem{Key: member.Key, Value: plain(member.Value)}
		}
		return slice
	case []any:
		list := make([]any, len(value))
		for i, item := range value {
			list[i] = plain(item)
		}
		return list
	}
	return value
}
