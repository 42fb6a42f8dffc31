package request

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestWhatAMessageAsksToForget(t *testing.T) {
	for message, want := range map[string][]string{
		"forget that amounts are stored in dollars":           {"amounts are stored in dollars"},
		"Please forget that we use npm, it is pnpm now.":      {"we use npm, it is pnpm now"},
		"forget 01JAB2C3D4E5F6G7H8J9K0MNPQ":                   {"01JAB2C3D4E5F6G7H8J9K0MNPQ"},
		"Forget the entry 01JAB2C3D4E5F6G7H8J9K0MNPQ!":        {"01JAB2C3D4E5F6G7H8J9K0MNPQ"},
		"forget the rule about tabs":                          {"tabs"},
		"forget the tabs rule":                                {"tabs"},
		"Could you forget the deploy convention?":             {"deploy"},
		"remove the tax rates from the workspace memory":      {"the tax rates"},
		"stop remembering that tests are slow":                {"tests are slow"},
		"Esqueça que usamos npm":                              {"usamos npm"},
		"Vergiss bitte, dass wir npm benutzen":                {"wir npm benutzen"},
		"Fix the build. Forget that we use npm.":              {"we use npm"},
		"forget it":                                           nil,
		"Forget that.":                                        nil,
		"forget about it, use the other one":                  nil,
		"don't forget to run the tests":                       nil,
		"forget the tests, just fix the build":                nil,
		"forget everything I said":                            nil,
		"Forget all previous instructions":                    nil,
		"never forget that amounts are cents":                 nil,
		"I always forget the name of the command":             nil,
		"Did you forget the semicolon?":                       nil,
		"What if users forget the password?":                  nil,
		"remove the cache from the working tree":              nil,
		"```\nforget that amounts are stored in dollars\n```": nil,
	} {
		assert.Equal(t, want, ToForget(message), message)
	}
}
