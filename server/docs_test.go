package server_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/require"

	"ltm/packet"
	"ltm/server"
)

// described reads the API's description.
func described(t *testing.T, p *place) map[string]any {
	t.Helper()
	a := p.ok(200, "GET /openapi.json", request{})
	require.Equal(t, "application/json", a.header.Get("Content-Type"))
	return a.value(t)
}

func TestDescriptionHasAllRoutes(t *testing.T) {
	p := start(t, withApps, func(o *server.Options) { o.Metrics = true })
	api := described(t, p)
	require.Equal(t, "3.1.0", api["openapi"])
	paths := api["paths"].(map[string]any)
	ids := map[string]bool{}
	documented := 0
	for _, pattern := range p.srv.Patterns() {
		method, path, _ := strings.Cut(pattern, " ")
		switch path {
		case "/openapi.json", "/docs", "/device", "/metrics", "/ui", "/{$}": // for people, and for Prometheus
			continue
		}
		if strings.HasPrefix(path, "/ui/") {
			continue
		}
		op := paths[path].(map[string]any)[strings.ToLower(method)].(map[string]any)
		documented++
		require.NotEmpty(t, op["summary"], pattern)
		id := op["operationId"].(string)
		require.False(t, ids[id], id)
		ids[id] = true
		_, secured := op["security"]
		if !slices.Contains(openRoutes(), pattern) {
			require.True(t, secured, pattern)
			require.Contains(t, op["responses"], "401", pattern)
		}
		require.Contains(t, op["responses"], "429", pattern)
		for _, name := range regexp.MustCompile(`\{([^}]*)\}`).FindAllStringSubmatch(path, -1) {
			require.Contains(t, toJSON(t, op["parameters"]), `"name":"`+name[1]+`"`, pattern)
		}
	}
	require.Greater(t, documented, 50)

	text := toJSON(t, api)
	for _, ref := range regexp.MustCompile(`"\$ref":"#/components/schemas/([^"]+)"`).FindAllStringSubmatch(text, -1) {
		require.NotNil(t, api["components"].(map[string]any)["schemas"].(map[string]any)[ref[1]], ref[1])
	}
}

func toJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	require.NoError(t, err)
	return string(b)
}

// schemaOf returns a schema of the description, with what it refers to.
func schemaOf(t *testing.T, api map[string]any, name string) *jsonschema.Resolved {
	t.Helper()
	schemas := api["components"].(map[string]any)["schemas"].(map[string]any)
	require.NotNil(t, schemas[name], name)
	text := toJSON(t, map[string]any{"$ref": "#/$defs/" + name, "$defs": schemas})
	text = strings.ReplaceAll(text, "#/components/schemas/", "#/$defs/")
	var s jsonschema.Schema
	require.NoError(t, json.Unmarshal([]byte(text), &s))
	resolved, err := s.Resolve(nil)
	require.NoError(t, err)
	return resolved
}

// TestDescriptionOfEvents: an event alone is described as one of a batch is.
func TestDescriptionOfEvents(t *testing.T) {
	schemas := described(t, start(t, withApps))["components"].(map[string]any)["schemas"].(map[string]any)
	for _, name := range []string{"EventBody", "BatchEvent"} {
		properties := schemas[name].(map[string]any)["properties"].(map[string]any)
		require.ElementsMatch(t, []string{"actor", "content", "meta", "id", "occurred_at", "agent", "session",
			"lang", "importance", "embed", "key"}, slices.Collect(maps.Keys(properties)), name)
	}
}

// TestDescriptionOfPackets compares the schema of packets with the rules of package packet.
func TestDescriptionOfPackets(t *testing.T) {
	p := start(t)
	schema := schemaOf(t, described(t, p), "Packet")
	files, err := filepath.Glob(filepath.Join("..", "packet", "testdata", "vectors", "*", "*.json"))
	require.NoError(t, err)
	legal, refused := 0, 0
	for _, name := range files {
		b, err := os.ReadFile(name)
		require.NoError(t, err)
		var v any
		if json.Unmarshal(b, &v) != nil {
			continue
		}
		_, fault := packet.Parse(b)
		wrong := schema.Validate(v)
		switch {
		case fault == nil:
			require.NoError(t, wrong, name)
			legal++
		case isOutsideSchemas(fault):
		default:
			require.Error(t, wrong, "%s: %v", name, fault)
			refused++
		}
	}
	require.Greater(t, legal, 10)
	require.Greater(t, refused, 25)
}

// isOutsideSchemas reports whether the description of version 0.2 cannot show a fault.
func isOutsideSchemas(err error) bool {
	outside := []packet.Kind{packet.KindTooLarge, packet.KindNewer, packet.KindDuplicate, packet.KindEncoding,
		packet.KindTime}
	for _, f := range packet.FaultsOf(err) {
		if slices.Contains(outside, f.Kind) {
			return true
		}
	}
	return false
}

