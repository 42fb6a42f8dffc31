package sqlite

import (
	"context"
	"strings"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// Trace returns the changes that match the filter, oldest first.
func (s *Store) Trace(ctx context.Context, filter store.Filter) ([]change.Change, error) {
	where, args := []string{"1=1"}, []any{}
	if filter.Subject != "" {
		where, args = append(where, "subject = ?"), append(args, filter.Subject)
	}
	if filter.After > 0 {
		where, args = append(where, "seq > ?"), append(args, filter.After)
	}
	if !filter.Since.IsZero() {
		where, args = append(where, "at >= ?"), append(args, filter.Since.UnixMilli())
	}
	if len(filter.Kinds) > 0 {
		var anyOf []string
		for _, kind := range filter.Kinds {
			anyOf = append(anyOf, "kind = ? OR substr(kind, 1, ?) = ?")
			args = append(args, kind, len(kind)+1, kind+".")
		}
		where = append(where, "("+strings.Join(anyOf, " OR ")+")")
	}
	limit := filter.Limit
	if limit <= 0 {
		limit = -1
	}
	query := "WHERE " + strings.Join(where, " AND ") + " ORDER BY seq DESC LIMIT ?"
	changes, err := s.changes(ctx, query, append(args, limit)...)
	for i, j := 0, len(changes)-1; i < j; i, j = i+1, j-1 {
		changes[i], changes[j] = changes[j], changes[i]
	}
	return changes, err
}

// Length returns the number of changes in the log.
func (s *Store) Length(ctx context.Context) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.db == nil {
		return 0, store.ErrClosed
	}
	var length int64
	err := s.db.QueryRowContext(ctx, "SELECT count(*) FROM log").Scan(&length)
	return length, classify(err)
}
