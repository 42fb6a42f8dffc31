package panel

// builtin holds what people are shown of the built-in types of entries: a name, an icon and the use.
var builtin = map[string]struct{ name, icon, use string }{
	"feedback":  {"Preference", "feedback", "how you want the work to be done"},
	"project":   {"Fact", "project", "what holds in this project"},
	"decision":  {"Decision", "law", "what was chosen, and why"},
	"reference": {"Pointer", "link", "where something is found"},
}

// TypeName returns what people are shown as the name of a type of entry. A type from the settings keeps
// its own.
func TypeName(name string) string {
	if kind, known := builtin[name]; known {
		return kind.name
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

// TypeInput returns an input for the type of an entry, with a proposed value.
func TypeInput(types []string, proposed string) Input {
	input := Input{Param: "type", Prompt: "Type", Kind: InputChoice, Value: proposed}
	for _, name := range types {
		input.Choices = append(input.Choices, Choice{Label: TypeName(name), Detail: builtin[name].use, Value: name})
	}
	return input
}
