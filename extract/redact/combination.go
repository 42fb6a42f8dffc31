package redact

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// What is typed at a door, a safe or a phone: digits, alone or in groups, or short groups of digits and capitals. They
// go with a word for the code or for what it opens.

// combinationWords stand before a code, by language; what it opens has to stand on the line.
const combinationWords = "번호는 ,번호 ,code ,código ,codice ,kod ,kód ,kode ,код ,कोड ,koden ,kodu ,mã ,رمز ," +
	"الرمز ,combination ," +
	"code:,kombination ,combinación ,combinaison ,combinação ,combinazione ,combinatie ,szyfr ,digits ,ziffern "

// lockWords are what a code opens. With one of them a line may start that gives its code behind a colon.
const lockWords = "luggage lock,door,gate:,alarm,safe:,vault:,locker,keypad,garage,padlock,lockbox,lock box," +
	"key box,key safe," +
	"bike lock,shed:," +
	"server room,cabinet,tür,haustür,tresor,schließfach,alarmanlage,eingang,keller,schloss,fahrradschloss," +
	"schlüsselkasten,portail,immeuble,coffre,alarme,cadenas,entrée,casier,boîte à clés,puerta," +
	"caja fuerte,alarma,garaje,candado,taquilla,edificio,portão,cofre,prédio,garagem,cadeado,armário,cancello," +
	"portone,cassaforte,allarme,lucchetto,armadietto,deur,poort,kluis,fietsslot,dörr,kassaskåp,larm,cykellås," +
	"skåp,drzwi,brama,bramy,furtka,sejf,kłódka,kłódki,domofon,szafka,dveře,dveří,brána,brány,trezor,zámek," +
	"skříňka,kapı,kapının,kasayı,kasayı,kasanın,alarmın,kilit,kilidin,bisiklet kilidi,дверь,двери,домофон," +
	"домофона,подъезд," +
	"подъезда,ворота,ворот,калитка,калитки,сейф,сейфа,сигнализация,сигнализации,замок,замка,шкафчик,двері," +
	"під'їзд,брама,брами,хвіртка,хвіртки,cửa,cổng,két,tủ,الباب,باب,الخزنة,للخزنة,البوابة,الإنذار,القفل," +
	"दरवाज़े,दरवाजे,गेट,तिजोरी,लॉकर,ताले,अलार्म,门禁,門禁,大门,保险箱,保險箱,保险柜,车库,單車鎖,自行车锁,玄関,ドア,金庫,門扉,オートロック,ロッカー," +
	"自転車の鍵,현관,금고,대문,출입문,자물쇠,사물함,도어락,porte:,tor:,kasa:,khóa,porten"

// lockHints are on lines that speak of what a code opens, in lower case.
var lockHints = phrasesOf(" door, gate, alarm, safe, vault, locker, keypad, garage,padlock,lockbox,lock box," +
	"key box,key safe," +
	"bike lock, shed,server room,cabinet,tür,haustür, tresor,schließfach,alarmanlage,eingang, keller,schloss," +
	"fahrradschloss,schlüsselkasten,portail,immeuble, coffre, alarme,cadenas,entrée, casier,boîte à clés," +
	" puerta, portal,caja fuerte, alarma, garaje,candado,taquilla,edificio,portão, cofre,prédio,garagem," +
	"cadeado,armário,cancello,portone,cassaforte,allarme,lucchetto,armadietto, deur, poort, kluis,fietsslot," +
	"dörr,kassaskåp, larm,cykellås,skåp, drzwi, brama, bramy, furtka, sejf,kłódka,kłódki,domofon, szafka," +
	"dveře,dveří,brána,brány, trezor,zámek,skříňka,kapı,kapının,kasayı,kasanın,alarmın, kilit,kilidin," +
	"bisiklet kilidi,дверь,двери,домофон,домофона,подъезд,подъезда,ворота,ворот,калитка,калитки,сейф,сейфа," +
	"сигнализация,сигнализации,замок,замка,шкафчик,двері,під'їзд,брама,брами,хвіртка,хвіртки,cửa,cổng,két,tủ," +
	"الباب,باب,الخزنة,للخزنة,البوابة,الإنذار,القفل,दरवाज़े,दरवाजे,गेट,तिजोरी,लॉकर,ताले,अलार्म,门,門,门禁,門禁,大门," +
	"保险箱,保險箱,保险柜,车库,單車鎖,自行车锁,玄関,ドア,金庫,門扉,オートロック,ロッカー,自転車の鍵,현관,금고,대문,출입문,자물쇠,사물함,도어락, porte, porta, tor, kasa," +
	"khóa,portkod, porten,entrance,building,elevator, lobby, bike, phone, sim ,luggage,suitcase,storage unit," +
	" gym,parking, handy, koffer,ascenseur, valise,téléphone,ascensor, maleta,teléfono,elevador, mala ," +
	"telefone,ascensore,valigia,telefono, lift, hiss, furtk, vchod,wejści,brám, hek , winda, walizk,výtah," +
	" kufr,asansör, valiz,лифт,чемодан,ліфт,валіз,thang máy,مصعد,लिफ्ट,电梯,エレベーター,엘리베이터")

