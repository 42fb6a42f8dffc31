package redact

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// Statements in Chinese, Japanese and Korean: a value in the script of the sentence has no blanks around
// it, so that the words before and behind it bound it.

// A denseSpeech is how such a language gives a name its value.
type denseSpeech struct {
	// joins stand between the name and the value, adverbs before them or behind.
	joins, adverbs *pattern.WordList
	// ends stand behind the value. A value without one ends where the phrase does, if bare is true.
	ends *pattern.WordList
	bare bool
}

var denseSpeeches = []denseSpeech{
	{ // Chinese
		joins: pattern.Words("改成了|改成|改为了|改为|改為|换成了|换成|換成|换为|设成了|设成|设为|設為|设置为|設定為|重置为|变成了|变成|" +
			"更新为|修改为|应该是|就是|还是|叫|是|为|為"),
		adverbs: pattern.Words("已经|已|现在|現在|目前|暂时|今天起|刚刚|刚|都|也|被我|我|被"),
		ends:    pattern.Words("了|吧|哦|啦|呀|啊|喔|哈|呢|登录|登入|登陆|登錄|连接|進入|进入"), bare: true,
	},
	{ // Japanese
		joins:   pattern.Words("は|が|を|、|には|に|として"),
		adverbs: pattern.Words("現在|今は|今|一旦|仮に|とりあえず|先ほど|さっき"),
		ends: pattern.Words("です|でした|だよ|だった|だ|である|になりました|になった|になって|になり|に変更|に変え|に設定|に直し|にし|に更新|にリセット|を使|" +
			"となり|と入力|を入力|を設定|を指定|で入|で通|でログ|で開"),
	},
	{ // Korean
		joins:   pattern.Words("는|은|이|가|를|을|으로|로"),
		adverbs: pattern.Words("이제|지금|현재|일단|방금|임시로|새로"),
		ends: pattern.Words("입니다|(으)로|이에요|예요|이야|야|이었|였|으로 변경|로 변경|으로 바꿨|로 바꿨|으로 바꾸|로 바꾸|로 바뀌|으로 바뀌|으로 설정|로 설정|" +
			"로 들어|으로 들어|로 로그|으로 로그|로 접속|으로 접속|로 열|으로 열|으로 했|로 했|으로 초기화|로 초기화|로 재설정|으로 재설정|임|이래|래|" +
			"를 사용|을 사용|를 입력|을 입력| 입력|를 쓰|을 쓰"),
	},
}

// denseAbout are what such sentences say of secrets: no value has one in it.
var denseAbout = pattern.Words(
	"空时|空值|空字|空白|null|必填|必须|必須|必需|需要|错误|錯誤|不对|正确|正確|加密|哈希|散列|存储|存儲|保存|存放|过期|過期|无效|無效|有效|为空|空的|" +
		"太短|太长|太弱|长度|長度|字符|字元|数字|數字|字母|大写|小写|特殊|至少|不能|不可|可以|可选|默认|相同|一样|一致|不同|什么|哪|谁|如何|怎么|" +
		"请|請|输入|輸入|登录|登入|忘记|忘記|修改|更改|重置|明文|密文|随机|生成|自动|动态|固定|唯一|安全|敏感|重要|机密|字段|参数|变量|配置|环境|" +
		"的|了|没有|未|用户|服务器|数据库|文件|管理|策略|规则|提示|校验|验证|显示|隐藏|强度|后端|前端|格式|类型|字符串|密码|口令|" +
		"必要|不要|任意|省略|未設定|設定|空欄|文字|以上|以下|以内|英数字|半角|全角|間違|正し|一致し|同じ|別|無効化|期限|切れ|暗号|ハッシュ|平文|保存さ|" +
		"ランダム|自動|サーバ|データ|ファイル|ユーザ|入力|表示|非表示|変更|忘れ|ください|しました|します|ません|ました|ます|される|された|できな|ない|" +
		"短す|長す|する|べき|こと|もの|ため|どこ|どれ|何|パスワード|トークン|フィールド|環境変数|定数|引数|デフォルト|セキュア|マスク|" +
		"필수|선택|필요|오류|틀린|틀렸|잘못|올바|맞|암호화|해시|저장|만료|무효|유효|비어|짧|길|이상|이하|자리|문자|숫자|영문|특수|대문자|소문자|" +
		"같|다르|무엇|뭐|어디|누구|입력|변경|초기화|재설정|분실|평문|무작위|랜덤|자동|서버|데이터|파일|사용자|환경|변수|기본값|안전|민감|중요|비밀번호|토큰|" +
		"로그인|인증|접속|계정|하세|합니|습니|해야|됩니|없|있|않|안 |보관|노출|공개|약합|강합|문자열|필드|설정|정책|규칙")

