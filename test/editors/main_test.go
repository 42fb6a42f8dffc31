// Package editors_test holds the end-to-end tests that need an installed editor.
// test/install/all.sh installs the editors; a test fails where one is missing.
package editors_test

import (
	"testing"

	"github.com/wm-lsp/wm-lsp/test"
)

func TestMain(m *testing.M) { test.Main(m) }
