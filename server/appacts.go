package server

import (
	"bytes"
	"context"
	"encoding/json"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"ltm/server/conversation"
	"ltm/server/threads"
)

// actRoute is a route that does something with a claim.
type actRoute struct {
	name, summary string
	verb          conversation.Verb
	body          any
}

// actRoutes lists what can be done with a claim.
func actRoutes() []actRoute {
	return []actRoute{
		{"confirm", "Confirm a claim: it is true", conversation.Confirms, ActBody{}},
		{"reject", "Reject a claim: it was never true, and is never suggested again", conversation.Rejects, ActBody{}},
		{"correct", "Correct a claim: it was true until another took its place", conversation.Supersedes,
			correctBody{}},
		{"deprecate", "Deprecate a claim: it is not true any more", conversation.Deprecates, ActBody{}},
		{"dispute", "Say that a claim contradicts another, until one of them is decided", conversation.Disputes,
			disputeBody{}},
		{"forget", "Forget a claim, as if it had never been stated", conversation.Forgets, ActBody{}},
	}
}

func (s *Server) registerActs() {
	for _, a := range actRoutes() {
		_, optional := a.body.(ActBody)
		handle(s, route{Pattern: "POST /v1/claims/{id}/" + a.name, ID: a.name + "-claim", Tag: "claims", Access: apps,
			Once: true, MaxBody: bodyClaim, Body: a.body, Maybe: optional, Errors: []kind{kindNotFound, kindState},
			Summary: a.summary},
			func(ctx context.Context, c *call, in *claimInput) (*actAnswer, error) {
				return s.act(ctx, c, in, a.verb)
			})
	}
	handle(s, route{Pattern: "POST /v1/acts/{id}/undo", ID: "undo-act", Tag: "claims", Access: apps, Once: true,
		MaxBody: bodyClaim, Body: ActBody{}, Maybe: true, Errors: []kind{kindNotFound, kindState},
		Summary: "Undo an act, as if it had never been",
		Text:    "What was forgotten does not come back, but may be suggested again."}, s.undoAct)
}

// ActBody is in the bodies of all acts.
type ActBody struct {
	User string `json:"user_id,omitempty" doc:"Whom it is about. Required here or as a parameter, but with a user's token."`
	Note string `json:"note,omitempty" maxLength:"1000" doc:"Why."`
}

type correctBody struct {
	ActBody
	Text  string `json:"text,omitempty" maxLength:"4000" doc:"What is true instead: it becomes an active claim of the same bucket."`
	Other string `json:"other,omitempty" doc:"Instead of text: the claim that is true instead, active or suggested."`
	From  string `json:"valid_from,omitempty" format:"date-time" doc:"When it became true. Default: when it was first said."`
}

type disputeBody struct {
	ActBody
	Other string `json:"other" doc:"The claim that it contradicts."`
}

type actEntry struct {
	ID         string  `json:"id"`
	Verb       string  `json:"verb"`
	At         string  `json:"at" format:"date-time"`
	By         string  `json:"by" doc:"rules, a model, client or import."`
	Text       string  `json:"text,omitempty" doc:"Of what it adds or suggests."`
	Confidence float64 `json:"confidence,omitempty"`
	Other      string  `json:"other,omitempty" doc:"The claim that supersedes it, or that it is in dispute with."`
	Event      string  `json:"event_id,omitempty"`
	Session    string  `json:"session,omitempty"`
	Undone     string  `json:"undone_act_id,omitempty"`
	Note       string  `json:"note,omitempty"`
	ExpiresAt  string  `json:"expires_at,omitempty" format:"date-time"`
	ValidFrom  string  `json:"valid_from,omitempty" format:"date-time"`
	Proposed   bool    `json:"proposed,omitempty" doc:"It was not done: the claims, or an event, suggest it."`
}

func actOf(who threads.Subject, a threads.Act) actEntry {
	out := actEntry{ID: a.ID, Verb: string(a.Verb), At: shownTime(a.At), By: a.By, Text: a.Text,
		Confidence: a.Confidence, Event: a.Event, Session: a.Session, Undone: a.Undone, Note: a.Note,
		ExpiresAt: shownTime(a.ExpiresAt), ValidFrom: shownTime(a.Since), Proposed: a.Proposed}
	if a.Other != "" {
		out.Other = who.ClaimUUID(a.Other)
	}
	return out
}

