package service

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/limits"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/settings"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// A configuration holds the settings of the client and of the user's file.
type configuration struct {
	service *Service

	mu     sync.RWMutex
	name   string // of the client
	client settings.Layer
	user   settings.Layer
	// stated are the limits that they set.
	stated []limits.Statement
	merged *inForce
	// generation is the number of the newest merged settings.
	generation int64
	problems   map[string][]string           // by their source
	invalid    map[string][]settings.Problem // likewise, what values are ignored
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

// initialize reads the initializationOptions of a client and the user's file.
func (c *configuration) initialize(name string, options json.RawMessage) wire.InitializationOptions {
	var known wire.InitializationOptions
	wrong := json.Unmarshal(options, &known) // reads the other members all the same
	user, err := settings.ReadUserFile(c.service.options.UserFile)
	c.mu.Lock()
	c.name, c.user = name, user
	c.problems, c.invalid = map[string][]string{}, map[string][]settings.Problem{}
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
	layer.Name = cmp.Or(c.name, layer.Name)
	c.client = layer
	c.merge()
}

// merge merges the settings of the client and the user. The lock must be held.
func (c *configuration) merge() {
	merged, problems := settings.Merge(c.client, c.user)
	c.merged = c.number(merged)
	c.invalid["merged"] = problems
	c.stated = nil
	for _, layer := range []settings.Layer{c.user, c.client} {
		c.stated = append(c.stated, limits.Statement{By: layer.Name, Limits: settings.LimitsIn(layer)})
	}
}

// limits returns the limits that the user and the client set.
func (c *configuration) limits() []limits.Statement {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.stated
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
	delete(c.problems, about)
	if err != nil {
		c.problems[about] = []string{err.Error()}
	}
	// A problem that does not come from the repository's file is reported once.
	c.invalid[about] = slices.DeleteFunc(problems, func(p settings.Problem) bool {
		return slices.Contains(c.invalid["merged"], p)
	})
	return c.number(merged)
}

// problemsOf returns the problems of the settings of a repository, in place of which others are in force.
func (c *configuration) problemsOf(root string, inForce *settings.Settings) (problems []memory.Problem) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	repository := "repository " + root
	messages := slices.Concat(c.problems["options"], c.problems["client"], c.problems["user"])
	for _, p := range slices.Concat(c.invalid["merged"], c.invalid[repository]) {
		if p.Instead != "" && settings.IsLimit(p.Key) {
			p.Instead = inForce.Show(p.Key)
		}
		messages = append(messages, p.String())
	}
	for _, message := range append(messages, c.problems[repository]...) {
		problems = append(problems, room.Warning(message, "Correct the setting."))
	}
	return problems
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
