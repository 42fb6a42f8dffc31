package request

import "github.com/wm-lsp/wm-lsp/extract/pattern"

const (
	// open matches a colon or dash and the words to remember after it. The slash
	// excludes the colon of a URL.
	open = `\s*(?:(?P<open>[:：]|\s[—–-]+(?:\s|$))\s*(?P<text>[^/\s].*)?|(?P<open>[:：])\s+(?P<text>.*))$`
	end  = `[\s.!。！~]*$`
)

const (
	remember = `(?:remember|memori[sz]e|keep (?:in mind|note)|bear in mind|don'?t (?:you )?(?:ever )?forget|` +
		`do not (?:ever )?forget|never forget|(?:make|take) (?:a )?(?:mental |quick )?note|note down|` +
		`(?:write|jot|note) (?:(?:this|that|it) )?down)`
	// whatFor matches the optional words between a directive and what to remember.
	whatFor = `(?:,?\s*(?:(?:for|in) (?:later|next time|me|us|good|the (?:future|project|record|long term)|` +
		`(?:all )?future (?:sessions?|reference|conversations?|use|work|chats?|tasks?))|from now on|going forward|` +
		`always|please|permanently|forever|well|carefully|across (?:all )?sessions|as well|too|somewhere))*`

	memory = `(?:(?:your|the|our|project|workspace|long[- ]term|persistent|shared|agent)\s+)*memor(?:y|ies)`

	// investigates matches reports that end with work on what they report.
	investigates = `\b(?:find out|figure out|look into|investigate|please check|check (?:it|this|that|why|what))\b` +
		`[^.]*[.!]*$`
)

