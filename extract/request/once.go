package request

import "github.com/wm-lsp/wm-lsp/extract/pattern"

// Once reports whether the saying asks for work that is done once.
func (s Saying) Once() bool {
	switch {
	case holdsBack.Match(s.Text):
		return true
	case chosen.Match(s.Text):
		return false
	case s.Answers != "" && words(s.Text) <= maxAgreement:
		return offersWork.Match(s.Answers)
	}
	bare := core(s.Text)
	if said := sentences(bare); len(said) > 0 {
		bare = said[0]
	}
	if always.match(bare) || firm.match(bare) {
		return false
	}
	return isQuestion(bare) || asks.match(bare) || operation.match(bare) || beginsWork.Match(bare) ||
		complains.Match(bare)
}

// AsksForWork reports whether the saying is a request in the form of a question, with whatever it says
// besides: "can we rename it, because …".
func (s Saying) AsksForWork() bool { return asksWork.Match(core(s.Text)) }

var asksWork = pattern.New(`^(?:can|could|would|will) (?:you|we|u)\b|^(?:how|what) about\b|^(?:kannst|könntest) du\b|` +
	`^(?:können|könnten) wir\b|^(?:peux|pourrais)-tu\b|^(?:peut|pourrait)-on\b|^(?:puedes|podrías|podemos|podríamos|` +
	`pode|podemos|poderia)\b|^(?:能不能|能否|可以|可不可以)`)

// maxAgreement is the number of words of the longest bare agreement.
const maxAgreement = 3

var (
	// offersWork matches questions of an assistant whether it shall do something.
	offersWork = pattern.New(`^(?:do you )?(?:want|would you like) me to\b|^(?:shall|should) (?:i|we)\b|` +
		`^(?:soll|kann) ich\b|^(?:要不要|需要我)|ましょうか|할까요`)
	// beginsWork matches the beginnings of work that is done once, besides operations.
	beginsWork = pattern.New(`^(?:let'?s |lets )?(?:try|implement|add|create|write|build|delete|identify|spawn|` +
		`rebase|amend|finish|keep going|do the)\b|^[$/]\w|^(?:we are|we're) (?:back|done)\b|\bready to merge\b|` +
		`^(?:füge|erstelle|schreibe?|ajoute|crée|écris|añade|crea|escribe|adicione|crie|escreva)\b|^(?:添加|新增|实现|實現)|` +
		`(?:追加|作成|実装)して|(?:추가|작성|구현)해`)
	// holdsBack matches requests to change nothing for now.
	holdsBack = pattern.New(`\b(?:don'?t|do not) (?:fix|change|edit|touch|implement|modify|write|do) (?:anything|` +
		`any code|the code|code)\b|\bwithout (?:changing|editing|fixing) anything\b|^(?:先)?(?:别|別|不要)(?:改|动|動)`)
	// complains matches reports of what is wrong now.
	complains = pattern.New(`^(?:that|this|it)(?:'s| is) (?:wrong|incorrect|not (?:right|correct|true|working))\b|` +
		`^i (?:did ?n'?o?t|never) (?:say|ask|mean)\b|^(?:不对|不對|错了|錯了)|^(?:違います|違う)|^das (?:stimmt nicht|ist falsch)|` +
		`^c'est (?:faux|incorrect)|^(?:eso|esto) está mal|^(?:isso|isto) está errado`)
)
