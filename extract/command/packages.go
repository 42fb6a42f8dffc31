package command

import (
	"path"
	"slices"
	"strings"
)

const npmName = "npm"

// packageScripts are the managers of JavaScript's packages: what they run is called
// "npm run" and the name of the script.
var packageScripts = &family{
	category: Runtime,
	runs:     []run{{programs: "npm pnpm yarn bun"}},
	recognises: recognition{
		begin: (*registry).beginPackageScript, prefix: " run", wraps: packageWrappers, installs: packageInstallers,
		recipe: &recipe{files: []string{"package.json"}, lines: packageScript},
	},
	reads:  reading{readers: []*reader{npms}, mixed: true, notOnlyTests: true},
	covers: coverage{holds: packageHolds, selects: selectsPattern},
	clears: clearance{runsSuite: javaScriptSuite, suiteScript: "test"},
}

var npms = &reader{
	marks: []string{"npm error", "npm ERR!", "ERR_PNPM", "error Command", "YN0"},
	read:  readNPM,
}

var (
	packageWrappers = []wrapper{
		{programs: "cross-env pnpx"},
		{programs: "dotenv", valued: "-e -v -c -f"},
		{programs: "npx", valued: "-p --package -c --call -w --workspace"},
		{programs: "bunx", valued: "-p --package"},
		{programs: "pnpm", sub: "exec", valued: "-C --dir -F --filter"},
		{programs: "pnpm", sub: "dlx", valued: "-C --dir"},
		{programs: "yarn", sub: "exec"},
		{programs: "yarn", sub: "dlx", valued: "-p --package"},
		{programs: "npm", sub: "exec", valued: "-p --package -c --call -w --workspace"},
		{programs: "npm", sub: "x", valued: "-p --package"},
		{programs: "bun", sub: "x"},
		{programs: "c8 nyc", valued: "--reporter -r --include --exclude"},
	}
	packageInstallers = []installer{
		{
			programs: "npm", verbs: []string{"install", "i", "add"},
			valued: []string{"--prefix", "-w", "--workspace", "--registry"},
		},
		{programs: "pnpm", verbs: []string{"install", "i", "add"}, valued: []string{"--filter", "-C", "--dir"}},
		{programs: "yarn", verbs: []string{"add"}, valued: []string{"--cwd"}},
		{programs: "bun", verbs: []string{"install", "add", "i"}, valued: []string{"--cwd"}},
	}
)

// packageHolds reports whether an error lies in the package of a workspace that an item names. Packages are taken to
// lie in folders of their names, at most one folder deep.
func packageHolds(s Success, item string, o Opener) bool {
	below, found := strings.CutPrefix(o.Path, strings.TrimPrefix(s.Dir+"/", "/"))
	folders := strings.SplitN(below, "/", 3)
	return found && slices.Contains(folders[:len(folders)-1], path.Base(item))
}

const (
	// managersOptions are the options of the managers that take a value as the next word.
	managersOptions = "-C --dir --prefix -w --workspace -F --filter --cwd"
	// scriptFilters are the options with which common runners behind scripts select tests by name.
	scriptFilters = "-t --testNamePattern --grep"
	// plainScriptOptions are options behind the name of a script that leave nothing out.
	plainScriptOptions = managersOptions + " " + scriptFilters + ` -- --if-present --silent -s --workspaces -ws
		--include-workspace-root -r --recursive --parallel --stream --run --ci --coverage --no-coverage --runInBand -i
		--verbose -v -q --reporter --reporters --color --no-color --bail --maxWorkers --forceExit --detectOpenHandles
		--passWithNoTests --watch --watchAll -u --updateSnapshot --update --fix --cache --noEmit --pretty`
)

