package memory

import (
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/wm-lsp/wm-lsp/memory/limits"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/settings"
)

// limited makes the settings in force: those of the process, with the limits of the workspace. It is safe for
// concurrent use.
type limited struct {
	own   func() *settings.Settings
	rooms func() *rooms

	latest atomic.Pointer[inForce]
	mu     sync.Mutex // held while latest is made
}

// inForce are settings in force, with what they were made of.
type inForce struct {
	own, settings *settings.Settings
	limits        settings.Limits
	generation    int64 // rises with every change of the limits
}

func (l *limited) settings() *settings.Settings { return l.current().settings }

// generation returns a number that rises with every change of the limits.
func (l *limited) generation() int64 { return l.current().generation }

func (l *limited) current() *inForce {
	own, limits := l.own(), l.limits()
	if latest := l.latest.Load(); latest.of(own, limits) {
		return latest
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	latest := l.latest.Load()
	if latest.of(own, limits) {
		return latest
	}
	made := &inForce{own: own, settings: own, limits: limits}
	if len(limits) > 0 {
		made.settings = own.WithLimits(limits)
	}
	if latest != nil {
		made.generation = latest.generation
		if !same(latest.limits, limits) {
			made.generation++
		}
	}
	l.latest.Store(made)
	return made
}

// limits returns the limits of the workspace, nil before there are rooms.
func (l *limited) limits() settings.Limits {
	all := l.rooms()
	if all == nil {
		return nil
	}
	known, _ := room.Find[*limits.Room](all.list)
	return known.InForce()
}

// of reports whether settings were made of these.
func (f *inForce) of(own *settings.Settings, limits settings.Limits) bool {
	return f != nil && f.own == own && same(f.limits, limits)
}

// same reports whether two maps are one.
func same(a, b settings.Limits) bool {
	return reflect.ValueOf(a).UnsafePointer() == reflect.ValueOf(b).UnsafePointer()
}
