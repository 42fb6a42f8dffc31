package main

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tiktoken-go/tokenizer/codec"

	"github.com/wm-lsp/wm-lsp/extract/tokens"
)

// What the count may be off by, as a share of what the tokenizer counts, in
// texts of 400 characters: of every kind of text, and of all kinds together.
const (
	maxMedian = 0.05
	maxP95    = 0.08
	maxMean   = 0.01
)

func TestTheCountIsNearThatOfTheTokenizer(t *testing.T) {
	tokenizer := codec.NewO200kBase()
	var all []float64
	table := "| kind of text | texts | tokens for a character | mean | median | p95 | too low |\n" +
		"|---|---|---|---|---|---|---|\n"
	kinds := kindsOfText(t)
	for _, kind := range sorted(kinds) {
		var off []float64
		counted, chars := 0, 0
		for _, text := range kinds[kind] {
			exact, err := tokenizer.Count(text)
			require.NoError(t, err)
			off = append(off, float64(tokens.Count(text)-exact)/float64(exact))
			counted, chars = counted+exact, chars+utf8.RuneCountInString(text)
		}
		all = append(all, off...)
		table += row(kind, off, fmt.Sprintf("%.2f", float64(counted)/float64(chars)))
		assert.LessOrEqual(t, quantile(off, 0.5), maxMedian, kind)
		assert.LessOrEqual(t, quantile(off, 0.95), maxP95, kind)
	}
	t.Log("\n" + table + row("all", all, ""))
	assert.LessOrEqual(t, mean(all), maxMean)
}

// Nothing that is written is harder to count: a whole text without a word, where
// what is not a token is taken for one again and again.
func TestSignsAtRandomAreCountedWithinAFifth(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	signs := make([]byte, 5000)
	for i := range signs {
		signs[i] = "!#$%&()*+,-./:;<=>?@[]^_{|}~"[random.IntN(28)]
	}
	exact, err := codec.NewO200kBase().Count(string(signs))
	require.NoError(t, err)
	assert.InEpsilon(t, exact, tokens.Count(string(signs)), 0.2)
}

// The texts whose counts package tokens is tested by are counted right there.
func TestTheCountsOfTheTestsAreThoseOfTheTokenizer(t *testing.T) {
	content, err := os.ReadFile("../../extract/tokens/testdata/counts.json")
	require.NoError(t, err)
	var counts map[string]int
	require.NoError(t, json.Unmarshal(content, &counts))
	require.NotEmpty(t, counts)
	tokenizer := codec.NewO200kBase()
	for text, want := range counts {
		exact, err := tokenizer.Count(text)
		require.NoError(t, err)
		assert.Equal(t, want, exact, text)
	}
}

// kindsOfText are texts of 400 characters: from testdata, from the sources and
// documents of Go (BSD-3-Clause), which are read where they are installed, and made at random.
func kindsOfText(t testing.TB) map[string][]string {
	kinds := map[string][]string{}
	written, err := filepath.Glob("../../extract/tokens/testdata/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, written)
	for _, path := range written {
		kinds[strings.TrimSuffix(filepath.Base(path), ".txt")] = textsOf(t, path)
	}
	out, err := exec.Command("go", "env", "GOROOT").Output()
	require.NoError(t, err)
	for kind, paths := range map[string][]string{
		"go": {
			"src/net/http/server.go", "src/encoding/json/decode.go", "src/strings/builder.go",
			"src/text/template/exec_test.go",
		},
		"go tables":  {"src/unicode/tables.go", "src/crypto/sha512/sha512_test.go"},
		"javascript": {"lib/wasm/wasm_exec.js"},
		"c":          {"src/runtime/cgo/gcc_libinit.c", "src/runtime/cgo/gcc_util.c"},
		"assembly":   {"src/runtime/asm_amd64.s"},
		"shell":      {"src/make.bash", "src/run.bash"},
		"html":       {"doc/go_mem.html"},
		"markdown":   {"doc/godebug.md", "doc/README.md"},
		"licence":    {"LICENSE"},
	} {
		for _, path := range paths {
			kinds[kind] = append(kinds[kind], textsOf(t, filepath.Join(strings.TrimSpace(string(out)), path))...)
		}
	}
	random := rand.NewChaCha8([32]byte{})
	for range 20 {
		bytes := make([]byte, 200)
		_, err := random.Read(bytes)
		require.NoError(t, err)
		kinds["random"] = append(kinds["random"], base64.StdEncoding.EncodeToString(bytes), hex.EncodeToString(bytes))
	}
	return kinds
}

// textsOf is a file in texts of 400 characters, at most 100; the last may be shorter, down to 200.
func textsOf(t testing.TB, path string) []string {
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	var texts []string
	for part := range slices.Chunk([]rune(string(content)), 400) {
		if len(part) >= 200 && len(texts) < 100 {
			texts = append(texts, string(part))
		}
	}
	return texts
}

func row(kind string, off []float64, perChar string) string {
	low := 0
	for _, o := range off {
		if o < 0 {
			low++
		}
	}
	return fmt.Sprintf(
		"| %s | %d | %s | %.1f %% | %.1f %% | %.1f %% | %.0f %% |\n",
		kind,
		len(off),
		perChar,
		100*mean(off),
		100*quantile(off, 0.5),
		100*quantile(off, 0.95),
		100*float64(low)/float64(len(off)),
	)
}

// mean is that of the sizes of the errors.
func mean(off []float64) float64 {
	sum := 0.0
	for _, o := range off {
		sum += math.Abs(o)
	}
	return sum / float64(len(off))
}

// quantile is that of the sizes of the errors.
func quantile(off []float64, share float64) float64 {
	sizes := make([]float64, len(off))
	for i, o := range off {
		sizes[i] = math.Abs(o)
	}
	slices.Sort(sizes)
	return sizes[int(share*float64(len(sizes)-1)+0.5)]
}

func sorted(kinds map[string][]string) []string {
	var names []string
	for name := range kinds {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
