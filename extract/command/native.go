package command

import (
	"slices"
	"strings"
)

const gccName = "gcc"

const (
	compilerOptions = "-o -I -L -l -D -U -x -include -isystem -MF -MT -MQ -T -Xlinker -target -arch -framework --param"
	// nativeCode is the group of the compilers of C and C++.
	nativeCode = "native"
)

var (
	gcc   = nativeCompiler(gccName, "", run{programs: "gcc cc", versioned: true})
	gpp   = nativeCompiler("g++", "", run{programs: "g++ c++", versioned: true})
	clang = nativeCompiler("clang", "clang clangd", run{programs: "clang clang++", versioned: true})
	// cmake configures a build, runs and installs it, which are different things.
	cmake = &family{
		name: "cmake", category: Build,
		runs:       []run{{programs: "cmake", valued: "-S -B -G -j --parallel --config -D", looks: "-h -N -E -L -LA"}},
		recognises: recognition{words: (*Step).cmakeWords},
		covers:     coverage{part: true},
	}
	linker = &family{
		name: "ld", category: Build,
		runs:  []run{{programs: "ld", valued: compilerOptions}},
		reads: readingNative,
	}
)

var (
	compilers = &reader{
		marks: []string{"error:", "undefined reference", "multiple definition", "ld: ", "Undefined symbols"},
		read:  readCompiler,
	}
	sanitizers = &reader{
		stage: deaths, marks: []string{"ERROR: ", "runtime error: ", "Assertion"}, read: readNative,
	}

	readingNative = reading{readers: []*reader{compilers, sanitizers}}
)

// nativeCompiler returns the family of a compiler of C or C++. servers are the sources of diagnostics that report
// the same.
func nativeCompiler(name, servers string, how run) *family {
	how.valued, how.looks = compilerOptions, "-E -M -MM -###"
	f := plain(name, Build, how)
	f.reads, f.clears = readingNative, clearance{compiles: nativeCode, servers: servers}
	f.covers.more = "-Werror -pedantic-errors"
	return f
}

// cmakeWords reads the arguments of cmake: what it builds or installs, or else what it configures.
func (s *Step) cmakeWords(how run, args []string) {
	const tasks = "--build --install --workflow --preset --target -t"
	if named := given(args, tasks, how.valued+" "+tasks); len(named) > 0 {
		s.Script = strings.Join(named, " ")
		return
	}
	s.Script = strings.Join(append([]string{"configure"}, operands(args, how.valued)...), " ")
}

var (
	reference = lazy(`undefined reference to |multiple definition of |duplicate symbol|undefined symbol: `)
	driver    = lazy(`^(?:[\w./+-]*(?:gcc|g\+\+|clang|clang\+\+|cc1|cc1plus|c\+\+|cc|ld|ld\.lld|lld|collect2)` +
		`(?:-[\d.]+)?): (?:fatal )?error: (.*)$`)
	cannot = lazy(`(?:^|[/ ])ld(?:\.\w+)?: (cannot find .*|library not found .*|symbol\(s\) not found.*)$`)
)

// readCompiler reads gcc, clang and what speaks like them, and the linkers
// behind them.
func readCompiler(t *transcript) []Error {
	var errors, drivers []Error
	tool := t.tool(gccName)
	for i, line := range t.lines {
		if enough(errors) {
			break
		}
		switch {
		case strings.Contains(line, "error: "):
			if match := driver.FindStringSubmatch(line); match != nil {
				drivers = append(drivers, t.error(Build, tool, "", 0, match[1]))
				continue
			}
			file, number, message, ok := position(line)
			if ok && file[0] != '[' && t.compiles(file) && beginsWith(message, []string{"error: ", "fatal error: "}) {
				errors = append(errors, t.error(Build, tool, file, number, message))
			}
		case reference.MatchString(line):
			errors = append(errors, t.linkError(tool, line))
		case strings.HasPrefix(line, "Undefined symbols for architecture") && i+1 < len(t.lines):
			symbol, _, _ := strings.Cut(strings.TrimSpace(t.lines[i+1]), ", referenced from")
			errors = append(errors, t.error(Build, tool, "", 0, "undefined symbol "+strings.TrimSuffix(symbol, ":")))
		case strings.Contains(line, "ld"):
			if match := cannot.FindStringSubmatch(line); match != nil {
				drivers = append(drivers, t.error(Build, tool, "", 0, match[1]))
			}
		}
	}
	if len(errors) > 0 {
		return errors
	}
	return withoutEcho(drivers)
}

