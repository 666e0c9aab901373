package provider

import (
	"cmp"
	"context"
	"net"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"
)

// Env is a client's access to the outside world. Tests pass their own.
type Env struct {
	Now    func() time.Time
	Random func() float64 // in [0, 1); for jitter, so it need not be secret

	// Sleep waits, or returns the context's error when it ends first.
	Sleep func(ctx context.Context, d time.Duration) error
}

// Options describe a client. Limits that are 0 have the default that is given with them.
type Options struct {
	Endpoint
	Env
	Meter *Meter
	Price Price

	Attempts    int           // of one request, the first included: 3, at most 10
	AttemptTime time.Duration // until the answer to one attempt, or its next part, is read: 30 s
	CallTime    time.Duration // of a call with all its requests, attempts and waits: 2 min

	// Dimension is the size of vectors; 0 accepts any, but one only in a call. AskDimension sends it to the endpoint,
	// which not every model accepts.
	Dimension    int
	AskDimension bool
	Batch        int // texts in one request for embeddings: 64, at most 2048

	// Reasoning is for models of OpenAI that reason: they name an answer's limit otherwise, and have no temperature.
	Reasoning bool

	// Proxy is as in [http.Transport]; nil uses none, whatever the environment says.
	Proxy func(*http.Request) (*url.URL, error)
}

// Limits that no option changes.
const (
	maxAnswer  = 4 << 20  // bytes of an answer to a request for text
	maxVectors = 64 << 20 // bytes of one with vectors: 2,048 of 1,536 numbers of 20 digits are 63 MB
	maxHeaders = 64 << 10
	maxIdle    = 4
	maxConns   = 16
	idleTime   = 90 * time.Second
	dialTime   = 10 * time.Second

	maxRetryAfter = 20 * time.Second // a longer wait, asked for by the endpoint, fails the call
)

// Client asks one model of one endpoint. It is safe for concurrent use.
type Client struct {
	o       Options
	base    *url.URL
	http    *http.Client
	breaker breaker
}

