package gate_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/gate"
)

const (
	secret  = "ann" + "@acme.test"
	without = "[redacted:email]"
)

func TestEveryTextOfAChangeLosesItsSecrets(t *testing.T) {
	payload := json.RawMessage(`{"text":"write to ` + secret + `","count":2}`)
	got := gate.Redact(change.Change{
		Subject: secret, Session: secret, By: secret, Reason: secret, Before: payload, After: payload,
	}, nil)
	clean := json.RawMessage(`{"text":"write to ` + without + `","count":2}`)
	assert.Equal(t, change.Change{
		Subject: without, Session: without, By: without, Reason: without, Before: clean, After: clean, Redactions: 1,
	}, got)
}

func TestWhatHasPassedTheGateIsNotLookedAtAgain(t *testing.T) {
	c := change.Change{Subject: secret, After: json.RawMessage(`{"text":"` + secret + `","by":"to ` + secret + `"}`)}
	c.Clean = []string{secret}
	got := gate.Redact(c, nil)
	assert.Equal(t, secret, got.Subject)
	assert.Equal(t, `{"text":"`+secret+`","by":"to `+without+`"}`, string(got.After))
	assert.Equal(t, 1, got.Redactions)
}

func TestTheNameOfAnActorIsNotLookedAtAgain(t *testing.T) {
	c := change.New("session.started", "s", map[string]string{"agent": "hunter22", "password": "hunter22"})
	c.By = "hunter22"
	c = gate.Redact(c, nil)
	assert.JSONEq(t, `{"agent":"hunter22","password":"hunter22"}`, string(c.After), "it stands beside it anyway")
	c = change.New("session.started", "s", map[string]string{"agent": "ghp_1234567890abcdefghijklmnopqrstuvwxyz"})
	c.By = "ghp_1234567890abcdefghijklmnopqrstuvwxyz"
	c = gate.Redact(c, nil)
	assert.NotContains(t, c.By+string(c.After), "ghp_")
}

func TestManyChangesAreRedactedAsEachAlone(t *testing.T) {
	for _, n := range []int{5, 1000} {
		var changes, want []change.Change
		for i := range n {
			session := []string{"a", secret, secret, "a", ""}[i%5]
			c := change.Change{
				Session: session, By: "by " + session, Reason: session + "!",
				After: json.RawMessage(fmt.Sprintf(`{"n":%d,"text":%q}`, i, session)),
			}
			changes, want = append(changes, c), append(want, gate.Redact(c, nil))
		}
		gate.Changes(changes, nil)
		assert.Equal(t, want, changes)
	}
}

func TestALogLosesItsSecrets(t *testing.T) {
	var file bytes.Buffer
	slog.New(slog.NewTextHandler(gate.Writer(&file), nil)).Info("mail", "to", secret, "body", "two\nlines")
	assert.Contains(t, file.String(), `to=`+without)
	assert.Contains(t, file.String(), `body="two\nlines"`)
	assert.NotContains(t, file.String(), secret)
}

func TestADocumentLosesItsSecretsWhetherItIsJSONOrNot(t *testing.T) {
	assert.Equal(t, `{"a":"`+without+`"}`, string(gate.Document([]byte(`{"a":"`+secret+`"}`))))
	assert.Equal(t, `{"a":"`+without, string(gate.Document([]byte(`{"a":"`+secret))))
	assert.Nil(t, gate.Document(nil))
}
