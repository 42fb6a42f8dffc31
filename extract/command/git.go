package command

// gitCommands: most of git prints or moves files. What runs hooks or talks to
// another repository can really fail.
var gitCommands = []*family{
	gitCommand("commit"), gitCommand("push"), gitCommand("pull"),
	gitCommand("merge"), gitCommand("rebase"), gitCommand("cherry-pick"),
	{runs: []run{{programs: "git", subcommands: otherwise}}},
}

func gitCommand(name string) *family {
	f := plain("git "+name, Runtime, run{programs: "git", subcommands: name})
	// Which commits and remotes are named does not make it another command.
	f.recognises.words = func(*Step, run, []string) {}
	return f
}
