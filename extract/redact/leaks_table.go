// Code generated from the rules of gitleaks (MIT, see gitleaks/LICENSE); DO NOT EDIT.

package redact

var leakTable = []leak{
	{id: "1password-secret-key", keywords: []string{"a3-"},
		pattern: "\\bA3-[A-Z0-9]{6}-(?:(?:[A-Z0-9]{11})|(?:[A-Z0-9]{6}-[A-Z0-9]{5}))-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}\\b", group: 0, entropy: 3.8, reach: 160, run: 39, allowed: []allowance{}},
	{id: "1password-service-account-token", keywords: []string{"ops_"}, pattern: "ops_eyJ[a-zA-Z0-9+/]{250,}={0," +
		"3}", group: 0, entropy: 4, reach: 2048, run: 257, needs: []string{"ops_eyj"}, allowed: []allowance{}},
	{id: "adafruit-api-key", keywords: []string{"adafruit"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:adafruit)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}([a-z0-9_-]{32})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0, reach: 496, run: 32,
		allowed: []allowance{}},
	{id: "adobe-client-id", keywords: []string{"adobe"}, pattern: "(?i)[\\w.-]{0,50}?(?:adobe)(?:[ \\t\\w.-]{0," +
		"20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0,5}([a-f0-9]{32})(?:[\\x60'\"\\s;," +
		".:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 2, reach: 484, run: 32, allowed: []allowance{}},
	{id: "adobe-client-secret", keywords: []string{"p8e-"}, pattern: "\\b(p8e-(?i)[a-z0-9]{32})(?:[\\x60'\"\\s;," +
		".:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 2, reach: 152, run: 36, allowed: []allowance{}},
	{id: "age-secret-key", keywords: []string{"age-secret-key-1"},
		pattern: "AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}", group: 0, entropy: 0, reach: 296,
		run: 74, allowed: []allowance{}},
	{id: "airtable-api-key", keywords: []string{"airtable"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:airtable)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}([a-z0-9]{17})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0, reach: 436, run: 17,
		allowed: []allowance{}},
	{id: "airtable-personnal-access-token", keywords: []string{"airtable"},
		pattern: "\\b(pat[[:alnum:]]{14}\\.[a-f0-9]{64})\\b", group: 0, entropy: 0, reach: anywhere, run: 82,
		needs: []string{"pat"}, allowed: []allowance{}},
	{id: "algolia-api-key", keywords: []string{"algolia"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:algolia)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}([a-z0-9]{32})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0, reach: 492, run: 32,
		allowed: []allowance{}},
	{id: "alibaba-access-key-id", keywords: []string{"ltai"}, pattern: "\\b(LTAI(?i)[a-z0-9]{20})(?:[\\x60'\"\\s;," +
		".:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 2, reach: 104, run: 24, allowed: []allowance{}},
	{id: "alibaba-secret-key", keywords: []string{"alibaba"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:alibaba)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}([a-z0-9]{30})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 2, reach: 484, run: 30,
		allowed: []allowance{}},
	{id: "anthropic-admin-api-key", keywords: []string{"sk-ant-admin01"},
		pattern: "\\b(sk-ant-admin01-[a-zA-Z0-9_\\-]{93}AA)(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0,
		entropy: 0, reach: 448, run: 110, needs: []string{"sk-ant-admin01-"}, allowed: []allowance{}},
	{id: "anthropic-api-key", keywords: []string{"sk-ant-api03"},
		pattern: "\\b(sk-ant-api03-[a-zA-Z0-9_\\-]{93}AA)(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0,
		entropy: 0, reach: 440, run: 108, needs: []string{"sk-ant-api03-"}, allowed: []allowance{}},
	{id: "artifactory-api-key", keywords: []string{"akcp"}, pattern: "\\bAKCp[A-Za-z0-9]{69}\\b", group: 0,
		entropy: 4.5, reach: 292, run: 73, allowed: []allowance{}},
	{id: "artifactory-reference-token", keywords: []string{"cmvmd"}, pattern: "\\bcmVmd[A-Za-z0-9]{59}\\b",
		group: 0, entropy: 4.5, reach: 256, run: 64, allowed: []allowance{}},
	{id: "asana-client-id", keywords: []string{"asana"}, pattern: "(?i)[\\w.-]{0,50}?(?:asana)(?:[ \\t\\w.-]{0," +
		"20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0,5}([0-9]{16})(?:[\\x60'\"\\s;," +
		".:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0, reach: 420, run: 16, allowed: []allowance{}},
	{id: "asana-client-secret", keywords: []string{"asana"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:asana)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}([a-z0-9]{32})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0, reach: 484, run: 32,
		allowed: []allowance{}},
	{id: "atlassian-api-token", keywords: []string{"atlassian", "confluence", "jira", "atatt3"},
		pattern: "(?i)[\\w.-]{0," +
			"50}?(?:(?-i:ATLASSIAN|[Aa]tlassian)|(?-i:CONFLUENCE|[Cc]onfluence)|(?-i:JIRA|[Jj]ira))(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0,5}([a-z0-9]{20}[a-f0-9]{4})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)|\\b(ATATT3[A-Za-z0-9_\\-=]{186})(?:[\\x60'\"\\s;]|\\\\[nr]|$)", group: 0, entropy: 3.5, reach: 776, run: 24, allowed: []allowance{}},
	{id: "authress-service-client-access-key", keywords: []string{"sc_", "ext_", "scauth_", "authress_"},
		pattern: "\\b((?:sc|ext|scauth|authress)_(?i)[a-z0-9]{5,30}\\.[a-z0-9]{4,6}\\.(?-i:acc)[_-][a-z0-9-]{10," +
			"32}\\.[a-z0-9+/_=-]{30,120})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 2,
		reach: 824, run: 59, needs: []string{"acc"}, allowed: []allowance{}},
	{id: "aws-access-token", keywords: []string{"a3t", "akia", "asia", "abia", "acca"},
		pattern: "\\b((?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16})\\b", group: 0, entropy: 3, reach: 80,
		run: 20, allowed: []allowance{{target: "", all: false, patterns: []expression{".+EXAMPLE$"},
			stopwords: []string(nil)}}},
	{id: "aws-amazon-bedrock-api-key-long-lived", keywords: []string{"absk"}, pattern: "\\b(ABSK[A-Za-z0-9+/]{109," +
		"269}={0,2})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 3, reach: 1108, run: 113,
		allowed: []allowance{}},
	{id: "aws-amazon-bedrock-api-key-short-lived", keywords: []string{"bedrock-api-key-"},
		pattern: "bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t", group: 0, entropy: 3, reach: 176, run: 44,
		needs: []string{"bedrock-api-key-ymvkcm9jay5hbwf6b25hd3muy29t"}, allowed: []allowance{}},
	{id: "azure-ad-client-secret", keywords: []string{"q~"}, pattern: "(?:^|[\\\\'\"\\x60\\s>=:(," +
		")])([a-zA-Z0-9_~.]{3}\\dQ~[a-zA-Z0-9_~.-]{31,34})(?:$|[\\\\'\"\\x60\\s<),])", group: 0, entropy: 3,
		reach: 168, run: 37, allowed: []allowance{}},
	{id: "beamer-api-token", keywords: []string{"beamer"}, pattern: "(?i)[\\w.-]{0,50}?(?:beamer)(?:[ \\t\\w.-]{0," +
		"20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}(b_[a-z0-9=_\\-]{44})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0, reach: 544,
		run: 46, allowed: []allowance{}},
	{id: "bitbucket-client-id", keywords: []string{"bitbucket"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:bitbucket)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}([a-z0-9]{32})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0, reach: 500, run: 32,
		allowed: []allowance{}},
	{id: "bitbucket-client-secret", keywords: []string{"bitbucket"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:bitbucket)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}([a-z0-9=_\\-]{64})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0, reach: 628,
		run: 64, allowed: []allowance{}},
	{id: "bittrex-access-key", keywords: []string{"bittrex"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:bittrex)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}([a-z0-9]{32})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0, reach: 492, run: 32,
		allowed: []allowance{}},
	{id: "bittrex-secret-key", keywords: []string{"bittrex"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:bittrex)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}([a-z0-9]{32})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0, reach: 492, run: 32,
		allowed: []allowance{}},
	{id: "cisco-meraki-api-key", keywords: []string{"meraki"}, pattern: "[\\w.-]{0,50}?(?i:[\\w.-]{0," +
		"50}?(?:(?-i:[Mm]eraki|MERAKI))(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3})(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|," +
		")[\\x60'\"\\s=]{0,5}([0-9a-f]{40})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 3,
		reach: 720, run: 40, allowed: []allowance{}},
	{id: "clickhouse-cloud-api-secret-key", keywords: []string{"4b1d"}, pattern: "\\b(4b1d[A-Za-z0-9]{38})\\b",
		group: 0, entropy: 3, reach: 168, run: 42, allowed: []allowance{}},
	{id: "clojars-api-token", keywords: []string{"clojars_"}, pattern: "(?i)CLOJARS_[a-z0-9]{60}", group: 0,
		entropy: 2, reach: 272, run: 68, allowed: []allowance{}},
	{id: "cloudflare-api-key", keywords: []string{"cloudflare"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:cloudflare)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}([a-z0-9_-]{40})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 2, reach: 536, run: 40,
		allowed: []allowance{}},
	{id: "cloudflare-global-api-key", keywords: []string{"cloudflare"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:cloudflare)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}([a-f0-9]{37})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 2, reach: 524, run: 37,
		allowed: []allowance{}},
	{id: "cloudflare-origin-ca-key", keywords: []string{"cloudflare", "v1.0-"},
		pattern: "\\b(v1\\.0-[a-f0-9]{24}-[a-f0-9]{146})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0,
		entropy: 2, reach: 712, run: 176, needs: []string{"v1.0-"}, allowed: []allowance{}},
	{id: "codecov-access-token", keywords: []string{"codecov"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:codecov)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}([a-z0-9]{32})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0, reach: 492, run: 32,
		allowed: []allowance{}},
	{id: "cohere-api-token", keywords: []string{"cohere", "co_api_key"}, pattern: "[\\w.-]{0,50}?(?i:[\\w.-]{0," +
		"50}?(?:cohere|CO_API_KEY)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3})(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|," +
		")[\\x60'\"\\s=]{0,5}([a-zA-Z0-9]{40})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 4,
		reach: 736, run: 40, allowed: []allowance{}},
	{id: "coinbase-access-token", keywords: []string{"coinbase"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:coinbase)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}([a-z0-9_-]{64})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0, reach: 624, run: 64,
		allowed: []allowance{}},
	{id: "confluent-access-token", keywords: []string{"confluent"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:confluent)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}([a-z0-9]{16})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0, reach: 436, run: 16,
		allowed: []allowance{}},
	{id: "confluent-secret-key", keywords: []string{"confluent"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:confluent)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}([a-z0-9]{64})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0, reach: 628, run: 64,
		allowed: []allowance{}},
	{id: "contentful-delivery-api-token", keywords: []string{"contentful"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:contentful)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}([a-z0-9=_\\-]{43})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0, reach: 548,
		run: 43, allowed: []allowance{}},
	{id: "curl-auth-header", keywords: []string{"curl"}, pattern: "\\bcurl\\b(?:.*?|.*?(?:[\\r\\n]{1,2}.*?){1," +
		"5})[ \\t\\n\\r](?:-H|--header)(?:=|[ \\t]{0,5})(?:\"(?i)(?:Authorization:[ \\t]{0," +
		"5}(?:Basic[ \\t]([a-z0-9+/]{8,}={0,3})|(?:Bearer|(?:Api-)?Token)[ \\t]([\\w=~@.+/-]{8,})|([\\w=~@.+/-]{8," +
		"}))|(?:(?:X-(?:[a-z]+-)?)?(?:Api-?)?(?:Key|Token)):[ \\t]{0,5}([\\w=~@.+/-]{8," +
		"}))\"|'(?i)(?:Authorization:[ \\t]{0,5}(?:Basic[ \\t]([a-z0-9+/]{8,}={0," +
		"3})|(?:Bearer|(?:Api-)?Token)[ \\t]([\\w=~@.+/-]{8,})|([\\w=~@.+/-]{8," +
		"}))|(?:(?:X-(?:[a-z]+-)?)?(?:Api-?)?(?:Key|Token)):[ \\t]{0,5}([\\w=~@.+/-]{8,}))')(?:\\B|\\s|\\z)",
		group: 0, entropy: 2.75, reach: 2048, run: 4, allowed: []allowance{}},
	{id: "curl-auth-user", keywords: []string{"curl"}, pattern: "\\bcurl\\b(?:.*|.*(?:[\\r\\n]{1,2}.*){1," +
		"5})[ \\t\\n\\r](?:-u|--user)(?:=|[ \\t]{0,5})(\"(:[^\"]{3,}|[^:\"]{3,}:|[^:\"]{3,}:[^\"]{3," +
		"})\"|'([^:']{3,}:[^']{3,})'|((?:\"[^\"]{3,}\"|'[^']{3,}'|[\\w$@.-]+):(?:\"[^\"]{3,}\"|'[^']{3," +
		"}'|[\\w${}@.-]+)))(?:\\s|\\z)", group: 0, entropy: 2, reach: 2048, run: 4,
		allowed: []allowance{{target: "", all: false,
			patterns: []expression{"[^:]+:(?:change(?:it|me)|pass(?:word)?|pwd|test|token|\\*+|x+)",
				"['\"]?<[^>]+>['\"]?:['\"]?<[^>]+>|<[^:]+:[^>]+>['\"]?", "[^:]+:\\[[^]]+]",
				"['\"]?[^:]+['\"]?:['\"]?\\$(?:\\d|\\w+|\\{(?:\\d|\\w+)})['\"]?",
				"\\$\\([^)]+\\):\\$\\([^)]+\\)", "['\"]?\\$?{{[^}]+}}['\"]?:['\"]?\\$?{{[^}]+}}['\"]?"},
			stopwords: []string(nil)}}},
	{id: "databricks-api-token", keywords: []string{"dapi"},
		pattern: "\\b(dapi[a-f0-9]{32}(?:-\\d)?)(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 3,
		reach: 160, run: 36, allowed: []allowance{}},
	{id: "datadog-access-token", keywords: []string{"datadog"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:datadog)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}([a-z0-9]{40})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0, reach: 524, run: 40,
		allowed: []allowance{}},
	{id: "defined-networking-api-token", keywords: []string{"dnkey"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:dnkey)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}(dnkey-[a-z0-9=_\\-]{26}-[a-z0-9=_\\-]{52})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0,
		entropy: 0, reach: 696, run: 85, needs: []string{"dnkey-"}, allowed: []allowance{}},
	{id: "digitalocean-access-token", keywords: []string{"doo_v1_"},
		pattern: "\\b(doo_v1_[a-f0-9]{64})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 3,
		reach: 292, run: 71, allowed: []allowance{}},
	{id: "digitalocean-pat", keywords: []string{"dop_v1_"}, pattern: "\\b(dop_v1_[a-f0-9]{64})(?:[\\x60'\"\\s;," +
		".:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 3, reach: 292, run: 71, allowed: []allowance{}},
	{id: "digitalocean-refresh-token", keywords: []string{"dor_v1_"},
		pattern: "(?i)\\b(dor_v1_[a-f0-9]{64})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0,
		reach: 292, run: 71, allowed: []allowance{}},
	{id: "discord-api-token", keywords: []string{"discord"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:discord)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}([a-f0-9]{64})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0, reach: 620, run: 64,
		allowed: []allowance{}},
	{id: "discord-client-id", keywords: []string{"discord"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:discord)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}([0-9]{18})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 2, reach: 436, run: 18,
		allowed: []allowance{}},
	{id: "discord-client-secret", keywords: []string{"discord"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:discord)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}([a-z0-9=_\\-]{32})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 2, reach: 492,
		run: 32, allowed: []allowance{}},
	{id: "doppler-api-token", keywords: []string{"dp.pt."}, pattern: "dp\\.pt\\.(?i)[a-z0-9]{43}", group: 0,
		entropy: 2, reach: 196, run: 49, allowed: []allowance{}},
	{id: "droneci-access-token", keywords: []string{"droneci"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:droneci)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}([a-z0-9]{32})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0, reach: 492, run: 32,
		allowed: []allowance{}},
	{id: "dropbox-api-token", keywords: []string{"dropbox"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:dropbox)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}([a-z0-9]{15})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0, reach: 424, run: 15,
		allowed: []allowance{}},
	{id: "dropbox-long-lived-api-token", keywords: []string{"dropbox"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:dropbox)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}([a-z0-9]{11}(AAAAAAAAAA)[a-z0-9\\-_=]{43})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0,
		entropy: 0, reach: 620, run: 64, needs: []string{"aaaaaaaaaa"}, allowed: []allowance{}},
	{id: "dropbox-short-lived-api-token", keywords: []string{"dropbox"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:dropbox)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}(sl\\.[a-z0-9\\-=_]{135})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0, reach: 916,
		run: 138, needs: []string{"sl."}, allowed: []allowance{}},
	{id: "duffel-api-token", keywords: []string{"duffel_"},
		pattern: "duffel_(?:test|live)_(?i)[a-z0-9_\\-=]{43}", group: 0, entropy: 2, reach: 220, run: 55,
		allowed: []allowance{}},
	{id: "dynatrace-api-token", keywords: []string{"dt0c01."},
		pattern: "dt0c01\\.(?i)[a-z0-9]{24}\\.[a-z0-9]{64}", group: 0, entropy: 4, reach: 384, run: 96,
		allowed: []allowance{}},
	{id: "easypost-api-token", keywords: []string{"ezak"}, pattern: "\\bEZAK(?i)[a-z0-9]{54}\\b", group: 0,
		entropy: 2, reach: 232, run: 58, allowed: []allowance{}},
	{id: "easypost-test-api-token", keywords: []string{"eztk"}, pattern: "\\bEZTK(?i)[a-z0-9]{54}\\b", group: 0,
		entropy: 2, reach: 232, run: 58, allowed: []allowance{}},
	{id: "etsy-access-token", keywords: []string{"etsy"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:(?-i:ETSY|[Ee]tsy))(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|," +
		")[\\x60'\"\\s=]{0,5}([a-z0-9]{24})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 3,
		reach: 448, run: 24, allowed: []allowance{}},
	{id: "facebook-access-token", keywords: []string{"facebook"}, pattern: "(?i)\\b(\\d{15," +
		"16}(\\||%)[0-9a-z\\-_]{27,40})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 3,
		reach: anywhere, run: 27, allowed: []allowance{}},
	{id: "facebook-page-access-token", keywords: []string{"eaam", "eaac"}, pattern: "\\b(EAA[MC](?i)[a-z0-9]{100," +
		"})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 4, reach: 2048, run: 104,
		needs: []string{"eaa"}, allowed: []allowance{}},
	{id: "facebook-secret", keywords: []string{"facebook"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:facebook)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}([a-f0-9]{32})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 3, reach: 496, run: 32,
		allowed: []allowance{}},
	{id: "fastly-api-token", keywords: []string{"fastly"}, pattern: "(?i)[\\w.-]{0,50}?(?:fastly)(?:[ \\t\\w.-]{0," +
		"20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}([a-z0-9=_\\-]{32})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0, reach: 488,
		run: 32, allowed: []allowance{}},
	{id: "finicity-api-token", keywords: []string{"finicity"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:finicity)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}([a-f0-9]{32})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0, reach: 496, run: 32,
		allowed: []allowance{}},
	{id: "finicity-client-secret", keywords: []string{"finicity"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:finicity)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}([a-z0-9]{20})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0, reach: 448, run: 20,
		allowed: []allowance{}},
	{id: "finnhub-access-token", keywords: []string{"finnhub"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:finnhub)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}([a-z0-9]{20})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0, reach: 444, run: 20,
		allowed: []allowance{}},
	{id: "flickr-access-token", keywords: []string{"flickr"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:flickr)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}([a-z0-9]{32})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0, reach: 488, run: 32,
		allowed: []allowance{}},
	{id: "flutterwave-encryption-key", keywords: []string{"flwseck_test"},
		pattern: "FLWSECK_TEST-(?i)[a-h0-9]{12}", group: 0, entropy: 2, reach: 100, run: 25,
		needs: []string{"flwseck_test-"}, allowed: []allowance{}},
	{id: "flutterwave-public-key", keywords: []string{"flwpubk_test"},
		pattern: "FLWPUBK_TEST-(?i)[a-h0-9]{32}-X", group: 0, entropy: 2, reach: 188, run: 47,
		needs: []string{"flwpubk_test-"}, allowed: []allowance{}},
	{id: "flutterwave-secret-key", keywords: []string{"flwseck_test"},
		pattern: "FLWSECK_TEST-(?i)[a-h0-9]{32}-X", group: 0, entropy: 2, reach: 188, run: 47,
		needs: []string{"flwseck_test-"}, allowed: []allowance{}},
	{id: "flyio-access-token", keywords: []string{"fo1_", "fm1", "fm2_"},
		pattern: "\\b((?:fo1_[\\w-]{43}|fm1[ar]_[a-zA-Z0-9+\\/]{100,}={0,3}|fm2_[a-zA-Z0-9+\\/]{100,}={0," +
			"3}))(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 4, reach: 2048, run: 47,
		allowed: []allowance{}},
	{id: "frameio-api-token", keywords: []string{"fio-u-"}, pattern: "fio-u-(?i)[a-z0-9\\-_=]{64}", group: 0,
		entropy: 0, reach: 280, run: 70, allowed: []allowance{}},
	{id: "freemius-secret-key", keywords: []string{"secret_key"},
		pattern: "(?i)[\"']secret_key[\"']\\s*=>\\s*[\"'](sk_[\\S]{29})[\"']", group: 0, entropy: 0, reach: 2048,
		run: 10, needs: []string{"sk_"}, allowed: []allowance{}},
	{id: "freshbooks-access-token", keywords: []string{"freshbooks"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:freshbooks)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}([a-z0-9]{64})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0, reach: 632, run: 64,
		allowed: []allowance{}},
	{id: "gcp-api-key", keywords: []string{"aiza"}, pattern: "\\b(AIza[\\w-]{35})(?:[\\x60'\"\\s;," +
		".:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 4, reach: 164, run: 39, allowed: []allowance{{target: "",
		all: false, patterns: []expression{"AIzaSyabcdefghijklmnopqrstuvwxyz1234567",
			"AIzaSyAnLA7NfeLquW1tJFpx_eQCxoX-oo6YyIs", "AIzaSyCkEhVjf3pduRDt6d1yKOMitrUEke8agEM",
			"AIzaSyDMAScliyLx7F0NPDEJi1QmyCgHIAODrlU", "AIzaSyD3asb-2pEZVqMkmL6M9N6nHZRR_znhrh0",
			"AIzayDNSXIbFmlXbIE6mCzDLQAqITYefhixbX4A", "AIzaSyAdOS2zB6NCsk1pCdZ4-P6GBdi_UUPwX7c",
			"AIzaSyASWm6HmTMdYWpgMnjRBjxcQ9CKctWmLd4", "AIzaSyANUvH9H9BsUccjsu2pCmEkOPjjaXeDQgY",
			"AIzaSyA5_iVawFQ8ABuTZNUdcwERLJv_a_p4wtM", "AIzaSyA4UrcGxgwQFTfaI3no3t7Lt1sjmdnP5sQ",
			"AIzaSyDSb51JiIcB6OJpwwMicseKRhhrOq1cS7g", "AIzaSyBF2RrAIm4a0mO64EShQfqfd2AFnzAvvuU",
			"AIzaSyBcE-OOIbhjyR83gm4r2MFCu4MJmprNXsw", "AIzaSyB8qGxt4ec15vitgn44duC5ucxaOi4FmqE",
			"AIzaSyA8vmApnrHNFE0bApF4hoZ11srVL_n0nvY"}, stopwords: []string(nil)}}},
	{id: "github-app-token", keywords: []string{"ghu_", "ghs_"}, pattern: "(?:ghu|ghs)_[0-9a-zA-Z]{36}",
		group: 0, entropy: 3, reach: 160, run: 40, allowed: []allowance{}},
	{id: "github-fine-grained-pat", keywords: []string{"github_pat_"}, pattern: "github_pat_\\w{82}", group: 0,
		entropy: 3, reach: 372, run: 93, allowed: []allowance{}},
	{id: "github-oauth", keywords: []string{"gho_"}, pattern: "gho_[0-9a-zA-Z]{36}", group: 0, entropy: 3,
		reach: 160, run: 40, allowed: []allowance{}},
	{id: "github-pat", keywords: []string{"ghp_"}, pattern: "ghp_[0-9a-zA-Z]{36}", group: 0, entropy: 3,
		reach: 160, run: 40, allowed: []allowance{}},
	{id: "github-refresh-token", keywords: []string{"ghr_"}, pattern: "ghr_[0-9a-zA-Z]{36}", group: 0,
		entropy: 3, reach: 160, run: 40, allowed: []allowance{}},
	{id: "gitlab-cicd-job-token", keywords: []string{"glcbt-"}, pattern: "glcbt-[0-9a-zA-Z]{1," +
		"5}_[0-9a-zA-Z_-]{20}", group: 0, entropy: 3, reach: 128, run: 28, allowed: []allowance{}},
	{id: "gitlab-deploy-token", keywords: []string{"gldt-"}, pattern: "gldt-[0-9a-zA-Z_\\-]{20}", group: 0,
		entropy: 3, reach: 100, run: 25, allowed: []allowance{}},
	{id: "gitlab-feature-flag-client-token", keywords: []string{"glffct-"},
		pattern: "glffct-[0-9a-zA-Z_\\-]{20}", group: 0, entropy: 3, reach: 108, run: 27, allowed: []allowance{}},
	{id: "gitlab-feed-token", keywords: []string{"glft-"}, pattern: "glft-[0-9a-zA-Z_\\-]{20}", group: 0,
		entropy: 3, reach: 100, run: 25, allowed: []allowance{}},
	{id: "gitlab-incoming-mail-token", keywords: []string{"glimt-"}, pattern: "glimt-[0-9a-zA-Z_\\-]{25}",
		group: 0, entropy: 3, reach: 124, run: 31, allowed: []allowance{}},
	{id: "gitlab-kubernetes-agent-token", keywords: []string{"glagent-"}, pattern: "glagent-[0-9a-zA-Z_\\-]{50}",
		group: 0, entropy: 3, reach: 232, run: 58, allowed: []allowance{}},
	{id: "gitlab-oauth-app-secret", keywords: []string{"gloas-"}, pattern: "gloas-[0-9a-zA-Z_\\-]{64}", group: 0,
		entropy: 3, reach: 280, run: 70, allowed: []allowance{}},
	{id: "gitlab-pat", keywords: []string{"glpat-"}, pattern: "glpat-[\\w-]{20}", group: 0, entropy: 3,
		reach: 104, run: 26, allowed: []allowance{}},
	{id: "gitlab-pat-routable", keywords: []string{"glpat-"}, pattern: "\\bglpat-[0-9a-zA-Z_-]{27," +
		"300}\\.[0-9a-z]{2}[0-9a-z]{7}\\b", group: 0, entropy: 4, reach: 1264, run: 43, allowed: []allowance{}},
	{id: "gitlab-ptt", keywords: []string{"glptt-"}, pattern: "glptt-[0-9a-f]{40}", group: 0, entropy: 3,
		reach: 184, run: 46, allowed: []allowance{}},
	{id: "gitlab-rrt", keywords: []string{"gr1348941"}, pattern: "GR1348941[\\w-]{20}", group: 0, entropy: 3,
		reach: 116, run: 29, allowed: []allowance{}},
	{id: "gitlab-runner-authentication-token", keywords: []string{"glrt-"}, pattern: "glrt-[0-9a-zA-Z_\\-]{20}",
		group: 0, entropy: 3, reach: 100, run: 25, allowed: []allowance{}},
	{id: "gitlab-runner-authentication-token-routable", keywords: []string{"glrt-"},
		pattern: "\\bglrt-t\\d_[0-9a-zA-Z_\\-]{27,300}\\.[0-9a-z]{2}[0-9a-z]{7}\\b", group: 0, entropy: 4,
		reach: 1272, run: 45, needs: []string{"glrt-t"}, allowed: []allowance{}},
	{id: "gitlab-scim-token", keywords: []string{"glsoat-"}, pattern: "glsoat-[0-9a-zA-Z_\\-]{20}", group: 0,
		entropy: 3, reach: 108, run: 27, allowed: []allowance{}},
	{id: "gitlab-session-cookie", keywords: []string{"_gitlab_session="},
		pattern: "_gitlab_session=[0-9a-z]{32}", group: 0, entropy: 3, reach: 192, run: 48, allowed: []allowance{}},
	{id: "gitter-access-token", keywords: []string{"gitter"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:gitter)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}([a-z0-9_-]{40})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0, reach: 520, run: 40,
		allowed: []allowance{}},
	{id: "gocardless-api-token", keywords: []string{"live_", "gocardless"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:gocardless)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}(live_(?i)[a-z0-9\\-_=]{40})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0,
		reach: 556, run: 45, needs: []string{"gocardless", "live_"}, allowed: []allowance{}},
	{id: "grafana-api-key", keywords: []string{"eyjrijoi"}, pattern: "(?i)\\b(eyJrIjoi[A-Za-z0-9]{70,400}={0," +
		"3})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 3, reach: 1652, run: 78,
		allowed: []allowance{}},
	{id: "grafana-cloud-api-token", keywords: []string{"glc_"}, pattern: "(?i)\\b(glc_[A-Za-z0-9+/]{32,400}={0," +
		"3})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 3, reach: 1636, run: 36,
		allowed: []allowance{}},
	{id: "grafana-service-account-token", keywords: []string{"glsa_"},
		pattern: "(?i)\\b(glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)",
		group:   0, entropy: 3, reach: 192, run: 46, allowed: []allowance{}},
	{id: "harness-api-key", keywords: []string{"pat.", "sat."},
		pattern: "(?:pat|sat)\\.[a-zA-Z0-9_-]{22}\\.[a-zA-Z0-9]{24}\\.[a-zA-Z0-9]{20}", group: 0, entropy: 0,
		reach: 288, run: 72, allowed: []allowance{}},
	{id: "hashicorp-tf-api-token", keywords: []string{"atlasv1"},
		pattern: "(?i)[a-z0-9]{14}\\.(?-i:atlasv1)\\.[a-z0-9\\-_=]{60,70}", group: 0, entropy: 3.5, reach: 372,
		run: 83, allowed: []allowance{}},
	{id: "heroku-api-key", keywords: []string{"heroku"}, pattern: "(?i)[\\w.-]{0,50}?(?:heroku)(?:[ \\t\\w.-]{0," +
		"20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:[\\x60'\"\\s;," +
		".:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0, reach: 504, run: 36, allowed: []allowance{}},
	{id: "heroku-api-key-v2", keywords: []string{"hrku-aa"},
		pattern: "\\b((HRKU-AA[0-9a-zA-Z_-]{58}))(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0,
		entropy: 4, reach: 268, run: 65, allowed: []allowance{}},
	{id: "hubspot-api-key", keywords: []string{"hubspot"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:hubspot)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}([0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{12})(?:[\\x60'\"\\s;," +
		".:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0, reach: 508, run: 36, allowed: []allowance{}},
	{id: "huggingface-access-token", keywords: []string{"hf_"}, pattern: "\\b(hf_(?i:[a-z]{34}))(?:[\\x60'\"\\s;," +
		".:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 2, reach: 156, run: 37, allowed: []allowance{}},
	{id: "huggingface-organization-api-token", keywords: []string{"api_org_"},
		pattern: "\\b(api_org_(?i:[a-z]{34}))(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 2,
		reach: 176, run: 42, allowed: []allowance{}},
	{id: "infracost-api-token", keywords: []string{"ico-"}, pattern: "\\b(ico-[a-zA-Z0-9]{32})(?:[\\x60'\"\\s;," +
		".:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 3, reach: 152, run: 36, allowed: []allowance{}},
	{id: "intercom-api-key", keywords: []string{"intercom"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:intercom)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}([a-z0-9=_\\-]{60})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0, reach: 608,
		run: 60, allowed: []allowance{}},
	{id: "intra42-client-secret", keywords: []string{"intra", "s-s4t2ud-", "s-s4t2af-"},
		pattern: "\\b(s-s4t2(?:ud|af)-(?i)[abcdef0123456789]{64})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)",
		group:   0, entropy: 3, reach: 300, run: 73, needs: []string{"s-s4t2"}, allowed: []allowance{}},
	{id: "jfrog-api-key", keywords: []string{"jfrog", "artifactory", "bintray", "xray"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:jfrog|artifactory|bintray|xray)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|," +
		")[\\x60'\"\\s=]{0,5}([a-z0-9]{73})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0,
		reach: 672, run: 73, allowed: []allowance{}},
	{id: "jfrog-identity-token", keywords: []string{"jfrog", "artifactory", "bintray", "xray"},
		pattern: "(?i)[\\w.-]{0,50}?(?:jfrog|artifactory|bintray|xray)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0," +
			"3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0,5}([a-z0-9]{64})(?:[\\x60'\"\\s;," +
			".:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0, reach: 636, run: 64, allowed: []allowance{}},
	{id: "jwt-base64", keywords: []string{"zxlk"},
		pattern: "\\bZXlK(?:(?P<alg>aGJHY2lPaU)|(?P<apu>aGNIVWlPaU)|(?P<apv>aGNIWWlPaU)|(?P<aud>aGRXUWlPaU)|(?P<b64>aU5qUWlP)|(?P<crit>amNtbDBJanBi)|(?P<cty>amRIa2lPaU)|(?P<epk>bGNHc2lPbn)|(?P<enc>bGJtTWlPaU)|(?P<jku>cWEzVWlPaU)|(?P<jwk>cWQyc2lPb)|(?P<iss>cGMzTWlPaU)|(?P<iv>cGRpSTZJ)|(?P<kid>cmFXUWlP)|(?P<key_ops>clpYbGZiM0J6SWpwY)|(?P<kty>cmRIa2lPaUp)|(?P<nonce>dWIyNWpaU0k2)|(?P<p2c>d01tTWlP)|(?P<p2s>d01uTWlPaU)|(?P<ppt>d2NIUWlPaU)|(?P<sub>emRXSWlPaU)|(?P<svt>emRuUWlP)|(?P<tag>MFlXY2lPaU)|(?P<typ>MGVYQWlPaUp)|(?P<url>MWNtd2l)|(?P<use>MWMyVWlPaUp)|(?P<ver>MlpYSWlPaU)|(?P<version>MlpYSnphVzl1SWpv)|(?P<x>NElqb2)|(?P<x5c>NE5XTWlP)|(?P<x5t>NE5YUWlPaU)|(?P<x5ts256>NE5YUWpVekkxTmlJNkl)|(?P<x5u>NE5YVWlPaU)|(?P<zip>NmFYQWlPaU))[a-zA-Z0-9\\/\\\\_+\\-\\r\\n]{40,}={0,2}", group: 0, entropy: 2, reach: 2048, run: 10, allowed: []allowance{}},
	{id: "kraken-access-token", keywords: []string{"kraken"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:kraken)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}([a-z0-9\\/=_\\+\\-]{80,90})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0,
		reach: 720, run: 80, allowed: []allowance{}},
	{id: "kubernetes-secret-yaml", keywords: []string{"secret"},
		pattern: "(?i)(?:\\bkind:[ \\t]*[\"']?\\bsecret\\b[\"']?(?s:.){0,200}?\\bdata:(?s:.){0," +
			"100}?\\s+([\\w.-]+:(?:[ \\t]*(?:\\||>[-+]?)\\s+)?[ \\t]*(?:[\"']?[a-z0-9+/]{10,}={0," +
			"3}[\"']?|\\{\\{[ \\t\\w\"|$:=,.-]+}}|\"\"|''))|\\bdata:(?s:.){0," +
			"100}?\\s+([\\w.-]+:(?:[ \\t]*(?:\\||>[-+]?)\\s+)?[ \\t]*(?:[\"']?[a-z0-9+/]{10,}={0," +
			"3}[\"']?|\\{\\{[ \\t\\w\"|$:=,.-]+}}|\"\"|''))(?s:.){0," +
			"200}?\\bkind:[ \\t]*[\"']?\\bsecret\\b[\"']?)", group: 0, entropy: 0, reach: 2048, run: 6,
		needs: []string{"kind:", "data:"}, allowed: []allowance{{target: "", all: false,
			patterns: []expression{"[\\w.-]+:(?:[ \\t]*(?:\\||>[-+]?)\\s+)?[ \\t]*(?:\\{\\{[ \\t\\w\"|$:=," +
				".-]+}}|\"\"|'')"}, stopwords: []string(nil)}, {target: "match", all: false,
			patterns: []expression{"(kind:(?s:.)+\\n---\\n(?s:.)+\\bdata:|data:(?s:.)+\\n---\\n(?s:.)+\\bkind:)"}, stopwords: []string(nil)}}},
	{id: "kucoin-access-token", keywords: []string{"kucoin"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:kucoin)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}([a-f0-9]{24})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0, reach: 456, run: 24,
		allowed: []allowance{}},
	{id: "kucoin-secret-key", keywords: []string{"kucoin"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:kucoin)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:[\\x60'\"\\s;," +
		".:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0, reach: 504, run: 36, allowed: []allowance{}},
	{id: "launchdarkly-access-token", keywords: []string{"launchdarkly"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:launchdarkly)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}([a-z0-9=_\\-]{40})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0, reach: 544,
		run: 40, allowed: []allowance{}},
	{id: "linear-api-key", keywords: []string{"lin_api_"}, pattern: "lin_api_(?i)[a-z0-9]{40}", group: 0,
		entropy: 2, reach: 192, run: 48, allowed: []allowance{}},
	{id: "linear-client-secret", keywords: []string{"linear"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:linear)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}([a-f0-9]{32})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 2, reach: 488, run: 32,
		allowed: []allowance{}},
	{id: "linkedin-client-id", keywords: []string{"linkedin", "linked_in", "linked-in"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:linked[_-]?in)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|," +
		")[\\x60'\"\\s=]{0,5}([a-z0-9]{14})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 2,
		reach: 428, run: 14, needs: []string{"linked"}, allowed: []allowance{}},
	{id: "linkedin-client-secret", keywords: []string{"linkedin", "linked_in", "linked-in"},
		pattern: "(?i)[\\w.-]{0,50}?(?:linked[_-]?in)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1," +
			"3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0,5}([a-z0-9]{16})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)",
		group: 0, entropy: 2, reach: 436, run: 16, needs: []string{"linked"}, allowed: []allowance{}},
	{id: "looker-client-id", keywords: []string{"looker"}, pattern: "(?i)[\\w.-]{0,50}?(?:looker)(?:[ \\t\\w.-]{0," +
		"20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0,5}([a-z0-9]{20})(?:[\\x60'\"\\s;," +
		".:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0, reach: 440, run: 20, allowed: []allowance{}},
	{id: "looker-client-secret", keywords: []string{"looker"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:looker)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}([a-z0-9]{24})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0, reach: 456, run: 24,
		allowed: []allowance{}},
	{id: "mailchimp-api-key", keywords: []string{"mailchimp"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:MailchimpSDK.initialize|mailchimp)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1," +
		"3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0,5}([a-f0-9]{32}-us\\d\\d)(?:[\\x60'\"\\s;," +
		".:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0, reach: 576, run: 37, needs: []string{"-us"},
		allowed: []allowance{}},
	{id: "mailgun-private-api-token", keywords: []string{"mailgun"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:mailgun)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}(key-[a-f0-9]{32})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0, reach: 508,
		run: 36, needs: []string{"key-"}, allowed: []allowance{}},
	{id: "mailgun-pub-key", keywords: []string{"mailgun"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:mailgun)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}(pubkey-[a-f0-9]{32})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0, reach: 520,
		run: 39, needs: []string{"pubkey-"}, allowed: []allowance{}},
	{id: "mailgun-signing-key", keywords: []string{"mailgun"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:mailgun)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}([a-h0-9]{32}-[a-h0-9]{8}-[a-h0-9]{8})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0,
		entropy: 0, reach: 564, run: 50, allowed: []allowance{}},
	{id: "mapbox-api-token", keywords: []string{"mapbox"}, pattern: "(?i)[\\w.-]{0,50}?(?:mapbox)(?:[ \\t\\w.-]{0," +
		"20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}(pk\\.[a-z0-9]{60}\\.[a-z0-9]{22})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0,
		reach: 704, run: 86, needs: []string{"pk."}, allowed: []allowance{}},
	{id: "mattermost-access-token", keywords: []string{"mattermost"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:mattermost)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}([a-z0-9]{26})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0, reach: 480, run: 26,
		allowed: []allowance{}},
	{id: "maxmind-license-key", keywords: []string{"_mmk"},
		pattern: "\\b([A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk)(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0,
		entropy: 4, reach: 168, run: 40, allowed: []allowance{}},
	{id: "messagebird-api-token", keywords: []string{"messagebird", "message-bird", "message_bird"},
		pattern: "(?i)[\\w.-]{0,50}?(?:message[_-]?bird)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1," +
			"3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0,5}([a-z0-9]{25})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)",
		group: 0, entropy: 0, reach: 484, run: 25, needs: []string{"message", "bird"}, allowed: []allowance{}},
	{id: "messagebird-client-id", keywords: []string{"messagebird", "message-bird", "message_bird"},
		pattern: "(?i)[\\w.-]{0,50}?(?:message[_-]?bird)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1," +
			"3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
			"5}([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:[\\x60'\"\\s;," +
			".:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0, reach: 528, run: 36, needs: []string{"message",
			"bird"}, allowed: []allowance{}},
	{id: "microsoft-teams-webhook", keywords: []string{"webhook.office.com", "webhookb2", "incomingwebhook"},
		pattern: "https://[a-z0-9]+\\.webhook\\.office\\.com/webhookb2/[a-z0-9]{8}-([a-z0-9]{4}-){3}[a-z0-9]{12}@[a-z0-9]{8}-([a-z0-9]{4}-){3}[a-z0-9]{12}/IncomingWebhook/[a-z0-9]{32}/[a-z0-9]{8}-([a-z0-9]{4}-){3}[a-z0-9]{12}", group: 0, entropy: 0, reach: 2048, run: 122, needs: []string{"https://", ".webhook.office.com/webhookb2/", "/incomingwebhook/"}, allowed: []allowance{}},
	{id: "netlify-access-token", keywords: []string{"netlify"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:netlify)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}([a-z0-9=_\\-]{40,46})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0, reach: 548,
		run: 40, allowed: []allowance{}},
	{id: "new-relic-browser-api-token", keywords: []string{"nrjs-"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:new-relic|newrelic|new_relic)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|," +
		")[\\x60'\"\\s=]{0,5}(NRJS-[a-f0-9]{19})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0,
		reach: 468, run: 24, needs: []string{"new"}, allowed: []allowance{}},
	{id: "new-relic-insert-key", keywords: []string{"nrii-"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:new-relic|newrelic|new_relic)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|," +
		")[\\x60'\"\\s=]{0,5}(NRII-[a-z0-9-]{32})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0,
		entropy: 0, reach: 520, run: 37, needs: []string{"new"}, allowed: []allowance{}},
	{id: "new-relic-user-api-id", keywords: []string{"new-relic", "newrelic", "new_relic"},
		pattern: "(?i)[\\w.-]{0,50}?(?:new-relic|newrelic|new_relic)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1," +
			"3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0,5}([a-z0-9]{64})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)",
		group: 0, entropy: 0, reach: 628, run: 64, needs: []string{"new"}, allowed: []allowance{}},
	{id: "new-relic-user-api-key", keywords: []string{"nrak"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:new-relic|newrelic|new_relic)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|," +
		")[\\x60'\"\\s=]{0,5}(NRAK-[a-z0-9]{27})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0,
		reach: 500, run: 32, needs: []string{"new", "nrak-"}, allowed: []allowance{}},
	{id: "notion-api-token", keywords: []string{"ntn_"},
		pattern: "\\b(ntn_[0-9]{11}[A-Za-z0-9]{32}[A-Za-z0-9]{3})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)",
		group:   0, entropy: 4, reach: 208, run: 50, allowed: []allowance{}},
	{id: "npm-access-token", keywords: []string{"npm_"}, pattern: "(?i)\\b(npm_[a-z0-9]{36})(?:[\\x60'\"\\s;," +
		".:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 2, reach: 168, run: 40, allowed: []allowance{}},
	{id: "nuget-config-password", keywords: []string{"<add key="},
		pattern: "(?i)<add key=\\\"(?:(?:ClearText)?Password)\\\"\\s*value=\\\"(.{8,})\\\"\\s*/>", group: 0,
		entropy: 1, reach: 2048, run: 8, needs: []string{"<add key=\"", "password", "value=\""},
		allowed: []allowance{{target: "", all: false, patterns: []expression{"33f!!lloppa",
			"hal\\+9ooo_da!sY", "^\\%\\S.*\\%$"}, stopwords: []string(nil)}}},
	{id: "nytimes-access-token", keywords: []string{"nytimes", "new-york-times", "newyorktimes"},
		pattern: "(?i)[\\w.-]{0,50}?(?:nytimes|new-york-times,|newyorktimes)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0," +
			"3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0,5}([a-z0-9=_\\-]{32})(?:[\\x60'\"\\s;," +
			".:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0, reach: 524, run: 32, allowed: []allowance{}},
	{id: "octopus-deploy-api-key", keywords: []string{"api-"}, pattern: "\\b(API-[A-Z0-9]{26})(?:[\\x60'\"\\s;," +
		".:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 3, reach: 128, run: 30, allowed: []allowance{}},
	{id: "okta-access-token", keywords: []string{"okta"}, pattern: "[\\w.-]{0,50}?(?i:[\\w.-]{0," +
		"50}?(?:(?-i:[Oo]kta|OKTA))(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3})(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|," +
		")[\\x60'\"\\s=]{0,5}(00[\\w=\\-]{40})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 4,
		reach: 720, run: 42, allowed: []allowance{}},
	{id: "openai-api-key", keywords: []string{"t3blbkfj"},
		pattern: "\\b(sk-(?:proj|svcacct|admin)-(?:[A-Za-z0-9_-]{74}|[A-Za-z0-9_-]{58})T3BlbkFJ(?:[A-Za-z0-9_-]{74}|[A-Za-z0-9_-]{58})\\b|sk-[a-zA-Z0-9]{20}T3BlbkFJ[a-zA-Z0-9]{20})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 3, reach: 676, run: 51, needs: []string{"sk-"}, allowed: []allowance{}},
	{id: "openshift-user-token", keywords: []string{"sha256~"}, pattern: "\\b(sha256~[\\w-]{43})(?:[^\\w-]|\\z)",
		group: 0, entropy: 3.5, reach: 204, run: 50, allowed: []allowance{}},
	{id: "perplexity-api-key", keywords: []string{"pplx-"},
		pattern: "\\b(pplx-[a-zA-Z0-9]{48})(?:[\\x60'\"\\s;]|\\\\[nr]|$|\\b)", group: 0, entropy: 4, reach: 220,
		run: 53, allowed: []allowance{}},
	{id: "plaid-api-token", keywords: []string{"plaid"}, pattern: "(?i)[\\w.-]{0,50}?(?:plaid)(?:[ \\t\\w.-]{0," +
		"20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}(access-(?:sandbox|development|production)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0, reach: 576, run: 51, needs: []string{"access-"}, allowed: []allowance{}},
	{id: "plaid-client-id", keywords: []string{"plaid"}, pattern: "(?i)[\\w.-]{0,50}?(?:plaid)(?:[ \\t\\w.-]{0," +
		"20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0,5}([a-z0-9]{24})(?:[\\x60'\"\\s;," +
		".:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 3.5, reach: 452, run: 24, allowed: []allowance{}},
	{id: "plaid-secret-key", keywords: []string{"plaid"}, pattern: "(?i)[\\w.-]{0,50}?(?:plaid)(?:[ \\t\\w.-]{0," +
		"20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0,5}([a-z0-9]{30})(?:[\\x60'\"\\s;," +
		".:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 3.5, reach: 476, run: 30, allowed: []allowance{}},
	{id: "planetscale-api-token", keywords: []string{"pscale_tkn_"}, pattern: "\\b(pscale_tkn_(?i)[\\w=\\.-]{32," +
		"64})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 3, reach: 308, run: 43,
		allowed: []allowance{}},
	{id: "planetscale-oauth-token", keywords: []string{"pscale_oauth_"}, pattern: "\\b(pscale_oauth_[\\w=\\.-]{32," +
		"64})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 3, reach: 316, run: 45,
		allowed: []allowance{}},
	{id: "planetscale-password", keywords: []string{"pscale_pw_"}, pattern: "(?i)\\b(pscale_pw_(?i)[\\w=\\.-]{32," +
		"64})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 3, reach: 304, run: 42,
		allowed: []allowance{}},
	{id: "postman-api-token", keywords: []string{"pmak-"},
		pattern: "\\b(PMAK-(?i)[a-f0-9]{24}\\-[a-f0-9]{34})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0,
		entropy: 3, reach: 264, run: 64, allowed: []allowance{}},
	{id: "prefect-api-token", keywords: []string{"pnu_"}, pattern: "\\b(pnu_[a-zA-Z0-9]{36})(?:[\\x60'\"\\s;," +
		".:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 2, reach: 168, run: 40, allowed: []allowance{}},
	{id: "privateai-api-token", keywords: []string{"privateai", "private_ai", "private-ai"}, pattern: "[\\w.-]{0," +
		"50}?(?i:[\\w.-]{0,50}?(?:private[_-]?ai)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3})(?:=|>|:{1," +
		"3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0,5}([a-z0-9]{32})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)",
		group: 0, entropy: 3, reach: 704, run: 32, needs: []string{"private"}, allowed: []allowance{}},
	{id: "pulumi-api-token", keywords: []string{"pul-"}, pattern: "\\b(pul-[a-f0-9]{40})(?:[\\x60'\"\\s;," +
		".:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 2, reach: 184, run: 44, allowed: []allowance{}},
	{id: "pypi-upload-token", keywords: []string{"pypi-ageichlwas5vcmc"}, pattern: "pypi-AgEIcHlwaS5vcmc[\\w-]{50," +
		"1000}", group: 0, entropy: 3, reach: 2048, run: 70, allowed: []allowance{}},
	{id: "rapidapi-access-token", keywords: []string{"rapidapi"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:rapidapi)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}([a-z0-9_-]{50})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0, reach: 568, run: 50,
		allowed: []allowance{}},
	{id: "readme-api-token", keywords: []string{"rdme_"}, pattern: "\\b(rdme_[a-z0-9]{70})(?:[\\x60'\"\\s;," +
		".:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 2, reach: 308, run: 75, allowed: []allowance{}},
	{id: "rubygems-api-token", keywords: []string{"rubygems_"},
		pattern: "\\b(rubygems_[a-f0-9]{48})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 2,
		reach: 236, run: 57, allowed: []allowance{}},
	{id: "scalingo-api-token", keywords: []string{"tk-us-"}, pattern: "\\b(tk-us-[\\w-]{48})(?:[\\x60'\"\\s;," +
		".:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 2, reach: 224, run: 54, allowed: []allowance{}},
	{id: "sendbird-access-id", keywords: []string{"sendbird"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:sendbird)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:[\\x60'\"\\s;," +
		".:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0, reach: 512, run: 36, allowed: []allowance{}},
	{id: "sendbird-access-token", keywords: []string{"sendbird"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:sendbird)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}([a-f0-9]{40})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0, reach: 528, run: 40,
		allowed: []allowance{}},
	{id: "sendgrid-api-token", keywords: []string{"sg."},
		pattern: "\\b(SG\\.(?i)[a-z0-9=_\\-\\.]{66})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0,
		entropy: 2, reach: 284, run: 69, allowed: []allowance{}},
	{id: "sendinblue-api-token", keywords: []string{"xkeysib-"},
		pattern: "\\b(xkeysib-[a-f0-9]{64}\\-(?i)[a-z0-9]{16})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)",
		group:   0, entropy: 2, reach: 364, run: 89, allowed: []allowance{}},
	{id: "sentry-access-token", keywords: []string{"sentry"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:sentry)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}([a-f0-9]{64})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 3, reach: 616, run: 64,
		allowed: []allowance{}},
	{id: "sentry-org-token", keywords: []string{"sntrys_eyjpyxqio"},
		pattern: "\\bsntrys_eyJpYXQiO[a-zA-Z0-9+/]{10," +
			"200}(?:LCJyZWdpb25fdXJs|InJlZ2lvbl91cmwi|cmVnaW9uX3VybCI6)[a-zA-Z0-9+/]{10,200}={0," +
			"2}_[a-zA-Z0-9+/]{43}(?:[^a-zA-Z0-9+/]|\\z)", group: 0, entropy: 4.5, reach: 1916, run: 96,
		allowed: []allowance{}},
	{id: "sentry-user-token", keywords: []string{"sntryu_"}, pattern: "\\b(sntryu_[a-f0-9]{64})(?:[\\x60'\"\\s;," +
		".:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 3.5, reach: 292, run: 71, allowed: []allowance{}},
	{id: "settlemint-application-access-token", keywords: []string{"sm_aat"},
		pattern: "\\b(sm_aat_[a-zA-Z0-9]{16})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 3,
		reach: 100, run: 23, needs: []string{"sm_aat_"}, allowed: []allowance{}},
	{id: "settlemint-personal-access-token", keywords: []string{"sm_pat"},
		pattern: "\\b(sm_pat_[a-zA-Z0-9]{16})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 3,
		reach: 100, run: 23, needs: []string{"sm_pat_"}, allowed: []allowance{}},
	{id: "settlemint-service-access-token", keywords: []string{"sm_sat"},
		pattern: "\\b(sm_sat_[a-zA-Z0-9]{16})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 3,
		reach: 100, run: 23, needs: []string{"sm_sat_"}, allowed: []allowance{}},
	{id: "shippo-api-token", keywords: []string{"shippo_"},
		pattern: "\\b(shippo_(?:live|test)_[a-fA-F0-9]{40})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0,
		entropy: 2, reach: 216, run: 52, allowed: []allowance{}},
	{id: "shopify-access-token", keywords: []string{"shpat_"}, pattern: "shpat_[a-fA-F0-9]{32}", group: 0,
		entropy: 2, reach: 152, run: 38, allowed: []allowance{}},
	{id: "shopify-custom-access-token", keywords: []string{"shpca_"}, pattern: "shpca_[a-fA-F0-9]{32}", group: 0,
		entropy: 2, reach: 152, run: 38, allowed: []allowance{}},
	{id: "shopify-private-app-access-token", keywords: []string{"shppa_"}, pattern: "shppa_[a-fA-F0-9]{32}",
		group: 0, entropy: 2, reach: 152, run: 38, allowed: []allowance{}},
	{id: "shopify-shared-secret", keywords: []string{"shpss_"}, pattern: "shpss_[a-fA-F0-9]{32}", group: 0,
		entropy: 2, reach: 152, run: 38, allowed: []allowance{}},
	{id: "sidekiq-secret", keywords: []string{"bundle_enterprise__contribsys__com",
		"bundle_gems__contribsys__com"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:BUNDLE_ENTERPRISE__CONTRIBSYS__COM|BUNDLE_GEMS__CONTRIBSYS__COM)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0," +
		"3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0,5}([a-f0-9]{8}:[a-f0-9]{8})(?:[\\x60'\"\\s;," +
		".:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0, reach: 540, run: 28, needs: []string{"bundle_"},
		allowed: []allowance{}},
	{id: "sidekiq-sensitive-url", keywords: []string{"gems.contribsys.com", "enterprise.contribsys.com"},
		pattern: "(?i)\\bhttps?://([a-f0-9]{8}:[a-f0-9]{8})@(?:gems.contribsys.com|enterprise.contribsys.com)(?:[\\/|\\#|\\?|:]|$)", group: 0, entropy: 0, reach: 208, run: 10, needs: []string{"http", "://", "contribsys", "com"}, allowed: []allowance{}},
	{id: "slack-app-token", keywords: []string{"xapp"}, pattern: "(?i)xapp-\\d-[A-Z0-9]+-\\d+-[a-z0-9]+",
		group: 0, entropy: 2, reach: 2048, run: 12, needs: []string{"xapp-"}, allowed: []allowance{}},
	{id: "slack-bot-token", keywords: []string{"xoxb"}, pattern: "xoxb-[0-9]{10,13}-[0-9]{10,13}[a-zA-Z0-9-]*",
		group: 0, entropy: 3, reach: 2048, run: 26, needs: []string{"xoxb-"}, allowed: []allowance{}},
	{id: "slack-config-access-token", keywords: []string{"xoxe.xoxb-", "xoxe.xoxp-"},
		pattern: "(?i)xoxe.xox[bp]-\\d-[A-Z0-9]{163,166}", group: 0, entropy: 2, reach: 712, run: 170,
		needs: []string{"xoxe", "xox"}, allowed: []allowance{}},
	{id: "slack-config-refresh-token", keywords: []string{"xoxe-"}, pattern: "(?i)xoxe-\\d-[A-Z0-9]{146}",
		group: 0, entropy: 2, reach: 612, run: 153, allowed: []allowance{}},
	{id: "slack-legacy-bot-token", keywords: []string{"xoxb"}, pattern: "xoxb-[0-9]{8,14}-[a-zA-Z0-9]{18,26}",
		group: 0, entropy: 2, reach: 184, run: 32, needs: []string{"xoxb-"}, allowed: []allowance{}},
	{id: "slack-legacy-token", keywords: []string{"xoxo", "xoxs"},
		pattern: "xox[os]-\\d+-\\d+-\\d+-[a-fA-F\\d]+", group: 0, entropy: 2, reach: 2048, run: 12,
		needs: []string{"xox"}, allowed: []allowance{}},
	{id: "slack-legacy-workspace-token", keywords: []string{"xoxa", "xoxr"},
		pattern: "xox[ar]-(?:\\d-)?[0-9a-zA-Z]{8,48}", group: 0, entropy: 2, reach: 220, run: 13,
		needs: []string{"xox"}, allowed: []allowance{}},
	{id: "slack-user-token", keywords: []string{"xoxp-", "xoxe-"}, pattern: "xox[pe](?:-[0-9]{10," +
		"13}){3}-[a-zA-Z0-9-]{28,34}", group: 0, entropy: 2, reach: 324, run: 66, needs: []string{"xox"},
		allowed: []allowance{}},
	{id: "slack-webhook-url", keywords: []string{"hooks.slack.com"},
		pattern: "(?:https?://)?hooks.slack.com/(?:services|workflows|triggers)/[A-Za-z0-9+/]{43,56}", group: 0,
		entropy: 0, reach: 360, run: 56, needs: []string{"hooks", "slack", "com/"}, allowed: []allowance{}},
	{id: "snyk-api-token", keywords: []string{"snyk"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:snyk[_.-]?(?:(?:api|oauth)[_.-]?)?(?:key|token))(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1," +
		"3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:[\\x60'\"\\s;," +
		".:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0, reach: 544, run: 36, allowed: []allowance{}},
	{id: "sonar-api-token", keywords: []string{"sonar"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:sonar[_.-]?(login|token))(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|," +
		")[\\x60'\"\\s=]{0,5}((?:squ_|sqp_|sqa_)?[a-z0-9=_\\-]{40})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)",
		group: 2, entropy: 0, reach: 556, run: 40, allowed: []allowance{}},
	{id: "squarespace-access-token", keywords: []string{"squarespace"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:squarespace)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:[\\x60'\"\\s;," +
		".:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0, reach: 524, run: 36, allowed: []allowance{}},
	{id: "stripe-access-token", keywords: []string{"sk_test", "sk_live", "sk_prod", "rk_test", "rk_live",
		"rk_prod"}, pattern: "\\b((?:sk|rk)_(?:test|live|prod)_[a-zA-Z0-9]{10,99})(?:[\\x60'\"\\s;," +
		".:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 2, reach: 436, run: 18, allowed: []allowance{}},
	{id: "sumologic-access-id", keywords: []string{"sumo"}, pattern: "[\\w.-]{0,50}?(?i:[\\w.-]{0," +
		"50}?(?:(?-i:[Ss]umo|SUMO))(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3})(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|," +
		")[\\x60'\"\\s=]{0,5}(su[a-zA-Z0-9]{12})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 3,
		reach: 608, run: 14, allowed: []allowance{}},
	{id: "sumologic-access-token", keywords: []string{"sumo"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:(?-i:[Ss]umo|SUMO))(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|," +
		")[\\x60'\"\\s=]{0,5}([a-z0-9]{64})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 3,
		reach: 608, run: 64, allowed: []allowance{}},
	{id: "telegram-bot-api-token", keywords: []string{"telegr"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:telegr)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}([0-9]{5,16}:(?-i:A)[a-z0-9_\\-]{34})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0,
		reach: 568, run: 35, allowed: []allowance{}},
	{id: "travisci-access-token", keywords: []string{"travis"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:travis)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}([a-z0-9]{22})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0, reach: 448, run: 22,
		allowed: []allowance{}},
	{id: "twitch-api-token", keywords: []string{"twitch"}, pattern: "(?i)[\\w.-]{0,50}?(?:twitch)(?:[ \\t\\w.-]{0," +
		"20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0,5}([a-z0-9]{30})(?:[\\x60'\"\\s;," +
		".:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0, reach: 480, run: 30, allowed: []allowance{}},
	{id: "twitter-access-secret", keywords: []string{"twitter"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:twitter)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}([a-z0-9]{45})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0, reach: 544, run: 45,
		allowed: []allowance{}},
	{id: "twitter-access-token", keywords: []string{"twitter"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:twitter)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}([0-9]{15,25}-[a-zA-Z0-9]{20,40})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0,
		reach: 628, run: 36, allowed: []allowance{}},
	{id: "twitter-api-key", keywords: []string{"twitter"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:twitter)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}([a-z0-9]{25})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0, reach: 464, run: 25,
		allowed: []allowance{}},
	{id: "twitter-api-secret", keywords: []string{"twitter"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:twitter)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}([a-z0-9]{50})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0, reach: 564, run: 50,
		allowed: []allowance{}},
	{id: "twitter-bearer-token", keywords: []string{"twitter"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:twitter)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}(A{22}[a-zA-Z0-9%]{80,100})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0,
		reach: 852, run: 22, allowed: []allowance{}},
	{id: "typeform-api-token", keywords: []string{"tfp_"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:typeform)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}(tfp_[a-z0-9\\-_\\.=]{59})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0,
		reach: 620, run: 63, needs: []string{"typeform"}, allowed: []allowance{}},
	{id: "vault-batch-token", keywords: []string{"hvb."}, pattern: "\\b(hvb\\.[\\w-]{138,300})(?:[\\x60'\"\\s;," +
		".:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 4, reach: 1224, run: 142, allowed: []allowance{}},
	{id: "yandex-access-token", keywords: []string{"yandex"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:yandex)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}(t1\\.[A-Z0-9a-z_-]+[=]{0,2}\\.[A-Z0-9a-z_-]{86}[=]{0,2})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)",
		group: 0, entropy: 0, reach: 2048, run: 91, needs: []string{"t1."}, allowed: []allowance{}},
	{id: "yandex-api-key", keywords: []string{"yandex"}, pattern: "(?i)[\\w.-]{0,50}?(?:yandex)(?:[ \\t\\w.-]{0," +
		"20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0,5}(AQVN[A-Za-z0-9_\\-]{35," +
		"38})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0, reach: 528, run: 39,
		needs: []string{"aqvn"}, allowed: []allowance{}},
	{id: "yandex-aws-access-token", keywords: []string{"yandex"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:yandex)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}(YC[a-zA-Z0-9_\\-]{38})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0, reach: 520,
		run: 40, allowed: []allowance{}},
	{id: "zendesk-secret-key", keywords: []string{"zendesk"}, pattern: "(?i)[\\w.-]{0," +
		"50}?(?:zendesk)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0," +
		"5}([a-z0-9]{40})(?:[\\x60'\"\\s;,.:!?)\\]}>&]|\\\\[nr]|$)", group: 0, entropy: 0, reach: 524, run: 40,
		allowed: []allowance{}},
}

// allowedEverywhere is no secret, whatever the rule.
var allowedEverywhere = allowance{target: "", all: false, patterns: []expression{"(?i)^true|false|null$",
	"^(?i:a+|b+|c+|d+|e+|f+|g+|h+|i+|j+|k+|l+|m+|n+|o+|p+|q+|r+|s+|t+|u+|v+|w+|x+|y+|z+|\\*+|\\.+)$",
	"^\\$(?:\\d+|{\\d+})$", "^\\$(?:[A-Z_]+|[a-z_]+)$", "^\\${(?:[A-Z_]+|[a-z_]+)}$",
	"^\\{\\{[ \\t]*[\\w ().|]+[ \\t]*}}$",
	"^\\$\\{\\{[ \\t]*(?:(?:env|github|secrets|vars)(?:\\.[A-Za-z]\\w+)+[\\w \"'&./=|]*)[ \\t]*}}$",
	"^%(?:[A-Z_]+|[a-z_]+)%$", "^%[+\\-# 0]?[bcdeEfFgGoOpqstTUvxX]$", "^\\{\\d{0,2}}$",
	"^@(?:[A-Z_]+|[a-z_]+)@$", "^/Users/(?i)[a-z0-9]+/[\\w .-/]+$",
	"^/(?:bin|etc|home|opt|tmp|usr|var)/[\\w ./-]+$"},
	stopwords: []string{"014df517-39d1-4453-b7b3-9930c563627c", "abcdefghijklmnopqrstuvwxyz"}}
