package command

// startVerbs are the words with which several tools are told to start.
const startVerbs = "run watch analyse analyze"

// plainTests are the test runners of which nothing is known but their options.
var plainTests = []*family{
	{
		name: "cypress", category: Test,
		runs:   []run{{programs: "cypress", valued: "--browser --config", global: true}},
		covers: coverage{part: true, same: "--spec -s --config --config-file"},
	},
	{
		name: "rspec", category: Test,
		runs: []run{{
			programs: "rspec", filters: "-e --example -t --tag", valued: "-f --format -r",
			lists: "--dry-run", looks: "-v -h",
		}},
		covers: coverage{less: "--only-failures --next-failure --exclude-pattern", same: "-P --pattern"},
	},
	plain("phpunit", Test, run{
		programs: "phpunit", filters: "--filter --group --exclude-group --testsuite", valued: "-c --configuration",
		lists: "--list-tests --list-suites --list-groups",
	}),
	{
		name: "ctest", category: Test,
		runs: []run{{
			programs: "ctest", filters: "-R -E -L -LE -I", valued: "--test-dir -j -C", global: true,
			looks: "-N --show-only --print-labels -h",
		}},
		covers: coverage{part: true, less: "--rerun-failed", same: "--test-dir -C"},
	},
	inParts("dotnet test", Test, run{
		programs: "dotnet", subcommands: "test", filters: "--filter", global: true, lists: "-t --list-tests",
		valued: "-c --configuration -f --framework -l --logger -v --verbosity -s --settings",
	}),
	plain("deno test", Test, run{programs: "deno", subcommands: "test", filters: "--filter"}),
	plain("mix test", Test, run{programs: "mix", subcommands: "test", filters: "--only"}),
	inParts("zig test", Test, run{programs: "zig", subcommands: "test", global: true}),
	plain("dart test", Test, run{programs: "dart flutter", subcommands: "test", filters: "-n --name"}),
	inParts("swift test", Test, run{
		programs: "swift", subcommands: "test", filters: "--filter --skip", global: true, lists: "--list-tests -l",
	}),
	{
		name: "playwright", category: Test,
		runs: []run{{
			programs: "playwright", filters: "-g --grep -gv --grep-invert",
			valued: "-c --config --project --reporter --workers --shard", lists: "--list",
		}},
		recognises: recognition{verbs: "test"},
		covers:     coverage{less: "--last-failed --only-changed --project --shard", same: "-c --config"},
	},
	{
		name: "ava", category: Test,
		runs:   []run{{programs: "ava", filters: "-m --match"}},
		clears: clearance{suite: javaScriptSuite},
	},
}

// plainTypeChecks are the type checkers of which nothing is known but their options.
var plainTypeChecks = []*family{
	inParts("flow", Typecheck, run{programs: "flow", global: true}),
	inParts("sorbet", Typecheck, run{programs: "sorbet", global: true}),
	inParts("svelte-check", Typecheck, run{programs: "svelte-check", valued: "--tsconfig --workspace", global: true}),
	plain("deno check", Typecheck, run{programs: "deno", subcommands: "check"}),
}

