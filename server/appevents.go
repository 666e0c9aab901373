package server

import (
	"bytes"
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"ltm/server/conversation"
	"ltm/server/threads"
)

func (s *Server) registerEvents() {
	handleWhole(s, route{Pattern: "GET /v1/threads/{t}/events", ID: "list-events", Tag: "events", Access: apps,
		Errors:  []kind{kindInvalid, kindNotFound},
		Summary: "List the newest events of a thread, the oldest of them first",
		Text:    "The user's reaction to an event is in its meta."}, s.listEvents)
	handle(s, route{Pattern: "POST /v1/threads/{t}/events", ID: "add-event", Tag: "events", Access: apps, Once: true,
		MaxBody: bodyEvent, Body: eventBody{}, Errors: []kind{kindNotFound, kindTaken},
		Summary: "Add an event"}, s.addEvent)
	handle(s, route{Pattern: "POST /v1/threads/{t}/events:batch", ID: "add-events", Tag: "events", Access: apps,
		Once: true, MaxBody: bodyBatch, Body: batchBody{}, Errors: []kind{kindNotFound},
		Summary: "Add up to 1,000 events, each by itself",
		Text: "The answer has a row for each, in the same order: its event_id, or why it was refused. A text may " +
			"have 64 KiB."}, s.addEvents)
	handle(s, route{Pattern: "DELETE /v1/threads/{t}/events/{e}", ID: "delete-event", Tag: "events", Access: apps,
		Errors: []kind{kindNotFound}, Summary: "Delete an event, and what follows from it alone"}, s.deleteEvent)
	handle(s, route{Pattern: "GET /v1/threads/{t}/events/{e}/effects", ID: "list-effects", Tag: "events", Access: apps,
		Errors: []kind{kindNotFound}, Summary: "List what an event has set off, and how far that is"}, s.listEffects)
	handle(s, route{Pattern: "POST /v1/threads/{t}/events/{e}/reaction", ID: "react", Tag: "events", Access: apps,
		MaxBody: bodyClaim, Body: reactionBody{}, Errors: []kind{kindNotFound},
		Summary: "Set the user's reaction to an event of the assistant, or take it off"}, s.react)
}

type listEventsInput struct {
	Thread string     `path:"t" doc:"The thread's id, a UUID."`
	User   string     `query:"user_id" doc:"Whose thread it must be. With a user's token, that user, whatever is given here."`
	Limit  clampParam `query:"limit" doc:"How many, from 1 to 200. Default: 100."`
	Cursor string     `query:"cursor" doc:"For the events before those of another page: its next."`
	Filter string     `query:"filter" doc:"A condition, as JSON."`
	Detail flagParam  `query:"detail" doc:"Also list what the client said of the events, and their importance."`
}

type listEventsAnswer struct {
	Link string `header:"Link"`
	Body struct {
		Thread   string       `json:"thread_id"`
		Messages []eventEntry `json:"messages" nullable:"false"`
		Next     string       `json:"next,omitempty" doc:"The cursor of the page before this one in time. Absent: this begins the thread."`
	}
}

type eventEntry struct {
	ID         string          `json:"id"`
	Thread     string          `json:"thread_id"`
	Role       string          `json:"role"`
	Content    string          `json:"content"`
	Meta       json.RawMessage `json:"meta" doc:"With the reaction."`
	CreatedAt  string          `json:"created_at" format:"date-time" doc:"When it was recorded."`
	OccurredAt string          `json:"occurred_at,omitempty" format:"date-time" doc:"Only with detail."`
	Agent      string          `json:"agent,omitempty" doc:"Only with detail."`
	Session    string          `json:"session,omitempty" doc:"Only with detail."`
	Lang       string          `json:"lang,omitempty" doc:"Only with detail."`
	Key        string          `json:"key,omitempty" doc:"Only with detail."`
	Importance *int            `json:"importance,omitempty" doc:"0 to 10. Only with detail."`
	Embed      *bool           `json:"embed,omitempty" doc:"Only with detail."`
}

