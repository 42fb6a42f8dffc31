package redact_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/extract/redact"
)

// A sample is a string of a set with the secrets in it.
type sample struct {
	ID, Kind, Language, Text string
	Secrets                  []string
}

func readSet(t testing.TB, path string) []sample {
	t.Helper()
	var set []sample
	for _, line := range readLines(t, path) {
		var s sample
		require.NoError(t, json.Unmarshal([]byte(strings.ReplaceAll(line, "‸", "")), &s))
		set = append(set, s)
	}
	return set
}

// leaks returns the samples of which a secret is left, by kind, and how many there are.
func leaks(t testing.TB, set []sample) (leaked, total map[string]int) {
	t.Helper()
	leaked, total = map[string]int{}, map[string]int{}
	for _, s := range set {
		got, _ := redact.Text(s.Text)
		got = marker.ReplaceAllString(got, "[]")
		total[s.Kind]++
		for _, secret := range s.Secrets {
			if strings.Contains(got, secret) {
				leaked[s.Kind]++
				t.Logf("left in %s, %s, %s: %q", s.ID, s.Kind, s.Language, got)
				break
			}
		}
	}
	return leaked, total
}

func sum(counts map[string]int) int {
	n := 0
	for _, c := range counts {
		n += c
	}
	return n
}

func report(t testing.TB, leaked, total map[string]int) {
	t.Helper()
	for kind, n := range total {
		t.Logf("%s: %d of %d left", kind, leaked[kind], n)
	}
	t.Logf("%d of %d left", sum(leaked), sum(total))
}

// The set was written by somebody who had not seen the rules.
func TestAtMostFourPercentOfAnIndependentSetAreLeft(t *testing.T) {
	set := readSet(t, "testdata/set-secrets.jsonl")
	require.GreaterOrEqual(t, len(set), 500)
	leaked, total := leaks(t, set)
	report(t, leaked, total)
	assert.LessOrEqual(t, float64(sum(leaked)), 0.04*float64(len(set)))
}

func TestAtMostThreeOfAHundredAndSeventyInnocentTextsAreAltered(t *testing.T) {
	set := readSet(t, "testdata/set-innocent.jsonl")
	require.GreaterOrEqual(t, len(set), 170)
	altered := 0
	for _, s := range set {
		if got, n := redact.Text(s.Text); n > 0 {
			altered++
			t.Logf("altered: %s %q", s.ID, got)
		}
	}
	assert.LessOrEqual(t, altered*170, 3*len(set))
}

// A tongue is a language with names of passwords, and sentences in which NAME and VALUE
// stand for these.
type tongue struct {
	names     string
	sentences []string
}

var tongues = map[string]tongue{
	"en": {"password,passphrase,API key,secret,Token", []string{"the NAME is VALUE", "the NAME was changed to VALUE",
		"use VALUE as the NAME", "NAME for staging: VALUE"}},
	"de": {"Passwort,Kennwort,API-Schlüssel", []string{"das NAME ist VALUE", "NAME geändert auf VALUE",
		"nimm VALUE als NAME"}},
	"fr": {"mot de passe,clé API,MDP", []string{"le NAME est VALUE", "le NAME a été changé en VALUE",
		"utilise VALUE comme NAME"}},
	"es": {"contraseña,clave secreta", []string{"la NAME es VALUE", "la NAME cambió a VALUE", "usa VALUE como NAME"}},
	"pt": {"senha,chave de API", []string{"a NAME é VALUE", "a NAME mudou para VALUE", "usa VALUE como NAME"}},
	"it": {"parola chiave,chiave segreta", []string{"la NAME è VALUE", "usa VALUE come NAME"}},
	"nl": {"wachtwoord,API-sleutel", []string{"het NAME is VALUE", "NAME gewijzigd naar VALUE",
		"gebruik VALUE als NAME"}},
	"sv": {"lösenord,API-nyckel", []string{"NAME är VALUE", "NAME ändrat till VALUE"}},
	"pl": {"hasło,klucz API", []string{"NAME to VALUE", "NAME zmieniono na VALUE", "użyj VALUE jako NAME"}},
	"cs": {"heslo,klíč API", []string{"NAME je VALUE", "NAME změněno na VALUE"}},
	"tr": {"şifre,parola", []string{"NAME: VALUE", "NAME VALUE olarak değiştirildi"}},
	"ru": {"пароль,токен", []string{"NAME — VALUE", "NAME изменён на VALUE", "используй VALUE как NAME"}},
	"uk": {"пароль,секретний ключ", []string{"NAME це VALUE", "NAME змінено на VALUE"}},
	"vi": {"mật khẩu,khóa bí mật", []string{"NAME là VALUE", "NAME đổi thành VALUE"}},
	"ar": {"كلمة المرور,كلمة السر", []string{"NAME هي VALUE", "تم تغيير NAME إلى VALUE"}},
	"hi": {"पासवर्ड,टोकन", []string{"NAME VALUE है", "NAME है VALUE"}},
	"ja": {"パスワード,シークレット", []string{"NAMEはVALUEです", "NAMEをVALUEに変更しました"}},
	"ko": {"비밀번호,암호", []string{"NAME는 VALUE 입니다", "NAME를 VALUE로 변경"}},
	"zh": {"密码,口令,密鑰", []string{"NAME是VALUE", "NAME改成VALUE", "NAME为VALUE"}},
}

