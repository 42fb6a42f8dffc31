package command

import (
	"path"
	"slices"
	"strings"
)

// A tool is a program or subcommand whose output and success are understood.
type tool struct {
	name     string
	category Category
	// valued are the options that take a value as the next word, filters those
	// of them that select tests by name. With an '=' both work for every option.
	valued, filters string
	// global says that the arguments are no scope: the tool looks at everything.
	global bool
}

// programs are the tools that are known by the name of their program.
var programs = map[string]tool{
	"pytest": {name: "pytest", category: Test, filters: "-k -m",
		valued: "-c --rootdir -o -p -n --numprocesses -W --durations --maxfail --tb --junitxml --junit-xml --cov-report --cov-config --color --ignore --deselect --timeout --basetemp --confcutdir -r --capture --log-level --log-cli-level"},
	"py.test":      {name: "pytest", category: Test, filters: "-k -m", valued: "-c -o -p -n -W --maxfail --tb"},
	"unittest":     {name: "unittest", category: Test, filters: "-k", valued: "-s --start-directory -p --pattern -t --top-level-directory"},
	"nose2":        {name: "unittest", category: Test},
	"nosetests":    {name: "unittest", category: Test},
	"tox":          {name: "tox", category: Test, valued: "-e -c", global: true},
	"nox":          {name: "nox", category: Test, valued: "-s -f", global: true},
	"jest":         {name: "jest", category: Test, filters: "-t --testNamePattern", valued: "-c --config --maxWorkers -w --reporters --coverageReporters --testTimeout --env --shard"},
	"vitest":       {name: "vitest", category: Test, filters: "-t --testNamePattern", valued: "-c --config --reporter -r --root --dir --pool --environment --testTimeout --shard --project"},
	"mocha":        {name: "mocha", category: Test, filters: "-g --grep -f --fgrep", valued: "-r --require -t --timeout -R --reporter -u --ui --config --spec"},
	"ava":          {name: "ava", category: Test, filters: "-m --match"},
	"playwright":   {name: "playwright", category: Test, filters: "-g --grep", valued: "-c --config --project --reporter --workers"},
	"cypress":      {name: "cypress", category: Test, valued: "--spec --browser --config", global: true},
	"rspec":        {name: "rspec", category: Test, filters: "-e --example", valued: "-f --format -r --tag"},
	"phpunit":      {name: "phpunit", category: Test, filters: "--filter", valued: "-c --configuration"},
	"ctest":        {name: "ctest", category: Test, filters: "-R -E", valued: "--test-dir -j -C", global: true},
	"gotestsum":    {name: "go test", category: Test, valued: "-f --format --junitfile --jsonfile --rerun-fails", filters: "-run --run"},
	"tsc":          {name: "tsc", category: Typecheck, valued: "-p --project -t --target -m --module --outDir --rootDir --lib --jsx --moduleResolution"},
	"vue-tsc":      {name: "tsc", category: Typecheck, valued: "-p --project"},
	"tsgo":         {name: "tsc", category: Typecheck, valued: "-p --project"},
	"mypy":         {name: "mypy", category: Typecheck, valued: "--config-file -p --package -m --module --python-version --cache-dir --exclude", filters: ""},
	"dmypy":        {name: "mypy", category: Typecheck},
	"pyright":      {name: "pyright", category: Typecheck, valued: "-p --project --pythonversion --level"},
	"basedpyright": {name: "pyright", category: Typecheck, valued: "-p --project"},
	"flow":         {name: "flow", category: Typecheck, global: true},
	"sorbet":       {name: "sorbet", category: Typecheck, global: true},
	"svelte-check": {name: "svelte-check", category: Typecheck, valued: "--tsconfig --workspace", global: true},
	"eslint": {name: "eslint", category: Lint,
		valued: "-c --config -f --format --ext --max-warnings -o --output-file --rule --plugin --parser --ignore-path --ignore-pattern --cache-location --resolve-plugins-relative-to"},
	"prettier":      {name: "prettier", category: Lint, valued: "--config --parser --ignore-path --plugin"},
	"biome":         {name: "biome", category: Lint, global: true},
	"tslint":        {name: "tslint", category: Lint, valued: "-c --config -p --project -t --format"},
	"stylelint":     {name: "stylelint", category: Lint, valued: "--config -f --formatter"},
	"standard":      {name: "standardjs", category: Lint},
	"ruff":          {name: "ruff", category: Lint, valued: "--config --select --ignore --output-format --line-length --target-version --exclude"},
	"flake8":        {name: "flake8", category: Lint, valued: "--config --select --ignore --max-line-length --exclude --format"},
	"pycodestyle":   {name: "pep8", category: Lint, valued: "--config --select --ignore --max-line-length --exclude"},
	"pep8":          {name: "pep8", category: Lint},
	"pyflakes":      {name: "flake8", category: Lint},
	"pylint":        {name: "pylint", category: Lint, valued: "--rcfile -d --disable -e --enable -f --output-format -j --jobs"},
	"pydocstyle":    {name: "pydocstyle", category: Lint},
	"bandit":        {name: "bandit", category: Lint, valued: "-c -f -x -s"},
	"black":         {name: "black", category: Lint, valued: "-l --line-length -t --target-version --config --exclude"},
	"isort":         {name: "isort", category: Lint, valued: "--profile --settings-path"},
	"golangci-lint": {name: "golangci-lint", category: Lint, valued: "-c --config -E --enable -D --disable --timeout --out-format"},
	"staticcheck":   {name: "staticcheck", category: Lint, valued: "-checks -tags -f -go"},
	"golint":        {name: "golint", category: Lint},
	"revive":        {name: "golint", category: Lint, valued: "-config -formatter"},
	"gosec":         {name: "gosec", category: Lint, valued: "-fmt -out -exclude -include"},
	"gofmt":         {name: "gofmt", category: Lint, valued: "-r"},
	"gofumpt":       {name: "gofmt", category: Lint},
	"goimports":     {name: "gofmt", category: Lint, valued: "-local"},
	"shellcheck":    {name: "shellcheck", category: Lint, valued: "-f --format -s --shell -e --exclude -S"},
	"yamllint":      {name: "yamllint", category: Lint, valued: "-c -d -f"},
	"hadolint":      {name: "hadolint", category: Lint, valued: "-c -f --ignore"},
	"markdownlint":  {name: "markdownlint", category: Lint, valued: "-c --config"},
	"rubocop":       {name: "rubocop", category: Lint, valued: "-c --config -f --format"},
	"luacheck":      {name: "luacheck", category: Lint, valued: "--std --config"},
	"phpstan":       {name: "phpstan", category: Lint, valued: "-c -l --level --error-format"},
	"psalm":         {name: "psalm", category: Lint},
	"hlint":         {name: "hlint", category: Lint},
	"buf":           {name: "buf", category: Lint, global: true},
	"protolint":     {name: "protolint", category: Lint, global: true},
	"ansible-lint":  {name: "ansible-lint", category: Lint},
	"misspell":      {name: "misspell", category: Lint},
	"rustfmt":       {name: "rustfmt", category: Lint},
	"clang-tidy":    {name: "clang-tidy", category: Lint, valued: "-p --checks"},
	"cppcheck":      {name: "cppcheck", category: Lint, global: true},
	"ktlint":        {name: "ktlint", category: Lint},
	"gcc":           {name: "gcc", category: Build, valued: compilerOptions},
	"cc":            {name: "gcc", category: Build, valued: compilerOptions},
	"g++":           {name: "g++", category: Build, valued: compilerOptions},
	"c++":           {name: "g++", category: Build, valued: compilerOptions},
	"clang":         {name: "clang", category: Build, valued: compilerOptions},
	"clang++":       {name: "clang", category: Build, valued: compilerOptions},
	"ld":            {name: "ld", category: Build, valued: compilerOptions},
	"rustc":         {name: "rustc", category: Build, valued: "-o --edition --crate-type --crate-name -L -l --extern -C --target"},
	"javac":         {name: "javac", category: Build, valued: "-d -cp -classpath --class-path -sourcepath --release -source -target"},
	"kotlinc":       {name: "kotlinc", category: Build, valued: "-d -cp -classpath"},
	"scalac":        {name: "scalac", category: Build, valued: "-d -cp"},
	"swiftc":        {name: "swiftc", category: Build, valued: "-o"},
	"mvn":           {name: "mvn", category: Build, valued: "-f --file -pl --projects -P", global: true},
	"mvnw":          {name: "mvn", category: Build, valued: "-f --file -pl --projects -P", global: true},
	"gradle":        {name: "gradle", category: Build, valued: "-p --project-dir -b -x --tests", global: true},
	"gradlew":       {name: "gradle", category: Build, valued: "-p --project-dir -b -x --tests", global: true},
	"ant":           {name: "ant", category: Build, global: true},
	"sbt":           {name: "sbt", category: Build, global: true},
	"bazel":         {name: "bazel", category: Build, global: true},
	"cmake":         {name: "cmake", category: Build, valued: "-S -B -G --build -j --target --config", global: true},
	"ninja":         {name: "ninja", category: Build, valued: "-C -j -f", global: true},
	"meson":         {name: "meson", category: Build, valued: "-C", global: true},
	"msbuild":       {name: "dotnet", category: Build, global: true},
	"xcodebuild":    {name: "xcodebuild", category: Build, global: true},
	"webpack":       {name: "webpack", category: Build, valued: "-c --config --mode", global: true},
	"rollup":        {name: "rollup", category: Build, valued: "-c --config", global: true},
	"esbuild":       {name: "esbuild", category: Build, global: true},
	"vite":          {name: "vite", category: Build, valued: "-c --config", global: true},
	"next":          {name: "next", category: Build, global: true},
	"ng":            {name: "ng", category: Build, global: true},
	"turbo":         {name: "turbo", category: Build, global: true},
	"nx":            {name: "nx", category: Build, global: true},
	"tsup":          {name: "tsup", category: Build, global: true},
	"swc":           {name: "swc", category: Build, global: true},
	"babel":         {name: "babel", category: Build, global: true},
	"pip":           {name: "pip", category: Build, global: true},
	"sphinx-build":  {name: "sphinx", category: Build, global: true},
	"mkdocs":        {name: "mkdocs", category: Build, global: true},
}

