package importer

import (
	"encoding/json"
	"fmt"
	"strings"
)

// serverMemory is the format of the reference server for memory of the Model Context Protocol: JSON Lines of
// entities with observations, and of relations between them. An observation becomes an entry, and so does a
// relation.
func serverMemory() Format {
	return Format{
		Name: "server-memory", Title: "the knowledge graph of server-memory (MCP)",
		recognizes: func(f file) bool {
			return begins(f.text, "{") &&
				(strings.Contains(f.text, `"entityType"`) || strings.Contains(f.text, `"relationType"`))
		},
		read: func(r *reader, f file) error {
			number, read := 0, 0
			for line := range strings.Lines(f.text) {
				number++
				if line = strings.TrimSpace(line); line == "" {
					continue
				}
				if err := r.graphLine(f, line, number); err != nil {
					r.skip(f.path, fmt.Sprintf("line %d: %v", number, err))
					if number-read > maxBroken { // it is something else
						return fmt.Errorf("more than %d lines cannot be read", maxBroken)
					}
					continue
				}
				read++
			}
			return nil
		},
	}
}

// graphLine reads an entity or a relation.
func (r *reader) graphLine(f file, line string, number int) error {
	var node struct {
		Type         string            `json:"type"`
		Name         string            `json:"name"`
		EntityType   string            `json:"entityType"`
		Observations []json.RawMessage `json:"observations"`
		From         string            `json:"from"`
		To           string            `json:"to"`
		Relation     string            `json:"relationType"`
	}
	if err := json.Unmarshal([]byte(line), &node); err != nil {
		return notRead(err)
	}
	switch node.Type {
	case "entity":
		for _, doc := range node.Observations {
			var text string
			if err := json.Unmarshal(doc, &text); err != nil {
				r.skip(f.path, fmt.Sprintf("line %d: an observation: %v", number, notRead(err)))
				continue
			}
			if strings.TrimSpace(text) != "" {
				r.add(f, Entry{Type: observationType(node.EntityType), Text: titled(node.Name, text), Line: number})
			}
		}
	case "relation":
		if node.From != "" && node.To != "" {
			relation := strings.ReplaceAll(firstOf(node.Relation, "relates to"), "_", " ")
			r.add(f, Entry{Type: "project", Text: node.From + " " + relation + " " + node.To, Line: number})
		}
	default:
		return fmt.Errorf("it is of the unknown type %q", node.Type)
	}
	return nil
}