type actAnswer struct {
	Claim maybeClaim `json:"claim" doc:"As it is now; null if nothing states it any more."`
	Act   actEntry   `json:"act" doc:"It can be undone."`
}

// maybeClaim is a claim, or none.
type maybeClaim struct{ claim *claimEntry }

// MarshalJSON implements json.Marshaler.
func (m maybeClaim) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(m.claim)
	return b.Bytes(), err
}

// Schema implements huma.SchemaProvider: a type that is described once for all cannot be null in one place by a tag.
func (maybeClaim) Schema(r huma.Registry) *huma.Schema {
	return &huma.Schema{AnyOf: []*huma.Schema{r.Schema(reflect.TypeFor[claimEntry](), true, "ClaimEntry"),
		{Type: "null"}}}
}

// act does something with a claim.
func (s *Server) act(ctx context.Context, c *call, in *claimInput, verb conversation.Verb) (*actAnswer, error) {
	id, ok := uuid(in.ID)
	if !ok {
		return nil, problem(kindNotFound, "claim not found")
	}
	a := threads.ClaimAct{Verb: verb, Claim: id}
	said, err := s.readAct(c, &a)
	if err != nil {
		return nil, err
	}
	return s.doAct(ctx, c, said, in.User, a)
}

// readAct reads the body of an act.
func (s *Server) readAct(c *call, a *threads.ClaimAct) (said ActBody, err error) {
	switch a.Verb {
	case conversation.Supersedes:
		var body correctBody
		if err := c.decodeStrict(&body); err != nil {
			return said, err
		}
		said, a.Text, a.Other = body.ActBody, strings.TrimSpace(body.Text), body.Other
		if (a.Text == "") == (a.Other == "") {
			return said, invalid("either text or other is needed")
		}
		if err := checkLength("text", a.Text, 0, maxClaimText); err != nil {
			return said, err
		}
		a.Since, err = bodyTimeOf("valid_from", body.From)
	case conversation.Disputes:
		var body disputeBody
		if err := c.decodeStrict(&body); err != nil {
			return said, err
		}
		if said, a.Other = body.ActBody, body.Other; a.Other == "" {
			return said, invalid("other is missing")
		}
	default:
		err = c.maybeStrict(&said)
	}
	if err == nil {
		a.Other, err = maybeUUID("other", a.Other)
	}
	return said, err
}

// doAct does what was read.
func (s *Server) doAct(ctx context.Context, c *call, said ActBody, user string, a threads.ClaimAct) (*actAnswer,
	error) {
	user, err := either(said.User, user)
	if err != nil {
		return nil, err
	}
	who, err := s.subject(c, user)
	if err != nil {
		return nil, err
	}
	if err := checkLength("note", said.Note, 0, maxNote); err != nil {
		return nil, err
	}
	a.Note = said.Note
	c.about("claim")
	if a.Verb == conversation.Undoes {
		c.about("act")
	}
	claim, act, err := s.opts.Memory.Act(ctx, who, a)
	if err != nil {
		return nil, err
	}
	var out actAnswer
	if claim.State != conversation.Unknown && a.Verb != conversation.Forgets {
		entry := claimOf(who, claim)
		out.Claim.claim = &entry
	}
	out.Act = actOf(who, act)
	return &out, nil
}

type undoInput struct {
	ID   string `path:"id" doc:"The act's id, a UUID."`
	User string `query:"user_id" doc:"Whom it is about. Required here or in the body, but with a user's token."`
}

func (s *Server) undoAct(ctx context.Context, c *call, in *undoInput) (*actAnswer, error) {
	id, ok := uuid(in.ID)
	if !ok {
		return nil, problem(kindNotFound, "act not found")
	}
	a := threads.ClaimAct{Verb: conversation.Undoes, Act: id}
	said, err := s.readAct(c, &a)
	if err != nil {
		return nil, err
	}
	return s.doAct(ctx, c, said, in.User, a)
}
