package server

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"ltm/server/conversation"
	"ltm/server/threads"
)

// The limits of files of users.
const (
	maxTransfers = 2 // at once
	transferTime = 10 * time.Minute
	maxChanges   = 1000
)

// fileMedia is the type of a file of a user.
const fileMedia = "application/x-ndjson"

func (s *Server) registerAppUsers() {
	handleWhole(s, route{Pattern: "GET /v1/changes", ID: "list-changes", Tag: "users of applications", Access: apps,
		Errors: []kind{kindInvalid, kindPurged}, Summary: "List what was put and deleted, the oldest first",
		Text: "Each change comes once to a client that continues with next. An empty page has a next, too, with " +
			"which to ask again later. To follow, first ask with after=now, then read what is there, then ask with " +
			"the next of that first answer. A change is listed until the server purges it, by default 30 days after " +
			"it happened: a cursor that is older than a purged change gets 410, and the client starts over. Without " +
			"after, the answer begins with the oldest change that is left."}, s.listChanges)
	handle(s, route{Pattern: "GET /v1/users/{user}/profile", ID: "get-profile", Tag: "users of applications",
		Access: apps, Errors: []kind{kindNotFound},
		Summary: "Return what holds of a user: who they are, and what they do"}, s.getProfile)
	handle(s, route{Pattern: "DELETE /v1/users/{user}", ID: "erase-user", Tag: "users of applications", Access: apps,
		Time: transferTime, Errors: []kind{kindNotFound},
		Summary: "Erase all that is kept of a user, for good"}, s.eraseUser)
	handleWhole(s, route{Pattern: "GET /v1/users/{user}/export", ID: "export-user", Tag: "users of applications",
		Access: apps, Time: transferTime, Media: []string{fileMedia}, Errors: []kind{kindNotFound},
		Summary: "Return all that is kept of a user, as one file"}, s.exportUser)
	handle(s, route{Pattern: "POST /v1/users/{user}/import", ID: "import-user", Tag: "users of applications",
		Access: apps, MaxBody: bodyImport, Stream: true, Time: transferTime,
		Errors:  []kind{kindNotFound, kindTaken, kindLarge, kindSlow},
		Summary: "Add what such a file has to a user"}, s.importUser)
	handleWhole(s, route{Pattern: "GET /v1/users", ID: "list-users", Tag: "users of applications", Access: apps,
		Errors: []kind{kindInvalid, kindForbidden}, Summary: "List the users that something is kept of, by name",
		Text: "Not with a user's token."}, s.listUsers)
	handleWhole(s, route{Pattern: "GET /v1/jobs", ID: "list-jobs", Tag: "users of applications", Access: apps,
		Errors: []kind{kindInvalid}, Summary: "List the side effects of changes in one state, the newest first",
		Text: "What has ended is there until a purge."}, s.listJobs)
}

type listChangesInput struct {
	After string     `query:"after" doc:"The next of the page before, or now. Default: from the oldest change that is left."`
	User  string     `query:"user_id" doc:"Only those of this user."`
	Limit clampParam `query:"limit" doc:"How many, from 1 to 1,000. Default: 100."`
}

type listChangesAnswer struct {
	Link string `header:"Link"`
	Body struct {
		Changes []changeEntry `json:"changes" nullable:"false"`
		Next    string        `json:"next" doc:"What to give as after to go on."`
	}
}

type changeEntry struct {
	User string `json:"user_id"`
	Kind string `json:"kind" enum:"thread,event,summary,claim,reaction,user"`
	ID   string `json:"id"`
	Op   string `json:"op" enum:"put,delete"`
	At   string `json:"at" format:"date-time"`
}

func (s *Server) listChanges(ctx context.Context, c *call, in *listChangesInput) (*listChangesAnswer, error) {
	who, err := s.caller(c, in.User)
	if err != nil {
		return nil, err
	}
	limit, err := in.Limit.clampTo(maxChanges, 2*defaultLimit)
	if err != nil {
		return nil, err
	}
	if len(in.After) > maxPlace {
		return nil, wrongCursor()
	}
	found, next, err := s.opts.Memory.Changes(ctx, who, in.After, limit)
	if errors.Is(err, threads.ErrPurged) {
		return nil, problem(kindPurged, "changes after this cursor were purged, so it cannot be followed any more: "+
			"ask with after=now, read everything again, and go on from the next of that answer")
	}
	if err != nil {
		return nil, err
	}
	var out listChangesAnswer
	out.Body.Changes, out.Body.Next = []changeEntry{}, next
	for _, e := range found {
		out.Body.Changes = append(out.Body.Changes, changeEntry{e.User, string(e.Kind), e.ID, e.Op, shownTime(e.At)})
	}
	if len(found) == limit {
		out.Link = s.next("/v1/changes", "after", next, map[string]string{"user_id": in.User,
			"limit": string(in.Limit)})
	}
	return &out, nil
}

type userInput struct {
	User string `path:"user" doc:"The user, as the application names them. With a user's token, they themselves."`
}

