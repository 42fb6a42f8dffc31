package lsp

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wm-lsp/wm-lsp/extract/tokens"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

func TestAContextHasNoMoreTokensThanItsBudget(t *testing.T) {
	p := start(t, nil)
	for i, text := range []string{
		"Amounts are cents, rounded once, at the end; ask finance before the tax is touched.",
		"金额一律用分计算，只在最后一步四舍五入，修改税额的算法之前必须先问财务。",
		"Die Straßenverkehrszulassungsbehörde verlangt eine unterschriebene Empfangsbestätigung.",
		"ワークスペースを開いたプロセスは、まずスナップショットを読み、その後の変更を順に適用します。",
		"Call `invoices.RoundHalfUp(amount, CENT)` from src/billing/rounding.go:88, never math.Round.",
	} {
		p.call("wm/memory/add", map[string]any{"text": text}, nil)
		p.notify("wm/tool/executed", map[string]any{
			"tool": "edit", "input": map[string]any{"path": fmt.Sprintf("src/billing/rounding_%d.go", i)},
		})
	}
	context := func(budget map[string]any) wire.ContextResult {
		var result wire.ContextResult
		p.call("wm/context", map[string]any{"budget": budget}, &result)
		return result
	}
	counts := regexp.MustCompile(`^\(\d+ (?:more|sections? (?:is|are) left out here; read overview.md)\)$`)
	whole := context(nil)
	for budget := 1; budget < 2*whole.Tokens; budget += 7 {
		result := context(map[string]any{"tokens": budget})
		assert.Equal(t, tokens.Count(result.Text), result.Tokens)
		assert.LessOrEqual(t, result.Tokens, budget)
		assert.LessOrEqual(t, len([]rune(context(map[string]any{"tokens": budget, "chars": 500}).Text)), 500)
		for _, line := range strings.Split(result.Text, "\n") {
			if !counts.MatchString(line) {
				assert.Contains(t, whole.Text, line, "only whole items are left out")
			}
		}
	}
	assert.Equal(t, whole.Text, context(map[string]any{"tokens": 2 * whole.Tokens}).Text,
		"nothing is left out without need")
}

func TestAContextListsThirtyOmissionsOfASectionAndCountsTheRest(t *testing.T) {
	p := start(t, nil)
	session := func(failures int) wire.ContextSection {
		var output strings.Builder
		for i := range failures {
			fmt.Fprintf(&output, "--- FAIL: TestNumber%d (0.00s)\n    a_test.go:%d: wrong answer\n", i, i+1)
		}
		p.call("wm/tool/executed", map[string]any{
			"tool": "bash", "input": map[string]any{"command": "go test ./..."}, "exitCode": 1,
			"output": output.String() + "FAIL\n",
		}, nil)
		var result wire.ContextResult
		p.call("wm/context", nil, &result)
		for _, section := range result.Sections {
			if section.ID == "session" {
				return section
			}
		}
		t.Fatal("the context has no section of the session")
		return wire.ContextSection{}
	}
	few := session(33) // of which 3 are shown
	assert.Len(t, few.Omitted, 30)
	assert.Zero(t, few.OmittedMore)
	more := session(37)
	assert.Len(t, more.Omitted, 30)
	assert.Equal(t, 4, more.OmittedMore)
	assert.Len(t, p.errors(), 37, "the others can be asked for")
}

// What a budget holds is compared with what ContextBudget says, for every small budget.
func TestEverySmallBudgetIsCutInTheOrderThatIsDocumented(t *testing.T) {
	n := notebook{start(t, nil)}
	n.call("wm/memory/add", map[string]any{"text": "Prices are cents in every table"}, nil)
	n.call("wm/core/update", map[string]any{"block": "goal", "operation": "replace", "content": "Ship it"}, nil)
	n.call("wm/working/add", map[string]any{"content": "look at the parser", "slot": "todo"}, nil)
	n.write("overview.md", "# Task\n\nWrite the importer\n")
	n.call("wm/tool/executed",
		map[string]any{"tool": "read", "input": map[string]any{"path": "a.go"}, "output": "x"}, nil)
	const separator, reserved = 2, 80
	sizes := func(budget int) map[string]int {
		all := map[string]int{}
		c := n.context(map[string]any{"budget": map[string]any{"chars": budget}})
		if budget > 0 {
			assert.LessOrEqual(t, c.Chars, budget)
		}
		for _, section := range c.Sections {
			all[section.ID] = section.Chars
		}
		return all
	}
	whole := sizes(0)
	for budget := 1; budget < 600; budget++ {
		got := sizes(budget)
		fits := func(left int, ids ...string) (rest int) {
			for _, id := range ids {
				if size := whole[id] + separator; size <= left && (id != "guide" || size <= (budget-reserved)/4) {
					assert.Equal(t, whole[id], got[id], "%s in %d characters", id, budget)
				}
				if got[id] > 0 {
					left -= got[id] + separator
				}
			}
			return left
		}
		rest := fits(budget-reserved, "core", "overview", "guide", "workspace")
		fits(rest+reserved, "meta", "session", "working")
	}
	assert.NotZero(t, whole["session"]*whole["working"]*whole["core"]*whole["overview"]*whole["workspace"])
}
