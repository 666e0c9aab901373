package provider_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/server/provider"
)

func TestEndpointsThatMisbehave(t *testing.T) {
	const second = time.Second
	elsewhere := newEndpoint(t, embeds)
	hangsUp := func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }
	tests := map[string]struct {
		step     http.HandlerFunc
		kind     provider.Kind
		status   int
		code     string
		requests int
		after    time.Duration
	}{
		"garbled":    {says(200, "\x00\xff{{"), provider.BadAnswer, 0, "", 1, 0},
		"empty":      {says(200, ""), provider.BadAnswer, 0, "", 1, 0},
		"no content": {says(204, ""), provider.BadAnswer, 0, "", 1, 0},
		"a page":     {says(200, "<html>Welcome</html>"), provider.BadAnswer, 0, "", 1, 0},
		"half an answer": {
			says(200, `{"data":[{"index":0,"embedding":[1,`),
			provider.BadAnswer, 0, "", 1, 0,
		},
		"too few vectors": {says(200, `{"data":[]}`), provider.BadAnswer, 0, "", 1, 0},
		"too many vectors": {
			says(200, vectors(`0,"embedding":[1]`, `1,"embedding":[1]`)),
			provider.BadAnswer, 0, "", 1, 0,
		},
		"foreign index": {says(200, vectors(`7,"embedding":[1]`)), provider.BadAnswer, 0, "", 1, 0},
		"no index":      {says(200, `{"data":[{"embedding":[1]}]}`), provider.BadAnswer, 0, "", 1, 0},
		"no numbers":    {says(200, vectors(`0,"embedding":[]`)), provider.BadAnswer, 0, "", 1, 0},
		"only zeros":    {says(200, vectors(`0,"embedding":[0,0]`)), provider.BadAnswer, 0, "", 1, 0},
		"a number too large": {
			says(200, vectors(`0,"embedding":[1e300]`)),
			provider.BadAnswer, 0, "", 1, 0,
		},
		"words for numbers": {
			says(200, vectors(`0,"embedding":["a"]`)),
			provider.BadAnswer, 0, "", 1, 0,
		},
		"base64": {says(200, vectors(`0,"embedding":"AACAPw=="`)), provider.BadAnswer, 0, "", 1, 0},
		"error in a success": {
			says(200, `{"error":{"code":"overloaded"}}`),
			provider.Failed, 0, "overloaded", 3, 0,
		},
		"text for an error": {
			says(200, `{"error":"model tiny not found"}`),
			provider.Failed, 0, "", 3, 0,
		},
		"status in a success": {
			says(200, `{"error":{"code":401}}`),
			provider.Refused, 401, "401", 1, 0,
		},
		"wrong key": {
			says(401, `{"error":{"code":"invalid_api_key"}}`),
			provider.Refused, 401, "invalid_api_key", 1, 0,
		},
		"unknown model": {
			says(404, `{"error":{"type":"not_found","code":null}}`),
			provider.Refused, 404, "not_found", 1, 0,
		},
		"malformed": {says(400, `what?`), provider.Refused, 400, "", 1, 0},
		"failing":   {says(503, ``), provider.Failed, 503, "", 3, 0},
		"rate limited": {
			says(429, ``, "Retry-After", "2"),
			provider.RateLimited, 429, "", 3, 2 * second,
		},
		"rate limited for an hour": {
			says(429, ``, "Retry-After", "3600"),
			provider.RateLimited, 429, "", 1, 3600 * second,
		},
		"rate limited for long": {
			says(429, ``, "Retry-After", "30"), provider.RateLimited, 429, "", 1, 30 * second,
		},
		"quota exhausted": {
			says(429, `{"error":{"code":"insufficient_quota"}}`),
			provider.RateLimited, 429, "insufficient_quota", 1, 0,
		},
		"redirect": {says(307, ``, "Location", elsewhere.URL), provider.Redirected, 307, "", 1, 0},
		"redirect by GET": {
			says(302, ``, "Location", elsewhere.URL),
			provider.Redirected, 302, "", 1, 0,
		},
		"broken off": {breaksOff, provider.Unreachable, 0, "", 3, 0},
		"hung up":    {hangsUp, provider.Unreachable, 0, "", 3, 0},
		"huge headers": {
			says(200, ``, "X-Large", strings.Repeat("x", 100<<10)),
			provider.Unreachable, 0, "", 3, 0,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			e := newEndpoint(t, tt.step)
			c, _ := client(t, e, nil)
			got, err := c.Embed(t.Context(), "app", []string{"a text of the user"})
			require.Empty(t, got)
			failure, ok := errors.AsType[*provider.Error](err)
			require.True(t, ok, "%v", err)
			require.Equal(t, tt.kind, failure.Kind, "%v", err)
			require.Equal(t, tt.status, failure.Status)
			require.Equal(t, tt.code, failure.Code)
			require.Equal(t, tt.after, failure.RetryAfter)
			require.Len(t, e.requests(), tt.requests)
			require.NotContains(t, err.Error(), testKey)
			require.NotContains(t, err.Error(), "a text of")
			require.NotContains(t, err.Error(), e.URL)
		})
	}
	require.Empty(t, elsewhere.requests(), "a redirect was followed")
}

