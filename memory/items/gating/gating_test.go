package gating

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestImportanceFollowsFromTypeAndWords(t *testing.T) {
	mandates := []Mandate{MandateOf("Never round amounts of the cart before the total")}
	for _, test := range []struct {
		name string
		p    Piece
		want float64
	}{
		{"a fact", Piece{Type: "fact", Text: "The shop keeps amounts in cents"}, 0.5},
		{"a rule", Piece{Type: "fact", Text: "The shop must keep amounts in cents"}, 0.7},
		{"a rule in capitals", Piece{Type: "fact", Text: "The shop MUST keep amounts in cents"}, 0.7},
		{"a word that is as long as one of a rule", Piece{Type: "fact", Text: "The shop mind keep amounts"}, 0.5},
		{"a thought", Piece{Type: "thought", Text: "the parser could read the file twice"}, 0.25},
		{"a doubt", Piece{Type: "thought", Text: "maybe the parser reads the file twice"}, 0.1},
		{"an observation", Piece{Type: "observation", Text: "the parser reads the file twice"}, 0.35},
		{"an error in code", Piece{Type: "observation", Text: "parseConfig failed for an empty file"}, 0.6},
		{"a tool that failed", Piece{Type: "tool_result", Text: "no tests were found here", Failed: true}, 0.5},
		{"a question", Piece{Type: "user_message", Source: "user", Text: "why does the parser read twice?"}, 0.45},
		{"a filler", Piece{Type: "user_message", Text: "OK."}, 0.1},
		{"a filler as a thought", Piece{Type: "thought", Text: "let me see"}, 0},
		{"a name alone", Piece{Type: "observation", Text: "parse_config"}, 0.45},
		{"one word", Piece{Type: "observation", Text: "parser"}, 0.15},
		{"what concerns a mandate", Piece{Type: "observation", Text: "the cart does round amounts twice"}, 0.5},
		{"another type", Piece{Type: "haiku", Text: "the old pond is still here"}, 0.35},
		{"no type", Piece{Text: "the old pond is still here"}, 0.35},
		{"Chinese", Piece{Type: "fact", Text: "金额以分为单位保存"}, 0.5},
		{"punctuation", Piece{Type: "fact", Text: "— … !"}, 0},
		{"all at once", Piece{Type: "skill", Source: "user", Failed: true,
			Text: "Always run parseConfig after a failed deploy, because 3 errors were fixed so"}, 1},
	} {
		assert.InDelta(t, test.want, Importance(test.p, mandates), 0.0001, test.name)
	}
}

func TestItemsGoWhereTheirTypeBelongs(t *testing.T) {
	for typ, want := range map[string]string{
		"thought": Working, "plan": Working, "action": Episodic, "tool_result": Episodic, "observation": Episodic,
		"metric": Episodic, "fact": Semantic, "skill": Semantic, "summary": Semantic, "pattern": Semantic,
		"user_message": Conversation,
	} {
		store, why := Route(Piece{Type: typ, Text: "I'll always run the tests"}, nil)
		assert.Equal(t, want, store, typ)
		assert.Equal(t, "type "+typ, why)
	}
	store, why := Route(Piece{Type: "plan", Text: "x"}, map[string]string{"plan": "plans"})
	assert.Equal(t, "plans", store)
	assert.Equal(t, "by the settings, type plan", why)
}

func TestTheStoreOfAnItemWithoutATypeFollowsFromItsText(t *testing.T) {
	for text, want := range map[string]string{
		"Let me look at the parser first":                             Working,
		"I should check whether the cache is warm":                    Working,
		"Next: rename the field":                                      Working,
		"go test ./cart failed with 3 errors":                         Episodic,
		"The deploy of yesterday timed out":                           Episodic,
		"cart.go has 200 lines":                                       Episodic,
		"Amounts are stored in cents":                                 Semantic,
		"The config lives in ~/.config/app":                           Semantic,
		"Every handler must check the token of the session":           Semantic,
		"To add a migration, write the file and run make migrate":     Semantic,
		"When the tests hang, run docker compose down first":          Semantic,
		"How to release: tag the commit, then push the tag":           Semantic,
		"Before pushing to main, run the linter":                      Semantic,
		"":                                                            Episodic,
		"the server was restarted\nand every handler must be checked": Episodic,
	} {
		store, _ := Route(Piece{Text: text}, nil)
		assert.Equal(t, want, store, text)
	}
}

