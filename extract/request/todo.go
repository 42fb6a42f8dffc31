package request

import (
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

var (
	todoMark = pattern.New(
		`^(?:(?://|#|--|;|/\*|\*|<!--)\s*)?(?:\[ \]\s*)?(?:\*\*|__)?(?:to-?do|fixme|action items?|open items?|` +
			`outstanding|remaining|left to do|still to do|still open|待办(?:事项)?|待辦(?:事項)?|待做|未完成|やること|残タスク|残り|未対応|` +
			`할 ?일|남은 (?:작업|일)|noch zu tun|offen|zu erledigen|à faire|reste à faire|pendientes?|por hacer|` +
			`falta(?: hacer)?|pendências?|a fazer)(?:\([^)]{0,40}\))?(?:\*\*|__)?\s*[:：](?:\*\*|` +
			`__)?\s*(?P<text>\S.*)$`,
	)
	todoWish = []pattern.Wording{
		{
			Words: pattern.Words(`still|need to|have to|must|should|forget|remind|ping |remember to|next |left|remain`),
			Pattern: pattern.OneOf(
				`^(?P<text>(?:we|i|you|someone|it|that|this|the \w+(?: \w+)?)?\s*(?:still|also still) (?:needs?|`+
					`have|has|must|should|ought)\b(?: to)?\s.{4,})$`,
				`^(?P<text>(?:we|i) (?:also |then |later |eventually )?(?:need to|have to|must|`+
					`should)\s.{3,}\b(?:later|next|afterwards?|before (?:release|merging|shipping|launch|we|the)|`+
					`eventually|at some point|soon|still|too|tomorrow|in a follow-?up)\b.*)$`,
				`^(?P<text>(?:don'?t|do not) forget to\s.{3,})$`,
				`^(?P<text>(?:remind|ping) (?:me|us) (?:later |tomorrow )?to\s.{3,})$`,
				`^(?P<text>remember to\s.{3,})$`,
				`^(?:the )?next (?:step|task|up)(?: is|:)\s*(?:to )?(?P<text>\S.{3,})$`,
				`^(?P<text>what'?s (?:still )?left is\s.{4,})$`,
				`^(?P<text>(?:there is|there's|it) (?:still )?remains? to\s.{3,})$`,
			),
		},
		{
			Words: pattern.Words(`还|還|仍|之后|之後|以后|以後|稍后|稍後|接下来|接下來|下一步|后面|後面|忘|记得|記得`),
			Pattern: pattern.OneOf(
				`^(?P<text>(?:我们|我們|我|你)?(?:还|還|仍|仍然|之后|之後|以后|以後|稍后|稍後|接下来|接下來|下一步|后面|後面)(?:还|還)?(?:需要|得|要|应该|應該|`+
					`必须|必須).{2,})$`,
				`^(?P<text>(?:别忘了|別忘了|不要忘记|不要忘記|记得|記得)(?:要|去|把|给|給|在|更新|添加|修|写|寫|测|測|提交|部署|跑|检查|檢查).{1,})$`,
			),
		},
		{
			Words: pattern.Words(`まだ|あとで|後で|次に|残り|忘れ`),
			Pattern: pattern.OneOf(
				`^(?P<text>(?:まだ|あとで|後で|次に|残りは).{2,}(?:必要がある|必要があります|しなければ(?:ならない|なりません)|する|します|やる|です|ない|ていない|`+
					`ていません)[。.]?)$`,
				`^(?P<text>.{2,}(?:のを忘れないで|を忘れずに).*)$`,
			),
		},
		{
			Words: pattern.Words(`아직|나중에|다음에|그다음|이후에|잊지`),
			Pattern: pattern.OneOf(
				`^(?P<text>(?:아직|나중에|다음에|그다음|이후에).{2,}(?:해야|필요|남았|안 했|않았).*)$`,
				`^(?P<text>.{2,}(?:하는 것을|하는 거|하는 걸) 잊지.*)$`,
			),
		},
		{
			Words: pattern.Words(`noch|später|danach|fehl`),
			Pattern: pattern.OneOf(
				`^(?P<text>(?:wir|ich|man) (?:müssen|muss|sollten|sollte) (?:\S+ ){0,2}?(?:noch|später|`+
					`danach)\s.{3,})$`,
				`^(?P<text>(?:es fehlt|fehlt|fehlen) noch\s.{3,})$`,
			),
		},
		{
			Words: pattern.Words(`reste|faut|faudra|doit|devons|oublie`),
			Pattern: pattern.OneOf(
				`^(?P<text>(?:il (?:nous )?reste (?:encore )?à|il faut (?:encore|aussi|ensuite)|il faudra|` +
					`on doit encore|nous devons encore|n'oublie pas (?:de|d'))\s?.{3,})$`,
			),
		},
		{
			Words: pattern.Words(`todavía|aún|falta|olvides`),
			Pattern: pattern.OneOf(
				`^(?P<text>(?:todavía|aún) (?:tenemos que|hay que|falta|nos falta|necesitamos)\s.{3,}|falta\s.{3,}|` +
					`nos falta\s.{3,}|no olvides\s.{3,})$`,
			),
		},
		{
			Words: pattern.Words(`ainda|falta|esqueça`),
			Pattern: pattern.OneOf(
				`^(?P<text>(?:ainda (?:precisamos|temos que|falta|é preciso|preciso))\s.{3,}|falta\s.{3,}|` +
					`não (?:se )?esqueça de\s.{3,})$`,
			),
		},
	}
	// notTodo matches sentences that describe something or are about remembering.
	notTodo = pattern.OneOf(
		`\bstill (?:needs?|have|has) (?:a|an|the|no|some|this|that|errors?|problems?|issues?|trouble)\b`,
		`^(?:remember|don'?t forget) (?:this|that)\b`,
		`\bstill (?:has|have) (?:been|had)\b`,
	)
	// todoCode matches a mark in the middle of a line of code or prose.
	todoCode = pattern.New(
		`(?:^|\s)(?://|#|/\*|<!--)\s*(?:to-?do|fixme)(?:\([^)]{0,40}\))?\s*[:：]?\s+(?P<text>\S.*?)(?:\s*(?:\*/|-->))?$`,
	)
)

// todoNames are the marks that do not need a colon.
var todoNames = pattern.Words(`todo|to-do|fixme`)

// Todos returns the open work in a message: marked items, unchecked boxes, and
// sentences about what remains to be done. Each is one line of at most 300
// characters. What stands in a pasted document is nobody's todo.
func Todos(message string) []string { return speechOf(message).todos() }

func (s speech) todos() []string {
	var found []string
	seen := map[string]bool{}
	add := func(text string) {
		text = oneLine(strings.Trim(text, " *_"), maxDecision)
		if key := strings.ToLower(text); text != "" && !seen[key] && strings.ContainsFunc(text, isWordRune) {
			seen[key] = true
			found = append(found, text)
		}
	}
	for _, l := range s.spoken(nil) {
		if l.open {
			add(l.text)
			continue
		}
		if text := markedWork(l.text); text != "" {
			add(text)
			continue
		}
		for _, s := range sentences(l.text) {
			add(openWork(s))
		}
	}
	return found
}

// markedWork returns the text that a line marks as open work, or "".
func markedWork(text string) string {
	if !strings.ContainsAny(text, ":：") && !todoNames.In(strings.ToLower(text)) {
		return ""
	}
	if m := todoMark.Submatch(text); m != nil {
		return todoMark.Group(m, "text")
	}
	if m := todoCode.Submatch(text); m != nil {
		return todoCode.Group(m, "text")
	}
	return ""
}

// openWork returns what remains to be done according to a sentence, or "".
func openWork(sentence string) string {
	if isQuotation(sentence) || isQuestion(sentence) || notTodo.Match(sentence) {
		return ""
	}
	lower := strings.ToLower(sentence)
	for _, w := range todoWish {
		if !w.Words.In(lower) {
			continue
		}
		for _, rest := range stages(sentence) {
			if m := w.Pattern.Submatch(rest); m != nil {
				return w.Pattern.Group(m, "text")
			}
		}
	}
	return ""
}