// onUser returns the user of a path. With a JWT, other users do not exist.
func (s *Server) onUser(c *call, in userInput) (threads.Subject, error) {
	if !isUser(in.User) || c.app.user != "" && c.app.user != in.User {
		return threads.Subject{}, problem(kindNotFound, "user not found")
	}
	c.about("user")
	return s.subject(c, in.User)
}

type profileInput struct {
	User string    `path:"user" doc:"The user, as the application names them. With a user's token, they themselves."`
	AsOf timeParam `query:"as_of" doc:"As if it were then, by what is known now."`
}

type profileAnswer struct {
	User    string         `json:"user_id"`
	Static  []profileEntry `json:"static" nullable:"false" doc:"What they are: constraints, style and profile first."`
	Dynamic []profileEntry `json:"dynamic" nullable:"false" doc:"What they are about, the newest first."`
}

type profileEntry struct {
	Slot  string     `json:"slot,omitempty" doc:"What it says, if its form is known: name, home, work, allergy …"`
	Value string     `json:"value,omitempty"`
	Since string     `json:"since" format:"date-time"`
	Claim claimEntry `json:"claim" doc:"With its evidence."`
}

func (s *Server) getProfile(ctx context.Context, c *call, in *profileInput) (*profileAnswer, error) {
	who, err := s.onUser(c, userInput{in.User})
	if err != nil {
		return nil, err
	}
	at, err := timeOf("as_of", string(in.AsOf))
	if err != nil {
		return nil, problem(kindRequest, "%s", err)
	}
	found, err := s.opts.Memory.Profile(ctx, who, at)
	return &profileAnswer{who.User, profileOf(who, found.Static), profileOf(who, found.Dynamic)}, err
}

func profileOf(who threads.Subject, claims []threads.Claim) []profileEntry {
	out := []profileEntry{}
	for _, c := range claims {
		e := profileEntry{Since: shownTime(c.Since()), Claim: claimOf(who, c)}
		for _, r := range conversation.ReadClaim(c.Text) {
			if r.Subject == "" && !r.Denied && !r.Ended {
				e.Slot, e.Value = string(r.Slot), r.Value
				break
			}
		}
		out = append(out, e)
	}
	return out
}

type eraseAnswer struct {
	User string           `json:"user_id"`
	OK   bool             `json:"ok"`
	Rows map[string]int64 `json:"rows" doc:"How many rows of which table went."`
}

func (s *Server) eraseUser(ctx context.Context, c *call, in *userInput) (*eraseAnswer, error) {
	who, err := s.onUser(c, *in)
	if err != nil {
		return nil, err
	}
	out := eraseAnswer{User: who.User, OK: true}
	if out.Rows, err = s.opts.Memory.EraseUser(ctx, who); out.Rows == nil {
		out.Rows = map[string]int64{}
	}
	return &out, err
}

// transfer reserves a place for an import or export, which take memory and time.
func (s *Server) transfer() (done func(), err error) {
	select {
	case s.imports <- struct{}{}:
		return func() { <-s.imports }, nil
	default:
		return nil, problem(kindBusy, "other files are being read or written; try again").retry(10 * time.Second)
	}
}

func (s *Server) exportUser(ctx context.Context, c *call, in *userInput) (*huma.StreamResponse, error) {
	who, err := s.onUser(c, *in)
	if err != nil {
		return nil, err
	}
	done, err := s.transfer()
	if err != nil {
		return nil, err
	}
	defer done()
	c.out.Header().Set("Content-Type", fileMedia)
	err = s.opts.Memory.Export(ctx, who, c.out)
	switch {
	case err != nil && c.out.wrote: // what was sent looks like a whole file unless the connection breaks
		c.failed(err)
		panic(http.ErrAbortHandler)
	case err != nil:
		return nil, err
	case !c.out.wrote:
		c.out.WriteHeader(http.StatusOK)
	}
	return answered(), nil
}

type importAnswer struct {
	User  string           `json:"user_id"`
	Added map[string]int64 `json:"added" doc:"How many rows of which kind are new."`
}

func (s *Server) importUser(ctx context.Context, c *call, in *userInput) (*importAnswer, error) {
	who, err := s.onUser(c, *in)
	if err != nil {
		return nil, err
	}
	done, err := s.transfer()
	if err != nil {
		return nil, err
	}
	defer done()
	body := &readFault{in: c.reader}
	added, err := s.opts.Memory.Import(ctx, who, body)
	var large *http.MaxBytesError
	switch {
	case errors.As(body.err, &large):
		return nil, problem(kindLarge, "the body has more than the %d bytes that are allowed here", large.Limit)
	case body.err != nil:
		return nil, problem(kindSlow, "the body stopped for more than %s, or broke off", s.opts.BodyTime)
	case err != nil:
		return nil, err
	}
	var out importAnswer
	if out.User, out.Added = who.User, added; added == nil {
		out.Added = map[string]int64{}
	}
	return &out, nil
}

// readFault remembers why a body could not be read, whatever its reader makes of it.
type readFault struct {
	in  io.Reader
	err error
}

// Read implements io.Reader.
func (r *readFault) Read(b []byte) (int, error) {
	n, err := r.in.Read(b)
	if err != nil && !errors.Is(err, io.EOF) {
		r.err = err
	}
	return n, err
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
		return nil, err
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
		return nil, err
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
