package prune_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
	"github.com/wm-lsp/wm-lsp/extract/prune"
	"github.com/wm-lsp/wm-lsp/test/slow"
)

const ref = "0123456789abcdef"

var modes = []prune.Mode{prune.Normal, prune.Aggressive, prune.Hyper}

// rules are the default rules of systems.md A8.
var rules = map[prune.Mode]prune.Rule{
	prune.Normal:     {Threshold: 50, Keep: 30},
	prune.Aggressive: {Threshold: 30, Keep: 20},
	prune.Hyper:      {Threshold: 15, Keep: 10},
}

func options(mode prune.Mode) prune.Options {
	return prune.Options{Mode: mode, Rule: rules[mode]}
}

// distinct returns n lines that are not similar.
func distinct(n int) []string {
	lines := make([]string, n)
	for i := range lines {
		lines[i] = fmt.Sprintf("%c%c%d", 'a'+i%26, 'a'+i/26%26, i)
	}
	return lines
}

func text(lines ...string) string { return strings.Join(lines, "\n") + "\n" }

func TestA8_OfALongOutputTheFirstAndTheLastLinesStay(t *testing.T) {
	for mode, keep := range map[prune.Mode]int{prune.Normal: 30, prune.Aggressive: 20, prune.Hyper: 10} {
		t.Run(string(mode), func(t *testing.T) {
			lines := distinct(200)
			got := prune.Prune(text(lines...), options(mode))
			require.True(t, got.Pruned)
			out := strings.Split(got.Output, "\n")
			assert.Equal(t, lines[:keep], out[:keep])
			assert.Equal(t, fmt.Sprintf("[… %d lines]", 200-2*keep), out[keep])
			assert.Equal(t, lines[200-keep:], out[keep+1:])
			assert.Contains(t, got.Kinds, prune.LongOutput)
			assert.Equal(t, 200, got.LinesIn)
			assert.Equal(t, 2*keep+2, got.LinesOut)
			assert.Len(t, strings.Split(got.Noted(ref), "\n"), got.LinesOut)
		})
	}
}

func TestA8_AnOutputUpToTheThresholdStaysWhole(t *testing.T) {
	for _, mode := range modes {
		threshold := rules[mode].Threshold
		whole := text(distinct(threshold)...)
		assert.Equal(t, whole, prune.Prune(whole, options(mode)).Output, mode)
		assert.False(t, prune.Prune(whole, options(mode)).Pruned, mode)
		assert.True(t, prune.Prune(text(distinct(threshold*4)...), options(mode)).Pruned, mode)
	}
}

func TestA8_ErrorsAndTheLinesAroundThemStay(t *testing.T) {
	for _, report := range []string{
		"main.go:12:5: error: no such field",
		"ValueError: too few values",
		"--- FAIL: TestTotal (0.00s)",
		"FAILED tests/test_cart.py::test_total - assert 1 == 2",
		"E       assert 3 == 4",
		"error[E0308]: mismatched types",
		"src/app.ts(3,5): error TS2322: Type 'string' is not assignable",
		"npm ERR! code ELIFECYCLE",
		"panic: runtime error: index out of range",
		"2026-03-01 10:00:01 ERROR could not charge",
		"✗ adds two numbers",
		"make: *** [Makefile:3: all] Error 2",
		"Traceback (most recent call last):",
		"java.lang.NullPointerException: name",
		"not ok 3 - sums",
		"ld: undefined reference to `main'",
		"bash: foo: command not found",
		"2 errors generated.",
		"FAIL\tshop/cart\t0.003s",
		"fatal: not a git repository",
		"main.c:3: Fehler: »x« nicht deklariert",
	} {
		for _, mode := range modes {
			lines := distinct(300)
			lines[150] = report
			got := prune.Prune(text(lines...), options(mode))
			assert.Contains(t, strings.Split(got.Output, "\n"), report, mode)
		}
	}
	lines := distinct(300)
	lines[150] = "ValueError: too few values"
	got := prune.Prune(text(lines...), options(prune.Hyper)).Output
	assert.Contains(t, got, lines[149]+"\nValueError: too few values\n"+lines[151])
}

