package command

import (
	"cmp"
	"slices"
	"strings"
)

const (
	cargoTestName = "cargo test"
	rustcName     = "rustc"

	cargoOptions = "-p --package --features -F --target --manifest-path -j --jobs --message-format --profile --bin" +
		" --example --test --bench --target-dir --color --exclude"
	// cargoLooks are the options with which cargo only prints what it would do.
	cargoLooks = "--dry-run --unit-graph --build-plan"
	nextest    = "nextest"
	// rustCode is the group of the tools that compile Rust.
	rustCode = "rust"
)

var (
	cargoTest = &family{
		name: cargoTestName, category: Test,
		runs: []run{
			{
				programs: "cargo", subcommands: "test t", valued: cargoOptions,
				looks: cargoLooks, lists: "--no-run --list",
			},
			{programs: "cargo", subcommands: nextest, valued: cargoOptions + " -E --filter-expr", lists: "--no-run"},
		},
		recognises: recognition{words: (*Step).cargoWords},
		reads:      readingCargo,
		covers:     ofCargo(coverage{selects: selectsCargoTest, unfiltered: true}),
		clears:     clearance{compiles: rustCode},
	}
	cargoBench   = cargoCompiles("cargo bench", Test, "bench")
	cargoBuild   = cargoCompiles("cargo build", Build, "build b")
	cargoCheck   = cargoCompiles("cargo check", Build, "check c", "rustc", "rust-analyzer")
	cargoClippy  = cargoCompiles("cargo clippy", Lint, "clippy", "clippy")
	cargoRun     = cargoCompiles("cargo run", Runtime, "run r")
	cargoDoc     = cargoCommand("cargo doc", run{programs: "cargo", subcommands: "doc", valued: cargoOptions})
	cargoInstall = cargoCommand("cargo install", run{programs: "cargo", subcommands: "install"})
	// cargoOther are the commands that plugins add.
	cargoOther = &family{
		name: "cargo", category: Runtime,
		recognises: recognition{installs: []installer{{
			programs: "cargo", verbs: []string{"add", "install"},
			valued: []string{"--features", "-F", "--git", "--path", "--version"},
		}}},
		covers: coverage{part: true},
	}
	// cargoInfo are the commands that only print or clean up.
	cargoInfo = &family{runs: []run{
		{programs: "cargo", subcommands: "tree metadata search --version version clean help"},
	}}
	rustc = &family{
		name: rustcName, category: Build,
		runs: []run{{
			programs: "rustc", valued: "-o --edition --crate-type --crate-name -L -l --extern -C --target",
		}},
		reads: readingCargo,
	}
	rustfmt = &family{
		name: "rustfmt", category: Lint,
		runs:       []run{{programs: "rustfmt"}, {programs: "cargo", subcommands: "fmt", global: true}},
		recognises: recognition{formats: always},
	}
)

// cargoCompiles returns the family of a command that compiles a workspace. servers are the sources of diagnostics
// that report the same.
func cargoCompiles(name string, category Category, subcommands string, servers ...string) *family {
	f := cargoCommand(name, run{programs: "cargo", subcommands: subcommands, valued: cargoOptions, looks: cargoLooks})
	f.category, f.reads = category, readingCargo
	f.clears = clearance{compiles: rustCode, servers: strings.Join(servers, " ")}
	return f
}

// cargoCommand returns the family of another command.
func cargoCommand(name string, how run) *family {
	f := plain(name, Build, how)
	f.recognises.words, f.covers = (*Step).cargoWords, ofCargo(coverage{})
	return f
}

// ofCargo adds to a coverage what the commands of cargo have in common.
func ofCargo(c coverage) coverage {
	c.part, c.inPart, c.concerns = true, inCargoPart, cargoConcerns
	c.parts, c.allParts, c.same = "--features -F", "--all-features", "--target RUSTFLAGS"
	c.less = "--exclude"
	return c
}

// inCargoPart reports whether the packages and targets that the script names hold an error; without a script, whether
// the package of the folder does. A package is taken to lie in a folder of its name.
func inCargoPart(s Success, o Opener) bool {
	name := "/" + o.Path
	words := strings.Fields(s.Script)
	if len(words) == 0 {
		return o.Path != "" && inPackage(strings.TrimPrefix(name, strings.TrimSuffix("/"+s.Dir, "/")), "")
	}
	for i := 0; i < len(words); i++ {
		holds := false
		switch word := words[i]; word {
		case "--test":
			i++
			holds = i < len(words) && strings.HasSuffix(name, "/tests/"+words[i]+".rs")
		case "--lib":
			holds = strings.Contains(name, "/src/") && !strings.HasSuffix(name, "/src/main.rs") &&
				!strings.Contains(name, "/src/bin/")
		default:
			holds = !strings.HasPrefix(word, "-") && strings.Contains(name, "/"+word+"/") &&
				inPackage(name[strings.Index(name, "/"+word+"/"):], "/"+word)
		}
		if !holds {
			return false
		}
	}
	return true
}

