package command_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wm-lsp/wm-lsp/extract/command"
)

func TestWhatAPersonTellsOfAnError(t *testing.T) {
	for message, want := range map[string]string{
		"I get TypeError: x is not a function when I save the form.":     "TypeError: x is not a function",
		"it throws `ValueError: bad price`, please look":                 "ValueError: bad price",
		"Beim Speichern kommt java.io.IOException: disk full":            "java.io.IOException: disk full",
		"build fails:\nerror TS2304: Cannot find name 'total'.\nfix it":  "error TS2304: Cannot find name 'total'",
		"panic: runtime error: index out of range":                       "panic: runtime error: index out of range",
		"保存時に TypeError: x is undefined":                                 "TypeError: x is undefined",
		"Rename the class ParseError to SyntaxError.":                    "",
		"Should TypeError: x be caught here?":                            "",
		"raise ValueError when the price is negative":                    "",
		"the error: handle it":                                           "",
		strings.Repeat("A long issue. ", 80) + "\nValueError: bad price": "",
	} {
		assert.Equal(t, want, strings.Join(command.Told(message), "|"), message)
	}
}

func TestAPersonSaysThatAnErrorIsGone(t *testing.T) {
	for message, want := range map[string]bool{
		"Thanks, it works now.": true, "The TypeError is gone": true, "it's fixed now, go on": true,
		"Läuft wieder, danke": true, "ya funciona": true, "修好了": true, "直りました": true,
		"Make it work": false, "fix the working directory": false, "the files are in src": false,
	} {
		assert.Equal(t, want, command.ToldGone(message), message)
	}
}
