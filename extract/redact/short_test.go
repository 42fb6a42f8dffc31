package redact

import (
	"strings"
	"testing"
)

func TestAPasswordInAListOfWordsIsRedactedWhole(t *testing.T) {
	for text, want := range map[string]string{
		`["mysql", "-u", "root", "-p", "sushi99xyz"]`: `["mysql", "-u", "root", "-p", "[redacted:secret]"]`,
		`["mysql","-u","root","-p","sushi99xyz"]`:     `["mysql","-u","root","-p","[redacted:secret]"]`,
		`["mysql", "-u", "root", "-p", "`:             `["mysql", "-u", "root", "-p", "`,
		`["-p", "`:                                    `["-p", "`,
		`["mkdir", "-p", "build/out"]`:                `["mkdir", "-p", "build/out"]`,
	} {
		if got, _ := Text(text); got != want {
			t.Errorf("%s becomes %s, not %s", text, got, want)
		}
	}
}

// FuzzShortWord checks that a key of few letters, which is not looked at, would not be redacted.
func FuzzShortWord(f *testing.F) {
	for _, seed := range []string{"", "password", "apiKey", "Authorization", "AKIAABCDEFGHIJKL", "secretSecret"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, word string) {
		if !isShortWord(word) {
			return
		}
		if clean, n := Text(word); n > 0 {
			t.Fatalf("%q is redacted to %q", word, clean)
		}
	})
}

func TestTheWordsThatRulesLookForAreNoSecrets(t *testing.T) {
	for _, m := range table.Get().index.marks {
		for _, word := range []string{m.trigger, strings.ToUpper(m.trigger), m.trigger + "abcdefgh"} {
			if clean, n := Text(word); isShortWord(word) && n > 0 {
				t.Errorf("%q is redacted to %q", word, clean)
			}
		}
	}
}
