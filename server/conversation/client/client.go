package client

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Options configure a [Client].
type Options struct {
	// URL is the server's address, such as https://memory.example.org. A key goes only to https or to this machine
	// itself, unless Insecure is set.
	URL string

	// Key is the application's.
	Key string

	// UserToken is the JWT of a user, for applications with an issuer. Empty: requests name the user.
	UserToken string

	// Insecure lets the key go over http to other machines, where others on the way can read it.
	Insecure bool

	// Attempts bounds how often a request is sent that may be repeated. 0: 3.
	Attempts int

	// Timeout bounds one attempt, without the reading of a chat's reply. 0: 30 s.
	Timeout time.Duration

	// HTTP replaces the client's transport, for proxies or certificates of your own. Redirects are never followed.
	HTTP http.RoundTripper
}

const (
	usualAttempts = 3
	usualTimeout  = 30 * time.Second
	longestWait   = 10 * time.Second
	maxAnswer     = 64 << 20 // bytes; an export has none of its own
	maxProblem    = 64 << 10
)

// Client asks one server as one application, or as one user of it. It is safe for concurrent use.
type Client struct {
	o    Options
	base *url.URL
	http *http.Client
}

// New returns a client. It sends nothing.
func New(o Options) (*Client, error) {
	base, err := url.Parse(strings.TrimRight(o.URL, "/"))
	switch {
	case err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https":
		return nil, errors.New("the server's address must be like https://memory.example.org")
	case base.User != nil || base.RawQuery != "" || base.Fragment != "":
		return nil, errors.New("the server's address must have no user, query or fragment")
	case o.Key == "" || strings.ContainsFunc(o.Key, func(r rune) bool { return r <= ' ' || r > '~' }):
		return nil, errors.New("the key must be visible ASCII without blanks; ltm-server key issue makes one")
	case base.Scheme == "http" && !o.Insecure && !loopback(base.Hostname()):
		return nil, fmt.Errorf("the address %s is not encrypted: others on the way could read the key", base.Redacted())
	}
	o.Attempts, o.Timeout = cmp.Or(o.Attempts, usualAttempts), cmp.Or(o.Timeout, usualTimeout)
	return &Client{o: o, base: base, http: &http.Client{
		Transport:     o.HTTP,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// loopback reports whether a host is this machine.
func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Error is a refusal of the server.
type Error struct {
	Status  int           // of HTTP
	Detail  string        `json:"detail"`     // what was wrong, and what is allowed
	Kind    string        `json:"title"`      // the kind of problem, in words
	Request string        `json:"request_id"` // names the request in the server's log
	After   time.Duration `json:"-"`          // when to try again, if the server said so
}

// Error implements error.
func (e *Error) Error() string { return fmt.Sprintf("the server answered %d: %s", e.Status, e.Detail) }

// NotFound reports whether an error is the server's answer for what does not exist or belongs to others.
func NotFound(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Status == http.StatusNotFound
}

// Purged reports whether an error is the server's answer for a cursor of [Client.Changes] that is older than changes
// that it has purged. A copy read earlier may lack deletions, so the client must start over.
func Purged(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Status == http.StatusGone
}

// call is one request.
type call struct {
	method, path string
	query        url.Values
	body         any    // nil: none
	once         string // the idempotency key; empty: the request may be repeated only if it changes nothing
	into         any    // nil: the answer's body is not read as JSON
}

// do sends a request, several times if that does no harm.
func (c *Client) do(ctx context.Context, r call) error {
	body, err := encode(r.body)
	if err != nil {
		return err
	}
	for attempt := 1; ; attempt++ {
		err := c.once(ctx, r, body)
		wait, again := c.again(r, err, attempt)
		if !again {
			return err
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return errors.Join(ctx.Err(), err)
		}
	}
}

// field sends a request, and returns a field of the answer, which is the zero value if that does not have it.
func field[T any](ctx context.Context, c *Client, r call, name string) (T, error) {
	value, _, err := page[T](ctx, c, r, name)
	return value, err
}

// page is field for lists, and returns the cursor of the next page, too.
func page[T any](ctx context.Context, c *Client, r call, name string) (value T, next string, err error) {
	var out map[string]json.RawMessage
	r.into = &out
	err = c.do(ctx, r)
	for name, into := range map[string]any{name: &value, "next": &next} {
		if raw, ok := out[name]; ok && err == nil {
			err = decode(raw, into)
		}
	}
	return value, next, err
}

func decode(b []byte, into any) error {
	if err := json.Unmarshal(b, into); err != nil {
		return fmt.Errorf("the server's answer is not what it should be: %w", err)
	}
	return nil
}

// encode returns the bytes of a body.
func encode(body any) ([]byte, error) {
	if body == nil {
		return nil, nil
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(body)
	return b.Bytes(), err
}

// again reports whether a failed request is to be sent once more, and after which time.
func (c *Client) again(r call, err error, attempt int) (time.Duration, bool) {
	if err == nil || attempt >= c.o.Attempts || r.method != http.MethodGet && r.once == "" {
		return 0, false
	}
	wait := time.Duration(attempt) * 200 * time.Millisecond
	var refused *Error
	if errors.As(err, &refused) {
		busy := refused.Status == http.StatusServiceUnavailable || refused.Status == http.StatusTooManyRequests ||
			refused.Status == http.StatusConflict && refused.After > 0 // the attempt before is still being answered
		wait = max(wait, refused.After)
		return wait, busy && wait <= longestWait
	}
	var broken *url.Error // nothing of the answer arrived
	return wait, errors.As(err, &broken) && !errors.Is(err, context.Canceled)
}

// once sends a request one time.
func (c *Client) once(ctx context.Context, r call, body []byte) error {
	ctx, cancel := context.WithTimeout(ctx, c.o.Timeout)
	defer cancel()
	resp, err := c.send(ctx, r, body)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	if r.into == nil {
		return nil
	}
	b, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	switch {
	case err != nil:
		return fmt.Errorf("read the server's answer: %w", err)
	case len(b) > maxAnswer:
		return fmt.Errorf("the server's answer has more than %d bytes", maxAnswer)
	}
	return decode(b, r.into)
}

// send sends a request and returns the answer if it is a success. The caller closes its body.
func (c *Client) send(ctx context.Context, r call, body []byte) (*http.Response, error) {
	u := c.base.JoinPath(r.path)
	u.RawQuery = r.query.Encode()
	req, err := http.NewRequestWithContext(ctx, r.method, u.String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("X-Api-Key", c.o.Key)
	if c.o.UserToken != "" {
		req.Header.Set("Authorization", "Bearer "+c.o.UserToken)
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if r.once != "" {
		req.Header.Set("Idempotency-Key", r.once)
	}
	if stream, ok := r.into.(accepts); ok {
		req.Header.Set("Accept", string(stream))
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode/100 == 2 {
		return resp, nil
	}
	defer func() { _ = resp.Body.Close() }()
	return nil, refusal(resp)
}

// accepts is the media type that a request asks for, in the place of what an answer is decoded into.
type accepts string

// refusal returns the error of an answer.
func refusal(resp *http.Response) *Error {
	e := &Error{}
	b, _ := io.ReadAll(io.LimitReader(resp.Body, maxProblem)) // what arrived is all that is known
	if json.Unmarshal(b, e) != nil || e.Detail == "" {
		e.Detail = http.StatusText(resp.StatusCode) + ", with a body that is not ltm-server's"
	}
	e.Status = resp.StatusCode
	if n, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil && n >= 0 {
		e.After = time.Duration(n) * time.Second
	}
	return e
}

// path joins the parts of a path, of which ids are escaped. So are the dots of one that has nothing else: an event ".."
// would be its thread.
func path(parts ...string) string {
	for i, p := range parts {
		parts[i] = url.PathEscape(p)
		if p == "." || p == ".." {
			parts[i] = strings.ReplaceAll(p, ".", "%2E")
		}
	}
	return "/v1/" + strings.Join(parts, "/")
}

// newKey returns an idempotency key.
func newKey() string { return rand.Text() }
