package threads_test

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/server/conversation"
	"ltm/server/postgres/pgtest"
	"ltm/server/provider"
	"ltm/server/threads"
)

// models is an endpoint on loopback. Its vectors have a direction for each word that it knows, so that a question is
// near a text in other words.
type models struct {
	*httptest.Server
	mu   sync.Mutex
	got  []string // bodies of requests
	step func(w http.ResponseWriter, r *http.Request, body string) bool
}

func newModels(t testing.TB) *models {
	m := &models{}
	m.Server = httptest.NewServer(http.HandlerFunc(m.answer))
	t.Cleanup(m.Close)
	return m
}

// instead has the endpoint do something else, if that returns true.
func (m *models) instead(step func(w http.ResponseWriter, r *http.Request, body string) bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.got, m.step = nil, step
}

func (m *models) requests() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]string(nil), m.got...)
}

func (m *models) answer(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	m.mu.Lock()
	m.got = append(m.got, string(body))
	step := m.step
	m.mu.Unlock()
	if step != nil && step(w, r, string(body)) {
		return
	}
	var req struct {
		Model string
		Input []string
	}
	_ = json.Unmarshal(body, &req)
	if !strings.HasSuffix(r.URL.Path, "/embeddings") {
		_, _ = io.WriteString(w, `{"choices":[{"message":{"content":"[]"}}]}`)
		return
	}
	var data []string
	for i, text := range req.Input {
		v, _ := json.Marshal(meaning(req.Model, text))
		data = append(data, fmt.Sprintf(`{"index":%d,"embedding":%s}`, i, v))
	}
	_, _ = fmt.Fprintf(w, `{"data":[%s],"usage":{"prompt_tokens":%d}}`, strings.Join(data, ","), len(body)/4)
}

// meaning returns a vector that two texts share if one is in the other words of this list. Each model has directions of
// its own.
func meaning(model, text string) []float32 {
	v := make([]float32, 8)
	for i, words := range [][]string{{"car", "automobile"}, {"doctor", "physician"}, {"house", "home"}} {
		for _, word := range words {
			if strings.Contains(strings.ToLower(text), word) {
				v[(i+len(model))%4] = 1
			}
		}
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(text))
	v[4+h.Sum32()%4] = 0.1
	return v
}

// client returns a client of the endpoint, with the clock of a test.
func (m *models) client(t testing.TB, now func() time.Time, model string) *provider.Client {
	c, err := provider.New(provider.Options{Endpoint: provider.Endpoint{BaseURL: m.URL, Model: model},
		Env: provider.Env{Now: now, Random: func() float64 { return 0 },
			Sleep: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }},
		Meter:       provider.NewMeter(func(string) int64 { return provider.Unlimited }, nil, now()),
		AttemptTime: 2 * time.Second})
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}

// embedding returns models of which there is one for embeddings.
func (m *models) embedding(t testing.TB, model string) threads.Models {
	return threads.Models{Embeddings: m.client(t, time.Now, model)}
}

// found returns the texts that a search finds.
func (w *world) found(query string) []string {
	w.t.Helper()
	hits, err := w.Search(w.ctx, w.user, threads.SearchRequest{User: "ann", Query: query, Limit: 5})
	require.NoError(w.t, err)
	var texts []string
	for _, h := range hits {
		texts = append(texts, h.Text)
	}
	return texts
}

// states counts jobs of a kind by state.
func (w *world) states(kind threads.JobKind) map[threads.JobState]int64 {
	w.t.Helper()
	counts, _, err := w.store.Threads().JobTotals(w.ctx)
	require.NoError(w.t, err)
	states := map[threads.JobState]int64{}
	for state, kinds := range counts {
		if kinds[kind] > 0 {
			states[state] = kinds[kind]
		}
	}
	return states
}

// numbered returns n texts.
func numbered(n int, form string) []string {
	var texts []string
	for i := range n {
		texts = append(texts, fmt.Sprintf(form, i))
	}
	return texts
}

