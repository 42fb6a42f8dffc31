package service

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wm-lsp/wm-lsp/server/wire"
)

func TestALimitIsTheDefaultIfItIsZeroAndWithinTheRangeThatAFaultNames(t *testing.T) {
	f := newFace(t)
	get[wire.SessionStartResult](f, "wm/session/start", &wire.SessionStartParams{
		Params: wire.Params{SessionID: "s"}, History: true,
	})
	f.memorize(`{"text": "The staging server listens on port 8080"}`)
	for _, c := range []struct {
		name   string
		params func(limit int) Params
		most   int // 0 without an upper bound
		want   string
	}{
		{"wm/search", func(n int) Params { return &wire.SearchParams{Query: "staging", Limit: n} }, maxHits,
			"limit: must be 0 to 100"},
		{"wm/context", func(n int) Params { return &wire.ContextParams{Query: "staging", TopK: n} }, maxTopK,
			"topK: must be 0 to 50"},
		{"wm/skills", func(n int) Params { return &wire.SkillsParams{Limit: n} }, maxSkills, "limit: must be 0 to 200"},
		{"wm/history/compact", func(n int) Params {
			return &wire.HistoryCompactParams{
				Params: wire.Params{SessionID: "s"}, Target: wire.TargetAll, KeepRecent: n,
			}
		}, maxKeepRecent, "keepRecent: must be 0 to 10000"},
		{"wm/trace", func(n int) Params { return &wire.TraceParams{Limit: n} }, 0, "limit: must be 0 or more"},
		{"wm/files/list", func(n int) Params { return &wire.FilesListParams{Limit: n} }, 0, "limit: must be 0 or more"},
	} {
		for _, n := range []int{0, 1, max(1, c.most)} {
			_, err := f.call(c.name, c.params(n))
			assert.NoError(t, err, "%s with %d", c.name, n)
		}
		wrong := []int{-1}
		if c.most > 0 {
			wrong = append(wrong, c.most+1)
		}
		for _, n := range wrong {
			_, err := f.call(c.name, c.params(n))
			assert.ErrorContains(t, err, c.want, "%s with %d", c.name, n)
		}
	}
}
