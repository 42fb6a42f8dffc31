package reads

import (
	"testing"

	"github.com/oklog/ulid/v2"
	"github.com/stretchr/testify/assert"
)

func TestOnlyIDsThatWereMadeAreSparedByTheGate(t *testing.T) {
	for name, c := range map[string]struct {
		id   string
		made bool
	}{
		"an item":                        {"item:" + ulid.Make().String(), true},
		"an entry":                       {"memory:" + ulid.Make().String(), true},
		"a session that a client named":  {"session:ghp_0123456789abcdefghijklmnopqrstuvwxyz", false},
		"a path":                         {"notes:s/detail/token.md/1", false},
		"a secret with something behind": {"item:" + ulid.Make().String() + "/token", false},
		"a secret before":                {"xoxb-123:" + ulid.Make().String(), false},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, c.made, isMade(c.id)) })
	}
}
