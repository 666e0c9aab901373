package server

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"ltm/internal/plural"
	"ltm/server/conversation"
	"ltm/server/threads"
)

// The pages for who operates an application. They show what its key gets from the interface, and decide on what is
// suggested, as it may.

// maxEvidence is how many events a page quotes.
const maxEvidence = 50

// appPage is what the page of an application shows.
type appPage struct {
	ID, Name, Created             string
	Retention                     string
	Active                        bool // what a model finds counts at once
	Fields                        []string
	KeyID, KeyName, Made, Expires string
	Users                         []userHead
	First, Next                   string
}

// userHead begins the pages of a user of an application.
type userHead struct {
	User string
	Here string // the name of the page
	threads.Counts
}

// profilePage is what the page of a user's profile shows.
type profilePage struct {
	userHead
	Name   string // that they gave themselves
	Groups []profileGroup
}

// profileGroup is a part of a profile.
type profileGroup struct {
	ID, Title string
	Entries   []profileEntry
}

// userPage is what the page of the claims about a user shows.
type userPage struct {
	userHead
	Buckets, States []string
	Bucket, State   string
	List            []claimEntry
	First, Next     string
}

// claimPage is what the page of a claim shows.
type claimPage struct {
	User     string
	Claim    claimEntry
	Evidence []evidenceShown
	More     int // evidence that is not quoted
	Acts     []actEntry
}

// evidenceShown is evidence with the text of its event.
type evidenceShown struct {
	evidenceEntry
	Role, Text string
	Gone       bool // the event is deleted
}

// threadsPage is what the page of a user's threads shows.
type threadsPage struct {
	userHead
	List        []threadEntry
	First, Next string
}

// threadPage is what the page of a thread shows.
type threadPage struct {
	User, ID, Title string
	Created         string
	Core            bool
	Summaries       []summaryEntry // the newest first
	Events          []eventEntry
	First, Next     string
}

// summaryPage is what the page of a summary shows: it, and what it was made of.
type summaryPage struct {
	User, Thread, Title string
	Summary             summaryEntry
	Events              []eventEntry
	More                bool // there are more events
}

// jobsPage is what the page of jobs shows.
type jobsPage struct {
	User, State string
	States      []string
	Jobs        []jobEntry
	First, Next string
}

func (s *Server) uiApps() []screen {
	user := []string{"user", "cursor"}
	decide := map[string]action{"confirm": s.uiDecide(conversation.Confirms, "confirmed"),
		"reject": s.uiDecide(conversation.Rejects, "rejected")}
	return []screen{
		{name: "app", who: operators, query: []string{"cursor"}, show: s.uiAppPage},
		{name: "user", who: operators, query: append([]string{"bucket", "state"}, user...), show: s.uiUserPage,
			do: decide},
		{name: "profile", who: operators, query: []string{"user"}, show: s.uiProfilePage},
		{name: "claim", who: operators, query: []string{"user", "id"}, show: s.uiClaimPage, do: decide},
		{name: "threads", who: operators, query: user, show: s.uiThreadsPage},
		{name: "thread", who: operators, query: append([]string{"id"}, user...), show: s.uiThreadPage},
		{name: "summary", who: operators, query: []string{"user", "thread", "id"}, show: s.uiSummaryPage},
		{name: "jobs", who: operators, query: append([]string{"state"}, user...), show: s.uiJobsPage},
	}
}

// uiDecide returns what confirms or rejects the claim that a form names.
func (s *Server) uiDecide(verb conversation.Verb, done string) action {
	return func(ctx context.Context, c *call, q, form fields) (outcome, error) {
		id, ok := uuid(form["id"])
		if !ok {
			return outcome{}, problem(kindNotFound, "claim not found")
		}
		_, err := s.doAct(ctx, c, ActBody{User: q["user"]}, "", threads.ClaimAct{Verb: verb, Claim: id})
		return outcome{done: done}, err
	}
}

// headOf begins a page of a user.
func (s *Server) headOf(ctx context.Context, c *call, user, here string) (userHead, error) {
	who, err := s.subject(c, user)
	if err != nil {
		return userHead{}, err
	}
	counts, err := s.opts.Memory.Counts(ctx, who)
	return userHead{who.User, here, counts}, err
}

func (s *Server) uiProfilePage(ctx context.Context, c *call, q fields) (*view, error) {
	head, err := s.headOf(ctx, c, q["user"], "profile")
	if err != nil {
		return nil, err
	}
	found, err := s.getProfile(ctx, c, &profileInput{User: head.User})
	if err != nil {
		return nil, err
	}
	page := profilePage{userHead: head, Groups: []profileGroup{{"static", "Who they are", found.Static},
		{"dynamic", "What they are about", found.Dynamic}}}
	for _, e := range found.Static {
		if e.Slot == string(conversation.Name) && page.Name == "" {
			page.Name = e.Value
		}
	}
	return &view{Title: "Profile of " + clip(page.User), Section: "app", Body: "profile", Data: page}, nil
}

