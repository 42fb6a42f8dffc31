package service

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/extract/request"
	"github.com/wm-lsp/wm-lsp/server/wire"
	"github.com/wm-lsp/wm-lsp/test/slow"
)

// An asked item is one of testdata/recall.txt, whose head says what it is.
type asked struct{ kind, text, question string }

func askedItems(t *testing.T) (all []asked) {
	t.Helper()
	file, err := os.Open("testdata/recall.txt")
	require.NoError(t, err)
	defer func() { _ = file.Close() }()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		fields := strings.Split(lines.Text(), "|")
		if len(fields) == 3 && !strings.HasPrefix(fields[0], "#") {
			all = append(all, asked{fields[0], fields[1], fields[2]})
		}
	}
	require.Len(t, all, 55)
	return all
}

// itemOf returns an item of wm/memorize.
func itemOf(t *testing.T, members map[string]string) string {
	t.Helper()
	item, err := json.Marshal(members)
	require.NoError(t, err)
	return string(item)
}

// otherItems returns sentences about other projects, of the words that the questions have, too, and
// turns of a conversation about nothing.
func otherItems(t *testing.T) (others []string) {
	t.Helper()
	pick := rand.New(rand.NewPCG(17, 1))
	of := func(words string) string {
		all := strings.Fields(words)
		return all[pick.IntN(len(all))]
	}
	for i := range 800 {
		project := of("Harbor Quill Nimbus Tundra Basalt Orchid Falcon Meadow") + fmt.Sprint(i%40)
		text := fmt.Sprintf("%s keeps its %s %s in the %s of the %s, and the %s %s %s it since the %s.", project,
			of("old new daily shared secret public"), of("schema price branch test receipt deadline database log"),
			of("bucket module table queue cache folder"), of("gateway kiosk dashboard importer printer scanner"),
			of("customer reviewer partner scheduler operator"), of("service team tool job"),
			of("checks rotates translates deploys refunds restores"), of("release outage migration audit"))
		others = append(others, itemOf(t, map[string]string{"text": text, "type": "fact"}))
	}
	for i := range 200 {
		text := fmt.Sprintf("%s, I %s the %s %s while you %s the %s. What do we do about %s %d?",
			of("Well Fine Hm Right Sorry Look"), of("saw changed moved renamed read"), of("other second first"),
			of("button page report mail form"), of("were tested opened closed"), of("editor window terminal ticket"),
			of("ticket row step page"), i)
		others = append(others, itemOf(t, map[string]string{
			"text": text, "type": "user_message", "agentId": of("Ada Ben"), "thread": "chat",
		}))
	}
	return others
}

func TestE17_NineOfTenRelevantItemsAreRecalled(t *testing.T) {
	slow.Test(t)
	f := newFace(t)
	all := askedItems(t)
	var relevant []string
	for _, item := range all {
		kind := "fact"
		if item.kind == "error" {
			kind = "observation"
		}
		relevant = append(relevant, itemOf(t, map[string]string{"text": item.text, "type": kind}))
	}
	others := otherItems(t)
	kept := 0
	for batch := range slices.Chunk(slices.Concat(others[:500], relevant, others[500:]), 500) {
		for _, receipt := range f.memorize(batch...) {
			if receipt.Status == wire.MemorizeStored {
				kept++
			}
		}
	}
	require.Greater(t, kept, 700, "the set is large enough to get lost in")
	var missed []string
	for _, item := range all {
		if found := f.found(wire.SearchParams{Query: item.question}); !slices.Contains(found, item.text) {
			missed = append(missed, item.question)
		}
	}
	assert.LessOrEqual(t, len(missed), len(all)/10, "%q", missed)
}

