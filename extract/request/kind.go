package request

import "github.com/wm-lsp/wm-lsp/extract/pattern"

// The type of an entry depends on its text: a preference or rule is feedback, a
// choice is a decision, a location is a reference, and everything else is project.

var (
	ruleStart = pattern.OneOf(
		`^(?:please |(?:that )?(?:you|we|i) )?(?:always|never|prefer|don'?t|do not|avoid|should(?:n't)?|`+
			`must(?:n't)?)\b`,
		`^(?:only|no) `,
		`^(?:not to|use|write|run|keep|put|add|ask|make|follow|explain|respond|reply)\b`,
		`^(?:check|commit|name|format|answer|call|test|wrap|sign|stop|leave|treat|log|show|update|return)\s+(?:the|`+
			`an?|your|every|all|each|any|in|with|before|after|it|to|only|my|our|new|first|small|short|me)\b`,
		`^(?:i|we) (?:really |strongly |much |also |don't |do not |always |never )*(?:prefer|like|love|hate|`+
			`dislike|want)\b`,
		`^my (?:\w+ )?prefer`,
		`^(?:请|請|不要|别|別|总是|總是|始终|始終|永远|永遠|绝不|絕不|必须|必須|禁止|避免|每次|一律|务必|務必|使用|用|先|只)`,
		`^(?:我|我们|我們).{0,4}(?:喜欢|喜歡|偏好|习惯|習慣|倾向|傾向|讨厌|討厭)`,
		`^.{0,16}(?:必须|必須|不要|总是|總是|都要|一定要|不能|应该|應該|务必|務必|不得|禁止)`,
		`^(?:提交|部署|修改|删除|刪除|发布|發布|写|寫|改|合并|合併).{0,8}(?:前|后|後|时|時)`,
		`(?:してください|しないで|しない|すること|するな|べき|好み|好き|嫌い|禁止|必要がある|なければならない)[。.]?$`,
		`(?:いつも|常に|必ず|絶対)`,
		`(?:하세요|하지 ?마|해야|선호|좋아|싫어|금지|말 ?것|할 것)`,
		`(?:항상|언제나|절대|반드시)`,
		`^(?:immer|nie|niemals|bitte|verwende|nutze|benutze|kein)|`+
			`\b(?:immer|niemals|bevorzuge|lieber|soll(?:en|st)?|muss|müssen)\b`,
		`^(?:toujours|ne |n'|utilise|évite)\b|\b(?:toujours|jamais|préf[èé]r\p{L}*|doit|doivent|il faut)\b`,
		`^(?:siempre|nunca|usa|no uses|evita)\b|\b(?:siempre|nunca|prefier\p{L}*|deben?|debería\p{L}*|hay que)\b`,
		`^(?:sempre|nunca|use|não use|evite)\b|\b(?:sempre|prefir\p{L}*|deve(?:m|mos|ria)?\b|tem que)\b`,
	)
	choiceWords = pattern.OneOf(
		`\b(?:decided|decision|chose|chosen|choose|settled on|agreed|opted|instead of|rather than|in favou?r of|`+
			`we(?:'re| are) (?:going with|using|moving to|switching)|`+
			`we(?:'ll| will) (?:use|go with|stick|keep|move|switch)|(?:going|went|go) with|`+
			`switch(?:ed|ing) (?:to|from)|replaced? .* (?:with|by)|migrat(?:ed|ing) (?:to|from)|moved (?:to|from)|`+
			`let'?s use|we use .+ (?:not|over|because))\b`,
		`决定|決定|选择了|選擇了|选用|選用|采用|採用|选定|選定|而不是|改用|改成|换成|換成|不再使用`,
		`ことに(?:した|する|しました|します|なった|なりました|決め)|に決め|採用|ではなく|の代わりに|選択|移行`,
		`하기로|결정|채택|선택했|대신|말고`,
		`\b(?:entschieden|beschlossen|statt|anstatt|anstelle|umgestiegen|décidé|choisi|au lieu d|plutôt qu|opté|`+
			`decidido|decidimos|elegimos|elegido|en lugar de|en vez de|optamos|escolhemos|em vez de|ao invés)`,
	)
	placeWords = pattern.OneOf(
		`https?://|\bwww\.|(?:^|\s)(?:~|\.{0,2})/[\w.-]+/|\b[\w-]+/[\w./-]+\.\w{1,5}\b|`+
			`#[\w-]{3,}\s+(?:channel|on slack)`,
		`\b(?:docs?|documentation|wiki|runbook|dashboard|spec|specification|design doc|readme|guide|tracker|board|`+
			`ticket|schema|config(?:uration)?|credentials?|logs?|source|code|definitions?|examples?|scripts?|`+
			`templates?|fixtures?|mockups?|designs?|secrets|diagram|adrs?|changelog)\b[^.]{0,40}\b(?:is|are|lives?|`+
			`located|found|kept|stored|under|documented|at|in|hosted)\s+(?:\w+\s+)?(?:at|in|under|on|inside|here|`+
			`the)\b`,
		`\b(?:can be found|is located|are located|is documented|are documented|lives? (?:in|at|under|on)|`+
			`(?:look|see|refer|check) (?:in|at|to)|is hosted (?:at|on)|is tracked in)\b`,
		`(?:文档|文檔|文件|脚本|腳本|代码|代碼|源码|源碼|模板|设计稿|設計稿|手册|手冊|说明|說明|资料|資料|仪表盘|儀表板|看板|配置|日志|日誌|地址|链接|連結|网址|網址).{0,16}(?:在|`+
			`位于|位於|是|见|見)|(?:位于|位於|参见|參見|请看|請看)`,
		`(?:ドキュメント|資料|仕様書|設定|ログ|設計書|ダッシュボード|ファイル|手順書).{0,24}(?:にあ|にあり|を参照|に置|は|です)|を参照`,
		`(?:문서|자료|설정|로그|대시보드|위키|파일|주소|링크).{0,24}(?:에 있|을 참고|를 참고|은|는)|참고(?:해|하)`,
		`(?:doku\w*|document\w*|wiki|handbuch|spezifikation|anleitung|konfiguration|code|logs?|guide|guía|guia|`+
			`panel|configura\w*|código|archivo|arquivo|especifica\w*|spécification|fichier)\b[^.]{0,40}\b(?:liegt|`+
			`liegen|steht|stehen|befindet|befinden|findest du|findet man|se trouve\w*|est|sont|está|están|estão|`+
			`se encuentra\w*|fica|ficam)(?: |$)`,
	)
	ruleAnywhere = pattern.OneOf(
		`\b(?:must|should|prefer\w*|avoid|shouldn't|mustn't|not allowed|forbidden|only ever|i (?:like|hate|want)|` +
			`you (?:always|never))\b`,
	)
)

// kindOf returns the type of an entry with a string.
func kindOf(text string) string {
	switch {
	case ruleStart.Match(text) && !(choiceWords.Match(text) && !firmRule.Match(text)):
		return Feedback
	case choiceWords.Match(text):
		return Decision
	case placeWords.Match(text):
		return Reference
	case ruleAnywhere.Match(text):
		return Feedback
	}
	return Project
}

// firmRule matches strings that are rules although they name an alternative.
var firmRule = pattern.OneOf(
	`^(?:please |you |i |we )*(?:always|never|prefer|don'?t|do not|avoid|use|should|must|only|want|like|hate)\b`,
	`^(?:请|請|总是|總是|不要|别|別|始终|始終|使用|用|我)`,
	`(?:してください|好み|好き|ください)`,
	`(?:하세요|선호|주세요)`,
	`^(?:immer|nie|bitte|verwende|ich|toujours|ne |utilise|je|siempre|nunca|usa|prefiero|sempre|use|prefiro)`,
)
