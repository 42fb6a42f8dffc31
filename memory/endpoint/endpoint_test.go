package endpoint

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/settings"
)

// serve returns settings for a server on this machine.
func serve(t *testing.T, handle http.HandlerFunc) settings.Embeddings {
	server := httptest.NewServer(handle)
	t.Cleanup(server.Close)
	set := settings.Default().Embeddings
	set.URL, set.Model = server.URL+"/v1", "small"
	return set
}

func client(t *testing.T, set settings.Embeddings) *Client {
	made, err := New(set)
	require.NoError(t, err)
	t.Cleanup(made.Close)
	return made
}

func answers(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, body) }
}

func TestE15_ARequestIsOpenAIs(t *testing.T) {
	var got struct {
		Model      string
		Input      []string
		Dimensions int
	}
	set := serve(t, func(w http.ResponseWriter, r *http.Request) {
		assert.Equal(t, "POST /v1/embeddings", r.Method+" "+r.URL.Path)
		assert.Equal(t, "application/json", r.Header.Get("Content-Type"))
		assert.Equal(t, "Bearer of the file", r.Header.Get("Authorization"))
		assert.NoError(t, json.NewDecoder(r.Body).Decode(&got))
		answers(`{"object":"list","model":"small","usage":{"total_tokens":3},"data":[
			{"object":"embedding","index":1,"embedding":[0.5,1e-3]},
			{"object":"embedding","index":0,"embedding":[1,-1]}]}`)(w, r)
	})
	set.KeyFile = filepath.Join(t.TempDir(), "key")
	require.NoError(t, os.WriteFile(set.KeyFile, []byte("of the file\n"), 0o600))
	set.Dimensions, set.TextPrefix = 2, "search_document: "
	vectors, err := client(t, set).Texts(t.Context(), []string{"one", "two"})
	require.NoError(t, err)
	assert.Equal(t, [][]float32{{1, -1}, {0.5, 0.001}}, vectors, "by their index")
	assert.Equal(t, []string{"search_document: one", "search_document: two"}, got.Input)
	assert.Equal(t, "small", got.Model)
	assert.Equal(t, 2, got.Dimensions)
}

func TestE15_TheKeyIsThatOfTheEnvironmentAndNoneIsSentWithoutOne(t *testing.T) {
	var key atomic.Value
	set := serve(t, func(w http.ResponseWriter, r *http.Request) {
		key.Store(r.Header.Get("Authorization"))
		answers(`{"data":[{"index":0,"embedding":[1]}]}`)(w, r)
	})
	_, err := client(t, set).Query(t.Context(), "one")
	require.NoError(t, err)
	assert.Equal(t, "", key.Load())

	t.Setenv("WM_LSP_EMBEDDINGS_KEY", "of the environment")
	_, err = client(t, set).Query(t.Context(), "one")
	require.NoError(t, err)
	assert.Equal(t, "Bearer of the environment", key.Load())
}

func TestE15_OnlyRedactedTextIsSent(t *testing.T) {
	const secret = "ghp_x7Kq2mVb9TzR4wLn8sYd3fHc6jPa1eGu5oXi"
	var body atomic.Value
	set := serve(t, func(w http.ResponseWriter, r *http.Request) {
		read, _ := io.ReadAll(r.Body)
		body.Store(string(read))
		answers(`{"data":[{"index":0,"embedding":[1]}]}`)(w, r)
	})
	set.MaxChars = 100
	c := client(t, set)
	for _, ask := range []func(text string) error{
		func(text string) error { _, err := c.Query(t.Context(), text); return err },
		func(text string) error { _, err := c.Texts(t.Context(), []string{text}); return err },
	} {
		require.NoError(t, ask("The token is "+secret+" and the port is 8080"))
		assert.NotContains(t, body.Load(), secret)
		assert.Contains(t, body.Load(), "8080")
		require.NoError(t, ask(strings.Repeat("é", 100)+"end"))
		assert.NotContains(t, body.Load(), "end")
		assert.Contains(t, body.Load(), strings.Repeat("é", 100), "not more is cut off")
	}
}

