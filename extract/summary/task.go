package summary

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
	"github.com/wm-lsp/wm-lsp/extract/request"
)

// The verbs that ask for work at the beginning of a sentence.
const (
	englishWork = `add|adjust|allow|analy[sz]e|apply|audit|avoid|bump|build|bring|call|change|check|clean|close|` +
		`combine|commit|compare|complete|configure|coordinate|delegate|dispatch|convert|copy|cover|create|cut|` +
		`debug|define|delete|deploy|describe|` +
		`design|detect|disable|document|draft|drop|enable|ensure|evaluate|examine|expand|explain|export|expose|` +
		`extend|extract|figure out|fill|filter|find|finish|fix|format|generate|get|give|go through|group|handle|` +
		`help|hide|implement|import|improve|inline|inspect|install|integrate|introduce|investigate|limit|list|load|` +
		`log|look|make|measure|merge|migrate|mock|modify|move|optimi[sz]e|parse|patch|pin|plan|port|prepare|print|` +
		`profile|propose|provide|publish|pull|push|put|read|refactor|reduce|release|rebase|remove|` +
		`rename|render|reorder|` +
		`replace|reproduce|research|resolve|restore|restructure|return|revert|review|rewrite|run|scan|search|send|` +
		`separate|set|set up|show|simplify|sort|spawn|speed up|split|start|stop|store|suggest|summari[sz]e|support|` +
		`switch|take|tell|test|tidy|track|translate|trim|try|turn|update|upgrade|use|validate|verify|work|wrap|` +
		`write`
	germanWork = `füge?|ergänze?|behebe?|repariere?|korrigiere?|schreibe?|baue?|mache?|erstelle?|ändere?|lösche?|` +
		`entferne?|implementiere?|teste?|prüfe?|zeige?|erkläre?|benenne?|aktualisiere?|verschiebe?|ersetze?|räume?|` +
		`finde?|suche?|lass|bringe?|stelle?|nimm|sorge?|refaktoriere?|übersetze?|dokumentiere?|untersuche?`
	frenchWork = `ajoute[rz]?|corrige[rz]?|écri(?:s|vez|re)|crée[rz]?|créer|modifie[rz]?|supprime[rz]?|` +
		`remplace[rz]?|renomme[rz]?|teste[rz]?|vérifie[rz]?|montre[rz]?|explique[rz]?|implémente[rz]?|mets|mettez|` +
		`fais|faites|nettoie|trouve[rz]?|déplace[rz]?|documente[rz]?`
	spanishWork = `añade|agrega|arregla|corrige|escribe|crea|cambia|modifica|borra|elimina|quita|reemplaza|` +
		`renombra|prueba|comprueba|verifica|muestra|explica|implementa|haz|actualiza|mueve|busca|documenta|` +
		`adiciona|adicione|corrija|escreva|crie|mude|altere|remova|apague|substitua|renomeie|teste|verifique|` +
		`mostre|explique|implemente|faça|atualize|mova|procure|documente`
	chineseWork = `修复|修復|修改|修正|修一下|添加|增加|加上|加一个|加个|加個|实现|實現|编写|編寫|写一|写个|寫一|写出|重构|重構|重写|更新|升级|升級|删除|刪除|删掉|去掉|移除|改成|` +
		`改为|改一下|改進|改进|优化|優化|检查|檢查|查看|查一下|看看|看一下|分析|解释|解釋|运行|運行|跑一下|测试|測試|调试|調試|部署|生成|创建|創建|建立|整理|替换|替換|重命名|迁移|遷移|` +
		`补充|補充|完成|处理|處理|支持|找出|列出|翻译|翻譯|合并|合併|拆分|设计|設計`
)