// New returns a client, or a [BadInput]. It does not connect.
func New(o Options) (*Client, error) {
	base, err := o.check()
	if err != nil {
		return nil, err
	}
	if o.Now == nil || o.Sleep == nil || o.Random == nil || o.Meter == nil {
		return nil, newError(BadInput, "a client needs a clock, a way to wait, randomness and a meter")
	}
	o.Attempts = cmp.Or(o.Attempts, 3)
	o.AttemptTime = cmp.Or(o.AttemptTime, 30*time.Second)
	o.CallTime = cmp.Or(o.CallTime, 2*time.Minute)
	o.Batch = cmp.Or(o.Batch, 64)
	switch {
	case o.Attempts < 1 || o.Attempts > 10:
		return nil, newError(BadInput, "the attempts must be 1 to 10, not %d", o.Attempts)
	case o.AttemptTime < 0 || o.CallTime < 0:
		return nil, newError(BadInput, "times must not be negative")
	case o.Batch < 1 || o.Batch > 2048:
		return nil, newError(BadInput, "a batch must be 1 to 2048 texts, not %d", o.Batch)
	case o.Dimension < 0 || o.Dimension > maxDimension || o.AskDimension && o.Dimension == 0:
		return nil, newError(BadInput, "the dimension must be 1 to %d, or 0 for any that the model has", maxDimension)
	case o.Price.Input < 0 || o.Price.Output < 0 || max(o.Price.Input, o.Price.Output) > maxPrice:
		return nil, newError(BadInput, "prices must be 0 to %d millionths", int64(maxPrice))
	}
	transport := &http.Transport{
		Proxy:                  o.Proxy,
		DialContext:            (&net.Dialer{Timeout: dialTime}).DialContext,
		TLSHandshakeTimeout:    dialTime,
		MaxResponseHeaderBytes: maxHeaders,
		MaxIdleConns:           maxIdle,
		MaxConnsPerHost:        maxConns,
		IdleConnTimeout:        idleTime,
		ForceAttemptHTTP2:      true,
	}
	return &Client{o: o, base: base, http: &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// maxPrice keeps costs within 64 bits: ten thousand units of a currency for a million tokens.
const maxPrice = 10_000_000_000

// Close ends idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Model returns the model that is asked.
func (c *Client) Model() string { return c.o.Model }

// checkApp refuses names that a meter would not keep.
func checkApp(app string) error {
	if app == "" || len(app) > maxApp {
		return newError(BadInput, "the app must be named by 1 to %d bytes", maxApp)
	}
	return nil
}

// request is one request, which may take several attempts.
type request struct {
	app       string
	route     []string // below the base URL
	body      []byte
	maxAnswer int64
	maxOutput int64 // tokens

	// read checks the body of an answer and returns the endpoint's own counts.
	read func(body []byte) (tokens, *Error)

	// stream reads an answer that comes in parts, unless it is nil.
	stream *stream
}

// tokens are an endpoint's counts, 0 where it gave none.
type tokens struct {
	Prompt     int64 `json:"prompt_tokens"`
	Completion int64 `json:"completion_tokens"`
}

// call sends a request until it is answered, within the limits of the client.
func (c *Client) call(ctx context.Context, r request) error {
	started := c.o.Now()
	for attempt := 1; ; attempt++ {
		err := c.attempt(ctx, r)
		if err == nil {
			return nil
		}
		if attempt >= c.o.Attempts || !retriable(err) || r.stream != nil && r.stream.passed {
			return err
		}
		wait := backoff(attempt, c.o.Random())
		if err.RetryAfter > 0 {
			if err.RetryAfter > maxRetryAfter {
				return err
			}
			wait = max(wait, err.RetryAfter)
		}
		if c.o.Now().Add(wait).Sub(started) >= c.o.CallTime {
			return err
		}
		if slept := c.o.Sleep(ctx, wait); slept != nil || ctx.Err() != nil {
			return transportError(ctx, cmp.Or(ctx.Err(), slept))
		}
	}
}

// retriable reports whether another attempt of the same call may help.
func retriable(err *Error) bool {
	switch err.Kind {
	case TimedOut, Unreachable, Failed:
		return true
	case RateLimited:
		return err.Code != "insufficient_quota" // which takes a person
	}
	return false
}

// attempt sends a request once: if the circuit is closed and the app's limit covers it.
func (c *Client) attempt(ctx context.Context, r request) *Error {
	probe, wait, ok := c.breaker.enter(c.o.Now())
	if !ok {
		err := newError(CircuitOpen, "the endpoint failed %d times in a row and is left alone for now", breakAfter)
		err.RetryAfter = wait
		return err
	}
	input := estimate(len(r.body))
	reserved := input + r.maxOutput
	if err := c.o.Meter.reserve(r.app, reserved, c.o.Now()); err != nil {
		c.breaker.leave(c.o.Now(), probe, unknown)
		return err
	}
	var sent atomic.Bool // the transport may still be writing when an attempt ends
	said, err := c.exchange(ctx, r, &sent)
	s := spent{}
	if sent.Load() {
		s = c.spent(r, said, input, err)
	}
	c.o.Meter.settle(r.app, reserved, s, c.o.Now())
	c.breaker.leave(c.o.Now(), probe, outcomeOf(err))
	return err
}

// estimate returns about how many tokens bytes of a request are: English has four bytes a token and most other scripts
// fewer, so it errs on the safe side.
func estimate(bytes int) int64 { return int64(bytes)/3 + 8 }

// spent returns what an attempt took. The endpoint's counts are used if they are possible: a token is at least a byte,
// beside what a template adds, and the output was limited. Otherwise, and if the answer was lost, it is estimated.
func (c *Client) spent(r request, said tokens, input int64, err *Error) spent {
	const template = 1024
	if err != nil && (err.Status >= 300 || err.Kind == Failed || err.Kind == RateLimited || err.Kind == Refused) {
		return spent{} // endpoints do not charge for errors
	}
	s := spent{sent: true, input: said.Prompt, output: said.Completion}
	if said.Prompt <= 0 || said.Prompt > int64(len(r.body))+template {
		s.input = input
		s.estimated += input
	}
	if r.maxOutput > 0 && (said.Completion <= 0 || said.Completion > r.maxOutput) {
		s.output = r.maxOutput
		s.estimated += s.output
	}
	if r.maxOutput == 0 {
		s.output = 0
	}
	s.micros = c.o.Price.cost(s.input, s.output)
	return s
}
