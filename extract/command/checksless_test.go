package command_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wm-lsp/wm-lsp/extract/command"
)

// Errors of the tools whose green runs are held against them.
var (
	failedTest = command.Error{Category: command.Test, Tool: "go test", Path: "store/db_test.go", Test: "TestGet"}
	benchmark  = command.Error{Category: command.Test, Tool: "go test", Path: "store/db_test.go", Test: "BenchmarkGet"}
	vetted     = command.Error{Category: command.Lint, Tool: "go vet", Path: "store/db.go"}
	vettedTest = command.Error{Category: command.Test, Tool: "go test", Path: "store/db.go", Check: command.Lint}
	uncompiled = command.Error{Category: command.Build, Tool: "go build", Path: "store/db.go"}
	unchecked  = command.Error{Category: command.Lint, Tool: "golangci-lint", Path: "store/db.go"}
	uncheckedT = command.Error{Category: command.Lint, Tool: "golangci-lint", Path: "store/db_test.go"}
	crate      = command.Error{Category: command.Build, Tool: "cargo check", Path: "crates/a/src/lib.rs"}
	topCrate   = command.Error{Category: command.Build, Tool: "cargo build", Path: "src/lib.rs"}
	crateTest  = command.Error{Category: command.Test, Tool: "cargo test", Path: "src/lib.rs", Test: "tests::adds"}
	clippy     = command.Error{Category: command.Lint, Tool: "cargo clippy", Path: "src/lib.rs"}
	vitest     = command.Error{
		Category: command.Test, Tool: "vitest", Path: "src/a.test.ts", Test: "src/a.test.ts > cart > totals",
	}
	inPackage = command.Error{
		Category: command.Test, Tool: "vitest", Path: "packages/a/src/x.test.ts",
		Test: "packages/a/src/x.test.ts > sums",
	}
	jest      = command.Error{Category: command.Test, Tool: "jest", Path: "src/a.test.ts", Test: "cart › totals"}
	types     = command.Error{Category: command.Typecheck, Tool: "tsc", Path: "src/a.ts"}
	rule      = command.Error{Category: command.Lint, Tool: "eslint", Path: "src/a.ts"}
	warning   = command.Error{Category: command.Lint, Tool: "eslint", Path: "src/a.ts", Warning: true}
	biome     = command.Error{Category: command.Lint, Tool: "biome", Path: "src/a.ts"}
	pytestOne = command.Error{
		Category: command.Test, Tool: "pytest", Path: "tests/test_a.py", Test: "tests/test_a.py::test_one",
	}
	mypy      = command.Error{Category: command.Typecheck, Tool: "mypy", Path: "app/a.py"}
	ruff      = command.Error{Category: command.Lint, Tool: "ruff", Path: "app/a.py"}
	pylint    = command.Error{Category: command.Lint, Tool: "pylint", Path: "app/a.py"}
	traced    = command.Error{Category: command.Runtime, Tool: "python", Path: "app/a.py"}
	mavenTest = command.Error{Category: command.Test, Tool: "mvn", Test: "shop.CartTest.sums"}
	mavenCode = command.Error{Category: command.Build, Tool: "mvn", Path: "src/main/java/shop/Cart.java"}
	mavenTC   = command.Error{Category: command.Build, Tool: "mvn", Path: "src/test/java/shop/CartTest.java"}
	gradled   = command.Error{Category: command.Test, Tool: "gradle", Test: "shop.CartTest.sums()"}
	gradleC   = command.Error{Category: command.Build, Tool: "gradle", Path: "src/main/java/shop/Cart.java"}
	dotnet    = command.Error{Category: command.Test, Tool: "dotnet test"}
	gcc       = command.Error{Category: command.Build, Tool: "gcc", Path: "src/a.c"}
	ctest     = command.Error{Category: command.Test, Tool: "ctest"}
)

// A greenRun is what a later run with exit code 0 proves of an error that an earlier one reported.
type greenRun struct {
	says  string
	red   string
	e     command.Error
	green string
	want  bool
}

func checkGreenRuns(t *testing.T, runs []greenRun) {
	for _, run := range runs {
		t.Run(run.says+": "+run.red+", "+run.green, func(t *testing.T) {
			assert.Equal(t, run.want, clears(run.green, opened(run.red, run.e)))
		})
	}
}

