package server_test

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/tests/golden"
)

// forApplications are the tags of the routes that clients of applications are generated from.
var forApplications = []string{"threads", "events", "retrieval", "claims", "users of applications"}

// TestDescriptionForSDKs compares what the clients in sdk/ are generated from with the server's own description. It is
// its part for applications. All errors have one form, so that they are named once: "default".
func TestDescriptionForSDKs(t *testing.T) {
	api := described(t, start(t, withApps))
	paths := api["paths"].(map[string]any)
	for path, item := range paths {
		for method, o := range item.(map[string]any) {
			route := o.(map[string]any)
			if !slices.ContainsFunc(forApplications, func(tag string) bool {
				return slices.Contains(route["tags"].([]any), any(tag))
			}) {
				delete(item.(map[string]any), method)
				continue
			}
			answers := route["responses"].(map[string]any)
			for status, answer := range answers {
				if status >= "300" {
					delete(answers, status)
					content := answer.(map[string]any)["content"]
					answers["default"] = map[string]any{"description": "A problem.", "content": content}
				}
			}
			require.Contains(t, answers, "default", path)
		}
		if len(item.(map[string]any)) == 0 {
			delete(paths, path)
		}
	}
	link(paths)
	components := api["components"].(map[string]any)
	schemas := components["schemas"].(map[string]any)
	needed := map[string]bool{}
	need(t, paths, schemas, needed)
	maps.DeleteFunc(schemas, func(name string, _ any) bool { return !needed[name] })
	delete(components["securitySchemes"].(map[string]any), "token")
	b, err := json.MarshalIndent(api, "", " ")
	require.NoError(t, err)
	golden.Require(t, "../sdk/openapi.json", string(b)+"\n")
}

// link notes which answers have what other routes need, for tools that follow one route with another.
func link(paths map[string]any) {
	for _, l := range []struct {
		from, status, path string // the route, and the paths to which it leads
		params             map[string]any
		user               string // where the user's id is, for the bodies of those
	}{
		{"post /v1/threads", "200", "/v1/threads/{t}", map[string]any{"t": "$response.body#/thread_id",
			"user_id": "$response.body#/user_id"}, "$response.body#/user_id"},
		{"post /v1/threads", "200", "/v1/users/{user}", map[string]any{"user": "$response.body#/user_id"}, ""},
		{"post /v1/threads/{t}/events", "200", "/v1/threads/{t}/events/{e}", map[string]any{"t": "$request.path.t",
			"e": "$response.body#/event_id", "user_id": "$request.query.user_id"}, "$request.query.user_id"},
		{"post /v1/claims", "201", "/v1/claims/{id}", map[string]any{"id": "$response.body#/claim/id",
			"user_id": "$request.body#/user_id"}, "$request.body#/user_id"},
		{"post /v1/claims/{id}/confirm", "200", "/v1/acts/{id}/undo", map[string]any{"id": "$response.body#/act/id",
			"user_id": "$request.body#/user_id"}, "$request.body#/user_id"},
	} {
		method, path, _ := strings.Cut(l.from, " ")
		links := map[string]any{}
		from := paths[path].(map[string]any)[method].(map[string]any)
		from["responses"].(map[string]any)[l.status].(map[string]any)["links"] = links
		for to, item := range paths {
			below := to == l.path || strings.HasPrefix(to, l.path+"/")
			if !below || strings.Count(to, "{") != strings.Count(l.path, "{") {
				continue
			}
			for _, o := range item.(map[string]any) {
				route := o.(map[string]any)
				one := map[string]any{"operationId": route["operationId"], "parameters": parameters(route, l.params)}
				if route["requestBody"] != nil && l.user != "" && strings.HasPrefix(to, "/v1/claims/") {
					one["requestBody"] = map[string]any{"user_id": l.user}
				}
				links[route["operationId"].(string)] = one
			}
		}
	}
}

// parameters returns those that a route has.
func parameters(route, all map[string]any) map[string]any {
	had := map[string]any{}
	for _, p := range route["parameters"].([]any) {
		name := p.(map[string]any)["name"].(string)
		if value, known := all[name]; known {
			had[name] = value
		}
	}
	return had
}

// reference finds the schemas that a part of a description names.
var reference = regexp.MustCompile(`"#/components/schemas/([^"]+)"`)

// need adds the names of the schemas that a part of a description needs.
func need(t *testing.T, part any, schemas map[string]any, names map[string]bool) {
	t.Helper()
	b, err := json.Marshal(part)
	require.NoError(t, err)
	for _, m := range reference.FindAllStringSubmatch(string(b), -1) {
		if name := strings.TrimSpace(m[1]); !names[name] {
			names[name] = true
			need(t, schemas[name], schemas, names)
		}
	}
}
