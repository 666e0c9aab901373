package sqlstore

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"ltm/server/threads"
)

// jobStates are the states of jobs by their numbers in the database.
var jobStates = [...]threads.JobState{threads.JobPending, threads.JobDone, threads.JobSkipped, threads.JobFailed}

// numberOf returns the number of a state.
func numberOf(s threads.JobState) int { return max(slices.Index(jobStates[:], s), 0) }

// jobState is a destination for a state.
func jobState(to *threads.JobState) scanner {
	return func(src any) error {
		if n, _ := src.(int64); n >= 0 && n < int64(len(jobStates)) {
			*to = jobStates[n]
		}
		return nil
	}
}

// jobColumns is what jobInto reads.
const jobColumns = "j.seq, a.id, s.name, j.kind, j.thread, j.of_kind, j.of_id, j.cause, j.state, j.attempts, " +
	"j.reason, j.created, j.run_at, j.done, j.lease, j.leased_to"

func jobInto(j *threads.Job) []any {
	return []any{&j.Seq, &j.Subject.App, &j.Subject.User, &j.Kind, &j.Thread, &j.Of.Kind, &j.Of.ID, &j.Cause,
		jobState(&j.State), &j.Attempts, &j.Reason, instant(&j.CreatedAt), instant(&j.RunAt), instant(&j.DoneAt),
		&j.Lease, instant(&j.LeasedTo)}
}

// jobsFrom is where jobColumns are.
const jobsFrom = " FROM jobs j JOIN subjects s ON s.seq = j.subject JOIN apps a ON a.seq = j.app "

// Jobs implements [threads.View].
func (m *memory) Jobs(cause string) ([]threads.Job, error) {
	return collect(m.tx, "SELECT "+jobColumns+jobsFrom+"WHERE j.subject = $1 AND j.cause = $2 ORDER BY j.seq",
		[]any{m.subject, cause}, jobInto)
}

// PendingJobs implements [threads.View].
func (m *memory) PendingJobs(of threads.Ref) ([]threads.Job, error) {
	return collect(m.tx, "SELECT "+jobColumns+jobsFrom+
		"WHERE j.subject = $1 AND j.of_kind = $2 AND j.of_id = $3 AND j."+pending+" ORDER BY j.seq",
		[]any{m.subject, string(of.Kind), of.ID}, jobInto)
}

// AddJob implements [threads.Tx].
func (m *memory) AddJob(j threads.Job) error {
	if err := bounded(j.Thread, j.Of.ID, j.Cause); err != nil {
		return err
	}
	n, err := m.exec(m.s.inserts.job, m.app, m.subject, string(j.Kind), j.Thread, string(j.Of.Kind), j.Of.ID, j.Cause,
		numberOf(j.State), j.Attempts, j.Reason, stamp(j.CreatedAt), stamp(j.RunAt), j.DoneAt, "", nil)
	m.put = m.put || n > 0
	return err
}

// pending is the condition on jobs of a subject that wait or run. It is not "state = 0", which planners take for the
// index of all such jobs: it has those of all users, and many more as soon as work is behind.
const pending = "state < 1"

// FinishJob implements [threads.Tx].
func (m *memory) FinishJob(j threads.Job) error {
	err := m.finish(j)
	if err != nil && m.lost == nil {
		m.lost = err
	}
	return err
}

// finish ends a job that is leased.
func (t *tx) finish(j threads.Job) error {
	state := numberOf(j.State)
	if state > 0 && j.DoneAt.IsZero() {
		j.DoneAt = time.Now()
	}
	if state == 0 {
		j.DoneAt = time.Time{}
	}
	n, err := t.exec(`UPDATE jobs SET state = $1, attempts = $2, reason = $3, run_at = $4, done = $5, lease = $6,
		leased_to = NULL WHERE seq = $7 AND lease = $8 AND leased_to IS NOT NULL AND state = 0`, state, j.Attempts,
		j.Reason, stamp(j.RunAt), j.DoneAt, "", j.Seq, j.Lease)
	if err == nil && n == 0 {
		err = threads.ErrLost
	}
	return err
}