// beginPackageScript understands npm run x, npm test and npm install.
func (r *registry) beginPackageScript(s *Step) bool {
	if dir := optionValue(s.Args, "-C --dir --prefix --cwd"); dir != "" {
		s.Dir = dir
	}
	words := operands(s.Args, managersOptions+" "+scriptFilters)
	switch name := first(words); name {
	case "workspace":
		if len(words) > 2 && s.Program == "yarn" {
			r.runsScript(s, words[2], words[3:])
			s.Scope = append([]string{words[1]}, s.Scope...)
			return true
		}
		r.packageBinary(s, words)
	case "run", "run-script":
		if len(words) < 2 {
			s.Category = ""
			return true
		}
		r.runsScript(s, words[1], words[2:])
	case "test", "t", "tst":
		if s.Program == "bun" {
			return false
		}
		r.runsScript(s, "test", words[1:])
	case "start", "stop", "restart":
		r.runsScript(s, name, words[1:])
	case "", "install", "i", "ci", "add", "update", "up", "upgrade", "remove", "uninstall", "rebuild", "dedupe", "link",
		"install-test":
		if name == "" && s.Program != "yarn" {
			s.Category = ""
			return true
		}
		s.Tool, s.Category, s.Script = s.Program+" install", Build, "install"
	case "ls", "list", "ll", "view", "info", "show", "outdated", "audit", "config", "whoami", "search", "why",
		"explain", "root", "bin", "prefix", "help", "pkg", "cache", "fund", "doctor", "version", "init", "get", "set":
		s.Category = ""
	default:
		r.packageBinary(s, words)
	}
	return true
}

func (r *registry) runsScript(s *Step, name string, args []string) {
	s.Script, s.Scope = name, args
	if workspace := optionValue(s.Args, "-w --workspace -F --filter"); workspace != "" {
		s.Scope = append([]string{workspace}, args...)
	}
	s.Filter = filterOf(s.Args, scriptFilters)
	s.limitedBeside(s.Args, plainScriptOptions)
	s.Tool = s.Program + " run " + name
	s.Category = Runtime
	if category := r.scriptCategory(name); category != "" {
		s.Category = category
	}
}

// packageBinary understands `yarn jest`: a script, or else an installed program.
func (r *registry) packageBinary(s *Step, words []string) {
	if s.Program == npmName {
		s.Script = strings.Join(words, " ")
		return
	}
	i := slices.Index(s.Args, words[0])
	if tool, ok := r.tool(words[0]); ok {
		s.Program = words[0]
		s.Args = s.Args[i+1:]
		s.use(tool.family, tool.how, s.Args)
		return
	}
	if strings.Contains(words[0], ".") {
		s.Script = words[0]
		return
	}
	r.runsScript(s, words[0], words[1:])
}

// npmChatter are the lines of npm's errors that do not say what went wrong.
var npmChatter = lazy(`^(?:code |errno |syscall |path |dest |command |workspace |location |stack |signal ` +
	`|A complete log|This is (?:probably )?not|To see a list|Did you mean|  |Lifecycle script|Exit status` +
	`|Failed at the|There is likely|node_modules|Found: |Could not resolve|Conflicting peer|Fix the upstream` +
	`|For a full report|\d{4}-|@?\S+@\S+ \S+: ` + "`" + `|\S+@\S+ \w+: )`)

// readNPM reads the errors of npm, pnpm and yarn themselves, such as a script
// that does not exist. That a script failed is for its own output to say.
func readNPM(t *transcript) []Error {
	var messages, codes []string
	for _, line := range t.lines {
		message, ok := npmMessage(line)
		if !ok || strings.TrimSpace(message) == "" {
			continue
		}
		if code, ok := strings.CutPrefix(message, "code "); ok {
			codes = append(codes, code)
		}
		if !npmChatter.MatchString(message) {
			messages = append(messages, message)
		}
	}
	if len(messages) == 0 || slices.Contains(codes, "ELIFECYCLE") {
		return nil
	}
	category := t.step.Category
	if category == "" || category == Test || category == Lint || category == Typecheck {
		category = Runtime
	}
	return []Error{t.error(category, npmName, "", 0, messages[0])}
}

func npmMessage(line string) (string, bool) {
	for _, prefix := range []string{"npm error ", "npm ERR! ", " ERR_PNPM_", "➤ YN0001: "} {
		if rest, ok := strings.CutPrefix(line, prefix); ok {
			if prefix == " ERR_PNPM_" {
				return "ERR_PNPM_" + rest, !strings.HasPrefix(rest, "RECURSIVE_RUN")
			}
			return rest, true
		}
	}
	rest, ok := strings.CutPrefix(line, "error Command ")
	return "Command " + rest, ok && strings.Contains(rest, "not found")
}
