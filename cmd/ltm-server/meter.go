package main

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"ltm/server/provider"
	"ltm/server/sqlstore"
	"ltm/server/threads"
)

// usageStore is what an account keeps its counts in.
type usageStore interface {
	ListApps(ctx context.Context) ([]threads.App, error)
	AddUsage(ctx context.Context, u threads.Usage) error
	Usage(ctx context.Context, day string) ([]threads.Usage, error)
}

// saveEvery is how often the account writes down what models used. A process that is killed forgets at most so much,
// and so long a limit that was changed, or what another server used, may be unknown.
const saveEvery = 5 * time.Second

// account counts what models use for applications, and holds their limits. Several servers on one database share both:
// each counts on from the sum at its start, and takes what the others have added since off its limits.
type account struct {
	store  usageStore
	now    func() time.Time
	most   int64 // tokens a day of an application without a limit of its own; 0: any
	meter  *provider.Meter
	saving sync.Mutex
	saved  map[string]provider.Usage // of the meter, by application: what is in the database

	mu     sync.RWMutex
	limits map[string]int64 // by application
	others map[string]int64 // tokens that other servers used today
}

// openAccount reads what was used today.
func openAccount(ctx context.Context, store usageStore, most int64, now func() time.Time) (*account, error) {
	a := &account{store: store, now: now, most: most, saved: map[string]provider.Usage{},
		limits: map[string]int64{}, others: map[string]int64{}}
	at := now()
	stored, err := store.Usage(ctx, dayOf(at))
	if err != nil {
		return nil, fmt.Errorf("read what models used today: %w", err)
	}
	var used []provider.Usage
	for _, u := range stored {
		used = append(used, provider.Usage{App: u.App, Day: u.Day, Requests: u.Requests, Input: u.Input,
			Output: u.Output, Estimated: u.Estimated, Micros: u.Micros})
	}
	a.meter = provider.NewMeter(a.limit, used, at)
	for _, u := range used {
		a.saved[u.App] = a.meter.Today(u.App, at)
	}
	return a, a.save(ctx)
}

// usedReport is what models used for an application on a day of UTC, as commands print it.
type usedReport struct {
	Day      string  `json:"day"`
	Requests int64   `json:"requests"`
	Input    int64   `json:"input_tokens"`
	Output   int64   `json:"output_tokens"`
	Cost     float64 `json:"cost,omitempty"` // by the prices that the server was given, in their currency
}

// String describes it in a line.
func (u usedReport) String() string {
	text := fmt.Sprintf("%d requests, %d tokens in, %d out", u.Requests, u.Input, u.Output)
	if u.Cost > 0 {
		text += fmt.Sprintf(", cost %.4f", u.Cost)
	}
	return text
}

// usedToday returns what servers have written down of today, and nil if that is nothing.
func usedToday(ctx context.Context, store usageStore, app string, now time.Time) (*usedReport, error) {
	all, err := store.Usage(ctx, dayOf(now))
	if err != nil {
		return nil, err
	}
	for _, u := range all {
		if u.App == app {
			return &usedReport{u.Day, u.Requests, u.Input, u.Output, float64(u.Micros) / 1e6}, nil
		}
	}
	return nil, nil
}

func dayOf(at time.Time) string { return at.UTC().Format(time.DateOnly) }

// limit returns how many tokens an application may use today by this server.
func (a *account) limit(app string) int64 {
	a.mu.RLock()
	defer a.mu.RUnlock()
	limit := cmp.Or(a.limits[app], a.most)
	if limit <= 0 {
		return provider.Unlimited
	}
	return max(limit-a.others[app], 0)
}

// save writes down what was used since it did so last, and reads the limits and what others used. It changes nothing
// that it could not write: the next time does.
func (a *account) save(ctx context.Context) error {
	a.saving.Lock()
	defer a.saving.Unlock()
	apps, err := a.store.ListApps(ctx)
	if err != nil {
		return err
	}
	at := a.now()
	limits := map[string]int64{}
	for _, app := range apps {
		limits[app.ID] = app.Settings.TokensPerDay
		used := a.meter.Today(app.ID, at)
		before := a.saved[app.ID]
		if before.Day != used.Day {
			before = provider.Usage{} // what was used in the last seconds of a day is forgotten
		}
		if used == before || used.Requests == before.Requests {
			continue
		}
		if err := a.store.AddUsage(ctx, threads.Usage{App: app.ID, Day: used.Day,
			Requests: used.Requests - before.Requests, Input: used.Input - before.Input,
			Output: used.Output - before.Output, Estimated: used.Estimated - before.Estimated,
			Micros: used.Micros - before.Micros}); err != nil {
			return err
		}
		a.saved[app.ID] = used
	}
	stored, err := a.store.Usage(ctx, dayOf(at))
	if err != nil {
		return err
	}
	others := map[string]int64{}
	for _, u := range stored {
		saved := a.saved[u.App]
		if saved.Day != u.Day {
			saved = provider.Usage{}
		}
		others[u.App] = max(u.Input+u.Output-saved.Tokens(), 0)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.limits, a.others = limits, others
	return nil
}

// keep saves regularly, and when the function that it returns is called, which waits for it.
func (a *account) keep(ctx context.Context, log *slog.Logger) (stop func()) {
	save := func(ctx context.Context) {
		if err := a.save(ctx); err != nil {
			log.Error("cannot write down what models used", "error", err)
		}
	}
	return background(ctx, func(ctx context.Context) {
		for sqlstore.Pause(ctx, saveEvery) == nil {
			save(ctx)
		}
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), saveEvery)
		defer cancel()
		save(last)
	})
}
