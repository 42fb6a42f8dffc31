package agents

import (
	"path/filepath"
	"runtime"
)

// Repository is the folder of this repository.
func Repository() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Dir(filepath.Dir(filepath.Dir(file)))
}

// Plugins is the folder of the plugins for agents.
func Plugins() string { return filepath.Join(Repository(), "editors", "agents") }
