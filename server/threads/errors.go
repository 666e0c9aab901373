package threads

import "fmt"

// Reason tells the errors of a [Storage], a [Service] and a [Library] apart: errors.Is finds it in them. All others are
// faults of the database itself.
type Reason string

// Error implements error.
func (r Reason) Error() string { return string(r) }

// The reasons of a storage.
const (
	ErrNotFound Reason = "not found" // or another subject's
	ErrTaken    Reason = "already taken"
	ErrLost     Reason = "the lease has passed to another" // of a job
	ErrCursor   Reason = "not a cursor of this database"
	ErrPurged   Reason = "changes after this cursor were purged"
)

// The reasons of a service beside those.
const (
	ErrInvalid  Reason = "not valid"                  // what was asked for breaks a rule
	ErrState    Reason = "not possible in this state" // such as to confirm what is rejected
	ErrNoModel  Reason = "there is no model for this" // none is configured, or what it may use today is used up
	ErrUpstream Reason = "the model failed"           // it was asked, and gave no answer that can be used
)

// Error is why something was not done, in words for the client. Nothing was changed. It matches its Reason and its
// Cause.
type Error struct {
	Reason Reason
	Text   string // what was wrong and what is allowed, without texts of the memory
	Cause  error  // for logs; may be nil
}

// Refuse returns an error without a cause.
func Refuse(reason Reason, format string, args ...any) *Error {
	return &Error{Reason: reason, Text: fmt.Sprintf(format, args...)}
}

// Error implements error.
func (e *Error) Error() string { return e.Text }

// Unwrap makes the error match its reason and its cause.
func (e *Error) Unwrap() []error {
	if e.Cause == nil {
		return []error{e.Reason}
	}
	return []error{e.Reason, e.Cause}
}