func vectors(items ...string) string {
	return `{"data":[{"index":` + strings.Join(items, `},{"index":`) + `}]}`
}

func TestAnswersOfAnySizeAreCut(t *testing.T) {
	e := newEndpoint(t, func(w http.ResponseWriter, _ *http.Request) {
		for {
			if _, err := w.Write(make([]byte, 64<<10)); err != nil {
				return
			}
		}
	})
	c, _ := client(t, e, nil)
	_, err := c.Summarize(t.Context(), "app", "", []provider.Turn{{User: true, Text: "hello"}})
	require.Equal(t, provider.TooLarge, provider.KindOf(err))
}

func TestSlowEndpoints(t *testing.T) {
	e := newEndpoint(t, stalls)
	c, _ := client(t, e, func(o *provider.Options) { o.AttemptTime = 20 * time.Millisecond; o.Attempts = 2 })
	_, err := c.Embed(t.Context(), "app", []string{"x"})
	require.Equal(t, provider.TimedOut, provider.KindOf(err))
	require.ErrorIs(t, err, context.DeadlineExceeded)

	c, _ = client(t, e, func(o *provider.Options) { o.CallTime = 20 * time.Millisecond })
	_, err = c.Embed(t.Context(), "app", []string{"x"})
	require.Equal(t, provider.TimedOut, provider.KindOf(err))
}

func TestDripsEndWithTheAttempt(t *testing.T) {
	e := newEndpoint(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte(`{"data":`))
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	c, _ := client(t, e, func(o *provider.Options) { o.AttemptTime = 20 * time.Millisecond; o.Attempts = 1 })
	_, err := c.Embed(t.Context(), "app", []string{"x"})
	require.Equal(t, provider.TimedOut, provider.KindOf(err))
}

func TestCanceling(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	e := newEndpoint(t, func(_ http.ResponseWriter, r *http.Request) { cancel(); <-r.Context().Done() })
	c, _ := client(t, e, nil)
	_, err := c.Embed(ctx, "app", []string{"x"})
	require.Equal(t, provider.Canceled, provider.KindOf(err))
	require.ErrorIs(t, err, context.Canceled)
	require.Len(t, e.requests(), 1)
}

func TestNobodyListens(t *testing.T) {
	e := newEndpoint(t, embeds)
	c, w := client(t, e, nil)
	e.Close()
	_, err := c.Embed(t.Context(), "app", []string{"x"})
	require.Equal(t, provider.Unreachable, provider.KindOf(err))
	require.Len(t, w.waits(), 2)
}

func TestRetries(t *testing.T) {
	date := newWorld().now.Add(5 * time.Second).Format(http.TimeFormat)
	e := newEndpoint(t, says(503, ""), says(429, "", "Retry-After", "3"), says(503, "", "Retry-After", date),
		says(529, "", "Retry-After", "soon"), embeds)
	c, w := client(t, e, func(o *provider.Options) { o.Attempts = 5 })
	got, err := c.Embed(t.Context(), "app", []string{"four"})
	require.NoError(t, err)
	require.Equal(t, float32(4), got[0].Values[0])
	// Half of 500 ms; 3 s as asked for; what is left until the date, and at least half of 2 s; half of 4 s.
	require.Equal(t, []time.Duration{250 * time.Millisecond, 3 * time.Second, 1750 * time.Millisecond, 2 * time.Second},
		w.waits())
}

