package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"ltm/memory"
	"ltm/memory/advice"
	"ltm/memory/api"
	"ltm/packet"
	packets "ltm/packet/client"
	"ltm/packet/redact"
)

// outgoing is a packet on its way to a server.
type outgoing struct {
	packet packet.Packet
	stored bool // it is in the project's store
}

// pushReceipt answers what was sent.
type pushReceipt struct {
	Success bool        `json:"success"`
	ID      string      `json:"id"`
	Host    string      `json:"host"`
	Team    string      `json:"team,omitempty"`
	Version string      `json:"version,omitempty"`
	Message memory.Note `json:"message"`
}

func (a *app) pushCommand() *cobra.Command {
	c := &cobra.Command{Use: "push [ID|FILE|-]", Args: arguments(1)}
	f := remoteFlagsOf(c)
	team := teamFlag(c, "send it to this `TEAM`")
	queued := c.Flags().Bool("queued", false, "send what waits, each to its own server and team")
	drop := c.Flags().String("drop", "", "take the packet with this `ID` out of what waits")
	c.RunE = func(c *cobra.Command, given []string) error {
		switch {
		case (*queued || *drop != "") && (len(given) > 0 || *team != "" || *queued && *drop != ""):
			return invalid("give one of them", "--queued and --drop go without a packet and a team")
		case *queued:
			return a.pushQueued(c.Context(), f)
		case *drop != "":
			return a.dropQueued(*drop)
		}
		out, err := a.outgoing(c.Context(), given)
		if err != nil {
			return err
		}
		receipt, err := a.push(c.Context(), f, out, *team)
		return answer(a, receipt, err, a.printPush)
	}
	return c
}

func (a *app) printPush(r pushReceipt) error {
	return a.println(cell(say(r.Message)))
}

// outgoing returns the packet that the arguments of a command mean.
func (a *app) outgoing(ctx context.Context, given []string) (outgoing, error) {
	if len(given) == 0 {
		id, err := a.newestPacket(ctx)
		if err != nil {
			return outgoing{}, err
		}
		given = []string{id}
	} else if a.isFile(ctx, given[0]) {
		data, err := a.readPacketFile(given[0])
		if err != nil {
			return outgoing{}, err
		}
		p, err := parseOutgoing(inputName(given[0]), data)
		if err != nil {
			return outgoing{}, err
		}
		return outgoing{packet: p, stored: a.hasPacket(ctx, p)}, nil
	}
	detail, err := a.desk().Show(ctx, given[0])
	return outgoing{packet: detail.Packet, stored: true}, err
}

// parseOutgoing reads a packet that is to be sent. A text that is not one is searched for what must
// not be sent all the same, so that its writer hears of it at once.
func parseOutgoing(name string, data []byte) (packet.Packet, error) {
	p, err := packet.ParseStored(data)
	if err == nil {
		return p, nil
	}
	faults := packetFaults(&p, err)
	for _, f := range redact.Text(string(data)) {
		faults = append(faults, packetFault{Kind: string(f.Label), Message: "has " + f.Kind + ": " + f.Match,
			leaks: true})
	}
	return p, faultsError(name, faults, nil)
}

// hasPacket reports whether the project's store has this packet.
func (a *app) hasPacket(ctx context.Context, p packet.Packet) bool {
	detail, err := a.desk().Show(ctx, p.ID)
	if err != nil || detail.Packet.ID != p.ID {
		return false
	}
	here, hereErr := detail.Packet.Canonical()
	given, givenErr := p.Canonical()
	return hereErr == nil && givenErr == nil && string(here) == string(given)
}

// newestPacket returns the id of the newest packet of this branch; of all without a branch.
func (a *app) newestPacket(ctx context.Context) (string, error) {
	branch, _, _ := a.git(a.place()).Head(ctx)
	list, err := a.desk().List(ctx, api.PacketFilter{Branch: branch, Limit: 1})
	if err != nil {
		return "", err
	}
	if len(list.Packets) > 0 {
		return list.Packets[0].ID, nil
	}
	return "", notFound(`"ltm write" makes one, and "ltm packet ls" lists those of other branches`,
		"there is no packet of this branch")
}

// push sends a packet. One that cannot be sent now waits.
func (a *app) push(ctx context.Context, f *remoteFlags, out outgoing, team string) (pushReceipt, error) {
	if err := packets.CheckLeaks(&out.packet); err != nil { // before anything is asked of anyone
		return pushReceipt{}, err
	}
	c, r, err := a.dial(f)
	if err != nil {
		return pushReceipt{}, err
	}
	defer c.Close()
	done, err := c.Push(ctx, packets.Push{Packet: out.packet, Team: team})
	if packets.IsPassing(err) {
		return pushReceipt{}, a.enqueue(out, r, team, err)
	}
	if err != nil {
		return pushReceipt{}, cmp.Or(interrupted(err), err)
	}
	if _, err := a.queue().Remove(done.ID, r.host.String(), team); err != nil {
		a.notice("the packet was sent, but still waits as well: " + err.Error())
	}
	to := a.noteSent(ctx, &out.packet, r.host.String(), team)
	return pushReceipt{true, done.ID, r.host.String(), team, done.Version,
		memory.Say(fmt.Sprintf("sent packet %s to %s", done.ID, to))}, nil
}

// noteSent notes in the store that a packet was sent, and returns where.
func (a *app) noteSent(ctx context.Context, p *packet.Packet, host, team string) string {
	to := host
	if team != "" {
		to += ", team " + team
	}
	if err := a.desk().Sent(ctx, p, to); err != nil {
		a.notice("the packet was sent, but that could not be noted: " + err.Error())
	}
	return to
}

// queue returns the packets of this clone that wait.
func (a *app) queue() packets.Queue {
	place := a.projectsPlace()
	if !place.Local {
		return packets.NewQueue(filepath.Join(place.Clone, "queue"))
	}
	// Without git's own directory, the clone's files can have come with the project's. What is sent and
	// where must not.
	dir := a.credentials().Dir()
	if dir == "" {
		return packets.NewQueue("")
	}
	sum := sha256.Sum256([]byte(place.Store))
	return packets.NewQueue(filepath.Join(dir, "queue-"+hex.EncodeToString(sum[:8])))
}

// canQueue reports whether there is a place for packets that wait.
func (a *app) canQueue() bool {
	place := a.projectsPlace()
	return a.storeAt(place).Exists() && (!place.Local || a.credentials().Dir() != "")
}

// enqueue keeps a packet that could not be sent, and returns the error about that.
func (a *app) enqueue(out outgoing, r remote, team string, why error) error {
	if !a.canQueue() {
		return why
	}
	w := packets.Waiting{ID: out.packet.ID, Host: r.host.String(), Team: team, At: time.Now().UTC()}
	if !out.stored {
		data, err := out.packet.Canonical()
		if err != nil {
			return why
		}
		w.Packet = json.RawMessage(data)
	}
	if err := a.queue().Add(w); err != nil {
		return advice.With(why, "it does not wait either, because "+err.Error())
	}
	return advice.Partial(advice.With(why, fmt.Sprintf(`packet %s waits here: "ltm push --queued" sends it`, w.ID)))
}
