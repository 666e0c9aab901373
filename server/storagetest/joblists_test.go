package storagetest_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/server/threads"
)

// jobLists lists jobs of several users and applications by state, in pages.
func jobLists(t *testing.T, w *place) {
	for i, who := range []threads.Subject{ann, ben, otherAnn} {
		w.filled(t, who, 1+i, 10+10*i, 11+10*i)
		w.change(t, who, func(tx threads.Tx) error {
			return errors.Join(tx.AddJob(job(threads.JobSummarize, 10+i)), tx.AddJob(job(threads.JobEmbed, 20+i)),
				tx.AddJob(job(threads.JobExtract, 30+i)), tx.AddJob(job(threads.JobSuggest, 30+i)))
		})
	}
	leased, err := w.Lease(w.ctx, "a", []threads.JobKind{threads.JobExtract}, 9, after(40), after(60))
	require.NoError(t, err)
	require.Len(t, leased, 3)
	for _, j := range leased {
		j.State, j.Reason, j.DoneAt = threads.JobFailed, "why", after(41)
		require.NoError(t, w.Finish(w.ctx, j))
	}
	list := func(q threads.JobQuery) (lines []string) {
		t.Helper()
		jobs, err := w.ListJobs(w.ctx, q)
		require.NoError(t, err)
		for _, j := range jobs {
			require.Equal(t, q.App, j.Subject.App)
			require.Equal(t, q.State, j.State)
			at := int(j.CreatedAt.Sub(start).Seconds())
			lines = append(lines, fmt.Sprintf("%s %s %d %s", j.Subject.User, j.Kind, at, j.Reason))
		}
		return lines
	}
	pending := []string{ben.User + " suggest 31 ", ann.User + " suggest 30 ", ben.User + " embed 21 ",
		ann.User + " embed 20 ", ben.User + " summarize 11 ", ann.User + " summarize 10 "}
	q := threads.JobQuery{App: ann.App, State: threads.JobPending}
	require.Equal(t, pending, list(q))
	q.Limit = 2
	for page := range 4 {
		require.Equal(t, pending[2*page:min(2*page+2, 6)], append([]string{}, list(q)...), "page %d", page)
		jobs, err := w.ListJobs(w.ctx, q)
		require.NoError(t, err)
		if len(jobs) > 0 {
			q.After = &threads.JobPlace{At: jobs[len(jobs)-1].CreatedAt, Seq: jobs[len(jobs)-1].Seq}
		}
	}
	require.Equal(t, []string{ben.User + " extract 31 why", ann.User + " extract 30 why"},
		list(threads.JobQuery{App: ann.App, State: threads.JobFailed}))
	require.Equal(t, []string{ann.User + " extract 30 why"},
		list(threads.JobQuery{App: ann.App, User: ann.User, State: threads.JobFailed}))
	require.Empty(t, list(threads.JobQuery{App: ann.App, User: "nobody", State: threads.JobPending}))
	require.Empty(t, list(threads.JobQuery{App: ann.App, State: threads.JobSkipped}))
	_, err = w.ListJobs(w.ctx, threads.JobQuery{App: "none", State: threads.JobPending})
	require.ErrorIs(t, err, threads.ErrNotFound)
}