func TestJitterAndTheLongestWait(t *testing.T) {
	e := newEndpoint(t, says(503, ""))
	c, w := client(t, e, func(o *provider.Options) {
		o.Attempts = 10
		o.Random = func() float64 { return 0.5 }
		o.CallTime = 20 * time.Second
	})
	_, err := c.Embed(t.Context(), "app", []string{"x"})
	require.Equal(t, provider.CircuitOpen, provider.KindOf(err), "five failures open the circuit")
	// Three quarters of 0.5, 1, 2, 4 and 8 s: half is fixed, and half of the other half.
	require.Equal(t, []time.Duration{375 * time.Millisecond, 750 * time.Millisecond, 1500 * time.Millisecond,
		3 * time.Second, 6 * time.Second}, w.waits())

	e = newEndpoint(t, says(503, ""))
	c, w = client(t, e, func(o *provider.Options) { o.Attempts = 10; o.CallTime = 3 * time.Second })
	_, err = c.Embed(t.Context(), "app", []string{"x"})
	require.Equal(t, provider.Failed, provider.KindOf(err), "the next wait would outlast the call")
	require.Equal(t, []time.Duration{250 * time.Millisecond, 500 * time.Millisecond, time.Second}, w.waits())
}

func TestCircuit(t *testing.T) {
	e := newEndpoint(t, says(500, ""))
	c, w := client(t, e, func(o *provider.Options) { o.Attempts = 1 })
	try := func() *provider.Error {
		_, err := c.Embed(t.Context(), "app", []string{"x"})
		failure, _ := errors.AsType[*provider.Error](err)
		return failure
	}
	for range 5 {
		require.Equal(t, provider.Failed, try().Kind)
	}
	open := try()
	require.Equal(t, provider.CircuitOpen, open.Kind)
	require.Equal(t, 30*time.Second, open.RetryAfter)
	require.True(t, open.Temporary())
	require.Len(t, e.requests(), 5, "an open circuit sends nothing")

	w.pass(30 * time.Second)
	require.Equal(t, provider.Failed, try().Kind, "one probe")
	require.Equal(t, time.Minute, try().RetryAfter, "a failed probe doubles the time")
	w.pass(time.Minute)
	e.mu.Lock()
	e.todo = []http.HandlerFunc{embeds}
	e.mu.Unlock()
	require.Nil(t, try())
	require.Nil(t, try())
}

func TestOneProbeAtATime(t *testing.T) {
	arrived, release := make(chan struct{}), make(chan struct{})
	e := newEndpoint(t, says(500, ""), says(500, ""), says(500, ""), says(500, ""), says(500, ""),
		func(w http.ResponseWriter, r *http.Request) {
			close(arrived)
			<-release
			embeds(w, r)
		}, embeds)
	c, w := client(t, e, func(o *provider.Options) { o.Attempts = 1 })
	try := func() error {
		_, err := c.Embed(t.Context(), "app", []string{"x"})
		return err
	}
	for range 5 {
		require.Equal(t, provider.Failed, provider.KindOf(try()))
	}
	w.pass(30 * time.Second)
	probed := make(chan error)
	go func() { probed <- try() }()
	<-arrived
	require.Equal(t, provider.CircuitOpen, provider.KindOf(try()))
	close(release)
	require.NoError(t, <-probed)
	require.NoError(t, try())
	require.Len(t, e.requests(), 7)
}

func TestProbesThatSayNothingAreRepeated(t *testing.T) {
	e := newEndpoint(t, says(500, ""), says(500, ""), says(500, ""), says(500, ""), says(500, ""),
		says(400, ""), embeds)
	c, w := client(t, e, func(o *provider.Options) { o.Attempts = 1 })
	for _, kind := range []provider.Kind{provider.Failed, provider.Failed, provider.Failed, provider.Failed,
		provider.Failed, provider.Refused, ""} {
		_, err := c.Embed(t.Context(), "app", []string{"x"})
		require.Equal(t, kind, provider.KindOf(err))
		w.pass(6 * time.Second) // 30 s after the fifth
		if kind == provider.Failed && len(e.requests()) == 5 {
			w.pass(24 * time.Second)
		}
	}
}

func TestBadRequestsDoNotOpenTheCircuit(t *testing.T) {
	e := newEndpoint(t, says(400, ""))
	c, _ := client(t, e, nil)
	for range 12 {
		_, err := c.Embed(t.Context(), "app", []string{"x"})
		require.Equal(t, provider.Refused, provider.KindOf(err))
	}
}

func TestKeysAreNeverShown(t *testing.T) {
	e := newEndpoint(t, says(401, `{"error":{"code":"`+testKey+`","type":"plain-words","message":"`+testKey+`"}}`))
	var options provider.Options
	c, _ := client(t, e, func(o *provider.Options) { options = *o })
	_, err := c.Embed(t.Context(), "app", []string{"x"})
	require.EqualError(t, err, "provider: the endpoint does not accept the key (status 401)")
	require.Equal(t, "Bearer "+testKey, e.requests()[0].auth)
	encoded, err := json.Marshal(options.Endpoint)
	require.NoError(t, err)
	shown := string(encoded)
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		shown += fmt.Sprintf(verb, options.Key) + fmt.Sprintf(verb, options.Endpoint)
	}
	require.NotContains(t, shown, testKey)
	require.NotContains(t, shown, fmt.Sprintf("%x", testKey))
	require.Contains(t, shown, "[key]")
}