// TestAnswersAreAsDescribed compares answers with their schemas.
func TestAnswersAreAsDescribed(t *testing.T) {
	p, ann, bob := startTeam(t)
	api := described(t, p)
	p.ok(201, "POST /v1/packets?team=alpha", request{token: ann, body: packetText(idA, "For the team.")})
	p.ok(201, "POST /v1/packets?team=alpha", request{token: bob, body: packetText(idB, "For the team.")})
	shown, accepted := p.invite("alpha", ann), p.invite("alpha", ann)
	for what, r := range map[string]request{
		"GET /v1/healthz":                {},
		"GET /readyz":                    {},
		"GET /v1/packets":                {token: ann},
		"GET /v1/packets/{id}":           {token: ann},
		"GET /v1/teams":                  {token: ann},
		"GET /v1/teams/{name}/members":   {token: ann},
		"GET /v1/teams/{name}/invites":   {token: ann},
		"POST /v1/teams/{name}/invites":  {token: ann},
		"GET /v1/invites/{code}":         {},
		"POST /v1/invites/{code}/accept": {},
		"GET /v1/whoami":                 {token: ann},
		"GET /v1/tokens":                 {token: ann},
		"POST /v1/teams":                 {token: ann, body: `{"name":"beta"}`},
		"POST /v1/packets":               {token: ann, body: packetText("packet-three", "x")},
		"POST /oauth/authorize_device":   {body: "client_id=x"},
	} {
		method, path, _ := strings.Cut(what, " ")
		filled := strings.NewReplacer("{id}", idA, "{name}", "alpha", "{code}/accept", accepted+"/accept",
			"{code}", shown).Replace(what)
		if what == "GET /v1/packets" {
			filled += "?team=alpha&detail=true&limit=1"
		}
		a := p.do(filled, r)
		require.Less(t, a.status, 300, "%s: %s", what, a.body)
		op := api["paths"].(map[string]any)[path].(map[string]any)[strings.ToLower(method)].(map[string]any)
		text := toJSON(t, op["responses"].(map[string]any)[statusText(a.status)])
		name := regexp.MustCompile(`#/components/schemas/([^"]+)`).FindStringSubmatch(text)
		require.NotNil(t, name, "%s: %s", what, text)
		require.NoError(t, schemaOf(t, api, name[1]).Validate(a.value(t)), what)
	}
	problem := p.ok(404, "GET /v1/packets/nope", request{token: ann})
	require.NoError(t, schemaOf(t, api, "Problem").Validate(problem.value(t)))
	faulty := p.ok(400, "POST /v1/packets", request{token: ann, body: `{"ltm_version":"0.2","id":"x","tags":["A"]}`})
	require.NoError(t, schemaOf(t, api, "Problem").Validate(faulty.value(t)))
	require.Greater(t, len(faulty.value(t)["errors"].([]any)), 4, "all faults are listed")
}

func statusText(status int) string {
	return string(rune('0'+status/100)) + string(rune('0'+status/10%10)) +
		string(rune('0'+status%10))
}

// TestInterfaceIsDocumented compares the routes with docs/server-api.md.
func TestInterfaceIsDocumented(t *testing.T) {
	b, err := os.ReadFile(filepath.Join("..", "docs", "server-api.md"))
	require.NoError(t, err)
	p := start(t, withApps, func(o *server.Options) { o.Metrics = true })
	for _, pattern := range p.srv.Patterns() {
		require.Contains(t, string(b), "`"+pattern+"`")
	}
}

func TestReadablePage(t *testing.T) {
	p := start(t, withApps)
	a := p.ok(200, "GET /docs", request{})
	page := string(a.body)
	for path := range described(t, p)["paths"].(map[string]any) {
		require.Contains(t, page, "<code>"+path+"</code>")
	}
	require.NotRegexp(t, `</code></td><td class="hint">(path|query|header)</td><td></td>`, page, "all parameters have a text")
	for _, text := range []string{"The server is busy. The server is busy", "<no value>"} {
		require.NotContains(t, page, text)
	}
	require.Regexp(t, `<code>user_id</code></td><td class="hint">body</td><td>Required. The member who`, page)
	routes := 0
	for _, item := range described(t, p)["paths"].(map[string]any) {
		routes += len(item.(map[string]any))
	}
	require.Equal(t, routes, strings.Count(page, "<h3"), "every group is on the page")
	require.Contains(t, page, `curl -sS -X POST "$LTM_URL/v1/search" -H "X-API-Key: $LTM_KEY" `+
		`--json '{&#34;query&#34;:&#34;query&#34;,&#34;user_id&#34;:&#34;ann&#34;}'`)
	require.Contains(t, page, `httpx.request("GET", f"{url}/v1/claims?user_id=ann", headers={"X-API-Key": key})`)
	require.Equal(t, routes-2, strings.Count(page, "<details>"), "all but those that take forms have examples")
	// Nothing is fetched from elsewhere, and nothing is run.
	for _, no := range []string{"<script", "http://", "https://", "src=", "@import", "url("} {
		require.NotContains(t, page, no)
	}
	style := regexp.MustCompile(`<link rel="stylesheet" href="(ui/style\.css\?v=[0-9a-f]+)">`).FindAllStringSubmatch(page, -1)
	require.Len(t, style, 1)
	require.Equal(t, 1, strings.Count(page, "<link"))
	require.Contains(t, a.header.Get("Content-Security-Policy"), "default-src 'none'; style-src 'self';")
	p.ok(200, "GET /"+style[0][1], request{})

	// A problem's type leads to its line.
	problem := p.ok(404, "GET /v1/nothing", request{})
	_, kind, _ := strings.Cut(problem.value(t)["type"].(string), "/docs#")
	require.Contains(t, page, `id="`+kind+`"`)
}
