package client

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"ltm/memory"
	"ltm/packet"
	"ltm/packet/redact"
)

// Bounds of the length of an id, in characters.
const (
	leastIDChars = 10
	mostIDChars  = 64
)

// MaxLimit is the largest page of a list.
const MaxLimit = 500

// checkID reports whether a packet can have an id. "." and ".." would be another path.
func checkID(id string) error {
	if n := utf8.RuneCountInString(id); n < leastIDChars || n > mostIDChars || !utf8.ValidString(id) {
		return memory.NewError(memory.CodeInvalid, memory.KindRemoteIDMalformed, id,
			"%s is not the id of a packet, which has 10 to 64 characters", memory.Quote(id, 70))
	}
	return nil
}

// Health is what a server reports about itself.
type Health struct {
	OK      bool   `json:"ok"`
	Version string `json:"version"` // of the protocol
}

// Health asks whether a server answers. No token is sent.
func (c *Client) Health(ctx context.Context) (Health, error) {
	var h Health
	_, err := c.get(ctx, request{url: c.o.Host.join("healthz"), open: true}, &h)
	if err == nil && !h.OK {
		err = c.odd("it does not say that it is well")
	}
	return h, err
}

// Push is a packet to send.
type Push struct {
	Packet packet.Packet
	Team   string // empty: the caller's own packets

	// IfMatch is the version that it replaces; empty: no condition.
	IfMatch string

	// IfNoneMatch reports that the server must not have it yet.
	IfNoneMatch bool
}

// Pushed answers a [Push].
type Pushed struct {
	ID      string `json:"id"`
	Version string `json:"version,omitempty"` // empty: the server does not say
}

// CheckLeaks reports what of a packet must not be sent: every finding, without the text that was
// found. p may be illegal.
func CheckLeaks(p *packet.Packet) error {
	found := redact.Check(p)
	if len(found) == 0 {
		return nil
	}
	var lines strings.Builder
	for _, f := range found {
		lines.WriteString("\n  " + f.String())
	}
	return memory.NewError(memory.CodeSecret, memory.KindPacketLeaks, p.ID,
		"the packet seems to hold credentials or local paths, and was not sent%s", lines.String())
}

// Push sends a packet in canonical form. It is not sent if it is illegal or [CheckLeaks] finds
// anything. The same packet again has no further effect.
func (c *Client) Push(ctx context.Context, p Push) (Pushed, error) {
	if err := CheckLeaks(&p.Packet); err != nil {
		return Pushed{}, err
	}
	data, err := p.Packet.Canonical()
	if err != nil {
		return Pushed{}, &memory.Error{Code: memory.CodeInvalid, Kind: memory.KindPacketInvalid, Subject: p.Packet.ID,
			Message: "the packet is not legal", Err: err}
	}
	r := request{method: http.MethodPost, url: c.o.Host.join("packets"), query: url.Values{}, body: data,
		// A new key each time: with the same one, a packet that was deleted or replaced meanwhile would
		// not be sent again.
		header: map[string]string{"Idempotency-Key": rand.Text()},
		means: map[int]meaning{
			http.StatusConflict: {memory.CodeConflict, memory.KindRemoteConflict, p.Packet.ID,
				"someone else's packet has the id"},
			http.StatusPreconditionFailed: {memory.CodeConflict, memory.KindRemoteStale, p.Packet.ID,
				"the packet was changed there meanwhile"},
		}}
	c.inTeam(&r, p.Team)
	if p.IfMatch != "" {
		r.header["If-Match"] = quoteTag(p.IfMatch)
	}
	if p.IfNoneMatch {
		r.header["If-None-Match"] = "*"
	}
	got, err := c.do(ctx, r)
	if err != nil {
		return Pushed{}, err
	}
	var done Pushed
	if err := c.decode(got.body, &done); err != nil {
		return Pushed{}, err
	}
	if done.ID != p.Packet.ID {
		return Pushed{}, c.odd("it is about another packet")
	}
	done.Version = versionOf(got.header)
	return done, nil
}

