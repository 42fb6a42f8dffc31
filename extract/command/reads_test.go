package command_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wm-lsp/wm-lsp/extract/command"
)

func TestACommandThatShowsAFileReadsIt(t *testing.T) {
	for line, want := range map[string]bool{
		"cat a.go": true, "cd x && sed -n '1,200p' a.go": true, "nl -ba a.go": true, "head -50 a.go": true,
		"cat a.go | grep x": false, "sed -i s/a/b/ a.go": false, "ls": false, "go test ./...": false, "": false,
		"cd x": false, "git log": false,
	} {
		assert.Equal(t, want, command.Parse(line).Reads(), line)
	}
}