func TestARunThatOnlyPrintsListsOrPlansClearsNothing(t *testing.T) {
	checkGreenRuns(t, []greenRun{
		{"go build that only prints compiles nothing", "go build ./...", uncompiled, "go build -n ./...", false},
		{"go test that only prints runs nothing", "go test ./...", failedTest, "go test -n ./...", false},
		{"nor does its help", "go test", failedTest, "go test -h", false},
		{"a list of tests runs none", "go test ./...", failedTest, "go test -list . ./...", false},
		{"a list of tests compiles them", "go test ./...", uncompiled, "go test -list . ./...", true},
		{"a compiled test has not run", "go test ./...", failedTest, "go test -c ./store", false},
		{"a compiled test compiles", "go test ./...", uncompiled, "go test -c ./store", true},
		{"what follows -args is for the test", "go test ./store", failedTest, "go test ./store -args -n", true},
		{"go vet in JSON never fails", "go vet ./...", vetted, "go vet -json ./...", false},
		{"the help of a linter checks nothing", "golangci-lint run", unchecked, "golangci-lint run --help", false},
		{"cargo that plans compiles nothing", "cargo build", topCrate, "cargo build --unit-graph -Z x", false},
		{"tests that are not run do not pass", "cargo test", crateTest, "cargo test --no-run", false},
		{"tests that are not run compile", "cargo build", topCrate, "cargo test --no-run", true},
		{"nor do tests that are listed", "cargo test", crateTest, "cargo test -- --list", false},
		{"nextest that lists runs none", "cargo test", crateTest, "cargo nextest list", false},
		{"nextest that lists compiles", "cargo build", topCrate, "cargo nextest list", true},
		{"nextest that tells its version compiles nothing", "cargo build", topCrate, "cargo nextest --version", false},
		{"Jest that lists runs none", "npx jest", jest, "npx jest --listTests", false},
		{"behind a script too", "npm test", jest, "npm test -- --listTests", false},
		{"Vitest that lists runs none", "npx vitest run", vitest, "npx vitest list", false},
		{"tsc that shows its configuration checks nothing", "npx tsc", types, "npx tsc --showConfig", false},
		{"tsc that begins a project checks nothing", "npx tsc", types, "npx tsc --init", false},
		{"tsc that cleans checks nothing", "npx tsc -b", types, "npx tsc -b --clean", false},
		{"ESLint that shows its rules checks nothing", "eslint .", rule, "eslint --print-config src/a.ts", false},
		{"pytest that collects runs none", "pytest", pytestOne, "pytest --collect-only", false},
		{"pytest that lists fixtures runs none", "pytest", pytestOne, "pytest --fixtures", false},
		{"ruff that shows files checks none", "ruff check .", ruff, "ruff check --show-files .", false},
		{"pylint that lists its messages checks nothing", "pylint app", pylint, "pylint --list-msgs app", false},
		{"a version checks nothing, with what stands beside it", "mypy .", mypy, "mypy --version .", false},
		{"make that prints makes nothing", "make test", failedTest, "make --just-print test", false},
		{"with its option among others", "make test", failedTest, "make -kn test", false},
		{"make that asks makes nothing", "make test", failedTest, "make -q test", false},
		{"make that is silent makes all", "make test", failedTest, "make -s test", true},
		{"Gradle that plans runs nothing", "./gradlew test", gradled, "./gradlew test --dry-run", false},
		{"Maven that tells its version runs nothing", "mvn compile", mavenCode, "mvn -v", false},
		{"dotnet that lists runs none", "dotnet test", dotnet, "dotnet test --list-tests", false},
		{"CTest that lists runs none", "ctest", ctest, "ctest -N", false},
		{"a preprocessor compiles nothing", "gcc -c src/a.c", gcc, "gcc -E src/a.c", false},
		{"the help of a program is not a run of it", "python app/b.py", traced, "python app/b.py --help", false},
		{"that a broken help is whole again is", "python app/b.py --help", traced, "python app/b.py --help", true},
	})
}