// isDenseGiven reports whether a string in a script without blanks may be a value of a statement.
func isDenseGiven(text string) bool {
	runes := utf8.RuneCountInString(text)
	if runes < 2 || runes > 12 || containsAny(text, denseAbout.All()) {
		return false
	}
	for _, r := range text {
		if !isDense(r) && !unicode.IsDigit(r) && (r >= utf8.RuneSelf || !isAlnum(byte(r)) && r != '-' && r != '!') {
			return false
		}
	}
	last, _ := utf8.DecodeLastRuneInString(text)
	return last != 'い' && last != 'る' && last != 'は' && last != 'を' && last != 'に'
}

// statedDensely finds the value of a name in a statement of such a language.
func statedDensely(s string, n named) (start, end int, ok bool) {
	if n.script != dense || n.kind != password {
		return 0, 0, false
	}
	for _, speech := range denseSpeeches {
		at := behindAny(s, n.end, speech.adverbs.All())
		joined := at
		for range 2 { // 密码我改成
			next := behindAny(s, joined, speech.joins.All())
			if next == joined {
				break
			}
			joined = behindAny(s, next, speech.adverbs.All())
		}
		if joined == at && (!speech.bare || !denseLogin(lineBefore(s, n.start))) {
			if start, end, ok := speech.beside(s, at); ok {
				return start, end, true
			}
			continue
		}
		start = run(s, joined, 2, isBlank)
		if start < len(s) && strings.HasPrefix(s[start:], "：") || quoteAt(s, start) != "" ||
			curlyQuote(s, start) != "" {
			return 0, 0, false
		}
		if end = speech.valueEnd(s, start); end > start {
			return start, end, true
		}
	}
	return 0, 0, false
}

// beside finds a word in small letters directly behind a name, if the phrase ends with it or an ending of the language
// stands behind it.
func (d denseSpeech) beside(s string, at int) (start, end int, ok bool) {
	start = run(s, at, 1, isBlank)
	end = run(s, start, 32, func(c byte) bool { return isAlnum(c) || c == '_' || c == '-' || c == '!' })
	text := s[start:end]
	if len(text) < 5 || !isSaid(text) || strings.ToUpper(text) == text || words().about[lowered(text)] ||
		words().about[text] || types.Has(text) || isAlgorithm(text) ||
		isParticiple(text) || isLetterless(text) || keywords.Has(text) {
		return 0, 0, false
	}
	r, _ := utf8.DecodeRuneInString(s[end:])
	behind := run(s, end, 1, isBlank)
	return start, end, end >= len(s) || r == '\n' || endsValue(r) && !unicode.IsSpace(r) ||
		prefixOf(s[behind:], d.ends.All()...) != ""
}

// denseLogin reports whether a string ends in the name of a login: 账号bob.
func denseLogin(before string) bool {
	before = strings.TrimRight(before, " ,，、")
	name := back(before, len(before), 32, isDotted)
	if name == len(before) {
		return false
	}
	return suffixOf(strings.TrimRight(before[:name], " :："), "账号", "帐号", "帳號", "用户名", "用户", "账户", "帳戶") != ""
}

// behindAny skips the first of some words that stands at at, with the blanks before it.
func behindAny(s string, at int, words []string) int {
	next := run(s, at, 2, isBlank)
	if word := prefixOf(s[next:], words...); word != "" {
		return next + len(word)
	}
	return at
}

