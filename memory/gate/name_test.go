package gate_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wm-lsp/wm-lsp/memory/gate"
)

const (
	token = "ghp_" + "0123456789abcdefghijABCDEFGHIJ012345"
	card  = "4111" + "111111111111"
)

func TestANameLosesItsSecrets(t *testing.T) {
	for name, want := range map[string]string{
		"detail/" + token + ".md":         "detail/[redacted:github].md",
		"x/" + card + ".txt":              "x/[redacted:card].txt",
		"x/" + card:                       "x/[redacted:card]",
		"detail/of-" + card + "-last.md":  "detail/of-[redacted:card]-last.md",
		"detail/4111-1111-1111-1111.md":   "detail/[redacted:card].md",
		"detail/" + secret + ".md":        "detail/" + without + ".md",
		"a/" + secret + "?token=" + token: "a/" + without + "?token=[redacted:github]",
	} {
		assert.Equal(t, want, gate.Name(name))
		assert.Equal(t, want, gate.Name(want), "twice")
	}
}

func TestAnOrdinaryNameStaysWhole(t *testing.T) {
	for _, name := range []string{
		"", "/", "a.go", ".env", "detail/plan.md", "src/password_reset.ts", "golang.org/x/net@v0.35.0/http2/frame.go",
		"node_modules/.pnpm/vite@6.0.1/index.js", "logs/2026-03-01T09-30-00.log", "img/IMG_20260301_093000123.jpg",
		"dumps/1795315846628000000.json", "objects/36" + card + "a33b57cedc370a6d0af6f5da0e", "docs/API-keys.md",
		"migrations/20260301093000_add_tokens.sql", "detail/zażółć gęślą.md", "a/../b//c", "[redacted:card].md",
	} {
		assert.Equal(t, name, gate.Name(name))
	}
}