var (
	// lightWords matches words without content at the beginning of a sentence.
	lightWords = pattern.New(
		`^(?:(?:ok(?:ay)?|yes|yeah|yep|sure|great|good|perfect|thanks|thank you|nice|cool|alright|right|well|now|` +
			`then|so|and|also|but|please|hi|hello|hey|next|first|finally|actually|instead|hmm|oh|wait|no|ja|gut|` +
			`danke|super|jetzt|dann|bitte|nun|und|oui|merci|maintenant|d'accord|sí|vale|gracias|ahora|por favor|` +
			`sim|obrigado|agora|s'il te plaît|好的?|嗯|行|可以|谢谢|謝謝|现在|現在|然后|然後|接下来|接下來|那|那么|はい|ありがとう(?:ございます)?|では|じゃあ|` +
			`次に|네|좋아요?|고마워요?|감사합니다|이제|그럼|다음으로)(?:[\s,，、.。!！:：;–—-]+|$))+`,
	)

	wanted = pattern.Any(
		`^(?:`+englishWork+`)\b`,
		`^(?:can|could|would|will) (?:you|we|u)\b`,
		`^(?:i|we)(?:'d| would)? (?:want|need|like|have to|must|should)\b`,
		`^(?:i|we)'d like\b`,
		`^let'?s (?:now )?(?:`+englishWork+`|do|continue with|work on)\b`,
		`\b(?:please|pls)\b`,
		`^(?:the|my|your|our|next) (?:task|goal|job|aim)\b.{0,20}?(?:is|:)`,
		`^(?:task|goal)\s*[:：]`,
		`\b(?:should|must|needs? to|has to) (?:also |now |be |not )?\w+`,
		`^(?:`+germanWork+`)(?: |$)`,
		`^(?:kannst|könntest|würdest|könnt) (?:du|ihr)\b`,
		`^(?:ich|wir) (?:möchte|will|brauche|hätte|wollen|brauchen|möchten|muss|müssen)\b`,
		`\bbitte\b`,
		`^(?:die )?aufgabe\b`,
		`^(?:`+frenchWork+`)(?: |$|-)`,
		`^(?:peux|pourrais|pouvez|pourriez)[- ](?:tu|vous)\b`,
		`^(?:je|on|nous) (?:veux|voudrais|voulons|dois|doit|devons|aimerais)(?: |$)`,
		`\bil faut(?: |$)`,
		`^(?:`+spanishWork+`)(?: |$)`,
		`^(?:puedes|podrías|pode|você pode|pode(?:ria)?s?)\b`,
		`^(?:quiero|necesito|quisiera|queremos|necesitamos|quero|preciso|gostaria|queremos|precisamos)\b`,
		`\bpor favor\b`,
		`^(?:请|請|麻烦|麻煩|帮|幫|把|给|給|将|將|能不能|能否|可不可以|我想|我要|我需要|我希望|我们需要|我們需要|需要)`,
		`^(?:`+chineseWork+`)`,
		`^.{0,20}(?:帮我|幫我|一下[。.！!]?$|改成|改为|改為)`,
		`^任务\s*[:：]|^任務\s*[:：]`,
		`(?:して|いて|って|えて|べて|めて|けて|せて|出して)(?:ください|下さい|もらえますか|くれますか|くれ|ほしい(?:です)?|欲しい(?:です)?|いただけますか)?[。.！!]?$`,
		`お願い(?:します|いたします)?|(?:し|え|べ|め|り|き|み|ち|い)たい(?:です|と思います)?[。.]?$`,
		`(?:する|直す|作る)必要が(?:ある|あります)`,
		`(?:해|아|어|여|쳐|꿔|워|줘)\s?(?:줘요?|주세요|주실래요|주시겠어요|달라)|`+
			`(?:해줘|하세요|해라|하십시오|부탁(?:해요?|드려요|드립니다|합니다)?|하고 싶(?:어요?|습니다))[.!]?`,
	)

	// unwanted matches sentences that only seem to ask for work.
	unwanted = pattern.OneOf(
		`^(?:go on|go ahead|carry on|keep going|continue|proceed|try again|retry|do it|do that|do so|make it so|`+
			`looks? (?:good|great|fine|right)|sounds? good|works?(?: now| fine)?|that works|weiter(?:machen)?|`+
			`mach weiter|mach das|continue[rz]?|vas-y|sigue|continúa|adelante|continue|pode seguir|继续(?:吧)?|`+
			`繼續(?:吧)?|好的?|続けて(?:ください)?|進めて(?:ください)?|계속(?:해(?: ?줘| ?주세요)?)?)[ ,.!。！]*(?:please|then|now|bitte|`+
			`吧)?[.!。！]*$`,
		`^(?:use|take|try) (?:that|this|it|the (?:first|second|last|other))(?: one)?[.!]*$`,
		`^(?:how are you|are you (?:there|sure|done|ready)|really|why not|what|huh|is that (?:so|ok|all)|right|ok|`+
			`done|ready|and)\s*\?+$`,
		`^(?:真的|是吗|好了吗|完了吗|为什么|何)\s*[吗嗎]?\s*[?？]*$`,
		`^(?:i|we) (?:need|have) to (?:go|leave|run|think)\b`,
		`^(?:i|we) (?:like|love) (?:it|that|this)\b`,
		`^(?:no|not) (?:problem|worries)\b`,
	)
)