func TestA8_WhatSaysThatNothingFailedIsNoError(t *testing.T) {
	for _, line := range []string{
		"✓ handles error case", "test_error_handling PASSED", "test_failure (tests.Cart) ... ok",
		"0 errors, 0 failures", "no errors found", "--- PASS: TestError (0.00s)",
	} {
		lines := distinct(300)
		lines[150] = line
		assert.NotContains(t, prune.Prune(text(lines...), options(prune.Hyper)).Output, line)
	}
	printed := options(prune.Hyper)
	printed.Prints = true
	lines := distinct(300)
	lines[150] = "    # the errors that may come back"
	assert.NotContains(t, prune.Prune(text(lines...), printed).Output, lines[150])
}

func TestA8_WhatRepeatsIsFoldedWithACount(t *testing.T) {
	repeated := slices.Repeat([]string{"npm warn deprecated"}, 60)
	block := slices.Repeat([]string{"Linking the module", "  with flags", "  and done"}, 20)
	var served []string
	for i := range 101 {
		served = append(served, fmt.Sprintf("2026-03-01T10:%02d:00Z GET /items/%d took %d ms", i%60, i*7, i))
	}
	for name, c := range map[string]struct {
		lines []string
		want  []string
	}{
		"a line": {repeated, []string{"npm warn deprecated\n[… 59 times more]\n"}},
		"a block": {
			block,
			[]string{"Linking the module\n  with flags\n  and done\n[… these 3 lines 19 times more]\n"},
		},
		"near-identical lines": {served, []string{served[0] + "\n[… 99 more like it]\n" + served[100]}},
		"progress on one line": {
			slices.Repeat([]string{"10%\r 50%\rdone: 12 files in all"}, 60),
			[]string{"done: 12 files in all\n[… 59 times more]"},
		},
		"the same error": {
			slices.Repeat([]string{"error: disk is full"}, 60),
			[]string{"error: disk is full\n[… 59 times more]"},
		},
		"lines of base64": {
			slices.Repeat([]string{"MIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQ"}, 60),
			[]string{"[… 59 times more]"},
		},
		"but no names of a list": {func() (l []string) {
			for i := range 60 {
				l = append(l, fmt.Sprintf("src/part%d.go", i))
			}
			return l
		}(), []string{"src/part0.go\nsrc/part1.go\nsrc/part2.go"}},
	} {
		t.Run(name, func(t *testing.T) {
			lines := slices.Concat([]string{"begins"}, c.lines, []string{"ends"})
			got := prune.Prune(text(lines...), options(prune.Normal)).Noted(ref)
			for _, want := range c.want {
				assert.Contains(t, got, want)
			}
			assert.Contains(t, got, "begins")
			assert.Contains(t, got, "ends")
		})
	}
}

func TestA8_RepeatsAnywhereAreFilteredUnderPressure(t *testing.T) {
	var lines []string
	for _, name := range distinct(40) {
		lines = append(lines, name, "waiting for the lock to be free")
	}
	assert.Greater(t, strings.Count(prune.Prune(text(lines...), options(prune.Normal)).Output, "waiting"), 20)
	assert.Equal(t, 1, strings.Count(prune.Prune(text(lines...), options(prune.Aggressive)).Output, "waiting"))
}

func expressions(t *testing.T, sources ...string) []*pattern.Expression {
	var list []*pattern.Expression
	for _, text := range sources {
		e, err := pattern.NewExpression(text)
		require.NoError(t, err)
		list = append(list, e)
	}
	return list
}

