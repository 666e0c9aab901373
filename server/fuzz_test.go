package server_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"ltm/packet"
	"ltm/server"
	"ltm/server/sqlite"
)

// fuzzed returns a server for a fuzz target, which trusts proxies on 192.0.2.0/24, and a token.
func fuzzed(f *testing.F) (s *server.Server, token string) {
	f.Helper()
	ctx := context.Background()
	store, err := sqlite.Open(ctx, filepath.Join(f.TempDir(), "ltm.db"), sqlite.Options{})
	require.NoError(f, err)
	f.Cleanup(func() { require.NoError(f, store.Close()) })
	token = strings.Repeat("t", 48)
	at := time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)
	require.NoError(f, store.CreateUser(ctx, server.User{ID: "01K3Q8ZJ6M4T2V9XWBDN7RANN0", CreatedAt: at}))
	require.NoError(f, store.CreateToken(ctx, server.Token{ID: "T1", UserID: "01K3Q8ZJ6M4T2V9XWBDN7RANN0",
		Hash: server.Hash(token), CreatedAt: at}, 1))
	s, err = server.New(server.Options{Storage: store, Now: func() time.Time { return at }, TokenRate: plenty(),
		AddressRate: plenty(), FailureRate: plenty(),
		TrustedProxies: []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")}})
	require.NoError(f, err)
	return s, token
}

// answered sends a request and checks what holds for every answer.
func answered(t *testing.T, s *server.Server, r *http.Request) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	require.Less(t, w.Code, 500, w.Body.String())
	require.True(t, utf8.Valid(w.Body.Bytes()))
	if w.Code >= 400 {
		var p server.Problem
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &p))
		require.Equal(t, w.Code, p.Status)
		require.NotEmpty(t, p.Message)
	}
	return w
}

// FuzzPush sends bodies: what is accepted comes back as the same packet, and nothing else is stored.
func FuzzPush(f *testing.F) {
	s, token := fuzzed(f)
	f.Fuzz(func(t *testing.T, body string) {
		r := httptest.NewRequest("POST", "/v1/packets", strings.NewReader(body))
		r.Header.Set("Authorization", "Bearer "+token)
		w := answered(t, s, r)
		sent, err := packet.Parse([]byte(body))
		if err != nil {
			require.Contains(t, []int{400, 413}, w.Code)
			return
		}
		require.Equal(t, 201, w.Code, w.Body.String())
		want, err := sent.Canonical()
		require.NoError(t, err)
		r = httptest.NewRequest("GET", w.Header().Get("Location"), nil)
		r.Header.Set("Authorization", "Bearer "+token)
		require.Equal(t, string(want), answered(t, s, r).Body.String())
	})
}

// FuzzList sends queries.
func FuzzList(f *testing.F) {
	s, token := fuzzed(f)
	for _, id := range []string{idA, idB} {
		r := httptest.NewRequest("POST", "/v1/packets", strings.NewReader(packetText(id, "Go on.")))
		r.Header.Set("Authorization", "Bearer "+token)
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		require.Equal(f, 201, w.Code)
	}
	f.Fuzz(func(t *testing.T, query string) {
		r := httptest.NewRequest("GET", "/v1/packets", nil)
		r.URL.RawQuery = query
		r.Header.Set("Authorization", "Bearer "+token)
		w := answered(t, s, r)
		require.Contains(t, []int{200, 400, 404}, w.Code)
		if w.Code != 200 {
			return
		}
		// The link of the next page is one that is understood.
		target, _, more := strings.Cut(strings.TrimPrefix(w.Header().Get("Link"), "<"), ">")
		if more {
			r = httptest.NewRequest("GET", target, nil)
			r.Header.Set("Authorization", "Bearer "+token)
			require.Equal(t, 200, answered(t, s, r).Code, target)
		}
	})
}

// FuzzHeaders sends headers with a request that makes a link.
func FuzzHeaders(f *testing.F) {
	s, token := fuzzed(f)
	r := httptest.NewRequest("POST", "/v1/teams", strings.NewReader(`{"name":"alpha"}`))
	r.Header.Set("Authorization", "Bearer "+token)
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	require.Equal(f, 201, w.Code)
	f.Fuzz(func(t *testing.T, authorization, host, forwarded, proto, match string) {
		r := httptest.NewRequest("POST", "/oauth/authorize_device", strings.NewReader("client_id=x"))
		r.Header["X-Forwarded-Host"] = []string{host}
		r.Header["X-Forwarded-For"] = []string{forwarded}
		r.Header["X-Forwarded-Proto"] = []string{proto}
		if w := answered(t, s, r); w.Code == 200 {
			var v struct {
				Page string `json:"verification_uri"`
			}
			require.NoError(t, json.Unmarshal(w.Body.Bytes(), &v))
			require.Regexp(t, `^https?://[A-Za-z0-9.:_\[\]-]+/device$`, v.Page)
		}
		r = httptest.NewRequest("GET", "/v1/packets/"+idA, nil)
		r.Header["Authorization"] = []string{authorization}
		r.Header["If-None-Match"] = []string{match}
		require.Contains(t, []int{401, 404}, answered(t, s, r).Code)
		r = httptest.NewRequest("DELETE", "/v1/packets/"+idA, nil)
		r.Header["Authorization"] = []string{"Bearer " + token}
		r.Header["If-Match"] = []string{match}
		require.Contains(t, []int{400, 404, 412}, answered(t, s, r).Code)
	})
}

// FuzzCursor reads cursors: those of a list come back as they were, and no others are taken.
func FuzzCursor(f *testing.F) {
	q := server.PacketQuery{Caller: "ann", Tag: "red"}
	f.Fuzz(func(t *testing.T, text, id string, micros int64) {
		if place, ok := server.ReadCursor(text, q); ok {
			require.Equal(t, text, server.CursorText(q, place))
		}
		place := server.PacketPlace{Created: time.UnixMicro(micros).UTC(), ID: id}
		if id == "" || len(id) > 256 {
			return
		}
		made := server.CursorText(q, place)
		got, ok := server.ReadCursor(made, q)
		require.True(t, ok)
		require.Equal(t, place, got)
		other := q
		other.Tag = "blue"
		_, ok = server.ReadCursor(made, other)
		require.False(t, ok)
	})
}
