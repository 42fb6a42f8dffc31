package command

import (
	"slices"
	"strings"
)

// maxMentions bounds what is taken from one output.
const maxMentions = 50

// An installer is programs that add dependencies, with the words that do it and
// the options that take a value.
type installer struct {
	// programs are their names, separated by spaces.
	programs      string
	verbs, valued []string
}

// plainInstallers are the installers that belong to no family.
var plainInstallers = []installer{
	{programs: "gem", verbs: []string{"install"}, valued: []string{"-v", "--version"}},
	{programs: "bundle", verbs: []string{"add"}, valued: []string{"--version", "-v", "--group"}},
	{programs: "composer", verbs: []string{"require"}},
	{programs: "apt apt-get", verbs: []string{"install"}, valued: []string{"-t", "-o"}},
	{programs: "brew", verbs: []string{"install"}},
}

// Missing dependencies, as the tools name them.
var missingDependency = []pattern{
	lazy(`Cannot find (?:module|package) '([^'./][^']*)'`),
	lazy(`Module not found: (?:Error: )?Can't resolve '([^'./][^']*)'`),
	lazy(`(?:ModuleNotFoundError|ImportError): No module named '?([A-Za-z_][\w.]*)'?`),
	lazy(`no required module provides package (\S+?);`),
	lazy(`can't find crate for \x60([\w-]+)\x60`),
	lazy(`error: package ([\w.]+) does not exist`),
	lazy(`fatal error: ([\w/.+-]+\.h(?:pp|h)?): No such file`),
	lazy(`cannot load such file -- ([\w/-]+)`),
}

// Dependencies returns what the command added to the project when it succeeded,
// as it was written ("jest@29"), and what its output says is missing, as
// "missing: lodash" (systems.md A5). There are at most 50, each once.
func (c Command) Dependencies(out Output) []string {
	var found []string
	add := func(name string) {
		if len(found) < maxMentions && !slices.Contains(found, name) {
			found = append(found, name)
		}
	}
	if out.succeeded() {
		for _, step := range c.Steps {
			for _, name := range c.tools.installs(step) {
				add(name)
			}
		}
		return found
	}
	if !out.failed() || len(c.checks()) == 0 {
		return nil
	}
	if !slices.ContainsFunc(missingMarks, func(mark string) bool { return strings.Contains(out.Stdout, mark) }) {
		return found
	}
	for line := range strings.Lines(clean(out.Stdout)) {
		line = strings.TrimSuffix(line, "\n")
		line = line[:min(len(line), maxWidth)]
		if !slices.ContainsFunc(missingMarks, func(mark string) bool { return strings.Contains(line, mark) }) {
			continue
		}
		for _, missing := range missingDependency {
			if match := missing.FindStringSubmatch(line); match != nil {
				add("missing: " + match[1])
			}
		}
	}
	return found
}

// missingMarks are in every line that names a missing dependency.
var missingMarks = []string{
	"Cannot find", "Can't resolve", "No module named", "no required module", "can't find crate", "does not exist",
	"No such file", "cannot load",
}

// installs are the packages that a step is asked to install.
func (r *registry) installs(s Step) []string {
	known, there := r.installers[s.Program]
	if !there || !s.Proven {
		return nil
	}
	args := s.Args
	for _, verb := range known.verbs {
		words := strings.Fields(verb)
		at := slices.IndexFunc(args, func(a string) bool { return !strings.HasPrefix(a, "-") })
		if at >= 0 && len(args) >= at+len(words) && slices.Equal(args[at:at+len(words)], words) {
			return packages(args[at+len(words):], known.valued)
		}
	}
	return nil
}

func packages(args, valued []string) []string {
	var names []string
	for i := 0; i < len(args); i++ {
		switch arg := args[i]; {
		case slices.Contains(valued, arg):
			i++
		case strings.HasPrefix(arg, "-"), !packageName.MatchString(arg):
		default:
			names = append(names, arg)
		}
	}
	return names
}

// packageName is a package with or without a version; folders and archives are
// none.
var packageName = lazy(`^@?[A-Za-z0-9][\w./@^~<>=!,\[\]:*+-]*$`)
