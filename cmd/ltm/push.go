package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ltm/internal/plural"
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

func (a *app) printPush(r pushReceipt) error { return a.println(cell(say(r.Message))) }

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
	// Without git's own directory, the clone's files can have come with the project's. What is sent and where must not.
	dir := a.credentials().Dir()
	if dir == "" {
		return packets.NewQueue("")
	}
	sum := sha256.Sum256([]byte(place.Store))
	return packets.NewQueue(filepath.Join(dir, "queue-"+hex.EncodeToString(sum[:8])))
}

// enqueue keeps a packet that could not be sent, and returns the error about that.
func (a *app) enqueue(out outgoing, r remote, team string, why error) error {
	place := a.projectsPlace()
	if !a.storeAt(place).Exists() || place.Local && a.credentials().Dir() == "" { // there is no place for it
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

// queueReport answers ltm push --queued and --drop.
type queueReport struct {
	Packets []queueEntry `json:"packets"`
}

// queueEntry is a packet that waits, or did.
type queueEntry struct {
	Action string `json:"action"` // "sent", "waits", "refused" or "dropped"
	ID     string `json:"id"`
	Host   string `json:"host"`
	Team   string `json:"team,omitempty"`
	Reason string `json:"reason,omitempty"`
}

// The outcomes for a queued packet.
const (
	queueSent    = "sent"
	queueWaits   = "waits"
	queueRefused = "refused"
	queueDropped = "dropped"
)

// pushQueued sends the queued packets. Permanently refused ones are named, and not sent again.
func (a *app) pushQueued(ctx context.Context, f *remoteFlags) error {
	list, err := a.queue().List()
	if err != nil {
		return err
	}
	if _, err := a.credentials().List(); err != nil { // even if a project interferes
		return err
	}
	sending := queueRun{app: a, flags: f, clients: map[string]*packets.Client{}, down: map[string]error{},
		full: map[destination]error{}}
	defer func() {
		for _, c := range sending.clients {
			c.Close()
		}
	}()
	report := queueReport{[]queueEntry{}}
	left := 0
	for _, w := range list {
		if h, err := packets.ParseHost(f.host); f.host != "" && w.Err == nil && (err != nil || h.String() != w.Host) {
			continue
		}
		entry, err := sending.send(ctx, w)
		if err != nil {
			return err
		}
		if entry.Action != queueSent {
			left++
		}
		report.Packets = append(report.Packets, entry)
	}
	if err := answer(a, report, nil, a.printQueue); err != nil || left == 0 {
		return err
	}
	return memory.NewError(memory.CodeRemote, memory.KindPacketUnsent, "", "%s not sent",
		plural.Of(left, "packet was", "packets were"))
}

func (a *app) printQueue(report queueReport) error {
	if len(report.Packets) == 0 {
		_, err := fmt.Fprintln(a.stderr, "no packets wait")
		return err
	}
	return a.reasons(each(report.Packets, func(e queueEntry) []string {
		return []string{e.Action, field(e.ID), field(e.Host), field(e.Team), field(e.Reason)}
	}))
}

// destination is where a packet goes: to a team of a server, or to its user.
type destination struct{ host, team string }

// queueRun is one run of ltm push --queued.
type queueRun struct {
	app     *app
	flags   *remoteFlags
	clients map[string]*packets.Client
	down    map[string]error      // servers that are not asked again
	full    map[destination]error // those that have no room, while other teams may have some
}

// client returns a client for a server with its own token.
func (q *queueRun) client(host string) (*packets.Client, error) {
	if c := q.clients[host]; c != nil {
		return c, nil
	}
	h, err := packets.ParseHost(host)
	if err != nil {
		return nil, err
	}
	r, err := q.app.remoteAt(h)
	if err != nil {
		return nil, err
	}
	c, err := q.app.clientOf(r, q.flags)
	if err == nil {
		q.clients[host] = c
	}
	return c, err
}

// send sends one packet. The error ends the run.
func (q *queueRun) send(ctx context.Context, w packets.Waiting) (queueEntry, error) {
	entry := queueEntry{ID: w.ID, Host: w.Host, Team: w.Team, Action: queueWaits}
	to := destination{w.Host, w.Team}
	waits := func(err error) queueEntry {
		entry.Reason = nextSteps().Tell(err, 0)
		return entry
	}
	switch {
	case w.Err != nil:
		return waits(w.Err), nil
	case w.Refused != "":
		entry.Action, entry.Reason = queueRefused, w.Refused
		return entry, nil
	case w.Sending:
		entry.Reason = "another process sends it"
		return entry, nil
	case q.down[w.Host] != nil:
		return waits(q.down[w.Host]), nil
	case q.full[to] != nil:
		return waits(q.full[to]), nil
	}
	p, err := q.packet(ctx, w)
	if err != nil {
		return waits(err), nil
	}
	c, err := q.client(w.Host)
	if err != nil {
		return waits(err), nil
	}
	taken, ok, err := q.app.queue().Take(w)
	if err != nil {
		return entry, err
	}
	if !ok {
		entry.Reason = "another process sends it"
		return entry, nil
	}
	_, err = c.Push(ctx, packets.Push{Packet: p, Team: w.Team})
	switch {
	case err == nil:
		entry.Action = queueSent
		q.app.noteSent(ctx, &p, w.Host, w.Team)
		return entry, taken.Sent()
	case packets.IsFinal(err):
		text, _ := nextSteps().Split(err, 0)
		entry.Action, entry.Reason = queueRefused, clean(text)
		return entry, taken.Refuse(entry.Reason)
	}
	if r := packets.RefusalOf(err); r != nil && r.Status == http.StatusInsufficientStorage {
		q.full[to] = err
	} else {
		q.down[w.Host] = err
	}
	return waits(err), errors.Join(taken.Return(), interrupted(err))
}

// interrupted returns an error that ends the program, and nil for others.
func interrupted(err error) error {
	if errors.Is(err, context.Canceled) {
		return errInterrupted
	}
	return nil
}

// packet returns a waiting packet: the store's unless it was in none.
func (q *queueRun) packet(ctx context.Context, w packets.Waiting) (packet.Packet, error) {
	if w.Packet != nil {
		p, err := packet.Parse(w.Packet)
		if err == nil && p.ID != w.ID {
			err = errors.New("what waits is another packet")
		}
		return p, err
	}
	detail, err := q.app.desk().Show(ctx, w.ID)
	if err == nil && detail.Packet.ID != w.ID {
		err = fs.ErrNotExist
	}
	if err != nil {
		return packet.Packet{}, memory.NewError(memory.CodeNotFound, memory.KindPacketUnknown, w.ID,
			"the store has no packet %s now, perhaps because another branch is checked out", memory.Quote(w.ID, 64))
	}
	return detail.Packet, nil
}

// dropQueued takes a packet out of what waits.
func (a *app) dropQueued(id string) error {
	n, err := a.queue().Remove(id, "", "")
	if err != nil {
		return err
	}
	if n == 0 {
		return notFound(`"ltm status" names those that wait`, "no packet %s waits", memory.Quote(id, 64))
	}
	dropped := queueReport{[]queueEntry{{Action: queueDropped, ID: id}}}
	return answer(a, dropped, nil, func(queueReport) error {
		return a.println("packet " + cell(id) + " no longer waits")
	})
}

// waiting names the packets that wait, for ltm status.
func (a *app) waiting() []packets.Waiting {
	list, err := a.queue().List()
	if err != nil {
		a.notice("cannot tell which packets wait: " + err.Error())
	}
	return list
}

// maxNamed is how many packets a line names.
const maxNamed = 5

// waitingLines describes the packets that wait, and those that a server refused.
func waitingLines(list []packets.Waiting) []string {
	groups := map[bool][]string{}
	for _, w := range list {
		text := cell(w.ID) + " for " + cell(w.Host)
		if w.Team != "" {
			text += ", team " + cell(w.Team)
		}
		if w.Err != nil {
			text = cell(w.Err.Error())
		}
		if w.Refused != "" {
			text += " (" + cell(w.Refused) + ")"
		}
		groups[w.Refused != ""] = append(groups[w.Refused != ""], text)
	}
	named := func(title, next string, texts []string) []string {
		if len(texts) == 0 {
			return nil
		}
		shown := strings.Join(texts[:min(maxNamed, len(texts))], "; ")
		if len(texts) > maxNamed {
			shown += fmt.Sprintf("; and %d more", len(texts)-maxNamed)
		}
		return []string{fmt.Sprintf("%-13s  %d: %s (%s)", title, len(texts), shown, next)}
	}
	return append(named("not sent yet", "ltm push --queued", groups[false]),
		named("refused", "ltm push ID tries again, ltm push --drop ID takes it out", groups[true])...)
}

// completeWaiting offers the ids of packets that wait.
func (a *app) completeWaiting(_ []string, begun string) []string {
	list, err := a.queue().List()
	if err != nil {
		return nil
	}
	var ids []string
	for _, w := range list {
		if w.Err == nil && cell(w.ID) == w.ID && !strings.ContainsAny(w.ID, " \t") {
			ids = append(ids, w.ID)
		}
	}
	return fixed(ids...)(nil, begun)
}
