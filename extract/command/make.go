package command

import (
	"slices"
	"strings"
)

const makeName = "make"

var (
	makeTargets = &family{
		name: makeName, category: Build,
		runs: []run{{programs: "make", aliases: "gmake mingw32-make", versioned: true}},
		recognises: recognition{begin: (*registry).beginMake, recipe: &recipe{
			files: []string{"GNUmakefile", "makefile", "Makefile"}, lines: makeRecipe,
			whole: withIncluded,
		}},
		reads: reading{readers: []*reader{makes}, mixed: true, notOnlyTests: true, crash: Runtime},
	}
	justRecipes = &family{
		category: Runtime,
		runs:     []run{{programs: "just"}},
		recognises: recognition{begin: (*registry).beginTask, recipe: &recipe{
			files: []string{"justfile", "Justfile", ".justfile"}, lines: makeRecipe,
		}},
	}
	rakeTasks = &family{
		category: Runtime, runs: []run{{programs: "rake"}}, recognises: recognition{begin: (*registry).beginTask},
	}
)

var makes = &reader{stage: deaths, marks: []string{"*** "}, read: readMake}

// makeLooks are the options with which make makes nothing, also among others, as in -kn.
var makeLooks = lazy(`^(?:-[BbdeikLmRrSsw]*[nqtpvh]\w*|` +
	`--(?:just-print|dry-run|recon|question|touch|print-data-base|version|help))$`)

// plainVariables are variables that only change what make prints.
var plainVariables = []string{"V", "VERBOSE", "Q"}

// beginMake understands make: the targets are its script. What other variables do is not known.
func (r *registry) beginMake(s *Step) bool {
	r.targets(s, Build, "-C --directory -f --file --makefile -j -I -o -W")
	for _, word := range s.Args {
		name, _, _ := strings.Cut(word, "=")
		if assignment.MatchString(word) && !slices.Contains(plainVariables, name) {
			s.More, s.Less = append(s.More, word), append(s.Less, word)
		}
	}
	s.Less = append(s.Less, given(s.Args, "-i --ignore-errors", "")...)
	if slices.ContainsFunc(s.Args, makeLooks.MatchString) {
		s.Category = ""
	}
	return true
}

// beginTask understands the programs that do what make does.
func (r *registry) beginTask(s *Step) bool {
	return r.targets(s, Runtime, "-f --justfile -d --dir -t --taskfile")
}

func (r *registry) targets(s *Step, category Category, valued string) bool {
	if dir := optionValue(s.Args, "-C --directory"); dir != "" {
		s.Dir = dir
	}
	var targets []string
	for _, word := range operands(s.Args, valued) {
		if !assignment.MatchString(word) {
			targets = append(targets, word)
		}
	}
	s.Script = strings.Join(targets, " ")
	s.Category = category
	for _, target := range targets {
		if category := r.scriptCategory(target); category != "" {
			s.Category = category
		}
	}
	return true
}

var made = lazy(`^(?:\S*/)?(?:g?make|mingw32-make|ninja)(?:\[\d+\])?: \*\*\* (.*)$`)

// readMake reads make's own errors, for a recipe whose output says nothing.
func readMake(t *transcript) []Error {
	for _, line := range t.lines {
		match := made.FindStringSubmatch(line)
		if match == nil {
			continue
		}
		message := match[1]
		file, number := "", 0
		if inner := between(message, "[", "]"); inner != "" {
			file, number, _, _ = position(inner)
		}
		category := t.step.Category
		if category == "" || category == Runtime {
			category = Build
		}
		return []Error{t.error(category, makeName, file, number, "make: "+message)}
	}
	return nil
}