// around returns the addresses of the first page, unless this is it, and of the next one, if there is one.
func around(name, cursor, next string, pairs ...string) (first, after string) {
	if cursor != "" {
		first = link(name, pairs...)
	}
	if next != "" {
		after = link(name, append([]string{"cursor", next}, pairs...)...)
	}
	return first, after
}

// shownLength returns a length of time as people read it.
func shownLength(d time.Duration) string {
	const day = 24 * time.Hour
	if d >= day && d%day == 0 {
		return plural.Of(int(d/day), "day", "days")
	}
	return d.String()
}

func (s *Server) uiAppPage(ctx context.Context, c *call, q fields) (*view, error) {
	users, err := s.listUsers(ctx, c, &listUsersInput{Limit: uiLimit, Cursor: q["cursor"]})
	if err != nil {
		return nil, err
	}
	app, key := c.app.app, c.app.key
	page := appPage{ID: app.ID, Name: app.Name, Created: shownTime(app.CreatedAt),
		Active: app.Settings.ActiveExtraction, Fields: slices.Sorted(maps.Keys(app.Settings.Fields)),
		KeyID: key.ID, KeyName: key.Name,
		Made: shownTime(key.CreatedAt), Expires: shownTime(key.ExpiresAt)}
	for _, user := range users.Body.Users {
		head, err := s.headOf(ctx, c, user, "")
		if err != nil {
			return nil, err
		}
		page.Users = append(page.Users, head)
	}
	if app.Settings.Retention > 0 {
		page.Retention = shownLength(app.Settings.Retention)
	}
	page.First, page.Next = around("app", q["cursor"], users.Body.Next)
	return &view{Title: "Application " + app.Name, Section: "app", Body: "app", Data: page}, nil
}

func (s *Server) uiUserPage(ctx context.Context, c *call, q fields) (*view, error) {
	found, err := s.listClaims(ctx, c, &listClaimsInput{User: q["user"], Bucket: q["bucket"], State: q["state"],
		Limit: uiLimit, Cursor: q["cursor"]})
	if err != nil {
		return nil, err
	}
	head, err := s.headOf(ctx, c, q["user"], "user")
	if err != nil {
		return nil, err
	}
	page := userPage{userHead: head, Bucket: q["bucket"], State: q["state"], List: found.Body.Claims}
	for _, b := range conversation.Buckets() {
		page.Buckets = append(page.Buckets, string(b))
	}
	for _, st := range conversation.States() {
		page.States = append(page.States, string(st))
	}
	page.First, page.Next = around("user", q["cursor"], found.Body.Next, "user", q["user"], "bucket", q["bucket"],
		"state", q["state"])
	return &view{Title: "User " + clip(page.User), Section: "app", Body: "user", Data: page}, nil
}

func (s *Server) uiClaimPage(ctx context.Context, c *call, q fields) (*view, error) {
	in := &claimInput{ID: q["id"], User: q["user"]}
	found, err := s.getClaim(ctx, c, in)
	if err != nil {
		return nil, err
	}
	history, err := s.claimHistory(ctx, c, in)
	if err != nil {
		return nil, err
	}
	page := claimPage{User: q["user"], Claim: found.Claim, Acts: history.Acts}
	quoted := page.Claim.Evidence[:min(len(page.Claim.Evidence), maxEvidence)]
	page.More = len(page.Claim.Evidence) - len(quoted)
	for _, e := range quoted {
		shown := evidenceShown{evidenceEntry: e}
		if e.Event != "" {
			if err := s.quote(ctx, c, q["user"], &shown); err != nil {
				return nil, err
			}
		}
		page.Evidence = append(page.Evidence, shown)
	}
	return &view{Title: "Claim", Section: "app", Body: "claim", Data: page}, nil
}

// quote adds the text of evidence.
func (s *Server) quote(ctx context.Context, c *call, user string, e *evidenceShown) error {
	who := threads.Caller{App: c.app.app.ID, User: user}
	event, err := s.opts.Memory.Event(ctx, who, e.Thread, e.Event)
	if errors.Is(err, threads.ErrNotFound) {
		e.Gone = true
		return nil
	}
	e.Role, e.Text = string(event.Role), event.Text
	return err
}

