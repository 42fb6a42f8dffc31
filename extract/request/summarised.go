package request

import (
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// maxSummarised bounds what one summary offers.
const maxSummarised = 12

var (
	// decisive matches titles under which a summary lists decisions and rules.
	decisive = pattern.Any(
		`^(?:\d+[.)] ?)?(?:(?:key|main|important|architectur\w+|design|technical|user|project|`+
			`coding) )*(?:decisions?|rules|constraints|`+
			`preferences|conventions|guidelines|requirements from the user|lessons(?: learned)?|learnings|`+
			`corrections|feedback)\b[^.]{0,40}$`,
		`^(?:\d+[.)、] ?)?(?:关键|關鍵|重要|主要|用户|用戶|设计|設計)?(?:决定|決定|决策|決策|规则|規則|约束|約束|偏好|约定|約定|教训|教訓)`,
		`^(?:\d+[.)、] ?)?(?:重要な|主な|設計上の)?(?:決定(?:事項)?|ルール|制約|好み|規約|教訓)`,
		`^(?:\d+[.)] ?)?(?:주요|핵심|중요한?)? ?(?:결정(?: ?사항)?|규칙|제약|선호|관례|교훈)`,
		`^(?:\d+[.)] ?)?(?:wichtige |zentrale )?(?:entscheidungen|regeln|vorgaben|vorlieben|konventionen|`+
			`erkenntnisse)\b`,
		`^(?:\d+[.)] ?)?(?:décisions|règles|contraintes|préférences|conventions|leçons)\b`,
		`^(?:\d+[.)] ?)?(?:decisiones|reglas|restricciones|preferencias|convenciones|lecciones|decisões|regras|`+
			`restrições|preferências|convenções|lições)`,
	)
	// confesses matches what an assistant tells of itself.
	confesses = pattern.New(`\bI (?:was|had|have|should|asserted|assumed|jumped|acknowledged|suggested|made|did|` +
		`then|also)\b`)
	// userSays matches lines of a summary that tell what the user decided or corrected.
	userSays = pattern.Any(
		`\b(?:the )?user(?:'s)? (?:has |had |also |then |later |explicitly |strongly |clearly |`+
			`repeatedly )*(?:clarif\w+|correct\w+|prefer\w*|want\w*|decided|`+
			`insist\w*|stated|specified|emphasi[sz]ed|rejected|pointed out|explicitly|instructed|told|`+
			`said (?:that|to|not|never|always)|does(?:n't| not) want|chose|agreed|`+
			`preferences?|feedback|correction|requires?|expects?)\b`,
		`(?:用户|用戶|使用者)(?:明确|明確)?(?:澄清|纠正|糾正|偏好|希望|想要|决定|決定|要求|强调|強調|拒绝|拒絕|选择|選擇|不想)`,
		`ユーザーは?.{0,20}(?:希望|好|決め|決定|指摘|訂正|要求|強調|拒否|選択)`,
		`사용자(?:가|는|의).{0,20}(?:원|선호|결정|지적|정정|요구|강조|거부|선택)`,
		`\b(?:der |die )?(?:benutzer|nutzer)(?:in)? (?:will|möchte|bevorzugt|hat (?:entschieden|klargestellt|`+
			`korrigiert)|verlangt|lehnt)`,
		`\bl'utilisateur (?:veut|préfère|a (?:décidé|précisé|corrigé|choisi|refusé)|exige)`,
		`\bel usuario (?:quiere|prefiere|decidió|aclaró|corrigió|eligió|rechazó|exige)|\bo usuário (?:quer|`+
			`prefere|decidiu|esclareceu|corrigiu|escolheu|rejeitou|exige)`,
	)
	// quoted matches the words of a user at the beginning of what a line says.
	quoted = pattern.New(`^["“「]([^"”」]+)["”」]`)
	// label matches the beginning of a line that names the user, such as "User clarified:".
	label = pattern.New(`^(?:\*\*)?(?:the )?(?:user|用户|用戶|ユーザー|사용자)[^:：."]{0,60}[:：](?:\*\*)?\s*`)
)

// Summarised returns the decisions and rules that a compaction summary tells outside of its
// block of candidates: what it lists as decisions or rules, what the user decided or
// corrected, and root causes. They are worth offering; nobody chose them.
func Summarised(summary string) []Saying {
	var all []Saying
	seen := map[string]bool{}
	add := func(text string) {
		text = oneLine(emphasis.Replace(text), maxQuoted)
		key := strings.ToLower(text)
		if text == "" || seen[key] || len(all) == maxSummarised || words(text) < minReasoned || !standsAlone(text) ||
			isQuestion(text) || momentary.match(text) || confesses.Match(text) {
			return
		}
		seen[key] = true
		all = append(all, Saying{Text: text, Lasting: true, Type: kindOf(text)})
	}
	listing := false
	for _, l := range prose(withoutElements(bounded(summary))) {
		text := emphasis.Replace(l.text)
		title := strings.TrimRight(strings.TrimLeft(text, "# "), ":： ")
		if !l.indented && (heading.Match(l.text) || announcesList.Match(text)) && words(title) <= 8 {
			listing = decisive.Match(title)
			continue
		}
		switch {
		case listing && (l.bullet || l.indented):
			add(text)
		case userSays.Match(text):
			said := strings.TrimSpace(text[len(label.Find(text)):])
			if whole := quoted.Submatch(said); whole != nil {
				said = whole[1]
			}
			if lasts(core(said)) {
				add(said)
			}
		default:
			for _, c := range Causes(text) {
				add(c)
			}
		}
	}
	return all
}