// English.
var (
	english = []directive{
		{
			strong: true,
			asks: pattern.New(
				`^[/#]?`,
				remember,
				`(?:\s+(?:of\s+)?(?:(?:this|that|the following|these|those|it|my|our|the|one|two|three|some|a few|`+
					`a couple of|as an?)(?:\s+[\w'-]+){0,4}|(?:rules?|facts?|things?)))?`,
				whatFor,
				open,
			),
		},
		{refuse: reminiscent, asks: pattern.New(`^[/#](?:remember|memorize)\s+(?:that\s+)?(?P<text>\S.*)$`)},
		{strong: true, refuse: reminiscent, asks: pattern.New(`^`, remember, whatFor, `\s+that,?\s+(?P<text>\S.*)$`)},
		{
			strong: true,
			asks: pattern.New(
				`^`,
				remember,
				`\s+(?:of\s+)?(?:this|that|it|these|all (?:of )?this)(?:\s+(?:rule|fact|one|decision|preference|`+
					`convention))?`,
				whatFor,
				end,
			),
		},
		{
			strong: true,
			asks: pattern.New(
				`^(?:keep|bear) (?:this|that|it|these|the following) in mind`,
				whatFor,
				`(?:\s+(?:when(?:ever)?|if|for|while)\s[^:.]{2,60})?(?:`,
				open,
				`|`,
				end,
				`)`,
			),
		},
		{refuse: reminiscent, asks: pattern.New(`^(?:remember|memori[sz]e),\s+(?P<text>\S.*)$`)},
		{
			refuse: reminiscent,
			asks: pattern.New(
				`^(?:remember|memori[sz]e|keep in mind|bear in mind)\s+(?P<text>(?:i|i'm|i've|i'd|we|we're|we've|` +
					`we'll|you|he|she|it's|they|there's|there (?:is|are)|nobody|no one|everyone|always|never|if|` +
					`only)\b.*)$`,
			),
		},
		{
			refuse: reminiscent,
			asks: pattern.New(
				`^(?:remember|memori[sz]e|keep in mind|bear in mind)\s+(?P<text>(?:my|our|the|all|every|each|any|` +
					`both|no|this|these|that|those)\s.*\b(?:is|are|isn't|aren't|has|have|uses?|must|should|can|` +
					`cannot|can't|needs?|lives?|runs?|goes|go|comes?|doesn't|don't|will|won't|only|expects?|` +
					`requires?|supports?|belongs?|start|ends?)\b.*)$`,
			),
		},
		{
			refuse: reminiscent,
			asks: pattern.New(
				`^(?:remember|memori[sz]e)\s+(?P<text>my\s+(?:preference|name|timezone|time zone|preferred|` +
					`favou?rite)\b.*)$`,
			),
		},
		{
			asks: pattern.New(`^(?:always )?remember\s+(?:to\s+(?P<text>\S.*)|(?P<text>not to\s+.*))$`),
			kind: Feedback,
			refuse: pattern.OneOf(
				`^(?:\w+\s+)?(?:this|that|it)[.!]*$`,
				`\b(?:later|tomorrow|tonight|next week)\b[.!]*$`,
				`\b(?:before|after|when|once) (?:you|we)(?:'re| are)? (?:[^.]*\b)?(?:this|that|it|done|`+
					`finished|ready)[.!]*$`,
			),
		},
		{
			asks: pattern.New(
				`^(?:don'?t|do not|never) forget to\s+(?P<text>(?:always\b.*|` +
					`.*\b(?:always|every|each|before|after|whenever|when)\b.*))$`,
			),
			kind: Feedback,
		},
		{
			strong: true,
			asks: pattern.New(
				`^(?:(?:please )?note|memo|a note|note to self|something|one thing|fyi|`+
					`this)(?:\s+(?:this|that|down))?\s*,?\s*(?:for (?:later|next time|the (?:future|record)|`+
					`(?:all )?(?:future|later|the next) (?:sessions?|reference|use|conversations?))|to self)`,
				open,
			),
		},
		{
			strong: true,
			asks: pattern.New(
				`^(?:(?:(?:some|one|another) )?(?:(?:more|other|important) )?things? )?to (?:remember|keep in mind|`+
					`note down)`,
				whatFor,
				`(?:\s+is(?:\s+that|:)?\s+(?P<text>\S.*)$|`,
				open,
				`)`,
			),
		},
		{
			strong: true,
			asks: pattern.New(
				`^(?:(?:so (?:that )?)?you know|for your information|fyi),?\s+for (?:next time|(?:later|`+
					`the future|future)(?: \w+)?)`,
				open,
			),
		},
		{
			kind:   Feedback,
			asks:   pattern.New(`^(?P<text>i (?:always|only ever|never) want\s+(?:you to\s+)?\S.*)$`),
			refuse: pattern.OneOf(`\bwant(?:\s+you)?\s+to\s+(?:see|know|be|go|say)\b`),
		},
		{
			strong: true,
			asks: pattern.New(
				`^(?:please )?note(?: (?:this|that))?(?: down)? for (?:later|next time|the future|`+
					`future (?:sessions?|reference))(?:\s+that\s+(?P<text>\S.*)|`,
				end,
				`)$`,
			),
		},
		{
			asks: pattern.New(
				`^for (?:future reference|future sessions?|next time|later reference|your (?:future )?reference|` +
					`the future)\s*[,:]\s*(?P<text>\S.*)$`,
			),
			refuse: pattern.OneOf(`\b(?:maybe|perhaps|might|could)\b`),
		},
		{
			strong: true,
			asks: pattern.New(
				`^(?:save|store|add|put|commit|write|record|`+
					`log)\s+(?:(?:this|that|the following|it|these)(?:\s+[\w'-]+){0,2}\s+)?(?:in|to|into)\s+`,
				memory,
				`(?:`,
				open,
				`|\s+that\s+(?P<text>\S.*)$|,\s+(?P<text>\S.*)$|`,
				end,
				`)`,
			),
		},
		{
			strong: true,
			asks: pattern.New(
				`^(?:add|save|make|create|store|record)\s+(?:a |an? new )?memory(?: entry| note)?`,
				open,
			),
		},
		{
			asks: pattern.New(
				`^(?:save|add|store|commit)\s+(?P<text>(?:that\s)?\S.{3,}?)\s+(?:to|in|`+
					`into)\s+your\s+(?:long[- ]term |persistent )?memory`,
				end,
			),
			refuse: pattern.OneOf(`^(?:this|that|it|these)\b.{0,12}$`),
		},
		{
			strong: true,
			kind:   Feedback,
			asks: pattern.New(
				`^(?:from (?:now|here|today|this (?:point|moment)) (?:on out|on(?:wards?)?|forward|out)|henceforth|` +
					`(?:starting|beginning) (?:now|today|immediately|from now)|effective immediately|` +
					`for (?:(?:all|any|every) )?future [\w ]{3,24}?)(?:\s*[,:—–-]\s*|\s+|$)(?P<text>.*)$`,
			),
			refuse: pattern.OneOf(`^(?:to|till|until|through|i'm|i am)\b`, investigates, `\bno idea\b|`+
				`^(?:the|an?|my|our|your|some|all|most)\b[^,]*\b(?:fails?|crash(?:es)?|hangs?|breaks?|times? out)\b`),
		},
		{
			kind: Feedback,
			asks: pattern.New(
				`^(?:going forward|moving forward|` +
					`in (?:the )?future(?: (?:sessions?|conversations?|chats?|responses?|answers?|tasks?|prs?|` +
					`pull requests|commits?|code|work))?|as of (?:now|today)|next time(?: (?:you|we)\b[^,]{1,60})?|` +
					`(?:every|any|each) ?time (?:you|we)\b[^,]{1,60}|` +
					`whenever (?:you|we)\b[^,]{1,60})\s*[,:—–]?\s*(?P<text>\S.*)$`,
			),
			refuse: notInstruction,
		},
		{
			kind: Feedback,
			asks: pattern.New(
				`^(?P<text>\S.{4,}?),?\s+(?:from now on(?:wards?)?|going forward|henceforth|from here on(?: out)?|`+
					`from this point (?:on|forward)|in (?:the )?future|in all future \w+)`,
				end,
			),
			refuse: notRule,
		},
		{kind: Feedback, asks: pattern.New(`^(?P<text>(?:always|never)\s+[a-z]\S*.*)$`), refuse: notImperative},
		{kind: Feedback, asks: pattern.New(`^(?P<text>(?:do not|don'?t) ever\s+[a-z].*)$`), refuse: notImperative},
		{
			kind: Feedback,
			asks: pattern.New(
				`^(?P<text>(?:when|before|after|if|for|in|on|while|whenever|with)\b[^,.]{2,80},?\s+(?:please\s+|` +
					`you (?:should|must)\s+)?(?:always|never)\s+[a-z]\S*(?:\s.*|[.!]*))$`,
			),
			refuse: pattern.OneOf(
				`^(?:when|if|in|on|after|while|for) .*\b(?:i|it|this|that|he|she|they|we)\b (?:always|never)\b`,
				`\b(?:always|never)\s+(?:\w+s|\w+ed|\w+ing|been|had|seen|got|the|a|an)\b`,
			),
		},
		{
			kind: Feedback,
			asks: pattern.New(
				`^(?P<text>(?:use|write|prefer|put|keep|name|run|answer|respond|reply|commit|format|call|add|make|` +
					`ask|check|treat|return|log|do)\b[^.?]*,?\s(?:always|never)\b.*)$`,
			),
			refuse: pattern.OneOf(`\b(?:it|that|this|which|who|he|they|i|we) (?:always|never)\b`),
		},
		{
			kind: Feedback,
			asks: pattern.New(
				`^(?P<text>(?:i|we)(?:'d| would)?\s+(?:(?:much|strongly|really|generally|usually|always|personally|` +
					`also|still|definitely|far)\s+)*prefer\b\s*\S.*)$`,
			),
			refuse: notPreference,
		},
		{
			kind: Feedback,
			asks: pattern.New(
				`^(?P<text>(?:my|our)\s+(?:\w+\s+)?preference\s+is\b.*|my preferred\s+.*\bis\b.*|` +
					`i(?:'d| would)(?: much)? rather (?:you|have)\b.*|` +
					`i (?:really )?(?:don'?t like|dislike|hate) it when you\b.*)$`,
			),
			refuse: notPreference,
		},
		{
			strong: true,
			asks: pattern.New(
				`^(?P<text>\S.{6,}?)(?:\s*[,;(]\s*|\s+[—–-]+\s+)(?:(?:so|and|but)\s+)?(?:please\s+)?(?:remember|`+
					`memori[sz]e|keep)\s+(?:this|that|it)(?:\s+in mind)?`,
				whatFor,
				`\)?`,
				end,
			),
			refuse: reported,
		},
	}

	// reminiscent matches strings about the past or about the word itself.
	reminiscent = pattern.OneOf(
		`^(?:when|how|what|who|whom|whose|where|why|which|whether)\b`,
		`^(?:last|back when|the time|that time)\b`,
		`^the (?:alamo|good old|days|old days|last time|first time)\b`,
		`^(?:time|day|night|bug|issue|error|problem|thing|one|guy|conversation|discussion|meeting|moment|weird|`+
			`crash|outage|incident|feature|commit|pr|ticket|script|function|file|test)\s+(?:we|i|you|from|where|`+
			`when|that|with|yesterday|last)\b`,
		`^me\b`,
		`^remember`,
		`^this is (?:only|just) a test`,
		`^(?:button|checkbox|box|option|flag|token|cookie|feature|function|command|directive|method|keyword)\b`,
		`\b(?:we|i) (?:talked|spoke|discussed|laughed)\b`,
	)
	// notInstruction matches strings about what may happen instead of what to do.
	notInstruction = pattern.OneOf(
		investigates,
		`^(?:tense|perfect|proof)\b`,
		`^(?:i|it|this|that|there|they|he|she|maybe|perhaps|hopefully|someone|somebody|users?|nobody)\b`,
		`^(?:we|you|the \w+|this \w+)\s+(?:might|may|could|can|would|will|'ll|won't|plan|hope|want|need|are going|`+
			`should be able)\b`,
		`\b(?:might|maybe|perhaps|may want)\b`,
		`^(?:versions?|releases?|work|plans?|improvements?|with|on|to|from|of)\b`,
		`^(?:the|an?|my|our|your|some|another) (?:[\w-]+ ){1,3}(?:was|were|had|did|got|went|failed|crashed|broke)\b`,
		`^(?:the|an?|my|our|your|some|another)\b[^,]*\b(?:fails|crashes|hangs|breaks|times out)\b[^,]*$`,
	)
	// notRule matches sentences about the future that are not requests.
	notRule = pattern.OneOf(
		`^(?:i|it|this|that|there|they|he|she|the|these|those|what|how|why|is|are|does|did|will|would|if|maybe|`+
			`perhaps|you|our|my|things?|everything|nothing|users?|customers?|thanks)\b`,
		`\b(?:might|maybe|perhaps|could|may)\b`,
	)
	// notImperative matches sentences that begin with "always" or "never" but
	// describe what happens.
	notImperative = pattern.OneOf(
		`^(?:always|never|do not ever|don'?t ever)\s+(?:mind|ever|again|again[.!]|been|had|seen|heard|got|gotten|`+
			`done|thought|knew|known|was|were|is|are|did|does|has|have i|happened|worked|works|mattered|found|saw|`+
			`went|came|felt|took|made|said|told|wrote|ran|broke|understood|a|an|the|that|this|there|in|on|at|good|`+
			`great|nice|fun|happy|glad|hard|easy|right|wrong|true|false|true[.,]|so|too|some|one|my|your|his|her|`+
			`their|our|more|less|enough|as|about|for|from|with|there's|it|he|she|they|i|we|you|not|only|almost|`+
			`quite|really|very|wanted|loved|liked|hated|on|off|up|down|returns|fails|throws|passes|crashes|breaks|`+
			`happens|shows|gets|gives|takes|seems|looks|needs|means|says|goes|comes|makes|uses|runs|gonna|`+
			`surprised|amazed|curious|welcome|available|enabled|null|empty|zero|sure|certain|remember(?:ed)?)\b`,
		`^(?:always|never)\s+\w{3,}(?:ed|ing)\b`,
		`^(?:always|never)\s+\w+(?:ss|[^s]s)\s+(?:on|in|with|when|for|at|to|after|if)\b`,
		`^(?:always|never)\s+\w+[.!]*$`,
		`^(?:always|never)\s+\w+\s+(?:this|that|it)(?:\s+(?:again|anymore|here))?[.!]*$`,
	)
	// notPreference matches answers to a momentary choice, and preferences without
	// an object.
	notPreference = pattern.OneOf(
		`\bprefer(?:red|ence is)?\s+(?:this|that|it|these|those|neither|either|both|option|`+
			`the (?:first|second|third|fourth|last|former|latter|other|one|ones|above|below|left|right|new|old|`+
			`original|current)\b|#?\d|[a-d]\b|not to (?:say|answer|decide)|yours|mine|his|hers|the way)`,
		`\b(?:for now|today|right now|this time|at the moment|if you could|if you (?:fix|do|start|finish|wait)\w*)\b`,
		`^(?:i|we) prefer[.!]*$`,
	)
	// reported matches wishes of others.
	reported = pattern.OneOf(
		`\b(?:said|says|told|asked|wrote|button|label|titled?|phrase|checkbox|called)\b`,
		`^(?:if|when|unless|whether|don'?t|do not|can'?t|i can'?t|i don'?t)\b`,
	)
)

