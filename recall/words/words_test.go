package words_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/recall/words"
)

func termsOf(text string) []string {
	var found []string
	for _, term := range words.Analyze(text).Terms {
		found = append(found, term.Text)
	}
	return found
}

func TestTextsMeetThatShareATerm(t *testing.T) {
	for name, texts := range map[string][2]string{
		"inflections of a verb":                  {"we connected it", "connecting"},
		"a singular and its plural":              {"the databases", "database"},
		"an irregular verb":                      {"they chose it", "choosing"},
		"a past tense of another stem":           {"she went away", "he goes"},
		"an irregular plural":                    {"the children", "a child"},
		"a comparison":                           {"the best one", "good"},
		"capital and small letters":              {"Postgres", "POSTGRES"},
		"a word and its genitive":                {"the server's log", "server"},
		"a genitive with a curved apostrophe":    {"the server’s log", "server"},
		"with and without accents":               {"a café", "cafe"},
		"wide letters and normal ones":           {"ＡＰＩ", "api"},
		"identifiers in two conventions":         {"parseConfig", "parse_config"},
		"identifiers with humps and hyphens":     {"ParseConfig", "parse-config"},
		"an identifier and one of its parts":     {"parseConfig", "the config"},
		"an acronym in an identifier":            {"HTTPServer", "server"},
		"a path and a name in it":                {"server/lsp/hover.go", "hover"},
		"a path of Windows and a segment":        {`C:\work\sources\main.rs`, "the sources"},
		"a path and its file":                    {"server/lsp/hover.go", "hover.go"},
		"a version with and without v":           {"v1.26.0", "1.26.0"},
		"a version before a full stop":           {"It is 1.26.0.", "1.26.0"},
		"a code of an error in a sentence":       {"error TS2345: no", "TS2345"},
		"a name of an error":                     {"Error: ENOENT, no such file", "ENOENT"},
		"C++ by its whole name":                  {"in C++, too", "C++"},
		"C# by its whole name":                   {"in C# too", "C#"},
		"inflections in German":                  {"Wir haben die Datenbanken gewechselt", "Das ist eine Datenbank"},
		"inflections in French":                  {"Nous avons changé les bases", "Il est dans une base de données"},
		"an article before an apostrophe":        {"C'est l'équipe", "les équipes de la ville"},
		"inflections in Spanish":                 {"Las decisiones de los equipos", "La decisión del equipo que es"},
		"inflections in Italian":                 {"Le decisioni della squadra", "Una decisione per la squadra"},
		"inflections in Portuguese":              {"Os servidores não são do time", "O servidor não é"},
		"inflections in Dutch":                   {"De fouten van het systeem", "Een fout in het systeem"},
		"inflections in Swedish":                 {"Det är flickorna och pojkarna", "Det är en flicka och pojkar"},
		"inflections in Norwegian":               {"Det er noen havnene ikke", "Det er noen havner ikke"},
		"inflections in Danish":                  {"Det er nogle havnene ikke", "Det er nogle havne ikke"},
		"inflections in Finnish":                 {"Mitä taloissa on ja oli", "Missä talot ovat ja oli"},
		"inflections in Hungarian":               {"Hol van a házban és az", "Ez az a ház és nem"},
		"inflections in Romanian":                {"Care sunt casele și nu", "Care este casa și nu"},
		"inflections in Turkish":                 {"Bu evler için ve daha", "Bu evlerin için ve daha"},
		"inflections in Irish":                   {"Tá an bád agus na báid", "Níl an bád agus"},
		"inflections in Russian":                 {"Мы сменили базу данных", "база данных"},
		"inflections in Arabic":                  {"المكتبة", "مكتبة"},
		"Chinese words without spaces":           {"我们选择了数据库", "数据库"},
		"a Chinese character at the end":         {"数据库", "库"},
		"Japanese in two scripts":                {"設定ファイルを読む", "ファイル"},
		"Korean with an ending":                  {"데이터베이스를 선택했다", "데이터베이스"},
		"Thai":                                   {"ฐานข้อมูลของเรา", "ข้อมูล"},
		"Chinese and English beside each other":  {"用parseConfig读取配置", "parse_config"},
		"what stands between a sentence and one": {"It is done.Then we deploy", "deployed"},
	} {
		t.Run(name, func(t *testing.T) {
			shared := false
			first := termsOf(texts[0])
			for _, term := range termsOf(texts[1]) {
				for _, other := range first {
					shared = shared || term == other
				}
			}
			assert.True(t, shared, "%q and %q", first, termsOf(texts[1]))
		})
	}
}

