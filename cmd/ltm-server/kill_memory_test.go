package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/server/postgres/pgtest"
)

// talk is deeds: each client goes on with a conversation of its own, two clients a user.
type talk struct {
	key     string
	threads []string
}

// talking makes a database with an application, and returns the deeds of its users.
func talking(t *testing.T, db string) func(url string) deeds {
	command(t, "init", "--db", db)
	command(t, "app", "create", "notes", "--db", db)
	key := strings.TrimSpace(command(t, "key", "issue", "--app", "notes", "--name", "test", "--db", db))
	return func(url string) deeds {
		d := talk{key: key}
		for n := range clients {
			a := ask(http.DefaultClient, http.MethodPost, url+"/v1/threads", key,
				fmt.Sprintf(`{"user_id":"user %d"}`, n/2))
			var made struct {
				Thread string `json:"thread_id"`
			}
			require.NoError(t, json.Unmarshal(a.body, &made), "%s", a.body)
			d.threads = append(d.threads, made.Thread)
		}
		return d
	}
}

// atOneTime is how many events a request adds: three turns, so that four requests are worth a summary.
const atOneTime = 6

// do says something: sentences that are worth a summary, and the answers to them. Their keys let it happen once.
func (d talk) do(c *http.Client, url string, n, i int) answer {
	var events []map[string]string
	for k := i * atOneTime; k < (i+1)*atOneTime; k += 2 {
		events = append(events,
			map[string]string{"actor": "user", "key": fmt.Sprint(k), "content": fmt.Sprintf(
				"We decided that step %d of plan %d comes before the winter, with a new gauge.", k, n)},
			map[string]string{"actor": "assistant", "key": fmt.Sprint(k + 1), "content": fmt.Sprintf(
				"Step %d is noted for the plan.", k)})
	}
	body, err := json.Marshal(map[string]any{"events": events})
	if err != nil {
		panic(err)
	}
	a := ask(c, http.MethodPost, url+"/v1/threads/"+d.threads[n]+"/events:batch", d.key, string(body))
	if a.status == http.StatusOK && strings.Contains(string(a.body), `"error"`) {
		a.status = http.StatusUnprocessableEntity
	}
	return a
}

// requireAll reads every conversation: each event that was acknowledged is there once, in its place, and the
// summaries cover each turn once.
func (d talk) requireAll(t *testing.T, url string, acked []int) {
	t.Helper()
	total, summaries := 0, 0
	for n, thread := range d.threads {
		events := d.read(t, url, thread)
		// some may have been on their way
		require.Contains(t, []int{acked[n] * atOneTime, (acked[n] + 1) * atOneTime}, len(events), "client %d", n)
		places := map[string]int{}
		for i, e := range events {
			require.Equal(t, fmt.Sprint(i), e.Key, "client %d", n)
			places[e.ID] = i
		}
		d.settle(t, url, thread, events[len(events)-1].ID)
		summaries += d.requireSummaries(t, url, thread, places)
		total += len(events)
	}
	require.Positive(t, summaries)
	t.Logf("%d events and %d summaries of %d conversations are all there, once", total, summaries, len(d.threads))
}

type said struct{ ID, Key string }

// read returns all events of a conversation.
func (d talk) read(t *testing.T, url, thread string) (all []said) {
	t.Helper()
	for cursor := ""; ; {
		path := "/v1/threads/" + thread + "/events?limit=200&detail=true&cursor=" + cursor
		a := ask(http.DefaultClient, http.MethodGet, url+path, d.key, "")
		require.Equal(t, http.StatusOK, a.status, "%s", a.body)
		var page struct {
			Messages []said
			Next     string
		}
		require.NoError(t, json.Unmarshal(a.body, &page))
		all = append(page.Messages, all...)
		if cursor = page.Next; cursor == "" {
			return all
		}
	}
}

// settle waits until the effects of an event have ended.
func (d talk) settle(t *testing.T, url, thread, event string) {
	t.Helper()
	require.Eventually(t, func() bool {
		a := ask(http.DefaultClient, http.MethodGet, url+"/v1/threads/"+thread+"/events/"+event+"/effects", d.key, "")
		return a.status == http.StatusOK && !strings.Contains(string(a.body), `"pending"`)
	}, 5*time.Minute, 20*time.Millisecond)
}

// requireSummaries checks that the episodes of a thread follow one another without a gap or an overlap, and that
// one is active. It returns how many there are.
func (d talk) requireSummaries(t *testing.T, url, thread string, places map[string]int) int {
	t.Helper()
	a := ask(http.DefaultClient, http.MethodGet, url+"/v1/threads/"+thread+"/summaries", d.key, "")
	var found struct {
		Summaries []struct {
			From   string `json:"range_start_event_id"`
			To     string `json:"range_end_event_id"`
			Turns  int    `json:"meaningful_turns"`
			Active bool   `json:"is_active"`
		}
	}
	require.NoError(t, json.Unmarshal(a.body, &found), "%s", a.body)
	next, active := 0, 0
	for _, s := range found.Summaries {
		require.Equal(t, next, places[s.From], "%s", a.body)
		next = places[s.To] + 1
		require.Equal(t, (next-places[s.From])/2, s.Turns, "each turn counts once")
		if s.Active {
			active++
		}
	}
	require.LessOrEqual(t, next, len(places))
	require.Greater(t, next+2*12+1, len(places), "what a summary is due for has one")
	require.Equal(t, min(len(found.Summaries), 1), active, "%s", a.body)
	return len(found.Summaries)
}

// TestKillsForgetNothing kills servers with SIGKILL while 32 clients talk.
func TestKillsForgetNothing(t *testing.T) {
	db := filepath.Join(t.TempDir(), "ltm.db")
	killAndRestart(t, db, killRounds(t, 10), talking(t, db))
}

// TestKillsForgetNothingOnPostgres does the same on the other store.
func TestKillsForgetNothingOnPostgres(t *testing.T) {
	db := pgtest.New(t)
	killAndRestart(t, db, killRounds(t, 3), talking(t, db))
}

// TestTwoServersRemember kills one of two servers on a database while clients talk to both.
func TestTwoServersRemember(t *testing.T) {
	db := pgtest.New(t)
	killOneOfTwo(t, db, talking(t, db))
}