func TestE15_AnAnswerThatIsWrongIsAFault(t *testing.T) {
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		want   string
	}{
		"no JSON":             {answers("<html>"), "something else than vectors"},
		"no vectors":          {answers(`{}`), "0 vectors for 2 strings"},
		"one vector":          {answers(`{"data":[{"index":0,"embedding":[1]}]}`), "1 vectors for 2 strings"},
		"the same index":      {answers(`{"data":[{"embedding":[1]},{"embedding":[1]}]}`), "wrong numbers"},
		"a foreign index":     {answers(`{"data":[{"index":7,"embedding":[1]},{"embedding":[1]}]}`), "wrong numbers"},
		"other lengths":       {answers(`{"data":[{"embedding":[1,2]},{"index":1,"embedding":[]}]}`), "0 numbers"},
		"empty vectors":       {answers(`{"data":[{"embedding":[]},{"index":1,"embedding":[]}]}`), "0 numbers"},
		"a number too large":  {answers(`{"data":[{"embedding":[1e99]},{"embedding":[1]}]}`), "something else"},
		"an endless answer":   {endless, "more than"},
		"a redirect":          {http.RedirectHandler("/elsewhere", http.StatusTemporaryRedirect).ServeHTTP, "307"},
		"no key":              {status(http.StatusUnauthorized), "401 Unauthorized"},
		"no such page":        {status(http.StatusNotFound), "404 Not Found"},
		"an error of its own": {status(http.StatusInternalServerError), "500"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := client(t, serve(t, c.answer)).Texts(t.Context(), []string{"hunter-two", "b"})
			var fault *Fault
			require.ErrorAs(t, err, &fault)
			assert.Contains(t, fault.Message, c.want)
			assert.NotContains(t, fault.Message, "hunter", "texts are not quoted")
			assert.NotEmpty(t, fault.Fix)
			assert.False(t, fault.Refused)
		})
	}
}

func endless(w http.ResponseWriter, _ *http.Request) {
	for range 100 {
		if _, err := io.WriteString(w, strings.Repeat(" ", 1<<20)); err != nil {
			return
		}
	}
}

func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		http.Error(w, "not for "+string(body), code)
	}
}

func TestE15_AnEndpointSaysWhatItDoesNotTakeAndHowLongToWait(t *testing.T) {
	for code, want := range map[int]Fault{
		http.StatusBadRequest:            {Refused: true},
		http.StatusRequestEntityTooLarge: {Refused: true},
		http.StatusUnprocessableEntity:   {Refused: true},
		http.StatusTooManyRequests:       {Pause: 7 * time.Second},
		http.StatusServiceUnavailable:    {Pause: 7 * time.Second},
	} {
		_, err := client(t, serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Retry-After", "7")
			status(code)(w, r)
		})).Query(t.Context(), "a")
		var fault *Fault
		require.ErrorAs(t, err, &fault)
		assert.Equal(t, want, Fault{Refused: fault.Refused, Pause: fault.Pause}, code)
	}
	for header, want := range map[string]time.Duration{
		"": 0, "soon": 0, "-5": 0, "3": 3 * time.Second, "999999999": maxPause,
	} {
		assert.Equal(t, want, pauseOf(header), header)
	}
}

func TestE15_AnEndpointThatIsDownIsAFaultWithoutItsAddress(t *testing.T) {
	server := httptest.NewServer(nil)
	set := settings.Default().Embeddings
	set.URL, set.Model = server.URL+"/a-secret-path", "small"
	server.Close()
	_, err := client(t, set).Query(t.Context(), "a")
	var fault *Fault
	require.ErrorAs(t, err, &fault)
	assert.Contains(t, fault.Message, "cannot be reached")
	assert.NotContains(t, fault.Message, "secret")
}

func TestE15_HTTPStaysOnThisMachineWhateverANameResolvesTo(t *testing.T) {
	for address, stays := range map[string]bool{
		"127.0.0.1:80": true, "[::1]:80": true, "127.9.9.9:1": true, "10.0.0.1:80": false, "192.0.2.7:80": false,
		"[2001:db8::1]:80": false, "": false,
	} {
		assert.Equal(t, stays, onlyThisMachine("tcp", address, nil) == nil, address)
	}
}

func TestE15_SettingsThatCannotBeUsedSayWhatToDo(t *testing.T) {
	set := settings.Default().Embeddings
	set.URL = "http://localhost:1/v1"
	_, err := New(set)
	var fault *Fault
	require.ErrorAs(t, err, &fault)
	assert.Contains(t, fault.Message, "embeddings.model")

	set.Model, set.KeyFile = "small", filepath.Join(t.TempDir(), "none")
	_, err = client(t, set).Query(t.Context(), "a")
	require.ErrorAs(t, err, &fault)
	assert.Contains(t, fmt.Sprint(fault.Message, fault.Fix), "embeddings.keyFile")
}
