package server

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"ltm/server/threads"
)

// registerMemory registers the routes of applications. Those of the reference implementation, CortexLTM, have its
// paths, bodies, answers and statuses.
func (s *Server) registerMemory() {
	s.registerThreads()
	s.registerEvents()
	s.registerChat()
	s.registerRetrieval()
	s.registerClaims()
	s.registerActs()
	s.registerAppUsers()
}

func (s *Server) registerThreads() {
	handle(s, route{Pattern: "GET /health", ID: "app-health", Tag: "server", Access: open,
		Summary: "Report that the server runs, as CortexLTM does"}, s.appHealth)
	handleWhole(s, route{Pattern: "POST /v1/threads", ID: "create-thread", Tag: "threads", Access: apps, Once: true,
		MaxBody: bodyThread, Body: threadBody{}, Errors: []kind{kindTaken},
		Summary: "Start a thread, which is one conversation of one user"}, s.createThread)
	handleWhole(s, route{Pattern: "GET /v1/threads", ID: "list-threads", Tag: "threads", Access: apps,
		Errors: []kind{kindInvalid}, Summary: "List the threads of a user, the newest first"}, s.listThreads)
	handle(s, route{Pattern: "PATCH /v1/threads/{t}", ID: "rename-thread", Tag: "threads", Access: apps,
		MaxBody: bodyThread, Body: titleBody{}, Errors: []kind{kindNotFound},
		Summary: "Change the title of a thread"}, s.renameThread)
	handle(s, route{Pattern: "DELETE /v1/threads/{t}", ID: "delete-thread", Tag: "threads", Access: apps,
		MaxBody: bodyThread, Body: likeBody{}, Maybe: true, Errors: []kind{kindNotFound},
		Summary: "Delete a thread with all that follows from it alone",
		Text: "The answer is the same for a thread that does not exist and one that is not the " +
			"user's."}, s.deleteThread)
	handle(s, route{Pattern: "POST /v1/threads/{t}/promote-core-memory", ID: "promote-thread", Tag: "threads",
		Access: apps, MaxBody: bodyThread, Body: likeBody{}, Maybe: true, Errors: []kind{kindNotFound},
		Summary: "Mark a thread as core memory, and summarize what has not been yet",
		Text:    "The summary in the answer is as the route for a thread's summary returns it."}, s.promoteThread)
	handle(s, route{Pattern: "GET /v1/threads/{t}/summary", ID: "get-summary", Tag: "threads", Access: apps,
		Errors: []kind{kindNotFound}, Summary: "Return the summary of a thread's latest episode; null without one",
		Text: "Without the sentences that state claims which do not hold now, as in a context."}, s.getSummary)
	handle(s, route{Pattern: "GET /v1/threads/{t}/summaries", ID: "list-summaries", Tag: "threads", Access: apps,
		Errors:  []kind{kindNotFound},
		Summary: "List the summaries of a thread's episodes as they were written, the oldest first"}, s.listSummaries)
}

type appHealthAnswer struct {
	Status string `json:"status"`
}

func (s *Server) appHealth(context.Context, *call, *struct{}) (*appHealthAnswer, error) {
	return &appHealthAnswer{Status: "ok"}, nil
}

type threadBody struct {
	User  string          `json:"user_id,omitempty" doc:"Whose thread it is. Required, but with a user's token, whose user it is then."`
	Title *string         `json:"title,omitempty" maxLength:"1000"`
	ID    string          `json:"id,omitempty" format:"uuid" doc:"The thread's id. Default: the server makes one."`
	Agent string          `json:"agent,omitempty" maxLength:"128" doc:"Which agent of the application it is with."`
	Meta  json.RawMessage `json:"meta,omitempty" doc:"An object of the application's own, of at most 16 KiB."`
}

type createThreadAnswer struct {
	Location string `header:"Location"`
	Body     struct {
		Thread string `json:"thread_id"`
		User   string `json:"user_id"`
	}
}

