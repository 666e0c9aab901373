package provider_test

import (
	"errors"
	"math"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/server/provider"
)

func limited(w *world, tokens int64) *provider.Meter {
	return provider.NewMeter(func(app string) int64 {
		if app == "free" {
			return provider.Unlimited
		}
		return tokens
	}, nil, w.Now())
}

func summarize(t *testing.T, c *provider.Client, app string) error {
	t.Helper()
	_, err := c.Summarize(t.Context(), app, "", []provider.Turn{{User: true, Text: "hello"}})
	return err
}

func TestLimitOfTheDay(t *testing.T) {
	e := newEndpoint(t, replies("- greeted"))
	w := newWorld()
	meter := limited(w, 1000)
	c, _ := client(t, e, func(o *provider.Options) {
		o.Meter, o.Now = meter, w.Now
		o.Price = provider.Price{Input: 1_000_000, Output: 4_000_000}
	})
	calls := 0
	for ; calls < 100; calls++ {
		if err := summarize(t, c, "app"); err != nil {
			failure, ok := errors.AsType[*provider.Error](err)
			require.True(t, ok)
			require.Equal(t, provider.UsedUp, failure.Kind)
			require.ErrorContains(t, err, "daily limit of 1000 tokens")
			require.Equal(t, 12*time.Hour, failure.RetryAfter, "until midnight")
			break
		}
	}
	require.Len(t, e.requests(), calls, "what the limit does not cover is not sent")
	require.Positive(t, calls)
	require.Equal(t, provider.Usage{App: "app", Day: "2026-01-31", Requests: int64(calls), Input: int64(20 * calls),
		Output: int64(5 * calls), Micros: int64((20 + 4*5) * calls)}, meter.Today("app", w.Now()))
	require.NoError(t, summarize(t, c, "free"), "each app has its own limit")

	stored := []provider.Usage{meter.Today("app", w.Now())}
	again := provider.NewMeter(func(string) int64 { return 1000 }, stored, w.Now())
	require.Equal(t, stored[0], again.Today("app", w.Now()), "a restart gives no tokens back")
	w.pass(12 * time.Hour)
	require.Zero(t, again.Today("app", w.Now()).Tokens())
	require.NoError(t, summarize(t, c, "app"), "a new day has its own limit")
	w.pass(-24 * time.Hour)
	require.Equal(t, "2026-02-01", meter.Today("app", w.Now()).Day, "a clock that goes back gives no tokens back")
}

func TestStoredUsageThatIsWrong(t *testing.T) {
	w := newWorld()
	e := newEndpoint(t, replies("x"))
	for used, kind := range map[provider.Usage]provider.Kind{
		{App: "app", Day: "2026-01-31", Input: math.MaxInt64, Output: math.MaxInt64}: provider.UsedUp,
		{App: "app", Day: "2026-01-31", Input: math.MinInt64, Output: math.MinInt64}: "",
		{App: "app", Day: "2026-01-30", Input: math.MaxInt64}:                        "",
		{App: "other", Day: "2026-01-31", Input: math.MaxInt64}:                      "",
		{App: "app", Day: "2026-01-31", Input: math.MaxInt64, Output: math.MinInt64}: provider.UsedUp,
	} {
		meter := provider.NewMeter(func(string) int64 { return 1 << 40 }, []provider.Usage{used}, w.Now())
		c, _ := client(t, e, func(o *provider.Options) { o.Meter = meter })
		require.Equal(t, kind, provider.KindOf(summarize(t, c, "app")), "%+v", used)
	}
}

func TestNoTokensAtAll(t *testing.T) {
	e := newEndpoint(t, replies("x"))
	c, _ := client(t, e, func(o *provider.Options) { o.Meter = limited(newWorld(), 0) })
	require.Equal(t, provider.UsedUp, provider.KindOf(summarize(t, c, "app")))
	require.Empty(t, e.requests())
}

func TestCallsAtTheSameTimeStayWithinTheLimit(t *testing.T) {
	const limit = 5000
	full := says(200, `{"choices":[{"message":{"content":"x"}}],"usage":{"prompt_tokens":300,"completion_tokens":400}}`)
	e := newEndpoint(t, full)
	meter := limited(newWorld(), limit)
	c, w := client(t, e, func(o *provider.Options) { o.Meter = meter })
	var group sync.WaitGroup
	var refused atomic.Int64
	for range 32 {
		group.Go(func() {
			if _, err := c.Summarize(t.Context(), "app", "", []provider.Turn{{Text: "x"}}); err != nil {
				refused.Add(1)
			}
		})
	}
	group.Wait()
	used := meter.Today("app", w.Now())
	require.LessOrEqual(t, used.Tokens(), int64(limit))
	require.Equal(t, int64(32), refused.Load()+used.Requests)
	require.Positive(t, used.Requests)
	require.Equal(t, int(used.Requests), len(e.requests()))
}

func TestWhatIsCounted(t *testing.T) {
	body := func(usage string) http.HandlerFunc {
		return says(200, `{"choices":[{"message":{"content":"x"}}],"usage":`+usage+`}`)
	}
	tests := map[string]struct {
		step             http.HandlerFunc
		requests, output int64
		estimated        bool
	}{
		"what the endpoint says": {body(`{"prompt_tokens":9,"completion_tokens":7}`), 1, 7, false},
		"no count":               {body(`null`), 1, 400, true},
		"negative":               {body(`{"prompt_tokens":-9,"completion_tokens":-7}`), 1, 400, true},
		"absurd":                 {body(`{"prompt_tokens":99999999,"completion_tokens":99999999}`), 1, 400, true},
		"a bad answer":           {says(200, "{}"), 1, 400, true},
		"a lost answer":          {breaksOff, 1, 400, true},
		"a failure":              {says(500, ""), 0, 0, false},
		"a refusal":              {says(401, ""), 0, 0, false},
		"an error in a success":  {says(200, `{"error":"overloaded"}`), 0, 0, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			meter := limited(w, 10_000)
			c, _ := client(t, newEndpoint(t, tt.step), func(o *provider.Options) { o.Meter = meter; o.Attempts = 1 })
			_, _ = c.Summarize(t.Context(), "app", "", []provider.Turn{{Text: "hello"}})
			used := meter.Today("app", w.Now())
			require.Equal(t, tt.requests, used.Requests)
			require.Equal(t, tt.output, used.Output)
			require.Equal(t, tt.estimated, used.Estimated > 0)
			require.Less(t, used.Input, int64(1000))
		})
	}
}

func TestRequestsThatWereNotSentCostNothing(t *testing.T) {
	e := newEndpoint(t, embeds)
	w := newWorld()
	meter := limited(w, 10_000)
	c, _ := client(t, e, func(o *provider.Options) { o.Meter = meter })
	e.Close()
	require.Equal(t, provider.Unreachable, provider.KindOf(summarize(t, c, "app")))
	require.Zero(t, meter.Today("app", w.Now()).Tokens())
}

func TestRetriesArePaidFor(t *testing.T) {
	e := newEndpoint(t, breaksOff)
	meter := limited(newWorld(), 1500)
	c, _ := client(t, e, func(o *provider.Options) { o.Meter = meter; o.Attempts = 5 })
	require.Equal(t, provider.UsedUp, provider.KindOf(summarize(t, c, "app")))
	require.Less(t, len(e.requests()), 5)
}
