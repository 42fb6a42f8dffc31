package summary

import (
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
	"github.com/wm-lsp/wm-lsp/extract/request"
)

var (
	// steps matches sentences about the next step.
	steps = pattern.OneOf(
		`^(?:(?:the|my|our) )?next(?: (?:step|up|thing|task|item))?\b(?: (?:is|i|we|will|comes|on the list)\b|`+
			`[,:：—–-])`,
		`^(?:so |ok,? |and )?(?:then|now|after (?:that|this|it)|afterwards|from here),? (?:i'?ll|i will|`+
			`i'?m going to|i am going to|we'?ll|we will|we should|we need to|i need to|i should|let me|let'?s|`+
			`comes?)\b`,
		`\b(?:i'?ll|i will|i'?m going to|we'?ll|we will|we should|i need to|we need to|let me|let'?s) (?:now|next|`+
			`then)\b`,
		`\b(?:what'?s|that'?s|comes|is|do) next\b`,
		`^what(?:'s| is)? (?:remains|left|missing)\b`,
		`^(?:接下来|接下來|下一步|然后(?:我|再|要)|然後(?:我|再|要)|之后(?:我|再|要)|之後(?:我|再|要)|现在(?:我来|我要|来|開始|开始)|現在(?:我來|我要|來|開始))`,
		`(?:下一步|接下来|接下來)(?:是|要|我|就|将|將|会|會|[:：])`,
		`^(?:次は|次に|次のステップ|続いて|これから|その後|それから|では、?次)`,
		`次のステップは`,
		`^(?:다음(?:으로|은|에는|엔| 단계| 작업)|이제|그다음|그 다음|그런 다음)`,
		`다음 단계는`,
		`^(?:als nächstes|nächster schritt|der nächste schritt|danach|anschließend|jetzt|nun|dann) ?(?:[:：,]|\p{L})`,
		`\b(?:als nächstes|der nächste schritt)\b`,
		`^(?:ensuite|prochaine étape|la prochaine étape|après (?:ça|cela)|maintenant)[ ,:]`,
		`^(?:el siguiente paso|siguiente paso|próximo paso|o próximo passo|próximo passo|luego|después|`+
			`a continuación|em seguida|depois|agora|ahora)[ ,:]`,
	)
	// intents matches sentences about what the author is going to do.
	intents = pattern.OneOf(
		`^(?:ok,? |so |alright,? |good,? )?(?:i'?ll|i will|i'?m going to|i am going to|let me)\s\p{L}`,
		`^(?:我来|我來|我会|我會|我将|我將|我要|让我|讓我|我先|我再)`,
		`(?:します|してみます|する予定です|していきます)[。.]?$`,
		`(?:하겠습니다|할게요|할 예정입니다|해 ?보겠습니다|해볼게요)[.]?$`,
		`^(?:ich werde|ich (?:schaue|baue|schreibe|prüfe|ändere|füge|mache)\b|lass mich)`,
		`^(?:je vais|laisse-moi|voy a|déjame|vou |deixe-me)\b`,
	)
	// idle matches similar sentences that are not about a step of the work.
	idle = pattern.OneOf(
		`\blet me know\b`,
		`\bi'?ll (?:wait|be (?:here|happy|glad)|remember|keep (?:that|this|it) in mind|let you)\b`,
		`^(?:then|now|next)(?: time| to)?\b[^,:]{0,12}(?:it |that |this )(?:works|is|was|fails|failed|passes)\b`,
		`\b(?:next|last) (?:time|week|month|year|release|version)\b`,
		`\bsag (?:mir )?bescheid\b`,
		`^(?:jetzt|nun|dann) (?:ist|sind|war|läuft|funktioniert|geht|kann|wird|hat|haben|schlägt)\b`,
		`お知らせください|教えてください`,
		`알려 ?주세요|말씀해 ?주세요`,
		`告诉我|告訴我|^(?:现在|現在)(?:可以|没有|沒有|好了|已经|已經)`,
		`^(?:이제|지금) .{0,20}(?:됩니다|통과합니다|작동합니다|되었습니다)`,
		`^(?:ahora|agora|maintenant) (?:est|es|está|funciona|ça|tout|todo|tudo|passe|pasa|la|le|el|o|a)\b`,
	)
)

// nextStep returns the newest statement about the next step. A statement from before
// the request of the current task is used only if there are no open todos, and
// if it is not merely an intent.
func nextStep(messages []Message, task int, todos []string) string {
	if step := newestStep(messages[min(task, len(messages)):], true); step != "" {
		return step
	}
	if open := lines(todos, maxLine); len(open) > 0 {
		return open[0]
	}
	return newestStep(messages[:min(task, len(messages))], false)
}

func newestStep(messages []Message, withIntents bool) string {
	for _, m := range slices.Backward(messages) {
		if m.Role != user && m.Role != assistant {
			continue
		}
		step, intent := stepIn(m)
		if step == "" && withIntents {
			step = intent
		}
		if step != "" {
			return step
		}
	}
	return ""
}

// stepIn returns the next step that a message names, or else open work in it, and
// the intent of its author.
func stepIn(m Message) (next, intent string) {
	for _, sentences := range spoken(m.Text) {
		for _, sentence := range sentences {
			if len(sentence) > maxSentence || request.IsQuestion(sentence) || idle.Match(sentence) ||
				decides(sentence) {
				continue
			}
			switch {
			case steps.Match(sentence) && (m.Role == assistant || !asksFor(sentence) || namesStep(sentence)):
				next = sentence
			case m.Role == assistant && intents.Match(sentence):
				intent = sentence
			}
		}
	}
	if next == "" {
		next = openWork(m.Text)
	}
	return line(next, maxLine), line(intent, maxLine)
}

// openWork returns the first open work in a message, at the beginning of a line or
// sentence.
func openWork(message string) string {
	if todos := request.Todos(message); len(todos) > 0 {
		return todos[0]
	}
	for _, sentences := range spoken(message) {
		for _, sentence := range sentences {
			if todos := request.Todos(sentence); len(todos) > 0 {
				return todos[0]
			}
		}
	}
	return ""
}

// namesStep reports whether a sentence explicitly names the next step.
func namesStep(sentence string) bool {
	return stepNames.In(strings.ToLower(sentence))
}

var stepNames = pattern.Words(
	`next|then|after|afterwards|下一步|接下来|接下來|然后|然後|之后|之後|次|その後|それから|다음|그런|nächst|danach|anschließend|dann|ensuite|` +
		`étape|siguiente|próximo|luego|después|depois`,
)
