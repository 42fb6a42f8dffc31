package command

import (
	"slices"
)

// A reader finds the errors that a family of tools prints.
type reader struct {
	// marks are strings of which every output of the family has one. They cost
	// little, and spare the rest.
	marks []string
	// stage is when the reader is tried on a program that may run anything.
	stage stage
	read  func(*transcript) []Error
}

// A stage is when a reader is tried: test runners first, for they print what the
// others look for. How a program died is left out where a test runner has reported
// the failure.
type stage int

const (
	tests stage = iota - 1
	mistakes
	deaths
)

// readersOf returns the readers of what a step runs, and whether they are its own.
func (r *registry) readersOf(s Step) (readers []*reader, known bool) {
	if s.Opaque {
		return r.anything, false
	}
	if own := r.of(s.Tool).reads; own.readers != nil && !own.mixed {
		return append(slices.Clone(own.readers), npms), true
	}
	if format := r.errorformatOf(s.Tool); format != nil {
		return []*reader{{read: format}, tracebacks, npms}, true
	}
	return r.anything, false
}

// read reads the output as that of the steps. What several steps can have
// printed is found once.
func read(t *transcript, steps []Step) []Error {
	var errors []Error
	tested := false
	read := map[string]bool{}
	for _, step := range steps {
		t.step = step
		if read[step.Tool+"\x00"+step.Dir] {
			continue
		}
		read[step.Tool+"\x00"+step.Dir] = true
		readers, known := t.tools.readersOf(step)
		t.known = known
		for _, r := range slices.Concat(readers, []*reader{shells}) {
			if r.stage == deaths && (tested || len(errors) > 0) || r.marks != nil && !t.has(r.marks...) {
				continue
			}
			found := r.read(t)
			tested = tested || slices.ContainsFunc(found, func(e Error) bool { return e.Category == Test })
			errors = append(errors, t.asReportedBy(step, found)...)
		}
	}
	return errors
}

// asReportedBy applies the rule that all that a test runner reports is category
// test (systems.md B9).
func (t *transcript) asReportedBy(step Step, errors []Error) []Error {
	if step.Category != Test || t.family().reads.notOnlyTests {
		return errors
	}
	for i := range errors {
		if errors[i].Category != Runtime || errors[i].Tool != shellTool {
			errors[i].Category = Test
		}
	}
	return errors
}

// family is that of the step.
func (t *transcript) family() *family { return t.tools.of(t.step.Tool) }

// programError is the category of an error that ends a program of the step.
func (t *transcript) programError() Category {
	if crash := t.family().reads.crash; crash != "" {
		return crash
	}
	if t.step.Category == "" {
		return Runtime
	}
	return t.step.Category
}

// tool is the tool of the step if its output was chosen for it, else the given one.
func (t *transcript) tool(name string) string {
	if t.known {
		return t.step.Tool
	}
	return name
}
