package request

import (
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// maxSummarised bounds what one summary offers.
const maxSummarised = 12

// minSettled is the number of words of the shortest sentence that says what was decided.
const minSettled = 5

var (
	// decisive matches titles under which a summary lists decisions and rules.
	decisive = pattern.Any(
		`^(?:\d+[.)] ?)?(?:(?:key|main|important|architectur\w+|design|technical|user|project|`+
			`coding|team|agreed|general) )*(?:decisions?|rules|constraints|`+
			`preferences|conventions|guidelines|requirements from the user|lessons(?: learned)?|learnings|`+
			`corrections|feedback)\b[^.]{0,40}$`,
		`^(?:\d+[.)、] ?)?(?:关键|關鍵|重要|主要|用户|用戶|设计|設計|项目|項目|專案|团队|團隊|技术|技術|架构|架構|编码|編碼|`+
			`代码)?(?:决定|決定|决策|決策|规则|規則|约束|約束|偏好|约定|約定|教训|教訓)`,
		`^(?:\d+[.)、] ?)?(?:重要な|主な|設計上の|プロジェクトの|チームの|コーディング)?(?:決定(?:事項)?|ルール|制約|好み|規約|教訓)`,
		`^(?:\d+[.)] ?)?(?:주요|핵심|중요한?|프로젝트|팀|코딩)? ?(?:결정(?: ?사항)?|규칙|제약|선호|관례|교훈)`,
		`^(?:\d+[.)] ?)?(?:wichtige |zentrale |getroffene )?(?:entscheidung(?:en)?|regeln|vorgaben|vorlieben|`+
			`konventionen|erkenntnisse)\b`,
		`^(?:\d+[.)] ?)?(?:décisions?|règles|contraintes|préférences|conventions|leçons)(?:\s|$)`,
		`^(?:\d+[.)] ?)?(?:decisión|decisiones|reglas|restricciones|preferencias|convenciones|lecciones|decisão|`+
			`decisões|regras|restrições|preferências|convenções|lições)`,
		`^(?:\d+[.)] ?)?(?:важные |ключевые |принятые )?(?:решения|правила|соглашения|предпочтения|ограничения)`,
	)
	// ofDecisions and ofRules match the titles that name the type of what is under them.
	ofDecisions = pattern.Any(
		`\b(?:decisions?|entscheidung(?:en)?|décisions?|decisión|decisiones|decisão|decisões)(?:\P{L}|$)`,
		`决定|決定|决策|決策|결정|решени[ея]`,
	)
	ofRules = pattern.Any(
		`\b(?:rules|conventions|preferences|guidelines|corrections|feedback|regeln|vorgaben|vorlieben|`+
			`konventionen|règles|préférences|reglas|preferencias|convenciones|regras|preferências|convenções)`+
			`(?:\P{L}|$)`,
		`规则|規則|偏好|约定|約定|ルール|好み|規約|규칙|선호|관례|правила|соглашения|предпочтения`,
	)
	// decisionLabel and ruleLabel match the beginning of a line that says what it is.
	decisionLabel = pattern.OneOf(
		`^(?:(?:final|key|architectur\w+|design|technical|user|project) )*(?:decisions?(?: made)?|`+
			`entscheidung(?:en)?|beschluss|décisions?|decisión|decisiones|decisão|decisões|`+
			`решени[ея])(?: #?\d+)?\s*[:：]\s*`,
		`^(?:决定|決定(?:事項)?|决策|決策|결정(?: ?사항)?)\s*[:：]\s*`,
	)
	ruleLabel = pattern.OneOf(
		`^(?:(?:project|coding|user|code|team) )*(?:rules?|conventions?|preferences?|guidelines?|regeln?|vorgaben?|`+
			`konvention(?:en)?|vorlieben?|règles?|préférences?|reglas?|preferencias?|convención|convenciones|`+
			`regras?|preferências?|convenção|convenções|правил[ао]|соглашени[ея]|`+
			`предпочтени[ея])(?: #?\d+)?\s*[:：]\s*`,
		`^(?:规则|規則|偏好|约定|約定|ルール|好み|規約|규칙|선호|관례)\s*[:：]\s*`,
	)
	// settled matches the words of a decision that was made.
	settled = pattern.Any(
		`\b(?:decided|chose|chosen|agreed|settled|opted|entschieden|beschlossen|geeinigt|festgelegt|decidido|`+
			`decidimos|elegido|elegimos|acordado|acordamos|optamos|escolhemos|concordamos)\b|`+
			`\b(?:décidé|choisi|opté|convenu|tranché)(?:\P{L}|$)`,
		`решил[иа]?|договорились|выбрали|决定|決定|选择|選擇|选定|選定|采用|採用|决|決め|決ま|ことに(?:した|しました)|기로|결정|정했|채택`,
	)
	// commands matches rules that say what is always or never to be done.
	commands = pattern.Any(
		`^(?:(?:in|for|when|before|after|on|with|if)\b[^,]{1,50}, )?(?:always|never)\s+\p{L}`,
		`^(?:immer|nie|niemals|toujours|ne jamais|siempre|nunca|sempre|всегда|никогда не)\s+\p{L}`,
		`\b(?:must|should|shall) (?:always|never)\b`,
		`^(?:总是|總是|始终|始終|永远|永遠|绝不|絕不|绝对不|絕對不|一律|务必|務必|必须|必須)`,
		`^(?:提交|部署|合并|合併|发布|發布|每次)[^，。]{0,12}[前后後时時].{0,6}(?:必须|必須|都要|一定要|务必|務必)`,
		`(?:必ず|常に|絶対に?|いつも).*(?:する|すること|ください|しない|しないこと|使う|使わない|禁止)[。.]?$`,
		`(?:항상|언제나|절대|반드시)\s.*(?:것|하세요|마세요|주세요|해야 (?:한다|합니다)|안 (?:된다|됩니다))[.]?$`,
	)
	// happens matches what always or never happens, which is not a rule.
	happens = pattern.Any(
		`(?:^|, )(?:always|never) (?:\w+ed|\w*[^s\s]s|\w+ing|saw|got|ran|had|been)\b`,
		`^(?:immer|nie|niemals|toujours|siempre|nunca|sempre) (?:wieder|noch|ist|war|le même|lo mismo|o mesmo)\b`,
		`失败|失敗|报错|報錯|エラー|落ち|실패`,
	)
	// endsOpen matches sentences whose object is in another one.
	endsOpen = pattern.New(`\b(?:it|this|that|them|these|those|so|both|next|now|later|first)[.!]?$`)
	// narrates matches what an assistant chose on its way.
	narrates = pattern.New(`\bI (?:have |then |also |first )*(?:decided|chose|opted|settled|agreed)\b`)
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
// block of candidates: what it lists or labels as decisions or rules, what was decided, what is
// always or never to be done, what the user decided or corrected, and root causes. The title or
// label decides the type. They are worth offering; nobody chose them.
func Summarised(summary string) []Saying {
	found := summarised{seen: map[string]bool{}}
	listing, itemized := false, false
	listed := "" // the type that the title names, if any
	for _, l := range prose(withoutElements(bounded(summary))) {
		text := withoutEmphasis(l.text)
		title := strings.TrimRight(strings.TrimLeft(text, "# "), ":： ")
		if (l.bullet || !l.indented) && (heading.Match(l.text) || announcesList.Match(text)) && words(title) <= 8 {
			listing, itemized, listed = decisive.Match(title), false, titled(title)
			continue
		}
		if itemized = itemized || l.bullet; itemized && !l.bullet && !l.indented {
			listing = false // a line behind the items
		}
		labelled, kind := unlabelled(text)
		switch {
		case kind != "":
			found.add(labelled, kind, minLasting)
		case listing:
			found.add(text, listed, minLasting)
		case userSays.Match(text):
			found.addOfUser(text)
		default:
			found.addOfProse(text)
		}
	}
	return found.all
}

// summarised holds what was found in a summary, each string once.
type summarised struct {
	all  []Saying
	seen map[string]bool
}

// add adds a string with at least so many words, unless it is none that holds beyond its session. The type is derived
// from the string if kind is "".
func (f *summarised) add(text, kind string, shortest int) {
	text = oneLine(withoutEmphasis(text), maxQuoted)
	key := strings.ToLower(text)
	if text == "" || f.seen[key] || len(f.all) == maxSummarised || words(text) < shortest || !standsAlone(text) ||
		isQuestion(text) || momentary.match(text) || confesses.Match(text) {
		return
	}
	f.seen[key] = true
	if kind == "" {
		kind = kindOf(text)
	}
	f.all = append(f.all, Saying{Text: text, Lasting: true, Type: kind})
}

// addOfUser adds what a line says that the user decided or corrected.
func (f *summarised) addOfUser(text string) {
	said := strings.TrimSpace(text[len(label.Find(text)):])
	if whole := quoted.Submatch(said); whole != nil {
		said = whole[1]
	}
	if lasts(core(said)) {
		f.add(said, "", minReasoned)
	}
}

// addOfProse adds the sentences of a line that settle something, and the root causes in it.
func (f *summarised) addOfProse(text string) {
	for _, s := range sentences(text) {
		if kind := settles(s); kind != "" {
			f.add(s, kind, minLasting)
		}
	}
	for _, cause := range Causes(text) {
		f.add(cause, "", minReasoned)
	}
}

// titled returns the type of what stands under a title, or "" if the title names none or both.
func titled(title string) string {
	switch decisions, rules := ofDecisions.Match(title), ofRules.Match(title); {
	case decisions && !rules:
		return Decision
	case rules && !decisions:
		return Feedback
	}
	return ""
}

// unlabelled returns a line without its label, and the type that the label names, or "" if the
// line has no label.
func unlabelled(line string) (text, kind string) {
	if m := decisionLabel.Find(line); m != "" {
		return line[len(m):], Decision
	}
	if m := ruleLabel.Find(line); m != "" {
		return line[len(m):], Feedback
	}
	return line, ""
}

// settles returns Decision for a sentence that says what was decided, Feedback for one that says
// what is always or never to be done, and "" for others.
func settles(s string) string {
	switch {
	case isQuotation(s) || narrates.Match(s):
		return ""
	case commands.Match(s) && !happens.Match(s):
		return Feedback
	case words(s) >= minSettled && settled.Match(s) && states(s, decided) && !undecided.Match(s) && !endsOpen.Match(s):
		return Decision
	}
	return ""
}
