package request

import (
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// maxDecision is the maximum length of decisions, todos and facts, in characters
// (systems.md A5, B12).
const maxDecision = 300

var decided = []pattern.Wording{
	{
		Words: pattern.Words(
			`let's|lets |let us|decid|decision|chose|choose|agreed|settled|opted|picked|pick |resolved|concluded|` +
				`we'll|we will|we're|we are|i'll|i will|going with|vote for|instead of|rather than| over |` +
				`switching|moving|migrating|sticking`,
		),
		Pattern: pattern.OneOf(
			`^(?:let'?s|let us) (?:use|go with|go for|go back to|switch|stick (?:with|to)|keep|adopt|`+
				`move (?:to|from|off)|drop|replace|migrate|standardi[sz]e on|settle on|target|support only|store|`+
				`pick|choose|default to|stay (?:with|on))\b`,
			`\b(?:we|i|the team|team)(?:'ve| have)? (?:finally |also |just |now |all |both )?(?:decided|chose|`+
				`chosen|agreed|settled|opted|picked|resolved|concluded)\b(?:: \S| (?:to|on|that|against|for|not)|`+
				` [a-z\d"'\x60])`,
			`^(?:we|i)(?:'ll| will|'re going to| are going to|'re| are) (?:use|using|go(?:ing)? with|`+
				`stick(?:ing)? (?:with|to)|keep(?:ing)?|adopt(?:ing)?|switch(?:ing)?|mov(?:e|ing) (?:to|off)|`+
				`drop(?:ping)?|standardi[sz](?:e|ing)|not use|replac(?:e|ing))\b`,
			`^(?:final |key |architecture |design )?decisions?(?: made)?\s*[:：—–-]\s*\S`,
			`^(?:it was|it's|it is|it has been) (?:decided|agreed|settled)\b`,
			`^going with\b`,
			`^(?:i|we) (?:would )?(?:choose|pick|vote for)\b`,
			`^(?:use|adopt|choose|pick|prefer|keep|store|take|go with)\b[^.?]*\b(?:instead of|rather than|over)\b`,
			`\bthe (?:final )?decision (?:is|was)\b`,
			`^we (?:use|chose) .+ (?:instead of|rather than)\b`,
			`^(?:switching|moving|migrating|sticking) (?:to|from|with)\b`,
		),
	},
	{
		Words: pattern.Words(`决定|決定|选|選|采用|採用|同意用|敲定|商定|约定|約定|改用|而不是|代替|取代|不用|结论|結論|就用|就使用|还是用|還是用|定`),
		Pattern: pattern.OneOf(
			`(?:我们|我們|我|团队|團隊|大家|已经|已經|已|最终|最終|最后|最後)(?:已经|已經|已|最终|最終|最后|最後|一致|都|还是|還是|就)*(?:决定|決定|选择|選擇|选定|選定|采用|`+
				`採用|同意用|敲定|商定|约定|約定|改用)`,
			`^(?:决定|決定|结论|結論)(?:了|是|[:：]|用|采用|採用|使用|改|不)`,
			`^(?:那)?(?:就|还是|還是)(?:用|使用|采用|採用|选|選|这么定|這麼定)`,
			`^(?:改用|采用|採用|选用|選用)`,
			`(?:我们|我們)(?:就)?(?:用|使用).{1,40}(?:而不是|不用|代替|取代)`,
			`^(?:用|使用).{1,40}(?:而不是|代替|取代)`,
		),
	},
	{
		Words: pattern.Words(`ことに|決|採用|選択|ましょう|代わり`),
		Pattern: pattern.OneOf(
			`ことに(?:した|する|しました|します|決めた|決めました|決定)(?:。|$|[!！])`,
			`(?:に|と)(?:決めた|決めました|決定した|決定しました|決まりました|決定です)`,
			`(?:を|に)(?:採用|選択)(?:する|します|した|しました)`,
			`(?:を使い|でいき|に(?:し|統一し|移行し|切り替え))ましょう`,
			`^決定(?:事項)?[:：]`,
			`の代わりに.{1,40}(?:使|採用)(?:う|い|用)?`,
		),
	},
	{
		Words: pattern.Words(`기로|결정|정했|가자|하자|합시다|갑시다|쓰자|씁시다|채택|대신|정하`),
		Pattern: pattern.OneOf(
			`기로 ?(?:했|결정|하자|합의|정했)`,
			`(?:으로|로) (?:결정|정했|가자|가기로|하자|합시다|갑시다|정하)`,
			`(?:을|를) (?:쓰자|사용하자|씁시다|사용합시다|채택)`,
			`^결정(?: ?사항)?[:：]`,
			`대신.{1,40}(?:쓰자|사용하자|쓰기로|사용하기로|사용합니다|씁니다)`,
		),
	},
	{
		Words: pattern.Words(`entschieden|beschlossen|geeinigt|festgelegt|lass|wir |entscheidung|beschluss`),
		Pattern: pattern.OneOf(
			`\b(?:wir|ich|das team) (?:haben|habe|hat) (?:\S+ ){0,8}?(?:entschieden|beschlossen|geeinigt|festgelegt)\b`,
			`^(?:lass(?:t)? uns|wir) (?:verwenden|nutzen|nehmen|bleiben bei|setzen auf|wechseln|benutzen)\b.*`,
			`^lass(?:t)? uns .+ (?:verwenden|nutzen|nehmen|bleiben|wechseln|umsteigen)\b`,
			`^(?:entscheidung|beschluss)[:：]`,
		),
	},
	{
		Words: pattern.Words(
			`décid|choisi|opté|convenu|tranché|utilisons|partons|gardons|adoptons|passons|restons|on part|on va|` +
				`on utilise|décision`,
		),
		Pattern: pattern.OneOf(
			`\b(?:on a|nous avons|j'ai|l'équipe a) (?:\S+ )?(?:décidé|choisi|opté|convenu|tranché)(?: |$)`,
			`^(?:utilisons|partons sur|gardons|adoptons|passons à|restons sur|on part sur|on va utiliser|`+
				`on utilise .+ (?:au lieu|plutôt))\b`,
			`^décision[:： ]`,
		),
	},
	{
		Words: pattern.Words(
			`decid|decis|elegi|elegimos|optado|optamos|acord|usemos|vamos|usaremos|adoptemos|quedémonos|cambiemos`,
		),
		Pattern: pattern.OneOf(
			`\b(?:hemos|he) (?:decidido|elegido|optado|acordado)\b`,
			`\b(?:decidimos|elegimos|acordamos|optamos)\b`,
			`^(?:usemos|vamos a usar|vamos con|usaremos|adoptemos|quedémonos con|cambiemos a)\b`,
			`^decisión[:： ]`,
		),
	},
	{
		Words: pattern.Words(`decid|decis|escolhemos|concordamos|vamos|usaremos|adotaremos`),
		Pattern: pattern.OneOf(
			`\b(?:escolhemos|concordamos|foi decidido)\b`,
			`^(?:vamos (?:usar|adotar|com|ficar com|manter|migrar)|usaremos|adotaremos)\b`,
			`^decisão[:： ]`,
		),
	},
	{
		Words:   pattern.Words(`решил|договорились|выбрали|решение`),
		Pattern: pattern.OneOf(`^(?:мы |команда )?(?:решил[иа]|договорились|выбрали)\s`, `^решение[:：]`),
	},
}

// undecided matches sentences about a decision that is not made yet.
var undecided = pattern.OneOf(
	`^(?:let'?s|let us|we'?ll|i'?ll|we will) (?:go with|use|do|keep|take|pick|choose|stick with) (?:that|this|it|`+
		`these|those|the (?:first|second|third|last|former|latter)(?: one| option)?)(?: one| option)?(?: then|`+
		` for now)?[.!]*$`,
	`\b(?:haven'?t|have not|hasn'?t|not yet|didn'?t|did not|never) (?:\w+ )?(?:decide|decided|agree|agreed|chosen|`+
		`chose|settled|picked)\b`,
	`^(?:if|when|unless|once|should|whether|had|until|before) (?:we|i|you|the)\b`,
	`\b(?:not decided|can'?t decide|cannot decide|undecided|maybe|perhaps|might|not sure|i guess|`+
		`(?:need|have|want|yet|try|trying) to decide|decide (?:later|tomorrow))\b`,
	`还没(?:有)?(?:决定|選)|還沒(?:有)?(?:決定|選)|没(?:有)?决定|沒(?:有)?決定|尚未|未决定|未決定|如果|要不要|是否|也许|也許|可能|(?:再|等)(?:决定|決定)|由你(?:决定|決定)`,
	`まだ.{0,12}(?:決め|決ま)|未定|決めていない|決まっていない|かもしれ|もし`,
	`아직|미정|만약|지도 모`,
	`\b(?:noch nicht|vielleicht|wenn wir|falls|pas encore|peut-être|si (?:on|nous)|todavía no|aún no|quizás?|`+
		`tal vez|ainda não|talvez)\b`,
)

// Decisions returns the decisions in a message, each as one line of at most 300
// characters.
func Decisions(message string) []string {
	return collect(message, func(sentence string) string {
		if !states(sentence, decided) || undecided.Match(sentence) {
			return ""
		}
		return sentence
	})
}

// maxFound bounds the statements of one message. A message with more is a log.
const maxFound = 100

// collect returns the results of pick for the statements of a message, each as one
// line and without duplicates.
func collect(message string, pick func(sentence string) string) []string {
	var found []string
	seen := map[string]bool{}
	for _, l := range prose(message) {
		for _, s := range sentences(l.text) {
			if isQuotation(s) || isQuestion(s) {
				continue
			}
			text := oneLine(pick(s), maxDecision)
			if key := strings.ToLower(text); text != "" && !seen[key] {
				seen[key] = true
				found = append(found, text)
			}
			if len(found) == maxFound {
				return found
			}
		}
	}
	return found
}