const compilerOptions = "-o -I -L -l -D -U -x -include -isystem -MF -MT -MQ -T -Xlinker -target -arch -framework --param"

// subcommands are the tools that are known by program and subcommand. "" stands
// for any other subcommand.
var subcommands = map[string]map[string]tool{
	"go": {
		"test":     {name: "go test", category: Test, filters: "-run -skip -bench -fuzz", valued: goOptions + " -count -timeout -cpu -parallel -coverprofile -covermode -coverpkg -vet -fuzztime -benchtime -shuffle -cpuprofile -memprofile -outputdir -trace"},
		"build":    {name: "go build", category: Build, valued: goOptions},
		"install":  {name: "go build", category: Build, valued: goOptions},
		"vet":      {name: "go vet", category: Lint, valued: goOptions + " -vettool"},
		"run":      {name: "go run", category: Runtime, valued: goOptions},
		"fmt":      {name: "gofmt", category: Lint},
		"generate": {name: "go generate", category: Build, valued: "-run -skip"},
		"get":      {name: "go mod", category: Build, global: true},
		"mod":      {name: "go mod", category: Build, global: true},
		"work":     {name: "go mod", category: Build, global: true},
		"tool":     {name: "go tool", category: Runtime, global: true},
		"list":     {}, "version": {}, "env": {}, "doc": {}, "help": {}, "clean": {},
	},
	"cargo": {
		"build":   {name: "cargo build", category: Build, valued: cargoOptions, global: true},
		"b":       {name: "cargo build", category: Build, valued: cargoOptions, global: true},
		"check":   {name: "cargo check", category: Build, valued: cargoOptions, global: true},
		"c":       {name: "cargo check", category: Build, valued: cargoOptions, global: true},
		"clippy":  {name: "cargo clippy", category: Lint, valued: cargoOptions, global: true},
		"test":    {name: "cargo test", category: Test, valued: cargoOptions},
		"t":       {name: "cargo test", category: Test, valued: cargoOptions},
		"nextest": {name: "cargo test", category: Test, valued: cargoOptions, global: true},
		"run":     {name: "cargo run", category: Runtime, valued: cargoOptions, global: true},
		"r":       {name: "cargo run", category: Runtime, valued: cargoOptions, global: true},
		"bench":   {name: "cargo bench", category: Test, valued: cargoOptions, global: true},
		"fmt":     {name: "rustfmt", category: Lint, global: true},
		"doc":     {name: "cargo doc", category: Build, valued: cargoOptions, global: true},
		"install": {name: "cargo install", category: Build, global: true},
		"tree":    {}, "metadata": {}, "search": {}, "--version": {}, "version": {}, "clean": {}, "help": {},
	},
	"dotnet": {
		"build":   {name: "dotnet", category: Build, global: true},
		"publish": {name: "dotnet", category: Build, global: true},
		"test":    {name: "dotnet test", category: Test, filters: "--filter", global: true},
		"run":     {name: "dotnet run", category: Runtime, global: true},
	},
	"deno": {
		"test":  {name: "deno test", category: Test, filters: "--filter"},
		"lint":  {name: "deno lint", category: Lint},
		"check": {name: "deno check", category: Typecheck},
	},
	"bun": {"test": {name: "bun test", category: Test, filters: "-t --test-name-pattern"}},
	"swift": {
		"build": {name: "swift build", category: Build, global: true},
		"test":  {name: "swift test", category: Test, filters: "--filter", global: true},
	},
	"git": gitCommands,
}

