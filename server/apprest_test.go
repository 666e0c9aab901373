package server_test

import (
	"context"
	"io"
	"ltm/server"
	"ltm/server/threads"
)

type rest struct{ server.Memory }

// realMemory is the real memory without what is not there yet.
type realMemory struct {
	*threads.Service
	rest
}

func (realMemory) Chat(context.Context, threads.Caller, string, string, string, int, func(string) error) (string,
	string, error) {
	return "", "", threads.ErrNotFound
}

func (realMemory) Export(context.Context, threads.Subject, io.Writer) error {
	return threads.ErrNotFound
}
