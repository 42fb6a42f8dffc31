package redact

import (
	"slices"
	"strings"
)

// numbers appends the cards and phone numbers of a string.
func numbers(s string, found []span) []span {
	for i := 0; i < len(s); i++ {
		if !isDigit(s[i]) {
			continue
		}
		end := behindAreaCode(s, i, numberEnd(s, i))
		if i > 0 && strings.IndexByte("!#$&*@?", s[i-1]) >= 0 {
			found = signed(s, i, run(s, i, 8, isDigit), found)
		}
		if i >= 2 && isUpper(s[i-1]) && isUpper(s[i-2]) {
			if start, stop, ok := findIBAN(s, i-2); ok {
				found = append(found, span{start, stop, "iban"})
				i = stop
				continue
			}
		}
		if before := len(found); end-i >= 7 {
			found = number(s, i, end, found)
			if len(found) > before {
				end = found[before].end // another number may follow a card
			}
		}
		i = end
	}
	return found
}

// numberEnd returns the end of a stretch of digits and the separators that
// people write in numbers.
func numberEnd(s string, at int) int {
	end := at
	for i := at; i < len(s) && i-end < 3 && i-at < 64; i++ {
		switch {
		case isDigit(s[i]):
			end = i + 1
		case s[i] != ' ' && s[i] != '-' && s[i] != '.' && s[i] != '(' && s[i] != ')':
			return end
		}
	}
	return run(s, end, len(s), isDigit)
}

func number(s string, start, end int, found []span) []span {
	if start > 0 && (isWord(s[start-1]) || s[start-1] >= 0x80 && !hasPhoneWord(s, start)) ||
		end < len(s) && (isWord(s[end]) || s[end] == ':') {
		return found
	}
	text := s[start:end]
	if isRecoveryKey(text) {
		return append(found, span{start, end, "recovery-key"})
	}
	if length := cardLength(text); length > 0 &&
		(end-start <= 16 || strings.ContainsAny(text, " -") || hasCardWord(s, start)) { // a longer one is rather an id
		if before := start - 1; before < 0 || strings.IndexByte(".-/:#@=&%", s[before]) < 0 ||
			hasPhoneWord(s, start) || hasCardWord(s, start) || isVariableBefore(s, start) {
			return append(found, span{start, start + length, "card"})
		}
	}
	if from, ok := findPhone(s, start, end); ok {
		return append(found, span{from, end, "phone"})
	}
	return found
}

// isVariableBefore reports whether the name of an environment variable and "=" stand before at.
func isVariableBefore(s string, at int) bool {
	if at < 2 || s[at-1] != '=' {
		return false
	}
	name := back(s, at-1, maxName, func(c byte) bool { return isUpper(c) || isDigit(c) || c == '_' })
	return name < at-1 && isUpper(s[name]) && (name == 0 || isSpace(s[name-1]))
}

// isRecoveryKey reports whether a number is eight groups of six digits, as BitLocker makes them.
func isRecoveryKey(text string) bool {
	if len(text) != 8*len("123456-")-1 {
		return false
	}
	for i := range len(text) {
		if i%7 == 6 && text[i] != '-' || i%7 < 6 && !isDigit(text[i]) {
			return false
		}
	}
	return true
}

// cardWords stand before cards in forms and documents.
var cardWords = []string{"card", "visa", "amex", "pan=", "pan:", `pan"`, "karte", "tarjeta", "卡号", "卡號"}

func hasCardWord(s string, at int) bool {
	before := foldASCII(s[max(0, at-24):at])
	return slices.ContainsFunc(cardWords, func(w string) bool { return strings.Contains(before, w) })
}

// cardLength returns how many bytes of a number are a card: all, or the groups
// before another number such as the month in which it expires; 0 if none are.
func cardLength(text string) int {
	if isCard(text) {
		return len(text)
	}
	if first := run(text, 0, len(text), isDigit); first > 8 && isCard(text[:first]) {
		return first
	}
	for _, length := range []int{len("4444 4444 4444 4444"), len("3444 666666 55555")} {
		if len(text) <= length || isDigit(text[length]) || !isCard(text[:length]) {
			continue
		}
		next := run(text, length, 3, func(c byte) bool { return !isDigit(c) })
		table := run(text, next, 5, isDigit)-next == 4 && !strings.ContainsAny(text[length:next], "()")
		if !table || cardLength(text[next:]) > 0 {
			return length
		}
	}
	return 0
}

// isCard reports whether a string is the number of a payment card: bare or in the
// groups that are printed on cards, a known issuer, and a right check digit.
func isCard(text string) bool {
	var digits []byte
	var groups []int
	group := 0
	for i := range len(text) {
		switch {
		case isDigit(text[i]):
			digits = append(digits, text[i]-'0')
			group++
		case (text[i] == ' ' || text[i] == '-') && group > 0:
			groups, group = append(groups, group), 0
		default:
			return false
		}
	}
	groups = append(groups, group)
	return cardGroups(groups) && cardIssuer(digits) && luhn(digits)
}

func cardGroups(groups []int) bool {
	switch {
	case len(groups) == 1:
		return true
	case len(groups) == 3:
		return groups[0] == 4 && groups[1] == 6 && (groups[2] == 5 || groups[2] == 4)
	case len(groups) == 4 || len(groups) == 5:
		return groups[0] == 4 && groups[1] == 4 && groups[2] == 4 && groups[3] <= 4
	}
	return false
}

// cardIssuer knows the ranges of ISO/IEC 7812 that are in use.
func cardIssuer(d []byte) bool {
	if len(d) < 14 || len(d) > 19 {
		return false
	}
	first2 := int(d[0])*10 + int(d[1])
	first4 := first2*100 + int(d[2])*10 + int(d[3])
	switch {
	case d[0] == 4:
		return len(d) == 16 || len(d) == 19
	case first2 >= 51 && first2 <= 55, first4 >= 2221 && first4 <= 2720:
		return len(d) == 16
	case first2 == 34 || first2 == 37:
		return len(d) == 15
	case first4 == 6011 || first2 == 65 || first4 >= 6440 && first4 <= 6499, first2 == 35, first2 == 62:
		return len(d) >= 16
	case first2 == 36 || first2 == 38 || first4 >= 3000 && first4 <= 3059:
		return len(d) == 14
	}
	return false
}

func luhn(d []byte) bool {
	sum := 0
	for i := range d {
		v := int(d[len(d)-1-i])
		if i%2 == 1 {
			if v *= 2; v > 9 {
				v -= 9
			}
		}
		sum += v
	}
	return sum%10 == 0
}