func TestTermsOfATextAre(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		want []string
	}{
		"none for stop words":                   {"What is it that you would have?", nil},
		"none for contractions":                 {"I don't, he isn't, we'll, they're", nil},
		"none for punctuation":                  {"?! … — () \x00\x00", nil},
		"each word once":                        {"red Red reds", []string{"red"}},
		"whole for a code of an error":          {"E0308", []string{"e0308"}},
		"whole for a version":                   {"1.26.0-rc1", []string{"1.26.0-rc1"}},
		"whole for a date":                      {"2023-05-07", []string{"2023-05-07"}},
		"the whole and parts of an identifier":  {"readConfig", []string{"readconfig", "read", "config"}},
		"with no part of one letter":            {"iPhone", []string{"iphone", "phone"}},
		"the file and its name and ending":      {"a_test.go", []string{"a_test.go", "atest", "test", "go"}},
		"pairs, and the last character":         {"数据库", []string{"数据", "据库", "库"}},
		"cut if very long":                      {strings.Repeat("ab1", 50), []string{strings.Repeat("ab1", 21) + "a"}},
		"kept for acronyms that are also words": {"IT and it", []string{"it"}},
		"without bytes that are not text":       {"a\xffb\xfe tree", []string{"b", "tree"}},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, test.want, termsOf(test.text)) })
	}
}

func TestATextSays(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		is   func(words.Analysis) bool
		want bool
	}{
		"a time by a day before":             {"We met yesterday.", hasTime, true},
		"a time by a weekday":                {"See you on Friday", hasTime, true},
		"a time by a date":                   {"It was on 7 May 2023", hasTime, true},
		"a time by an ISO date":              {"since 2023-05-07", hasTime, true},
		"a time by a distance":               {"It broke two weeks ago", hasTime, true},
		"a time in the future":               {"We meet next month", hasTime, true},
		"a time in German":                   {"Das war gestern und ist gut", hasTime, true},
		"a time in Chinese":                  {"昨天部署了", hasTime, true},
		"no time by a verb that is a month":  {"You may march on", hasTime, false},
		"no time by a unit alone":            {"The week has days", hasTime, false},
		"who speaks":                         {"They told us", ofSelf, true},
		"who speaks, in a contraction":       {"I've seen it", ofSelf, true},
		"who speaks, in German":              {"Das hat mir der Kollege erzählt", ofSelf, true},
		"nobody who speaks":                  {"They told you", ofSelf, false},
		"who is spoken to":                   {"They told you", toOther, true},
		"who is spoken to, in a contraction": {"You're right", toOther, true},
		"who is spoken to, in German":        {"Hast du das mit dem Kollegen gesehen?", toOther, true},
		"nobody by a French article":         {"le nom du fichier est dans la liste", toOther, false},
		"nobody who is spoken to":            {"They told us", toOther, false},
		"a number in digits":                 {"There are 12 servers", hasNumber, true},
		"a number as a word":                 {"There are three servers", hasNumber, true},
		"no number":                          {"There are servers", hasNumber, false},
		"a question in the middle":           {"Why? Because.", asks, true},
		"no question at the end of a remark": {"Why? Because.", endsAsking, false},
		"a question at the end":              {"Because. Why? ", endsAsking, true},
		"a question in Chinese":              {"为什么？", endsAsking, true},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, test.want, test.is(words.Analyze(test.text))) })
	}
	assert.Equal(t, 2, words.Analyze("Yesterday Ada met Grace.").Capitals)
}

