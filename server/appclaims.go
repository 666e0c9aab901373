package server

import (
	"context"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"

	"ltm/server/conversation"
	"ltm/server/threads"
)

func (s *Server) registerClaims() {
	handleWhole(s, route{Pattern: "GET /v1/claims", ID: "list-claims", Tag: "claims", Access: apps,
		Errors: []kind{kindInvalid}, Summary: "List the claims about a user, the surest first"}, s.listClaims)
	handleWhole(s, route{Pattern: "POST /v1/claims", ID: "add-claim", Tag: "claims", Access: apps, Once: true,
		MaxBody: bodyClaim, Body: claimBody{}, Status: http.StatusCreated, Errors: []kind{kindNotFound, kindState},
		Summary: "Add a claim about a user",
		Text: "The same bucket and text, whatever its case, is the same claim, which this is one more evidence " +
			"of."}, s.addClaim)
	handle(s, route{Pattern: "GET /v1/claims/{id}", ID: "get-claim", Tag: "claims", Access: apps,
		Errors: []kind{kindNotFound}, Summary: "Return a claim with its evidence"}, s.getClaim)
	handle(s, route{Pattern: "GET /v1/claims/{id}/history", ID: "claim-history", Tag: "claims", Access: apps,
		Errors: []kind{kindNotFound}, Summary: "List what was done with a claim, the oldest first"}, s.claimHistory)
	handle(s, route{Pattern: "DELETE /v1/claims/{id}", ID: "delete-claim", Tag: "claims", Access: apps,
		Errors: []kind{kindNotFound, kindState}, Summary: "Forget a claim, as if it had never been stated",
		Text: "Its texts are gone for good."}, s.deleteClaim)
}

type claimEntry struct {
	ID           string          `json:"id"`
	Bucket       string          `json:"bucket"`
	Text         string          `json:"text"`
	State        string          `json:"state" enum:"suggested,active,superseded,deprecated,conflicted,rejected"`
	Confidence   float64         `json:"confidence" doc:"0 to 1."`
	Stability    string          `json:"stability,omitempty" doc:"high, med or low."`
	Reinforced   int             `json:"reinforcement_count" doc:"The number of occasions that stated it."`
	Valid        []periodEntry   `json:"valid" nullable:"false" doc:"When it counted as true, in order."`
	SupersededBy string          `json:"superseded_by,omitempty"`
	Against      []string        `json:"against,omitempty" nullable:"false" doc:"The claims that contradict it: in dispute, or proposed; see the history."`
	ExpiresAt    string          `json:"expires_at,omitempty" format:"date-time"`
	CreatedAt    string          `json:"created_at" format:"date-time"`
	UpdatedAt    string          `json:"updated_at" format:"date-time"`
	Evidence     []evidenceEntry `json:"evidence" nullable:"false"`
}

type periodEntry struct {
	From string `json:"from" format:"date-time"`
	To   string `json:"to,omitempty" format:"date-time" doc:"Absent: until now."`
}

type evidenceEntry struct {
	Event   string `json:"event_id,omitempty"`
	Act     string `json:"act_id,omitempty" doc:"The act that stated it directly."`
	Thread  string `json:"thread_id,omitempty"`
	Session string `json:"session,omitempty"`
	At      string `json:"at" format:"date-time"`
}

func claimOf(who threads.Subject, c threads.Claim) claimEntry {
	out := claimEntry{ID: c.ID, Bucket: string(c.Bucket), Text: c.Text, State: string(c.State),
		Confidence: c.Confidence,
		Stability:  c.Stability, Reinforced: c.Reinforced, Valid: []periodEntry{}, ExpiresAt: shownTime(c.ExpiresAt),
		CreatedAt: shownTime(c.CreatedAt),
		UpdatedAt: shownTime(c.UpdatedAt), Evidence: []evidenceEntry{}}
	if c.SupersededBy != "" {
		out.SupersededBy = who.ClaimUUID(c.SupersededBy)
	}
	for _, other := range c.Against {
		out.Against = append(out.Against, who.ClaimUUID(other))
	}
	for _, p := range c.Valid {
		out.Valid = append(out.Valid, periodEntry{shownTime(p.From), shownTime(p.To)})
	}
	for _, e := range c.Evidence {
		out.Evidence = append(out.Evidence, evidenceEntry{e.Event, e.Act, e.Thread, e.Session, shownTime(e.At)})
	}
	return out
}

