package editors_test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/test"
)

var updateScreens = flag.Bool("update", false, "rewrite testdata/terminal")

// A pane is a terminal of tmux in which the live panel runs.
type pane struct {
	t      *testing.T
	socket string
}

// openPane starts the panel in a terminal of a size, with more variables. When the panel has ended, the pane
// shows "ended" and its exit code.
func openPane(t *testing.T, env *test.Env, width, height int, variables []string, arguments ...string) *pane {
	t.Helper()
	tmux, err := exec.LookPath("tmux")
	require.NoError(t, err, "install tmux, which shows the live panel")
	p := &pane{t: t, socket: filepath.Join(env.Home, fmt.Sprintf("tmux-%d", time.Now().UnixNano()))}
	script := `"$0" panel "$@"; code=$?; printf 'ended %s\n' $code; exec sleep 1000`
	command := exec.Command(tmux, append([]string{
		"-S", p.socket, "-f", "/dev/null", "new-session", "-d", "-x", fmt.Sprint(width), "-y", fmt.Sprint(height),
		"sh", "-c", script, test.Binary(t, test.Server),
	}, arguments...)...)
	command.Dir = env.Root
	command.Env = append(append(env.Environ(), "LC_ALL=C.UTF-8", "TZ=UTC", "PATH="+os.Getenv("PATH")), variables...)
	out, err := command.CombinedOutput()
	require.NoError(t, err, string(out))
	group, err := exec.Command(tmux, "-S", p.socket, "display-message", "-p", "#{pane_pid}").Output()
	require.NoError(t, err)
	t.Cleanup(func() {
		_ = p.tmux("kill-server")
		require.Eventually(t, func() bool { // the panel writes into the folders of the test until it has ended
			return exec.Command("kill", "-0", "--", "-"+strings.TrimSpace(string(group))).Run() != nil
		}, test.Patience, 10*time.Millisecond, "the panel has not ended")
	})
	return p
}

func (p *pane) tmux(arguments ...string) error {
	return exec.Command("tmux", append([]string{"-S", p.socket}, arguments...)...).Run()
}

// types presses keys, each by its name in tmux, or a character.
func (p *pane) types(keys ...string) {
	p.t.Helper()
	for _, key := range keys {
		require.NoError(p.t, p.tmux("send-keys", key))
	}
}

// writes types a string, also one that is not a key, such as an event of the mouse.
func (p *pane) writes(text string) {
	p.t.Helper()
	require.NoError(p.t, p.tmux("send-keys", "-l", text))
}

var (
	aTime = regexp.MustCompile(`\d\d:\d\d(:\d\d)?`)
	aDay  = regexp.MustCompile(`\d{4}-\d\d-\d\d`)
)

// text returns what is on the screen, without the time at which it was made.
func (p *pane) text() string {
	out, err := exec.Command("tmux", "-S", p.socket, "capture-pane", "-p").Output()
	require.NoError(p.t, err)
	return aDay.ReplaceAllString(aTime.ReplaceAllString(string(out), "10:00"), "2026-03-01")
}

// sees waits until all of these are on the screen.
func (p *pane) sees(wanted ...string) {
	p.t.Helper()
	p.until(func(text string) bool {
		for _, each := range wanted {
			if !strings.Contains(text, each) {
				return false
			}
		}
		return true
	}, wanted)
}

// until waits for a screen.
func (p *pane) until(is func(text string) bool, wanted any) {
	p.t.Helper()
	var text string
	if !assert.Eventually(p.t, func() bool { text = p.text(); return is(text) }, test.Patience, 10*time.Millisecond) {
		p.t.Fatalf("not on the screen: %v\n%s", wanted, text)
	}
}

// workInTerminal has an agent work, so that every section of the panel has something.
func workInTerminal(t *testing.T, env *test.Env) *test.Client {
	agent := env.Start(test.ClientOptions{Name: "agent", SessionID: "agent", Agent: "agent"})
	for _, each := range [][2]string{
		{"decision", "Amounts are integers, in cents"},
		{"feedback", "Run the tests with the race detector before every commit to the branch"},
	} {
		agent.Call("wm/memory/add", map[string]any{"type": each[0], "text": each[1]}, nil)
	}
	agent.Call("wm/core/update", map[string]any{
		"block": "goal", "operation": "replace", "content": "Total adds up all amounts",
	}, nil)
	agent.Call("wm/tool/executed", map[string]any{
		"tool": "bash", "input": map[string]any{"command": "go build ./..."}, "exitCode": 1,
		"output": "./cart.go:3:2: undefined: cnt\n",
	}, nil)
	for minute, percentage := range []int{10, 30, 50, 72} {
		agent.Call("wm/usage/reported", map[string]any{
			"tokensUsed": percentage * 10, "tokensMax": 1000, "at": fmt.Sprintf("2026-03-01T09:0%d:00.000Z", minute),
		}, nil)
	}
	return agent
}

