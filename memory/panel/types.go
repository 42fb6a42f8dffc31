package panel

import "strings"

// builtin holds what people are shown of the built-in types of entries: a name, an icon with its color, and
// the use.
var builtin = map[string]struct {
	name, icon string
	tint       Tint
	use        string
}{
	"feedback":  {"Preference", "feedback", TintPurple, "how you want the work to be done"},
	"project":   {"Fact", "project", TintGreen, "what holds in this project"},
	"decision":  {"Decision", "law", TintYellow, "what was chosen, and why"},
	"reference": {"Pointer", "link", TintBlue, "where something is found"},
}

// TypeName returns what people are shown as the name of a type of entry. A type from the settings keeps
// its own.
func TypeName(name string) string {
	if kind, known := builtin[name]; known {
		return kind.name
	}
	return name
}

// TypeNamed returns the type of entry that people are shown by a name, in upper or lower case. A name of no
// built-in type is returned as it is.
func TypeNamed(name string) string {
	for id, kind := range builtin {
		if strings.EqualFold(kind.name, name) {
			return id
		}
	}
	return name
}

// TypeIcon returns the icon of a type of entry.
func TypeIcon(name string) string {
	if kind, known := builtin[name]; known {
		return kind.icon
	}
	return "bookmark"
}

// TypeTint returns the color of the icon of a type of entry.
func TypeTint(name string) Tint { return builtin[name].tint }

// TypeInput returns an input for the type of an entry, with a proposed value.
func TypeInput(types []string, proposed string) Input {
	input := Input{Param: "type", Prompt: "Type", Kind: InputChoice, Value: proposed}
	for _, name := range types {
		input.Choices = append(input.Choices, Choice{Label: TypeName(name), Detail: builtin[name].use, Value: name})
	}
	return input
}
