package command

import (
	"path"
	"strings"
)

const tscName = "tsc"

var tsc = &family{
	name: tscName, category: Typecheck,
	runs: []run{
		{
			programs: "tsc",
			valued:   "-p --project -t --target -m --module --outDir --rootDir --lib --jsx --moduleResolution",
			looks:    tscLooks,
		},
		{programs: "vue-tsc tsgo", valued: "-p --project", looks: tscLooks},
	},
	recognises: recognition{words: (*Step).tscWords, verbs: "true false", target: true},
	reads:      reading{readers: []*reader{typescripts}},
	covers: coverage{
		project: tscProject, less: "--noCheck",
		// A configuration that only refers to other projects checks nothing without --build.
		more: "-b --build --strict --strictNullChecks --noImplicitAny --noUnusedLocals --noUnusedParameters" +
			" --noUncheckedIndexedAccess --exactOptionalPropertyTypes --checkJs",
	},
	clears: clearance{servers: "ts typescript"},
}

// tscLooks are the options with which tsc checks nothing; --clean and --dry are of --build.
const tscLooks = "-v -h --all --init --showConfig --listFilesOnly --clean --dry"

var typescripts = &reader{marks: []string{"error"}, read: readTypeScript}

// tscWords reads the arguments of tsc: a project is its script.
func (s *Step) tscWords(how run, args []string) {
	s.options(how, args)
	s.Script = optionValue(args, "-p --project")
}

// tscProject reports whether a project, a folder or its configuration, holds a file. A configuration of another name
// than tsconfig.json mostly leaves files of its folder out.
func tscProject(script, file string) bool {
	if path.Ext(script) == ".json" {
		return path.Base(script) == "tsconfig.json" && below(folderOf(script), file)
	}
	return below(script, file)
}

// readTypeScript reads tsc, plain "a.ts(3,10): error TS1005: …" and pretty
// "a.ts:3:10 - error TS1005: …". Reasons stand below, deeper with each.
func readTypeScript(t *transcript) []Error {
	var errors []Error
	for i, line := range t.lines {
		at := strings.Index(line, "error TS")
		if enough(errors) {
			break
		}
		if at < 0 {
			continue
		}
		_, length := digits(line[at+len("error TS"):])
		if length == 0 || !strings.HasPrefix(line[at+len("error TS")+length:], ":") {
			continue
		}
		file, number, ok := typeScriptPlace(line[:at])
		if ok {
			message := line[at:] + t.reasons(i+1, "  ")
			errors = append(errors, t.error(Typecheck, tscName, file, number, message))
		}
	}
	return errors
}

// typeScriptPlace reads what stands before the message; nothing is a place too,
// that of an error in the options.
func typeScriptPlace(before string) (file string, number int, ok bool) {
	before = strings.TrimSpace(before)
	if before == "" {
		return "", 0, true
	}
	if pretty, found := strings.CutSuffix(before, " -"); found {
		file, number, _, ok = position(pretty)
		return file, number, ok
	}
	plain, found := strings.CutSuffix(before, "):")
	open := strings.LastIndexByte(plain, '(')
	if !found || open <= 0 {
		return "", 0, false
	}
	number, length := digits(plain[open+1:])
	return plain[:open], number, length > 0
}
