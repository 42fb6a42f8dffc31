package request

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/once"
	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// Superseding returns a function that reports whether one of the strings that a user says
// takes the place of what they said before: it names the former choice as what is not wanted,
// or chooses anew for the same purpose.
func Superseding(newer ...string) func(older string) bool {
	read := make([]superseder, 0, len(newer))
	for _, text := range newer {
		read = append(read, supersederOf(strings.ToLower(text)))
	}
	return func(older string) bool {
		older = strings.ToLower(older)
		return slices.ContainsFunc(read, func(s superseder) bool { return s.supersedes(older) })
	}
}

// A superseder is a string in lower case, with what it says about former choices.
type superseder struct {
	text     string
	rejected []string // what it names as not wanted
	denied   []string // what it only negates
	choice   choice
	anew     bool // whether it begins a new choice
	instead  bool // whether it ends with "instead"
}

func supersederOf(text string) superseder {
	s := superseder{text: text, choice: choiceOf(text), anew: anew.Match(text), instead: instead.Match(text)}
	s.rejected, s.denied = termsOf(unwanted, text), termsOf(not, text)
	return s
}

// termsOf returns what the matches of a pattern name.
func termsOf(p *pattern.Pattern, text string) []string {
	var terms []string
	for _, m := range p.FindAll(text, maxClauses) {
		found := p.Submatch(text[m[0]:m[1]])
		term := strings.Trim(p.Group(found, "term"), " .,;:!?`\"'“”()")
		if utf8.RuneCountInString(term) >= 2 && !common.Has(term) {
			terms = append(terms, term)
		}
	}
	return terms
}

func (s superseder) supersedes(older string) bool {
	if s.text == older {
		return false
	}
	for _, term := range s.rejected {
		if pattern.HasWord(older, term) && !rejects(older, term) {
			return true
		}
	}
	a, b := s.choice, choiceOf(older)
	for _, term := range s.denied { // "not redux" ends the choice of redux, and no other string with this word
		if b.object == term && !rejects(older, term) {
			return true
		}
	}
	if a.verb == "" {
		return false
	}
	if a.verb != b.verb || a.object == b.object {
		return false
	}
	if a.verb == valueOf && !s.anew && !(exact.Match(a.object) && exact.Match(b.object)) {
		return false // "should be configurable" says more about it, and nothing else
	}
	return a.purpose != "" && a.purpose == b.purpose ||
		s.anew && a.verb != valueOf && (a.purpose == "" || b.purpose == "") ||
		s.instead && a.purpose == "" && b.purpose == ""
}

// valueOf is the verb of choices of a value.
const valueOf = "be"

// rejects reports whether a string says itself that a term is not wanted.
func rejects(text, term string) bool {
	return slices.ContainsFunc(unwanted.FindAll(text, maxClauses), func(m []int) bool {
		return strings.Contains(text[m[0]:m[1]], term)
	})
}

// A choice is what a sentence chooses, and for what.
type choice struct{ verb, object, purpose string }

func choiceOf(text string) choice {
	text = particles.Remove(text)
	for _, p := range []*pattern.Pattern{renames, places, values, uses} {
		if m := p.Submatch(text); m != nil {
			verb := p.Group(m, "verb")
			if same, is := sameVerbs.Get()[verb]; is {
				verb = same
			}
			if p == values {
				verb = valueOf
			}
			purpose := p.Group(m, "purpose")
			if pronoun.Match(purpose) {
				purpose = ""
			}
			trim := func(s string) string { return strings.Trim(s, " .,;:!?`\"'“”") }
			return choice{verb, trim(p.Group(m, "object")), trim(purpose)}
		}
	}
	return choice{}
}

var sameVerbs = once.Value[map[string]string]{Make: func() map[string]string {
	return map[string]string{
		"call": "name", "rename": "name", "go with": "use", "stick with": "use", "switch to": "use",
		"nutze": "verwende", "nimm": "verwende", "benutze": "verwende",
		"store": "put", "save": "put", "keep": "put", "place": "put", "move": "put", "write": "put",
	}
}}

