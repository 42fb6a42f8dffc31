package importer

import (
	"encoding/json"
	"strings"
)

// mem0 is the format of what mem0 gives: the result of get_all or of an export, which is an object with
// results or memories, or the list itself; and a backup of OpenMemory, which is a zip, or the files in it,
// memories.json and memories.jsonl.gz. The text of a memory is its memory or its content. What is archived or
// deleted is left out.
func mem0() Format {
	return Format{
		Name: "mem0", Title: "an export of mem0 or OpenMemory",
		recognizes: func(f file) bool {
			return (begins(f.text, "{") || begins(f.text, "[")) &&
				(strings.Contains(f.text, `"memory"`) || strings.Contains(f.text, `"memories"`) ||
					strings.Contains(f.text, `"content"`) && strings.Contains(f.text, `"state"`))
		},
		read: func(r *reader, f file) error {
			docs, err := memoriesIn(f.text)
			if err != nil {
				return notRead(err)
			}
			return r.each(f, docs, r.mem0Memory)
		},
	}
}

// memoriesIn returns the memories of a document: a list, an object with a list, or JSON Lines.
func memoriesIn(text string) (docs []json.RawMessage, err error) {
	if begins(text, "[") {
		err = json.Unmarshal([]byte(text), &docs)
		return docs, err
	}
	var file struct {
		Results  []json.RawMessage `json:"results"`
		Memories []json.RawMessage `json:"memories"`
	}
	if err = json.Unmarshal([]byte(text), &file); err == nil && file.Results != nil || file.Memories != nil {
		return append(file.Results, file.Memories...), err
	}
	lines := 0
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			lines++
			if lines == 1 && !json.Valid([]byte(line)) {
				return nil, err
			}
			docs = append(docs, json.RawMessage(line))
		}
	}
	return docs, nil
}

// mem0Memory reads one memory.
func (r *reader) mem0Memory(f file, doc json.RawMessage) error {
	var m struct {
		ID         json.RawMessage `json:"id"`
		Memory     string          `json:"memory"`
		Content    string          `json:"content"`
		State      string          `json:"state"`
		Categories []any           `json:"categories"`
		Metadata   map[string]any  `json:"metadata"`
	}
	if err := json.Unmarshal(doc, &m); err != nil {
		return err
	}
	if m.State != "" && m.State != "active" {
		return nil
	}
	kind := "project"
	names := append([]any{m.Metadata["type"], m.Metadata["category"]}, m.Categories...)
	for _, name := range names {
		if text, is := name.(string); is && kind == "project" {
			kind = observationType(text)
		}
	}
	if text := firstOf(m.Memory, m.Content); text != "" {
		r.add(f, Entry{Type: kind, Text: text})
	}
	return nil
}
