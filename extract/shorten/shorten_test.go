package shorten

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestATextIsShortened(t *testing.T) {
	cases := []struct {
		name, got, want string
	}{
		{"white space is one space", Line(" a\t b\r\n\u00a0c "), "a b c"},
		{"a text that fits is as it was", Chars("four", 4), "four"},
		{"the ellipsis counts", Chars("fives", 4), "fiv…"},
		{"characters are not bytes", Chars("日本語です", 4), "日本語…"},
		{"a text of one character", Chars("ab", 1), "…"},
		{"an empty text", Chars("", 1), ""},
		{"bytes that fit", Bytes("日本", 6), "日本"},
		{"no character is cut", Bytes("日本語", 8), "日…"},
		{"letters beside the ellipsis", Bytes("abcdef", 5), "ab…"},
		{"a list that fits", List([]string{"a", "b"}, 2), "a, b"},
		{"a list that is too long", List([]string{"a", "b", "c"}, 2), "a, b, …"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if c.got != c.want {
				t.Errorf("got %q, want %q", c.got, c.want)
			}
		})
	}
}

func FuzzShorten(f *testing.F) {
	f.Add("日本語 text", uint8(4))
	f.Fuzz(func(t *testing.T, text string, limit uint8) {
		max := int(limit) + 3
		if !utf8.ValidString(text) {
			return
		}
		if got := Chars(text, max); utf8.RuneCountInString(got) > max || !utf8.ValidString(got) {
			t.Errorf("Chars(%q, %d) = %q", text, max, got)
		}
		if got := Bytes(text, max); len(got) > max || !utf8.ValidString(got) {
			t.Errorf("Bytes(%q, %d) = %q", text, max, got)
		}
		if got := Line(text); strings.ContainsAny(got, "\n\t") {
			t.Errorf("Line(%q) = %q", text, got)
		}
	})
}