// inPackage reports whether a file lies in one of the folders of code of the package in a folder.
func inPackage(name, folder string) bool {
	rest, found := strings.CutPrefix(name, folder+"/")
	return found && beginsWith(rest, []string{"src/", "tests/", "benches/", "examples/", "build.rs"})
}

// cargoConcerns reports whether an option decides about an error: which packages and targets are compiled, and which
// tests and lints are left out.
func cargoConcerns(s Success, option string, o Opener) bool {
	all := slices.Contains(s.Variant, "--all-targets")
	switch name, value, _ := strings.Cut(option, " "); name {
	case "--workspace":
		return !inCargoPart(s, o)
	case "--exclude":
		return o.Path == "" || inCargoPart(Success{Script: value}, o)
	case "--benches", "--all-targets":
		return !all && (s.Tool != cargoTestName || strings.Contains("/"+o.Path, "/benches/"))
	case "--tests", "--examples", "--bins":
		return !all && s.Tool != cargoTestName
	case "--skip":
		return strings.Contains(o.Test, value)
	case "--ignored", "--include-ignored":
		return o.Test != ""
	case "--exact":
		return o.Test != "" && s.Filter != "" && !slices.Contains(strings.Fields(s.Filter), o.Test)
	}
	return true
}

var (
	cargoTests = &reader{
		stage: tests,
		marks: []string{"... FAILED", "test result: FAILED", "\nfailures:\n"},
		read:  readCargoTest,
	}
	rusts      = &reader{marks: []string{"error"}, read: readRust}
	rustPanics = &reader{stage: deaths, marks: []string{"panicked at"}, read: readRustPanic}
)

var readingCargo = reading{readers: []*reader{cargoTests, rusts, rustPanics}}

// cargoWords reads the arguments of cargo: which part of the workspace it works on
// and, behind --, the filter of the tests.
func (s *Step) cargoWords(how run, args []string) {
	if i := slices.Index(args, "--"); i >= 0 {
		s.cargoInner(args[i+1:])
		args = args[:i]
	}
	s.Dir = joinDir(s.Dir, folderOf(slashed(optionValue(args, "--manifest-path"))))
	s.More = append(s.More, given(args, "--workspace --all-targets --tests --benches --examples --bins", "")...)
	if slices.Contains(args, "--all") {
		s.More = append(s.More, "--workspace") // as it was called before
	}
	s.Script = cargoParts(args)
	if s.Category != Test {
		return
	}
	words := operands(args, how.valued)
	if how.subcommands == nextest {
		switch first(words) {
		case "run", "r":
			words = append(words[1:], given(args, "-E --filter-expr", how.valued)...)
		case "list":
			words = []string{noTests}
		default:
			s.Category = ""
		}
	}
	s.Filter = strings.TrimSpace(s.Filter + " " + strings.Join(words, " "))
}

// cargoInner reads what stands behind --, which is for the tests or for clippy.
func (s *Step) cargoInner(args []string) {
	switch s.Category {
	case Test:
		const valued = "--test-threads --color --format --skip"
		s.Filter = strings.Join(operands(args, valued), " ")
		s.More = append(s.More, given(args, "--ignored --include-ignored", valued)...)
		s.Less = append(s.Less, given(args, "--skip --ignored --exact", valued)...)
	case Lint:
		args = slices.Clone(args)
		for i, arg := range args {
			if len(arg) > 2 && beginsWith(arg, []string{"-D", "-A", "-W", "-F"}) {
				args[i] = arg[:2] + "=" + arg[2:]
			}
		}
		const valued = "-D --deny -F --forbid -A --allow -W --warn"
		s.More = append(s.More, given(args, "-D --deny -F --forbid", valued)...)
		s.Less = append(s.Less, given(args, "-A --allow -W --warn", valued)...)
	}
}

