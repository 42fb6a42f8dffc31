package redact

import "strings"

// A form is what a word says by itself, whatever stands around it. The words of a string recur, and each of these
// questions costs as much as a line of it, so each is asked once and only when it is needed.
type form struct {
	core, low string // the word without signs around it, and that in lower case
	like      likeness

	may, shaped, jumbled, plain, rare, described answer
}

// An answer is one to a question that may not have been asked yet.
type answer uint8

const (
	unasked answer = iota
	no
	yes
)

func (a *answer) or(ask func() bool) bool {
	if *a == unasked {
		*a = no
		if ask() {
			*a = yes
		}
	}
	return *a == yes
}

// mayBeValue reports whether nothing in a word speaks against that it is the value of a credential.
func (f *form) mayBeValue() bool {
	return f.may.or(func() bool {
		return !strings.ContainsAny(f.core, "/\\()[]{}<>=|\"`',:") && !isPlaceholder(f.core) &&
			!strings.Contains(f.core, markerOpen) && !format.Match(f.core) && !isReference(f.core) &&
			(!isFile.Match(f.low) || isJoined.Match(f.core)) && !isAlgorithm(f.low) && !namesSecret(f.low)
	})
}

// shape is shapeOf, and unlike for a name of code.
func (f *form) shape() likeness {
	if f.shaped == unasked {
		f.shaped, f.like = yes, shapeOf(f.core, f.low)
		if f.like >= mixed && camel.Match(f.core) {
			f.like = unlike
		}
	}
	return f.like
}

func (f *form) isPlainValue() bool {
	return f.plain.or(func() bool { return isPlainValue(f.core, f.low) })
}

func (f *form) isJumbled() bool { return f.jumbled.or(func() bool { return isJumbled(f.core) }) }

func (f *form) isRare() bool { return f.rare.or(func() bool { return isRare(f.core) }) }

func (f *form) isDescribed() bool {
	return f.described.or(func() bool { return described.Match(f.low) })
}
