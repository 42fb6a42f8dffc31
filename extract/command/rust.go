package command

import (
	"slices"
	"strings"
)

var (
	rustError = lazy(`^error(?:\[E\d+\])?: (.*)$`)
	rustPlace = lazy(`^\s*--> (.+):(\d+):\d+$`)
	rustShort = lazy(`^(\S+\.rs):(\d+):\d+: (error(?:\[E\d+\])?: .*)$`)
)

// echoes are errors that only say that there were others.
var echoes = []string{"could not compile", "aborting due to", "test failed, to rerun", "process didn't exit", "bench failed", "doctest failed", "unknown error", "build failed"}

// readRust reads rustc's errors, in the human and the short form.
func readRust(t *transcript) []Error {
	tool := t.tool("rustc")
	cargo := tool != "rustc" || t.step.Tool == "rustc"
	category := Build
	if t.step.Category == Lint {
		category = Lint
	}
	var errors, placeless []Error
	for i, line := range t.lines {
		if enough(errors) {
			break
		}
		if !strings.Contains(line, "error") {
			continue
		}
		if strings.Contains(line, ".rs:") {
			if match := rustShort.FindStringSubmatch(line); match != nil {
				number, _ := digits(match[2])
				errors = append(errors, t.error(category, tool, match[1], number, match[3]))
			}
			continue
		}
		if !strings.HasPrefix(line, "error") {
			continue
		}
		match := rustError.FindStringSubmatch(line)
		if match == nil || slices.ContainsFunc(echoes, func(echo string) bool { return strings.HasPrefix(match[1], echo) }) {
			continue
		}
		file, number := t.rustPlace(i + 1)
		e := t.error(category, tool, file, number, line)
		if file != "" {
			errors = append(errors, e)
		} else if cargo {
			placeless = append(placeless, e)
		}
	}
	if len(errors) == 0 {
		return placeless
	}
	return errors
}

func (t *transcript) rustPlace(from int) (string, int) {
	for i := from; i < len(t.lines) && i < from+4; i++ {
		if match := rustPlace.FindStringSubmatch(t.lines[i]); match != nil {
			number, _ := digits(match[2])
			return match[1], number
		}
	}
	return "", 0
}

var (
	rustPanic    = lazy(`^\s*thread '([^']*)'(?: \(\d+\))? panicked at (.+?):(\d+):\d+:?$`)
	rustOldPanic = lazy(`^\s*thread '([^']*)' panicked at '(.*)', (.+?):(\d+):\d+$`)
	rustBlock    = lazy(`^---- (.+?) (?:stdout|stderr) ----$`)
	rustFailed   = lazy(`^test (.+?)(?: - should panic)? \.\.\. FAILED$`)
)

// readCargoTest reads "---- test stdout ----" and "test x ... FAILED".
func readCargoTest(t *transcript) []Error {
	var errors []Error
	seen := map[string]bool{}
	for i, line := range t.lines {
		if !strings.HasPrefix(line, "---- ") {
			continue
		}
		if match := rustBlock.FindStringSubmatch(line); match != nil && !seen[match[1]] {
			seen[match[1]] = true
			errors = append(errors, t.rustFailure(match[1], i+1))
		}
	}
	for _, line := range t.lines {
		if !strings.HasSuffix(line, "FAILED") {
			continue
		}
		if match := rustFailed.FindStringSubmatch(line); match != nil && !seen[match[1]] {
			seen[match[1]] = true
			place, message := t.panicOf(match[1])
			errors = append(errors, t.failing("cargo test", match[1], place.file, place.line, message))
		}
	}
	return errors
}

// panicOf finds the panic of a test among what was printed as it ran, as with
// --nocapture: its thread has the name of the test.
func (t *transcript) panicOf(id string) (frame, string) {
	for i, line := range t.lines {
		if strings.Contains(line, "thread '"+id+"'") {
			if place, message, ok := t.panicAt(i); ok {
				return place, message
			}
		}
	}
	return frame{}, "failed"
}

func (t *transcript) rustFailure(id string, from int) Error {
	first := ""
	for i := from; i < len(t.lines); i++ {
		line := t.lines[i]
		if strings.HasPrefix(line, "---- ") || line == "failures:" {
			break
		}
		if place, message, ok := t.panicAt(i); ok {
			return t.failing("cargo test", id, place.file, place.line, message)
		}
		if text := strings.TrimSpace(line); first == "" && text != "" {
			first = text
		}
		if match := rustPlace.FindStringSubmatch(line); match != nil {
			number, _ := digits(match[2])
			return t.failing("cargo test", id, match[1], number, first)
		}
	}
	if first == "" {
		first = "failed"
	}
	return t.failing("cargo test", id, "", 0, first)
}

// panicAt reads a panic in the form of today or in the one before Rust 1.73.
func (t *transcript) panicAt(i int) (frame, string, bool) {
	line := t.lines[i]
	if !strings.Contains(line, "panicked at ") {
		return frame{}, "", false
	}
	if match := rustOldPanic.FindStringSubmatch(line); match != nil {
		number, _ := digits(match[4])
		return frame{match[3], number}, match[2], true
	}
	match := rustPanic.FindStringSubmatch(line)
	if match == nil {
		return frame{}, "", false
	}
	number, _ := digits(match[3])
	var parts []string
	for _, next := range t.lines[i+1:] {
		text := strings.TrimSpace(next)
		if text == "" || strings.HasPrefix(text, "note: ") || strings.HasPrefix(text, "stack backtrace") || len(parts) == 4 {
			break
		}
		parts = append(parts, text)
	}
	return frame{match[2], number}, strings.Join(parts, " "), true
}

// readRustPanic reads how a Rust program died.
func readRustPanic(t *transcript) []Error {
	for i := range t.lines {
		if place, message, ok := t.panicAt(i); ok {
			return []Error{t.error(Runtime, "rust", place.file, place.line, "panic: "+message)}
		}
	}
	return nil
}
