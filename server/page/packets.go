package page

import (
	"context"
	"net/http"

	"ltm/memory/api"
	"ltm/packet"
	"ltm/text/safe"
)

// Packets has the unfinished work of the project. [ltm/engine/handoff.Desk] fulfills it.
type Packets interface {
	List(context.Context, api.PacketFilter) (api.PacketList, error)
	Show(ctx context.Context, id string) (api.PacketDetail, error)
	Chain(ctx context.Context, id string) (packet.Chain, []api.PacketEntry, error)
	Resume(context.Context, api.ResumePacket) (api.Resumption, error)
}

// packetsPage lists packets.
type packetsPage struct {
	List api.PacketList
	Open bool   // only those that are neither done nor continued
	Text string // words that they have
}

// packetPage is one packet: where it comes from and leads to, and what a session gets of it.
type packetPage struct {
	api.PacketDetail
	Chain  []api.PacketEntry // oldest first
	Resume api.Resumption
	Block  string
}

// mostPackets is how many packets are listed.
const mostPackets = 200

func packetsView() view {
	return view{path: "/packets", nav: "Packets", page: "packets", load: loadPackets}
}

func packetView() view { return view{path: "/packet/{id}", page: "packet", load: loadPacket} }

func loadPackets(ctx context.Context, s *Site, r *http.Request) (string, any, error) {
	q := r.URL.Query()
	p := packetsPage{Open: q.Has("open"), Text: q.Get("q")}
	var err error
	p.List, err = s.options.Packets.List(ctx, api.PacketFilter{Open: p.Open, Text: p.Text, Limit: mostPackets})
	return "Packets", p, err
}

func loadPacket(ctx context.Context, s *Site, r *http.Request) (string, any, error) {
	id := r.PathValue("id")
	var p packetPage
	var err error
	if p.PacketDetail, err = s.options.Packets.Show(ctx, id); err != nil {
		return "", nil, err
	}
	if _, p.Chain, err = s.options.Packets.Chain(ctx, id); err != nil {
		return "", nil, err
	}
	if p.Resume, err = s.options.Packets.Resume(ctx, api.ResumePacket{ID: id}); err != nil {
		return "", nil, err
	}
	p.Block = safe.Text(p.Resume.Text)
	return short(p.Packet.Goal), p, nil
}