// beforeZh matches what is to be done before or at something.
const beforeZh = `[^，。,]{1,20}?(?:之前|时|時|的时候|的時候|前)[,，]?\s*(?:请|請|要|先|记得|記得|不要|别|別|必须|必須|一定).+`

// Chinese, in both scripts.
var chinese = []directive{
	{
		strong: true,
		asks: pattern.New(
			`^(?:记住|記住|记得|記得|牢记|牢記|谨记|謹記|记下来?|記下來?|记一下|記一下|记着|記著|记好|記好|别忘了|別忘了|别忘记|別忘記|不要忘了|不要忘记|不要忘記|勿忘|备忘|備忘|记忆|` +
				`記憶)(?:一下)?(?:(?:这|這|以下|下面|如下)(?:个|個|点|點|些|条|條|一点|一點|件事|几点|幾點|的)?(?:规则|規則|内容|內容|事情|信息|資訊|偏好|约定|約定|` +
				`决定|決定)?)?\s*(?P<open>[:：])\s*(?P<text>.*)$`,
		),
	},
	{
		strong: true,
		asks: pattern.New(
			`^(?:记住|記住|牢记|牢記|谨记|謹記|记下来?|記下來?|记一下|記一下|记着|記著|记好|記好)(?:一下)?(?:这|這|那)(?:个|個|点|點|些|条|條|一点|一點|件事)?(?:吧|哦|` +
				`啊|了|喔)?[。.!！~]*$`,
		),
	},
	{
		strong: true,
		asks:   pattern.New(`^(?:记住|記住|牢记|牢記|谨记|謹記|记下来?|記下來?|记一下|記一下|记着|記著|记好|記好)(?:一下)?[,，、\s]*(?P<text>\S.*)$`),
		refuse: pattern.OneOf(
			`(?:密码|密碼|登录|登錄|登入)的?(?:按钮|按鈕|功能|选项|選項|框)`,
			`^(?:了|吧|密码|密碼|登录|登錄|登入|我的密码|按钮|按鈕)(?:$|[。.,，!！]|功能|按|选|選)`,
			`^(?:了|的|这些|這些)`,
		),
	},
	{
		strong: true,
		asks:   pattern.New(`^(?:别忘了|別忘了|别忘记|別忘記|不要忘了|不要忘记|不要忘記)[,，、\s]*(?P<text>(?:我们|我們|咱们|咱們|这个|這個|所有|每个|每個).+)$`),
		refuse: pattern.OneOf(`^(?:我们|我們|咱们|咱們)(?:上次|之前|以前|当时|當時|昨天|前天|说过|說過|约|約|还要|還要|要)`),
	},
	{
		strong: true,
		asks: pattern.New(
			`^(?P<text>\S.{3,}?)[,，]\s*(?:请|請|麻烦|麻煩|帮我|幫我)?(?:把(?:这|這)(?:个|個|点|點))?(?:记下来|記下來|记一下|記一下|记住|記住)(?:吧|哦|` +
				`喔)?[。.!！~]*$`,
		),
		refuse: reported,
	},
	{
		strong: true,
		kind:   Feedback,
		asks: pattern.New(
			`^(?:我|我们|我們)?(?:希望|想要)?(?P<text>\S.{3,}?)[,，]\s*(?:以后|以後|今后|今後|往后|往後)(?:都|也)(?:这样|這樣|如此|按这个来|照这样)(?:做|` +
				`写|寫)?[。.!！~]*$`,
		),
	},
	{
		asks: pattern.New(`^(?:别忘了|別忘了|别忘记|別忘記|不要忘了|不要忘记|不要忘記)[,，、\s]*(?P<text>\S.*)$`),
		refuse: pattern.OneOf(
			`^(?:我|我们|我們|上次|之前|以前|当时|當時|那|你|吗|嗎|他|她|了)`,
			`^(?:跑|运行|運行|更新|提交|推送|测试|測試|改|加|删|刪|修|写|寫|检查|檢查|重启|重啟|部署)[^每都总總先前时時是会會]*$`,
		),
	},
	{
		asks:   pattern.New(`^(?:记得|記得)[,，、\s]*(?P<text>\S.*)$`),
		refuse: pattern.OneOf(`^(?:我|我们|我們|上次|之前|以前|当时|當時|那|你|吗|嗎|他|她|了)`),
	},
	{
		strong: true,
		kind:   Feedback,
		asks: pattern.New(
			`^(?:从现在开始|從現在開始|从现在起|從現在起|从今以后|從今以後|从今往后|從今往後|从今天起|從今天起|从此以后|從此以後|从此|從此)[,，、:：\s]*(?P<text>.*)$`,
		),
	},
	{
		strong: true,
		kind:   Feedback,
		asks: pattern.New(
			`^(?:今后|今後|以后|以後|往后|往後|之后都|之後都|接下来都|接下來都|将来|將來|未来|未來|下次)[,，、:：\s]*(?P<text>(?:请|請|都|记得|記得|不要|别|別|不准|不许|` +
				`不許|必须|必須|一律|总是|總是|要|只|用|每次|每个|每個|一定|全部|默认|默認|预设|預設|所有|写|寫|你|在|先|回答|回复|回覆|提交|遇到|如果|凡是|尽量|盡量|改用|使用|` +
				`代码|代碼|程式|测试|測試|我们都|我們都).*)$`,
		),
		refuse: pattern.OneOf(`^(?:要|如果)(?:是|有(?:时间|時間|机会|機會|空))`, `再说|再說|^你(?:会|會|可能)|可能|也许|也許|^在.{0,6}(?:会|會)`),
	},
	{
		strong: true,
		kind:   Feedback,
		asks: pattern.New(
			`^(?:(?:今后|今後|以后|以後|往后|往後)(?P<text>`, beforeZh, `)|(?P<text>下次`, beforeZh, `))$`,
		),
	},
	{
		kind: Feedback,
		asks: pattern.New(
			`^(?:今后|今後|以后|以後|往后|往後)[,，、\s]*(?P<text>[^，。,可会會再]{1,12}(?:都|要|用|使用|不要|别|別|必须|必須|应该|應該|一律|写|寫|放在|保持).+)$`,
		),
		refuse: pattern.OneOf(`可能|也许|也許|再说|再說|如果|^(?:我|我们|我們)(?:要|想|会|會)`),
	},
	{
		kind: Feedback,
		asks: pattern.New(
			`^(?P<text>(?:总是|總是|始终|始終|一律|务必|務必|永远不要|永遠不要|永远别|永遠別|绝不要?|絕不要?|绝对不要|絕對不要|绝对不能|絕對不能|千万不要|千萬不要|千万别|千萬別|` +
				`每次).{2,})$`,
		),
		refuse: pattern.OneOf(
			`^(?:总是|總是|始终|始終|每次)(?:都)?(?:报错|報錯|失败|失敗|出错|出錯|出现|出現|不|卡|挂|掛|有|会|會|是|很|没|沒|崩|超时|超時|这样|這樣|让|讓|在|觉得|覺得|忘|`+
				`找|看到|遇到)`,
			`^每次.{1,20}(?:都会|都會|都报|都報|就报|就報|都失败|都失敗|都要等|都很|都卡|都出)`,
		),
	},
	{
		kind: Feedback,
		asks: pattern.New(
			`^(?P<text>(?:我|我们|我們|个人|個人)(?:个人|個人|一般|通常|平时|平時|还是|還是|们团队|們團隊)?(?:更喜欢|更喜歡|比较喜欢|比較喜歡|更偏好|偏好|更偏爱|偏爱|偏愛|` +
				`更倾向|更傾向|比较倾向|比較傾向|倾向于|傾向於|倾向|傾向|更习惯|更習慣|习惯用|習慣用|习惯使用|習慣使用|喜欢|喜歡|不喜欢|不喜歡|` +
				`希望你(?:以后|以後|总是|總是|每次|始终|始終|一直)).+)$`,
		),
		refuse: pattern.OneOf(`(?:喜欢|喜歡|偏好|倾向于?|傾向於?|习惯|習慣)(?:这|這|那|你的|他|她|第|方案|前者|后者|後者|它|用这|用這)`),
	},
}

