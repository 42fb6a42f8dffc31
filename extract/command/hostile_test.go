//go:build !race

// The race detector makes readings slower by factors that differ: times are compared without it.

package command

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/test/hostile"
	"github.com/wm-lsp/wm-lsp/test/slow"
)

// A sample is a labelled output, as far as a reader needs it.
type sample struct {
	Command, Output, Cwd, Root string
}

func samples(tb testing.TB) []sample {
	tb.Helper()
	var all []sample
	for _, name := range []string{"known.jsonl", "aside.jsonl", "planted.jsonl", "held.jsonl"} {
		file, err := os.Open(filepath.Join("testdata", name))
		require.NoError(tb, err)
		defer file.Close()
		lines := bufio.NewScanner(file)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var one sample
			require.NoError(tb, json.Unmarshal(lines.Bytes(), &one))
			all = append(all, one)
		}
		require.NoError(tb, lines.Err())
	}
	return all
}

// read reads a string with one reader, as what the command printed.
func (s sample) read(r *reader, text string) []Error {
	steps := Parse(s.Command).checks()
	if len(steps) == 0 {
		return nil
	}
	code := 1
	t := newTranscript(Output{Stdout: text, ExitCode: &code, Cwd: s.Cwd, Root: s.Root}, known.Get())
	t.step = steps[len(steps)-1]
	_, t.known = t.tools.readersOf(t.step)
	return r.read(t)
}

// A case is a reader of the registry with an output in which it finds errors, and
// what of it is repeated.
type hostileCase struct {
	name   string
	reader *reader
	sample sample
	units  []string
}

func (c hostileCase) read(text string) { c.sample.read(c.reader, text) }

// hostileCases are those of every reader of the registry.
func hostileCases(tb testing.TB) []hostileCase {
	tb.Helper()
	var cases []hostileCase
	all := samples(tb)
	seen := map[*reader]bool{}
	add := func(name string, r *reader) {
		if seen[r] {
			return
		}
		seen[r] = true
		c := hostileCase{name: name, reader: r}
		for _, s := range all {
			if len(s.read(r, s.Output)) > 0 && len(c.units) < 400 {
				if c.units == nil {
					c.sample = s
				}
				c.units = append(c.units, units(s.Output)...)
			}
		}
		assert.NotEmpty(tb, c.units, "no labelled output has an error that reader %s finds", name)
		cases = append(cases, c)
	}
	for _, f := range families {
		for i, r := range f.reads.readers {
			name := f.name
			if name == "" {
				name = f.runs[0].programs
			}
			add(name+" "+string(rune('a'+i)), r)
		}
	}
	add("shell", shells)
	for name := range known.Get().formats() {
		cases = append(cases, hostileCase{
			name: name, sample: sample{Command: "x", Root: "/r", Cwd: "/r"},
			reader: &reader{read: known.Get().errorformatOf(name)},
			units:  hostile.Of("a.txt:1:2: before\n", "src/a.txt:3:4: error: wrong [E12]\n"),
		})
	}
	return cases
}

func units(output string) []string {
	var all []string
	before := ""
	for line := range strings.Lines(output) {
		if len(line) < 1<<10 && strings.TrimSpace(line) != "" {
			all = append(all, hostile.Of(before, line)...)
		}
		before = line
	}
	return all
}

func BenchmarkHostile(b *testing.B) {
	for _, c := range hostileCases(b) {
		b.Run(c.name, func(b *testing.B) { hostile.Benchmark(b, c.units, c.read) })
	}
}

func TestAMegabyteOfWhatAReaderLooksForTakesAtMostTwiceTheTimeOfARegularExpression(t *testing.T) {
	slow.Test(t)
	for _, c := range hostileCases(t) {
		hostile.Quick(t, c.units[:min(len(c.units), 24)], c.read)
	}
}

func TestTheEffectsOfThousandsOfCommandsAreReadFromAMegabyteOfOutputAsFast(t *testing.T) {
	for name, unit := range map[string]string{
		"files that are not there": "cat f" + hostile.Number + ".go;",
		"checkouts":                "git checkout a b" + hostile.Number + ";",
	} {
		t.Run(name, func(t *testing.T) {
			command, code := Parse(hostile.Fill(unit, maxLine)), 1
			units := []string{
				"x y z\n", "cat: f" + hostile.Number + ".go: No such file or directory\n", "Updated 5000 paths\n",
			}
			hostile.Quick(t, units, func(text string) {
				command.Effects(Output{Stdout: text, ExitCode: &code, Cwd: "/r", Root: "/r"})
			})
		})
	}
}

func FuzzTimeGrowsWithTheOutput(f *testing.F) {
	slow.Test(f)
	for _, c := range hostileCases(f) {
		for _, unit := range c.units[:min(len(c.units), 24)] {
			f.Add(c.sample.Command, unit)
		}
	}
	for _, unit := range []string{
		"test a\x1a ... FAILED\nrunning 1 test\n",
		"=====\nFAIL: test_a (b.C)\n",
		"--- FAIL: TestA\x1a (0.00s)\n    testing.go:1: race detected during execution of test\nWARNING: DATA RACE\n",
		"FAILED a.py::test\x1a - wrong\n=== FAILURES ===\n___ test\x1a ___\n=== short test summary info ===\n",
		"--- FAIL: " + strings.Repeat("a/", 1500) + " (0.00s)\n",
		"FAILED a.py::t[" + strings.Repeat(" - ", 1200) + "\n",
	} {
		for _, line := range []string{
			"cargo test", "python -m unittest", "go test", "pytest", strings.Repeat("cat a;", 100),
		} {
			f.Add(line, unit)
		}
	}
	f.Fuzz(func(t *testing.T, line, unit string) {
		command := Parse(line)
		code := 1
		hostile.Linear(t, unit, func(text string) {
			out := Output{Stdout: text, ExitCode: &code, Cwd: "/r/sub", Root: "/r"}
			command.Errors(out)
			command.Effects(out)
			command.Dependencies(out)
			out.Files()
		})
	})
}

func FuzzTimeGrowsWithTheCommandLine(f *testing.F) {
	slow.Test(f)
	for _, unit := range []string{
		"a && ", "$(", "((", "`", "a | ", "<<A\n", "if a; then ", "bash -c '", "\\\n", "x=", "{a,", "a\n", "[[ ",
		"case a in ", "vitest @\x00n -t ok && ",
	} {
		f.Add(unit)
	}
	for _, s := range samples(f)[:100] {
		f.Add(s.Command + " && ")
	}
	f.Fuzz(func(t *testing.T, unit string) {
		hostile.Linear(t, unit, func(text string) { Parse(text[:min(len(text), maxLine/4)]) })
	})
}
