package test_test

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite"

	"github.com/wm-lsp/wm-lsp/test"
)

// found returns the ids and the stores of what is found for queries.
func found(client *test.Client, queries ...string) (hits []string) {
	for _, query := range queries {
		var result struct {
			Mode string
			Hits []struct {
				Store string
				Item  struct{ ID, Text string }
			}
		}
		client.Call("wm/search", map[string]any{"query": query}, &result)
		for _, hit := range result.Hits {
			hits = append(hits,
				fmt.Sprintf("%s: %s %s %s (%s)", query, hit.Store, hit.Item.ID, hit.Item.Text, result.Mode))
		}
	}
	return hits
}

// semanticItems returns the number of items in semantic memory.
func semanticItems(client *test.Client) int {
	var status struct {
		MemoryTypes []struct {
			Name  string
			Items int
		}
	}
	client.Call("wm/status", nil, &status)
	for _, kind := range status.MemoryTypes {
		if kind.Name == "semantic" {
			return kind.Items
		}
	}
	return 0
}

func TestWhatWasRebuiltGivesTheSameAnswers(t *testing.T) {
	test.Run(t, "-- a.go --\npackage a\n", func(t *testing.T, env *test.Env) {
		told := test.ClientOptions{SessionID: session, Settings: map[string]any{ // the episode once, at its end
			"items": map[string]any{
				"episodeItems": 1000, "episodeTokens": 1000000, "enableToolTracking": true,
			},
		}}
		client := env.Start(told)
		rememberAll(client)
		items := make([]map[string]any, 300)
		for i := range items {
			items[i] = map[string]any{"type": "fact", "text": fmt.Sprintf(
				"The %s of shard %d keeps %d rows", strings.Fields("parser ledger cache socket")[i%4], i, i*i)}
		}
		client.Call("wm/memorize", map[string]any{"items": items}, nil)
		client.Shutdown()
		client = env.Start(told)
		require.Eventually(t, func() bool {
			var result struct{ Hits []struct{} }
			client.Call("wm/search", map[string]any{"query": "shard rows", "types": []string{"summary"}}, &result)
			return len(result.Hits) > 0
		}, test.Patience, 20*time.Millisecond, "the episode of the items is told")
		kept := semanticItems(client)
		assert.Equal(t, len(items)+1, kept, "the items and the summary")
		queries := []string{"which cache keeps rows", "ledger of shard 41", "two cores", "ship it", "parser"}
		before := found(client, queries...)
		require.NotEmpty(t, before)
		var status struct{ Store struct{ Path string } }
		client.Call("wm/status", nil, &status)

		code, out, errOut := runProgram(t, env, "rebuild") // while the server runs
		require.Zero(t, code, errOut)
		assert.Contains(t, out, "made anew")
		assert.Equal(t, before, found(client, queries...))
		client.Shutdown()

		db, err := sql.Open("sqlite", "file:"+filepath.Join(status.Store.Path, "memory.db"))
		require.NoError(t, err)
		for _, damage := range []string{
			"UPDATE index_chunk SET terms = x'00'", "DELETE FROM items_key", "UPDATE items_count SET items = 7",
		} {
			_, err = db.Exec(damage)
			require.NoError(t, err)
		}
		require.NoError(t, db.Close())
		code, _, errOut = runProgram(t, env, "rebuild", "-C", env.Root)
		require.Zero(t, code, errOut)
		client = env.Start(told)
		assert.Equal(t, before, found(client, queries...))
		var again struct{ Results []struct{ Status string } }
		client.Call("wm/memorize", map[string]any{"items": items[:3]}, &again)
		for _, result := range again.Results {
			assert.Equal(t, "duplicate", result.Status)
		}
		assert.Equal(t, kept, semanticItems(client))
		client.Shutdown()

		code, _, errOut = runProgram(t, env, "rebuild", "now")
		assert.Equal(t, 2, code)
		assert.Contains(t, errOut, "takes no arguments")
	})
}

func TestARebuildMakesNoMemoryWhereThereIsNone(t *testing.T) {
	test.Run(t, "-- a.go --\npackage a\n", func(t *testing.T, env *test.Env) {
		before := folders(t, env)
		code, out, errOut := runProgram(t, env, "rebuild")
		assert.Equal(t, 3, code)
		assert.Empty(t, out)
		assert.Contains(t, errOut, "this folder has no memory")
		assert.Equal(t, before, folders(t, env))
	})
}

// folders returns everything in the folder of a test environment.
func folders(t *testing.T, env *test.Env) (all []string) {
	t.Helper()
	for _, root := range []string{env.Root, env.Home} {
		err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
			all = append(all, path)
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			return err
		})
		require.NoError(t, err)
	}
	return all
}
