package service

import (
	"context"
	"errors"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/inventory"
)

// Memories returns the memories of all workspaces on the machine, those that were used last first.
func (s *Service) Memories() ([]inventory.Memory, error) {
	if s.options.DataDir == "" {
		return nil, ErrNoHome
	}
	return inventory.List(s.options.DataDir, time.Now(), s.goneDays())
}

// PurgeGone deletes memories whose folders are gone (inventory.Gone). It returns those that it
// deleted, and why it did not delete the others.
func (s *Service) PurgeGone(ctx context.Context, list []inventory.Memory) (deleted []inventory.Memory, err error) {
	err = inventory.ClearLeft(s.options.DataDir)
	for _, m := range list {
		if failed := inventory.PurgeGone(ctx, s.options.DataDir, m, s.goneDays()); failed != nil {
			err = errors.Join(err, failed)
			continue
		}
		deleted = append(deleted, m)
	}
	return deleted, err
}

// goneDays is the setting cleaning.goneDays of the person.
func (s *Service) goneDays() int { return s.config.current()().Cleaning.GoneDays }
