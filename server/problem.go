package server

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"ltm/packet"
	"ltm/server/threads"
)

// A Problem is the body of every error: a problem document (RFC 9457) that also has the text under
// "error", where clients of the protocol look for it.
type Problem struct {
	Detail  string         `json:"detail" doc:"What was wrong with this request, and what is allowed."`
	Message string         `json:"error" doc:"The same as detail, or the error code of OAuth in the device flow."`
	Faults  []ProblemFault `json:"errors,omitempty" doc:"All faults of a packet."`
	Request string         `json:"request_id,omitempty" doc:"Names the request in the server's log."`
	Status  int            `json:"status" doc:"The HTTP status."`
	Title   string         `json:"title" doc:"The kind of problem, in words."`
	Type    string         `json:"type" doc:"The kind of problem, as a link into the readable page."`

	header http.Header
	cause  error // for the log
}

// ProblemFault is one thing that is wrong with a packet.
type ProblemFault struct {
	Detail  string `json:"detail"`
	Kind    string `json:"kind"`
	Pointer string `json:"pointer" doc:"JSON pointer (RFC 6901); empty: the document."`
}

// kind is a kind of problem: its name in the type's link.
type kind string

// The kinds of problems. Each has a line in [kinds].
const (
	kindRequest      kind = "invalid-request"
	kindPacket       kind = "invalid-packet"
	kindSecrets      kind = "credentials"
	kindUnauthorized kind = "unauthorized"
	kindForbidden    kind = "forbidden"
	kindNotFound     kind = "not-found"
	kindMethod       kind = "method-not-allowed"
	kindSlow         kind = "slow-body"
	kindTaken        kind = "taken"
	kindUnderWay     kind = "under-way"
	kindGone         kind = "gone"
	kindPurged       kind = "purged"
	kindStale        kind = "stale"
	kindLarge        kind = "too-large"
	kindReused       kind = "key-reused"
	kindRate         kind = "too-many-requests"
	kindQuota        kind = "quota"
	kindInternal     kind = "internal"
	kindBusy         kind = "busy"
	kindFull         kind = "disk-full"
	kindAway         kind = "no-database"
	kindOAuth        kind = "device-flow"
	kindInvalid      kind = "invalid-body"
	kindState        kind = "state"
	kindModel        kind = "no-model"
	kindUpstream     kind = "model-failed"
)

// kindOf is a line of [kinds].
type kindOf struct {
	Kind   kind
	Status int
	Title  string // also what the readable page says
}

// kinds lists all kinds of problems with their statuses.
func kinds() []kindOf {
	return []kindOf{
		{kindRequest, http.StatusBadRequest, "The request cannot be understood"},
		{kindPacket, http.StatusBadRequest, "The packet breaks rules of the protocol"},
		{kindOAuth, http.StatusBadRequest, "The device flow says no, or not yet"},
		{kindUnauthorized, http.StatusUnauthorized, "A valid token is needed"},
		{kindForbidden, http.StatusForbidden, "You may not do this"},
		{kindNotFound, http.StatusNotFound, "There is no such thing, or it is not yours to see"},
		{kindMethod, http.StatusMethodNotAllowed, "The path has other methods"},
		{kindSlow, http.StatusRequestTimeout, "The request's body took too long"},
		{kindTaken, http.StatusConflict, "It belongs to someone else already"},
		{kindUnderWay, http.StatusConflict, "The same request is still being answered"},
		{kindGone, http.StatusGone, "It expired, was used up or was revoked"},
		{kindPurged, http.StatusGone, "Changes after this cursor were purged"},
		{kindStale, http.StatusPreconditionFailed, "It was changed meanwhile"},
		{kindLarge, http.StatusRequestEntityTooLarge, "The request's body is too large"},
		{kindState, http.StatusConflict, "Its state does not allow this"},
		{kindInvalid, http.StatusUnprocessableEntity, "The body does not have the form that this route takes"},
		{kindReused, http.StatusUnprocessableEntity, "The idempotency key belongs to another request"},
		{kindSecrets, http.StatusUnprocessableEntity, "The packet contains credentials or local paths"},
		{kindRate, http.StatusTooManyRequests, "Too many requests"},
		{kindInternal, http.StatusInternalServerError, "The server failed"},
		{kindBusy, http.StatusServiceUnavailable, "The server is busy"},
		{kindFull, http.StatusServiceUnavailable, "The disk of the server's database is full"},
		{kindAway, http.StatusServiceUnavailable, "The server cannot reach its database"},
		{kindUpstream, http.StatusBadGateway, "The model gave no answer that can be used"},
		{kindModel, http.StatusServiceUnavailable, "The server has no model for this"},
		{kindQuota, http.StatusInsufficientStorage, "More than one user or team may keep"},
	}
}

// problem returns a problem of a kind.
func problem(k kind, format string, args ...any) *Problem {
	for _, known := range kinds() {
		if known.Kind == k {
			text := fmt.Sprintf(format, args...)
			return &Problem{Detail: text, Message: text, Status: known.Status, Title: known.Title,
				Type: "/docs#" + string(k), header: http.Header{}}
		}
	}
	panic("unknown kind of problem: " + string(k))
}

