package client_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/server"
	"ltm/server/conversation/client"
	"ltm/server/provider"
	"ltm/server/sqlite"
	"ltm/server/sqlstore"
	"ltm/server/threads"
)

// place is a real server over a database of its own, with an application and its key.
type place struct {
	url, key string
	memory   *threads.Service
	store    *sqlstore.Store
	front    atomic.Pointer[http.HandlerFunc] // what answers first, if it is set
}

// chatter is a model that repeats what it was told last, in two pieces.
type chatter struct{}

func (chatter) Model() string { return "echo" }

func (chatter) Chat(_ context.Context, _ string, c provider.Chat) (provider.Reply, error) {
	return provider.Reply{Text: "You said: " + c.Messages[len(c.Messages)-1].Text}, nil
}

func start(t *testing.T) *place {
	t.Helper()
	ctx := t.Context()
	store, err := sqlite.Open(ctx, filepath.Join(t.TempDir(), "ltm.db"), sqlite.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	p := &place{store: store}
	p.memory, err = threads.New(threads.Options{Storage: store.Threads(), Now: time.Now, Random: rand.Reader,
		Models: threads.Models{Chat: chatter{}}})
	require.NoError(t, err)
	app := threads.App{ID: "01K3Q8ZJ6M4T2V9XWBDN7RHEA1", Name: "notes", CreatedAt: time.Now()}
	require.NoError(t, store.Threads().CreateApp(ctx, app))
	p.key, err = server.NewKey(rand.Reader)
	require.NoError(t, err)
	require.NoError(t, store.Threads().CreateKey(ctx, threads.Key{ID: "01K3Q8ZJ6M4T2V9XWBDN7RHEK1", App: app.ID,
		Name: "test", Hash: server.Hash(p.key), CreatedAt: time.Now()}))
	s, err := server.New(server.Options{Storage: store, Memory: p.memory})
	require.NoError(t, err)
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if front := p.front.Load(); front != nil {
			(*front)(w, r)
			return
		}
		s.ServeHTTP(w, r)
	}))
	t.Cleanup(h.Close)
	p.url = h.URL
	return p
}

func (p *place) client(t *testing.T) *client.Client {
	t.Helper()
	c, err := client.New(client.Options{URL: p.url, Key: p.key})
	require.NoError(t, err)
	return c
}

func TestConversation(t *testing.T) {
	p := start(t)
	c, ctx := p.client(t), t.Context()
	thread, err := c.CreateThread(ctx, client.NewThread{User: "ann", Title: "Moving"})
	require.NoError(t, err)
	require.NoError(t, c.RenameThread(ctx, thread, "Moved"))
	found, next, err := c.Threads(ctx, "ann", "")
	require.NoError(t, err)
	require.Empty(t, next)
	require.Len(t, found, 1)
	want := client.Thread{ID: thread, User: "ann", Title: "Moved", CreatedAt: found[0].CreatedAt}
	require.Equal(t, want, found[0])

	at := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	first, err := c.AddEvent(ctx, thread, client.NewEvent{Actor: "user", Content: "I live in Rome.", OccurredAt: at,
		Key: "one"})
	require.NoError(t, err)
	rows, err := c.AddEvents(ctx, thread, []client.NewEvent{{Actor: "user", Content: "I live in Rome.", Key: "one"},
		{Actor: "nobody", Content: "x"}, {Actor: "assistant", Content: "A lovely city."}})
	require.NoError(t, err)
	require.Equal(t, client.Added{ID: first}, rows[0], "it was there")
	require.NotEmpty(t, rows[1].Error)
	require.True(t, rows[2].New)
	events, _, err := c.Events(ctx, thread, "", 10)
	require.NoError(t, err)
	require.Len(t, events, 2)
	require.True(t, events[0].OccurredAt.Equal(at))
	require.NoError(t, c.React(ctx, thread, rows[2].ID, "heart"))
	require.NoError(t, c.React(ctx, thread, rows[2].ID, ""))

	_, err = p.memory.RunDue(ctx)
	require.NoError(t, err)
	effects, err := c.Effects(ctx, thread, first)
	require.NoError(t, err)
	require.NotEmpty(t, effects)
	for _, e := range effects {
		require.NotEqual(t, "pending", e.State, e.Kind)
	}
	claims(t, c)

	hits, err := c.Search(ctx, client.Question{User: "ann", Query: "lovely city"})
	require.NoError(t, err)
	require.Equal(t, rows[2].ID, hits[0].ID)
	_, err = c.Promote(ctx, thread)
	require.NoError(t, err)
	summary, err := c.Summary(ctx, thread)
	require.NoError(t, err)
	require.Contains(t, summary, "I live in Rome")

	gone, err := c.DeleteEvent(ctx, thread, first)
	require.NoError(t, err)
	require.NotEmpty(t, gone)
	gone, err = c.DeleteThread(ctx, thread)
	require.NoError(t, err)
	require.NotEmpty(t, gone)
	_, err = c.Summary(ctx, thread)
	require.True(t, client.NotFound(err), "%v", err)
	gone, err = c.EraseUser(ctx, "ann")
	require.NoError(t, err)
	require.NotEmpty(t, gone)
}

