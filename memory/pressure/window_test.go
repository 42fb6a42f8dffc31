package pressure

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wm-lsp/wm-lsp/memory/event"
)

func TestTheWindowIsDividedAsFarAsTheHostReportsIt(t *testing.T) {
	for name, test := range map[string]struct {
		pressure Pressure
		told     int
		want     []Part
	}{
		"nothing was reported": {Pressure{}, 10, nil},
		"only how full it is": {Pressure{Used: 60, Limit: 100}, 10, []Part{
			{PartMemory, "this memory", 10}, {PartRest, "system, tools and history", 50}, {PartFree, "free", 40},
		}},
		"all parts": {
			Pressure{Used: 60, Limit: 100, Split: event.Split{System: 20, Tools: 10, History: 15}}, 10, []Part{
				{PartMemory, "this memory", 10}, {PartSystem, "system", 20}, {PartTools, "tools", 10},
				{PartHistory, "history", 15}, {PartRest, "the rest", 5}, {PartFree, "free", 40},
			},
		},
		"the history holds what the agent is told": {
			Pressure{Used: 60, Limit: 100, Split: event.Split{System: 20, History: 40}}, 10, []Part{
				{PartMemory, "this memory", 10}, {PartSystem, "system", 20}, {PartHistory, "history", 30},
				{PartFree, "free", 40},
			},
		},
		"more than there is": {Pressure{Used: 120, Limit: 100, Split: event.Split{Tools: 500}}, 10, []Part{
			{PartMemory, "this memory", 10}, {PartTools, "tools", 110},
		}},
		"the conversation has not begun": {Pressure{Limit: 100}, 10, []Part{{PartFree, "free", 100}}},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, test.want, test.pressure.Window(test.told)) })
	}
}