func TestARunThatLooksForLessClearsOnlyWhatItLooksFor(t *testing.T) {
	checkGreenRuns(t, []greenRun{
		{"an analyzer that is off finds nothing", "go vet ./...", vetted, "go vet -printf=false ./...", false},
		{"one that is on turns the others off", "go vet ./...", vetted, "go vet -printf ./...", false},
		{"the compiler is not an analyzer", "go build ./...", uncompiled, "go vet -printf=false ./...", true},
		{"off as before is the same", "go vet -printf=false ./...", vetted, "go vet -printf=false ./...", true},
		{"all find what some found", "go vet -printf=false ./...", vetted, "go vet ./...", true},
		{"an option of the build is not an analyzer", "go vet ./...", vetted, "go vet -x -tags db ./...", true},
		{"go test without vet does not vet", "go test ./...", vettedTest, "go test -vet=off ./...", false},
		{"but tests", "go test ./...", failedTest, "go test -vet=off ./...", true},
		{"short tests leave some out", "go test ./...", failedTest, "go test -short ./...", false},
		{"short tests compile all", "go build ./...", uncompiled, "go test -short ./...", true},
		{"not short after all", "go test ./...", failedTest, "go test -short=false ./...", true},
		{"a test that is left out did not run", "go test ./...", failedTest, "go test -skip 'TestG' ./...", false},
		{"others than the one left out did", "go test ./...", failedTest, "go test -skip TestPut ./...", true},
		{"a linter leaves tests out", "golangci-lint run", uncheckedT, "golangci-lint run --tests=false", false},
		{"and looks at the code", "golangci-lint run", unchecked, "golangci-lint run --tests=false", true},
		{"all packages are all", "golangci-lint run", unchecked, "golangci-lint run ./...", true},
		{"a folder with its subfolders", "golangci-lint run", unchecked, "golangci-lint run store/...", true},
		{"linters that are off find nothing", "golangci-lint run", unchecked, "golangci-lint run -D errcheck", false},
		{"only what is new is less", "golangci-lint run", unchecked, "golangci-lint run --new-from-rev=main", false},
		{"also what is not new is all", "golangci-lint run", unchecked, "golangci-lint run --new=false", true},
		{"other checks", "staticcheck ./...", command.Error{
			Category: command.Lint, Tool: "staticcheck", Path: "store/db.go",
		}, "staticcheck -checks S1000 ./...", false},
		{"a package that is left out", "cargo check --workspace", crate, "cargo check --workspace --exclude a", false},
		{"another one", "cargo check --workspace", crate, "cargo check --workspace --exclude b", true},
		{"a test that is skipped", "cargo test", crateTest, "cargo test -- --skip adds", false},
		{"another one that is", "cargo test", crateTest, "cargo test -- --skip subs", true},
		{"tests of no such name", "cargo test", crateTest, "cargo test adds -- --exact", false},
		{"the test by its whole name", "cargo test", crateTest, "cargo test tests::adds -- --exact", true},
		{"pytest without another file", "pytest", pytestOne, "pytest --deselect tests/test_b.py", true},
		{"make that goes on anyhow", "make test", failedTest, "make -i test", false},
		{"only ignored tests", "cargo test", crateTest, "cargo test -- --ignored", false},
		{"a lint that is allowed", "cargo clippy", clippy, "cargo clippy -- -A clippy::all", false},
		{"Vitest of what changed", "npx vitest run", vitest, "npx vitest run --changed", false},
		{"Vitest without the file", "npx vitest run", vitest, "npx vitest run --exclude 'src/a*'", false},
		{"Vitest without another", "npx vitest run", vitest, "npx vitest run --exclude src/b.test.ts", true},
		{"Vitest of one project", "npx vitest run", vitest, "npx vitest run --project unit", false},
		{"Vitest of what a file is needed for", "npx vitest run", vitest, "npx vitest related src/a.ts --run", false},
		{"a part of the tests", "npx jest", jest, "npx jest --shard=1/2", false},
		{"Jest of other files by a pattern", "npx jest", jest, "npx jest --testPathPatterns=b.test", false},
		{"Jest of the file by a pattern", "npx jest", jest, "npx jest --testPathPattern a.test", true},
		{"what a script is given may leave out", "npm test", jest, "npm test -- --onlyChanged", false},
		{"what it is given for the eye does not", "npm test", jest, "npm test -- --coverage --verbose", true},
		{"the test by its name", "npm test", jest, "npm test -- -t 'cart totals'", true},
		{"another by its name", "npm test", jest, "npm test -- -t user", false},
		{"tsc that does not check", "npx tsc", types, "npx tsc --noCheck", false},
		{"without warnings all errors are looked for", "eslint .", rule, "eslint --quiet .", true},
		{"but warnings", "eslint --max-warnings 0 .", warning, "eslint --quiet .", false},
		{"other rules", "eslint .", rule, "eslint . --rule 'no-undef: off'", false},
		{"files that are left out", "eslint .", rule, "eslint . --ignore-pattern src", false},
		{"Biome that formats does not lint", "biome check .", biome, "biome format .", false},
		{"Biome of another file", "biome check .", biome, "biome check src/b.ts", false},
		{"Biome of the file", "biome check .", biome, "biome check src/a.ts", true},
		{"Biome of a hidden folder", "biome check .", command.Error{
			Category: command.Lint, Tool: "biome", Path: ".pi/index.ts",
		}, "biome check .pi/index.ts", true},
		{"pytest without the file", "pytest", pytestOne, "pytest --ignore=tests/test_a.py", false},
		{"pytest without another folder", "pytest", pytestOne, "pytest --ignore tests/slow", true},
		{"pytest without the test", "pytest", pytestOne, "pytest --deselect tests/test_a.py::test_one", false},
		{"pytest without another test", "pytest", pytestOne, "pytest --deselect tests/test_a.py::test_two", true},
		{"the last failures are those that failed", "pytest", pytestOne, "pytest --lf", true},
		{"mypy without some files", "mypy .", mypy, "mypy --exclude app .", false},
		{"mypy of the package", "mypy .", mypy, "mypy -p app", true},
		{"mypy of another package", "mypy .", mypy, "mypy -p web", false},
		{"rules that are ignored", "ruff check .", ruff, "ruff check --ignore E501 .", false},
		{"a linter that never fails", "ruff check .", ruff, "ruff check --exit-zero .", false},
		{"only errors", "pylint app", pylint, "pylint -E app", false},
		{"a variable of make may select", "make test", failedTest, "make test RUN=TestX", false},
		{"one that makes it talk does not", "make test", failedTest, "make test V=1", true},
		{"the same one does not", "make test RUN=TestX", failedTest, "make test RUN=TestX", true},
		{"without tests none run", "mvn test", mavenTest, "mvn test -DskipTests", false},
		{"also of the same goal", "mvn install", mavenTest, "mvn install -DskipTests", false},
		{"without tests the code compiles", "mvn compile", mavenCode, "mvn package -DskipTests", true},
		{"and the tests", "mvn test", mavenTC, "mvn package -DskipTests", true},
		{"unless they are left out", "mvn test", mavenTC, "mvn package -Dmaven.test.skip=true", false},
		{"failures that are ignored", "mvn test", mavenTest, "mvn -fn test", false},
		{"Gradle without tests", "./gradlew build", gradled, "./gradlew build -x test", false},
		{"turbo of one package", "npx turbo run build", types, "npx turbo run build --filter=api", false},
		{"turbo in other words", "npx turbo run build", types, "npx turbo build", true},
	})
}

