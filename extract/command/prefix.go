package command

import "strings"

// taskPrefix is what turbo, pnpm -r, bun --filter and lerna print before each line of the tasks that
// they run in several packages: "web:lint: ", "packages/a test: ", "@scope/a test: ".
var taskPrefix = lazy(`^(?:@[\w.-]+/)?[\w.-]+(?:/[\w.-]+)*[: ](?:[\w.-]+:)*(?:test|lint|build|compile|type-?check|` +
	`check|format|` +
	`verify|tsc|ci)[\w:.-]*: ?`)

// leastPrefixed is the number of lines with a prefix from which it is one, and sampled how many of
// the first lines are looked at: most of them have one.
const leastPrefixed, sampled = 3, 40

// unprefixed removes the names of tasks from the beginnings of lines. It reports whether there were
// any.
func unprefixed(lines []string) bool {
	seen, found := 0, 0
	for _, line := range lines {
		if strings.TrimSpace(line) == "" {
			continue
		}
		if seen++; strings.Contains(line[:min(len(line), 120)], ":") && taskPrefix.MatchString(line) {
			found++
		}
		if seen == sampled || seen == 2*leastPrefixed && found == 0 {
			break
		}
	}
	if found < leastPrefixed || 2*found < seen {
		return false
	}
	for i, line := range lines {
		if at := taskPrefix.FindStringIndex(line); at != nil {
			lines[i] = line[at[1]:]
		}
	}
	return true
}
