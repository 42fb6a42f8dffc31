package redact

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestADocumentWithATriggerIsLookedAtHoweverJSONWritesIt(t *testing.T) {
	for _, m := range table.Get().index.marks {
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
		"jane&#64;doe.com",
		"mot de passe\u00a0: gE9YUG2fH4SZZM",
		"ridge vapor candy umbrella\nsalt tiger merge ocean pistol wagon dizzy harvest",
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

func TestAValueGoesWhateverStandsBeforeIt(t *testing.T) {
	for text, want := range map[string]string{
		"client secret = ferivori":       "client secret = [redacted:secret]",
		"Remember: my secret = ferivori": "Remember: my secret = [redacted:secret]",
		"var secret = ferivori":          "var secret = ferivori",
		"认证码：443932":                     "认证码：[redacted:secret]",
		"password=Ecs0{HniB":             "password=[redacted:secret]",
		"DB_PASS=Ecs0[HniB\nnext":        "DB_PASS=[redacted:secret]\nnext",
		"password=config[name]":          "password=config[name]",
		"password=Secret(value, other":   "password=Secret(value, other",
		"Remember: | User | Password |\n|---|---|\n| bob | S9n9av9SJ |": "Remember: | User | Password |\n|---|---|\n" +
			"| bob | [redacted:secret] |",
		"Remember: db.example.com:5432:shop:bob:QMJC0Zvt7Y2fAD": "Remember: db.example.com:5432:shop:bob:" +
			"[redacted:secret]",
		"client-key-data: 4SHo4xXQ4B3JNcBNRRCHqXDq7eQtw": "client-key-data: [redacted:secret]",
	} {
		got, _ := Text(text)
		assert.Equal(t, want, got)
	}
}
