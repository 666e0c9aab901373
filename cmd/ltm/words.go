package main

import (
	_ "embed"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ltm/memory"
	"ltm/memory/advice"
)

// invalid is the error about an argument, a flag or the input, with the next step.
func invalid(next, format string, args ...any) error {
	return advice.With(memory.NewError(memory.CodeInvalid, memory.KindRequestInvalid, "", format, args...), next)
}

// notFound is the error about something that is not there, with the next step.
func notFound(next, format string, args ...any) error {
	return advice.With(memory.NewError(memory.CodeNotFound, memory.KindRequestInvalid, "", format, args...), next)
}

// unusable is invalid with a cause.
func unusable(next, message string, cause error) error {
	return advice.With(&memory.Error{Code: memory.CodeInvalid, Kind: memory.KindRequestInvalid, Message: message,
		Err: cause}, next)
}

// copyFailed is the error about a file of the program's own, beside the store.
func copyFailed(message string, cause error) error {
	return &memory.Error{Code: memory.CodeStorage, Kind: memory.KindCopyFailed, Message: message, Err: cause}
}

// operation says what a command does, as it was called.
func operation(c *cobra.Command) advice.Operation {
	flag := func(name string) bool { return c.Flags().Changed(name) }
	reads := false
	switch name := strings.TrimPrefix(c.CommandPath(), "ltm "); name {
	case "config":
		reads = c.Flags().NArg() < 2 && !flag("reset")
	case "trust":
		reads = c.Flags().NArg() == 0 && !flag("all") && !flag("revoke")
	case "alias":
		reads = c.Flags().NArg() < 2
	case "undo":
		reads = flag("list")
	default:
		reads = !slices.Contains(writers(), name)
	}
	if reads {
		return advice.Reading
	}
	return advice.Writing
}

// writers lists the commands that change something each time, unless it is a dry run.
func writers() []string {
	return []string{"remember", "update", "correct", "edit", "forget", "restore", "pin", "unpin", "resolve", "tag add",
		"tag rm", "tag rename", "archives prune", "fix", "evict", "fade", "verify", "init", "import",
		"achievements", "review", "tidy", "user init", "key new", "key import", "key use", "key rm", "sign",
		"auth", "auth use", "auth rm", "teams create", "teams rm", "teams leave", "teams remove", "teams transfer",
		"invite", "invite revoke", "join", "push", "pull", "save",
		"write", "packet done", "packet keep", "packet rm"}
}

// stepsText is what a person types next, by the kind of what happened: a line for each.
//
//go:embed steps.txt
var stepsText string

// nextSteps is what a person types next.
func nextSteps() advice.Table {
	steps := advice.Common()
	for line := range strings.Lines(stepsText) {
		if kind, step, ok := strings.Cut(strings.TrimSpace(line), ": "); ok {
			steps[memory.Kind(kind)] = step
		}
	}
	return steps
}

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
	if known, ok := errors.AsType[*memory.Error](err); ok {
		body.Code = string(known.Code)
	}
	_ = a.encodeJSON(a.stderr, jsonError{body})
}