// asksFor reports whether a sentence asks for work, as an order, a wish or a
// question. A decision does not.
func asksFor(sentence string) bool {
	bare := lightWords.Remove(sentence)
	switch {
	case !hasWords(bare), unwanted.Match(strings.TrimSpace(bare)), decides(sentence), len(sentence) > maxSentence:
		return false
	}
	return request.IsQuestion(sentence) || inverted.Match(bare) || wanted.Match(bare)
}

// maxSentence is the maximum length of a sentence, in bytes. A longer one is data.
const maxSentence = 4000

func hasWords(text string) bool { return strings.ContainsFunc(text, unicode.IsLetter) }

// asks reports whether a message asks for work.
func asks(message string) bool { return taskLine(message) != nil }

// taskLine returns the sentences of a line, beginning with the first that asks for
// work, or nil.
func taskLine(message string) []string {
	for _, sentences := range spoken(message) {
		for i, sentence := range sentences {
			if asksFor(sentence) {
				return sentences[i:]
			}
		}
	}
	return nil
}

// maxTask is the length of a task as Task returns it, in Unicode code points.
const maxTask = 300

// pointing matches requests that say nothing without what was said before.
var pointing = pattern.OneOf(
	`^\W*(?:\w+\W+){1,3}(?:this|that|it|them|these|those|so|das|es|dies|ça|cela|eso|esto|isso|isto)`+
		`(?: please| too| now| bitte)?\W*$`,
	`^.{0,8}(?:这个|這個|那个|那個|这样|這樣|那样|那樣|它)(?:也|都|就|先|再|一起|同样|同樣|一样|一樣)*`+
		`(?:修?改|处理|處理|修(?:复|復)?|弄|做|删|刪|去|换|換|试|試|看|加|用|搞|办|辦|来|來|行|可以|好)?(?:一下|上|掉|吧|了|好|啊|呢)*[。.!！?？]*$`,
	`^.{0,8}(?:それ|これ|あれ|その通り)[をもにはで]?(?:同じように|一緒に)?.{0,8}$`,
	`^.{0,8}(?:그것|이것|그거|이거|그렇게|이렇게).{0,8}$`,
)

// leaning matches what refers to something that was said before it: a linking word or an answer at its
// beginning, or a word that stands for it. "It" and "them" further behind stand for what the sentence itself names.
var leaning = pattern.OneOf(
	`^\W*(?:and|or|but|so|then|otherwise|if (?:so|not)|yes|yeah|yep|yup|no,|oder|aber|dann|sonst|ja|nein,|ou|mais|`+
		`alors|sinon|oui|non,|pero|entonces|sí|mas|então|sim)(?:\W|$)`,
	`^[^,;:(]{0,40}\b(?:it|them)\b`,
	`\b(?:this|these|those|both|dies(?:e[rsnm]?)?|damit|davon|dafür|dazu|cela|eso|esto|isso|isto)\b`,
	`(?:^|\W)ça(?:\W|$)`,
	`\b(?:do|does|did|would|will|could|can|should|is|was|has|of|to|for|with|like|after|before|about|from) that\b`,
	`\bthat\W*$`,
	`^(?:那|那么|那麼|还有|還有|それで|じゃあ|では|でも|그럼|그러면|그런데)|这个|這個|这样|這樣|那个|那個|它|それ|これ|그것|이것|이거`,
)

