package room

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/wm-lsp/wm-lsp/memory/change"
)

// A DocumentTable is a table of a Source with a row for each document. Its column id is the key, its
// column doc the JSON of a V, from which the document is made.
type DocumentTable[V any] struct {
	// Name is the name of the table, Order the columns by which Each sorts.
	Name, Order string
	// What says in errors what is read, such as "the sections of notes".
	What string
	// ID returns the id of the row of a document. It returns false for documents of other rooms.
	ID func(document string) (id string, own bool)
	// Document returns the document of a row.
	Document func(V) Document
}

// rows calls yield with the rows that a query selects, until it returns false.
func (t *DocumentTable[V]) rows(
	ctx context.Context, db Querier, where string, args []any, yield func(id, doc string) bool,
) error {
	rows, err := db.QueryContext(ctx, "SELECT id, doc FROM "+t.Name+" "+where, args...)
	if err != nil {
		return fmt.Errorf("read %s: %w", t.What, err)
	}
	defer rows.Close()
	for rows.Next() {
		var id, doc string
		if err := rows.Scan(&id, &doc); err != nil {
			return fmt.Errorf("read %s: %w", t.What, err)
		}
		if !yield(id, doc) {
			return nil
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("read %s: %w", t.What, err)
	}
	return nil
}

// Each implements Source. A row that is not a V is left out.
func (t *DocumentTable[V]) Each(ctx context.Context, db Querier, yield func(Document) bool) error {
	return t.rows(ctx, db, "ORDER BY "+t.Order, nil, func(_, doc string) bool {
		var value V
		return json.Unmarshal([]byte(doc), &value) != nil || yield(t.Document(value))
	})
}

// Find implements Source. A row that is not a V is left out.
func (t *DocumentTable[V]) Find(ctx context.Context, db Querier, ids []string) (found []Document, err error) {
	var own []string
	for _, id := range ids {
		if id, is := t.ID(id); is {
			own = append(own, id)
		}
	}
	if len(own) == 0 {
		return nil, nil
	}
	docs := map[string]Document{}
	err = t.rows(ctx, db, "WHERE id IN (SELECT value FROM json_each(?))", []any{Values(own)},
		func(id, doc string) bool {
			var value V
			if json.Unmarshal([]byte(doc), &value) == nil {
				docs[id] = t.Document(value)
			}
			return true
		})
	for _, id := range own {
		if doc, there := docs[id]; there {
			found = append(found, doc)
		}
	}
	return found, err
}

// Erase erases strings from column doc.
func (t *DocumentTable[V]) Erase(ctx context.Context, tx Tx, texts []string) error {
	erased := map[string]string{}
	err := t.rows(ctx, tx, "", nil, func(id, doc string) bool {
		row := Without(change.Row{Key: "doc", Value: json.RawMessage(doc)}, texts)
		if without := string(row.Value); without != doc {
			erased[id] = without
		}
		return true
	})
	if err != nil {
		return err
	}
	for id, doc := range erased {
		if _, err := tx.ExecContext(ctx, "UPDATE "+t.Name+" SET doc = ? WHERE id = ?", doc, id); err != nil {
			return fmt.Errorf("erase from %s: %w", t.What, err)
		}
	}
	return nil
}
