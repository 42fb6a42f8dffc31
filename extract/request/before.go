package request

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/once"
	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// Before is what the next message of the user may refer to: what the assistant said last,
// and what the user had proposed before that. Its strings are lines of at most 300 characters.
type Before struct {
	// Options are the choices that the assistant listed.
	Options []Option `json:"options,omitempty"`
	// Former are the options of which the user chose one, until others are listed, and FormerAge
	// how many messages of the user came after.
	Former    []Option `json:"former,omitempty"`
	FormerAge int      `json:"formerAge,omitempty"`
	// Asked is the last question of the assistant.
	Asked string `json:"asked,omitempty"`
	// Advised is what the assistant proposed last.
	Advised string `json:"advised,omitempty"`
	// Did is what the assistant says last that it did.
	Did string `json:"did,omitempty"`
	// Found is the last cause or rule that the assistant stated.
	Found string `json:"found,omitempty"`
	// Age is how many messages of the user came after Found.
	Age int `json:"age,omitempty"`
	// Proposed is the last proposal of the user, made as a question.
	Proposed string `json:"proposed,omitempty"`
	// lead is the sentence before Asked, while a message is read.
	lead string
}

// An Option is one choice of a list.
type Option struct {
	// Mark is what stands before the option: a number or a lower-case letter.
	Mark string `json:"mark"`
	Text string `json:"text"`
}

const (
	// maxOptions is how many options are kept.
	maxOptions = 12
	// maxAge is how many messages of the user what was found outlives.
	maxAge = 3
)

// Texts returns all strings that may be referred to.
func (b Before) Texts() []string {
	texts := []string{b.Asked, b.Advised, b.Did, b.Found, b.Proposed}
	for _, o := range slices.Concat(b.Options, b.Former) {
		texts = append(texts, o.Text)
	}
	return slices.DeleteFunc(texts, func(text string) bool { return text == "" })
}

// After returns what the next message may refer to after one more message of a role.
func (b Before) After(role, message string) Before {
	switch role {
	case "user":
		return b.afterUser(speechOf(message))
	case "assistant":
		said := answerOf(message)
		said.Proposed = b.Proposed
		if said.Found == "" {
			said.Found, said.Age = b.Found, b.Age
		}
		if len(said.Options) == 0 {
			said.Former, said.FormerAge = b.Former, b.FormerAge
		}
		return said
	}
	return b
}

// afterUser is After for what the user said.
func (b Before) afterUser(said speech) Before {
	next := Before{Proposed: said.proposal()}
	if b.Found != "" && b.Age < maxAge {
		next.Found, next.Age = b.Found, b.Age+1
	}
	switch {
	case len(b.Options) > 0:
		next.Former = b.Options
	case b.FormerAge < maxAge:
		next.Former, next.FormerAge = b.Former, b.FormerAge+1
	}
	return next
}

