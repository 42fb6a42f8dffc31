package longterm

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestTheMoreProcessesWriteTheLongerTheyMayWaitToWriteTheCopy(t *testing.T) {
	for _, c := range []struct {
		name    string
		writers int
		want    time.Duration
	}{
		{"nobody else writes", 0, copySpread},
		{"one other process writes", 1, copySpread},
		{"three others write", 3, 3 * copySpread},
		{"many others write", 31, spreadMost * copySpread},
	} {
		t.Run(c.name, func(t *testing.T) { assert.Equal(t, c.want, spread(c.writers)) })
	}
}