func TestE8_OnlyWordsThatCountFromTodayDependOnTheDay(t *testing.T) {
	const no, in, named, from = words.NoTime, words.InTime, words.ByName, words.FromNow
	for name, test := range map[string]struct {
		text  string
		today int
		want  []words.Use
	}{
		"a day before":                          {"shipped yesterday", 20_000, []words.Use{no, from}},
		"the last of a day of the week":         {"shipped last Tuesday", 20_000, []words.Use{no, from, from}},
		"a distance":                            {"two weeks ago", 20_000, []words.Use{from, from, from}},
		"a distance in French":                  {"il y a deux mois", 20_000, []words.Use{no, from, from, from, from}},
		"a day more":                            {"day before yesterday", 20_000, []words.Use{from, from, from}},
		"a day before, without spaces":          {"昨天", 20_000, []words.Use{from}},
		"a date with slashes":                   {"10/28/2026 it", 20_000, []words.Use{in, in, in, no}},
		"a day of the week alone":               {"shipped Tuesday", 20_000, []words.Use{no, named}},
		"a month alone":                         {"shipped in April", 20_000, []words.Use{no, no, named}},
		"a date":                                {"shipped 7 May 2023", 20_000, []words.Use{no, in, in, in}},
		"a word that says more than its day":    {"昨天数据库", 20_000, []words.Use{no}},
		"a day before, if the day is not known": {"shipped yesterday", 0, []words.Use{no, in}},
	} {
		_, used := words.Periods(words.Words(test.text), test.today)
		assert.Equal(t, test.want, used, name)
	}
}

