package settings

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// merged merges the settings of a client with the defaults.
func merged(t *testing.T, doc string) (*Settings, []string) {
	t.Helper()
	layer, err := FromJSON(json.RawMessage(doc))
	require.NoError(t, err)
	got, problems := Merge(layer)
	told := []string{}
	for _, p := range problems {
		told = append(told, p.Key+" "+p.Reason)
	}
	return got, told
}

func TestE16_TheNamesOfTheOriginalSystemAreAliases(t *testing.T) {
	for name, c := range map[string]struct {
		doc  string
		want func(*Settings)
	}{
		"tools": {`{"enable_tool_tracking": true}`, func(s *Settings) { s.Items.EnableToolTracking = true }},
		"tools in camelCase": {`{"enableToolTracking": true}`, func(s *Settings) {
			s.Items.EnableToolTracking = true
		}},
		"tools in their table": {`{"items": {"enable_tool_tracking": true}}`, func(s *Settings) {
			s.Items.EnableToolTracking = true
		}},
		"skills": {`{"enable_skill_extraction": false, "items": {"guard": 0.5}}`, func(s *Settings) {
			s.Items.EnableSkillExtraction, s.Items.Guard = false, 0.5
		}},
		"both names": {`{"enable_tool_tracking": true, "items": {"enableToolTracking": false}}`, func(*Settings) {}},
		"filters": {`{"default_filters": {"stores": ["semantic"], "agent_id": "a", "min_importance": 0.3}}`,
			func(s *Settings) {
				s.Recall.DefaultFilters.Stores, s.Recall.DefaultFilters.AgentID = []string{"semantic"}, "a"
				s.Recall.DefaultFilters.MinImportance = 0.3
			}},
		"another memory type with routes": {
			`{"memory_types": [{"name": "attic", "max": 7, "retention": "month", "routes": ["trifle", "note"]}],
				"items": {"routes": [{"type": "note", "store": "semantic"}]}}`,
			func(s *Settings) {
				s.Items.MemoryTypes = []MemoryType{{"attic", 7, "month"}}
				s.Items.Routes = []ItemRoute{{"note", "semantic"}, {"trifle", "attic"}}
			},
		},
		"built-in memory types": {
			`{"memory_types": [{"name": "episodic", "max": 500}, {"name": "semantic", "routes": "observation"}]}`,
			func(s *Settings) {
				s.Items.MaxEpisodic = 500
				s.Items.Routes = []ItemRoute{{"observation", "semantic"}}
			},
		},
		"memory types by name": {
			`{"memoryTypes": {"working": {"max": 50}, "attic": {"max": 7, "retention": "month"}}}`,
			func(s *Settings) {
				s.Items.MaxWorking = 50
				s.Items.MemoryTypes = []MemoryType{{"attic", 7, "month"}}
			},
		},
		"routes in the table of items": {
			`{"items": {"memoryTypes": [{"name": "working", "routes": ["metric"]}]}}`,
			func(s *Settings) { s.Items.Routes = []ItemRoute{{"metric", "working"}} },
		},
		"another setting in snake_case": {`{"memory": {"max_entries": 40}}`, func(s *Settings) {
			s.Memory.MaxEntries = 40
		}},
		"no memory types": {`{"memory_types": []}`, func(*Settings) {}},
	} {
		got, problems := merged(t, c.doc)
		want := Default()
		c.want(want)
		assert.Equal(t, want, got, name)
		assert.Empty(t, problems, name)
	}
}

func TestE16_WhatIsWrongUnderAnAliasIsReported(t *testing.T) {
	for name, c := range map[string]struct{ doc, problem string }{
		"not a boolean": {`{"enable_tool_tracking": "yes"}`, "items.enableToolTracking must be "},
		"not a setting": {`{"enable_magic": true}`, `"enable_magic" is not a setting`},
		"a filter":      {`{"default_filters": {"colour": "red"}}`, `recall.defaultFilters."colour" is not a setting`},
		"a built-in type": {`{"memory_types": [{"name": "working", "retention": "year"}]}`,
			`items.memoryTypes[0]."retention" cannot be set for a built-in memory type`},
		"a type without a limit": {`{"memory_types": [{"name": "attic"}]}`, "items.memoryTypes[0].max is missing"},
		"a type that is a word":  {`{"memory_types": ["attic"]}`, "items.memoryTypes[0] must be a table"},
		"types that are a word":  {`{"memory_types": "attic"}`, "items.memoryTypes must be a list"},
		"a type by name":         {`{"memory_types": {"attic": 7}}`, `items.memoryTypes."attic" must be a table`},
		"items":                  {`{"items": 7, "enable_tool_tracking": true}`, "items must be a table"},
		"a route": {
			`{"memory_types": [{"name": "working", "routes": [7]}]}`, "items.routes[0].type must be ",
		},
	} {
		got, problems := merged(t, c.doc)
		assert.Equal(t, Default(), got, name)
		if assert.Len(t, problems, 1, name) {
			assert.Contains(t, problems[0], c.problem, name)
		}
	}
	repository := Layer{Name: "repository", Values: map[string]any{"enable_tool_tracking": true}}
	got, problems := Merge(repository)
	assert.Equal(t, Default(), got)
	require.Len(t, problems, 1)
	assert.Contains(t, problems[0].Reason, "cannot be set by a repository")
}
