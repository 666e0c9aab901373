package memory

import (
	"errors"
	"fmt"
)

// Code is the kind of an [Error]. Edges map codes to exit statuses and tool errors; the rest of an
// error is for people.
type Code string

// The codes.
const (
	CodeInvalid    Code = "invalid"    // the caller's input is invalid; nothing was changed
	CodeNotFound   Code = "not_found"  // no such memory, archive or store
	CodeConflict   Code = "conflict"   // it exists already, or is not in the state that the call needs
	CodeBusy       Code = "busy"       // another process holds the lock; retrying can help
	CodeUnreadable Code = "unreadable" // a file cannot be parsed
	CodeSecret     Code = "secret"     // the text contains a credential
	CodeStorage    Code = "storage"    // I/O failed: permissions, space, a read-only disk
)

// Error is the error type that packages return to each other and to the edges.
//
// Message says what was wrong, in lower case and without a final period. Hint
// says what is allowed or what to do next; it may be empty.
type Error struct {
	Code    Code
	Message string
	Hint    string
	Err     error // the cause, or nil
}

// Error returns the message, the cause and the hint on one line.
func (e *Error) Error() string {
	s := e.Message
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	if e.Hint != "" {
		s += "; " + e.Hint
	}
	return s
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Errorf makes an [Error] without a cause.
func Errorf(code Code, hint, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...), Hint: hint}
}

// CodeOf returns the code of the first [Error] in err's chain, or "".
func CodeOf(err error) Code {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}
