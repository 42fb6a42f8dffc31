package change

import (
	"crypto/sha256"
	"encoding/hex"
)

// RevisionOf returns the revision of a content: the first 16 hex digits of its sha256.
func RevisionOf(content string) string {
	sum := sha256.Sum256([]byte(content))
	return hex.EncodeToString(sum[:8])
}
