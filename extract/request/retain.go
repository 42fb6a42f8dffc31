package request

import "github.com/wm-lsp/wm-lsp/extract/pattern"

// Other ways to ask that something be kept in mind: images for it ("hold on to", "präg dir ein"), what
// one should do with it, what it is good for, and habits.

// upcoming is what something is to be known for.
const upcoming = `(?:(?:all|any|the|your|our|every) )?(?:future|later|upcoming|next|` +
	`coming|further|subsequent)\b[^,:]{0,24}?`

// clause is what is to be remembered, behind "that" or a colon.
const clause = `(?:,?\s+that,?\s+(?P<text>\S.*)$|` + open + `)`

var (
	retainedEnglish = []directive{
		{
			strong: true,
			asks: pattern.New(
				`^(?:(?:hold|hang|cling) on ?to|don'?t (?:ever )?lose|make room for)\s+`+
					`(?:this|that|the following|it|one thing|the fact|this fact)(?: (?:fact|rule|detail|one|thought))?`,
				whatFor, clause,
			),
		},
		{
			strong: true,
			asks: pattern.New(
				`^(?:don'?t|do not|never) let (?:this|that|it|me|yourself|the following) (?:ever )?(?:slip(?: away)?`+
					`(?: (?:your|my|our|from (?:your|my)) minds?)?|get lost|fall through the cracks|forget)`,
				whatFor, clause,
			),
		},
		{
			strong: true,
			asks: pattern.New(
				`^(?:save|store|record|keep|note|log|treat|take|file) (?:this|that|it|the following) (?:away )?`+
					`(?:as|under) (?:a |an |our |the )?(?:\w+ )?(?:fact|rule|decision|preference|convention|memory|`+
					`given|reminder|policy)`,
				whatFor, clause,
			),
		},
		{
			strong: true,
			asks: pattern.New(
				`^(?:(?:this|that|it|here|what follows)(?:'s| is)?|one thing(?: that is)?) (?:also |really |very )?`+
					`(?:important|relevant|useful|helpful|good|worth knowing|valid|`+
					`true|needed)(?: to know)? (?:for|in) `,
				upcoming, clause,
			),
		},
		{
			strong: true,
			asks: pattern.New(
				`^(?:you(?:'d| should| need to| ought to| have to|`+
					` will want to)?(?: better)? know|be (?:aware|advised)|`+
					`for your information)(?:,? (?:for|in)(?: your)? `, upcoming, `)`, clause,
			),
		},
		{
			strong: true,
			asks: pattern.New(
				`^(?:(?:a |the |my |our )?(?:lesson|takeaway|house rule|ground rule|`+
					`standing (?:rule|order|instruction))`+
					`(?:s)?(?: learn(?:ed|t))?)(?: (?:for|from) [^:,]{2,30})?`, open,
			),
		},
		{
			kind: Feedback,
			asks: pattern.New(
				`^(?:make (?:it|that|this) (?:a|your|our) (?:habit|rule|point|practice|policy|custom)(?: to| of)|` +
					`(?:try to )?get (?:used to|(?:in|into) the habit of)|` +
					`(?:try to )?(?:form|develop|keep up) (?:a|the) ` +
					`habit (?:of|to))\s+(?P<text>\S+\s+\S.*)$`,
			),
		},
		{
			refuse: reminiscent,
			asks: pattern.New(
				`^(?:keep|bear) in mind,?\s+(?P<text>(?:the|our|my|your|all|every|each|any|some|most|this|that|these|` +
					`those|both)\s+\S+(?:\s+\S+){2,})$`,
			),
		},
		{
			strong: true,
			asks: pattern.New(
				`^(?P<text>\S.{6,}?)(?:\s*[,;(]\s*|\s+[—–-]+\s+)(?:(?:so|and|but)\s+)?(?:please\s+)?`+
					`(?:keep|hold on to|hang on to|bear|retain|preserve) (?:this|that|`+
					`the) (?:fact|rule|info(?:rmation)?|`+
					`detail|knowledge|piece of information)(?: (?:around|in mind|handy|on record|somewhere|safe))?`,
				whatFor, end,
			),
			refuse: reported,
		},
	}
	retainedGerman = []directive{
		{
			strong: true,
			asks: pattern.New(
				`^(?:präg\w* dir(?: \w+){0,3} ein|halt\w*(?: bitte| mal| dir| das| dies| folgendes| auch)* fest|`+
					`schreib\w* dir(?: bitte| mal| das| dies| folgendes)* (?:auf|hinter die ohren)|speicher\w* dir|`+
					`(?:das|dies|folgendes|eins|eines|eine sache)? ?(?:solltest|musst|`+
					`sollst|darfst|kannst) du(?: dir)?`+
					`(?: \w+){0,3}? (?:einprägen|merken|behalten|nicht vergessen|nie vergessen|notieren|aufschreiben|`+
					`wissen)|(?:das|dies) ist(?: auch)? (?:wichtig|gut zu wissen|nützlich) für (?:alle |die |jede )?`+
					`(?:zukunft|später|künftige\w*|zukünftige\w*|weitere\w*|nächste\w*)[^:,]{0,24}?)`+
					`(?: für (?:später|die zukunft|das nächste mal))?(?:,\s+dass\s+(?P<clause>\S.*)$|`, open, `)`,
			),
		},
		{
			kind: Feedback,
			asks: pattern.New(`^(?:mach\w* es dir zur (?:gewohnheit|regel)|gewöhn\w* dir(?: bitte)? an),\s+` +
				`(?P<text>\S+\s+\S.*)$`),
		},
	}
	retainedFrench = []directive{
		{
			strong: true,
			asks: pattern.New(
				`^(?:(?:prends|prenez)(?: bien)?(?: bonne)? note|grave(?:z)? (?:ça|cela|ceci)? ?dans ta mémoire|`+
					`garde(?:z)?(?: bien| ceci| cela| ça)* (?:pour (?:la suite|plus tard|l'avenir)|de côté)|`+
					`(?:tu|vous) (?:dois|devez|devrais|devriez|peux|`+
					`pouvez)(?: bien)? (?:retenir|te souvenir|savoir|garder en `+
					`tête|ne pas oublier)|ne perds pas de vue|à retenir|à savoir pour (?:la suite|plus tard|l'avenir)|`+
					`c'est (?:important|utile|bon à savoir) pour (?:la suite|plus tard|l'avenir|toute? \S+ future?))`+
					`(?: pour (?:la suite|plus tard|l'avenir|la prochaine fois))?`+
					`(?:\s+(?:du fait )?(?:que\s+|qu')(?P<text>\S.*)$|`, open, `)`,
			),
		},
		{
			kind: Feedback,
			asks: pattern.New(`^(?:prends|prenez) l'habitude (?:de |d')(?P<text>\S+\s+\S.*)$`),
		},
	}
	retainedSpanish = []directive{
		{
			strong: true,
			asks: pattern.New(
				`^(?:apúntate|anótate|grábate|guárdate|quédate con|toma(?: buena)? nota(?: de)?|tome nota(?: de)?|`+
					`que (?:no )?(?:se te|te) (?:olvide|quede (?:claro|grabado))|no pierdas de vista|`+
					`(?:debes|deberías|tienes que|has de|`+
					`conviene)(?: siempre)? (?:recordar|saber|tener (?:presente|en cuenta)|`+
					`no olvidar)|es (?:importante|útil|bueno saberlo) para (?:el futuro|`+
					`más adelante|las? próximas?\b[^,:]{0,16}))`+
					`(?:\s+(?:esto|eso|lo siguiente|bien|para (?:después|luego|`+
					`la próxima(?: vez)?|el futuro|más adelante)))*`+
					`(?:\s+(?:de\s+)?que\s+(?P<text>\S.*)$|`, open, `)`,
			),
		},
		{
			strong: true,
			asks: pattern.New(
				`^(?:ten (?:en cuenta|presente|en mente)|recuerda|anota|apunta|no olvides)` +
					`\s+para (?:después|luego|la próxima(?: vez)?|el futuro|más adelante)\s+que\s+(?P<text>\S.*)$`,
			),
		},
		{
			kind: Feedback,
			asks: pattern.New(`^(?:acostúmbrate a|toma (?:la|por) costumbre(?: de)?)\s+(?P<text>\S+\s+\S.*)$`),
		},
	}
	retainedPortuguese = []directive{
		{
			strong: true,
			asks: pattern.New(
				`^(?:tom[ae](?: boa)? nota(?: de)?|grav[ae](?: bem)?(?: isso| isto)?(?: na (?:cabeça|memória))?|`+
					`fiqu?[ae] (?:sabendo|atento)|não perc?a de vista|registr[ae](?: isso| isto)|`+
					`(?:você )?(?:deve|devia|deveria|tem que|`+
					`precisa)(?: sempre)? (?:lembrar|saber|ter em (?:mente|conta)|`+
					`não esquecer)|é (?:importante|útil|bom saber) para (?:o futuro|depois|`+
					`mais tarde|as? próximas?\b[^,:]{0,16}))`+
					`(?:\s+(?:disso|disto|isso|isto|o seguinte|bem|para (?:depois|`+
					`a próxima(?: vez)?|o futuro|mais tarde)))*`+
					`(?:\s+(?:de\s+)?que\s+(?P<text>\S.*)$|`, open, `)`,
			),
		},
		{
			kind: Feedback,
			asks: pattern.New(`^(?:acostume-se a|crie o hábito de|tome o hábito de)\s+(?P<text>\S+\s+\S.*)$`),
		},
	}
	retainedChinese = []directive{
		{
			strong: true,
			asks: pattern.New(
				`^(?:把|将|將)(?:这|這|以下|下面|如下)(?:个|個|点|點|条|條|件事|些|一点|一點|的)*(?:规则|規則|内容|內容|事情|信息|資訊|约定|約定)?` +
					`(?:给我|給我)?(?:记下来|記下來|记下|記下|记住|記住|记好|記好|记一下|記一下|存下来|存下來|写进记忆|寫進記憶|放在心上)(?:吧|哦|喔)?` +
					`\s*(?P<open>[:：,，])\s*(?P<text>.*)$`,
			),
		},
		{
			strong: true,
			asks: pattern.New(
				`^(?:(?:这|這)(?:个|個|点|點|一点|一點|件事)?)?(?:对|對)(?:以后|以後|今后|今後|后面|後面|后续|後續)(?:的工作|的任务|的任務)?(?:很|都|非常|也)?` +
					`(?:重要|有用)\s*[:：,，]\s*(?P<text>\S.*)$`,
			),
		},
		{
			kind: Feedback,
			asks: pattern.New(`^(?:养成|養成)(?P<text>\S{3,}?)的(?:习惯|習慣)[。.!！]*$`),
		},
	}
)
