package request

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/once"
	"github.com/wm-lsp/wm-lsp/extract/pattern"
	"github.com/wm-lsp/wm-lsp/extract/shorten"
)

// A Saying is what a user said that directs the work: a correction, a rule, a preference
// or a choice. It is a quotation.
type Saying struct {
	// Text is one line of whole sentences in the words of the user.
	Text string
	// Answers is the sentence that Text answers if it says nothing by itself, as "option 3".
	Answers string
	// Lasting is true if it holds beyond the task.
	Lasting bool
	// Design is true if it says how the product shall be, which the work on it fulfils.
	Design bool
	// Argues is true if it is part of an argument of which the user asks what is wrong with it.
	Argues bool
	// Type is the type of an entry with this text.
	Type string
}

// String returns the quotation with what it answers.
func (s Saying) String() string {
	if s.Answers == "" {
		return s.Text
	}
	return shorten.Chars(`"`+s.Text+toAnswered+s.Answers, maxSaying)
}

// toAnswered stands between a quotation and what it answers.
const toAnswered = `" → `

// Quoted returns the quotation and what it answers of a string that String returned; answers is empty if there is none.
func Quoted(saying string) (text, answers string) {
	if text, answers, is := strings.Cut(saying, toAnswered); is {
		return strings.TrimPrefix(text, `"`), answers
	}
	return saying, ""
}

const (
	// maxQuoted is how long a quotation of several sentences is at most, in characters;
	// one sentence may have maxSentence.
	maxQuoted   = 300
	maxSentence = 400
	// maxSaying is the length of a quotation with what it answers.
	maxSaying = 500
	// minSaid is the number of words of the shortest request without a referent.
	minSaid = 4
	// maxSayings bounds the quotations of one message.
	maxSayings = 10
)

// sayings returns what a user's message says that directs the work, in order. What it refers
// to is in before; what has no referent and says nothing by itself is left out.
func (s speech) sayings(before Before) []Saying {
	var all []Saying
	listing := false // whether the items that follow are what the user asks for
	for _, p := range s.said {
		if listing = p.bullet && listing || announcesList.Match(p.text) && announces(p.text); listing && !p.bullet {
			continue
		}
		quoted := quotations(p, before)
		if text := oneLine(p.text, maxQuoted); listing && len(quoted) == 0 && text != "" && !isQuestion(text) {
			quoted = []Saying{{Text: text, Type: kindOf(text)}}
		}
		for _, q := range quoted {
			same := func(s Saying) bool { return strings.EqualFold(s.Text, q.Text) && s.Answers == q.Answers }
			if len(all) < maxSayings && !slices.ContainsFunc(all, same) {
				all = append(all, q)
			}
		}
	}
	return all
}

// quotations returns the quotations of a paragraph: neighbouring sentences that direct or
// explain are one.
func quotations(p paragraph, before Before) []Saying {
	var all []Saying
	var open *Saying
	flush := func() {
		if open != nil {
			all, open = append(all, *open), nil
		}
	}
	subject := "" // the sentence before, which may name what the next one is about
	for i, s := range sentences(p.text) {
		s = oneLine(s, maxSentence)
		found, ok := saying(s, p.first && i == 0, subject, before)
		if subject = s; isQuestion(s) || words(s) < minSaid {
			subject = ""
		}
		switch {
		case ok && words(s) < minSaid && found.Answers == "" &&
			!rules.match(s) && !corrects.match(s) && !always.match(s) && !choosing.match(s):
			flush()
		case ok && open != nil && fits(*open, s):
			open.Text += " " + s
			open.Lasting, open.Design = open.Lasting || found.Lasting, open.Design || found.Design
			if open.Answers == "" {
				open.Answers = found.Answers
			}
		case ok:
			flush()
			open = &found
		case open != nil && s != "" && fits(*open, s) && explains(s):
			open.Text += " " + s
			flush()
		default:
			flush()
		}
	}
	flush()
	argues := doubtful.Match(p.text)
	for i := range all {
		all[i].Argues = argues
		all[i].Type = kindOf(all[i].Text)
		if all[i].Type == Project && choosing.match(all[i].Text) {
			all[i].Type = Decision
		}
	}
	return all
}

// announces reports whether a line announces the items of a list that the user asks for.
func announces(text string) bool {
	bare := core(text)
	return agreed.Find(text) != "" || proposing.Match(bare) || directs(strings.TrimRight(bare, ":： ")+" the following")
}

