package mining

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/extract/command"
	"github.com/wm-lsp/wm-lsp/memory/settings"
	"github.com/wm-lsp/wm-lsp/memory/tool"
)

// steps returns the steps of a command line that ended with an exit code.
func steps(line string, code int, output string, wrote ...string) []Step {
	run := tool.NewRun(line, "/w", "/w", command.Output{Stdout: output, ExitCode: &code}, settings.Default().Errors)
	return StepsOf(run, func(file string) bool {
		for _, known := range wrote {
			if known == file {
				return true
			}
		}
		return false
	})
}

func TestACommandIsKnownWhateverItsArgumentsAre(t *testing.T) {
	for line, want := range map[string]Step{
		"make lint": {Key: "make lint", Line: "make lint", What: Lint, Own: "lint"},
		"go test -v -run TestTotal ./cart": {
			Key: "go test <path> -run <name>", Line: "go test -v -run <name> <path>",
			Values: []string{"TestTotal", "./cart"}, What: Test,
		},
		"timeout 60 pytest -q tests/test_a.py tests/test_b.py": {
			Key: "pytest <path>", Line: "pytest -q <path>", Values: []string{"tests/test_a.py tests/test_b.py"},
			What: Test,
		},
		`git commit -m "cart: round half up"`: {
			Key: "git commit -m <text>", Line: "git commit -m <text>", Values: []string{"cart: round half up"},
			What: Commit,
		},
		"cd web && npm run build": {
			Key: "web: npm run build", Line: "cd web && npm run build", What: Build, Own: "build",
		},
		"python manage.py makemigrations": {
			Key: "python manage.py makemigrations", Line: "python manage.py makemigrations", What: Other,
			Own: "manage.py",
		},
		"./scripts/load.py 2026-01": {
			Key: "./scripts/load.py <name>", Line: "./scripts/load.py <name>", Values: []string{"2026-01"}, What: Other,
			Own: "scripts/load.py",
		},
		"python3 tests/runtests.py forms": {
			Key: "python3 tests/runtests.py <name>", Line: "python3 tests/runtests.py <name>",
			Values: []string{"forms"}, What: Test, Own: "tests/runtests.py",
		},
		"bin/test sympy/core": {
			Key: "bin/test <path>", Line: "bin/test <path>", Values: []string{"sympy/core"}, What: Test,
			Own: "bin/test",
		},
	} {
		t.Run(line, func(t *testing.T) {
			want.Outcome = Succeeded
			got := steps(line, 0, "")
			require.Len(t, got, 1)
			assert.Equal(t, want, got[0])
		})
	}
}

func TestWhatIsNoPartOfAProcedure(t *testing.T) {
	for name, line := range map[string]string{
		"it only prints":              "cat cart.go",
		"it only searches":            "grep -rn Total . | head",
		"it lists tags":               "git tag -l",
		"a check with a variable":     "make lint FILE=$FILE",
		"code in the command line":    "python3 -c 'print(1)'",
		"an argument of the shell":    "make test FILE=$(ls | head -1)",
		"a variable":                  "go test $PACKAGES",
		"its help":                    "mytool deploy --help",
		"a folder elsewhere":          "cd /elsewhere && make lint",
		"a script of the session":     "python3 reproduce.py",
		"a test of the session":       "pytest reproduce.py",
		"what stands in a background": "make serve &",
	} {
		t.Run(name, func(t *testing.T) { assert.Empty(t, steps(line, 0, "", "reproduce.py")) })
	}
}

func TestTheOutcomeIsWhatTheRunProves(t *testing.T) {
	for name, test := range map[string]struct {
		line   string
		code   int
		output string
		want   []Outcome
	}{
		"it succeeded":                   {"make lint", 0, "", []Outcome{Succeeded}},
		"it failed":                      {"make lint", 1, "", []Outcome{Failed}},
		"both succeeded":                 {"make lint && make test", 0, "", []Outcome{Succeeded, Succeeded}},
		"one failed, nobody knows which": {"make lint && make build", 2, "", []Outcome{Unknown, Unknown}},
		"a pipe hides it":                {"make lint | head -5", 0, "x", []Outcome{Unknown}},
		"the summary behind a pipe": {"go test ./cart | tail -3", 0, "ok  \texample.com/cart\t0.1s\n",
			[]Outcome{Succeeded}},
		"a failure behind a pipe": {"go test ./cart | tail -3", 0,
			"--- FAIL: TestTotal (0.00s)\nFAIL\nFAIL\texample.com/cart\t0.1s\nFAIL\n", []Outcome{Failed}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []Outcome
			for _, s := range steps(test.line, test.code, test.output) {
				got = append(got, s.Outcome)
			}
			assert.Equal(t, test.want, got)
		})
	}
}

