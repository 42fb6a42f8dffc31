package service

import (
	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/core"
	"github.com/wm-lsp/wm-lsp/memory/history"
	"github.com/wm-lsp/wm-lsp/memory/hot"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/notes"
	"github.com/wm-lsp/wm-lsp/memory/pressure"
	"github.com/wm-lsp/wm-lsp/memory/working"
)

// The memory types that operations are about.

func (v *View) core() *core.Room { return memory.RoomOf[*core.Room](v.Workspace) }

func (v *View) history() *history.Service { return memory.ServiceOf[*history.Service](v.Workspace) }

func (v *View) hot() *hot.Room { return memory.RoomOf[*hot.Room](v.Workspace) }

func (v *View) longterm() *longterm.Room { return memory.RoomOf[*longterm.Room](v.Workspace) }

func (v *View) notes() *notes.Service { return memory.ServiceOf[*notes.Service](v.Workspace) }

func (v *View) pressures() *pressure.Room { return memory.RoomOf[*pressure.Room](v.Workspace) }

func (v *View) working() *working.Room { return memory.RoomOf[*working.Room](v.Workspace) }