func fits(open Saying, s string) bool {
	return utf8.RuneCountInString(open.Text)+utf8.RuneCountInString(s) < maxQuoted
}

// explains reports whether a sentence may stand behind one that directs, as its reason.
func explains(s string) bool {
	return !isQuestion(s) && !isQuotation(s) && !operation.match(s) && !asks.match(s) && words(s) >= 3
}

// saying returns the quotation that a sentence is. opens is true for the first sentence of
// a message, which may answer the assistant. subject is the sentence before it, if any.
func saying(s string, opens bool, subject string, before Before) (Saying, bool) {
	if s == "" || strings.HasPrefix(s, "/") || isWhollyQuoted(s) || markedWork(s) != "" || inquires.Match(s) {
		return Saying{}, false
	}
	found := Saying{Text: s}
	if opens {
		if answer, rest, ok := answered(s, before); ok {
			found.Answers = answer
			found.Lasting = chosen.Match(s) && lastingOption(answer) || lastingAnswer(answer, before) ||
				directs(rest) && lasts(rest)
			return found, true
		}
	}
	if m := choosesByName.Submatch(s); m != nil && words(s) <= maxAnswer && !isQuestion(s) {
		if o := before.anyOption(strings.ToLower(choosesByName.Group(m, "mark"))); o != "" {
			found.Answers, found.Lasting = o, lastingOption(o)
			return found, true
		}
	}
	bare := core(s)
	if !directs(bare) || negated.Match(bare) || deferred.Match(bare) {
		return Saying{}, false
	}
	if Unnamed(bare) && subject != "" {
		found.Text, found.Lasting = subject+" "+s, lasts(bare)
		return found, true
	}
	agrees := agreed.Match(s) && pointing.match(bare) && words(bare) <= maxAnswer
	if dangles(bare) || opens && (agrees || danglesFirst(bare)) {
		if saves.Match(bare) {
			return Saying{}, false
		}
		answer := before.referent()
		if answer == "" && refuses.Match(s) {
			answer = before.Did
		}
		if answer == "" {
			return Saying{}, false
		}
		found.Answers = answer
		found.Lasting = lasts(bare) || lastingAnswer(answer, before) && !operation.match(bare)
		return found, true
	}
	found.Lasting, found.Design = lasts(bare), designs(bare)
	return found, true
}

// core returns a sentence without its polite and casual beginning.
func core(s string) string {
	rest := s[len(wondering.Find(s)):]
	for range maxLeads {
		m := casual.Find(rest)
		if m == "" || len(m) == len(rest) {
			break
		}
		rest = rest[len(m):]
	}
	return rest
}

// isWhollyQuoted reports whether a sentence is somebody else's words.
func isWhollyQuoted(s string) bool {
	last := s[len(s)-1]
	return isQuotation(s) && (strings.HasPrefix(s, ">") || last == '"' || strings.HasSuffix(s, "”") ||
		strings.HasSuffix(s, "」"))
}

// Standing reports whether the saying is a rule for whatever comes up, and not how something at hand
// should be.
func (s Saying) Standing() bool {
	bare := core(s.Text)
	return standing.match(bare) || ruleStart.Match(bare) && !doubts.Match(bare)
}

// directs reports whether a sentence is a correction, a rule, a preference or a choice.
func directs(s string) bool {
	if unsure.match(s) || reporting.match(s) || asksWhether.Match(s) {
		return false
	}
	if opinion.Match(s) {
		s = strings.TrimRight(s, "?？ ")
	}
	if isQuestion(s) || asks.match(s) {
		return requested.match(s) && !operation.match(s) && (proposing.Match(s) || !wonders.match(s))
	}
	if operation.match(s) {
		return rules.match(s) || prefers.match(s) || firm.match(s)
	}
	return corrects.match(s) || rules.match(s) || prefers.match(s) || choosing.match(s) ||
		states(s, decided) && !undecided.Match(s) || tells.match(s)
}

// lasts reports whether a directing sentence holds beyond the task.
func lasts(s string) bool {
	if words(s) < minLasting {
		return false
	}
	if momentary.match(s) || wonders.match(s) && !proposing.Match(s) {
		return false
	}
	if operation.match(s) && (words(s) < minLong || !firm.match(s)) {
		return false
	}
	return always.match(s) || words(s) >= minReasoned && (reasons.match(s) || states(s, decided))
}