var (
	marked = pattern.New(
		`^\s*(?:[-*+]\s+)?(?:#{1,4}\s+)?(?:\*\*|__)?(?:(?:option|choice|variante|opción|opção|方案|选项|選項|案|옵션)\s*)?` +
			`[(（]?(\d{1,2}|[a-h])(?:[.):：）、]|\s[—–-])(?:\*\*|__)?\s+(\S.*)$`,
	)
	// advised matches what an assistant proposes.
	advised = pattern.Any(
		`\bi(?:'d| would)(?: \w+)? (?:suggest|recommend|use|go with|choose|pick|prefer|propose|start|keep|name|`+
			`call|lean)\b|\bi (?:suggest|recommend|propose|prefer)\b|\b(?:my|the) (?:recommendation|suggestion|`+
			`proposal)\b|^(?:\*\*)?(?:recommended|recommendation|suggestion|proposal|proposed|result|`+
			`better approach|the fix|fix|suggested fix|cleaner option|best option)\b[^:]{0,40}:|`+
			`\b(?:is|would be|are) (?:the )?(?:better|best|safer|cleaner|simpler|preferable|more \w+)\b|`+
			`\bshould be (?:removed|renamed|moved|replaced|called|named|stored|the default)\b|\bmakes sense\b|`+
			`\bthe (?:better|best|cleaner|simpler|safer) [\w-]+ (?:is|would be)\b|`+
			`\bgood call\b|\binstead of\b|\brather than\b`,
		`建议|建議|推荐|推薦|最好|更好|更合适|更合適|应该改|應該改`,
		`(?:提案|おすすめ|お勧め|推奨)|(?:ほう|方)が(?:良い|よい|いい)|べきです`,
		`(?:제안|추천|권장)|(?:것이|게|편이) (?:더 )?(?:좋|낫)`,
		`\b(?:ich (?:würde|empfehle|schlage)|empfehlung|vorschlag|(?:wäre|ist) (?:besser|sinnvoll\w*)|statt)\b`,
		`\bje (?:suggère|propose|recommande|conseille)|recommandation|proposition|(?:serait|est) (?:mieux|préférable)|`+
			`plutôt que|au lieu d`,
		`\b(?:sugiero|propongo|recomiendo|recomendación|propuesta|sería mejor|es mejor|en lugar de|en vez de)\b`,
		`\b(?:sugiro|proponho|recomendo|recomendação|proposta|seria melhor|é melhor|em vez de)`,
	)
	// asks matches the end of questions that name nothing themselves.
	empty = pattern.New(
		`^(?:(?:so|do you|would you|should|shall|can|could|may|want|like|prefer|if you|when you're|ready|just|let|` +
			`me|you|i|we|to|know|please|go|ahead|and|or|proceed|continue|start|begin|do|make|implement|apply|fix|` +
			`change|changes|edit|edits|rename|remove|add|update|create|write|commit|push|it|its|this|that|these|` +
			`those|them|the|a|an|now|then|with|for|on|of|as|is|are|does|look|sound|right|good|okay|ok|` +
			`fixes?|option|options|issue|approach|plan|both|all|any|one|ones|which|what|how|first|else|thoughts|` +
			`help|work|suggestion|proposal|implementation|adjustments?|tests?|merge|` +
			`pr)\b[\s,.?!'"` + "`" + `]*)*[?？]\s*$`,
	)
	// does matches what an assistant says that it did.
	does = pattern.Any(
		`^(?:i|we)(?:'ve| have)? (?:(?:also|just|now|then|already) )*(?:\w{3,}ed|wrote|made|put|set|built|sent|left|`+
			`kept|chose|took|split)\b`,
		`^(?:我)?(?:已经|已經|已).{2,}`, `ました。?$`, `(?:했습니다|했어요)[.!]?$`, `^ich habe\b`, `^j'ai\b`, `^he \p{L}+(?:ado|ido)\b`,
		`^(?:eu )?(?:\p{L}{3,}ei)\b`,
	)
)

// withoutEmphasis returns Markdown without the signs of bold text.
func withoutEmphasis(text string) string { return strings.ReplaceAll(text, "**", "") }

// answerOf returns what a message of the assistant leaves to refer to.
func answerOf(message string) Before {
	var b Before
	lines := prose(message)
	b.Options = options(message)
	title, lead := "", ""
	for _, l := range lines {
		found := sentences(withoutEmphasis(l.text))
		for i, s := range found {
			text := oneLine(strings.TrimRight(s, ":："), maxDecision)
			switch {
			case text == "":
			case isQuestion(text):
				if b.Asked == "" || !alternative.Match(text) {
					b.Asked, b.lead = text, lead
				}
			case len(found) == 1 && heading.Match(l.text) && !l.bullet:
				title = strings.TrimLeft(text, "# ")
			case announcesList.Match(s) && !advised.Match(text):
			default:
				if !l.bullet {
					lead = text
				}
				if advised.Match(text) {
					b.Advised = b.advice(text)
				}
				if does.Match(text) {
					b.Did = text
				}
				if finding.Match(text) && !notFact.Match(text) && !better.Match(text) &&
					(words(text) >= minFound || b.Found == "") && strength(b.Found) <= strength(text) {
					b.Found = under(title, statements(found[i:]))
				}
			}
		}
	}
	if b.Advised == "" && empty.Match(b.Asked) && words(b.lead) >= minReasoned {
		b.Advised = b.lead
	}
	b.lead = ""
	return b
}

