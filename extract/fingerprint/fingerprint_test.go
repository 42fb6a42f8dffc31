package fingerprint_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wm-lsp/wm-lsp/extract/fingerprint"
)

func TestTheSameFailureKeepsItsFingerprint(t *testing.T) {
	tests := map[string][2]string{
		"after lines moved": {"panic at main.go:12:5: boom", "panic at main.go:99:1: boom"},
		"after lines moved in prose": {
			"unexpected EOF on line 3, column 9",
			"unexpected EOF on line 41, column 2",
		},
		"after lines moved in brackets": {"src/a.ts(3,10): x expected", "src/a.ts(14,2): x expected"},
		"with a JSON offset": {
			"Expecting value: line 1 column 1 (char 0)",
			"Expecting value: line 7 column 2 (char 90)",
		},
		"at another address": {"segfault at 0x7f12a4b3c000", "segfault at 0x55d0e1a2b700"},
		"of another object": {
			"got <Foo object at 0x7f1111111111>",
			"got <Foo object at 0x7f2222222222>",
		},
		"after another time":              {"timed out after 2.13s", "timed out after 31.5s"},
		"after another number of minutes": {"timed out after 1m30s", "timed out after 12m4.5s"},
		"in milliseconds":                 {"took 12 ms", "took 98 ms"},
		"at another moment":               {"2026-11-21T00:17:51.76Z refused", "2025-01-02T10:00:00+02:00 refused"},
		"with a time before it":           {"10:11:12 worker died", "23:59:59.123 worker died"},
		"in another temporary folder": {
			"open /tmp/go-build1234/x.go: missing",
			"open /tmp/go-build987/b001/x.go: missing",
		},
		"in another folder of macOS": {
			"open /var/folders/ab/1x/T/a/x.go: missing",
			"open /private/var/folders/cd/2y/T/b/x.go: missing",
		},
		"in a temporary folder of Windows": {
			`open C:\Users\a\AppData\Local\Temp\q1\x.go: missing`,
			`open C:\Users\b\AppData\Local\Temp\q2\x.go: missing`,
		},
		"in a random file": {
			"/tmp/ccgqomp8.o: undefined reference",
			"/tmp/ccAb12Cd.o: undefined reference",
		},
		"in a file with a random part":  {"see /tmp/sphinx-err-0pw0qqiv.log", "see /tmp/sphinx-err-_i9a1dzc.log"},
		"in another process":            {"pid 4711 died", "pid 12 died"},
		"in another thread":             {"thread 'main' (7952) panicked", "thread 'main' (81) panicked"},
		"in colour":                     {"\x1b[31merror:\x1b[0m boom", "boom"},
		"in other white space and case": {"Boom   happened\there", "boom happened here"},
		"with the code of the compiler": {"error TS2304: Cannot find name 'x'.", "Cannot find name 'x'."},
		"with the code of rustc":        {"error[E0425]: cannot find value `x`", "cannot find value `x`"},
		"with the code of mypy":         {`Incompatible types  [assignment]`, `Incompatible types`},
		"with another request id": {
			"request 123e4567-e89b-12d3-a456-426614174000 failed",
			"request 00000000-e89b-12d3-a456-426614174999 failed",
		},
	}
	for name, pair := range tests {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, fingerprint.Of("build", pair[0], "a.go"), fingerprint.Of("build", pair[1], "a.go"),
				"%q and %q", fingerprint.Normalize(pair[0]), fingerprint.Normalize(pair[1]))
		})
	}
}

func TestTwoDifferentFailuresDiffer(t *testing.T) {
	tests := map[string][2]string{
		"in a value":              {"expected 3 got 4", "expected 3 got 5"},
		"in a status":             {"HTTP 404", "HTTP 500"},
		"in a type":               {"cannot use x as type int32", "cannot use x as type int64"},
		"in a short hex number":   {"expected 0xff got 0xfe", "expected 0xff got 0xfd"},
		"in a port":               {"dial example.com:8080 refused", "dial example.com:9090 refused"},
		"in a count of arguments": {"takes 2 positional arguments", "takes 3 positional arguments"},
		"in a name":               {"undefined: a", "undefined: b"},
		"in a temporary file":     {"/tmp/x/a.py missing", "/tmp/x/b.py missing"},
		"in a numbered file":      {"/tmp/x/part1.py missing", "/tmp/x/part2.py missing"},
		"in a last word":          {"missing key [alpha]", "missing key [beta]"},
		"in a version":            {"needs go 1.25", "needs go 1.26"},
		"in an index":             {"Index 5 out of bounds for length 2", "Index 6 out of bounds for length 2"},
		"in a hash":               {"sha256 mismatch", "sha512 mismatch"},
		"in a date":               {"want 2024-01-01", "want 2024-01-02"},
		"in a list":               {"[1, 2, 3] != [1, 2, 4]", "[1, 2, 3] != [1, 2, 5]"},
		"in a test case":          {"TestSub/3: boom", "TestSub/4: boom"},
	}
	for name, pair := range tests {
		t.Run(name, func(t *testing.T) {
			assert.NotEqual(t, fingerprint.Of("test", pair[0], "a.go"), fingerprint.Of("test", pair[1], "a.go"),
				"both are %q", fingerprint.Normalize(pair[0]))
		})
	}
}

