package command

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/reviewdog/errorformat"

	"github.com/wm-lsp/wm-lsp/extract/once"
)

// families are the tools that are understood, one line each. Where a program that
// may run anything is read by all readers, those of a family come in this order.
var families = slices.Concat([]*family{
	goTest,
	pytest,
	unittest,
	python,
	pip,
	jest,
	vitest,
	mocha,
	nodeTest,
	bunTest,
	node,
	typeScriptRunners,
	golangci,
	staticcheck,
	goBuild,
	goVet,
	goRun,
	goGenerate,
	goMod,
	goTool,
	goInfo,
	gofmt,
	tsc,
	cargoTest,
	cargoBench,
	cargoBuild,
	cargoCheck,
	cargoClippy,
	cargoRun,
	cargoDoc,
	cargoInstall,
	cargoOther,
	cargoInfo,
	rustc,
	rustfmt,
	javaProgram,
	javac,
	kotlinc,
	scalac,
	maven,
	gradle,
	ant,
	sbt,
	bazel,
	gcc,
	gpp,
	clang,
	cmake,
	linker,
	ruff,
	ruffFormat,
	pylint,
	pyright,
	mypy,
	flake8,
	pep8,
	eslint,
	stylelint,
	prettier,
	esbuild,
	biome,
	webpack,
	rollup,
	vite,
	packageScripts,
	javaScriptRuntimes,
	shellsAndScripts,
	otherScripts,
	makeTargets,
	justRecipes,
	rakeTasks,
	taskfileTasks,
	miseTasks,
	environments,
	xargs,
	printers,
}, gitCommands, plainTests, plainTypeChecks, plainLinters, plainBuilds)

// A registry finds the family of a program, a step or an error.
type registry struct {
	// names are the families by the names of their tools; a name that ends with a
	// space begins the names of its tools.
	names map[string]*family
	// begins are the families by the programs that are understood by their words.
	begins map[string][]*family
	// programs are the tools that are known by the name of their program.
	programs map[string]start
	// subcommands are those that are known by program and subcommand.
	subcommands map[string]map[string]start
	// endings are the families by the ending of the scripts that they run.
	endings map[string]*family
	// quiet are the programs that only print, search or move files.
	quiet map[string]bool
	// input are the programs that run the text that they get as their input.
	input map[string]bool
	// aliases are the names of programs by their other names, versioned those that a
	// version can follow.
	aliases   map[string]string
	versioned map[string]bool
	// touches are the functions that add what programs do to files.
	touches map[string]func(*walker, Step)
	// servers are the families by what language servers name as the source of their diagnostics.
	servers    map[string]*family
	wrappers   map[string][]wrapper
	installers map[string]installer
	// anything are the readers of a program that may run anything.
	anything []*reader
	// formats are the tools whose output errorformat reads.
	formats func() map[string]func() *errorformat.Errorformat
}

// A start is a family and the way in which it is started.
type start struct {
	family *family
	how    run
}

// known returns the registry of all families.
var known = once.Value[*registry]{Make: func() *registry { return newRegistry(families) }}

func newRegistry(families []*family) *registry {
	r := &registry{
		names: map[string]*family{}, begins: map[string][]*family{}, endings: map[string]*family{},
		programs: map[string]start{}, subcommands: map[string]map[string]start{},
		quiet: map[string]bool{}, input: map[string]bool{},
		aliases: map[string]string{}, versioned: map[string]bool{},
		touches: map[string]func(*walker, Step){}, servers: map[string]*family{},
		wrappers: map[string][]wrapper{}, installers: map[string]installer{},
	}
	r.start(plainWrappers, plainInstallers)
	for _, f := range families {
		r.add(f)
	}
	slices.SortStableFunc(r.anything, func(a, b *reader) int { return cmp.Compare(a.stage, b.stage) })
	r.formats = sync.OnceValue(r.readFormats)
	return r
}

func (r *registry) add(f *family) {
	if f.name != "" {
		r.names[f.name] = f
	}
	if f.recognises.ending != "" {
		r.endings[f.recognises.ending] = f
	}
	for _, source := range strings.Fields(f.clears.servers) {
		r.servers[source] = f
	}
	r.start(f.recognises.wraps, f.recognises.installs)
	for _, one := range f.reads.readers {
		if !slices.Contains(r.anything, one) {
			r.anything = append(r.anything, one)
		}
	}
	for _, how := range f.runs {
		r.addRun(f, how)
	}
}

func (r *registry) start(wraps []wrapper, installs []installer) {
	for _, w := range wraps {
		for _, program := range strings.Fields(w.programs) {
			r.wrappers[program] = append(r.wrappers[program], w)
		}
	}
	for _, i := range installs {
		for _, program := range strings.Fields(i.programs) {
			r.installers[program] = i
		}
	}
}

func (r *registry) addRun(f *family, how run) {
	programs := strings.Fields(how.programs)
	for _, alias := range strings.Fields(how.aliases) {
		r.aliases[alias] = programs[0]
	}
	for _, program := range programs {
		if f.recognises.touches != nil {
			r.touches[program] = f.recognises.touches
		}
		if how.versioned {
			r.versioned[program] = true
		}
		if f.recognises.prefix != "" {
			r.names[program+f.recognises.prefix+" "] = f
		}
		if how.subcommands != "" {
			if r.subcommands[program] == nil {
				r.subcommands[program] = map[string]start{}
			}
			for _, sub := range strings.Fields(how.subcommands) {
				r.subcommands[program][sub] = start{f, how}
			}
			continue
		}
		r.addProgram(f, how, program)
	}
}

// addProgram adds a program that is known by its name.
func (r *registry) addProgram(f *family, how run, program string) {
	if f.name == "" && r.names[program] == nil {
		r.names[program] = f
	}
	if f.category == "" {
		r.quiet[program] = true
	}
	if f.recognises.input {
		r.input[program] = true
	}
	if f.recognises.begin != nil {
		r.begins[program] = append(r.begins[program], f)
	} else {
		r.programs[program] = start{f, how}
	}
}

// nothing is the family of the tools that are not known.
var nothing = &family{}

// of returns the family of a tool.
func (r *registry) of(tool string) *family {
	if f := r.names[tool]; f != nil {
		return f
	}
	// Two words and what was run, as in "npm run test".
	if first := strings.IndexByte(tool, ' ') + 1; first > 0 {
		if second := strings.IndexByte(tool[first:], ' ') + 1; second > 0 {
			if f := r.names[tool[:first+second]]; f != nil {
				return f
			}
		}
	}
	return nothing
}

// tool returns what a program is by its name alone. ok is false if it is not
// known, only prints, or is understood by its words.
func (r *registry) tool(program string) (s start, ok bool) {
	s, ok = r.programs[program]
	return s, ok && s.family.name != ""
}

// programName returns the base name of a program without its version and its
// extension on Windows.
func (r *registry) programName(word string) string {
	name := path.Base(slashed(word))
	for _, ending := range []string{".exe", ".cmd", ".bat"} {
		name = strings.TrimSuffix(name, ending)
	}
	if bare := strings.TrimRight(name, "0123456789."); len(bare) < len(name) {
		if bare = strings.TrimSuffix(bare, "-"); r.versioned[bare] {
			name = bare
		}
	}
	if program, ok := r.aliases[name]; ok {
		return program
	}
	return name
}
