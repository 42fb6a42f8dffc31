package request_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
	"github.com/wm-lsp/wm-lsp/extract/request"
)

func TestB16_OwnWordingsFindWishesInWhatAUserSays(t *testing.T) {
	wording := func(kind, text string) request.Wording {
		e, err := pattern.NewExpression(text)
		require.NoError(t, err)
		return request.Wording{Line: e, Type: kind}
	}
	fyi, law := wording("project", `(?i)^fyi[:,] (.+)$`), wording("feedback", `house rule \d+ is .+`)
	message := "Hello\n\n- FYI: the gate closes at nine \n* house rule 7 is no tabs\nfyi, the gate closes at nine\n" +
		"> FYI: quoted\n\n```\nFYI: code\n```\nA FYI: inside\n"
	assert.Equal(
		t,
		[]request.Request{
			{Type: "feedback", Text: "house rule 7 is no tabs"},
			{Type: "project", Text: "the gate closes at nine"},
		},
		request.Own(message, []request.Wording{law, fyi}, nil),
	)
	assert.Empty(
		t,
		request.Own(
			message,
			[]request.Wording{fyi},
			[]request.Request{{Type: "project", Text: "the gate closes at nine"}},
		),
		"it is known",
	)
	assert.Empty(t, request.Own(message, nil, nil))

	var many strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&many, "FYI: number %d\n", i)
	}
	assert.Len(t, request.Own(many.String(), []request.Wording{fyi}, nil), 50)
}
