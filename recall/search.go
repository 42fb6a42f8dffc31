package recall

// A Query is what Search looks for.
type Query struct {
	Text string
	// Day is the day on which it is asked, as Day returns it, for "last Tuesday"; 0 if that
	// is not known.
	Day uint16
	// Allowed says whether a document may be found. All may if it is nil.
	Allowed func(Doc) bool
	// TopK is how many documents are wanted, at most.
	TopK int
	// Explain asks for the parts of the scores.
	Explain bool
}

// A Hit is a document that was found.
type Hit struct {
	Doc Doc
	// Score says how well it fits: about 1 if all words of the query are in the document,
	// at most about 4. Scores of different queries can be compared.
	Score float32
	// Parts say what made the score, if the query asked for it. They add up to it.
	Parts []Part
}

// A Part is what one reason gave to a score.
type Part struct {
	Reason string
	Score  float32
}
