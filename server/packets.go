package server

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"ltm/packet"
	"ltm/packet/redact"
	"ltm/text/search"
)

// maxAhead is how far ahead of the server a client's clock may be. A packet that says to be newer is
// listed under the time at which it came, so that it does not stay on top.
const maxAhead = 5 * time.Minute

func (s *Server) registerPackets() {
	handleWhole(s, route{Pattern: "POST /v1/packets", ID: "push", Tag: "packets", Access: users, Once: true,
		MaxBody: bodyPacket, Body: packetDoc{}, Status: http.StatusCreated,
		Errors:  []kind{kindPacket, kindSecrets, kindNotFound, kindTaken, kindStale, kindLarge, kindQuota},
		Summary: "Keep a packet",
		Text: "Within a scope (you, or a team), an id belongs to whoever sent it first: only they may send it again, " +
			"which replaces the packet. Without team, a packet that you sent to a team before stays there."}, s.push)
	handleWhole(s, route{Pattern: "GET /v1/packets", ID: "list", Tag: "packets", Access: users, Answer: listBody{},
		Errors: []kind{kindNotFound}, Summary: "List packets, the newest first",
		Text: "Without team, those of your own. An answer that is not the last has the parameter for the rest as " +
			"next, and as a Link."}, s.list)
	handleWhole(s, route{Pattern: "GET /v1/packets/{id}", ID: "pull", Tag: "packets", Access: users,
		Answer: packetDoc{}, Errors: []kind{kindNotFound}, Summary: "Return a packet, in canonical form"}, s.pull)
	handleWhole(s, route{Pattern: "DELETE /v1/packets/{id}", ID: "delete", Tag: "packets", Access: users,
		Errors: []kind{kindNotFound, kindForbidden, kindStale}, Summary: "Delete a packet",
		Text: "Its author may, and the owner of its team."}, s.delete)
}

type pushInput struct {
	Team        string `query:"team" doc:"The team to keep it in. Default: your own packets."`
	IfMatch     string `header:"If-Match" doc:"The ETag of the version that this one replaces; *: any."`
	IfNoneMatch string `header:"If-None-Match" doc:"*: there must be no packet with this id yet."`
}

type pushAnswer struct {
	ETag     string `header:"ETag"`
	Location string `header:"Location"`
	Body     pushBody
}

type pushBody struct {
	ID string `json:"id"`
}

func (s *Server) push(ctx context.Context, c *call, in *pushInput) (*pushAnswer, error) {
	if in.Team != "" { // says so before it looks at the packet, as the reference does
		if err := s.onTeam(ctx, c, in.Team); err != nil {
			return nil, err
		}
	}
	p, err := packet.Parse(c.body)
	if err != nil {
		return nil, faulty(err)
	}
	if s.opts.RefuseSecrets {
		if err := refuseSecrets(&p); err != nil {
			return nil, err
		}
	}
	put, err := s.toPut(ctx, c, &p, in)
	if err != nil {
		return nil, err
	}
	c.out.packet = p.ID
	c.texts = texts{ErrNotFound: "team not found",
		ErrTaken: "another member's packet has this id; nothing was changed: send yours with an id of its own"}
	done, err := s.store.PutPacket(ctx, put, s.opts.Quota)
	return &pushAnswer{ETag: quoted(done.Version), Location: s.prefix + "/v1/packets/" + url.PathEscape(p.ID),
		Body: pushBody{p.ID}}, err
}

// toPut returns what to store of a packet.
func (s *Server) toPut(ctx context.Context, c *call, p *packet.Packet, in *pushInput) (put PutPacket, err error) {
	put = PutPacket{Caller: c.user.ID, Team: in.Team, ID: p.ID, Parent: p.ParentID, Goal: p.Goal, Words: Words(p),
		At: s.opts.Now().UTC(), Created: p.Time()}
	if put.Body, err = p.Canonical(); err != nil {
		return put, faulty(err)
	}
	if p.Project != nil {
		put.Project = p.Project.Name
	}
	put.Tags = distinct(p.Tags)
	if put.Created.After(put.At.Add(maxAhead)) {
		put.Created = put.At
	}
	if put.IfMatch, err = matchOf(in.IfMatch); err != nil {
		return put, err
	}
	switch in.IfNoneMatch {
	case "":
	case "*":
		put.IfNoneMatch = true
	default:
		return put, problem(kindRequest, "If-None-Match must be * here; nothing was changed")
	}
	if put.Team == "" {
		put.Team, err = s.keptIn(ctx, c.user.ID, p.ID)
	}
	return put, err
}

