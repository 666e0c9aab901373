package memory

import (
	"errors"
	"fmt"
)

// Code says what sort of failure an [Error] is. Edges map codes to exit statuses and tool errors.
type Code string

const (
	CodeInvalid    Code = "invalid"    // the caller's input is invalid; nothing was changed
	CodeNotFound   Code = "not_found"  // no such memory, archive or store
	CodeConflict   Code = "conflict"   // it exists already, or is not in the state that the call needs
	CodeBusy       Code = "busy"       // another process holds the lock; retrying can help
	CodeUnreadable Code = "unreadable" // a file cannot be parsed
	CodeSecret     Code = "secret"     // the text contains a credential
	CodeStorage    Code = "storage"    // I/O failed: permissions, space, a read-only disk
	CodeDenied     Code = "denied"     // a server does not allow it, or not to this caller
	CodeRemote     Code = "remote"     // a server or the network failed
)

// Error is the error type that packages return to each other and to the edges.
//
// Message says what was wrong and what is allowed, in lower case and without a final period; lines after the first are
// a list. It does not say what to do next: edges know that by Kind and Subject, in the words of their readers.
type Error struct {
	Code    Code
	Kind    Kind
	Subject string // what it is about: an id, a file, a setting's key, a tag
	Message string
	Err     error // the cause, or nil
}

func (e *Error) Error() string {
	s := e.Message
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

func (e *Error) Unwrap() error { return e.Err }

// NewError makes an [Error] without a cause.
func NewError(code Code, kind Kind, subject, format string, args ...any) *Error {
	return &Error{Code: code, Kind: kind, Subject: subject, Message: fmt.Sprintf(format, args...)}
}

// CodeOf returns the code of the first [Error] in err's chain, or "".
func CodeOf(err error) Code {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Code
	}
	return ""
}

// KindOf returns the kind of the first [Error] in err's chain, or "".
func KindOf(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return ""
}

// Refused reports whether an operation that failed with err has changed nothing.
func Refused(err error) bool {
	e, ok := errors.AsType[*Error](err)
	if !ok {
		return false
	}
	switch e.Kind {
	case KindVersionNewer, KindReviewPartly: // the first: of a file that is written after others
		return false
	case KindLockHeld, KindRewriteFails, KindMergeUnreadable, KindLinkOut, KindPathBlocked, KindCopyFailed,
		KindSetupUnreadable, KindSetupUnwritable, KindSetupDisk:
		return true
	}
	switch e.Code {
	case CodeInvalid, CodeNotFound, CodeConflict, CodeSecret, CodeDenied:
		return true
	}
	return false
}
