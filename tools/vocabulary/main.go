// Vocabulary writes the tokens of the pinned tokenizer as the filter of package
// tokens.
//
// usage: go run ./vocabulary ../extract/tokens/vocabulary.xor
package main

import (
	"fmt"
	"os"

	"github.com/tiktoken-go/tokenizer/codec"

	"github.com/wm-lsp/wm-lsp/extract/tokens/xorfilter"
)

// lastToken is the last of o200k_base that stands for text.
const lastToken = 199997

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: vocabulary FILE")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "vocabulary:", err)
		os.Exit(1)
	}
}

func write(path string) error {
	hashes, err := hashesOfTokens()
	if err != nil {
		return err
	}
	return os.WriteFile(path, xorfilter.Make(hashes), 0o644)
}

// hashesOfTokens returns the hashes of all tokens.
func hashesOfTokens() ([]xorfilter.Hash, error) {
	tokenizer := codec.NewO200kBase()
	hashes := make([]xorfilter.Hash, 0, lastToken+1)
	for id := range uint(lastToken + 1) {
		token, err := tokenizer.Decode([]uint{id})
		if err != nil {
			return nil, fmt.Errorf("decode the token %d: %w", id, err)
		}
		hashes = append(hashes, xorfilter.Of(token))
	}
	return hashes, nil
}