// Japanese.
const (
	keepJa = `(?:念のため)?(?:覚えて(?:おいて|おけ|いて|ください|下さい|ほしい|欲しい|ね)?|おぼえて(?:おいて|いて)?|覚えといて|記憶して(?:おいて)?|記憶に残して(?:おいて)?|` +
		`メモして(?:おいて)?|メモっておいて|メモリに(?:保存|追加|記録)して(?:おいて)?|忘れないで|忘れないように(?:して)?|お忘れなく|` +
		`念頭に(?:置|お)いて(?:おいて)?|頭に(?:入れて|置いて)(?:おいて)?|心に(?:留|と)めて(?:おいて)?|` +
		`書き留めて(?:おいて)?|控えておいて)(?:ください|下さい|くださいね|くれ|くれますか|` +
		`もらえますか|もらえる|ほしい|欲しい|いただけますか|です)?(?:ね|よ|な)?`
)

var (
	japanese = []directive{
		{
			strong: true,
			asks: pattern.New(
				`^(?:(?:これ|この(?:こと|点|ルール)|それ|次の(?:こと|点|内容|ルール)|以下(?:のこと|の内容|の点|のルール)?)(?:を|は)?)?`,
				keepJa,
				`(?:の?です|んです|んだ|の)?(?:が|けど|けれど)?\s*(?P<open>[:：、,])\s*(?P<text>.*)$`,
			),
		},
		{
			strong: true,
			asks: pattern.New(
				`^(?:(?:これ|この(?:こと|点|ルール)|それ|そのこと)(?:は|を|も)?(?:、)?)?(?:必ず|絶対に?|ちゃんと|しっかり|よく)?`,
				keepJa,
				end,
			),
		},
		{
			strong: true,
			asks: pattern.New(
				`^(?P<text>\S.{2,}?)(?:(?:という|って(?:いう)?|である|な|の)?(?:こと|点|の)(?:を|は)|(?:だ)?と(?:いうふうに)?|って|を|は|`+
					`の(?:を|は))?[、,]?\s*(?:必ず|ちゃんと|しっかり|よく)?`,
				keepJa,
				end,
			),
			refuse: pattern.OneOf(
				`^(?:昨日|この前|前に|あの時|私|僕|俺)(?:は|が).{0,8}$`, `ボタン$|機能$|パスワード$`,
				`^[^はがも毎必常前後]*[うくすつぬぶむる]$`, // work to be done once
			),
		},
		{
			strong: true,
			asks:   pattern.New(`^(?:後で使うための|今後のための|将来のための)?(?:メモ|覚え書き|備忘録?)\s*(?P<open>[:：])\s*(?P<text>.*)$`),
		},
		{
			strong: true,
			kind:   Feedback,
			asks: pattern.New(
				`^(?:これから(?:は|も)?|これ以降(?:は)?|今後(?:は|も)?|以後(?:は)?|以降は|今から(?:は)?|` +
					`次回(?:から|以降)(?:は)?)[、,:：\s]*(?P<text>\S.*)$`,
			),
			refuse: pattern.OneOf(
				`(?:予定|つもり|かもしれ|でしょう|と思い|と思う|考え(?:ます|る|ています)|^も?必ずお願い|楽しみ|課題|見込み|はずです|よろしく)`,
				`^(?:の|が|どう)`,
				`^も?(?:ずっと|同様|同じよう|そのよう|その通り)`,
				`^.{0,12}(?:会議|出かけ|試し(?:ます|てみ)|実装し(?:ます|ていき)|始め(?:ます|る))`,
			),
		},
		{
			kind: Feedback,
			asks: pattern.New(
				`^(?P<text>(?:.{0,40}?(?:いつも|常に|必ず|絶対に?|決して|毎回))[^。]*(?:してください|して下さい|してほしい|して欲しい|しないで|しないこと|すること|`+
					`使って|使うこと|書いて|書くこと|答えて|お願いします|ください|下さい|ようにして|するな|しろ|くれ))`,
				end,
			),
		},
		{
			kind: Feedback,
			asks: pattern.New(
				`^(?P<text>(?:私は|僕は|俺は|個人的に(?:は)?)?[^。]{2,}(?:(?:の)?(?:方|ほう)が(?:好き|好み|いい|良い|よい)|を好(?:み|む)|`+
					`(?:が|の)好み)(?:です|だ|ます|んです|かな)?(?:ね|よ|な)?)`,
				end,
			),
			refuse: pattern.OneOf(`^(?:これ|それ|こっち|そっち|前者|後者|最初|二番目|案)`),
		},
	}
)

