package threads

import (
	"errors"
	"fmt"
)

// The kinds of refusals of a [Service], beside those of a [Storage]. Each is the Kind of a [Refusal].
var (
	ErrInvalid  = errors.New("not valid")                  // what was asked for breaks a rule
	ErrState    = errors.New("not possible in this state") // such as to confirm what is rejected
	ErrNoModel  = errors.New("there is no model for this") // none is configured, or what it may use today is used up
	ErrUpstream = errors.New("the model failed")           // it was asked, and gave no answer that can be used
)

// Refusal is why something was not done, in words for the client. Nothing was changed. It matches its Kind and its
// Cause.
type Refusal struct {
	Kind  error  // ErrInvalid, ErrState, ErrNoModel, ErrUpstream, ErrNotFound or ErrTaken
	Text  string // what was wrong and what is allowed, without texts of the memory
	Cause error  // for logs; may be nil
}

// Refuse returns a refusal without a cause.
func Refuse(kind error, format string, args ...any) *Refusal {
	return &Refusal{Kind: kind, Text: fmt.Sprintf(format, args...)}
}

// Error implements error.
func (r *Refusal) Error() string { return r.Text }

// Unwrap makes the refusal match its kind and its cause.
func (r *Refusal) Unwrap() []error {
	if r.Cause == nil {
		return []error{r.Kind}
	}
	return []error{r.Kind, r.Cause}
}
