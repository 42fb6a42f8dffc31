package redact

import (
	"strings"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// Numbers of persons and accounts. Only IBANs are known by their check digits alone; all
// others go with a label.

// An identity is a kind of number with the words that stand before it.
type identity struct {
	rule   string
	labels string
	// min is the number of digits at least, letters the number of letters at most.
	min, letters int
}

var identities = []identity{
	{"iban", "iban,rekeningnummer,account number,account no,account #,a/c no," +
		"bank account,kontonummer,konto-nr,nº de cuenta," +
		"número de cuenta,cuenta bancaria,sort code," +
		"routing number,bic/iban,口座番号,银行卡号,銀行帳號,계좌번호,номер счёта,номер счета,рахунок,hesap no,số tài khoản," +
		"numer konta,číslo účtu,رقم الحساب,खाता संख्या,acct no,compte n°,rib", 6, 6},
	{"ssn", "ssn,his social,her social,my social,your social," +
		"social security number,social security no,social security,soc sec,itin,ein,tin", 9, 0},
	{"national-id", "passport number,passport no,passport,passport #,national id,national insurance number," +
		"national insurance,nino,driver's license," +
		"driver license,driving licence,driving license,driver's licence,tax id,taxpayer id,id number,id card," +
		"medicare number,sin number," +
		"nhs number,personalausweisnummer,personalausweis,ausweisnummer,reisepassnummer,reisepass,steuer-id," +
		"steuernummer,steueridentifikationsnummer," +
		"sozialversicherungsnummer,versichertennummer,führerscheinnummer,numéro de sécurité sociale," +
		"sécurité sociale,n° de sécurité sociale,carte d'identité," +
		"numéro de passeport,passeport,nir,dni,nie,nif,cif,curp,pasaporte,documento de identidad,cédula,rut," +
		"seguridad social,cpf,cnpj,passaporte," +
		"cartão de cidadão,codice fiscale,carta d'identità,passaporto,partita iva,bsn,burgerservicenummer," +
		"paspoort,paspoortnummer,rijbewijs,personnummer," +
		"samordningsnummer,passnummer,pesel,nip,dowód osobisty,numer dowodu,paszport,rodné číslo,číslo op," +
		"občanský průkaz,číslo pasu,tc kimlik,t.c. kimlik," +
		"kimlik no,tckn,pasaport,паспорт,инн,снилс,номер паспорта,водительское удостоверение,іпн,рнокпп," +
		"паспорта,cccd,cmnd,căn cước,hộ chiếu," +
		"chứng minh nhân dân,رقم الهوية,الهوية الوطنية,رقم الإقامة,جواز السفر,رقم جواز السفر,आधार,aadhaar," +
		"aadhar,पैन,pan card,पासपोर्ट,voter id," +
		"マイナンバー,個人番号,パスポート番号,旅券番号,運転免許証番号,免許証番号,住民票コード,주민등록번호,주민번호,여권번호,운전면허번호,외국인등록번호," +
		"身份证,身份证号,身份证号码,身分證,身分證字號,护照号,护照号码,護照號碼,社保号,統一編號", 5, 16},
	{"phone", "telefoonnummer,telefoon,mobiel,mobil,mobilnummer,telefonnummer,handynummer,numéro de téléphone," +
		"tél,portable,número de teléfono,móvil," +
		"número de telefone,telefone,celular,numero di telefono,cellulare,telefono,telefonu,numer telefonu," +
		"nr telefonu,komórka,telefonní číslo,mobilní číslo," +
		"telefon numarası,cep telefonu,cep,gsm,телефон,мобильный,моб,тел,номер телефона,номер телефону," +
		"мобільний,số điện thoại,điện thoại,sđt,di động," +
		"رقم الهاتف,هاتف,جوال,رقم الجوال,الهاتف,موبايل,फ़ोन,फोन,मोबाइल,मोबाइल नंबर,फ़ोन नंबर,电话号码,手机号,手机号码," +
		"電話番号,携帯,携帯電話,전화번호,휴대전화," +
		"핸드폰,휴대폰 번호,phone number,mobile number,phone no,cell phone,whatsapp number,telegram number,fax number", 7, 0},
	{"card", "card number,credit card,debit card,kreditkarte,kreditkartennummer,carte bancaire,numéro de carte," +
		"tarjeta,número de tarjeta,cartão," +
		"número do cartão,carta di credito,creditcard,kreditkort,karta kredytowa,numer karty,číslo karty," +
		"kredi kartı,kart no,номер карты,карта," +
		"номер картки,số thẻ,رقم البطاقة,कार्ड नंबर,クレジットカード,カード番号,카드번호,카드 번호,卡号,信用卡号,信用卡", 13, 0},
}

func cardRules() []rule { return []rule{{"cvv", "cvv ", findCVV}, {"cvv", "cvc ", findCVV}} }

func personalRules() []manyRule {
	const usual = 1 << 9 // about as many as there are labels
	all, seen := make([]manyRule, 0, usual), make(map[string]bool, usual)
	var written []string
	for _, id := range identities {
		for label := range strings.SplitSeq(id.labels, ",") {
			written = appendIdentifiers(appendSpellings(written[:0], label), label)
			for _, w := range written {
				plain := foldASCII(w)
				if seen[plain] {
					continue
				}
				seen[plain] = true
				all = append(all, manyRule{plain, func(s string, at int, found []span) []span {
					if start, end, ok := id.find(s, at, at+len(plain)); ok {
						return append(found, span{start, end, id.rule})
					}
					return id.column(s, at, at+len(plain), found)
				}})
			}
		}
	}
	return all
}

// appendIdentifiers appends what a label of several words is as an identifier: social_security_number and, without
// regard to case, socialSecurityNumber.
func appendIdentifiers(all []string, label string) []string {
	if !isASCII(label) || !strings.Contains(label, " ") {
		return all
	}
	return append(all, strings.ReplaceAll(label, " ", "_"), strings.ReplaceAll(label, " ", ""))
}

// column appends the numbers below a label that is the name of a column.
func (id identity) column(s string, from, to int, found []span) []span {
	if from > 0 && isAlnum(s[from-1]) || to < len(s) && isAlnum(s[to]) {
		return found
	}
	return below(s, from, to, found, id.rule, func(text string) bool {
		digits := countDigits(text)
		return digits >= id.min && digits <= 19 && len(text) <= 32 && !isDate.Match(text) && (id.rule != "ssn" ||
			digits == 9) &&
			!isUUIDAt(text+" ", 0) && (id.letters > 0 || !hasLetter(text)) && strings.Count(text, ".") <= 3
	})
}

// find returns the number behind a label, which is s[from:to].
func (id identity) find(s string, from, to int) (start, end int, ok bool) {
	dense := isDenseAt(s, from) || isDenseBefore(s, to)
	if !dense {
		if to, ok = labelEnd(s, from, to); !ok {
			return 0, 0, false
		}
	}
	at := to
	if colon := behindOwner(s, to); colon > 0 && to-from >= 3 {
		at = colon
	}
	start = behindConnectors(s, at)
	if start == to || to-from <= 4 && !dense && strings.IndexByte(s[to:start], ':') < 0 &&
		countDigits(s[start:min(len(s), start+16)]) < 8 {
		return 0, 0, false
	}
	if id.rule == "phone" && start > 0 && s[start-1] == '(' {
		start--
	}
	end, digits, letters := id.extent(s, start)
	if !id.fits(s, start, end, digits, letters) {
		return 0, 0, false
	}
	return start, end, true
}

// labelEnd returns where the label s[from:to] ends with its inflection or a word such as "number" that is joined to it.
// It is false if the label is a part of another word.
func labelEnd(s string, from, to int) (end int, ok bool) {
	before, _ := utf8.DecodeLastRuneInString(s[:from])
	if from > 0 && (isWord(s[from-1]) && s[from-1] != '_' || before >= utf8.RuneSelf && !isDense(before)) {
		return 0, false
	}
	if to >= len(s) || !isLetterAt(s, to) && !isDigit(s[to]) {
		return to, true
	}
	if nr := prefixOf(lowered(s[to:min(len(s), to+8)]), "nummer", "number", "nr", "num"); nr != "" &&
		!isLetterAt(s, to+len(nr)) {
		return to + len(nr), true
	}
	end = inflected(s, to)
	return end, end < len(s) && !isLetterAt(s, end) && to-from >= 6
}

// behindConnectors returns where the number starts behind a label: behind separators, quotes, and words such as
// "number", "no." and "is".
func behindConnectors(s string, at int) int {
	for range 5 {
		next := run(s, at, 4, func(c byte) bool {
			return isBlank(c) || c == ':' || c == '=' || c == '"' || c == '\'' || c == '#' || c == '-' ||
				c == '(' || c == '.' || c == '_' || c == '>'
		})
		next += len(prefixOf(s[next:], "：", "は", "是", "는", "은", "号", "號", "码", "碼", "№", "n°", "º", "°", "：", "番号",
			"번호"))
		for _, w := range []string{"number", "nummer", "num", "no.", "no", "nr.", "nr", "numero", "número", "numéro",
			"is", "ist", "est", "es", "é", "è", "je", "jest", "är", "id", "of", "code",
			"numarası", "номер", "संख्या", "नंबर", "là", "هو", "है", "это", "to", "me", "at", "call", "under"} {
			if hasPrefixFold(s[next:], w) && (next+len(w) >= len(s) || !isAlnum(s[next+len(w)])) {
				next += len(w)
				break
			}
		}
		if next == at {
			break
		}
		at = next
	}
	return at
}

// extent returns where the number ends that starts at start, which may be written in groups, and how many digits and
// letters it has.
func (id identity) extent(s string, start int) (end, digits, letters int) {
	end = start
scan:
	for gap := 0; end < len(s) && end-start < 48; end++ { // gap counts the bytes since the last digit or letter
		c := s[end]
		switch {
		case isDigit(c):
			digits++
			gap = 0
		case isAlpha(c) && id.letters > 0 && letters < id.letters && (isUpper(c) || end > start &&
			isDigit(s[end-1]) || digits > 0 && end+1 < len(s) && isDigit(s[end+1])) ||
			isAlpha(c) && id.letters > 0 && end == start:
			letters++
			gap = 0
		case (c == '-' || c == ' ' || c == '.' || c == '/' || c == '(' || c == ')' || c == '+') && gap < 2 &&
			(c != ' ' && end > start || c == '+' || c == '(' || c == ' ' && groupFollows(s, end)):
			gap++
		default:
			break scan
		}
	}
	for end > start && !isAlnum(s[end-1]) {
		end--
	}
	return end, digits, letters
}

// fits reports whether s[start:end], with that many digits and letters, is a number of this kind, and not a date, a
// version, or a part of something longer.
func (id identity) fits(s string, start, end, digits, letters int) bool {
	number := s[start:end]
	if end < len(s) && (isWord(s[end]) || s[end] == ':' && !isBlank(byteAt(s, end+1))) {
		return false
	}
	if digits < id.min && !(id.rule == "national-id" && digits > 0 && digits+letters >= 8 &&
		!strings.ContainsAny(number, " -./")) {
		return false
	}
	dots := strings.Count(number, ".")
	if isDate.Match(number) || isUUIDAt(s, start) || dots > 3 {
		return false
	}
	switch id.rule {
	case "phone":
		return digits <= 15 && !(versioned.Match(number) && dots == 1)
	case "ssn":
		return digits == 9
	case "card":
		return digits <= 19
	case "iban":
		return digits+letters >= 6
	}
	return true
}

// behindOwner returns where the colon stands behind the words that say whose number it is: PESEL klienta:
func behindOwner(s string, at int) int {
	for range 6 {
		word := run(s, at, 1, isBlank)
		end := word
		for end < len(s) && end-word < 24 && isLetterAt(s, end) {
			_, size := utf8.DecodeRuneInString(s[end:])
			end += size
		}
		if word == at || end == word {
			return 0
		}
		if at = end; at < len(s) && (s[at] == ':' || words().is[lowered(s[word:end])] &&
			isDigit(byteAt(s, run(s, at, 1, isBlank)))) {
			return at
		}
	}
	return 0
}

func byteAt(s string, at int) byte {
	if at < len(s) {
		return s[at]
	}
	return ' '
}

// groupFollows reports whether a group of digits, or capitals that go with them, follows
// a blank.
func groupFollows(s string, blank int) bool {
	end := run(s, blank+1, 6, func(c byte) bool { return isDigit(c) || isUpper(c) })
	return end > blank+1 && (end >= len(s) || !isLower(s[end])) && (hasDigit(s[blank+1:end]) || end == blank+2) &&
		(end >= len(s) || s[end] != ':')
}

func isUUIDAt(s string, at int) bool {
	return len(s) >= at+36 && s[at+8] == '-' && s[at+13] == '-' && s[at+18] == '-' && s[at+23] == '-'
}

func isUUID(s string) bool {
	const length = 36
	return len(s) == length && isUUIDAt(s, 0) &&
		run(s, 0, length, func(c byte) bool { return isHex(c) || c == '-' }) == length
}

// isULID reports whether a string is an id of 26 signs as the ULID specification writes them:
// a time and chance in Crockford's base 32, of which the first sign holds three bits.
func isULID(text string) bool {
	return len(text) == 26 && text[0] <= '7' && isDigit(text[0]) && run(text, 0, 26, isCrockford) == 26
}

func isCrockford(c byte) bool {
	return isDigit(c) || isUpper(c) && c != 'I' && c != 'L' && c != 'O' && c != 'U'
}

// findCVV finds the number on the back of a card that was named before.
func findCVV(s string, at int) (start, end int, ok bool) {
	start = at + 4
	end = run(s, start, 5, isDigit)
	return start, end, (end-start == 3 || end-start == 4) && (at == 0 || !isWord(s[at-1])) && (end >= len(s) ||
		!isWord(s[end]))
}

// ibanCountries are the countries with IBANs.
var ibanCountries = pattern.SetOf(`ad ae al at az ba be bg bh br ch cr cy cz de dk do
	ee es fi fo fr gb ge gi gl gr gt hr hu ie il is
	it jo kw kz lb li lt lu lv mc md me mk mr mt mu nl no pk pl ps pt qa ro rs sa se si sk sm tn tr ua vg xk`)

// findIBAN finds an account number of ISO 13616 by its check digits.
func findIBAN(s string, at int) (start, end int, ok bool) {
	if at < 0 || at+4 >= len(s) || !isDigit(s[at+2]) || !isDigit(s[at+3]) || at > 0 && isWord(s[at-1]) ||
		!isUpper(s[at]) || !isUpper(s[at+1]) || !ibanCountries.Has(foldASCII(s[at:at+2])) {
		return 0, 0, false
	}
	var compact []byte
	end = at
	best := 0
	for end < len(s) && len(compact) < 34 {
		c := s[end]
		if c == ' ' && len(compact)%4 == 0 && end > at && isAlnum(byteAt(s, end+1)) && s[end-1] != ' ' {
			end++
			continue
		}
		if !isDigit(c) && !isUpper(c) {
			break
		}
		compact = append(compact, c)
		end++
		if len(compact) >= 15 && isIBAN(compact) && (end >= len(s) || !isAlnum(s[end])) {
			best = end
		}
	}
	return at, best, best > 0
}

// isIBAN reports whether the check digits are right: the rest by 97 of the number with its
// first four characters last is 1.
func isIBAN(compact []byte) bool {
	rest := 0
	for i := range len(compact) {
		c := compact[(i+4)%len(compact)]
		if isDigit(c) {
			rest = (rest*10 + int(c-'0')) % 97
		} else {
			rest = (rest*100 + int(c-'A') + 10) % 97
		}
	}
	return rest == 1
}
