package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/server/sqlite"
	"ltm/server/threads"
)

// modelServer is an endpoint on loopback that answers as OpenAI's does, or as it is told.
type modelServer struct {
	*httptest.Server
	mu   sync.Mutex
	got  []string // bodies of requests
	keys []string // headers with a key
	fail func(w http.ResponseWriter, r *http.Request, n int) bool
}

func newModelServer(t *testing.T) *modelServer {
	t.Helper()
	m := &modelServer{}
	m.Server = httptest.NewServer(http.HandlerFunc(m.answer))
	t.Cleanup(m.Close)
	return m
}

func (m *modelServer) answer(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	m.mu.Lock()
	m.got = append(m.got, string(body))
	m.keys = append(m.keys, r.Header.Get("Authorization"))
	n, fail := len(m.got), m.fail
	m.mu.Unlock()
	if fail != nil && fail(w, r, n) {
		return
	}
	var req struct{ Input []string }
	_ = json.Unmarshal(body, &req)
	if strings.HasSuffix(r.URL.Path, "/embeddings") {
		var data []string
		for i := range req.Input {
			data = append(data, fmt.Sprintf(`{"index":%d,"embedding":[%d,1,0.5]}`, i, len(req.Input[i])))
		}
		_, _ = fmt.Fprintf(w, `{"data":[%s],"usage":{"prompt_tokens":%d}}`, strings.Join(data, ","), len(req.Input))
		return
	}
	text := "- Robin lives in Porto."
	if strings.Contains(string(body), "JSON array") {
		text = `[{"text":"Robin lives in Porto","bucket":"PROFILE","confidence":0.9,"events":[1]}]`
	}
	quoted, _ := json.Marshal(text)
	_, _ = fmt.Fprintf(w, `{"choices":[{"message":{"content":%s},"finish_reason":"stop"}],`+
		`"usage":{"prompt_tokens":30,"completion_tokens":10}}`, quoted)
}

func (m *modelServer) requests() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]string(nil), m.got...)
}

// purposeNames are the purposes of models.
func purposeNames() []string { return []string{"embeddings", "summaries", "extraction", "chat"} }

// allModels is an environment in which one endpoint serves all purposes. Its key is in a file.
func (m *modelServer) allModels(t *testing.T, db string) map[string]string {
	t.Helper()
	key := filepath.Join(t.TempDir(), "key")
	require.NoError(t, os.WriteFile(key, []byte("geheim-und-lang\n"), 0o600))
	env := map[string]string{"LTM_SERVER_DB": db, "HOME": t.TempDir()}
	for _, p := range purposeNames() {
		name := "LTM_SERVER_" + strings.ToUpper(p)
		env[name+"_URL"], env[name+"_MODEL"], env[name+"_KEY_FILE"] = m.URL+"/v1", "tiny", key
	}
	return env
}

// TestCheckAsksModels asks all of them, well and failing.
func TestCheckAsksModels(t *testing.T) {
	db, _ := initialized(t)
	m := newModelServer(t)
	env := m.allModels(t, db)
	status, out, said := call(t, env, "check")
	require.Equal(t, exitOK, status, said)
	require.Empty(t, m.requests(), "only --models asks")
	require.NotContains(t, out, "tiny")

	status, out, said = call(t, env, "check", "--models")
	require.Equal(t, exitOK, status, said)
	require.Len(t, m.requests(), 5)
	require.Equal(t, []string{"Bearer geheim-und-lang"}, m.keys[:1])
	for _, want := range []string{"embeddings: tiny at http://127.0.0.1", "a vector of 3 numbers, and ",
		"a summary", "1 claim",
		"a reply", "0 packets, no problems"} {
		require.Contains(t, out, want)
	}

	m.fail = func(w http.ResponseWriter, _ *http.Request, _ int) bool {
		http.Error(w, `{"error":{"code":"invalid_api_key","message":"geheim-und-lang"}}`, http.StatusUnauthorized)
		return true
	}
	status, out, said = call(t, env, "check", "--models", "--json")
	require.Equal(t, exitFailure, status, said)
	require.Contains(t, out, "the endpoint does not accept the key (status 401, invalid_api_key)")
	require.NotContains(t, out+said, "geheim")
}

