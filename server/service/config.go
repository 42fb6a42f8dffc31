package service

import (
	"encoding/json"
	"slices"
	"sync"

	"github.com/wm-lsp/wm-lsp/memory/settings"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// configuration is what the client and the user's file say about the settings.
type configuration struct {
	service *Service

	mu     sync.RWMutex
	client settings.Layer
	user   settings.Layer
	merged *inForce
	// generation counts the merged settings that were put in force.
	generation int64
	problems   map[string][]string // by what they come from
}

// inForce are settings with their generation: a number that no others have.
type inForce struct {
	*settings.Settings
	generation int64
}

// number is called with the lock held.
func (c *configuration) number(merged *settings.Settings) *inForce {
	c.generation++
	return &inForce{merged, c.generation}
}

// initialize takes the settings of initializationOptions and the user's file.
func (c *configuration) initialize(options json.RawMessage) wire.InitializationOptions {
	var known wire.InitializationOptions
	_ = json.Unmarshal(options, &known) // a wrong member is told with the settings
	user, err := settings.ReadUserFile(c.service.options.UserFile)
	c.mu.Lock()
	c.user, c.problems = user, map[string][]string{}
	if err != nil {
		c.problems["user"] = []string{err.Error()}
	}
	c.mu.Unlock()
	c.set(options)
	return known
}

// set takes the client's settings.
func (c *configuration) set(doc json.RawMessage) {
	layer, err := settings.FromJSON(doc)
	delete(layer.Values, "sessionId")
	delete(layer.Values, "agent")
	delete(layer.Values, "attach")
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.problems, "client")
	if err != nil {
		c.problems["client"] = []string{err.Error()}
		layer.Values = nil
	}
	c.client = layer
	c.merge()
}

// merge is called with the lock held.
func (c *configuration) merge() {
	merged, problems := settings.Merge(c.client, c.user)
	c.merged = c.number(merged)
	c.problems["merged"] = sentences(problems)
}

// current gives the settings without those of any repository.
func (c *configuration) current() func() *inForce {
	return func() *inForce {
		c.mu.RLock()
		defer c.mu.RUnlock()
		return c.merged
	}
}

// forRepository gives the settings of a repository.
func (c *configuration) forRepository(root string) *inForce {
	repository, err := settings.ReadRepositoryFile(root)
	c.mu.Lock()
	defer c.mu.Unlock()
	merged, problems := settings.Merge(c.client, c.user, repository)
	about := "repository " + root
	c.problems[about] = sentences(problems)
	if err != nil {
		c.problems[about] = append(c.problems[about], err.Error())
	}
	// What is wrong without the repository's file is told once.
	c.problems[about] = slices.DeleteFunc(
		c.problems[about],
		func(p string) bool { return slices.Contains(c.problems["merged"], p) },
	)
	return c.number(merged)
}

func sentences(problems []settings.Problem) []string {
	list := []string{}
	for _, p := range problems {
		list = append(list, p.String())
	}
	return list
}

// told are the problems of the settings that concern a repository.
func (c *configuration) told(root string) []string {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return slices.Concat(c.problems["client"], c.problems["user"], c.problems["merged"], c.problems["repository "+root])
}