// findCombination finds the code of "the code for the side entrance is now 5 8 0 2".
func findCombination(s string, at int) (start, end int, ok bool) {
	compound := ""
	if at > 0 && isLetterAt(s, at) && !isDenseAt(s, at) && wordBehind(s, at) && !isProclitic(s, at) { // Tresorcode
		if compound = lowered(lastWordOf(lineBefore(s, at)) + s[at:wordEnd(s, at)]); !lockHints.in(" " + compound) {
			return 0, 0, false
		}
	}
	to := min(lineEnd(s, at), at+112)
	given := false
	for next, count := at, 0; next < to && count < 14; count++ {
		word := run(s, next, 4, isBlank)
		next = wordEnd(s, word)
		if next <= word {
			return 0, 0, false
		}
		low := lowered(s[word:next])
		if low == "code:" {
			given = true
			continue
		}
		if count > 0 && hasDigit(low) {
			start = word + len(prefixOf(s[word:], "(", "\"", "'", "“", "„", "«", "#", "**", "`"))
			end = combinationEnd(s, start)
			return start, end, end > start && (given || standsLast(s, start) || endsClause(s, end)) &&
				!measuredNext(s, end) && !otherCodes.in(lineTail(s, at)) && !otherCodes.in(s[at:word]) &&
				(compound != "" || lockHints.in(" "+lowered(lineTail(s, at))) || lockHints.in(lowered(s[at:word])))
		}
		if count > 0 && strings.IndexByte(".;!?", low[len(low)-1]) >= 0 {
			return 0, 0, false
		}
		given = words().is[low] || words().to[low] || adverbs.Has(low) ||
			strings.IndexByte(":,", low[len(low)-1]) >= 0 ||
			arrows.Has(low)
	}
	return 0, 0, false
}

// lineTail returns the last bytes of the line before at.
func lineTail(s string, at int) string {
	before := lineBefore(s, at)
	return before[max(0, len(before)-48):]
}

// combinationEnd returns the end of a code that starts at at, or at if there is none: three to eight digits, three
// groups of one to three digits or more, or four to eight capitals and digits of which two are digits.
func combinationEnd(s string, at int) int {
	digits := run(s, at, 10, isDigit)
	groups, end := 0, at
	for next := at; ; groups++ { // 5 8 0 2, 31-07-22
		stop := run(s, next, 4, isDigit)
		if stop == next || stop > next+3 {
			break
		}
		end = stop
		if next = stop + 1; stop >= len(s) || strings.IndexByte(" -–·.", s[stop]) < 0 {
			groups++
			break
		}
	}
	ends := func(end int) bool {
		return end >= len(s) || (!isLetterAt(s, end) || isDenseAt(s, end)) && !isDigit(s[end]) &&
			s[end] != '_' && s[end] != '%' &&
			(s[end] != '.' && s[end] != ':' && s[end] != '/' || end+1 >= len(s) || s[end+1] <= ' ')
	}
	if groups >= 3 && groups <= 6 && ends(end) && strings.Count(s[at:end], ".") == 0 {
		return end
	}
	if tail := digits + len(prefixOf(s[digits:], "*", "#")); digits-at >= 3 && digits-at <= 8 && ends(tail) {
		return tail
	}
	end = at
	count, letters := 0, 0
	for end < len(s) && end-at < 12 {
		r, size := utf8.DecodeRuneInString(s[end:])
		switch {
		case isDigit(s[end]):
			count++
		case isUpper(s[end]) || r >= 0x410 && r <= 0x42f:
			letters++
		default:
			size = 0
		}
		if size == 0 {
			break
		}
		end += size
	}
	if count >= 2 && letters > 0 && count+letters >= 4 && ends(end) {
		return end
	}
	return at
}

