package main

import (
	"context"
	"errors"

	"ltm/server"
)

// errQuiet ends the program with a failure that has already been reported.
var errQuiet = errors.New("")

// fault is an error of the command line: what was wrong, what to do next, and the exit status.
type fault struct {
	status        int
	message, next string
	cause         error
}

// Error implements error.
func (f *fault) Error() string {
	if f.cause != nil {
		return f.message + ": " + f.cause.Error()
	}
	return f.message
}

// Unwrap returns the cause.
func (f *fault) Unwrap() error { return f.cause }

// failed is the error about a file or a database.
func failed(message string, cause error) error {
	return &fault{status: statusOf(cause), message: message, next: step(cause), cause: cause}
}

// statusOf maps errors to exit statuses.
func statusOf(err error) int {
	var f *fault
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &f):
		return f.status
	case errors.Is(err, server.ErrNotFound), errors.Is(err, server.ErrNoMember):
		return exitNotFound
	case errors.Is(err, server.ErrTaken), errors.Is(err, server.ErrStale), errors.Is(err, server.ErrBusy),
		errors.Is(err, server.ErrOwner), errors.Is(err, server.ErrGone), errors.Is(err, server.ErrNewer),
		errors.Is(err, server.ErrLimit):
		return exitConflict
	case errors.Is(err, errQuiet), errors.Is(err, context.Canceled):
		return exitFailure
	}
	return exitStorage
}

// step says what to do next after an error of the storage, or "".
func step(err error) string {
	switch {
	case errors.Is(err, server.ErrBusy):
		return "the same may succeed in a moment"
	case errors.Is(err, server.ErrFull):
		return "make room on the disk of the database; nothing was changed"
	case errors.Is(err, server.ErrNewer):
		return "install the version of ltm-server that wrote the database, or a newer one"
	case errors.Is(err, server.ErrOwner):
		return "a team needs an owner: hand it over or delete it first"
	}
	return ""
}

// tell returns the text of an error and what to do next.
func tell(err error) string {
	if f, ok := errors.AsType[*fault](err); ok && f.next != "" {
		return err.Error() + "; " + f.next
	}
	return err.Error()
}