func (s *Server) uiThreadsPage(ctx context.Context, c *call, q fields) (*view, error) {
	found, err := s.listThreads(ctx, c, &listThreadsInput{User: q["user"], Limit: uiLimit, Cursor: q["cursor"]})
	if err != nil {
		return nil, err
	}
	head, err := s.headOf(ctx, c, q["user"], "threads")
	if err != nil {
		return nil, err
	}
	page := threadsPage{userHead: head, List: found.Body.Threads}
	page.First, page.Next = around("threads", q["cursor"], found.Body.Next, "user", q["user"])
	return &view{Title: "Conversations of " + clip(page.User), Section: "app", Body: "threads", Data: page}, nil
}

// threadOf returns a thread of the user that an address names.
func (s *Server) threadOf(ctx context.Context, c *call, user, given string) (threads.Thread, error) {
	if user == "" {
		return threads.Thread{}, problem(kindRequest, "user is missing")
	}
	who, id, err := s.onThread(ctx, c, threadInput{given, user})
	if err != nil {
		return threads.Thread{}, err
	}
	t, _, err := s.opts.Memory.Thread(ctx, who, id)
	return t, err
}

func (s *Server) uiThreadPage(ctx context.Context, c *call, q fields) (*view, error) {
	t, err := s.threadOf(ctx, c, q["user"], q["id"])
	if err != nil {
		return nil, err
	}
	summaries, err := s.listSummaries(ctx, c, &threadInput{t.ID, q["user"]})
	if err != nil {
		return nil, err
	}
	events, err := s.listEvents(ctx, c, &listEventsInput{Thread: t.ID, User: q["user"], Limit: uiLimit,
		Cursor: q["cursor"], Detail: "true"})
	if err != nil {
		return nil, err
	}
	slices.Reverse(summaries.Summaries)
	page := threadPage{User: q["user"], ID: t.ID, Title: t.Title, Created: shownTime(t.CreatedAt),
		Core: !t.CoreAt.IsZero(), Summaries: summaries.Summaries, Events: events.Body.Messages}
	page.First, page.Next = around("thread", q["cursor"], events.Body.Next, "user", q["user"], "id", t.ID)
	return &view{Title: "Conversation", Section: "app", Body: "thread", Data: page}, nil
}

func (s *Server) uiSummaryPage(ctx context.Context, c *call, q fields) (*view, error) {
	t, err := s.threadOf(ctx, c, q["user"], q["thread"])
	if err != nil {
		return nil, err
	}
	summaries, err := s.listSummaries(ctx, c, &threadInput{t.ID, q["user"]})
	if err != nil {
		return nil, err
	}
	all := summaries.Summaries
	at := slices.IndexFunc(all, func(e summaryEntry) bool { return e.ID == q["id"] })
	if at < 0 {
		return nil, problem(kindNotFound, "summary not found")
	}
	page := summaryPage{User: q["user"], Thread: t.ID, Title: t.Title, Summary: all[at]}
	if err := s.episode(ctx, c, &page); err != nil {
		return nil, err
	}
	return &view{Title: "Summary", Section: "app", Body: "summary", Data: page}, nil
}

// episode adds the events from the first to the last one that a summary covers. If one of these is deleted, there are
// none.
func (s *Server) episode(ctx context.Context, c *call, page *summaryPage) error {
	who := threads.Caller{App: c.app.app.ID, User: page.User}
	var ends [2]int64
	for i, id := range []string{page.Summary.From, page.Summary.To} {
		e, err := s.opts.Memory.Event(ctx, who, page.Thread, id)
		if errors.Is(err, threads.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		ends[i] = e.Seq
	}
	events, err := s.opts.Memory.ListEvents(ctx, who, threads.EventQuery{Thread: page.Thread, After: ends[0] - 1,
		Before: ends[1] + 1, Limit: maxEvidence + 1})
	if err != nil {
		return err
	}
	if page.More = len(events) > maxEvidence; page.More {
		events = events[:maxEvidence]
	}
	for _, e := range events {
		page.Events = append(page.Events, eventOf(e, "", true))
	}
	return nil
}

func (s *Server) uiJobsPage(ctx context.Context, c *call, q fields) (*view, error) {
	state := cmp.Or(q["state"], string(threads.JobPending))
	found, err := s.listJobs(ctx, c, &listJobsInput{User: q["user"], State: state, Limit: uiLimit,
		Cursor: q["cursor"]})
	if err != nil {
		return nil, err
	}
	page := jobsPage{User: q["user"], State: state, Jobs: found.Body.Jobs}
	for _, st := range threads.JobStates() {
		page.States = append(page.States, string(st))
	}
	page.First, page.Next = around("jobs", q["cursor"], found.Body.Next, "user", q["user"], "state", state)
	return &view{Title: "Jobs", Section: "jobs", Body: "jobs", Data: page}, nil
}