// Korean.
const (
	keepKo = `(?:기억해|기억해\s?둬|기억해\s?두(?:세요|십시오|렴|어)|기억하(?:세요|십시오|도록 해)|기억(?:해|좀) ?(?:줘|주세요|주십시오|주라|줄래요?)|` +
		`기억(?:좀)? ?부탁(?:해|드려요|드립니다)|메모해 ?(?:줘|주세요|둬|두세요)|외워 ?(?:줘|둬|두세요)|잊지 ?(?:마|말아|마세요|말아 ?줘|말아 ?주세요|말 것|마십시오)|` +
		`명심해(?: ?(?:줘|둬|두세요))?|명심하(?:세요|십시오)|염두에 (?:둬|두세요|두십시오|두어 ?줘)|적어 ?(?:둬|두세요|놔|놓으세요)|` +
		`메모리에 (?:저장|추가|기록)해 ?(?:줘|주세요))(?:요)?`
)

var (
	korean = []directive{
		{
			strong: true,
			asks: pattern.New(
				`^(?:(?:이것|이거|이걸|이 (?:점|내용|규칙)|다음(?: 내용| 사항| 규칙)?|아래(?: 내용)?)(?:을|를|은|는|도)?\s*)?(?:꼭\s*|잘\s*)?`,
				keepKo,
				`\s*(?P<open>[:：,])\s*(?P<text>.*)$`,
			),
		},
		{
			strong: true,
			asks: pattern.New(
				`^(?:이것|이거|이걸|그것|그거|그걸|이 (?:점|내용|규칙)|그 ?점)(?:을|를|은|는|도)?\s*(?:꼭\s*|잘\s*)?`,
				keepKo,
				end,
			),
		},
		{
			strong: true,
			asks: pattern.New(
				`^(?P<text>\S.{2,}?)(?:\s*(?:(?:라|다|이라)는|는|은|인|한|할)\s*(?:것|걸|거|점|사실)(?:을|를|은|는|도)?|(?:이라|라)고|고|`+
					`,)?\s+(?:꼭\s*|잘\s*)?`,
				keepKo,
				end,
			),
			refuse: pattern.OneOf(
				`^(?:나는|내가|저는|제가).{0,4}$`, `(?:버튼|기능|비밀번호)$`,
				`^[^은는이가항매꼭반전]*$`, // work to be done once
			),
		},
		{strong: true, asks: pattern.New(`^(?:나중을 위한 |참고용 )?메모\s*(?P<open>[:：])\s*(?P<text>.*)$`)},
		{
			strong: true,
			kind:   Feedback,
			asks: pattern.New(
				`^(?:앞으로(?:는|도)?|이제부터(?:는)?|지금부터(?:는)?|이후로(?:는)?|다음부터(?:는)?|향후(?:에는)?)[,:：\s]+(?P<text>\S.*)$`,
			),
			refuse: pattern.OneOf(
				`(?:예정|계획|것 같|겠지|지도 모|기대|생각(?:입니다|이에요|이다|중)|할게|하겠습니다|될 거|시작(?:합니다|할게|하자))`,
				`^(?:의|잘 부탁)`,
			),
		},
		{
			kind: Feedback,
			asks: pattern.New(
				`^(?P<text>(?:.{0,40}?(?:항상|언제나|절대로?|반드시|꼭|매번))[^.]*(?:하세요|해 ?주세요|해 ?줘|해라|하지 ?마(?:세요|라|십시오)?|`+
					`쓰지 ?마(?:세요)?|말 ?것|할 것|주세요|해요|세요|십시오|써 ?줘|마세요|마|지 마))`,
				end,
			),
		},
		{
			kind: Feedback,
			asks: pattern.New(
				`^(?P<text>(?:나는|난|저는|전|내가|제가|우리는|개인적으로)?\s*[^.]{2,}(?:선호(?:해|해요|합니다|한다|하는 편(?:이야|이에요|입니다))|`+
					`(?:이|가|게|쪽이|는 게|는 것이) (?:더 )?(?:좋아|좋아요|좋습니다|낫다|나아|나아요|편해|편해요)|`+
					`(?:을|를) (?:더 )?(?:좋아해|좋아해요|좋아합니다)))`,
				end,
			),
			refuse: pattern.OneOf(`^(?:이게|그게|이것|그것|이거|그거|첫|두 ?번째|전자|후자|이쪽|그쪽)`),
		},
	}
)

