package tokens

import (
	_ "embed"

	"github.com/wm-lsp/wm-lsp/extract/tokens/xorfilter"
)

//go:generate go -C ../../tools run ./vocabulary ../extract/tokens/vocabulary.xor

// vocabulary is a filter of the tokens of o200k_base: every token is found in it,
// and of what is no token one in 256 is too. It is read where it stands in the
// program: nothing is made ready at the start or at the first count.
//
//go:embed vocabulary.xor
var vocabulary string

// isToken reports whether the text of this hash is a token.
func isToken(hash xorfilter.Hash) bool { return xorfilter.Holds(vocabulary, hash) }
