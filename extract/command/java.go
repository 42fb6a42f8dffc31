package command

import (
	"path"
	"slices"
	"strings"
)

const (
	javacName = "javac"
	javaName  = "java"
)

var (
	javac = plainJava(javacName, run{
		programs: "javac", versioned: true,
		valued: "-d -cp -classpath --class-path -sourcepath --release -source -target",
	})
	kotlinc = plainJava("kotlinc", run{programs: "kotlinc", valued: "-d -cp -classpath"})
	scalac  = plainJava("scalac", run{programs: "scalac", valued: "-d -cp"})

	javaProgram = &family{
		name: javaName, category: Runtime,
		runs:       []run{{programs: "java", versioned: true}},
		recognises: recognition{begin: (*registry).beginScript},
		reads:      readingJava,
	}
	maven = &family{
		name: "mvn", category: Build,
		runs: []run{{
			programs: "mvn mvnw", valued: "-f --file -pl --projects -P", global: true, looks: "-v -h",
			lists: "-DskipTests -Dmaven.test.skip -Dmaven.test.skip.exec",
		}},
		recognises: recognition{words: (*Step).mavenWords},
		reads:      readingBuilds,
		covers: coverage{
			scope: scopePaths, selects: selectsJava, does: mavenDoes,
			less: "-fn --fail-never -Dmaven.test.failure.ignore -Dmaven.test.skip", same: "-P", concerns: mavenConcerns,
		},
	}
	gradle = &family{
		name: "gradle", category: Build,
		runs: []run{{
			programs: "gradle gradlew", valued: "-p --project-dir -b -x --exclude-task --tests", global: true,
			looks: "-m --dry-run --stop --status -v -h",
		}},
		recognises: recognition{words: (*Step).gradleWords},
		reads:      readingBuilds,
		covers: coverage{
			scope: scopePaths, selects: selectsJava, does: gradleDoes,
			less: "-x --exclude-task", concerns: gradleConcerns,
		},
	}
	ant = &family{
		name: "ant", category: Build,
		runs:       []run{{programs: "ant", global: true}},
		recognises: recognition{words: (*Step).goalWords},
		reads:      readingJava,
		covers:     coverage{part: true},
	}
	sbt = &family{
		name: "sbt", category: Build,
		runs:       []run{{programs: "sbt", global: true}},
		recognises: recognition{words: (*Step).goalWords},
		reads:      readingJava,
		covers:     coverage{part: true},
	}
	bazel = &family{
		name: "bazel", category: Build,
		runs:       []run{{programs: "bazel", global: true}},
		recognises: recognition{words: (*Step).goalWords},
		covers:     coverage{part: true},
	}
)

var (
	javaTests  = &reader{stage: tests, marks: []string{"<<< FAIL", "<<< ERROR", " FAILED\n"}, read: readJavaTest}
	javas      = &reader{marks: []string{"error", "ERROR", "e: "}, read: readJava}
	javaTraces = &reader{
		stage: deaths,
		marks: []string{"Exception in thread", "\tat ", "Error: Could not find or load"},
		read:  readJavaTrace,
	}

	readingJava = reading{readers: []*reader{javaTests, javas, javaTraces}}
	// readingBuilds is for the builds whose goals also do other things than tests.
	readingBuilds = reading{readers: readingJava.readers, notOnlyTests: true}
)

// plainJava returns the family of a compiler.
func plainJava(name string, how run) *family {
	f := plain(name, Build, how)
	f.reads = readingJava
	return f
}

// mavenWords reads the goals of Maven; modules and tests stand in its options.
func (s *Step) mavenWords(how run, args []string) {
	s.goalWords(how, args)
	s.Scope = strings.FieldsFunc(optionValue(args, "-pl --projects"), func(r rune) bool { return r == ',' })
	s.Filter = optionValue(args, "-Dtest -Dit.test")
	s.Dir = joinDir(s.Dir, strings.TrimSuffix(optionValue(args, "-f --file"), "pom.xml"))
}

// gradleWords reads the tasks of Gradle; modules stand in their names.
func (s *Step) gradleWords(how run, args []string) {
	s.options(how, args)
	s.Filter = optionValue(args, "--tests")
	s.Dir = joinDir(s.Dir, optionValue(args, "-p --project-dir"))
	tasks := strings.Fields(s.Script)
	for i, goal := range tasks {
		if module, task := path.Split(strings.ReplaceAll(goal, ":", "/")); module != "" && module != "/" {
			s.Scope = append(s.Scope, strings.Trim(module, "/"))
			tasks[i] = task
		}
	}
	s.Script = strings.Join(tasks, " ")
	s.testGoals()
}