// German.
var german = []directive{
	{
		strong: true,
		asks: pattern.New(
			`^(?:merk\w*(?: dir| euch| sie sich)?|denk\w*(?: bitte)? (?:dran|daran)|vergiss(?: bitte)? nicht|`+
				`vergesst(?: bitte)? nicht|vergessen sie(?: bitte)? nicht|notier\w*(?: dir| euch)?|`+
				`behalt\w*(?: bitte)? im (?:kopf|gedächtnis|hinterkopf)|`+
				`speicher\w* (?:das |dies |dir )?(?:in deinem gedächtnis|ins gedächtnis|`+
				`im gedächtnis)|(?:wichtig |zur info |merke )?für (?:später|spätere sitzungen|`+
				`die zukunft))(?:\s+(?:bitte|das|dies(?:es)?|folgendes|`+
				`für (?:später|die zukunft|das nächste mal)|mal|eins|gut|noch))*`,
			open,
		),
	},
	{
		strong: true,
		asks: pattern.New(
			`^(?:merk\w* (?:dir|euch|sie sich)|denk\w*(?: bitte)? (?:dran|daran)|vergiss(?: bitte)? nicht|` +
				`vergesst(?: bitte)? nicht|behalt\w*(?: bitte)? im (?:kopf|gedächtnis|hinterkopf)|` +
				`denk\w*(?: (?:bitte|auch|immer|stets|künftig|zukünftig|in zukunft|ab (?:jetzt|` +
				`sofort)))* (?:dran|daran)|` +
				`notier\w* dir)(?:\s+(?:bitte|das|mal|auch|` +
				`für (?:später|die zukunft)))*,?\s+(?:dass\s+(?P<clause>\S.*)|` +
				`(?P<text>(?:wir|ich|immer|nie|niemals)\s.*))$`,
		),
	},
	{
		strong: true,
		kind:   Feedback,
		asks: pattern.New(
			`^(?:denk\w*(?: (?:bitte|auch))* (?:dran|daran)|vergiss(?: bitte)? nicht|vergesst(?: bitte)? nicht),?\s+` +
				`(?P<text>(?:\S+\s+){0,6}?(?:vor|nach|bei|in|für) (?:jede[mrns]?|allen?)\s.*` +
				`(?:\bzu \p{L}+n|\p{L}zu\p{L}+n)[.!]?)$`,
		),
	},
	{
		strong: true,
		asks: pattern.New(
			`^(?:merk\w* (?:dir|euch|sie sich)|behalt\w*(?: bitte)?) (?:bitte )?(?:das|dies|es)(?: bitte|`+
				` im (?:kopf|hinterkopf|gedächtnis)| gut| für (?:später|die zukunft))*`,
			end,
		),
	},
	{
		strong: true,
		kind:   Feedback,
		asks: pattern.New(
			`^(?:ab (?:jetzt|sofort|heute|nun)|von (?:nun|jetzt|heute) an|künftig|zukünftig|in zukunft|` +
				`fortan)[,:]?\s+(?P<text>\S.*)$`,
		),
		refuse: pattern.OneOf(
			`\b(?:könnte\w*|vielleicht|würde\w*|möglicherweise|eventuell)\b`,
			`^(?:wird|werden|soll es|kommt|gibt|ist)\b`,
		),
	},
	{
		kind: Feedback,
		asks: pattern.New(`^(?P<text>(?:immer|niemals|nie)\s+\S+.*(?:en|ern|eln|n|e|est)`, end, `)`),
		refuse: pattern.OneOf(
			`^(?:immer|nie|niemals)\s+(?:noch|wieder|mehr|wenn|der|die|das|dieser|diese|schon|so|gleich|derselbe|` +
				`dasselbe|im|ein|eine|gesehen|gehabt|mal|ist|war|hat|habe|öfter|gut|schlechter|besser)\b`,
		),
	},
	{
		kind: Feedback,
		asks: pattern.New(
			`^(?P<text>(?:verwend\w+|nutz\w*|benutz\w*|schreib\w*|antwort\w*|mach\w*|führ\w*|frag\w*|lass\w*|` +
				`halte?|nimm|lösch\w*|ändere?|committe?|teste?|setz\w*|gib|` +
				`formatier\w*)\s+(?:\S+\s+){0,5}?(?:immer|nie|niemals|grundsätzlich)\b.*)$`,
		),
	},
	{
		kind: Feedback,
		asks: pattern.New(
			`^(?:bitte\s+)?(?P<text>(?:verwend\w+|nutz\w*|benutz\w*|schreib\w*|antwort\w*|mach\w*|frag\w*|lass\w*|` +
				`nimm|committe?|teste?|setz\w*|gib)\s.*\b(?:ab (?:jetzt|sofort|heute)|von nun an|künftig|` +
				`in zukunft)\b.*)$`,
		),
	},
	{
		kind: Feedback,
		asks: pattern.New(
			`^(?P<text>ich (?:bevorzuge|ziehe .+ vor|mag lieber|hätte lieber|arbeite lieber|verwende lieber|` +
				`nutze lieber|schreibe lieber|(?:will|möchte|hätte gern\w*) (?:immer|grundsätzlich|generell|stets|` +
				`prinzipiell))\b.*|mir (?:ist|sind|wäre|wären) .+ lieber\b.*|wir bevorzugen\b.*)$`,
		),
		refuse: pattern.OneOf(
			`bevorzuge\s+(?:das|dies|die (?:erste|zweite|letzte)|den (?:ersten|zweiten)|option|variante)\b`,
		),
	},
	{
		strong: true,
		asks: pattern.New(
			`^(?P<text>\S.{6,}?)\s*(?:[,;]|\s[—–-])\s*(?:bitte\s+)?merk\w* (?:dir|euch) (?:das|dies)(?: bitte)?`,
			end,
		),
		refuse: reported,
	},
}