const cartFile = "-- cart.go --\npackage cart\n"

func TestTheLivePanelShowsTheWholeWindowOfTheAgent(t *testing.T) {
	test.Run(t, cartFile, func(t *testing.T, env *test.Env) {
		agent := workInTerminal(t, env)
		agent.Call("wm/usage/reported", map[string]any{
			"tokensUsed": 120_000, "tokensMax": 200_000, "systemTokens": 4_000, "toolsTokens": 16_000,
		}, nil)
		p := openPane(t, env, 80, 40, nil)
		p.sees("context 60 %")
		p.types("C-g")
		p.sees("120,000 of 200,000 tokens", "The whole window  200,000 tokens",
			"▒ tools            16,000 tokens    8 %", "▞ free             80,000 tokens   40 %",
			"What an agent is told", "workspace")
		agent.Call("wm/usage/reported", map[string]any{
			"tokensUsed": 150_000, "tokensMax": 200_000, "systemTokens": 4_000, "toolsTokens": 16_000,
		}, nil)
		p.sees("150,000 of 200,000 tokens", "▞ free             50,000 tokens   25 %")
		p.types("Escape")
		p.sees("Amounts are integers", "context 75 %")
	})
}

func TestTheLivePanelAtThreeSizes(t *testing.T) {
	test.Run(t, cartFile, func(t *testing.T, env *test.Env) {
		workInTerminal(t, env)
		for _, size := range []struct{ width, height int }{{40, 20}, {80, 24}, {130, 30}} {
			t.Run(fmt.Sprintf("%dx%d", size.width, size.height), func(t *testing.T) {
				p := openPane(t, env, size.width, size.height, nil)
				p.sees("context 72 %", "Amounts are integers", "Goal & progress")
				p.types("g", "Tab", "Tab", "j")
				golden := filepath.Join("testdata", "terminal", fmt.Sprintf("%dx%d.txt", size.width, size.height))
				want, err := os.ReadFile(golden)
				if *updateScreens {
					p.sees("Pin")
					time.Sleep(time.Second) // the details have come
					require.NoError(t, os.WriteFile(golden, []byte(p.text()), 0o644))
					return
				}
				require.NoError(t, err)
				p.until(func(text string) bool { return text == string(want) }, string(want))
			})
		}
	})
}

func TestTheLivePanelIsLive(t *testing.T) {
	test.Run(t, cartFile, func(t *testing.T, env *test.Env) {
		agent := workInTerminal(t, env)
		first := openPane(t, env, 80, 24, nil)
		second := openPane(t, env, 40, 20, []string{"NO_COLOR=1"})
		for _, p := range []*pane{first, second} {
			p.sees("Amounts are integers")
		}
		agent.Call("wm/memory/add", map[string]any{"text": "Rates stand in chapter 4", "type": "reference"}, nil)
		for _, p := range []*pane{first, second} {
			p.sees("Rates stand in chapter 4", "changed (h)")
		}
		first.types("n", "p") // what is new is selected, and pinned
		first.sees("Pin: ", "u undoes it")
		second.sees("⊤ Rates")
		first.types("u")
		first.sees("undone: Pin")
		second.until(func(text string) bool { return !strings.Contains(text, "⊤ Rates") }, "it is not pinned any more")
		second.types("h")
		second.sees("+ Rates stand in")
		second.types("h")
		second.until(func(text string) bool { return !strings.Contains(text, "changed") }, "it was seen")
	})
}

func TestTheLivePanelDoesWhatEditorsDo(t *testing.T) {
	test.Run(t, cartFile, func(t *testing.T, env *test.Env) {
		workInTerminal(t, env)
		p := openPane(t, env, 80, 24, []string{"EDITOR=sh -c 'echo edits $*; exec sleep 1000' sh"})
		p.sees("Amounts are integers")
		p.types("g", "Tab", "Tab", "i")
		p.sees("What should every later session know?")
		p.writes("Preise sind Ganzzahlen: 金額 👍")
		p.types("Enter")
		p.sees("Type", "Decision")
		p.types("D", "Enter")
		p.sees("§ Preise sind Ganzzahlen: 金額 👍", "u undoes it")
		p.types("/")
		p.writes("race detector")
		p.sees("Search: race detector", "Run the tests with the race detector")
		p.types("Escape") // with a key right after it, it is Alt
		p.sees("Agents")
		p.types("/")
		p.writes("race detector")
		p.sees("Search: race detector", "Run the tests with the race detector")
		p.types("Enter") // goes to the hit
		p.sees("Agents", "d Forget")
		p.types("f")
		p.writes("cents")
		p.until(func(text string) bool {
			return strings.Contains(text, "in cents") && !strings.Contains(text, "race detector")
		}, "only what has the word")
		p.types("Enter", "Tab", "j", "d")
		p.sees("Forget (u undoes it)")
		p.types("F")
		p.sees("race detector")

		p.types("g", "Tab", "Tab", "Tab") // the mouse: the title of the first section folds it
		p.writes("\x1b[<0;3;2M")
		p.sees("▸ Agents")
		require.NoError(t, p.tmux("resize-window", "-x", "44", "-y", "12"))
		p.until(func(text string) bool { return strings.Count(text, "\n") <= 12 }, "resized")
		p.types("q")
		p.sees("ended 0")
	})
}

