package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/server/postgres/pgtest"
)

// TestKillsLoseNothingOnPostgres does the same on the other store.
func TestKillsLoseNothingOnPostgres(t *testing.T) {
	db := pgtest.New(t)
	killAndRestart(t, db, killRounds(t, 5), sendingPackets(t, db))
}

// TestTwoServersOnPostgres kills one of two servers on a database while clients use both.
func TestTwoServersOnPostgres(t *testing.T) {
	db := pgtest.New(t)
	killOneOfTwo(t, db, sendingPackets(t, db))
}

func killOneOfTwo(t *testing.T, db string, prepare func(url string) deeds) {
	t.Helper()
	first, second := start(t, serving(db)...), start(t, serving(db)...)
	l := begin(prepare(first.url), first.url, second.url)
	for range killRounds(t, 3) {
		l.wait(3 * clients)
		second.kill()
		l.wait(3 * clients) // the other goes on alone
		second = start(t, serving(db)...)
		l.move(first.url, second.url)
	}
	l.wait(clients)
	l.end()
	l.deeds.requireAll(t, first.url, l.count)
	l.deeds.requireAll(t, second.url, l.count)
	require.Zero(t, first.stop(t), "%s", first.log())
	require.Zero(t, second.stop(t), "%s", second.log())
}

// TestNothingHappensTwice sends the same requests to two servers on a database: a key makes one team,
// however often it is sent, and an invite lets one in, also when a server is killed on the way.
func TestNothingHappensTwice(t *testing.T) {
	db := pgtest.New(t)
	token := strings.TrimSpace(command(t, "init", "--db", db))
	servers := []*process{start(t, serving(db)...), start(t, serving(db)...)}
	// everyone makes the team with the same key, until it is made
	made := everyone(func(n int) string {
		for try := 0; ; try++ {
			a := ask(http.DefaultClient, http.MethodPost, servers[(n+try)%2].url+"/v1/teams", token, `{"name":"tide"}`,
				"Idempotency-Key", "the-same-for-all")
			if a.status == http.StatusCreated {
				return string(a.body)
			}
		}
	})
	require.Len(t, made, 1, "one team, with one answer")
	listed := ask(http.DefaultClient, http.MethodGet, servers[0].url+"/v1/teams", token, "")
	require.Equal(t, 1, strings.Count(string(listed.body), `"owner_id"`), "%s", listed.body)

	a := ask(http.DefaultClient, http.MethodPost, servers[0].url+"/v1/teams/tide/invites", token, "")
	var invite struct{ Code string }
	require.NoError(t, json.Unmarshal(a.body, &invite), "%s", a.body)

	// everyone accepts it, until they know that they are in or too late
	killed := make(chan struct{})
	go func() {
		servers[1].kill()
		close(killed)
	}()
	answers := everyone(func(n int) string {
		for try := 0; ; try++ {
			r, err := http.Post(servers[(n+try)%2].url+"/v1/invites/"+invite.Code+"/accept", "application/json",
				strings.NewReader(fmt.Sprintf(`{"display":"person %d"}`, n)))
			if err != nil {
				continue
			}
			r.Body.Close()
			switch r.StatusCode { // too many are wrong from one address
			case http.StatusCreated, http.StatusGone, http.StatusTooManyRequests:
				return r.Status
			}
		}
	})
	<-killed
	require.LessOrEqual(t, answers["201 Created"], 1, "%v", answers)
	members := ask(http.DefaultClient, http.MethodGet, servers[0].url+"/v1/teams/tide/members", token, "")
	require.Equal(t, 2, strings.Count(string(members.body), `"joined_at"`), "%s", members.body)
}

// everyone runs a function for each client at once, and counts what they returned.
func everyone(run func(n int) string) map[string]int {
	var work sync.WaitGroup
	var mu sync.Mutex
	got := map[string]int{}
	for n := range clients {
		work.Go(func() {
			s := run(n)
			mu.Lock()
			defer mu.Unlock()
			got[s]++
		})
	}
	work.Wait()
	return got
}