const (
	goOptions    = "-C -tags -o -ldflags -gcflags -asmflags -mod -modfile -exec -p -overlay -pkgdir -toolexec -buildmode -compiler"
	cargoOptions = "-p --package --features -F --target --manifest-path -j --jobs --message-format --profile --bin --example --test --bench --target-dir --color --exclude"
)

// gitCommands: most of git prints or moves files. What runs hooks or talks to
// another repository can really fail.
var gitCommands = map[string]tool{
	"commit":      {name: "git commit", category: Runtime, global: true},
	"push":        {name: "git push", category: Runtime, global: true},
	"pull":        {name: "git pull", category: Runtime, global: true},
	"merge":       {name: "git merge", category: Runtime, global: true},
	"rebase":      {name: "git rebase", category: Runtime, global: true},
	"cherry-pick": {name: "git cherry-pick", category: Runtime, global: true},
	"":            {},
}

// quietPrograms print, search, or move files and processes. That they fail says
// that something is not there, not that the workspace is broken.
var quietPrograms = words(`
	ag awk b2sum base64 basename bat bc cal cat cd chgrp chmod chown clear cksum cmp colordiff column comm cp csplit curl cut
	date dd delta df diff difft dig dir dirname dirs dmesg du echo ed egrep env exit expand expr eza fd fdfind false fgrep file find
	fmt fold free fzf gawk gh glab glow grep groups gunzip gzip head hexdump history host hostname htop http httpie iconv id
	ifconfig info ip jobs join jq journalctl kill killall last ldd less let ln local locate ls lsof lsb_release lscpu man mapfile md5sum
	mkdir mkfifo mktemp more mv nano nc netstat nl nm nohup nproc nslookup objdump od open paste patch pgrep ping pkill popd pr
	printenv printf ps pstree pushd pwd read readarray readelf readlink realpath return rev rg rm rmdir rsync screen sed seq sha1sum sha256sum sha512sum
	shift shuf sleep sort split ss ssh-keygen stat strings sum sync tac tail tar tee telnet test tmux top touch tput tr traceroute tree true truncate
	tsort tty type typeset uname unexpand uniq unlink unzip uptime vi view vim wait watch wc wget whatis whereis which who whoami
	xargs xclip xdg-open xxd yes yq zcat zip zipinfo zless zstd [ [[ : declare readonly
`)