func TestE8_ATextNamesTimesAsSeenFromItsDay(t *testing.T) {
	day := func(date string) int {
		at, err := time.Parse(time.DateOnly, date)
		require.NoError(t, err)
		return int(at.Unix() / (24 * 60 * 60))
	}
	const written = "2026-11-05" // a Thursday
	for text, want := range map[string][2]string{
		"We decided last Tuesday to drop it.":           {"2026-11-03", "2026-11-03"},
		"It was agreed on Monday.":                      {"2026-11-02", "2026-11-02"},
		"It broke on Thursday.":                         {"2026-10-29", "2026-10-29"},
		"The freeze begins next Tuesday.":               {"2026-11-10", "2026-11-10"},
		"The freeze begins tomorrow.":                   {"2026-11-06", "2026-11-06"},
		"It broke 3 days ago.":                          {"2026-11-02", "2026-11-02"},
		"Last week it worked.":                          {"2026-10-26", "2026-11-01"},
		"Next week it will work.":                       {"2026-11-09", "2026-11-15"},
		"We moved last month.":                          {"2026-10-01", "2026-10-31"},
		"We moved on 28 October.":                       {"2026-10-28", "2026-10-28"},
		"We move on January 7.":                         {"2027-01-07", "2027-01-07"},
		"Das haben wir letzten Dienstag beschlossen.":   {"2026-11-03", "2026-11-03"},
		"Am 3. Dezember ist es so weit.":                {"2026-12-03", "2026-12-03"},
		"On l'a décidé mardi dernier avec les autres.":  {"2026-11-03", "2026-11-03"},
		"Beschlossen am 3.11.2026, gilt ab sofort.":     {"2026-11-03", "2026-11-03"},
		"It was released on 2024-02-29.":                {"2024-02-29", "2024-02-29"},
		"La semaine dernière, tout marchait.":           {"2026-10-26", "2026-11-01"},
		"Lo decidimos la semana pasada.":                {"2026-10-26", "2026-11-01"},
		"我们昨天决定用别的数据库。":                                 {"2026-11-04", "2026-11-04"},
		"It broke the day before yesterday.":            {"2026-11-03", "2026-11-03"},
		"It ships the day after tomorrow.":              {"2026-11-07", "2026-11-07"},
		"Released on 2026-11-01T10:00:00Z.":             {"2026-11-01", "2026-11-01"},
		"Released on 2026-11-01T10:00:00.5+02:00.":      {"2026-11-01", "2026-11-01"},
		"2026-11-01 10:00:00 ERROR the pool is empty":   {"2026-11-01", "2026-11-01"},
		"Released on 10/28/2026.":                       {"2026-10-28", "2026-10-28"},
		"Publié le 28/10/2026":                          {"2026-10-28", "2026-10-28"},
		"Released on 11/11/2026.":                       {"2026-11-11", "2026-11-11"},
		"2026/11/01 10:00:00 starting":                  {"2026-11-01", "2026-11-01"},
		"Released on 1.11.":                             {"2026-11-01", "2026-11-01"},
		"Am 16.11. wird es fertig.":                     {"2026-11-16", "2026-11-16"},
		"The report of 2026-10 is done.":                {"2026-10-01", "2026-10-31"},
		"Lo decidimos el 28 de octubre de 2025.":        {"2025-10-28", "2025-10-28"},
		"Decidimos em 28 de outubro de 2025.":           {"2025-10-28", "2025-10-28"},
		"On l'a décidé le 1er octobre avec les autres.": {"2026-10-01", "2026-10-01"},
		"Ustaliliśmy to 28 października 2025.":          {"2025-10-28", "2025-10-28"},
		"Решили 28 октября 2025 года.":                  {"2025-10-28", "2025-10-28"},
		"我们2025年10月28日决定的。":                             {"2025-10-28", "2025-10-28"},
		"10月28日发布":                                      {"2026-10-28", "2026-10-28"},
		"10月28日에":                                       {"2026-10-28", "2026-10-28"},
		"2025년 10월 28일에 배포했다":                           {"2025-10-28", "2025-10-28"},
		"2025年10月发布":                                    {"2025-10-01", "2025-10-31"},
		"Das ging vor zwei Wochen kaputt.":              {"2026-10-19", "2026-10-25"},
		"Das ging vor einer Woche kaputt.":              {"2026-10-26", "2026-11-01"},
		"Das ging vor 3 Tagen kaputt.":                  {"2026-11-02", "2026-11-02"},
		"Vorgestern ging es kaputt.":                    {"2026-11-03", "2026-11-03"},
		"Übermorgen ist es fertig.":                     {"2026-11-07", "2026-11-07"},
		"Il y a trois jours, cela a cassé.":             {"2026-11-02", "2026-11-02"},
		"Cela a cassé avant-hier.":                      {"2026-11-03", "2026-11-03"},
		"Se rompió hace dos días.":                      {"2026-11-03", "2026-11-03"},
		"Se rompió anteayer.":                           {"2026-11-03", "2026-11-03"},
		"Se rompió antes de ayer.":                      {"2026-11-03", "2026-11-03"},
		"Sale pasado mañana.":                           {"2026-11-07", "2026-11-07"},
		"Si è rotto due giorni fa.":                     {"2026-11-03", "2026-11-03"},
		"Si è rotto l'altro ieri.":                      {"2026-11-03", "2026-11-03"},
		"Quebrou há dois dias.":                         {"2026-11-03", "2026-11-03"},
		"Quebrou duas semanas atrás.":                   {"2026-10-19", "2026-10-25"},
		"Het ging twee dagen geleden kapot.":            {"2026-11-03", "2026-11-03"},
		"Het ging eergisteren kapot.":                   {"2026-11-03", "2026-11-03"},
		"Wczoraj się zepsuło.":                          {"2026-11-04", "2026-11-04"},
		"Przedwczoraj się zepsuło.":                     {"2026-11-03", "2026-11-03"},
		"W zeszłym tygodniu działało.":                  {"2026-10-26", "2026-11-01"},
		"Вчера сломался.":                               {"2026-11-04", "2026-11-04"},
		"Позавчера сломался.":                           {"2026-11-03", "2026-11-03"},
		"Послезавтра выпуск.":                           {"2026-11-07", "2026-11-07"},
		"На прошлой неделе работало.":                   {"2026-10-26", "2026-11-01"},
		"上周坏了":                                          {"2026-10-26", "2026-11-01"},
		"前天坏了":                                          {"2026-11-03", "2026-11-03"},
		"先週壊れた":                                         {"2026-10-26", "2026-11-01"},
		"一昨日壊れた":                                        {"2026-11-03", "2026-11-03"},
		"先月壊れた":                                         {"2026-10-01", "2026-10-31"},
		"지난주에 고장났다":                                     {"2026-10-26", "2026-11-01"},
		"그저께 고장났다":                                      {"2026-11-03", "2026-11-03"},
	} {
		t.Run(text, func(t *testing.T) {
			times := words.AnalyzeOf(text, day(written)).Times
			require.Len(t, times, 1)
			first, last := times[0].Near(day(written))
			assert.Equal(t, [2]int{day(want[0]), day(want[1])}, [2]int{first, last})
			assert.Empty(t, words.Analyze(text).Times, "if its day is not known")
		})
	}
	weekday := words.AnalyzeOf("Montag, 9.11., ist Abnahme.", day(written)).Times
	assert.Contains(t, weekday, words.Period{Month: time.November, Day: 9})
	for _, text := range []string{"/log/2026/10/28", "2026/10/28/log", "3/11/2026 or 11/3/2026", "13/13/2026"} {
		for _, time := range words.AnalyzeOf(text, day(written)).Times {
			assert.Greater(t, time.Last, time.First, "%s: a year at most", text)
		}
	}
	for _, text := range []string{
		"The team meets every Tuesday.", "Each Monday it is rebuilt.", "The week has seven days.", "It may march on.",
		"the week this began", "version 10.26.2023 of 1.2.3", "2026-13-40", "You may like it next.",
		"version 16.11. of it", "PostgreSQL 16.11.", "1.2. Results", "10.0.1.2 answers", "on 10.0.1.", "1/2 of it",
		"11/16 of it", "7/11/26", "see logs/11/16/x", "a 2026-13 part", "2026-1", "It is due for days.",
		"once weeks begin",
		"vor zwei Servern", "Il y a trois serveurs.", "the last tag", "two dag runs", "la marca", "以上周期很长", "3日间",
		"The day before it was red.", "40日号",
	} {
		assert.Empty(t, words.AnalyzeOf(text, day(written)).Times, text)
	}
}

