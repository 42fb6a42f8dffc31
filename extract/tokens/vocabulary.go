package tokens

import (
	_ "embed"

	"github.com/wm-lsp/wm-lsp/extract/tokens/xorfilter"
)

//go:generate go -C ../../tools run ./vocabulary ../extract/tokens/vocabulary.xor

// vocabulary is a filter of the tokens of o200k_base. It contains every token, and
// reports one in 256 other strings as a token. It is used directly from the binary
// and needs no initialization.
//
//go:embed vocabulary.xor
var vocabulary string

// isToken reports whether the text with a hash is a token.
func isToken(hash xorfilter.Hash) bool { return xorfilter.Holds(vocabulary, hash) }
