package importer

import "strings"

// basicMemory is the format of basic-memory: notes in Markdown with front matter, in which
// "- [category] content #tag (context)" is an observation and "- relation [[Other note]] (context)" a relation.
// Observations become entries. A note with relations, or with more than observations, is kept as a note.
func basicMemory() Format {
	return Format{
		Name: "basic-memory", Title: "notes of basic-memory",
		recognizes: func(f file) bool {
			meta, body, _ := frontMatter(f.text)
			return isMarkdown(f.path) && meta != nil &&
				(meta["permalink"] != "" || strings.Contains(body, "- [") && meta["title"] != "")
		},
		read: func(r *reader, f file) error {
			meta, body, line := frontMatter(f.text)
			title := firstOf(meta["title"], f.stem())
			more := false
			for _, u := range units(body, line) {
				category, content, context, is := observation(u)
				if !is {
					more = true
					continue
				}
				r.add(f, Entry{
					Type: observationType(category), Text: titled(title, content), Rationale: context, Line: u.line,
				})
			}
			if !more {
				return nil
			}
			return r.document(f, firstOf(meta["permalink"], f.stem()))
		},
	}
}

// observation returns the parts of an observation. Tags are left out.
func observation(u unit) (category, content, context string, is bool) {
	rest, marked := strings.CutPrefix(u.text, "[")
	category, content, closed := strings.Cut(rest, "]")
	if !u.item || u.task || !marked || !closed || category == "" || strings.HasPrefix(content, "(") ||
		strings.HasPrefix(rest, "[") {
		return "", "", "", false
	}
	content = strings.TrimSpace(content)
	if open := strings.LastIndexByte(content, '('); open > 0 && strings.HasSuffix(content, ")") {
		content, context = content[:open], content[open+1:len(content)-1]
	}
	var words []string
	for _, word := range strings.Fields(content) {
		if !strings.HasPrefix(word, "#") || len(word) == 1 {
			words = append(words, word)
		}
	}
	content = strings.Join(words, " ")
	return strings.ToLower(category), content, context, content != ""
}

// observationType returns the type of an entry for a category or kind of another program.
func observationType(category string) string {
	switch strings.ToLower(category) {
	case "decision", "design", "architecture", "approach":
		return "decision"
	case "preference", "rule", "convention", "feedback", "guideline", "constraint", "requirement", "style", "user",
		"user_preference", "user_preferences":
		return "feedback"
	case "reference", "link", "resource":
		return "reference"
	}
	return "project"
}

// titled returns a string after what it is about, unless it names it.
func titled(title, text string) string {
	if title == "" || strings.Contains(strings.ToLower(text), strings.ToLower(title)) {
		return text
	}
	return title + ": " + text
}
