package main

import (
	"context"
	"crypto/rand"
	"log/slog"
	"sync"
	"time"

	"ltm/server/provider"
	"ltm/server/threads"
)

// remember returns the memory of applications, with the models that the options name. It works on its jobs until the
// function that it returns is called, which waits for what is under way; the rest stays in the database.
func (a *app) remember(ctx context.Context, s threads.Storage, erased func(context.Context) error, log *slog.Logger) (
	m *threads.Service, stop func(), err error) {
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
		Library: library, VectorWeight: a.options.models.weight, Erased: erased})
	if err != nil {
		return nil, nil, failed("cannot open the memory of applications", err)
	}
	save := func() {}
	if models != (threads.Models{}) {
		save = used.keep(ctx, log)
	}
	ctx, cancel := context.WithCancel(ctx)
	var under sync.WaitGroup
	under.Go(func() { m.Work(ctx) })
	under.Go(func() { warnOfUseless(ctx, a.options.models, log) })
	return m, func() {
		cancel()
		under.Wait()
		save() // what the last of it used
	}, nil
}

// warnOfUseless says if a model for embeddings finds hardly anything: questions would be answered no better by it. It
// counts for no application. A model that does not answer now is not judged.
func warnOfUseless(ctx context.Context, o modelOptions, log *slog.Logger) {
	meter := provider.NewMeter(func(string) int64 { return provider.Unlimited }, nil, time.Now())
	made, err := o.models(time.Now, meter)
	if err != nil || made.Embeddings == nil {
		return
	}
	found, of, err := provider.Knows(ctx, made.Embeddings.Embed, "check")
	if err == nil && found < provider.EnoughKnown {
		log.Warn("the model for embeddings is of little use: questions do not find their answers in other words",
			"model", o.embeddings.model, "found", found, "of", of)
	}
}
