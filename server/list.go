package server

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"ltm/packet"
	"ltm/text/search"
)

// How many packets a list has.
const (
	defaultLimit = 50
	maxLimit     = 500
)

const (
	maxFilter     = 256 // characters of a filter
	maxQueryWords = 16  // that a list is filtered by; the rest of a longer text is ignored
)

// limitParam and flagParam are described as what they mean, and read as texts.
type (
	limitParam string
	flagParam  string
	timeParam  string
)

// Schema implements huma.SchemaProvider.
func (limitParam) Schema(huma.Registry) *huma.Schema {
	least, most := 1.0, float64(maxLimit)
	return &huma.Schema{Type: huma.TypeInteger, Minimum: &least, Maximum: &most, Default: defaultLimit}
}

// Schema implements huma.SchemaProvider.
func (flagParam) Schema(huma.Registry) *huma.Schema { return &huma.Schema{Type: huma.TypeBoolean} }

// Schema implements huma.SchemaProvider.
func (timeParam) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Format: "date-time"}
}

type listInput struct {
	Team    string     `query:"team" doc:"The packets of this team instead of your own."`
	Limit   limitParam `query:"limit" doc:"How many. More than 500 gives 500, and what is not a number from 1 on gives 50; the answer then says which it was."`
	Cursor  string     `query:"cursor" doc:"Where the page before ended: its next."`
	Tag     string     `query:"tag" doc:"Only packets with this tag."`
	Project string     `query:"project" doc:"Only packets of the project with this name."`
	Parent  string     `query:"parent" doc:"Only packets that continue this one."`
	Since   timeParam  `query:"since" doc:"Only packets created at this time or later."`
	Text    string     `query:"text" doc:"Only packets with all of these words, in any inflection."`
	Detail  flagParam  `query:"detail" doc:"Also list author, parent_id, project, tags and version."`

	IfNoneMatch string `header:"If-None-Match" doc:"If the list has this ETag, the answer is 304 without a body."`
}

type listAnswer struct {
	Status       int
	ContentType  string `header:"Content-Type"`
	ETag         string `header:"ETag"`
	Link         string `header:"Link"`
	CacheControl string `header:"Cache-Control"`
	Body         []byte
}

type listBody struct {
	Limit   int         `json:"limit,omitempty" doc:"How many were listed at most, if not as many as asked for."`
	Next    string      `json:"next,omitempty" doc:"The cursor of the next page. Absent: this is the last."`
	Packets []listEntry `json:"packets"`
}

type listEntry struct {
	Author    string   `json:"author,omitempty" doc:"What others see of who sent it. Only with detail."`
	CreatedAt string   `json:"created_at" format:"date-time" doc:"In UTC and whole seconds. Of a packet that says to come from the future, when it arrived."`
	Goal      string   `json:"goal"`
	ID        string   `json:"id"`
	ParentID  string   `json:"parent_id,omitempty" doc:"Only with detail."`
	Project   string   `json:"project,omitempty" doc:"Only with detail."`
	Tags      []string `json:"tags,omitempty" nullable:"false" doc:"Only with detail."`
	Version   string   `json:"version,omitempty" doc:"The ETag, without quotes. Only with detail."`
}

func (s *Server) list(ctx context.Context, c *call, in *listInput) (*listAnswer, error) {
	body, err := s.listed(ctx, c, in)
	if err != nil {
		return nil, err
	}
	out := &listAnswer{Status: http.StatusOK, ContentType: "application/json", CacheControl: "private, no-cache"}
	params := map[string]string{"team": in.Team, "tag": in.Tag, "project": in.Project, "parent": in.Parent,
		"since": string(in.Since), "text": in.Text, "detail": string(in.Detail)}
	if in.Limit != "" {
		limit, _ := limitOf(string(in.Limit))
		params["limit"] = strconv.Itoa(limit)
	}
	out.Link = s.next("/v1/packets", "cursor", body.Next, params)
	var b bytes.Buffer
	if err := writeJSON(&b, body); err != nil {
		return nil, err
	}
	sum := sha256.Sum256(b.Bytes())
	out.ETag, out.Body = quoted(hex.EncodeToString(sum[:16])), b.Bytes()
	if matches(in.IfNoneMatch, out.ETag) {
		out.Status, out.Body, out.ContentType = http.StatusNotModified, nil, ""
	}
	return out, nil
}