// Error implements error.
func (p *Problem) Error() string { return p.Detail }

// Unwrap returns what the database said, which is not for clients.
func (p *Problem) Unwrap() error { return p.cause }

// GetStatus, GetHeaders and ContentType are what huma asks for.
func (p *Problem) GetStatus() int { return p.Status }

// GetHeaders returns the headers that belong to the problem.
func (p *Problem) GetHeaders() http.Header { return p.header }

// ContentType returns the media type of problem documents, or that of OAuth.
func (p *Problem) ContentType(string) string {
	if p.Type == "/docs#"+string(kindOAuth) {
		return "application/json" // RFC 6749, section 5.2
	}
	return "application/problem+json"
}

// retry sets when to try again.
func (p *Problem) retry(after time.Duration) *Problem {
	seconds := int64((after + time.Second - 1) / time.Second)
	p.header.Set("Retry-After", strconv.FormatInt(max(seconds, 1), 10))
	return p
}

// challenge sets how to authenticate.
func (p *Problem) challenge(code string) *Problem {
	value := `Bearer realm="ltm"`
	if code != "" {
		value += `, error="` + code + `"`
	}
	p.header.Set("WWW-Authenticate", value)
	return p
}

// When to try again.
const (
	retryBusy = 2 * time.Second
	retryDown = 10 * time.Second
)

// texts say what errors mean for a request, where it is more than [meanings] say.
type texts map[threads.Reason]string

// meaning is what an error means for any request.
type meaning struct {
	of    error
	kind  kind
	text  string
	retry time.Duration // 0: trying again is of no use
	log   bool          // the log has the error itself
}

// meanings lists what errors of a [Storage] and a [Memory] mean.
func meanings() []meaning {
	return []meaning{
		{ErrNoMember, kindNotFound, "not a member", 0, false},
		{ErrNotFound, kindNotFound, "not found", 0, false},
		{ErrTaken, kindTaken, "already taken", 0, false},
		{ErrDenied, kindForbidden, "you may not do this", 0, false},
		{ErrOwner, kindRequest, "the owner cannot do this", 0, false},
		{ErrTooLong, kindRequest, "a name or an id is longer than any is; nothing was changed", 0, false},
		{ErrStale, kindStale, "the packet was changed meanwhile; nothing was changed now: read it again", 0, false},
		{ErrGone, kindGone, "invite expired or already consumed", 0, false},
		{threads.ErrCursor, kindRequest, wrongCursor().Detail, 0, false},
		{threads.ErrInvalid, kindRequest, "the request is not valid; nothing was changed", 0, false},
		{threads.ErrState, kindState, "its state does not allow this; nothing was changed", 0, false},
		{threads.ErrNoModel, kindModel, "the server has no model for this", 0, true},
		{threads.ErrUpstream, kindUpstream, "the model failed", retryBusy, true},
		{context.Canceled, kindBusy, "the client went away", 0, false}, // for the log: it no longer reads answers
		{ErrBusy, kindBusy, "the database is busy; try again", retryBusy, true},
		{ErrFull, kindFull, "the disk of the server's database is full; nothing was changed", retryDown, true},
		{ErrAway, kindAway, "the server cannot reach its database; try again later", retryDown, true},
		{context.DeadlineExceeded, kindBusy, "the database is busy; try again", retryBusy, true},
	}
}

// refuse returns the problem for an error of a [Storage] or a [Memory].
func refuse(err error, t texts) *Problem {
	if limit, ok := errors.AsType[*LimitError](err); ok {
		return problem(kindQuota, "this would be more %s than the %d that this server allows; nothing was changed",
			limit.What, limit.Max) // no time to try again: only deleting helps
	}
	for _, m := range meanings() {
		if !errors.Is(err, m.of) {
			continue
		}
		reason, _ := m.of.(threads.Reason)
		text := cmp.Or(t[reason], m.text)
		if said, ok := errors.AsType[*threads.Error](err); ok && reason != ErrNotFound {
			text = said.Text
		}
		p := problem(m.kind, "%s", text)
		if m.retry > 0 {
			p.retry(m.retry)
		}
		if m.log {
			p.cause = err
		}
		return p
	}
	p := problem(kindInternal, "internal error; the server's log has it under the id of this request")
	p.cause = err
	return p
}

// faulty returns the problem for a packet that is not legal.
func faulty(err error) *Problem {
	faults := packet.FaultsOf(err)
	p := problem(kindPacket, "invalid packet: %s", err)
	for _, f := range faults {
		if f.Kind == packet.KindTooLarge {
			return problem(kindLarge, "invalid packet: %s", err)
		}
		p.Faults = append(p.Faults, ProblemFault{Detail: f.Message, Kind: string(f.Kind), Pointer: f.Path})
	}
	return p
}

// write sends a problem outside of huma.
func (p *Problem) write(w http.ResponseWriter) {
	for name, values := range p.header {
		w.Header()[name] = values
	}
	w.Header().Set("Content-Type", p.ContentType(""))
	w.WriteHeader(p.Status)
	_ = writeJSON(w, p) // the client is gone
}

// writeJSON writes a body as the reference implementation does: indented, with a final newline.
func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