type listClaimsInput struct {
	User   string     `query:"user_id" doc:"Whose claims. Required, but with a user's token."`
	Bucket string     `query:"bucket" doc:"Only these buckets, separated by commas."`
	State  string     `query:"state" doc:"Only these states, separated by commas."`
	AsOf   timeParam  `query:"as_of" doc:"Only what was true then, by what is known now."`
	Filter string     `query:"filter" doc:"A condition, as JSON."`
	Limit  clampParam `query:"limit" doc:"How many, from 1 to 200. Default: 50."`
	Cursor string     `query:"cursor" doc:"Where the page before ended: its next."`
}

type listClaimsAnswer struct {
	Link string `header:"Link"`
	Body struct {
		User   string       `json:"user_id"`
		Claims []claimEntry `json:"claims" nullable:"false"`
		Next   string       `json:"next,omitempty" doc:"The cursor of the next page. Absent: this is the last."`
	}
}

func (s *Server) listClaims(ctx context.Context, c *call, in *listClaimsInput) (*listClaimsAnswer, error) {
	who, err := s.subject(c, in.User)
	if err != nil {
		return nil, err
	}
	q, err := claimQuery(c, in)
	if err != nil {
		return nil, err
	}
	p, err := pageAsked(in.Limit, defaultLimit, in.Cursor, "claims by place", who.App, who.User, in.Bucket, in.State,
		string(in.AsOf), in.Filter)
	if err != nil {
		return nil, err
	}
	q.Limit, q.After = p.limit+1, claimPlace(p.place)
	found, err := s.opts.Memory.ListClaims(ctx, who, q)
	if err != nil {
		return nil, err
	}
	var out listClaimsAnswer
	out.Body.User, out.Body.Claims = who.User, []claimEntry{}
	found, out.Body.Next = cut(p, found, claimPlaceText)
	out.Link = s.next("/v1/claims", "cursor", out.Body.Next, map[string]string{"user_id": in.User, "bucket": in.Bucket,
		"state": in.State, "as_of": string(in.AsOf), "filter": in.Filter, "limit": string(in.Limit)})
	for _, claim := range found {
		out.Body.Claims = append(out.Body.Claims, claimOf(who, claim))
	}
	return &out, nil
}

// claimQuery returns what a list asks for.
func claimQuery(c *call, in *listClaimsInput) (q threads.ClaimQuery, err error) {
	if q.Buckets, err = namesOf("bucket", in.Bucket, conversation.Buckets()); err != nil {
		return q, err
	}
	if q.States, err = namesOf("state", in.State, conversation.States()); err != nil {
		return q, err
	}
	if q.AsOf, err = timeOf("as_of", string(in.AsOf)); err != nil {
		return q, problem(kindRequest, "%s", err)
	}
	q.Filter, err = newFilterer(c, threads.KindClaim).param(in.Filter)
	return q, err
}

// namesOf reads names that are separated by commas, which what says; none if there is no text.
func namesOf[T ~string](what, text string, known []T) (names []T, err error) {
	if text == "" {
		return nil, nil
	}
	for name := range strings.SplitSeq(text, ",") {
		one := T(strings.TrimSpace(name))
		if names = append(names, one); !slices.Contains(known, one) {
			return nil, problem(kindRequest, "unknown %s %q; there are %s", what, clip(string(one)), joined(known))
		}
	}
	return names, nil
}

func joined[T ~string](all []T) string {
	var names []string
	for _, one := range all {
		names = append(names, string(one))
	}
	return strings.Join(names, ", ")
}

type claimBody struct {
	User       string   `json:"user_id,omitempty" doc:"Whom it is about. Required, but with a user's token."`
	Bucket     string   `json:"bucket" enum:"PROFILE,PREFERENCES,CONSTRAINTS,COMMUNICATION_STYLE,LONG_RUNNING_CONTEXT,GOALS,PROJECTS,NEXT_ACTIONS,OPEN_LOOPS"`
	Text       string   `json:"text" minLength:"1" maxLength:"4000"`
	Confidence *float64 `json:"confidence,omitempty" minimum:"0" maximum:"1" doc:"Default: 1, or 0.5 of a suggestion."`
	Stability  string   `json:"stability,omitempty" enum:"high,med,low" doc:"Default: med."`
	Session    string   `json:"session,omitempty" maxLength:"128" doc:"The occasion. Each counts once."`
	Event      string   `json:"event_id,omitempty" doc:"The event that says it."`
	ExpiresAt  string   `json:"expires_at,omitempty" format:"date-time" doc:"When it stops being true by itself."`
	Note       string   `json:"note,omitempty" maxLength:"1000" doc:"Why."`
	Suggest    bool     `json:"suggest,omitempty" doc:"Only suggest it: it is not true until it is confirmed."`
}

// The confidences of claims that come without one.
const (
	saidConfidence      = 1
	suggestedConfidence = 0.5
)

type addClaimAnswer struct {
	Location string `header:"Location"`
	Body     struct {
		Claim claimEntry `json:"claim"`
	}
}