// work returns episodes of sessions of their own, each with the same steps.
func work(times int, purpose string, did ...Step) []Episode {
	var episodes []Episode
	for i := range times {
		episodes = append(episodes, Episode{
			Session: fmt.Sprintf("%s %d", purpose, i), Turn: 1, At: time.Date(2026, 3, 1, i, 0, 0, 0, time.UTC),
			Purpose: purpose, Steps: did,
		})
	}
	return episodes
}

func ran(line string, code int) Step { return steps(line, code, "")[0] }

func changed(file string) Step { return Step{File: file} }

func titles(found []Found) []string {
	list := []string{}
	for _, f := range found {
		list = append(list, f.Title)
	}
	return list
}

func TestCommandsThatSucceedTogetherAreAProcedure(t *testing.T) {
	found := Mine(append(
		work(3, "round the total", changed("cart/total.go"), ran("make lint", 1), changed("cart/total.go"),
			ran("make lint", 0), ran("make test", 0)),
		work(1, "add a tax", changed("cart/tax.go"), ran("make lint", 0), ran("make test", 1))...,
	))
	require.Len(t, found, 1)
	assert.Equal(t, "Check a change: lint and test", found[0].Title)
	assert.Equal(t, "Before a change to Go files below cart is done.", found[0].Purpose)
	assert.Equal(t, []string{"make lint", "make test"}, found[0].Commands)
	assert.Equal(t, [2]int{3, 4}, [2]int{found[0].Successes, found[0].Attempts})
	assert.Len(t, found[0].Evidence, 3)
}

