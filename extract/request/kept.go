package request

import "github.com/wm-lsp/wm-lsp/extract/pattern"

// Requests that name the place where something is kept, or the later time for which: "add to your
// notes that …", "keep this for the sessions to come: …", "whenever you come back to this, …".
// Each language has its verbs, places and times, and the words that join what is to be kept.

// putInto returns a directive for what is put into a place: a verb, a few words, the place, and
// then what to keep behind a colon or one of the words that join clauses.
func putInto(verbs, places, joins string) directive {
	return directive{
		strong: true, refuse: passing,
		asks: pattern.New(`^(?:`, verbs, `)(?:\s+[^\s,;:]+){0,4}?\s+(?:`, places, `)(?:\s+(?:as well|too|please|`+
			`auf|ab|ein|hinzu))?(?:`, open, `|,?\s*(?:`, joins, `)\s*(?P<text>\S.*)$)`),
	}
}

var (
	keptEnglish = []directive{
		announced(`(?:know|have|get|keep|make|put|burn|etch|brand|persist|carry|consider|treat|take|store|save|`+
			`see|call|need)`+
			`\s+(?:this|that|it|these|the following)\b|let it\b|(?:something|one|this one) for\b|`+
			`(?:a |one )?(?:note|reminder|rule|instruction|memo|pointer) (?:for|to)\b`,
			`memor\w+|remember\w*|noted|record\w*|rule|convention|(?:standing|permanent|general|lasting) \w+|`+
				`sessions?|persist\w*|known|next time|later|again|future|in mind|forget|for good|permanently`),
		{
			strong: true, refuse: passingEnglish,
			asks: pattern.New(`^(?:store|save|keep|record|log|(?:write|jot|note) down|retain|` +
				`register)(?:\s+(?:somewhere|` +
				`also))?\s+the fact that\s+(?P<text>\S+\s+\S.*)$`),
		},
		{
			strong: true, refuse: passingEnglish,
			asks: pattern.New(`^(?:(?:keep|take|treat|consider|have|make|record|log|let)\s+(?:it|this|that)|keep)` +
				`(?:\s+[\w-]+){0,4}?\s+(?:given|rule|convention|record|noted|known|understood|mind|memory|` +
				`settled|policy|` +
				`principle)(?:\s+[\w-]+){0,4}?\s+that\s+(?P<text>\S+\s+\S.*)$`),
		},
		putInto(`add|put|save|store|write|log|keep|file|commit|record|note|enter|include|append|get|have`,
			`(?:in|to|into|among|under|on)\s+(?:`+memory+`|`+notesFile+`|(?:your|the|our|my)(?: \w+)? (?:notes|`+
				`notebook|`+
				`knowledge|records|list of (?:rules|conventions|things to know)))`, `that\s`),
		{
			strong: true, refuse: stored,
			asks: pattern.New(`^(?:save|store|hold on to|hang on to|file|log|keep|record|put|tuck|stash|note|`+
				`bookmark|`+
				`retain|capture|archive|preserve|pin|stow|take|learn)\s+(?:this|that|it|the following|these|`+
				`(?:this|the `+
				`following) (?:rule|fact|tip|point|info\w*|detail|convention|note|decision|lesson|`+
				`gotcha))(?:\s+(?:away|aside|back|handy|safe|on file|on record|down))?(?:\s+(?:for|in|until|`+
				`till)(?:\s+[\w-]+){1,5})?`, open),
		},
		{
			strong: true, refuse: passingEnglish,
			asks: pattern.New(`^(?:retain|know|learn|internali[sz]e|register|absorb|be mindful|keep (?:it )?in view)`,
				whatFor, `,?\s+that\s+(?P<text>\S+\s+\S.*)$`),
		},
		{
			strong: true, refuse: passingEnglish,
			asks: pattern.New(`^(?:it(?:'s| is| would be| may be) )?(?:well )?(?:worth|good|useful|helpful|` +
				`important|best|` +
				`wise)(?: to)? (?:record|writ|document|keep|remember|know|not|hav)\w*(?: (?:down|in mind|on record|` +
				`somewhere|in writing))*(?: for (?:later|the future|next time))?\s+that\s+(?P<text>\S+\s+\S.*)$`),
		},
		{
			strong: true, refuse: passingEnglish,
			asks: pattern.New(`^(?:as|for|by way of) (?:a |an )?(?:reminder|note|memo|hint|pointer|reference|` +
				`warning)` +
				`(?: (?:to|for) (?:yourself|(?:your|the) future \w+|future \w+|later|next time|` +
				`whoever \w+(?: \w+)?|` +
				`the next \w+|(?:all )?(?:later|coming) \w+))\s*[,:—–-]\s*(?P<text>\S.*)$`),
		},
		{
			kind: Feedback, refuse: notInstruction,
			asks: pattern.New(`^(?:(?:in|for|during|across) (?:all |any |every |each |our |your |the |` +
				`my )*(?:coming|` +
				`future|later|next|subsequent|upcoming|following|other) (?:sessions?|chats?|conversations?|` +
				`runs?|tasks?|` +
				`prompts?|work)|(?:when|whenever|once|the next time) (?:you|we)(?:'re| are)?(?: next)? ` +
				`(?:work|come|return|start|open|continue|pick|resume|touch|deal)\w*\b[^,:]{0,50}\b(?:again|` +
				`another time|next time|in (?:the )?future|later on|` +
				`a new session)\b[^,:]{0,20})\s*[,:]\s*(?:please\s+)?` +
				`(?P<text>\S+\s+\S.*)$`),
		},
	}
	keptChinese = []directive{
		{
			strong: true, refuse: passing,
			asks: pattern.New(`^(?:你)?(?:要|得|给我|給我|先)?(?:记|記)(?:着|著|牢|好)(?:了|哦|啊)?\s*[:：,，]\s*(?P<text>\S.*)$`),
		},
		{
			kind: Feedback, refuse: passing,
			asks: pattern.New(`^(?:今后|今後|以后|以後|往后|往後|从此|從此)(?P<text>(?:所有|每个|每個|每次|凡是|任何|新)[^，。]{1,20}` +
				`(?:都|一律|必须|必須|要|不要|不得).+)$`),
		},
		{
			strong: true, refuse: passing,
			asks: pattern.New(`^(?:(?:把|将|將)(?:这|這|以下|下面)?(?:个|個|点|點|条|條|些|件事|句话|句話)?)?` +
				`(?:帮我|幫我)?(?:写|寫|记|記|加|放|存|收|录|錄|保存|儲存|记录|記錄|添加|补充|補充)(?:进|進|到|入|在|至)` +
				`(?:你|我们|我們|项目|專案|团队|團隊|长期|長期|的)*(?:记忆|記憶|笔记|筆記|备忘录|備忘錄|知识库|知識庫|记事本|記事本|便签)` +
				`(?:本|库|庫)?(?:里面|裡面|里|裡|中)?(?:去)?\s*[:：,，]\s*(?P<text>\S.*)$`),
		},
	}
	keptJapanese = []directive{
		{
			kind: Feedback,
			asks: pattern.New(`^(?:以後|以降|これ以降|次から|次回から|今度から)は?、?\s*(?P<text>\S.{3,}(?:してください|して下さい|ないでください|` +
				`ないで下さい|すること|しないこと|お願いします|ようにして(?:ください)?))[。.!！]*$`),
		},
		announced(`これ|以下|次のこと|この(?:点|件)`, `覚え|忘れ|記憶|メモ|留意`),
		{
			strong: true, refuse: passing,
			asks: pattern.New(`^(?:(?:これ|以下|次)(?:のこと)?[をは])?(?:あなたの|プロジェクトの)?(?:メモリ|メモリー|記憶|ノート|メモ|` +
				`ナレッジ(?:ベース)?)(?:に|へ)(?:入れ|保存し|追加し|書い|残し|記録し|書き込ん|加え|とどめ|留め)[てで](?:おい)?て?` +
				`(?:ください|下さい|くれ|ほしい|ね)?\s*[:：、。]\s*(?P<text>\S.*)$`),
		},
		{
			strong: true, refuse: passing,
			asks: pattern.New(`^(?P<text>\S.{4,}?)(?:という)?(?:こと|点|の|と)を?、?(?:あなたの|プロジェクトの)?(?:メモリ|メモリー|記憶|` +
				`ノート|メモ|ナレッジ(?:ベース)?)(?:に|へ)(?:入れ|保存し|追加し|書い|残し|記録し|書き込ん|加え|とどめ|留め)[てで]` +
				`(?:おい)?て?(?:ください|下さい|くれ|ほしい(?:です)?|ね)?[。.!！]*$`),
		},
	}
	keptKorean = []directive{
		announced(`이건|이것은|이걸|이거|다음(?:을|은)|아래(?:를|는)`, `기억|잊|명심|메모|기록`),
		{
			kind: Feedback,
			asks: pattern.New(`^(?:다음부터|다음번부터|이제부터|이후로|향후)(?:는|에는)?,?\s*(?P<text>\S.{2,}(?:줘요?|주세요|하세요|해라|말아\S*|` +
				`마세요|하지 마|합시다|하자))[.!]*$`),
		},
		{
			strong: true, refuse: passing,
			asks: pattern.New(`^(?:(?:이걸|이것을|이거|다음을|아래를)\s*)?(?:네 |너의 |프로젝트 )?(?:메모리|기억|노트|메모|지식 ?베이스)` +
				`(?:에|로|장에)\s*(?:저장|추가|기록|남겨|적어|넣어|써)\S*(?:\s*(?:줘|두세요|둬|주세요|놔))?\s*[:,：]\s*(?P<text>\S.*)$`),
		},
		{
			strong: true, refuse: passing,
			asks: pattern.New(`^(?P<text>\S.{4,}?)(?:다|라)?는\s*(?:것|걸|점|사실|내용)을?\s*(?:네 |프로젝트 )?(?:메모리|기억|노트|메모|` +
				`지식 ?베이스)(?:에|로|장에)\s*(?:저장|추가|기록|남겨|적어|넣어|써)\S*(?:\s*(?:줘|두세요|둬|주세요|놔))?[.!]*$`),
		},
	}
	keptGerman = []directive{
		announced(`das|dies|folgendes|bitte|für (?:alle|die)|unbedingt|eine (?:notiz|regel)`,
			`merken|gemerkt|notieren|festhalten|behalten|vermerken|sitzung\w*|session\w*|dauerhaft`),
		{
			strong: true, refuse: passing,
			asks: pattern.New(`^(?:leg|mach|schreib|erstell)\w*(?: dir| euch)?(?: bitte)? (?:eine|'ne|` +
				`ne) (?:\p{L}+ )?` +
				`(?:notiz|regel|merkhilfe)(?: an| auf| dazu| daraus)?,?\s+dass\s+(?P<clause>\S.*)$`),
		},
		putInto(`nimm|nehmt|schreib\w*|trag\w*|pack\w*|setz\w*|füge?|leg\w*|speicher\w*|übernimm|notier\w*|halte?|`+
			`vermerk\w*|ergänz\w*|hinterleg\w*|bewahr\w*|merk\w*`,
			`(?:in|zu|auf|für) (?:(?:dein|das|die|den|dem|der|unser|mein)\w* )?(?:notiz\w*|gedächtnis\w*|merkzettel|`+
				`merkliste|wissensspeicher|wissensdatenbank|memory|kopf|hinterkopf|später|nächstes mal|`+
				`(?:alle )?(?:spätere|kommende|künftige|weitere)n? (?:sitzung|session)\w*)`, `dass\s`),
		{
			kind: Feedback, refuse: passing,
			asks: pattern.New(`^(?:in (?:allen )?(?:kommenden|künftigen|späteren|weiteren|nächsten) (?:sitzung|` +
				`session|` +
				`gespräch|chat|aufgabe)\w*|(?:wenn|sobald) (?:du|wir) [^,]{0,50}\b(?:wieder|das nächste mal|` +
				`erneut)\b` +
				`[^,]{0,30}\b(?:arbeite\w*|zurückkomm\w*|weitermach\w*|öffne\w*|anfäng\w*|` +
				`fortsetz\w*))\s*[,:]?\s+(?P<text>\S+\s+\S.*)$`),
		},
	}
	keptFrench = []directive{
		announced(`pour (?:les|la|toutes|tes|nos)|ceci|cela|à`, `sessions?|fois|suite|retenir|garder|mémoire`),
		{
			strong: true, refuse: passing,
			asks: pattern.New(`^(?:(?:je (?:veux|voudrais|souhaite) que tu )?(?:sache[sz]?|retien(?:s|nes|ne)|` +
				`retenez|` +
				`te souviennes|te rappelles|gardes?|notes?))(?:\s+[^\s,;:]+){0,5}?,?\s+qu(?:e\s+|')(?P<text>\S.*)$`),
		},
		putInto(
			`ajoute[rz]?|mets|mettez|note[rz]?|inscri[st]|inscrivez|écri[st]|écrivez|consigne[rz]?|garde[rz]?|`+
				`enregistre[rz]?|sauvegarde[rz]?|conserve[rz]?|range[rz]?|stocke[rz]?`,
			`(?:à|dans|en|sur|pour) (?:(?:tes|vos|les|nos|ta|ton|votre|la|le|l'|mes) ?)?(?:notes?|mémoire|carnet|`+
				`aide-mémoire|base de connaissances|prochaines? (?:fois|sessions?)|sessions? (?:suivantes?|`+
				`à venir)|plus tard|`+
				`l'avenir|tête)`, `qu(?:e\s|')`),
	}
	keptSpanish = []directive{
		announced(`para (?:las?|los|el|todas)? ?(?:futur|próxim|siguiente|sesi)\p{L}*|esto|lo siguiente|`+
			`que (?:no|sepas)`,
			`sesi\p{L}+|futur\p{L}+|próxim\p{L}+|recuerd\p{L}+|olvid\p{L}+|memoria|sepas`),
		{
			strong: true, refuse: passing,
			asks: pattern.New(`^(?:quiero|necesito|quisiera|me gustaría|espero) que (?:te |lo )?(?:recuerdes|` +
				`acuerdes|` +
				`anotes|apuntes|sepas|tengas|guardes|memorices|` +
				`retengas)(?:\s+[^\s,;:]+){0,4}?\s+(?:de\s+)?que\s+(?P<text>\S.*)$`),
		},
		putInto(
			`añad[ae]|agreg[ae]|pon|ponga|guard[ae]|anot[ae]|apunt[ae]|escrib[ae]|registr[ae]|incluy[ae]|`+
				`met[ae]|grab[ae]|`+
				`conserv[ae]|ten|tenga|recuerd[ae]|almacen[ae]`,
			`(?:en|a|para|de cara a) (?:(?:tus?|las?|los|mis?|nuestras?|el|tu propia) )?(?:notas?|memoria|apuntes|`+
				`base de conocimiento|próximas? (?:vez|sesi\w+|veces)|futur[oa]s?(?: sesi\w+)?|más (?:tarde|`+
				`adelante)|cuenta)`+
				`(?: (?:para|de cara a) (?:el futuro|más adelante|la próxima(?: vez)?|(?:las )?próximas sesiones))?`,
			`que\s`),
	}
	keptPortuguese = []directive{
		announced(`para (?:as?|os|o|todas)? ?(?:futur|próxim|seguinte|sess)\p{L}*|isto|isso|o seguinte|`+
			`que (?:não|saibas)`,
			`sess\p{L}+|futur\p{L}+|próxim\p{L}+|lembr\p{L}+|esque\p{L}+|memória|saib\p{L}+`),
		{
			strong: true, refuse: passing,
			asks: pattern.New(`^(?:quero|preciso|gostaria|espero) (?:de )?que (?:te |se |` +
				`você (?:se )?)?(?:lembres?|recordes?|` +
				`anotes?|saibas?|tenhas?|guardes?|` +
				`memorizes?)(?:\s+[^\s,;:]+){0,4}?\s+(?:de\s+)?que\s+(?P<text>\S.*)$`),
		},
		putInto(
			`adicion[ae]|põe|ponha|coloca|coloque|guard[ae]|anot[ae]|escrev[ae]|registr?[ae]|salv[ae]|grav[ae]|`+
				`inclu[ia]|`+
				`acrescent[ae]|bota|bote|mant[ée]m|mantenha|tem|tenha`,
			`(?:em|na|no|nas|nos|à|às|ao|aos|para|pra|a) (?:(?:tuas?|suas?|minhas?|nossas?|as?|os?) )?(?:notas?|`+
				`memória|`+
				`anotações|apontamentos|base de conhecimento|próximas? (?:vez|sess\w+|vezes)|`+
				`futur[oa]s?(?: sess\w+)?|`+
				`mais tarde|depois|mente|conta)(?: (?:para|pra) (?:o futuro|depois|a próxima(?: vez)?))?`, `que\s`),
	}
	keptRussian = []directive{
		announced(`на|для|это`, `будущ\p{L}+|следующ\p{L}+|сесси\p{L}+|запомн\p{L}+|памят\p{L}+`),
		{
			kind: Feedback, refuse: passing,
			asks: pattern.New(`^(?:впредь|отныне|с этого момента|в дальнейшем|` +
				`в будущем),?\s+(?P<text>(?:всегда |никогда |не )?` +
				`\p{L}+(?:й|йте|и|ите|ь|ьте|ть)\b.*)$`),
		},
		putInto(
			`сохрани(?:те)?|запиши(?:те)?|добавь(?:те)?|занеси(?:те)?|внеси(?:те)?|положи(?:те)?|зафиксируй(?:те)?|`+
				`отметь(?:те)?|держи(?:те)?|имей(?:те)?|оставь(?:те)?`,
			`(?:в|к|на|для) (?:(?:свою|свои|своих|своей|твою|нашу|наши|себе) )?(?:память|памяти|заметки|`+
				`заметках|заметкам|`+
				`базу знаний|уме|виду|будущее|будущего|следующ\S+ (?:раз|сесси\S+))(?: на будущее)?`, `что\s`),
	}
)