func TestA15_LinesThatAreAskedForStayAndNoiseNeverDoes(t *testing.T) {
	lines := distinct(200)
	lines[0] = "[beat] the first"
	lines[90] = "checkpoint written at step 90 of all"
	lines[91] = "checkpoint written at step 91 of all"
	lines[92] = "checkpoint written at step 92 of all"
	lines[93] = "checkpoint written at step 93 of all"
	lines[94] = "checkpoint written at step 94 of all"
	lines[120] = "[beat] and checkpoint"
	lines[149] = "[beat] beside it"
	lines[150] = "[beat] error: the disk is full"
	lines[199] = "[beat] the last"
	for _, mode := range []prune.Mode{prune.Normal, prune.Aggressive, prune.Hyper} {
		o := options(mode)
		o.Always, o.Never = expressions(t, "^checkpoint", "checkpoint$"), expressions(t, `^\[beat\]`, `nothing like it`)
		result := prune.Prune(text(lines...), o)
		require.True(t, result.Pruned, mode)
		for _, kept := range append(lines[90:95:95], lines[120], lines[150]) {
			assert.Contains(t, result.Output, kept+"\n", mode)
		}
		for _, gone := range []string{lines[0], lines[149], lines[199]} {
			assert.NotContains(t, result.Output, gone, mode)
		}
		assert.Equal(t, 200, result.LinesIn, mode)
	}
}

func TestA15_NoiseStaysInAShortOutputAndAllOfALongOneCanBeNoise(t *testing.T) {
	o := options(prune.Normal)
	o.Never = expressions(t, "line|file|x")
	short := text("a line", "another line")
	assert.Equal(t, short, prune.Prune(short, o).Output)

	o.Never = expressions(t, "^")
	result := prune.Prune(text(distinct(200)...), o)
	require.True(t, result.Pruned)
	assert.Empty(t, result.Output)
	assert.True(t,
		strings.HasPrefix(result.Noted(strings.Repeat("0", prune.RefLength)), "[pruned by wm-lsp: 0 of 200 lines;"))
	assert.True(t, prune.IsPruned(result.Noted(strings.Repeat("0", prune.RefLength))))
}

func TestKindsAreRecognised(t *testing.T) {
	blob, err := json.Marshal(map[string]any{"items": distinct(600)})
	require.NoError(t, err)
	for name, c := range map[string]struct {
		text string
		kind prune.Kind
	}{
		"a listing of names": {text(distinct(80)...), prune.Listing},
		"ls -l": {"total 80\n" + strings.Repeat(
			"-rw-r--r-- 1 dev dev 120 Mar  1 10:00 a.go\ndrwxr-xr-x 2 dev dev 64 Mar  1 10:00 b\n", 40), prune.Listing},
		"a tree":            {".\n" + strings.Repeat("├── src\n│   ├── a.go\n│   └── b.go\n", 30), prune.Tree},
		"a log with times":  {strings.Repeat("2026-03-01T10:00:00Z INFO served a page\n", 80), prune.Log},
		"a log with levels": {strings.Repeat("INFO  served\nWARN  slow\n", 40), prune.Log},
		"a Python traceback": {"Traceback (most recent call last):\n" + strings.Repeat(
			"  File \"a.py\", line 3, in f\n    g()\n", 40) + "KeyError: 1\n", prune.StackTrace},
		"a JavaScript stack": {
			"TypeError: x\n" + strings.Repeat("    at f (/home/dev/a.js:3:5)\n", 80),
			prune.StackTrace,
		},
		"goroutines": {
			strings.Repeat("goroutine 7 [running]:\nmain.f()\n\t/home/dev/a.go:3 +0x1d\n", 40),
			prune.StackTrace,
		},
		"repetition":            {strings.Repeat("still waiting\n", 80), prune.Repetition},
		"a long output":         {text(distinct(80)...), prune.LongOutput},
		"a JSON blob":           {string(blob), prune.JSON},
		"JSON on several lines": {"{\n  \"a\": [\n" + strings.Repeat("    1,\n", 80) + "    2\n  ]\n}\n", prune.JSON},
		"JSON lines":            {strings.Repeat(`{"Action":"run","Test":"A"}`+"\n", 80), prune.JSON},
		"base64 on one line": {
			"data:image/png;base64," + strings.Repeat("iVBORw0KGgoAAAANSUhEUgAA", 100),
			prune.Base64,
		},
		"base64 on several lines": {
			strings.Repeat("MIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQ\n", 60),
			prune.Base64,
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := prune.Prune(c.text, options(prune.Normal))
			assert.Contains(t, got.Kinds, c.kind)
			assert.True(t, got.Pruned)
		})
	}
	assert.Empty(t, prune.Prune("ok\n", options(prune.Normal)).Kinds)
}

