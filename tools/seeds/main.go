// Seeds writes the English words of seed phrases (BIP 39) as a table of package redact.
//
// usage: go run ./seeds ../extract/redact/seedwords_table.go
package main

import (
	"bytes"
	"fmt"
	"os"

	"github.com/tyler-smith/go-bip39/wordlists"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: seeds FILE")
		os.Exit(2)
	}
	if err := os.WriteFile(os.Args[1], tableOf(wordlists.English), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, "seeds:", err)
		os.Exit(1)
	}
}

// perLine is how many words a line of the table has.
const perLine = 10

// tableOf writes sorted words of at most 8 bytes, filled up with blanks to 8 bytes each.
func tableOf(words []string) []byte {
	var b bytes.Buffer
	b.WriteString("// Code generated from the word list of BIP 39 (MIT, see bip39/LICENSE); DO NOT EDIT.\n\n")
	b.WriteString("package redact\n\nconst seedWords = \"\"")
	for i, word := range words {
		if i%perLine == 0 {
			if i > 0 {
				b.WriteByte('"')
			}
			b.WriteString(" +\n\t\"")
		}
		fmt.Fprintf(&b, "%-8s", word)
	}
	b.WriteString("\"\n")
	return b.Bytes()
}
