package main

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestServeAnApplication lets an application use a server without any model, over a restart.
func TestServeAnApplication(t *testing.T) {
	db, token := initialized(t)
	command(t, "app", "create", "--db", db, "notes")
	key := strings.TrimSpace(command(t, "key", "issue", "--db", db, "--app", "notes"))
	s := start(t, serving(db)...)
	send := func(status int, what, body string) map[string]any {
		method, path, _ := strings.Cut(what, " ")
		a := ask(http.DefaultClient, method, s.url+path, key, body)
		require.Equal(t, status, a.status, "%s: %s", what, a.body)
		var v map[string]any
		require.NoError(t, json.Unmarshal(a.body, &v))
		return v
	}
	require.Equal(t, 401, ask(http.DefaultClient, "GET", s.url+"/v1/threads?user_id=ann", token, "").status)
	thread := send(200, "POST /v1/threads", `{"user_id":"ann"}`)["thread_id"].(string)
	event := send(200, "POST /v1/threads/"+thread+"/events",
		`{"actor":"user","content":"My name is Ann and my bicycle is turquoise."}`)["event_id"].(string)
	require.Eventually(t, func() bool { // the side effects are done in the background
		effects := send(200, "GET /v1/threads/"+thread+"/events/"+event+"/effects", "")["effects"].([]any)
		for _, e := range effects {
			if e.(map[string]any)["state"] == "pending" {
				return false
			}
		}
		return len(effects) > 0
	}, 30*time.Second, 20*time.Millisecond)
	require.Contains(t, send(200, "POST /v1/retrieve", `{"user_id":"ann","query":"turquoise bicycle"}`)["memory"], "turquoise")
	require.Contains(t, send(503, "POST /v1/threads/"+thread+"/chat", `{"text":"Hello"}`)["detail"], "no model")
	require.Zero(t, s.stop(t), "%s", s.log())
	for _, private := range []string{key, "turquoise", "ann"} {
		require.NotContains(t, strings.ReplaceAll(s.log(), db, ""), `"`+private)
	}

	s = start(t, serving(db)...)
	messages := send(200, "GET /v1/threads/"+thread+"/events", "")["messages"].([]any)
	require.Len(t, messages, 1)
	send(200, "DELETE /v1/users/ann", "")
	send(404, "GET /v1/threads/"+thread+"/events", "")
	var keys []struct{ ID string }
	require.NoError(t, json.Unmarshal([]byte(command(t, "key", "ls", "--db", db, "--json")), &keys))
	command(t, "key", "revoke", "--db", db, keys[0].ID)
	send(401, "GET /v1/threads?user_id=ann", "")
	require.Zero(t, s.stop(t), "%s", s.log())
}

// TestAUselessModelForEmbeddingsIsNamed starts with a model whose vectors tell the lengths of texts, and with one that
// does not answer.
func TestAUselessModelForEmbeddingsIsNamed(t *testing.T) {
	m := newModelServer(t)
	var said bytes.Buffer
	o := modelOptions{embeddings: endpoint{url: m.URL + "/v1", model: "tiny"}, timeout: time.Second}
	warnOfUseless(t.Context(), o, slog.New(slog.NewTextHandler(&said, nil)))
	require.Contains(t, said.String(), "of little use")
	require.Contains(t, said.String(), "model=tiny")
	said.Reset()
	m.fail = func(w http.ResponseWriter, _ *http.Request, _ int) bool {
		http.Error(w, "no", http.StatusUnauthorized)
		return true
	}
	warnOfUseless(t.Context(), o, slog.New(slog.NewTextHandler(&said, nil)))
	warnOfUseless(t.Context(), modelOptions{}, slog.New(slog.NewTextHandler(&said, nil)))
	require.Empty(t, said.String())
}