// listed returns a page of a list.
func (s *Server) listed(ctx context.Context, c *call, in *listInput) (body listBody, err error) {
	q, err := s.queryOf(c, in)
	if err != nil {
		return body, err
	}
	limit, asked := limitOf(string(in.Limit))
	q.Limit = limit + 1 // one more tells whether there are more
	if q.Team != "" {
		if err := s.onTeam(ctx, c, q.Team); err != nil {
			return body, err
		}
	}
	found, err := s.store.ListPackets(ctx, q)
	if err != nil {
		return body, err
	}
	body = listBody{Packets: []listEntry{}}
	if !asked {
		body.Limit = limit
	}
	found, body.Next = cut(page{limit: limit, of: listOf(q)}, found, func(e PacketEntry) string {
		return timePlace(e.Created, e.ID)
	})
	for _, e := range found {
		body.Packets = append(body.Packets, entryOf(e, in.Detail != ""))
	}
	return body, nil
}

func entryOf(e PacketEntry, detail bool) listEntry {
	entry := listEntry{CreatedAt: packet.FormatTime(e.Created), Goal: e.Goal, ID: e.ID}
	if detail {
		entry.Author, entry.ParentID, entry.Project, entry.Tags, entry.Version = e.Author, e.Parent, e.Project,
			e.Tags, e.Version
	}
	return entry
}

// queryOf returns what a list asks for.
func (s *Server) queryOf(c *call, in *listInput) (q PacketQuery, err error) {
	q = PacketQuery{Caller: c.user.ID, Team: in.Team, Tag: in.Tag, Project: in.Project, Parent: in.Parent}
	for _, f := range []struct{ name, value string }{{"tag", in.Tag}, {"project", in.Project}, {"parent", in.Parent},
		{"text", in.Text}} {
		if utf8.RuneCountInString(f.value) > maxFilter || !utf8.ValidString(f.value) {
			return q, problem(kindRequest, "%s must be UTF-8 of at most %d characters", f.name, maxFilter)
		}
	}
	if in.Since != "" {
		q.Since, err = time.Parse(time.RFC3339, string(in.Since))
		if err != nil {
			return q, problem(kindRequest, "since must be a time such as 2026-08-28T09:15:30Z")
		}
		q.Since = q.Since.UTC()
	}
	if in.Text != "" {
		words := search.TermsOf(in.Text)
		if q.Words = words[:min(len(words), maxQueryWords)]; len(q.Words) == 0 {
			return q, problem(kindRequest, "text has no word in it")
		}
	}
	switch in.Detail {
	case "", "true":
	default:
		return q, problem(kindRequest, "detail must be true or left out")
	}
	place, err := listOf(q).place(in.Cursor)
	if at, id, ok := readTimePlace(place); ok {
		q.After = &PacketPlace{Created: at, ID: id}
	}
	return q, err
}

// listOf returns what the cursors of a list of packets belong to.
func listOf(q PacketQuery) pageOf {
	return append(pageOf{"packets", q.Caller, q.Team, q.Tag, q.Project, q.Parent,
		q.Since.UTC().Format(time.RFC3339Nano)}, q.Words...)
}

// limitOf reads how many packets are asked for. asked is false if it is another number than was
// asked for.
func limitOf(text string) (limit int, asked bool) {
	if text == "" {
		return defaultLimit, true
	}
	n, err := strconv.Atoi(text)
	switch {
	case err != nil || n < 1:
		return defaultLimit, false
	case n > maxLimit:
		return maxLimit, false
	}
	return n, true
}
