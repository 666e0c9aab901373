package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"ltm/cmd/internal/terminal"
	"ltm/memory"
	"ltm/memory/advice"
)

// content returns the text of a memory: the argument, or standard input if the argument is
// "-" or missing and something is piped in.
func (a *app) content(arg string, given bool) (string, error) {
	if given && arg != "-" {
		return arg, nil
	}
	if !given && terminal.Is(a.stdin) {
		return "", invalid(`give it as an argument, or pipe it in: ltm remember TOPIC - < notes.md`,
			"there is no content")
	}
	data, err := a.readInput(memory.MaxContentBytes + 1)
	if err != nil {
		return "", err
	}
	if strings.TrimSpace(string(data)) == "" {
		return "", invalid("pipe the text in, or give it as an argument", "standard input is empty")
	}
	return string(data), nil
}

// errInterrupted means that a signal ended the program while it waited for input.
var errInterrupted = errors.New("interrupted; " + advice.Unchanged)

// untilEnded reads standard input until a signal asks the program to end. In that case the
// read continues in the background until the process exits.
func (a *app) untilEnded(read func() ([]byte, error)) ([]byte, error) {
	var data []byte
	var err error
	done := make(chan struct{})
	go func() {
		data, err = read()
		close(done)
	}()
	select {
	case <-done:
		return data, err
	case <-a.ended:
		return nil, errInterrupted
	}
}

// readInput returns standard input, or its first most bytes.
func (a *app) readInput(most int64) ([]byte, error) {
	data, err := a.untilEnded(func() ([]byte, error) { return io.ReadAll(io.LimitReader(a.stdin, most)) })
	if err != nil && !errors.Is(err, errInterrupted) {
		err = unusable("", "cannot read standard input", err)
	}
	return data, err
}

// asks reports whether a person can be asked something on a terminal.
func (a *app) asks() bool { return terminal.Is(a.stdin) && terminal.Is(a.stderr) }

// confirm asks a question on a terminal. Without one, the answer is no.
func (a *app) confirm(question string) bool {
	if !a.asks() {
		return false
	}
	fmt.Fprintf(a.stderr, "%s [y/N] ", clean(question))
	line, err := a.readLine()
	answer := strings.ToLower(strings.TrimSpace(line))
	return err == nil && (answer == "y" || answer == "yes")
}

// agree asks a question unless the person has agreed already. The error says why it is asked.
func (a *app) agree(yes bool, question, why string) error {
	if yes || a.confirm(question) {
		return nil
	}
	return invalid("--yes does it without asking", "%s", why)
}

// readLine returns a line of standard input, or "" at its end.
func (a *app) readLine() (string, error) {
	line, err := a.untilEnded(func() ([]byte, error) { return bufio.NewReader(a.stdin).ReadBytes('\n') })
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return string(line), err
}
