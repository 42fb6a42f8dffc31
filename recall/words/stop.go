package words

import (
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/once"
)

// longestStopWord is the length in bytes over which no word is a stop word.
const longestStopWord = 16

// isStop reports whether a word says nothing of what a string is about.
func isStop(lower string, in language) bool { return stopsOf(lower)&(1<<in) != 0 }

// stopsOf returns the languages in which a word is a stop word, a bit for each.
func stopsOf(lower string) uint32 {
	if len(lower) > longestStopWord {
		return 0
	}
	return stopWords.Get()[lower]
}

// stopWords returns the languages in which a word is a stop word, a bit for each.
var stopWords = once.Value[map[string]uint32]{Make: func() map[string]uint32 {
	found := map[string]uint32{}
	for l, list := range stopLists {
		for word := range strings.FieldsSeq(list) {
			found[word] |= 1 << l
		}
	}
	return found
}}

// stopLists are the words that hold sentences together: articles, pronouns, prepositions,
// conjunctions, auxiliary verbs and question words. English has all of them; in the other
// languages they tell the language, so the most frequent are enough.
var stopLists = [languages]string{
	inEnglish: `a an the this that these those some any each every all both such
		i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself
		she her hers herself it its itself they them their theirs themselves one ones
		what which who whom whose when where why how whether whatever
		am is are was were be been being do does did doing done have has had having
		will would shall should can could may might must ought cannot
		and or but nor so if then than because as while until although though unless since
		of at by for with about against between into through during before after above below to from
		in out on off over under up down onto upon within without toward towards per via
		not no yes very too also just only there here again once more most other own same few
		oh hey hi wow yeah yep ok okay well really quite
		im ive id dont didnt doesnt isnt wasnt cant wont thats whats lets let`,
	inGerman: `der die das den dem des ein eine einen einem einer eines und oder aber nicht ist sind war waren
		wird werden wurde hat haben hatte ich du er sie es wir ihr mich mir uns euch ihm ihn ihnen sich mein
		dein sein unser für mit von zu zum zur im in an am auf aus bei nach über unter vor durch gegen ohne um als
		wie wenn weil dass daß ob was wer wo wann warum welche welcher welches wessen kein keine nur noch auch
		schon sehr so dann da hier dort man kann können muss müssen soll sollen wollen bin bist seid`,
	inFrench: `le la les un une des du de et ou mais ne pas est sont était étaient être avoir a ont avait je tu il
		elle nous vous ils elles on me te se lui leur leurs mon ma mes ton ta tes son sa ses notre nos votre vos
		ce cet cette ces qui que quoi quel quelle quels quelles dont où quand comment pourquoi dans sur sous avec
		sans pour par chez vers entre en au aux plus très aussi si comme qu avons avez suis été fait`,
	inSpanish: `el la los las un una unos unas de del al y o pero no es son era eran ser estar está están fue fueron
		ha han había he hemos yo tú él ella nosotros ellos ellas usted ustedes me te se le les lo mi mis tu tus su
		sus nuestro nuestra que qué quién quien cuál cual cuándo cuando dónde donde cómo como por para con sin
		sobre entre en a desde hasta más muy también si porque este esta estos estas ese esa eso esto ya`,
	inItalian: `il lo la i gli le un uno una di del dello della dei degli delle da dal dalla in nel nella nei sul sulla
		su con per tra fra a al alla ai e ed o ma non è sono era erano essere ha hanno aveva abbiamo ho io tu lui
		lei noi voi loro mi ti si ci vi mio mia tuo sua suo nostro che chi cosa quale quali quando dove come perché
		più molto anche se questo questa questi queste quello quella`,
	inPortuguese: `o a os as um uma uns umas de do da dos das em no na nos nas por pelo pela para com sem sobre entre e
		ou mas não é são era eram ser estar está estão foi foram tem têm tinha eu tu ele ela nós eles elas você
		vocês me te se lhe meu minha seu sua nosso nossa que quem qual quais quando onde como porque mais muito
		também já este esta isso isto ao à às até`,
	inDutch: `de het een en of maar niet is zijn was waren wordt worden werd heeft hebben had ik je jij u hij zij ze we
		wij jullie mij me hem haar ons hun mijn jouw uw onze dat die dit deze wat wie waar wanneer waarom hoe
		welke in op aan van voor met zonder over onder tegen naar bij uit tot door om als dan dat omdat ook nog
		al geen meer zeer er te kan kunnen moet moeten zal zullen`,
	inSwedish: `en ett den det de och eller men inte är var vara blir blev har hade jag du han hon vi ni dem mig dig
		honom henne oss er min din sin sitt vår vad vem var när varför hur vilken vilket vilka i på av för med
		utan om över under mot till från vid ut upp som att då så också bara mycket mer kan ska skulle måste
		eftersom`,
	inNorwegian: `en ei et den det de og eller men ikke er var være blir ble har hadde jeg du han hun vi dere dem meg
		deg ham henne oss min din sin vår hva hvem hvor når hvorfor hvordan hvilken hvilket hvilke i på av for
		med uten om over under mot til fra ved ut opp som at da så også bare mye mer kan skal skulle må fordi
		noe noen`,
	inDanish: `en et den det de og eller men ikke er var være bliver blev har havde jeg du han hun vi i dem mig dig ham
		hende os min din sin vores hvad hvem hvor hvornår hvorfor hvordan hvilken hvilket hvilke på af for med
		uden om over under mod til fra ved ud op som at da så også kun meget mere kan skal skulle må fordi noget
		nogle efter`,
	inFinnish: `ja tai mutta ei ole on oli olivat olla ovat minä sinä hän me te he minun sinun hänen meidän teidän
		heidän tämä tuo se nämä nuo ne mikä mitä kuka ketkä missä mistä mihin milloin miksi miten kuinka joka
		jotka että jos kun koska kuin myös vain hyvin niin sitten vielä jo kanssa ilman ennen jälkeen`,
	inHungarian: `a az egy és vagy de nem is van vannak volt voltak lesz lenni én te ő mi ti ők engem téged minket ez
		ezt azt ezek azok mit ki kit hol mikor miért hogyan melyik milyen hogy ha mert mint csak már még nagyon
		minden meg el ki be fel le kell lehet után előtt alatt fölött között nélkül`,
	inRomanian: `un o unei unui al ale ai și sau dar nu este sunt era erau fi a au avea am eu tu el ea noi voi ei ele mă
		te se îi îmi meu mea tău sa său nostru care ce cine când unde cum de ce pentru cu fără pe în din la prin
		despre între sub peste mai foarte și dacă că acest această acesta aceasta acel`,
	inTurkish: `bir ve veya ama fakat değil var yok ben sen o biz siz onlar beni seni onu bizi benim senin onun bizim bu
		şu ne kim nerede nereye nereden zaman neden niçin nasıl hangi için ile gibi kadar daha çok en de da ki mi
		mı mu mü ise olarak olan oldu olur sonra önce`,
	inIrish: `an na agus nó ach ní níl tá bhí beidh is ba mé tú sé sí muid sibh siad mo do a ár bhur seo sin
		siúd cad cé cá nuair conas cén i ar ag le ó do de faoi go gan roimh idir chun mar má dá nach`,
	inPolish: `nie się że są był była było były być jak jako ale lub oraz ta te tego tej tym tych kto czy gdzie kiedy
		dlaczego jaki jaka jakie który która które których od dla przez przed nad bez przy za ze już tylko także też
		bardzo jeśli gdy wy oni one ja ty on ona ich jego jej mój nasz każdy każda każde może można i w z na do po to
		o we`,
	inCzech: `že je jsou byl byla bylo byli být jak jako ale nebo ta tato tento této toto kdo zda kdy proč jaký jaká
		jaké který která které kterých od přes před nad bez při za ze ve již už jen také velmi pokud když my vy oni já
		ty on ona jejich jeho její můj náš každý každá každé může lze se si ne i v z na do po to o`,
}