// mavenPhases are the phases of Maven from the one that compiles, in order: each runs those before it.
const mavenPhases = `compile process-classes generate-test-sources process-test-sources
	generate-test-resources process-test-resources test-compile process-test-classes test prepare-package package
	pre-integration-test integration-test post-integration-test verify install deploy`

// mavenDoes reports whether goals compile the file of an error, or run its tests.
func mavenDoes(goals string, o Opener) bool {
	needed := "compile"
	switch {
	case o.Category == Test:
		needed = "test"
	case strings.Contains(o.Path, "src/test/"):
		needed = "test-compile"
	}
	phases := strings.Fields(mavenPhases)
	from := slices.Index(phases, needed)
	return slices.ContainsFunc(strings.Fields(goals), func(goal string) bool {
		return slices.Index(phases, goal) >= from
	})
}

// mavenConcerns reports whether an option decides about an error: without tests, the code is compiled.
func mavenConcerns(_ Success, option string, o Opener) bool {
	return option != "-Dmaven.test.skip" || o.Category == Test || strings.Contains(o.Path, "src/test/")
}

var (
	gradleTests = lazy(`^(?:build|check|test|\w*Test|buildNeeded|buildDependents)$`)
	// gradleCompiles are the tasks that compile what is not a test.
	gradleCompiles = lazy(
		`^(?:assemble|\w*[cC]lasses|compile\w*|\w*[jJ]ar|war|run|bootRun|bootWar|install\w*|publish\w*)$`,
	)
	ofGradleTests = lazy(`^(?:testClasses|compileTest\w+)$`)
)

// gradleDoes reports whether tasks compile the file of an error, or run its tests.
func gradleDoes(tasks string, o Opener) bool {
	return slices.ContainsFunc(strings.Fields(tasks), func(task string) bool {
		switch {
		case strings.HasPrefix(task, "clean"):
			return false
		case gradleTests.MatchString(task):
			return true
		case o.Category == Test:
			return false
		case strings.Contains(o.Path, "src/test/"):
			return ofGradleTests.MatchString(task)
		}
		return gradleCompiles.MatchString(task)
	})
}

// gradleConcerns reports whether a task that is left out decides about an error: without tests, the code is compiled.
func gradleConcerns(_ Success, option string, o Opener) bool {
	_, task, _ := strings.Cut(option, " ")
	return o.Category == Test || !gradleTests.MatchString(task[strings.LastIndex(task, ":")+1:])
}

// goalWords reads the goals of a build.
func (s *Step) goalWords(how run, args []string) {
	s.options(how, args)
	s.testGoals()
}

// testGoals makes the step a test if one of its goals runs tests.
func (s *Step) testGoals() {
	for _, goal := range strings.Fields(s.Script) {
		switch goal[strings.LastIndex(goal, ":")+1:] {
		case "test", "verify", "check", "integrationTest", "connectedCheck":
			s.Category = Test
		}
	}
}

// selectsJava applies Maven's -Dtest=A,B#method and Gradle's --tests pkg.A.method.
func selectsJava(filter, test string) bool {
	test = strings.ReplaceAll(test, "#", ".")
	return slices.ContainsFunc(strings.Split(filter, ","), func(choice string) bool {
		parts := strings.FieldsFunc(choice, func(r rune) bool { return r == '#' || r == '*' || r == '+' })
		lacks := func(part string) bool { return !strings.Contains(test, strings.Trim(part, ".")) }
		return len(parts) > 0 && !slices.ContainsFunc(parts, lacks)
	})
}

var (
	mavenError  = lazy(`^\[ERROR\] (.+?):\[(\d+),\d+\] (?:error: )?(.*)$`)
	kotlinError = lazy(`^e: (?:file://)?(.+?\.kts?):(?: \()?(\d+)[:,] ?\d+\)?:? (.*)$`)
	scalaError  = lazy(`^\[error\] (?:-- .*Error: )?(\S+\.(?:scala|java|sbt)):(\d+)(?::\d+)?: (.*)$`)
)

// javaEndings are those of the files that the compilers read.
var javaEndings = []string{".java", ".kt", ".kts", ".scala"}

