package page

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"ltm/memory"
	"ltm/memory/advice"
	"ltm/memory/api"
	"ltm/packet"
	"ltm/text/safe"
)

// Files has the files of the project.
type Files interface {
	// ReadFile returns a regular file, by its path below the top of the work tree, with slashes.
	ReadFile(ctx context.Context, path string) ([]byte, error)
}

// sourcePage is a part of a file of the project, at the lines that a memory refers to.
type sourcePage struct {
	Path   string
	Lines  []sourceLine
	Total  int
	Before string // the queries of the parts before and after; empty: no such part
	After  string
}

type sourceLine struct {
	Number int
	Text   string
	Meant  bool
}

const (
	// around is how many lines are shown before those that are meant.
	around = 40
	// mostLines is how many lines of a file a page shows, and mostSourceLine how much of each, in characters.
	mostLines      = 400
	mostSourceLine = 240
	// mostPart is how large they are together, in bytes.
	mostPart = 80 << 10
)

func sourceView() view {
	return view{path: "/file", page: "source", load: loadSource}
}

// sourceAddress returns the address of the page that shows a file, relative to the start page.
func sourceAddress(file string, line, end int) string {
	q := url.Values{"path": {file}}
	if line > 0 {
		q.Set("line", strconv.Itoa(line))
	}
	if end > line {
		q.Set("end", strconv.Itoa(end))
	}
	address := "file?" + q.Encode()
	if line > 0 {
		address += "#L" + strconv.Itoa(line)
	}
	return address
}

// inProject returns a path as it is below the top of the work tree, or false if it could lead elsewhere.
func inProject(name string) (string, bool) {
	clean := path.Clean(name)
	if name == "" || path.IsAbs(name) || clean == "." || clean == ".." || strings.HasPrefix(clean, "../") ||
		strings.ContainsAny(name, "\\:\x00") || safe.Line(name) != name {
		return "", false
	}
	for part := range strings.SplitSeq(clean, "/") {
		if strings.EqualFold(part, ".git") {
			return "", false
		}
	}
	return clean, true
}

func loadSource(ctx context.Context, s *Site, r *http.Request) (string, any, error) {
	q := r.URL.Query()
	name, ok := inProject(q.Get("path"))
	if !ok {
		return "", nil, &refusal{http.StatusUnprocessableEntity, "that is not a path in the project"}
	}
	data, err := s.options.Files.ReadFile(ctx, name)
	if err != nil {
		return "", nil, err
	}
	if !utf8.Valid(data) || strings.ContainsRune(string(data), 0) {
		return "", nil, &refusal{http.StatusUnprocessableEntity, "that file is not text"}
	}
	line, _ := strconv.Atoi(q.Get("line")) // anything else counts as no line
	end, _ := strconv.Atoi(q.Get("end"))
	p := sourcePage{Path: name}
	p.show(strings.Split(strings.TrimSuffix(string(data), "\n"), "\n"), line, max(line, end))
	if first := p.Lines[0].Number; first > 1 {
		p.Before = with(r, "line", strconv.Itoa(max(1, first-mostLines+around)), "end", "")
	}
	if last := p.Lines[len(p.Lines)-1].Number; last < p.Total {
		p.After = with(r, "line", strconv.Itoa(last+around), "end", "")
	}
	return name, p, nil
}

// show takes the lines around those that are meant.
func (p *sourcePage) show(all []string, line, end int) {
	p.Total = len(all)
	line = min(max(0, line), p.Total)
	first, size := min(max(0, line-1-around), p.Total-1), 0
	for i := first; i < min(first+mostLines, p.Total); i++ {
		text := safe.Clip(safe.Text(strings.TrimSuffix(all[i], "\r")), mostSourceLine)
		if size += 5*len(text) + rowSize; size > mostPart && i > first {
			return
		}
		p.Lines = append(p.Lines, sourceLine{Number: i + 1, Text: text, Meant: line > 0 && i+1 >= line && i+1 <= end})
	}
}