// maxDense is how many bytes a value in such a sentence has at most.
const maxDense = 48

// valueEnd returns the end of the value that starts at at, 0 if none does.
func (d denseSpeech) valueEnd(s string, start int) int {
	for end := start; end < len(s) && end-start <= maxDense; {
		r, size := utf8.DecodeRuneInString(s[end:])
		closes := endsValue(r) || r <= ' ' || strings.ContainsRune(".,;!?)", r) && (end+1 >= len(s) || s[end+1] <= ' ')
		behind := run(s, end, 1, isBlank)
		ending := prefixOf(s[behind:], d.ends.All()...)
		if end > start && (ending != "" || closes && d.bare) && d.accepts(s, start, end, behind, ending) {
			return end
		}
		if closes {
			if text := s[start:end]; end > start && isBlank(s[start-1]) && r != ' ' && isDenseGiven(text) &&
				!isASCII(text) {
				return end
			}
			return 0
		}
		end += size
	}
	if text := s[min(start, len(s)):]; len(text) <= maxDense && isDenseGiven(text) && !isASCII(text) &&
		(d.bare || isBlank(s[start-1])) || d.bare && isASCII(text) && d.accepts(s, start, len(s), len(s), "") {
		return len(s)
	}
	return 0
}

// accepts reports whether s[start:end] is a value before an ending at behind, or before what ends the phrase.
func (d denseSpeech) accepts(s string, start, end, behind int, ending string) bool {
	text := s[start:end]
	if isASCII(text) {
		return isSaid(text) && !words().about[lowered(text)] && !types.Has(lowered(text)) &&
			!isAlgorithm(lowered(text)) && !isParticiple(lowered(text)) && (ending != "" ||
			denseLogin(lineBefore(s, start-len("密码")))) &&
			!isLetterless(text) && run(text, 0, len(text), isBase64URL) == len(text)
	}
	if !isDenseGiven(text) {
		return false
	}
	if d.bare && ending != "" { // of one character, which may be a part of the value
		next, _ := utf8.DecodeRuneInString(s[behind+len(ending):])
		return behind+len(ending) >= len(s) || !isDense(next)
	}
	return true
}

// A densePost stands behind a value that is used as something, and behind it and the name one of behind if there are
// any.
type densePost struct {
	word   string
	behind *pattern.WordList
}

// denseTakers stand before a value that is used as something, and densePosts behind one.
var (
	denseTakers = pattern.Words("使用|用|以|把|将|將|拿|输入|輸入")
	densePosts  = []densePost{
		{"を", pattern.Words("として|に|とし")}, {"로", nil}, {"를", pattern.Words("로|으로")}, {"을", pattern.Words("로|으로")},
		{"作为", nil}, {"作為", nil}, {"当作", nil}, {"當作", nil}, {"当", nil}, {"當", nil}, {"做", nil},
	}
)

// usedInDense finds the value of "use value as the password" that is in the script of the sentence.
func usedInDense(s string, n named) (start, end int, ok bool) {
	if n.script != dense || n.kind != password {
		return 0, 0, false
	}
	before := strings.TrimRight(lineBefore(s, n.start), " ")
	from := n.start - len(lineBefore(s, n.start))
	for _, post := range densePosts {
		behind := post.behind
		head, found := strings.CutSuffix(before, post.word)
		if !found || behind != nil && prefixOf(s[n.end:], behind.All()...) == "" {
			continue
		}
		head = strings.TrimRight(head, " ")
		start = len(head)
		for start > 0 && len(head)-start < maxDense {
			r, size := utf8.DecodeLastRuneInString(head[:start])
			if endsValue(r) || r <= ' ' || strings.ContainsRune(".,;!?", r) ||
				behind == nil && suffixOf(head[:start], denseTakers.All()...) != "" {
				break
			}
			start -= size
		}
		if text := head[start:]; isDenseGiven(text) && (behind != nil || suffixOf(strings.TrimRight(head[:start], " "),
			denseTakers.All()...) != "") {
			return from + start, from + len(head), true
		} else if isASCII(text) && isSaid(text) && isWordy(text) && !words().about[lowered(text)] &&
			behind != nil {
			return from + start, from + len(head), true
		}
	}
	return 0, 0, false
}

