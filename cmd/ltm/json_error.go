package main

import (
	"errors"

	"ltm/memory"
	"ltm/memory/advice"
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
func (a *app) fail(err error, op advice.Operation, args []string) {
	if !wantsJSON(args) {
		_, _ = a.stderr.Write([]byte("ltm: " + clean(nextSteps().Tell(err, op)) + "\n"))
		return
	}
	message, hint := nextSteps().Split(err, op)
	body := jsonErrorBody{Code: codeFailed, Message: clean(message), Hint: clean(hint), Status: exitStatus(err)}
	var known *memory.Error
	if errors.As(err, &known) {
		body.Code = string(known.Code)
	}
	_ = a.encodeJSON(a.stderr, jsonError{body})
}
