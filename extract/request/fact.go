package request

import (
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

var fact = []pattern.Wording{
	{
		Words: pattern.Words(
			`root cause|the cause|culprit|the reason|the problem|the bug|the issue|the fix|the error|caused by|` +
				`turns out|turn out|turned out|found|discovered|learned|noticed|confirmed|verified|key |important|` +
				`note|gotcha|caveat`,
		),
		Pattern: pattern.OneOf(
			`\b(?:root cause|the (?:cause|culprit|reason|problem|bug|issue|fix|error) (?:is|was)|` +
				`(?:is|was|are|were) caused by|turns? out|turned out|(?:i|we) (?:found|discovered|learned|noticed|` +
				`confirmed|verified) (?:that|out)|key (?:finding|fact|insight|point)s?\s*[:：]|` +
				`important(?: note)?\s*[:：]|note\s*[:：]|gotcha\s*[:：]|caveat\s*[:：])`,
		),
	},
	{
		Words: pattern.Words(
			` uses | requires | lives in | runs on | listens on | is | depends on | defaults to | expects |` +
				` support| must be | comes from | points to | talks to | returns `,
		),
		Pattern: pattern.OneOf(
			`^(?:the|this|your|our|each|all|every) [\w\x60./ -]{2,60}? (?:requires|lives in|runs on|`+
				`listens on|is (?:defined|configured|located|stored|implemented|generated|written|built|hosted|`+
				`exposed|pinned|deprecated|read) (?:in|at|by|on|with|from|under|to|as)|depends on|defaults to|`+
				`expects|only supports|does not support|must be|comes from|points to|talks to|is at)\b`,
			// What a function uses and returns is told by its code.
			`^(?:the|this|your|our|each|all|every) (?:[\w\x60./-]+ ){0,4}?(?:`+parts+`) (?:uses|returns)\b`,
		),
	},
	{
		Words: pattern.Words(`原因|问题|問題|发现|發現|注意|重要|关键|關鍵`),
		Pattern: pattern.OneOf(
			`(?:根本原因|原因(?:是|在于|在於)|问题(?:出在|在于|是因为)|問題(?:出在|在於|是因為)|发现了?[:：,，]?|發現了?[:：,，]?|注意[:：]|重要[:：]|` +
				`关键(?:点|在于)?[:：是]|關鍵(?:點|在於)?[:：是])`,
		),
	},
	{
		Words:   pattern.Words(`原因|問題|判明|分かりました|わかりました|注意|重要`),
		Pattern: pattern.OneOf(`(?:原因は|根本原因|問題は.{1,40}(?:こと|ため|から)|判明|分かりました|わかりました|注意[:：]|重要[:：])`),
	},
	{
		Words:   pattern.Words(`원인|문제|알아냈|발견했|확인했|주의|중요`),
		Pattern: pattern.OneOf(`(?:원인은|근본 원인|문제는|알아냈|발견했|확인했|주의[:：]|중요[:：])`),
	},
	{
		Words: pattern.Words(
			`ursache|problem|stellt|wichtig|cause|problème|avère|noter|causa|problema|resulta|importante|acontece`,
		),
		Pattern: pattern.OneOf(
			`\b(?:die ursache|das problem (?:ist|war|lag)|es stellt(?:e)? sich heraus|wichtig\s*[:：]|la cause|` +
				`le problème (?:est|était|vient)|il s'avère|à noter|la causa|el problema (?:es|era|está)|` +
				`resulta que|importante\s*[:：]|o problema (?:é|era|está)|acontece que)`,
		),
	},
}

// parts are what a project consists of.
const parts = `project|repo(?:sitory)?|workspace|monorepo|service|server|api|app|application|cli|client|database|` +
	`db|build|ci|pipeline|workflow|endpoint|route|backend|frontend|back end|front end|package|library|deployment|` +
	`system|product|team|container|image|job|queue|cache|registry|website|site|docs|documentation`

// notFact matches plans, guesses and offers.
var notFact = pattern.OneOf(
	`\b(?:i'll|i will|let me|i'm going to|i am going to|might|maybe|perhaps|probably|likely|seems?|would you|`+
		`i (?:think|believe|guess|suspect)|should (?:i|we)|want me|could be|may be|looks like)\b`,
	`让我|讓我|可能|也许|也許|我(?:会|會|来|來|将|將)|かもしれ|でしょうか|してみます|아마|것 같|할게요|겠습니다`,
)

// ofTheMoment matches findings about the state of the work, what restates the task, and what
// tests and code expect now, which the next edit changes.
var ofTheMoment = pattern.OneOf(
	`\b(?:is|are|was|were|has been|have been)(?: now| already| indeed| fully)? (?:re(?:produced|solved)|fixed|`+
		`verified|confirmed|working|in place|done|at commit)\b`,
	`\b(?:pr|issue|task|bug) (?:description|statement)\b|\breproduction script\b|^the (?:issue|bug|problem) is `+
		`(?:specifically )?(?:about|only)\b`,
	`^the (?:author|reporter|reviewer|user|issue|pr|ticket|description|maintainers?) (?:points?|mentions?|says|`+
		`suggests?|asks?|wants?|notes?|refers?|claims?)\b`,
	`^the (?:traceback|stack ?trace|output|log|error message)\b|^the (?:error|exception|failure) (?:is|was)[:\s]+`+
		`[\x60"'*]*[\w.]*(?:error|exception|warning)\b`,
	`^\W*(?:bottom line|verdict|conclusion|in (?:summary|short)|summary|tl;?dr|status|result)\b`,
	`\bthe (?:fix|change|patch|solution|approach) is (?:sound|correct|good|complete|minimal|simple|straightforward|`+
		`ready|safe|fine)\b|^the (?:updated|new|revised|changed) `,
	`^#|^(?:but|so|and|or|since|if|now|however|also|then|based on)\b`,
	`^(?:one|an?|another|last|final|local|side|small|quick|minor|operational)\b[\w -]{0,24}\b`+
		`(?:notes?|caveats?)\s*[:：]`,
	`^(?:added|updated|fixed|changed|removed|moved|renamed|created|refactored|implemented|wrote|replaced)\b`,
	`^the (?:issue|problem|bug|cause|fix|error) (?:is|was)(?: still| now| just| exactly)? the same\b`,
	`^the (?:issue|problem|bug|cause|fix|error) (?:is|was)[: ]+(?:that |if |when |how )?(?:i|it|this|these|they)\b|`+
		`\bmy (?:own |new |last |previous )?(?:code|change|edit|test|script|patch|implementation|commit)s?\b`,
	`^(?:the|this|your|our|each|all|every) (?:\w+ )?(?:tests?|assertions?|current (?:code|implementation)|`+
		`existing (?:code|test|implementation)|code|loop|worker)\b`,
)

// narrated matches the label that some agents put before what they think.
var narrated = pattern.New(`^(?:thoughts?|thinking|reasoning|analysis)\s*[:：]\s*`)

// minFact is the number of words of the shortest fact that is understood later, minTopic of the
// shortest one about the problem at hand.
const (
	minFact  = 5
	minTopic = 8
)

// aboutTopic matches facts about what there is one of at a time.
var aboutTopic = pattern.New(`^(?:the|das|die|le|la|el|o) (?:(?:root|actual|real|main|underlying) )?(?:cause|` +
	`issue|problem|bug|error|culprit|problema|problème|ursache)\b`)

var aboutFix = pattern.New(`^(?:the|die|la) (?:fix|solution|lösung|solución|solução)\b`)

// Topic returns what a fact is about if there is only one of it at a time, as the problem at
// hand: a newer fact about it takes its place. Otherwise it returns "".
func Topic(fact string) string {
	switch {
	case aboutFix.Match(fact):
		return "fix"
	case aboutTopic.Match(fact):
		return "problem"
	}
	return ""
}

// past matches facts about a problem that was.
var past = pattern.New(`^(?:the|das|die|le|la|el|o) (?:[\w-]+ ){0,2}?(?:cause|issue|problem|bug|error|culprit|` +
	`problema|problème|ursache) (?:was|were|war|lag|était|era|estaba|foi|estava)\b`)

// IsPast reports whether a fact is about a problem that was: it is told when it is solved.
func IsPast(fact string) bool { return past.Match(fact) }

// Facts returns the key facts in an assistant's message (systems.md A5), such as
// causes, findings and configurations. Each is one line of at most 300 characters, without emphasis.
func Facts(message string) []string {
	return collect(withoutEmphasis(message), func(sentence string) string {
		sentence = sentence[len(narrated.Find(sentence)):]
		if !states(sentence, fact) || notFact.Match(sentence) || ofTheMoment.Match(sentence) ||
			!standsAlone(sentence) || words(sentence) < minFact ||
			Topic(sentence) != "" && words(sentence) < minTopic && !cause.Pattern.Match(sentence) {
			return ""
		}
		return sentence
	})
}

// Causes returns the sentences of an assistant's message that state a root cause. Each is
// one line of at most 300 characters, without emphasis.
func Causes(message string) []string {
	if !cause.Words.In(strings.ToLower(message)) {
		return nil
	}
	return collect(withoutEmphasis(message), func(sentence string) string {
		sentence = sentence[len(narrated.Find(sentence)):]
		if !cause.Pattern.Match(sentence) || notFact.Match(sentence) || !standsAlone(sentence) ||
			words(sentence) < minCause || passingCause.Match(sentence) {
			return ""
		}
		return sentence
	})
}

// passingCause matches causes that lie in what the assistant itself did, and those of one of the
// failures that are left.
var passingCause = pattern.New(`\bmy (?:own|test|script|misunderstanding|mistake|change|edit|` +
	`reproduction|assumption)\b|` +
	`^the (?:only|last|remaining|other) `)

// minCause is the number of words of the shortest root cause that is understood later.
const minCause = 7

var cause = pattern.Wording{
	Words: pattern.Words(`root cause|caused by|due to|because|根本原因|根因|根源|근본 원인|근본적인 원인|ursache|cause|causa`),
	Pattern: pattern.OneOf(
		`\b(?:root|underlying|actual) cause\b[^.:]{0,60}?(?:[:—–]| (?:is|was|lies|turned out)\b)\s*\S`,
		`^the (?:[\w\x60./-]+ ){0,4}?(?:failures?|bugs?|crash(?:es)?|corruption|regression|leak|hang|`+
			`deadlock|race|timeouts?|flak(?:e|iness)|mismatch|duplicates?)\b[^.:]{0,60}? (?:is|are|was|were|happens?|`+
			`happened|occurs?|occurred|comes?|came) (?:only )?(?:due to|caused by|because|from)\b`,
		`根本原因|根因|问题的根源|問題的根源`,
		`근본(?:적인)? 원인`,
		`\b(?:eigentliche |grund|haupt)?ursache (?:ist|war|liegt|lag)\b|\b(?:grund|haupt)ursache\b`,
		`\bcause (?:première|profonde|racine|réelle)|\bcausa raíz|\bcausa raiz`,
	),
}

// standsAlone reports whether a sentence is understood without its neighbours: it
// announces nothing and does not begin with a word for what was said before.
func standsAlone(sentence string) bool {
	return !announcesList.Match(sentence) && !leansOn.Match(sentence)
}

// leansOn matches beginnings that refer to the sentence before.
var leansOn = pattern.New(
	`^(?:(?:since|because|as|so|and|but|therefore|thus|hence|then|also|however|otherwise)\b[\s,]*)*(?:(?:this|` +
		`that|these|those|they|he|she|which|` +
		`both|neither|here|there)\b|it (?:is|was|has|had|does|did|will|would|can|also|only|then)\b|` +
		`(?:the|this) (?:above|former|latter|same)\b)|` +
		`^(?:这|這|那|它|因此|所以)|^(?:これ|それ|そのため|したがって)|^(?:이것|그것|그래서|따라서)|` +
		`^(?:das|dies(?:e[rs]?)?|deshalb|daher) (?:ist|war|liegt|bedeutet|hat)\b|^(?:c'est|cela|ceci|donc)\b|` +
		`^(?:esto|eso|ello|por eso)\b|^(?:isso|isto|por isso)\b`,
)