func (s *Server) listEvents(ctx context.Context, c *call, in *listEventsInput) (*listEventsAnswer, error) {
	who, id, err := s.onThread(ctx, c, threadInput{in.Thread, in.User})
	if err != nil {
		return nil, err
	}
	p, err := pageAsked(in.Limit, 2*defaultLimit, in.Cursor, "events", who.App, who.User, id, in.Filter)
	if err != nil {
		return nil, err
	}
	if in.Detail != "" && in.Detail != "true" {
		return nil, problem(kindRequest, "detail must be true or left out")
	}
	q := threads.EventQuery{Thread: id, Newest: true, Limit: p.limit + 1}
	if q.Filter, err = newFilterer(c, threads.KindEvent).param(in.Filter); err != nil {
		return nil, err
	}
	if p.place != "" {
		q.Before, _ = strconv.ParseInt(p.place, 10, 64) // it is ours
	}
	found, err := s.opts.Memory.ListEvents(ctx, who, q)
	if err != nil {
		return nil, err
	}
	reactions, err := s.opts.Memory.Reactions(ctx, who, id)
	if err != nil {
		return nil, err
	}
	var out listEventsAnswer
	out.Body.Thread, out.Body.Messages = id, []eventEntry{}
	slices.Reverse(found)
	found, out.Body.Next = cut(p, found, func(e threads.Event) string { return strconv.FormatInt(e.Seq, 10) })
	out.Link = s.next("/v1/threads/"+id+"/events", "cursor", out.Body.Next, map[string]string{"user_id": in.User,
		"limit": string(in.Limit), "filter": in.Filter, "detail": string(in.Detail)})
	for _, e := range slices.Backward(found) {
		out.Body.Messages = append(out.Body.Messages, eventOf(e, reactions[e.ID].Name, in.Detail != ""))
	}
	return &out, nil
}

func eventOf(e threads.Event, reaction string, detail bool) eventEntry {
	out := eventEntry{ID: e.ID, Thread: e.Thread, Role: string(e.Role), Content: e.Text,
		Meta: withReaction(shownMeta(e.Meta), reaction), CreatedAt: shownTime(e.Recorded)}
	if detail {
		out.OccurredAt, out.Agent, out.Session, out.Lang = shownTime(e.Occurred), e.Agent, e.Session, e.Lang
		embed := !e.Unembedded
		out.Key, out.Importance, out.Embed = e.Key, &e.Importance, &embed
	}
	return out
}

// withReaction puts a reaction into a meta. The rest of it stays as it is.
func withReaction(meta json.RawMessage, reaction string) json.RawMessage {
	if reaction == "" {
		return meta
	}
	fields := map[string]json.RawMessage{}
	if json.Unmarshal(meta, &fields) != nil {
		return meta
	}
	fields["reaction"], _ = json.Marshal(reaction) // a text can always be
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(fields) != nil {
		return meta
	}
	return bytes.TrimSpace(b.Bytes())
}

type eventBody struct {
	likeBody
	EventDetails
	Actor   *string `json:"actor" enum:"user,assistant" nullable:"false"`
	Content *string `json:"content" minLength:"1" maxLength:"6000" nullable:"false"`
}

type addEventAnswer struct {
	Event string `json:"event_id"`
}

func (s *Server) addEvent(ctx context.Context, c *call, in *threadInput) (*addEventAnswer, error) {
	var body eventBody
	who, id, err := s.onThreadLike(ctx, c, *in, &body)
	if err != nil {
		return nil, err
	}
	if body.Actor == nil || *body.Actor != string(conversation.User) && *body.Actor != string(conversation.Assistant) {
		return nil, invalid("actor must be user or assistant")
	}
	if body.Content == nil {
		return nil, invalid("content is missing")
	}
	if err := checkLength("content", *body.Content, 1, maxContent); err != nil {
		return nil, err
	}
	e, err := body.of(*body.Actor, *body.Content)
	if err != nil {
		return nil, err
	}
	added, err := s.opts.Memory.AddEvents(ctx, who, id, []threads.NewEvent{e})
	if err == nil && len(added) == 1 {
		err = added[0].Err
	}
	if err != nil {
		return nil, err
	}
	return &addEventAnswer{Event: added[0].Event.ID}, nil
}

type batchBody struct {
	Events batchEvents `json:"events"`
}

// batchEvents are the events of a batch, each of which is read by itself.
type batchEvents []json.RawMessage

// Schema implements huma.SchemaProvider.
func (batchEvents) Schema(r huma.Registry) *huma.Schema {
	least, most := 1, maxBatch
	return &huma.Schema{Type: huma.TypeArray, MinItems: &least, MaxItems: &most,
		Items: r.Schema(reflect.TypeFor[batchEvent](), true, "BatchEvent")}
}

// batchEvent is an event of a batch.
type batchEvent struct {
	Actor   string `json:"actor" enum:"user,assistant,system,tool"`
	Content string `json:"content" minLength:"1" doc:"At most 64 KiB."`
	EventDetails
}

