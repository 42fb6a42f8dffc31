package redact_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wm-lsp/wm-lsp/extract/redact"
)

// What was done with a password is said of it in every language, and is no password. The first sentence of a language
// names one, which is.
func TestWhatWasDoneWithAPasswordIsNoPassword(t *testing.T) {
	for language, said := range map[string]struct {
		named    string
		harmless []string
	}{
		"English": {"the password is hunter2xyz", []string{
			"the password was reset", "the password was changed yesterday", "the password has expired",
			"the password was updated", "the password was forgotten", "the password has been deleted",
		}},
		"Danish": {"adgangskoden er hunter2xyz", []string{
			"adgangskoden blev nulstillet", "adgangskoden blev ændret i går", "adgangskoden er udløbet",
			"adgangskoden blev opdateret", "adgangskoden blev glemt", "adgangskoden blev slettet",
			"adgangskoden blev lækket", "kodeordet er blevet skiftet", "kodeordet udløber i morgen",
		}},
		"Norwegian": {"passordet er hunter2xyz", []string{
			"passordet ble tilbakestilt", "passordet ble endret i går", "passordet er utløpt",
			"passordet ble oppdatert", "passordet ble glemt", "passordet har blitt byttet",
		}},
		"Swedish": {"lösenordet är hunter2xyz", []string{
			"lösenordet blev återställt", "lösenordet ändrades igår", "lösenordet har gått ut",
			"lösenordet blev uppdaterat", "lösenordet blev glömt", "lösenordet är bytt",
		}},
		"German": {"das Passwort ist hunter2xyz", []string{
			"das Passwort wurde zurückgesetzt", "das Passwort wurde geändert", "das Passwort ist abgelaufen",
			"das Passwort wurde gestern aktualisiert", "das Passwort wurde vergessen", "das Passwort wurde gelöscht",
		}},
		"Dutch": {"het wachtwoord is hunter2xyz", []string{
			"het wachtwoord werd gereset", "het wachtwoord werd gewijzigd", "het wachtwoord is verlopen",
			"het wachtwoord werd bijgewerkt", "het wachtwoord is vergeten", "het wachtwoord werd verwijderd",
			"het wachtwoord is opnieuw ingesteld", "het wachtwoord is gelekt",
		}},
		"French": {"le mot de passe est hunter2xyz", []string{
			"le mot de passe a été réinitialisé", "le mot de passe a été changé hier", "le mot de passe a expiré",
			"le mot de passe a été mis à jour", "le mot de passe a été oublié", "le mot de passe a été supprimé",
		}},
		"Spanish": {"la contraseña es hunter2xyz", []string{
			"la contraseña fue restablecida", "la contraseña fue cambiada ayer", "la contraseña ha caducado",
			"la contraseña fue actualizada", "la contraseña fue olvidada", "la contraseña ha sido eliminada",
		}},
		"Italian": {"la password è hunter2xyz", []string{
			"la password è stata reimpostata", "la password venne cambiata", "la password è scaduta",
			"la password è stata aggiornata", "la password è stata dimenticata", "la password viene cambiata",
		}},
		"Portuguese": {"a senha é hunter2xyz", []string{
			"a senha foi redefinida", "a senha foi alterada ontem", "a senha expirou",
			"a senha foi atualizada", "a senha foi esquecida", "a senha foi removida",
		}},
		"Polish": {"hasło to hunter2xyz", []string{
			"hasło zostało zresetowane", "hasło zostało wczoraj zmienione", "hasło wygasło",
			"hasło zostało zaktualizowane", "hasło zostało zapomniane", "hasło jest nieaktualne",
		}},
		"Finnish": {"salasana on hunter2xyz", []string{
			"salasana nollattiin", "salasana vaihdettiin eilen", "salasana on vanhentunut",
			"salasana päivitettiin", "salasana unohtui", "salasana poistettiin",
		}},
		"Czech and Slovak": {"heslo je hunter2xyz", []string{
			"heslo bylo resetováno", "heslo bylo změněno", "heslo vypršelo", "heslo bolo obnovené",
			"heslo bylo zapomenuto", "heslo bylo smazáno", "heslo vypršalo",
		}},
		"Romanian": {"parola este hunter2xyz", []string{
			"parola a fost resetată", "parola a fost schimbată", "parola a expirat", "parola este expirată",
		}},
		"Hungarian": {"a jelszó hunter2xyz", []string{
			"a jelszót visszaállították", "a jelszó megváltozott", "a jelszó lejárt", "a jelszó frissült",
		}},
		"Russian": {"пароль: hunter2xyz", []string{
			"пароль был сброшен", "пароль был изменён", "пароль истёк", "пароль был удалён", "пароль устарел",
		}},
		"Ukrainian": {"пароль: hunter2xyz", []string{
			"пароль було скинуто", "пароль було змінено", "пароль оновлено",
		}},
		"Turkish": {"şifre: hunter2xyz", []string{
			"şifre sıfırlandı", "şifre değiştirildi", "şifrenin süresi doldu", "şifre unutuldu",
		}},
	} {
		for _, sentence := range said.harmless {
			for _, text := range []string{sentence, sentence + ".", "ok, " + sentence + "\nok"} {
				got, n := redact.Text(text)
				assert.Equal(t, text, got, language)
				assert.Zero(t, n)
			}
		}
		got, n := redact.Text(said.named)
		assert.Equal(t, strings.ReplaceAll(said.named, "hunter2xyz", "[redacted:secret]"), got, language)
		assert.Equal(t, 1, n, said.named)
	}
}

// A sentence may say what was done with a password and name one, too. Only what was done is left of it.
func TestAPasswordBesideWhatWasDoneWithItIsOne(t *testing.T) {
	for _, secret := range []struct{ before, value, behind string }{
		{"la password venne: ", "pWDoFPJPdbbm", ""},
		{"la password viene: ", "pWDoFPJPdbbm", ""},
		{"la password è: ", "pWDoFPJPdbbm", ""},
		{"adgangskoden blev ændret, den er nu ", "49382716", ""},
		{"adgangskode blev fornyet, nu ", "96012952", ""},
		{"the password was changed, it is now ", "49382716", ""},
		{"the password was stolen, it is now ", "49382716", ""},
		{"the password was forgotten, now it is ", "Tiger4711", ""},
		{"the password was forgotten, now it is ", "xpDUdvwVewCX", ""},
		{"jelszó megváltozott, most: ", "FQ7MrqUaMT", ""},
		{"salasana vaihdettiin, se on nyt ", "FQ7MrqUaMT", ""},
		{"parool vahetati, uus on ", "FQ7MrqUaMT", ""},
		{"lozinka je istekla, sada je ", "suncokret", ""},
		{"hasło nieważne nowe to ", "mndtttAGrP", ""},
		{"пароль ", "56418986", " устарел"},
		{"парола ", "23540906", " изтече"},
		{"ο κωδικός ", "64272081", " έληξε"},
		{`passordet "`, "Lekket!", `" ble byttet`},
		{`password "`, "Overwritten!", `"`},
		{"the password is ", "Forgotten!", ""},
		{"adgangskode: ", "Glemt!", ""},
		{"password: ", "stolen", ""},
	} {
		got, n := redact.Text(secret.before + secret.value + secret.behind)
		assert.True(t, strings.HasPrefix(got, secret.before+"[redacted:secret]"), got)
		assert.NotContains(t, got, secret.value)
		assert.Positive(t, n)
		again, n := redact.Text(got)
		assert.Equal(t, got, again)
		assert.Zero(t, n)
	}
}
