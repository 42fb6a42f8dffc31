package request

import (
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// The wordings of what users say that directs the work, in eight languages.

// tongues is one rule in several languages. A string without a wide character is only
// compared with the ones that use the Latin alphabet.
type tongues struct{ latin, wide *pattern.AnyOf }

func (t tongues) match(text string) bool {
	return t.latin.Match(text) || strings.ContainsFunc(text, isWide) && t.wide.Match(text)
}

func isWide(r rune) bool { return isCJK(string(r)) }

var (
	// corrects matches corrections of what was done, said or assumed.
	corrects = tongues{
		latin: pattern.Any(
			`^(?:no|nope|nah)\b[,.!\s]+\S+ \S`,
			`\bi (?:did ?n'?o?t|never) (?:say|ask|want|mean|tell|agree)\b`,
			`\b(?:that'?s|that is|this is|it'?s|you'?re|you are) (?:wrong|incorrect|not (?:right|what|correct|`+
				`true|how|the|a|an|it)\b)`,
			`^but (?:this|that|it|we|there|the) .*\b(?:is|are|isn't|aren't|does|doesn't|has|have)\b`,
			`\bhas nothing to do with\b|\bis not (?:a|an|the same|part|needed|related|meant)\b`,
			`(?:^|[,;.:] |\b(?:and|but|please|just|so|then) )(?:don'?t|do not|dont|stop|avoid|never|no need to|`+
				`not to)\s+`+
				`(?:\w+ing\b|[a-z]{2,})\b`,
			`\b(?:no longer|not any ?more|nicht mehr|no more)\b`,
			`\b(?:change|put|set|switch|rename|move) (?:it|that|this|them) (?:back )?to \S+|\b(?:revert|undo|`+
				`roll back|take back|put back)\b.*\b(?:that|this|it|the|your|change)`,
			`^(?:nein|falsch)\b[,.!\s]+\S+ \S|\bdas (?:stimmt nicht|ist falsch)|\bich (?:habe|`+
				`hab) nicht (?:gesagt|gebeten)|`+
				`\b(?:mach|benutz|nutz|verwend|schreib|änder|lösch|nimm)\w*\b.*\b(?:nicht|keine?n?)\b|`+
				`\bnicht \w+en[.!]?$`,
			`^non\b[,.!\s]+\S+ \S|\bc'est (?:faux|incorrect)|\bce n'est pas|\bje n'ai pas (?:dit|demandé)|`+
				`(?:^|[,;] )(?:ne |n')\S+(?: \S+)? pas\b|\barrête d`,
			`^no\b[,.!\s]+\S+ \S|\b(?:eso|esto) (?:no es|está mal)|\b(?:yo )?no (?:dije|pedí)|(?:^|`+
				`[,;] )no (?:uses|hagas|cambies|toques|`+
				`borres|pongas|escribas|añadas|crees|modifiques|subas)\b|\bdeja de\b|\bya no\b`,
			`^não\b[,.!\s]+\S+ \S|\b(?:isso|isto) (?:não é|está errado)|\beu não (?:disse|pedi)|(?:^|`+
				`[,;] )não (?:use|faça|mude|mexa|`+
				`apague|coloque|escreva|adicione|crie|modifique|envie)\b|\bpare de\b|\bnão .* mais\b`,
		),
		wide: pattern.Any(
			`^(?:不对|不對|不是|错了|錯了|不，|不,|别|別|不要|不用|不需要|停止)|(?:[，。,]\s*)(?:别|別|不要|`+
				`不用)|我(?:没|沒)(?:说|說|让|讓|叫)|(?:不再|已经不|已經不)(?:使)?用|`+
				`跟.{1,20}(?:没有|沒有|无|無)关|(?:应该|應該)是.{1,30}(?:不是|而不是)`,
			`(?:違います|違う|ちがう|間違|そうではなく|そうじゃなく)|(?:しないで|やめて|使わないで|変えないで|触らないで)|(?:とは|って)言って(?:い)?ない|もう使って(?:い)?ない|不要です`,
			`^(?:아니|틀렸)|(?:하지 ?마|쓰지 ?마|바꾸지 ?마|건드리지 ?마|그만)|(?:라고|다고) (?:말|한 적) ?(?:안|없)|더 이상 (?:안|사용하지|쓰지)|말고`,
		),
	}
	// rules matches what has to be done, or not, whenever it comes up.
	rules = tongues{
		latin: pattern.Any(
			`\b(?:always|never|make sure|ensure|must(?:n't| not)?|has to|have to|only ever|whenever|by default|`+
				`at (?:most|least)|`+
				`(?:it'?s |is |would be )?better (?:not )?to|every (?:\w+ ){1,5}(?:needs?|should|must|has|gets?)|`+
				`each (?:\w+ ){1,5}(?:needs?|should|must|has|gets?)|as a rule|all (?:\w+ ){1,4}(?:should|must|`+
				`need|have to))\b`,
			`\b(?:it|we|you|this|that|they|the [\w./-]+(?: [\w./-]+)?|\w+s) should(?:n'?t| not| also| only|`+
				` always| just| rather)? \w+`,
			`\bif (?:there'?s|there is|there are|it|the|any|we|you)\b.*\b(?:should|must|then|need to|just|`+
				`always|never)\b`,
			`\b(?:immer|nie|niemals|stets|grundsätzlich|muss|müssen|darf|dürfen|sollte[n]?|achte darauf|`+
				`stell sicher|besser nicht|jede[rs]? \w+ (?:braucht|muss|soll))\b`,
			`\b(?:toujours|jamais|il faut|doit|doivent|assure-toi|veille à|mieux vaut|chaque \w+ doit|par défaut)\b`,
			`\b(?:siempre|nunca|hay que|debe|deben|debería|asegúrate|cada \w+ (?:debe|necesita)|por defecto|`+
				`mejor no)\b`,
			`\b(?:sempre|nunca|deve|devem|deveria|certifique-se|garanta|cada \w+ (?:deve|precisa)|por padrão|`+
				`melhor não)\b`,
		),
		wide: pattern.Any(
			`(?:总是|總是|始终|始終|永远|永遠|一律|必须|必須|务必|務必|确保|確保|每个|每個|每次|所有.{1,20}(?:都|要|应|應)|默认|默認|预设|預設|最好|应该|應該|不能|不得|禁止)`,
			`(?:必ず|常に|いつも|絶対|毎回|すべての|全ての|デフォルト|べき|なければならない|ようにして|してはいけない|方が(?:いい|良い)|禁止)`,
			`(?:항상|언제나|절대|반드시|매번|모든 .{1,20}(?:해야|있어야)|기본적으로|기본값|해야 (?:해|합니다|한다|돼)|하는 게 (?:좋|낫)|안 (?:돼|됩니다)|금지)`,
		),
	}
	// prefers matches what the user likes, wants and means.
	prefers = tongues{
		latin: pattern.Any(
			`\bi(?:'d| would| do)? (?:just |really |also |much |still |only |even |definitely |strongly |`+
				`don'?t |do not |rather )*`+
				`(?:prefer|rather|like|want|dislike|hate|agree|consider|choose|insist|expect)\b`,
			`\b(?:^|, )(?:don'?t|do not|wouldn'?t) want\b|\bwe (?:just |only |really |don'?t |do not )*(?:want|`+
				`need|prefer)\b`,
			`\bi (?:do ?n'?o?t|don't) (?:t?h?ink|tink|believe|see|feel) .{3,}\b(?:need|has|have|should|is|use|`+
				`any|makes?)\b`,
			`\bi no longer\b|\bhas no (?:\w+ )?(?:value|use|point|meaning)\b|\b(?:the|my) (?:idea|goal|point|`+
				`intention|intent) (?:is|was)\b`,
			`\bideally\b|\bit'?s (?:better|best|enough|fine|ok(?:ay)?) (?:to|if)\b|\bthere'?s no need\b|`+
				`\bno need (?:for|to)\b|\b(?:better|best) (?:if|when)\b`,
			`\b(?:is|are|would be) (?:better|cleaner|simpler|nicer|confusing|too \w+|overkill|good enough)\b`,
			`\bich (?:bevorzuge|möchte|will|mag|hätte|finde|würde|brauche)\b|\bmir (?:ist|wäre)\b.*\blieber\b|`+
				`\blieber\b`,
			`\bje (?:préfère|veux|voudrais|souhaite|n'aime pas|ne veux pas|préférerais)\b|\bl'idée est\b|`+
				`\bj'aime(?:rais)?\b`,
			`\b(?:prefiero|quiero|quisiera|no quiero|preferiría|no me gusta|me gusta|la idea es)\b`,
			`\b(?:prefiro|quero|gostaria|não quero|preferiria|não gosto|gosto|a ideia é)\b`,
		),
		wide: pattern.Any(
			`我(?:更|比较|比較|还是|還是)?(?:喜欢|喜歡|偏好|想要|希望|不想|不喜欢|不喜歡|倾向|傾向|同意)|我们(?:需要|不需要|想|希望)|我們(?:需要|不需要|想|希望)|(?:目的|想法)是`,
			`(?:好き|好み|嫌い|ほしい|欲しい|たい(?:です|んです|と思)|たくない|希望し|賛成|の(?:ほう|方)が)|(?:目的|意図)は`,
			`(?:좋아|싫어|선호|원해|원합니다|원하지|싶어|싶습니다|동의|바랍니다|하는 편이)|(?:목적|의도)은`,
		),
	}
	// choosing matches choices, including names and replacements.
	choosing = tongues{
		latin: pattern.Any(
			`\b(?:let'?s|lets|let us) (?:just |also |maybe |not |do |make |)*(?:use|rename|call|name|go|move|`+
				`switch|keep|`+
				`drop|remove|replace|add|put|store|save|start|stick|default|abandon|skip|leave|make|have|treat|`+
				`support|target|ignore|retain|`+
				`track|do the|focus|limit)\b`,
			`(?:^|[,;:] |\s[—–-]+ |\band )(?:use|rename|call|name|switch to|keep|retain|drop|remove|replace|put|`+
				`store|save|default to|make|leave|treat|stick|`+
				`go with|prefer|restrict|limit|include|exclude|track|align|change|turn (?:on|off)|move)\b \S+`,
			`\b(?:save|store|push|put|track|add|publish|post|record|keep)\b (?:\S+ ){1,6}(?:to|in|into|under|`+
				`on) (?:\S+ ){0,2}`+
				`(?:repo(?:sitory)?|wiki|board|project|channel|folder|branch|\w+(?:-\w+){1,4})\b`,
			`\b(?:let'?s|lets|let us) try\b|^let (?:\S+ ){1,4}?(?:show|use|be|have|return|print|do|include|handle)\b`,
			`\b(?:go|going|stick) with\b|\binstead of\b|\brather than\b|\bno need for\b|\bi (?:vote|opt) for\b`,
			`\b(?:rename[d]?|called?|named?) (?:\S+ ){0,4}(?:to|as|it)\b`,
			`\bwe (?:should|will|'ll|can|could|would|might) (?:\w+ )?(?:use|rename|call|name|move|switch|keep|`+
				`drop|remove|replace|store|save|put|start|add|get rid|include|show|print|leave|limit|reuse|`+
				`avoid|support)\b`,
			`\bwe (?:are|'re) (?:going to|eventually going to|not going to)\b|\beventually we\b`,
			`\b(?:lass uns|wir (?:nehmen|verwenden|nutzen|sollten|wollen))\b|^(?:nimm|verwende|nutze|benutze|`+
				`nenn\w*|benenn\w*|ersetze|behalte|entferne|verschieb\w*)\b`,
			`\b(?:utilisons|gardons|prenons|partons sur|on (?:utilise|garde|prend|va))\b|^(?:utilise|renomme|`+
				`appelle|garde|remplace|supprime|déplace|mets)\b`,
			`\b(?:usemos|vamos a|vamos con|quedémonos|mejor (?:usa|usar))\b|^(?:usa|renombra|llama|mantén|`+
				`reemplaza|quita|elimina|mueve|pon|deja)\b`,
			`\b(?:vamos (?:usar|com|manter|ficar)|melhor usar)\b|^(?:use|renomeie|chame|mantenha|substitua|`+
				`remova|mova|coloque|deixe)\b`,
		),
		wide: pattern.Any(
			`(?:改成|改为|改為|改名|重命名|换成|換成|改用|叫做|就用|还是用|還是用|而不是|代替|保留|去掉|删掉|刪掉|移到|用.{1,20}吧|采用|採用|选择|選擇)`,
			`(?:にして(?:ください)?|に変え(?:て|よう|ましょう)|に変更|使って|使いましょう|の代わり|ではなく|にしましょう|でいきましょう|残して|削除して|と(?:呼|名付)|採用)`,
			`(?:로 (?:바꿔|하자|합시다|변경|가자|해 ?줘|해 ?주세요)|을? 쓰자|를 쓰자|사용하자|사용해|대신|남겨|유지해|빼 ?줘|제거해|라고 (?:부르|하자))`,
		),
	}
	// asks matches requests and questions that need no question mark.
	asks = tongues{
		latin: pattern.Any(
			`^(?:do|does|did)(?:n'?t)? (?:we|you|i|it|this|that|the|there|they|any|our|these|those)\b`,
			`^(?:can|could|should|shall|would|will|may|is|are|was|were|has|have|what|how|why|when|where|which|`+
				`who)(?:n'?t)? (?:we|you|i|it|this|that|the|there|be|about|any|a|an|\w+)\b`,
			`\b(?:can|could|would) (?:we|you) `,
			`^(?:kannst|könntest|können|sollen|sollten|würdest) (?:du|wir|sie)\b`,
			`^(?:peux-tu|pourrais-tu|peut-on|pouvez-vous|pourrait-on|est-ce que)\b`,
			`^(?:¿|puedes|podrías|podemos|podríamos)\b`,
			`^(?:você )?(?:pode|poderia|podemos|poderíamos)\b`,
		),
		wide: pattern.Any(
			`(?:能不能|可不可以|可以.{1,30}吗|能.{1,30}吗|能否|可否)`,
			`(?:て(?:くれますか|もらえますか|いただけますか|もらえる)|できますか|ませんか)`,
			`(?:해 ?줄 ?수 ?있|할 ?수 ?있(?:어|나|을까)|해 ?줄래|해 ?주실)`,
		),
	}
	// wonders matches questions that want an answer and not work.
	wonders = tongues{
		latin: pattern.Any(
			`^(?:what|how|why|when|where|which|who|whose)\b(?: (?:do|does|did|is|are|was|were|should|can|could|`+
				`would|will|\w+)\b)`,
			`\bor (?:will|would|is|are|should|not|do|does|what|how)\b|\b(?:would|is|was|are|do|does)n'?t (?:it|`+
				`that|this|there)\b|`+
				`^(?:is|are|was|were|does|do|did|has|have|will) (?:it|this|that|these|they|there|a|an|our|your|`+
				`the)\b|\bwould (?:it|that|this|they)\b|^whether\b|^(?:should|shall) (?:we|i)\b`,
			`^(?:was|wie|warum|wann|wo|welche[rs]?|wer)\b`, `^(?:que|quoi|comment|pourquoi|quand|où|`+
				`quel(?:le)?s?|qui)\b`,
			`^¿?(?:qué|cómo|por qué|cuándo|dónde|cuál(?:es)?|quién)\b`, `^(?:o que|como|por que|quando|onde|`+
				`qual|quais|quem)\b`,
		),
		wide: pattern.Any(`(?:什么|什麼|为什么|為什麼|怎么|怎麼|哪|谁|誰|还是.{1,20}[?？])`, `(?:何|なぜ|`+
			`どうして|どの|どこ|いつ|誰).*(?:か|？|\?)`, `(?:무엇|뭐|왜|어떻게|언제|어디|누가|어느)`),
	}
	// proposing matches the beginnings of questions that propose something.
	proposing = pattern.New(`^(?:how|what) about\b|^why (?:not|don'?t)\b|^what if we\b|\bshouldn'?t (?:we|it|` +
		`they|this|that|the|you|\w+)\b`)
	// requested matches requests of a person that choose or rule, as "can we rename it to x".
	requested = tongues{
		latin: pattern.Any(
			`\b(?:can|could|should|shall|would|may|will) (?:we|you|i|it|this|that|the [\w.-]+|`+
				`[\w./-]+) (?:\w+ ){0,3}?(?:rename|call|name|use|switch|move|replace|remove|drop|`+
				`get rid|keep|retain|make|default|store|save|saved|stored|put|treat|support|align|include|`+
				`exclude|restrict|restructure|refactor|convert|merge(?:d)? (?:into|with)|`+
				`split|skip|avoid|stop|show|print|display|list|add|leave|limit|hide|group|sort|indicate|render|`+
				`prefill|configure|set|turn|start with|go with|stick|prefer|point|reference|have|not|only|`+
				`ensure|change|update the \w+ config)\b`,
			`\bshouldn'?t (?:we|it|they|this|that|the|you|\w+)\b`,
			`\b(?:make sure|ensure|don'?t want|do not want|so that|we (?:just )?need|no need|as that'?s|agree with)\b|`+
				`\b(?:can|could|should|shall|how about|what about|why not)\b.*\b(?:instead of|rather than)\b`,
			`\b(?:verwenden|nutzen|nehmen|umbenennen|nennen|ersetzen|entfernen|behalten|verschieben|hinzufügen|`+
				`anzeigen)\b`,
			`\b(?:utiliser|renommer|appeler|remplacer|supprimer|garder|déplacer|ajouter|afficher|éviter)\b`,
			`\b(?:usar|renombrar|llamar|reemplazar|quitar|eliminar|mantener|mover|añadir|mostrar|evitar)\b`,
			`\b(?:usar|renomear|chamar|substituir|remover|manter|mover|adicionar|mostrar|evitar)\b`,
		),
		wide: pattern.Any(
			`(?:改成|改为|改為|改名|重命名|换成|換成|改用|保留|去掉|删掉|刪掉|移到|加上|添加|显示|顯示|使用|避免|支持)`,
			`(?:に変え|に変更|使って|の代わり|ではなく|残して|削除|追加|表示|移動|避け)`,
			`(?:로 바꿔|변경|사용|대신|남겨|유지|제거|추가|표시|이동|피해)`,
		),
	}
	// operation matches work that is asked for once.
	operation = tongues{
		latin: pattern.Any(
			`^(?:please )?(?:run|check|recheck|look|review|explain|tell|commit|push|pull|fix|continue|see|find|`+
				`open|investigate|research|spawn|try|retry|show me|merge|rebase|`+
				`monitor|report|inspect|confirm|verify|validate|debug|go|keep going|proceed|start|resume|close|`+
				`submit|create (?:a )?(?:pr|branch|issue)|log (?:a|an)|draft)\b`,
			`\b(?:can|could|would|will) (?:we|you)(?: (?:also|please|just|then|now|quickly))* (?:run|check|`+
				`recheck|double check|look|review|explain|tell|commit|push|pull|fix|continue|see|find|open|`+
				`investigate|`+
				`research|spawn|try|retry|merge|rebase|monitor|report|inspect|confirm|verify|validate|debug|`+
				`close|prune|help|do a|suggest|list|show me|read|test|create|draft|take a look|analy[sz]e|`+
				`summari[sz]e)\b`,
			`\b(?:ready to merge|what'?s the status|status of|pull/\d+|pr ?#?\d+|actions/runs/|commit this|`+
				`push it|merge it)\b`,
			`^(?:führ|prüf|schau|zeig|erklär|commit|push|teste?|behebe|fix|mach weiter|weiter)\w*\b`,
			`^(?:lance|exécute|vérifie|regarde|montre|explique|corrige|continue|teste|ouvre)\b`,
			`^(?:ejecuta|revisa|mira|muestra|explica|corrige|arregla|continúa|prueba|abre|comprueba)\b`,
			`^(?:execute|rode|verifique|olhe|mostre|explique|corrija|continue|teste|abra|conserte)\b`,
		),
		wide: pattern.Any(
			`^(?:运行|運行|跑|检查|檢查|看看|看一下|解释|解釋|提交|推送|修复|修復|继续|繼續|测试|測試|打开|打開)`,
			`(?:実行して|確認して|見て|説明して|コミットして|プッシュして|直して|修正して|続けて|テストして|調べて)(?:ください|もらえ|くれ|$|。)`,
			`(?:실행해|확인해|봐 ?줘|설명해|커밋해|푸시해|고쳐|수정해|계속|테스트해|조사해)`,
		),
	}
	// tells matches facts that only the user knows: about the project, its places and people.
	tells = tongues{
		latin: pattern.Any(
			`\b(?:we|i) (?:are|'re|'m|am) (?:in|on|using|on the) [\w\x60"]`,
			`\b(?:we|i) (?:currently |already |also |only |usually |always )*(?:have|use|run|deploy|keep|track|`+
				`own|host|support) (?:an? |the |our |\w+ ){0,3}?(?:[\x60"\w./-]*[./:_-][\w./-]+|local|`+
				`production|staging|separate|internal|external)\b`,
			`https?://\S+.*\b(?:is|are|has|contains|holds)\b|\b(?:our|my|the) (?:\w+ ){1,3}(?:is|are|`+
				`lives?|runs?) (?:in|at|on|under|called|named|hosted)\b`,
			`\bwir (?:haben|verwenden|nutzen|sind|arbeiten)\b`, `\bnous (?:avons|utilisons|sommes)\b`,
			`\b(?:tenemos|usamos|estamos en|trabajamos)\b`, `\b(?:temos|usamos|estamos em|trabalhamos)\b`,
		),
		wide: pattern.Any(
			`我(?:们|們)?(?:有|在用|使用|用的是|是在)`, `(?:使っています|を利用しています|にあります|があります)`, `(?:사용하고 있|쓰고 있|에 있습니다|있어요)`,
		),
	}
	// always matches what makes a statement general.
	always = tongues{
		latin: pattern.Any(
			`\b(?:always|never|whenever|every|each|any|anything|all (?:the|our|evals?|tests?|files?|\w+s)|`+
				`by default|default|convention|standard|everywhere|`+
				`everyone|anyone|other machines|in general|generally|going forward|from now on|as a rule|`+
				`no longer|not any ?more|eventually|users? (?:will|would|should|can|never|always)|`+
				`a (?:human|user|person)|people|best practi[cs]e|anti-?pattern|standards|(?:one|a|an|`+
				`two) (?:\w+ ){1,5}per (?:\w+))\b`,
			`\bi (?:just |really |also |don'?t |do not |rather |would |'d )*(?:prefer|like|want|dislike|hate|`+
				`agree with)\b|\bdon'?t want\b`,
			`\b(?:immer|nie|niemals|jede[rsn]?|alle|standardmäßig|grundsätzlich|nicht mehr|bevorzuge|lieber)\b`,
			`\b(?:toujours|jamais|chaque|tous|toutes|par défaut|ne .{1,30} plus|préfère)\b`,
			`\b(?:siempre|nunca|cada|todos|todas|por defecto|ya no|prefiero)\b`,
			`\b(?:sempre|nunca|cada|todos|todas|por padrão|não .{1,30} mais|prefiro)\b`,
		),
		wide: pattern.Any(
			`总是|總是|始终|始終|永远|永遠|一律|每个|每個|每次|所有|默认|默認|不再|喜欢|喜歡|偏好|都要|都必须|都必須|一定|必须|必須|务必|務必`,
			`必ず|常に|いつも|絶対|毎回|すべて|全て|デフォルト|もう使わ|好き|好み|べき|(?:ほう|方)が(?:いい|良い)`,
			`항상|언제나|절대|반드시|매번|모든|기본|더 이상|선호|좋아|해야`,
		),
	}
	// reasons matches what marks a choice that holds longer than the work on it.
	reasons = tongues{
		latin: pattern.Any(
			`\b(?:because|since|so that|so basically|otherwise|in order to|the (?:idea|goal|point) is|`+
				`instead of|rather than|no need|(?:don'?t|do not|no longer) (?:think (?:we|it|`+
				`you) )?needs?|i (?:do ?n'?o?t|don't) (?:t?h?ink|believe) .{2,40}\b(?:need|has any|have any|`+
				`any use)\b|`+
				`doesn'?t need|without|has no|have no|nothing to do with|better (?:to|if|not)|agree|replaced by|`+
				`deprecated|legacy|backward|compatib\w+|align\w*|consistent|convention)\b`,
			`\b(?:rename[d]?|call(?:ed)?|name[d]?) (?:\S+ ){0,6}(?:to|as)\b|\blets? rename\b|\blet'?s rename\b|`+
				`\bshould(?:n'?t)? (?:only|not|never|use|reference|live|go|contain|include|always)\b|\bmust\b`,
			`\b(?:save[d]?|store[d]?|push(?:ed)?|put|`+
				`log(?:ged)?|track(?:ed)?|go(?:es)?|live[s]?|add(?:ed)?|publish(?:ed)?|write|`+
				`written) (?:\S+ ){0,6}(?:to|in|into|under|on|as) (?:\S+ ){0,3}(?:repo(?:sitory)?|branch|folder|`+
				`directory|wiki|project|board|docs?|settings\S*|config\S*|metadata|\S+[-_./]\S+)\b`,
			`\bin (?:project|repo|milestone|channel)\b|https?://(?:localhost|127\.|[\w.-]+:\d+)|\bas that'?s\b|`+
				`\bto (?:distinguish|avoid|prevent|make sure|ensure|keep|allow|tell apart)\b|`+
				`\baligns? (?:better )?with\b|\b(?:is|are) (?:a|an|the) \w+.*\b(?:there is no|not)\b`,
			`\bin (?:the |your |our |all )?(?:commit messages?|commits|comments|docs|docstrings|prs?|`+
				`pull requests|answers|`+
				`responses|file ?names|variable names|logs|tests)\b|\bonly (?:if|when|for)\b|\bask (?:for|before|`+
				`first)\b|\bbefore \w+ing\b|\bdifferent (?:device|`+
				`machine|repo|user)s?\b`,
			`\b(?:weil|damit|sonst|statt|ohne|besser|heißen|umbenannt|nur wenn|bevor)\b`,
			`\b(?:parce que|car|afin de|sinon|au lieu|plutôt que|sans|mieux|renomm\w+|seulement si|avant de)\b`,
			`\b(?:porque|para que|en lugar|en vez|sin|mejor|renombr\w+|solo si|antes de)\b`,
			`\b(?:porque|para que|em vez|ao invés|sem|melhor|renome\w+|só se|antes de)\b`,
		),
		wide: pattern.Any(
			`因为|因為|以便|否则|否則|而不是|代替|不需要|没必要|沒必要|更好|应该|應該|改名|重命名|改用|换成|換成|只有|之前要|目的是`,
			`ため|ので|から[、。]|ではなく|の代わり|不要|必要(?:は)?ない|に変更|と呼|の場合のみ|前に`,
			`때문|위해|아니면|대신|말고|필요 ?없|로 변경|이름을|경우에만|전에`,
		),
	}
	// chores matches work on the product that is done once, and on what is around it.
	chores = tongues{
		latin: pattern.Any(
			`^(?:\w+ ){0,4}?(?:add|implement|create|write|spawn|try|update|refactor|restructure|clean|`+
				`set up|configure|`+
				`continue|switch to (?:main|master|the branch)|delete|start|finish|print)\b`,
			`\bwe need to (?:be|update|check|fix|test|run|look|see)\b|\bdo we need\b|\bshouldn'?t (?:it|`+
				`this|that|they|`+
				`we) have\b|\binto (?:\w+ )?commits?\b|^so is\b`,
			`\b(?:branch(?:es)?|worker|agent|pr|pull request|bead|issue|ticket|commit|example|`+
				`screenshot)s? (?:is|are|for|to|`+
				`on|like|again)\b`,
			`\b(?:hinzufügen|erstellen|schreiben|ajouter|créer|écrire|añadir|crear|escribir|adicionar|`+
				`criar|escrever)\b`,
		),
		wide: pattern.Any(`(?:添加|新增|创建|創建|编写|編寫)`, `(?:追加|作成|実装)`, `(?:추가|작성|구현)`),
	}
	// firm matches what holds although the sentence begins with work that is asked for once.
	firm = tongues{
		latin: pattern.Any(`\b(?:no longer|never|always|(?:don'?t|do not|no longer) (?:need|want)|instead of|` +
			`rather than|niemals|nicht mehr|jamais|toujours|nunca|siempre|sempre)\b`),
		wide: pattern.Any(`不再|不需要|总是|總是|而不是`, `不要|必ず|ではなく`, `더 이상|항상|말고`),
	}
	// standing matches what holds whatever comes up.
	standing = tongues{
		latin: pattern.Any(
			`\b(?:always|never|whenever|every time|each time|from now on|going forward|as a rule|by default|` +
				`in general|under no circumstances|immer|nie|niemals|stets|grundsätzlich|ab jetzt|` +
				`toujours|jamais|désormais|` +
				`siempre|nunca|en adelante|sempre|em diante)\b|` +
				`(?:^|[,;.:] |\b(?:and|but) )(?:please )?(?:don'?t|do not) \w`,
		),
		wide: pattern.Any(
			`总是|總是|始终|始終|永远|永遠|一律|每次|默认|默認|从现在起|從現在起|以后都|禁止`,
			`必ず|常に|いつも|絶対|毎回|今後|禁止`, `항상|언제나|절대|반드시|매번|앞으로|금지`,
		),
	}
	// momentary matches what is said for the moment.
	momentary = tongues{
		latin: pattern.Any(
			`\b(?:for now|right now|at the moment|this time|today|tomorrow|tonight|yet|again|current branch|`+
				`this branch|(?:a )?new branch|this (?:pr|commit|session|conversation|task|change|issue)|`+
				`the (?:worker|run|build|pr|status)|is (?:done|ready|finished|running|stuck|blocked)|so far|`+
				`i'?ll|i will|i'?ve|i have (?:just|done)|just (?:did|now)|last one|next step|pull/\d+|`+
				`please fix)\b|\s#\d+\b|\b(?:too|as well)[?.!]*$`,
			`\b(?:vorerst|heute|morgen|gerade|dieses mal|diesmal|pour l'instant|aujourd'hui|demain|cette fois|`+
				`por ahora|hoy|mañana|esta vez|por enquanto|hoje|amanhã|desta vez)\b`,
		),
		wide: pattern.Any(
			`(?:暂时|暫時|现在先|現在先|今天|明天|这次|這次|先不|刚才|剛才)`, `(?:とりあえず|今は|今日|明日|今回|さっき)`, `(?:일단|지금은|오늘|내일|이번|방금)`,
		),
	}
	// unsure matches sentences that only wonder.
	unsure = tongues{
		latin: pattern.Any(
			`\b(?:i wonder|i'?m (?:not sure|wondering|questioning|confused|curious)|not sure (?:if|whether|what|`+
				`how|why)|do you (?:know|think)|what do you think|i (?:do ?n'?o?t|don't) (?:know|understand|get|`+
				`remember))\b`,
			`\b(?:que penses-tu|was meinst du|qué (?:opinas|te parece)|o que (?:você )?acha)\b`,
		),
		wide: pattern.Any(`(?:不知道|不确定|不確定|你觉得|你覺得)`, `(?:わかりません|わからない|でしょうか|と思いますか)`, `(?:모르겠|잘 모르|생각(?:해|하세요)\?)`),
	}
	// reporting matches what users report of the past or of programs.
	reporting = tongues{
		latin: pattern.Any(
			`^(?:i|we)(?:'ve| have)? (?:just |already |also )?(?:done|did|ran|tried|got|see|saw|am seeing|`+
				`have seen|noticed|found|checked|tested|looked|went|get|keep getting|thought)\b|`+
				`\b(?:still (?:fails?|failing|broken|happens|not working)|it (?:fails|failed|crashes|crashed|`+
				`says|prints|shows|hangs))\b`,
			`\bthe (?:issue|problem|bug|error) (?:is|was) that\b|^you (?:wrote|said)\s*[:,]`,
			`^[^,]*\b(?:always|never|every ?time|each time)\b[^,]*\b(?:fails|crashes|hangs|breaks|times out|`+
				`freezes|stalls|`+
				`errors|works|loads|finishes)\b[^,]*$|\b(?:i|we) (?:always|never|every ?time) (?:get|see|have to|`+
				`run into)\b`,
			`\b(?:denselben|dieselben?|derselbe|dasselbe|(?:der|den|die|das) gleichen?) (?:fehler|meldung|problem|`+
				`absturz)|`+
				`\bimmer (?:noch|wieder)\b|^[^,]*\b(?:(?:schlägt|schlagen)\b[^,]*\bfehl|(?:stürzt|stürzen)\b[^,]*\bab|`+
				`(?:funktioniert|geht|läuft|startet|lädt|reagiert)\b[^,]*\bnicht|hängt sich)\b[^,]*$|`+
				`\bich (?:bekomme|kriege|sehe|habe)\b[^,]*\b(?:fehler|meldung|absturz|timeout)`,
			`^[^,]*\s(?:(?:échou|plant|bloqu)e(?:nt)?)\b[^,]*$|\bne (?:marche|fonctionne|répond|démarre|`+
				`compile|charge)\b|\bj'(?:ai|obtiens)\b[^,]*\b(?:erreur|problème)|\bmême (?:erreur|problème|message)`,
			`^[^,]*\b(?:fallan?|se (?:cae|cuelga|rompe|bloquea))\b[^,]*$|\bno (?:funciona|arranca|responde|compila|`+
				`carga|abre)\b|\bme (?:sale|salen|da|dan|aparece|aparecen)\b|\bmism[oa] (?:error|problema|fallo|`+
				`mensaje)|`+
				`\bda(?: un)? error\b`,
			`^[^,]*\b(?:falham?|travam?|quebram?)\b[^,]*$|\bnão (?:funciona|abre|responde|compila|carrega|inicia)\b|`+
				`\bdá (?:um |o )?(?:mesmo )?erro\b|\bmesm[oa] (?:erro|problema|mensagem)|\baparece (?:um |`+
				`o )?(?:mesmo )?erro`,
		),
		wide: pattern.Any(`(?:还是|還是)(?:不行|失败|失敗|报错|報錯)`, `(?:動きません|失敗しました|エラーが出)`, `(?:안 ?돼요|실패했|에러가)`,
			`(?:一直|总是|總是|老是|每次|都|又)(?:都|会|會|就|在)*(?:报|報|出|抛|拋|失败|失敗|崩|卡|挂|掛|超时|超時)[^，,]{0,10}[。.!！]*$`,
			`(?:エラー(?:に|が)(?:なり|出|で|発生し)|失敗し|落ち|固まり|止まり)(?:ます|る|てしまいます|てしまう)(?:よ|ね)?[。.]*$`,
			`(?:(?:오류|에러)(?:가|는)? ?(?:나요|나|납니다|발생해요|발생합니다|떠요|뜹니다)|(?:실패|중단)(?:해요|합니다|돼요|됩니다)|멈춰요?|죽어요?)[.!]*$`),
	}
	// pointing matches sentences whose object is a pronoun.
	pointing = tongues{
		latin: pattern.Any(
			`\b(?:do|doe?|use|keep|rename|remove|drop|add|change|make|take|implement|apply|go with|prefer|like|`+
				`want|agree with|did|try|move|replace|put|leave|skip|revert|undo|set|run|fix|touch|edit|delete|`+
				`create|commit|push|merge|open|close|log|show|print|call|name|support|enable|disable|start|stop|`+
				`update|handle|write|test|save|store)\s+`+
				`(?:that|this|it|those|these|them|so|both|the same)(?:\s|[.,!?]|$)|^(?:that|this|it|those|`+
				`these)(?:'s| is| are| should| must| has| looks?)\b|`+
				`\b(?:refactor|rename|move|remove|add|change) (?:that|this|it)\b`,
			`\b(?:mach|nimm|benutz|verwend|ändere?|lösch|entfern)\w* (?:das|dies|es)(?:\s|[.,!]|$)`,
			`\b(?:fais|garde|prends|enlève|change)-(?:le|la|les|ça)\b`, `\b(?:hazlo|úsalo|cámbialo|quítalo|`+
				`déjalo)\b`, `\b(?:faça|use|mude|remova|deixe) isso\b`,
		),
		wide: pattern.Any(`^(?:就)?(?:这样|這樣|那样|那樣|这个|這個|那个|那個)`, `^(?:それ|これ|あれ|その|この)`, `^(?:그거|이거|그것|이것|그렇게|이렇게)`),
	}
)