func TestALongLineIsCutInItsMiddle(t *testing.T) {
	long := strings.Repeat("a word and ", 1000)
	got := prune.Prune(long, options(prune.Normal))
	assert.True(t, got.Pruned)
	assert.Less(t, got.CharsOut, 700)
	assert.Regexp(t, `^a word .*\[… \d+ characters\].* and $`, got.Output+" ")

	fault := long + "TypeError: x is not a function " + long
	got = prune.Prune(fault, options(prune.Hyper))
	assert.Contains(t, got.Output, "TypeError: x is not a function")
	assert.Less(t, got.CharsOut, 2300)
}

func TestAListingSaysWhatWasLeftOut(t *testing.T) {
	lines := distinct(300)
	for i := range lines {
		lines[i] += []string{".go", ".go", ".md"}[i%3]
	}
	assert.Contains(t, prune.Prune(text(lines...), options(prune.Normal)).Output, "[… 240 lines: 160 .go, 80 .md]")
}

func TestThePrunedOutputSaysHowToReadTheRest(t *testing.T) {
	got := prune.Prune(text(distinct(200)...), options(prune.Normal))
	noted := got.Noted(ref)
	assert.True(t, strings.HasSuffix(noted, "\n[pruned by wm-lsp: 61 of 200 lines; all: wm/output/read ref "+ref+"]"),
		noted)
	assert.Equal(t, utf8.RuneCountInString(noted), got.CharsOut)
}

func TestSyntheticOutputIsLeftAlone(t *testing.T) {
	whole, synthetic := text(distinct(500)...), options(prune.Hyper)
	synthetic.Synthetic = true
	got := prune.Prune(whole, synthetic)
	assert.False(t, got.Pruned)
	assert.Equal(t, whole, got.Output)
}

func TestBadInputIsPrunedAndBounded(t *testing.T) {
	for name, bad := range map[string]string{
		"nothing":               "",
		"line breaks":           strings.Repeat("\n", slow.Rounds(2<<20)),
		"two short lines":       strings.Repeat("a\nb\n", slow.Rounds(1<<19)),
		"16 MB on one line":     strings.Repeat("x", slow.Rounds(16<<20)),
		"NUL bytes":             strings.Repeat("\x00", slow.Rounds(1<<20)),
		"broken UTF-8":          strings.Repeat("\xff\xfe\xe2\x82 error \xf0\x9f\n", 1000),
		"half an escape":        strings.Repeat("\x1b[31", 1000),
		"carriage returns":      strings.Repeat("\r", slow.Rounds(1<<20)) + "\n",
		"mixed encodings":       strings.Repeat("caf\xe9 é 日本\n", 500),
		"brackets, very nested": strings.Repeat("[", slow.Rounds(1<<20)),
	} {
		t.Run(name, func(t *testing.T) {
			for _, mode := range modes {
				got := prune.Prune(bad, options(mode))
				assert.LessOrEqual(t, len(got.Noted(ref)), len(bad))
				assert.LessOrEqual(t, got.CharsOut, got.CharsIn)
			}
		})
	}
}

// An output is one record of testdata.
type output struct {
	ID       string `json:"id"`
	Command  string `json:"command"`
	ExitCode int    `json:"exit_code"`
	Output   string `json:"output"`
}

func outputs(tb testing.TB) []output {
	tb.Helper()
	file, err := os.Open("testdata/outputs.jsonl")
	require.NoError(tb, err)
	defer file.Close()
	var all []output
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var one output
		require.NoError(tb, json.Unmarshal(lines.Bytes(), &one))
		all = append(all, one)
	}
	require.NoError(tb, lines.Err())
	require.NotEmpty(tb, all)
	return all
}