// EventDetails is what a client may say of an event beside who said what. As ActBody, it is exported because the
// description would lack it otherwise.
type EventDetails struct {
	Meta       json.RawMessage `json:"meta,omitempty" doc:"An object of the application's own, of at most 16 KiB."`
	ID         string          `json:"id,omitempty" format:"uuid" doc:"Default: the server makes one."`
	OccurredAt string          `json:"occurred_at,omitempty" format:"date-time" doc:"When it was said. Default: now."`
	Agent      string          `json:"agent,omitempty" maxLength:"128" doc:"Who said it, if the actor alone does not say."`
	Session    string          `json:"session,omitempty" maxLength:"128" doc:"The occasion. Default: the thread."`
	Lang       string          `json:"lang,omitempty" maxLength:"128" doc:"Its language, such as de-AT. Default: English."`
	Key        string          `json:"key,omitempty" maxLength:"128" doc:"The client's own name of it, once in a thread: adding it again changes nothing."`
	Importance int             `json:"importance,omitempty" minimum:"1" maximum:"5" doc:"How much it is worth keeping. Default: judged by its words."`
	Embed      *bool           `json:"embed,omitempty" nullable:"false" doc:"False: no vector is made of the event itself; words find it."`
}

type addEventsAnswer struct {
	Thread string     `json:"thread_id"`
	Added  int        `json:"added" doc:"How many are new."`
	Rows   []batchRow `json:"rows" nullable:"false" doc:"One for each event, in the order of the request."`
}

type batchRow struct {
	Event string `json:"event_id,omitempty"`
	New   bool   `json:"new" doc:"False: it was there before, by its key, or it was refused."`
	Error string `json:"error,omitempty" doc:"Why it was refused."`
}

func (s *Server) addEvents(ctx context.Context, c *call, in *threadInput) (*addEventsAnswer, error) {
	who, id, err := s.onThread(ctx, c, *in)
	if err != nil {
		return nil, err
	}
	var body batchBody
	if err := c.decodeStrict(&body); err != nil {
		return nil, err
	}
	if len(body.Events) == 0 || len(body.Events) > maxBatch {
		return nil, invalid("events must have 1 to %d rows", maxBatch)
	}
	out := addEventsAnswer{Thread: id, Rows: make([]batchRow, len(body.Events))}
	var good []threads.NewEvent
	var rows []int // of the good ones
	for i, raw := range body.Events {
		e, err := batchEventOf(raw)
		if err != nil {
			out.Rows[i].Error = c.failed(err).Detail
			continue
		}
		good, rows = append(good, e), append(rows, i)
	}
	if len(good) == 0 {
		return &out, nil
	}
	added, err := s.opts.Memory.AddEvents(ctx, who, id, good)
	if err != nil {
		return nil, err
	}
	for i, a := range added {
		row := &out.Rows[rows[i]]
		if a.Err != nil {
			row.Error = c.failed(a.Err).Detail
			continue
		}
		row.Event, row.New = a.Event.ID, a.New
		if a.New {
			out.Added++
		}
	}
	return &out, nil
}

// batchEventOf reads an event of a batch.
func batchEventOf(raw json.RawMessage) (e threads.NewEvent, err error) {
	var row batchEvent
	if err := (&call{body: raw}).decodeStrict(&row); err != nil {
		return e, err
	}
	if !slices.Contains(threads.Roles(), conversation.Role(row.Actor)) {
		return e, invalid("actor must be one of %s", joined(threads.Roles()))
	}
	if len(row.Content) == 0 || len(row.Content) > maxEventText {
		return e, invalid("content must have 1 to %d bytes", maxEventText)
	}
	return row.of(row.Actor, row.Content)
}

// of returns the event with these details.
func (d EventDetails) of(actor, text string) (e threads.NewEvent, err error) {
	for _, f := range []struct{ name, value string }{{"agent", d.Agent}, {"session", d.Session}, {"lang", d.Lang},
		{"key", d.Key}} {
		if err := checkName(f.name, f.value); err != nil {
			return e, err
		}
	}
	e = threads.NewEvent{Role: conversation.Role(actor), Text: text, Agent: d.Agent, Session: d.Session, Lang: d.Lang,
		Key: d.Key, Importance: d.Importance, Unembedded: d.Embed != nil && !*d.Embed}
	if e.ID, err = maybeUUID("id", d.ID); err != nil {
		return e, err
	}
	if e.OccurredAt, err = bodyTimeOf("occurred_at", d.OccurredAt); err != nil {
		return e, err
	}
	e.Meta, err = metaOf(d.Meta)
	return e, err
}

type eventInput struct {
	Thread string `path:"t" doc:"The thread's id, a UUID."`
	Event  string `path:"e" doc:"The event's id, a UUID."`
	User   string `query:"user_id" doc:"Whose thread it must be. With a user's token, that user, whatever is given here."`
}