func words(list string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(list) {
		set[word] = true
	}
	return set
}

// newStep understands the words of one simple command.
func newStep(words []string) Step {
	s := Step{Program: programName(words[0]), Args: words[1:], Category: Runtime}
	if strings.Contains(words[0], "=") && assignment.MatchString(words[0]) {
		return Step{Program: words[0], Tool: words[0], Args: words[1:]}
	}
	s.Tool = s.Program
	switch {
	case s.Program == "python" || s.Program == "pypy":
		s.python()
	case s.Program == "node" || s.Program == "ts-node" || s.Program == "tsx":
		s.node()
	case slices.Contains(packageRunners, s.Program) && s.packageScript():
	case s.Program == "make" || s.Program == "just" || s.Program == "task" || s.Program == "rake":
		s.target()
	case s.Program == "xargs":
		s.xargs()
	case slices.Contains([]string{"bash", "sh", "zsh", "ruby", "perl", "php", "java", "lua", "Rscript", "julia", "deno", "bun"}, s.Program) && subcommands[s.Program][first(s.Args)].name == "":
		s.script()
	case ownProgram(words[0]):
	default:
		s.known()
	}
	if strings.HasSuffix(words[0], ".py") && s.Tool == s.Program {
		s.ownScript(words[0])
	} else if strings.ContainsAny(words[0], `/\`) && s.Tool == s.Program && s.Category == Runtime {
		s.Script = strings.TrimPrefix(strings.ReplaceAll(words[0], `\`, "/"), "./")
		s.Scope = operands(s.Args, "")
	}
	if prints(s.Args) {
		s.Category = ""
	}
	return s
}

// ownProgram reports whether a word names a program of the project by its path,
// which is not what its name says: bin/test is no test.
func ownProgram(word string) bool {
	word = slashed(word)
	if !strings.Contains(word, "/") || strings.Contains(word, "/bin/") && isAbs(word) || strings.Contains(word, "node_modules/") || strings.Contains(word, "venv/") {
		return false
	}
	return programs[programName(word)].name == ""
}

// prints reports whether the only argument asks a program for its version or help.
func prints(args []string) bool {
	return len(args) == 1 && slices.Contains([]string{"--version", "-V", "--help", "-h", "help", "version"}, args[0])
}

func first(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}

// known fills in a step from the tables.
func (s *Step) known() {
	if quietPrograms[s.Program] {
		s.Category = ""
		return
	}
	if table, ok := subcommands[s.Program]; ok {
		s.subcommand(table)
		return
	}
	t, ok := programs[s.Program]
	if !ok && errorformatOf(s.Program) != nil {
		t, ok = tool{name: s.Program, category: Lint}, true
	}
	if !ok {
		s.Script = first(operands(s.Args, ""))
		return
	}
	s.use(t, s.Args)
	if slices.Contains([]string{"mvn", "gradle", "ant", "sbt", "bazel"}, s.Tool) {
		s.goals()
	}
}

func (s *Step) subcommand(table map[string]tool) {
	args := s.Args
	for len(args) > 0 && (strings.HasPrefix(args[0], "-") || strings.HasPrefix(args[0], "+")) {
		skip := 1
		if slices.Contains([]string{"-C", "-c", "--manifest-path", "--git-dir", "--work-tree"}, args[0]) && len(args) > 1 {
			if args[0] == "-C" {
				s.Dir = args[1]
			}
			skip = 2
		}
		args = args[skip:]
	}
	t, ok := table[first(args)]
	if !ok {
		t, ok = table[""]
	}
	if !ok {
		s.Script = first(args)
		return
	}
	if len(args) > 0 {
		args = args[1:]
	}
	s.use(t, args)
}

// use makes the step a run of the tool with the arguments.
func (s *Step) use(t tool, args []string) {
	s.Category = t.category
	if t.name == "" {
		return
	}
	s.Tool = t.name
	if i := slices.Index(args, "--"); i >= 0 && strings.HasPrefix(t.name, "cargo") {
		s.Filter = strings.Join(operands(args[i+1:], "--test-threads --color --format --skip"), " ")
		args = args[:i]
	}
	if i := slices.Index(args, "-args"); i >= 0 {
		args = args[:i]
	}
	s.Filter = strings.TrimSpace(s.Filter + " " + filterOf(args, t.filters))
	if dir := optionValue(args, "-C"); dir != "" && strings.HasPrefix(t.name, "go ") {
		s.Dir = dir
	}
	if strings.HasPrefix(t.name, "cargo") {
		s.cargo(t, args)
		return
	}
	if t.global {
		s.Script = strings.Join(operands(args, t.valued+" "+t.filters), " ")
		if s.Program == "git" {
			s.Script = ""
		}
		return
	}
	s.Scope = operands(args, t.valued+" "+t.filters)
	switch t.name {
	case "tsc":
		s.Script = optionValue(args, "-p --project")
	case "unittest":
		s.Scope = without(s.Scope, "discover")
	case "go run":
		if len(s.Scope) > 0 {
			s.Script, s.Scope = s.Scope[0], nil
		}
	case "ruff":
		s.Scope = without(s.Scope, "check", "format")
		if first(args) == "format" {
			s.Tool = "ruff format"
		}
	case "golangci-lint", "vitest", "phpstan", "flow":
		s.Scope = without(s.Scope, "run", "watch", "analyse", "analyze")
	case "playwright":
		s.Scope = without(s.Scope, "test")
	}
}

// cargo reads which part of the workspace cargo works on, and which tests it runs.
func (s *Step) cargo(t tool, args []string) {
	s.Script = optionValue(args, "-p --package --test --bin --example --bench --manifest-path")
	for _, part := range []string{"--lib", "--bins", "--doc", "--examples"} {
		if slices.Contains(args, part) {
			s.Script = strings.TrimSpace(s.Script + " " + part)
		}
	}
	if t.category == Test {
		s.Filter = strings.TrimSpace(s.Filter + " " + strings.Join(without(operands(args, t.valued), "run"), " "))
	}
}

// filterOf reads the options that select tests. Only the first of the options of
// a tool selects by name; the others keep their names in the filter.
func filterOf(args []string, options string) string {
	var parts []string
	for i, option := range strings.Fields(options) {
		value := optionValue(args, option)
		switch {
		case value == "":
		case i == 0 || strings.HasPrefix(option, "--") && strings.HasSuffix(strings.ToLower(option), "pattern"), option == "--grep", option == "--run":
			parts = append(parts, value)
		default:
			parts = append(parts, option+" "+value)
		}
	}
	return strings.Join(parts, " ")
}

// goals reads the goals of a Java build: those that run tests make it a test.
// Which modules and tests it is limited to stands in its options and in the
// names of Gradle's tasks.
func (s *Step) goals() {
	goals := strings.Fields(s.Script)
	switch s.Tool {
	case "mvn":
		s.Scope = strings.FieldsFunc(optionValue(s.Args, "-pl --projects"), func(r rune) bool { return r == ',' })
		s.Filter = optionValue(s.Args, "-Dtest -Dit.test")
		s.Dir = joinDir(s.Dir, strings.TrimSuffix(optionValue(s.Args, "-f --file"), "pom.xml"))
	case "gradle":
		s.Filter = optionValue(s.Args, "--tests")
		s.Dir = joinDir(s.Dir, optionValue(s.Args, "-p --project-dir"))
		for i, goal := range goals {
			if module, task := path.Split(strings.ReplaceAll(goal, ":", "/")); module != "" && module != "/" {
				s.Scope = append(s.Scope, strings.Trim(module, "/"))
				goals[i] = task
			}
		}
		s.Script = strings.Join(goals, " ")
	}
	for _, goal := range goals {
		name := goal[strings.LastIndex(goal, ":")+1:]
		if name == "test" || name == "verify" || name == "check" || name == "integrationTest" || name == "connectedCheck" {
			s.Category = Test
		}
	}
}

func without(list []string, remove ...string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(item string) bool { return slices.Contains(remove, item) })
}

// operands are the arguments that are no options and no values of options.
func operands(args []string, valued string) []string {
	takesValue := strings.Fields(valued)
	var found []string
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch {
		case arg == "--":
		case slices.Contains(takesValue, arg):
			i++
		case strings.HasPrefix(arg, "-") && len(arg) > 1:
		default:
			found = append(found, arg)
		}
	}
	return found
}

// optionValue is the value of one of the options, "" if none is given.
func optionValue(args []string, options string) string {
	names := strings.Fields(options)
	for i, arg := range args {
		name, value, glued := strings.Cut(arg, "=")
		if !slices.Contains(names, name) {
			continue
		}
		if glued {
			return value
		}
		if i+1 < len(args) {
			return args[i+1]
		}
	}
	return ""
}

const pythonOptions = "-W -X -Q --check-hash-based-pycs"

// python understands python -m module, python -c code and python script.
func (s *Step) python() {
	s.Program, s.Tool = "python", "python"
	for i := 0; i < len(s.Args); i++ {
		arg := s.Args[i]
		rest := s.Args[min(i+1, len(s.Args)):]
		switch {
		case strings.Contains(" "+pythonOptions+" ", " "+arg+" "):
			i++
		case arg == "-m":
			s.module(rest)
			return
		case arg == "-c":
			s.Script = inline(first(rest))
			return
		case arg == "-":
			return
		case strings.HasPrefix(arg, "-"):
		default:
			s.ownScript(arg)
			s.Scope = operands(rest, pythonValued)
			return
		}
	}
}

// pythonValued are options of common test scripts that take a value.
const pythonValued = "--settings --parallel -v --verbosity -k --tag --exclude-tag -p"

// ownScript makes the step a run of a script of the project.
func (s *Step) ownScript(file string) {
	s.Script = strings.TrimPrefix(strings.ReplaceAll(file, `\`, "/"), "./")
	s.Program, s.Tool, s.Category = "python", "python", Runtime
	s.Scope = operands(s.Args, pythonValued)
	if strings.HasSuffix(s.Script, "runtests.py") || strings.HasSuffix(s.Script, "manage.py") && first(s.Scope) == "test" {
		s.Category = Test
	}
	s.Filter = optionValue(s.Args, "-k")
}

func (s *Step) module(args []string) {
	name := first(args)
	rest := args[min(1, len(args)):]
	switch name {
	case "coverage":
		inner, _, ok := wrappers["coverage"][0].inside(rest)
		if ok {
			s.Args = inner
			if strings.Contains(strings.Join(rest, " "), " -m ") {
				s.Args = append([]string{"-m"}, inner...)
			}
			s.python()
			return
		}
		s.Category = ""
		return
	case "json.tool", "http.server", "site", "sysconfig", "timeit", "zipfile", "tarfile", "this", "pydoc", "inspect":
		s.Category = ""
		return
	}
	if t, ok := programs[name]; ok {
		s.Program = name
		s.use(t, rest)
		s.Args = rest
		return
	}
	s.Script = "-m " + name
	s.Scope = operands(rest, "")
}

func (s *Step) node() {
	valued := "-r --require --loader --import -C --conditions --env-file --test-name-pattern --test-reporter --project -P -O"
	for i := 0; i < len(s.Args); i++ {
		arg := s.Args[i]
		switch {
		case arg == "--test":
			s.use(tool{name: "node --test", category: Test, valued: valued, filters: "--test-name-pattern"}, s.Args)
			return
		case arg == "-e" || arg == "--eval" || arg == "-p" || arg == "--print" || arg == "-pe":
			s.Script = inline(strings.Join(s.Args[i+1:], " "))
			return
		case slices.Contains(strings.Fields(valued), arg):
			i++
		case strings.HasPrefix(arg, "-"):
		default:
			s.Script = strings.TrimPrefix(arg, "./")
			s.Scope = nil
			return
		}
	}
}

func (s *Step) script() {
	for i, arg := range s.Args {
		switch {
		case arg == "-e" || arg == "-r" || arg == "-c":
			s.Script = inline(strings.Join(s.Args[i+1:], " "))
			return
		case s.Program == "java" && (arg == "-cp" || arg == "-classpath" || arg == "-jar"):
			s.Script = strings.Join(s.Args[i:], " ")
			return
		case !strings.HasPrefix(arg, "-"):
			s.Script = strings.TrimPrefix(arg, "./")
			s.Scope = operands(s.Args[i+1:], "")
			return
		}
	}
}

// target understands make and its like: the targets are its script.
func (s *Step) target() {
	valued := "-C --directory -f --file --makefile -j -I -o -W"
	if s.Program != "make" {
		valued = "-f --justfile -d --dir -t --taskfile"
	}
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
	s.Category = Build
	if s.Program != "make" {
		s.Category = Runtime
	}
	for _, target := range targets {
		if category := scriptCategory(target); category != "" {
			s.Category = category
		}
	}
	if slices.Contains(s.Args, "-n") || slices.Contains(s.Args, "--dry-run") {
		s.Category = ""
	}
}

// scriptCategory reads the name of a target or package script, "" if it says nothing.
func scriptCategory(name string) Category {
	head, _, _ := strings.Cut(strings.ToLower(name), ":")
	switch head {
	case "test", "tests", "check", "unit", "e2e", "integration", "spec", "coverage":
		return Test
	case "lint", "format", "fmt", "eslint", "prettier", "style":
		return Lint
	case "typecheck", "type-check", "types", "tsc", "check-types":
		return Typecheck
	case "build", "compile", "all", "dist", "install", "bundle":
		return Build
	}
	return ""
}

var packageRunners = []string{"npm", "pnpm", "yarn", "bun"}

// packageScript understands npm run x, npm test and npm install.
func (s *Step) packageScript() bool {
	valued := "-C --dir --prefix -w --workspace -F --filter --cwd"
	if dir := optionValue(s.Args, "-C --dir --prefix --cwd"); dir != "" {
		s.Dir = dir
	}
	words := operands(s.Args, valued)
	switch name := first(words); name {
	case "run", "run-script":
		if len(words) < 2 {
			s.Category = ""
			return true
		}
		s.runsScript(words[1], words[2:])
	case "test", "t", "tst":
		if s.Program == "bun" {
			return false
		}
		s.runsScript("test", words[1:])
	case "start", "stop", "restart":
		s.runsScript(name, words[1:])
	case "", "install", "i", "ci", "add", "update", "up", "upgrade", "remove", "uninstall", "rebuild", "dedupe", "link", "install-test":
		if name == "" && s.Program != "yarn" {
			s.Category = ""
			return true
		}
		s.Tool, s.Category, s.Script = s.Program+" install", Build, "install"
	case "ls", "list", "ll", "view", "info", "show", "outdated", "audit", "config", "whoami", "search", "why", "explain", "root", "bin", "prefix", "help", "pkg", "cache", "fund", "doctor", "version", "init", "get", "set":
		s.Category = ""
	default:
		s.packageBinary(words)
	}
	return true
}

func (s *Step) runsScript(name string, args []string) {
	s.Script, s.Scope = name, args
	if workspace := optionValue(s.Args, "-w --workspace --filter"); workspace != "" {
		s.Scope = append([]string{workspace}, args...)
	}
	s.Tool = s.Program + " run " + name
	s.Category = Runtime
	if category := scriptCategory(name); category != "" {
		s.Category = category
	}
}

// packageBinary understands `yarn jest`: a script, or else an installed program.
func (s *Step) packageBinary(words []string) {
	if s.Program == "npm" {
		s.Script = strings.Join(words, " ")
		return
	}
	i := slices.Index(s.Args, words[0])
	if t, ok := programs[words[0]]; ok {
		s.Program = words[0]
		s.Args = s.Args[i+1:]
		s.use(t, s.Args)
		return
	}
	if strings.Contains(words[0], ".") {
		s.Script = words[0]
		return
	}
	s.runsScript(words[0], words[1:])
}

// xargs runs what its operands say; what is not a check only prints.
func (s *Step) xargs() {
	inner := operands(s.Args, "-n -P -I -L -d -a -s")
	s.Category = ""
	if len(inner) == 0 {
		return
	}
	ran := newStep(s.Args[slices.Index(s.Args, inner[0]):])
	ran.Scope = append(ran.Scope, "<xargs>")
	*s = ran
}

// interprets reports whether the step runs the text that it gets as its input.
func interprets(s Step) bool {
	if s.Script != "" {
		return false
	}
	return slices.Contains([]string{"python", "node", "bash", "sh", "zsh", "ruby", "perl", "php"}, s.Program)
}