// Renew implements [threads.Jobs].
func (s *Threads) Renew(ctx context.Context, jobs []threads.Job, until time.Time) error {
	return s.s.writeAll(ctx, func(t *tx) error {
		for _, j := range jobs {
			_, err := t.exec(`UPDATE jobs SET leased_to = $1 WHERE seq = $2 AND lease = $3 AND leased_to IS NOT NULL
				AND state = 0`, stamp(until), j.Seq, j.Lease)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// Finish implements [threads.Jobs].
func (s *Threads) Finish(ctx context.Context, j threads.Job) error {
	return s.s.writeAll(ctx, func(t *tx) error { return t.finish(j) })
}

// Lease implements [threads.Jobs].
func (s *Threads) Lease(
	ctx context.Context, lease string, kinds []threads.JobKind, n int, now, until time.Time,
) ([]threads.Job, error) {
	if len(kinds) == 0 {
		kinds = threads.JobKinds()
	}
	if s.s.words.lock == "" { // there is one writer, which a look should not keep
		if some, err := s.anyWaiting(ctx, kinds, n, now); err != nil || !some {
			return nil, err
		}
	}
	return in(ctx, s.s.writeAll, func(t *tx) (jobs []threads.Job, err error) {
		if t.s.words.queue != "" {
			if _, err := t.exec(t.s.words.queue); err != nil {
				return nil, err
			}
		}
		var waiting []threads.Job
		for _, kind := range kinds {
			some, err := t.waiting(kind, n, now)
			if err != nil {
				return nil, err
			}
			waiting = append(waiting, some...)
		}
		slices.SortFunc(waiting, func(a, b threads.Job) int {
			return cmp.Or(a.RunAt.Compare(b.RunAt), cmp.Compare(a.Seq, b.Seq))
		})
		for _, j := range waiting[:min(max(n, 0), len(waiting))] {
			j.Lease, j.LeasedTo, j.Attempts = lease, micros(until), j.Attempts+1
			err := t.must("UPDATE jobs SET lease = $1, leased_to = $2, attempts = $3 WHERE seq = $4",
				lease, until, j.Attempts, j.Seq)
			if err != nil {
				return nil, err
			}
			jobs = append(jobs, j)
		}
		return jobs, nil
	})
}

// anyWaiting reports whether there are jobs that may be handed out.
func (s *Threads) anyWaiting(ctx context.Context, kinds []threads.JobKind, n int, now time.Time) (bool, error) {
	return in(ctx, s.s.readAll, func(t *tx) (bool, error) {
		for _, kind := range kinds {
			if jobs, err := t.waiting(kind, min(n, 1), now); err != nil || len(jobs) > 0 {
				return len(jobs) > 0, err
			}
		}
		return false, nil
	})
}

// waiting returns jobs of a kind that may be handed out, the longest waiting first.
func (t *tx) waiting(kind threads.JobKind, n int, now time.Time) ([]threads.Job, error) {
	query := "SELECT " + jobColumns + jobsFrom + `WHERE j.kind = $1 AND j.state = 0 AND j.run_at <= $2
		AND (j.leased_to IS NULL OR j.leased_to <= $2) AND COALESCE(a.deleted, 0) = 0`
	if kind == threads.JobSummarize { // not NOT EXISTS, which may be planned as a look at all jobs of the kind
		query += ` AND (SELECT count(*) FROM jobs o WHERE o.subject = j.subject AND o.thread = j.thread
			AND o.kind = j.kind AND o.` + pending + ` AND o.leased_to > $2) = 0`
	}
	jobs, err := collect(t, query+" ORDER BY j.run_at, j.seq LIMIT $3"+t.s.words.skip,
		[]any{string(kind), stamp(now), max(n, 0)}, jobInto)
	if kind != threads.JobSummarize {
		return jobs, err
	}
	type thread struct {
		of threads.Subject
		id string
	}
	taken := map[thread]bool{}
	return slices.DeleteFunc(jobs, func(j threads.Job) bool {
		of := thread{j.Subject, j.Thread}
		again := taken[of]
		taken[of] = true
		return again
	}), err
}

// ListJobs implements [threads.Jobs]. Of all users, it goes through the jobs of each kind in the order of their index,
// past those of other applications, until the page is full.
func (s *Threads) ListJobs(ctx context.Context, q threads.JobQuery) ([]threads.Job, error) {
	place := threads.JobPlace{At: time.UnixMicro(math.MaxInt64).UTC(), Seq: math.MaxInt64}
	if q.After != nil {
		place = *q.After
	}
	jobs, err := in(ctx, s.s.read, func(t *tx) (jobs []threads.Job, err error) {
		app, err := t.app(q.App)
		for _, kind := range threads.JobKinds() {
			if err == nil {
				var some []threads.Job
				some, err = t.listJobs(app, kind, place, q)
				jobs = append(jobs, some...)
			}
		}
		return jobs, err
	})
	slices.SortFunc(jobs, func(a, b threads.Job) int {
		return -cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.Seq, b.Seq))
	})
	return jobs[:min(int64(len(jobs)), most(q.Limit))], err
}

// listJobs returns jobs of one kind before a place.
func (t *tx) listJobs(app int64, kind threads.JobKind, place threads.JobPlace, q threads.JobQuery) ([]threads.Job,
	error) {
	query := "SELECT " + jobColumns + jobsFrom + `WHERE j.state = $1 AND j.kind = $2 AND j.app = $3
		AND (j.created, j.seq) < ($4, $5)`
	args := []any{numberOf(q.State), string(kind), app, stamp(place.At), place.Seq, most(q.Limit)}
	if q.User != "" {
		query += " AND j.subject = (SELECT u.seq FROM subjects u WHERE u.app = $3 AND u.name = $7)"
		args = append(args, q.User)
	}
	return collect(t, query+" ORDER BY j.created DESC, j.seq DESC LIMIT $6", args, jobInto)
}

// JobTotals implements [threads.Jobs].
func (s *Threads) JobTotals(
	ctx context.Context,
) (counts map[threads.JobState]map[threads.JobKind]int64, oldest time.Time, err error) {
	err = s.s.readAll(ctx, func(t *tx) error {
		counts, oldest = map[threads.JobState]map[threads.JobKind]int64{}, time.Time{}
		err := t.each("SELECT state, kind, count(*) FROM jobs GROUP BY state, kind", nil,
			func(scan func(...any) error) error {
				var state threads.JobState
				var kind threads.JobKind
				var n int64
				err := scan(jobState(&state), &kind, &n)
				if counts[state] == nil {
					counts[state] = map[threads.JobKind]int64{}
				}
				counts[state][kind] = n
				return err
			})
		if err != nil {
			return err
		}
		return t.get("SELECT min(created) FROM jobs WHERE state = 0", nil, instant(&oldest))
	})
	return counts, oldest, err
}