// withoutEcho drops the line with which a driver says that another tool failed.
func withoutEcho(errors []Error) []Error {
	plain := slices.DeleteFunc(slices.Clone(errors), func(e Error) bool {
		return strings.HasPrefix(e.Summary, "ld returned") || strings.HasPrefix(e.Summary, "linker command failed")
	})
	if len(plain) > 0 {
		return plain
	}
	return errors
}

// othersEndings are those of files that have readers of their own.
var othersEndings = []string{".java", ".kt", ".py", ".pyi", ".go", ".rs", ".scala", ".ts", ".tsx", ".js"}

// compiles reports whether the compiler of the step reads such files: others
// have readers of their own.
func (t *transcript) compiles(file string) bool {
	if t.step.Category == Build && t.known {
		return true
	}
	return !slices.Contains(othersEndings, extension(file))
}

// linkError reads "a.c:(.text+0x5): undefined reference to `x'". The object
// files and offsets before the message change with every build.
func (t *transcript) linkError(tool, line string) Error {
	at := reference.FindStringIndex(line)[0]
	message := line[at:]
	if strings.HasPrefix(message, "undefined symbol: ") || strings.HasPrefix(message, "duplicate symbol") {
		return t.error(Build, tool, "", 0, message)
	}
	before := strings.TrimSuffix(strings.TrimSpace(line[:at]), ":")
	if open := strings.LastIndex(before, ":("); open > 0 {
		before = before[:open]
	}
	if space := strings.LastIndex(before, ": "); space > 0 {
		before = before[space+2:]
	}
	file, number := before, 0
	if name, n, _, ok := position(before); ok {
		file, number = name, n
	}
	if extension(file) == ".o" || extension(file) == ".a" || !strings.Contains(file, ".") {
		file = ""
	}
	return t.error(Build, tool, file, number, message)
}

var (
	sanitizer = lazy(`^==\d+==\s*ERROR: (\w+Sanitizer: .*)$`)
	undefined = lazy(`^(.+):(\d+):\d+: runtime error: (.*)$`)
	asserted  = lazy(`^(?:\S+: )?([^\s:]+):(\d+): .*: Assertion .* failed\.$`)
	where     = lazy(`^\s+#\d+ 0x[0-9a-f]+ in .* (\S+?):(\d+)(?::\d+)?$`)
)

// readNative reads how a native program died: sanitizers and assertions.
func readNative(t *transcript) []Error {
	for i, line := range t.lines {
		if match := sanitizer.FindStringSubmatch(line); match != nil {
			file, number := t.nativeFrame(i + 1)
			message, _, _ := strings.Cut(match[1], " on address")
			return []Error{t.error(Runtime, "native", file, number, message)}
		}
		if match := undefined.FindStringSubmatch(line); match != nil {
			number, _ := digits(match[2])
			return []Error{t.error(Runtime, "native", match[1], number, "runtime error: "+match[3])}
		}
		if match := asserted.FindStringSubmatch(line); match != nil {
			number, _ := digits(match[2])
			return []Error{t.error(Runtime, "native", match[1], number, line)}
		}
	}
	return nil
}

func (t *transcript) nativeFrame(from int) (string, int) {
	for i := from; i < len(t.lines) && i < from+40; i++ {
		if match := where.FindStringSubmatch(t.lines[i]); match != nil && t.inside(match[1]) {
			number, _ := digits(match[2])
			return match[1], number
		}
	}
	return "", 0
}
