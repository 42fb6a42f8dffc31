package redact

import (
	"strings"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// A sentence that says how something is opened gives the secret without the name of one: what is typed, what it is
// opened with, what is answered when it asks. Two things have to come together: what opens, or what is locked, on the
// line, and a word in the place of the value that may be one.

// entering are words directly before what somebody types.
const entering = "type ,types ,put in ,typing ,enter ,entering ,punch in ,key in ,tap in ,tap ,dial ,answer ," +
	"tippe ,tipp ,gib ," +
	"gebe ,drück ,drücke ,nimm ,tape ,tapez ,taper ,saisis ,saisir ,saisissez ,compose ,composez ,composer ,entre ," +
	"entrez ,mets ,mettez ,escribe ,escribir ,teclea ,teclear ,introducir ,marca ,marcar ,pon ,usa ,use ," +
	"using ,utilise ,utiliza ,digite ,digita ,digitar ,digitare ,tecle ,coloca ,inserisci ,inserire ,scrivi ," +
	"typ ,tik ," +
	"toets ,voer ,gebruik ,skriv ,knappa in ,slå in ,slå ,mata in ,ange ,använd ,wpisz ,wpisać ,wklep ,podaj ," +
	"wystukaj ,wprowadź ,użyj ,zadej ,zadejte ,zadat ,napiš ,naťukej ,vyťukej ,použij ,введи ,введите ,ввести ," +
	"набери ,наберите ,набрать ,вбей ,используй ,введіть ,наберіть ,набрати ,використовуй ,nhập ,gõ ,bấm ,dùng ," +
	"أدخل ,ادخل ,اكتب ,اضغط ,استخدم ,输入,輸入,敲入,键入"

// opening are words that say that something is opened, behind which what it is opened with may stand.
const opening = "unlock,locked the ,locked it ,protected ,encrypt ,encrypted ,decrypt,unzip,unpack,extract it," +
	"extracts,open it ,opens ,opened ,open the ,open with ," +
	"open my ," +
	"disarm,get in ,gets in ,get into ,in you get ,lets you in,let you in,let me in,entsperr,entschlüssel,entpack," +
	"aufschließ,aufsperr,aufmach,öffne,geöffnet,geht auf,reinkomm,déverrouill, ouvr,débloqu,déchiffr,décompress," +
	"dézipp," +
	"abre ,abrir,abren,desbloque,descifr,descomprim,destrav,descompact,si apre,aprire,apri ,sblocc,decifr,scompatt," +
	"ontgrendel,openen,uitpak,ontsleutel,gaat open,lås upp,låser upp,låsa upp,öppna,packa upp,odblok,otwórz,otworzy," +
	"otwier,rozpak,odszyfr,odemkn,odemyk,odemči,otevř,otevír,rozbal,dešifr,odšifr,разблок,откры,откро,откры,распак," +
	"расшифр,отпир,розблок,відкри,розпак,розшифр,відчин,відмик,mở khóa,mở khoá,giải nén,giải mã,mở được"

// openedDensely are such words in Chinese, Japanese, Korean, Turkish and Hindi, before which it stands.
const openedDensely = "解压,解壓,解锁,解鎖,解开,打开,打開,开门,開門,解密,解凍,解除,開き,開く,開け,復号,展開,と入力,を入力,と入れ,を入れ,と打,を打," +
	"を押,풀,열,해제,복호,입력,치면,치고,누르,넣으면,넣고, ile aç, yaz, gir, tuşla,डाल,टाइप,दर्ज,से खुल," +
	" eintippen, eingeben, einzugeben, eintipp, eingibst, reinkommst"

// withWords stand between a word of opening and what it is opened with.
var withWords = pattern.SetOf(`with using by mit per avec con com met med z ze s se с со з із bằng với via code digits
	kod код to`)

// openHints are on lines that speak of what is locked or opened, in lower case.
var openHints = phrasesOf("unlock,decrypt,unzip,unpack,disarm, archive, zip,.7z,.rar,.pdf,pdf ,encrypted," +
	"protected,padlock, lock ,locked, locker, safe , vault, door, gate ,alarm,keypad,keychain,keystore,luks," +
	"bitlocker," +
	"veracrypt,laptop, phone, tablet,lockscreen,lock screen,screensaver, garage, asks ,prompted,prompts,let you in," +
	"lets you in,get in," +
	"entsperr,entschlüssel,entpack,öffne,aufschließ,aufsperr,aufmach,archiv,tresor,tür,schloss,verschlüsselt," +
	"geschützt," +
	"déverrouill,débloqu, ouvr,déchiffr,décompress,dézipp, coffre, porte ,portail,cadenas,chiffré,protégé," +
	"verrouill,alarme," +
	"desbloque,descifr,descomprim,cifrad,protegid,caja fuerte,puerta,candado, portal,archivo," +
	"destrav,descompact,cofre,portão, porta ,cadeado,arquivo,criptografad,cofre," +
	"sblocc,decifr,scompatt,cassaforte,cancello,lucchetto,archivio,protett,aprire,si apre," +
	"ontgrendel,ontsleutel,uitpak,kluis,deur,poort,hangslot,versleuteld,openen,beveiligd," +
	"lås upp,låsa upp,låser upp,packa upp,kassaskåp,dörr,grind,hänglås,krypterad,öppna,arkiv," +
	"odblok,rozpak,odszyfr,otworzy,otwier,sejf,drzwi,bram,kłódk,zaszyfrowan,chronion," +
	"odemk,odemyk,rozbal,dešifr,odšifr,otevř,trezor,dveř,brán,zámek,zašifrovan,chráněn," +
	" kilit, kilid, kasa,kapı,arşiv,aç ,açmak,açıl,şifreli," +
	"разблок,распак,расшифр,откры,сейф,двер,ворот,домофон,замок,архив,зашифрован,защищ,калитк,подъезд,сигнализ," +
	"розблок,розпак,розшифр,відкр,відчин,хвіртк,брам,архів,зашифрован,захищен,під'їзд," +
	"mở ,giải nén,giải mã,khóa,khoá,két,cửa,cổng,فتح,فك ,قفل,خزنة,خزانة,باب,مشفر,محمي," +
	"खोल,खुल,ताला,तिजोरी,दरवाज,अनलॉक,लॉक," +
	"解压,解壓,解锁,解鎖,解开,打开,打開,开门,開門,解密,压缩,壓縮,加密,保险箱,保險箱,门禁,門禁,锁,鎖,解凍,解除,開き,開く,開け,復号,展開,金庫,玄関,ドア,ロック,暗号化," +
	"압축,잠금,해제,열려,열리,열립,풀려,풀면,풀립,풀려면,금고,현관,자물쇠,암호화,대문,출입")

// typedTools are programs with which things are opened, and words that are typed at a prompt or a button.
var typedTools = pattern.SetOf(`git go hg svn jj exit quit yes help make sudo reboot start stop status login
		logout continue confirm
	erase delete enter return next cancel abort space escape shift control admin root unlock lock open close search
	cargo node python python3 bash gpg gpg2 openssl 7zip unzip gunzip unrar winrar peazip tar xz zstd bzip2 gzip
	vlc vim nvim nano emacs code chrome firefox safari acrobat preview finder explorer word excel winzip keka
	ansible sops age vault kubectl docker helm npm pnpm yarn this that these those mutex defer care caution both
	your their his her them keys keyboard fingerprint faceid touchid biometrics yubikey okta google github gitlab
	sesam passkey passkeys hammer crowbar screwdriver something anything nothing everything someone text command
	commands name names number numbers letters digits words filename path query search title address email url
	some more many most only right wrong after again twice once first last here there true false null void
	struct interface string func type types class enum record object function module import export default
	assertions annotations aliases parameters params inference safety check checks checking errors hints guards
	cryptsetup veracrypt luks keychain bitwarden keepass 1password lastpass pdftk qpdf pikepdf ghostscript okular evince
	ark file-roller engrampa izip bsdtar`)

// findEntered finds what is typed to open something: "to unpack it, type value".
func findEntered(verb string) func(s string, at int) (start, end int, ok bool) {
	return func(s string, at int) (start, end int, ok bool) {
		if at > 0 && isLetterAt(s, at) && !isDenseAt(s, at) && wordBehind(s, at) {
			return 0, 0, false
		}
		start = at + len(verb)
		dense, article := isDenseAt(s, at), false
		for range 3 { // just, the code, zum Beispiel
			start = run(s, start, 2, func(c byte) bool { return isBlank(c) || c == ':' })
			start += len(prefixOf(s[start:], "：", "了"))
			end = wordEnd(s, start)
			if low := lowered(s[start:end]); !adverbs.Has(low) && !fillers.Has(low) {
				break
			}
			article = article || articles.Has(lowered(s[start:end]))
			start = end
		}
		weak := article || weakEntering.Has(strings.TrimSpace(verb))
		if start, end, ok = candidate(s, start, dense); !ok {
			return 0, 0, false
		}
		if englishEntering.Has(strings.TrimSpace(verb)) && !commands(s, at) && !isSaidThen(s, end) {
			return 0, 0, false
		}
		return start, end, opensWithValue(s, start, end, !weak, dense) && nearby(s, start, end)
	}
}

// englishEntering are nouns as well.
var englishEntering = pattern.SetOf(`type types typ dial tape tap enter use answer`)

// commands reports whether a word at at is a verb: it starts its clause, or stands behind a word that says who does it.
func commands(s string, at int) bool {
	before := strings.TrimRight(lineBefore(s, at), " ")
	if before == "" || strings.IndexByte(",.;:!?)(-*>\"'", before[len(before)-1]) >= 0 ||
		suffixOf(before, "—", "–", "“") != "" {
		return true
	}
	return commanding.Has(lowered(lastWordOf(before)))
}

// commanding are words before a verb that says what somebody types.
var commanding = pattern.SetOf(`to just then and you please can must simply or i we should have first now they he she
	always need could usually always also`)

// weakEntering are words of entering that stand before tools as often as before what is typed.
var weakEntering = pattern.SetOf(`use using answer tap dial tape compose marca`)

// fillers may stand between a word of entering and what is entered.
var fillers = pattern.SetOf(`just simply the einfach dann le la el code el código das wort den die il lo word
		in ein as als
	simplement then puis pin`)

// findOpened finds what something is opened with: "unlock it with value".
func findOpened(s string, at int) (start, end int, ok bool) {
	if at > 0 && isLetterAt(s, at) && wordBehind(s, at) {
		return 0, 0, false
	}
	to := min(lineEnd(s, at), at+96)
	for next, words := at, 0; next < to && words < 9; words++ {
		word := run(s, next, 2, isBlank)
		if next = min(to, wordEnd(s, word)); next <= word {
			return 0, 0, false
		}
		low := lowered(s[word:next])
		if words > 0 && strings.IndexByte(".;!?", low[len(low)-1]) >= 0 {
			return 0, 0, false
		}
		if words == 0 || !withWords.Has(low) {
			continue
		}
		if first := run(s, next, 2, isBlank); isDigit(byteAt(s, first)) {
			if end = combinationEnd(s, first); end > first && !measuredNext(s, end) && nearby(s, first, end) {
				return first, end, true
			}
		}
		first := run(s, next, 2, isBlank)
		phrase := behindAny(s, first, phraseNouns.All())
		if start, end, ok = candidate(s, phrase, false); ok && (phrase > first || !isWordy(s[start:end])) &&
			opensWithValue(s, start, end, phrase > first, false) &&
			(nearby(s, start, end) || hasPrefixFold(s[at:], "encrypt")) {
			return start, end, true
		}
	}
	return 0, 0, false
}

// phraseNouns stand between "with" and what something is opened with.
var phraseNouns = pattern.Words("the phrase |the words |the sentence |the word |the code word |phrase |dem satz |" +
	"dem wort |der phrase |la phrase |le mot |la frase |la palabra |a frase |a palavra |la parola ")

// findOpenedDensely finds what something is opened with before the word that says so: 「value」と入力, valueで開きます,
// "value eintippen".
func findOpenedDensely(s string, at int) (start, end int, ok bool) {
	before := lineBefore(s, at)
	from := at - len(before)
	head := strings.TrimRight(before, " ")
	for {
		cut := head
		for _, post := range []string{"で", "을", "를", "으로", "로", "来", "就能", "就可以", "可以", "即可", "就", "便", "können",
			" से", " ile", " कर", " को"} {
			cut = strings.TrimSuffix(cut, post)
		}
		if cut = strings.TrimRight(cut, " "); cut == head {
			break
		}
		head = cut
	}
	end = from + len(head)
	for _, quote := range []string{"」", "』", "”", "\"", "'", "’", "“", "`", "»"} {
		if text, found := strings.CutSuffix(head, quote); found {
			open := -1
			for mark, closes := range curlyQuotes.Get() {
				if i := strings.LastIndex(text, mark); strings.Contains(closes, quote) && i >= 0 {
					open = max(open, i+len(mark))
				}
			}
			if i := strings.LastIndex(text, quote); open < 0 && len(quote) == 1 && i >= 0 {
				open = i + 1
			}
			start, end = from+open, from+len(text)
			return start, end, open >= 0 && opensWithValue(s, start, end, true, true) && nearby(s, start, end)
		}
	}
	start = back(s, end, 40, func(c byte) bool { return c > ' ' && c < 0x7f && strings.IndexByte("\"'`(),;:", c) < 0 })
	if start < end && start > 0 && isLetterAt(s, start-1) {
		return 0, 0, false
	}
	return start, end, end > start && !isWordy(s[start:end]) && opensWithValue(s, start, end, true, true) &&
		nearby(s, start, end)
}

// wordBehind reports whether a letter stands before at.
func wordBehind(s string, at int) bool {
	if isAlnum(s[at-1]) || s[at-1] == '_' {
		return true
	}
	r, _ := utf8.DecodeLastRuneInString(s[:at])
	return r >= utf8.RuneSelf && isLetterAt(string(r), 0)
}

// candidate returns the bounds of the word at at without quotes, or of the text in quotes.
func candidate(s string, at int, dense bool) (start, end int, ok bool) {
	if at >= len(s) {
		return 0, 0, false
	}
	if quoteAt(s, at) != "" || curlyQuote(s, at) != "" {
		v := readValue(s[:min(len(s), at+2*maxName)], at, " ", false)
		return v.start, v.end, v.quoted && v.end > v.start
	}
	if dense {
		end = run(s, at, 40, func(c byte) bool { return c > ' ' && c < 0x7f && strings.IndexByte("\"'`(),;", c) < 0 })
		end = at + len(strings.TrimRight(s[at:end], ".,;:!?"))
		return at, end, end > at
	}
	if end = wordEnd(s, at); end == at {
		return 0, 0, false
	}
	return unsigned(s, at, end)
}

// opensWithValue reports whether s[start:end] may be what opens something. Behind a word of entering it may be any
// word that ends its clause; else it has to look made.
func opensWithValue(s string, start, end int, any, dense bool) bool {
	text := s[start:end]
	low := lowered(text)
	quoted := start > 0 && (strings.IndexByte("\"'`", s[start-1]) >= 0 || s[start-1] >= 0x80 && !dense) ||
		dense && end < len(s) && curlyBefore(s, start)
	if len(text) < 3 || strings.Contains(text, markerOpen) || typedTools.Has(low) || typedTools.Has(firstWord(low)) {
		return false
	}
	if digits := countDigits(text); digits == len(text) {
		return digits >= 3 && digits <= 10 && !measuredNext(s, end) && (digits > 3 || any)
	}
	if strings.ContainsAny(text, " \t") {
		return quoted && s[start-1] != '`' && !isMessage(text) && !strings.ContainsAny(text, "/\\=<>{}[]$|+*") &&
			(any || s[start-1] >= 0x80 || isQuotedPhrase(text)) && !openHints.in(low) && isWordAt(text)
	}
	if len(text) < 4 || !isSaid(text) || isFile.Match(low) || versioned.Match(text) || measured.Match(text) ||
		words().about[low] || strings.ContainsAny(text, "(){}<>[]=/\\") {
		return false
	}
	if hasDigit(text) {
		return isChosenAny(text) || looksChosen(text) || any && len(text) >= 5 && (hasLetter(text) || !isASCII(text)) &&
			!identified.Match(text)
	}
	if dense {
		return any && (quoted && !containsAny(text, denseAbout.All()) && utf8.RuneCountInString(text) >= 3 ||
			!quoted && isASCII(text) && low == text && len(text) >= 5 && !types.Has(low))
	}
	next := run(s, end, 2, isBlank)
	if inner := strings.IndexAny(text[1:len(text)-1], "!$&*@#%^~"); inner >= 0 && hasLetter(text) {
		return isASCII(text) && run(text, 0, len(text), func(c byte) bool {
			return isAlnum(c) || strings.IndexByte("!$&*@#%^~._-", c) >= 0
		}) == len(text)
	}
	return any && !quoted && !hasHump(text) && strings.IndexByte("=({[<", byteAt(s, next)) < 0 &&
		(isGiven(s, start, end) || isSaidThen(s, end)) && len(text) >= 5 && !isParticiple(low) &&
		!accounts.Has(low) && !types.Has(low) && !loginWords.Has(low) && !strings.HasPrefix(low, "http")
}

// hasHump reports whether a capital stands behind the first letter of a word.
func hasHump(text string) bool {
	return run(text, 1, len(text), func(c byte) bool { return !isUpper(c) }) < len(text)
}

// isWordAt reports whether a string starts with a letter or a digit.
func isWordAt(text string) bool { return isLetterAt(text, 0) || isDigit(text[0]) }

// curlyBefore reports whether a quote that is no ASCII stands before at.
func curlyBefore(s string, at int) bool {
	r, size := utf8.DecodeLastRuneInString(s[:at])
	return r >= utf8.RuneSelf && curlyQuotes.Get()[s[at-size:at]] != ""
}

// firstWord returns the word with which a string starts.
func firstWord(text string) string {
	word, _, _ := strings.Cut(text, " ")
	return word
}

// isSaidThen reports whether what stands behind at says when something is typed.
func isSaidThen(s string, at int) bool {
	next := run(s, at, 2, isBlank)
	word := lowered(strings.TrimRight(s[next:wordEnd(s, next)], ".,;"))
	return next > at && (whens.Has(word) || word == "twice" || word == "once")
}

// measuredNext reports whether what a number counts stands behind at.
func measuredNext(s string, at int) bool {
	next := run(s, at, 1, isBlank)
	if next < len(s) && strings.IndexByte("%°./:-", s[next]) >= 0 && next+1 < len(s) && isAlnum(s[next+1]) {
		return true
	}
	word := lowered(strings.TrimRight(s[next:wordEnd(s, next)], ".,;:!?"))
	return next > at && word != "" && isLetterAt(word, 0) && !isDenseAt(word, 0) && !words().endings[word] &&
		!words().stops[word] && !whens.Has(word) && !afterCodes.Has(word) && !words().gaps[word]
}

// afterCodes are what a sentence goes on with behind a code.
var afterCodes = pattern.SetOf(`then followed works does opens worked until puis ensuite dann danach luego
		después depois
	poi dan sedan potem pak ardından потом затем потім rồi ثم फिर any twice again and eintippen eingeben drücken now am
	pour para til zum zur hash star`)

// nearby reports whether the line around s[start:end] speaks of what is locked or opened.
func nearby(s string, start, end int) bool {
	before := lineBefore(s, start)
	return openHints.in(" "+lowered(before[max(0, len(before)-120):])) ||
		openHints.in(lowered(s[end:min(lineEnd(s, end), end+100)]))
}

// findAnswered finds what is answered when something asks: "when it asks, it's value".
func findAnswered(s string, at int) (start, end int, ok bool) {
	if at > 0 && wordBehind(s, at) {
		return 0, 0, false
	}
	to := min(lineEnd(s, at), at+64)
	comma := strings.IndexByte(s[at:to], ',')
	if comma < 0 {
		return 0, 0, false
	}
	is := run(s, at+comma+1, 2, isBlank)
	start = is + len(prefixOf(lowered(s[is:min(len(s), is+16)]), "it's ", "it’s ", "it is ", "that's ", "say ",
		"answer ",
		"try ", "type ", "enter ", "use ", "just type ", "just enter ", "c'est ", "es ist ", "es ", "è ",
		"det är ", "to "))
	if end = wordEnd(s, start); start == is || !standsGiven(s, start) {
		return 0, 0, false
	}
	start, end, ok = unsigned(s, start, end)
	return start, end, ok && opensWithValue(s, start, end, true, false) && nearby(s, is, end)
}

func unlockRules() []rule {
	all := make([]rule, 0, 1<<9)
	for verb := range strings.SplitSeq(entering, ",") {
		all = appendRules(all, verb, findEntered(verb))
	}
	all = appendRules(all, opening, findOpened)
	all = appendRules(all, openedDensely, findOpenedDensely)
	all = appendRules(all, "asks ,asked for ,prompted for ,prompted,prompts for ", findAnswered)
	for account := range strings.SplitSeq("admin ,root ,demo ,guest ,viewer ,editor ,reviewer ,deploy ,"+
		"operator ,support ,test ,tester ,user ,gast ,invité ,ospite ,gäst ,gość ,"+
		"invitado ,convidado ,soporte ,suporte ,supporto ,beheer ,lector ,lecteur ,operador ", ",") {
		all = append(all, rule{assigned, account, findBesideAccount(account)})
	}
	return all
}

// findBesideAccount finds the password behind the name of an account and a word that joins both: "use admin
// and value to log in". It has to look chosen, on a line that speaks of logins.
func findBesideAccount(account string) func(s string, at int) (start, end int, ok bool) {
	return func(s string, at int) (start, end int, ok bool) {
		next := at + len(account)
		if at > 0 && wordBehind(s, at) {
			return 0, 0, false
		}
		stop := wordEnd(s, next)
		if join := lowered(s[next:stop]); !ands.Has(join) && !connectors.Has(join) && join != "और" && join != "和" {
			return 0, 0, false
		}
		start = run(s, stop, 2, isBlank)
		end = wordEnd(s, start)
		if start == stop || end == start {
			return 0, 0, false
		}
		end = start + len(strings.TrimRight(s[start:end], ".,;:!?"))
		if text := s[start:end]; !hasDigit(text) || !looksChosen(text) && !looksChosen(text+"0") && !isChosenAny(text) {
			return 0, 0, false
		}
		from := at - len(lineBefore(s, at))
		line := lowered(s[from:lineEnd(s, end)])
		join := lowered(s[next:stop])
		return start, end, join != "and" && join != "with" && join != "/" && len(join) <= 3 ||
			loginVerbs.in(line) || loginHints.in(line) || openHints.in(line)
	}
}