// inTeam makes a request be about a team's packets.
func (c *Client) inTeam(r *request, team string) {
	if team != "" {
		r.fault = checkTeam(team)
		r.query.Set("team", team)
		r.means[http.StatusNotFound] = c.noTeam(team)
	}
}

// quoteTag returns an entity tag as headers have it.
func quoteTag(version string) string {
	if version == "*" {
		return version
	}
	return `"` + version + `"`
}

// versionOf returns the entity tag of an answer without quotes, "" if it has none.
func versionOf(h http.Header) string {
	tag := strings.TrimPrefix(h.Get("ETag"), "W/")
	if len(tag) < 2 || len(tag) > 200 || tag[0] != '"' || tag[len(tag)-1] != '"' {
		return ""
	}
	return strings.Trim(tag, `"`)
}

// Pulled is a packet that a server has.
type Pulled struct {
	Packet  packet.Packet
	Version string // empty: the server does not say
}

// Pull returns a packet. It is refused unless it is legal and has the id that was asked for.
func (c *Client) Pull(ctx context.Context, id string) (Pulled, error) {
	got, err := c.do(ctx, request{method: http.MethodGet, url: c.o.Host.join("packets", id),
		most: packet.MaxStoredBytes, means: c.noPacket(id), fault: checkID(id)})
	if err != nil {
		return Pulled{}, err
	}
	p, err := packet.ParseStored(got.body)
	if err != nil {
		return Pulled{}, &memory.Error{Code: memory.CodeRemote, Kind: memory.KindRemoteAnswer,
			Subject: c.o.Host.String(), Message: "what " + c.o.Host.String() + " sent is not a legal packet", Err: err}
	}
	if p.ID != id {
		return Pulled{}, c.odd("it is about another packet")
	}
	return Pulled{Packet: p, Version: versionOf(got.header)}, nil
}

// Delete removes a packet from the server. ifMatch is the version to remove; empty: any.
func (c *Client) Delete(ctx context.Context, id, ifMatch string) error {
	r := request{url: c.o.Host.join("packets", id), means: c.noPacket(id), header: map[string]string{},
		fault: checkID(id)}
	if ifMatch != "" {
		r.header["If-Match"] = quoteTag(ifMatch)
	}
	return c.remove(ctx, r)
}

func (c *Client) noPacket(id string) map[int]meaning {
	return map[int]meaning{
		http.StatusNotFound: {memory.CodeNotFound, memory.KindRemoteUnknown, id,
			fmt.Sprintf("%s has no packet %s for you", c.o.Host, memory.Quote(id, mostIDChars))},
		http.StatusPreconditionFailed: {memory.CodeConflict, memory.KindRemoteStale, id,
			"the packet was changed there meanwhile"},
	}
}

// Query asks for a page of a list. Zero fields do not filter. The reference server knows Team and
// Limit alone, and ignores the others.
type Query struct {
	Team    string // empty: the caller's own packets
	Tag     string
	Project string
	Parent  string
	Text    string
	Since   time.Time
	Limit   int    // 1 to [MaxLimit]; 0: the server's own
	Detail  bool   // with all that an [Entry] has
	Next    string // of the page before; the other fields do not count
}

// Entry is one packet in a list.
type Entry struct {
	ID        string    `json:"id"`
	CreatedAt time.Time `json:"created_at"`
	Goal      string    `json:"goal"`
	Parent    string    `json:"parent_id,omitempty"` // this and the following: empty if the server does not say
	Project   string    `json:"project,omitempty"`
	Tags      []string  `json:"tags,omitempty"`
	Author    string    `json:"author,omitempty"`
	Version   string    `json:"version,omitempty"` // as in [Pulled]
}

// Page is a part of a list, the newest packets first.
type Page struct {
	Packets []Entry `json:"packets"`
	Next    string  `json:"next,omitempty"` // for [Query.Next]; empty: it is the last page
}

