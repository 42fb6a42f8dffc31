package service

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
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
	prefix string // of its settings
	client settings.Layer
	user   settings.Layer
	// stated are the limits that they set.
	stated []limits.Statement
	merged *inForce
	// generation is the number of the newest merged settings.
	generation int64
	problems   map[string][]string           // by their source
	broken     map[string]brokenFile         // likewise, the files that are ignored
	invalid    map[string][]settings.Problem // likewise, what values are ignored
}

// A brokenFile is a settings file that is ignored.
type brokenFile struct {
	path string
	err  error
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
	user, err := c.userFile()
	c.mu.Lock()
	c.name, c.prefix = name, known.SettingsPrefix
	c.problems, c.broken, c.invalid = map[string][]string{}, map[string]brokenFile{}, map[string][]settings.Problem{}
	c.setUser(user, err)
	var member *json.UnmarshalTypeError
	if errors.As(wrong, &member) {
		c.problems["options"] = []string{fmt.Sprintf(
			"initializationOptions: %s must be a %s, got %s; it is ignored", member.Field, member.Type, member.Value)}
	}
	c.mu.Unlock()
	c.set(options)
	return known
}

// userFile reads the user's file. The lock must not be held.
func (c *configuration) userFile() (settings.Layer, error) {
	return settings.ReadUserFile(c.service.options.UserFile)
}

// setUser replaces the user's settings by what userFile returned. The lock must be held.
func (c *configuration) setUser(user settings.Layer, err error) {
	c.user = user
	c.note("user", user, err)
}

// note records whether a file is ignored. The lock must be held.
func (c *configuration) note(source string, file settings.Layer, err error) {
	delete(c.broken, source)
	if err != nil {
		c.broken[source] = brokenFile{file.Name, err}
	}
}

// set replaces the client's settings.
func (c *configuration) set(doc json.RawMessage) {
	layer, err := settings.FromJSON(doc)
	for _, option := range []string{"sessionId", "agent", "attach", "strict", "toolNames", "settingsPrefix"} {
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
	c.note(about, repository, err)
	// A problem that does not come from the repository's file is reported once.
	c.invalid[about] = slices.DeleteFunc(problems, func(p settings.Problem) bool {
		return slices.Contains(c.invalid["merged"], p)
	})
	return c.number(merged)
}

// ignored returns the values of a repository's settings, and of the user's and the client's, that are ignored, with
// what is in force instead. The lock must be held.
func (c *configuration) ignored(root string, inForce *settings.Settings) []settings.Problem {
	ignored := slices.Concat(c.invalid["merged"], c.invalid["repository "+root])
	for i, p := range ignored {
		if p.Instead != "" && settings.IsLimit(p.Key) {
			ignored[i].Instead = inForce.Show(p.Key)
		}
	}
	return ignored
}

// brokenFiles returns the files that are ignored, the user's first. The lock must be held.
func (c *configuration) brokenFiles(root string) (files []brokenFile) {
	for _, source := range []string{"user", "repository " + root} {
		if file, is := c.broken[source]; is {
			files = append(files, file)
		}
	}
	return files
}

// problemsOf returns the problems of the settings of a repository, in place of which others are in force.
func (c *configuration) problemsOf(root string, inForce *settings.Settings) (problems []memory.Problem) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	messages := slices.Concat(c.problems["options"], c.problems["client"])
	for _, p := range c.ignored(root, inForce) {
		if p.Layer == c.client.Name {
			p.Key = c.prefix + p.Key
		}
		messages = append(messages, p.String())
	}
	for _, file := range c.brokenFiles(root) {
		messages = append(messages, file.err.Error())
	}
	for _, message := range messages {
		problems = append(problems, room.Warning(message, "Correct the setting."))
	}
	return problems
}

// marksOf returns what is wrong in the settings files of the user and of a repository, by their paths.
func (c *configuration) marksOf(root string, inForce *settings.Settings) map[string][]Mark {
	c.mu.RLock()
	defer c.mu.RUnlock()
	marks := map[string][]Mark{}
	for _, p := range c.ignored(root, inForce) {
		if p.Layer == c.user.Name || p.Layer == filepath.Join(root, settings.FileName) {
			marks[p.Layer] = append(marks[p.Layer],
				Mark{Line: p.Line, Severity: severityWarning, Code: "settings", Message: p.Sentence()})
		}
	}
	for _, file := range c.brokenFiles(root) {
		marks[file.path] = append(marks[file.path], Mark{
			Line: settings.InvalidAt(file.err), Severity: severityError, Code: "settings", Message: file.err.Error(),
		})
	}
	return marks
}

// SavedElsewhere reads the settings again if a saved file that is in no folder is the user's own settings file.
func (s *Service) SavedElsewhere(uri string) {
	path, err := filePath(uri)
	if err != nil || path != s.options.UserFile {
		return
	}
	user, err := s.config.userFile()
	s.config.mu.Lock()
	s.config.setUser(user, err)
	s.config.merge()
	s.config.mu.Unlock()
	s.reconfigure()
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
