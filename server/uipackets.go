package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"time"

	"ltm/packet"
)

// uiLimit is how many rows a page has.
const uiLimit = "25"

// packetsPage is what the page of packets shows.
type packetsPage struct {
	Teams   []listedTeam
	Query   fields
	Since   string // a day
	Packets []listEntry
	Filters bool   // something selects
	First   string // the address of the first page; "": this is it
	Next    string // the address of the next page; "": this is the last
}

// packetPage is what the page of one packet shows.
type packetPage struct {
	Packet   packet.Packet
	Created  string
	Stored   string
	Team     string
	Author   string
	Mine     bool // who looks sent it
	Deletes  bool // who looks may delete it
	Chain    []chainLink
	Missing  string // the parent that is not there
	Earlier  bool   // the chain goes on before
	Cycle    bool
	Children []listEntry
	Resume   string
	JSON     string
}

// chainLink is a packet of a chain.
type chainLink struct {
	ID, Goal string
	Created  string
	Here     bool
}

// maxShownChain is how many packets of a chain a page looks up.
const maxShownChain = 50

func (s *Server) uiPackets() []screen {
	return []screen{
		{name: "packets", who: people, show: s.uiPacketsPage,
			query: []string{"team", "text", "tag", "project", "parent", "since", "cursor"}},
		{name: "packet", who: people, query: []string{"id"}, show: s.uiPacketPage,
			do: map[string]action{"delete": s.uiDeletePacket}},
	}
}

func (s *Server) uiPacketsPage(ctx context.Context, c *call, q fields) (*view, error) {
	teams, err := s.listTeams(ctx, c, nil)
	if err != nil {
		return nil, err
	}
	in := &listInput{Team: q["team"], Limit: uiLimit, Cursor: q["cursor"], Tag: q["tag"], Project: q["project"],
		Parent: q["parent"], Text: q["text"], Detail: "true"}
	if q["since"] != "" {
		day, err := time.Parse(time.DateOnly, q["since"])
		if err != nil {
			return nil, problem(kindRequest, "since must be a day such as 2026-08-28")
		}
		in.Since = timeParam(day.Format(time.RFC3339))
	}
	found, err := s.listed(ctx, c, in)
	if err != nil {
		return nil, err
	}
	page := packetsPage{Teams: teams.Teams, Query: q, Since: q["since"], Packets: found.Packets}
	address := func(cursor string) string {
		return link("packets", "team", q["team"], "text", q["text"], "tag", q["tag"], "project", q["project"],
			"parent", q["parent"], "since", q["since"], "cursor", cursor)
	}
	for _, name := range []string{"text", "tag", "project", "parent", "since"} {
		page.Filters = page.Filters || q[name] != ""
	}
	if q["cursor"] != "" {
		page.First = address("")
	}
	if found.Next != "" {
		page.Next = address(found.Next)
	}
	return &view{Title: "Packets", Section: "packets", Body: "packets", Data: page}, nil
}

func (s *Server) uiPacketPage(ctx context.Context, c *call, q fields) (*view, error) {
	c.about("packet")
	kept, err := s.store.PacketOf(ctx, c.user.ID, q["id"])
	if err != nil {
		return nil, err
	}
	p, err := packet.ParseStored(kept.Body)
	if err != nil {
		return nil, faulty(err)
	}
	page := packetPage{Packet: p, Created: packet.FormatTime(p.Time()), Stored: packet.FormatTime(kept.StoredAt),
		Team: kept.Team, Mine: kept.AuthorID == c.user.ID, Resume: packet.Resume(&p, packet.ResumeOptions{}).Text}
	page.Deletes = page.Mine
	var indented bytes.Buffer
	if json.Indent(&indented, kept.Body, "", "  ") == nil {
		page.JSON = indented.String()
	}
	if err := s.authorOf(ctx, c, kept, &page); err != nil {
		return nil, err
	}
	if err := s.chainOf(ctx, c, p.ID, &page); err != nil {
		return nil, err
	}
	children, err := s.listed(ctx, c, &listInput{Team: kept.Team, Parent: p.ID, Limit: uiLimit, Detail: "true"})
	if err != nil {
		return nil, err
	}
	page.Children = children.Packets
	return &view{Title: "Packet", Section: "packets", Body: "packet", Data: page}, nil
}

// authorOf finds out who sent a packet of a team, and whether who looks owns the team.
func (s *Server) authorOf(ctx context.Context, c *call, kept StoredPacket, page *packetPage) error {
	if kept.Team == "" {
		return nil
	}
	members, err := s.listMembers(ctx, c, &teamInput{kept.Team})
	if err != nil {
		return err
	}
	for _, m := range members.Members {
		if m.UserID == kept.AuthorID {
			page.Author = m.Display
		}
		if m.UserID == c.user.ID && m.Role == "owner" {
			page.Deletes = true
		}
	}
	return nil
}

// chainOf looks up what a packet continues, as far as who looks may see it.
func (s *Server) chainOf(ctx context.Context, c *call, id string, page *packetPage) error {
	var failed error
	links, looked := map[string]chainLink{}, 0
	chain := packet.ChainOf(id, func(id string) (string, bool) {
		if looked++; looked > maxShownChain || failed != nil {
			page.Earlier = true
			return "", false
		}
		kept, err := s.store.PacketOf(ctx, c.user.ID, id)
		if err != nil {
			if !errors.Is(err, ErrNotFound) {
				failed = err
			}
			return "", false
		}
		p, err := packet.ParseStored(kept.Body)
		if err != nil {
			return "", false
		}
		links[id] = chainLink{ID: id, Goal: p.Goal, Created: packet.FormatTime(p.Time())}
		return p.ParentID, true
	})
	if failed != nil {
		return failed
	}
	for _, one := range chain.IDs {
		l := links[one]
		l.Here = one == id
		page.Chain = append(page.Chain, l)
	}
	page.Cycle = len(chain.Cycle) > 0
	if !page.Earlier {
		page.Missing = chain.Missing
	}
	return nil
}

func (s *Server) uiDeletePacket(ctx context.Context, c *call, q, _ fields) (outcome, error) {
	_, err := s.delete(ctx, c, &deleteInput{ID: q["id"]})
	return outcome{to: "packets", done: "deleted"}, err
}
