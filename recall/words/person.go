package words

import (
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/once"
)

// A Person is that of a pronoun; 0 is none, or the third.
type Person uint8

// The persons.
const (
	First  Person = 1 // who speaks
	Second Person = 2 // who is spoken to
)

// personOf returns the person of a word of a language.
func personOf(lower string, in language) Person { return pronouns.Get()[in][lower] }

var pronouns = once.Value[[languages]map[string]Person]{Make: func() (found [languages]map[string]Person) {
	for in, lists := range pronounLists {
		found[in] = map[string]Person{}
		for i, person := range []Person{First, Second} {
			for word := range strings.FieldsSeq(lists[i]) {
				found[in][word] = person
			}
		}
	}
	return found
}}

// pronounLists are the pronouns of the first and of the second person that are stop words. In the
// languages without a list they are seldom said.
var pronounLists = [languages][2]string{
	inEnglish: {
		"i im ive me my mine myself we us our ours ourselves",
		"you your yours yourself yourselves",
	},
	inGerman:     {"ich mich mir mein wir uns unser", "du dein ihr euch"},
	inFrench:     {"je j me mon ma mes nous notre nos", "tu te ton ta tes vous votre vos"},
	inSpanish:    {"yo me mi mis nosotros nuestro nuestra", "tú te tu tus usted ustedes"},
	inItalian:    {"io mi mio mia noi ci nostro", "tu ti tuo voi vi"},
	inPortuguese: {"eu me meu minha nosso nossa", "tu te você vocês"},
	inDutch:      {"ik me mij mijn we wij ons onze", "je jij u jouw jullie uw"},
	inSwedish:    {"jag mig min vi oss vår", "du dig din ni er"},
	inNorwegian:  {"jeg meg min vi oss vår", "du deg din dere"},
	inDanish:     {"jeg mig min vi os vores", "du dig din i jer"},
	inFinnish:    {"minä minun me meidän", "sinä sinun te teidän"},
}