func TestAFullStoreNeedsMoreImportance(t *testing.T) {
	for _, test := range []struct{ least, fill, want float64 }{
		{0.15, 0, 0.15}, {0.15, 0.8, 0.15}, {0.15, 0.9, 0.225}, {0.15, 1, 0.3}, {0.15, 7, 0.3}, {0, 1, 0},
	} {
		assert.InDelta(t, test.want, Needed(test.least, test.fill), 0.0001)
	}
}

func TestTheFeaturesOfATextAreSortedAndDistinct(t *testing.T) {
	for _, words := range []int{1, 3, 8, 9, 40, 255, 256, 257, 1500, 3000} {
		var text strings.Builder
		for i := range words {
			fmt.Fprintf(&text, "word%d ", i*7919%(words*9/10+1)) // some twice
		}
		features := SketchOf(text.String()).features
		sorted := slices.Compact(slices.Sorted(slices.Values(features)))
		assert.Equal(t, sorted, slices.Clip(features), "%d words", words)
		assert.GreaterOrEqual(t, len(features), min(words, maxWords)*9/10, "%d words", words)
	}
	uneven := []uint64{9, 1, 8, 2, 7, 3, 6, 4, 5, 0, 9, 1, 8, 2, 7, 3, 6, 4, 5, 0}
	sortHashes(uneven)
	assert.True(t, slices.IsSorted(uneven))
}

func TestSimilarTextsShareKeysAndOthersDoNot(t *testing.T) {
	text := "The parser reads the whole file before it looks for the first heading, which takes two seconds for " +
		"large files of the archive and blocks every other request of the server until it is done with them"
	for name, test := range map[string]struct {
		other          string
		same           bool
		least, most    float64
		sharesKeys, no bool
	}{
		"the same":                 {text, true, 1, 1, true, false},
		"other case and spaces":    {strings.ToUpper(text) + " .", true, 1, 1, true, false},
		"one word more":            {text + " now", false, 0.9, 0.99, true, false},
		"one word less":            {strings.Replace(text, "whole ", "", 1), false, 0.9, 0.99, true, false},
		"another text":             {"Tests of the cart fail on Mondays", false, 0, 0.05, false, true},
		"no words":                 {"…", false, 0, 0, false, true},
		"the same words reordered": {strings.Join(reversed(strings.Fields(text)), " "), false, 0.3, 0.6, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			a, b := SketchOf(text), SketchOf(test.other)
			assert.Equal(t, test.same, a.Same(b))
			assert.GreaterOrEqual(t, a.Similarity(b), test.least)
			assert.LessOrEqual(t, a.Similarity(b), test.most)
			assert.InDelta(t, a.Similarity(b), b.Similarity(a), 0)
			shared := false
			for _, key := range a.Keys() {
				for _, other := range b.Keys() {
					shared = shared || key == other
				}
			}
			if test.sharesKeys {
				assert.True(t, shared)
			}
			if test.no {
				assert.False(t, shared)
			}
		})
	}
	assert.False(t, SketchOf("").Same(SketchOf("")), "nothing is not a duplicate of nothing")
}

func reversed(words []string) []string {
	var list []string
	for _, word := range words {
		list = append([]string{word}, list...)
	}
	return list
}

func TestOnlyOtherPlainWordsAreAnotherWording(t *testing.T) {
	for _, test := range []struct {
		former, text string
		want         bool
	}{
		{"The shop keeps amounts in cents", "The shop stores amounts in cents", true},
		{"The timeout is 30 s", "The timeout is 60 s", false},
		{"The shop of Bern keeps cents", "The shop of Rome keeps cents", false},
		{"Do round the total", "Do not round the total", false},
		{"Round before the tax", "Round after the tax", false},
		{"Use parseConfig here", "Use readConfig here", false},
		{"the amounts are stored in cents", "the taxes are stored in cents", false},
		{"the lexer depends on the parser", "the parser depends on the lexer", false},
		{"the amounts are stored in cents", "the amount is stored in the cents", true},
		{"the server begins at noon", "the server starts at noon", true},
		{"the server starts at noon", "the server stops at noon", false},
		{"use the cache", "use the cache in tests", false},
		{"we lint the scripts with eslint", "we lint the scripts with ruff", false},
		{"we indent templates with tabs", "we indent templates with spaces", false},
		{"uploads of guests are allowed", "uploads of guests are forbidden", false},
		{"the old page is gone", "the old page is redirected", false},
		{"a worker waits for the queue", "a worker waits for the backlog", true},
		{"deploys happen on fridays", "lives happen on fridays", false},
	} {
		assert.Equal(t, test.want, Rewords(test.former, test.text), test.text)
	}
}

