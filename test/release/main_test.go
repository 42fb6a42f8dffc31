//go:build linux && ondemand

package release_test

import (
	"testing"

	"github.com/wm-lsp/wm-lsp/test"
)

func TestMain(m *testing.M) { test.Main(m) }
