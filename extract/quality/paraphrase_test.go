package quality_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wm-lsp/wm-lsp/extract/quality"
)

func TestB5_TheSameInOtherWordsIsAParaphrase(t *testing.T) {
	for _, pair := range [][2]string{
		{"no, we don't use lodash here, use the helpers of the standard library instead",
			"please use helpers of the standard library, we do not use lodash"},
		{"don't use moment.js anymore, always use date-fns for dates",
			"please never use moment.js again, use date-fns for the dates"},
		{"use tabs instead of spaces for indentation", "indentation uses tabs rather than spaces"},
		{"every eval in the examples needs an oracle file", "also each eval in examples should need an oracle file"},
		{"release branches are never force-pushed", "never force-push a release branch"},
		{"commit messages should be written in English", "write the commit messages in English please"},
		{"the API must return at most 100 rows per page", "API returns at most 100 rows a page"},
		{"run the linter before every commit", "always run the linters before committing"},
		{"Tests brauchen immer eine echte Datenbank statt Mocks", "bitte Tests mit echter Datenbank, statt mit Mocks"},
		{"totals of an invoice are rounded half-up", "round the totals of invoices half up"},
		{"接口必须返回 request_id", "所有接口都必须返回 request_id"},
	} {
		assert.True(t, quality.Paraphrase(pair[0])(pair[1]), "%q and %q", pair[0], pair[1])
		assert.True(t, quality.Paraphrase(pair[1])(pair[0]), "%q and %q", pair[1], pair[0])
	}
}

func TestB5_AnotherMeaningInSimilarWordsIsNoParaphrase(t *testing.T) {
	for _, pair := range [][2]string{
		{"use tabs instead of spaces for indentation", "use spaces instead of tabs for indentation"},
		{"use tabs for indentation in Go files", "don't use tabs for indentation in Go files"},
		{"run the linter before the tests", "run the tests before the linter"},
		{"migrate the data from Postgres to SQLite", "migrate the data from SQLite to Postgres"},
		{"the API returns at most 100 rows per page", "the API returns at most 50 rows per page"},
		{"we never use the archive of region 1 in tests", "we never use the archive of region 2 in tests"},
		{"store the logs in logs/app.log on the server", "store the logs in logs/web.log on the server"},
		{"use redis for the queue of the mailer", "use redis for the queue of the importer"},
		{"only admins can delete a project", "admins can delete a project"},
		{"Go files are formatted with gofumpt", "Python files are formatted with black"},
		{"tests must not need the network", "tests need the network"},
		{"deploy to staging on Fridays", "deploy to production on Fridays"},
		{"use zod for validation", "use joi for validation"},
		{"prefer composition over inheritance", "prefer inheritance over composition"},
		{"use tabs", "use spaces"},
		{"yes", "yes please"},
		{"接口必须返回 request_id", "接口不要返回 request_id"},
		{"提交前先跑测试", "提交后再跑测试"},
		{"テストは必ず実行する", "テストは実行しない"},
		{"커밋 전에 테스트를 실행한다", "커밋 전에 테스트를 실행하지 않는다"},
		{"the client retries a request with backoff", "the server retries a request with backoff"},
		{"enable the cache for reads", "disable the cache for reads"},
		{"users may see all projects of a team", "users may see no projects of a team"},
	} {
		assert.False(t, quality.Paraphrase(pair[0])(pair[1]), "%q and %q", pair[0], pair[1])
		assert.False(t, quality.Paraphrase(pair[1])(pair[0]), "%q and %q", pair[1], pair[0])
	}
}

func BenchmarkParaphrase(b *testing.B) {
	says := quality.Paraphrase("no, we don't use lodash here, use the helpers of the standard library instead")
	for b.Loop() {
		says("The exporter writes Parquet files to s3://exports and never to the local disk")
	}
}
