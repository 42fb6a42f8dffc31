package command

import (
	"regexp"
	"slices"
	"strings"
)

// selects reports whether a run that was limited to some tests ran the one that
// failed. An error that is no test, such as one of the compiler inside go test,
// needs no selection.
func (s Success) selects(o Opener) bool {
	if s.Filter == "" || s.Filter == o.Filter {
		return true
	}
	if o.Test == "" {
		return o.Category == Build || strings.HasPrefix(s.Tool, "go ") && o.Path != ""
	}
	switch s.Tool {
	case "go test":
		return selectsGo(s.Filter, o.Test)
	case "pytest", "unittest":
		return selectsWord(s.Filter, o.Test)
	case "cargo test":
		return slices.ContainsFunc(strings.Fields(s.Filter), func(word string) bool { return strings.Contains(o.Test, word) })
	case "jest", "vitest", "mocha", "node --test":
		return selectsPattern(s.Filter, o.Test)
	case "mvn", "gradle":
		return selectsJava(s.Filter, o.Test)
	}
	return false
}

// selectsGo applies -run: one pattern per level of subtests.
func selectsGo(filter, test string) bool {
	names := strings.Split(test, "/")
	for i, pattern := range strings.Split(filter, "/") {
		if i >= len(names) {
			return false
		}
		compiled, err := regexp.Compile(pattern)
		if err != nil || !compiled.MatchString(names[i]) {
			return false
		}
	}
	return true
}

var plainWords = lazy(`^\w+(?: or \w+)*$`)

// selectsWord applies pytest's -k where it is one word or a choice of words.
func selectsWord(filter, test string) bool {
	if !plainWords.MatchString(filter) {
		return false
	}
	return slices.ContainsFunc(strings.Split(filter, " or "), func(word string) bool {
		return strings.Contains(strings.ToLower(test), strings.ToLower(word))
	})
}

// selectsJava applies Maven's -Dtest=A,B#method and Gradle's --tests pkg.A.method.
func selectsJava(filter, test string) bool {
	test = strings.ReplaceAll(test, "#", ".")
	return slices.ContainsFunc(strings.Split(filter, ","), func(choice string) bool {
		parts := strings.FieldsFunc(choice, func(r rune) bool { return r == '#' || r == '*' || r == '+' })
		return len(parts) > 0 && !slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(test, strings.Trim(part, ".")) })
	})
}

var separators = strings.NewReplacer(" › ", " ", " > ", " ")

func selectsPattern(filter, test string) bool {
	compiled, err := regexp.Compile(filter)
	return err == nil && compiled.MatchString(separators.Replace(test))
}