// cargoParts returns the packages of the workspace and the targets that are named, a target with its option.
func cargoParts(args []string) string {
	var parts []string
	for _, part := range given(args, "-p --package --test --bin --example --bench --lib --bins --doc --examples",
		"-p --package --test --bin --example --bench") {
		part = strings.TrimPrefix(strings.TrimPrefix(part, "-p "), "--package ")
		parts = append(parts, part)
	}
	slices.Sort(parts)
	return strings.Join(parts, " ")
}

// selectsCargoTest applies the words behind cargo test: any is part of the name.
func selectsCargoTest(filter, test string) bool {
	return slices.ContainsFunc(strings.Fields(filter), func(word string) bool { return strings.Contains(test, word) })
}

var (
	rustError = lazy(`^error(?:\[E\d+\])?: (.*)$`)
	rustPlace = lazy(`^\s*--> (.+):(\d+):\d+$`)
	rustShort = lazy(`^(\S+\.rs):(\d+):\d+: (error(?:\[E\d+\])?: .*)$`)
)

// echoes are errors that only say that there were others.
var echoes = []string{
	"could not compile", "aborting due to", "test failed, to rerun", "process didn't exit", "bench failed",
	"doctest failed", "unknown error", "build failed",
}

// readRust reads rustc's errors, in the human and the short form.
func readRust(t *transcript) []Error {
	tool := t.tool(rustcName)
	cargo := tool != rustcName || t.step.Tool == rustcName
	category := Build
	if t.step.Category == Lint {
		category = Lint
	}
	var errors, placeless []Error
	for i, line := range t.lines {
		if enough(errors) || t.step.Category == Test && rustBlock.MatchString(line) {
			break // what follows is of tests, which readCargoTest reads
		}
		if !strings.Contains(line, "error") {
			continue
		}
		if strings.Contains(line, ".rs:") {
			if match := rustShort.FindStringSubmatch(line); match != nil {
				number, _ := digits(match[2])
				errors = append(errors, t.error(category, tool, match[1], number, match[3]))
			}
			continue
		}
		if !strings.HasPrefix(line, "error") {
			continue
		}
		match := rustError.FindStringSubmatch(line)
		if match == nil || beginsWith(match[1], echoes) {
			continue
		}
		file, number := t.rustPlace(i + 1)
		e := t.error(category, tool, file, number, line+t.rustReasons(i+1))
		if file != "" {
			errors = append(errors, e)
		} else if cargo {
			placeless = append(placeless, e)
		}
	}
	if len(errors) == 0 {
		return placeless
	}
	all := len(errors) + len(placeless)
	if t.step.Category == Test && !enough(errors) && t.failedWithoutTests() >= all {
		for i := range errors {
			errors[i].Check = Build
		}
	}
	return errors
}

// rustTarget matches that a library or a program could not be compiled as it is without its tests.
var rustTarget = lazy("^error: could not compile `[^`]*` " + `\((?:lib|bin "[^"]*")\) due to (\d+) previous errors?`)

// failedWithoutTests returns how many errors cargo counts in libraries and programs that it compiled without their
// tests. It prints an error once that these have, too, and so does not say of which of both it is.
func (t *transcript) failedWithoutTests() int {
	count := 0
	for _, line := range t.lines {
		if !strings.HasPrefix(line, "error: could not compile ") {
			continue
		}
		if match := rustTarget.FindStringSubmatch(line); match != nil {
			number, _ := digits(match[1])
			count += number
		}
	}
	return count
}

func (t *transcript) rustPlace(from int) (string, int) {
	for i := from; i < len(t.lines) && i < from+4; i++ {
		if match := rustPlace.FindStringSubmatch(t.lines[i]); match != nil {
			number, _ := digits(match[2])
			return match[1], number
		}
	}
	return "", 0
}

var (
	rustNote  = lazy(`^\s+= (?:note|help): (.*)$`)
	rustLabel = lazy(`^\s+\|.*\^ ([^-|\s].*)$`)
)

// maxRustLines is how many lines below a message of rustc are read.
const maxRustLines = 40

// rustReasons returns what rustc says below a message, behind a space: its notes that have no place of their own,
// or else what stands behind the first carets. A language server adds the same to the message.
func (t *transcript) rustReasons(from int) string {
	notes, label, marked := "", "", false
	for i := from; i < min(from+maxRustLines, len(t.lines)) && t.lines[i] != ""; i++ {
		line := t.lines[i]
		if match := rustNote.FindStringSubmatch(line); match != nil {
			notes += " " + match[1] + t.reasons(i+1, strings.Repeat(" ", indent(line)+1))
		}
		if marked || !strings.Contains(line, "^") {
			continue
		}
		marked = true
		if match := rustLabel.FindStringSubmatch(line); match != nil {
			label = " " + match[1]
		}
	}
	return cmp.Or(notes, label)
}