// plainLinters are the linters of which nothing is known but their options.
var plainLinters = []*family{
	plain("tslint", Lint, run{programs: "tslint", valued: "-c --config -p --project -t --format"}),
	plain("standardjs", Lint, run{programs: "standard"}),
	plain("deno lint", Lint, run{programs: "deno", subcommands: "lint"}),
	plain("pydocstyle", Lint, run{programs: "pydocstyle"}),
	plain("bandit", Lint, run{programs: "bandit", valued: "-c -f -x -s"}),
	{
		name: "black", category: Lint,
		runs:       []run{{programs: "black", valued: "-l --line-length -t --target-version --config --exclude"}},
		recognises: recognition{formats: always},
		covers:     coverage{less: "--exclude --extend-exclude --force-exclude", same: "-l --line-length --config"},
	},
	{
		name: "isort", category: Lint,
		runs:       []run{{programs: "isort", valued: "--profile --settings-path"}},
		recognises: recognition{formats: always},
	},
	plain("golint", Lint, run{programs: "golint"}, run{programs: "revive", valued: "-config -formatter"}),
	plain("gosec", Lint, run{programs: "gosec", valued: "-fmt -out -exclude -include"}),
	{
		name: "shellcheck", category: Lint,
		runs: []run{{
			programs: "shellcheck", looks: "-V --list-optional",
			valued: "-f --format -s --shell -e --exclude -i --include -o --enable -S --severity",
		}},
		covers: coverage{
			more: "-o --enable", less: "-e --exclude -i --include -S --severity", same: "-s --shell --rcfile",
		},
	},
	plain("yamllint", Lint, run{programs: "yamllint", valued: "-c -d -f"}),
	plain("hadolint", Lint, run{programs: "hadolint", valued: "-c -f --ignore"}),
	plain("markdownlint", Lint, run{programs: "markdownlint", valued: "-c --config"}),
	plain("rubocop", Lint, run{programs: "rubocop", valued: "-c --config -f --format"}),
	plain("luacheck", Lint, run{programs: "luacheck", valued: "--std --config"}),
	plain("psalm", Lint, run{programs: "psalm"}),
	plain("hlint", Lint, run{programs: "hlint"}),
	inParts("buf", Lint, run{programs: "buf", global: true}),
	inParts("protolint", Lint, run{programs: "protolint", global: true}),
	plain("ansible-lint", Lint, run{programs: "ansible-lint"}),
	plain("misspell", Lint, run{programs: "misspell"}),
	plain("clang-tidy", Lint, run{programs: "clang-tidy", valued: "-p --checks"}),
	inParts("cppcheck", Lint, run{programs: "cppcheck", global: true}),
	plain("ktlint", Lint, run{programs: "ktlint"}),
	{
		name: "phpstan", category: Lint,
		runs:       []run{{programs: "phpstan", valued: "-c -l --level --error-format"}},
		recognises: recognition{verbs: startVerbs},
	},
}

// plainBuilds are the build tools of which nothing is known but their options.
var plainBuilds = []*family{
	inParts("mix", Build, run{programs: "mix", subcommands: "compile", global: true}),
	inParts("zig build", Build, run{programs: "zig", subcommands: "build", global: true}),
	plain("swiftc", Build, run{programs: "swiftc", valued: "-o"}),
	inParts("swift build", Build, run{programs: "swift", subcommands: "build", global: true}),
	inParts("ninja", Build, run{programs: "ninja", valued: "-C -j -f", global: true, looks: "-n -t -h"}),
	inParts("meson", Build, run{programs: "meson", valued: "-C", global: true}),
	inParts("xcodebuild", Build, run{programs: "xcodebuild", global: true}),
	inParts("next", Build, run{programs: "next", global: true}),
	inParts("ng", Build, run{programs: "ng", global: true}),
	{
		name: "turbo", category: Build,
		runs: []run{{
			programs: "turbo", valued: "-F --filter", global: true, looks: "--dry-run --dry --graph -h",
		}},
		recognises: recognition{verbs: startVerbs},
		covers:     coverage{part: true, less: "-F --filter --affected --only"},
	},
	{
		name: "nx", category: Build,
		runs:   []run{{programs: "nx", valued: "-p --projects --exclude", global: true, looks: "--graph -h"}},
		covers: coverage{part: true, less: "-p --projects --exclude"},
	},
	inParts("tsup", Build, run{programs: "tsup", global: true}),
	inParts("swc", Build, run{programs: "swc", global: true}),
	inParts("babel", Build, run{programs: "babel", global: true}),
	inParts("sphinx", Build, run{programs: "sphinx-build", global: true}),
	inParts("mkdocs", Build, run{programs: "mkdocs", global: true}),
	inParts("dotnet run", Runtime, run{programs: "dotnet", subcommands: "run", global: true}),
	{
		name: "dotnet", category: Build,
		runs: []run{
			{programs: "msbuild", global: true},
			{programs: "dotnet", subcommands: "build publish", global: true},
		},
		covers: coverage{part: true},
		recognises: recognition{installs: []installer{
			{programs: "dotnet", verbs: []string{"add package"}, valued: []string{"--version", "-v"}},
		}},
	},
}
