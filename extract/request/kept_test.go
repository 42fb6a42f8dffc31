package request_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/extract/request"
)

func TestB2_WhatIsPutIntoThePlaceOfAMemoryOrForLaterIsARequest(t *testing.T) {
	for message, want := range map[string]string{
		"Save this for later sessions: migrations live in db/changes.":            "migrations live in db/changes.",
		"File this away: the mobile app still calls v1 of the search.":            "the mobile app still calls v1",
		"Put into your notes that Ana reviews everything below infra/.":           "Ana reviews everything",
		"Can we get it into CLAUDE.md that integration tests need docker?":        "integration tests need docker",
		"I want you to retain that the exporter must stay on Python 3.8.":         "the exporter must stay",
		"As a reminder for your future self, the websocket tests need redis.":     "the websocket tests need redis",
		"In all coming sessions, answer me in British English.":                   "answer me in British English",
		"When you work on this repo again, use pnpm and not npm.":                 "use pnpm and not npm",
		"It's worth recording that the cron on host b2 runs in UTC.":              "the cron on host b2 runs in UTC",
		"Can you store the fact that the runners have only 4 GB?":                 "the runners have only 4 GB",
		"Keep it as a rule that every endpoint has a rate limit.":                 "every endpoint has a rate limit",
		"Consider this a permanent instruction: run the linter before each push.": "run the linter",
		"Leg dir eine Notiz an, dass der Testserver nachts aus ist.":              "der Testserver",
		"Bitte für alle weiteren Sitzungen merken: Umlaute sind verboten.":        "Umlaute sind verboten",
		"Ajoute à tes notes que le VPN est nécessaire pour la préprod.":           "le VPN est nécessaire",
		"Sache pour la suite que le cache est purgé chaque heure.":                "le cache est purgé",
		"Ten en cuenta para el futuro que la API devuelve las fechas en UTC.":     "la API devuelve",
		"Para futuras sesiones: los textos se traducen en locale/es.":             "los textos se traducen",
		"Quero que te lembres de que a porta 8081 é do proxy.":                    "a porta 8081",
		"把这条写进记忆：发布只能从 release 分支进行。":                                             "发布只能从 release 分支进行",
		"记到你的笔记里，支付模块由另一个团队维护。":                                                   "支付模块由另一个团队维护",
		"これは覚えておくべきことです：本番の鍵は vault にあります。":                                       "本番の鍵は vault にあります",
		"ステージングは日曜に初期化されるということをメモリに保存しておいてください。":                                  "ステージングは日曜に初期化される",
		"이건 꼭 기억해: 운영 키는 vault에 있어.":                                              "운영 키는 vault에 있어",
		"Сохрани в памяти, что релизы выходят по средам.":                         "релизы выходят по средам",
		"Впредь пиши сообщения коммитов на английском.":                           "пиши сообщения",
	} {
		found := request.Requests(message, request.Before{})
		require.Len(t, found, 1, message)
		assert.Contains(t, found[0].Text, want, message)
	}
}

func TestB2_WorkOnNotesAndMemoryIsNoRequest(t *testing.T) {
	for message := range strings.Lines(`Add the missing test to the notes package, that one has none.
Put the button into the memory view, next to the search.
Store the settings in memory, and write them on exit.
Save this file for the next step: config.json
Get the value from memory, then compare it with the disk.
If you see the error again, restart the worker.
When you start the server again, does the error come back?
In the next session of the game, the score should be zero.
Add a note to the README about the install step
The form should remember the last country.
Schreib die Notizen in eine Datei, dann lösche sie.
Wenn du das wieder siehst, starte den Server neu.
Mets le résultat en mémoire, puis écris-le.
Guarda las notas en la base de datos, no en un fichero.
Coloca o valor na memória, e depois escreve-o.
把笔记保存到数据库里，不要用文件。
メモを追加するボタンを作ってください。
결과를 메모리에 저장해 주세요.
Сохрани результат в память, потом запиши на диск.
`) {
		assert.Empty(t, request.Requests(message, request.Before{}), message)
	}
}

func TestWhatAMessageAsksToRememberIsNoTodo(t *testing.T) {
	for message, todos := range map[string][]string{
		"Please remember to always use tabs":                    {},
		"Don't forget to run the linter before each commit":     {},
		"Don't forget to push the branch":                       {"Don't forget to push the branch"},
		"Remember: amounts are cents. We still have to push it": {"We still have to push it"},
	} {
		assert.ElementsMatch(t, todos, request.Hear("user", message, request.Before{}).Todos, message)
	}
}
