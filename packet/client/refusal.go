package client

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"ltm/memory"
)

// Refusal is the cause of an error that a server answered with a status.
type Refusal struct {
	Status     int
	Says       string        // the server's words, cut and with escapes; "" if it has none
	RetryAfter time.Duration // when to try again; 0: unknown

	word string // "error" as it was
}

// Error implements error.
func (r *Refusal) Error() string {
	text := fmt.Sprintf("status %d", r.Status)
	if r.Says != "" {
		text += ", " + r.Says
	}
	if r.RetryAfter > 0 {
		text += fmt.Sprintf(" (try again in %s)", r.RetryAfter)
	}
	return text
}

// maxRetryAfter is the longest wait that a server can ask for.
const maxRetryAfter = 24 * time.Hour

// RefusalOf returns the server's refusal that an error is about, or nil.
func RefusalOf(err error) *Refusal {
	r, _ := errors.AsType[*Refusal](err)
	return r
}

// IsFinal reports whether a server permanently refused what it was sent: the same will be refused again.
func IsFinal(err error) bool {
	switch memory.KindOf(err) {
	case memory.KindRemoteRefused, memory.KindRemoteConflict, memory.KindRemoteStale, memory.KindRemoteDenied,
		memory.KindTeamUnknown, memory.KindTeamMalformed, memory.KindPacketLeaks, memory.KindRemoteUnsupported,
		memory.KindPacketInvalid:
		return true
	}
	return false
}

// IsPassing reports whether the same may succeed later, without anyone doing anything: the network or
// the server was at fault. A network's gate that answers in its place counts, too.
func IsPassing(err error) bool {
	switch memory.KindOf(err) {
	case memory.KindRemoteUnreachable, memory.KindRemoteBusy, memory.KindRemoteLimit, memory.KindRemoteFailed,
		memory.KindRemoteAnswer, memory.KindRemoteRedirect:
		return true
	}
	return false
}

// refusal returns the error that a status means.
func (c *Client) refusal(resp *http.Response, r request) error {
	host := c.o.Host.String()
	if resp.StatusCode >= 300 && resp.StatusCode < 400 {
		return memory.NewError(memory.CodeRemote, memory.KindRemoteRedirect, host,
			"%s refers to %s, and ltm follows no server to another address", host,
			memory.Quote(resp.Header.Get("Location"), 200))
	}
	why := &Refusal{Status: resp.StatusCode, RetryAfter: retryAfter(resp.Header, time.Now())}
	body, known := readProblem(resp)
	if why.word = body.Error; known {
		why.Says = memory.Quote(body.text(), maxSaid)
	}
	m, ok := r.means[resp.StatusCode]
	switch {
	case resp.StatusCode == http.StatusMethodNotAllowed, resp.StatusCode == http.StatusNotFound && !known,
		resp.StatusCode == http.StatusNotImplemented:
		m, ok = meaning{memory.CodeRemote, memory.KindRemoteUnsupported, host, host + " does not have this"}, true
	case resp.StatusCode == http.StatusConflict && strings.HasSuffix(body.Type, underWay):
		m, ok = c.usual(http.StatusServiceUnavailable)
	case !ok:
		m, ok = c.usual(resp.StatusCode)
	}
	if !ok {
		return &memory.Error{Code: memory.CodeRemote, Kind: memory.KindRemoteAnswer, Subject: host,
			Message: "the answer of " + host + " cannot be used", Err: why}
	}
	return &memory.Error{Code: m.code, Kind: m.kind, Subject: m.subject, Message: m.text, Err: why}
}

// usual says what a status means on every route.
func (c *Client) usual(status int) (m meaning, ok bool) {
	host := c.o.Host.String()
	switch {
	case status == http.StatusUnauthorized && c.o.Token == "":
		return meaning{memory.CodeDenied, memory.KindTokenNone, host, host + " wants a token"}, true
	case status == http.StatusUnauthorized:
		return meaning{memory.CodeDenied, memory.KindTokenRefused, host, host + " does not accept the token"}, true
	case status == http.StatusForbidden:
		return meaning{memory.CodeDenied, memory.KindRemoteDenied, host, host + " does not allow it"}, true
	case status == http.StatusTooManyRequests:
		return meaning{memory.CodeBusy, memory.KindRemoteLimit, host, "too much or too often for " + host}, true
	case status == http.StatusInsufficientStorage:
		return meaning{memory.CodeBusy, memory.KindRemoteLimit, host, host + " has no room for it"}, true
	case status == http.StatusServiceUnavailable, status == http.StatusRequestTimeout:
		return meaning{memory.CodeBusy, memory.KindRemoteBusy, host, host + " cannot answer now"}, true
	case status == http.StatusConflict:
		return meaning{memory.CodeConflict, memory.KindRemoteConflict, host, host + " has another one"}, true
	case status == http.StatusPreconditionFailed:
		return meaning{memory.CodeConflict, memory.KindRemoteStale, host, "it was changed meanwhile"}, true
	case status == http.StatusNotFound, status == http.StatusGone:
		return meaning{memory.CodeNotFound, memory.KindRemoteUnknown, "", "it is not on " + host}, true
	case status >= 500:
		return meaning{memory.CodeRemote, memory.KindRemoteFailed, host, host + " failed"}, true
	case status >= 400:
		return meaning{memory.CodeInvalid, memory.KindRemoteRefused, host, host + " refuses it"}, true
	}
	return m, false
}

// maxSaid is how much of a server's words a message has, in characters.
const maxSaid = 300

// problem is the body of a refusal: the protocol's, with more that some servers add.
type problem struct {
	Error  string `json:"error"`
	Detail string `json:"detail"`
	Title  string `json:"title"`
	Type   string `json:"type"`
}

// underWay ends the type of the problem that another process of the caller sends the same just now.
const underWay = "#under-way"

// readProblem returns the body of a refusal, and whether it has the protocol's form.
func readProblem(resp *http.Response) (p problem, ok bool) {
	if !isJSON(resp.Header) {
		return p, false
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxErrorAnswer))
	if err != nil || json.Unmarshal(body, &p) != nil {
		return problem{}, false
	}
	return p, p.text() != ""
}

func (p problem) text() string { return cmp.Or(p.Error, p.Detail, p.Title) }

// retryAfter reads when to try again, in seconds or as a time.
func retryAfter(h http.Header, now time.Time) time.Duration {
	text := strings.TrimSpace(h.Get("Retry-After"))
	if text == "" {
		return 0
	}
	wait := time.Duration(0)
	if n, err := strconv.ParseUint(text, 10, 31); err == nil {
		wait = time.Duration(n) * time.Second
	} else if at, err := http.ParseTime(text); err == nil {
		wait = at.Sub(now).Round(time.Second)
	}
	return min(max(wait, 0), maxRetryAfter)
}
