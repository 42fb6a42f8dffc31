package command

import "strings"

const (
	esbuildName = "esbuild"
	biomeName   = "biome"
	webpackName = "webpack"
	rollupName  = "rollup"
)

var (
	esbuild = &family{
		name: esbuildName, category: Build,
		runs:  []run{{programs: "esbuild", global: true}},
		reads: reading{readers: []*reader{bundlers}},
	}
	biome = &family{
		name: biomeName, category: Lint,
		runs: []run{{
			programs: "biome", looks: "-V -h",
			valued: "--only --skip --since --diagnostic-level --max-diagnostics --config-path --reporter",
		}},
		recognises: recognition{words: (*Step).biomeWords},
		reads:      reading{readers: []*reader{bundlers}},
		covers: coverage{
			less: "--only --skip --changed --staged --diagnostic-level --linter-enabled=false" +
				" --formatter-enabled=false --assist-enabled=false",
			same: "--config-path",
		},
		clears: clearance{servers: "biome"},
	}
	webpack = &family{
		name: webpackName, category: Build,
		runs:  []run{{programs: "webpack", valued: "-c --config --mode", global: true}},
		reads: reading{readers: []*reader{bundlers, typescripts}},
	}
	rollup = &family{
		name: rollupName, category: Build,
		runs:  []run{{programs: "rollup", valued: "-c --config", global: true}},
		reads: reading{readers: []*reader{bundlers, typescripts}},
	}
	vite = &family{
		name: "vite", category: Build,
		runs:  []run{{programs: "vite", valued: "-c --config", global: true}},
		reads: reading{readers: []*reader{bundlers, typescripts, nodeTraces}},
	}
)

// biomeWords reads the arguments of Biome: check and ci do all, lint and format a part of it.
func (s *Step) biomeWords(how run, args []string) {
	s.options(how, args)
	switch verb := first(s.Scope); verb {
	case "check", "ci":
		s.Scope = s.Scope[1:]
	case "lint", "format":
		s.Less, s.Scope = append(s.Less, verb), s.Scope[1:]
	default:
		s.Category = ""
	}
}

var bundlers = &reader{marks: []string{"[ERROR] ", " ━━", "ERROR in ", "[!] "}, read: readBundlers}

var (
	// esbuild: ✘ [ERROR] Expected identifier [plugin name], then "    a.js:1:6:"
	esbuildError = lazy(`^\s*(?:✘|X) \[ERROR\] (.*?)(?: \[plugin [^\]]+\])?$`)
	// Biome: a.js:1:7 lint/style/useConst FIXABLE ━━━━, then "  × message"
	biomeHead = lazy(`^(\S+?)(?::(\d+):\d+)? ` +
		`(?:lint|parse|format|assist|organizeImports|suppressions|check|internalError)\S*(?:\s+[A-Z]+)*\s+━━`)
	// webpack: ERROR in ./src/a.js 3:5-9, then the message
	webpackError = lazy(`^ERROR in (\./\S+|\S+\.\w+)(?: (\d+):\d+\S*)?$`)
	// Rollup: [!] (plugin x) RollupError: src/a.js (1:6): message
	rollupError = lazy(`^\[!\] (?:\(plugin [^)]+\) )?(?:\w*Error: )?(\S+\.\w+) \((\d+):\d+\): (.*)$`)
)

// readBundlers reads esbuild, and what is built on it, Rollup, webpack and Biome:
// each prints a headline, and the message or the place in one of the next lines.
func readBundlers(t *transcript) []Error {
	var errors []Error
	for i, line := range t.lines {
		if enough(errors) {
			break
		}
		switch {
		case strings.Contains(line, "[ERROR] "):
			if match := esbuildError.FindStringSubmatch(line); match != nil {
				file, number := t.placeBelow(i + 1)
				errors = append(errors, t.error(Build, t.tool(esbuildName), file, number, match[1]))
			}
		case strings.Contains(line, " ━━"):
			if match := biomeHead.FindStringSubmatch(line); match != nil {
				if message, wrong := t.biomeMessage(i + 1); wrong {
					number, _ := digits(match[2])
					errors = append(errors, t.error(Lint, biomeName, match[1], number, message))
				}
			}
		case strings.HasPrefix(line, "ERROR in "):
			if match := webpackError.FindStringSubmatch(line); match != nil && i+1 < len(t.lines) {
				number, _ := digits(match[2])
				errors = append(errors, t.error(Build, t.tool(webpackName), match[1], number, t.lines[i+1]))
			}
		case strings.HasPrefix(line, "[!] "):
			if match := rollupError.FindStringSubmatch(line); match != nil {
				number, _ := digits(match[2])
				errors = append(errors, t.error(Build, t.tool(rollupName), match[1], number, match[3]))
			}
		}
	}
	return errors
}

// placeBelow is the first "file:line:column:" in the next lines.
func (t *transcript) placeBelow(from int) (string, int) {
	for i := from; i < len(t.lines) && i < from+3; i++ {
		if file, number, rest, ok := position(strings.TrimSpace(t.lines[i])); ok && rest == "" {
			return file, number
		}
	}
	return "", 0
}

// biomeMessage is what a finding says, and whether it is an error.
func (t *transcript) biomeMessage(from int) (message string, wrong bool) {
	for i := from; i < len(t.lines) && i < from+4; i++ {
		text := strings.TrimSpace(t.lines[i])
		if message, ok := strings.CutPrefix(text, "× "); ok {
			return message, true
		}
		if text != "" {
			return "", false
		}
	}
	return "", false
}
