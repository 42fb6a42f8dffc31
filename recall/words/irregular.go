package words

import (
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/once"
)

// irregular returns the base form of English words whose inflections have other stems.
var irregular = once.Value[map[string]string]{Make: func() map[string]string {
	found := map[string]string{}
	for line := range strings.Lines(irregularForms) {
		forms := strings.Fields(line)
		if len(forms) == 0 {
			continue
		}
		for _, form := range forms[1:] {
			found[form] = forms[0]
		}
	}
	return found
}}

// irregularForms has on each line a base form and what is inflected without a rule: verbs, nouns
// and comparisons of any English grammar. Forms that are also a common word of another meaning
// are left out: "saw" is kept, because it is mostly the verb; "found" and "left" are, too.
const irregularForms = `
arise arose arisen
awake awoke awoken
bear bore borne
beat beaten
become became
begin began begun
bend bent
bet bets
bind bound
bite bit bitten
bleed bled
blow blew blown
break broke broken
breed bred
bring brought
build built
burn burnt
buy bought
catch caught
choose chose chosen choice
cling clung
come came
creep crept
deal dealt
dig dug
draw drew drawn
dream dreamt
drink drank drunk
drive drove driven
dwell dwelt
eat ate eaten
fall fell fallen
feed fed
feel felt
fight fought
find found
flee fled
fling flung
fly flew flown flies
forbid forbade forbidden
forecast forecasted
foresee foresaw foreseen
forget forgot forgotten
forgive forgave forgiven
freeze froze frozen
get got gotten getting
give gave given
go went gone goes going
grind ground
grow grew grown
hang hung
hear heard
hide hid hidden
hold held
keep kept
kneel knelt
know knew known
lay laid
lead led
lean leant
leap leapt
learn learnt
leave left
lend lent
lie lain lying
light lit
lose lost loss
make made
mean meant
meet met
mistake mistook mistaken
overcome overcame
oversee oversaw overseen
overtake overtook overtaken
override overrode overridden
overwrite overwrote overwritten
pay paid
prove proven
rebuild rebuilt
redo redid redone
rerun reran
reset resetting
rewrite rewrote rewritten
ride rode ridden
ring rang rung
rise rose risen
run ran running
say said
see saw seen
seek sought
sell sold
send sent
sew sewn
shake shook shaken
shine shone
shoot shot
show shown
shrink shrank shrunk
sing sang sung
sink sank sunk
sit sat
sleep slept
slide slid
smell smelt
sow sown
speak spoke spoken
speed sped
spell spelt
spend spent
spill spilt
spin spun
spoil spoilt
stand stood
steal stole stolen
stick stuck
sting stung
strike struck stricken
strive strove striven
swear swore sworn
sweep swept
swell swollen
swim swam swum
swing swung
take took taken
teach taught
tear tore torn
tell told
think thought
throw threw thrown
undergo underwent undergone
understand understood
undo undid undone
uphold upheld
upset upsetting
wake woke woken
wear wore worn
weave wove woven
weep wept
win won
wind wound
withdraw withdrew withdrawn
withhold withheld
write wrote written
analysis analyses
appendix appendices
axis axes
basis bases
calf calves
child children
crisis crises
criterion criteria
die dying
foot feet
goose geese
half halves
hypothesis hypotheses
index indices
knife knives
leaf leaves
life lives
loaf loaves
man men
matrix matrices
mouse mice
ox oxen
person people persons
schema schemata
self selves
shelf shelves
thesis theses
thief thieves
tie tying
tooth teeth
vertex vertices
wife wives
wolf wolves
woman women
good better best
bad worse worst
far farther farthest further furthest
little less least
many much
`