func TestOptions(t *testing.T) {
	w := newWorld()
	long := strings.Repeat("x", 3000)
	good := provider.Options{
		Endpoint: provider.Endpoint{BaseURL: "https://models.example/v1/", Model: "m", Key: testKey},
		Env:      provider.Env{Now: w.Now, Sleep: w.Sleep, Random: func() float64 { return 0 }},
		Meter:    unlimited(w),
	}
	tests := map[string]struct {
		set  func(*provider.Options)
		says string
	}{
		"no URL":           {func(o *provider.Options) { o.BaseURL = "" }, "base URL must be http"},
		"no host":          {func(o *provider.Options) { o.BaseURL = "https:///v1" }, "base URL must be http"},
		"a file":           {func(o *provider.Options) { o.BaseURL = "file:///etc/passwd" }, "base URL must be http"},
		"a password":       {func(o *provider.Options) { o.BaseURL = "https://a:b@host/" }, "must not have a user"},
		"a query":          {func(o *provider.Options) { o.BaseURL = "https://host/?k=v" }, "must not have a user"},
		"a long URL":       {func(o *provider.Options) { o.BaseURL = "https://h/" + long }, "longer"},
		"no model":         {func(o *provider.Options) { o.Model = "" }, "the model must be"},
		"two lines":        {func(o *provider.Options) { o.Model = "a\nb" }, "the model must be"},
		"a key of lines":   {func(o *provider.Options) { o.Key = "a\r\nX-Evil: 1" }, "the key must be"},
		"unencrypted":      {func(o *provider.Options) { o.BaseURL = "http://10.0.0.1/v1" }, "without encryption"},
		"lookalike":        {func(o *provider.Options) { o.BaseURL = "http://localhost.example" }, "encryption"},
		"no clock":         {func(o *provider.Options) { o.Now = nil }, "needs a clock"},
		"no meter":         {func(o *provider.Options) { o.Meter = nil }, "needs a clock"},
		"attempts":         {func(o *provider.Options) { o.Attempts = 11 }, "attempts must be"},
		"negative time":    {func(o *provider.Options) { o.CallTime = -1 }, "times must not"},
		"batch":            {func(o *provider.Options) { o.Batch = 4096 }, "batch must be"},
		"dimension":        {func(o *provider.Options) { o.Dimension = 1 << 20 }, "dimension must be"},
		"unsaid dimension": {func(o *provider.Options) { o.AskDimension = true }, "dimension must be"},
		"price":            {func(o *provider.Options) { o.Price.Input = -1 }, "prices must be"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			o := good
			tt.set(&o)
			_, err := provider.New(o)
			require.Equal(t, provider.BadInput, provider.KindOf(err))
			require.ErrorContains(t, err, tt.says)
			require.NotContains(t, err.Error(), string([]byte(testKey)))
		})
	}
	for _, set := range []func(*provider.Options){
		func(*provider.Options) {},
		func(o *provider.Options) { o.BaseURL = "http://127.0.0.1:11434/v1" },
		func(o *provider.Options) { o.BaseURL = "http://[::1]:8080" },
		func(o *provider.Options) { o.BaseURL, o.Key = "http://10.0.0.1/v1", "" },
		func(o *provider.Options) { o.BaseURL, o.PlainHTTP = "http://10.0.0.1/v1", true },
	} {
		o := good
		set(&o)
		_, err := provider.New(o)
		require.NoError(t, err)
	}
}

func TestWhatPasses(t *testing.T) {
	passes := []provider.Kind{provider.UsedUp, provider.CircuitOpen, provider.TimedOut, provider.Unreachable,
		provider.RateLimited, provider.Failed}
	for _, kind := range []provider.Kind{provider.BadInput, provider.UsedUp, provider.CircuitOpen, provider.Canceled,
		provider.TimedOut, provider.Unreachable, provider.RateLimited, provider.Refused, provider.Failed,
		provider.Redirected, provider.TooLarge, provider.BadAnswer} {
		if passing := (&provider.Error{Kind: kind}).Temporary(); passing {
			require.Contains(t, passes, kind)
		} else {
			require.NotContains(t, passes, kind)
		}
	}
	require.Empty(t, provider.KindOf(errors.New("another")))
}
