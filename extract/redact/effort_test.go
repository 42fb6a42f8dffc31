package redact

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// crowdedTexts have the name of a secret at every few bytes.
func crowdedTexts() []string {
	var texts []string
	for _, unit := range []string{
		"password is ", "token ", "curl -a a", "IBAN ", "密码", "| password |\n", "sk_secret ",
	} {
		texts = append(texts, strings.Repeat(unit, 1<<18/len(unit)))
	}
	return texts
}

func TestWhatIsTriedInATextIsInProportionToItsLength(t *testing.T) {
	for _, text := range append(crowdedTexts(), strings.Repeat("[redacted:a]password is ", 1<<14)) {
		var e effort
		find(text, &e)
		marks := strings.Count(text, markerOpen)
		assert.LessOrEqual(t, e.tried, freePlaces+len(text)/bytesPerPlace+markerPlaces*marks+1, "%.20q", text)
	}
}

func TestTheRestOfATextIsTakenOutWhereTooMuchWouldHaveToBeTried(t *testing.T) {
	const secret = "Zx7Kq2mW9"
	for _, text := range crowdedTexts() {
		clean, n := Text(text + "\npassword: " + secret + "\n" + secret)
		assert.NotZero(t, n, "%.20q", text)
		assert.NotContains(t, clean, secret, "%.20q", text)
		assert.True(t, strings.HasSuffix(clean, markerOpen+crowded+markerClose), "%.20q", text)
		again, more := Text(clean)
		assert.Equal(t, clean, again, "%.20q: redacting twice changes nothing more", text)
		assert.Zero(t, more)
	}
}

func TestTheSecretBeforeTheRestOfATextIsTakenOutWithIt(t *testing.T) {
	crowd := strings.Repeat("password policy\n", 1<<19/16)
	clean, _ := Text(crowd)
	kept := strings.TrimSuffix(clean, markerOpen+crowded+markerClose)
	assert.True(t, strings.HasPrefix(crowd, kept))
	tried := strings.Count(crowd[:len(kept)+maxBefore], "password")
	assert.GreaterOrEqual(t, tried, freePlaces)
	assert.Greater(t, len(kept), 1<<16)
}

func TestTheTextsOfADocumentAreCountedTogether(t *testing.T) {
	var doc strings.Builder
	doc.WriteString("[")
	for i := range 1 << 14 {
		doc.WriteString(`"password token secret password ` + strconv.Itoa(i) + `",`)
	}
	doc.WriteString(`{"tokens":"hunter password: Zx7Kq2mW9","n":1}]`)
	clean, _ := JSON([]byte(doc.String()))
	assert.Contains(t, string(clean), `"`+markerOpen+crowded+markerClose+`",`)
	assert.Contains(t, string(clean), `{"tokens":`, "the name of a member is not counted with them")
	assert.NotContains(t, string(clean), "Zx7Kq2mW9")
	assert.Contains(t, string(clean), `"password token secret password 1",`)
}

func TestALongTextWithTheNameOfASecretInEveryLineIsReadToItsEnd(t *testing.T) {
	line := "src/server/handlers/session.go:1204:	if err := refresh(ctx, token); err != nil {\n"
	text := strings.Repeat(line, 1<<20/len(line))
	clean, n := Text(text)
	assert.Zero(t, n)
	assert.Equal(t, text, clean)
}

func TestWhatIsUsedAgainKeepsNothingOfATextBefore(t *testing.T) {
	e := &efforts{}
	for _, text := range []string{
		"Log in to the staging account as deploy, then ask for the second word, which nobody of us knows, at noon",
		"the account of bob",
	} {
		textOf(text, e)
	}
	first := &e[0]
	require.NotEmpty(t, first.forms)
	require.NotEmpty(t, first.sentence)
	e.free()
	assert.Empty(t, first.forms)
	assert.Zero(t, first.tried)
	for _, w := range first.sentence[:cap(first.sentence)] {
		assert.Equal(t, weighed{}, w)
	}
	for _, f := range first.room[:cap(first.room)] {
		assert.Equal(t, form{}, f)
	}
}