// The routing of skills is judged on these: each is a procedure that is useful beyond its episode, or
// something else that sounds similar.
func TestE17_SkillsAreRoutedToSemanticMemoryAndOthersAreNot(t *testing.T) {
	verbs := []string{"release", "migrate", "deploy", "profile", "debug"}
	things := []string{"the service", "a schema", "the index", "a package"}
	var routed, right int
	judge := func(text, typ string, isSkill bool) {
		store, _ := Route(Piece{Type: typ, Text: text}, nil)
		if store == Semantic {
			routed++
			if isSkill {
				right++
			}
		} else {
			require.False(t, isSkill, "missed: %s", text)
		}
	}
	for _, verb := range verbs {
		for _, thing := range things {
			judge(fmt.Sprintf("To %s %s, run make %s and check the log", verb, thing, verb), "", true)
			judge(fmt.Sprintf("How to %s %s: write the plan, run it, check it", verb, thing), "", true)
			judge(fmt.Sprintf("When you %s %s, run the tests first", verb, thing), "", true)
			judge(fmt.Sprintf("make %s of %s", verb, thing), "skill", true)
			judge(fmt.Sprintf("I'll %s %s now", verb, thing), "", false)
			judge(fmt.Sprintf("make %s failed for %s", verb, thing), "", false)
			judge(fmt.Sprintf("Let me %s %s", verb, thing), "", false)
			judge(fmt.Sprintf("to %s %s, run make %s", verb, thing, verb), "thought", false)
			judge(fmt.Sprintf("To %s %s, I ran make %s", verb, thing, verb), "action", false)
			judge(fmt.Sprintf("Please %s %s", verb, thing), "user_message", false)
		}
	}
	require.NotZero(t, routed)
	assert.Greater(t, float64(right)/float64(routed), 0.95)
}

func FuzzSketch(f *testing.F) {
	for _, seed := range []string{"", "a b", "金额 cents", "\xff\xfe", "The timeout_ms is 30", "é́"} {
		f.Add(seed, seed+" x")
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		x, y := SketchOf(a), SketchOf(b)
		similarity := x.Similarity(y)
		if similarity < 0 || similarity > 1 || similarity != y.Similarity(x) {
			t.Fatalf("the similarity of %q and %q is %v", a, b, similarity)
		}
		if !x.Empty() && !x.Same(SketchOf(a)) {
			t.Fatalf("%q is not the same as itself", a)
		}
		for _, p := range []Piece{{Text: a}, {Text: b, Type: "fact", Source: "user", Failed: true}} {
			if i := Importance(p, []Mandate{MandateOf(b)}); !(i >= 0 && i <= 1) {
				t.Fatalf("the importance of %q is %v", p.Text, i)
			}
			Route(p, nil)
		}
	})
}

func TestE10_ATextJoinsTheFirstGroupWhoseFirstItIsLike(t *testing.T) {
	texts := []string{
		"amounts are kept in cents everywhere", "the sky is blue", "amounts are kept in cents here",
		"amounts are kept in euros here", "the sky is very blue", "", "",
	}
	var sketches []Sketch
	for _, text := range texts {
		sketches = append(sketches, SketchOf(text))
	}
	all := func(int, int) bool { return true }
	assert.Equal(t, [][]int{{0, 2}, {1, 4}}, Clusters(sketches, 0.5, all))
	assert.Equal(t, [][]int{{1, 4}, {2, 3}}, Clusters(sketches, 0.5, func(first, _ int) bool { return first > 0 }))
	assert.Empty(t, Clusters(sketches, 0.9, all))
	assert.Empty(t, Clusters(nil, 0.5, all))
}