func TestAFileInATemporaryFolderIsTheSameInAnother(t *testing.T) {
	assert.Equal(
		t,
		fingerprint.Of("runtime", "boom", "/tmp/pytest-1/x/setup.py"),
		fingerprint.Of("runtime", "boom", "/tmp/pytest-2/y/setup.py"),
	)
}

func TestCategoryAndPathArePartOfTheIdentity(t *testing.T) {
	of := fingerprint.Of
	assert.Equal(t, of("build", "undefined: x", "a/b.go"), of("typecheck", "undefined: x", "a/b.go"))
	assert.Equal(t, of("build", "undefined: x", "a/b.go"), of("build", "undefined: x", "./a/b.go"))
	assert.Equal(t, of("build", "undefined: x", "a/b.go"), of("build", "undefined: x", `a\b.go`))
	assert.NotEqual(t, of("build", "undefined: x", "a/b.go"), of("test", "undefined: x", "a/b.go"))
	assert.NotEqual(t, of("build", "undefined: x", "a/b.go"), of("build", "undefined: x", "a/c.go"))
	assert.NotEqual(t, of("build", "undefined: x", "a/b.go"), of("build", "undefined: x", ""))
	assert.Regexp(t, `^[0-9a-f]{12}$`, of("", "", ""))
}

// TestGeneratedVariants checks that all runs of a failure have the same fingerprint,
// and that different failures have different ones.
func TestGeneratedVariants(t *testing.T) {
	templates := []string{
		"%[2]s.go:%[3]d:%[4]d: undefined: %[1]s",
		"Test%[1]s: open /tmp/run%[3]d/%[2]s.txt: no such file (after %[4]d.%[3]ds)",
		"thread '%[1]s' (%[3]d) panicked at src/%[2]s.rs:%[3]d:%[4]d",
		"%[1]s: expected %[2]s got nil at 0x7f00%08[3]x",
		"2026-01-%02[4]dT10:00:%02[4]dZ %[1]s refused %[2]s",
		"File \"/tmp/pytest-of-me/pytest-%[3]d/%[2]s.py\", line %[4]d, in %[1]s: KeyError",
	}
	names := []string{"alpha", "beta", "gamma", "delta", "epsilon"}
	owner := map[string]string{}
	for n, template := range templates {
		for _, first := range names {
			for _, second := range names {
				failure := fmt.Sprint(n, first, second)
				seen := map[string]bool{}
				for run := 1; run <= 20; run++ {
					print := fingerprint.Of("test", fmt.Sprintf(template, first, second, run*7919, run), "a")
					seen[print] = true
					if other, taken := owner[print]; taken {
						assert.Equal(t, other, failure, "share %s", print)
					}
					owner[print] = failure
				}
				assert.Len(t, seen, 1, "runs of %s", fmt.Sprintf(template, first, second, 1, 1))
			}
		}
	}
}

func FuzzNormalize(f *testing.F) {
	f.Add("error TS2304: Cannot find name 'x' at /tmp/a1/b.ts:3:4 after 2.5s")
	f.Add("\x1b[31mboom\x1b[0m \x00\xff 0xdeadbeef pid 12")
	f.Add(`C:\Users\a\AppData\Local\Temp\x.go:12`)
	f.Fuzz(func(t *testing.T, message string) {
		normal := fingerprint.Normalize(message)
		assert.Equal(t, strings.TrimSpace(normal), normal)
		assert.NotContains(t, normal, "\n")
		assert.Len(t, fingerprint.Of("test", message, "a"), fingerprint.Length)
	})
}

func BenchmarkOf(b *testing.B) {
	messages := map[string]string{
		"plain":    "cannot use x (variable of type int32) as string value in argument to f",
		"volatile": "TestSub/one: open /tmp/run12/x.txt: no such file (after 0.2s) at main.go:12:5",
	}
	for name, message := range messages {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				fingerprint.Of("test", message, "a/b.go")
			}
		})
	}
}
