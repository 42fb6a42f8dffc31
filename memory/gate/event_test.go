package gate_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/gate"
)

const line = "MIIEowIBAAKCAQEAxZ8pQ2r4b0cV1n7u3yTq"

// key is a private key that was made up.
const key = "-----BEGIN RSA " + "PRIVATE KEY-----\n" + line + "\n" + line + "\nabcd==\n" +
	"-----END RSA " + "PRIVATE KEY-----"

func TestEveryTextOfAnEventLosesItsSecrets(t *testing.T) {
	input, err := json.Marshal(map[string]string{"command": "cat <<EOF\n" + key + "\nEOF", "password": "sushi"})
	assert.NoError(t, err)
	for _, body := range []any{
		event.SessionStarted{Title: secret + key},
		event.Diagnostics{Items: []event.Diagnostic{{Message: key + secret, Source: secret, Code: secret}}},
		event.ToolRan{Tool: "bash", Input: input, Output: "it failed:\n" + key, Error: secret},
		event.MessageReceived{Role: "user", Text: key + " is of " + secret},
		event.TodosChanged{Todos: []event.Todo{{ID: secret, Content: secret + key, Status: secret, Priority: secret}}},
		event.CompactionFinished{Summary: "- " + secret + key},
	} {
		var events gate.Events
		got := fmt.Sprintf("%+v", events.Redact(event.Event{Agent: secret, Task: secret, Body: body}))
		if ran, ok := body.(event.ToolRan); ok {
			redacted := events.Redact(event.Event{Body: ran}).Body.(event.ToolRan)
			got += string(redacted.Input)
		}
		for _, leak := range []string{secret, line, "sushi", "abcd=="} {
			assert.NotContains(t, got, leak, "%T", body)
		}
	}
}

func TestASecretOverSeveralMessagesIsRedacted(t *testing.T) {
	lines := strings.SplitAfter(key, "\n")
	for _, said := range [][]string{
		{"the password is", "tr0ub4dor"}, {"DB_PASSWORD=", "tr0ub4dor"}, {"What is the database password?",
			"tr0ub4dor7"},
		{"Please type your PIN", "471182"}, {lines[0] + lines[1], lines[2] + lines[3] + lines[4]},
		{lines[0], lines[1], lines[2], lines[3], lines[4]}, {"Passwort:", "tr0ub4dor"}, {"密码是", "tr0ub4dor7"},
	} {
		var events gate.Events
		got := ""
		for _, text := range said {
			body := events.Redact(event.Event{Session: "s", Body: event.MessageReceived{Text: text}}).Body
			got += body.(event.MessageReceived).Text + "\n"
		}
		for _, leak := range []string{"tr0ub4dor", "471182", line, "abcd=="} {
			assert.NotContains(t, got, leak, said)
		}
	}
}

func TestAPrivateKeyWhoseLinesComeApartIsRedacted(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		var bytes [48]byte
		for i := range bytes {
			bytes[i] = byte(random.IntN(256))
		}
		part := base64.StdEncoding.EncodeToString(bytes[:])
		for _, text := range []string{part, "- " + part, "line 7: " + part + "\n"} {
			var events gate.Events
			for _, body := range []any{
				event.MessageReceived{Text: text}, event.TodosChanged{Todos: []event.Todo{{Content: text}}},
				event.ToolRan{Output: text, Input: json.RawMessage(fmt.Sprintf(`{"text":%q}`, text))},
				event.CompactionFinished{Summary: text}, event.Diagnostics{Items: []event.Diagnostic{{Message: text}}},
			} {
				got := events.Redact(event.Event{Session: fmt.Sprintf("%T", body), Body: body}).Body
				if ran, ok := got.(event.ToolRan); ok {
					assert.NotContains(t, string(ran.Input), part)
				}
				assert.NotContains(t, fmt.Sprintf("%+v", got), part)
			}
			entry := change.New("memory.added", "e1", map[string]string{"text": text})
			assert.NotContains(t, string(gate.Redact(entry, nil).After), part)
		}
	}
}

func TestMessagesOfOtherSessionsAndOrdinaryAnswersStayWhole(t *testing.T) {
	var events gate.Events
	for _, said := range []struct{ session, text string }{
		{"a", "the password is"}, {"b", "tr0ub4dor"}, {"b", "What is the password policy?"}, {"b",
			"At least 12 characters."},
		{"b", "Which token is invalid?"}, {"b", "the second one"}, {"b", "it is done\n"}, {"b", "go1.26"},
	} {
		ev := event.Event{Session: said.session, Body: event.MessageReceived{Text: said.text}}
		assert.Equal(t, said.text, events.Redact(ev).Body.(event.MessageReceived).Text)
	}
}

func TestOnlyTheLastSessionsAreRemembered(t *testing.T) {
	var events gate.Events
	for i := range 10_000 {
		events.Redact(event.Event{Session: fmt.Sprint(i), Body: event.MessageReceived{Text: "the password is"}})
	}
	assert.LessOrEqual(t, events.Sessions(), 256)
}
