// Package hostile makes the strings that cost a careless reader the most, a part of
// what it looks for again and again, and checks that the time to read them grows in
// proportion to their length.
package hostile

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Number stands in a unit for the number of its repetition, so that no two are alike.
const Number = "\x1a"

// Fill repeats a unit up to a size in bytes.
func Fill(unit string, size int) string {
	if unit == "" {
		unit = " "
	}
	var b strings.Builder
	b.Grow(size + len(unit))
	for n := 1; b.Len() < size; n++ {
		b.WriteString(strings.ReplaceAll(unit, Number, strconv.Itoa(n)))
	}
	return b.String()[:size]
}

// Of returns the units that one line of what a reader reads gives: the line with a
// line behind it that belongs to nothing, the line before it and the line, the line
// with one of its words numbered, and a part of it over and over.
func Of(before, line string) []string {
	line = strings.TrimSuffix(line, "\n") + "\n"
	units := []string{line + "12:00:" + Number + " INFO done\n", before + line, strings.TrimSuffix(line, "\n")}
	words := strings.Fields(line)
	for _, word := range words[:min(len(words), 4)] {
		units = append(units,
			strings.Replace(line, word, word+Number, 1),
			strings.Replace(line, word, strings.Repeat(word+" ", 1+4<<10/(len(word)+1)), 1),
		)
	}
	return units
}

const (
	short  = 8 << 10
	factor = 8
	// tolerated is how many times as long the longer text may take. In proportion it
	// takes factor times as long, with the square of its length 64 times.
	tolerated = 4 * factor
	attempts  = 6
	// dearest is how many times as long as a regular expression a reader may take: time in
	// proportion to the text is of no use if each byte costs what a page should.
	dearest = 48
	// usual is how many times as long as a regular expression a reader may take for a megabyte of
	// what it looks for. They take up to 1.1 times as long when others use the caches and the memory.
	usual = 2
	// unmeasurable is what takes too little time to be compared.
	unmeasurable = 3 * time.Millisecond
)

// Linear fails the test if the time that read takes grows faster than the text, or if a
// byte of it costs too much.
// What else the machine does can only make a reading slower: the fastest of several
// attempts counts.
func Linear(tb testing.TB, unit string, read func(text string)) {
	tb.Helper()
	one, other := Fill(unit, short), Fill(unit, factor*short)
	fastest, slowest := took(read, one), took(read, other)
	grows := func() bool { return slowest > unmeasurable && slowest > tolerated*fastest }
	for attempt := 0; attempt < attempts && grows(); attempt++ {
		fastest, slowest = min(fastest, took(read, one)), min(slowest, took(read, other))
	}
	if slowest > unmeasurable {
		expected := took(expression, other)
		for attempt := 0; attempt < attempts && slowest > dearest*expected; attempt++ {
			slowest, expected = min(slowest, took(read, other)), max(expected, took(expression, other))
		}
		if slowest > dearest*expected {
			tb.Errorf("%d KB take %v, a regular expression %v: more than %d times as long for %q",
				factor*short>>10, slowest, expected, dearest, unit)
		}
	}
	if !grows() {
		return
	}
	tb.Errorf("%d KB take %v, %d KB take %v: %.0f times as long for %d times as much of %q",
		short>>10, fastest, factor*short>>10, slowest, float64(slowest)/float64(fastest), factor, unit)
}

// reference is an expression that matches nothing in the strings and is tried at every
// byte of them, which takes 30 ns a byte where a megabyte may take 30 ms.
var reference = regexp.MustCompile(`(?:[^\x00]?){4}\x00`)

func expression(text string) { reference.MatchString(strings.ReplaceAll(text, "\x00", " ")) }

// Quick fails the test if read takes more than twice as long for a megabyte as a regular
// expression does in the same run. It tries the slowest of the units.
func Quick(tb testing.TB, units []string, read func(text string)) {
	tb.Helper()
	text := Fill(Slowest(units, read), 1<<20)
	var fastest, expected time.Duration
	for attempt := range attempts {
		one, other := took(read, text), took(expression, text)
		if attempt == 0 || one < fastest {
			fastest = one
		}
		if attempt == 0 || other < expected {
			expected = other
		}
		if fastest <= usual*expected {
			return
		}
	}
	tb.Errorf("1 MB takes %v, a regular expression %v: more than %d times as long for %.200q",
		fastest, expected, usual, text)
}

// Slowest returns the unit of which read takes the longest.
func Slowest(units []string, read func(text string)) string {
	var slowest string
	var longest time.Duration
	for i, unit := range units {
		text := Fill(unit, short)
		if d := min(took(read, text), took(read, text)); i == 0 || d > longest {
			slowest, longest = unit, d
		}
	}
	return slowest
}

// Benchmark measures the slowest of the units at 64 KB and at a megabyte.
func Benchmark(b *testing.B, units []string, read func(text string)) {
	unit := Slowest(units, read)
	for _, size := range []int{64 << 10, 1 << 20} {
		text := Fill(unit, size)
		b.Run(fmt.Sprintf("%dKB", size>>10), func(b *testing.B) {
			b.SetBytes(int64(size))
			for b.Loop() {
				read(text)
			}
		})
	}
}
