package fault_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wm-lsp/wm-lsp/memory/fault"
)

func TestTheFaultOfAnError(t *testing.T) {
	store := fault.Refuse(fault.Store, fault.Data{}, "the memory cannot be written")
	missing := fault.Missing("m1", "there is no memory %q", "m1")
	invalid := fault.Invalid("limit", "must be 0 or more, got %d", -1)
	for name, c := range map[string]struct {
		err  error
		want fault.Fault
	}{
		"a refusal": {missing, *missing},
		"an invalid parameter, with context": {
			fmt.Errorf("list: %w", invalid),
			fault.Fault{Kind: fault.Params, Field: "limit", Message: "must be 0 or more, got -1"},
		},
		"a sentinel with its cause": {
			fmt.Errorf("%w: %w", store, errors.New("the disk is full")),
			fault.Fault{
				Kind: fault.Refused, Reason: fault.Store, Message: "the memory cannot be written: the disk is full",
			},
		},
		"a cancelled context": {
			fmt.Errorf("read: %w", context.Canceled),
			fault.Fault{Kind: fault.Cancelled, Message: "the request was cancelled; nothing was changed"},
		},
		"any other error": {errors.New("odd"), fault.Fault{Kind: fault.Internal, Message: "odd"}},
	} {
		assert.Equal(t, c.want, *fault.Of(c.err), name)
	}
	assert.Nil(t, fault.Of(nil))
	assert.Empty(t, store.Data, "a sentinel is left as it is")
	assert.Equal(t, "the memory cannot be written", store.Message)
}

func TestTheReasonOfARefusalIsFoundInAnyChain(t *testing.T) {
	err := fmt.Errorf("read: %w", fault.Missing("m1", "there is no memory"))
	assert.True(t, fault.Has(err, fault.NotFound))
	assert.False(t, fault.Has(err, fault.Conflict))
	assert.False(t, fault.Has(nil, fault.NotFound))
	assert.False(t, fault.Has(fault.Invalid("id", "is missing"), ""))
}

func TestTheTextOfAFaultNamesItsField(t *testing.T) {
	assert.EqualError(t, fault.Invalid("limit", "must be 0 or more, got %d", -1), "limit: must be 0 or more, got -1")
	assert.EqualError(t, fault.Invalid("", "must be an object, got array"), "must be an object, got array")
}

func TestAnIDThatIsNotKnownIsNotRepeatedAtLength(t *testing.T) {
	id := strings.Repeat("x", 60_000)
	missing := fault.Missing(id, "there is no memory %q", id)
	assert.Less(t, len(missing.Message), 300)
	assert.Contains(t, missing.Message, "there is no memory \"xxx")
	assert.Equal(t, id, missing.Data.ID)
}
