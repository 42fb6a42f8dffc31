package vectors

import (
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/recall/vectors/tables"
	"github.com/wm-lsp/wm-lsp/recall/words"
)

func of(text string) *Vector {
	vector := Of(words.Analyze(text).Terms)
	return &vector
}

// alike are pairs of words that are near in meaning. They are not taken from synonyms.txt, which
// the vectors do not know anyway.
var alike = [][2]string{
	{"encrypt", "decrypt"}, {"client", "server"}, {"mutex", "lock"}, {"thread", "process"}, {"push", "pull"},
	{"certificate", "tls"}, {"password", "username"}, {"email", "mailbox"}, {"postgres", "sql"}, {"cpu", "memory"},
	{"container", "pod"}, {"index", "query"}, {"integer", "float"}, {"font", "glyph"}, {"directory", "file"},
	{"http", "header"}, {"cookie", "browser"}, {"dns", "hostname"}, {"kernel", "linux"}, {"compile", "link"},
	{"invoice", "payment"}, {"calendar", "event"}, {"month", "year"}, {"red", "green"}, {"dog", "cat"},
	{"river", "lake"}, {"doctor", "patient"}, {"mother", "father"}, {"winter", "summer"}, {"train", "railway"},
	{"json", "yaml"}, {"pixel", "image"}, {"audio", "video"}, {"keyboard", "mouse"}, {"commit", "branch"},
	{"scheduler", "queue"}, {"gzip", "compress"}, {"subnet", "vpc"}, {"token", "oauth"}, {"click", "button"},
}

// cosine returns how near two vectors are, about -1 to 1; 0 if one of them is zero.
func cosine(a, b *Vector) float32 {
	var sum int32
	for i := range a {
		sum += int32(a[i]) * int32(b[i])
	}
	return float32(sum) / (scale * scale)
}

func TestRelatedWordsAreNearerThanOthers(t *testing.T) {
	nearer, pairs := 0, 0
	var with, without float32
	for i, pair := range alike {
		a, b := of(pair[0]), of(pair[1])
		require.False(t, a.IsZero(), pair[0])
		require.False(t, b.IsZero(), pair[1])
		with += cosine(a, b)
		for k, other := range alike {
			if k == i {
				continue
			}
			pairs++
			without += cosine(a, of(other[1]))
			if cosine(a, b) > cosine(a, of(other[1])) {
				nearer++
			}
		}
	}
	assert.GreaterOrEqual(t, nearer*100/pairs, 95, "percent of the pairs are nearer than a random one")
	assert.Greater(t, with/float32(len(alike)), 4*max(without, 0)/float32(pairs))
	t.Logf("%d of %d; mean %.2f, random %.2f", nearer, pairs, with/float32(len(alike)), without/float32(pairs))
}

func TestSketchesOrderAsVectorsDo(t *testing.T) {
	var agree, compared int
	for i, pair := range alike {
		a, b, other := of(pair[0]), of(pair[1]), of(alike[(i+1)%len(alike)][1])
		if difference := cosine(a, b) - cosine(a, other); difference > 0.2 {
			compared++
			if a.Sketch().Distance(b.Sketch()) < a.Sketch().Distance(other.Sketch()) {
				agree++
			}
		}
	}
	require.Positive(t, compared)
	assert.GreaterOrEqual(t, agree*100/compared, 90)
}

func TestTheSketchOfATextIsThatOfItsVector(t *testing.T) {
	for _, pair := range alike {
		for _, text := range []string{pair[0], pair[1], strings.Repeat(pair[0]+" ", 300), "xqzzvk", ""} {
			vector := of(text)
			assert.Equal(t, vector.Sketch(), SketchOf(words.Analyze(text).Terms), text)
		}
	}
}

func TestATextIsNearToItself(t *testing.T) {
	text := of("Retry the webhook with exponential backoff")
	assert.InDelta(t, 1, cosine(text, text), 0.02)
	assert.Zero(t, text.Sketch().Distance(text.Sketch()))
}

func TestATextWithoutAKnownWordHasNoVector(t *testing.T) {
	for _, text := range []string{"", "xqzzvk qqxwv", "12345 67890", "。。。"} {
		vector := of(text)
		assert.True(t, vector.IsZero(), text)
		assert.Equal(t, Sketch{}, vector.Sketch())
		assert.Zero(t, cosine(vector, of("webhook")))
	}
}

func TestTheNearestSketchesAreFound(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	among := make([]Sketch, 1000)
	for i := range among {
		among[i] = Sketch{random.Uint64(), random.Uint64(), random.Uint64()}
	}
	among[7] = Sketch{}
	wanted := among[500]
	order := make([]int, 0, len(among))
	for i := range among {
		if i != 7 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return among[a].Distance(wanted) - among[b].Distance(wanted) })
	for _, n := range []int{0, 1, 2, 10, 100, 999, 1000, 5000} {
		expected := slices.Clone(order[:min(n, len(order))])
		slices.Sort(expected)
		assert.Equal(t, expected, append([]int{}, Nearest(wanted, among, n, nil)...), n)
	}
	assert.Empty(t, Nearest(wanted, nil, 10, nil))
}