var (
	// unwanted matches what is named as not wanted.
	unwanted = pattern.OneOf(
		`\b(?:instead of|rather than|no longer (?:use|using|need|want)?|no need for|(?:don'?t|do not|`+
			`no longer) (?:use|need|want|call it|name it)|stop using|drop|get rid of|`+
			`statt|anstatt|anstelle von|au lieu d(?:e |')|plutôt que|`+
			`en lugar de|en vez de|em vez de|ao invés de|não use)\s+`+
			"(?:the |a |an |le |la |el |o |das |die |den |der )?(?P<term>[`\"“]?[\\w@][\\w./@:+#-]*)",
		`(?:而不是|不要用|别用|別用|不用|不再用|不再使用)\s*(?P<term>[\p{Han}\w./-]{2,12})`,
		`(?P<term>[\p{Han}\p{Katakana}\w./-]{2,16})(?:ではなく|じゃなく|の代わりに|をやめて|は使わ)`,
		`(?P<term>[\p{Hangul}\w./-]{2,12}?)(?:이|가)? ?(?:말고|대신)`,
	)
	// not matches what is negated.
	not = pattern.New(`\b(?:not|nicht(?: mehr)?|kein(?:e[nrms]?)?|pas(?: de)?|non|não|no)\s+(?:the |a |` +
		`an |le |la |el |o |das |` +
		`die |den |der )?(?P<term>[\x60"“]?[\w@][\w./@:+#-]*)`)
	// renames and uses match choices with what they are for.
	renames = pattern.New(
		`\b(?P<verb>rename|call|name|nenn\w*|renomme|renombra|renomeie)\b\s+(?P<purpose>(?:\S+ ){1,4}?)(?:(?:to|` +
			`as|in|en|para|zu)\s+)?(?P<object>\S+)\s*$`,
	)
	// places matches choices of a place.
	places = pattern.New(
		`\b(?P<verb>put|store|save|keep|place|move|write)\s+(?P<purpose>\S+(?: \S+){0,3}?)\s+(?:in|into|to|under|on)` +
			`\s+(?P<object>[^.,;!]{2,60}?)(?:[.,;!]|\s*$)`,
	)
	// values matches choices of a value.
	values = pattern.New(
		`(?:\b(?P<verb>set|change|make)\s+(?P<purpose>(?:the |our )?[\w\x60][\w\x60 -]{2,40}?)\s+(?:to|be)|` +
			`^(?:\S+,? ){0,2}?(?P<purpose>the [\w\x60][\w\x60 -]{2,40}?)\s+(?P<verb>should|must|` +
			`shall) (?:be|default to))` +
			`\s+(?P<object>[^.,;!]{1,60}?)(?:[.,;!]|\s*$)`,
	)
	uses = pattern.New(
		`\b(?P<verb>use|go with|stick with|switch to|put|store|keep|verwende|nutze|nimm|benutze|utilise|usa|` +
			`mets|pon|coloque)\b\s+(?P<object>\S+(?: \S+){0,2}?)(?:\s+(?:for|in|as|für|als|pour|dans|para|en|` +
			`em)\s+(?P<purpose>.{2,60}?))?(?:[.,;!]|\s*$)`,
	)
	// particles matches words that belong to no choice.
	particles = pattern.New(`[\s,]+(?:instead|please|now|rather|then|from now on|stattdessen|bitte|jetzt|plutôt|` +
		`maintenant|mejor|ahora|melhor|agora)\b`)
	// instead matches the end of a choice that replaces one.
	instead = pattern.New(`\binstead[\s.!]*$`)
	// exact matches values of which there is one: numbers, names in code, on and off.
	exact = pattern.New(`^(?:not )?(?:\d|[\x60"'“]|\S*[/._]\S|on\b|off\b|true\b|false\b|enabled\b|disabled\b)`)
	// pronoun matches a purpose that is not named.
	pronoun = pattern.New(`^(?:it|this|that|them|es|das|le|la|lo|isso)\s*$`)
	// anew matches the beginning of a new choice.
	anew = pattern.New(
		`^(?:(?:oh|hmm+|ok|okay|well),?\s+)*(?:no|nope|actually|wait|sorry|scratch that|on second thought|` +
			`instead|rather|let'?s (?:rather|instead)|nein|doch|non|finalement|en fait|mejor|en realidad|não|` +
			`na verdade|melhor)(?:\b|$)|` +
			`^(?:不对|不對|不,|不，|还是|還是|算了)|^(?:いや|やっぱり|違)|^(?:아니|역시)`,
	)
	// common are words that name nothing.
	common = pattern.SetOf(`the that this it a an to be is are do use any all sure only just so then now here ` +
		`there yet as in on for with of and or what how why mehr das die der ein eine`)
)
