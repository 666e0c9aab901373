package threads_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	. "ltm/server/conversation"
	"ltm/server/provider"
	"ltm/server/threads"
)

// counts returns how many jobs are in which state.
func (w *world) counts() map[threads.JobState]int64 {
	w.t.Helper()
	totals, _, err := w.JobTotals(w.ctx)
	require.NoError(w.t, err)
	n := map[threads.JobState]int64{}
	for state, kinds := range totals {
		for _, k := range kinds {
			n[state] += k
		}
	}
	return n
}

// TestFailingProvider: 100 jobs against a provider that fails end within a minute, each says why, and what is stored is
// what is stored without a provider.
func TestFailingProvider(t *testing.T) {
	plain := newWorld(t, threads.Models{})
	fill := func(w *world) (ids []string) {
		for i := range 50 {
			id := fmt.Sprintf("00000000-0000-4000-8000-%012d", i)
			_, err := w.CreateThread(w.ctx, w.user, threads.NewThread{ID: id})
			require.NoError(t, err)
			w.say(id, append(talk("garden", 12), fmt.Sprintf("My name is Ada %d.", i))...)
			ids = append(ids, id)
		}
		return ids
	}
	fill(plain)
	plain.drain()
	for name, failure := range map[string]func() error{"refusing": refusing, "failing": failing,
		"not of a provider": func() error { return errors.New("broken") }} {
		t.Run(name, func(t *testing.T) {
			model := &scripted{summarize: func(string, []provider.Turn) (string, error) { return "", failure() },
				extract: func([]provider.Event) ([]provider.Claim, error) { return nil, failure() }}
			w := newWorld(t, threads.Models{Summaries: model, Extraction: model})
			ids := fill(w)
			began := w.clock.Now()
			for w.drain(); w.counts()[threads.JobPending] > 0; w.drain() {
				w.clock.pass(time.Second)
			}
			require.Less(t, w.clock.Now().Sub(began), time.Minute)
			require.Equal(t, map[threads.JobState]int64{threads.JobDone: 50, threads.JobFailed: 100 + 650,
				threads.JobSkipped: 600}, w.counts(), "one of 13 messages asks for all, and then each for itself")
			require.Equal(t, plain.claims(), w.claims())
			for _, id := range ids {
				sum, err := w.Summary(w.ctx, w.user, id)
				require.NoError(t, err)
				require.Equal(t, []any{12, ""}, []any{sum.Turns, sum.Written})
			}
			events, err := w.ListEvents(w.ctx, w.user, threads.EventQuery{Thread: ids[0], Newest: true, Limit: 1})
			require.NoError(t, err)
			effects, err := w.Effects(w.ctx, w.user, ids[0], events[0].ID)
			require.NoError(t, err)
			require.Equal(t, threads.JobExtract, effects[1].Kind)
			require.Equal(t, threads.JobFailed, effects[1].State)
			require.NotEmpty(t, effects[1].Reason)
			require.NotContains(t, effects[1].Reason, "Ada")
		})
	}
}

// TestRateLimit: a provider that asks to come back later is asked later, and one that is used up for the day is not.
func TestRateLimit(t *testing.T) {
	var failure error = &provider.Error{Kind: provider.RateLimited, Message: "later", RetryAfter: 10 * time.Minute}
	model := &scripted{summarize: func(string, []provider.Turn) (string, error) { return "a garden", failure }}
	w := newWorld(t, threads.Models{Summaries: model})
	id := w.thread()
	ids := w.say(id, talk("garden", 12)...)
	w.drain()
	require.Equal(t, int64(1), w.counts()[threads.JobPending])
	w.clock.pass(9 * time.Minute)
	w.drain()
	require.Equal(t, int64(1), model.asked.Load())
	failure = nil
	w.clock.pass(2 * time.Minute)
	w.drain()
	require.Equal(t, int64(2), model.asked.Load())
	sum, err := w.Summary(w.ctx, w.user, id)
	require.NoError(t, err)
	require.Equal(t, []string{"a garden", "scripted"}, []string{sum.Written, sum.Model})
	require.NotEmpty(t, sum.Lines)

	failure = &provider.Error{Kind: provider.UsedUp, Message: "used up for today"}
	more := w.say(id, talk("garden", 12)...)
	w.drain()
	effects, err := w.Effects(w.ctx, w.user, id, more[23])
	require.NoError(t, err)
	require.Equal(t, threads.JobSummarize, effects[2].Kind)
	require.Equal(t, []any{threads.JobSkipped, "provider: used up for today"},
		[]any{effects[2].State, effects[2].Reason})
	sum, err = w.Summary(w.ctx, w.user, id)
	require.NoError(t, err)
	require.Equal(t, []any{24, "", ids[0]}, []any{sum.Turns, sum.Written, sum.From}, "the lines went on")
}

