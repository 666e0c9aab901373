package provider_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/server/provider"
)

// testKey looks like no known credential, so that what hides it is not the search for these.
const testKey = "kk-plain-words-as-key"

// asked is one request that an endpoint got.
type asked struct {
	path, auth, body string
}

// endpoint answers requests on loopback one after another as scripted, the last step again and again.
type endpoint struct {
	*httptest.Server
	mu   sync.Mutex
	got  []asked
	todo []http.HandlerFunc
}

func newEndpoint(t *testing.T, steps ...http.HandlerFunc) *endpoint {
	t.Helper()
	e := &endpoint{todo: steps}
	e.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		e.mu.Lock()
		e.got = append(e.got, asked{r.URL.Path, r.Header.Get("Authorization"), string(body)})
		step := e.todo[0]
		if len(e.todo) > 1 {
			e.todo = e.todo[1:]
		}
		e.mu.Unlock()
		r.Body = io.NopCloser(strings.NewReader(string(body)))
		step(w, r)
	}))
	t.Cleanup(e.Close)
	return e
}

func (e *endpoint) requests() []asked {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]asked(nil), e.got...)
}

// world is the clock of a test, which only waiting moves, and what was waited for.
type world struct {
	mu    sync.Mutex
	now   time.Time
	slept []time.Duration
}

func newWorld() *world { return &world{now: time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)} }

func (w *world) Now() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

func (w *world) pass(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = w.now.Add(d)
}

func (w *world) Sleep(ctx context.Context, d time.Duration) error {
	w.pass(d)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.slept = append(w.slept, d)
	return ctx.Err()
}

func (w *world) waits() []time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]time.Duration(nil), w.slept...)
}

// client returns a client of an endpoint. With set, a test changes the options.
func client(t *testing.T, e *endpoint, set func(*provider.Options)) (*provider.Client, *world) {
	t.Helper()
	w := newWorld()
	o := provider.Options{
		Endpoint: provider.Endpoint{BaseURL: e.URL + "/v1", Model: "tiny", Key: testKey},
		Env:      provider.Env{Now: w.Now, Sleep: w.Sleep, Random: func() float64 { return 0 }},
		Meter:    unlimited(w),
	}
	if set != nil {
		set(&o)
	}
	c, err := provider.New(o)
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c, w
}

func unlimited(w *world) *provider.Meter {
	return provider.NewMeter(func(string) int64 { return provider.Unlimited }, nil, w.Now())
}

// says answers with a status and a body.
func says(status int, body string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// replies answers with a model's text.
func replies(text string) http.HandlerFunc {
	return says(200, replyBody(text, "stop"))
}

func replyBody(text, finish string) string {
	quoted, _ := json.Marshal(text)
	return fmt.Sprintf(`{"model":"tiny-1","choices":[{"message":{"role":"assistant","content":%s},`+
		`"finish_reason":%q}],`+
		`"usage":{"prompt_tokens":20,"completion_tokens":5}}`, quoted, finish)
}

// embeds answers with vectors whose first number is the text's length, last text first.
func embeds(w http.ResponseWriter, r *http.Request) {
	var req struct{ Input []string }
	_ = json.NewDecoder(r.Body).Decode(&req)
	var data []string
	for i := len(req.Input) - 1; i >= 0; i-- {
		data = append(data, fmt.Sprintf(`{"index":%d,"embedding":[%d,1,0.5]}`, i, len(req.Input[i])))
	}
	_, _ = fmt.Fprintf(w, `{"model":"tiny-1","data":[%s],"usage":{"prompt_tokens":%d}}`,
		strings.Join(data, ","), len(req.Input))
}

// stalls answers with nothing until the client has gone.
func stalls(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

// breaksOff sends less than it said it would.
func breaksOff(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Length", "1000")
	_, _ = io.WriteString(w, `{"data":[`)
}
