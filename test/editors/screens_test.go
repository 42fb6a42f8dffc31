package editors_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/test"
)

// What the README shows of the editors and of what an agent is given is what is to
// be seen today.
func TestScreensOfTheReadmeAreTrue(t *testing.T) {
	out, err := test.ExtensionScript(t, nil, "../screens/main.mjs", "check")
	require.NoError(t, err, out)
}
