package words_test

import (
	"strings"
	"testing"

	"github.com/wm-lsp/wm-lsp/recall/words"
)

func BenchmarkAnalyzeText(b *testing.B) {
	text := strings.Repeat("We connected the servers of the orders in parseConfig yesterday, as 3 of them failed. ", 3)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		words.Analyze(text)
	}
}

func BenchmarkAnalyzeLongWord(b *testing.B) {
	text := strings.Repeat("a", 1<<20)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		words.Analyze(text)
	}
}

func BenchmarkAnalyzeUnspaced(b *testing.B) {
	text := strings.Repeat("数据库设计", 1<<14)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		words.Analyze(text)
	}
}
