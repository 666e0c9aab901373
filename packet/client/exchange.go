package client

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"ltm/memory"
)

// Limits of answers, in bytes.
const (
	maxListAnswer  = 8 << 20
	maxSmallAnswer = 256 << 10
	maxErrorAnswer = 64 << 10
)

// request is one request to the server.
type request struct {
	method string
	url    string
	query  url.Values
	body   []byte // nil: none
	form   bool   // the body is a form and not JSON
	header map[string]string
	most   int64 // bytes of the answer; 0: maxSmallAnswer
	empty  bool  // success is 204, which has no body
	open   bool  // the token is not sent
	fault  error // why there is nothing to send, such as an id that cannot be one

	// means says what a status means, besides what every route has in common.
	means map[int]meaning
}

// meaning is the error that a status of a route means.
type meaning struct {
	code    memory.Code
	kind    memory.Kind
	subject string
	text    string // what was wrong; the server's words follow
}

// answer is a whole answer that means success.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// do sends a request and reads the answer. Every status but 2xx is an error.
func (c *Client) do(ctx context.Context, r request) (answer, error) {
	if r.fault != nil {
		return answer{}, r.fault
	}
	ctx, cancel := context.WithTimeout(ctx, c.o.Timeout)
	defer cancel()
	req, err := c.prepare(ctx, r)
	if err != nil {
		return answer{}, err
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return answer{}, c.unreachable(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return answer{}, c.refusal(resp, r)
	}
	got := answer{status: resp.StatusCode, header: resp.Header}
	if r.empty && resp.StatusCode != http.StatusNoContent { // the page of a network's gate, which did nothing
		return answer{}, c.odd(fmt.Sprintf("its status is %d and not 204", resp.StatusCode))
	}
	if r.empty {
		return got, nil
	}
	if err := c.checkJSON(resp.Header); err != nil {
		return answer{}, err
	}
	most := cmp.Or(r.most, maxSmallAnswer)
	got.body, err = io.ReadAll(io.LimitReader(resp.Body, most+1))
	switch {
	case err != nil:
		return answer{}, c.unreachable(err)
	case int64(len(got.body)) > most:
		return answer{}, c.odd(fmt.Sprintf("it has more than %d bytes", most))
	}
	return got, nil
}

func (c *Client) prepare(ctx context.Context, r request) (*http.Request, error) {
	address := r.url
	if len(r.query) > 0 {
		address += "?" + r.query.Encode()
	}
	var body io.Reader
	if r.body != nil {
		body = bytes.NewReader(r.body)
	}
	req, err := http.NewRequestWithContext(ctx, r.method, address, body)
	if err != nil {
		return nil, memory.NewError(memory.CodeInvalid, memory.KindHostMalformed, c.o.Host.String(),
			"cannot make a request to %s", c.o.Host)
	}
	req.GetBody = nil // nothing is sent twice: the first may have had its effect
	req.Header.Set("Accept", "application/json")
	if c.o.Agent != "" {
		req.Header.Set("User-Agent", c.o.Agent)
	}
	switch {
	case r.form:
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	case r.body != nil:
		req.Header.Set("Content-Type", "application/json")
	}
	for name, value := range r.header {
		req.Header.Set(name, value)
	}
	if c.o.Token != "" && !r.open {
		req.Header.Set("Authorization", "Bearer "+c.o.Token)
	}
	return req, nil
}

// checkJSON refuses what does not say that it is JSON, such as the page of a network's gate.
func (c *Client) checkJSON(h http.Header) error {
	if !isJSON(h) {
		return c.odd("its type is " + memory.Quote(h.Get("Content-Type"), 60) + " and not JSON")
	}
	return nil
}

func isJSON(h http.Header) bool {
	kind, _, err := mime.ParseMediaType(h.Get("Content-Type"))
	return err == nil && (kind == "application/json" || strings.HasSuffix(kind, "+json"))
}

// decode reads the JSON of an answer, which may have keys that are not known here.
func (c *Client) decode(body []byte, into any) error {
	if err := json.Unmarshal(body, into); err != nil {
		return c.odd("its JSON is not what the protocol says")
	}
	return nil
}

// get is a request for JSON.
func (c *Client) get(ctx context.Context, r request, into any) (answer, error) {
	r.method = http.MethodGet
	got, err := c.do(ctx, r)
	if err != nil {
		return got, err
	}
	return got, c.decode(got.body, into)
}

// post sends JSON, and reads JSON unless into is nil.
func (c *Client) post(ctx context.Context, r request, value, into any) error {
	r.method, r.empty = http.MethodPost, into == nil
	if value != nil {
		data, err := json.Marshal(value)
		if err != nil {
			return err
		}
		r.body = data
	}
	got, err := c.do(ctx, r)
	if err != nil || into == nil {
		return err
	}
	return c.decode(got.body, into)
}

// remove is a request to remove something.
func (c *Client) remove(ctx context.Context, r request) error {
	r.method, r.empty = http.MethodDelete, true
	_, err := c.do(ctx, r)
	return err
}

// odd is the error about an answer that is not one of the protocol.
func (c *Client) odd(why string) error {
	return memory.NewError(memory.CodeRemote, memory.KindRemoteAnswer, c.o.Host.String(),
		"the answer of %s cannot be used: %s", c.o.Host, why)
}

// unreachable is the error about a server that did not answer.
func (c *Client) unreachable(err error) error {
	if errors.Is(err, context.Canceled) {
		return interrupted{}
	}
	why := "the connection failed"
	var at *url.Error
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &at) && at.Timeout():
		why = "it did not answer in time"
	case errors.As(err, &at): // its text has the address, which may have an invite's code
		why = memory.Quote(at.Err.Error(), 200)
	}
	return &memory.Error{Code: memory.CodeRemote, Kind: memory.KindRemoteUnreachable, Subject: c.o.Host.String(),
		Message: fmt.Sprintf("cannot reach %s: %s", c.o.Host, why)}
}

// interrupted is the error of a request that the caller ended. It matches [context.Canceled], and does
// not have the address, which may have an invite's code.
type interrupted struct{}

// Error implements error.
func (interrupted) Error() string { return "interrupted" }

// Is makes the error match.
func (interrupted) Is(target error) bool { return target == context.Canceled }