// generate makes every sign in three places, with every separator and language.
func generate() []sample {
	random := rand.New(rand.NewPCG(3, 5))
	letters := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteByte("abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"[random.IntN(57)])
		}
		return b.String()
	}
	var set []sample
	add := func(kind, language, format, name, value string) {
		text := strings.NewReplacer("NAME", name, "VALUE", value).Replace(format)
		set = append(set, sample{ID: fmt.Sprint(len(set)), Kind: kind, Language: language, Text: text,
			Secrets: []string{value}})
	}
	for language, spoken := range tongues {
		for name := range strings.SplitSeq(spoken.names, ",") {
			for _, format := range append(spoken.sentences, "NAME: VALUE", "NAME：VALUE", "NAME=VALUE",
				"NAME := VALUE", "- NAME: \"VALUE\"", "| NAME | VALUE |") {
				if strings.HasPrefix(format, "|") {
					continue
				}
				add("value", language, format, name, "Q"+letters(8)+"7")
			}
			for _, word := range []string{"sushi", "dragonfly", "correct-horse-9"} {
				add("word", language, "NAME: VALUE", name, word)
			}
			add("quoted", language, "NAME = \"VALUE\"", name, letters(3)+"9 "+letters(5)+" "+letters(4)+"2")
			add("table", language, "login;NAME;role\nbob;VALUE;dev\n", name, letters(5)+"x9"+letters(4))
		}
	}
	for _, sign := range strings.Split("~ ! @ # $ % ^ & * ( ) - _ = + [ ] { } \\ | ; : ' \" , . < > / ? `", " ") {
		for place, value := range map[string]string{
			"begins": sign + letters(4) + "7" + letters(3), "ends": letters(4) + "8" + letters(3) + sign,
			"holds": letters(4) + "9" + sign + letters(4),
		} {
			if place == "ends" && strings.Contains(".,;:", sign) { // may be the sentence's
				value = value[:len(value)-1]
			}
			for _, format := range []string{"password: VALUE", "password=VALUE", "passwd = VALUE # prod",
				"DB_PASSWORD=VALUE", "Passwort: VALUE", "密码：VALUE", "пароль: VALUE"} {
				add(place+" with a sign", "en", format, "", value)
			}
		}
	}
	for _, format := range []string{
		"curl -ubob:VALUE https://x.test", "curl --user bob:VALUE https://x.test", "imap.login('bob', 'VALUE')",
		`new NetworkCredential("bob", "VALUE")`,
		"echo bob:VALUE | chpasswd", `net use \\srv\share VALUE /user:bob`, "sqlplus scott/VALUE@db",
		"jdbc:oracle:thin:scott/VALUE@db:1521:x",
		"smbclient -U bob%VALUE //srv/share", "keytool -list -storepass VALUE", "openconnect --psk VALUE host",
		"echo VALUE | sudo -S ls",
		"CREATE USER bob IDENTIFIED BY 'VALUE'", "[sudo] password for bob: VALUE",
		`expect "assword:" { send "VALUE\r" }`,
		"nmcli dev wifi connect home password VALUE", "xfreerdp /u:bob /p:VALUE /v:h", "zip -P VALUE a.zip b",
		"requests.get(u, auth=('bob', 'VALUE'))",
		`ConvertTo-SecureString "VALUE" -AsPlainText -Force`, "sshpass -p VALUE ssh h", "mysql -u root -pVALUE db",
		"Authorization: Bearer VALUE",
		"Bearer sk-test-VALUE", "api-key: sk-live-VALUE", "Service token: test-token-VALUE", "auth: VALUE",
		"creds: bob:VALUE", "login with bob / VALUE",
		"\x1b[32mpassword\x1b[0m: \x1b[1mVALUE\x1b[0m", "pass\u200bword: VALUE", "password:\n  VALUE\n",
		"Cookie: PHPSESSID=VALUEVALUE",
		"https://x.test/login?token=VALUEVALUE", "{\"SecretString\":\"VALUE\"}", "<password>VALUE</password>",
	} {
		for range 4 {
			add("place", "en", format, "", letters(4)+"7"+letters(4)+"3")
		}
	}
	for range 4 {
		digits := func(n int) string {
			var b strings.Builder
			for range n {
				b.WriteByte('0' + byte(random.IntN(10)))
			}
			return b.String()
		}
		for _, format := range []string{"Admin PIN VALUE", "PIN: VALUE", "OTP VALUE", "2FA code: VALUE",
			"verification code is VALUE", "Code PIN : VALUE", "ПИН-код: VALUE", "验证码：VALUE", "認証コード：VALUE"} {
			add("code", "en", format, "", digits(6))
		}
		for _, format := range []string{"SSN: VALUE", "social security number VALUE"} {
			add("person", "en", format, "", digits(3)+"-"+digits(2)+"-"+digits(4))
		}
		for _, format := range []string{"Passport no: VALUE", "PESEL: VALUE", "BSN VALUE", "身份证号：VALUE",
			"ИНН: VALUE", "CPF: VALUE"} {
			add("person", "en", format, "", digits(11))
		}
		add("person", "en", "card number: VALUE", "", digits(4)+"-"+digits(4)+"-"+digits(4)+"-"+digits(4))
		add("person", "en", "phone: VALUE", "", "0"+digits(9))
	}
	return set
}