// Keeper reports on one store: the project's, or the person's. [ltm/engine.Engine] implements it. None of these methods
// changes anything, given DryRun.
type Keeper interface {
	Evict(context.Context, api.EvictOptions) (api.EvictionReport, error)
	ListArchives(context.Context) (api.ArchiveRecall, error)
	Trusted(context.Context) (api.TrustReport, error)
	Tidying(context.Context) (api.Tidying, error)
	// Unresolved returns the memories whose files have an unresolved merge.
	Unresolved(context.Context) ([]memory.ID, error)
	// WasApproved reports whether a text was approved as the file of a memory.
	WasApproved(ctx context.Context, id string, data []byte) (bool, error)

	Check(context.Context) (api.CheckReport, error)
	CheckSecrets(context.Context) (api.SecretsReport, error)
	Fix(context.Context, api.FixOptions) (api.FixReport, error)
	History(ctx context.Context, of memory.ID, limit int) (memory.History, error)
	Status(context.Context) (api.Status, error)
	// Days counts the sessions and the prompts of the project by day.
	Days(context.Context) ([]api.DayCount, error)
}

// shelf is which store a view shows, and how to see the other one.
type shelf struct {
	Scope api.Scope // project or user
	Both  bool      // there are two

	Address string // of the view, as links of the page that shows it have it
}

// keeper returns the store that the query of a request names: the project's, unless it says scope=user.
func (s *Site) keeper(r *http.Request) (Keeper, shelf, error) {
	scope, err := api.ParseScope(r.URL.Query().Get("scope"))
	if err != nil {
		return nil, shelf{}, err
	}
	if scope != api.ScopeUser {
		scope = api.ScopeProject
	}
	k, err := s.options.Keeper(scope)
	return k, s.shelf(r, scope, r.URL.Path), err
}

// shelf returns a shelf of the view at a path, for a page that answers a request, which may be for another path.
func (s *Site) shelf(r *http.Request, scope api.Scope, path string) shelf {
	return shelf{Scope: scope, Both: s.options.Person(), Address: rootOf(r) + addressOf(path)}
}

// Packets has the unfinished work of the project. [ltm/engine/handoff.Desk] fulfills it.
type Packets interface {
	List(context.Context, api.PacketFilter) (api.PacketList, error)
	Show(ctx context.Context, id string) (api.PacketDetail, error)
	Chain(ctx context.Context, id string) (packet.Chain, []api.PacketEntry, error)
	Resume(context.Context, api.ResumePacket) (api.Resumption, error)
	Write(context.Context, api.PacketDraft) (api.PacketReceipt, error)
	Done(ctx context.Context, id string, undo bool) (api.PacketReceipt, error)
	KeepDraft(ctx context.Context, id string) (api.PacketReceipt, error)
}

// Post sends packets to servers.
type Post interface {
	// Servers returns those that the person is signed in to. It asks none of them.
	Servers(context.Context) ([]Server, error)
	// Send sends a packet to a server, for the person alone or a team, and returns what to say of it.
	Send(ctx context.Context, p *packet.Packet, host, team string) (string, error)
}

// Server is a server of packets that the person is signed in to.
type Server struct {
	Host    string // its URL
	Display string // what others see of the person there
	Default bool
}

// packetsPage lists packets, and has the form for a new one.
type packetsPage struct {
	Goal, NextStep, DoneWhen string // what was typed
	Error, Next              string // why it was not written

	List api.PacketList
	Open bool   // only those that are neither done nor continued
	Text string // words that they have
}

// packetPage is one packet: where it comes from and leads to, and what a session gets of it.
type packetPage struct {
	api.PacketDetail
	Chain  []api.PacketEntry // oldest first
	Resume api.Resumption

	Servers     []Server // to send it to
	Host, Team  string   // where it was sent to without success
	Error, Next string   // why
}

// IsDraft reports whether the packet is in this clone alone, until a person keeps it.
func (p packetPage) IsDraft() bool {
	return slices.ContainsFunc(p.Chain, func(e api.PacketEntry) bool { return e.ID == p.Packet.ID && e.Draft })
}

// IsPlain reports whether the id can be typed into a shell as it is.
func (p packetPage) IsPlain() bool { return exportedID.MatchString(p.Packet.ID) }

// mostPackets is how many packets are listed.
const mostPackets = 200

// packetsName is that of the list in the navigation, and packetsPath its path.
const (
	packetsName = "Packets"
	packetsPath = "/packets"
)

func packetsView() view {
	return view{path: packetsPath, nav: packetsName, page: "packets", load: loadPackets}
}

