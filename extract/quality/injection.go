package quality

import (
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
	"github.com/wm-lsp/wm-lsp/extract/tag"
)

// injection matches text that tries to command the model that will read it.
// Entries are part of every later prompt, so this rule applies to explicit strings
// too. It matches attempts to replace the instructions, to speak in another role
// and to hide from the user. Text about such attempts is mostly worded otherwise.
var injection = []pattern.Wording{
	{
		Words: pattern.Words(`ignore|disregard|forget|override|bypass|overlook|discard`),
		Pattern: pattern.New(
			`\b(?:ignore|disregard|forget|override|bypass|overlook|discard)\s+(?:\w+\s+){0,2}?(?:previous|prior|` +
				`above|earlier|preceding|existing|former|system|safety|original|` +
				`your)\s+(?:\w+\s+){0,2}?(?:instructions?|prompts?|rules?|directions?|guidelines?|messages?|` +
				`context|programming|training|commands?)\b`,
		),
	},
	{
		Words: pattern.Words(`ignore|disregard|forget`),
		Pattern: pattern.New(
			`\b(?:ignore|disregard|forget)\s+(?:everything|anything|` +
				`all)\s+(?:(?:that\s+)?(?:you(?:'ve| have| were)?|i|we)\s+(?:been\s+)?(?:told|said|instructed|` +
				`learned|know)|above|before|previously)`,
		),
	},
	{
		Words: pattern.Words(`ignore|disregard|disobey|override|overrule`),
		Pattern: pattern.New(
			`(?:^|[.!?:;,\n]\s*|\b(?:please|must|should|now|and|to|you)\s+)(?:ignore|disregard|disobey|override|` +
				`overrule)\s+(?:(?:all|any|everything|whatever|anything)\s+)?(?:(?:of|from|by)\s+)?(?:the\s+|` +
				`your\s+|what\s+the\s+)?` +
				`(?:users?|humans?|developers?|operators?)\b(?:'s)?\s*(?:\w+\s+)?(?:and|or|from now|,|;|\.|$|` +
				`says?|wants?|wishes|requests?|instructions?|commands?)`,
		),
	},
	{
		Words: pattern.Words(`benutzer|nutzer|utilisateur|usuario|usuário|用户|用戶|使用者|ユーザー|사용자`),
		Pattern: pattern.New(
			`\b(?:ignorier\w*|missachte\w*)\s+(?:den\s+|die\s+)?(?:be)?nutzer(?:in)?\s*(?:und|,|\.|$)|` +
				`\bignore[zr]?\s+l'utilisateur\s*(?:et|,|\.|$)|` +
				`\b(?:ignora|ignore)\s+al?\s+usuario\s*(?:y|,|\.|$)|\b(?:ignore|` +
				`desconsidere)\s+o\s+usuário\s*(?:e|,|\.|$)|` +
				`(?:忽略|无视|無視|不要理会|不要理會)(?:用户|用戶|使用者)(?:[，,。]|并|並|然后|然後|的(?:指示|要求|请求|請求|话|話)|$)|` +
				`ユーザー(?:の(?:指示|要求|命令))?を無視(?:して|し、|せよ|しろ)|사용자(?:의 (?:지시|요청|명령))?[를을]? ?무시하(?:고|세요|라)`,
		),
	},
	{
		Words:   pattern.Words(`instruction|prompt`),
		Pattern: pattern.New(`\bnew\s+(?:system\s+)?(?:instructions?|prompt)\s*:`),
	},
	{
		Words: pattern.Words(`you`),
		Pattern: pattern.New(
			`\byou\s+are\s+(?:now|no\s+longer)\s+(?:an?\s+|in\s+|the\s+)?(?:\w+\s+){0,2}?(?:unrestricted|` +
				`unfiltered|jailbroken|dan\b|developer\s+mode|god\s+mode|evil|admin(?:istrator)?|root|bound|hacker|` +
				`different\s+(?:ai|assistant|model)|chatgpt|assistant\s+that)`,
		),
	},
	{
		Words: pattern.Words(`pretend|act as|act  as|roleplay|imagine`),
		Pattern: pattern.New(
			`\b(?:pretend|act\s+as\s+if|roleplay|imagine)\b[^.\n]{0,40}\b(?:no\s+(?:rules|restrictions|limits|` +
				`filters|guidelines)|unrestricted|without\s+(?:rules|restrictions|filters))`,
		),
	},
	{
		Words: pattern.Words(`prompt|instructions`),
		Pattern: pattern.New(
			`\b(?:reveal|print|show|output|repeat|leak|disclose|exfiltrate|` +
				`dump)\s+(?:me\s+)?(?:\w+\s+){0,2}?(?:system\s+prompt|hidden\s+(?:prompt|instructions)|` +
				`initial\s+(?:prompt|instructions)|your\s+(?:instructions|prompt))\b`,
		),
	},
	{
		Words: pattern.Words(`user|human|developer|operator`),
		Pattern: pattern.New(
			`\b(?:do\s+not|don'?t|never)\s+(?:tell|inform|mention\s+(?:this|it)\s+to|alert|notify|` +
				`let)\s+(?:the\s+)?(?:user|human|developer|operator)s?\b[^.\n]{0,60}\b(?:this|it|about|that|know|` +
				`instruct)`,
		),
	},
	{
		Words: pattern.Words(`mode`),
		Pattern: pattern.New(
			`\b(?:enable|enter|activate|switch\s+to)\s+(?:developer|debug|god|jailbreak|dan|` +
				`unrestricted)\s+mode\b[^.\n]{0,40}(?:restriction|rule|filter|anything|$)`,
		),
	},
	{
		Words: pattern.Words(`send|post|upload|exfiltrate|forward|leak`),
		Pattern: pattern.New(
			`\b(?:send|post|upload|exfiltrate|forward|leak)\s+(?:\w+\s+){0,4}?(?:secrets?|credentials?|api\s+keys?|` +
				`env(?:ironment)?\s+variables?|private\s+keys?|passwords?|tokens?|` +
				`conversation)\s+(?:\w+\s+){0,3}?to\s+(?:https?://|\S+@\S+|an?\s+external|attacker|evil)`,
		),
	},
	{
		Words: pattern.Words(`<`),
		Pattern: pattern.New(
			`</?(?:system|system[-_]reminder|system[-_]prompt|assistant|instructions?|`,
			strings.Join(tag.Unmistakable(), "|"),
			`|tool_result|function_calls?)\s*/?>`,
		),
	},
	{
		Words: pattern.Words(`忽略|无视|無視|忘记|忘記|忘掉|理会|理會|遵守|遵循`),
		Pattern: pattern.New(
			`(?:忽略|无视|無視|忘记|忘記|忘掉|不理会|不理會|不要理会|不要理會|不要遵守|不要遵循)(?:掉)?(?:你)?(?:之前|以前|前面|先前|以上|上面|所有|全部|一切|系统|系統|原来|` +
				`原來|既有)[^。！？\n]{0,12}?(?:指令|指示|提示|规则|規則|命令|设定|設定|说明|說明|内容|內容)`,
		),
	},
	{
		Words: pattern.Words(`你现在|你現在|从现在|從現在|提示|不要告|不要让|不要讓`),
		Pattern: pattern.New(
			`(?:你现在是|你現在是|从现在起你是|從現在起你是)[^。\n]{0,12}?(?:不受限制|没有限制|沒有限制|无限制|無限制|越狱|越獄|开发者模式|開發者模式)|` +
				`(?:透露|显示|顯示|输出|輸出|泄露|洩露)[^。\n]{0,6}?(?:系统提示|系統提示)|不要(?:告诉|告訴|让|讓)(?:用户|用戶|使用者)`,
		),
	},
	{
		Words: pattern.Words(`無視|忘れ|破棄|従わ|プロンプト|ユーザー`),
		Pattern: pattern.New(
			`(?:以前|これまで|前|上記|すべて|全て|全部|先ほど)の(?:すべての|全ての)?(?:指示|命令|プロンプト|ルール|指令|システム)[^。\n]{0,8}?(?:を|は)?(?:無視|忘れ|` +
				`破棄|従わな)|システムプロンプトを(?:表示|出力|教え|公開)|ユーザーに(?:は)?(?:言わない|教えない|知らせない|伝えない)`,
		),
	},
	{
		Words: pattern.Words(`지시|명령|프롬프트|규칙|지침|사용자`),
		Pattern: pattern.New(
			`(?:이전|앞의|위의|모든|기존|지금까지의)\s*(?:모든\s*)?(?:지시|명령|프롬프트|규칙|지침)[^.\n]{0,10}?(?:무시|잊|따르지)|` +
				`시스템\s*프롬프트를?\s*(?:출력|보여|공개|알려)|사용자에게\s*(?:말하지|알리지)\s*마`,
		),
	},
	{
		Words: pattern.Words(`anweisung|instruktion|befehle|regeln|vorgaben`),
		Pattern: pattern.New(
			`\b(?:ignorier\w*|vergiss|missachte\w*)\s+(?:\w+\s+){0,2}?(?:vorherigen?|bisherigen?|obigen?|früheren?|` +
				`vorigen?)\s+(?:\w+\s+)?(?:anweisungen|instruktionen|befehle|regeln|vorgaben)`,
		),
	},
	{
		Words: pattern.Words(`instructions|consignes|règles|directives`),
		Pattern: pattern.New(
			`\b(?:ignore[zr]?|oublie[zr]?)\s+(?:\S+\s+){0,2}?(?:instructions|consignes|règles|` +
				`directives)\s+(?:précédentes|antérieures|ci-dessus|du système)`,
		),
	},
	{
		Words: pattern.Words(`instrucciones|órdenes|reglas|indicaciones`),
		Pattern: pattern.New(
			`\b(?:ignora|ignore|olvida|olvide)\s+(?:\S+\s+){0,3}?(?:instrucciones|órdenes|reglas|` +
				`indicaciones)\s+(?:anteriores|previas|de arriba|del sistema)`,
		),
	},
	{
		Words: pattern.Words(`instruções|ordens|regras`),
		Pattern: pattern.New(
			`\b(?:ignore|ignora|esqueça|esquece)\s+(?:\S+\s+){0,3}?(?:instruções|ordens|regras)\s+(?:anteriores|` +
				`prévias|acima|do sistema)`,
		),
	},
	{
		Words: pattern.Words(`<|inst|sys>|#`),
		Pattern: pattern.New(
			`<\|(?:im_start|im_end|system|user|assistant|endoftext|start_header_id|eot_id)[^>]*\|?>|\[/?INST\]|` +
				`<</?SYS>>|^\s*#{2,}\s*(?:system|instruction)s?\s*:`,
		),
	},
}

// withoutInvisible removes characters that hide words from people and from rules.
func withoutInvisible(text string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case '\u200b', '\u200c', '\u200d', '\u2060', '\ufeff', '\u00ad':
			return -1
		}
		return r
	}, text)
}

func isInjection(text string) bool {
	return pattern.Match(withoutInvisible(norm.NFKC.String(text)), injection)
}