// French.
var french = []directive{
	{
		strong: true,
		asks: pattern.New(
			`^(?:souviens-toi|souvenez-vous|rappelle-toi|rappelez-vous|retiens|retenez|`+
				`n'oublie(?:z)? (?:pas|jamais)|garde(?:z)? (?:ceci |cela |ça )?(?:bien )?(?:en tête|en mémoire|`+
				`à l'esprit)|mémorise(?:z)?|note(?:z)? (?:bien|ceci|cela|ça|`+
				`pour (?:plus tard|la suite|l'avenir|la prochaine fois))|prends note|`+
				`enregistre (?:ceci |ça |cela )?(?:en|dans (?:ta|la)) mémoire|`+
				`pour (?:plus tard|référence))(?:\s+(?:bien|de ceci|de cela|de ça|`+
				`ceci|cela|ça|ce qui suit|la règle suivante|`+
				`pour (?:plus tard|la suite|l'avenir|la prochaine fois)))*`,
			open,
		),
		refuse: pattern.OneOf(`^$`),
	},
	{
		strong: true,
		asks: pattern.New(
			`^(?:souviens-toi|souvenez-vous|rappelle-toi|rappelez-vous|retiens|retenez|` +
				`n'oublie(?:z)? (?:pas|jamais)|garde(?:z)? (?:bien )?(?:en tête|en mémoire|à l'esprit)|` +
				`mémorise(?:z)?|note(?:z)?(?: bien| pour plus tard)?|prends note|` +
				`sache(?:z)?)(?:\s+bien)?\s*(?:que\s+|qu')(?P<text>\S.*)$`,
		),
	},
	{
		strong: true,
		asks: pattern.New(
			`^(?:souviens-t'en|souviens-toi de (?:ça|cela|ceci)|retiens(?:-le| ça| cela| ceci| bien ça)|`+
				`retenez(?:-le| ça| cela)|garde(?:z)? (?:ça|cela|ceci) en (?:tête|mémoire)|`+
				`mémorise (?:ça|cela|ceci)|n'oublie pas (?:ça|cela))`,
			end,
		),
	},
	{
		asks: pattern.New(
			`^(?:souviens-toi|rappelle-toi|pense|pensez)\s+(?:de |d'|` +
				`à )(?P<text>(?:toujours|ne (?:jamais|pas)|ne pas|utiliser|lancer|exécuter|vérifier|mettre|tester|` +
				`écrire|faire)\b.*)$`,
		),
		kind: Feedback,
	},
	{
		asks: pattern.New(
			`^n'oublie(?:z)? (?:pas|jamais)\s+(?:de |d')(?P<text>(?:toujours|ne)\b.*|` +
				`.*\b(?:toujours|jamais|chaque|avant de|avant chaque|après chaque|quand|lorsque)\b.*)$`,
		),
		kind: Feedback,
	},
	{
		strong: true,
		kind:   Feedback,
		asks: pattern.New(
			`^(?:à partir (?:de maintenant|d'aujourd'hui|de là)|désormais|dorénavant|à l'avenir|` +
				`dès (?:maintenant|à présent)|pour toutes les prochaines fois)[,:]?\s+(?P<text>\S.*)$`,
		),
		refuse: pattern.OneOf(
			`\b(?:peut-être|pourrait|pourrions|on verra|devrait pouvoir)\b`,
			`^(?:il|elle|ce|cela|ça|le projet) (?:sera|va|fera)`,
		),
	},
	{
		kind: Feedback,
		asks: pattern.New(
			`^(?P<text>toujours\s+\p{L}+(?:er|ir|re|oir)\b.*|ne (?:jamais|pas) (?:plus )?\p{L}+(?:er|ir|re|` +
				`oir)\b.*|n'\p{L}+(?:e|ez|is|s) jamais\b.*|ne \p{L}+(?:e|ez|is|s) jamais\b.*|` +
				`(?:utilise|utilisez|emploie|réponds|répondez|écris|écrivez|lance|lancez|mets|mettez|fais|faites|` +
				`vérifie|vérifiez|demande|demandez|préfère|garde|teste|` +
				`nomme)(?:-\p{L}+)?\s+(?:\S+\s+){0,3}?toujours\b.*)$`,
		),
	},
	{
		kind: Feedback,
		asks: pattern.New(
			`^(?P<text>(?:je|nous|moi,? je)\s+(?:préfère|préférons|préfèrerais|préférerais)\b.*|j'aime mieux\b.*|` +
				`ma préférence (?:est|va)\b.*)$`,
		),
		refuse: pattern.OneOf(
			`préf[èé]r\p{L}+\s+(?:ça|cela|celui|celle|le premier|la première|le second|la seconde|le deuxième|` +
				`la deuxième|l'option|cette|ce)\b`,
		),
	},
	{
		strong: true,
		asks: pattern.New(
			`^(?P<text>\S.{6,}?)\s*(?:[,;]|\s[—–-])\s*(?:souviens-t'en|retiens(?:-le| ça| cela| bien ça)|`+
				`garde ça en (?:tête|mémoire)|ne l'oublie pas)`,
			end,
		),
		refuse: reported,
	},
}

// Spanish.
var spanish = []directive{
	{
		strong: true,
		asks: pattern.New(
			`^(?:recuerd[ae]|recuérdalo|acuérdate|acuérdese|ten (?:en cuenta|presente|en mente)|`+
				`tenga (?:en cuenta|presente|en mente)|no (?:te )?olvides|no (?:se )?olvide|anot[ae]|apunt[ae]|`+
				`memoriz[ae]|memorice|guard[ae] (?:esto |eso )?en (?:la |tu )?memoria|`+
				`nota para (?:después|más tarde|el futuro|luego)|guard[ae] (?:esto|eso)|`+
				`para (?:después|más (?:tarde|adelante)|referencia futura))(?:\s+(?:bien|de esto|esto|`+
				`eso|lo siguiente|`+
				`la siguiente regla|para (?:después|más tarde|el futuro|luego|la próxima)))*`,
			open,
		),
		refuse: pattern.OneOf(`^$`),
	},
	{
		strong: true,
		asks: pattern.New(
			`^(?:recuerd[ae]|acuérdate|acuérdese|ten (?:en cuenta|presente|en mente)|` +
				`tenga (?:en cuenta|presente|en mente)|no (?:te )?olvides|no (?:se )?olvide|anot[ae]|apunt[ae]|` +
				`memoriz[ae]|guard[ae] en (?:la |tu )?memoria)(?:\s+(?:bien|` +
				`siempre))?\s+(?:de\s+)?que\s+(?P<text>\S.*)$`,
		),
	},
	{
		strong: true,
		asks: pattern.New(
			`^(?:recuérdalo|recuerda (?:esto|eso)|acuérdate de (?:esto|eso)|tenlo (?:en cuenta|presente)|`+
				`no lo olvides|memoriza (?:esto|eso)|apúntalo|guárdalo en (?:la |tu )?memoria)`,
			end,
		),
	},
	{
		asks: pattern.New(
			`^(?:no (?:te )?olvides|no (?:se )?olvide)\s+(?:de\s+)?(?P<text>(?:siempre|nunca)\b.*|` +
				`.*\b(?:siempre|nunca|cada|antes de|después de|cuando)\b.*)$`,
		),
		kind: Feedback,
	},
	{
		asks: pattern.New(
			`^(?:recuerda|recuerde|acuérdate de)\s+(?P<text>(?:siempre|nunca|no|usar|` +
				`utilizar|ejecutar|correr|poner|escribir|hacer|revisar|probar|actualizar)\b.*)$`,
		),
		kind: Feedback,
	},
	{
		strong: true,
		kind:   Feedback,
		asks: pattern.New(
			`^(?:a partir de (?:ahora|hoy|este momento)|de (?:ahora|aquí|hoy) en adelante|desde (?:ahora|hoy|ya)|` +
				`en adelante|en (?:el )?futuro|en lo sucesivo)[,:]?\s+(?P<text>\S.*)$`,
		),
		refuse: pattern.OneOf(
			`\b(?:quizás?|tal vez|podría\w*|puede que|a lo mejor)\b`,
			`^(?:habrá|será|va a|vamos a ver|esto|eso)\b`,
		),
	},
	{
		kind: Feedback,
		asks: pattern.New(`^(?P<text>(?:siempre|nunca)\s+\p{L}+.*)$`),
		refuse: pattern.OneOf(
			`^(?:siempre|nunca)\s+\p{L}{2,}(?:o|é|amos|emos|imos|aba|ó)\s`,
			`^(?:siempre|nunca)\s+(?:me|te|lo|la|le|se|nos|es|está|ha|he|hay|había|fue|era|falla|funciona|pasa|`+
				`ocurre|da|sale|sucede|hemos|vi|he|tuve|mejor|más|que|igual|lo mismo|supe|entendí)(?:\s|$)`,
			`^(?:siempre|nunca)\s+\p{L}+[.!]*$`,
		),
	},
	{
		kind: Feedback,
		asks: pattern.New(
			`^(?P<text>(?:usa|utiliza|responde|escribe|ejecuta|pon|haz|pregunta|prueba|revisa|mantén|nombra|corre|` +
				`no \p{L}+)\s+(?:\S+\s+){0,4}?(?:siempre|nunca)\b.*)$`,
		),
	},
	{
		kind: Feedback,
		asks: pattern.New(`^(?P<text>(?:yo )?(?:prefiero|preferiría|preferimos)\s+.*|mi preferencia es\b.*)$`),
		refuse: pattern.OneOf(
			`prefier\p{L}*\s+(?:esto|eso|ese|este|esta|esa|el primero|la primera|el segundo|la segunda|la opción|` +
				`el último|lo primero)\b`,
		),
	},
	{
		strong: true,
		asks: pattern.New(
			`^(?P<text>\S.{6,}?)\s*(?:[,;]|\s[—–-])\s*(?:recuérdalo|recuerda (?:esto|eso)|`+
				`tenlo (?:en cuenta|presente)|no lo olvides|apúntalo)`,
			end,
		),
		refuse: reported,
	},
}

