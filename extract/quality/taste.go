package quality

import (
	"strings"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// The rules for what people and agents write that is not worth keeping: questions,
// snapshots and reports. They cover English, Chinese in both scripts, Japanese and
// Korean, and the most common wordings of German, French, Spanish and Portuguese.

// tongues is one rule in several languages. The CJK wordings are tried only on
// strings that are not pure ASCII.
type tongues struct{ latin, cjk *pattern.Pattern }

func (t tongues) match(text string) bool {
	return t.latin.Match(text) || strings.ContainsFunc(text, isWide) && t.cjk.Match(text)
}

func isWide(r rune) bool { return r >= utf8.RuneSelf }

var question = tongues{
	latin: pattern.OneOf(
		`[?？]\s*["')\]]*\s*$`,
		`\b(?:tbd|to be (?:decided|determined|confirmed|clarified)|open question|unresolved|undecided|`+
			`not (?:yet )?decided|not sure (?:whether|if|how|why|which|what)|unsure (?:whether|if|how|why|which)|`+
			`unclear (?:whether|if|how|why|which|what)|(?:still )?need(?:s)? to (?:decide|figure out|find out|`+
			`investigate|clarify)|(?:haven't|have not|hasn't) (?:yet )?(?:been )?decided|`+
			`remains to be (?:seen|decided)|wondering (?:whether|if))\b`,
		`^(?:to-?do|fixme|xxx|hack)\b(?:\([^)]{0,40}\))?\s*[:：-]|\b(?:to-?do|fixme): `,
		`\b(?:we|i|they|the team|one) (?:might|may|could|would maybe|should probably|should maybe)\b|\b(?:maybe|`+
			`perhaps|possibly) (?:we|i|use|switch|try|move|add|a|the|later)\b|`+
			`^(?:maybe|perhaps|possibly|considering|thinking about|consider)\b|\b(?:we|i) (?:are|am|`+
			`were) (?:considering|thinking (?:about|of))\b`,
		`^(?:not sure|unsure|no idea|i (?:think|guess|suspect)|it (?:seems|looks like|appears))\b|`+
			`\bcould be the (?:culprit|cause|reason|problem)\b|`+
			`\b(?:maybe|perhaps)\b.*\b(?:would|could|might)\b`,
		`^(?:should (?:we|i|it)|shall we|do we|what if|how (?:do|should|can) (?:we|i)|why (?:does|is|do)|`+
			`which (?:one|of))\b`,
		`\b(?:noch (?:offen|unklar|nicht entschieden)|unklar,? ob|reste à décider|por decidir|sin decidir|`+
			`a decidir|ainda não decidimos)\b`,
	),
	cjk: pattern.OneOf(
		`(?:吗|嗎|呢)\s*[。！]?\s*$|(?:待定|尚未决定|尚未決定|还没决定|還沒決定|未决定|未決定|不确定是否|不確定是否|不清楚是否|有待确认|有待確認|需要确认是否|需要確認是否)|`+
			`是否(?:应该|應該|需要)`,
		`(?:でしょうか|ますか|ですか|だろうか|べきか)\s*[。]?\s*$|未定|未決定|まだ決(?:まって|めて)い?ない|検討が必要|要検討|要確認|どうするか`,
		`(?:까요|나요|습니까|인가요|는지)\s*\.?\s*$|미정|아직 (?:결정|정하지)|확인이? 필요|결정(?:해야|되지)|불확실|불명확`,
	),
}

func isQuestion(text string) bool { return question.match(strings.TrimSpace(text)) }

var progress = tongues{
	latin: pattern.OneOf(
		`\b\d{1,3}\s?% (?:complete|completed|done|finished|through|of the way|migrated|passing|coverage so far)\b|`+
			`\b(?:about|roughly|nearly|almost) \d{1,3}\s?%`,
		`\b\d+ (?:of|out of|/) ?\d+ (?:\w+ ){0,3}?(?:are |were |have been |is )?(?:\w+ )?(?:done|complete[d]?|`+
			`pass(?:ed|ing)?|finished|migrated|fixed|fail(?:ed|ing)?|ported|converted|remaining|left)\b|`+
			`\b\d+/\d+ (?:\w+ )?(?:tests?|tasks?|steps?|files?|items?|specs?|modules?)\b`,
		`\b(?:all|\d+) (?:\w+ )?(?:tests|checks|specs) (?:are (?:now )?|now |have )?(?:pass(?:ed|ing)?|green|`+
			`fail(?:ed|ing)?)\b|\btests? (?:are|is) (?:now )?(?:passing|green|failing)\b`,
		`\b(?:phase|step|milestone|part|stage|task|sprint|wave) \d+ (?:is |was |has been )?(?:now )?(?:done|`+
			`complete[d]?|finished|in progress|started|underway)\b`,
		`\b(?:in progress|work in progress|half[ -]?(?:way|done|finished)|(?:mostly|nearly|almost|`+
			`partly|partially) (?:done|`+
			`finished|complete[d]?|working|migrated|implemented|ported)|so far|next steps?|`+
			`remaining (?:work|tasks?|steps?)|up next|`+
			`still (?:working|to do|remaining|left)|currently (?:working|implementing|fixing|refactoring|debugging|`+
			`investigating|testing|on)|about to (?:start|begin|finish)|`+
			`(?:just )?(?:finished|completed|started|begun) (?:the |working|implement|refactor|migrat|writing|fix|`+
			`updat|test|phase|step|task))\b`,
		`\b(?:prs?|mrs?|issues?|tickets?|pull requests?|beads?|branch(?:es)?|patch|change|fix|feature|`+
			`task) ?#?(?:[\w-]*\d[\w-]*)? (?:is|are|was|were|has been|have been) (?:now |all |both |already |fully )?`+
			`(?:done|ready|merged|open(?:ed)?|closed|finished|complete[d]?|up|green|approved|pushed|rebased|`+
			`blocked|pending|in review|under review)\b`,
		`\b(?:ci|build|pipeline|workflow|job|run|deploy(?:ment)?|release|check|`+
			`action)s?(?: run)?(?: #?\d+)? (?:has |have |is |are |was |were )?(?:now |all |just )?(?:passed|`+
			`succeeded|failed|finished|completed|green|red|running|cancelled)\b`,
		`\b\d+ (?:failed|passed|skipped|errors?|warnings?)(?:,| and) \d+ (?:failed|passed|skipped|total|`+
			`errors?|warnings?)\b|`+
			`^next(?: up)?\s*[:：]`,
		`^(?:deployed|released|published|shipped|tagged|pushed|merged|rebased|cherry-picked|uploaded|`+
			`rolled out|rolled back|`+
			`promoted|opened|closed|submitted|landed) (?:to |`+
			`the |a |an |revision|version|v?\d|build|image|release|branch|commit|pr|#)`,
		`\bpending (?:review|approval|merge|changes|work|decision|feedback|fix|verification|deployment)s?\b|`+
			`\b(?:awaiting|needs?|waits? for) (?:review|approval|feedback|a rebase|merge)\b`,
		`^(?:i'll|i will|i'm going to|let me|let's|will (?:now |then )?(?:look|check|add|fix|do|try|`+
			`investigate|run|test|`+
			`write|update|start|continue)|going to)\b.*(?:\b(?:next|first|now|then|again|later|commit|`+
			`after(?:wards)?)\b|\.?$)|`+
			`^still \w+ing\b|^(?:there (?:are|is) )?\d+ (?:failing|broken|open|remaining|pending|flaky)\b|`+
			`\bthere (?:are|is) (?:still )?\d+ (?:failing|broken|open|remaining|pending|flaky)\b|`+
			`\b\d+ commits? (?:ahead|behind)\b|\b(?:\d+|one|two|three|four|five|some|a few|`+
			`many) (?:\w+ )?(?:are|is) (?:still )?left\b|`+
			`\bcoverage (?:is|was|rose|fell|went) (?:at|to|now|up|down)\b|\bwent (?:through|live|well|fine|wrong)\b|`+
			`\b(?:pass(?:es)?|works?|builds?|compiles?|runs?|starts?) (?:\w+ )?(?:again|now|as expected|`+
			`fine|locally)\b|`+
			`\b(?:reports?|shows?|has|have) (?:still )?(?:\d+|one|two|three|four|five|some|several|`+
			`no(?: more)?) (?:new )?`+
			`(?:warnings?|errors?|failures?|problems?|issues?)\b|\b(?:less|more|faster|slower|smaller|`+
			`bigger) than before\b`,
		`\bstill (?:needs?|has|have|lacks?|fails?|waits?|misses|requires?) |^the (?:next|last|`+
			`remaining) (?:thing|task|step|`+
			`item|part|piece)s?(?: to do)? (?:is|are|was)\b|^(?:(?:session )?summary|`+
			`follow[- ]?up)\s*[:：]|\b(?:ran|finished|ended|completed) (?:without|with|cleanly|well)\b|`+
			`^(?:agent|worker|job) \d+ (?:is|was|has)\b|^waiting (?:until|till)\b|`+
			`^worked on\b|^(?:fixed|done|solved|closed)\s*[:：]`,
		`^(?:we |i )?(?:still )?need to (?:run|check|fix|add|write|test|update|look|try|rerun|verify|`+
			`finish|merge|push|rebase|`+
			`investigate|implement)\b`,
		`^(?:successfully |we (?:have )?|i (?:have |just )?|just )?(?:done|finished|completed|progress|`+
			`status(?: update)?)\b[:,. ]`,
		`\b(?:in arbeit|fertiggestellt|abgeschlossen|en cours|en progreso|en curso|completado|em andamento)\b|`+
			`\b(?:terminé|concluído)(?:\s|[.!]|$)`,
	),
	cjk: pattern.OneOf(
		`(?:已完成|完成了|完成度|进度|進度|正在(?:进行|進行|实现|實現|修复|修復|处理|處理|开发|開發|重构|重構|测试|測試)|接下来(?:要|需要|将|是)|接下來(?:要|需要|將|是)|`+
			`下一步(?:是|要|将|將|：|:|需要)|还剩|還剩|剩下的?(?:任务|任務|工作|步骤|步驟)|(?:全部|所有)?测试(?:已经|已|都|全部)+通过|`+
			`(?:全部|所有)?測試(?:已經|已|都|全部)+通過)`,
		`(?:完了しました|完了した|完了です|進捗|進行中|作業中|実装中|修正中|対応中|残り(?:は|の)|次の(?:ステップ|作業)(?:は|：|:)|次は.{0,20}(?:する|します|予定)|`+
			`テスト(?:は|が)?(?:すべて|全て|全部)?(?:通りました|通った|パスしました|成功))`,
		`(?:완료했|완료됨|완료되었|완료됐|진행 ?중|진행률|작업 ?중|구현 ?중|수정 ?중|남은 (?:작업|일)|다음 (?:단계|작업)(?:는|은|:)|`+
			`테스트(?:가|는)? ?(?:모두 )?통과(?:했|함|됨))`,
	),
}

func isProgress(text string) bool { return progress.match(strings.TrimSpace(text)) }

func reportsMade(text string) bool {
	text = strings.TrimSpace(text)
	return (made.match(text) || did.Match(text) && !holds.Match(text)) && !choice.match(text)
}

var (
	// did matches what somebody did, and what was done to something.
	did = pattern.OneOf(
		`^(?:we (?:have )?|i (?:have )?|we've |i've |just |successfully |also |then )*(?:ran|wrote|`+
			`moved|created|bumped|`+
			`reviewed|tested|changed|built|installed|committed|opened|closed|started|stopped|restarted|`+
			`split|extracted|`+
			`ported|converted|migrated|documented|deployed|pushed|merged|rebased|upgraded|downgraded|`+
			`configured|cleaned|`+
			`checked|examined|read|searched|edited|modified|replaced|tried|noticed|reproduced|confirmed)\b`,
		`^\w{3,}ed (?:the|an?|all|both|my|our|its|some|several)\b`,
		`^(?:the )?(?:user|agent|assistant|worker|session|developer|reviewer)s? (?:has |have |then |`+
			`just |also )*(?:asked|`+
			`requested|edited|ran|started|stopped|ended|finished|created|fixed|opened|reported|`+
			`confirmed|approved|pasted|`+
			`interrupted|changed|added|removed|restarted|reviewed|tested|suggested|proposed|worked|noticed|switched)\b`,
		`\b(?:was|were|has been|have been) (?:now |also |then |already |all |just )*(?:fixed|completed?|`+
			`updated|approved|`+
			`restarted|verified|resolved|refactored|implemented|restored|finished|tested|rebuilt|reviewed|pushed|`+
			`reproduced|investigated|cleaned up|rerun|re-run|migrated|ported|merged|attached|uploaded|`+
			`deployed|started|stopped)\b`,
		`\b(?:is|are) (?:now |already |all )*(?:fixed|complete|resolved|done|healthy|green)(?: (?:now|`+
			`again|by the|in the `+
			`last|after)\b.*)?[.!]*$`,
	)
	// holds matches verbs of what is so in general, as in "created files must be ignored".
	holds = pattern.New(`\b(?:must|should|needs?|can|cannot|can't|keeps?|lives?|will|always|never|don'?t|do not|` +
		`not to|only|expects?|requires?|uses?)\b|^\w+ed \w+ (?:is|are|have)\b|^\w+ (?:by|in|with|as)\b`)
)

// made matches reports of what was built or changed, which begin with it and name it.
var made = tongues{
	latin: pattern.OneOf(
		`^(?:we (?:have )?|i (?:have )?|we've |i've |just |successfully |also )*(?:implemented|fixed|added|`+
			`refactored|updated|created|removed|deleted|`+
			`renamed|rewrote|introduced|integrated|patched|reverted|bumped|resolved|investigated|debugged|`+
			`verified|cleaned up|set up|wired up|extended|improved|corrected|adjusted)\s+`+
			`(?:the|a|an|all|both|some|several|many|new|more|missing|another|its|our|support|\d+|two|three|four|`+
			`five|unit|integration|tests?|error|\S*[._/()]\S*)\b`,
		`^(?:wir haben|ich habe) .*(?:implementiert|behoben|hinzugefügt|aktualisiert|gelöscht|erstellt)\b|`+
			`^(?:nous avons|on a|j'ai) (?:implémenté|corrigé|ajouté|mis à jour|supprimé|créé)|`+
			`^(?:hemos |he )?(?:implementado|implementamos|corregido|añadido|añadimos|actualizado|eliminado|`+
			`creado) |^(?:implementamos|corrigimos|adicionamos|atualizamos|removemos|criamos) `,
	),
	cjk: work.cjk,
}

var temporary = tongues{
	latin: pattern.OneOf(
		`\b(?:right now|at the moment|for the moment|for the time being|temporarily|`+
			`currently (?:broken|failing|down|unavailable|blocked|disabled|running|offline|not working|unstable|`+
			`stuck|being|on branch|checked out)|(?:is|are|was|were) (?:currently|presently|temporarily)|`+
			`this session|in this (?:session|conversation|chat)|(?:earlier|later) today|today|tonight|`+
			`this (?:morning|afternoon|evening|week)|yesterday|tomorrow|`+
			`last (?:night|week|month)|(?:keeps?|kept) (?:failing|crashing|hanging|breaking|timing out|`+
			`flaking)|(?:was|were) flaky|until (?:tomorrow|monday|tuesday|wednesday|thursday|friday|`+
			`the weekend)|waiting (?:for|on)|`+
			`blocked (?:by|on)|wip\b|(?:previous|last|earlier|prior|current|next) session|still (?:failing|`+
			`broken|running|open|stuck|down|pending|flaky|red|hanging|waiting)|`+
			`(?:had|has|saw|hit|got) (?:an? |one |some |two |several )?flaky|flaked|flaky tests? (?:in|on)|`+
			`as (?:discussed|mentioned|noted|described|shown|explained) (?:above|earlier|before)|`+
			`see (?:\w+ ){0,3}(?:above|below)|mentioned above|\bago\b|by (?:mon|tues|wednes|thurs|`+
			`fri)day|(?:is|are) gone (?:now|since|after)|`+
			`(?:failed|crashed|hung|happened) (?:\S+ ){0,4}(?:once|twice)|`+
			`is (?:down|broken|stuck|offline)\b|uncommitted changes|`+
			`working tree (?:is )?(?:clean|dirty)|dev server (?:is )?running|running on port \d+ (?:now|in))`,
		`\b(?:momentan|derzeit kaputt|vorübergehend|im moment|heute|temporairement|pour l'instant|en ce moment|`+
			`aujourd'hui|temporalmente|por ahora|de momento|hoy|temporariamente|por enquanto|no momento|hoje)\b`,
	),
	cjk: pattern.OneOf(
		`(?:目前|当前|當前|现在|現在|暂时|暫時|临时|臨時|此刻|眼下)[^。\n]{0,16}?(?:坏|壞|失败|失敗|报错|報錯|不可用|卡住|阻塞|停用|禁用|关闭|關閉|运行|運行|在跑|等待|无法|`+
			`無法|不能|宕机|当机|當機|中断|中斷|故障|挂了|掛了)|(?:今天|今晚|今早|昨天|明天|这周|這週|本周|本週|这次会话|這次會話|本次会话|本次會話|等待中|正在等)`,
		`(?:今のところ|現在[^。\n]{0,16}?(?:壊れ|失敗|止まっ|停止|使えな|動かな|ブロック|待ち|動作中|起動中|ダウン)|一時的に|とりあえず|今日|明日|昨日|今週|このセッション|`+
			`今回のセッション|待っている|待ち状態|当面)`,
		`(?:현재[^.\n]{0,16}?(?:고장|실패|중단|멈춰|막혀|깨져|작동하지|실행 중|다운|대기)|지금은|일시적으로|임시로|당분간|오늘|내일|어제|이번 주|이번 세션|대기 중|기다리는 중)`,
	),
}

func isTemporary(text string) bool { return temporary.match(text) }

var (
	work = tongues{
		latin: pattern.OneOf(
			`^(?:decision: ?)?(?:we |i |the team |have |has |we've |i've |just |successfully |also |`+
				`then )*(?:implemented|fixed|added|refactored|updated|created|removed|deleted|moved|renamed|`+
				`rewrote|wrote|changed|migrated|upgraded|installed|configured|deployed|merged|committed|pushed|`+
				`cleaned|resolved|tested|verified|investigated|debugged|documented|built|set up|ran|converted|`+
				`extracted|improved|optimi[sz]ed|bumped|patched|reverted|enabled|disabled|split|ported|introduced|`+
				`integrated|finished|completed|modified|corrected|adjusted|replaced)\b`,
			`^(?:wir haben|ich habe) .*(?:implementiert|behoben|hinzugefügt|aktualisiert|gelöscht|erstellt|`+
				`umgebaut)|^(?:nous avons|on a|j'ai) (?:implémenté|corrigé|ajouté|mis à jour|supprimé|créé|`+
				`refactorisé)|^(?:hemos |he )?(?:implementado|implementamos|corregido|corregimos|añadido|añadimos|`+
				`actualizado|actualizamos|eliminado|creado)\b|^(?:implementamos|corrigimos|adicionamos|atualizamos|`+
				`removemos|criamos)\b`,
		),
		cjk: pattern.OneOf(
			`^(?:我们|我們|我)?(?:已经|已經|已)?(?:实现|實現|修复|修復|添加|新增|增加|更新|重构|重構|创建|創建|建立|删除|刪除|移除|完成|修改|部署|合并|合併|迁移|遷移|升级|`+
				`升級|优化|優化|安装|安裝|测试|測試|编写|編寫)(?:了|完)`,
			`(?:を)?(?:実装|修正|追加|更新|削除|作成|変更|移行|リファクタリング|デプロイ|マージ|対応|改善|導入)(?:し|を行い)(?:ました|た)\s*[。.]?\s*$`,
			`(?:구현|수정|추가|업데이트|삭제|생성|변경|리팩토링|리팩터링|배포|병합|마이그레이션|이전|개선|작성|완료|해결)(?:했(?:습니다|다|어요|음)|하였(?:습니다|다)|함|`+
				`완료)\s*\.?\s*$`,
		),
	}

	choice = tongues{
		latin: pattern.OneOf(
			`\b(?:decid\w+|chose|chosen|choose|choice|prefer\w*|instead of|rather than|in favou?r of|`+
				`over (?:\w+ )?(?:because|since|due)|opted?|settled on|agreed|because|since|so that|trade-?off|`+
				`going forward|will (?:use|be|stay|not|never|always)|must|always|never|policy)\b`,
			`\b(?:entschieden|beschlossen|statt|weil|décidé|choisi|au lieu|plutôt|parce|decidido|decidimos|elegido|`+
				`en lugar|en vez|porque|escolhemos|em vez)\b`,
		),
		cjk: pattern.OneOf(
			`决定|決定|选择|選擇|选用|選用|采用|採用|而不是|而非|代替|因为|因為|理由`,
			`ことに(?:した|する|します|しました)|決め|選択|選ん|採用|代わりに|ではなく|ため|から、|理由`,
			`하기로|결정|선택|채택|대신|때문|이유`,
		),
	}

	ruleWords = tongues{
		latin: pattern.OneOf(
			`\b(?:prefer\w*|preference|favou?rs?|always|never|should(?:n't)?|must(?:n't)?|don'?t|do not|avoid|`+
				`likes?|dislikes?|hates?|loves?|wants?|wish(?:es)?|please|instead|rather|only|rules?|convention|`+
				`make sure|ensure|be sure|needs? to|has to|have to|requires?|required|expects?|insists?|`+
				`ask(?:s)? (?:for|before|first|that)|before (?:\w+ing|each|every|any)|keep|use|write|run|`+
				`no (?:emojis?|comments?|\w+s)\b|stop|without|at most|at least|not to|style|by default|every time|`+
				`whenever|when (?:writing|committing|asked|in doubt)|favorite|cannot|can't|limit|stick to|follow|`+
				`treat|return|answer|reply|respond|explain|name|commit|test|format|put|add|call|include|leave|wrap|`+
				`mark|group|sort|separate|split|squash|sign|quote|cite|double-check|verify|check|confirm)\b`,
			`\b(?:bevorzug\w*|immer|nie(?:mals)?|soll\w*|muss|müssen|nicht|bitte|vermeid\w*|préf\p{L}*|toujours|`+
				`jamais|doit|doivent|faut|ne pas|prefier\w*|siempre|nunca|debe\w*|evit\w*|no (?:usar|uses|use)|`+
				`prefer\w*|sempre|deve\w*)\b|não |évite`,
		),
		cjk: pattern.OneOf(
			`喜欢|喜歡|偏好|偏爱|偏愛|倾向|傾向|希望|总是|總是|始终|始終|永远|永遠|不要|别|別|不得|不许|不許|禁止|避免|必须|必須|应该|應該|应当|應當|需要|要求|务必|務必|请|請|`+
				`只(?:用|能|要|在)|一律|不能|不可|最好|优先|優先|尽量|盡量|规则|規則|习惯|習慣|使用|用.{1,20}(?:回答|回复|回覆|代替|而不是)|要先|先.{1,12}再`,
			`好み|好む|好き|いつも|常に|必ず|絶対|べき|しないで|ないこと|禁止|避け|してください|して欲しい|してほしい|希望|優先|ルール|なければならない|使う|使って|使用|すること|ように|`+
				`こと[。]?$|方がいい|方が良い|嫌い|不要`,
			`선호|좋아|싫어|항상|언제나|절대|하지 ?마|말 ?것|해야|금지|피하|원한|원합|바랍|바란|해 ?주세요|하세요|부탁|규칙|우선|반드시|꼭|사용(?:하|해|할|$)|할 것|필요`,
		),
	}
)

func reportsWork(text string) bool {
	text = strings.TrimSpace(text)
	return work.match(text) && !choice.match(text)
}

// maxRuled is the number of bytes in which a rule is looked for.
const maxRuled = 1 << 15

// StatesRule reports whether a string states a preference or a rule in its first 32 KB.
func StatesRule(text string) bool { return ruleWords.match(cut(text, maxRuled)) }