func hasTime(a words.Analysis) bool    { return a.Time }
func ofSelf(a words.Analysis) bool     { return a.Self }
func toOther(a words.Analysis) bool    { return a.Other }
func hasNumber(a words.Analysis) bool  { return a.Number }
func asks(a words.Analysis) bool       { return a.Questions > 0 }
func endsAsking(a words.Analysis) bool { return a.EndsIn == '?' || a.EndsIn == '？' }

func FuzzAnalyze(f *testing.F) {
	for _, seed := range []string{
		"", "I don't", "parseConfig_x.y-z", "数据库 데이터 ฐาน", "\x00\xff'’''", "v1.2.3-rc1 C++ C#",
		"7th of May, 2023 two weeks ago",
		"l'homme dell'arte ŒUVRE İstanbul ﬁ", "a.b.c._-'x", "gyakorlatiasabbnak ihtiyaçlarımızdan",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		analysis := words.Analyze(text)
		assert.Equal(t, analysis, words.Analyze(text))
		seen := map[string]bool{}
		total := 0
		for _, term := range analysis.Terms {
			assert.True(t, utf8.ValidString(term.Text), "%q", term.Text)
			assert.NotEmpty(t, term.Text)
			assert.Positive(t, term.Count)
			assert.LessOrEqual(t, len(term.Text), 64)
			assert.False(t, seen[term.Text], "%q twice", term.Text)
			seen[term.Text] = true
			total += term.Count
		}
		assert.LessOrEqual(t, total, 8*len(text)+8)
		all := words.Words(text)
		found, used := words.Periods(all, 20_000)
		assert.Len(t, used, len(all))
		assert.Subset(t, found, words.AnalyzeOf(text, 20_000).Times)
	})
}

