package redact

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestADocumentWithATriggerIsLookedAtHoweverJSONWritesIt(t *testing.T) {
	for _, m := range table.Get().index.marks[1:] {
		doc, err := json.Marshal(m.trigger)
		require.NoError(t, err)
		assert.True(t, suspicious(doc), "%q", m.trigger)
	}
}

func TestADocumentLosesWhatATextLoses(t *testing.T) {
	for _, text := range []string{
		`expect "assword:" { send "LrRKGyKDk4\r" }`,
		"\uff50\uff41\uff53\uff53\uff57\uff4f\uff52\uff44：gE9YUG2fH4SZZM",
		"pass\u200bw\u200bord: gE9YUG2fH4SZZM",
		"db.example\tFALSE\t/\tTRUE\t0\tsid\tq8fW8pLm2xTzq8fW8pLm",
	} {
		clean, n := Text(text)
		require.NotZero(t, n, text)
		doc, err := json.Marshal(text)
		require.NoError(t, err)
		got, _ := JSON(doc)
		var decoded string
		require.NoError(t, json.Unmarshal(got, &decoded), string(got))
		assert.Equal(t, clean, decoded)
	}
}