func TestE8_TheDaysOfAQueryAreSeenFromWhenItIsAsked(t *testing.T) {
	f := newFace(t)
	for day, text := range map[string]string{
		"2025-11-03": "The shop moved to the new host.",
		"2025-11-06": "We decided last Tuesday to keep the old queue.",
		"2025-11-10": "The certificates of the wiki were renewed.",
		"2025-11-20": "Error 0300 of the novel parser.",
	} {
		f.memorize(fmt.Sprintf(`{"text": %q, "timestamp": "%sT09:00:00Z"}`, text, day))
	}
	for _, text := range []string{"We planned to replace disks.", "The fans hum.", "Lunch was late.", "Ada is ill."} {
		f.memorize(fmt.Sprintf(`{"text": %q, "timestamp": "2025-10-17T09:00:00Z"}`, text))
	}
	for query, asked := range map[string]struct {
		at   wire.Time
		want []string
	}{
		"yesterday":                  {"2025-11-11T08:00:00Z", []string{"The certificates of the wiki were renewed."}},
		"what happened last Monday?": {"2025-11-07T08:00:00Z", []string{"The shop moved to the new host."}},
		"what did we decide on 4 November?": {
			"2026-10-01T08:00:00Z", []string{"We decided last Tuesday to keep the old queue."},
		},
		"2025-11-03":   {"2026-10-01T08:00:00Z", []string{"The shop moved to the new host."}}, // not "0300"
		"10 Nov":       {"2025-11-12T08:00:00Z", []string{"The certificates of the wiki were renewed."}},
		"today":        {"2025-11-11T08:00:00Z", []string{}},
		"last Tuesday": {"2025-11-12T08:00:00Z", []string{}}, // what has these words means another one
	} {
		assert.Equal(t, asked.want, f.found(wire.SearchParams{Params: wire.Params{At: asked.at}, Query: query}), query)
	}
	assert.Empty(t, f.found(wire.SearchParams{Query: "yesterday"}), "it is seen from now")
	assert.Len(t, f.found(wire.SearchParams{
		Params: wire.Params{At: "2025-10-18T08:00:00Z"}, Query: "planned yesterday",
	}), 4, "not only what has the word")
}

func TestE17_AnswersAreFoundAfterACompaction(t *testing.T) {
	f := newFace(t)
	kept := wire.Params{SessionID: "kept"}
	get[wire.SessionStartResult](f, "wm/session/start", &wire.SessionStartParams{Params: kept, History: true})
	all := askedItems(t)
	say := func(role wire.Role, text string) {
		get[wire.MessageReceivedResult](f, "wm/message/received", &wire.MessageReceivedParams{
			Params: kept, Role: role, Text: text,
		})
	}
	for _, item := range all {
		say(wire.RoleUser, item.text)
		say(wire.RoleAssistant, "Noted. Going on.")
	}
	answered := func() (found int) {
		for _, item := range all {
			hits := get[wire.SearchResult](f, "wm/search", &wire.SearchParams{Params: kept, Query: item.question}).Hits
			answers := func(hit wire.SearchHit) bool { return strings.Contains(hit.Item.Text, item.text) }
			if slices.ContainsFunc(hits, answers) {
				found++
			}
		}
		return found
	}
	before := answered()
	require.GreaterOrEqual(t, before, len(all)*8/10)
	compacted := get[wire.HistoryCompactResult](f, "wm/history/compact", &wire.HistoryCompactParams{
		Params: kept, Target: wire.TargetConversation, KeepRecent: 2,
	})
	require.Greater(t, len(compacted.Removed), len(all))
	after := answered()
	t.Attr("answers", fmt.Sprintf("%d of %d", after, before)) // make bench reports both
	t.Attr("tokens", fmt.Sprintf("%d of %d", compacted.TokensAfter, compacted.TokensBefore))
	assert.LessOrEqual(t, compacted.TokensAfter, compacted.TokensBefore*105/100)
	assert.GreaterOrEqual(t, after, before*98/100)
}

func TestAnAnswerIsRecalledWithWhatItAnswers(t *testing.T) {
	saying := request.Saying{Text: "Do 2. But with a timeout of 120 s.", Answers: "2. Acknowledge after Run?"}
	assert.Equal(t, `"Do 2. But with a timeout of 120 s." (to "2. Acknowledge after Run?")`,
		sayingText(saying.String(), "But with a timeout of 120 s.\" → 2."))
	const said = "Amounts are in cents."
	assert.Equal(t, said, sayingText(said+" Taxes are in percent.", said))
}

func TestAClosedErrorIsRecalledWithWhatClosedIt(t *testing.T) {
	const text = "queue.go: lost 3 jobs\nReported by: go test ./queue\nClosed: the command succeeded"
	assert.Equal(t, "queue.go: lost 3 jobs; Closed: the command succeeded", closedText(text))
	edited := text + "\nEdited: worker.go, queue.go"
	assert.Equal(t, "queue.go: lost 3 jobs; Edited: worker.go, queue.go", closedText(edited))
	assert.Equal(t, "queue.go: lost 3 jobs; Edited: worker.go, queue.go; Cause: Jobs are acknowledged too early.",
		closedText(edited+"\nCause: Jobs are acknowledged too early."))
}
