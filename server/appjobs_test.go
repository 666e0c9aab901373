package server_test

import (
	"fmt"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestListsOfUsersAndJobs pages through the users of an application and the jobs that their events have set off.
func TestListsOfUsersAndJobs(t *testing.T) {
	p := start(t, withMemory(nil))
	for _, user := range []string{"ann", "b/../b", "zoë"} {
		p.say(p.thread(user), "user", "My dog is called Rex. I live in Oslo and I love mountains.")
	}
	var users []any
	path := "/v1/users?limit=2"
	for path != "" {
		v := p.ask(200, "GET "+path).value(t)
		users = append(users, v["users"].([]any)...)
		path = ""
		if next, more := v["next"].(string); more {
			path = "/v1/users?limit=2&cursor=" + next
		}
	}
	require.Equal(t, []any{"ann", "b/../b", "zoë"}, users)

	jobs := func(query string) (all []map[string]any) {
		t.Helper()
		path := "/v1/jobs?limit=2&" + query
		for path != "" {
			v := p.ask(200, "GET "+path).value(t)
			for _, j := range v["jobs"].([]any) {
				all = append(all, j.(map[string]any))
			}
			path = ""
			if next, more := v["next"].(string); more {
				path = "/v1/jobs?limit=2&" + query + "&cursor=" + next
			}
		}
		return all
	}
	waiting := jobs("state=pending")
	require.GreaterOrEqual(t, len(waiting), 3)
	kinds := map[string]int{}
	for _, j := range waiting {
		require.Equal(t, "pending", j["state"])
		kinds[fmt.Sprint(j["user_id"], " ", j["kind"])]++
	}
	require.Equal(t, 1, kinds["zoë extract"])
	p.work()
	require.Empty(t, jobs("state=pending"))
	skipped := jobs("state=skipped&user_id=" + url.QueryEscape("zoë"))
	require.NotEmpty(t, skipped)
	for _, j := range skipped {
		require.Equal(t, "zoë", j["user_id"])
		require.NotEmpty(t, j["reason"])
		require.NotEmpty(t, j["done_at"])
	}
	p.ask(400, "GET /v1/jobs?state=lost")
	p.ask(400, "GET /v1/jobs?cursor=x")
	p.ask(422, "GET /v1/users?limit=x")
	for _, path := range []string{"/v1/users", "/v1/jobs", "/v1/jobs?state=skipped"} {
		a := p.ok(200, "GET "+path, of(keyB))
		require.NotContains(t, string(a.body), "ann", "another application sees nothing of it")
	}
}
