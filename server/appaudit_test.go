package server_test

import (
	"bytes"
	"context"
	"crypto/elliptic"
	"strings"
	"testing"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"

	"ltm/server"
	"ltm/server/sqlstore"
	"ltm/server/threads"
)

// TestAuditOfApplications looks for what applications deleted, and for whom.
func TestAuditOfApplications(t *testing.T) {
	p := start(t, withMemory(nil))
	ec := ecKey(t, elliptic.P256())
	i := startIssuer(t, public(ec, "e"))
	memory, ctx := p.store.(*sqlstore.Store).Threads(), context.Background()
	app := threads.App{ID: "01K3Q8ZJ6M4T2V9XWBDN7RAPPJ", Name: "j", CreatedAt: p.clock.now(),
		Settings: threads.Settings{Issuer: &threads.Issuer{URL: "https://issuer.example", Audience: "chat",
			JWKS: i.http.URL + "/keys"}}}
	require.NoError(t, memory.CreateApp(ctx, app))
	require.NoError(t, memory.CreateKey(ctx, threads.Key{ID: "key-j", App: app.ID, Hash: server.Hash(keyIssuer),
		CreatedAt: p.clock.now()}))

	swims, runs := p.claim("swims"), p.claim("runs")
	p.act(swims, "forget", "")
	history := p.ask(200, "GET /v1/claims/"+runs+"/history?user_id=ann").value(t)["acts"].([]any)
	p.undo(history[0].(map[string]any)["id"].(string))
	named, unnamed := p.thread("ann"), p.thread("ann")
	p.ask(200, "DELETE /v1/threads/"+named+"?user_id=ann")
	p.ask(200, "DELETE /v1/threads/"+unnamed)
	p.ask(200, "DELETE /v1/users/bob")
	p.thread("bob")
	p.ask(200, "DELETE /v1/users/bob")

	token := signed(t, jose.ES256, ec, "e", claims(nil))
	made := as(token, `{}`)
	made.header["Idempotency-Key"] = "k"
	theirs := p.ok(200, "POST /v1/threads", made).value(t)["thread_id"].(string)
	require.NotContains(t, p.answersKept(), "ann")
	require.Contains(t, p.answersKept(), app.ID)
	p.ok(200, "DELETE /v1/threads/"+theirs, as(token))
	p.ok(200, "DELETE /v1/users/ann", as(token))
	require.Empty(t, p.answersKept())

	var got []string
	require.NoError(t, p.store.(*sqlstore.Store).Audit(ctx, func(e server.AuditEntry) error {
		if e.Actor != "" {
			got = append(got, e.Actor+" "+e.Act+" "+e.ID)
		}
		return nil
	}))
	const key = "key:K1K3Q8ZJ6M4T2V9XWBDN7RAPPA"
	require.Equal(t, []string{
		key + ":ann claim.delete " + swims,
		key + ":ann claim.delete " + runs,
		key + ":ann thread.delete " + named,
		key + " thread.delete " + unnamed,
		key + ":bob user.erase bob",
		"key:key-j:ann thread.delete " + theirs,
		"key:key-j:ann user.erase ann",
	}, got)
}

// answersKept returns the lines of a dump with answers to requests that may be repeated.
func (p *place) answersKept() string {
	p.t.Helper()
	var dump bytes.Buffer
	require.NoError(p.t, p.store.(*sqlstore.Store).Dump(context.Background(), &dump))
	var kept []string
	for line := range strings.Lines(dump.String()) {
		if strings.HasPrefix(line, `{"answer":`) {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "")
}
