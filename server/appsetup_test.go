package server_test

import (
	"context"
	"io"
	"strings"
	"time"

	"ltm/server"
	"ltm/server/threads"
)

// emptyMemory is a memory with applications and nothing else: all that is asked for is not there. A test that needs
// more has the real one.
type emptyMemory struct {
	server.Memory
	apps map[string]threads.App // by key
	asks *[]string              // the users that were asked for
}

// keys of applications.
const (
	keyA      = "ltmk_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	keyB      = "ltmk_bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
	keyIssuer = "ltmk_jjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjj"
)

// withApps gives a server an empty memory with two applications.
func withApps(o *server.Options) {
	o.Memory = emptyMemory{apps: map[string]threads.App{
		keyA: {ID: "01K3Q8ZJ6M4T2V9XWBDN7RAPPA", Name: "a",
			Settings: threads.Settings{Fields: map[string]string{"topic": "text"}}},
		keyB: {ID: "01K3Q8ZJ6M4T2V9XWBDN7RAPPB", Name: "b"}}, asks: &[]string{}}
	o.KeyRate, o.UserRate = plenty(), plenty()
}

func (m emptyMemory) AuthenticateKey(_ context.Context, hash [32]byte) (threads.Key, threads.App, error) {
	for key, app := range m.apps {
		if server.Hash(key) == hash {
			return threads.Key{ID: "K" + app.ID[1:], App: app.ID}, app, nil
		}
	}
	return threads.Key{}, threads.App{}, threads.ErrNotFound
}

func (m emptyMemory) Thread(_ context.Context, c threads.Caller, _ string) (threads.Thread, string, error) {
	*m.asks = append(*m.asks, c.User)
	return threads.Thread{}, "", threads.ErrNotFound
}

func (m emptyMemory) ListThreads(_ context.Context, who threads.Subject, _ threads.ThreadQuery) ([]threads.Thread,
	error) {
	*m.asks = append(*m.asks, who.User)
	return nil, nil
}

func (m emptyMemory) ListEvents(context.Context, threads.Caller, threads.EventQuery) ([]threads.Event, error) {
	return nil, threads.ErrNotFound
}

func (m emptyMemory) AddEvents(context.Context, threads.Caller, string, []threads.NewEvent) ([]threads.Added, error) {
	return nil, threads.ErrNotFound
}

func (m emptyMemory) ListClaims(context.Context, threads.Subject, threads.ClaimQuery) ([]threads.Claim, error) {
	return nil, nil
}

func (m emptyMemory) Counts(context.Context, threads.Subject) (threads.Counts, error) {
	return threads.Counts{}, nil
}

func (m emptyMemory) Profile(context.Context, threads.Subject, time.Time) (threads.Profile, error) {
	return threads.Profile{}, nil
}

func (m emptyMemory) Claim(context.Context, threads.Subject, string) (threads.Claim, error) {
	return threads.Claim{}, threads.ErrNotFound
}

func (m emptyMemory) Search(context.Context, threads.Caller, threads.SearchRequest) ([]threads.Hit, error) {
	return nil, threads.ErrNotFound
}

func (m emptyMemory) Changes(context.Context, threads.Caller, string, int) ([]threads.Change, string, error) {
	return nil, "", nil
}

func (m emptyMemory) Export(_ context.Context, who threads.Subject, w io.Writer) error {
	_, err := io.WriteString(w, who.User)
	return err
}

func (m emptyMemory) Import(_ context.Context, _ threads.Subject, r io.Reader) (map[string]int64, error) {
	n, err := io.Copy(io.Discard, r)
	return map[string]int64{"bytes": n}, err
}

func (m emptyMemory) JobTotals(context.Context) (map[threads.JobState]map[threads.JobKind]int64, time.Time, error) {
	return map[threads.JobState]map[threads.JobKind]int64{threads.JobFailed: {threads.JobEmbed: 3}},
		time.Date(2026, 9, 1, 11, 59, 0, 0, time.UTC), nil
}

func (m emptyMemory) ModelCalls() map[threads.ModelCall]int64 {
	return map[threads.ModelCall]int64{{Purpose: "embeddings", Result: "refused"}: 7}
}

// of returns a request of an application, with a body.
func of(key string, body ...string) request {
	return request{header: map[string]string{"X-API-Key": key}, body: strings.Join(body, "")}
}

func (m emptyMemory) Users(context.Context, string, string, int) ([]string, error) { return nil, nil }

func (m emptyMemory) ListJobs(context.Context, threads.Caller, threads.JobQuery) ([]threads.Job, error) {
	return nil, nil
}