func packetView() view {
	return view{path: "/packet/{id}", under: packetsName, page: "packet", load: loadPacket}
}

func packetsAction() action { return action{path: packetsPath, do: handOver} }

// handOver writes a packet, or changes the state of one.
func handOver(ctx context.Context, s *Site, r *http.Request) (reply, error) {
	f, desk := r.PostForm, s.options.Packets
	id, receipt, err := f.Get("id"), api.PacketReceipt{}, error(nil)
	switch f.Get("what") {
	case "done":
		receipt, err = desk.Done(ctx, id, false)
	case "open":
		receipt, err = desk.Done(ctx, id, true)
	case "keep":
		receipt, err = desk.KeepDraft(ctx, id)
	case "send":
		return sendPacket(ctx, s, id, f.Get("host"), strings.TrimSpace(f.Get("team")))
	default:
		p := packetsPage{Goal: strings.TrimSpace(f.Get("goal")), NextStep: strings.TrimSpace(f.Get("next")),
			DoneWhen: f.Get("done-when")}
		done := slices.DeleteFunc(strings.Split(strings.ReplaceAll(p.DoneWhen, "\r", ""), "\n"),
			func(line string) bool { return strings.TrimSpace(line) == "" })
		receipt, err = desk.Write(ctx, api.PacketDraft{Packet: packet.Packet{Goal: p.Goal, NextStep: p.NextStep,
			SuccessCriteria: done}})
		if err != nil {
			p.Error, p.Next = nextSteps().Split(err, advice.Writing)
			p.List, _ = desk.List(ctx, api.PacketFilter{Limit: mostPackets}) // what was typed counts more
			return reply{page: "packets", title: packetsName, data: p, status: statusOf(err)}, nil
		}
	}
	said := doneBar{Text: sentence(nextSteps().Say(receipt.Message))}
	return reply{next: s.after("packet/"+url.PathEscape(receipt.ID), []doneBar{said})}, err
}

// sendPacket sends a packet to a server, or shows it again with the reason why it was not sent.
func sendPacket(ctx context.Context, s *Site, id, host, team string) (reply, error) {
	p, err := s.packet(ctx, id)
	if err != nil {
		return reply{}, err
	}
	if !slices.ContainsFunc(p.Servers, func(known Server) bool { return known.Host == host }) {
		return reply{}, &refusal{http.StatusUnprocessableEntity,
			fmt.Sprintf("You are not signed in to %q: \"ltm auth URL\" does that. Nothing was sent.", host)}
	}
	said, err := s.options.Post.Send(ctx, &p.Packet, host, team)
	if err != nil {
		p.Host, p.Team = host, team
		p.Error, p.Next = nextSteps().Split(err, advice.Writing)
		return reply{page: "packet", title: short(p.Packet.Goal), data: p, status: statusOf(err)}, nil
	}
	return reply{next: s.after("packet/"+url.PathEscape(id), []doneBar{{Text: sentence(said)}})}, nil
}

func loadPackets(ctx context.Context, s *Site, r *http.Request) (string, any, error) {
	q := r.URL.Query()
	p := packetsPage{Open: q.Has("open"), Text: q.Get("q")}
	var err error
	p.List, err = s.options.Packets.List(ctx, api.PacketFilter{Open: p.Open, Text: p.Text, Limit: mostPackets})
	return packetsName, p, err
}

func loadPacket(ctx context.Context, s *Site, r *http.Request) (string, any, error) {
	p, err := s.packet(ctx, r.PathValue("id"))
	return short(p.Packet.Goal), p, err
}

// packet returns what the page of a packet shows.
func (s *Site) packet(ctx context.Context, id string) (p packetPage, err error) {
	if p.PacketDetail, err = s.options.Packets.Show(ctx, id); err != nil {
		return p, err
	}
	if _, p.Chain, err = s.options.Packets.Chain(ctx, id); err != nil {
		return p, err
	}
	if p.Resume, err = s.options.Packets.Resume(ctx, api.ResumePacket{ID: id}); err != nil {
		return p, err
	}
	if s.options.Post != nil {
		if p.Servers, err = s.options.Post.Servers(ctx); err != nil { // the packet is worth more
			s.options.Log.Warn("the servers to send packets to cannot be listed", "error", err)
		}
	}
	return p, nil
}
