package recall

// Weights are the constants of the ranking; their values are settings. Those of words and
// neighbours come from a study of conversations and questions about them; they are rounded,
// because exact ones fit what they were found on and nothing else. A score is about 1 if a document has all words
// of the query.
type Weights struct {
	// K1 and B are those of BM25: how soon a repeated word counts no more, and how much the
	// length of a document counts.
	K1, B float32
	// Generic, Capital, Speaker and Family are the weights of words of the query that say
	// little, that begin with a capital letter, that name a speaker, and that only begin like
	// a word of the query; another word has 1.
	Generic, Capital, Speaker, Family float32
	// Beside is the weight of a word that is beside the query only.
	Beside float32
	// Related is multiplied with the weights of words that are related to one of the query,
	// and RelatedInThread as well for turns of a conversation, which have words of the query
	// in their neighbours.
	Related, RelatedInThread float32
	// Meaning is multiplied with how far the best score of words is below Sure, and with how
	// near in meaning a document is: where words find what is asked for, meaning adds nothing.
	Meaning, Sure float32
	// Before and After are how much of a word in the documents 1, 2 and 3 places before and
	// after a document in its thread counts as the document's own. Question replaces the
	// first of Before if the document before asks a question, as answers seldom repeat it.
	Before, After [3]float32
	Question      float32
	// Thread is the weight of what the whole thread has of the query.
	Thread float32
	// Said is added if the one person that the query names is the speaker.
	Said float32
	// OnDay and SoonAfter are added on the day that is asked for and in the ten days after
	// it, in which it is still talked of; InMonth in the month that is asked for.
	OnDay, SoonAfter, InMonth float32
	// Length is multiplied by ln(1 + words): longer documents say more.
	Length float32
	// Asks is added to a string that ends in a question mark.
	Asks float32
	// Capitals is added, by a third for each, for names in the text.
	Capitals float32
	// Opens is added to the first two documents of a thread.
	Opens float32
	// OfSelf is added if the text has a pronoun of the first person, ToOther if it has one of
	// the second: who speaks of himself says something, who speaks to another often reacts.
	OfSelf, ToOther float32
	// When is added if the query asks for a time and the text has one, NamesAsked to Capitals
	// if it asks for a place or which one, and Number if it asks how many and the text has a
	// number.
	When, NamesAsked, Number float32
	// ByChance is what a turn of a conversation has for nothing: words of its neighbours and of
	// its thread, and what turns are preferred by. It is taken from the score of a turn, up to
	// three quarters of it, and the rest is divided by 1 + Turn, if no speaker is asked for.
	ByChance, Turn float32
	// Best is multiplied with the best score in a document's thread, TwoBefore, OneBefore and
	// OneAfter with the scores of the documents at these places: a turn goes on with what was
	// said two before by the same speaker, its own words are not those of the one before, and
	// the one after takes them up. The score is divided by 1 + Best then.
	Best, TwoBefore, OneBefore, OneAfter float32
}