// printing matches the commands of testdata that print and search files.
var printing = regexp.MustCompile(`^(?:cat|nl|sed|grep|ls|find|git|go list|go doc)\b`)

// failing matches obvious error lines. It is independent of the rules of the package.
var failing = regexp.MustCompile(`(?m)^(?:.*\.(?:go|py|c|js):\d+(?::\d+)?: (?:.* )?[eE]rror\b.*|E   .*|.*\b(?:FAILED|` +
	`ERROR)\b.*|(?:[\w.]+\.)?\w+(?:Error|Exception): .*|` +
	`\s*--- FAIL.*|FAIL\b.*|panic: .*|make.*\*\*\* .*|npm ERR!.*|Traceback .*)$`)

func TestBars(t *testing.T) {
	for mode, bar := range map[prune.Mode]float64{prune.Normal: 0.70, prune.Aggressive: 0.82, prune.Hyper: 0.90} {
		in, out, lost, found := 0, 0, 0, 0
		for _, o := range outputs(t) {
			with := options(mode)
			with.Prints = printing.MatchString(o.Command)
			got := prune.Prune(o.Output, with)
			if got.LinesIn > 100 {
				in, out = in+got.CharsIn, out+got.CharsOut
			}
			assert.Equal(t, got.CharsOut, utf8.RuneCountInString(got.Noted(ref)), o.ID)
			if o.ExitCode == 0 {
				continue
			}
			left := strings.Split(got.Output, "\n")
			for _, line := range failing.FindAllString(o.Output, -1) {
				found++
				if !slices.Contains(left, strings.TrimRight(line, " \t\r")) {
					lost++
					t.Errorf("%s, %s: lost %q", o.ID, mode, line)
				}
			}
		}
		shorter := 1 - float64(out)/float64(in)
		t.Logf("%s: %.1f %% shorter, %d of %d error lines lost", mode, 100*shorter, lost, found)
		assert.GreaterOrEqual(t, shorter, bar, mode)
		assert.Positive(t, found)
	}
}

func TestPruningTwiceChangesNothingMore(t *testing.T) {
	for _, o := range outputs(t) {
		for _, first := range modes {
			once := prune.Prune(o.Output, options(first))
			for _, second := range modes {
				again := prune.Prune(once.Noted(ref), options(second))
				if once.Pruned {
					assert.Equal(t, once.Noted(ref), again.Noted(ref), o.ID)
					assert.False(t, again.Pruned)
				}
			}
		}
	}
}

func FuzzPrune(f *testing.F) {
	for _, o := range outputs(f)[:10] {
		f.Add(o.Output[:min(len(o.Output), 2000)], uint8(0))
	}
	f.Add(strings.Repeat("a\r\n\x1b[1mError\xff\n", 60), uint8(2))
	f.Fuzz(func(t *testing.T, whole string, n uint8) {
		mode := modes[int(n)%len(modes)]
		got := prune.Prune(whole, options(mode))
		noted := got.Noted(ref)
		switch {
		case !got.Pruned && got.Output != whole:
			t.Fatal("changed what was not pruned")
		case utf8.RuneCountInString(noted) > utf8.RuneCountInString(whole):
			t.Fatal("longer than the input")
		case got.Pruned && utf8.RuneCountInString(noted) != got.CharsOut:
			t.Fatal("counted wrongly")
		case got.Pruned && prune.Prune(noted, options(mode)).Pruned:
			t.Fatal("pruned again")
		}
	})
}

func BenchmarkPrune(b *testing.B) {
	var all strings.Builder
	for _, o := range outputs(b) {
		all.WriteString(o.Output)
	}
	for name, text := range map[string]string{"4KB": all.String()[:4<<10], "512KB": all.String()} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				prune.Prune(text, options(prune.Normal))
			}
		})
	}
}
