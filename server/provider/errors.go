package provider

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"time"
)

// Kind names what went wrong with a call.
type Kind string

// The kinds of errors.
const (
	BadInput    Kind = "bad_input"    // the request cannot be sent; nothing was
	UsedUp      Kind = "used_up"      // the app's limit of tokens for the day does not cover the request
	CircuitOpen Kind = "circuit_open" // the endpoint kept failing and is left alone for a while
	Canceled    Kind = "canceled"     // the caller ended the call
	TimedOut    Kind = "timed_out"    // no full answer before the deadline
	Unreachable Kind = "unreachable"  // no connection, or one that broke off
	RateLimited Kind = "rate_limited" // the endpoint asks to come back later, or its quota is exhausted
	Refused     Kind = "refused"      // the endpoint does not accept the request, key or model
	Failed      Kind = "failed"       // the endpoint reports a failure of its own
	Redirected  Kind = "redirected"   // the endpoint refers to another address; the key was not sent there
	TooLarge    Kind = "too_large"    // the answer exceeds its limit
	BadAnswer   Kind = "bad_answer"   // the answer is not of the form that was asked for
)

// Error is the error of every call of this package. It has neither the key nor anything of the texts.
type Error struct {
	Kind    Kind
	Message string // for people, lower case
	Status  int    // of HTTP, 0 without an answer
	Code    string // the endpoint's own name for the failure, at most 64 letters, digits and "._-"

	// RetryAfter is when to try again, from now, if it is known: the endpoint said so, the circuit closes or the day
	// ends.
	RetryAfter time.Duration

	cause error // a context's error, or nil
}

// Error returns the message with status and code.
func (e *Error) Error() string {
	s := "provider: " + e.Message
	switch {
	case e.Status != 0 && e.Code != "":
		return fmt.Sprintf("%s (status %d, %s)", s, e.Status, e.Code)
	case e.Status != 0:
		return fmt.Sprintf("%s (status %d)", s, e.Status)
	case e.Code != "":
		return fmt.Sprintf("%s (%s)", s, e.Code)
	}
	return s
}

// Unwrap returns the context's error of a call that was canceled or timed out.
func (e *Error) Unwrap() error { return e.cause }

// Temporary reports whether the same call may succeed later.
func (e *Error) Temporary() bool {
	switch e.Kind {
	case UsedUp, CircuitOpen, TimedOut, Unreachable, RateLimited, Failed:
		return true
	}
	return false
}

// KindOf returns the kind of a call's error, or "" if err is not an [Error].
func KindOf(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return ""
}

func newError(kind Kind, format string, args ...any) *Error {
	return &Error{Kind: kind, Message: fmt.Sprintf(format, args...)}
}

// transportError returns what the HTTP client's error says in words of this package: its own text has the URL, and
// whatever a broken endpoint sent.
func transportError(ctx context.Context, err error) *Error {
	if outer, ok := errors.AsType[*url.Error](err); ok {
		err = outer.Err
	}
	timeout, isNet := errors.AsType[net.Error](err)
	switch {
	case ctx.Err() != nil && !errors.Is(ctx.Err(), context.DeadlineExceeded) &&
		!errors.Is(context.Cause(ctx), context.DeadlineExceeded):
		return &Error{Kind: Canceled, Message: "the call was canceled", cause: context.Canceled}
	case ctx.Err() != nil, errors.Is(err, context.DeadlineExceeded), isNet && timeout.Timeout():
		return &Error{Kind: TimedOut, Message: "no answer before the deadline", cause: context.DeadlineExceeded}
	}
	if _, ok := errors.AsType[*net.DNSError](err); ok {
		return newError(Unreachable, "the endpoint's name does not resolve")
	}
	if isCertificate(err) {
		return newError(Unreachable, "the endpoint's certificate is not valid for it")
	}
	return newError(Unreachable, "the endpoint could not be reached, or the connection broke off")
}

func isCertificate(err error) bool {
	_, authority := errors.AsType[x509.UnknownAuthorityError](err)
	_, host := errors.AsType[x509.HostnameError](err)
	_, invalid := errors.AsType[x509.CertificateInvalidError](err)
	return authority || host || invalid
}