// readJava reads javac, and the compilers inside Maven, Gradle and sbt.
func readJava(t *transcript) []Error {
	var errors []Error
	tool := t.tool(javacName)
	for _, line := range t.lines {
		if enough(errors) {
			break
		}
		var match []string
		switch {
		case strings.HasPrefix(line, "[ERROR] "):
			match = mavenError.FindStringSubmatch(line)
		case strings.HasPrefix(line, "[error] "):
			match = scalaError.FindStringSubmatch(line)
		case strings.HasPrefix(line, "e: "):
			match = kotlinError.FindStringSubmatch(line)
		case strings.Contains(line, ": error: "):
			file, number, message, ok := position(line)
			if ok && slices.Contains(javaEndings, extension(file)) && strings.HasPrefix(message, "error: ") {
				errors = append(errors, t.error(Build, tool, file, number, message))
			}
		case strings.HasPrefix(line, "error: ") && t.step.Tool == javacName:
			errors = append(errors, t.error(Build, tool, "", 0, line))
		}
		if match != nil {
			number, _ := digits(match[2])
			errors = append(errors, t.error(Build, tool, match[1], number, match[3]))
		}
	}
	return errors
}

var (
	surefire    = lazy(`^(?:\[ERROR\] )?\s*(\S+?)(?:\((\S+)\))?(?: -- |\s+)Time elapsed: .*<<< (FAILURE|ERROR)!$`)
	junitTotal  = lazy(`^(?:\[ERROR\] )?Tests run: `)
	gradleTest  = lazy(`^(\S.*) > (.+) FAILED$`)
	gradlePlace = lazy(`\bat (\S+\.(?:java|kt|groovy|scala)):(\d+)`)
	javaCaller  = lazy(`^\s*at ([\w.$/<>@]+)\(([\w$]+\.(?:java|kt|scala|groovy)):(\d+)\)`)
)

// readJavaTest reads the failing tests of Surefire and Gradle.
func readJavaTest(t *transcript) []Error {
	var errors []Error
	for i, line := range t.lines {
		if enough(errors) {
			break
		}
		if strings.Contains(line, "<<< ") {
			if match := surefire.FindStringSubmatch(line); match != nil && !junitTotal.MatchString(line) {
				id := match[1]
				if match[2] != "" {
					id = match[2] + "." + match[1]
				}
				errors = append(errors, t.javaFailure(id, i+1))
			}
			continue
		}
		if strings.HasSuffix(line, " FAILED") && !strings.HasPrefix(line, "> Task") {
			if match := gradleTest.FindStringSubmatch(line); match != nil {
				errors = append(errors, t.javaFailure(match[1]+"."+match[2], i+1))
			}
		}
	}
	return errors
}

// javaFailure reads the exception below the name of a test. A stack names
// classes, not files, so the path is made of the package.
func (t *transcript) javaFailure(id string, from int) Error {
	message := ""
	var place frame
	for i := from; i < len(t.lines) && i < from+40; i++ {
		text := strings.TrimSpace(t.lines[i])
		if text == "" {
			break
		}
		if match := javaCaller.FindStringSubmatch(t.lines[i]); match != nil {
			if place.line == 0 && strings.Contains(id, strings.TrimSuffix(match[2], extensionOf(match[2]))) {
				number, _ := digits(match[3])
				place = frame{match[2], number}
			}
			continue
		}
		if match := gradlePlace.FindStringSubmatch(text); match != nil {
			number, _ := digits(match[2])
			place = frame{match[1], number}
			if at := strings.Index(text, " at "); at > 0 && message == "" {
				message = text[:at]
			}
			continue
		}
		if message == "" && !strings.HasPrefix(text, "at ") {
			message = text
		}
	}
	return t.failing(t.tool("junit"), id, "", place.line, message)
}

func extensionOf(name string) string {
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		return name[i:]
	}
	return ""
}

var uncaught = lazy(`^Exception in thread "[^"]*" (.*)$`)

// readJavaTrace reads the exception that ended a Java program.
func readJavaTrace(t *transcript) []Error {
	for i, line := range t.lines {
		if strings.HasPrefix(line, "Error: Could not find or load main class") {
			return []Error{t.error(Runtime, t.tool(javaName), "", 0, line)}
		}
		match := uncaught.FindStringSubmatch(line)
		if match == nil {
			continue
		}
		file, number := t.javaFrame(i + 1)
		return []Error{t.error(Runtime, javaName, file, number, match[1])}
	}
	return nil
}

// javaFrame is the first frame of the program's own code. Only the source file
// that was started itself can be located from it.
func (t *transcript) javaFrame(from int) (string, int) {
	for _, line := range t.lines[from:] {
		match := javaCaller.FindStringSubmatch(line)
		if match == nil || beginsWith(match[1], []string{"java.", "jdk.", "java.base/"}) {
			continue
		}
		number, _ := digits(match[3])
		if strings.HasSuffix(t.step.Script, match[2]) {
			return t.step.Script, number
		}
		if !strings.Contains(strings.TrimSuffix(match[1], ".main"), ".") {
			return match[2], number
		}
		return "", 0
	}
	return "", 0
}
