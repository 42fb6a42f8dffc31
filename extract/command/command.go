// Package command understands shell command lines and what they print: which
// programs run, on which files, what failed and where, and what a later success
// proves to work again. Commands are parsed, not grepped, and output is read by
// the tool that wrote it, so that a log which talks about errors opens none
// (systems.md B9). Everything here is a pure function of its input.
package command

// Category is the kind of failure that an error is (systems.md B9).
type Category string

// The categories of systems.md B9. All that a test runner reports is Test.
const (
	Typecheck Category = "typecheck"
	Test      Category = "test"
	Lint      Category = "lint"
	Build     Category = "build"
	Runtime   Category = "runtime"
)

// A Command is a shell command line, understood.
type Command struct {
	// Line is the command line as it was given.
	Line string
	// Steps are the simple commands that run, in order, without the wrappers
	// around them.
	Steps []Step
	// effects are what the steps do to files.
	effects []Effect
	// tools is the registry by which the line was understood.
	tools *registry
}

// A Step is one simple command of a command line.
type Step struct {
	// Program is the base name of the program without its version, such as
	// "python" for /usr/bin/python3.12.
	Program string
	// Args are the arguments of the program; what is not literal keeps its source.
	Args []string
	// Tool is what the program does under its common name, "go test", "pytest"
	// or "cargo build"; the program itself if it is not a known tool.
	Tool string
	// Category is what the tool checks. It is Runtime for a program that is not
	// known and "" for one that only prints, searches or moves files: nothing
	// that such a program says opens an error.
	Category Category
	// Script is what the program runs: a file, a make target, a package script.
	// Code given on the command line is "inline:" and a hash of it.
	Script string
	// Dir is the folder to which the command line changed before the step, as
	// written there; "" if it did not.
	Dir string
	// Scope are the files, packages and test ids to which the step is limited, as
	// written; empty means all.
	Scope []string
	// Filter is the pattern that selects tests by name (-run, -k, -t); "" means all.
	Filter string
	// More are the options with which the step looks for more than a plain run, Less those with which
	// it looks for less, each with its value behind a space.
	More, Less []string
	// Proven is true if the exit code 0 of the line proves that this step succeeded.
	Proven bool
	// Decides is true if the failure of this step can be the failure of the line.
	Decides bool
	// Piped is true if the output goes through another program.
	Piped bool
	// Background is true if the step runs in the background.
	Background bool
	// Opaque is true if the command line could not be parsed.
	Opaque bool
	// Limited is true if the step runs under a time limit of the caller's.
	Limited bool
	// fed is true if the step reads what another program prints, and was given no files.
	fed bool
	// Source is the simple command as it was written, with the wrappers around it and without
	// redirections; "" if the command line could not be parsed.
	Source string
}

// quiet reports whether nothing that the step says is an error of the workspace.
func (s Step) quiet() bool { return s.Category == "" }
