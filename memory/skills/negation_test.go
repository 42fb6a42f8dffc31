package skills

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestWhatARequestWantsDone(t *testing.T) {
	for name, test := range map[string]struct {
		query, want, failing string
	}{
		"an order":                   {"release 1.2.0", "release 1.2.0", "release 1.2.0"},
		"a negated order":            {"do not release", "", ""},
		"a short negation":           {"please don't release yet.", "", ""},
		"in German":                  {"noch kein Release machen", "", "noch kein Release machen"},
		"in French":                  {"ne publie pas, teste", "teste", "ne publie pas, teste"},
		"to wait":                    {"wait with the release", "", ""},
		"an apostrophe":              {"don’t release", "", ""},
		"a refusal":                  {"we won't release today", "", "we won't release today"},
		"a proposal":                 {"let's not release", "", "let's not release"},
		"never":                      {"never migrate staging", "", ""},
		"a wish":                     {"I don't want the worker restarted", "", ""},
		"an end":                     {"stop releasing on Fridays", "", ""},
		"a process that is to stop":  {"stop the worker", "stop the worker", "stop the worker"},
		"there is to be none":        {"no release today", "", "no release today"},
		"a duty":                     {"the worker must not be restarted", "", "the worker must not be restarted"},
		"what is negated besides":    {"release, but don't push", "release, but", "release, but"},
		"an order behind a negation": {"don't wait, restart the worker", "restart the worker", "restart the worker"},
		"two negations":              {"don't build and don't push", "", ""},
		"an order that leaves something out": {
			"build the docs without publishing them", "build the docs", "build the docs without publishing them",
		},
		"an order in a negation": {"don't forget to run the tests", "don't forget to run the tests",
			"don't forget to run the tests"},
		"a message": {"No module named 'django'", "", "No module named 'django'"},
		"a fact":    {"the tests do not pass", "the tests do not pass", "the tests do not pass"},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.want, strings.Trim(affirmed(test.query, false), "."))
			assert.Equal(t, test.failing, strings.Trim(affirmed(test.query, true), "."))
		})
	}
}
