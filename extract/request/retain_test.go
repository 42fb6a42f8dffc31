package request_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/extract/request"
)

func TestB2_RequestsInOtherImagesAreHeardAndWhatOnlySoundsLikeOneIsNot(t *testing.T) {
	text, err := os.ReadFile("testdata/retained.tsv")
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.SplitN(strings.TrimSpace(line), "\t", 3)
		require.Len(t, fields, 3, line)
		assert.Equal(t, fields[0] == "1", len(request.Requests(fields[2], request.Before{})) > 0, line)
	}
}

func TestB2_WhatIsKeptOfARequestInOtherImagesIsItsContent(t *testing.T) {
	for message, want := range map[string]request.Request{
		"Could you hold on to the fact that customer ids are UUIDs?": {Text: "customer ids are UUIDs"},
		"Make it a habit to run the linter before you push.": {
			Type: request.Feedback, Text: "run the linter before you push.",
		},
		"Our staging cluster has two nodes, so keep that fact around.": {Text: "Our staging cluster has two nodes"},
		"Das solltest du dir einprägen: Releases gibt es nur dienstags.": {
			Text: "Releases gibt es nur dienstags.",
		},
		"把这个记下来：日志保留三十天。": {Text: "日志保留三十天。"},
	} {
		found := request.Requests(message, request.Before{})
		if assert.Len(t, found, 1, message) {
			assert.Equal(t, want.Text, found[0].Text, message)
			if want.Type != "" {
				assert.Equal(t, want.Type, found[0].Type, message)
			}
		}
	}
}