func TestAtMostFourPercentOfAGeneratedSetAreLeft(t *testing.T) {
	set := generate()
	require.GreaterOrEqual(t, len(set), 300)
	leaked, total := leaks(t, set)
	report(t, leaked, total)
	assert.LessOrEqual(t, float64(sum(leaked)), 0.04*float64(len(set)))
	for kind, n := range total {
		assert.LessOrEqual(t, leaked[kind]*10, n, "%s: more than a tenth is left", kind)
	}
}

// The texts of the sets, cut into pieces and put together anew, are redacted for good at
// once, and nothing panics.
func FuzzSecretsOfTheSet(f *testing.F) {
	for _, s := range readSet(f, "testdata/set-secrets.jsonl") {
		f.Add(s.Text, s.Kind)
	}
	for _, s := range readSet(f, "testdata/set-innocent.jsonl") {
		f.Add(s.Text, s.Kind)
	}
	f.Fuzz(func(t *testing.T, text, also string) {
		once, _ := redact.Text(text + also)
		twice, more := redact.Text(once)
		assert.Equal(t, once, twice)
		assert.Zero(t, more)
	})
}

func TestRedactingASetTwiceChangesNothingMore(t *testing.T) {
	set := append(readSet(t, "testdata/set-secrets.jsonl"), generate()...)
	for _, s := range set {
		once, _ := redact.Text(s.Text)
		twice, more := redact.Text(once)
		assert.Equal(t, once, twice)
		assert.Zero(t, more, s.Text)
	}
}

func TestTheNoticeNamesEverySource(t *testing.T) {
	notice, err := os.ReadFile("testdata/NOTICE")
	require.NoError(t, err)
	for _, line := range readLines(t, "testdata/set-innocent.jsonl") {
		var of struct{ Source string }
		require.NoError(t, json.Unmarshal([]byte(line), &of))
		assert.Contains(t, string(notice), of.Source)
	}
}