// Portuguese.
var portuguese = []directive{
	{
		strong: true,
		asks: pattern.New(
			`^(?:lembr[ea](?:-se|-te)?|memoriz[ae]|não (?:se )?esqueça|não (?:te )?esqueças|`+
				`tenha em (?:mente|conta)|tem em (?:mente|conta)|guarde (?:isso |isto )?na memória|`+
				`guarda (?:isso |isto )?na memória|anot[ae]|nota para (?:depois|mais tarde|o futuro)|`+
				`salve (?:isso |isto )?na memória|guard[ae] (?:isso|isto)|para (?:depois|mais tarde|`+
				`referência futura))(?:\s+(?:bem|aí|disso|disto|isso|isto|o seguinte|do seguinte|`+
				`a seguinte regra|para (?:depois|mais tarde|o futuro|a próxima)))*`,
			open,
		),
		refuse: pattern.OneOf(`^$`),
	},
	{
		strong: true,
		asks: pattern.New(
			`^(?:lembr[ea](?:-se|-te)?|memoriz[ae]|não (?:se )?esqueça|não (?:te )?esqueças|` +
				`tenha em (?:mente|conta)|tem em (?:mente|conta)|` +
				`anot[ae])(?:\s+(?:bem|sempre|aí))?\s+(?:de\s+)?que\s+(?P<text>\S.*)$`,
		),
	},
	{
		strong: true,
		asks: pattern.New(
			`^(?:lembr[ea](?:-se|-te)? (?:disso|disto)|memorize (?:isso|isto)|não (?:se )?esqueça (?:disso|disto)|`+
				`anote (?:isso|isto)|tenha isso em (?:mente|conta)|guarde (?:isso|isto) na memória)`,
			end,
		),
	},
	{
		asks: pattern.New(
			`^não (?:(?:se )?esqueça|(?:te )?esqueças)\s+(?:de\s+)?(?P<text>(?:sempre|nunca)\b.*|` +
				`.*\b(?:sempre|nunca|cada|antes de|depois de|quando)\b.*)$`,
		),
		kind: Feedback,
	},
	{
		asks: pattern.New(
			`^lembr[ea](?:-se|-te)?\s+(?:de\s+)?(?P<text>(?:sempre|` +
				`nunca|não|usar|utilizar|executar|rodar|colocar|escrever|fazer|revisar|testar|atualizar)\b.*)$`,
		),
		kind: Feedback,
	},
	{
		strong: true,
		kind:   Feedback,
		asks: pattern.New(
			`^(?:a partir de (?:agora|hoje)|de agora em diante|daqui (?:em|para|pra|por) (?:diante|frente)|` +
				`doravante|no futuro|de hoje em diante)[,:]?\s+(?P<text>\S.*)$`,
		),
		refuse: pattern.OneOf(
			`\b(?:talvez|poderia\w*|pode ser que|quem sabe)\b`,
			`^(?:haverá|será|vai ser|isso|isto)\b`,
		),
	},
	{
		kind: Feedback,
		asks: pattern.New(`^(?P<text>(?:sempre|nunca)\s+\p{L}+.*)$`),
		refuse: pattern.OneOf(
			`^(?:sempre|nunca)\s+\p{L}{2,}(?:o|ei|amos|emos|imos|ava|ou|eu)\s`,
			`^(?:sempre|nunca)\s+(?:me|te|o|a|lhe|se|é|está|foi|era|há|houve|falha|funciona|acontece|dá|que|mais|`+
				`vi|tive|soube|entendi|quis|melhor|igual)(?:\s|$)`,
			`^(?:sempre|nunca)\s+\p{L}+[.!]*$`,
		),
	},
	{
		kind: Feedback,
		asks: pattern.New(
			`^(?P<text>(?:use|utilize|responda|escreva|execute|rode|coloque|faça|pergunte|teste|revise|mantenha|` +
				`não \p{L}+)\s+(?:\S+\s+){0,4}?(?:sempre|nunca)\b.*)$`,
		),
	},
	{
		kind: Feedback,
		asks: pattern.New(`^(?P<text>(?:eu )?(?:prefiro|preferiria|preferimos)\s+.*|minha preferência é\b.*)$`),
		refuse: pattern.OneOf(
			`prefir\p{L}*\s+(?:isso|isto|esse|este|esta|essa|o primeiro|a primeira|o segundo|a segunda|a opção|` +
				`o último)\b`,
		),
	},
	{
		strong: true,
		asks: pattern.New(
			`^(?P<text>\S.{6,}?)\s*(?:[,;]|\s[—–-])\s*(?:lembr[ea]-(?:se|te) (?:disso|disto)|`+
				`não (?:se )?esqueça (?:disso|disto)|tenha isso em mente)`,
			end,
		),
		refuse: reported,
	},
}