func TestAWordHasItsStemsInSomeLanguages(t *testing.T) {
	german := words.Analyze("Die Kunden zahlen bar.").Language
	assert.Equal(t, "kund", words.Stem("kunden", german))
	assert.Equal(t, "kunden", words.Stem("kunden", words.English))
	assert.Equal(t, german, words.Analyze("Fu\u0308r Kunden").Language, "accents may be letters of their own")
	assert.Equal(t, words.English, words.Analyze("Kunden").Language)
}

func TestE8_AWordThatIsAllEndingIsItsOwnStem(t *testing.T) {
	for _, text := range []string{"τα αράκια", "άκια", "ιάακια", "άει", "ήκά"} {
		t.Run(text, func(t *testing.T) {
			for _, term := range words.Analyze(text).Terms {
				assert.NotEmpty(t, term.Text)
			}
			assert.NotEqual(t, words.Analyze("άνε").Terms, words.Analyze(text).Terms)
		})
	}
}

func TestE8_LettersTellALanguageIfNotOnlyANameOrOneWordHasThem(t *testing.T) {
	of := func(text string) words.Languages { return words.Analyze(text).Language }
	german, czech := of("Die Kunden zahlen"), of("Objednávky jsou v archivu")
	for text, want := range map[string]words.Languages{
		"Müller restarted servers nightly":       words.English,
		"Jörg Schröder: flaky tests quarantined": words.English,
		"über-fast queries, indexes dropped":     words.English,
		"Käse factories renamed":                 words.English,
		"Müller in Zürich restarted":             words.English,
		"gelöschte Bilder größer Konten":         german,
		"Größe geändert":                         german,
		"Zrušená objednávka zůstává rok":         czech,
		"Konten gelöscht im Archiv":              german,
	} {
		assert.Equal(t, want, of(text), text)
	}
}

func TestTheFormsOfAWordHaveOneTerm(t *testing.T) {
	for text, forms := range map[string]string{
		"Zamówienia nie są jeszcze opłacone, bo zamówienie czeka na wpłatę.": "zamówienia zamówienie",
		"Objednávky jsou v archivu, když je objednávka zrušena.":             "objednávky objednávka",
		"Οι πελάτες και ο πελάτης":                                           "πελάτες πελάτης",
		"Заказы и заказ":                                                     "заказы заказ",
		"Die Kunden und der Kunde":                                           "kunden kunde",
		"Las facturas son de la factura anterior":                            "facturas factura",
		"Het certificaat en de certificaten van de server":                   "certificaat certificaten",
		"Les commandes sont annulées et la commande est là.":                 "commandes commande",
	} {
		t.Run(text, func(t *testing.T) {
			one, other, _ := strings.Cut(forms, " ")
			assert.Equal(t, stemsIn(text)[one], stemsIn(text)[other])
			assert.NotEmpty(t, stemsIn(text)[one])
		})
	}
}

// stemsIn returns the terms of the words of a text by their small letters.
func stemsIn(text string) map[string][]string {
	found := map[string][]string{}
	for _, word := range words.Words(text) {
		found[word.Lower] = word.Terms
	}
	return found
}

func TestWordsTellTheLanguagesThatHaveTheMostOfThemBetweenOthers(t *testing.T) {
	of := func(text string) words.Languages { return words.Analyze(text).Language }
	german, french, spanish := of("Die Kunden zahlen"), of("Les clients paient"), of("Los clientes pagan")
	told := func(text string) words.Languages { return words.Told(words.Words(text)) }
	assert.Equal(t, german, told("Warteschlange der Aufträge"))
	assert.Equal(t, words.English, told("the queue of the orders"))
	assert.Zero(t, told("Kunden Rechnungen"))
	several := told("copias de seguridad")
	assert.False(t, several.One())
	for in := range several.Each() {
		assert.True(t, in.One())
	}
	assert.Equal(t, french|spanish, several&(german|french|spanish|words.English))
}
