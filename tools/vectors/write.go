package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/wm-lsp/wm-lsp/recall/vectors/tables"
)

// A training configures how vectors are made of a corpus. Changing anything changes the tables.
type training struct {
	least     uint64 // how often a term has to be found
	counting  counting
	factoring factoring
}

// standard is how the tables of the product are made.
var standard = training{
	least:     8,
	counting:  counting{words: 20000, contexts: 12000, window: 5, least: 8, smoothing: 0.75},
	factoring: factoring{dimensions: tables.Dimensions, extra: 32, rounds: 2, power: 0.25, seed: 15},
}

// common is how frequent a term is, as a share of all, that weighs half.
const common = 1e-3

// step is what a number of a stored vector stands for; 7 of them are 2.9 standard deviations.
const step = 0.03

// train returns the file of vectors.
func train(c corpus, how training) (tables.Vectors, error) {
	found := factor(information(c, how.counting), how.factoring)
	found.normalize()
	found.center()
	found.normalize()
	found = found.timesSquare(rotation(found.width, how.factoring.seed))
	var total float64
	for _, count := range c.counts {
		total += float64(count)
	}
	rows := map[string]tables.Row{}
	for i := range found.rows {
		row := tables.Row{Weight: uint8(math.Round(255 * common / (common + float64(c.counts[i])/total)))}
		known := false
		for j, value := range found.row(i) {
			row.Numbers[j] = int8(math.Round(max(-7, min(7, float64(value)/step))))
			known = known || row.Numbers[j] != 0
		}
		if known {
			rows[c.terms[i]] = row
		}
	}
	return tables.MakeVectors(rows)
}

// normalize gives each row the length 1, if it has one.
func (m dense) normalize() {
	for i := range m.rows {
		row := m.row(i)
		var square float64
		for _, value := range row {
			square += float64(float64(value) * float64(value))
		}
		if square == 0 {
			continue
		}
		length := math.Sqrt(square)
		for j, value := range row {
			row[j] = float32(float64(value) / length)
		}
	}
}

// center takes from each row the mean of all: what they have in common says nothing.
func (m dense) center() {
	mean := make([]float64, m.width)
	for i := range m.rows {
		for j, value := range m.row(i) {
			mean[j] += float64(value)
		}
	}
	for i := range m.rows {
		row := m.row(i)
		for j := range row {
			row[j] -= float32(mean[j] / float64(m.rows))
		}
	}
}

// rotation returns an orthogonal matrix of random directions. It spreads what the vectors say
// evenly over their numbers, so that few bits for each are enough.
func rotation(width int, seed uint64) [][]float64 {
	random := rand.New(rand.NewPCG(seed, 1))
	square := newDense(width, width)
	for i := range square.values {
		var sum float64 // of twelve: about normally distributed
		for range 12 {
			sum += random.Float64() - 0.5
		}
		square.values[i] = float32(sum)
	}
	square = square.orthonormal()
	rows := make([][]float64, width)
	for i := range rows {
		rows[i] = make([]float64, width)
		for j, value := range square.row(i) {
			rows[i][j] = float64(value)
		}
	}
	return rows
}

// write makes all files of package vectors in the folder, whose synonyms.txt it reads.
func write(ctx context.Context, cache, folder string, sources []source, how training) error {
	list, err := os.ReadFile(filepath.Join(folder, "synonyms.txt"))
	if err != nil {
		return err
	}
	if err := check(cache, sources); err != nil {
		return err
	}
	c, err := readCorpus(ctx, cache, sources, how.least)
	if err != nil {
		return err
	}
	fmt.Printf("%d terms in the texts, %d of them different\n", len(c.text), len(c.terms))
	trained, err := train(c, how)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, "vectors.bin"), []byte(trained), 0o644); err != nil {
		return err
	}
	return writeRelations(ctx, cache, folder, sources, string(list), trained)
}

// writeRelations makes the file of relations and NOTICE.
func writeRelations(ctx context.Context, cache, folder string, sources []source, list string,
	trained tables.Vectors,
) error {
	var net wordnet
	var licence string
	for _, s := range sources {
		if s.format != "gloss" {
			continue
		}
		s.files = "usr/share/wordnet/{data,index}.{noun,verb,adj,adv}"
		files, err := members(ctx, cache, s)
		if err != nil {
			return err
		}
		net = readWordNet(files)
		licence = licenceOf(files)
	}
	known := map[string]bool{}
	for i := range trained.Len() {
		known[trained.Term(i)] = true
	}
	made, err := relations(net, known, list)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, "relations.bin"), []byte(made), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "NOTICE"), []byte(notice(sources, licence)), 0o644)
}

// notice returns what the tables are made of.
func notice(sources []source, licence string) string {
	var text strings.Builder
	text.WriteString("vectors.bin was computed from the documentation in these packages; it has none of their text.\n" +
		"relations.bin has relations of WordNet, whose licence is below, and those of synonyms.txt.\n\n")
	listed := map[string]bool{}
	for _, s := range sources {
		line := fmt.Sprintf("%s  %s %s  %s\n", s.registry, s.name, s.version, s.licence)
		if !listed[line] {
			listed[line] = true
			text.WriteString(line)
		}
	}
	text.WriteString("\n" + licence)
	return text.String()
}

// licenceOf returns the licence of WordNet, which begins each of its files: lines that begin
// with spaces and a number.
func licenceOf(files []member) string {
	var text strings.Builder
	for line := range strings.Lines(string(files[0].content)) {
		if !strings.HasPrefix(line, "  ") {
			break
		}
		_, rest, _ := strings.Cut(strings.TrimLeft(line, " "), " ")
		text.WriteString(strings.TrimRight(rest, " \n") + "\n")
	}
	return text.String()
}
