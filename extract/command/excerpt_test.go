package command

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wm-lsp/wm-lsp/test/slow"
)

const undeclared = "src/main.c: In function 'main':\n" +
	"src/main.c:12:5: error: 'foo' undeclared (first use in this function)\n   12 |     foo();\n      |     ^~~\n"

// compiled returns what a build without errors prints, of n bytes at least.
func compiled(n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, "cc -c -O2 file%d.c -o file%d.o\n", i, i)
	}
	return b.String()
}

func TestAnErrorIsReadWhereverItStandsInAHugeOutput(t *testing.T) {
	size := slow.Rounds(10 << 20) // more than maxText
	for name, text := range map[string]string{
		"at the beginning": undeclared + compiled(size),
		"in the middle":    compiled(size/2) + undeclared + compiled(size/2),
		"at the end":       compiled(size) + undeclared + "make: *** [Makefile:3: all] Error 1\n",
	} {
		read := Excerpt(text)
		assert.LessOrEqual(t, len(read), maxText, name)
		assert.Contains(t, read, undeclared[strings.Index(undeclared, "\n")+1:], name)
		assert.True(t, strings.HasPrefix(read, text[:1000]), name)
		assert.True(t, strings.HasSuffix(read, text[len(text)-1000:]), name)
	}
	whole := undeclared + compiled(maxText-1000)
	assert.Equal(t, whole, Excerpt(whole), "an output that is not huge")
}

func TestAnExcerptIsBoundedAndHasWholeLines(t *testing.T) {
	text := strings.Repeat("a.c:1:1: error: no\n", 1<<19)
	read := Excerpt(text)
	assert.LessOrEqual(t, len(read), maxText)
	assert.Empty(t, strings.ReplaceAll(read, "a.c:1:1: error: no\n", ""))
	for _, line := range []string{strings.Repeat("x", 1<<20), strings.Repeat("error ", 1<<18)} {
		assert.LessOrEqual(t, len(Excerpt(line)), maxText)
	}
}

func TestTheTailOfAnExcerptDoesNotBeginInAPrivateKey(t *testing.T) {
	slow.Test(t)
	key := "-----BEGIN RSA " + "PRIVATE KEY-----\n" + strings.Repeat("MIIEowIBAAKCAQEAxZ8pQ2r4b0cV1n7u3yTq\n", 200)
	end := "-----END RSA " + "PRIVATE KEY-----\n"
	for cut := range 40 {
		text := compiled(2<<20) + key + end + compiled((maxText-maxErrors)/2-cut*200)
		head, _, _ := strings.Cut(Excerpt(text), "MIIE")
		assert.True(t, !strings.Contains(Excerpt(text), "MIIE") || strings.Contains(head, "-----BEGIN"), cut)
	}
}
