package server_test

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/server"
)

// openRoutes lists what may be used without a token. A new route stands here or needs one.
func openRoutes() []string {
	return []string{"GET /v1/healthz", "GET /readyz", "GET /openapi.json", "GET /docs", "GET /metrics",
		"GET /device", "POST /device", "POST /oauth/authorize_device", "POST /oauth/token",
		"GET /v1/invites/{code}", "POST /v1/invites/{code}/accept", "GET /health", "GET /{$}", "GET /ui", "GET /ui/{$}",
		"GET /ui/style.css", "GET /ui/times.js", "GET /ui/sign-in", "POST /ui/sign-in", "POST /ui/sign-out"}
}

var parameter = regexp.MustCompile(`\{[^}]*\}`)

// TestEveryRouteHasAPolicy walks all routes without a token and with a wrong one.
func TestEveryRouteHasAPolicy(t *testing.T) {
	p := start(t, withApps, func(o *server.Options) { o.Metrics = true })
	patterns := p.srv.Patterns()
	require.Greater(t, len(patterns), 55)
	for _, pattern := range patterns {
		what := parameter.ReplaceAllString(strings.TrimSuffix(pattern, "{$}"), "x")
		a := p.do(what, request{body: "{}"})
		switch {
		case pattern == "POST /device": // has its own way of signing in
			require.Equal(t, 401, a.status)
			continue
		case pattern == "POST /ui/sign-in", pattern == "POST /ui/sign-out": // only from the page itself
			require.Equal(t, 403, a.status)
			continue
		case slices.Contains(openRoutes(), pattern):
			require.NotContains(t, []int{401, 403, 404, 405, 500}, a.status, pattern)
			continue
		}
		require.Equal(t, 401, a.status, pattern)
		require.Equal(t, 401, p.do(what, request{token: "wrong"}).status, pattern)
		require.Equal(t, 401, p.do(what, of("wrong")).status, pattern)
	}
	for _, pattern := range openRoutes() {
		require.Contains(t, patterns, pattern)
	}
}

func TestRoutesWithoutAPolicyAreRefused(t *testing.T) {
	p := start(t)
	_, ann := p.newUser("ann")
	p.srv.AddUndeclared("GET /forgotten", func(http.ResponseWriter, *http.Request) { t.Error("it was called") })
	p.ok(403, "GET /forgotten", request{})
	p.ok(403, "GET /forgotten", request{token: ann})
}

// TestWeakness10SecretsInLogsAndDatabase looks for everything secret that was used in the recorded
// exchanges and a device's flow.
func TestWeakness10SecretsInLogsAndDatabase(t *testing.T) {
	p := start(t)
	secrets := map[string]string{}
	for name, value := range replay(t, p) {
		if strings.HasPrefix(name, "TOKEN_") || strings.HasPrefix(name, "INVITE_") {
			secrets[name] = value
		}
	}
	require.Greater(t, len(secrets), 10)
	token := secrets["TOKEN_CAROL"]
	device := p.ok(200, "POST /oauth/authorize_device", request{body: "client_id=ltm-cli"}).value(t)
	secrets["device code"] = device["device_code"].(string)
	cookie := p.signIn(token)
	secrets["cookie"] = strings.TrimPrefix(cookie, "ltm-device=")
	p.decide(cookie, "approve", device["user_code"].(string), 200)
	got := p.ok(200, "POST /oauth/token", request{body: grant(secrets["device code"])}).value(t)
	secrets["device token"] = got["access_token"].(string)
	p.ok(401, "GET /v1/packets", request{token: "wrong-token-of-someone"})
	secrets["wrong token"] = "wrong-token-of-someone"
	for name, value := range secrets {
		require.GreaterOrEqual(t, len(value), 20, name)
		require.NotContains(t, p.log.String(), value, "%s in the log", name)
		require.Zero(t, p.count(value), "%s in the database", name)
	}
	require.NotContains(t, p.log.String(), device["user_code"])
	for _, text := range []string{"cold chamber", "clock within", "Carol", "alpha"} {
		require.NotContains(t, p.log.String(), text)
		if text != "clock within" {
			require.Positive(t, p.count(text), "the test looks at the right files: %s", text)
		}
	}
	lines := strings.Count(p.log.String(), "\n")
	require.Greater(t, lines, 144)
	require.Equal(t, lines, strings.Count(p.log.String(), `"msg":"request"`))
	require.Contains(t, p.log.String(), `"route":"POST /v1/invites/{code}/accept"`)
}
