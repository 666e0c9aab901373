package server

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strconv"

	"ltm/server/threads"
)

func (s *Server) registerAppJobs() {
	handleWhole(s, route{Method: http.MethodGet, Path: "/v1/users", ID: "list-users", Tag: "users of applications",
		Access: apps, Summary: "List the users that something is kept of, by name",
		Text:   "Not with a user's token.",
		Errors: []kind{kindInvalid, kindForbidden}}, s.listUsers)
	handleWhole(s, route{Method: http.MethodGet, Path: "/v1/jobs", ID: "list-jobs", Tag: "users of applications",
		Access: apps, Summary: "List the side effects of changes in one state, the newest first",
		Text:   "What has ended is there until a purge.",
		Errors: []kind{kindInvalid}}, s.listJobs)
}

type listUsersInput struct {
	Limit  clampParam `query:"limit" doc:"How many, from 1 to 200. Default: 50."`
	Cursor string     `query:"cursor" doc:"Where the page before ended: its next."`
}

type listUsersAnswer struct {
	Link string `header:"Link"`
	Body struct {
		Users []string `json:"users" nullable:"false"`
		Next  string   `json:"next,omitempty" doc:"The cursor of the next page. Absent: this is the last."`
	}
}

func (s *Server) listUsers(ctx context.Context, c *call, in *listUsersInput) (*listUsersAnswer, error) {
	if c.app.user != "" {
		return nil, problem(kindForbidden, "a user's token does not list users")
	}
	p, err := pageAsked(in.Limit, defaultLimit, in.Cursor, "users", c.app.app.ID)
	if err != nil {
		return nil, err
	}
	found, err := s.opts.Memory.Users(ctx, c.app.app.ID, p.place, p.limit+1)
	if err != nil {
		return nil, refuse(err, nil)
	}
	var out listUsersAnswer
	found, out.Body.Next = cut(p, found, func(user string) string { return user })
	out.Body.Users = append([]string{}, found...)
	out.Link = s.next("/v1/users", "cursor", out.Body.Next, map[string]string{"limit": string(in.Limit)})
	return &out, nil
}

type listJobsInput struct {
	User   string     `query:"user_id" doc:"Only those of this user."`
	State  string     `query:"state" doc:"pending, done, skipped or failed. Default: pending."`
	Limit  clampParam `query:"limit" doc:"How many, from 1 to 200. Default: 50."`
	Cursor string     `query:"cursor" doc:"Where the page before ended: its next."`
}

type listJobsAnswer struct {
	Link string `header:"Link"`
	Body struct {
		Jobs []jobEntry `json:"jobs" nullable:"false"`
		Next string     `json:"next,omitempty" doc:"The cursor of the next page. Absent: this is the last."`
	}
}

type jobEntry struct {
	User      string `json:"user_id"`
	Kind      string `json:"kind" enum:"suggest,extract,summarize,embed"`
	Thread    string `json:"thread_id,omitempty"`
	OfKind    string `json:"of" doc:"What it is about: an event, a summary, a claim or a thread."`
	OfID      string `json:"of_id"`
	Event     string `json:"event_id,omitempty" doc:"The event that set it off."`
	State     string `json:"state" enum:"pending,done,skipped,failed"`
	Attempts  int    `json:"attempts"`
	Reason    string `json:"reason,omitempty" doc:"Why it was skipped, failed, or waits again."`
	CreatedAt string `json:"created_at" format:"date-time"`
	RunAt     string `json:"run_at" format:"date-time" doc:"Not before."`
	DoneAt    string `json:"done_at,omitempty" format:"date-time"`
}

func (s *Server) listJobs(ctx context.Context, c *call, in *listJobsInput) (*listJobsAnswer, error) {
	who, err := s.caller(c, in.User)
	if err != nil {
		return nil, err
	}
	q := threads.JobQuery{State: threads.JobState(cmp.Or(in.State, string(threads.JobPending)))}
	if !slices.Contains(threads.JobStates(), q.State) {
		return nil, problem(kindRequest, "state must be one of %s", joined(threads.JobStates()))
	}
	p, err := pageAsked(in.Limit, defaultLimit, in.Cursor, "jobs", who.App, who.User, string(q.State))
	if err != nil {
		return nil, err
	}
	q.Limit = p.limit + 1
	if at, seq, ok := readTimePlace(p.place); ok { // it is ours
		n, _ := strconv.ParseInt(seq, 10, 64)
		q.After = &threads.JobPlace{At: at, Seq: n}
	}
	found, err := s.opts.Memory.ListJobs(ctx, who, q)
	if err != nil {
		return nil, refuse(err, nil)
	}
	var out listJobsAnswer
	out.Body.Jobs = []jobEntry{}
	found, out.Body.Next = cut(p, found, func(j threads.Job) string {
		return timePlace(j.CreatedAt, strconv.FormatInt(j.Seq, 10))
	})
	out.Link = s.next("/v1/jobs", "cursor", out.Body.Next, map[string]string{"user_id": in.User, "state": in.State,
		"limit": string(in.Limit)})
	for _, j := range found {
		out.Body.Jobs = append(out.Body.Jobs, jobEntry{j.Subject.User, string(j.Kind), j.Thread, string(j.Of.Kind),
			j.Of.ID, j.Cause, string(j.State), j.Attempts, j.Reason, shownTime(j.CreatedAt), shownTime(j.RunAt),
			shownTime(j.DoneAt)})
	}
	return &out, nil
}
