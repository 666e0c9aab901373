package server

import (
	"net/http"
	"slices"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
)

// apiDescription is the text above the routes.
const apiDescription = "Keeps packets of unfinished work (LTM-SPEC-0001) and hands them to other sessions, machines " +
	"and people, and keeps what chat applications remember of their users. " +
	"Errors are problem documents (RFC 9457) that also have their text under \"error\"."

// The kinds that any route may answer with, and those that need a token.
func commonKinds(a access) []kind {
	common := []kind{kindRequest, kindRate, kindInternal, kindBusy, kindFull, kindAway}
	if a == users || a == apps {
		common = append(common, kindUnauthorized)
	}
	if a == users || a == maybeUser {
		common = append(common, kindForbidden) // disabled
	}
	return common
}

// responses describes the errors of a route, and the answer if it is a packet.
func (s *Server) responses(rt route) map[string]*huma.Response {
	out := map[string]*huma.Response{}
	problems := s.schema(Problem{}, "Problem")
	all := append(commonKinds(rt.Access), rt.Errors...)
	if rt.Once {
		all = append(all, kindReused, kindUnderWay)
	}
	for i, k := range all {
		if slices.Contains(all[:i], k) {
			continue
		}
		for _, known := range kinds() {
			if known.Kind != k {
				continue
			}
			status := strconv.Itoa(known.Status)
			if r := out[status]; r != nil {
				r.Description += ". " + known.Title
				continue
			}
			out[status] = &huma.Response{Description: known.Title,
				Content: map[string]*huma.MediaType{"application/problem+json": {Schema: problems}}}
		}
	}
	if rt.Answer != nil {
		out[strconv.Itoa(http.StatusOK)] = &huma.Response{Description: "OK",
			Content: map[string]*huma.MediaType{"application/json": {Schema: s.schema(rt.Answer, rt.ID)}}}
		out[strconv.Itoa(http.StatusNotModified)] = &huma.Response{Description: "It has the ETag of If-None-Match"}
	}
	if len(rt.Media) > 0 {
		ok := &huma.Response{Description: "OK", Content: map[string]*huma.MediaType{}}
		for _, media := range rt.Media {
			ok.Content[media] = &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString}}
		}
		out[strconv.Itoa(http.StatusOK)] = ok
	}
	return out
}

// requestBody describes the body of a route.
func (s *Server) requestBody(rt route) *huma.RequestBody {
	if rt.Body == nil {
		return nil
	}
	media := "application/json"
	if rt.Form {
		media = "application/x-www-form-urlencoded"
	}
	return &huma.RequestBody{Required: rt.ID != "accept-invite" && !rt.Maybe,
		Content: map[string]*huma.MediaType{media: {Schema: s.schema(rt.Body, rt.ID+"Request")}}}
}

// packetDoc describes a packet of version 0.2. Package packet has the rules, and holds packets to
// them; a test compares both.
type packetDoc struct {
	Version         string         `json:"ltm_version" enum:"0.1,0.2" doc:"0.1 has fewer fields: no parent_id, success_criteria, methods, consequences, and no confidence in attempts."`
	ID              string         `json:"id" minLength:"10" maxLength:"64"`
	ParentID        string         `json:"parent_id,omitempty" minLength:"10" maxLength:"64" doc:"The packet that this one continues."`
	CreatedAt       string         `json:"created_at" format:"date-time"`
	Project         *projectDoc    `json:"project,omitempty"`
	Goal            string         `json:"goal" minLength:"1" maxLength:"1024"`
	SuccessCriteria []string       `json:"success_criteria,omitempty" nullable:"false" maxItems:"16" maxLength:"1024"`
	Constraints     []string       `json:"constraints,omitempty" nullable:"false" maxItems:"32" maxLength:"1024"`
	Decisions       []decisionDoc  `json:"decisions,omitempty" nullable:"false" maxItems:"64"`
	Methods         []methodDoc    `json:"methods,omitempty" nullable:"false" maxItems:"32"`
	Attempts        []attemptDoc   `json:"attempts,omitempty" nullable:"false" maxItems:"64"`
	OpenQuestions   []string       `json:"open_questions,omitempty" nullable:"false" maxItems:"32" maxLength:"1024"`
	NextStep        string         `json:"next_step" minLength:"1" maxLength:"1024"`
	Tags            []string       `json:"tags,omitempty" nullable:"false" maxItems:"16" pattern:"^[a-z0-9][a-z0-9-]{0,31}$"`
	Provenance      *provenanceDoc `json:"provenance,omitempty"`
}

type projectDoc struct {
	Name string `json:"name,omitempty" maxLength:"128"`
	Ref  string `json:"ref,omitempty" maxLength:"256" doc:"A repository or URL."`
}

type decisionDoc struct {
	What         string `json:"what" maxLength:"1024"`
	Why          string `json:"why" maxLength:"1024"`
	Consequences string `json:"consequences,omitempty" maxLength:"1024"`
	Locked       bool   `json:"locked,omitempty"`
}

type methodDoc struct {
	Name           string `json:"name" pattern:"^[a-z0-9][a-z0-9-]{0,127}$"`
	WhenApplicable string `json:"when_applicable" maxLength:"1024"`
	How            string `json:"how" maxLength:"2048"`
}

type attemptDoc struct {
	Tried      string `json:"tried" maxLength:"1024"`
	Outcome    string `json:"outcome" enum:"succeeded,failed,partial"`
	Learned    string `json:"learned,omitempty" maxLength:"1024"`
	Confidence string `json:"confidence,omitempty" enum:"low,medium,high"`
}

type provenanceDoc struct {
	AuthorModel string `json:"author_model,omitempty" maxLength:"128"`
	AuthorHuman string `json:"author_human,omitempty" maxLength:"128"`
	SourceHash  string `json:"source_hash,omitempty" pattern:"^sha256:[a-f0-9]{64}$"`
	Confidence  string `json:"confidence,omitempty" enum:"low,medium,high"`
}