func TestARunClearsNothingThatAnotherLookedForBesides(t *testing.T) {
	checkGreenRuns(t, []greenRun{
		{"a race is found with the detector", "go test -race ./...", failedTest, "go test ./...", false},
		{"the detector finds other failures too", "go test ./...", failedTest, "go test -race ./...", true},
		{"a benchmark runs when it is asked for", "go test -bench . ./...", benchmark, "go test ./...", false},
		{"tests run beside benchmarks", "go test ./...", failedTest, "go test -bench . ./...", true},
		{"a linter of its own", "golangci-lint run -E gosec", unchecked, "golangci-lint run", false},
		{"warnings that are denied", "cargo clippy -- -D warnings", clippy, "cargo clippy", false},
		{"written in one word", "cargo clippy -- -Dwarnings", clippy, "cargo clippy -- -D warnings", true},
		{"the code of tests", "cargo clippy --all-targets", clippy, "cargo clippy", false},
		{"is compiled by the tests", "cargo check --all-targets", topCrate, "cargo test", true},
		{"features are not targets", "cargo check --all-targets", topCrate, "cargo check --all-features", false},
		{"the package of the folder is not all", "cargo check --workspace", crate, "cargo check", false},
		{"but its own", "cargo check --workspace", topCrate, "cargo check", true},
		{"tests that are ignored", "cargo test -- --ignored", crateTest, "cargo test", false},
		{"warnings that fail", "eslint --max-warnings 0 .", warning, "eslint .", false},
		{"errors fail anyway", "eslint --max-warnings 0 .", rule, "eslint .", true},
		{"a project that only refers to others", "npx tsc -b", types, "npx tsc --noEmit", false},
		{"more rules", "mypy --strict .", mypy, "mypy .", false},
		{"warnings that are errors", "pytest -W error", pytestOne, "pytest", false},
		{"warnings that are ignored are none", "pytest", pytestOne, "pytest -W ignore", true},
		{"other rules", "ruff check --select ALL .", ruff, "ruff check .", false},
		{"the same rules", "ruff check --select ALL .", ruff, "ruff check --select=ALL app", true},
		{"warnings of a compiler that are errors", "gcc -Werror -c src/a.c", gcc, "gcc -c src/a.c", false},
	})
}

