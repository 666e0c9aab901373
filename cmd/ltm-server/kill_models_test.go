package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/server/postgres"
	"ltm/server/postgres/pgtest"
	"ltm/server/sqlite"
	"ltm/server/sqlstore"
	"ltm/server/threads"
)

// crossing is how many rows have vectors of two models whose meanings cross: what "new" says of a query is what "old"
// said of another row. Whoever compared the vectors of both would find that one.
const crossing = 400

// meaning returns the direction that a model gives to a text with a number: "item7" is an event, "query7" asks for it.
func meaning(model, text string) int {
	found := regexp.MustCompile(`(?:item|query)(\d+)`).FindStringSubmatch(text)
	if found == nil {
		return crossing // the direction of all other texts
	}
	n, _ := strconv.Atoi(found[1])
	if model == "old" {
		n = (n + 1) % crossing
	}
	return n
}

// crossed is a model server for embeddings that notes the texts of events and can be stopped on the way.
type crossed struct {
	mu    sync.Mutex
	asked map[string]int // the texts of events, by model and text
	left  int            // so many texts of items are answered before it stops
	full  chan struct{}  // closed when it has stopped
	open  chan struct{}  // closed to let it go on
}

func (m *crossed) answer(w http.ResponseWriter, r *http.Request, body string) {
	var asked struct {
		Model string
		Input []string
	}
	_ = json.Unmarshal([]byte(body), &asked)
	if !m.enter(asked.Model, asked.Input) {
		select {
		case <-m.open:
		case <-r.Context().Done():
			return
		}
	}
	var data []string
	for i, text := range asked.Input {
		v := make([]string, crossing+1)
		for n := range v {
			v[n] = "0"
		}
		v[meaning(asked.Model, text)] = "1"
		data = append(data, fmt.Sprintf(`{"index":%d,"embedding":[%s]}`, i, strings.Join(v, ",")))
	}
	_, _ = fmt.Fprintf(w, `{"data":[%s],"usage":{"prompt_tokens":%d}}`, strings.Join(data, ","), len(asked.Input))
}

// enter notes texts, and reports whether they are answered now.
func (m *crossed) enter(model string, texts []string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if strings.Contains(texts[0], "query") {
		return true
	}
	items := 0 // those of the load come besides, more of them on a slow machine
	for _, text := range texts {
		if strings.Contains(text, "item") {
			items++
		}
	}
	if m.left < items {
		if m.left >= 0 {
			m.left = -1
			close(m.full)
		}
		return false
	}
	m.left -= items
	for _, text := range texts {
		m.asked[model+" "+text]++
	}
	return true
}

// stopAfter lets the model stop after so many texts of events.
func (m *crossed) stopAfter(texts int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.asked, m.left, m.full, m.open = map[string]int{}, texts, make(chan struct{}), make(chan struct{})
}

// TestKillsWhileEmbedding kills a server that gives the vectors of a new model to all rows, under load.
func TestKillsWhileEmbedding(t *testing.T) {
	killWhileEmbedding(t, filepath.Join(t.TempDir(), "ltm.db"))
}

// TestKillsWhileEmbeddingOnPostgres does the same on the other store.
func TestKillsWhileEmbeddingOnPostgres(t *testing.T) { killWhileEmbedding(t, pgtest.New(t)) }

func killWhileEmbedding(t *testing.T, db string) {
	t.Helper()
	m := newModelServer(t)
	model := &crossed{}
	model.stopAfter(1 << 30)
	m.fail = func(w http.ResponseWriter, r *http.Request, n int) bool {
		model.answer(w, r, m.requests()[n-1])
		return true
	}
	e := embedding{t: t, db: db, url: m.URL + "/v1"}
	e.begin()
	e.start("old")
	for from := 0; from < crossing; from += 100 {
		e.add("ann", "item", from, 100)
	}
	require.Eventually(t, func() bool { return e.lacking("old") == 0 }, time.Minute, 50*time.Millisecond)
	require.True(t, e.finds(7), "the old model is in use")
	require.Zero(t, e.server.stop(t))

	model.stopAfter(crossing / 2)
	full := model.full
	e.start("new")
	stop := e.load()
	<-full // half of the rows have got their vectors, or are about to
	require.Eventually(t, func() bool { return e.lacking("new") < crossing*3/4 }, time.Minute, 20*time.Millisecond)
	e.server.kill()
	stop()
	lacking := e.rowsWithout("new")
	require.Greater(t, len(lacking), crossing/3, "it was killed on the way")

	model.stopAfter(1 << 30)
	e.start("new")
	stop = e.load()
	for n := 0; e.lacking("new") > 0; n += 37 {
		e.finds(n % crossing) // or it finds nothing yet
	}
	stop()
	require.Eventually(t, func() bool { return e.lacking("new") == 0 }, time.Minute, 50*time.Millisecond)
	for n := 0; n < crossing; n += 29 {
		require.Eventually(t, func() bool { return e.finds(n) }, time.Minute, 50*time.Millisecond, "query %d", n)
	}
	require.Zero(t, e.server.stop(t))
	again := 0
	for text, times := range model.asked {
		if text = strings.TrimPrefix(text, "new "); strings.HasPrefix(text, "item") {
			require.Equal(t, 1, times, text)
			require.Contains(t, lacking, text, "it had its vector before the kill")
			again++
		}
	}
	require.Equal(t, len(lacking), again)
	require.Contains(t, command(t, "check", "--db", db), "no problems")
}

