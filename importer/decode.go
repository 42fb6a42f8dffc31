package importer

import (
	"encoding/binary"
	"errors"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// decode returns the text of a document in UTF-8, without a byte order mark. A document may be in UTF-8, in
// UTF-16 with or without a byte order mark, or else in Windows-1252, of which Latin-1 is a part.
func decode(doc []byte) (string, error) {
	text := string(doc)
	switch order := orderOf(doc); {
	case order != nil:
		text = wide(doc, order)
	case !utf8.Valid(doc):
		text = narrow(doc)
	}
	text = strings.TrimPrefix(text, "\ufeff")
	if strings.ContainsRune(text, 0) {
		return "", errors.New("it is not read, because it is not text")
	}
	return text, nil
}

// orderOf returns the byte order of a document in UTF-16, nil for any other.
func orderOf(doc []byte) binary.ByteOrder {
	if len(doc) < 2 {
		return nil
	}
	switch {
	case doc[0] == 0xff && doc[1] == 0xfe, doc[0] != 0 && doc[1] == 0:
		return binary.LittleEndian
	case doc[0] == 0xfe && doc[1] == 0xff, doc[0] == 0 && doc[1] != 0:
		return binary.BigEndian
	}
	return nil
}

// wide returns the text of a document in UTF-16. Half a character at its end is left out.
func wide(doc []byte, order binary.ByteOrder) string {
	units := make([]uint16, len(doc)/2)
	for i := range units {
		units[i] = order.Uint16(doc[2*i:])
	}
	return string(utf16.Decode(units))
}

// narrow returns the text of a document in Windows-1252, as the Encoding Standard of the WHATWG maps it.
func narrow(doc []byte) string {
	var text strings.Builder
	for _, b := range doc {
		if b >= 0x80 && b < 0xa0 {
			text.WriteRune(windows1252[b-0x80])
		} else {
			text.WriteRune(rune(b))
		}
	}
	return text.String()
}

// windows1252 are the characters 0x80 to 0x9f of Windows-1252. The others are those of Latin-1.
var windows1252 = [32]rune{
	'€', 0x81, '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', 0x8d, 'Ž', 0x8f,
	0x90, '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', 0x9d, 'ž', 'Ÿ',
}