func TestARunOfAnotherTaskClearsOnlyWhatThatDoes(t *testing.T) {
	checkGreenRuns(t, []greenRun{
		{"to read a script runs nothing", "node a.js", command.Error{
			Category: command.Runtime, Tool: "node", Path: "a.js",
		}, "node --check a.js", false},
		{"to clean compiles nothing", "mvn compile", mavenCode, "mvn clean", false},
		{"to resolve compiles nothing", "mvn compile", mavenCode, "mvn dependency:tree", false},
		{"a later phase compiles", "mvn compile", mavenCode, "mvn clean verify", true},
		{"a later phase tests", "mvn test", mavenTest, "mvn clean install", true},
		{"an earlier phase does not", "mvn test", mavenTest, "mvn test-compile", false},
		{"the code compiles without its tests", "mvn test", mavenTC, "mvn compile", false},
		{"Gradle that cleans compiles nothing", "./gradlew compileJava", gradleC, "./gradlew clean", false},
		{"Gradle that builds compiles", "./gradlew compileJava", gradleC, "./gradlew build", true},
		{"Gradle that builds tests", "./gradlew test", gradled, "./gradlew build", true},
		{"Gradle that forgets the results does not", "./gradlew test", gradled, "./gradlew cleanTest", false},
		{"Gradle that assembles does not", "./gradlew test", gradled, "./gradlew assemble", false},
		{"to configure builds nothing", "cmake --build build", gcc, "cmake -S . -B build", false},
		{"the same build does", "cmake --build build", gcc, "cmake --build build -j8", true},
		{"another command of a program", "dotnet test", dotnet, "dotnet build", false},
		{"what tells about itself", "dotnet test", dotnet, "dotnet --info", false},
		{"a build of a package tests nothing", "cargo test -p a", crateTest, "cargo build -p a", false},
		{"the tests of another project", "dotnet test", dotnet, "dotnet test Other.Tests", false},
		{"a command of a script", "python manage.py migrate", traced, "python manage.py check", false},
		{"the same command of a script", "python manage.py migrate", traced, "python manage.py migrate", true},
		{"the script with other options", "python app/b.py in.json --fast", traced, "python app/b.py in.json", true},
	})
}

func TestTheSameChecksInOtherWordsClear(t *testing.T) {
	checkGreenRuns(t, []greenRun{
		{"by the package", "cargo check --workspace", crate, "cargo check -p a", true},
		{"by one of the packages", "cargo check --workspace", crate, "cargo check -p b", false},
		{"by the folder of the package", "cargo check --workspace", crate, "cd crates/a && cargo check", true},
		{"by its manifest", "cargo check --workspace", crate, "cargo check --manifest-path crates/a/Cargo.toml", true},
		{"by the target", "cargo test", crateTest, "cargo test --lib", true},
		{"by another target", "cargo test", crateTest, "cargo test --test it", false},
		{"by nextest", "cargo test", crateTest, "cargo nextest run", true},
		{"by nextest of other tests", "cargo test", crateTest, "cargo nextest run -E 'test(subs)'", false},
		{"in a container", "pytest", pytestOne, "docker compose exec -T app pytest", true},
		{"in a new container", "pytest", pytestOne, "docker compose -f dev.yml run --rm -e CI=1 app pytest -q", true},
		{"another file in a container", "pytest", pytestOne, "docker compose exec app pytest tests/test_b.py", false},
		{"in a workspace by name", "npm test", inPackage, "pnpm --filter @shop/a test", true},
		{"in another workspace", "npm test", inPackage, "pnpm -F b test", false},
		{"of yarn", "npm test", inPackage, "yarn workspace a test", true},
		{"with a value of its own", "npx tsc --noEmit", types, "npx tsc --noEmit --watch false", true},
		{"of a project of another name", "npx tsc", types, "npx tsc -p tsconfig.build.json", false},
		{"of a project in its folder", "npx tsc", types, "npx tsc -p src", true},
	})
}