// statedBefore finds the value of "value is the password", where only what says whose it is stands before the name.
func statedBefore(s string, n named) (start, end int, ok bool) {
	if n.script != dense || n.kind == login || n.kind == access || !endsDensely(s, n.end) {
		return 0, 0, false
	}
	before := lineBefore(s, n.start)
	from := n.start - len(before)
	before = strings.TrimRight(before, " ")
	for range 2 {
		before = strings.TrimRight(strings.TrimSuffix(before, suffixOf(before, denseOwners.All()...)), " ")
	}
	verb := suffixOf(before, "就是", "是", "为", "為", "は", "が", "가", "이", "는", "은")
	if verb == "" {
		return 0, 0, false
	}
	given := strings.TrimRight(before[:len(before)-len(verb)], " ")
	start = back(given, len(given), maxChosen, func(c byte) bool { return c > ' ' && c < utf8.RuneSelf })
	start, end, ok = unquoted(s, from+start, from+len(given))
	text := s[start:max(start, end)]
	switch {
	case !ok || !isSaid(text) || words().about[lowered(text)] || types.Has(lowered(text)) || isParticiple(text):
		return 0, 0, false
	case n.kind == code:
		return start, end, isGrouped(text) || countDigits(text) == len(text) && len(text) <= 8
	case n.kind == password:
		return start, end, !accounts.Has(lowered(text)) && !strings.ContainsAny(text, "()[]{}=<>/\\")
	}
	return start, end, hasDigit(text) && hasLetter(text) && run(text, 0, len(text), isSecretByte) == len(text) &&
		(switches(text) > 1 || isStrong(text)) && !isReference(text)
}

// denseOwners may stand between the verb and a name.
var denseOwners = pattern.Words("あなたの|私の|新しい|現在の|今の|新|我的|你的|您的|新的|目前的|现在的|当前|귀하의|당신의|새로운|내|새|제")

// endsDensely reports whether nothing but the ending of a statement stands behind a name.
func endsDensely(s string, at int) bool {
	rest := strings.TrimRight(s[at:lineEnd(s, at)], " 。.!！\r")
	return rest == "" || prefixOf(rest, "，", "、", ",") != "" ||
		prefixOf(rest, "です", "だよ", "だ", "でした", "입니다", "이에요", "예요", "이야", "야", "임", "입니다만", "哦", "啦") == rest ||
		prefixOf(rest, "です", "입니다", "だ") != "" && prefixOf(rest[len(prefixOf(rest, "です", "입니다", "だ")):], "。", ".", "、",
			"よ", "ね", " ") != ""
}

func suffixOf(s string, suffixes ...string) string {
	for _, suffix := range suffixes {
		if strings.HasSuffix(s, suffix) {
			return suffix
		}
	}
	return ""
}

// findWidePair finds the password of "login／password" on a line that says how to log in.
func findWidePair(s string, at int) (start, end int, ok bool) {
	name := back(s, at, 64, func(c byte) bool { return isDotted(c) || c == '@' })
	start = at + len("／")
	start = run(s, start, 2, isBlank)
	for end = start; end < len(s) && end-start < maxDense; {
		r, size := utf8.DecodeRuneInString(s[end:])
		if endsValue(r) || r <= ' ' || r == '／' || strings.HasPrefix(s[end:], "で") {
			break
		}
		end += size
	}
	from := at - len(lineBefore(s, at))
	line := lowered(s[from:lineEnd(s, at)])
	text := s[start:end]
	return start, end, name < at && hasLetter(s[name:at]) && (isDenseGiven(text) || isASCII(text) && isSaid(text)) &&
		(loginVerbs.in(line) || containsAny(line, denseLogins.All()))
}

// denseLogins are on lines that say how to get in, beside loginVerbs.
var denseLogins = pattern.Words("入れます|入れる|入って|入り|管理画面|アカウント|账号|帳號|账户|用户名|계정|접속|아이디")
