package command

// Prints reports whether the command line does nothing but print, search and
// move files, so that what it says about errors are not errors.
func (c Command) Prints() bool { return len(c.Steps) > 0 && len(c.checks()) == 0 }

// Reads reports whether the command line shows the content of a file and does nothing else,
// besides changing the folder.
func (c Command) Reads() bool {
	reads := false
	for _, step := range c.Steps {
		switch step.Program {
		case "cd":
		case "cat", "head", "nl", "less", "more", "bat":
			reads = true
		case "sed":
			if len(step.Args) == 0 || step.Args[0] != "-n" {
				return false
			}
			reads = true
		default:
			return false
		}
	}
	return reads
}