// List returns a page of a list.
func (c *Client) List(ctx context.Context, q Query) (Page, error) {
	r := request{url: c.o.Host.join("packets"), query: url.Values{}, most: maxListAnswer, means: map[int]meaning{}}
	c.inTeam(&r, q.Team)
	if q.Limit != 0 {
		r.query.Set("limit", strconv.Itoa(min(max(q.Limit, 1), MaxLimit)))
	}
	for name, value := range map[string]string{"tag": q.Tag, "project": q.Project, "parent": q.Parent, "text": q.Text} {
		if value != "" {
			r.query.Set(name, value)
		}
	}
	if q.Detail {
		r.query.Set("detail", "true")
	}
	if !q.Since.IsZero() {
		r.query.Set("since", q.Since.UTC().Format(time.RFC3339))
	}
	if q.Next != "" {
		next, err := url.ParseQuery(q.Next)
		if err != nil {
			return Page{}, memory.NewError(memory.CodeInvalid, memory.KindRequestInvalid, "", "this is no next page")
		}
		r.query = next
	}
	var page struct {
		Packets []Entry         `json:"packets"`
		Next    json.RawMessage `json:"next"`
	}
	got, err := c.get(ctx, r, &page)
	if err != nil {
		return Page{}, err
	}
	if len(page.Packets) > MaxLimit {
		return Page{}, c.odd(fmt.Sprintf("a page has more than %d packets", MaxLimit))
	}
	for _, e := range page.Packets {
		if checkID(e.ID) != nil {
			return Page{}, c.odd("an entry has an id that no packet can have")
		}
	}
	return Page{Packets: page.Packets, Next: nextOf(got.header, page.Next, r.query)}, nil
}

// maxNext is the maximum length of what names the next page.
const maxNext = 4096

// nextOf returns the query of the next page: that of the link with rel="next", or else the present
// one with the answer's "next" as its cursor. Only the query counts, never the link's host.
func nextOf(h http.Header, next json.RawMessage, query url.Values) string {
	for _, link := range h.Values("Link") {
		for part := range strings.SplitSeq(link, ",") {
			target, rest, ok := strings.Cut(strings.TrimSpace(part), ">")
			rel := strings.ReplaceAll(strings.ReplaceAll(rest, `"`, ""), " ", "")
			if !ok || !strings.HasPrefix(target, "<") || !strings.Contains(rel+";", ";rel=next;") {
				continue
			}
			if _, raw, ok := strings.Cut(target, "?"); ok {
				return cleanQuery(raw)
			}
		}
	}
	var cursor string
	if json.Unmarshal(next, &cursor) != nil || cursor == "" {
		return ""
	}
	if _, raw, ok := strings.Cut(cursor, "?"); ok {
		return cleanQuery(raw)
	}
	copied := maps.Clone(query)
	copied.Set("cursor", cursor)
	return cleanQuery(copied.Encode())
}

func cleanQuery(raw string) string {
	values, err := url.ParseQuery(raw)
	if err != nil || len(raw) > maxNext {
		return ""
	}
	return values.Encode()
}

// maxPages is how many pages are read of a server that has no end.
const maxPages = 1000

// ListAll returns the first limit packets of a list, page by page; 0: all.
func (c *Client) ListAll(ctx context.Context, q Query, limit int) (Page, error) {
	var all Page
	q.Limit = MaxLimit
	if limit > 0 {
		q.Limit = min(limit, MaxLimit)
	}
	seen := map[string]bool{}
	for range maxPages {
		page, err := c.List(ctx, q)
		if err != nil {
			return all, err
		}
		all.Packets, all.Next = append(all.Packets, page.Packets...), page.Next
		if limit > 0 && len(all.Packets) >= limit {
			all.Packets = all.Packets[:limit]
			return all, nil
		}
		if page.Next == "" || seen[page.Next] || len(page.Packets) == 0 {
			all.Next = ""
			return all, nil
		}
		seen[page.Next], q.Next = true, page.Next
	}
	return all, nil
}