var (
	rustPanic    = lazy(`^\s*thread '([^']*)'(?: \(\d+\))? panicked at (.+?):(\d+):\d+:?$`)
	rustOldPanic = lazy(`^\s*thread '([^']*)' panicked at '(.*)', (.+?):(\d+):\d+$`)
	rustBlock    = lazy(`^---- (.+?) (?:stdout|stderr) ----$`)
	rustFailed   = lazy(`^test (.+?)(?: - should panic)? \.\.\. FAILED$`)
)

// readCargoTest reads "---- test stdout ----" and "test x ... FAILED".
func readCargoTest(t *transcript) []Error {
	var errors []Error
	seen := map[string]bool{}
	var panics map[string]panicked
	for i, line := range t.lines {
		if enough(errors) {
			break
		}
		if !strings.HasPrefix(line, "---- ") {
			continue
		}
		if match := rustBlock.FindStringSubmatch(line); match != nil && !seen[match[1]] {
			seen[match[1]] = true
			errors = append(errors, t.rustFailure(match[1], i+1))
		}
	}
	for _, line := range t.lines {
		if enough(errors) {
			break
		}
		if !strings.HasSuffix(line, "FAILED") {
			continue
		}
		if match := rustFailed.FindStringSubmatch(line); match != nil && !seen[match[1]] {
			seen[match[1]] = true
			if panics == nil {
				panics = t.panicsOf()
			}
			found, ok := panics[match[1]]
			if !ok {
				found.message = "failed"
			}
			place := found.place
			errors = append(errors, t.failing(cargoTestName, match[1], place.file, place.line, found.message))
		}
	}
	return errors
}

// A panicked test is where its thread panicked, and what it said.
type panicked struct {
	place   frame
	message string
}

// panicsOf maps the threads that panicked to their first panic, among what was
// printed as the tests ran, as with --nocapture: a thread has the name of its test.
func (t *transcript) panicsOf() map[string]panicked {
	panics := map[string]panicked{}
	for i, line := range t.lines {
		name := between(line, "thread '", "'")
		if _, known := panics[name]; known || name == "" {
			continue
		}
		if place, message, ok := t.panicAt(i); ok {
			panics[name] = panicked{place, message}
		}
	}
	return panics
}

func (t *transcript) rustFailure(id string, from int) Error {
	first := ""
	for i := from; i < len(t.lines); i++ {
		line := t.lines[i]
		if strings.HasPrefix(line, "---- ") || line == "failures:" {
			break
		}
		if place, message, ok := t.panicAt(i); ok {
			return t.failing(cargoTestName, id, place.file, place.line, message)
		}
		if text := strings.TrimSpace(line); first == "" && text != "" {
			first = text
		}
		if match := rustPlace.FindStringSubmatch(line); match != nil {
			number, _ := digits(match[2])
			return t.failing(cargoTestName, id, match[1], number, first)
		}
	}
	if first == "" {
		first = "failed"
	}
	return t.failing(cargoTestName, id, "", 0, first)
}

// panicAt reads a panic in the form of today or in the one before Rust 1.73.
func (t *transcript) panicAt(i int) (frame, string, bool) {
	line := t.lines[i]
	if !strings.Contains(line, "panicked at ") {
		return frame{}, "", false
	}
	if match := rustOldPanic.FindStringSubmatch(line); match != nil {
		number, _ := digits(match[4])
		return frame{match[3], number}, match[2], true
	}
	match := rustPanic.FindStringSubmatch(line)
	if match == nil {
		return frame{}, "", false
	}
	number, _ := digits(match[3])
	var parts []string
	for _, next := range t.lines[i+1:] {
		text := strings.TrimSpace(next)
		if text == "" || beginsWith(text, []string{"note: ", "stack backtrace"}) || len(parts) == 4 {
			break
		}
		parts = append(parts, text)
	}
	return frame{match[2], number}, strings.Join(parts, " "), true
}

// readRustPanic reads how a Rust program died.
func readRustPanic(t *transcript) []Error {
	for i := range t.lines {
		if place, message, ok := t.panicAt(i); ok {
			return []Error{t.error(Runtime, "rust", place.file, place.line, "panic: "+message)}
		}
	}
	return nil
}
