package redact

import (
	"strings"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// What distinguishes a value from a word of the sentence around the name of a secret: that it stands alone in its
// clause, that a login stands before it, that it answers a question.

// standsGiven reports whether the word at at is a value that a statement gives, with which the clause ends.
func standsGiven(s string, at int) bool {
	end := wordEnd(s, at)
	return end > at && isGiven(s, at, end) && (strings.IndexByte(".,;:!?", s[end-1]) >= 0 || endsPhrase(s, end))
}

// standsLast is standsGiven for the last word of a line.
func standsLast(s string, at int) bool {
	end := wordEnd(s, at)
	return standsGiven(s, at) && strings.TrimSpace(s[end:lineEnd(s, end)]) == ""
}

// bullets may stand before the name with which a line starts.
const bullets = " \t-*•·>+#|│"

// startsLine reports whether a name is the first of its line, or of what is to be remembered.
func startsLine(s string, n named) bool {
	return strings.Trim(withoutRequest(lineBefore(s, n.start)), bullets) == ""
}

// requests are the first words of notes and of requests to remember what stands behind a colon.
var requests = pattern.SetOf(`remember note memo reminder fyi please keep merke merk notiz rappel rappelle-toi
	souviens-toi retiens recuerda nota lembre lembre-se lembrete ricorda onthoud kom zapamiętaj notatka pamatuj
	zapamatuj hatırla not nhớ ghi запомни заметка запам'ятай 记住 請記住 请记住 記住 覚えて 覚えておいて メモ 기억해 기억해줘 메모 تذكر याद`)

// withoutRequest returns the start of a line without the head of a request that it begins with: at most three words and
// a colon.
func withoutRequest(line string) string {
	i := strings.IndexAny(line, ":：")
	if i <= 0 || i > maxName {
		return line
	}
	head := strings.Fields(lowered(strings.Trim(line[:i], bullets)))
	if len(head) == 0 || len(head) > 3 || !requests.Has(head[0]) {
		return line
	}
	_, size := utf8.DecodeRuneInString(line[i:])
	return line[i+size:]
}

// labelSigns may stand between the name with which a line starts and the value with which it ends.
var labelSigns = []string{"- ", "– ", "— ", "» ", "> ", "| ", "│ ", "~ ", "・"}

// loginWords stand before a login.
var loginWords = pattern.SetOf(`user username usr login account acct uid benutzer benutzername nutzer nutzername
	anmeldename utilisateur identifiant compte usuario usuário utilizador cuenta conta utente gebruiker
	gebruikersnaam användare användarnamn użytkownik użytkownika uživatel uživatele uživatelské kullanıcı
	kullanıcıadı пользователь пользователя логин юзер учётка користувач користувача логін dùng khoản المستخدم
	مستخدم حساب उपयोगकर्ता यूज़र यूजर 用户 用户名 账号 帐号 帳號 ユーザー ユーザ名 アカウント 사용자 아이디 계정 under под під`)

// accounts are names of accounts that many systems have.
var accounts = pattern.SetOf(`admin administrator root user test tester testuser demo guest postgres mysql oracle sa
	deploy deployer ops operator backup support service ubuntu centos debian vagrant pi jenkins gitlab git tomcat
	nobody www ftp mail info system sys scott bob alice joe postgresql mongo redis rabbit elastic kibana grafana
	superuser superadmin sysadmin developer dev editor viewer reviewer staging`)

// isAccount reports whether a word is rather the name of an account than a word of a sentence.
func isAccount(word string) bool {
	word = strings.Trim(word, "\"'`.,;:()")
	low := lowered(word)
	if accounts.Has(low) {
		return true
	}
	return len(word) >= 3 && len(word) <= 40 && low == word && strings.ContainsAny(word[1:], "-_@0123456789\\") &&
		run(word, 0, len(word), func(c byte) bool { return isDotted(c) || c == '@' || c == '\\' }) == len(word) &&
		hasLetter(word)
}

// accountBefore reports whether the sentence before at names who logs in: with a word that says so, or as an account.
func accountBefore(s string, at int) bool {
	before := lineBefore(s, at)
	before = before[max(0, len(before)-96):]
	count := 0
	for word := range wordsBefore(before, len(before), 5) {
		text := before[word.start:word.end]
		low := lowered(strings.Trim(text, ".,:;=\"'`"))
		if strings.IndexByte(".!?", text[len(text)-1]) >= 0 {
			return false
		}
		if count > 0 && loginWords.Has(low) || count < 3 && accounts.Has(low) ||
			count == 0 && text[len(text)-1] == ',' && isAccount(low) {
			return true
		}
		count++
	}
	return false
}