// maxLeaning is how many words a sentence has that leans on what was said before. A longer one says itself
// what it is about.
const maxLeaning = 12

// leans reports whether a sentence says what it is about only by what was said before. One that announces
// something refers to that.
func leans(sentence string) bool {
	return len(strings.Fields(sentence)) <= maxLeaning && !announces(sentence) && leaning.Match(sentence)
}

// slashCommand matches a message that is a command of the host.
var slashCommand = pattern.New(`^/[a-z][\w:-]{2,40}(?:[ \t][^\n]*)?\s*$`)

// inverted matches questions without a question mark.
var inverted = pattern.New(`^(?:is|are|was|were|does|do|did|has|have|should|would|which|who|where|when|why|how|` +
	`what(?:'s)?)\s+(?:the|a|an|this|that|these|those|it|its|we|you|i|they|there|my|your|our|any|does|do|did|is|are|` +
	`many|much|long|far|often|\w+-?\w* (?:have|has|need|needs|support|supports|use|uses|work|works|calculate|handle))` +
	`\b(?:\W+\w+){2,}|^(?:how|what|where|when|why|which|who) (?:would|could|should|will|can|might) \w+(?:\W+\w+){2,}`)

// remark matches the beginnings of sentences that say something of what is at hand, and nothing by
// themselves.
var remark = pattern.New(`^(?:\.{3}|…|uh+|um+|er+|ah+|oh+|hm+|i (?:mean|think|thought|guess|` +
	`believe|believed|know|knew|did ?n['’]?t)|it|this|that|these|those|you|he|` +
	`she|they|seems|looks|fyi|das|es|du|ça|c'est|tu|eso|esto|isso|isto|这|這|那|它|それ|これ|あれ|그|이)(?:\b|[ ,.…'’]|$)`)

// praise matches sentences that say no more than that something is well.
var praise = pattern.New(`^(?:(?:that|this|it|all|everything)(?:'s| is| looks| works| worked)?\b.{0,24}\b(?:great|` +
	`good|perfect|fine|nice|well|right|correct|works?|worked)|(?:good|great|nice|excellent) (?:work|job))\b` +
	`[^,;:]{0,20}$`)

// minStatement is how many words a statement has that is a task by itself, minReport how many one
// has that is a task although there was one before: a shorter one is a remark on that, as is one of
// less than minRemote that begins like one.
const (
	minStatement = 3
	minReport    = 6
	minRemote    = 12
)

// Task returns what a message of the user is about, in at most 200 characters, as a quotation: from
// the first sentence that says something in the paragraph with the first that asks for work, or else
// the first paragraph that says something. If the sentences before do not fit, their beginning stands
// before an ellipsis. Of a document without such a sentence around it, it is the title. It is empty
// if the message says nothing by itself. What it asks to remember or to forget is not part of it.
// A command of the host ("/review 142") is one. former is the task before, on which the message may
// be a remark.
func Task(message, former string) string {
	atLeast := minStatement
	if former != "" {
		atLeast = minReport
	}
	if slashCommand.Match(message) {
		return line(message, maxTask)
	}
	said := request.Speech(message)
	if len(said) == 0 {
		return line(request.Title(message), maxTask)
	}
	for i, sentences := range said {
		said[i] = withoutRequests(sentences)
	}
	for p, sentences := range said {
		for i, sentence := range sentences {
			switch {
			case !asksFor(sentence), i == 0 && pointing.Match(lightWords.Remove(sentence)):
				continue
			case former != "" && len(strings.Fields(lightWords.Remove(sentence))) < 2: // "commit"
				continue
			case len(words(sentence)) < minStatement && isCut(message, sentence):
				return line(message[strings.Index(message, sentence):], maxTask)
			}
			return asked(sentences, i, said[p+1:])
		}
	}
	for p, sentences := range said {
		for i, sentence := range sentences {
			bare := lightWords.Remove(sentence)
			length := len(words(strings.Join(sentences[i:], " ")))
			isRemark := former != "" && length < minRemote && remark.Match(bare)
			isRemark = isRemark || former != "" && len(sentences) == 1 && pointing.Match(bare)
			if !isRemark && !unwanted.Match(bare) && !decides(sentence) && length >= atLeast {
				return fitting(withList(sentences[i:], said[p+1:]), maxTask)
			}
		}
	}
	return pasted(message)
}

