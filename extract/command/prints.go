package command

// Prints reports whether the command line does nothing but print, search and
// move files, so that what it says about errors are no errors.
func (c Command) Prints() bool { return len(c.Steps) > 0 && len(c.checks()) == 0 }