// strength is how surely a finding is what a user means by "document this": 1 if it states a
// cause, else 0.
func strength(found string) int {
	if stated.Match(found) {
		return 1
	}
	return 0
}

var (
	// stated matches findings that state a cause or a defect.
	stated = pattern.New(`\b(?:root cause|caused by|this is the (?:bug|cause|problem|issue)|same cause|` +
		`the (?:actual|real|` +
		`main) (?:issue|problem|cause|bug)|silently)\b|根本原因|根因|원인|\bursache\b`)
	// better matches advice and what is ruled out, which are not findings.
	better = pattern.New(`\b(?:isn't|is not|wasn't|was not|not) the (?:\w+ )?(?:cause|problem|issue|culprit)\b|` +
		`\b(?:better|best|cleaner|simpler|safer|another|alternative) (?:fix|option|approach|way|solution)\b`)
)

// minFound is the number of words of the shortest finding that replaces another one.
const minFound = 8

// statements returns the sentences up to one that announces something.
func statements(found []string) string {
	end := slices.IndexFunc(found, func(s string) bool { return announcesList.Match(s) || isQuestion(s) })
	if end <= 0 {
		return strings.Join(found, " ")
	}
	return strings.Join(found[:end], " ")
}

// alternative matches a question that only gives another choice to the one before it.
var alternative = pattern.New(`^(?:or|oder|ou|o|或者|还是|還是|それとも|아니면)\b`)

// advice returns what a sentence advises: the option that it names, or itself.
func (b Before) advice(text string) string {
	if m := named.Submatch(text); m != nil {
		if option := b.option(strings.ToLower(m[1])); option != "" {
			return option
		}
	}
	return text
}

var named = pattern.New(`\b(?:option|choice|approach|variante|opción|opção)\s+#?(\d{1,2}|[a-h])\b`)

// under returns a finding with the title that it stands under, or as much as fits.
func under(title, text string) string {
	title, text = pointed.Remove(title), pointed.Remove(text)
	if title != "" && !strings.Contains(text, title) {
		if whole := oneLine(title+": "+text, 2*maxDecision); whole != "" {
			return whole
		}
	}
	if whole := oneLine(text, 2*maxDecision); whole != "" {
		return whole
	}
	return oneLine(sentences(text)[0], maxDecision)
}

// pointed matches what says of a finding that it is the cause of what is talked about: a theory, until
// it is proven, and nothing without what was talked about.
var pointed = pattern.New(`\s*[—–-]+\s*(?:and )?(?:this|that|which) (?:is|was) (?:probably |likely )?(?:the|our) ` +
	`(?:actual |real |main |root )?(?:bug|cause|problem|issue|culprit)\b`)

// options returns the items of the last list of a message that has marks. Code does not
// end a list.
func options(message string) []Option {
	var list []Option
	for _, raw := range strings.Split(withoutFences(bounded(message)), "\n") {
		if len(raw) > maxLine || strings.HasPrefix(raw, "     ") {
			continue
		}
		m := marked.Submatch(raw)
		if m == nil {
			continue
		}
		text := oneLine(withoutEmphasis(m[2]), maxDecision)
		if mark := strings.ToLower(m[1]); text != "" {
			if mark == "1" || mark == "a" {
				list = nil
			}
			if len(list) < maxOptions && !slices.ContainsFunc(list, func(o Option) bool { return o.Mark == mark }) {
				list = append(list, Option{mark, text})
			}
		}
	}
	if len(list) < 2 {
		return optionsInLine(message)
	}
	return list
}

// inLine matches the mark of an option within a line.
var inLine = pattern.New(`(?:^|\s)[(（]?(\d|[a-h])[)）]\s+`)

