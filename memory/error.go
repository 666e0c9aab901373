package memory

import (
	"errors"
	"fmt"
)

// Code says what kind of failure an [Error] is. Edges map codes to exit
// statuses and tool errors; nothing else in an error is meant for programs.
type Code string

// The codes.
const (
	CodeInvalid    Code = "invalid"    // the caller's input is not acceptable; nothing was changed
	CodeNotFound   Code = "not_found"  // no memory, archive or store of that name
	CodeConflict   Code = "conflict"   // it exists already, or is not in the state that the call needs
	CodeBusy       Code = "busy"       // another process holds the lock; trying again can help
	CodeUnreadable Code = "unreadable" // a file holds something that cannot be understood
	CodeSecret     Code = "secret"     // the text holds a credential
	CodeStorage    Code = "storage"    // the disk refused: permission, space, read-only
)

// Error is the one error type that crosses package borders.
//
// Message says what was wrong, in lower case and without a final period. Hint
// says what is allowed or what to do next; it may be empty.
type Error struct {
	Code    Code
	Message string
	Hint    string
	Err     error // the cause, or nil
}

// Error returns the message, its cause and the hint in one line.
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