func TestChanges(t *testing.T) {
	p := start(t)
	c, ctx := p.client(t), t.Context()
	found, began, err := c.Changes(ctx, client.ChangeQuery{After: client.Now})
	require.NoError(t, err)
	require.Empty(t, found)
	thread, err := c.CreateThread(ctx, client.NewThread{User: "ann"})
	require.NoError(t, err)
	found, next, err := c.Changes(ctx, client.ChangeQuery{User: "ann", After: began})
	require.NoError(t, err)
	require.Len(t, found, 1)
	require.Equal(t, client.FeedLine{User: "ann", Kind: "thread", ID: thread, Op: "put", At: found[0].At}, found[0])
	require.False(t, found[0].At.IsZero())
	_, err = p.store.Purge(ctx, time.Now().Add(time.Hour))
	require.NoError(t, err)
	_, _, err = c.Changes(ctx, client.ChangeQuery{After: began})
	require.True(t, client.Purged(err), "%v", err)
	found, same, err := c.Changes(ctx, client.ChangeQuery{After: next})
	require.NoError(t, err)
	require.Empty(t, found)
	require.Equal(t, next, same)
}

// claims confirms, corrects and undoes what the rules suggested.
func claims(t *testing.T, c *client.Client) {
	t.Helper()
	ctx := t.Context()
	found, _, err := c.Claims(ctx, client.ClaimQuery{User: "ann", States: []string{"suggested"}})
	require.NoError(t, err)
	require.Len(t, found, 1)
	rome := found[0]
	require.Equal(t, "I live in Rome", rome.Text)
	require.Len(t, rome.Evidence, 1)
	ask := client.Question{User: "ann", Query: "where is home, Rome or Turin?"}
	_, _, err = c.ChangeClaim(ctx, rome.ID, client.Confirm, client.Change{User: "ann"})
	require.NoError(t, err)
	known, err := c.Retrieve(ctx, ask)
	require.NoError(t, err)
	require.Contains(t, known.Memory, "claim: I live in Rome")

	old, act, err := c.ChangeClaim(ctx, rome.ID, client.Correct, client.Change{User: "ann", Text: "I live in Turin"})
	require.NoError(t, err)
	require.Equal(t, "superseded", old.State)
	known, err = c.Retrieve(ctx, ask)
	require.NoError(t, err)
	require.Contains(t, known.Memory, "I live in Turin")
	require.NotContains(t, known.Memory, "live in Rome")
	now, _, err := c.Undo(ctx, "ann", act)
	require.NoError(t, err)
	require.Equal(t, "active", now.State)

	added, err := c.AddClaim(ctx, client.NewClaim{User: "ann", Bucket: "GOALS", Text: "Sing in a choir"})
	require.NoError(t, err)
	require.Equal(t, "active", added.State)
	_, _, err = c.ChangeClaim(ctx, added.ID, "praise", client.Change{User: "ann"})
	require.True(t, client.NotFound(err), "%v", err)
}

func TestChat(t *testing.T) {
	p := start(t)
	c, ctx := p.client(t), t.Context()
	thread, err := c.CreateThread(ctx, client.NewThread{User: "ann"})
	require.NoError(t, err)
	var reply strings.Builder
	user, assistant, err := c.Chat(ctx, thread, "Good morning!", func(piece string) error {
		_, err := io.WriteString(&reply, piece)
		return err
	})
	require.NoError(t, err)
	require.Equal(t, "You said: Good morning!", reply.String())
	events, _, err := c.Events(ctx, thread, "", 0)
	require.NoError(t, err)
	require.Equal(t, []string{user, assistant}, []string{events[0].ID, events[1].ID})
	messages, err := c.MemoryContext(ctx, thread, "And now?", 5)
	require.NoError(t, err)
	require.Equal(t, client.Message{Role: "user", Content: "Good morning!"}, messages[len(messages)-2])
	_, _, err = c.Chat(ctx, "01990000-0000-7000-8000-000000000000", "Hello?", nil)
	require.True(t, client.NotFound(err), "%v", err)
}