// embedding is a server with a model for embeddings.
type embedding struct {
	t            *testing.T
	db, url, key string
	server       *process
	loaded       atomic.Int64
}

func (e *embedding) begin() {
	command(e.t, "init", "--db", e.db)
	command(e.t, "app", "create", "notes", "--db", e.db)
	e.key = strings.TrimSpace(command(e.t, "key", "issue", "--app", "notes", "--db", e.db))
}

func (e *embedding) start(model string) {
	e.server = start(e.t, serving(e.db, "--embeddings-url", e.url, "--embeddings-model", model,
		"--models-tokens", "0")...)
}

// send sends a request, and reports whether it was answered well.
func (e *embedding) send(path, body string, into any) bool {
	a := ask(http.DefaultClient, http.MethodPost, e.server.url+"/v1/"+path, e.key, body)
	return a.status == http.StatusOK && (into == nil || json.Unmarshal(a.body, into) == nil)
}

// add adds a thread of a user with events that have numbers, and reports whether it did.
func (e *embedding) add(user, word string, from, n int) bool {
	var made struct {
		Thread string `json:"thread_id"`
	}
	if !e.send("threads", fmt.Sprintf(`{"user_id":%q}`, user), &made) {
		return false
	}
	var events []string
	for i := range n {
		events = append(events, fmt.Sprintf(`{"actor":"user","content":"%s%d"}`, word, from+i))
	}
	return e.send("threads/"+made.Thread+"/events:batch", `{"events":[`+strings.Join(events, ",")+`]}`, nil)
}

// load lets clients add events and search, until the function that it returns is called.
func (e *embedding) load() (stop func()) {
	ended := make(chan struct{})
	var clients sync.WaitGroup
	for n := range 4 {
		clients.Go(func() {
			for {
				select {
				case <-ended:
					return
				case <-time.After(10 * time.Millisecond):
				}
				e.add(fmt.Sprint("user", n), "load", int(e.loaded.Add(2)), 2)
				e.send("search", fmt.Sprintf(`{"user_id":"user%d","query":"query%d"}`, n, n), nil)
			}
		})
	}
	return func() {
		close(ended)
		clients.Wait()
	}
}

// finds asks for an event by a text that has no word of it, and reports whether it is found. No other may be found.
func (e *embedding) finds(n int) bool {
	e.t.Helper()
	var found struct{ Results []struct{ Text string } }
	require.True(e.t, e.send("search", fmt.Sprintf(`{"user_id":"ann","kinds":["event"],"query":"query%d"}`, n), &found))
	for _, r := range found.Results {
		require.Equal(e.t, fmt.Sprint("item", n), r.Text, "found for query%d", n)
	}
	return len(found.Results) > 0
}

// lacking counts the items that have no vector of a model.
func (e *embedding) lacking(model string) int { return len(e.rowsWithout(model)) }

// rowsWithout returns the items that have no vector of a model.
func (e *embedding) rowsWithout(model string) (items []string) {
	e.t.Helper()
	var store *sqlstore.Store
	var err error
	if strings.HasPrefix(e.db, "postgres") {
		store, err = postgres.Open(e.t.Context(), e.db, postgres.Options{MaxConns: 2})
	} else {
		store, err = sqlite.Open(e.t.Context(), e.db, sqlite.Options{MustExist: true})
	}
	require.NoError(e.t, err)
	defer func() { require.NoError(e.t, store.Close()) }()
	for after, first := "", true; first || after != ""; first = false {
		var page []threads.Text
		page, after, err = store.Threads().WithoutVector(e.t.Context(), model, after, 512)
		require.NoError(e.t, err)
		for _, row := range page {
			if strings.HasPrefix(row.Text, "item") {
				items = append(items, row.Text)
			}
		}
	}
	return items
}
