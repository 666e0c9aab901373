package main

import (
	"errors"
	"strings"

	"ltm/memory"
)

// jsonError is what a command with --json writes to standard error when it fails.
type jsonError struct {
	Error jsonErrorBody `json:"error"`
}

type jsonErrorBody struct {
	Code    string `json:"code"`    // a code of package memory, or "failed"
	Message string `json:"message"` // what was wrong
	Hint    string `json:"hint"`    // what to do; may be empty
	Status  int    `json:"status"`  // the exit status
}

// codeFailed is the code of errors that have none.
const codeFailed = "failed"

// wantsJSON reports whether the arguments ask for JSON. The arguments need not be valid.
func wantsJSON(args []string) bool {
	wanted := false
	for _, arg := range args {
		switch arg {
		case "--":
			return wanted
		case "--json", "--json=true":
			wanted = true
		case "--json=false":
			wanted = false
		}
	}
	return wanted
}

// fail writes the error that ends the program to standard error.
func (a *app) fail(err error, args []string) {
	if !wantsJSON(args) {
		_, _ = a.stderr.Write([]byte("ltm: " + clean(err.Error()) + "\n"))
		return
	}
	body := jsonErrorBody{Code: codeFailed, Message: err.Error(), Status: exitStatus(err)}
	var known *memory.Error
	if errors.As(err, &known) {
		body.Code, body.Hint = string(known.Code), known.Hint
		// An error around the known one says more: such as where a text was kept.
		body.Message = strings.TrimSuffix(err.Error(), "; "+known.Hint)
	}
	body.Message, body.Hint = clean(body.Message), clean(body.Hint)
	_ = a.encodeJSON(a.stderr, jsonError{body})
}
