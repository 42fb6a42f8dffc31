package command

import (
	"strings"
)

var (
	mavenError  = lazy(`^\[ERROR\] (.+?):\[(\d+),\d+\] (?:error: )?(.*)$`)
	kotlinError = lazy(`^e: (?:file://)?(.+?\.kts?):(?: \()?(\d+)[:,] ?\d+\)?:? (.*)$`)
	scalaError  = lazy(`^\[error\] (?:-- .*Error: )?(\S+\.(?:scala|java|sbt)):(\d+)(?::\d+)?: (.*)$`)
)

// readJava reads javac, and the compilers inside Maven, Gradle and sbt.
func readJava(t *transcript) []Error {
	var errors []Error
	tool := t.tool("javac")
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
			if ending := extension(file); ok && (ending == ".java" || ending == ".kt" || ending == ".kts" || ending == ".scala") && strings.HasPrefix(message, "error: ") {
				errors = append(errors, t.error(Build, tool, file, number, message))
			}
		case strings.HasPrefix(line, "error: ") && t.step.Tool == "javac":
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
			return []Error{t.error(Runtime, t.tool("java"), "", 0, line)}
		}
		match := uncaught.FindStringSubmatch(line)
		if match == nil {
			continue
		}
		file, number := t.javaFrame(i + 1)
		return []Error{t.error(Runtime, "java", file, number, match[1])}
	}
	return nil
}

// javaFrame is the first frame of the program's own code. Only the source file
// that was started itself can be located from it.
func (t *transcript) javaFrame(from int) (string, int) {
	for _, line := range t.lines[from:] {
		match := javaCaller.FindStringSubmatch(line)
		if match == nil || strings.HasPrefix(match[1], "java.") || strings.HasPrefix(match[1], "jdk.") || strings.HasPrefix(match[1], "java.base/") {
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
