//go:build unix

package service

import (
	"testing"

	"github.com/adrg/xdg"
	"github.com/stretchr/testify/assert"
)

func TestARelativeHomeFolderIsNone(t *testing.T) {
	t.Cleanup(xdg.Reload) // when the variables are restored
	for _, variable := range []string{"XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"} {
		t.Setenv(variable, "")
	}
	t.Setenv("HOME", "home")
	xdg.Reload()
	assert.Empty(t, DataDir())
	assert.Empty(t, StateDir())
	assert.Empty(t, userFile(), "a repository could hold it")
}