// TestRowsAreEmbedded checks that many events take few requests, that meaning finds what words do not, and that no
// credential leaves the machine.
func TestRowsAreEmbedded(t *testing.T) {
	m := newModels(t)
	w := newWorld(t, m.embedding(t, "one"))
	thread := w.thread()
	w.say(thread, numbered(100, "Note %d about gardens.")...)
	secret := "ghp_" + "R7x2Kq9LmZ4tVbN8cWp3YsHd6FgJ1aQeU5oT"
	w.say(thread, "Our automobile is red.", "Push with "+secret+" to the mirror.")
	w.drain()
	require.Equal(t, map[threads.JobState]int64{threads.JobDone: 102}, w.states(threads.JobEmbed))
	require.LessOrEqual(t, len(m.requests()), 2)
	sent := strings.Join(m.requests(), " ")
	require.Contains(t, sent, "to the mirror")
	require.False(t, strings.Contains(sent, secret[:12]), "a credential left the machine")
	require.Contains(t, w.found("car"), "Our automobile is red.")
	without, _ := w.open(threads.Models{})
	w.Service = without
	require.NotContains(t, w.found("car"), "Our automobile is red.", "words do not find it")
}

// TestATextThatTheModelRefuses checks that it costs the others nothing.
func TestATextThatTheModelRefuses(t *testing.T) {
	m := newModels(t)
	w := newWorld(t, m.embedding(t, "one"))
	m.instead(func(w http.ResponseWriter, _ *http.Request, body string) bool {
		if strings.Contains(body, "Note 41 ") {
			http.Error(w, `{"error":{"code":"context_length_exceeded"}}`, http.StatusBadRequest)
			return true
		}
		return false
	})
	ids := w.say(w.thread(), numbered(64, "Note %d about gardens.")...)
	w.drain()
	require.Equal(t, map[threads.JobState]int64{threads.JobDone: 63, threads.JobFailed: 1}, w.states(threads.JobEmbed))
	require.Less(t, len(m.requests()), 16)
	require.NoError(t, w.store.Threads().View(w.ctx, w.who, func(v threads.View) error {
		jobs, err := v.Jobs(ids[41])
		require.NoError(t, err)
		for _, j := range jobs {
			if j.Kind == threads.JobEmbed {
				require.Contains(t, j.Reason, "context_length_exceeded")
			}
		}
		return nil
	}))
	next, err := w.FillVectors(w.ctx, "")
	require.NoError(t, err, "nor does it stop what fills in")
	require.Empty(t, next)
}

// failures are ways in which an endpoint fails.
func failures() map[string]http.HandlerFunc {
	says := func(status int, body string, header ...string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			if len(header) == 2 {
				w.Header().Set(header[0], header[1])
			}
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		}
	}
	return map[string]http.HandlerFunc{
		"refuses the key": says(401, `{"error":{"code":"invalid_api_key"}}`),
		"refuses all":     says(400, `{}`),
		"fails":           says(500, `oops`),
		"limits":          says(429, `{}`),
		"has no quota":    says(429, `{"error":{"code":"insufficient_quota"}}`),
		"garbles":         says(200, `{"data":[{"index":0,"embedding":["x"]}`),
		"is wrong":        says(200, `{"data":[{"index":7,"embedding":[1]}],"choices":[]}`),
		"redirects":       says(302, "", "Location", "http://127.0.0.1:1/"),
		"breaks off": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			_, _ = io.WriteString(w, `{"data":[`)
		},
	}
}

