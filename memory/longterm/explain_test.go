package longterm

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAnExplanationTellsWhatHappenedToAnEntry(t *testing.T) {
	was := time.Local
	time.Local = time.UTC
	t.Cleanup(func() { time.Local = was })

	f := newFixture(t)
	receipts, _ := f.apply(f.room.Add(Addition{
		Text: "Prices are *cents*", Rationale: "floats lose some", Type: "decision", Pinned: true,
		Session: "s", Agent: "coder",
	}))
	id := receipts[0].ID
	better := "Prices are whole cents"
	f.apply(f.room.Update(id, Patch{Text: &better}))
	explained, err := f.room.Explain(id)
	require.NoError(t, err)
	assert.Equal(t, `Prices are whole cents

- **Why:** floats lose some
- **Type:** Decision
- **Status:** active
- **In contexts:** yes
- **Kept:** place 1, `+explained.Reason+`
- **Id:** `+id+`
- **Pinned:** yes

What happened:

- 2026-03-01 09:00:00 memory.added by nvim
- 2026-03-01 09:00:01 memory.updated by nvim
  before: Prices are \*cents\*
`, explained.Markdown(f.log))

	f.apply(f.room.Remove(id))
	explained, err = f.room.Explain(id)
	require.NoError(t, err)
	text := explained.Markdown(f.log)
	assert.Contains(t, text, "- **In contexts:** no\n- **Kept:** "+explained.Reason+"\n")
	assert.Contains(t, text, "- 2026-03-01 09:00:02 memory.removed by nvim: "+explained.Reason+"\n")
}
