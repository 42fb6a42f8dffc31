package command

// A family is a tool, or several that are taken for one. All that is special
// about it is in this one value, which stands in the file of the tool; a line of
// families registers it. The functions in it must not use the registry of all
// families but the one that they are given.
type family struct {
	// name is the Tool of its steps and of the errors that it reports. If it is "",
	// the programs of the family keep their own names.
	name string
	// category is what the tool checks; "" if it only prints, searches or moves
	// files.
	category Category
	// runs are the ways to start it.
	runs       []run
	recognises recognition
	reads      reading
	covers     coverage
	clears     clearance
}

// A run is a way to start a tool.
type run struct {
	// programs are the names of the programs, separated by spaces.
	programs string
	// subcommands are those of the programs that start the tool; "" if the program
	// alone does. otherwise stands for all that belong to no family.
	subcommands string
	// valued are the options that take a value as the next word, filters those of
	// them that select tests by name. With an '=' both work for every option.
	valued, filters string
	// looks are the options with which the tool checks nothing and only prints or plans, besides
	// --help and --version, which are of all tools. lists are those with which a test runner compiles,
	// and runs no test.
	looks, lists string
	// global is true if the arguments are not a scope: the tool looks at everything.
	global bool
	// aliases are other names for the first of the programs.
	aliases string
	// versioned is true if a version can follow the name, as in python3.12.
	versioned bool
}

// otherwise stands for all subcommands that belong to no family.
const otherwise = "*"

// A recognition describes how a family understands its command lines, where its runs
// do not say enough.
type recognition struct {
	// begin fills in a step whose program is one of the runs. It returns false if
	// the step is none of the family's. A program with begin is understood by its
	// words, so that its name alone says nothing of what it does.
	begin func(r *registry, s *Step) bool
	// words reads the arguments behind the program and the subcommand in place of
	// Step.options.
	words func(s *Step, how run, args []string)
	// verbs are operands that are not part of the scope.
	verbs string
	// ending is that of the scripts which the tool runs when they are called as
	// programs, as ".py"; script then fills in the step.
	ending string
	script func(s *Step, file string)
	// target is true if a make target or package script of its name runs the tool.
	target bool
	// prefix begins the names of tools that end with what was run: "npm run" and
	// the name of a script.
	prefix string
	// input is true if the programs run the text that they get as their input.
	input bool
	// recipe is where the tasks are that the programs run.
	recipe *recipe
	// formats are the options with which the tool rewrites the files of its scope, or
	// always.
	formats string
	// touches adds what the programs do to files, if their words say it in another way.
	touches func(w *walker, s Step)
	// wraps are the programs of this family that start other programs, installs
	// those that add dependencies.
	wraps    []wrapper
	installs []installer
}

// A reading describes how the output of a family is read.
type reading struct {
	// readers find the errors. If there are none, errorformat is asked by the name
	// of the family, and then the readers of all families.
	readers []*reader
	// mixed is true if the tool runs programs of any kind: its output is read by the
	// readers of all families.
	mixed bool
	// notOnlyTests is true if not all that a step of category Test reports is a test.
	notOnlyTests bool
	// mayTest is true if a step of any category may run tests.
	mayTest bool
	// python is true if the tool checks Python and is not told apart by its output.
	python bool
	// rulesFirst is true if a message begins with a rule, such as E302, which
	// errorformat takes for a number.
	rulesFirst bool
	// crash is the category of an error that ends a program of the step; "" for that
	// of the step.
	crash Category
	// idle is the exit code that says that there was nothing to do; 0 if there is none.
	idle int
	// nothing are the phrases that say so.
	nothing []string
}

// A coverage describes what a run looks at.
type coverage struct {
	// scope is the kind of the items of a scope.
	scope scopeKind
	// scriptIsFile is true if the script is a file, which is the same from every folder.
	scriptIsFile bool
	// project reports whether the project that the script names holds a file. It is
	// nil if the script names no project.
	project func(script, file string) bool
	// part is true if a run with a script looks at that part alone. inPart reports whether the part holds an error; if
	// it is nil, that is not known.
	part   bool
	inPart func(s Success, o Opener) bool
	// does reports whether the tasks of a script check what the error is of. If it is nil, all tasks do.
	does func(script string, o Opener) bool
	// folder is true if a run without a scope looks at its folder and at none below.
	folder bool
	// reaches reports whether an item of the scope includes a file or another item.
	// nil is for paths and globs.
	reaches func(item, name string) bool
	// holds reports whether an item of the scope that is not the path of the error
	// includes it nevertheless.
	holds func(s Success, item string, o Opener) bool
	// selects reports whether a filter selects a test. If it is nil, what a filter
	// selects is not known.
	selects func(filter, test string) bool
	// skips reports whether the tool never looks at a file of its scope. If it is nil, it looks at all.
	skips func(file string) bool
	// unfiltered is true if a filter selects tests alone: errors of a file that are no
	// tests are found with any filter.
	unfiltered bool
	// scriptIsScope is true if a run looks at the script, which reaches takes, and at nothing else of its folder.
	scriptIsScope bool
	// parts are the options that name parts of the code which are compiled on request, allParts the one for all of
	// them. more are the options with which a run looks for more than a plain one, such as -race, and less those with
	// which it looks for less, such as --quiet; with "=false" an option is only given if it is listed so. same are the
	// options and variables with which it looks for something else, such as another system or other rules. Lists are
	// separated by spaces.
	parts, allParts, more, less, same string
	// concerns reports whether a part, or an option of more, less or same, may decide whether a success finds the
	// error. If it is nil, each may.
	concerns func(s Success, option string, o Opener) bool
}

// A scopeKind is the kind of the items of a scope.
type scopeKind int

const (
	// scopeFiles: files and packages, unless the step is a script with arguments.
	scopeFiles scopeKind = iota
	// scopePaths: always paths, also beside a script.
	scopePaths
	// scopeLabels: names that are not paths.
	scopeLabels
)

// A clearance describes the errors of other families that a success clears.
type clearance struct {
	// compiles is the group of tools that compile the same; each success clears the
	// build errors that another one reported, and those that a test runner of the group
	// says are of its compiler (Error.Check).
	compiles string
	// linter is the tool that a test runner runs as its linter, whose success clears what the
	// runner says is of it.
	linter string
	// servers are what the diagnostics of language servers name as their source that report what the tool does,
	// separated by spaces.
	servers string
	// suite is the group of test runners of which a project has one. The script
	// suiteScript of the families that run that suite clears what they reported.
	suite, runsSuite, suiteScript string
}
