package provider

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptrace"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// exchange sends a request and reads its answer. It notes in sent that the endpoint may have all of the request.
func (c *Client) exchange(ctx context.Context, r request, sent *atomic.Bool) (tokens, *Error) {
	limited, more, stop := c.limit(ctx)
	defer stop()
	limited = httptrace.WithClientTrace(limited, &httptrace.ClientTrace{
		WroteHeaders: func() { sent.Store(true) }, // the body may follow before an error is seen
	})
	req, err := http.NewRequestWithContext(limited, http.MethodPost, c.base.JoinPath(r.route...).String(),
		bytes.NewReader(r.body))
	if err != nil {
		return tokens{}, newError(BadInput, "the base URL does not make a request")
	}
	req.GetBody = nil // the transport must not send again by itself: an attempt is counted and paid for once
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	if r.stream != nil {
		r.stream.again()
		req.Header.Set("Accept", "text/event-stream, application/json")
	}
	req.Header.Set("User-Agent", "ltm-server")
	if c.o.Key != "" {
		req.Header.Set("Authorization", "Bearer "+string(c.o.Key))
	}
	res, err := c.http.Do(req)
	if err != nil {
		return tokens{}, c.ended(ctx, limited, err)
	}
	defer func() { _ = res.Body.Close() }()
	if r.stream != nil && res.StatusCode/100 == 2 && isStream(res) {
		failed, err := r.stream.read(c, res.Body, more)
		if err != nil {
			failed = c.ended(ctx, limited, err)
		}
		return r.stream.used, failed
	}
	body, err := io.ReadAll(io.LimitReader(res.Body, r.maxAnswer+1))
	switch {
	case res.StatusCode/100 != 2:
		return tokens{}, c.refusal(res, body) // whatever was read of it: the status counts
	case err != nil:
		return tokens{}, c.ended(ctx, limited, err)
	case int64(len(body)) > r.maxAnswer:
		return tokens{}, newError(TooLarge, "the answer is larger than %d bytes", r.maxAnswer)
	}
	if failure, ok := errorIn(body); ok {
		return tokens{}, c.reported(failure)
	}
	return r.read(body)
}

// limit returns a context that ends when an attempt may take no longer. more lets it take as long again from now.
func (c *Client) limit(ctx context.Context) (limited context.Context, more, stop func()) {
	limited, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(c.o.AttemptTime, func() { cancel(context.DeadlineExceeded) })
	return limited, func() { timer.Reset(c.o.AttemptTime) }, func() {
		timer.Stop()
		cancel(nil)
	}
}

// ended tells the caller's end of a call from the attempt's own deadline.
func (c *Client) ended(ctx, limited context.Context, err error) *Error {
	if ctx.Err() != nil {
		return transportError(ctx, err)
	}
	return transportError(limited, err)
}

// refusal returns the error for an answer whose status is not a success.
func (c *Client) refusal(res *http.Response, body []byte) *Error {
	if res.StatusCode/100 == 3 {
		err := newError(Redirected, "the endpoint redirects to another address, which is not followed: "+
			"correct the base URL")
		err.Status = res.StatusCode
		return err
	}
	failure, _ := errorIn(body)
	e := ofStatus(res.StatusCode)
	e.Code = c.code(failure)
	if e.Kind == RateLimited || e.Kind == Failed {
		e.RetryAfter = retryAfter(res.Header.Get("Retry-After"), c.o.Now())
	}
	return e
}

// reported returns the error for an answer with the status of a success and an error in its body.
func (c *Client) reported(f failure) *Error {
	e := newError(Failed, "the endpoint answers with an error")
	if status, err := strconv.Atoi(f.code); err == nil && status >= 400 && status < 600 {
		e = ofStatus(status) // as routers between models do
	}
	e.Code = c.code(f)
	return e
}

// ofStatus returns the error for a status of HTTP.
func ofStatus(status int) *Error {
	kind, message := Refused, "the endpoint refuses the request"
	switch {
	case status == http.StatusTooManyRequests:
		kind, message = RateLimited, "the endpoint asks to come back later"
	case status == http.StatusRequestTimeout, status == http.StatusTooEarly, status >= 500:
		kind, message = Failed, "the endpoint failed"
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		message = "the endpoint does not accept the key"
	case status == http.StatusNotFound:
		message = "the endpoint does not know the model, or the base URL is wrong"
	case status == http.StatusRequestEntityTooLarge:
		message = "the endpoint finds the request too large"
	case status < 400:
		kind, message = BadAnswer, "the endpoint answers with a status that means nothing here"
	}
	e := newError(kind, "%s", message)
	e.Status = status
	return e
}

// failure is what an endpoint calls an error.
type failure struct{ code, kind string }

// errorIn returns the error in a body: an object, as OpenAI has it, or a text, as Ollama once did.
func errorIn(body []byte) (failure, bool) {
	var outer struct {
		Error json.RawMessage `json:"error"`
	}
	if json.Unmarshal(body, &outer) != nil || len(outer.Error) == 0 || string(outer.Error) == "null" {
		return failure{}, false
	}
	var inner struct {
		Code json.RawMessage `json:"code"` // a text, a number or null
		Type json.RawMessage `json:"type"`
	}
	_ = json.Unmarshal(outer.Error, &inner) // a text has neither
	return failure{code: scalar(inner.Code), kind: scalar(inner.Type)}, true
}

// scalar returns a text or a number of JSON as a text.
func scalar(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var n json.Number
	if json.Unmarshal(raw, &n) == nil {
		return n.String()
	}
	return ""
}

// code returns an endpoint's name for a failure if it is one: a message may quote the key, or the texts.
func (c *Client) code(f failure) string {
	for _, name := range []string{f.code, f.kind} {
		if isName(name) && (c.o.Key == "" || !overlaps(name, string(c.o.Key))) {
			return name
		}
	}
	return ""
}

// overlaps reports whether a name may have come from the key: it has the key, or is a part of it.
func overlaps(name, key string) bool {
	name, key = strings.ToLower(name), strings.ToLower(key)
	return strings.Contains(name, key) || strings.Contains(key, name)
}

// isName reports whether s looks like a name of a failure: no blanks and few characters.
func isName(s string) bool {
	return s != "" && len(s) <= 64 && !strings.ContainsFunc(s, func(r rune) bool {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		return !letter && (r < '0' || r > '9') && !strings.ContainsRune("._-", r)
	})
}
