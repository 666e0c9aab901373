package storagetest_test

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ltm/server/threads"
)

// feedOfLate has a change that ends after one that began later: a reader who goes on sees both, each once.
func feedOfLate(t *testing.T, w *place) {
	inside, release := make(chan struct{}), make(chan struct{})
	var all sync.WaitGroup
	errs := make([]error, 2)
	all.Go(func() {
		first := true
		errs[0] = w.Change(w.ctx, ann, func(tx threads.Tx) error {
			err := tx.PutThread(thread(1))
			if first { // it may be run again
				first = false
				close(inside)
				<-release
			}
			return err
		})
	})
	<-inside
	done := make(chan struct{})
	all.Go(func() {
		defer close(done)
		errs[1] = w.other.Change(w.ctx, ben, func(tx threads.Tx) error { return tx.PutThread(thread(2)) })
	})
	select { // where one writes at a time, it waits for the first
	case <-done:
	case <-time.After(200 * time.Millisecond):
	}
	seen := map[string]int{}
	cursor := ""
	read := func() {
		page, _, err := w.Changes(w.ctx, ann.App, "", cursor, 1)
		require.NoError(t, err)
		for _, c := range page {
			seen[c.ID]++
			cursor = c.Cursor
		}
	}
	read()
	close(release)
	all.Wait()
	require.NoError(t, errors.Join(errs...))
	for len(seen) < 2 {
		read()
	}
	require.Equal(t, map[string]int{uuid(1): 1, uuid(2): 1}, seen)
}

// raceForJobs leases from two servers at once: each job is handed out once, and one of a thread's summaries.
func raceForJobs(t *testing.T, w *place) {
	const events = 40
	w.filled(t, ann, 1)
	w.filled(t, ann, 2)
	w.change(t, ann, func(tx threads.Tx) (err error) {
		for n := range events {
			embed, sum := job(threads.JobEmbed, 10+n), job(threads.JobSummarize, 10+n)
			sum.Thread = uuid(1 + n%2)
			err = errors.Join(err, tx.AddJob(embed), tx.AddJob(sum))
		}
		return err
	})
	var mu sync.Mutex
	times, summaries := map[int64]int{}, map[string]int{}
	var all sync.WaitGroup
	errs := make([]error, clients)
	for n := range clients {
		s := []threads.Storage{w.Storage, w.other}[n%2]
		all.Go(func() {
			for range 3 {
				jobs, err := s.Lease(w.ctx, fmt.Sprint("worker ", n), nil, 3, after(100), after(200))
				errs[n] = errors.Join(errs[n], err)
				mu.Lock()
				for _, j := range jobs {
					times[j.Seq]++
					if j.Kind == threads.JobSummarize {
						summaries[j.Thread]++
					}
				}
				mu.Unlock()
			}
		})
	}
	all.Wait()
	require.NoError(t, errors.Join(errs...))
	require.Len(t, times, events+2)
	for _, n := range times {
		require.Equal(t, 1, n)
	}
	require.Equal(t, map[string]int{uuid(1): 1, uuid(2): 1}, summaries)
}

// changesTogether are of different subjects at the same moment. Some fail, panic, or end their goroutine: none of
// theirs is left, and all of the others'.
func changesTogether(t *testing.T, w *place) {
	const times = 6
	broken := errors.New("broken")
	var all sync.WaitGroup
	for n := range clients {
		s := []threads.Storage{w.Storage, w.other}[n%2]
		who := threads.Subject{App: ann.App, User: fmt.Sprint("user ", n%11)}
		for i := range times {
			id := n*times + i
			all.Go(func() {
				var err error
				defer func() {
					_ = recover()
					assert.True(t, id%5 == 0 == (err == nil), "%d: %v", id, err)
				}()
				err = broken // if the function does not return
				err = s.Change(w.ctx, who, func(tx threads.Tx) error {
					if err := tx.PutThread(thread(id)); err != nil {
						return err
					}
					switch id % 5 {
					case 1:
						return broken
					case 2:
						panic("a bug of the caller")
					case 3:
						runtime.Goexit()
					case 4:
						_, err := tx.AddEvent(event(1, 77, "no such thread"))
						return err
					}
					return nil
				})
			})
		}
	}
	all.Wait()
	have := 0
	for n := range 11 {
		w.view(t, threads.Subject{App: ann.App, User: fmt.Sprint("user ", n)}, func(v threads.View) {
			found, err := v.Threads(threads.ThreadQuery{})
			require.NoError(t, err)
			for _, th := range found {
				require.NotZero(t, th.Title)
				have++
			}
		})
	}
	require.Equal(t, (clients*times+4)/5, have)
}

// raceOfChanges counts in the meta of one event, from two servers at once, and adds events.
func raceOfChanges(t *testing.T, w *place) {
	w.filled(t, ann, 1, 10)
	var all sync.WaitGroup
	errs := make([]error, clients)
	for n := range clients {
		s := []threads.Storage{w.Storage, w.other}[n%2]
		all.Go(func() {
			for i := range 8 {
				errs[n] = errors.Join(errs[n], s.Change(w.ctx, ann, func(tx threads.Tx) error {
					e, err := tx.Event(uuid(10))
					if err != nil {
						return err
					}
					if _, err := tx.AddEvent(event(1000+n*10+i, 1, "x")); err != nil {
						return err
					}
					return tx.SetEventMeta(uuid(10), append(e.Meta, byte('a'+n%26)))
				}))
			}
		})
	}
	all.Wait()
	require.NoError(t, errors.Join(errs...))
	w.view(t, ann, func(v threads.View) {
		e, err := v.Event(uuid(10))
		require.NoError(t, err)
		require.Len(t, e.Meta, clients*8, "no change was lost")
		events, err := v.Events(threads.EventQuery{Thread: uuid(1)})
		require.NoError(t, err)
		require.Len(t, events, clients*8+1)
	})
}
