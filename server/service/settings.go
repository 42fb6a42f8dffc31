package service

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/wm-lsp/wm-lsp/memory/settings"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// A configuration holds the settings of the client and of the user's file.
type configuration struct {
	service *Service

	mu     sync.RWMutex
	client settings.Layer
	user   settings.Layer
	merged *inForce
	// generation is the number of the newest merged settings.
	generation int64
	problems   map[string][]string // by their source
}

// inForce are settings with their generation, a number that is never reused.
type inForce struct {
	*settings.Settings
	generation int64
}

// number returns settings with a new generation. The lock must be held.
func (c *configuration) number(merged *settings.Settings) *inForce {
	c.generation++
	return &inForce{merged, c.generation}
}

// initialize reads initializationOptions and the user's file.
func (c *configuration) initialize(options json.RawMessage) wire.InitializationOptions {
	var known wire.InitializationOptions
	wrong := json.Unmarshal(options, &known) // reads the other members all the same
	user, err := settings.ReadUserFile(c.service.options.UserFile)
	c.mu.Lock()
	c.user, c.problems = user, map[string][]string{}
	var member *json.UnmarshalTypeError
	if errors.As(wrong, &member) {
		c.problems["options"] = []string{fmt.Sprintf(
			"initializationOptions: %s must be a %s, got %s; it is ignored", member.Field, member.Type, member.Value)}
	}
	if err != nil {
		c.problems["user"] = []string{err.Error()}
	}
	c.mu.Unlock()
	c.set(options)
	return known
}

// set replaces the client's settings.
func (c *configuration) set(doc json.RawMessage) {
	layer, err := settings.FromJSON(doc)
	for _, option := range []string{"sessionId", "agent", "attach", "strict", "toolNames"} {
		delete(layer.Values, option)
	}
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

// merge merges the settings of the client and the user. The lock must be held.
func (c *configuration) merge() {
	merged, problems := settings.Merge(c.client, c.user)
	c.merged = c.number(merged)
	c.problems["merged"] = messages(problems)
}

// current returns a function that returns the settings without those of a repository.
func (c *configuration) current() func() *inForce {
	return func() *inForce {
		c.mu.RLock()
		defer c.mu.RUnlock()
		return c.merged
	}
}

// forRepository reads and returns the settings of a repository.
func (c *configuration) forRepository(root string) *inForce {
	repository, err := settings.ReadRepositoryFile(root)
	c.mu.Lock()
	defer c.mu.Unlock()
	merged, problems := settings.Merge(c.client, c.user, repository)
	about := "repository " + root
	c.problems[about] = messages(problems)
	if err != nil {
		c.problems[about] = append(c.problems[about], err.Error())
	}
	// A problem that does not come from the repository's file is reported once.
	c.problems[about] = slices.DeleteFunc(c.problems[about], func(p string) bool {
		return slices.Contains(c.problems["merged"], p)
	})
	return c.number(merged)
}

func messages(problems []settings.Problem) []string {
	list := []string{}
	for _, p := range problems {
		list = append(list, p.String())
	}
	return list
}

// problemsOf returns the problems of the settings of a repository.
func (c *configuration) problemsOf(root string) []string {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return slices.Concat(c.problems["options"], c.problems["client"], c.problems["user"], c.problems["merged"],
		c.problems["repository "+root])
}

// Configure replaces the client's settings.
func (s *Service) Configure(doc json.RawMessage) {
	s.config.set(doc)
	s.reconfigure()
}

// reconfigure reads the settings of the repositories again.
func (s *Service) reconfigure() {
	s.folders.reconfigure()
	s.notifier.everything()
}
