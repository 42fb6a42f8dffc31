package panel

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestATypeIsAlsoNamedAsPeopleAreShownIt(t *testing.T) {
	for name, want := range map[string]string{
		"Fact": "project", "preference": "feedback", "DECISION": "decision", "Pointer": "reference",
		"project": "project", "glossary": "glossary", "": "",
	} {
		assert.Equal(t, want, TypeNamed(name), name)
	}
}