func (s *Server) createThread(ctx context.Context, c *call, _ *struct{}) (*createThreadAnswer, error) {
	var in threadBody
	if err := c.decodeLike(&in); err != nil {
		return nil, err
	}
	who, err := s.subject(c, in.User)
	if err != nil {
		return nil, err
	}
	t := threads.NewThread{User: who.User, Agent: in.Agent}
	if in.Title != nil {
		t.Title = strings.TrimSpace(*in.Title)
	}
	if err := checkLength("title", t.Title, 0, maxNewTitle); err != nil {
		return nil, err
	}
	if t.ID, err = maybeUUID("id", in.ID); err != nil {
		return nil, err
	}
	if err := checkName("agent", in.Agent); err != nil {
		return nil, err
	}
	if t.Meta, err = metaOf(in.Meta); err != nil {
		return nil, err
	}
	made, err := s.opts.Memory.CreateThread(ctx, threads.Caller(who), t)
	if err != nil {
		return nil, err
	}
	c.out.thread = made.ID
	var out createThreadAnswer
	out.Location = s.prefix + "/v1/threads/" + made.ID
	out.Body.Thread, out.Body.User = made.ID, who.User
	return &out, nil
}

type listThreadsInput struct {
	User   string     `query:"user_id" doc:"Whose threads. Required, but with a user's token."`
	Limit  clampParam `query:"limit" doc:"How many, from 1 to 200. Default: 50."`
	Agent  string     `query:"agent" doc:"Only those with this agent."`
	Cursor string     `query:"cursor" doc:"Where the page before ended: its next."`
}

type listThreadsAnswer struct {
	Link string `header:"Link"`
	Body struct {
		User    string        `json:"user_id"`
		Threads []threadEntry `json:"threads" nullable:"false"`
		Next    string        `json:"next,omitempty" doc:"The cursor of the next page. Absent: this is the last."`
	}
}

type threadEntry struct {
	ID        string  `json:"id"`
	User      string  `json:"user_id"`
	Title     *string `json:"title"`
	CreatedAt string  `json:"created_at" format:"date-time"`
	Core      bool    `json:"is_core_memory"`
}

func (s *Server) listThreads(ctx context.Context, c *call, in *listThreadsInput) (*listThreadsAnswer, error) {
	who, err := s.subject(c, in.User)
	if err != nil {
		return nil, err
	}
	p, err := pageAsked(in.Limit, defaultLimit, in.Cursor, "threads", who.App, who.User, in.Agent)
	if err != nil {
		return nil, err
	}
	q := threads.ThreadQuery{Agent: in.Agent, Limit: p.limit + 1}
	if at, id, ok := readTimePlace(p.place); ok {
		q.After = &threads.Place{At: at, ID: id}
	}
	found, err := s.opts.Memory.ListThreads(ctx, who, q)
	if err != nil {
		return nil, err
	}
	var out listThreadsAnswer
	out.Body.User, out.Body.Threads = who.User, []threadEntry{}
	found, out.Body.Next = cut(p, found, func(t threads.Thread) string { return timePlace(t.CreatedAt, t.ID) })
	out.Link = s.next("/v1/threads", "cursor", out.Body.Next, map[string]string{"user_id": in.User,
		"limit": string(in.Limit), "agent": in.Agent})
	for _, t := range found {
		out.Body.Threads = append(out.Body.Threads, threadEntry{t.ID, who.User, orNull(t.Title), shownTime(t.CreatedAt),
			!t.CoreAt.IsZero()})
	}
	return &out, nil
}

// orNull returns a text that is null in JSON if it is empty.
func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

type titleBody struct {
	likeBody
	Title *string `json:"title" minLength:"1" maxLength:"120" nullable:"false"`
}

type renameAnswer struct {
	Thread string `json:"thread_id"`
	Title  string `json:"title"`
	OK     bool   `json:"ok"`
}

func (s *Server) renameThread(ctx context.Context, c *call, in *threadInput) (*renameAnswer, error) {
	var body titleBody
	who, id, err := s.onThreadLike(ctx, c, *in, &body)
	if err != nil {
		return nil, err
	}
	if body.Title == nil {
		return nil, invalid("title is missing")
	}
	if err := checkLength("title", *body.Title, 1, maxTitle); err != nil {
		return nil, err
	}
	title := strings.TrimSpace(*body.Title)
	if title == "" {
		return nil, problem(kindRequest, "the title is blank; nothing was changed")
	}
	_, err = s.opts.Memory.RenameThread(ctx, who, id, title)
	return &renameAnswer{Thread: id, Title: title, OK: true}, err
}