// TestWrittenSummaries: a model goes on with what it wrote, and what it wrote goes with an event that it was about.
func TestWrittenSummaries(t *testing.T) {
	var priors []string
	var turns [][]provider.Turn
	model := &scripted{summarize: func(prior string, said []provider.Turn) (string, error) {
		priors, turns = append(priors, prior), append(turns, said)
		return fmt.Sprint("text ", len(priors)), nil
	}}
	w := newWorld(t, threads.Models{Summaries: model})
	id := w.thread()
	ids := w.say(id, talk("garden", 12)...)
	w.drain()
	w.say(id, talk("garden", 12)...)
	w.drain()
	require.Equal(t, []string{"", "text 1"}, priors)
	require.Len(t, turns[0], 24)
	sum, err := w.Summary(w.ctx, w.user, id)
	require.NoError(t, err)
	require.Equal(t, "text 2", sum.Written)
	w.drain()
	_, err = w.DeleteEvent(w.ctx, w.user, id, w.say(id, "hm")[0])
	require.NoError(t, err)
	sum, err = w.Summary(w.ctx, w.user, id)
	require.NoError(t, err)
	require.Equal(t, "text 2", sum.Written, "nothing was written about that")

	_, err = w.DeleteEvent(w.ctx, w.user, id, ids[3])
	require.NoError(t, err)
	sum, err = w.Summary(w.ctx, w.user, id)
	require.NoError(t, err)
	require.Empty(t, sum.Written)
	w.drain()
	sum, err = w.Summary(w.ctx, w.user, id)
	require.NoError(t, err)
	require.Equal(t, "text 3", sum.Written)
	require.NotContains(t, priors[2], "text")
}

// TestTwoServers: of two servers on one database, each job is done by one.
func TestTwoServers(t *testing.T) {
	model := &scripted{summarize: func(string, []provider.Turn) (string, error) { return "a garden", nil },
		extract: func(events []provider.Event) ([]provider.Claim, error) {
			last := events[len(events)-1]
			return []provider.Claim{{Text: last.Text, Bucket: "PROFILE", Confidence: 0.9,
				Events: []string{last.ID}}}, nil
		}}
	models := threads.Models{Summaries: model, Extraction: model}
	w := newWorld(t, models)
	other, _ := w.open(models)
	const n = 12
	for i := range n {
		id := w.thread()
		w.say(id, append(talk("garden", 12), fmt.Sprintf("My name is Ada %d.", i))...)
	}
	var wg sync.WaitGroup
	for _, s := range []*threads.Service{w.Service, other, w.Service, other} {
		wg.Go(func() {
			_, err := s.RunDue(w.ctx)
			require.NoError(t, err)
		})
	}
	wg.Wait()
	w.drain()
	require.Equal(t, int64(2*n), model.asked.Load())
	require.Equal(t, map[threads.JobState]int64{threads.JobDone: 3 * n, threads.JobSkipped: 12 * n}, w.counts(),
		"a model is asked once for a batch")
	list, err := w.ListThreads(w.ctx, w.who, threads.ThreadQuery{})
	require.NoError(t, err)
	for _, thread := range list {
		all, err := w.Summaries(w.ctx, w.user, thread.ID)
		require.NoError(t, err)
		require.Len(t, all, 1)
		require.Equal(t, []any{12, "a garden"}, []any{all[0].Turns, all[0].Written})
	}
	claims, err := w.ListClaims(w.ctx, w.who, threads.ClaimQuery{})
	require.NoError(t, err)
	require.Len(t, claims, n)
	for _, c := range claims {
		require.Equal(t, []any{1, 1, Suggested}, []any{c.Reinforced, len(c.Evidence), c.State})
		acts, err := w.ClaimHistory(w.ctx, w.who, c.ID)
		require.NoError(t, err)
		require.Len(t, acts, 2, "one of the rules and one of the model")
	}
}

// TestKilledWorker: a job whose worker died is done by another one, and the dead one's change does not count.
func TestKilledWorker(t *testing.T) {
	w := newWorld(t, threads.Models{})
	id := w.thread()
	event := w.say(id, rome)[0]
	now := w.clock.Now()
	dead, err := w.store.Threads().Lease(w.ctx, "dead", []threads.JobKind{threads.JobSuggest}, 1, now,
		now.Add(time.Minute))
	require.NoError(t, err)
	require.Len(t, dead, 1)
	w.drain()
	require.Empty(t, w.claims(), "it is the dead one's turn")
	w.clock.pass(2 * time.Minute)
	w.drain()
	require.Equal(t, states{rome: Suggested}, w.claims())
	effects, err := w.Effects(w.ctx, w.user, id, event)
	require.NoError(t, err)
	require.Equal(t, 2, effects[0].Attempts)
	err = w.store.Threads().Change(w.ctx, w.who, func(tx threads.Tx) error {
		require.NoError(t, tx.PutClaims(nil))
		return tx.FinishJob(dead[0])
	})
	require.ErrorIs(t, err, threads.ErrLost)
	require.Equal(t, states{rome: Suggested}, w.claims())
}

