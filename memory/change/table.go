package change

import "encoding/json"

// A Table holds rows of one kind by their key. Every write returns the touched row, for the
// store. It is not safe for concurrent use: the room locks its tables.
type Table[T any] map[string]T

// Put sets a value and returns the row.
func (t Table[T]) Put(key string, value T) Row {
	row := Row{Key: key, Value: encode(value)}
	if old, there := t[key]; there {
		row.Old = encoded(old)
	}
	t[key] = value
	return row
}

// Delete removes a value and returns the row. It returns false if there was no value.
func (t Table[T]) Delete(key string) (Row, bool) {
	old, there := t[key]
	if !there {
		return Row{}, false
	}
	delete(t, key)
	return Row{Key: key, Old: encoded(old)}, true
}

// encoded encodes a value now, because it may be changed later.
func encoded(value any) func() json.RawMessage {
	doc := encode(value)
	return func() json.RawMessage { return doc }
}

// Drop removes a value and returns the touched rows: none if there was no value.
func (t Table[T]) Drop(key string) []Row {
	if row, there := t.Delete(key); there {
		return []Row{row}
	}
	return nil
}

// Load sets the value of a row, or deletes it if the row has none.
func (t Table[T]) Load(row Row) error { return t.LoadAll([]Row{row}) }

// A Roomy value makes room for what rows usually hold before it is decoded. The decoder makes room for ten elements of
// each list, which are kept as long as the value.
type Roomy interface{ MakeRoom() }

// LoadAll loads rows in their order, up to the first that cannot be read.
func (t Table[T]) LoadAll(rows []Row) error {
	var value, none T // one value for all rows: the decoder keeps it in memory that is allocated
	roomy, isRoomy := any(&value).(Roomy)
	for _, row := range rows {
		if row.Value == nil {
			delete(t, row.Key)
			continue
		}
		value = none
		if isRoomy {
			roomy.MakeRoom()
		}
		if err := row.Decode(&value); err != nil {
			return err
		}
		t[row.Key] = value
	}
	return nil
}
