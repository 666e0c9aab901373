package main

import (
	"context"
	"crypto/rand"
	"log/slog"

	"ltm/server/threads"
)

// remember returns the memory of applications, with the models that the options name. It works on its jobs until the
// function that it returns is called, which waits for what is under way; the rest stays in the database.
func (a *app) remember(ctx context.Context, s threads.Storage, log *slog.Logger) (m *threads.Service, stop func(),
	err error) {
	used, err := openAccount(ctx, s, a.options.models.tokensPerDay, a.now)
	if err != nil {
		return nil, nil, failed("cannot read what models used", err)
	}
	models, err := a.options.models.models(a.now, used.meter)
	if err != nil {
		return nil, nil, err
	}
	library, err := a.library(ctx, s, log)
	if err != nil {
		return nil, nil, err
	}
	m, err = threads.New(threads.Options{Storage: s, Models: models, Now: a.now, Random: rand.Reader, Log: log,
		Library: library})
	if err != nil {
		return nil, nil, failed("cannot open the memory of applications", err)
	}
	save := func() {}
	if models != (threads.Models{}) {
		save = used.keep(ctx, log)
	}
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		m.Work(ctx)
	}()
	return m, func() {
		cancel()
		<-done
		save() // what the last of it used
	}, nil
}
