package main

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/server/sqlite"
)

// form sends a form, as programs of the device flow do, and decodes the answer.
func form(t *testing.T, to string, values url.Values) (status int, answer map[string]any) {
	t.Helper()
	r, err := http.PostForm(to, values)
	require.NoError(t, err)
	defer r.Body.Close()
	require.NoError(t, json.NewDecoder(r.Body).Decode(&answer))
	return r.StatusCode, answer
}

// TestApprove lets a program in that shows a code, and refuses another one.
func TestApprove(t *testing.T) {
	db, _ := initialized(t)
	command(t, "user", "add", "mira", "--db", db)
	s := start(t, serving(db)...)
	begin := func() (code, device string) {
		status, answer := form(t, s.url+"/oauth/authorize_device", url.Values{"client_id": {"ltm-cli"},
			"scope": {"read write"}})
		require.Equal(t, http.StatusOK, status, "%v", answer)
		return answer["user_code"].(string), answer["device_code"].(string)
	}
	poll := func(device string) (int, map[string]any) {
		return form(t, s.url+"/oauth/token", url.Values{"device_code": {device}, "client_id": {"ltm-cli"},
			"grant_type": {"urn:ietf:params:oauth:grant-type:device_code"}})
	}
	code, device := begin()
	require.Regexp(t, `^approved `+code+` \(.*\) as mira\n$`, command(t, "approve", code, "--user", "mira", "--db", db))
	status, answer := poll(device)
	require.Equal(t, http.StatusOK, status, "%v", answer)
	token, _ := answer["access_token"].(string)
	require.Regexp(t, `^ltms_[0-9A-Za-z]{48}$`, token)
	require.Equal(t, http.StatusOK, ask(http.DefaultClient, http.MethodGet, s.url+"/v1/packets", token, "").status)
	require.Contains(t, command(t, "token", "ls", "--user", "mira", "--db", db), "\tvalid\t")
	said, _, _ := call(t, nil, "approve", code, "--db", db)
	require.Equal(t, exitNotFound, said, "a code is used once")

	code, device = begin()
	require.Equal(t, "denied "+code+"\n", command(t, "approve", code, "--deny", "--db", db))
	status, answer = poll(device)
	require.Equal(t, http.StatusBadRequest, status)
	require.Equal(t, "access_denied", answer["error"])
}

func TestPurgeEvery(t *testing.T) {
	for after, every := range map[time.Duration]time.Duration{1: time.Hour, 2 * time.Hour: 2 * time.Hour,
		720 * time.Hour: 24 * time.Hour} {
		require.Equal(t, every, purgeEvery(after))
	}
}

// TestServePurges removes what was deleted long enough ago, of which there is only what a test deletes.
func TestServePurges(t *testing.T) {
	db, _ := initialized(t)
	command(t, "user", "add", "mira", "--db", db)
	command(t, "user", "rm", "mira", "--yes", "--db", db)
	s := start(t, serving(db, "--purge-after", "1000h")...)
	require.Zero(t, s.stop(t), "%s", s.log())
	require.NotContains(t, s.log(), "purged")
	s = start(t, serving(db, "--purge-after", "1ns")...)
	require.Eventually(t, func() bool { return strings.Contains(s.log(), "purged what is over") }, time.Minute,
		10*time.Millisecond)
	require.Zero(t, s.stop(t), "%s", s.log())
	require.Contains(t, s.log(), `"users":1`)
}

// TestServeNeedsAUser starts a server on a database that has no one in it.
func TestServeNeedsAUser(t *testing.T) {
	db := filepath.Join(t.TempDir(), "ltm.db")
	store, err := sqlite.Open(context.Background(), db, sqlite.Options{})
	require.NoError(t, err)
	require.NoError(t, store.Close())
	status, _, said := call(t, nil, "serve", "--db", db, "--addr", "127.0.0.1:0")
	require.Equal(t, exitNotFound, status)
	require.Contains(t, said, `has no users; "ltm-server init" adds the first one`)
}

// TestTwoInitsAtOnce makes a database by several processes: one of them has the token.
func TestTwoInitsAtOnce(t *testing.T) {
	db := filepath.Join(t.TempDir(), "new", "ltm.db")
	got := everyone(func(int) string {
		status, out, said := call(t, nil, "init", "--db", db)
		if len(out) > 0 {
			out = "token"
		}
		if status != exitOK && status != exitConflict {
			return said
		}
		return out + map[int]string{exitOK: " ok", exitConflict: " refused"}[status]
	})
	require.Equal(t, map[string]int{"token ok": 1, " refused": clients - 1}, got)
	require.Contains(t, command(t, "token", "ls", "--db", db), "\troot\tinit\tvalid\t")
}
