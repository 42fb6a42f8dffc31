package panel

// builtin holds the icons and the uses of the built-in types of entries.
var builtin = map[string]struct{ icon, use string }{
	"feedback":  {"feedback", "how you want the work to be done"},
	"project":   {"project", "what holds in this project"},
	"decision":  {"law", "what was chosen, and why"},
	"reference": {"link", "where something is found"},
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
		input.Choices = append(input.Choices, Choice{Label: name, Detail: builtin[name].use, Value: name})
	}
	return input
}
