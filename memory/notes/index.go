package notes

import (
	"fmt"
	"strings"
)

// maxIndexed bounds the index of an overview, in lines, so that it stays short.
const maxIndexed = 30

// headings of the index, by language.
var indexHeadings = map[string]string{"en": "## Details", "zh": "## 细节"}

// IndexOf is what an overview says of the files in detail/, so that what was put
// there is not forgotten (systems.md C5): a line for each, the newest first where
// there are more than thirty. It is empty where there are none.
func IndexOf(files []File, language string) string {
	var lines []string
	for _, file := range files {
		if strings.HasPrefix(file.Path, Detail+"/") {
			lines = append(lines, fmt.Sprintf("- [%s](%s)", plainTitle(file.Title), strings.ReplaceAll(file.Path, " ", "%20")))
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

// plainTitle keeps a title inside the brackets of a link.
func plainTitle(title string) string {
	return strings.NewReplacer("[", "(", "]", ")", "<", "‹", ">", "›", "\\", "/").Replace(title)
}
