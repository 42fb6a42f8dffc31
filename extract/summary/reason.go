package summary

import "github.com/wm-lsp/wm-lsp/extract/pattern"

var (
	reasonWords = []pattern.Wording{{
		Words: pattern.Words(
			`because|since|so that|due to|as it|as we|as the|in order to|otherwise|the reason|—| – |weil|damit|` +
				`denn|da |sonst|wegen|因为|因為|由于|由於|这样|這樣|以便|为了|為了|否则|否則|原因|ので|ため|から|理由|때문|위해|하므로|니까|이므로|parce que|` +
				`car |puisque|afin|sinon|à cause|porque|ya que|para que|debido|pois|já que|así que`,
		),
		Pattern: pattern.OneOf(
			`\b(?:because|since|so that|due to|in order to|otherwise|the reason)\b`,
			`, as (?:it|we|the|they)\b`,
			`\s[—–]\s`,
			`\b(?:weil|damit|denn|sonst|wegen)\b`,
			`, da \p{L}`,
			`因为|因為|由于|由於|这样|這樣|以便|为了|為了|否则|否則|原因`,
			`ので|ため|から、|からです|理由`,
			`때문|위해|하므로|이므로|니까`,
			`\b(?:parce que|car|puisque|afin (?:de|que)|sinon)\b|à cause`,
			`\b(?:porque|ya que|para que|debido|pois|así que)\b|já que`,
		),
	}}
	reasonStart = pattern.OneOf(
		`^(?:because|since|so that|that way|this way|otherwise|the (?:main )?reason|reason[:：]|why[:：]|due to|`+
			`it'?s because|this is because|that'?s because|it is because)\b`,
		`^(?:reason|why)\s*[:：]`,
		`^(?:weil|damit|denn|so |sonst|der grund|grund[:：]|begründung)`,
		`^(?:因为|因為|由于|由於|这样|這樣|以便|为了|為了|否则|否則|原因|理由)`,
		`^(?:なぜなら|理由|そうすれば|そうしないと|というのも)|(?:からです|ためです)[。.]?$`,
		`^(?:왜냐하면|이유|그래야|그렇지 않으면)|때문입니다[.]?$`,
		`^(?:parce que|car |ainsi|sinon|la raison|raison)`,
		`^(?:porque|así|de lo contrario|la razón|razón|pois|assim|senão|a razão|motivo)`,
	)
)

// givesReason reports whether a sentence gives a reason.
func givesReason(sentence string) bool { return pattern.Match(sentence, reasonWords) }

// beginsReason reports whether a sentence gives a reason for the one before it.
func beginsReason(sentence string) bool { return reasonStart.Match(sentence) }