// findLockLabel finds the code of a line that starts with what it opens: "Door to the server room: C1397Y".
func findLockLabel(word string) func(s string, at int) (start, end int, ok bool) {
	return func(s string, at int) (start, end int, ok bool) {
		before := strings.Trim(lineBefore(s, at), bullets)
		dense := isDenseAt(s, at)
		behind := at + len(strings.TrimSuffix(word, ":"))
		if !dense && (at > 0 && wordBehind(s, at) ||
			isLetterAt(s, behind) && behind < len(s)) {
			return 0, 0, false
		}
		if start, end, ok = opensLock(s, behind, dense); ok {
			return start, end, true
		}
		if len(before) > 16 || strings.ContainsAny(before, "={(<\"") {
			return 0, 0, false
		}
		colon := strings.IndexAny(s[behind:min(lineEnd(s, at), at+56)], ":：")
		if colon < 0 || strings.ContainsAny(s[behind:behind+colon], "=,.;(){}<>\"") {
			return 0, 0, false
		}
		start = run(s, behind+colon+len(prefixOf(s[behind+colon:], ":", "：")), 4, isBlank)
		if start == behind+colon+1 { // of code
			return 0, 0, false
		}
		end = combinationEnd(s, start)
		return start, end, end-start >= 4 && strings.Trim(s[end:lineEnd(s, end)], " .\r") == ""
	}
}

// opensLock finds the code with which a sentence opens what ends at at: "the safe opens with 12-44-08".
func opensLock(s string, at int, dense bool) (start, end int, ok bool) {
	to := min(lineEnd(s, at), at+56)
	start = at
	for start < to && !isDigit(s[start]) {
		if strings.IndexByte(".;!?=(){}<>[]/_", s[start]) >= 0 {
			return 0, 0, false
		}
		start++
	}
	if start >= to || start == at || isWord(s[start-1]) || s[start-1] == '-' {
		return 0, 0, false
	}
	end = combinationEnd(s, start)
	next := run(s, end, 1, isBlank)
	if end == start || end-start < 4 || units.Has(lowered(strings.TrimRight(s[next:wordEnd(s, next)], ".,;:!?"))) ||
		otherCodes.in(s[at:start]) {
		return 0, 0, false
	}
	if dense || isDenseBefore(s, start) {
		between := s[at:start]
		return start, end, len(between) <= 24 && (containsAny(between, lockGivers.All()) ||
			prefixOf(s[run(s, end, 1, isBlank):],
				lockEnds.All()...) != "") &&
			prefixOf(s[end:], "号", "號", "番", "階", "円", "年", "月", "日", "个", "個", "층", "번", "년",
				"원") == ""
	}
	last := lowered(lastWordOf(s[at:start]))
	next = run(s, end, 1, isBlank)
	then := lowered(strings.TrimRight(s[next:wordEnd(s, next)], ".,;:!?"))
	return start, end, lockInstruments.Has(last) || strings.Count(s[start:end], "-") > 1 && words().is[last] ||
		last == "c'est" && strings.ContainsAny(s[start:end], "- ") || strings.HasSuffix(s[at:start], " set to ") ||
		strings.HasSuffix(s[at:start], " con el ") || lockThen.Has(then)
}

var (
	// lockGivers stand between what is opened and its code, and lockEnds behind the code, in scripts without blanks.
	lockGivers = pattern.Words("输入|輸入|密码|密碼|号码|番号|暗証|コード|번호|코드|用|按")
	lockEnds   = pattern.Words("で開|で解|を押|と押|と入|就能开|就可以开|就开|开门|開門|누르|눌러|로 열|치면|입력")
	// lockInstruments stand before the code with which something is opened, and lockThen behind it.
	lockInstruments = pattern.SetOf(`with mit avec con com met med z s с з code kod koden kodem kodu кодом код code: mã
		số bằng typing entering`)
	// units are what a number counts.
	units = pattern.SetOf(`mm cm m km ms s sec seconds minutes min hours h days bytes byte kb mb gb lines line
		users people
		persons items times files tests requests entries rows records px pixels degrees percent % € $ usd eur dollars
		euros kg g lb watts volts w v hz workers threads steps nodes replicas x keys euro zeichen uhr personen leute lux
		sekunden minuten stunden meter personnes secondes mètres heures segundos minutos metros personas`)
	lockThen = pattern.SetOf(`से tuşla tuşlayın eintippen eingeben drücken`)
)

