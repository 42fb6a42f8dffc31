package test

import "regexp"

var shellBlock = regexp.MustCompile("(?ms)^```sh\n(.*?)^```$")

// ShellBlocks returns the blocks of shell commands in a page of Markdown, in their order.
func ShellBlocks(page string) (blocks []string) {
	for _, match := range shellBlock.FindAllStringSubmatch(page, -1) {
		blocks = append(blocks, match[1])
	}
	return blocks
}
