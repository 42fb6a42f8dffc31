package notes

import (
	"fmt"
	"strings"
)

// maxIndexed is the maximum number of files in the index of an overview.
const maxIndexed = 30

// indexHeadings are the headings of the index by language.
var indexHeadings = map[string]string{"en": "## Details", "zh": "## 细节"}

// IsIndex reports whether a heading of an overview, without its signs, is that of the index.
func IsIndex(heading string) bool {
	for _, index := range indexHeadings {
		if index == "## "+heading {
			return true
		}
	}
	return false
}

// IndexOf returns the index of the files in detail/ for an overview (systems.md C5), one
// line per file. It is empty if there are no files.
func IndexOf(files []File, language string) string {
	var lines []string
	for _, file := range files {
		if strings.HasPrefix(file.Path, Detail+"/") {
			target := strings.ReplaceAll(file.Path, " ", "%20")
			lines = append(lines, fmt.Sprintf("- [%s](%s)", plainTitle(file.Title), target))
		}
	}
	if len(lines) == 0 {
		return ""
	}
	if more := len(lines) - maxIndexed; more > 0 {
		lines = append(lines[more:], fmt.Sprintf("- … %d more in detail/", more))
	}
	return indexHeadings[language] + "\n" + strings.Join(lines, "\n")
}

// plainTitle returns a title without characters that end the text of a link.
func plainTitle(title string) string {
	return strings.NewReplacer("[", "(", "]", ")", "<", "‹", ">", "›", "\\", "/").Replace(title)
}
