package server

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"regexp"
)

// call is a request on its way through the server.
type call struct {
	id      string // of the request
	client  client
	body    []byte
	user    User     // zero: not signed in
	token   Token    // zero: none
	app     *appCall // nil: none
	session *session // of a browser; nil: none
	out     *response
	key     string    // of idempotency, if the handler knows what it means
	stream  bool      // the client asked for server-sent events
	reader  io.Reader // of a body that the handler reads
	err     error     // what the log says of a failure
	texts   texts     // what errors mean here; nil: what they mean anywhere
}

type callKey struct{}

// callOf returns the call of a context.
func callOf(ctx context.Context) *call { return ctx.Value(callKey{}).(*call) }

// failed completes the problem of a failed call and remembers its cause for the log.
func (c *call) failed(err error) *Problem {
	var p *Problem
	if !errors.As(err, &p) {
		p = refuse(err, c.texts)
	}
	p.Request = c.id
	if p.Status >= http.StatusInternalServerError {
		c.err = p.cause
	}
	return p
}

// about says what is not there if something is not.
func (c *call) about(what string) { c.texts = texts{ErrNotFound: what + " not found"} }

// decode reads the JSON object of a body. As in the reference implementation, unknown keys are
// ignored, and named in the answer's header; text after the object is not.
func (c *call) decode(v any) error {
	if err := json.Unmarshal(c.body, v); err != nil {
		return problem(kindRequest, "invalid body: %s; nothing was changed", bodyFault(err))
	}
	names, _ := fieldsOf(c.body)
	c.tellIgnored(v, names)
	return nil
}

// embedded matches the types of ours that are in the path of a field of a body, whose names have small letters alone.
var embedded = regexp.MustCompile(`\w*[A-Z]\w*\.`)

// bodyFault says what is wrong with a body, without the body's own text.
func bodyFault(err error) string {
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		if kind.Field == "" {
			return "it must be a JSON object"
		}
		return "the field \"" + embedded.ReplaceAllString(kind.Field, "") + "\" has the wrong type"
	}
	return "it is not JSON"
}
