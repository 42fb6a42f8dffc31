//go:build !race

// The race detector makes readings slower by factors that differ: times are compared without it.

package redact_test

import (
	"testing"

	"github.com/wm-lsp/wm-lsp/extract/redact"
	"github.com/wm-lsp/wm-lsp/test/hostile"
	"github.com/wm-lsp/wm-lsp/test/slow"
)

// What is looked for behind a trigger is bounded, also where its text repeats it.
func TestTimeGrowsWithTheTextWhateverIsRepeated(t *testing.T) {
	slow.Test(t)
	for _, unit := range []string{
		"mkpasswd ", "user:pass@", "ssn,a\n", "password|x|\n",
		"<tr><th>password</th><th>", "insert into t(pw) values ('a'),",
		"('insert into t(pw) values('),", "chpasswd <<E\n", "password is ", "log in a and ",
		"type a when it asks for the password, ", "密码是用", "パスワードを", "a／", "p a s s w ", "x\tTRUE\t", "'sid', '",
		"password&#58; a ", "&am", `\n`, "able about ", "able about X ", "tel 030/1 ",
		"password_hash\n", "user,secret\n", "user,secret\na,sandstein\n",
		"password for the a:\n", "code is a ", "as password use ", "echo 'a; b' -u a,", "ＴＯＫＥＮ＝", "creds: a / ",
	} {
		hostile.Linear(t, unit, func(text string) { redact.Text(text) })
	}
}
