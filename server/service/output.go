package service

import (
	"context"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// OutputRead implements wm/output/read.
func (s *Service) OutputRead(
	_ context.Context, at *View, params *wire.OutputReadParams,
) (wire.OutputReadResult, error) {
	for name, value := range map[string]int{"offset": params.Offset, "limit": params.Limit} {
		if value < 0 {
			return wire.OutputReadResult{}, fault.Invalid(name, "must be 0 or more, got %d", value)
		}
	}
	text, err := at.outputs().Read(params.Ref)
	if err != nil {
		return wire.OutputReadResult{}, err
	}
	result := wire.OutputReadResult{Output: skip(text, params.Offset), TotalChars: utf8.RuneCountInString(text)}
	if params.Limit > 0 {
		result.Output = result.Output[:len(result.Output)-len(skip(result.Output, params.Limit))]
	}
	return result, nil
}

// skip returns text without its first n characters.
func skip(text string, n int) string {
	for i := range text {
		if n == 0 {
			return text[i:]
		}
		n--
	}
	return ""
}