// TestBusy plays a server that is busy: what can be repeated is, once each at most three times.
func TestBusy(t *testing.T) {
	p := start(t)
	c, ctx := p.client(t), t.Context()
	thread, err := c.CreateThread(ctx, client.NewThread{User: "ann"})
	require.NoError(t, err)
	var asked atomic.Int32
	keys := make(chan string, 10)
	busy := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		keys <- r.Header.Get("Idempotency-Key")
		w.WriteHeader(http.StatusServiceUnavailable)
		fmt.Fprint(w, `{"detail":"the database is busy"}`)
	})
	p.front.Store(&busy)
	_, err = c.AddEvent(ctx, thread, client.NewEvent{Actor: "user", Content: "x"})
	require.ErrorContains(t, err, "503: the database is busy")
	require.EqualValues(t, 3, asked.Swap(0))
	require.NotEmpty(t, keys)
	key := <-keys
	require.NotEmpty(t, key)
	require.Equal(t, key, <-keys, "it is the same request")
	require.ErrorContains(t, c.RenameThread(ctx, thread, "x"), "503")
	require.EqualValues(t, 1, asked.Swap(0), "a change without a key is sent once")

	under := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1) == 1 {
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusConflict)
			return
		}
		fmt.Fprint(w, `{"added":1,"rows":[{"event_id":"the one","new":true}]}`)
	})
	p.front.Store(&under)
	event, err := c.AddEvent(ctx, thread, client.NewEvent{Actor: "user", Content: "x"})
	require.NoError(t, err, "the attempt before is still being answered")
	require.Equal(t, "the one", event)
	require.EqualValues(t, 2, asked.Swap(0))

	away := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", "https://elsewhere.example/")
		w.WriteHeader(http.StatusTemporaryRedirect)
	})
	p.front.Store(&away)
	_, err = c.Summary(ctx, thread)
	require.ErrorContains(t, err, "307", "the key goes nowhere else")
	garbled := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "<html>") })
	p.front.Store(&garbled)
	_, err = c.Summary(ctx, thread)
	require.ErrorContains(t, err, "not what it should be")
}

// TestIdsAreOneSegment checks that no id leads to another path: to delete an event must not delete its thread.
func TestIdsAreOneSegment(t *testing.T) {
	p := start(t)
	c, ctx := p.client(t), t.Context()
	for _, id := range []string{"..", ".", "", "a/b", "../..", "%2E%2E", "?"} {
		thread, err := c.CreateThread(ctx, client.NewThread{User: "ann"})
		require.NoError(t, err)
		_, err = c.DeleteEvent(ctx, thread, id)
		require.True(t, client.NotFound(err), "%q: %v", id, err)
		_, err = c.Summary(ctx, thread)
		require.NoError(t, err, "%q", id)
		if id == "" {
			continue
		}
		_, err = c.CreateThread(ctx, client.NewThread{User: id})
		require.NoError(t, err)
		gone, err := c.EraseUser(ctx, id)
		require.NoError(t, err, "%q", id)
		require.EqualValues(t, 1, gone["threads"], "%q", id)
	}
}

func TestOptions(t *testing.T) {
	for name, o := range map[string]client.Options{
		"no address":     {Key: "key"},
		"other scheme":   {URL: "ftp://localhost", Key: "key"},
		"a query":        {URL: "http://localhost?x=1", Key: "key"},
		"a password":     {URL: "http://a:b@localhost", Key: "key"},
		"no key":         {URL: "http://localhost"},
		"a key of lines": {URL: "http://localhost", Key: "a\nb"},
		"not encrypted":  {URL: "http://memory.example.org", Key: "key"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := client.New(o)
			require.Error(t, err)
		})
	}
	for _, url := range []string{"http://localhost:1", "http://127.0.0.1", "http://[::1]:5860/",
		"https://memory.example.org/x"} {
		_, err := client.New(client.Options{URL: url, Key: "key"})
		require.NoError(t, err)
	}
	_, err := client.New(client.Options{URL: "http://memory.example.org", Key: "key", Insecure: true})
	require.NoError(t, err)
}
