package recall

import (
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/once"
)

// isGeneric reports whether a word is one of those that many questions have and few answers.
func isGeneric(lower string) bool { return generic.Get()[lower] }

var generic = once.Value[map[string]bool]{Make: func() map[string]bool {
	found := map[string]bool{}
	for word := range strings.FieldsSeq(genericWords) {
		found[word] = true
	}
	return found
}}

// genericWords are light verbs and general nouns of English with their forms, and those of other languages in which
// one asks what was done.
const genericWords = `
	get gets getting got gotten go goes going went gone make makes making made take takes taking took taken
	give gives giving gave given put puts come comes coming came use uses using used
	say says saying said tell tells telling told talk talks talking talked mention mentions mentioned
	think thinks thinking thought know knows knowing knew known feel feels feeling felt
	want wants wanted wanting like likes liked need needs needed plan plans planned planning
	decide decides decided try tries tried trying start started starts starting happen happens happened
	describe describes described consider considers considered
	thing things something anything everything way ways kind kinds type types sort sorts form forms
	time times day days week weeks month months year years date name names people person place places
	lot lots part parts reason reasons example examples number numbers many much new recent recently
	ago currently usually often ever never first last next long old different various several
	gemacht passiert passierte geschehen geschah passé pasó hicimos hecho fatto successo fizemos feito
	aconteceu gedaan gebeurd`
