package importer

import (
	"encoding/json"
	"strings"
)

// claudeMem is the format of an export of claude-mem: one object with observations, sessions, summaries and
// prompts. Of an observation its facts, or else its title and narrative, become entries; of a summary what
// was learned. Other parts are a log of what happened, and are left out.
func claudeMem() Format {
	return Format{
		Name: "claude-mem", Title: "an export of claude-mem",
		recognizes: func(f file) bool {
			return begins(f.text, "{") && strings.Contains(f.text, `"observations"`) &&
				strings.Contains(f.text, `"summaries"`)
		},
		read: func(r *reader, f file) error {
			var export struct {
				Observations []json.RawMessage `json:"observations"`
				Summaries    []json.RawMessage `json:"summaries"`
			}
			if err := json.Unmarshal([]byte(f.text), &export); err != nil {
				return notRead(err)
			}
			return r.each(f, append(export.Observations, export.Summaries...), r.claudeMemRecord)
		},
	}
}

// claudeMemRecord reads an observation or a summary.
func (r *reader) claudeMemRecord(f file, doc json.RawMessage) error {
	var o struct {
		Type      string          `json:"type"`
		Title     string          `json:"title"`
		Narrative string          `json:"narrative"`
		Text      string          `json:"text"`
		Facts     json.RawMessage `json:"facts"`
		Learned   string          `json:"learned"`
		Project   string          `json:"project"`
	}
	if err := json.Unmarshal(doc, &o); err != nil {
		return err
	}
	facts := listOf(o.Facts)
	if len(facts) == 0 {
		facts = []string{firstOf(o.Learned, o.Narrative, o.Text, o.Title)}
	}
	for _, fact := range facts {
		if fact = strings.TrimSpace(fact); fact != "" {
			r.add(f, Entry{
				Type: observationType(o.Type), Text: titled(o.Title, fact),
			})
		}
	}
	return nil
}

// listOf returns a list of strings, which may be encoded as a string.
func listOf(doc json.RawMessage) (list []string) {
	var text string
	if json.Unmarshal(doc, &text) == nil {
		doc = json.RawMessage(text)
	}
	_ = json.Unmarshal(doc, &list) // what is not a list has no facts
	return list
}
