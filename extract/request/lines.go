package request

// Lines returns the sentences of each line of a message that its author wrote:
// without code, quotations, and rows of logs and tables.
func Lines(message string) [][]string {
	var all [][]string
	for _, l := range prose(message) {
		if found := sentences(l.text); len(found) > 0 {
			all = append(all, found)
		}
	}
	return all
}

// IsQuestion reports whether a sentence is a question, with or without a question
// mark.
func IsQuestion(sentence string) bool { return isQuestion(sentence) }