// TestAFailingModelChangesNothing checks that whatever an endpoint does, 100 jobs end visibly within a minute, each
// with a reason, and that nothing that is stored has changed.
func TestAFailingModelChangesNothing(t *testing.T) {
	for name, fail := range failures() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newModels(t)
			m.instead(func(w http.ResponseWriter, r *http.Request, _ string) bool { fail(w, r); return true })
			w := newWorld(t, threads.Models{})
			c := m.client(t, w.clock.Now, "one")
			w.Service, w.store = w.open(threads.Models{Embeddings: c, Extraction: c, Summaries: c})
			thread := w.thread()
			w.say(thread, numbered(50, "My name is Robin, and I live in house %d.")...)
			var events, claims string
			read := func() {
				all, err := w.ListEvents(w.ctx, w.user, threads.EventQuery{Thread: thread})
				require.NoError(t, err)
				data, err := json.Marshal(all)
				require.NoError(t, err)
				events, claims = string(data), fmt.Sprint(w.claims())
			}
			began := w.clock.Now()
			w.drain()
			read()
			before := events
			for pending(w) > 0 {
				w.clock.pass(time.Second)
				w.drain()
				require.Less(t, w.clock.Now().Sub(began), time.Minute, "jobs still wait")
			}
			said := claims
			read()
			require.Equal(t, before, events)
			require.Equal(t, said, claims)
			require.NotZero(t, w.states(threads.JobEmbed)[threads.JobFailed])
			require.NoError(t, w.store.Threads().View(w.ctx, w.who, func(v threads.View) error {
				for _, e := range must(v.Events(threads.EventQuery{Thread: thread})) {
					var asked threads.JobState
					for _, j := range must(v.Jobs(e.ID)) {
						require.False(t, j.State != threads.JobDone && j.Reason == "", "%+v", j)
						if j.Kind == threads.JobExtract {
							asked = j.State
						}
					}
					require.Equal(t, threads.JobFailed, asked, "not with another that failed")
				}
				return nil
			}))
			require.Less(t, len(m.requests()), 1500)
		})
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// pending counts jobs that wait.
func pending(w *world) (n int64) {
	for _, kind := range threads.JobKinds() {
		n += w.states(kind)[threads.JobPending]
	}
	return n
}

// TestRetryAfterIsTakenOver checks that jobs wait as long as an endpoint says, all of them after one request.
func TestRetryAfterIsTakenOver(t *testing.T) {
	m := newModels(t)
	w := newWorld(t, threads.Models{})
	w.Service, w.store = w.open(threads.Models{Embeddings: m.client(t, w.clock.Now, "one")})
	m.instead(func(w http.ResponseWriter, _ *http.Request, _ string) bool {
		w.Header().Set("Retry-After", "1800")
		w.WriteHeader(http.StatusTooManyRequests)
		return true
	})
	w.say(w.thread(), numbered(300, "Note %d about gardens.")...)
	w.drain()
	require.Len(t, m.requests(), 1)
	waiting := w.states(threads.JobEmbed)[threads.JobPending] // also of summaries
	require.GreaterOrEqual(t, waiting, int64(300))
	require.Equal(t, map[threads.JobState]int64{threads.JobPending: waiting}, w.states(threads.JobEmbed))
	w.clock.pass(29 * time.Minute)
	w.drain()
	require.Len(t, m.requests(), 1)
	m.instead(nil)
	w.clock.pass(10 * time.Minute)
	w.drain()
	require.Equal(t, map[threads.JobState]int64{threads.JobDone: waiting}, w.states(threads.JobEmbed))
}

// TestAQueryDoesNotWait asks while the endpoint stalls: words answer, and the vector serves the next query.
func TestAQueryDoesNotWait(t *testing.T) {
	m := newModels(t)
	w := newWorld(t, m.embedding(t, "one"))
	w.say(w.thread(), "Our automobile is red.")
	w.say(w.thread(), "The car park is closed.")
	w.drain()
	answer := make(chan struct{})
	end := sync.OnceFunc(func() { close(answer) })
	t.Cleanup(end)
	m.instead(func(http.ResponseWriter, *http.Request, string) bool { <-answer; return false })
	require.Equal(t, []string{"The car park is closed."}, w.found("car"))
	_, _, why := w.EmbedQuery(w.ctx, "app", "car")
	require.Equal(t, "the model for embeddings did not answer in time", why)
	end()
	require.Eventually(t, func() bool { return len(w.found("car")) == 2 }, 10*time.Second, 10*time.Millisecond)
	require.Len(t, m.requests(), 1)
}

