package request

// Lines returns what the author of a message says, line by line, each as its
// sentences: without code, rows of logs and tables, and what is quoted.
func Lines(message string) [][]string {
	var all [][]string
	for _, l := range prose(message) {
		if said := sentences(l.text); len(said) > 0 {
			all = append(all, said)
		}
	}
	return all
}

// IsQuestion tells whether a sentence asks something, with a question mark or
// without one.
func IsQuestion(sentence string) bool { return isQuestion(sentence) }
