package threads_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/server/provider"
	"ltm/server/threads"
)

// TestAfterFailure checks what becomes of a job, by the failure and its attempts so far.
func TestAfterFailure(t *testing.T) {
	made := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	fails := func(k provider.Kind, retry time.Duration) error {
		return &provider.Error{Kind: k, Message: "said so", RetryAfter: retry}
	}
	const pending, failed, skipped = threads.JobPending, threads.JobFailed, threads.JobSkipped
	for _, c := range []struct {
		name     string
		err      error
		attempts int
		since    time.Duration // the job was made
		state    threads.JobState
		wait     time.Duration
	}{
		{"failed once", fails(provider.Failed, 0), 1, 0, pending, 2 * time.Second},
		{"failed twice", fails(provider.Failed, 0), 2, 3 * time.Second, pending, 6 * time.Second},
		{"unreachable three times", fails(provider.Unreachable, 0), 3, 10 * time.Second, pending, 18 * time.Second},
		{"timed out four times", fails(provider.TimedOut, 0), 4, 40 * time.Second, failed, 0},
		{"not within a minute", fails(provider.TimedOut, 0), 3, 40 * time.Second, failed, 0},
		{"once more for an old job", fails(provider.TimedOut, 0), 1, time.Hour, pending, 2 * time.Second},
		{"refused", fails(provider.Refused, 0), 1, 0, failed, 0},
		{"redirected", fails(provider.Redirected, 0), 1, 0, failed, 0},
		{"too large", fails(provider.TooLarge, 0), 1, 0, failed, 0},
		{"bad input", fails(provider.BadInput, 0), 1, 0, failed, 0},
		{"bad answer", fails(provider.BadAnswer, 0), 1, 0, pending, 2 * time.Second},
		{"bad answer again", fails(provider.BadAnswer, 0), 2, 0, failed, 0},
		{"used up", fails(provider.UsedUp, time.Hour), 1, 0, skipped, 0},
		{"circuit open", fails(provider.CircuitOpen, 30*time.Second), 1, 0, pending, 30 * time.Second},
		{"circuit open for long", fails(provider.CircuitOpen, time.Minute), 2, 30 * time.Second, failed, 0},
		{"Retry-After is taken over", fails(provider.RateLimited, time.Hour), 1, 0, pending, time.Hour},
		{"again after it", fails(provider.RateLimited, time.Hour), 2, time.Hour, pending, time.Hour},
		{"not for ever", fails(provider.RateLimited, time.Hour), 12, 11 * time.Hour, failed, 0},
		{"rate limited", fails(provider.RateLimited, 0), 1, 0, pending, 2 * time.Second},
		{"no quota", &provider.Error{Kind: provider.RateLimited, Code: "insufficient_quota"}, 1, 0, failed, 0},
		{"the server stops", fails(provider.Canceled, 0), 5, time.Hour, pending, 0},
		{"another error", errors.New("secret text"), 1, 0, failed, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			now := made.Add(c.since)
			job := threads.Job{State: pending, Attempts: c.attempts, CreatedAt: made, RunAt: made}
			got := threads.AfterFailure(job, c.err, now)
			require.Equal(t, c.state, got.State)
			require.NotEmpty(t, got.Reason)
			require.NotContains(t, got.Reason, "secret")
			if c.state == pending {
				require.Equal(t, now.Add(c.wait), got.RunAt)
				require.Zero(t, got.DoneAt)
				return
			}
			require.Equal(t, now, got.DoneAt)
		})
	}
}

// TestJobsEndWithinAMinute plays every failure that has no time of its own until the job ends.
func TestJobsEndWithinAMinute(t *testing.T) {
	made := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for _, kind := range []provider.Kind{provider.CircuitOpen, provider.TimedOut, provider.Unreachable,
		provider.RateLimited, provider.Refused, provider.Failed, provider.BadAnswer} {
		for seq := range int64(100) {
			for _, open := range []time.Duration{0, time.Second, 20 * time.Second, 44 * time.Second} {
				failure := &provider.Error{Kind: kind}
				if kind == provider.CircuitOpen {
					failure.RetryAfter = open
				}
				job := threads.Job{Seq: seq, State: threads.JobPending, CreatedAt: made, RunAt: made}
				for job.State == threads.JobPending {
					job.Attempts++
					job = threads.AfterFailure(job, failure, job.RunAt)
				}
				require.LessOrEqual(t, job.DoneAt.Sub(made), time.Minute, "%s %d %s", kind, seq, open)
			}
		}
	}
}
