package request_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/extract/request"
)

// A message is right if it asks for exactly the entries that its label names.
func TestRequestsAreRightOnIndependentMessages(t *testing.T) {
	for file, bar := range map[string]float64{"independent.txt": bar, "unseen.txt": 0.96} {
		t.Run(file, func(t *testing.T) { rightOn(t, "testdata/"+file, bar) })
	}
}

func rightOn(t *testing.T, path string, bar float64) {
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	type count struct{ right, all int }
	perLanguage := map[string]*count{"all": {}}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSuffix(line, "\n"); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.SplitN(line, "\t", 3)
		require.Len(t, fields, 3, line)
		var want []string
		if fields[1] != "-" {
			want = strings.Split(fields[1], " || ")
		}
		got := request.Requests(strings.ReplaceAll(fields[2], `\n`, "\n"), request.Before{})
		right := len(got) == len(want) && !slices.ContainsFunc(want, func(w string) bool {
			return !slices.ContainsFunc(
				got,
				func(r request.Request) bool { return strings.Contains(strings.ToLower(r.Text), strings.ToLower(w)) },
			)
		})
		if perLanguage[fields[0]] == nil {
			perLanguage[fields[0]] = &count{}
		}
		for _, c := range []*count{perLanguage["all"], perLanguage[fields[0]]} {
			c.all++
			if right {
				c.right++
			}
		}
		if !right {
			t.Logf("%s: %q should keep %q, not %v", fields[0], fields[2], want, got)
		}
	}
	for language, c := range perLanguage {
		t.Logf("%s: %d of %d right", language, c.right, c.all)
	}
	assert.GreaterOrEqual(t, ratio(perLanguage["all"].right, perLanguage["all"].all), bar)
}

// A message asks if it has at least one request, or says something that is offered.
func TestRequestsInOtherWordsAreHeard(t *testing.T) {
	text, err := os.ReadFile("testdata/otherwise.txt")
	require.NoError(t, err)
	right, all := map[string]int{}, map[string]int{}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.SplitN(strings.TrimSuffix(line, "\n"), "\t", 3)
		require.Len(t, fields, 3, line)
		all[fields[1]]++
		heard := request.Hear("user", fields[2], request.Before{})
		lasts := slices.ContainsFunc(heard.Sayings, func(s request.Saying) bool { return s.Lasting || s.Design })
		if asks := len(heard.Requests) > 0; asks == (fields[1] == "yes") || lasts && fields[1] == "yes" {
			right[fields[1]]++
			continue
		}
		t.Logf("%s: %q should be %s", fields[0], fields[2], fields[1])
	}
	assert.GreaterOrEqual(t, ratio(right["yes"], all["yes"]), bar)
	assert.GreaterOrEqual(t, ratio(right["no"], all["no"]), bar)
}

// Reports of what goes wrong use the words of rules in many languages: "immer", "toujours",
// "siempre", "每次". They ask for nothing.
func TestWhatAlwaysFailsIsNoRule(t *testing.T) {
	for _, message := range []string{
		"The login page always crashes on Safari.", "It never works on the second try.",
		"Going forward the branch was rebased twice, which is why the diff is so large.",
		"Next time the job runs it fails with the same error.",
		"Ich habe immer noch denselben Fehler.", "Der Export schlägt immer nach zehn Sekunden fehl.",
		"Le test échoue toujours sur ma machine.", "J'ai toujours la même erreur au démarrage.",
		"Siempre me sale el mismo error al arrancar.", "La página siempre falla al cargar.",
		"Sempre dá erro quando clico em salvar.", "O servidor nunca responde e sempre trava.",
		"每次启动都会报同样的错。", "上传大文件总是超时。",
		"いつも同じところでエラーになります。", "ビルドが毎回失敗します。",
		"항상 같은 오류가 나요.", "빌드가 매번 실패합니다.",
	} {
		heard := request.Hear("user", message, request.Before{})
		assert.Empty(t, heard.Requests, message)
		assert.Empty(t, heard.Sayings, message)
	}
	for _, message := range []string{
		"If the upload fails, always retry it twice.", "Every handler must return an error and never panic.",
		"Fehler müssen immer mit dem Mandanten geloggt werden.", "Si un test échoue, relance-le toujours deux fois.",
		"Si falla una prueba, siempre vuelve a ejecutarla.", "所有错误都必须记录租户编号。",
		"エラーになった場合は必ず再試行してください。", "오류가 나면 항상 두 번 다시 시도해야 합니다.",
	} {
		heard := request.Hear("user", message, request.Before{})
		assert.NotEmpty(t, len(heard.Requests)+len(heard.Sayings), message)
	}
}

func TestAKoreanClauseKeepsItsVerb(t *testing.T) {
	found := request.Requests("Node 20 이상이 필요하다고 README에 적어 줘.", request.Before{})
	if assert.Len(t, found, 1) {
		assert.Equal(t, "Node 20 이상이 필요하다", found[0].Text)
	}
}
