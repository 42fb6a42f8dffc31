package backup

import (
	"bytes"
	"math"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEveryValueOfSQLiteIsReadAsItWasWritten(t *testing.T) {
	for _, of := range []any{
		nil, int64(0), int64(math.MaxInt64), int64(math.MinInt64), 1.0, 0.1, math.Inf(1), math.SmallestNonzeroFloat64,
		"", "text", "\x00 <&> \u2028 \U0001f600", "\xff\xfe", []byte{}, []byte{0, 255},
	} {
		doc, err := json.Marshal(value{of})
		require.NoError(t, err)
		var read value
		require.NoError(t, json.Unmarshal(doc, &read), "%s", doc)
		assert.Equal(t, of, read.of, "%s", doc)
	}
}

func TestAFileWithALongFirstLineIsNoBackupAndNotReadOn(t *testing.T) {
	file := &countingReader{}
	err := each(file, func(header) error { return nil }, func(line) error { return nil })
	assert.ErrorIs(t, err, errNoBackup)
	assert.Less(t, file.read, 1<<20)
}

// A countingReader is a file of spaces without an end. It counts the bytes that are read.
type countingReader struct{ read int }

func (r *countingReader) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	r.read += len(p)
	return len(p), nil
}

func FuzzABrokenBackupIsRefused(f *testing.F) {
	var doc bytes.Buffer
	w := newWriter(&doc)
	for _, l := range []line{
		{Header: &header{Format: format, Version: formatVersion}},
		{Table: &table{Name: "a", Columns: []string{"b"}, Create: []string{"CREATE TABLE a(b)"}}},
		{Row: []value{{int64(1)}}}, {Row: []value{{[]byte{0}}}},
		{File: &fileLine{Path: "sessions/a/meta.json", Content: value{"{}"}}},
	} {
		require.NoError(f, w.write(l))
	}
	require.NoError(f, w.close())
	whole := doc.Bytes()
	f.Add(whole)
	f.Add([]byte("{}"))
	f.Add([]byte(`{"backup":{"format":"wm-lsp backup"}}` + "\n" + `{"row":[{}]}`))
	f.Fuzz(func(t *testing.T, doc []byte) {
		rows := 0
		err := each(bytes.NewReader(doc), func(header) error { return nil }, func(l line) error {
			if l.Row != nil {
				rows++
			}
			return nil
		})
		if bytes.HasPrefix(doc, whole) {
			assert.NoError(t, err)
			assert.Equal(t, 2, rows)
		} else if bytes.HasPrefix(whole, doc) {
			assert.Error(t, err)
		}
	})
}
