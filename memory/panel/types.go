package panel

// builtin has the icons of the builtin types of entries, and what they are for.
var builtin = map[string]struct{ icon, use string }{
	"feedback":  {"feedback", "how you want the work to be done"},
	"project":   {"project", "what holds in this project"},
	"decision":  {"law", "what was chosen, and why"},
	"reference": {"link", "where something is found"},
}

// TypeIcon returns the icon of a type of entries.
func TypeIcon(name string) string {
	if kind, known := builtin[name]; known {
		return kind.icon
	}
	return "bookmark"
}

// TypeInput asks for one of the types of entries and proposes one.
func TypeInput(types []string, proposed string) Input {
	input := Input{Param: "type", Prompt: "Type", Kind: InputChoice, Value: proposed}
	for _, name := range types {
		input.Choices = append(input.Choices, Choice{Label: name, Detail: builtin[name].use, Value: name})
	}
	return input
}