// withoutRequests returns sentences without what they ask to remember or to forget. Of a sentence with a request to
// remember, what it asks for before that is left.
func withoutRequests(sentences []string) (rest []string) {
	for _, sentence := range sentences {
		if request.OnlyForgets(sentence) {
			continue
		}
		if len(request.Requests(sentence, request.Before{})) == 0 {
			rest = append(rest, sentence)
		} else if lead := request.Lead(sentence); asksFor(lead) {
			rest = append(rest, lead)
		}
	}
	return rest
}

// pasted returns the failure that a message shows with hardly a word about it, such as a command and
// what it printed, or "".
func pasted(message string) string {
	first, rest, _ := strings.Cut(strings.TrimSpace(message), "\n")
	command, isQuoted := strings.CutPrefix(first, "> ")
	if !isQuoted && !strings.HasPrefix(first, "$ ") || !fails.Match(rest) {
		return ""
	}
	return line(strings.TrimPrefix(command, "$ ")+"\n"+rest, maxTask)
}

// fails matches the lines in which programs say that they failed.
var fails = pattern.New(`(?m)^(?:> )?(?:fatal|error|panic)\b.{0,40}: \S|^(?:> )?(?:[\w.]*(?:Error|Exception)): \S`)

// isCut reports whether what a sentence of a message begins goes on in a string that it quotes.
func isCut(message, sentence string) bool {
	_, rest, found := strings.Cut(message, sentence)
	quoted := strings.TrimSpace(rest)
	return found && len(quoted) < len(rest) && quoted != "" && strings.ContainsAny(quoted[:1], "\"'`>")
}

const (
	// maxLead is how much is quoted of what was said before a sentence that asks for work, minLead
	// the number of words of what says something, and enough the length of a sentence that needs none.
	maxLead = 80
	minLead = 3
	enough  = 120
)

// asked returns the quotation of the sentence i of a paragraph, which asks for work, with what is
// said around it.
func asked(paragraph []string, i int, after [][]string) string {
	from := slices.IndexFunc(paragraph[:i], func(s string) bool {
		bare := lightWords.Remove(s)
		return !unwanted.Match(bare) && !praise.Match(bare) && len(words(bare)) >= minLead
	})
	if from < 0 {
		from = i
	}
	all := slices.Concat(paragraph[from:], slices.Concat(after...))
	lead, ask := line(strings.Join(paragraph[from:i], " "), maxTask), line(paragraph[i], maxTask)
	size := utf8.RuneCountInString
	switch {
	case size(strings.Join(all, " ")) <= maxTask:
		return line(strings.Join(all, " "), maxTask)
	case from == i, size(lead)+1+size(ask) <= maxTask:
		return fitting(withList(paragraph[from:], after), maxTask)
	case size(ask) > enough:
		return fitting(withList(paragraph[i:], after), maxTask)
	}
	return line(strings.TrimRight(line(lead, maxLead), "…. ")+"… "+ask, maxTask)
}

// Then stands before the quotation of what the user said after a task.
const Then = " Then: "

