package request

import (
	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// Requests to remember in other words: to note, write down or document something, in the
// eight languages and Russian. They follow the other directives of their language.

// notesFile matches the names of files and places that keep what agents must know.
const notesFile = `(?:(?:the|our|your|my|die|das|der|dem|den|unsere[rn]?|le|la|les|nos|el|los|las|nuestra|o|a|` +
	`os|as|nossa|nosso)\s+)?` +
	"`?" + `(?:[\w/.-]*(?:claude|agents?|gemini|memory|contributing|readme|conventions)(?:[. ]?(?:md|rst|txt))?|` +
	`[\w./-]*[a-z](?:\.md|\.mdx|\.rst|\.txt|\.adoc)|(?:[a-z]+[_-])+[a-z]+|\.cursorrules|` +
	`copilot-instructions(?:\.md)?|(?:project |agent |repo |coding )?(?:instructions|guidelines|guide|` +
	`docs?|documentation|` +
	`notes|wiki|knowledge base|adrs?|decision log|known issues|runbook|doku\w*|richtlinien|notizen|consignes|` +
	`documentación|directrices|notas|` +
	`documentação|diretrizes))` + "`?"

// passingWords matches what is noted only for the moment, or of something that is elsewhere.
const passingWords = `^(?:i|we)(?:'ve|'m|'re|'ll)\b|^i (?:have|had|did|do|don't|am|was|will|just|also|changed|` +
	`added|removed|moved|updated|renamed|already|still|think|can't|cannot|left|skipped)\b|` +
	`^(?:this|that|it|these|those|there|the (?:above|below|following|test|tests|build|error|output|log|diff|` +
	`branch|pr))\b.*\b(?:is|are|was|were|has|have|fail\w*|above|below)\b|` +
	`\b(?:fail(?:s|ed|ing)?|broken|crash(?:es|ed)?|not yet|yet[.!]*$|draft|wip|today|tomorrow|currently|` +
	`right now|for now|already|so far|above|below)\b|` +
	`\b(?:schlägt|schlagen|fehl|kaputt|heute|échou\w*|cassée?s?|aujourd'hui|falla[n]?|fallan|rot[oa]s?|hoy|` +
	`falha[m]?|quebrad\w*|hoje)\b|` +
	`失败|失敗|报错|報錯|今天|目前|现在|現在|失敗し|エラー|今日|現在|실패|오류|오늘|지금|현재|падает|падают|сломан|сегодня|сейчас`

// passing is passingWords, and passingEnglish is it for English, in which a note may also begin as one about code.
var (
	passing        = pattern.OneOf(passingWords)
	passingEnglish = pattern.OneOf(passingWords,
		`^(?:function|method|class|api|endpoint|code|behaviou?r|flag|option|command|type|field|struct|package|`+
			`module|change|feature|file|in|as|for|of|to)\b`)
)

// stored matches what a program stores.
var stored = pattern.OneOf(`^[\[{<(]`, `^(?:is|are)\b`)

var (
	notedEnglish = []directive{
		{
			strong: true, refuse: passingEnglish,
			asks: pattern.New(`^(?:please )?(?:note|take note|be aware|be advised|mind|` +
				`consider it noted)(?: also)?(?:,? please,?)?\s+that\s+(?P<text>\S+\s+\S.*)$`),
		},
		{
			strong: true, refuse: passingEnglish,
			asks: pattern.New(
				`^(?:document|(?:write|jot|note|put) (?:it |this |that |the following )?down|make (?:a |`+
					`an )?(?:\w+ )?note|take (?:a )?note|record)`+
					`(?:\s+(?:this|it|the fact|of the fact|of|somewhere|in `+notesFile+`))*`, whatFor,
				`\s+that\s+(?P<text>\S+\s+\S+.*)$`,
			),
		},
		{
			strong: true,
			asks: pattern.New(
				`^(?:document|record|make (?:a )?note of|take note of)\s+(?:this|that|it|these|`+
					`the following)(?:\s+(?:somewhere|properly|too|as well|rule|fact|decision|convention|`+
					`in `+notesFile+`))*`,
				whatFor, `(?:`, open, `|`, end, `)`,
			),
		},
		{
			strong: true,
			asks: pattern.New(
				`^(?:add|put|write|save|note|record|document|include|mention|capture)\s+(?:this|that|it|these|`+
					`those|them|the following|all (?:of )?(?:this|that)|`+
					`(?:a |an? new |the )?(?:note|rule|line|section|hint|entry|guideline)s?(?: (?:about|on|`+
					`for) (?:this|that|it))?)(?: down)?\s+(?:in|to|into|under)\s+`,
				notesFile, `(?:\s+(?:too|as well|file|section|somehow|somewhere|`+
					`please))*(?:,?\s+so (?:that )?(?:you|we|it|i|they|`+
					`everyone|the next|others|future)\b[^:]*?)??`, whatFor, `(?:`, open, `|`+
					`,?\s+that\s+(?P<text>\S.*)$|`, end, `)`,
			),
		},
		{
			strong: true,
			asks: pattern.New(
				`^(?:add|put|write|note|record|document|include|mention)\s+(?:in|to|`+
					`into)\s+`, notesFile, `(?:`, open, `|,?\s+that\s+(?P<text>\S.*)$)`,
			),
		},
		{
			strong: true, refuse: passingEnglish,
			asks: pattern.New(`^in\s+`, notesFile, `,?\s+(?:please\s+)?(?:mention|note|write|add|document|state|`+
				`say|record|include)(?:\s+that)?\s+(?P<text>\S+\s+\S.*)$`),
		},
	}
	notedEnglishMore = []directive{
		{
			strong: true, refuse: passingEnglish,
			asks: pattern.New(
				`^(?:keep|make|leave|add) (?:a |an )?(?:\w+ )?(?:note|record|log)(?:\s+somewhere)?`, whatFor,
				`\s+(?:of the fact )?that\s+(?P<text>\S+\s+\S.*)$`,
			),
		},
		{
			strong: true, refuse: passingEnglish,
			asks: pattern.New(
				`^(?:(?:make|take) (?:a |an )?(?:mental |quick )?note|(?:so )?you know,? for (?:later|next time|` +
					`(?:later|future) sessions?)),\s+(?P<text>\S+\s+\S.*)$`,
			),
		},
		{
			strong: true, refuse: passingEnglish,
			asks: pattern.New(`^keep track of the fact that\s+(?P<text>\S+\s+\S.*)$`),
		},
		{
			strong: true, refuse: passingEnglish,
			asks: pattern.New(
				`^(?:it(?:'s| is)? (?:is )?(?:worth|good to|important to|useful to) (?:remember(?:ing)?|know(?:ing)?|`+
					`not(?:e|ing)|keep(?:ing)? in mind)|you (?:should|need to|must|have to) (?:know|be aware)|`+
					`(?:please )?(?:know|be aware)),?`, whatFor, `\s+that\s+(?P<text>\S+\s+\S.*)$`,
			),
		},
		{
			strong: true,
			asks: pattern.New(
				`^(?:(?:something|one thing|a thing|good|useful|important) )?to (?:keep in mind|remember|know|note)`,
				whatFor, open,
			),
		},
		{
			strong: true,
			asks: pattern.New(
				`^(?:save|store|hold on to|hang on to|file|log|keep|record|treat|take)\s+(?:this|that|`+
					`it|the following)(?:\s+away)?`+
					`(?:\s+as an?(?:\s+[\w-]+){1,3})?`, whatFor, open,
			),
			refuse: stored,
		},
		{
			strong: true,
			asks: pattern.New(
				`^(?:fyi,?\s+)?(?:for|in) (?:later|future|the next|coming|all later) (?:sessions?|` +
					`conversations?|chats?|agents?)` +
					`\s*[:,—–]\s*(?P<text>\S.*)$`,
			),
			refuse: notInstruction,
		},
		{
			strong: true,
			asks: pattern.New(
				`^(?:make|store|save|log|record|keep|treat)\s+(?:this|that|it)\s+(?:as\s+)?an?\s+(?:\w+ )?`+
					`(?:rule|convention|decision|memory|note|guideline)(?:\s+(?P<text>that\s+\S.*)$|`,
				open, `|`, end, `)`,
			),
		},
		{
			strong: true,
			asks: pattern.New(
				`^update\s+`, notesFile, `\s+(?:with (?:this|that|it)|so (?:that )?(?:you|we|they|everyone)\b.*|`+
					`to (?:reflect|say|state|mention) (?:this|that|it))`, end,
			),
		},
		{
			strong: true, refuse: passingEnglish,
			asks: pattern.New(`^update\s+`, notesFile, `\s+to (?:say|state|mention|`+
				`note) (?:that\s+)?(?P<text>\S+\s+\S.*)$`),
		},
		{
			strong: true,
			asks: pattern.New(`^(?:note|write|jot|put)\s+(?:this|that|it)\s+down(?:\s+(?:somewhere|too|`+
				`as well|please))*`, end),
		},
		{strong: true, asks: pattern.New(`^keep (?:this|that|the following)`, whatFor, open)},
	}
	notedChinese = []directive{
		{
			strong: true, refuse: passing,
			asks: pattern.New(
				`^(?:做个?(?:笔记|筆記|记录|記錄)|(?:写|寫|抄|录|錄)下来?|(?:写|寫)下來|(?:记录|記錄)(?:一下|` +
					`下来|下來)?|(?:备注|備註|备忘|備忘|注意)|(?:把(?:这|這)(?:个|個|点|點|条|條)?)?` +
					`(?:写|寫|记|記|加|放)(?:进|進|到|入|在)(?:脑子|腦子|心|脑海|腦海|文档|文檔|说明|說明|README|CLAUDE\.md|AGENTS\.md|` +
					`规范|規範)(?:里|裡|中)?)(?:一下)?\s*[:：,，]\s*(?P<text>\S.*)$`,
			),
		},
		{
			strong: true, refuse: passing,
			asks: pattern.New(`^(?:注意|请注意|請注意|记录|記錄|写明|寫明|注明|註明)[,，、\s]*(?P<text>(?:我们|` +
				`我們|所有|每次|每个|每個|这个(?:项目|仓库)|這個(?:專案|倉庫)|不要|别|別|必须|必須).*)$`),
		},
		{strong: true, asks: pattern.New(`^(?:把(?:这|這)(?:个|個|点|點|条|條|些)?)(?:写|寫|记|記|加)(?:进|進|`+
			`到|入|在)(?:文档|文檔|README|CLAUDE\.md|AGENTS\.md|规范|規範)(?:里|裡|中)?`, end)},
	}
	notedJapanese = []directive{
		{
			strong: true, refuse: passing,
			asks: pattern.New(
				`^(?:(?:次回|今後|後|将来)のため(?:に)?、?)?(?:(?:これ|以下|次)を?)?(?:(?:書き留め|書いて|記録し|メモに残し|` +
					`控え)て?(?:おい)?て?(?:ください|下さい|くれ|ね)?|` +
					`(?:ドキュメント|README|CLAUDE\.md|AGENTS\.md|仕様書)に(?:書い|追記し|追加し|残し|` +
					`記載し)て(?:おいて)?(?:ください|下さい)?|(?:注意|留意)(?:点)?)\s*[:：、]\s*(?P<text>\S.*)$`,
			),
		},
		{
			strong: true, refuse: passing,
			asks: pattern.New(
				`^(?P<text>\S.{2,}?)(?:(?:という|って|である|な|の)?(?:こと|点|旨)(?:を|は)|と|を?(?:ドキュメント|`+
					`README|CLAUDE\.md|AGENTS\.md)に)(?:(?:ドキュメント|`+
					`README|CLAUDE\.md|AGENTS\.md)に)?`+
					`(?:書き留めて|記録して|書いて|追記して|記載して)(?:おいて)?(?:ください|下さい|ほしい|欲しい|くれ)?(?:ね|よ)?`, end,
			),
		},
		{
			strong: true, refuse: passing,
			asks: pattern.New(`^(?P<text>\S.{2,}?)(?:という|である|な|の)?(?:こと|点)に(?:注意|留意)して(?:おいて)?(?:ください|下さい)`, end),
		},
		{
			kind: Feedback,
			asks: pattern.New(`^(?P<text>(?:私|僕|俺|自分|わたし)(?:は|も|、)[^。]{2,}(?:が|の)(?:大?好き|`+
				`嫌い|苦手|好み)(?:です|だ|なんです|ではありません|じゃない)?(?:ね|よ)?)`, end),
			refuse: pattern.OneOf(`^(?:私|僕|俺|自分|わたし)(?:は|も|、)(?:これ|それ|あれ|こっち|そっち|前者|` +
				`後者|最初|[一二三1-3]番|その|この|案|(?:オプション|選択肢))`),
		},
	}
	notedKorean = []directive{
		{
			strong: true, refuse: passing,
			asks: pattern.New(
				`^(?:(?:이거|이걸|다음을?|아래를?)\s*)?(?:(?:문서|README|CLAUDE\.md|AGENTS\.md)에\s*)?(?:적어|` +
					`써|기록해|남겨|추가해) ?(?:줘|둬|두세요|주세요|놔|놓아)?\s*[:：,]\s*(?P<text>\S.*)$`,
			),
		},
		{
			strong: true, refuse: passing,
			asks: pattern.New(
				`^(?P<text>\S.{2,}?)(?:(?:(?:라|다|이라)는|는|은|인|한|할)?\s*(?:것|걸|거|점|사실)(?:을|를)?|고|`+
					`라고|(?:을|를)?\s+(?:문서|README|CLAUDE\.md|AGENTS\.md)에)\s+(?:(?:문서|README|`+
					`CLAUDE\.md|AGENTS\.md)에\s*)?(?:적어|써|기록해|남겨) ?(?:줘|둬|두세요|주세요|놔)`, end,
			),
		},
		{strong: true, refuse: passing, asks: pattern.New(`^(?:참고로|주의(?:사항)?|유의(?:사항)?)\s*[:：]\s*(?P<text>\S.*)$`)},
	}
	notedGerman = []directive{
		{
			strong: true, refuse: passing,
			asks: pattern.New(
				`^(?:schreib\w*(?: dir| euch)?(?: bitte)?(?: das|` +
					` dies)?(?: auf)?|notier\w*(?: dir)?|halte?(?: bitte)?(?: das|` +
					` dies)?(?: in ` + notesFile + `)? fest|dokumentier\w*|` +
					`beachte?|bedenke?|berücksichtig\w*|` +
					`mach\w*(?: dir)?(?: bitte)? (?:eine )?notiz(?:en)?)(?:\s+(?:bitte|auf|fest|` +
					`in ` + notesFile + `))*,?\s+dass\s+(?P<text>\S.*)$`,
			),
		},
		{
			strong: true, refuse: passing,
			asks: pattern.New(
				`^(?:schreib\w*(?: dir| euch)?(?: bitte)?(?: das| dies)?(?: auf)?|halte?(?: bitte)?(?: das|`+
					` dies)? fest|dokumentier\w*(?: das| dies)?|mach\w*(?: dir)?(?: bitte)? (?:eine )?notiz|`+
					`(?:schreib\w*|füg\w*|nimm)(?: bitte)? (?:das|dies|folgendes) (?:in|zu|`+
					`zur) `+notesFile+`(?: auf| hinzu)?)`, open,
			),
		},
		{
			strong: true,
			asks: pattern.New(`^(?:schreib\w*|füg\w*|nimm|dokumentier\w*|übernimm)(?: bitte)? (?:das|dies|`+
				`es) (?:in|zu|zur) `+notesFile+`(?: auf| hinzu)?`, end),
		},
		{
			strong: true, kind: Feedback,
			asks: pattern.New(`^für(?:s| das) nächste mal(?:\s*[:,]\s*|\s+)(?P<text>\S.*)$`),
		},
	}
	notedFrench = []directive{
		{
			strong: true, refuse: passing,
			asks: pattern.New(
				`^(?:documente[rz]?|écri[st]|écrivez|inscri[st]|consigne[rz]?|prends? (?:bien )?note|notez|mets|` +
					`sache[z]?)(?:\s+(?:bien|ça|cela|ceci|quelque part|dans tes notes|` +
					`dans ` + notesFile + `))*\s+qu(?:e\s+|` +
					`')(?P<text>\S.*)$`,
			),
		},
		{
			strong: true, refuse: passing,
			asks: pattern.New(
				`^(?:documente[rz]?|écri[st]|écrivez|inscri[st]|consigne[rz]?|ajoute[rz]?|mets)(?:[ -](?:bien|`+
					`le|ça|cela|ceci))*(?:\s+(?:quelque part|(?:dans|à|au) `+notesFile+`))?`, open,
			),
		},
		{strong: true, asks: pattern.New(`^(?:documente[rz]?|écri[st]|ajoute[rz]?|mets)(?:[ -](?:le|ça|cela|`+
			`ceci))\s+(?:dans|à|au) `+notesFile, end)},
		{strong: true, kind: Feedback, asks: pattern.New(`^(?:pour la prochaine fois|` +
			`la prochaine fois)(?:\s*[:,]\s*|\s+)(?P<text>\S.*)$`)},
	}
	notedSpanish = []directive{
		{
			strong: true, refuse: passing,
			asks: pattern.New(
				`^(?:documenta|documente|tom[ae] nota|escribe|escriba|registra|deja constancia|anot[ae]|` +
					`apunt[ae])(?:\s+(?:esto|de|en ` + notesFile + `))*\s+que\s+(?P<text>\S.*)$`,
			),
		},
		{
			strong: true, refuse: passing,
			asks: pattern.New(`^(?:documenta|tom[ae] nota|escribe|registra|añade|agrega|`+
				`pon)(?:lo)?(?:\s+(?:esto|lo siguiente|en `+notesFile+`|a `+notesFile+`))*`, open),
		},
		{strong: true, asks: pattern.New(`^(?:documenta|añade|agrega|pon|escribe)(?:lo|\s+esto|\s+eso)\s+(?:en|`+
			`a) `+notesFile, end)},
		{strong: true, kind: Feedback, asks: pattern.New(`^(?:para )?la próxima(?: vez)?(?:\s*[:,]\s*|` +
			`\s+)(?P<text>\S.*)$`)},
	}
	notedPortuguese = []directive{
		{
			strong: true, refuse: passing,
			asks: pattern.New(
				`^(?:documente|documenta|tome nota|toma nota|escreva|escreve|registre|registra|observe|` +
					`note)(?:\s+(?:isso|isto|de|em ` + notesFile + `))*\s+que\s+(?P<text>\S.*)$`,
			),
		},
		{
			strong: true, refuse: passing,
			asks: pattern.New(`^(?:documente|tome nota|toma nota|escreva|registre|adicione|`+
				`coloque)(?:\s+(?:isso|isto|o seguinte|(?:em|no|na|ao|à) `+notesFile+`))*`, open),
		},
		{strong: true, asks: pattern.New(`^(?:documente|adicione|coloque|escreva)\s+(?:isso|isto)\s+(?:em|no|na|`+
			`ao|à) `+notesFile, end)},
		{strong: true, kind: Feedback, asks: pattern.New(`^(?:(?:para )?a|da|na) próxima(?: vez)?(?:\s*[:,]\s*|` +
			`\s+)(?P<text>\S.*)$`)},
	}
)

// Russian.
const (
	keepRu = `(?:запомни|запиши|заметь|отметь|учти|помни|задокументируй|имей в виду|не забудь|не забывай|` +
		`запомните|запишите|заметьте|отметьте|` +
		`учтите|помните|задокументируйте|имейте в виду|не забудьте|` +
		`не забывайте|возьми(?:те)? на заметку|держи(?:те)? в уме)(?:,?\s+пожалуйста,?)?(?:\s+(?:это|` +
		`следующее|себе|на будущее))*`
)

var (
	russian = []directive{
		{strong: true, refuse: passing, asks: pattern.New(`^(?:пожалуйста,?\s+)?`, keepRu, open)},
		{
			strong: true, refuse: passing,
			asks: pattern.New(`^(?:пожалуйста,?\s+)?`, keepRu, `,?\s+что\s+(?P<text>\S.*)$`),
		},
		{strong: true, asks: pattern.New(`^(?:пожалуйста,?\s+)?(?:запомни|запомните|запиши|запишите)\s+это`, end)},
		{
			strong: true, kind: Feedback, refuse: passing,
			asks: pattern.New(`^(?:впредь|отныне|с этого момента|на будущее|на потом|в будущем|в следующий раз|` +
				`с сегодняшнего дня)\s*[,:]?\s+(?P<text>\S.*)$`),
		},
		{kind: Feedback, asks: pattern.New(`^(?P<text>(?:всегда|никогда не)\s+\S+(?:й|йте|и|ите|ь|ьте)\s.*)$`)},
		{kind: Feedback, asks: pattern.New(`^(?P<text>я (?:предпочитаю|люблю|не люблю|хочу, чтобы)\s.*)$`)},
	}
)
