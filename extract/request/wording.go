package request

import (
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// The patterns are anchored, so that a sentence that does not begin (or, in Japanese
// and Korean, end) like a directive is rejected quickly.

// languages are tried in order. The first directive that matches is used.
var languages = []language{
	{
		pattern.Words(
			`remember|memor|note|forget|mind|from now|from here|from today|from this|forward|hence|future|` +
				`next time|starting|beginning|as of|effective|always|never|ever |prefer|rather|like|hate|jot|write|` +
				`down|record|for later|time|whenever|document|aware|claude|rule|convention|decision|adr|runbook|` +
				`update|keep|save|store|capture|agents|readme|guideline|instructions|` +
				`docs|wiki|later|know|hold on|hang on|again|how we|way we|lost|nobody|no one|noone|everyone|` +
				`everybody|worth|` +
				`gotcha|lesson|pitfall|caveat|posterity|surprised|` +
				`bitten|confused|after |memory|notes|away|sessions|reminder|retain|` +
				`permanent|standing|persist|given|policy|slip|lose|habit|used to|point of|` +
				`practice|custom|takeaway|important for|` +
				`relevant for|useful for|good for|needed for|room for`,
		),
		[][]directive{english, notedEnglish, notedEnglishMore, announcedEnglish, keptEnglish, retainedEnglish},
	},
	{
		pattern.Words(
			`记|記|忘|备注|将来|將來|未来|未來|下次|从|從|今后|今後|以后|以後|往后|往後|之后|之後|接下来|接下來|总是|總是|始终|始終|永远|永遠|绝|絕|千万|千萬|一律|务必|務必|喜欢|` +
				`喜歡|偏好|偏爱|偏愛|倾向|傾向|习惯|習慣|希望你|备忘|備忘|每次|笔记|筆記|写|寫|注意|注明|註明|加到|加进|再|后面|後面|后续|後續|备查|備查|查|` +
				`希望|想要|要求|教训|教訓|约定|約定|规矩|規矩|惯例|慣例|踩坑|留个底|留個底|放在心上|养成|養成|重要|有用|存|收|录|錄`,
		),
		[][]directive{chinese, notedChinese, announcedChinese, keptChinese, retainedChinese},
	},
	{
		pattern.Words(`覚え|おぼえ|忘れ|記憶|メモ|これから|これ以降|以降|今後|以後|次回|今から|備忘|毎回|決して|` +
			`常に|いつも|必ず|絶対|好き|好み|好む|方がいい|ほうがいい|方が良い|方がよい|書|記録|控え|追記|記載|注意|留意|嫌い|苦手|` +
			`念頭|頭に|心に|次|後|将来|あと|同じ|教訓|ルール|決まり|約束|規約|申し送り|引き継ぎ|ノート|ナレッジ`),
		[][]directive{japanese, notedJapanese, announcedJapanese, keptJapanese},
	},
	{pattern.Words(`기억|잊|외워|향후|다음부터|이후로|매번|꼭|메모|앞으로|이제|지금부터|항상|언제나|절대|반드시|` +
		`선호|좋아|낫|나아|편해|적어|써|기록|남겨|추가|참고|주의|유의|까먹|` +
		`명심|염두|나중|다음|이후|같은|교훈|규칙|약속|관례|컨벤션|알아|노트|저장`), [][]directive{korean, notedKorean, announcedKorean, keptKorean}},
	{
		pattern.Words(
			`merk|speicher|fortan|grundsätzlich|denk|vergiss|vergess|notier|behalt|ab jetzt|ab sofort|ab heute|` +
				`ab nun|von nun|von jetzt|von heute|künftig|zukunft|bevorzug|lieber|ziehe|immer|niemals|nie |` +
				`später|möchte|schreib|halt|dokument|beacht|bedenk|berücksichtig|notiz|nächste|füg|nimm|` +
				`vor jed|nach jed|bei jed|in jed|vor allen|solltest|musst|so machen|achte|verloren|nicht wieder|` +
				`noch mal|nochmal|noch einmal|erinner|wissen|` +
				`weiß|untergeh|hängen bleibt|` +
				`regel|konvention|aufschreib|einpräg|gewohnheit|gewöhn|wichtig für|nützlich für|` +
				`vereinbarung|stolper|lesson|gelernt|präg|vermerk|trag|hinterleg|ergänz|` +
				`gedächtnis|kopf|wenn |sobald |sitzung|session`,
		),
		[][]directive{german, notedGerman, announcedGerman, keptGerman, retainedGerman},
	},
	{
		pattern.Words(
			`souvien|souvenez|note|enregistre|pense|sache|dès maintenant|dès à|ne jamais|ne pas|jamais|aime mieux|` +
				`rappel|retien|retenez|oubli|garde|mémori|désormais|dorénavant|avenir|à partir|préf|toujours|` +
				`document|écri|inscri|consign|prochaine|ajoute|mets|plus tard|référence|` +
				`chaque|perd|la suite|savoir|noter|refai|retomb|reproduis|règle|convention|leçon|piège|veille|` +
				`grave|prends|prenez|dois|devez|devrais|devriez|suite|` +
				`précis|mention|notes|mémoire|sauvegard|conserv|session|sache`,
		),
		[][]directive{french, notedFrench, announcedFrench, keptFrench, retainedFrench},
	},
	{
		pattern.Words(
			`recuerd|recuérd|memori|nota |sucesivo|preferencia|preferir|acuerd|acuérd|ten en|ten presente|tenlo|` +
				`tenga|olvid|anota|anote|apunta|apunte|apúnt|guard|a partir|de ahora|desde|adelante|futuro|prefier|` +
				`preferimos|siempre|nunca|document|nota|escrib|registra|constancia|próxima|añade|agrega|` +
				`pon|incluye|menciona|más tarde|después|referencia|` +
				`cada|recordar|pierd|perder|luego|saber|sepas|conste|claro|cuenta|presente|repetir|volver|regla|` +
				`convención|norma:|una norma|` +
				`grábate|quédate|toma nota|tome nota|vista|debes|deberías|costumbre|acostúmbr|` +
				`lección|escrito|futur|sesion`,
		),
		[][]directive{spanish, notedSpanish, announcedSpanish, keptSpanish, retainedSpanish},
	},
	{
		pattern.Words(
			`lembr|memori|esqueça|esqueças|tenha|tem em|anot|nota |guard|salve|a partir|de agora|daqui|de hoje|` +
				`doravante|futuro|nunca|preferência|preferimos|preferiria|prefiro|sempre|document|nota|escrev|` +
				`registr|observe|próxima|adicione|coloque|depois|mais tarde|referência|` +
				`cada|coloc|põe|bota|inclu|mencion|adiciona|esquec|perd|perca|frente|saber|claro|dica:|a dica|` +
				`repetir|de novo|` +
				`nota|fique|fica|vista|deve|hábito|acostume|` +
				`regra|convenção|norma:|lição|salv|grav|` +
				`ter em|escrit|futur|sess`,
		),
		[][]directive{portuguese, notedPortuguese, announcedPortuguese, keptPortuguese, retainedPortuguese},
	},
	{
		pattern.Words(`запомн|запиш|замет|отмет|учти|помни|документ|имей|держи|возьми|потом|не забуд|` +
			`не забыв|впредь|отныне|` +
			`момента|будущ|следующ|дня|всегда|` +
			`никогда|предпочит|люблю|хочу|памят|сохран|замет|знаний|виду`),
		[][]directive{russian, keptRussian},
	},
}

// A language is tried only on sentences that contain one of its words.
type language struct {
	words      *pattern.WordList
	directives [][]directive
}

// each yields the directives in order.
func (l language) each(yield func(directive) bool) {
	for _, table := range l.directives {
		for _, d := range table {
			if !yield(d) {
				return
			}
		}
	}
}

// states reports whether a sentence, with or without its leads, matches one of the
// wordings.
func states(sentence string, wordings []pattern.Wording) bool {
	lower := strings.ToLower(sentence)
	return slices.ContainsFunc(wordings, func(w pattern.Wording) bool {
		return w.Words.In(lower) && slices.ContainsFunc(stages(sentence), w.Pattern.Match)
	})
}

// leads matches words that are removed from the beginning of a sentence.
var leads = pattern.New(
	`^(?:`,
	`(?:please|pls|plz|kindly|hey|hi|hello|ok(?:ay)?|alright|right|great|good|perfect|thanks|thank you|cool|nice|`+
		`also|and|but|so|then|oh|ah|well|now|just|btw|by the way|fyi|quick note|one (?:more|last|other) thing|`+
		`another thing|important(?:ly)?|reminder|heads[- ]up|assistant|claude|copilot|agent|sorry|wait|first|`+
		`second|finally|lastly|additionally|furthermore|in addition|for (?:the )?record|p\.?s\.?|in general|`+
		`as a rule|generally|hopefully)(?:[,:!.…—–-]+\s*|\s+)`,
	`|(?:i(?:'m| am)? (?:also |just )?wonder(?:ing)?(?: now)? (?:if|whether) |maybe |perhaps |i (?:think|`+
		`guess) )?(?:we|you) (?:should|could|can)(?: (?:maybe|also|please))?\s+|`+
		`(?:can|could|should|shall) we(?: (?:please|also|just|maybe|always))?\s+|for now,?\s+`,
	`|(?:can|could|would|will) (?:you|u)(?: (?:please|kindly|also|just|maybe|always))?\s+`,
	`|(?:yes|yeah|yep|no|nope)[,.!…—–-]+\s*|i(?:'d| would) (?:really )?(?:like|love|appreciate it if|`+
		`want) you(?: to)?\s+|i (?:really |also )?(?:want|need|ask|expect) you to\s+|`+
		`you (?:should|must|need to|have to|can|ought to)(?: also| please)?\s+|make sure (?:you|to|that you)\s+|`+
		`be sure to\s+|let'?s(?: all)?\s+|(?:it'?s|it is) important (?:to|that you)\s+|do\s+`,
	`|(?:请|請|麻烦|麻煩|拜托|拜託|帮我|幫我|帮忙|幫忙|你要|你得|你需要|你应该|你應該|请你|請你|能不能|可以|可否|能否|那么|那麼|那|好的?|嗯|对了|對了|另外|还有|還有|顺便说一下|順便說一下|`+
		`顺便|順便|哦|嘿|谢谢|謝謝|也)[,，、:：。!！\s]*(?:你|您)?(?:帮我|幫我|替我)?`,
	`|(?:あと|では|じゃあ|それと|それから|ちなみに|そうだ|すみません|なお|また|はい|ありがとう(?:ございます)?|どうか|ぜひ|どうぞ)[、,，。!！\s]+`,
	`|(?:그리고|참고로|그런데|아|네|좋아요?|혹시|부디|제발|또한?|고마워요?|감사합니다)[,.!\s]+`,
	`|(?:bitte|hallo|hey|ok|okay|gut|danke|super|und|also|übrigens|außerdem|noch (?:was|etwas)|wichtig|ach ja|`+
		`ach)(?:[,:!.—–-]+\s*|\s+)|(?:kannst|könntest|würdest) du (?:dir )?(?:bitte )?`,
	`|(?:s'il te pla[iî]t|s'il vous pla[iî]t|stp|svp|merci|salut|bonjour|d'accord|ok|bon|alors|et|aussi|au fait|`+
		`important|ah)(?:[,:!.—–-]+\s*|\s+)|(?:peux-tu|pourrais-tu|pouvez-vous|pourriez-vous)(?: aussi)?\s+`,
	`|(?:por favor|porfa|hola|vale|bien|gracias|y|además|también|por cierto|importante|oye|ah)(?:[,:!.—–-]+\s*|`+
		`\s+)|¡|(?:¿\s*)?(?:puedes|podrías|puede|podría)(?: por favor)?\s+`,
	`|(?:por gentileza|olá|oi|certo|beleza|obrigad[oa]|e|também|aliás|a propósito|ah)(?:[,:!.—–-]+\s*|\s+)|`+
		`(?:você )?(?:pode|poderia)(?: por favor)?\s+`,
	`)`,
)

// modal matches leads that make a question a request.
var modal = pattern.OneOf(
	`^(?:can|could|would|will) (?:you|u)\b|^(?:can|could|should|shall) we\b|\bwonder`,
	`能不能|可以|可否|能否|麻烦|麻煩`,
	`^(?:kannst|könntest|würdest)`,
	`^(?:peux|pourr|pouv)`,
	`^(?:¿\s*)?(?:puede|podr)`,
	`^(?:você )?(?:pode|poderia)`,
)

// thanks matches thanks at the end of a wish.
var thanks = pattern.New(
	`(?:[,.;!—–-]+\s*(?:thanks(?: a lot)?|thank you|thx|ok(?:ay)?\??|alright\??|got it\??|danke|merci|gracias|` +
		`obrigad[oa])[.!]*|[\s,;—–-]+(?:please|pls|bitte|s'il te plaît|por favor)[.!]*|` +
		`[,，、。]\s*(?:谢谢|謝謝|拜托了|好吗|好嗎|ok|お願いします|よろしく(?:お願いします)?|ありがとう|부탁(?:해|드려요|드립니다|해요)|고마워|감사합니다)[。.!！?？]*)$`,
)

// deferred matches wishes for a later time or only for now.
var deferred = pattern.OneOf(
	`^(?:remind|ask) (?:me|us)\b|^(?:remember|memori[sz]e|save|note) (?:(?:this|that|it|these)\s+)?(?:later|`+
		`tomorrow|tonight|next week|next month|another time|some ?(?:day|time)|eventually|`+
		`when (?:we|i|you)(?:'re| are)? (?:done|finish|ready|have time|get)|once (?:we|i|you)|after (?:we|i|you)|`+
		`if (?:we|i|you|it|needed|necessary|possible))\b`,
	`^(?:remember|memori[sz]e|save|note) (?:this|that|it) (?:just |`+
		`only )?(?:for (?:now|today|the moment|a (?:moment|minute|second|while|bit)|`+
		`this (?:session|conversation|chat|turn|message|task)|the next \w+ \w+)|until|till|while|during|`+
		`temporarily)\b|^(?:remember|memori[sz]e|save|note) (?:this|that|it) for later only\b`,
	`^(?:remember|note)[^.]{0,60}\b(?:(?:only|just) for (?:now|today|the moment|`+
		`this (?:session|conversation|chat|turn|task))|for this session only|until (?:tomorrow|tonight|the end of))`,
	`^remember to (?:remind|ask|tell|ping) (?:me|us)\b|^(?:don'?t|do not) forget to (?:remind|ask|tell) (?:me|us)\b`,
	`提醒我|^(?:稍后|稍後|晚点|晚點|待会|待會|等会|等會|等一下|回头|回頭|改天|明天|下次|以后再|以後再|之后再|之後再)[^。]{0,6}(?:记|記)|`+
		`^(?:记|記)(?:得|住|着|著)?(?:稍后|稍後|晚点|晚點|待会|待會|明天|等会|等會|回头|回頭)|(?:以后|以後|之后|之後|稍后|稍後|晚点|晚點|回头|回頭|下次|明天)再(?:记|記|说|`+
		`說|看|讨论|討論|告诉|告訴|弄|处理|處理)|(?:先|暂时|暫時)(?:记|記)`,
	`(?:後で|あとで|のちほど|後ほど|また今度|明日)[^。]{0,14}(?:覚え|記憶|メモ|リマインド|教え|思い出)|リマインド|とりあえず(?:覚え|今)|今だけ|このセッションだけ`,
	`(?:나중에|이따가|다음에|내일)[^.]{0,14}(?:기억|메모|알려|상기|얘기|다시)|알림|지금만|이번만|이번 세션만`,
	`^(?:erinner\w*) (?:mich|uns)\b|^merk\w* (?:dir |euch )?(?:das |dies )?(?:später|morgen|`+
		`nur (?:für )?(?:jetzt|heute)|erst)`,
	`^rappel(?:le|ez)-(?:moi|nous)\b|^(?:souviens-t'en|retiens(?:-le| ça| cela)?) (?:plus tard|demain|`+
		`pour l'instant|juste)`,
	`^recu[eé]rda(?:me|nos)\b|^recu[eé]rd(?:a|alo) (?:esto |eso )?(?:más tarde|después|luego|mañana|solo por ahora)`,
	`^lembr(?:e|a)-me\b|^me lembr[ea]\b|^lembre(?:-se)?(?: disso)? (?:mais tarde|depois|amanhã|só por agora)`,
)

// negated matches wishes not to remember something. Most of these are not directives
// anyway, because a directive begins the sentence.
var negated = pattern.OneOf(
	`^(?:never|always|don'?t(?: ever)?|do not(?: ever)?) (?:remember|memori[sz]e|`+
		`save (?:this|that|it|anything|what)|store (?:this|that|it|anything|what)|note (?:this|that) down)`,
	`\b(?:didn'?t|don'?t|do not|does not|not to|never|without|shouldn'?t|needn'?t|need not)(?: have to|`+
		` need to)? (?:remember|memori[sz]e|sav|stor|not)(?:e|ing)? (?:this|that|it|any|down)\b`,
	`^(?:remember|memori[sz]e|save|note)(?: down)? (?:nothing|none|not\b(?: this| that| to remember))`,
	`(?:不要|别|別|不用|不必|无需|無需|不需要|不许|不許|勿|没必要|沒必要|没有必要|沒有必要)(?:再)?(?:帮我|幫我|给我|給我|把[^。]{1,12})?(?:记|記)(?:住|得|下来?|下來?|着|`+
		`著|忆|憶|了)*(?:这|這|那|它|我|以|[。，,：:!！ ]|$)|^忘(?:了|掉|记|記)`,
	`(?:覚え|記憶し|メモし)(?:て(?:おか)?)?(?:ないで|なくて|なくても|る必要(?:は)?な|ておく必要(?:は)?な|てはいけ|ちゃだめ|なくていい)|`+
		`(?:記憶|メモ)(?:は)?(?:不要|しなくて|する必要)`,
	`기억(?:하지|할 필요|해 ?둘 필요|은? 안|하실 필요)|메모(?:하지|할 필요)`,
	`^merk\w* (?:dir|euch|sich) (?:das |dies(?:es)? |bitte )*nicht\b|\b(?:nicht|nichts) merken\b`,
)

// unfit matches strings without content, or that refer to something that is not there
// later.
var unfit = pattern.OneOf(
	`^(?:this|that|it|these|those|them|so|one|ones|only if|me|us|him|her|ok(?:ay)?|yes|no|yep|later|now|then|`+
		`again|soon|next time|`+
		`(?:for )?(?:the )?future|tomorrow|always|never|please|thanks?|thank you|done|sure|good|right|nothing|`+
		`something)[.!,;]?$`,
	`^(?:do|doing|did|try|say|ask|use|touch|call|run|make|mention|suggest)\s+(?:this|that|it|`+
		`so)(?:\s+(?:again|anymore|any more|ever again|please|either|to me|for me|first|like that))*[.!]*$`,
	`^only if\b`,
	`^(?:这个|這個|那个|那個|它|这样|這樣|这点|這點|就是|一下|好|好的|是|下次|以后|以後|明天)?[。.!！]*$`,
	`^(?:これ|それ|あれ|この|その|はい|次回|今度|また|明日)[。.!！]*$`,
	`^(?:이것|그것|이거|그거|네|다음에|나중에|내일)[.!]*$`,
	`^(?:ja|nein|gut|später|nächstes mal|morgen|oui|non|d'accord|bien|plus tard|la prochaine fois|demain|sí|si|`+
		`vale|luego|la próxima vez|mañana|`+
		`sim|não|depois|a próxima vez|amanhã|это|да|нет|ок|потом|завтра|в следующий раз)[.!]*$`,
)