const then = Then + `"`

// maxThen is the length of what stands behind a task, in characters.
const maxThen = 120

// Leaning returns a task with what a message of the user asks for after it, if the message is short and says
// what it is about only by what was said before ("should we do this on a branch?"), and else "". asked is the
// Task of the message.
func Leaning(task, message, asked string) string {
	first, _, _ := strings.Cut(task, then)
	said := request.Speech(message)
	if first == "" || asked == "" || len(said) == 0 || utf8.RuneCountInString(asked) > maxThen {
		return ""
	}
	sentence := said[0][0]
	if !strings.HasPrefix(asked, line(sentence, maxTask)) || !asksFor(sentence) || !leans(sentence) {
		return ""
	}
	return first + then + asked + `"`
}

// lastOf returns what was asked for last of what a task quotes. What was only agreed to or pointed at is no
// request by itself.
func lastOf(task string) string {
	first, last, leant := strings.Cut(task, then)
	last = strings.TrimSuffix(last, `"`)
	if !leant || strings.Contains(last, `" → `) || pointing.Match(lightWords.Remove(last)) {
		return first
	}
	return last
}

// Continued returns a task with what a message of the user agrees to or asks for with a pointing
// word ("yeah, close it"), if the task was not a request for work: then the work is what was agreed to.
// answers is what the message answers, "" if that is unknown. It returns "" if the task stays as it is.
func Continued(task, message, answers string) string {
	first := lastOf(task)
	if first == "" || requestsWork(first) {
		return ""
	}
	for _, sentences := range request.Speech(message) {
		for _, sentence := range sentences {
			bare := lightWords.Remove(sentence)
			switch isPointing := pointing.Match(bare) && wanted.Match(bare); {
			case answers != "":
				return first + then + line(sentence, maxThen) + `" → ` + line(answers, maxThen)
			case isPointing:
				return first + then + line(sentence, maxThen) + `"`
			}
		}
	}
	return ""
}

// requestsWork reports whether a string asks for work, and not only a question.
func requestsWork(text string) bool {
	for _, sentences := range spoken(text) {
		for _, sentence := range sentences {
			bare := lightWords.Remove(sentence)
			if wanted.Match(bare) && !unwanted.Match(bare) {
				return true
			}
		}
	}
	return false
}

// withList returns sentences with the paragraphs after them if they announce those.
func withList(sentences []string, after [][]string) []string {
	if !announces(sentences[len(sentences)-1]) {
		return sentences
	}
	return slices.Concat(sentences, slices.Concat(after...))
}

// announces reports whether a sentence announces what follows it.
func announces(sentence string) bool {
	return strings.HasSuffix(sentence, ":") || strings.HasSuffix(sentence, "：")
}

// taskIn returns the task in a message: the sentence that asks for work and the rest
// of its line, or else the beginning of the message.
func taskIn(message string) string {
	if sentences := taskLine(message); sentences != nil {
		return fitting(sentences, maxLine)
	}
	return lead(message)
}

// lead returns the first line of a string, in whole sentences if they fit.
func lead(text string) string {
	for _, sentences := range spoken(text) {
		return fitting(sentences, maxLine)
	}
	return line(text, maxLine)
}

// fitting returns as many sentences as fit in a limit of characters, but at least the first.
func fitting(sentences []string, limit int) string {
	text := line(sentences[0], limit)
	for _, sentence := range sentences[1:] {
		longer := joined(text, line(sentence, limit))
		if utf8.RuneCountInString(longer) > limit {
			break
		}
		text = longer
	}
	return text
}

// hasContent reports whether a message that does not ask for work may still state a
// task, such as "the build is broken on windows".
func hasContent(message string) bool {
	for _, sentences := range spoken(message) {
		for _, sentence := range sentences {
			bare := lightWords.Remove(sentence)
			if !unwanted.Match(bare) && !decides(sentence) && len(words(bare)) >= 3 {
				return true
			}
		}
	}
	return false
}