// TestConfigMasksKeys shows options of models, with keys from a variable and a file.
func TestConfigMasksKeys(t *testing.T) {
	m := newModelServer(t)
	env := m.allModels(t, "ltm.db")
	delete(env, "LTM_SERVER_CHAT_KEY_FILE")
	env["LTM_SERVER_CHAT_KEY"] = "geheim-und-lang"
	status, out, said := call(t, env, "config")
	require.Equal(t, exitOK, status, said)
	require.Contains(t, out, "chat-key\t***\tLTM_SERVER_CHAT_KEY\t")
	require.Contains(t, out, "embeddings-key\t***\tLTM_SERVER_EMBEDDINGS_KEY_FILE\t")
	require.Contains(t, out, "embeddings-model\ttiny\t")
	require.NotContains(t, out+said, "geheim")
	require.Empty(t, m.requests())
}

// TestModelsThatCannotBeAsked gives options that do not make a model.
func TestModelsThatCannotBeAsked(t *testing.T) {
	good := []string{"--chat-url", "https://api.example.com/v1", "--chat-model", "m"}
	for want, args := range map[string][]string{
		"--chat-model is missing":     {"--chat-url", "https://api.example.com/v1"},
		"--chat-url is missing":       {"--chat-model", "m"},
		"--extraction-url is missing": {"--extraction-key", "geheim"},
		"cannot use --chat-url":       {"--chat-url", "ftp://api.example.com", "--chat-model", "m"},
		"without encryption": {"--chat-url", "http://api.example.com", "--chat-model", "m",
			"--chat-key", "geheim"},
		"the model must be 1 to":            {"--chat-url", "https://api.example.com", "--chat-model", "a\nb"},
		"--chat-price cannot be":            append([]string{"--chat-price", "cheap"}, good...),
		`--chat-price cannot be "1/-1"`:     append([]string{"--chat-price", "1/-1"}, good...),
		`--chat-price cannot be "NaN"`:      append([]string{"--chat-price", "NaN"}, good...),
		"--models-timeout cannot be":        {"--models-timeout", "1ms"},
		"--models-timeout cannot be 2m":     {"--models-timeout", "2m"},
		"--models-tokens cannot be -1":      {"--models-tokens", "-1"},
		"--embeddings-weight cannot be 0":   {"--embeddings-weight", "0"},
		"--embeddings-weight cannot be 2":   {"--embeddings-weight", "2"},
		"--embeddings-weight cannot be NaN": {"--embeddings-weight", "NaN"},
		"there is --embeddings-dimens":      {"--embeddings-dimension", "3"},
		"the dimension must be 1 to": {"--embeddings-url", "http://[::1]/v1", "--embeddings-model", "m",
			"--embeddings-dimension", "-3"},
		"must not have a user, a query":  {"--chat-url", "https://u:geheim@api.example.com/v1", "--chat-model", "m"},
		"at most 4096 ASCII characters ": append([]string{"--chat-key", "geheim und mehr"}, good...),
	} {
		t.Run(want, func(t *testing.T) {
			status, out, said := call(t, map[string]string{"HOME": "/home/x"}, append([]string{"config"}, args...)...)
			require.Equal(t, exitInvalid, status)
			require.Empty(t, out)
			require.Contains(t, said, want)
			require.NotContains(t, said, "geheim")
		})
	}
	status, _, said := call(t, map[string]string{"HOME": "/home/x"}, append([]string{"config", "--chat-price",
		"0.15/0.6", "--models-plain-http", "--chat-reasoning"}, good...)...)
	require.Equal(t, exitOK, status, said)
}

// TestVectorsAreDropped removes the vectors of one of two models.
func TestVectorsAreDropped(t *testing.T) {
	db, _ := initialized(t)
	store, err := sqlite.Open(t.Context(), db, sqlite.Options{MustExist: true})
	require.NoError(t, err)
	memory, who := store.Threads(), threads.Subject{App: "app", User: "ann"}
	require.NoError(t, memory.CreateApp(t.Context(), threads.App{ID: "app", Name: "app", CreatedAt: time.Now()}))
	require.NoError(t, memory.Change(t.Context(), who, func(tx threads.Tx) error {
		return errors.Join(tx.PutVector(threads.Vector{Ref: threads.Ref{Kind: threads.KindEvent, ID: "1"}, Model: "old",
			V: []float32{1, 2}}), tx.PutVector(threads.Vector{Ref: threads.Ref{Kind: threads.KindEvent, ID: "1"},
			Model: "new", V: []float32{1, 2}}))
	}))
	require.NoError(t, store.Close())
	require.Equal(t, "removed 1 vector\n", command(t, "vectors", "drop", "old", "--db", db))
	require.Equal(t, "removed 0 vectors\n", command(t, "vectors", "drop", "old", "--db", db))
	require.Equal(t, "removed 1 vector\n", command(t, "vectors", "drop", "new", "--db", db))
}
