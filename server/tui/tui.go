// Package tui is the face for people at a terminal: the panel that editors show, live, beside an agent.
// It draws the model of wm/panel and calls the methods of its actions; it decides nothing about the memory.
//
// The model of the program (model.go) holds what was received and where the person is. An event changes it
// (keys.go, mouse.go) and may start a call of the memory (memory.go), whose result is the next event. Rows are
// made of a panel in rows.go and drawn in draw.go. Plain prints changes as lines instead (plain.go).
package tui

import (
	"context"
	"errors"
	"io"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/wm-lsp/wm-lsp/server/service"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// Options configure Run and Plain.
type Options struct {
	In  io.Reader
	Out io.Writer
	// Env looks up environment variables.
	Env func(string) string
	// Theme is the theme to use; the zero value asks the terminal.
	Theme Theme
	// Params say what of the panel is shown.
	Params wire.PanelParams
	// All is true if advanced sections are shown from the beginning.
	All bool
	// Name is the name of the workspace.
	Name string
}

// A Theme is the background that the colours are for.
type Theme string

// The themes.
const (
	ThemeAuto  Theme = "auto"
	ThemeDark  Theme = "dark"
	ThemeLight Theme = "light"
)

// frames is how many times a second a changed screen is drawn at most. A change is seen half of the time
// between two frames later, 4 ms.
const frames = 120

// Run shows the panel on a terminal until the person leaves it or ctx is done. The terminal is then as it
// was. The outbox is that of the service.
func Run(ctx context.Context, s *service.Service, outbox *Outbox, o Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go s.Tell(ctx)
	options := []tea.ProgramOption{
		tea.WithContext(ctx), tea.WithInput(o.In), tea.WithOutput(o.Out), tea.WithFPS(frames),
		tea.WithoutSignalHandler(), // the context is done then
	}
	if o.Env("NO_COLOR") != "" { // the library takes some values of it for no
		options = append(options, tea.WithColorProfile(colorprofile.ASCII))
	}
	m := newModel(ctx, newMemory(s), o)
	program := tea.NewProgram(m, options...)
	go outbox.pass(ctx, program.Send)
	_, err := program.Run()
	if cause := context.Cause(ctx); cause != nil && errors.Is(err, tea.ErrProgramKilled) {
		return cause
	}
	return err
}