type deleteThreadAnswer struct {
	Thread  string           `json:"thread_id"`
	OK      bool             `json:"ok"`
	Deleted bool             `json:"deleted" doc:"False: there was none that the caller could see."`
	Rows    map[string]int64 `json:"rows,omitempty" doc:"How many rows of which kind went."`
}

func (s *Server) deleteThread(ctx context.Context, c *call, in *threadInput) (*deleteThreadAnswer, error) {
	var out deleteThreadAnswer
	who, id, err := s.onThreadLike(ctx, c, *in, &likeBody{})
	if err == nil {
		out.Rows, err = s.opts.Memory.DeleteThread(ctx, who, id)
	}
	_, possible := uuid(in.Thread)
	if err != nil && (id == "" && !possible || c.failed(err).Status != http.StatusNotFound) {
		return nil, err
	}
	out.Thread, out.OK, out.Deleted = strings.ToLower(in.Thread), true, err == nil
	return &out, nil
}

type promoteAnswer struct {
	Thread  string  `json:"thread_id"`
	Summary *string `json:"summary"`
	Updated bool    `json:"summary_updated"`
	Core    bool    `json:"is_core_memory"`
	OK      bool    `json:"ok"`
}

func (s *Server) promoteThread(ctx context.Context, c *call, in *threadInput) (*promoteAnswer, error) {
	who, id, err := s.onThreadLike(ctx, c, *in, &likeBody{})
	if err != nil {
		return nil, err
	}
	summary, updated, err := s.opts.Memory.Promote(ctx, who, id)
	return &promoteAnswer{Thread: id, Summary: summaryText(summary), Updated: updated, Core: true, OK: true}, err
}

// summaryText returns the text of a summary; nil if nothing of it holds.
func summaryText(s threads.Summary) *string { return orNull(strings.TrimRight(s.Shown(), "\n")) }

type summaryAnswer struct {
	Thread  string  `json:"thread_id"`
	Summary *string `json:"summary"`
}

func (s *Server) getSummary(ctx context.Context, c *call, in *threadInput) (*summaryAnswer, error) {
	who, id, err := s.onThread(ctx, c, *in)
	if err != nil {
		return nil, err
	}
	summary, err := s.opts.Memory.Summary(ctx, who, id)
	return &summaryAnswer{Thread: id, Summary: summaryText(summary)}, err
}

type listSummariesAnswer struct {
	Thread    string         `json:"thread_id"`
	Summaries []summaryEntry `json:"summaries" nullable:"false"`
}

type summaryEntry struct {
	ID        string `json:"id"`
	Summary   string `json:"summary"`
	Active    bool   `json:"is_active"`
	Reason    string `json:"reason" doc:"init, rolling_update or topic_shift."`
	From      string `json:"range_start_event_id"`
	To        string `json:"range_end_event_id"`
	Turns     int    `json:"meaningful_turns"`
	Model     string `json:"model,omitempty" doc:"Which model wrote it. Absent: it consists of sentences of the events."`
	CreatedAt string `json:"created_at" format:"date-time"`
	UpdatedAt string `json:"updated_at" format:"date-time"`
}

func (s *Server) listSummaries(ctx context.Context, c *call, in *threadInput) (*listSummariesAnswer, error) {
	who, id, err := s.onThread(ctx, c, *in)
	if err != nil {
		return nil, err
	}
	found, err := s.opts.Memory.Summaries(ctx, who, id)
	out := listSummariesAnswer{Thread: id, Summaries: []summaryEntry{}}
	for _, e := range found {
		out.Summaries = append(out.Summaries, summaryEntry{ID: e.ID,
			Summary: strings.TrimRight(e.Shown(), "\n"), Active: e.Active, Reason: string(e.Reason), From: e.From,
			To: e.To, Turns: e.Turns, Model: e.Model,
			CreatedAt: shownTime(e.CreatedAt), UpdatedAt: shownTime(e.UpdatedAt)})
	}
	return &out, err
}

// chatTime is how long a model may take for a reply.
const chatTime = 3 * time.Minute