func TestWhatWasAskedForIsDoneBeforeTheLivePanelIsLeft(t *testing.T) {
	test.Run(t, cartFile, func(t *testing.T, env *test.Env) {
		agent := workInTerminal(t, env)
		p := openPane(t, env, 80, 24, nil)
		p.sees("Amounts are integers", "race detector")
		p.types("g", "Tab", "Tab", "j")
		p.writes("pdq") // as quickly as they can be read
		p.sees("ended 0")
		var left struct {
			Entries []struct{ Text string }
		}
		agent.Call("wm/memory/list", map[string]any{}, &left)
		assert.Len(t, left.Entries, 1, "one was forgotten")
	})
}

func TestTheLivePanelCopiesAnErrorAndItsCommand(t *testing.T) {
	test.Run(t, cartFile, func(t *testing.T, env *test.Env) {
		workInTerminal(t, env)
		p := openPane(t, env, 80, 24, nil)
		require.NoError(t, p.tmux("set-option", "-g", "set-clipboard", "on"))
		copied := func(says string) {
			assert.Eventually(t, func() bool {
				out, err := exec.Command("tmux", "-S", p.socket, "show-buffer").Output()
				return err == nil && strings.Contains(string(out), says)
			}, test.Patience, 10*time.Millisecond, says)
		}
		p.sees("undefined: cnt")
		p.types("g", "Tab", "j", "y")
		p.sees("Copy for an agent: it is in the clipboard of the terminal")
		copied("undefined: cnt")
		p.types("r")
		p.sees("Run again: the command", "In "+env.Root, "go build ./...")
		copied("go build ./...")
		p.types("Escape")
		p.sees("Amounts are integers")
	})
}

func TestALivePanelThatIsEndedLeavesTheTerminalAsItWas(t *testing.T) {
	test.Run(t, cartFile, func(t *testing.T, env *test.Env) {
		agent := workInTerminal(t, env)
		for name, end := range map[string]func(p *pane){
			"by q":      func(p *pane) { p.types("q") },
			"by Ctrl+C": func(p *pane) { p.types("C-c") },
			"by a signal while it draws": func(p *pane) {
				for i := range 20 {
					agent.Call("wm/memory/add", map[string]any{"text": fmt.Sprintf("Rate %d is in chapter 4", i)}, nil)
				}
				out, err := exec.Command("tmux", "-S", p.socket, "display-message", "-p", "#{pane_pid}").Output()
				require.NoError(t, err)
				require.NoError(t, exec.Command("pkill", "-TERM", "-P", strings.TrimSpace(string(out))).Run())
			},
		} {
			p := openPane(t, env, 80, 24, nil)
			p.sees("Run the tests")
			end(p)
			p.sees("ended")
			out, err := exec.Command("tmux", "-S", p.socket, "display-message", "-p",
				"#{alternate_on} #{mouse_any_flag} #{cursor_flag}").Output()
			require.NoError(t, err)
			assert.Equal(t, "0 0 1\n", string(out), name)
			code := "ended 0"
			if strings.Contains(name, "signal") {
				code = "ended 1"
				p.sees("terminated signal received")
			}
			p.sees(code)
		}
		code, out, _ := runPanel(t, env)
		assert.Zero(t, code)
		assert.Contains(t, out, "Amounts are integers")
	})
}

// runPanel runs the panel without a terminal.
func runPanel(t *testing.T, env *test.Env) (code int, out string, err error) {
	command := exec.Command(test.Binary(t, test.Server), "panel")
	command.Dir, command.Env = env.Root, env.Environ()
	printed, err := command.Output()
	return command.ProcessState.ExitCode(), string(printed), err
}

func TestALivePanelShowsItselfOnPoorTerminals(t *testing.T) {
	test.Run(t, cartFile, func(t *testing.T, env *test.Env) {
		agent := workInTerminal(t, env)
		agent.Call("wm/memory/add", map[string]any{
			"text": "Colours are \x1b[31mred\x1b[2J\u202e and \u200bwide: 金額", "type": "project",
		}, nil)
		p := openPane(t, env, 60, 24, []string{"LC_ALL=C"})
		p.sees("Colours are red and wide: ????")
		for _, c := range p.text() {
			require.Less(t, c, rune(0x80), p.text())
		}
		small := openPane(t, env, 12, 3, []string{"NO_COLOR=yes"})
		small.sees("▾ Agents")
		small.types("G", "g", "?", "q", "q")
		small.sees("ended")
	})
}