func TestRelatedTermsAreThoseOfTheTables(t *testing.T) {
	for _, c := range []struct{ from, to string }{
		{"spam", "junk mail"}, {"junk folder", "spam"}, {"pull request", "MR"}, {"PR", "merge request"},
		{"sign in", "login"}, {"the callback url", "webhook"}, {"Apple's browser", "Safari"}, {"two-factor", "2fa"},
		{"k8s", "kubernetes"}, {"which database", "postgres"}, {"car", "automobile"}, {"buy", "purchase"},
		{"e-mail", "mail"}, {"out of memory", "oom"}, {"CI", "pipeline"},
	} {
		terms := map[string]bool{}
		for weighted := range Expand(words.Words(c.from)) {
			assert.Positive(t, weighted.Weight)
			assert.LessOrEqual(t, weighted.Weight, float32(1))
			terms[weighted.Term] = true
		}
		for _, term := range words.Analyze(c.to).Terms {
			assert.True(t, terms[term.Text], "%s → %s: %s is not in %v", c.from, c.to, term.Text, terms)
		}
	}
}

func TestAPhraseIsMoreThanItsWords(t *testing.T) {
	leads := func(from, to string) bool {
		found := slices.Collect(Expand(words.Words(from)))
		return slices.ContainsFunc(found, func(w Weighted) bool { return w.Term == to })
	}
	assert.True(t, leads("log in", "login"))
	assert.False(t, leads("the log", "login"))
}

// Every word of the list is a term, so that it can be found: words with the same terms as now.
func TestTheRelationsAreThoseOfTheList(t *testing.T) {
	list, err := os.ReadFile("synonyms.txt")
	require.NoError(t, err)
	for line := range strings.Lines(string(list)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		members := strings.FieldsFunc(line, func(r rune) bool { return r == ',' || r == ':' })
		for _, member := range members {
			text := words.Words("the and with this " + strings.TrimSpace(member))[4:]
			assert.NotEmpty(t, slices.Collect(Expand(text)), "%q of %q; run go generate ./recall/vectors", member, line)
		}
	}
}

func TestTheTablesAreWhole(t *testing.T) {
	vectors, relations := tables.Vectors(trained), tables.Relations(related)
	assert.GreaterOrEqual(t, vectors.Len(), 15000)
	for i := 1; i < vectors.Len(); i++ {
		require.Less(t, vectors.Term(i-1), vectors.Term(i))
	}
	for i := range vectors.Len() {
		_, is := vectors.Row(vectors.Term(i))
		require.True(t, is)
	}
	for i := range relations.Len() {
		for edge := range relations.Edges(relations.Name(i)) {
			require.Less(t, edge.Kind, uint8(Kinds))
			require.NotEmpty(t, edge.To)
		}
	}
}

func FuzzAnyTextHasAVectorAndRelations(f *testing.F) {
	for _, text := range []string{"", "spam", "Apple's browser", "xqzzvk", "\xff\x00", "e-mail parseConfig v1.2"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		vector := of(text)
		assert.Equal(t, *vector, *of(text))
		if cosine := cosine(vector, vector); !vector.IsZero() && (cosine < 0.8 || cosine > 1.1) {
			t.Errorf("the vector of %q has the length %f", text, cosine)
		}
		all := words.Words(text)
		for weighted := range Expand(all) {
			if weighted.Term == "" || weighted.First > weighted.Last || weighted.Last >= len(all) {
				t.Errorf("%q has %+v", text, weighted)
			}
		}
	})
}

func BenchmarkNearestOf100000(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2))
	among := make([]Sketch, 100_000)
	for i := range among {
		among[i] = Sketch{random.Uint64(), random.Uint64(), random.Uint64()}
	}
	found := make([]int, 0, 200)
	for b.Loop() {
		found = Nearest(among[77], among, 200, found[:0])
	}
}

func BenchmarkCosineOf100000(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2))
	among := make([]Vector, 100_000)
	for i := range among {
		for k := range among[i] {
			among[i][k] = int8(random.Uint32())
		}
	}
	for b.Loop() {
		for i := range among {
			cosine(&among[77], &among[i])
		}
	}
}

func BenchmarkVectorOfASentence(b *testing.B) {
	terms := words.Analyze("The webhook of the payment provider is retried with exponential backoff").Terms
	for b.Loop() {
		Of(terms)
	}
}

func BenchmarkExpandAQuestion(b *testing.B) {
	text := words.Words("Which test runner do we use for the pull request checks in Apple's browser?")
	for b.Loop() {
		for range Expand(text) {
		}
	}
}
