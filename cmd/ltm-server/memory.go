package main

import (
	"context"
	"crypto/rand"
	"log/slog"
	"sync"
	"time"

	"ltm/provider"
	"ltm/server/threads"
)

// usageEvery is how often a server stores what models used, and looks at the applications' limits: what a crash loses
// of the count.
const usageEvery = time.Minute

// remember returns the memory of applications, which works on its jobs until the function that it returns is called.
func (a *app) remember(ctx context.Context, s threads.Storage, log *slog.Logger) (m *threads.Service, stop func(),
	err error) {
	u := &usage{app: a, s: s, log: log, stored: map[string]provider.Usage{}}
	if err := u.open(ctx); err != nil {
		return nil, nil, failed("cannot read what models used", err)
	}
	models, err := a.options.models.models(a.now, u.meter)
	if err != nil {
		return nil, nil, err
	}
	m, err = threads.New(threads.Options{Storage: s, Models: models, Now: a.now, Random: rand.Reader, Log: log})
	if err != nil {
		return nil, nil, failed("cannot open the memory of applications", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	var working sync.WaitGroup
	working.Go(func() { m.Work(ctx) })
	working.Go(func() {
		for pause(ctx, usageEvery) {
			u.store(ctx)
		}
	})
	return m, func() {
		cancel()
		working.Wait()
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), usageEvery)
		defer cancel()
		u.store(last)
	}, nil
}

// usage keeps what models used in the database, where a restart finds it. Each server on a database has its own count
// of the day, which begins with what all of them have stored.
type usage struct {
	app   *app
	s     threads.Storage
	log   *slog.Logger
	meter *provider.Meter

	mu     sync.Mutex
	limits map[string]int64 // of applications that have their own

	stored map[string]provider.Usage // by application, of a day
}

func (u *usage) open(ctx context.Context) error {
	if err := u.readLimits(ctx); err != nil {
		return err
	}
	now := u.app.now()
	all, err := u.s.Usage(ctx, day(now))
	if err != nil {
		return err
	}
	var used []provider.Usage
	for _, x := range all {
		used = append(used, provider.Usage(x))
		u.stored[x.App] = provider.Usage(x)
	}
	u.meter = provider.NewMeter(u.limit, used, now)
	return nil
}

func day(at time.Time) string { return at.UTC().Format(time.DateOnly) }

// readLimits reads the applications' own limits.
func (u *usage) readLimits(ctx context.Context) error {
	all, err := u.s.ListApps(ctx)
	if err != nil {
		return err
	}
	limits := map[string]int64{}
	for _, x := range all {
		limits[x.ID] = x.Settings.TokensPerDay
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.limits = limits
	return nil
}

// limit returns how many tokens an application may use on a day.
func (u *usage) limit(application string) int64 {
	u.mu.Lock()
	defer u.mu.Unlock()
	if own := u.limits[application]; own > 0 {
		return own
	}
	if u.app.options.models.tokensPerDay == 0 {
		return provider.Unlimited
	}
	return u.app.options.models.tokensPerDay
}

// store adds what was used since the last time, and reads the limits again.
func (u *usage) store(ctx context.Context) {
	err := u.readLimits(ctx)
	if err == nil {
		for _, application := range u.applications() {
			if err = u.storeOf(ctx, application); err != nil {
				break
			}
		}
	}
	if err != nil && ctx.Err() == nil {
		u.log.Error("cannot store what models used", "error", err)
	}
}

func (u *usage) applications() (ids []string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for id := range u.limits {
		ids = append(ids, id)
	}
	return ids
}

func (u *usage) storeOf(ctx context.Context, application string) error {
	now := u.meter.Today(application, u.app.now())
	was := u.stored[application]
	if was.Day != now.Day {
		was = provider.Usage{App: application, Day: now.Day}
	}
	more := threads.Usage{App: application, Day: now.Day, Requests: now.Requests - was.Requests,
		Input: now.Input - was.Input, Output: now.Output - was.Output, Estimated: now.Estimated - was.Estimated,
		Micros: now.Micros - was.Micros}
	if more == (threads.Usage{App: application, Day: now.Day}) {
		return nil
	}
	if err := u.s.AddUsage(ctx, more); err != nil {
		return err
	}
	u.stored[application] = now
	return nil
}