// designs reports whether a directing sentence says how the product shall be, and not what is to
// be done now.
func designs(s string) bool {
	return words(s) >= minDesign && (requested.match(s) || choosing.match(s)) && !chores.match(s) &&
		!momentary.match(s) && !operation.match(s) && (proposing.Match(s) || !wonders.match(s))
}

const (
	// minLasting is the number of words of the shortest rule that is understood later,
	// minReasoned that of the shortest choice.
	minLasting  = 4
	minReasoned = 6
	// minDesign is the number of words of the shortest choice about the product that is
	// understood later.
	minDesign = 8
	// minLong is the number of words from which a sentence may say more than how it begins.
	minLong = 12
)

// lastingOption reports whether an option that a user chose holds beyond the task.
func lastingOption(option string) bool {
	return words(option) >= minReasoned && !momentary.match(option) && !operation.match(option)
}

// lastingAnswer reports whether what a user agreed to holds beyond the task: a confirmed
// cause, or advice. A question asks for work.
func lastingAnswer(answer string, before Before) bool {
	if answer == before.Asked || !lastingOption(answer) {
		return false
	}
	if answer == before.Found {
		return true
	}
	return always.match(answer) || reasons.match(answer) || recommends.Match(answer)
}

// dangles reports whether a sentence speaks of something only by a pronoun.
func dangles(s string) bool {
	return Unnamed(s) || words(s) <= maxDangling && (placed.Match(s) || pointing.match(s) && !givesName.Match(s))
}

// danglesFirst reports whether a sentence directs in its first clause only, and there speaks of
// something only by a pronoun: "don't set it, let's see if it keeps happening".
func danglesFirst(s string) bool {
	first, rest, found := strings.Cut(s, ",")
	return found && directs(first) && dangles(first) && !pointing.match(rest) && !directs(strings.TrimSpace(rest))
}

// Unnamed reports whether the subject of a sentence is a pronoun.
func Unnamed(s string) bool { return pronounFirst.Match(s) && !impersonal.Match(s) }

const (
	// maxDangling is the number of words from which a sentence names what it is about.
	maxDangling = 8
	// maxAnswer is the same for one that agrees.
	maxAnswer = 14
)

// words returns how many words a string has. Two characters of Han or kana count as one.
func words(s string) int {
	n, wide, inWord := 0, 0, false
	for _, r := range s {
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
			wide++
			inWord = false
		case unicode.IsSpace(r) || r > unicode.MaxLatin1 && !isWordRune(r):
			inWord = false
		case !inWord && isWordRune(r):
			n++
			inWord = true
		}
	}
	return n + wide/2
}

// answered returns what a sentence answers if it agrees with the assistant or chooses one
// of its options, and what the sentence says besides.
func answered(s string, before Before) (answer, rest string, ok bool) {
	if m := chosen.Submatch(s); m != nil {
		mark := strings.ToLower(chosen.Group(m, "mark"))
		if n, is := ordinals.Get()[mark]; is {
			mark = n
		}
		rest = strings.TrimSpace(s[len(m[0]):])
		if o := before.option(mark); o != "" {
			return o, rest, true
		}
		return "", "", false
	}
	m := agreed.Find(s)
	if m == "" {
		return "", "", false
	}
	rest = strings.TrimLeft(s[len(m):], " ,.!…:;-–—、，。！")
	if named := mentions.Submatch(rest); named != nil {
		if o := before.option(strings.ToLower(mentions.Group(named, "mark"))); o != "" {
			return o, rest, true
		}
	}
	if bare := core(rest); directs(bare) && !dangles(bare) {
		return "", "", false // says what it is about
	}
	if confirms.Match(rest) && before.Found != "" && words(rest) <= 8 {
		return before.Found, rest, true
	}
	if words(rest) > 8 || isQuestion(rest) || confirms.Match(rest) || asksForFact.Match(before.Asked) {
		return "", "", false
	}
	answer = before.referent()
	return answer, rest, answer != ""
}

// option returns the option with a mark, "" if there is none.
func (b Before) option(mark string) string {
	if mark == "last" && len(b.Options) > 0 {
		mark = b.Options[len(b.Options)-1].Mark
	}
	for i, o := range b.Options {
		if o.Mark == mark || mark == string(rune('a'+i)) && o.Mark == string(rune('1'+i)) {
			return o.Text
		}
	}
	return ""
}

// anyOption returns the option with a mark of the last list, or of the one before it.
func (b Before) anyOption(mark string) string {
	if o := b.option(mark); o != "" {
		return o
	}
	return Before{Options: b.Former}.option(mark)
}