// keptIn returns the team in which the caller's packet with this id is kept; "" if it is their own or
// does not exist.
func (s *Server) keptIn(ctx context.Context, caller, id string) (team string, err error) {
	kept, err := s.store.PacketOf(ctx, caller, id)
	if errors.Is(err, ErrNotFound) || err == nil && kept.AuthorID != caller {
		return "", nil
	}
	return kept.Team, err
}

// refuseSecrets returns the problem for a packet with credentials or local paths.
func refuseSecrets(p *packet.Packet) error {
	findings := redact.Check(p)
	if len(findings) == 0 {
		return nil
	}
	refused := problem(kindSecrets, "the packet contains credentials or local paths; nothing was stored")
	for _, f := range findings {
		refused.Faults = append(refused.Faults, ProblemFault{Pointer: f.Path, Kind: string(f.Label),
			Detail: f.Kind + ", " + f.Match})
	}
	return refused
}

// distinct returns texts without repeats.
func distinct(texts []string) []string {
	var out []string
	seen := map[string]bool{}
	for _, text := range texts {
		if !seen[text] {
			seen[text] = true
			out = append(out, text)
		}
	}
	return out
}

type pullInput struct {
	ID          string `path:"id" doc:"The packet's id, percent-encoded."`
	IfNoneMatch string `header:"If-None-Match" doc:"If the packet has this ETag, the answer is 304 without a body."`
}

type pullAnswer struct {
	Status       int
	ContentType  string `header:"Content-Type"`
	ETag         string `header:"ETag"`
	CacheControl string `header:"Cache-Control"`
	Body         []byte
}

func (s *Server) pull(ctx context.Context, c *call, in *pullInput) (*pullAnswer, error) {
	p, err := s.store.PacketOf(ctx, c.user.ID, in.ID)
	if err != nil {
		return nil, err
	}
	c.out.packet = in.ID
	out := &pullAnswer{Status: http.StatusOK, ContentType: "application/json", ETag: quoted(p.Version),
		CacheControl: "private, no-cache", Body: p.Body}
	if matches(in.IfNoneMatch, out.ETag) {
		out.Status, out.Body, out.ContentType = http.StatusNotModified, nil, ""
	}
	return out, nil
}

type deleteInput struct {
	ID      string `path:"id" doc:"The packet's id, percent-encoded."`
	IfMatch string `header:"If-Match" doc:"The ETag of the version to delete; *: any."`
}

func (s *Server) delete(ctx context.Context, c *call, in *deleteInput) (*struct{}, error) {
	match, err := matchOf(in.IfMatch)
	if err != nil {
		return nil, err
	}
	c.texts = texts{ErrDenied: "only the author of a packet and the owner of its team can delete it"}
	if err := s.store.DeletePacket(ctx, c.user.ID, in.ID, match, s.opts.Now().UTC()); err != nil {
		return nil, err
	}
	c.out.packet = in.ID
	return nil, nil
}

// quoted returns a version as an entity tag.
func quoted(version string) string { return `"` + version + `"` }

// matchOf returns the version that an If-Match names. Only one can be named.
func matchOf(header string) (version string, err error) {
	header = strings.TrimSpace(header)
	if header == "" || header == "*" {
		return header, nil
	}
	version, quotedRight := strings.CutPrefix(header, `"`)
	version, closed := strings.CutSuffix(version, `"`)
	if !quotedRight || !closed || version == "" || strings.ContainsAny(version, `",`) {
		return "", problem(kindRequest, "If-Match must be * or one ETag in quotes; nothing was changed")
	}
	return version, nil
}

// matches reports whether an If-None-Match names an entity tag. The comparison is the weak one.
func matches(header, etag string) bool {
	for given := range strings.SplitSeq(header, ",") {
		given = strings.TrimSpace(given)
		if given == "*" || strings.TrimPrefix(given, "W/") == etag {
			return true
		}
	}
	return false
}

// Words returns the words that the text filter finds a packet by: those of all its texts.
func Words(p *packet.Packet) []string {
	var words []string
	for _, text := range p.Texts() {
		words = append(words, search.Terms(text.Value)...)
	}
	return distinct(words)
}