func (s *Server) addClaim(ctx context.Context, c *call, _ *struct{}) (*addClaimAnswer, error) {
	var in claimBody
	if err := c.decodeStrict(&in); err != nil {
		return nil, err
	}
	claim, err := in.claim(s.opts.Now())
	if err != nil {
		return nil, err
	}
	who, err := s.subject(c, in.User)
	if err != nil {
		return nil, err
	}
	c.about("event")
	made, err := s.opts.Memory.AddClaim(ctx, who, claim)
	if err != nil {
		return nil, err
	}
	var out addClaimAnswer
	out.Location, out.Body.Claim = s.prefix+"/v1/claims/"+made.ID, claimOf(who, made)
	return &out, nil
}

// claim returns the claim that a body describes.
func (in *claimBody) claim(now time.Time) (out threads.NewClaim, err error) {
	out = threads.NewClaim{Bucket: conversation.Bucket(in.Bucket), Text: strings.TrimSpace(in.Text),
		Confidence: saidConfidence, Stability: in.Stability, Session: in.Session, Note: in.Note, Suggest: in.Suggest}
	if in.Suggest {
		out.Confidence = suggestedConfidence
	}
	if in.Confidence != nil {
		out.Confidence = *in.Confidence
	}
	switch {
	case !slices.Contains(conversation.Buckets(), out.Bucket):
		return out, invalid("bucket must be one of %s", joined(conversation.Buckets()))
	case math.IsNaN(out.Confidence) || out.Confidence < 0 || out.Confidence > 1:
		return out, invalid("confidence must be from 0 to 1")
	case !slices.Contains([]string{"", "high", "med", "low"}, in.Stability):
		return out, invalid("stability must be high, med or low")
	}
	if err = checkLength("text", out.Text, 1, maxClaimText); err != nil {
		return out, err
	}
	if err = checkLength("note", in.Note, 0, maxNote); err != nil {
		return out, err
	}
	if err = checkName("session", in.Session); err != nil {
		return out, err
	}
	if out.Event, err = maybeUUID("event_id", in.Event); err != nil {
		return out, err
	}
	if out.ExpiresAt, err = bodyTimeOf("expires_at", in.ExpiresAt); err != nil {
		return out, err
	}
	if !out.ExpiresAt.IsZero() && !out.ExpiresAt.After(now) {
		return out, invalid("expires_at must be in the future")
	}
	return out, nil
}

type claimInput struct {
	ID   string `path:"id" doc:"The claim's id, a UUID."`
	User string `query:"user_id" doc:"Whom it is about. Required, but with a user's token."`
}

// onClaim returns whose claim a request is about, and its id as it is stored.
func (s *Server) onClaim(c *call, in claimInput) (who threads.Subject, id string, err error) {
	id, ok := uuid(in.ID)
	if !ok {
		return who, "", problem(kindNotFound, "claim not found")
	}
	c.about("claim")
	who, err = s.subject(c, in.User)
	return who, id, err
}

type getClaimAnswer struct {
	Claim claimEntry `json:"claim"`
}

func (s *Server) getClaim(ctx context.Context, c *call, in *claimInput) (*getClaimAnswer, error) {
	who, id, err := s.onClaim(c, *in)
	if err != nil {
		return nil, err
	}
	found, err := s.opts.Memory.Claim(ctx, who, id)
	return &getClaimAnswer{Claim: claimOf(who, found)}, err
}

type claimHistoryAnswer struct {
	Claim string     `json:"claim_id"`
	Acts  []actEntry `json:"acts" nullable:"false"`
}

func (s *Server) claimHistory(ctx context.Context, c *call, in *claimInput) (*claimHistoryAnswer, error) {
	who, id, err := s.onClaim(c, *in)
	if err != nil {
		return nil, err
	}
	found, err := s.opts.Memory.ClaimHistory(ctx, who, id)
	out := claimHistoryAnswer{Claim: id, Acts: []actEntry{}}
	for _, a := range found {
		out.Acts = append(out.Acts, actOf(who, a))
	}
	return &out, err
}

type deleteClaimAnswer struct {
	Claim   string `json:"claim_id"`
	Deleted bool   `json:"deleted"`
	Act     string `json:"act_id,omitempty"`
}

func (s *Server) deleteClaim(ctx context.Context, c *call, in *claimInput) (*deleteClaimAnswer, error) {
	who, id, err := s.onClaim(c, *in)
	if err != nil {
		return nil, err
	}
	_, act, err := s.opts.Memory.Act(ctx, who, threads.ClaimAct{Verb: conversation.Forgets, Claim: id})
	return &deleteClaimAnswer{Claim: id, Deleted: true, Act: act.ID}, err
}