// overtaken returns the options that are not chosen any more, because a saying chooses another one
// of their list.
func (b Before) overtaken(sayings []Saying) []string {
	var others []string
	for _, list := range [][]Option{b.Options, b.Former} {
		for _, s := range sayings {
			if !slices.ContainsFunc(list, func(o Option) bool { return o.Text == s.Answers }) {
				continue
			}
			for _, o := range list {
				if o.Text != s.Answers {
					others = append(others, o.Text)
				}
			}
		}
	}
	return others
}

// referent returns what a bare "yes" agrees to.
func (b Before) referent() string {
	if offered := offering.Find(b.Asked); b.Asked != "" && !empty.Match(b.Asked) {
		work := b.Asked[len(offered):]
		switch {
		case offered == "" || !operation.match(work) && !dangles(work):
			return b.Asked
		case !dangles(work): // work that is done once
			return ""
		}
	}
	if b.Proposed != "" && b.Asked == "" && b.Advised == "" {
		return b.Proposed
	}
	if b.Advised != "" {
		return b.Advised
	}
	if b.Asked != "" {
		return b.Proposed
	}
	return ""
}

var ordinals = once.Value[map[string]string]{Make: func() map[string]string {
	return map[string]string{
		"first": "1", "second": "2", "third": "3", "fourth": "4", "former": "1", "latter": "last", "last": "last",
		"erste": "1", "ersten": "1", "zweite": "2", "zweiten": "2", "dritte": "3", "dritten": "3",
		"première": "1", "premier": "1", "deuxième": "2", "seconde": "2", "troisième": "3", "dernière": "last",
		"primera": "1", "segunda": "2", "tercera": "3", "última": "last", "primeira": "1", "terceira": "3",
		"一": "1", "二": "2", "三": "3", "四": "4", "첫": "1", "두": "2", "세": "3",
	}
}}