// birthWords stand before a date that somebody took as a password.
const birthWords = "date of birth,birthday,birth date,birthdate,dob ,geburtstag,geburtsdatum,date de naissance," +
	"anniversaire,fecha de nacimiento,cumpleaños,data de nascimento,aniversário,data di nascita,compleanno," +
	"geboortedatum,verjaardag,födelsedatum,födelsedag,data urodzenia,urodzin,datum narození,narozeniny,doğum tarihi," +
	"doğum günü,дата рождения,дату рождения,день рождения,дата народження,дату народження,день народження,ngày sinh," +
	"sinh nhật,تاريخ ميلاد,तारीख,जन्मदिन,生日,誕生日,생일,생년월일"

// findBirthday finds a date of birth on a line that speaks of passwords, or of what is locked.
func findBirthday(s string, at int) (start, end int, ok bool) {
	to := min(lineEnd(s, at), at+64)
	for start = at; start < to && !isDigit(s[start]); start++ {
		if strings.IndexByte(".;!?", s[start]) >= 0 {
			return 0, 0, false
		}
	}
	end = run(s, start, 12, func(c byte) bool { return isDigit(c) || strings.IndexByte("-./", c) >= 0 })
	end = start + len(strings.TrimRight(s[start:end], "-./"))
	if digits := countDigits(s[start:end]); digits < 4 || digits > 8 || digits == 5 || digits == 7 {
		return 0, 0, false
	}
	from := at - len(lineBefore(s, at))
	line := lowered(s[from:lineEnd(s, end)])
	return start, end, openHints.in(line) || secretHints.in(line) || loginVerbs.in(line)
}

func combinationRules() []rule {
	all := make([]rule, 0, 1<<8)
	all = appendRules(all, combinationWords, findCombination)
	for word := range strings.SplitSeq(lockWords, ",") {
		all = appendRules(all, word, findLockLabel(word))
	}
	all = appendRules(all, networkKeys, findNetworkKey)
	return appendRules(all, birthWords, findBirthday)
}

// appendRules appends a rule for each of some words, in small letters and with a capital.
func appendRules(all []rule, words string, find func(s string, at int) (start, end int, ok bool)) []rule {
	for word := range strings.SplitSeq(words, ",") {
		all = append(all, rule{assigned, word, find})
		if first, size := utf8.DecodeRuneInString(word); first >= utf8.RuneSelf && unicode.IsLower(first) {
			all = append(all, rule{assigned, string(unicode.ToUpper(first)) + word[size:], find})
		}
	}
	return all
}

// networkKeys are words for the key of a network.
const networkKeys = "key ,schlüssel ,clé ,chave ,chiave ,sleutel ,nyckel ,nyckeln ,klucz ,klíč ,ключ "

// networkHints are on lines that speak of a wireless network, in lower case.
var networkHints = phrasesOf("wifi,wi-fi,wlan,ssid,hotspot,wireless,вайфай,вай-фай")

// namedNetwork is what stands before the key of a network that is named: a key of letters alone has to be that of one.
var namedNetwork = pattern.New(`\b(?:ssid|(?:wi-?fi|wlan|hotspot|network)(?: [\w'-]+){0,5} ` +
	`(?:is )?(?:called|named|heißt|` +
	`s'appelle|se llama)) \S+,? (?:and )?(?:the |der |la )?$|` +
	`\b(?:ssid|wi-?fi|wlan|hotspot)[: ]+\S+,? (?:and )?$`)

// findNetworkKey finds the key of a wireless network, which has a digit: "network Barn, key value".
func findNetworkKey(s string, at int) (start, end int, ok bool) {
	if at > 0 && wordBehind(s, at) {
		return 0, 0, false
	}
	start = run(s, wordEnd(s, at), 2, isBlank)
	if end = wordEnd(s, start); words().is[lowered(s[start:end])] {
		start = run(s, end, 2, isBlank)
		end = wordEnd(s, start)
	}
	if !standsGiven(s, start) {
		return 0, 0, false
	}
	start, end, ok = unsigned(s, start, end)
	text := s[start:max(start, end)]
	if !hasDigit(text) {
		return start, end, ok && len(text) >= 6 && isNewValue(text) && endsWithNetwork(lowered(lineBefore(s, at)))
	}
	return start, end, ok && len(text) >= 8 && hasLetter(text) && !versioned.Match(text) && !isAlgorithm(text) &&
		networkHints.in(lineBefore(s, at))
}

// endsWithNetwork reports whether a string in lower case ends with the name of a network.
func endsWithNetwork(text string) bool {
	return containsAny(text, []string{"ssid", "wifi", "wi-fi", "wlan", "hotspot", "network"}) &&
		namedNetwork.Match(text)
}
