package request

import "github.com/wm-lsp/wm-lsp/extract/pattern"

// Requests to remember that say what they are for: the head of a sentence names a later time, or
// that something must not be forgotten, and what to remember follows a colon or dash, as in
// "so we don't trip over this again: …". Each language has the beginnings of such heads and the
// words for what they are for.

// announced returns a directive for heads that begin with one of the first words and have one of the others. It is one
// expression, as entitled and putInto are, so that the compiler makes the tables and the start of a process does not.
func announced(begins, purposes string) directive {
	return directive{strong: true, announces: true, refuse: passing, asks: pattern.New(
		`^(?:`, begins, `)[^:：?？]{0,70}?(?:`, purposes, `)[^:：?？—–]{0,40}?`, open)}
}

// announcedFor returns a directive for heads that begin with one of the words.
func announcedFor(purposes string) directive {
	return directive{strong: true, announces: true, refuse: passing, asks: pattern.New(
		`^(?:`, purposes, `)[^:：?？—–]{0,40}?`, open)}
}

// entitled returns a directive for messages with a title that names a lasting kind of statement.
func entitled(titles string) directive {
	return directive{strong: true, announces: true, refuse: passing, asks: pattern.New(`^(?:`, titles, `)\s*`, open)}
}

var (
	announcedEnglish = []directive{
		{
			strong: true, refuse: passingEnglish,
			asks: pattern.New(`^(?:just )?so (?:that )?(?:nobody|no ?one|everyone|everybody|(?:we|you|`+
				`i)(?: all)? (?:know|don't|won't|`+
				`never|can't|remember))\b[^:,]{0,60}`, open),
		},
		{
			kind: Feedback,
			asks: pattern.New(`^(?:in (?:the )?future|going forward|moving forward|` +
				`next time)[,:]?\s+(?P<text>i(?:'d| would)? ` +
				`(?:(?:really|much) )?(?:like|love|prefer|want|expect|need|rather)\b.*)$`),
		},
		{
			kind: Feedback, refuse: notRule,
			asks: pattern.New(`^(?P<text>\S.{8,}?)[,;.]? (?:because |since |as )?(?:that'?s|that is|` +
				`this is) (?:how|the way|what) we ` +
				`(?:always |usually )?(?:do|like|handle|write|name|use)\b[^.]*[.!]*$`),
		},
		announcedFor(`for (?:the )?(?:next time|next (?:session|person|agent)|future|later|posterity)\b|` +
			`(?:the )?next time (?:you|we|some\w+|any\w+)\b`),
		announced(
			`(?:(?:that|we|you|i|they|nobody|no ?one|the next (?:one|person|agent|session|dev\w*))\s+(?:do(?:n'?t|`+
				` not)|`+
				`wo(?:n'?t| not)|never|can(?:not|'t)?|knows?|has|have|will))\b|`+
				`lest\b|before (?:i|we)\b|in case (?:you|we|i|some\w+)\b|so (?:as )?not to\b|to (?:save|spare|`+
				`avoid)\b|`+
				`for (?:whoever|anyone|agents?)\b`,
			`again|forget|forgotten|lost|next time|later|future|remember\w*|posterity|after (?:me|us|you)|`+
				`surprised|bitten|confused|know`,
		),
		announced(
			`(?:one|some|another|an?)(?: \w+)? (?:thing|gotcha|lesson|rule|convention|note|fact|caveat|`+
				`pitfall|reminder)s?\b|heads[- ]up\b|good\b|useful\b|important\b`,
			`next time|later|future|remember\w*|posterity|hang on to|hold on to|keep in mind|bear in mind|to know|`+
				`to note|from (?:me|my side|us)|forget`,
		),
		entitled(`(?:(?:a|one|another|the|our|my)\s+)?(?:(?:project|team|house|repo|general|standing|coding|` +
			`important)\s+)?` +
			`(?:gotchas?|lessons? learned|rule of thumb|rule|convention|ground rule|pitfall|caveat)(?:\s+(?:here|` +
			`for (?:you|us|all of us|this (?:repo|project|codebase))|in this (?:repo|project|codebase)))?`),
		{
			strong: true, refuse: passing,
			asks: pattern.New(`^(?:(?:it|that|this)(?:'s| is| should be| ought to be)? )?(?:worth|good|important|`+
				`best) `+
				`(?:to )?(?:remember|note|record|document|know|keep|writ|not)\w*(?: (?:down|`+
				`in mind))?(?: somewhere)?`, open),
		},
	}
	announcedChinese = []directive{
		{
			strong: true, refuse: passing,
			asks: pattern.New(`^(?P<text>把[^，。:：]{1,30}(?:写|寫|记|記|加|放)(?:进|進|到|入|在)\s*(?:README|CLAUDE\.md|` +
				`AGENTS\.md|文档|文檔|` +
				`说明|說明|规范|規範)(?:里|裡|中)?\s*[:：,，]\s*\S.*)$`),
		},
		{
			kind: Feedback,
			asks: pattern.New(`^(?P<text>(?:我|我们|我們)(?:希望|想要|要求)[^，。]{1,20}(?:都|一律|总是|總是|始终|始終|统一|統一|不要).+)$`),
		},
		announced(
			`为了|為了|免得|以免|省得|避免|防止|趁`,
			`忘|以后|以後|将来|將來|下次|今后|今後|往后|往後|再(?:踩|犯|出|走|遇)|查阅|查閱|备查|備查`,
		),
		announcedFor(`(?:给|給|供|留给|留給)?(?:以后|以後|将来|將來|下次|今后|今後|后面|後面|后续|後續)(?:的)?(?:会话|會話|` +
			`自己|人|同事|代理|备查|備查|参考|參考|用)`),
		entitled(`(?:记|記)(?:好|住|牢|着|著|下来?|下來|一下|得)?(?:了|啦|哦|喔|哈|噢)?|(?:经验|經驗)?(?:教训|教訓)|` +
			`(?:项目|專案|團隊|团队)?(?:约定|約定|规矩|規矩|惯例|慣例)|踩坑(?:记录|記錄)?|备查|備查|留个底|留個底`),
	}
	announcedJapanese = []directive{
		{asks: pattern.New(`^(?:今後|これから|次から)も?(?:ずっと|必ず|同様に?|同じ(?:ように?)?|そう|その(?:ように|通り))(?:です|で|して)?` +
			`(?:お願い(?:します|いたします)?|ください)?[。.!！]*$`)},
		announcedFor(`忘れ(?:ない(?:よう|うち)に?|る前に|ぬよう)|(?:次回?|後|将来|今後|あと)(?:の(?:人|担当|セッション|自分))?の(?:ため|参考|` +
			`備え)(?:まで)?に?|同じ(?:失敗|ミス|問題)を(?:繰り返|し)(?:さ)?ない(?:ため|よう)に?`),
		entitled(`教訓|(?:プロジェクト|チーム|この(?:リポジトリ|プロジェクト))?の?(?:ルール|決まり|お約束|約束事|規約)|覚え書き|申し送り|引き継ぎ(?:事項)?`),
	}
	announcedKorean = []directive{
		announcedFor(`(?:잊|까먹)(?:지 ?않(?:도록|게|으려면)|기 ?전에|을까 ?봐)|(?:나중|다음|향후|앞으로|이후)(?:에|을|를|의|번|` +
			`번을)?(?: \S+)? ?(?:위해서?|` +
			`위한|대비|참고)|같은 (?:실수|문제)(?:를)? (?:반복|되풀이)하지 ?않(?:도록|게)`),
		entitled(`교훈|(?:프로젝트|팀|저장소)? ?(?:규칙|약속|관례|컨벤션)|참고 ?사항|알아 ?둘 ?점`),
		{strong: true, refuse: passing, asks: pattern.New(`^(?:꼭\s*|잘\s*)?`, keepKo, end)},
	}
	announcedGerman = []directive{
		{
			kind: Feedback, refuse: passing,
			asks: pattern.New(`^(?P<text>(?:vor|nach|bei|in) (?:jede[mrns]|allen) \S.*(?:\bbitte\b.*|\p{L}(?:en|` +
				`ern|eln)[.!]*))$`),
		},
		{
			strong: true, kind: Feedback,
			asks: pattern.New(`^(?:denk\w*|acht\w*)(?: (?:bitte|auch))* (?:immer|stets|künftig|zukünftig|` +
				`in zukunft|ab (?:jetzt|sofort)) ` +
				`(?:auch )?(?:dran|daran|darauf),?\s+(?P<text>\S.*(?:\bzu \p{L}+n|\p{L}zu\p{L}+n)[.!]?)$`),
		},
		{
			strong: true, refuse: passing,
			asks: pattern.New(`^(?:das|dies|folgendes|eins|eines) (?:solltest|musst|kannst|`+
				`darfst) du (?:dir )?(?:bitte )?(?:nicht |nie )?`+
				`(?:merken|wissen|vergessen|(?:im (?:kopf|hinterkopf) )?behalten)`, open),
		},
		{
			kind: Feedback,
			asks: pattern.New(`^(?P<text>\S.{8,}?)[,;.]? (?:denn )?so (?:machen|schreiben|handhaben|` +
				`halten) wir (?:das|es)\b[^.]*[.!]*$`),
		},
		announced(
			`damit|für|fürs|bevor|nicht,? dass|(?:eine|noch eine) sache|eins|noch (?:was|eins|etwas)|wichtig|zur|`+
				`gut zu|`+
				`nur (?:damit|dass)|falls|um`,
			`verloren|vergess\w*|vergiss\w*|nicht (?:wieder|noch ?mal|noch einmal)|später\w*|nächste[sn]? mal|zukunft|`+
				`künftig\w*|erinnerung|wissen|weiß|merken|untergeh\w*|unter geht|hängen bleibt`,
		),
		entitled(`(?:unsere? |eine )?(?:merkregel|faustregel|regel|hausregel|konvention|vereinbarung|stolperfalle|` +
			`stolperstein|` +
			`lessons? learned|gelernt)(?: hier| bei uns| in diesem (?:repo|projekt))?`),
		{
			strong: true, refuse: passing,
			asks: pattern.New(`^(?:(?:schreib|merk|präg)\w*(?: bitte)? (?:dir|euch)|vermerk\w*|trag\w*|` +
				`hinterleg\w*|ergänz\w*|nimm|behalt\w*|` +
				`speicher\w*|notier\w*|man (?:sollte|muss) (?:wissen|sich merken)|(?:du )?(?:solltest|` +
				`musst) (?:wissen|dir merken)|` +
				`es ist (?:gut|wichtig) zu wissen)(?:\s+[^\s,;:]+){0,7}?,?\s+dass\s+(?P<clause>\S.*)$`),
		},
		{
			strong: true, refuse: passing,
			asks: pattern.New(`^(?:schreib\w*|präg\w*|vermerk\w*|hinterleg\w*|behalt\w*) (?:dir|euch|das|dies|es|`+
				`bitte)`+
				`(?:\s+[^\s,;:]+){0,5}?`, open),
		},
	}
	announcedFrench = []directive{
		{
			kind: Feedback, refuse: passing,
			asks: pattern.New(`^(?P<text>(?:avant|après|à|pour|dans) chaque \S+[^,]{0,40},? (?:\p{L}+(?:er|ir|re|` +
				`ez)|lance|fais|vérifie|` +
				`teste|utilise|mets|demande|il faut)\b.*)$`),
		},
		{
			strong: true, refuse: passing,
			asks: pattern.New(`^pour (?:que tu (?:le )?saches|info|ta gouverne)[^,:]{0,30}(?:prochaine|suite|` +
				`avenir|plus tard)[^,:]{0,12}[,:]\s*(?P<text>\S.*)$`),
		},
		announced(
			`pour|afin|(?:encore )?une chose|un (?:truc|point|piège)|à|histoire|avant (?:que|d')|si jamais|`+
				`(?:petit )?rappel|`+
				`au cas|`+
				`qu'on|bon à|important`,
			`oubli\w*|reteni[re]|perd\w*|souveni\w*|prochaine fois|plus tard|avenir|suite|savoir|mémoire|noter|`+
				`refai\w*|retomb\w*|reproduis\w*`,
		),
		entitled(`(?:notre |une )?(?:règle(?: d'or)?|convention|leçon(?: apprise| retenue)?|piège)(?: ici| chez nous|` +
			` (?:du|dans ce) (?:projet|dépôt))?`),
		{
			strong: true, refuse: passing,
			asks: pattern.New(`^(?:(?:il (?:faut|faudra|faudrait)|on (?:doit|devrait|peut)|tu (?:dois|devrais)|` +
				`pense[rz]? à|` +
				`veille[rz]? à|n'oublie[rz]? pas de)\s+)?(?:bien\s+)?(?:noter|retenir|se (?:souvenir|rappeler)|` +
				`te (?:souvenir|` +
				`rappeler)|documenter|consigner|inscrire|mentionner|préciser|savoir|garder (?:en tête|en mémoire|` +
				`à l'esprit))` +
				`(?:\s+[^\s,;:]+){0,5}?\s+qu(?:e\s+|')(?P<text>\S.*)$`),
		},
	}
	announcedSpanish = []directive{
		{
			kind: Feedback, refuse: passing,
			asks: pattern.New(`^(?P<text>(?:antes de|después de|en|para|tras) cada \S+[^,]{0,40},? (?:ejecuta|` +
				`corre|haz|revisa|prueba|usa|pon|pregunta|hay que|\p{L}+(?:ar|er|ir))\b.*)$`),
		},
		{
			strong: true, refuse: passing,
			asks: pattern.New(`^(?:pon|ponga|añade|agrega|menciona|mencione|incluye) (?:en|a|al) `+
				notesFile, `\s+que\s+(?P<text>\S.*)$`),
		},
		{
			strong: true, refuse: passing,
			asks: pattern.New(`^(?:sólo |solo )?para que (?:lo )?sepas[^,:]{0,30}(?:próxima|futuro|adelante|` +
				`después)[^,:]{0,12}[,:]\s*(?P<text>\S.*)$`),
		},
		announced(
			`para|una cosa|un (?:detalle|dato)|por si|antes|que (?:no )?(?:se|te|nos|quede|conste|sepas)|ojo|bueno|`+
				`importante|a tener`,
			`olvid\w*|recordar|pierd[ae]|perder|próxima|futuro|adelante|después|luego|más tarde|memoria|saber|conste|`+
				`registrad[oa]|anotad[oa]|claro|cuenta|presente|repetir|volver a|sepas`,
		),
		entitled(`(?:nuestra |una )?(?:regla(?: de oro)?|convención|norma|lección(?: aprendida)?)(?: aquí|` +
			` (?:del|de este|en este) (?:proyecto|repo\w*))?`),
		{
			strong: true, refuse: passing,
			asks: pattern.New(`^(?:(?:hay que|habría que|conviene|convendría|debes|deberías|tienes que|` +
				`es (?:importante|bueno)|` +
				`vale la pena)\s+)?(?:no (?:te |se )?(?:vay\w+ a )?olvid\w+|recordar|anotar|apuntar|documentar|` +
				`registrar|saber|` +
				`tener (?:en cuenta|presente)|que (?:no se (?:te|nos) olvide|conste|quede claro|sepas)|` +
				`deja\w* (?:claro|` +
				`constancia|anotado|escrito))(?:\s+[^\s,;:]+){0,4}?\s+(?:de\s+)?que\s+(?P<text>\S.*)$`),
		},
	}
	announcedPortuguese = []directive{
		{
			kind: Feedback, refuse: passing,
			asks: pattern.New(`^(?P<text>(?:antes de|depois de|em|para|após) cada \S+[^,]{0,40},? (?:execute|rode|` +
				`faça|revise|teste|use|coloque|pergunte|\p{L}+(?:ar|er|ir))\b.*)$`),
		},
		{
			strong: true, refuse: passing,
			asks: pattern.New(`^(?:coloc\w+|põe|ponha|bot[ae]|adicion[ae]|menciona|mencione|inclu[ia]) (?:em|no|`+
				`na|nos|nas|ao|à) `+
				notesFile, `\s+que\s+(?P<text>\S.*)$`),
		},
		{
			strong: true, refuse: passing,
			asks: pattern.New(`^(?:só )?(?:para|pra) (?:você|tu|vc) (?:saber|saberes|` +
				`ficar sabendo)[^,:]{0,30}(?:próxima|futuro|frente|depois)[^,:]{0,12}[,:]\s*(?P<text>\S.*)$`),
		},
		announced(
			`para|pra|(?:mais )?uma coisa|um detalhe|caso|antes|fica|que fique|só (?:para|pra)|bom|importante|atenção`,
			`esque[cç]\w*|lembr\w*|perd\w*|perca|próxima|futuro|frente|depois|mais tarde|memória|saber|registrad[oa]|`+
				`anotad[oa]|claro|dica|repetir|de novo`,
		),
		entitled(`(?:nossa |uma )?(?:regra(?: de ouro)?|convenção|norma|lição(?: aprendida)?)(?: aqui|` +
			` (?:do|deste|neste) (?:projeto|repo\w*))?`),
		{
			strong: true, refuse: passing,
			asks: pattern.New(`^(?:guard[ae]|anot[ae]|salv[ae]|registr[ae]|grav[ae])(?: aí| bem)? (?:(?:ess[ea]|`+
				`est[ea]|a seguinte) `+
				`(?:informação|info|dica|regra|detalhe|ponto|coisa)|aí)`, open),
		},
		{
			strong: true, refuse: passing,
			asks: pattern.New(`^(?:(?:é (?:bom|importante)|vale|tem que|precisa|convém|você (?:deve|precisa))\s+)?` +
				`(?:não (?:se |te )?(?:vá |vai )?esque[cç]\w+|lembrar|anotar|registrar|documentar|saber|` +
				`ter em (?:mente|conta)|` +
				`que fique claro|deix[ae]r? (?:claro|registrad[oa]|anotad[oa]|escrit[oa])|` +
				`fica\w* (?:registrad[oa]|anotad[oa]))` +
				`(?:\s+[^\s,;:]+){0,4}?\s+(?:de\s+)?que\s+(?P<text>\S.*)$`),
		},
		{
			strong: true, refuse: passing,
			asks: pattern.New(`^(?:não (?:se |te )?(?:vá |vai )?esque[cç]\w+|deix[ae]r? (?:claro|registrad[oa]|`+
				`anotad[oa]))`+
				`(?: (?:disso|disto|isso|isto|aí))?`, open),
		},
	}
)