// TestWork: workers take up what is queued, stop when they are told to, and give back what they have not done.
func TestWork(t *testing.T) {
	asked := make(chan struct{}, 10)
	block := false
	model := &blocking{scripted: scripted{}, do: func(ctx context.Context) (string, error) {
		asked <- struct{}{}
		if block {
			<-ctx.Done()
			return "", &provider.Error{Kind: provider.Canceled, Message: "canceled"}
		}
		return "a garden", nil
	}}
	w := newWorld(t, threads.Models{Summaries: model})
	id := w.thread()
	work := func() (stop func()) {
		ctx, cancel := context.WithCancel(w.ctx)
		ended := make(chan struct{})
		go func() {
			w.Work(ctx)
			close(ended)
		}()
		return func() {
			cancel()
			select {
			case <-ended:
			case <-time.After(20 * time.Second):
				t.Error("workers do not stop")
			}
		}
	}
	stop := work()
	w.say(id, talk("garden", 12)...)
	<-asked
	stop()
	sum, err := w.Summary(w.ctx, w.user, id)
	require.NoError(t, err)
	require.Equal(t, "a garden", sum.Written)

	block = true
	stop = work()
	w.say(id, talk("garden", 12)...)
	<-asked
	stop()
	require.Equal(t, int64(1), w.counts()[threads.JobPending])
	block = false
	w.clock.pass(time.Minute)
	w.drain()
	sum, err = w.Summary(w.ctx, w.user, id)
	require.NoError(t, err)
	require.Equal(t, []any{24, "a garden"}, []any{sum.Turns, sum.Written})
}

// blocking is a model whose summaries depend on the context.
type blocking struct {
	scripted
	do func(ctx context.Context) (string, error)
}

func (m *blocking) Summarize(ctx context.Context, _, _ string, _ []provider.Turn) (provider.Summary, error) {
	text, err := m.do(ctx)
	return provider.Summary{Text: text, Model: "blocking"}, err
}

// TestFaultInJob: a fault of the program ends the job, and no other.
func TestFaultInJob(t *testing.T) {
	model := &scripted{summarize: func(string, []provider.Turn) (string, error) { panic("fault") }}
	w := newWorld(t, threads.Models{Summaries: model})
	w.say(w.thread(), append(talk("garden", 12), "My name is Ada.")...)
	w.drain()
	require.Equal(t, map[threads.JobState]int64{threads.JobDone: 1, threads.JobSkipped: 1, threads.JobFailed: 1},
		w.counts())
}

// TestBatch: a batch of 1,000 is stored with its jobs at once, without waiting.
func TestBatch(t *testing.T) {
	model := &scripted{}
	w := newWorld(t, threads.Models{Summaries: model, Extraction: model, Chat: model, Embeddings: model})
	id := w.thread()
	events := make([]threads.NewEvent, threads.MaxBatch)
	for i := range events {
		events[i] = threads.NewEvent{Role: User, Text: fmt.Sprintf("My name is Ada %d.", i)}
	}
	events[7].Text = ""
	added, err := w.AddEvents(w.ctx, w.user, id, events)
	require.NoError(t, err)
	for i, a := range added {
		require.Equal(t, i != 7, a.New)
	}
	require.ErrorIs(t, added[7].Err, threads.ErrInvalid)
	require.Zero(t, model.asked.Load())
	require.Equal(t, int64(3*999+1), w.counts()[threads.JobPending])
	again, err := w.AddEvents(w.ctx, w.user, id, events[:3])
	require.NoError(t, err)
	require.True(t, again[0].New, "without id and key it is another event")
}

// TestRetention deletes what is too old, with what follows from it alone.
func TestRetention(t *testing.T) {
	w := newWorld(t, threads.Models{})
	app, err := w.store.Threads().AppOf(w.ctx, "app")
	require.NoError(t, err)
	app.Settings.Retention = 24 * time.Hour
	require.NoError(t, w.store.Threads().UpdateApp(w.ctx, app))
	one, two := w.thread(), w.thread()
	w.say(one, append(talk("garden", 300), rome+".")...)
	w.say(two, oslo+".")
	w.drain()
	w.clock.pass(23 * time.Hour)
	n, err := w.Retain(w.ctx)
	require.NoError(t, err)
	require.Zero(t, n)
	w.say(two, rome+".", bern+".")
	w.drain()
	w.clock.pass(2 * time.Hour)
	n, err = w.Retain(w.ctx)
	require.NoError(t, err)
	require.Equal(t, int64(602), n)
	require.Equal(t, states{rome: Suggested, bern: Suggested}, w.claims())
	require.Empty(t, w.texts(one))
	require.Equal(t, []string{rome + ".", bern + "."}, w.texts(two))
	all, err := w.Summaries(w.ctx, w.user, one)
	require.NoError(t, err)
	require.Empty(t, all)
}
