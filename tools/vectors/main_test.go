package main

import (
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/recall/vectors"
	"github.com/wm-lsp/wm-lsp/recall/vectors/tables"
)

// small is a training that a test has time for.
var small = training{
	least:     2,
	counting:  counting{words: 300, contexts: 250, window: 5, least: 2, smoothing: 0.75},
	factoring: factoring{dimensions: tables.Dimensions, extra: 8, rounds: 1, power: 0.25, seed: 15},
}

// documents is the corpus of the documents of this repository.
func documents(t *testing.T) corpus {
	reader := corpusReader{numbers: map[string]int32{}}
	for _, name := range []string{"architecture", "decisions", "systems"} {
		content, err := os.ReadFile("../../docs/" + name + ".md")
		require.NoError(t, err)
		readText(string(content), reader.add)
	}
	return reader.corpus(small.least)
}

func TestTheSameTextsGiveTheSameTablesBitForBit(t *testing.T) {
	first, err := train(documents(t), small)
	require.NoError(t, err)
	assert.Greater(t, first.Len(), 200)
	before := runtime.GOMAXPROCS(1)
	again, err := train(documents(t), small)
	runtime.GOMAXPROCS(before)
	require.NoError(t, err)
	require.True(t, first == again, "on one core the tables differ")
	how := small
	how.factoring.seed++
	other, err := train(documents(t), how)
	require.NoError(t, err)
	assert.False(t, first == other, "another seed gives other tables")
}

func TestTheSourcesAreWholeAndPermissive(t *testing.T) {
	sources, err := parseSources(sourceList)
	require.NoError(t, err)
	require.Greater(t, len(sources), 50)
	notice, err := os.ReadFile("../../recall/vectors/NOTICE")
	require.NoError(t, err)
	for _, s := range sources {
		assert.Len(t, s.sum, 64, s.name)
		assert.Contains(t, string(notice), s.name+" "+s.version+"  "+s.licence, "run go generate ./recall/vectors")
	}
	assert.Contains(t, string(notice), "Princeton University")
}

func TestABadLineOfTheSourcesIsRefused(t *testing.T) {
	good := []string{"npm", "next", "1.0.0", "MIT", strings.Repeat("0", 64), "text", "100", "**/*.md"}
	_, err := parseSources(strings.Join(good, "\t"))
	require.NoError(t, err)
	for place, bad := range map[int]string{3: "GPL-2.0", 5: "poem", 6: "101", 7: "["} {
		fields := append([]string{}, good...)
		fields[place] = bad
		_, err := parseSources(strings.Join(fields, "\t"))
		assert.Error(t, err, bad)
	}
	_, err = parseSources("npm\tnext")
	assert.Error(t, err)
}

func TestTheFactorsAreThoseOfTheMatrix(t *testing.T) {
	// The rows 0 and 1 are alike, as are 2 and 3; all else is zero.
	m := sparse{
		rows: 4, width: 4, starts: []int{0, 2, 4, 6, 8},
		columns: []int32{0, 1, 0, 1, 2, 3, 2, 3}, values: []float32{1, 2, 2, 4, 5, 1, 5, 1},
	}
	found := factor(m, factoring{dimensions: 2, extra: 2, rounds: 2, power: 1, seed: 1})
	cosine := func(i, j int) float64 {
		var both, a, b float64
		for k, value := range found.row(i) {
			other := found.row(j)[k]
			both, a, b = both+float64(value*other), a+float64(value*value), b+float64(other*other)
		}
		return both / math.Sqrt(a*b)
	}
	assert.InDelta(t, 1, cosine(0, 1), 1e-4)
	assert.InDelta(t, 1, cosine(2, 3), 1e-4)
	assert.InDelta(t, 0, cosine(0, 2), 1e-4)
	length := func(i int) float64 {
		return math.Hypot(float64(found.row(i)[0]), float64(found.row(i)[1]))
	}
	assert.InDelta(t, math.Sqrt(5), length(0), 1e-3, "with the power 1 the lengths are those of the rows")
	assert.InDelta(t, math.Sqrt(26), length(3), 1e-3)
}