// onEvent is onThread with an event of the thread.
func (s *Server) onEvent(ctx context.Context, c *call, in eventInput) (
	who threads.Caller, thread, event string, err error) {
	event, ok := uuid(in.Event)
	if !ok {
		return who, "", "", noEvent()
	}
	if who, thread, err = s.onThread(ctx, c, threadInput{in.Thread, in.User}); err == nil {
		c.about("event")
	}
	return who, thread, event, err
}

func noEvent() *Problem { return problem(kindNotFound, "event not found") }

type deleteEventAnswer struct {
	Event   string           `json:"event_id"`
	Deleted bool             `json:"deleted"`
	Rows    map[string]int64 `json:"rows,omitempty" doc:"How many rows of which kind went."`
}

func (s *Server) deleteEvent(ctx context.Context, c *call, in *eventInput) (*deleteEventAnswer, error) {
	who, thread, event, err := s.onEvent(ctx, c, *in)
	if err != nil {
		return nil, err
	}
	var out deleteEventAnswer
	out.Rows, err = s.opts.Memory.DeleteEvent(ctx, who, thread, event)
	out.Event, out.Deleted = event, true
	return &out, err
}

type listEffectsAnswer struct {
	Event   string        `json:"event_id"`
	Effects []effectEntry `json:"effects" nullable:"false"`
}

type effectEntry struct {
	Kind     string `json:"kind" doc:"suggest, extract, summarize or embed."`
	State    string `json:"state" enum:"pending,done,skipped,failed"`
	Reason   string `json:"reason,omitempty" doc:"Why it was skipped, has failed, or is to be tried again."`
	Attempts int    `json:"attempts"`
	Since    string `json:"since" format:"date-time"`
	DoneAt   string `json:"done_at,omitempty" format:"date-time"`
}

func (s *Server) listEffects(ctx context.Context, c *call, in *eventInput) (*listEffectsAnswer, error) {
	who, thread, event, err := s.onEvent(ctx, c, *in)
	if err != nil {
		return nil, err
	}
	found, err := s.opts.Memory.Effects(ctx, who, thread, event)
	out := listEffectsAnswer{Event: event, Effects: []effectEntry{}}
	for _, e := range found {
		out.Effects = append(out.Effects, effectEntry{string(e.Kind), string(e.State), e.Reason, e.Attempts,
			shownTime(e.Since), shownTime(e.DoneAt)})
	}
	return &out, err
}

type reactionBody struct {
	likeBody
	Reaction *string `json:"reaction" doc:"thumbs_up, heart, angry, sad or brain; null takes it off."`
}

type reactAnswer struct {
	Thread   string  `json:"thread_id"`
	Event    string  `json:"event_id"`
	Reaction *string `json:"reaction"`
	Updated  bool    `json:"summary_updated"`
	OK       bool    `json:"ok"`
}

func (s *Server) react(ctx context.Context, c *call, in *eventInput) (*reactAnswer, error) {
	in.Event = strings.TrimPrefix(in.Event, "assistant-") // as clients of the reference implementation name them
	event, ok := uuid(in.Event)
	if !ok {
		return nil, noEvent()
	}
	var body reactionBody
	who, thread, err := s.onThreadLike(ctx, c, threadInput{in.Thread, in.User}, &body)
	if err != nil {
		return nil, err
	}
	c.about("event")
	name := ""
	if body.Reaction != nil {
		if name = *body.Reaction; !slices.Contains(threads.ReactionNames(), name) {
			return nil, invalid("reaction must be null or one of %s", joined(threads.ReactionNames()))
		}
	}
	e, err := s.opts.Memory.Event(ctx, who, thread, event)
	if err != nil {
		return nil, err
	}
	if e.Role != conversation.Assistant {
		return nil, problem(kindRequest, "only events of the assistant can have a reaction; nothing was changed")
	}
	var out reactAnswer
	out.Updated, err = s.opts.Memory.React(ctx, who, thread, event, name)
	out.Thread, out.Event, out.Reaction, out.OK = thread, event, body.Reaction, true
	return &out, err
}

// kindsAsked reads which kinds of rows a search is for.
func kindsAsked(names []string, more ...threads.Kind) (kinds []threads.Kind, err error) {
	known := append([]threads.Kind{threads.KindEvent, threads.KindSummary, threads.KindClaim}, more...)
	for _, name := range names {
		kind := threads.Kind(name)
		if !slices.Contains(known, kind) {
			return nil, invalid("kinds must be of %s", joined(known))
		}
		if !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	return kinds, nil
}
