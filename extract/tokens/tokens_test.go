package tokens

import (
	"encoding/base64"
	"encoding/json"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWhatIsCounted(t *testing.T) {
	content, err := os.ReadFile("testdata/counts.json")
	require.NoError(t, err)
	var counts map[string]int
	require.NoError(t, json.Unmarshal(content, &counts))
	require.NotEmpty(t, counts)
	for text, want := range counts {
		assert.Equal(t, want, Count(text), text)
	}
}

func TestATextIsCutWhereTheTokenizerCutsIt(t *testing.T) {
	for text, want := range map[string][]string{
		"Don't WE'LL o'clock 'tis":     {"Don't", " WE'LL", " o", "'clock", " '", "tis"},
		"contextFor HTTPServer ABC":    {"context", "For", " HTTPServer", " ABC"},
		"1234567 x2y":                  {"123", "456", "7", " x", "2", "y"},
		"a  b   c\t\td":                {"a", " ", " b", "  ", " c", "\t", "\td"},
		"x \n \n  y\n":                 {"x", " \n \n", " ", " y", "\n"},
		"if (a != b) {\n\t}\n":         {"if", " (", "a", " !=", " b", ")", " {\n", "\t", "}\n"},
		"https://a.b/c":                {"https", "://", "a", ".b", "/c"},
		"// a\n//b":                    {"//", " a", "\n", "//", "b"},
		"数据库,测试":                       {"数据库", ",测试"},
		"中ABC def中":                    {"中", "ABC", " def中"},
		"e\u0301t\u0301 \u0301 \u0301": {"e\u0301t\u0301", " \u0301", " \u0301"},
		"½ ٣٤٥٦":                       {"½", " ", "٣٤٥", "٦"},
		"end  ":                        {"end", "  "},
	} {
		var cut []string
		for rest := text; rest != ""; {
			end := piece(rest)
			cut = append(cut, rest[:end])
			rest = rest[end:]
		}
		assert.Equal(t, want, cut)
	}
}

// FuzzCount: a string is cut to its end, is no more tokens than bytes, and adds up
// with what follows on the next line.
func FuzzCount(f *testing.F) {
	for _, seed := range []string{"Don't stop", "x \n \n  y", "中ABC\u0301", "1234 \xff\xfe", "  \u00a0\u2003//\r\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		count := Count(text)
		assert.LessOrEqual(t, count, len(text))
		assert.Equal(t, text == "", count == 0)
		assert.Equal(t, Count(text+"\n")+1, Count(text+"\nword"))
	})
}

func BenchmarkCount(b *testing.B) {
	for kind, path := range map[string]string{
		"english": "testdata/english.txt", "chinese": "testdata/chinese.txt",
		"json": "testdata/json.txt", "go": "piece.go",
	} {
		text, err := os.ReadFile(path)
		require.NoError(b, err)
		benchmark(b, kind, string(text))
	}
	random := make([]byte, 4000)
	_, err := rand.NewChaCha8([32]byte{}).Read(random)
	require.NoError(b, err)
	benchmark(b, "random", base64.StdEncoding.EncodeToString(random))
}

func benchmark(b *testing.B, kind, text string) {
	b.Run(kind, func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			Count(text)
		}
	})
}

func TestALongPieceIsCountedTokenByToken(t *testing.T) {
	for _, unit := range []string{
		"\x1b", "&", "[[", "\x1b[", "=-", "a", "xq", "\xff", "\u0301", "日", "\u200d\u0301", "─", "…\u009b",
		"[{(<", "-=-=_",
	} {
		long := strings.Repeat(unit, 100)
		for _, text := range []string{long + long, long + "." + long} {
			for text != "" {
				end := piece(text)
				want := 0
				for at := 0; at < end; want++ {
					at += longestToken(text[at:end])
				}
				if isWhole(text[:end]) {
					want = 1
				}
				assert.Equal(t, want, countPiece(text[:end]), "%q", unit)
				text = text[end:]
			}
		}
	}
}