// optionsInLine returns the options of the last line that lists them in one sentence, such as
// "(1) Redis (2) memcached".
func optionsInLine(message string) []Option {
	var list []Option
	for _, l := range prose(message) {
		for _, s := range sentences(withoutEmphasis(l.text)) {
			if found := marksIn(s); len(found) >= 2 {
				list = found
			}
		}
	}
	return list
}

// marksIn returns the options in a sentence, whose marks begin with 1 or a and have no gap.
func marksIn(sentence string) []Option {
	at := inLine.FindAll(sentence, maxOptions)
	var list []Option
	for i, from := range at {
		end := len(sentence)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		mark := strings.ToLower(inLine.Submatch(sentence[from[0]:])[1])
		text := oneLine(between.Remove(sentence[from[1]:end]), maxDecision)
		if text == "" || mark != string(rune('1'+i)) && mark != string(rune('a'+i)) {
			return nil
		}
		list = append(list, Option{mark, text})
	}
	return list
}

// between matches what stands between an option and the next one.
var between = pattern.New(`[\s,;、，；.?!。？！]*(?:\s(?:or|and|oder|und|ou|et|o|y|e|或者|或))?\s*$`)

var fences = once.Compile("(?ms)^[ \t]*```.*?^[ \t]*```[ \t]*$")

func withoutFences(text string) string {
	if !strings.Contains(text, "```") {
		return text
	}
	return fences.ReplaceAllString(text, "")
}

// proposal returns what a user proposes as a question, such as "what do you think about
// renaming it to cleanup?", or "".
func (s speech) proposal() string {
	found := ""
	for _, p := range s.said {
		for _, sentence := range sentences(p.text) {
			if proposes.Match(sentence) && utf8.RuneCountInString(sentence) <= maxDecision {
				found = sentence
			}
		}
	}
	return found
}

// proposes matches proposals of users that are questions.
var proposes = pattern.Any(
	`\b(?:what|how) (?:do you think )?about\b|\bwhat do you think\b|\b(?:does|would) it make sense\b|`+
		`\bmakes? sense to\b|\bshould(?:n'?t)? (?:we|it|the|this|i|\w+ be)\b|\b(?:can|could) we\b|\bi wonder\b|`+
		`\bwhat if\b|\bwhy not\b|\bmaybe (?:we|it)\b|\bis it better\b|\bwould it be better\b`,
	`(?:要不要|是不是应该|是不是應該|是否应该|是否應該|怎么样|怎麼樣|如何[?？]|好不好|能不能|可不可以)`,
	`(?:たらどう|のはどう|ほうがいい(?:です)?か|べきですか|どうでしょう)`,
	`(?:어떨까|어때|하는 게 (?:좋을까|나을까)|할까)`,
	`\b(?:wie wäre es|was hältst du|sollten wir|könnten wir|wäre es (?:besser|sinnvoll))`,
	`\b(?:que penses-tu|qu'en penses|si on|et si|devrait-on|pourrait-on|ne devrait)`,
	`\b(?:qué te parece|qué tal si|deberíamos|podríamos|y si|no sería mejor)`,
	`\b(?:o que (?:você )?acha|que tal|deveríamos|poderíamos|e se|não seria melhor)`,
)

// finding matches causes and rules in what an assistant says.
var finding = pattern.Any(
	`\broot cause\b|\bthis is the (?:bug|cause|problem|issue)\b|\b(?:caused by|because|turns? out|`+
		`the reason|the (?:actual|real|main) (?:issue|problem|`+
		`cause|bug)|silently|in fact)\b|\b(?:must|should|never|always|only|instead of|`+
		`rather than|relative to|not the)\b`,
	`根本原因|根因|因为|因為|必须|必須|应该|應該|不要|而不是`,
	`原因|ため|べき|必要|ではなく`,
	`원인|때문|해야|대신`,
	`\b(?:ursache|weil|muss|müssen|sollte|nie|immer|statt)\b`,
	`\b(?:cause|parce que|doit|doivent|jamais|toujours|au lieu)\b`,
	`\b(?:causa|porque|debe|deben|nunca|siempre|en lugar)\b`,
	`\b(?:causa|porque|deve|devem|nunca|sempre|em vez)\b`,
)