func TestProseIsReadWithoutMarkup(t *testing.T) {
	for _, c := range []struct{ format, content, expected string }{
		{
			"html", "<html><head><title>No</title></head><p>one <b>two</b><pre>code</pre><li>three</html>",
			"one two|three",
		},
		{
			"text", "# Head\n\none [two](https://x.y/z) three\n```go\ncode\n```\n- four <br> five\n",
			"# Head|one [two  three|- four   five",
		},
		{
			"comments", "/** One\n * two.\n * @param x three\n */\ncode() // no\n// four\n// five\ncode\n",
			"One two.|x three|four five",
		},
		{"roff", ".Dd May\n.Sh NAME\n.Nm cat\nreads \\fBfiles\\fR\n.Pp\nand more", "NAME cat reads files|and more"},
		{
			"gloss", "  1 licence\n00001740 03 n 02 spam 0 junk_mail 0 000 | unwanted mail\n",
			"spam junk mail unwanted mail",
		},
	} {
		var found []string
		readers[c.format](c.content, func(paragraph string) {
			if paragraph = strings.TrimSpace(paragraph); paragraph != "" {
				found = append(found, paragraph)
			}
		})
		assert.Equal(t, c.expected, strings.Join(found, "|"), c.format)
	}
}

func TestWordNetIsReadByTheFirstSenses(t *testing.T) {
	net := readWordNet([]member{
		{"x/data.noun", []byte("00000001 06 n 02 car 0 auto 0 001 @ 00000002 n 0000 | a motor vehicle\n" +
			"00000002 06 n 01 vehicle 0 001 ~ 00000001 n 0000 | moves\n" +
			"00000003 06 n 01 car 1 000 | of a train\n00000004 06 n 02 car 2 gondola 0 000 | of a balloon\n" +
			"00000005 04 n 01 sale 0 001 + 00000006 v 0101 | selling\n")},
		{"x/data.verb", []byte("00000006 40 v 02 sell 0 vend 0 001 + 00000005 n 0101 01 + 08 00 | exchange\n")},
		{"x/index.noun", []byte("car n 3 1 @ 3 2 00000001 00000003 00000004\nsale n 1 1 + 1 0 00000005\n")},
		{"x/index.verb", []byte("vend v 1 1 + 1 0 00000006\n")},
	})
	var found []string
	net.each(func(from, to string, kind vectors.Kind) {
		found = append(found, from+" "+to+" "+map[vectors.Kind]string{
			vectors.Synonym: "synonym", vectors.Hypernym: "hypernym", vectors.Derivation: "derivation",
		}[kind])
	})
	assert.Equal(t, []string{
		"car auto synonym", "car vehicle hypernym", "sale sell derivation", "vend sell synonym",
	}, found, "not the third sense, and no derivation of another word of the set")
}

func TestTheRelationsAreThoseOfTheListAndOfWordNet(t *testing.T) {
	list, err := os.ReadFile("../../recall/vectors/synonyms.txt")
	require.NoError(t, err)
	made, err := relations(wordnet{}, nil, string(list))
	require.NoError(t, err)
	file, err := os.ReadFile("../../recall/vectors/relations.bin")
	require.NoError(t, err)
	current := tables.Relations(file)
	for i := range made.Len() {
		name := made.Name(i)
		there, wanted := slices.Collect(current.Edges(name)), slices.Collect(made.Edges(name))
		assert.Subset(t, there, wanted, "%s; run go generate ./recall/vectors", name)
	}
	_, err = relations(wordnet{}, nil, "alone")
	assert.Error(t, err)
}

func FuzzAnyFileIsRead(f *testing.F) {
	f.Add("<p>one<pre>two</p></pre>three")
	f.Add("# Head\n\none [two](https://x.y/z) <br\n```\ncode")
	f.Add("/* one\n// two */\n * @x three */ four")
	f.Add(".It Fl x\n'\n.\n\\fB")
	f.Add("00000001 06 n 02 car 0 auto 0 001 @ 00000002 n 0000 | a motor vehicle")
	f.Add("00000001 06 n 00 9223372036854775807 @ | ")
	f.Fuzz(func(t *testing.T, content string) {
		for format, read := range readers {
			size := 0
			read(content, func(paragraph string) { size += len(paragraph) })
			if size > 4*len(content)+16 {
				t.Errorf("%s: %d bytes were read from %d", format, size, len(content))
			}
		}
		net := readWordNet([]member{{"x/data.noun", []byte(content)}, {"x/index.noun", []byte(content)}})
		net.each(func(string, string, vectors.Kind) {})
	})
}
