package main

import (
	"errors"
	"io"
	"strings"

	"ltm/memory"
)

// question returns the arguments as one question, or standard input for "-".
func (a *app) question(given []string) (string, error) {
	if len(given) != 1 || given[0] != fromInput {
		return strings.Join(given, " "), nil
	}
	a.sayReading("the question")
	data, err := a.untilEnded(func() ([]byte,
		error) {
		return io.ReadAll(io.LimitReader(a.stdin, memory.MaxQueryBytes+1))
	})
	if errors.Is(err, errInterrupted) {
		return "", err
	}
	if err != nil {
		return "", unusable("", "cannot read standard input", err)
	}
	return strings.TrimSpace(string(data)), nil
}