var (
	// choosesByName matches choices that name an option as one, also of a list that was chosen from.
	choosesByName = pattern.New(`^(?:(?:no|nope|wait|actually|sorry|hm+|ok(?:ay)?|well|on second thoughts?|nein|` +
		`doch|non|` +
		`não|不|やっぱり|아니)[,.!\s]+)*(?:(?:let'?s|i'?d|i|we|please|rather|actually|instead)\s+)*(?:(?:use|take|do|` +
		`go (?:with|for|back to)|` +
		`pick|choose|prefer|switch to|want|make it|try|lass uns|nimm|nehmen wir|prends|prenons|usa|usemos|` +
		`vamos com|用|选|選)\s*)?` +
		`(?:the |die |l')?(?:option|choice|variante|opción|opção|方案|选项|選項|案|옵션)\s*(?P<mark>\d{1,2}|[a-h])\b`)
	// doubtful matches paragraphs that argue, and ask what is wrong with the argument.
	doubtful = pattern.New(`\b(?:(?:what|or what) (?:do|did|am) i miss(?:ing)?|` +
		`(?:do|did) i miss (?:something|anything)|am i (?:missing|wrong|mistaken)|correct me if)\b|` +
		`\b(?:was übersehe ich|übersehe ich etwas)\b|我(?:漏了|错过了|理解错)|見落として(?:い)?ますか`)
	// doubts matches the beginnings of opinions that sound like rules.
	doubts = pattern.New(`^i (?:don'?t|do not) (?:t?h?ink|know|see|believe|mean|understand|get)\b`)
	// casual matches words before what a sentence says.
	casual = pattern.New(
		`^(?:(?:ok(?:ay)?|yes|yeah|yep|sure|so|and|also|then|well|oh|ah|uh+m*|um+m*|hm+|hey|hi|please|pls|plz|`+
			`alright|right|great|good|perfect|thanks|thank you|cool|nice|btw|by the way|actually|just|now|wait|`+
			`sorry|additionally|furthermore|finally|one (?:more|last) (?:thing|modification|change)|q|question|`+
			`note|maybe|perhaps|i (?:guess|mean)(?: that)?)\b[\s,:.!…—–-]*`,
		`|(?:请|請|麻烦|麻煩|那|好的?|嗯|对了|對了|另外|还有|還有|顺便|順便|不过|不過|其实|其實)[,，、:：。!！\s]*`,
		`|(?:あと|では|じゃあ|それと|ちなみに|すみません|なお|また|はい|でも|実は)[、,，。!！\s]+`,
		`|(?:그리고|참고로|그런데|아|네|좋아요?|그럼|사실)[,.!\s]+`,
		`|(?:bitte|ok|gut|danke|und|also|aber|ja|außerdem|übrigens|eigentlich)[,:.!\s]+`,
		`|(?:merci|d'accord|bon|alors|et|aussi|mais|oui|au fait|en fait)[,:.!\s]+`,
		`|(?:por favor|vale|bien|gracias|y|además|también|pero|sí|por cierto|en realidad)[,:.!\s]+`,
		`|(?:certo|beleza|obrigad[oa]|e|também|mas|sim|aliás|na verdade)[,:.!\s]+`,
		`)`,
	)
	// givesName matches choices of a name or place for what a pronoun stands for.
	givesName = pattern.New(`\b(?:rename|call|name|change|move|set|put|switch|turn|convert|nenn\w*|appelle|` +
		`llama|chame)[ -](?:it|that|this|them|es|das|le|lo|isso)\s+(?:(?:to|as|into|in|under|on|zu|en|em|` +
		`para)\s+)?[\w\x60"']`)
	// inquires matches questions that are named as such.
	inquires = pattern.New(`^(?:\w+ )?q(?:uestion)?\s*:.*[?？]\s*$|[?？].*\bagain\b|\bagain\s*[?？]\s*$`)
	// offering matches the beginnings of questions of an assistant whether it shall do something.
	offering = pattern.New(`^(?:(?:do you |would you )?(?:want|like) me to|(?:shall|` +
		`should) i)\s+(?:also |now |go ahead and )*`)
	// refuses matches the beginnings of refusals.
	refuses = pattern.New(`^(?:(?:oh|hey|wait|please|and|but|so)[,\s]+)*(?:no|nope|don'?t|do not|stop|` +
		`never|undo|revert|nein|` +
		`nicht|non|ne|não)\b|^(?:不|别|別|いや|やめ|아니)`)
	// saves matches the wish that what was shown is written into a file: it agrees to nothing.
	saves = pattern.New(`^(?:please )?(?:(?:can|could|would|will) (?:we|you) (?:please |also |just |now )*)?` +
		`(?:save|export|dump|download) (?:this|that|it|these|those|them)\b`)
	// placed matches what is named only by its place or by what it is not.
	placed = pattern.New(`\b(?:the (?:second|first|third|fourth|last|other|former|latter|same|new|old|` +
		`left|right)(?: (?:one|` +
		`option|way))?|(?:that|this|the other) one|same for|like (?:that|this|before))[\s.!,]*(?:please|` +
		`instead|for|too|$)`)
	// pronounFirst matches sentences whose subject is a pronoun, and impersonal those whose
	// subject it only seems to be.
	pronounFirst = pattern.New(`^(?:(?:it|they|these|those)(?:'s|'d|'ll|'re| (?:\w+ ){0,2}?(?:is|are|` +
		`was|were|should(?:n't)?|` +
		`must|would|will|can|could|has|have|needs?|looks?|makes?|seems?|gives?|provides?|means?))|` +
		`(?:this|that) (?:\w+ )?(?:should|must|needs?|means|has to))\b`)
	impersonal = pattern.New(`^it(?:'s|'d be| is| was| would be| will be| makes| should be|` +
		` seems)(?: (?:also|much|not|more|` +
		`probably|just|only|really|usually))* (?:better|best|good|great|sense|important|necessary|enough|possible|` +
		`ok(?:ay)?|fine|easier|clear|up to|time|worth|nice|safer|cleaner|simpler|preferable|because|that)\b`)
	// wondering matches the beginning of proposals that are made as doubts.
	wondering = pattern.New(`^(?:(?:so|but|and|then|now)\s+)*(?:i(?:'m| am)? (?:also |` +
		`just )?(?:wonder(?:ing)?)(?: now)?|wondering) (?:if|whether) (?:maybe )?`)
	// opinion matches sentences that state an opinion, with or without a question mark.
	opinion = pattern.New(`^(?:\S+ ){0,2}i (?:also |just )?(?:(?:do ?n'?o?t|don't) )?(?:think|tink|believe|feel)\b`)
	// asksWhether matches parts of questions and of tasks.
	asksWhether = pattern.New(`^whether\b|^if .*\bwould (?:it|that|this|they)\b`)
	// chosen matches answers that choose one of several options.
	chosen = pattern.New(
		`^(?:(?:ok(?:ay)?|yes|yeah|let'?s (?:do|go with|take)|go with|i(?:'d| would)? (?:choose|pick|prefer|`+
			`like|go with|vote for)|`+
			`ja|oui|sí|si|sim|はい|네)[\s,.:]+)*(?:the )?(?:(?:option|number|choice|no\.?|#|variante|option|`+
			`opción|opção|la|le|die|der|das|el|a|o)\s*)?`,
		`(?:(?P<mark>\d{1,2}|[a-h])(?:[\s,.):!]+(?:please|pls|bitte|por favor|s'il te plaît))?(?:[\s.!,)]*$|`+
			`[,.)]\s|\s+(?:and|but|with|sounds|`+
			`looks|is|und|et|y|e|mais|pero|aber)\b)`,
		`|(?:(?:use|take|pick|do|keep|prefer) the )?(?P<mark>first|second|third|fourth|former|latter|`+
			`last|erste[n]?|zweite[n]?|dritte[n]?|premi[eè]re?|`+
			`deuxième|seconde|troisième|dernière|primera|segunda|tercera|última|primeira|terceira)`+
			`(?:\s+(?:one|option|choice|approach|variante|option|opción|opção))?(?:[\s.!,]|$)`,
		`)`,
		`|^(?:选|選|用|就)?(?:第(?P<mark>[一二三四1-9])(?:个|個|种|種)|方案\s*(?P<mark>[一二三四1-9a-h])|选项\s*(?P<mark>[1-9a-h]))`,
		`|^(?:案|オプション|選択肢)?\s*(?P<mark>[1-9a-h])(?:番(?:目)?)?(?:で|に(?:し|決)|が(?:いい|良い))`,
		`|^(?P<mark>[1-9a-h])번|^(?P<mark>첫|두|세) ?번째`,
	)
	// recommends matches advice that an assistant gives as its own.
	recommends = pattern.New(`\bi(?:'d| would)? (?:\w+ )?(?:recommend|suggest|prefer|lean|go with|propose)\b|` +
		`\brecommend(?:ed|ation)\b`)
	// confirms matches what is said after a yes to a question of fact.
	confirms = pattern.New(`^(?:that (?:was|is) (?:it|right|correct|true)|it (?:is|does|was|did|has)|` +
		`they (?:are|do|did|were)|i (?:am|do|did|have|was|know))\b`)
	// asksForFact matches questions of an assistant that propose nothing.
	asksForFact = pattern.New(
		`^(?:(?:and|so|but)\s+)?(?:do you (?:know|have|see|remember|recall)|did (?:you|it|that)|is (?:it|that|` +
			`this|there)|are (?:you|there|they)|was (?:it|that)|have you|does (?:it|that|this))\b`,
	)
	// mentions matches the number of an option within an answer.
	mentions = pattern.New(`\b(?:option|number|fix(?:es)?(?: for)?|issue|for|do|with)\s*#?(?P<mark>\d{1,2}|[a-h])\b`)
	// agreed matches the beginning of answers that agree.
	agreed = pattern.New(
		`^(?:(?:yes|yeah|yep|yup|ok(?:ay)?|sure|agreed?|i agree|perfect|great|sounds good|looks good|lgtm|`+
			`makes sense|good idea|correct|exactly|right|absolutely|definitely|of course|go ahead|do it|do that|`+
			`do this|do so|`+
			`please do(?: (?:it|that|so))?|let'?s (?:do (?:it|that|this)|go(?: ahead)?)|`+
			`lets (?:doe?|go)(?: (?:it|that|this))?|`+
			`implement (?:it|that|this|both)|ship it|`+
			`ja|genau|einverstanden|klingt gut|mach das|mach es|oui|d'accord|parfait|vas-y|fais(?:-le| ça)|sí|vale|`+
			`de acuerdo|perfecto|hazlo|adelante|sim|claro|concordo|pode fazer|faça isso|perfeito)\b[\s,.!]*`+
			`(?:please|pls|then|bitte|por favor|s'il te plaît)?[\s,.!]*)+`,
		`|^(?:好的?|可以|行|同意|没问题|沒問題|就这样|就這樣|对|對|是的|嗯)[，。,.!！\s]*(?:吧|的)?`,
		`|^(?:はい|いいですね|了解(?:です)?|賛成(?:です)?|お願いします|それで|その(?:通り|とおり))[、。,.!！\s]*`,
		`|^(?:네|예|좋아요?|좋습니다|동의(?:해요|합니다)|그렇게 (?:해|하)|맞아요?)[,.!\s]*`,
	)
)