func TestAProcedureHasAllThatItsCommandsDependOn(t *testing.T) {
	release := func(lines ...string) (episodes []Episode) {
		for _, version := range []string{"1.2.0", "1.3.0", "1.4.0", "1.5.0"} {
			var did []Step
			for _, line := range lines {
				did = append(did, ran(strings.ReplaceAll(line, "VERSION", version), 0))
			}
			episodes = append(episodes, work(1, "release "+version, did...)...)
		}
		return episodes
	}
	different := release("make test", "./announce.sh", "git push origin vVERSION")
	for i := range different {
		did := []Step{ran(fmt.Sprintf("ruby bin/note-%c.rb", 'a'+i), 0)}
		different[i].Steps = append(did, different[i].Steps...)
	}
	for name, test := range map[string]struct {
		episodes []Episode
		want     [][]string
	}{
		"a tag": {
			release("make test", "git tag vVERSION", "git push origin vVERSION"),
			[][]string{{"make test", "git tag v<version>", "git push origin v<version>"}},
		},
		"a tag behind checks": {
			release("go test ./...", "go build ./...", "git tag vVERSION"),
			[][]string{{"go test ./...", "go build ./...", "git tag v<version>"}},
		},
		"a version as an argument": {
			release("npm test", "npm version VERSION", "npm publish"),
			[][]string{{"npm test", "npm version <version>", "npm publish"}},
		},
		"an edited file": {
			release(
				"sed -i s/x/VERSION/ setup.cfg", "git commit -am 'release VERSION'",
				"git tag -a vVERSION -m vVERSION", "git push --tags",
			),
			[][]string{{
				"sed -i <text> setup.cfg", "git commit -am <text>", "git tag -a v<version> -m <text>",
				"git push --tags",
			}},
		},
		"the tag of an image": {
			release(
				"docker build -t app:VERSION .", "docker push app:VERSION",
				"kubectl set image deploy/app app=app:VERSION",
			),
			[][]string{{
				"docker build -t app:<version> .", "docker push app:<version>",
				"kubectl set image deploy/app app=app:<version>",
			}},
		},
		"an argument that only the shell knows": {
			release("make test", `git tag "$TAG"`, "git push origin vVERSION"),
			[][]string{{"make test", "git tag <arg>", "git push origin v<version>"}},
		},
		"a command that is another one each time": {different, nil},
		"what only checks": {
			release("git fetch", "make lint", "make test"), [][]string{{"make lint", "make test"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var commands [][]string
			for _, f := range Mine(test.episodes) {
				commands = append(commands, f.Commands)
			}
			assert.Equal(t, test.want, commands)
		})
	}
}

func TestWhatIsDoneBesideBelongsToTheNextCommand(t *testing.T) {
	var did []Step
	for range 4 {
		did = append(did, ran("git add a.go", 0), ran("make release", 0))
	}
	found := Mine(append(
		work(3, "release", did...), work(3, "release", ran("git add b.go", 0), ran("make release", 0))...,
	))
	require.Len(t, found, 1)
	assert.Equal(t, []string{"git add <arg>", "make release"}, found[0].Commands)
}

func TestAPurposeSaysWhatTheTitleDoesNot(t *testing.T) {
	for name, test := range map[string]struct {
		episodes []Episode
		want     [2]string // title and purpose
	}{
		"tests": {work(3, "x", ran("mise run test:integration", 0)), [2]string{"Run the tests: test:integration", ""}},
		"installing": {
			work(3, "x", ran("pip install -r requirements-dev.txt -e .", 0)), [2]string{"Install the dependencies", ""},
		},
		"publishing": {
			work(3, "x", ran("make bundle", 0), ran("make release", 0)),
			[2]string{"Publish a change: bundle and release", ""},
		},
		"a change": {
			work(3, "x", changed("a.go"), ran("make lint", 0), ran("make test", 0)),
			[2]string{"Check a change: lint and test", "Before a change to Go files is done."},
		},
		"an unknown program": {
			append(work(3, "search the beads", ran("bd search harbor --json", 0)),
				work(6, "rename", changed("a.go"))...),
			[2]string{"Run bd search", "Asked for with: beads, search."},
		},
		"the only work of a workspace": {
			work(3, "please deploy the new api to staging", ran("npm run build", 0),
				ran("./scripts/deploy.sh staging", 0)),
			[2]string{"Run build and deploy.sh", "Asked for with: deploy, staging."},
		},
		"most of the work of a workspace": {
			append(work(3, "deploy to staging", ran("./scripts/deploy.sh staging", 0)),
				work(1, "rename", changed("a.go"))...),
			[2]string{"Run deploy.sh", "Asked for with: deploy, staging."},
		},
		"prompts that have nothing in common": {
			[]Episode{
				{Session: "1", Purpose: "the cart is empty", Steps: generated("api/a.ts")},
				{Session: "2", Purpose: "return 404 for users", Steps: generated("api/b.ts")},
				{Session: "3", Purpose: "refunds", Steps: generated("api/c.ts")},
			},
			[2]string{"Run openapi and build", "Before a change to TypeScript files below api is done."},
		},
		"files of two kinds": {
			work(3, "x", changed("server/user.go"), changed("web/user.ts"), ran("make lint", 0), ran("make test", 0)),
			[2]string{
				"Check a change: lint and test",
				"Before a change to Go files below server and TypeScript files below web is done.",
			},
		},
		"files of the folder itself": {
			work(3, "x", changed("main.go"), changed("docs/user.md"), ran("make lint", 0), ran("make test", 0)),
			[2]string{
				"Check a change: lint and test",
				"Before a change to Go files and Markdown files below docs is done.",
			},
		},
		"files of two folders": {
			append(work(2, "x", changed("a/x/y.go"), ran("make lint", 0), ran("make test", 0)),
				work(2, "x", changed("a/z/y.go"), ran("make lint", 0), ran("make test", 0))...),
			[2]string{"Check a change: lint and test", "Before a change to Go files below a is done."},
		},
		"a target of a tool that builds": {
			work(3, "seed the database", ran("make seed", 0)), [2]string{"Run seed", "Asked for with: database, seed."},
		},
		"files": {
			append(work(3, "x", changed("a.go"), changed("b.sql")), work(6, "y", changed("c.go"))...),
			[2]string{"Change a.go and b.sql together", "When a.go or b.sql is changed."},
		},
	} {
		t.Run(name, func(t *testing.T) {
			found := Mine(test.episodes)
			require.Len(t, found, 1)
			assert.Equal(t, test.want, [2]string{found[0].Title, found[0].Purpose})
		})
	}
}

// generated returns the steps of a change of a file of which others are made.
func generated(file string) []Step {
	return []Step{changed(file), ran("make openapi", 0), ran("npm run build", 0)}
}

func TestWhatSomebodyWouldNotKeepIsNotFound(t *testing.T) {
	for name, episodes := range map[string][]Episode{
		"it succeeded twice":        work(2, "x", ran("make lint", 0), ran("make test", 0)),
		"it failed":                 work(5, "x", ran("make lint", 1), ran("make test", 1)),
		"everybody knows it":        work(5, "x", ran("go build ./...", 0)),
		"everybody installs so":     work(5, "x", ran("npm install", 0)),
		"only git":                  work(5, "x", ran("git commit -m 'a b'", 0), ran("git push origin main", 0)),
		"nobody knows what it does": work(5, "", ran("mytool sync up", 0)),
		"prompts say what all do":   work(5, "please run the new code", ran("mytool sync up", 0)),
		"one command in one episode": {{Session: "s", Steps: []Step{
			ran("make bundle", 0), ran("make bundle", 0), ran("make bundle", 0),
		}}},
		"two files of one stem": work(5, "x", changed("a/total.go"), changed("a/total_test.go")),
		"a file that all change": append(work(5, "x", changed("CHANGES.md"), changed("a.go")),
			work(5, "y", changed("CHANGES.md"), changed("b.go"))...),
		"files of one session": oneSession(work(4, "x", changed("a.go"), changed("b.sql"))),
		"fixed by different things": {
			{Session: "1", Steps: []Step{ran("make test", 1), ran("make clean", 0), ran("make test", 0)}},
			{Session: "2", Steps: []Step{ran("make test", 1), ran("npm install", 0), ran("make test", 0)}},
			{Session: "3", Steps: []Step{ran("make test", 1), changed("a.go"), ran("make test", 0)}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			others := work(8, "something else", changed("z1.go"), changed("z2.go"), changed("z3.go"))
			for i := range others {
				others[i].Steps = others[i].Steps[i%3 : i%3+1]
			}
			found := Mine(append(episodes, others...))
			for _, f := range found {
				if name == "fixed by different things" && f.Kind == Procedure {
					continue
				}
				assert.Fail(t, "it is found", "%+v", f)
			}
		})
	}
}

func oneSession(episodes []Episode) []Episode {
	for i := range episodes {
		episodes[i].Session, episodes[i].Turn = "one", i
	}
	return episodes
}

func TestACommandOfUnknownUseIsNamedByThePromptsForIt(t *testing.T) {
	others := work(6, "rename the total", changed("a.go"))
	found := Mine(
		append(
			work(3, "search the beads for the harbor issue", steps("bd search harbor --json", 0, "")...),
			others...),
	)
	require.Len(t, found, 1)
	assert.Equal(t, "Run bd search", found[0].Title)
	assert.Contains(t, found[0].Words, "beads")
}

func TestTheCommandsOfAScriptAreKeptApart(t *testing.T) {
	var episodes []Episode
	for i, command := range []string{"migrate", "migrate", "migrate", "check", "loaddata", "collectstatic"} {
		purpose := "add a column to the orders"
		if command != "migrate" {
			purpose = "look after the " + command
		}
		episodes = append(episodes, Episode{
			Session: fmt.Sprint(i), Turn: 1, Purpose: purpose,
			Steps: []Step{ran("python manage.py makemigrations", 0), ran("python manage.py "+command, 0)},
		})
	}
	found := Mine(episodes)
	require.Len(t, found, 1)
	assert.Equal(t, []string{"python manage.py makemigrations", "python manage.py migrate"}, found[0].Commands)
	assert.Equal(t, "Run manage.py makemigrations and manage.py migrate", found[0].Title)
}

func TestArgumentsThatDifferAreLeftOpen(t *testing.T) {
	var episodes []Episode
	for i, word := range []string{"harbor", "opik", "phoenix", "studio"} {
		episodes = append(episodes, Episode{
			Session: fmt.Sprint(
				i,
			), Purpose: "look for beads on " + word, Steps: steps("bd search "+word+" --json", 0, ""),
		})
	}
	found := Mine(append(episodes, work(6, "rename the total", changed("a.go"))...))
	require.Len(t, found, 1)
	assert.Equal(t, []string{"bd search <arg> --json"}, found[0].Commands)
}

func TestArgumentsThatStayTheSameAreFilledIn(t *testing.T) {
	found := Mine(work(3, "x", ran("go test -tags=integration -run TestA ./cli/integration", 0)))
	require.Len(t, found, 1)
	assert.Equal(t, []string{"go test -tags=integration -run TestA ./cli/integration"}, found[0].Commands)

	episodes := work(3, "x", ran("go test -tags=integration -run TestA ./cli/integration", 0))
	episodes[1].Steps = []Step{ran("go test -tags=integration -run TestB ./cli/integration", 0)}
	found = Mine(episodes)
	require.Len(t, found, 1)
	assert.Equal(t, []string{"go test -tags=integration -run <name> ./cli/integration"}, found[0].Commands)
	assert.Equal(t, "Run tests by name", found[0].Title)
}

func TestWhatAlwaysFailedForTheSameIsToBeAvoided(t *testing.T) {
	found := Mine(
		work(
			3,
			"x",
			ran("python3 -m pytest core/tests/test_basic.py", 1),
			ran("bin/test core/tests/test_basic.py", 0),
		),
	)
	require.NotEmpty(t, found)
	for _, f := range found {
		if f.Kind == Procedure {
			assert.Equal(t, []string{"python3 -m pytest <path>"}, f.Avoid)
		}
	}
}

func TestWhatEndedAFailureIsAFix(t *testing.T) {
	found := Mine(work(3, "x", steps("bun run lint", 1, "Formatter would have printed the following content:")[0],
		ran("bunx biome check --write src/a.ts", 0), ran("bun run lint", 0)))
	var fixes []Found
	for _, f := range found {
		if f.Kind == Fix {
			fixes = append(fixes, f)
		}
	}
	require.Len(t, fixes, 1)
	assert.Equal(t, []string{"bun run lint", "bunx biome check --write src/a.ts"}, fixes[0].Commands)
	assert.Equal(t, "Fix a failing bun run lint", fixes[0].Title)
	assert.Equal(t, [2]int{3, 3}, [2]int{fixes[0].Successes, fixes[0].Attempts})
}

func TestTheFileThatEndsAnErrorIsAFix(t *testing.T) {
	found := Mine(
		work(
			3,
			"x",
			steps("go test ./cart", 1, "--- FAIL: TestGolden (0.00s)\n    golden_test.go:9: differs\nFAIL\n")[0],
			changed("cart/testdata/golden.txt"),
			ran("go test ./cart", 0),
		),
	)
	require.Len(t, found, 1)
	assert.Equal(t, Fix, found[0].Kind)
	assert.Equal(t, []string{"cart/testdata/golden.txt"}, found[0].Files)
	assert.NotEmpty(t, found[0].Error)
}

func TestFilesThatMostlyChangeTogetherAreFound(t *testing.T) {
	episodes := append(work(3, "add a route", changed("api/routes.ts"), changed("api/openapi.json")),
		work(2, "mend the types", changed("api/openapi.json"))...)
	found := Mine(append(episodes, work(8, "something else", changed("web/a.ts"))...))
	require.Len(t, found, 1)
	assert.Equal(t, []string{"api/routes.ts", "api/openapi.json"}, found[0].Files, "the rule is about the routes")
	assert.Equal(t, [2]int{3, 3}, [2]int{found[0].Successes, found[0].Attempts})
}

func TestAHabitIsOneSkill(t *testing.T) {
	a, b, c := changed("api/a.go"), changed("api/b.json"), changed("web/c.ts")
	type skill struct {
		files     []string
		proof     [2]int
		evidences int
	}
	for name, test := range map[string]struct {
		episodes [][]Step
		want     []skill
	}{
		"of three files that mostly change together": {
			[][]Step{{a, b, c}, {a, b, c}, {a, b, c}, {a, b}, {b, c}, {a, c}},
			[]skill{{[]string{"api/a.go", "web/c.ts", "api/b.json"}, [2]int{5, 6}, 5}},
		},
		"of a file, another and its test": {
			slices.Repeat([][]Step{{a, changed("api/a_test.go"), c}}, 3),
			[]skill{{[]string{"api/a.go", "api/a_test.go", "web/c.ts"}, [2]int{3, 3}, 3}},
		},
		"of many files": {
			slices.Repeat([][]Step{{a, b, c, changed("x/d"), changed("y/e"), changed("z/f")}}, 4),
			[]skill{{
				[]string{"api/a.go", "api/b.json", "web/c.ts", "x/d", "y/e", "z/f"}, [2]int{4, 4}, 4,
			}},
		},
		"but not with a file that seldom changes with the others": {
			slices.Concat(slices.Repeat([][]Step{{a, b}}, 7), slices.Repeat([][]Step{{a, b, c}}, 3)),
			[]skill{
				{[]string{"api/a.go", "api/b.json"}, [2]int{10, 10}, 10},
				{[]string{"web/c.ts", "api/a.go", "api/b.json"}, [2]int{3, 3}, 3},
			},
		},
		"but two habits are two": {
			slices.Concat(slices.Repeat([][]Step{{a, b}}, 4), slices.Repeat([][]Step{{b, c}}, 3)),
			[]skill{
				{[]string{"api/a.go", "api/b.json"}, [2]int{4, 4}, 4},
				{[]string{"web/c.ts", "api/b.json"}, [2]int{3, 3}, 3},
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var episodes []Episode
			for i, did := range test.episodes {
				episodes = append(episodes, Episode{Session: fmt.Sprint(i), Turn: 1, Steps: did})
			}
			var found []skill
			for _, f := range Mine(append(episodes, work(20, "something else", changed("other.go"))...)) {
				found = append(found, skill{f.Files, [2]int{f.Successes, f.Attempts}, len(f.Evidence)})
			}
			assert.ElementsMatch(t, test.want, found)
		})
	}
}

func TestE13_TheSamePracticeGivesTheSameSkills(t *testing.T) {
	episodes := append(
		work(
			4,
			"add a route",
			changed("api/routes.ts"),
			changed("api/openapi.json"),
			ran("make lint", 0),
			ran(
				"make test",
				0,
			),
			ran("make bundle", 0),
		),
		work(5, "mend", ran("make test", 1), ran("npm install", 0), ran("make test", 0))...)
	first := Mine(episodes)
	require.NotEmpty(t, titles(first))
	for range 20 {
		assert.Equal(t, first, Mine(episodes))
	}
}

func FuzzStepsAndMine(f *testing.F) {
	for _, line := range []string{
		"make lint && make test", `git commit -m "a b"`, "cd x && go test -run 'A|B' ./... | tail -3", "'", `"\`,
		"<path> <arg>",
		"bd search <text> --json", "npm run a:b -- --c=d", "FOO=1 timeout 5 make", "\xff\x00 -m",
	} {
		f.Add(line, "FAIL")
	}
	f.Fuzz(func(t *testing.T, line, output string) {
		var did []Step
		for _, code := range []int{1, 0} {
			did = append(did, steps(line, code, output)...)
			did = append(did, changed("a.go"))
		}
		for _, s := range did {
			if s.File == "" {
				assert.NotEmpty(t, s.Key)
			}
		}
		for _, found := range Mine(work(4, line, did...)) {
			assert.NotEmpty(t, found.Title)
			assert.GreaterOrEqual(t, found.Successes, Least)
			assert.LessOrEqual(t, found.Successes, found.Attempts)
		}
	})
}
