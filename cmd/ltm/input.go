package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"ltm/memory"
)

// content returns the text of a memory: the argument, or standard input for "-"
// and for no argument when something is piped in.
func (a *app) content(arg string, given bool) (string, error) {
	if given && arg != "-" {
		return arg, nil
	}
	if !given && isTerminal(a.stdin) {
		return "", memory.Errorf(memory.CodeInvalid, `give it as an argument, or pipe it in: ltm remember TOPIC - < notes.md; nothing was changed`, "there is no content")
	}
	data, err := io.ReadAll(io.LimitReader(a.stdin, memory.MaxContentBytes+1))
	if err != nil {
		return "", &memory.Error{Code: memory.CodeInvalid, Message: "cannot read standard input", Err: err}
	}
	if strings.TrimSpace(string(data)) == "" {
		return "", memory.Errorf(memory.CodeInvalid, "pipe the text in, or give it as an argument; nothing was changed", "standard input is empty")
	}
	return string(data), nil
}

// confirm asks a person on a terminal; elsewhere the answer is no.
func (a *app) confirm(question string) bool {
	if !isTerminal(a.stdin) || !isTerminal(a.stderr) {
		return false
	}
	fmt.Fprintf(a.stderr, "%s [y/N] ", clean(question))
	line, err := bufio.NewReader(a.stdin).ReadString('\n')
	answer := strings.ToLower(strings.TrimSpace(line))
	return err == nil && (answer == "y" || answer == "yes")
}