// TestANewModelIsFilledInBesideTheOld changes the model, stops half-way and goes on: every row is found all the time,
// by its words until it has its vector, and vectors of two models are not compared.
func TestANewModelIsFilledInBesideTheOld(t *testing.T) {
	m := newModels(t)
	w := newWorld(t, m.embedding(t, "one"))
	plants := []string{"heliotrope", "juniper", "marigold", "nasturtium", "rosemary", "tamarisk", "valerian"}
	for _, plant := range plants {
		thread := w.thread()
		w.say(thread, numbered(99, "Note %d is about gardens.")...)
		w.say(w.thread(), "Here grows "+plant+".")
	}
	w.say(w.thread(), "Our automobile is red.")
	w.drain()
	require.Contains(t, w.found("car"), "Our automobile is red.")

	w.Service, _ = w.open(m.embedding(t, "another"))
	everyRow := func() {
		for _, plant := range plants {
			require.Contains(t, w.found(plant), "Here grows "+plant+".")
		}
	}
	everyRow()
	require.NotContains(t, w.found("car"), "Our automobile is red.", "by a vector of the other model")
	served := 0
	m.instead(func(w http.ResponseWriter, _ *http.Request, body string) bool {
		if served++; strings.Contains(body, "Note") && served > 4 {
			http.Error(w, `{}`, http.StatusUnauthorized)
			return true
		}
		return false
	})
	_, err := w.FillVectors(w.ctx, "")
	require.Error(t, err)
	everyRow()
	m.instead(nil)
	w.Service, _ = w.open(m.embedding(t, "another")) // which knows nothing of how far it was
	for after := ""; ; {
		next, err := w.FillVectors(w.ctx, after)
		require.NoError(t, err)
		if after = next; next == "" {
			break
		}
	}
	sent := 0
	for _, body := range m.requests() {
		sent += strings.Count(body, "Note")
	}
	require.Less(t, sent, 700, "what has a vector is not sent again")
	require.Contains(t, w.found("car"), "Our automobile is red.")
	everyRow()
	_, err = w.DropVectors(w.ctx, "another")
	require.ErrorIs(t, err, threads.ErrInvalid)
	n, err := w.DropVectors(w.ctx, "one")
	require.NoError(t, err)
	require.GreaterOrEqual(t, n, int64(701))
	require.Contains(t, w.found("car"), "Our automobile is red.")
}

// TestNoVectorIfTheClientSaysSo: the text of such an event goes to no endpoint, not for another model and not after it
// moved to another store; words find it.
func TestNoVectorIfTheClientSaysSo(t *testing.T) {
	for name, path := range map[string]func() string{
		"SQLite":   func() string { return filepath.Join(t.TempDir(), "db") },
		"Postgres": func() string { return pgtest.New(t) },
	} {
		t.Run(name, func(t *testing.T) {
			m := newModels(t)
			w := newWorldAt(t, m.embedding(t, "one"), path())
			id := w.thread()
			added, err := w.AddEvents(w.ctx, w.user, id, []threads.NewEvent{
				{Role: conversation.User, Text: "The sealed juniper", Unembedded: true},
				{Role: conversation.User, Text: "The open marigold"}})
			require.NoError(t, err)
			require.True(t, added[0].Event.Unembedded)
			w.drain()
			effects, err := w.Effects(w.ctx, w.user, id, added[0].Event.ID)
			require.NoError(t, err)
			require.Equal(t, threads.JobEmbed, effects[3].Kind)
			require.Contains(t, effects[3].Reason, "asked for no vector")
			w.Service, _ = w.open(m.embedding(t, "another"))
			_, err = w.FillVectors(w.ctx, "")
			require.NoError(t, err)

			file := exported(t, w.Service, w.who)
			require.Equal(t, 1, strings.Count(file, `"embed":false`))
			moved := newWorld(t, m.embedding(t, "third"))
			_, err = moved.Import(w.ctx, moved.who, strings.NewReader(file))
			require.NoError(t, err)
			_, err = moved.FillVectors(w.ctx, "")
			require.NoError(t, err)
			require.Equal(t, file, exported(t, moved.Service, moved.who))
			sent := strings.Join(m.requests(), "\n")
			require.Equal(t, 3, strings.Count(sent, "open marigold"))
			require.NotContains(t, sent, "sealed")
			require.Contains(t, moved.found("juniper"), "The sealed juniper")
		})
	}
}
